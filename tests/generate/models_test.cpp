// Models are what they claim to be: closed, outward, planar, of the right genus.
#include "graze/generate/models.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "graze/rigid/polyhedron.hpp"

namespace graze::generate {
namespace {

rigid::Polyhedron body_of(const io::PolygonMesh& mesh) {
    auto body = rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    EXPECT_TRUE(body) << body.error().message;
    return std::move(*body);
}

long euler_number(const rigid::Polyhedron& body) {
    return static_cast<long>(body.positions().size()) - static_cast<long>(body.edges().size()) +
           static_cast<long>(body.face_count());
}

// Positive iff the triangles turn outward.
double volume(const rigid::Polyhedron& body) {
    double sum = 0.0;
    for (const auto& [a, b, c] : body.triangles()) {
        const auto p = body.positions();
        sum += dot(p[a], cross(p[b], p[c])) / 6.0;
    }
    return sum;
}

TEST(Models, AllAreClosedOutwardAndCleanAtManySizes) {
    for (const std::string_view name : model_names()) {
        for (const std::uint32_t faces : {0U, 1U, 9U, 100U, 2000U}) {
            const auto mesh = model(name, faces);
            ASSERT_TRUE(mesh) << mesh.error().message;
            const rigid::Polyhedron body = body_of(*mesh);
            EXPECT_EQ(body.report().text(), "") << name << " " << faces;
            EXPECT_TRUE(body.report().is_closed()) << name << " " << faces;
            EXPECT_GT(volume(body), 0.0) << name << " " << faces;
            const bool has_hole = name == "torus" || name == "nut";
            EXPECT_EQ(euler_number(body), has_hole ? 0 : 2) << name << " " << faces;
        }
    }
}

TEST(Models, HaveTheWishedNumberOfFacesWithinAFactorOfTwo) {
    for (const std::string_view name : {"comb", "torus", "sphere", "screw", "nut"}) {
        for (const std::uint32_t faces : {500U, 3000U, 20000U}) {
            const std::size_t count = model(name, faces)->polygons.size();
            EXPECT_GE(2 * count, faces) << name;
            EXPECT_LE(count, 2 * faces) << name;
        }
    }
}

TEST(Models, TheCarHasTheCountsOfThePapersFigure) {
    const rigid::Polyhedron body = body_of(car());
    EXPECT_EQ(body.positions().size(), 16U);
    EXPECT_EQ(body.edges().size(), 26U);
    EXPECT_EQ(body.face_count(), 12U);
}

TEST(Models, TheUsualTorusHas300Faces) {
    EXPECT_EQ(torus().polygons.size(), 300U);
    EXPECT_EQ(torus_of(300).polygons.size(), 300U);
}

// Each quadrilateral is off its plane by no more than a few roundings.
TEST(Models, FacesArePlanarWithinRounding) {
    for (const std::string_view name : {"cube", "car", "comb", "torus"}) {
        const rigid::Polyhedron body = body_of(*model(name));
        for (std::size_t f = 0; f < body.face_count(); ++f) {
            const Vec3& origin = body.positions()[body.face(f)[0]];
            for (const std::uint32_t v : body.face(f)) {
                const double off = dot(body.normal(f), body.positions()[v] - origin);
                EXPECT_LE(std::fabs(off), 1e-15 * body.radius()) << name << " " << f;
            }
        }
    }
}

TEST(Models, VolumesAreRight) {
    EXPECT_EQ(volume(body_of(cube())), 1.0);
    EXPECT_NEAR(volume(body_of(tetrahedron())), 8.0 / 3.0, 1e-15);
    EXPECT_NEAR(volume(body_of(sphere(5))), 4.18879, 0.01);
    // 2 pi^2 R r^2 = 3.1583 for the smooth one.
    EXPECT_NEAR(volume(body_of(torus(200, 200))), 3.1583, 0.01);
    // The bar, then 8 teeth of 0.4375.
    EXPECT_NEAR(volume(body_of(comb(8))), 0.5 * 7.4375 + 8 * 0.4375, 1e-12);
}

// Measured at the middle of each triangle and of each side, in radius.
TEST(Models, ThreadFacetsAreWithinTheStatedErrorOfTheIdealSurface) {
    for (const std::uint32_t around : {8U, 12U, 32U, 100U}) {
        for (const std::uint32_t along : {4U, 12U, 40U}) {
            ThreadShape shape;
            shape.around = around;
            shape.along = along;
            const rigid::Polyhedron body = body_of(screw_thread(shape));
            double worst = 0.0;
            const auto measure = [&](const Vec3& p) {
                const double phase = 2.0 * M_PI * p.y / shape.lead - std::atan2(-p.z, p.x);
                const double ideal = shape.radius + shape.depth * std::cos(phase);
                worst = std::max(worst, std::fabs(std::hypot(p.x, p.z) - ideal));
            };
            // Without the flat ends: the last two faces.
            for (std::size_t f = 0; f + 2 < body.face_count(); ++f) {
                const auto corners = body.face(f);
                const Vec3& a = body.positions()[corners[0]];
                const Vec3& b = body.positions()[corners[1]];
                const Vec3& c = body.positions()[corners[2]];
                for (const Vec3& p : {(1.0 / 3.0) * (a + b + c), 0.5 * (a + b), 0.5 * (b + c),
                                      0.5 * (c + a), 0.25 * (a + a + b + c)})
                    measure(p);
            }
            EXPECT_LE(worst, shape.sampling_error()) << around << " " << along;
            EXPECT_GE(worst, 0.2 * shape.sampling_error()) << around << " " << along;
        }
    }
}

TEST(Models, TheUsualScrewHasRoomInTheUsualHole) {
    EXPECT_GT(0.05, 2.0 * ThreadShape{}.sampling_error());
}

TEST(Models, UnknownNamesAndAbsurdSizesAreErrors) {
    const auto unknown = model("teapot");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::InvalidInput);
    EXPECT_NE(unknown.error().message.find("teapot"), std::string::npos);
    EXPECT_NE(unknown.error().message.find("torus"), std::string::npos);
    EXPECT_FALSE(model("torus", std::numeric_limits<std::uint32_t>::max()));
}

TEST(Models, AStopIsAnErrorForEveryModelOfAnySize) {
    const std::atomic<bool> stop = true;
    for (const std::string_view name : {"comb", "torus", "sphere", "screw", "nut"}) {
        const auto stopped = model(name, kMaxModelFaces, StopToken(stop));
        ASSERT_FALSE(stopped) << name;
        EXPECT_EQ(stopped.error().message, "cancelled");
        EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    }
}

TEST(Models, TheirTextComesInPiecesThatCanBeRefused) {
    const io::PolygonMesh mesh = torus_of(30'000);
    std::string text;
    double last = 0.0;
    int pieces = 0;
    ASSERT_TRUE(to_obj(mesh, "a torus", [&](std::string_view piece, double share) {
        EXPECT_GE(share, last);
        last = share;
        ++pieces;
        text += piece;
        return Expected<void>();
    }));
    EXPECT_EQ(last, 1.0);
    EXPECT_GT(pieces, 1);
    EXPECT_EQ(text, to_obj(mesh, "a torus"));
    const auto refused = to_obj(mesh, "", [&](std::string_view, double) {
        --pieces;
        return Expected<void>(Error{"enough"});
    });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "enough");
}

}  // namespace
}  // namespace graze::generate
