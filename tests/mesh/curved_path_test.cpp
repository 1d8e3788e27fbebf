// Paths that are no straight lines: no step passes a contact of the curved path itself.
// Defends G-MESH-11 (docs/GUARANTEES.md).
#include "graze/mesh/curved_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "graze/mesh/safe_step.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

// Vertices [0, rotating) rotate about the z axis, by `angle` in all; the others stay.
struct Rotation {
    std::vector<Vec3> at;
    std::size_t rotating = 0;
    double angle = 0.0;

    [[nodiscard]] std::vector<Vec3> position(double alpha) const {
        std::vector<Vec3> x = at;
        const double c = std::cos(angle * alpha);
        const double s = std::sin(angle * alpha);
        for (std::size_t i = 0; i < rotating; ++i)
            x[i] = {c * at[i].x - s * at[i].y, s * at[i].x + c * at[i].y, at[i].z};
        return x;
    }
    // The sagitta, r (1 - cos of half the angle), up to a circle's quarter: there the distance between
    // arc and chord at equal fractions is largest in the middle. Rounding errors of cos, sin and the
    // products: some ulps of r. Beyond a quarter: no point of a circle is farther than 2 r from another.
    [[nodiscard]] double deviation(std::size_t vertex, double from, double to) const {
        if (vertex >= rotating) return 0.0;
        const double r = std::hypot(at[vertex].x, at[vertex].y);
        const double half = 0.5 * std::abs(angle) * (to - from);
        if (half > 0.25 * std::numbers::pi) return 2.1 * r;
        const double s = std::sin(0.5 * half);
        return 2.0 * r * s * s + 0x1p-48 * r;
    }
    [[nodiscard]] MotionPath path() const {
        return {.position =
                    [this](double alpha, std::span<Vec3> x) {
                        const std::vector<Vec3> now = position(alpha);
                        std::copy(now.begin(), now.end(), x.begin());
                    },
                .deviation_by_vertex =
                    [this](double from, double to, std::span<double> e) {
                        for (std::size_t i = 0; i < e.size(); ++i)
                            e[i] = deviation(i, from, to);
                    }};
    }
    // One bound for all.
    [[nodiscard]] MotionPath uniform_path() const {
        MotionPath result = path();
        result.deviation_by_vertex = nullptr;
        result.deviation = [this](double from, double to) {
            double largest = 0.0;
            for (std::size_t i = 0; i < rotating; ++i)
                largest = std::max(largest, deviation(i, from, to));
            return largest;
        };
        return result;
    }
};

// Does the densely sampled path touch anything up to alpha? Between two samples it is straight, up to
// a deviation of 1e-7 of its radius.
bool touches(const MeshTopology& mesh, const Rotation& rotation, double alpha,
             const StepOptions& options = {}) {
    MeshStepper stepper(mesh);
    StepOptions one_thread = options;
    one_thread.threads = 1;  // few elements, and many steps
    const int samples = 1 + static_cast<int>(std::ceil(1000.0 * alpha * std::abs(rotation.angle)));
    std::vector<Vec3> before = rotation.position(0.0);
    for (int i = 1; i <= samples; ++i) {
        std::vector<Vec3> now = rotation.position(alpha * i / samples);
        if (stepper.first_impact(before, now, one_thread)->impact) return true;
        before = std::move(now);
    }
    return false;
}

// A triangle whose tip rotates, from the angle 0, with radius 1, and a wall at y = height.
struct TipAndWall {
    Rotation rotation;
    MeshTopology mesh;

    TipAndWall(double angle, double height, double scale = 1.0) {
        rotation.at = {{1, 0, 0}, {0.25, 0, 0.125}, {0.25, 0, -0.125}};
        rotation.rotating = 3;
        rotation.angle = angle;
        for (const Vec3 wall : {Vec3{-9, height, -9}, Vec3{9, height, -9}, Vec3{0, height, 19}})
            rotation.at.push_back(wall);
        for (Vec3& x : rotation.at)
            x = scale * x;
        const std::vector<FaceIndices> faces = {{0, 1, 2}, {3, 4, 5}};
        mesh = *make_topology(6, faces);
    }
};

