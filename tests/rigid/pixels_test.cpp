// Defends G-RIGID-9 (docs/GUARANTEES.md). Else the pixel search guarantees nothing; its tests say
// what it finds and how far it is off.
#include "graze/rigid/pixels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "graze/generate/models.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/verify/exact_segment.hpp"
#include "graze/verify/rigid_random_motions.hpp"
#include "rigid/bodies.hpp"
#include "rigid/pixels/pen.hpp"
#include "rigid/pixels/resolve.hpp"
#include "rigid/pixels/scan.hpp"

namespace graze::rigid::pixel_tests {
namespace {

using test::body_of;
using test::box;
using test::built;
using test::prism;
using test::shift_of_b;

constexpr double kPi = std::numbers::pi;

std::vector<Contact> found_by_pixels(const Polyhedron& a, const Polyhedron& b, const PairStep& step,
                                     const PixelOptions& options = {}) {
    PixelSearch search;
    auto result = search.collisions(a, b, step, options);
    EXPECT_TRUE(result.has_value());
    return result ? result->collisions : std::vector<Contact>{};
}

std::string error_of(const Polyhedron& a, const Polyhedron& b, const PairStep& step,
                     const PixelOptions& options) {
    PixelSearch search;
    auto result = search.collisions(a, b, step, options);
    return result ? "" : result.error().message;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// --- Figure 2 ------------------------------------------------------------------------------------

const std::vector<std::pair<double, double>> kWall = {{-2, -2}, {0, -2}, {0, 2}, {-2, 2}};

TEST(PixelsFigure2, RectangleThatComesFlatHitsWithBothLeftVerticesAtOnce) {
    const Polyhedron a = prism(kWall, 2.0);
    const Polyhedron b = prism({{0, -1}, {2, -1}, {2, 1}, {0, 1}}, 1.0);
    const auto hits = found_by_pixels(a, b, shift_of_b({1.0, 0.1, 0.05}, {-1.0, 0.1, 0.05}));
    ASSERT_EQ(hits.size(), 4U);
    for (const Contact& c : hits) {
        EXPECT_EQ(c.type, ContactType::FaceVertex);
        EXPECT_EQ(c.a, 1U);  // the right face of A
        EXPECT_NEAR(c.time, 0.5, 1e-9);
        EXPECT_NEAR(c.properness, 0.0, 1e-12);
        EXPECT_NEAR(c.normal.x, 1.0, 1e-12);
        EXPECT_NEAR(c.point.x, 0.0, 1e-9);
    }
}

TEST(PixelsFigure2, TiltedRectangleHitsTwiceOnceProperAndOnceSlightlyImproper) {
    const Polyhedron a = prism(kWall, 2.0);
    const double tilt = 0.05;
    const double c = std::cos(tilt);
    const double s = std::sin(tilt);
    const auto turned = [&](double x, double y) {
        return std::pair{c * x + s * y, -s * x + c * y};
    };
    const Polyhedron b = prism({turned(0, -1), turned(2, -1), turned(2, 1), turned(0, 1)}, 1.0);
    const auto hits = found_by_pixels(a, b, shift_of_b({1.0, 0.1, 0.0}, {-1.0, 0.1, 0.0}));
    ASSERT_EQ(hits.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(hits[i].type, ContactType::FaceVertex);
        EXPECT_EQ(hits[i].a, 1U);
        const double side = i < 2 ? -1.0 : 1.0;
        EXPECT_NEAR(hits[i].time, 0.5 * (1.0 + side * s), 1e-9);
        EXPECT_NEAR(hits[i].properness, i < 2 ? 0.0 : -s, 1e-9);
    }
}

TEST(PixelsFigure2, NotchedPolygonHasTwoProperHitsAtDifferentTimes) {
    const Polyhedron a = prism(kWall, 2.0);
    const Polyhedron b = prism({{0, -1}, {2, -1}, {2, 1}, {0.1, 1}, {0.6, 0}}, 1.0);
    const auto hits = found_by_pixels(a, b, shift_of_b({1.0, 0.1, 0.0}, {-0.3, 0.1, 0.0}));
    ASSERT_EQ(hits.size(), 4U);
    EXPECT_NEAR(hits[0].time, 1.0 / 1.3, 1e-9);
    EXPECT_NEAR(hits[3].time, 1.1 / 1.3, 1e-9);
    for (const Contact& h : hits)
        EXPECT_GE(h.properness, 0.0);
}

// --- Single contacts with known times ------------------------------------------------------------

TEST(Pixels, FallingCubeLandsOnThePlateWithItsFourLowerVertices) {
    const Polyhedron plate = box({-3, -1, -3}, {3, 0, 3});
    const Polyhedron cube = body_of(generate::cube());
    const auto hits =
        found_by_pixels(plate, cube, shift_of_b({0.2, 1.25, -0.3}, {0.2, 0.25, -0.3}));
    ASSERT_EQ(hits.size(), 4U);
    for (const Contact& c : hits) {
        EXPECT_EQ(c.type, ContactType::FaceVertex);
        EXPECT_EQ(c.a, 3U);  // its upper face
        EXPECT_LT(cube.positions()[c.b].y, 0.0);
        EXPECT_NEAR(c.time, 0.75, 1e-9);
        EXPECT_NEAR(c.normal.y, 1.0, 1e-12);
        EXPECT_NEAR(c.point.y, 0.0, 1e-9);
    }
}

TEST(Pixels, PlateThatRisesToTheCubeSeesTheSameWithVerticesOfA) {
    const Polyhedron plate = box({-3, -1, -3}, {3, 0, 3});
    const Polyhedron cube = body_of(generate::cube());
    const auto hits =
        found_by_pixels(cube, plate, shift_of_b({0.2, -1.25, -0.3}, {0.2, -0.25, -0.3}));
    ASSERT_EQ(hits.size(), 4U);
    for (const Contact& c : hits) {
        EXPECT_EQ(c.type, ContactType::VertexFace);
        EXPECT_NEAR(c.time, 0.75, 1e-9);
        EXPECT_NEAR(c.normal.y, -1.0, 1e-12);
        EXPECT_NEAR(c.point.y, -0.5, 1e-9);
    }
}

TEST(Pixels, CrossingRidgesMeetWithinAPixelOfWhereAndWhenTheyShould) {
    const Polyhedron a = prism({{-1, -1}, {1, -1}, {0, 0}}, 2.0);
    const Polyhedron other = prism({{1, 1}, {-1, 1}, {0, 0}}, 2.0);
    PairStep step;
    const Quaternion quarter = rotation_about({0.0, 1.0, 0.0}, 0.5 * kPi);
    step.b.start = {quarter, {0.3, 0.75, 0.2}};
    step.b.end = {quarter, {0.3, -0.25, 0.2}};
    for (const double pixel : {0.1, 0.02, 0.004}) {
        PixelOptions options;
        options.pixel = pixel;
        const auto hits = found_by_pixels(a, other, step, options);
        ASSERT_EQ(hits.size(), 1U);
        EXPECT_EQ(hits[0].type, ContactType::EdgeEdge);
        EXPECT_NEAR(hits[0].time, 0.75, 1.5 * pixel);
        EXPECT_LE(norm(hits[0].point - Vec3{0.0, 0.0, 0.2}), 1.5 * pixel);
        EXPECT_NEAR(hits[0].normal.y, 1.0, 1e-12);
        EXPECT_NEAR(hits[0].properness, std::sqrt(0.5), 1e-12);
    }
}

TEST(Pixels, TipThatSwingsOntoAFaceMeetsItAtTheAngle) {
    const Polyhedron a = box({1.0, 0.0, -1.0}, {3.0, 1.0, 1.0});
    const Polyhedron b = built({{0, 2, 0}, {-0.5, 2.5, -0.4}, {-0.5, 2.5, 0.4}, {-0.6, 2.0, 0.0}},
                               {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
    PairStep step;
    step.b.end.rotation = rotation_about({0.0, 0.0, 1.0}, -0.4 * kPi);
    PixelOptions options;
    options.min_properness = -1.0;
    const auto hits = found_by_pixels(a, b, step, options);
    const auto hit = std::find_if(hits.begin(), hits.end(), [](const Contact& c) {
        return c.type == ContactType::FaceVertex && c.b == 0;
    });
    ASSERT_NE(hit, hits.end());
    EXPECT_NEAR(hit->time, (kPi / 2 - kPi / 6) / (0.4 * kPi), 1e-9);
    EXPECT_NEAR(hit->point.x, 2.0 * std::cos(kPi / 6), 1e-9);
    EXPECT_NEAR(hit->point.y, 1.0, 1e-9);
}

TEST(Pixels, TimeIsTheFullDifferenceOfScreenTimesNotHalfOfIt) {
    const Polyhedron a = box({-1, -1, -1}, {0, 1, 1});
    const Polyhedron b = box({0, -0.5, -0.5}, {1, 0.5, 0.5});
    const auto hits = found_by_pixels(a, b, shift_of_b({0.9, 0, 0}, {-0.1, 0, 0}));
    ASSERT_FALSE(hits.empty());
    EXPECT_NEAR(hits[0].time, 0.9, 1e-9);
    EXPECT_TRUE(found_by_pixels(a, b, shift_of_b({1.2, 0, 0}, {0.2, 0, 0})).empty());
}

// An edge of the door is the axis, up to rounding errors of either sign; the ball around the stop
// reaches over the axis, so that the edge is drawn.
TEST(Pixels, DoorThatTurnsAboutItsOwnEdgeHitsTheDoorstop) {
    const Polyhedron door = box({0.0, 0.0, -0.0625}, {1.0, 2.0, 0.0});
    const Polyhedron stop = box({-0.5, 0.0, -0.9}, {0.75, 0.25, -0.2});
    test::RandomPoses random(9);
    for (int i = 0; i < 20; ++i) {
        const Pose world = {random.rotation(), 3.0 * random.vector()};
        PairStep step;
        step.a = BodyStep::rest(world);
        step.b =
            BodyStep::between(world, compose(world, {rotation_about({0.0, 1.0, 0.0}, 1.5), {}}));
        PixelSearch search;
        PixelOptions options;
        options.pixel = 0.01;
        const auto result = search.collisions(stop, door, step, options);
        ASSERT_TRUE(result.has_value()) << result.error().message;
        ASSERT_FALSE(result->collisions.empty());
        const auto first = first_impact(RigidBody(stop), RigidBody(door), step);
        ASSERT_EQ(first.verdict, Verdict::Contact);
        EXPECT_NEAR(result->collisions[0].time, first.toi_lower, 0.03);
    }
}

// --- Doppeling (section 8) -----------------------------------------------------------------------

// A prism of n sides about the y axis, from y = 0 upwards.
Polyhedron drum(std::uint32_t n, double radius, double height) {
    std::vector<std::pair<double, double>> polygon;
    for (std::uint32_t i = 0; i < n; ++i) {
        const double angle = 2.0 * kPi * (i + 0.3) / n;
        polygon.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    }
    const Polyhedron upright = prism(polygon, 0.5 * height);
    std::vector<Vec3> positions;
    // (x, y, z) -> (x, z, -y) keeps orientation.
    for (const Vec3& p : upright.positions())
        positions.push_back({p.x, p.z + 0.5 * height, -p.y});
    std::vector<std::vector<std::uint32_t>> faces;
    for (std::size_t f = 0; f < upright.face_count(); ++f)
        faces.emplace_back(upright.face(f).begin(), upright.face(f).end());
    return built(positions, faces);
}

// The axis pierces both, so that wherever the screen is cut something crosses the cut.
TEST(PixelsDoppeling, DrumThatScrewsOntoAPlateLandsWithAllOfItsVertices) {
    const Polyhedron plate = box({-3, -1, -3}, {3.5, 0, 3});
    const Polyhedron wheel = drum(24, 1.5, 1.0);
    for (const double angle : {0.4, 1.0, 2.5, 3.1}) {
        PairStep step;
        step.b.start.translation = {0.0, 0.5, 0.0};
        step.b.end = {rotation_about({0.0, 1.0, 0.0}, angle), {0.0, -0.5, 0.0}};
        PixelSearch search;
        const auto result = search.collisions(plate, wheel, step);
        ASSERT_TRUE(result.has_value());
        EXPECT_TRUE(result->statistics.doppeled);
        std::set<std::uint32_t> landed;
        for (const Contact& c : result->collisions) {
            EXPECT_EQ(c.type, ContactType::FaceVertex);
            EXPECT_NEAR(c.time, 0.5, 1e-9);
            landed.insert(c.b);
        }
        EXPECT_EQ(landed.size(), 24U) << "turn by " << angle;
        // And with the roles exchanged.
        std::set<std::uint32_t> met;
        for (const Contact& c : found_by_pixels(wheel, plate, {step.b, step.a})) {
            EXPECT_EQ(c.type, ContactType::VertexFace);
            EXPECT_NEAR(c.time, 0.5, 1e-9);
            met.insert(c.a);
        }
        EXPECT_EQ(met.size(), 24U) << "turn by " << angle;
    }
}

// Discs about the y axis with a peg each: the upper one turns until its peg hits the lower one's.
TEST(PixelsDoppeling, PegsMeetWhereverTheScreenIsCut) {
    const auto with_peg = [](const Polyhedron& disc, const Vec3& low, const Vec3& high,
                             double angle) {
        const Polyhedron peg = box(low, high);
        std::vector<Vec3> positions(disc.positions().begin(), disc.positions().end());
        const Quaternion turn = rotation_about({0.0, 1.0, 0.0}, angle);
        for (const Vec3& p : peg.positions())
            positions.push_back(rotate(turn, p));
        std::vector<std::vector<std::uint32_t>> faces;
        for (std::size_t f = 0; f < disc.face_count(); ++f)
            faces.emplace_back(disc.face(f).begin(), disc.face(f).end());
        const auto offset = static_cast<std::uint32_t>(disc.positions().size());
        for (std::size_t f = 0; f < peg.face_count(); ++f) {
            faces.emplace_back();
            for (const std::uint32_t v : peg.face(f))
                faces.back().push_back(v + offset);
        }
        return built(positions, faces);
    };
    const Polyhedron disc = drum(12, 1.0, 0.25);
    for (int i = 0; i < 24; ++i) {
        const double at = 2.0 * kPi * i / 24.0;
        // The lower peg's side is in the half plane of its angle; the upper one leads up to it.
        const Polyhedron lower = with_peg(disc, {1.25, 0.5, -0.5}, {2.5, 1.5, 0.0}, at);
        const Polyhedron upper = with_peg(disc, {1.5, -1.0, 0.0}, {2.0, -0.5, 0.25}, at - 0.3);
        PairStep step;
        step.b.start.translation = {0.0, 2.0, 0.0};
        step.b.end = {rotation_about({0.0, 1.0, 0.0}, 0.5), {0.0, 2.0, 0.0}};
        const auto hits = found_by_pixels(lower, upper, step);
        RasterSearch chords;
        const auto expected = chords.collisions(lower, upper, step);
        ASSERT_TRUE(expected.has_value());
        ASSERT_FALSE(expected->collisions.empty());
        ASSERT_FALSE(hits.empty()) << "peg at " << at;
        EXPECT_NEAR(hits[0].time, expected->collisions[0].time, 0.02) << "peg at " << at;
        EXPECT_NEAR(hits[0].time, 0.6, 0.02) << "peg at " << at;
    }
}

// --- Random motions ------------------------------------------------------------------------------

// How far the two features of a collision are from each other at its time, in rationals.
double gap_of(const Polyhedron& a, const Polyhedron& b, const PairStep& step, const Contact& c) {
    using slide::test::exact;
    const ScrewMotion screw = relative_screw(step);
    const Pose start = relative_start(step);
    const auto of_b = [&](std::uint32_t v) {
        return exact(screw.position(apply(start, b.positions()[v]), c.time));
    };
    const auto of_a = [&](std::uint32_t v) { return exact(a.positions()[v]); };
    if (c.type == ContactType::EdgeEdge) {
        const PolyhedronEdge& e = a.edges()[c.a];
        const PolyhedronEdge& d = b.edges()[c.b];
        return std::sqrt(
            slide::test::segment_segment_sq(of_a(e.from), of_a(e.to), of_b(d.from), of_b(d.to))
                .get_d());
    }
    const bool face_of_a = c.type == ContactType::FaceVertex;
    const Polyhedron& shape = face_of_a ? a : b;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < shape.triangles().size(); ++i) {
        if (shape.face_of_triangle(i) != (face_of_a ? c.a : c.b)) continue;
        const auto& t = shape.triangles()[i];
        const slide::test::ExactTriangle triangle =
            face_of_a ? slide::test::ExactTriangle{of_a(t[0]), of_a(t[1]), of_a(t[2])}
                      : slide::test::ExactTriangle{of_b(t[0]), of_b(t[1]), of_b(t[2])};
        const auto point = face_of_a ? of_b(c.b) : of_a(c.a);
        least = std::min(least, std::sqrt(slide::test::point_triangle_sq(point, triangle).get_d()));
    }
    return least;
}

double least_edge(const Shapes& bodies) {
    double least = std::numeric_limits<double>::infinity();
    for (const Polyhedron* shape : {&bodies.a, &bodies.b}) {
        for (const PolyhedronEdge& e : shape->edges())
            least = std::min(least, norm(shape->positions()[e.to] - shape->positions()[e.from]));
    }
    return least;
}

bool is_near(const Contact& c, const std::vector<Contact>& all, double time, double length) {
    return std::any_of(all.begin(), all.end(), [&](const Contact& d) {
        return std::fabs(c.time - d.time) <= time && norm(c.point - d.point) <= length;
    });
}

// What is found in motions number 0, 1, ... of a seed: even ones just miss, odd ones collide.
struct Tally {
    int motions = 0;
    int first_impacts = 0;    // proved
    int first_found = 0;      // a collision within a sixth of an edge of it, in time
    int reported = 0;         // by pixels
    int near_chords = 0;      // with a collision or a near miss by chords within six pixels
    double widest_gap = 0.0;  // [pixels] between the features of a collision
};

Tally tally_of(const char* name, int count, double pixels_per_edge) {
    const Shapes bodies = shapes(name);
    reference::Pair pair(bodies.a, bodies.b);
    const RigidBody a(bodies.a);
    const RigidBody b(bodies.b);
    PixelSearch by_pixels;
    RasterSearch by_chords;
    PixelOptions options;
    options.pixel = least_edge(bodies) / pixels_per_edge;
    RasterOptions around;
    around.pixel = 3.0 * options.pixel;
    around.robust = true;
    around.min_properness = -1.0;
    Tally tally;
    for (int i = 0; i < count; ++i) {
        const PairStep step = random_motion(pair, bodies, 5, static_cast<std::uint64_t>(i)).step;
        const auto pixels = by_pixels.collisions(bodies.a, bodies.b, step, options);
        const auto chords = by_chords.collisions(bodies.a, bodies.b, step, around);
        if (!pixels || !chords) {
            ADD_FAILURE() << (pixels ? chords.error() : pixels.error()).message;
            continue;
        }
        ++tally.motions;
        const double crossing = pixels->statistics.time_resolution;
        const ImpactResult first = first_impact(a, b, step);
        if (first.verdict == Verdict::Contact && first.toi_lower > 0.0) {
            ++tally.first_impacts;
            const double wide = crossing * pixels_per_edge / 6.0;
            const auto near = [&](const Contact& c) {
                return std::fabs(c.time - first.toi_lower) <= wide;
            };
            tally.first_found +=
                std::any_of(pixels->collisions.begin(), pixels->collisions.end(), near) ? 1 : 0;
        }
        for (const Contact& c : pixels->collisions) {
            ++tally.reported;
            tally.near_chords +=
                is_near(c, chords->collisions, 6.0 * crossing, 6.0 * options.pixel) ? 1 : 0;
            const double gap = gap_of(bodies.a, bodies.b, step, c) / options.pixel;
            tally.widest_gap = std::max(tally.widest_gap, gap);
        }
    }
    return tally;
}

// Half of the collisions, and all of the misses, are by up to a sixteenth of the bodies' size only.
void expect_close(const Tally& tally) {
    EXPECT_GT(tally.first_impacts, tally.motions / 4);
    EXPECT_GE(tally.first_found, 0.85 * tally.first_impacts);
    EXPECT_GE(tally.near_chords, 0.75 * tally.reported);
    EXPECT_LE(tally.widest_gap, 3.0);
}

// Measured: 29 of 30 first impacts for both, gaps of 1.5 pixels.
TEST(PixelsRandom, WhatIsReportedIsWithinPixelsOfAContactAndFirstImpactsAreRarelyLost) {
    expect_close(tally_of("cube", 60, 96.0));
    expect_close(tally_of("car", 40, 96.0));
}

TEST(PixelsRandomAttack, TheSameForManyMotionsAndNonConvexBodies) {
    for (const char* name : {"cube", "car", "mixed"})
        expect_close(tally_of(name, 300, 48.0));
    expect_close(tally_of("torus", 40, 48.0));
}

// --- The same bits, scale, limits, bad input -----------------------------------------------------

bool same_bits(const std::vector<Contact>& x, const std::vector<Contact>& y) {
    return std::equal(
        x.begin(), x.end(), y.begin(), y.end(), [](const Contact& c, const Contact& d) {
            return c.type == d.type && c.a == d.a && c.b == d.b && c.time == d.time &&
                   c.point == d.point && c.normal == d.normal && c.properness == d.properness;
        });
}

TEST(Pixels, TheSameInputGivesTheSameBitsWhateverWasSearchedBefore) {
    const Shapes bodies = shapes("car");
    const Shapes others = shapes("cube");
    reference::Pair pair(bodies.a, bodies.b);
    reference::Pair other_pair(others.a, others.b);
    PixelSearch reused;
    std::size_t compared = 0;
    for (std::uint64_t i = 1; i < 12; i += 2) {
        const PairStep step = random_motion(pair, bodies, 7, i).step;
        const PairStep other = random_motion(other_pair, others, 7, i).step;
        const auto fresh = found_by_pixels(bodies.a, bodies.b, step);
        ASSERT_TRUE(reused.collisions(others.a, others.b, other).has_value());
        const auto again = reused.collisions(bodies.a, bodies.b, step);
        ASSERT_TRUE(again.has_value());
        EXPECT_TRUE(same_bits(fresh, again->collisions));
        compared += fresh.size();
    }
    EXPECT_GT(compared, 4U);
}

TEST(Pixels, AllLengthsDoubledGivesTheSameTimes) {
    const io::PolygonMesh mesh = generate::car();
    for (const double scale : {0x1p-40, 0x1p+40}) {
        const Polyhedron small = body_of(mesh);
        const Polyhedron large = body_of(test::moved(mesh, scale));
        PairStep step = shift_of_b({6.0, 0.2, 0.5}, {1.0, 0.3, 0.1});
        step.b.end.rotation = rotation_about({0.3, 1.0, 0.2}, 0.5);
        PairStep scaled = step;
        for (Pose* p : {&scaled.b.start, &scaled.b.end})
            p->translation = scale * p->translation;
        const auto here = found_by_pixels(small, small, step);
        const auto there = found_by_pixels(large, large, scaled);
        ASSERT_FALSE(here.empty());
        ASSERT_EQ(here.size(), there.size());
        for (std::size_t i = 0; i < here.size(); ++i) {
            EXPECT_EQ(here[i].type, there[i].type);
            EXPECT_EQ(here[i].a, there[i].a);
            EXPECT_EQ(here[i].b, there[i].b);
            EXPECT_NEAR(here[i].time, there[i].time, 1e-9);
        }
    }
}

TEST(Pixels, OptionsThatMakeNoSenseAreNamed) {
    const Polyhedron cube = body_of(generate::cube());
    const PairStep step = shift_of_b({2, 0, 0}, {0, 0, 0});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {nan, -1.0, std::numeric_limits<double>::infinity()}) {
        PixelOptions options;
        options.pixel = bad;
        EXPECT_TRUE(contains(error_of(cube, cube, step, options), "pixel must be"));
        options.pixel = 0.0;
        options.time_resolution = bad;
        EXPECT_TRUE(contains(error_of(cube, cube, step, options), "time_resolution"));
    }
    PixelOptions options;
    options.min_properness = nan;
    EXPECT_TRUE(contains(error_of(cube, cube, step, options), "min_properness"));
    PairStep broken = step;
    broken.b.end.translation.y = nan;
    EXPECT_FALSE(error_of(cube, cube, broken, {}).empty());
    broken = step;
    broken.a.start.rotation = {0.0, 0.0, 0.0, 0.0};
    EXPECT_FALSE(error_of(cube, cube, broken, {}).empty());
}

TEST(Pixels, TooManyPixelsOrPairsAreAnErrorThatNamesTheOption) {
    const Polyhedron torus = body_of(generate::torus());
    PairStep step = shift_of_b({2.5, 0.1, 0.2}, {0.3, 0.0, 0.1});
    step.b.end.rotation = rotation_about({0.0, 1.0, 0.3}, 0.4);
    PixelOptions options;
    options.pixel = 1e-5;
    options.max_pixels = 100'000;
    const std::string pixels = error_of(torus, torus, step, options);
    EXPECT_TRUE(contains(pixels, "option pixel")) << pixels;
    EXPECT_TRUE(contains(pixels, "max_pixels")) << pixels;
    options = {};
    options.max_pairs = 10;
    EXPECT_TRUE(contains(error_of(torus, torus, step, options), "max_pairs"));
    options = {};
    options.pixel = 1e-9;
    EXPECT_TRUE(contains(error_of(torus, torus, step, options), "option pixel"));
    options.pixel = 1e-30;
    EXPECT_FALSE(error_of(torus, torus, step, options).empty());
    options.pixel = 1e+30;
    EXPECT_EQ(error_of(torus, torus, step, options), "");
}

TEST(Pixels, StopEndsTheSearchWithAnErrorAtWhateverMoment) {
    const Polyhedron torus = body_of(generate::torus());
    PairStep step = shift_of_b({2.5, 0.1, 0.2}, {0.3, 0.0, 0.1});
    step.b.end.rotation = rotation_about({0.0, 1.0, 0.3}, 0.4);
    struct Countdown {
        std::atomic<int> left;
    };
    for (const int asked : {0, 1, 3, 8, 20}) {
        Countdown countdown{asked};
        PixelOptions options;
        options.stop = StopToken(
            [](const void* context) noexcept {
                auto* c = const_cast<Countdown*>(static_cast<const Countdown*>(context));
                return c->left.fetch_sub(1) <= 0;
            },
            &countdown);
        PixelSearch search;
        const auto result = search.collisions(torus, torus, step, options);
        if (countdown.left > 0) continue;
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().message, "cancelled");
    }
}

TEST(Pixels, BodiesAtRestOrFarFromEachOtherMeetNothing) {
    const Polyhedron cube = body_of(generate::cube());
    EXPECT_TRUE(found_by_pixels(cube, cube, shift_of_b({3, 0, 0}, {3, 0, 0})).empty());
    EXPECT_TRUE(found_by_pixels(cube, cube, shift_of_b({3, 0, 0}, {3, 5, 0})).empty());
    PairStep spin = shift_of_b({3, 0, 0}, {3, 0, 0});
    spin.b.end.rotation = rotation_about({0, 0, 1}, 1.0);
    EXPECT_TRUE(found_by_pixels(cube, cube, spin).empty());
}

// --- Properness of edges -------------------------------------------------------------------------

// The definition of section 5: the least sine of the angle between the surfaces, over all
// directions beside the normal, for two roofs whose faces fall by these angles.
struct Roofs {
    EdgeWedge a;
    EdgeWedge b;
    double by_definition = 1.0;
};
Roofs two_roofs(double crossing, const std::array<double, 4>& falls) {
    Roofs roofs;
    const Vec3 n = {0.0, 0.0, 1.0};
    roofs.a.along = {1.0, 0.0, 0.0};
    roofs.b.along = {std::cos(crossing), std::sin(crossing), 0.0};
    const auto tilted = [&](const Vec3& away, double fall, double up) {
        return std::sin(fall) * away + up * std::cos(fall) * n;
    };
    // Left of A's edge, as seen from above, is n x e; B is seen from below.
    const Vec3 beside_a = cross(n, roofs.a.along);
    const Vec3 beside_b = cross(n, roofs.b.along);
    roofs.a.left = tilted(beside_a, falls[0], 1.0);
    roofs.a.right = tilted(-beside_a, falls[1], 1.0);
    roofs.b.left = tilted(-beside_b, falls[2], -1.0);
    roofs.b.right = tilted(beside_b, falls[3], -1.0);
    for (int i = 0; i < 7200; ++i) {
        const double direction = 2.0 * kPi * i / 7200.0;
        const Vec3 u = {std::cos(direction), std::sin(direction), 0.0};
        const double beside = dot(u, beside_a);
        const double across = dot(u, beside_b);
        const double down = std::atan(std::fabs(beside) * std::tan(falls[beside > 0.0 ? 0 : 1]));
        const double up = std::atan(std::fabs(across) * std::tan(falls[across > 0.0 ? 3 : 2]));
        roofs.by_definition = std::min(roofs.by_definition, std::sin(down + up));
    }
    return roofs;
}

TEST(PixelsProperness, Equation6AndEquation7EncloseTheDefinitionForProperContacts) {
    test::RandomPoses random(3);
    for (int i = 0; i < 200; ++i) {
        std::array<double, 4> falls{};
        for (double& fall : falls)
            fall = random.uniform(0.01, 0.75);
        const bool square = i % 4 == 0;
        const Roofs roofs = two_roofs(square ? 0.5 * kPi : random.uniform(0.05, kPi - 0.05), falls);
        const auto six = properness_by_equation_6(roofs.a, roofs.b);
        const auto seven = properness_by_equation_7(roofs.a, roofs.b);
        ASSERT_TRUE(six && seven);
        EXPECT_NEAR(seven->normal.z, 1.0, 1e-9);
        EXPECT_GT(six->value, 0.0);
        EXPECT_LE(six->value, roofs.by_definition + 1e-3);
        EXPECT_GE(seven->value, roofs.by_definition - 1e-3);
        if (!square) continue;
        EXPECT_NEAR(six->value, roofs.by_definition, 1e-3);
        EXPECT_NEAR(seven->value, roofs.by_definition, 1e-3);
    }
}

TEST(PixelsProperness, ImproperContactsAreNegativeAndParallelEdgesHaveNone) {
    // B's faces fall towards A: the wedge is cut by the other one.
    const Roofs roofs = two_roofs(1.0, {0.3, 0.4, -0.2, 0.5});
    EXPECT_LT(roofs.by_definition, 0.0);
    const auto six = properness_by_equation_6(roofs.a, roofs.b);
    const auto seven = properness_by_equation_7(roofs.a, roofs.b);
    ASSERT_TRUE(six && seven);
    EXPECT_LT(six->value, 0.0);
    EXPECT_LT(seven->value, 0.0);
    const Roofs parallel = two_roofs(0.0, {0.3, 0.4, 0.2, 0.5});
    EXPECT_FALSE(properness_by_equation_6(parallel.a, parallel.b));
    EXPECT_FALSE(properness_by_equation_7(parallel.a, parallel.b));
}

// --- Single steps --------------------------------------------------------------------------------

pixels::SubEdge straight_edge(double r0, double h0, double r1, double h1) {
    pixels::SubEdge edge;
    edge.start = {r0, h0, 0.0, 0.0};
    edge.end = {r1, h1, 1.0, 0.0};
    edge.edge = 0;
    edge.from_vertex = true;
    edge.to_vertex = true;
    return edge;
}

std::vector<pixels::PixelRecord> drawn_by_pen(const pixels::SubEdge& edge, bool overlap_rows,
                                              const pixels::RowRange& rows = {-100, 100}) {
    const raster::Flow straight;
    std::vector<pixels::PixelRecord> records;
    pixels::PixelPen pen(straight, {1.0, 0.1, rows, 1000, overlap_rows}, records);
    pen.draw(edge);
    return records;
}

TEST(PixelsPen, EachRowOfAnEdgeIsOneRecordAndRowsFollowEachOther) {
    test::RandomPoses random(4);
    for (int i = 0; i < 300; ++i) {
        const auto edge = straight_edge(random.uniform(-20, 20), random.uniform(-20, 20),
                                        random.uniform(-20, 20), random.uniform(-20, 20));
        const auto records = drawn_by_pen(edge, false);
        ASSERT_FALSE(records.empty());
        EXPECT_EQ(records.front().h_first, static_cast<int>(std::floor(edge.start.h)));
        EXPECT_EQ(records.back().h_last, static_cast<int>(std::floor(edge.end.h)));
        EXPECT_EQ(records.front().row, static_cast<int>(std::floor(edge.start.r)));
        EXPECT_EQ(records.back().row, static_cast<int>(std::floor(edge.end.r)));
        EXPECT_TRUE(records.front().from_vertex && records.back().to_vertex);
        for (std::size_t k = 1; k < records.size(); ++k) {
            EXPECT_EQ(std::abs(records[k].row - records[k - 1].row), 1);
            EXPECT_LE(std::abs(records[k].h_first - records[k - 1].h_last), 1);
            EXPECT_EQ(records[k - 1].to_above, records[k].row > records[k - 1].row);
            EXPECT_EQ(records[k].from_above, records[k].row < records[k - 1].row);
        }
    }
}

bool share_a_pixel(const std::vector<pixels::PixelRecord>& x,
                   const std::vector<pixels::PixelRecord>& y) {
    for (const auto& a : x) {
        for (const auto& b : y)
            if (a.row == b.row && a.h_min <= b.h_max && b.h_min <= a.h_max) return true;
    }
    return false;
}

TEST(PixelsPen, EdgesThatCrossByPixelsShareOne) {
    test::RandomPoses random(5);
    int apart_without_overlap = 0;
    for (int i = 0; i < 2000; ++i) {
        // Diagonals of a square of pixels about a common centre, so that the chains cross.
        const int reach = random.integer(1, 12);
        const double r = random.integer(-20, 20) + 0.5;
        const double h = random.integer(-20, 20) + 0.5;
        const int odd = random.integer(0, 1);
        const auto one = straight_edge(r - reach, h - reach, r + reach + odd, h + reach + odd);
        const auto two = straight_edge(r - reach, h + reach + odd, r + reach + odd, h - reach);
        EXPECT_TRUE(share_a_pixel(drawn_by_pen(one, true), drawn_by_pen(two, false)));
        apart_without_overlap +=
            share_a_pixel(drawn_by_pen(one, false), drawn_by_pen(two, false)) ? 0 : 1;
    }
    // Bresenham's lines alone pass between each other's pixels.
    EXPECT_GT(apart_without_overlap, 100);
}

TEST(PixelsPen, RowsThatAreNotKeptLeaveTheOthersAsTheyAre) {
    test::RandomPoses random(6);
    for (int i = 0; i < 300; ++i) {
        const auto edge = straight_edge(random.uniform(-20, 20), random.uniform(-20, 20),
                                        random.uniform(-20, 20), random.uniform(-20, 20));
        std::vector<pixels::PixelRecord> expected;
        for (const auto& r : drawn_by_pen(edge, true))
            if (r.row >= -5 && r.row <= 3) expected.push_back(r);
        const auto records = drawn_by_pen(edge, true, {-5, 3});
        ASSERT_EQ(records.size(), expected.size());
        for (std::size_t k = 0; k < records.size(); ++k) {
            EXPECT_EQ(records[k].row, expected[k].row);
            EXPECT_EQ(records[k].h_min, expected[k].h_min);
            EXPECT_EQ(records[k].h_max, expected[k].h_max);
            EXPECT_EQ(records[k].from_above, expected[k].from_above);
            EXPECT_EQ(records[k].to_above, expected[k].to_above);
            EXPECT_EQ(records[k].from_vertex, expected[k].from_vertex);
            EXPECT_EQ(records[k].to_vertex, expected[k].to_vertex);
        }
    }
}

TEST(PixelsTable, KeepsTheEarliestMeetingOfEachPairAlsoAfterItHasGrown) {
    pixels::PairTable table;
    for (int round = 0; round < 3; ++round) {
        table.clear();
        for (std::uint32_t i = 0; i < 1000; ++i) {
            EXPECT_TRUE(table.add(i % 31, i, {0.5, 0.0, 1, 2}));
            EXPECT_FALSE(table.add(i % 31, i, {0.25 + 0.5 * (i % 2), 0.0, 3, 4}));
        }
        ASSERT_EQ(table.entries().size(), 1000U);
        for (std::uint32_t i = 0; i < 1000; ++i) {
            EXPECT_EQ(table.entries()[i].b, i);
            EXPECT_EQ(table.entries()[i].meeting.time, i % 2 == 0 ? 0.25 : 0.5);
        }
    }
}

TEST(PixelsNewton, FindsTheTimeInThePlaneFromAnyGuessWithinTheStep) {
    raster::Flow flow;
    flow.turns = true;
    flow.theta = 1.2;
    flow.g = 0.7;
    test::RandomPoses random(8);
    int found = 0;
    for (int i = 0; i < 500; ++i) {
        const Vec3 x = random.vector();
        const double time = random.uniform(0.0, 1.0);
        const Vec3 on_plane = flow.moved(x, flow.turn(time));
        Vec3 normal = random.vector();
        normal = (1.0 / norm(normal)) * normal;
        const double rate = dot(normal, flow.velocity(on_plane));
        if (rate > -0.3 * norm(flow.velocity(on_plane))) continue;
        const auto at = pixels::time_in_plane(flow, x, normal, on_plane,
                                              time + random.uniform(-0.1, 0.1), -1.0);
        ASSERT_TRUE(at.has_value());
        EXPECT_NEAR(*at, time, 1e-9);
        ++found;
    }
    EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace graze::rigid::pixel_tests