TEST(CurvedPath, EndsRightBeforeTheContactOfTheArc) {
    for (const double angle : {0.5, 1.5, 3.0, 2.0 * std::numbers::pi}) {
        for (const double height : {0.125, 0.25, 0.375}) {
            if (std::sin(std::min(angle, 1.5)) <= height) continue;
            const TipAndWall scene(angle, height);
            const double contact = std::asin(height) / angle;  // the tip reaches the wall
            for (const MotionPath& path : {scene.rotation.path(), scene.rotation.uniform_path()}) {
                MeshStepper stepper(scene.mesh);
                const auto step = largest_safe_step(stepper, path);
                ASSERT_TRUE(step) << step.error().message;
                EXPECT_LT(step->alpha, contact);
                EXPECT_GT(step->alpha, contact - 1e-4) << angle << " " << height;
                EXPECT_TRUE(step->impact);
                EXPECT_EQ(step->positions, scene.rotation.position(step->alpha));
                EXPECT_EQ(step->knots.back(), step->alpha);
                EXPECT_LT(step->proofs, 100);
            }
        }
    }
}

// The chord of a full rotation is a point: who follows straight lines sees nothing move.
TEST(CurvedPath, AFullRotationIsNotNoMotion) {
    const TipAndWall scene(2.0 * std::numbers::pi, 0.5);
    MeshStepper stepper(scene.mesh);
    EXPECT_TRUE(touches(scene.mesh, scene.rotation, 1.0));
    MotionPath unbounded = scene.rotation.path();
    unbounded.deviation_by_vertex = nullptr;
    unbounded.deviation = [](double, double) { return 0.0; };  // a bound that does not hold
    EXPECT_EQ(largest_safe_step(stepper, unbounded)->alpha, 1.0);
    const auto step = largest_safe_step(stepper, scene.rotation.path());
    ASSERT_TRUE(step);
    EXPECT_LT(step->alpha, 1.0 / 12.0);  // arcsin of 1/2 is a twelfth of a rotation
    EXPECT_GT(step->alpha, 1.0 / 12.0 - 1e-5);
}

TEST(CurvedPath, GoesAllTheWayWhereNothingIsInIt) {
    const TipAndWall scene(2.0 * std::numbers::pi, 1.0625);
    MeshStepper stepper(scene.mesh);
    const auto step = largest_safe_step(stepper, scene.rotation.path());
    ASSERT_TRUE(step);
    EXPECT_EQ(step->alpha, 1.0);
    EXPECT_FALSE(step->impact);
    EXPECT_EQ(step->positions, scene.rotation.position(1.0));
    EXPECT_TRUE(std::is_sorted(step->knots.begin(), step->knots.end()));
}

TEST(CurvedPath, EndsAtTheSpacingOfNumbersHoweverFineTheResolutionIs) {
    const TipAndWall scene(1.5, 0.5);
    MeshStepper stepper(scene.mesh);
    MotionPath path = scene.rotation.path();
    bool has_length = true;
    path.deviation_by_vertex = [given = path.deviation_by_vertex, &has_length](
                                   double from, double to, std::span<double> deviation) {
        has_length &= from < to;
        given(from, to, deviation);
    };
    PathOptions options;
    options.resolution = 1e-300;
    const auto step = largest_safe_step(stepper, path, options);
    ASSERT_TRUE(step);
    EXPECT_TRUE(has_length);
    EXPECT_LT(step->proofs, options.max_proofs);
    EXPECT_TRUE(std::is_sorted(step->knots.begin(), step->knots.end(), std::less_equal<>()));
    EXPECT_FALSE(touches(scene.mesh, scene.rotation, step->alpha));
}

TEST(CurvedPath, HasNoUnitOfLength) {
    for (const double scale : {0x1p-60, 0x1p-20, 0x1p20, 0x1p60}) {
        const TipAndWall scene(1.5, 0.25, scale);
        MeshStepper stepper(scene.mesh);
        PathOptions options;
        options.step.query.distance_tolerance = scale;
        const auto step = largest_safe_step(stepper, scene.rotation.path(), options);
        ASSERT_TRUE(step);
        EXPECT_LT(step->alpha, std::asin(0.25) / 1.5);
        EXPECT_GT(step->alpha, std::asin(0.25) / 1.5 - 1e-4) << scale;
    }
}

TEST(CurvedPath, KeepsTheSeparationAndTheThickness) {
    const TipAndWall scene(1.5, 0.5);
    MeshStepper stepper(scene.mesh);
    const std::vector<double> radius = {0.0625, 0.0, 0.0, 0.03125, 0.03125, 0.03125};
    PathOptions options;
    options.step.query.min_separation = 0.03125;
    options.step.radius = radius;
    const auto step = largest_safe_step(stepper, scene.rotation.path(), options);
    ASSERT_TRUE(step);
    const double contact = std::asin(0.5 - 0.125) / 1.5;
    EXPECT_LT(step->alpha, contact);
    EXPECT_GT(step->alpha, contact - 1e-4);
}

TEST(CurvedPath, StaysWhereTheStartIsNotFree) {
    TipAndWall scene(1.5, 0.0);
    MeshStepper stepper(scene.mesh);
    const auto step = largest_safe_step(stepper, scene.rotation.path());
    ASSERT_TRUE(step);
    EXPECT_EQ(step->alpha, 0.0);
    EXPECT_TRUE(step->impact);
    EXPECT_EQ(step->positions, scene.rotation.at);
    EXPECT_LT(step->proofs, 20);
}

TEST(CurvedPath, OfAStraightLineIsTheStepOfTheLine) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene = SceneMaker({.faces = 5, .points = 2}, seed).make();
        MeshStepper stepper(scene.mesh);
        const MotionPath line = {.position =
                                     [&](double alpha, std::span<Vec3> x) {
                                         const auto now =
                                             positions_between(scene.start, scene.end, alpha);
                                         std::copy(now.begin(), now.end(), x.begin());
                                     },
                                 .deviation = [](double, double) { return 0x1p-48; }};
        const auto path = largest_safe_step(stepper, line);
        const auto step = largest_safe_step(stepper, scene.start, scene.end);
        ASSERT_TRUE(path && step);
        EXPECT_NEAR(path->alpha, step->fraction, 1e-5) << seed;
    }
}

// Rigid clusters of triangles that rotate among triangles at rest.
Rotation random_rotation(std::uint64_t seed, MeshTopology& mesh) {
    const Scene scene = SceneMaker({.faces = 6, .points = 1}, seed).make();
    std::mt19937_64 random(seed);
    Rotation rotation;
    rotation.at = scene.start;
    rotation.rotating = scene.start.size() / 2;
    rotation.angle =
        (random() % 2 == 0 ? 1.0 : -1.0) * (0.2 + static_cast<double>(random() % 64) / 10.0);
    mesh = scene.mesh;
    return rotation;
}

void expect_no_step_passes_a_contact(std::uint64_t first_seed, std::uint64_t last_seed) {
    int moved = 0;
    int stopped = 0;
    for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        MeshTopology mesh;
        const Rotation rotation = random_rotation(seed, mesh);
        MeshStepper stepper(mesh);
        const auto step = largest_safe_step(stepper, rotation.path());
        ASSERT_TRUE(step) << step.error().message;
        moved += step->alpha > 0.0;
        stopped += step->alpha < 1.0;
        ASSERT_FALSE(step->alpha > 0.0 && touches(mesh, rotation, step->alpha));
    }
    EXPECT_GT(moved, static_cast<int>(last_seed - first_seed) / 8);
    EXPECT_GT(stopped, 0);
}

TEST(CurvedPath, PassesNoContactOfRotatingTriangles) {
    expect_no_step_passes_a_contact(0, 6);
}
TEST(CurvedPathAttack, PassesNoContactOfRotatingTriangles) {
    expect_no_step_passes_a_contact(6, 200);
}

TEST(CurvedPath, ALineSearchKeepsToThePathAndLowersTheEnergy) {
    const TipAndWall scene(2.0 * std::numbers::pi, 0.5);
    MeshStepper stepper(scene.mesh);
    // Down to a height of 1/8 from below and back up from there: less than half of what is free.
    const auto energy = [](std::span<const Vec3> x) { return std::abs(x[0].y - 0.125); };
    const auto found = line_search(stepper, scene.rotation.path(), energy);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_GT(found->alpha, 0.0);
    EXPECT_LT(found->alpha, found->alpha_free);
    EXPECT_LT(found->energy, 0.125);
    EXPECT_EQ(found->positions, scene.rotation.position(found->alpha));
    EXPECT_FALSE(touches(scene.mesh, scene.rotation, found->alpha));
    const auto rising = [](std::span<const Vec3> x) { return x[0].y; };
    const auto none = line_search(stepper, scene.rotation.path(), rising);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->alpha, 0.0);
    EXPECT_EQ(none->positions, scene.rotation.at);
}

TEST(CurvedPath, RefusesBoundsAndOptionsThatAreNone) {
    const TipAndWall scene(1.5, 0.5);
    MeshStepper stepper(scene.mesh);
    const auto code = [&](const MotionPath& path, const PathOptions& options = {}) {
        const auto step = largest_safe_step(stepper, path, options);
        return step ? ErrorCode::Unspecified : step.error().code;
    };
    MotionPath path = scene.rotation.path();
    path.deviation = [](double, double) { return 0.0; };
    EXPECT_EQ(code(path), ErrorCode::InvalidOption);  // both
    path.deviation_by_vertex = nullptr;
    for (const double bad : {-1.0, std::nan("")}) {
        path.deviation = [bad](double, double) { return bad; };
        EXPECT_EQ(code(path), ErrorCode::InvalidInput);
    }
    path.deviation = nullptr;
    EXPECT_EQ(code(path), ErrorCode::InvalidOption);
    EXPECT_EQ(code({}), ErrorCode::InvalidOption);
    PathOptions options;
    options.resolution = 0.0;
    EXPECT_EQ(code(scene.rotation.path(), options), ErrorCode::InvalidOption);
    options = {};
    options.max_proofs = 0;
    EXPECT_EQ(code(scene.rotation.path(), options), ErrorCode::InvalidOption);
    options = {};
    const std::vector<double> two = {0.0, 0.0};
    options.step.radius = two;
    EXPECT_EQ(code(scene.rotation.path(), options), ErrorCode::WrongSize);
    MotionPath broken = scene.rotation.path();
    broken.position = [](double, std::span<Vec3> x) { x[0].x = std::nan(""); };
    EXPECT_EQ(code(broken), ErrorCode::NotFinite);
}

TEST(CurvedPath, UnknownDeviationsShortenAndEndTheSearch) {
    const TipAndWall scene(1.5, 0.5);
    MeshStepper stepper(scene.mesh);
    MotionPath path = scene.rotation.path();
    path.deviation_by_vertex = nullptr;
    path.deviation = [](double, double) { return kInfinity; };
    const auto never = largest_safe_step(stepper, path);
    ASSERT_TRUE(never);
    EXPECT_EQ(never->alpha, 0.0);
    EXPECT_EQ(never->proofs, 0);
    PathOptions options;
    options.max_proofs = 3;
    const auto few = largest_safe_step(stepper, scene.rotation.path(), options);
    ASSERT_TRUE(few);
    EXPECT_LE(few->proofs, 3);
    EXPECT_FALSE(touches(scene.mesh, scene.rotation, few->alpha));
}

}  // namespace
}  // namespace graze
