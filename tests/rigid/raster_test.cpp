// Defends G-RIGID-2, G-RIGID-9 (docs/GUARANTEES.md).
#include "graze/rigid/raster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>

#include "graze/generate/models.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/verify/rigid_random_motions.hpp"
#include "rigid/bodies.hpp"

namespace graze::rigid {
namespace {

using test::box;
using test::built;
using test::prism;
using test::shift_of_b;

constexpr double kPi = 3.14159265358979323846;

Polyhedron built(const io::PolygonMesh& mesh) {
    return std::move(*Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners()));
}

std::vector<Contact> found(const Polyhedron& a, const Polyhedron& b, const PairStep& step,
                           const RasterOptions& options = {}) {
    RasterSearch search;
    auto result = search.collisions(a, b, step, options);
    EXPECT_TRUE(result.has_value());
    return result ? result->collisions : std::vector<Contact>{};
}

RasterOptions all_of_them() {
    RasterOptions options;
    options.min_properness = -1.0;
    return options;
}

// --- Figure 2 ------------------------------------------------------------------------------------

const std::vector<std::pair<double, double>> kTarget = {{-2, -2}, {0, -2}, {0, 2}, {-2, 2}};

TEST(RasterFigure2, RectangleThatComesFlatHitsWithBothLeftVerticesAtOnce) {
    const Polyhedron a = prism(kTarget, 2.0);
    const Polyhedron b = prism({{0, -1}, {2, -1}, {2, 1}, {0, 1}}, 1.0);
    const auto hits = found(a, b, shift_of_b({1.0, 0.1, 0.05}, {-1.0, 0.1, 0.05}));
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

TEST(RasterFigure2, TiltedRectangleHitsTwiceOnceProperAndOnceSlightlyImproper) {
    const Polyhedron a = prism(kTarget, 2.0);
    const double tilt = 0.05;
    const double c = std::cos(tilt);
    const double s = std::sin(tilt);
    // Turned so that the lower left corner leads.
    const auto turned = [&](double x, double y) {
        return std::pair{c * x + s * y, -s * x + c * y};
    };
    const Polyhedron b = prism({turned(0, -1), turned(2, -1), turned(2, 1), turned(0, 1)}, 1.0);
    const auto hits = found(a, b, shift_of_b({1.0, 0.1, 0.0}, {-1.0, 0.1, 0.0}));
    std::vector<Contact> vertices;
    for (const Contact& h : hits)
        if (h.type == ContactType::FaceVertex && h.a == 1) vertices.push_back(h);
    ASSERT_EQ(vertices.size(), 4U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_GE(vertices[i].properness, -1e-12);
        EXPECT_NEAR(vertices[i].time, 0.5 * (1.0 - s), 1e-9);
    }
    for (std::size_t i = 2; i < 4; ++i) {
        EXPECT_NEAR(vertices[i].properness, -s, 1e-9);
        EXPECT_NEAR(vertices[i].time, 0.5 * (1.0 + s), 1e-9);
    }
}

TEST(RasterFigure2, NotchedPolygonHasTwoProperHitsAtDifferentTimes) {
    const Polyhedron a = prism(kTarget, 2.0);
    const Polyhedron b = prism({{0, -1}, {2, -1}, {2, 1}, {0.1, 1}, {0.6, 0}}, 1.0);
    const auto hits = found(a, b, shift_of_b({1.0, 0.1, 0.0}, {-0.3, 0.1, 0.0}));
    ASSERT_EQ(hits.size(), 4U);
    for (const Contact& h : hits) {
        EXPECT_EQ(h.type, ContactType::FaceVertex);
        EXPECT_GE(h.properness, 0.0);
    }
    EXPECT_NEAR(hits[0].time, 1.0 / 1.3, 1e-9);
    EXPECT_NEAR(hits[3].time, 1.1 / 1.3, 1e-9);
}

// --- Culling of large bodies (RR-8) ---------------------------------------------------------------

auto all_but_position(const Contact& c) {
    return std::tuple(c.type, c.a, c.b, c.time, c.normal.x, c.normal.y, c.normal.z, c.properness);
}

// Culled and not, bit by bit, save for positions: of touches of the same features at the same time
// any one is reported, and in the robust mode they are up to two pixels from each other. Returns
// how many candidates culling left out.
std::size_t expect_same_when_culled(const Polyhedron& a, const Polyhedron& b, const PairStep& step,
                                    RasterOptions options) {
    RasterSearch search;
    options.cull = true;
    const auto culled = search.collisions(a, b, step, options);
    options.cull = false;
    const auto all = search.collisions(a, b, step, options);
    EXPECT_TRUE(culled && all);
    if (!culled || !all) return 0;
    EXPECT_EQ(culled->collisions.size(), all->collisions.size());
    const std::size_t count = std::min(culled->collisions.size(), all->collisions.size());
    const double off = options.robust ? 2.0 * options.pixel : 1e-12;
    for (std::size_t i = 0; i < count; ++i) {
        const Contact& x = culled->collisions[i];
        const Contact& y = all->collisions[i];
        EXPECT_EQ(all_but_position(x), all_but_position(y)) << i;
        EXPECT_LE(norm(x.point - y.point), off) << i;
    }
    // Near the axis how often two edges are compared depends on the order.
    const std::size_t few = culled->statistics.candidates;
    const std::size_t many = all->statistics.candidates;
    return many > few ? many - few : 0;
}

RasterOptions coarse(const Polyhedron& shape, double min_properness, bool robust) {
    RasterOptions options;
    options.pixel = 0.2 * norm(shape.positions()[shape.edges()[0].to] -
                               shape.positions()[shape.edges()[0].from]);
    options.min_properness = min_properness;
    options.robust = robust;
    return options;
}

// B comes from the side, rotates by `angle` on its path, and goes into A.
PairStep random_approach(test::RandomPoses& random, double size, double angle) {
    const Vec3 v = random.vector();
    const Vec3 path = (1.0 / norm(v)) * v;
    const Vec3 aside = 0.3 * size * random.vector();
    const Vec3 axis = random.vector();
    const Pose start = random.pose();
    PairStep step;
    step.a = BodyStep::rest(random.pose());
    const Quaternion q = rotation_about(axis, angle);
    step.b.start = {start.rotation, step.a.start.translation + 2.2 * size * path + aside};
    step.b.end = {normalised(compose({q, {}}, {start.rotation, {}}).rotation),
                  step.a.start.translation + aside - 0.4 * size * path};
    return step;
}

void attack_culling(unsigned seed, int motions) {
    const Polyhedron torus = built(generate::torus_of(20'000));
    const Polyhedron sphere = built(generate::sphere(5));
    const Polyhedron comb = built(generate::comb(700));
    test::RandomPoses random(seed);
    std::size_t left_out = 0;
    for (int i = 0; i < motions; ++i) {
        const double least = std::array{-0.1, 0.0, -0.5, -1.0}[static_cast<std::size_t>(i % 4)];
        const bool robust = i % 5 == 4;
        const double angle = i % 3 == 0 ? 0.0 : random.uniform(0.05, 1.5);
        const auto run = [&](const Polyhedron& a, const Polyhedron& b) {
            left_out += expect_same_when_culled(a, b, random_approach(random, a.radius(), angle),
                                                coarse(a, least, robust));
        };
        if (i % 3 == 0) run(torus, torus);
        if (i % 3 == 1) run(torus, sphere);
        if (i % 3 == 2) run(sphere, i % 2 == 0 ? comb : sphere);
    }
    EXPECT_GT(left_out, 0U);
}

TEST(RasterCulling, LosesAndChangesNoCollisionOfLargeBodies) {
    attack_culling(1, 6);
}

TEST(RasterCullingAttack, LosesAndChangesNoCollisionOfLargeBodies) {
    attack_culling(2, 100);
}

// The axis runs through both, so that faces are drawn in copies.
TEST(RasterCulling, LosesNoCollisionOfBodiesAroundTheAxis) {
    const Polyhedron torus = built(generate::torus_of(3'000));
    for (const double lift : {0.3, 0.7}) {
        PairStep step;
        step.b.start = {rotation_about({1.0, 0.3, 0.0}, 0.4), {0.1, lift + 0.9, 0.2}};
        step.b.end = {compose({rotation_about({0.1, 1.0, 0.0}, 2.0), {}}, step.b.start).rotation,
                      {0.1, lift - 0.4, 0.2}};
        expect_same_when_culled(torus, torus, step, coarse(torus, -0.1, false));
    }
}

TEST(RasterCulling, LeavesMostOfTwoSmoothBodiesUndrawn) {
    const Polyhedron torus = built(generate::torus_of(10'000));
    PairStep step;
    step.b.start = {rotation_about({1.0, 0.3, 0.0}, 0.4), {3.2, 0.1, 0.2}};
    step.b.end = {rotation_about({1.0, 0.3, 0.2}, 0.8), {-0.4, 0.1, 0.2}};
    RasterSearch search;
    RasterOptions options = coarse(torus, -0.1, false);
    const auto culled = search.collisions(torus, torus, step, options);
    options.cull = false;
    const auto all = search.collisions(torus, torus, step, options);
    ASSERT_TRUE(culled && all);
    EXPECT_FALSE(all->collisions.empty());
    EXPECT_LT(2 * culled->statistics.pairs, all->statistics.pairs);
    EXPECT_LT(3 * culled->statistics.pixels_a, all->statistics.pixels_a);
}

// --- Single contacts with known times
// --------------------------------------------------------------

TEST(Raster, CrossingEdgesOfTwoRoofsMeetWhereAndWhenTheyShould) {
    // Ridges across each other: along x on top of A, along z below B.
    const Polyhedron a = prism({{-1, -1}, {1, -1}, {0, 0}}, 2.0);
    const Polyhedron other = prism({{1, 1}, {-1, 1}, {0, 0}}, 2.0);
    PairStep step;
    const Quaternion quarter = rotation_about({0.0, 1.0, 0.0}, 0.5 * kPi);
    step.b.start = {quarter, {0.3, 0.75, 0.2}};
    step.b.end = {quarter, {0.3, -0.25, 0.2}};
    const auto hits = found(a, other, step);
    ASSERT_EQ(hits.size(), 1U);
    EXPECT_EQ(hits[0].type, ContactType::EdgeEdge);
    EXPECT_NEAR(hits[0].time, 0.75, 1e-9);
    EXPECT_NEAR(hits[0].point.x, 0.0, 1e-9);
    EXPECT_NEAR(hits[0].point.y, 0.0, 1e-9);
    EXPECT_NEAR(hits[0].point.z, 0.2, 1e-9);
    EXPECT_NEAR(hits[0].normal.y, 1.0, 1e-12);
    // Perpendicular edges of slopes of 45 degrees.
    EXPECT_NEAR(hits[0].properness, std::sqrt(0.5), 1e-12);
}

TEST(Raster, TipThatSwingsOntoAFaceMeetsItAtTheAngle) {
    // B's tip is at distance 2 from the z axis, at the angle pi/2 to begin with; A's face is the
    // plane y = 1, met at sin(phi) = 1/2.
    const Polyhedron a = box({1.0, 0.0, -1.0}, {3.0, 1.0, 1.0});
    const Polyhedron b = built({{0, 2, 0}, {-0.5, 2.5, -0.4}, {-0.5, 2.5, 0.4}, {-0.6, 2.0, 0.0}},
                               {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
    PairStep step;
    step.b.end.rotation = rotation_about({0.0, 0.0, 1.0}, -0.4 * kPi);
    const auto hits = found(a, b, step, all_of_them());
    const double expected = (kPi / 2 - kPi / 6) / (0.4 * kPi);
    const auto hit = std::find_if(hits.begin(), hits.end(), [](const Contact& c) {
        return c.type == ContactType::FaceVertex && c.b == 0;
    });
    ASSERT_NE(hit, hits.end());
    EXPECT_NEAR(hit->time, expected, 1e-9);
    EXPECT_NEAR(hit->point.x, 2.0 * std::cos(kPi / 6), 1e-9);
    EXPECT_NEAR(hit->point.y, 1.0, 1e-9);
    EXPECT_NEAR(hit->normal.y, 1.0, 1e-9);
}

TEST(Raster, TimeIsTheFullDifferenceOfScreenTimesNotHalfOfIt) {
    const Polyhedron a = box({-1, -1, -1}, {0, 1, 1});
    const Polyhedron b = box({0, -0.5, -0.5}, {1, 0.5, 0.5});
    const auto hits = found(a, b, shift_of_b({0.9, 0, 0}, {-0.1, 0, 0}));
    ASSERT_FALSE(hits.empty());
    EXPECT_NEAR(hits[0].time, 0.9, 1e-9);
    // Taken by half, this one would be reported at 0.6.
    EXPECT_TRUE(found(a, b, shift_of_b({1.2, 0, 0}, {0.2, 0, 0})).empty());
}

// --- Symmetries
// ------------------------------------------------------------------------------------

struct Key {
    ContactType type;
    std::uint32_t a;
    std::uint32_t b;
    double time;
};

bool has(const std::vector<Contact>& all, const Key& key, double tolerance) {
    return std::any_of(all.begin(), all.end(), [&](const Contact& c) {
        return c.type == key.type && c.a == key.a && c.b == key.b &&
               std::fabs(c.time - key.time) <= tolerance;
    });
}

PairStep random_step(std::mt19937_64& rng, double size, double angle) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const auto vector = [&] { return Vec3{unit(rng), unit(rng), unit(rng)}; };
    PairStep step;
    const Vec3 way = (1.0 / 1.2) * vector();
    const Vec3 axis = vector();
    const double start = 3.0 * unit(rng);
    step.a.start = {rotation_about(vector(), unit(rng)), vector()};
    step.a.end = {rotation_about(vector(), unit(rng)), vector()};
    const Pose start_of_b = {rotation_about(axis, start), 2.0 * size * way};
    const Pose end_of_b = {rotation_about(axis, start + angle * unit(rng)),
                           -0.5 * size * way + 0.3 * size * vector()};
    step.b.start = compose(step.a.start, start_of_b);
    step.b.end = compose(step.a.end, end_of_b);
    step.b.start.rotation = normalised(step.b.start.rotation);
    step.b.end.rotation = normalised(step.b.end.rotation);
    return step;
}

ContactType swapped(ContactType type) {
    return type == ContactType::VertexFace   ? ContactType::FaceVertex
           : type == ContactType::FaceVertex ? ContactType::VertexFace
                                             : ContactType::EdgeEdge;
}

// Of clear cases: away from where two readings are equally good or a threshold decides.
TEST(Raster, SwappingTheBodiesSwapsTheCollisionsAndTurnsTheNormals) {
    const Polyhedron car = built(generate::car());
    const Polyhedron cube = built(generate::cube());
    std::mt19937_64 rng(11);
    std::size_t compared = 0;
    std::size_t lost = 0;
    for (int i = 0; i < 100; ++i) {
        const PairStep step = random_step(rng, 2.0, 1.0);
        RasterOptions options;
        options.pixel = 0.05;
        const auto there = found(car, cube, step, options);
        const auto back = found(cube, car, {step.b, step.a}, options);
        for (const Contact& c : there) {
            if (c.properness < -0.09) continue;
            ++compared;
            const auto match = std::find_if(back.begin(), back.end(), [&](const Contact& d) {
                return d.type == swapped(c.type) && d.a == c.b && d.b == c.a &&
                       std::fabs(d.time - c.time) < 1e-6;
            });
            if (match == back.end()) {
                ++lost;
                continue;
            }
            EXPECT_NEAR(match->properness, c.properness, 1e-6);
            // Each normal is in the frame of its own A.
            const Contact one = to_world(c, step);
            const Contact two = to_world(*match, {step.b, step.a});
            // Positions in the world differ by the path of the frames in between; directions of
            // both in B's frame are the same only up to that, so compare in the relative frame.
            const Pose b_in_a = compose(relative_screw(step).at(c.time), relative_start(step));
            const Vec3 turned = rotate(b_in_a.rotation, match->normal);
            EXPECT_NEAR(norm(turned + c.normal), 0.0, 1e-6);
            EXPECT_TRUE(is_finite(one.point) && is_finite(two.point));
        }
    }
    EXPECT_GT(compared, 50U);
    EXPECT_EQ(lost, 0U);
}

void expect_same(const std::vector<Contact>& one, const std::vector<Contact>& two,
                 double tolerance) {
    for (const Contact& c : one) {
        if (c.properness < -0.09) continue;
        EXPECT_TRUE(has(two, {c.type, c.a, c.b, c.time}, tolerance))
            << short_name(c.type) << ' ' << c.a << ' ' << c.b << " at " << c.time;
    }
}

TEST(Raster, MovingTheWorldChangesNothing) {
    const Polyhedron car = built(generate::car());
    std::mt19937_64 rng(12);
    for (int i = 0; i < 50; ++i) {
        const PairStep step = random_step(rng, 2.5, 1.0);
        const Pose move = {rotation_about({1.0, 2.0, -0.5}, 1.0 + i), {3.0, -7.0, 1.0 * i}};
        PairStep moved = step;
        for (Pose* p : {&moved.a.start, &moved.a.end, &moved.b.start, &moved.b.end}) {
            *p = compose(move, *p);
            p->rotation = normalised(p->rotation);
        }
        RasterOptions options;
        options.pixel = 0.05;
        expect_same(found(car, car, step, options), found(car, car, moved, options), 1e-6);
    }
}

TEST(Raster, MirroringTheWorldMirrorsTheCollisions) {
    io::PolygonMesh mesh = generate::car();
    const Polyhedron car = built(mesh);
    std::vector<Vec3> positions = mesh.positions;
    for (Vec3& p : positions)
        p.x = -p.x;
    std::vector<std::vector<std::uint32_t>> faces;
    for (std::size_t f = 0; f < car.face_count(); ++f) {
        faces.emplace_back(car.face(f).rbegin(), car.face(f).rend());
    }
    const Polyhedron mirrored = built(positions, faces);
    const auto mirror = [](const Pose& p) {
        return Pose{{p.rotation.w, p.rotation.x, -p.rotation.y, -p.rotation.z},
                    {-p.translation.x, p.translation.y, p.translation.z}};
    };
    std::mt19937_64 rng(13);
    for (int i = 0; i < 50; ++i) {
        const PairStep step = random_step(rng, 2.5, 1.0);
        const PairStep other = {{mirror(step.a.start), mirror(step.a.end)},
                                {mirror(step.b.start), mirror(step.b.end)}};
        RasterOptions options;
        options.pixel = 0.05;
        // Edges are numbered by their vertices: the same numbers.
        expect_same(found(car, car, step, options), found(mirrored, mirrored, other, options),
                    1e-6);
    }
}

TEST(Raster, PropernessDoesNotDependOnWhenTheBodiesMeet) {
    const Polyhedron cube = built(generate::cube());
    std::mt19937_64 rng(14);
    for (int i = 0; i < 50; ++i) {
        PairStep step = random_step(rng, 1.0, 1.0);
        step.a = {};
        const auto whole = found(cube, cube, step);
        // B starts later on the same screw.
        const double later = 0.15;
        PairStep rest = step;
        rest.b.start = compose(relative_screw(step).at(later), step.b.start);
        rest.b.start.rotation = normalised(rest.b.start.rotation);
        RasterOptions options;
        const auto remaining = found(cube, cube, rest, options);
        for (const Contact& c : whole) {
            if (c.time < later + 0.01 || c.properness < -0.09) continue;
            const double time = (c.time - later) / (1.0 - later);
            const auto match =
                std::find_if(remaining.begin(), remaining.end(), [&](const Contact& d) {
                    return d.type == c.type && d.a == c.a && d.b == c.b &&
                           std::fabs(d.time - time) < 1e-6;
                });
            ASSERT_NE(match, remaining.end());
            EXPECT_NEAR(match->properness, c.properness, 1e-6);
        }
    }
}

TEST(Raster, TranslationIsTheLimitOfSmallTurns) {
    const Polyhedron car = built(generate::car());
    std::mt19937_64 rng(15);
    for (int i = 0; i < 30; ++i) {
        PairStep step = random_step(rng, 2.5, 1.0);
        step.a = {};
        step.b.end.rotation = step.b.start.rotation;
        const auto straight = found(car, car, step);
        for (const double angle : {1e-9, 1e-5, 1e-4}) {
            PairStep turned = step;
            turned.b.end.rotation = normalised(
                compose({rotation_about({0.3, 1.0, -0.7}, angle), {}}, step.b.start).rotation);
            const auto hits = found(car, car, turned);
            for (const Contact& c : straight) {
                if (c.properness < -0.09 || c.time > 0.99) continue;
                EXPECT_TRUE(has(hits, {c.type, c.a, c.b, c.time}, 1e-8 + 50.0 * angle)) << angle;
            }
        }
    }
}

// --- Doppeling
// -------------------------------------------------------------------------------------

// Every contact of the reference that begins one where bodies face each other has one beside it.
void expect_first_contacts(const std::string& name, double max_angle, int count, bool& doppeled) {
    const Shapes bodies = shapes(name);
    reference::Pair pair(bodies.a, bodies.b);
    RasterSearch search;
    MotionOptions motion;
    motion.max_angle = max_angle;
    for (int i = 0; i < count; ++i) {
        const RandomMotion m =
            random_motion(pair, bodies, 5, static_cast<std::uint64_t>(i), motion);
        RasterOptions options;
        options.robust = true;
        const auto result = search.collisions(bodies.a, bodies.b, m.step, options);
        ASSERT_TRUE(result.has_value());
        doppeled |= result->statistics.doppeled;
        const reference::FirstContact truth = reference::first_contact(pair);
        if (truth.answer != Verdict::Contact) continue;
        ASSERT_FALSE(result->collisions.empty()) << name << " motion " << i;
        EXPECT_LE(result->collisions[0].time,
                  truth.upper + 2.0 * result->statistics.time_resolution)
            << name << " motion " << i;
    }
}

TEST(RasterAgainstReference, RobustModeMissesNoFirstContact) {
    bool doppeled = false;
    expect_first_contacts("cube", 0.7, 60, doppeled);
    expect_first_contacts("car", 0.7, 40, doppeled);
    expect_first_contacts("mixed", 2.0, 40, doppeled);
    expect_first_contacts("cube", 3.1, 40, doppeled);
}

// Axis through the middle of a gear of four arms, which turns against a peg at any angle.
Polyhedron cross_bar() {
    return prism({{-2, -0.2}, {2, -0.2}, {2, 0.2}, {-2, 0.2}}, 0.3);
}

TEST(RasterDoppeling, BarThatTurnsAboutItsMiddleMeetsAPegAtEveryAngle) {
    const Polyhedron bar = cross_bar();
    const Polyhedron peg = prism({{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}}, 1.0);
    bool doppeled = false;
    for (const double theta : {0.6, 1.5, 3.0, kPi}) {
        for (double at = -3.1; at < 3.1; at += 0.37) {
            // The peg stands ahead of the bar's end by 0.9 of the turn.
            PairStep step;
            step.a.start = {rotation_about({0, 0, 1}, at),
                            {1.5 * std::cos(at), 1.5 * std::sin(at), 0.0}};
            step.a.end = step.a.start;
            const double begin = at - 0.2 - 0.8 * (theta - 0.2);
            step.b.start.rotation = rotation_about({0, 0, 1}, begin);
            step.b.end.rotation = rotation_about({0, 0, 1}, begin + theta);
            // By the sign of the quaternion half a turn goes this way.
            RasterSearch search;
            const auto result = search.collisions(peg, bar, step);
            ASSERT_TRUE(result.has_value());
            doppeled |= result->statistics.doppeled;
            ASSERT_FALSE(result->collisions.empty()) << theta << " at " << at;
            reference::Pair pair(peg, bar);
            pair.set(step);
            const auto truth = reference::first_contact(pair);
            ASSERT_EQ(truth.answer, Verdict::Contact);
            EXPECT_NEAR(result->collisions[0].time, truth.upper, 1e-6) << theta << " at " << at;
        }
    }
    EXPECT_TRUE(doppeled);
}

TEST(RasterDoppeling, ScrewWhoseAxisPiercesFacesOfBothBodiesIsMetOnThem) {
    // B comes down along the axis and turns: its pointed end hits A's top face beside the axis.
    const Polyhedron a = box({-1, -1, -1}, {1, 0, 1});
    for (double beside = 0.0; beside < 0.9; beside += 0.13) {
        const Polyhedron b =
            built({{beside, 0, 0.1}, {1, 1, 1}, {1, 1, -1}, {-1, 1, -1}, {-1, 1, 1}},
                  {{0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {0, 1, 4}, {1, 2, 3, 4}});
        for (const double theta : {0.5, 1.5, 3.0}) {
            PairStep step;
            step.b.start.translation = {0, 0.6, 0};
            step.b.end = {rotation_about({0, 1, 0}, theta), {0, -0.4, 0}};
            const auto hits = found(a, b, step);
            const auto hit = std::find_if(hits.begin(), hits.end(), [](const Contact& c) {
                return c.type == ContactType::FaceVertex && c.b == 0;
            });
            ASSERT_NE(hit, hits.end()) << beside << ' ' << theta;
            EXPECT_NEAR(hit->time, 0.6, 1e-9);
            EXPECT_NEAR(hit->normal.y, 1.0, 1e-9);
        }
    }
}

// --- Open surfaces, robust mode, early stop, options
// --------------------------------------------------

TEST(Raster, OpenSurfaceIsHitOnItsFaceAndOnItsEdge) {
    const Polyhedron sheet =
        built({{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, {{0, 1, 2, 3}});
    ASSERT_EQ(sheet.report().open_edges, 4U);
    const Polyhedron tip = built({{0, 0, 0}, {1, 1, 1}, {1, 1, -1}, {-1, 1, 0}},
                                 {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}});
    const auto hits = found(sheet, tip, shift_of_b({0.2, 0.5, 0.1}, {0.2, -0.5, 0.1}));
    ASSERT_FALSE(hits.empty());
    EXPECT_EQ(hits[0].type, ContactType::FaceVertex);
    EXPECT_NEAR(hits[0].time, 0.5, 1e-9);
    // An edge of the tip over the rim of the sheet.
    const auto rim = found(sheet, tip, shift_of_b({1.3, 0.6, 0.1}, {1.3, -0.4, 0.1}));
    EXPECT_TRUE(std::any_of(rim.begin(), rim.end(),
                            [](const Contact& c) { return c.type == ContactType::EdgeEdge; }));
}

TEST(RasterRobust, ApproachWithinAPixelIsReportedAndAPixelAwayIsNot) {
    const Polyhedron cube = built(generate::cube());
    RasterOptions plain;
    plain.pixel = 0.1;
    RasterOptions robust = plain;
    robust.robust = true;
    // Past each other, side by side; to a stop before each other; a turn that just does not reach.
    PairStep turn;
    turn.b.start = {rotation_about({0, 0, 1}, 0.3), {3.0, 0.0, 0.0}};
    for (const double gap : {0.03, 0.08}) {
        const PairStep beside = shift_of_b({3.0, 1.0 + gap, 0.1}, {-3.0, 1.0 + gap, 0.1});
        EXPECT_TRUE(found(cube, cube, beside, plain).empty());
        EXPECT_FALSE(found(cube, cube, beside, robust).empty()) << gap;
        const PairStep before = shift_of_b({3.0, 0.2, 0.1}, {1.0 + gap, 0.2, 0.1});
        EXPECT_TRUE(found(cube, cube, before, plain).empty());
        EXPECT_FALSE(found(cube, cube, before, robust).empty()) << gap;
        turn.b.end = {rotation_about({0, 0, 1}, -0.1), {1.0 + gap + 0.05, 0.1, 0.1}};
        EXPECT_TRUE(found(cube, cube, turn, plain).empty());
    }
    for (const double gap : {0.15, 0.5}) {
        EXPECT_TRUE(
            found(cube, cube, shift_of_b({3.0, 1.0 + gap, 0.1}, {-3.0, 1.0 + gap, 0.1}), robust)
                .empty());
        EXPECT_TRUE(
            found(cube, cube, shift_of_b({3.0, 0.2, 0.1}, {1.0 + gap, 0.2, 0.1}), robust).empty());
    }
}

TEST(RasterRobust, BarsThatSlideAcrossEachOtherWithinAPixelAreReported) {
    const Polyhedron bar = box({-3, -0.5, -0.5}, {3, 0.5, 0.5});
    PairStep step;
    const Quaternion quarter = rotation_about({0.0, 1.0, 0.0}, 0.5 * kPi);
    step.b.start = {quarter, {0.0, 1.02, 0.0}};
    step.b.end = {quarter, {0.7, 1.02, 0.0}};
    RasterOptions options;
    options.pixel = 0.05;
    EXPECT_TRUE(found(bar, bar, step, options).empty());
    options.robust = true;
    EXPECT_FALSE(found(bar, bar, step, options).empty());
}

TEST(Raster, BodiesThatCannotMeetStopEarly) {
    const Polyhedron cube = built(generate::cube());
    RasterSearch search;
    std::vector<PairStep> steps = {shift_of_b({5, 0, 0}, {5, 3, 0}),
                                   shift_of_b({5, 0, 0}, {3, 0, 0})};
    PairStep turn;  // about the origin of the world, ahead of the wrong side
    turn.a.start.translation = turn.a.end.translation = {0, -10, 0};
    turn.b.start = {rotation_about({0, 0, 1}, 0.0), {10, 0, 0}};
    turn.b.end = {rotation_about({0, 0, 1}, 0.5), {10 * std::cos(0.5), 10 * std::sin(0.5), 0}};
    steps.push_back(turn);
    for (const PairStep& step : steps) {
        const auto result = search.collisions(cube, cube, step);
        ASSERT_TRUE(result.has_value());
        EXPECT_TRUE(result->statistics.stopped_early);
        EXPECT_TRUE(result->collisions.empty());
    }
    const auto hit = search.collisions(cube, cube, shift_of_b({5, 0.1, 0}, {0.5, 0.1, 0}));
    EXPECT_FALSE(hit->statistics.stopped_early);
}

TEST(Raster, TimesAndPlacesDoNotHangOnThePixel) {
    const Polyhedron cube = built(generate::cube());
    std::mt19937_64 rng(16);
    for (int i = 0; i < 30; ++i) {
        const PairStep step = random_step(rng, 1.0, 1.0);
        RasterOptions fine;
        fine.pixel = 1.0 / 48.0;
        RasterOptions coarse;
        coarse.pixel = 1.0 / 12.0;
        const auto many = found(cube, cube, step, fine);
        for (const Contact& c : found(cube, cube, step, coarse)) {
            EXPECT_TRUE(std::any_of(many.begin(), many.end(), [&](const Contact& d) {
                return std::fabs(d.time - c.time) < 0.05;
            }));
        }
    }
}

// Section 9.1: teeth one behind the other along the way fall on the same pixels. With times told
// apart the pairs grow with the teeth, not with their square.
TEST(Raster, CombInCombIsNotQuadratic) {
    const auto pairs = [](std::uint32_t teeth) {
        const Polyhedron comb = built(generate::comb(teeth));
        PairStep step;
        // Turned over about its long axis, above the other, and pushed along it by a little.
        const Vec3 middle = comb.centre();
        step.b.start = {rotation_about({1.0, 0.0, 0.0}, kPi), {0.5, 2.0 * middle.y + 0.2, 0.0}};
        step.b.end = {rotation_about({1.0, 0.0, 0.0}, kPi), {1.0, 2.0 * middle.y + 0.2, 0.0}};
        RasterSearch search;
        RasterOptions options;
        options.pixel = 0.05;
        const auto result = search.collisions(comb, comb, step, options);
        EXPECT_TRUE(result.has_value());
        return static_cast<double>(result->statistics.pairs + result->statistics.candidates);
    };
    const double few = pairs(32);
    const double many = pairs(128);
    EXPECT_GT(few, 0.0);
    EXPECT_LT(many, 6.0 * few);
}

// A corner of the cube lies on the axis of half a turn and rests: it is half a length away from the
// tetrahedron at all times, however short its steps are.
TEST(Raster, CornerThatRestsOnTheAxisTouchesNothingThatIsApartFromIt) {
    const Polyhedron cube = built(generate::cube());
    const Polyhedron tetrahedron = built(generate::tetrahedron());
    PairStep step;
    step.b.start = {{0.0, 1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
    step.b.end = {{0.0, 0.0, 1.0, 0.0}, {-0.75, 1.25, -2.0}};
    RasterSearch search;
    const auto result = search.collisions(cube, tetrahedron, step);
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->collisions.empty());
}

// A body that is inside out shows the raster its back: that must not go without a word.
TEST(Raster, SaysWhereABodyThatIsInsideOutHidesCollisions) {
    const Polyhedron right = box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    std::vector<std::vector<std::uint32_t>> faces;
    for (std::size_t f = 0; f < right.face_count(); ++f)
        faces.emplace_back(right.face(f).rbegin(), right.face(f).rend());
    const Polyhedron wrong =
        built(std::vector<Vec3>(right.positions().begin(), right.positions().end()), faces);
    const PairStep step = shift_of_b({0.5, 0.5, 5.0}, {0.25, 0.25, 0.5});
    RasterSearch search;
    const auto all = search.collisions(right, right, step);
    ASSERT_TRUE(all.has_value());
    EXPECT_FALSE(all->may_miss);
    EXPECT_FALSE(all->collisions.empty());
    for (const bool of_a : {true, false}) {
        const auto some = search.collisions(of_a ? wrong : right, of_a ? right : wrong, step);
        ASSERT_TRUE(some.has_value());
        EXPECT_TRUE(some->may_miss);
    }
    const auto turned = search.collisions(wrong.oriented(), right, step);
    ASSERT_TRUE(turned.has_value());
    EXPECT_FALSE(turned->may_miss);
    ASSERT_EQ(turned->collisions.size(), all->collisions.size());
    for (std::size_t i = 0; i < all->collisions.size(); ++i)
        EXPECT_EQ(turned->collisions[i].time, all->collisions[i].time);
}

// The distance of the vertex from the plane of the face falls, rises and falls again: it enters the
// plane twice, once in the face and once beside it. The first impact, deep and proper, was lost for
// the entry beside.
TEST(Raster, FindsTheEntryInTheFaceThoughThereIsAnotherBesideIt) {
    io::PolygonMesh wedge = generate::tetrahedron();
    for (Vec3& p : wedge.positions)
        p = {0x1.8p+1 * p.x, 0x1.999999999999ap-3 * p.y + 0x1p+0, p.z};
    const Polyhedron a = built(wedge);
    const Polyhedron b = built(generate::cube());
    PairStep step;
    step.a.start = {{0x1p+0, 0x0p+0, 0x0p+0, 0x0p+0},
                    {0x1.0f491a27907bp-1, -0x1.c99a3a914a85cp-1, -0x1.a11e7bbf70bp-1}};
    step.a.end = {
        {-0x1.ab19f114f01edp-1, -0x1.1a59683fa1dc5p-1, 0x1.32fddb1646b42p-9, 0x1.374a9cd1b523cp-8},
        {-0x1.7dea51fbd347p-2, -0x1.5a8adb0f356cp-1, -0x1.c10fa556a76d4p+0}};
    step.b.start = {{0x1p+0, 0x0p+0, 0x0p+0, 0x0p+0},
                    {-0x1.c45e505c8fc74p-2, -0x1.171656e658ef4p+0, -0x1.53481b1c5cab6p-1}};
    step.b.end = {
        {-0x1.b9e8a8123704ap-2, 0x1.5016803367c7ep-1, 0x1.369a08d6a945bp-1, 0x1.f342056643121p-4},
        {0x1.66c51f942e308p+0, -0x1.d772c2e69b28p-6, -0x1.311938ae702f6p+0}};
    const ImpactResult first = first_impact(RigidBody(a), RigidBody(b), step);
    ASSERT_EQ(first.verdict, Verdict::Contact);
    const auto hits = found(a, b, step);
    ASSERT_FALSE(hits.empty());
    EXPECT_EQ(hits.front().type, ContactType::FaceVertex);
    EXPECT_NEAR(hits.front().time, first.toi_upper, 1e-6);
    EXPECT_GT(hits.front().properness, 0.3);
}

// --- Against the proof ---------------------------------------------------------------------------

// Slim, flat and far from their origins, so that axes run through them, past them and along them.
std::vector<Polyhedron> odd_bodies() {
    const auto stretched = [](io::PolygonMesh mesh, const Vec3& by, const Vec3& to) {
        for (Vec3& p : mesh.positions)
            p = Vec3{by.x * p.x, by.y * p.y, by.z * p.z} + to;
        return built(mesh);
    };
    std::vector<Polyhedron> bodies;
    bodies.push_back(built(generate::cube()));
    bodies.push_back(built(generate::tetrahedron()));
    bodies.push_back(built(generate::car()));
    bodies.push_back(stretched(generate::cube(), {4, 0.05, 0.3}, {1, 0, 0}));
    bodies.push_back(stretched(generate::cube(), {3, 0.02, 3}, {}));
    bodies.push_back(stretched(generate::tetrahedron(), {3, 0.2, 1}, {0, 1, 0}));
    return bodies;
}

// Turns of none, next to none, any and nearly a half; with and without a shift along the axis.
PairStep odd_step(test::RandomPoses& random) {
    const auto vector = [&](double size) {
        return Vec3{random.uniform(-size, size), random.uniform(-size, size),
                    random.uniform(-size, size)};
    };
    Vec3 axis = vector(1.0);
    if (random.integer(0, 2) == 0) {
        axis = {};
        axis[static_cast<std::size_t>(random.integer(0, 2))] = 1.0;
    }
    double angle = random.uniform(-2.0, 2.0);
    const int kind = random.integer(0, 5);
    if (kind == 0) angle = 0.0;
    if (kind == 1) angle = random.uniform(-3.1415, 3.1415);
    if (kind == 2) angle = 3.14159265358;
    if (kind == 3) angle = std::ldexp(angle, -random.integer(1, 40));
    const Quaternion turn = rotation_about(axis, angle);
    const Vec3 point = random.integer(0, 2) == 0 ? Vec3{} : vector(2.0);
    const double shift = random.integer(0, 2) == 0 ? 0.0 : random.uniform(-3.0, 3.0);
    PairStep step;
    step.b.start = {random.integer(0, 2) == 0 ? Quaternion{} : random.rotation(),
                    vector(random.integer(1, 4))};
    const Pose about{turn, point + (kind == 0 ? vector(6.0) : (shift / norm(axis)) * axis) -
                               rotate(turn, point)};
    step.b.end = compose(about, step.b.start);
    if (random.integer(0, 1) == 0) {
        step.a = {random.pose(), random.pose()};
        step.b = {compose(step.a.start, step.b.start), compose(step.a.end, step.b.end)};
    }
    return step;
}

bool has_time_near(const std::vector<Contact>& hits, double time, double by) {
    return std::any_of(hits.begin(), hits.end(),
                       [&](const Contact& c) { return std::fabs(c.time - time) <= by; });
}

// The same two features, out and in again: the raster keeps the earlier, and drops it as the end of an
// overlap.
bool has_another_near(const AllImpacts& all, const Contact& one, double by) {
    return std::any_of(all.collisions.begin(), all.collisions.end(), [&](const auto& c) {
        return c.type == one.type && c.a == one.a && c.b == one.b &&
               c.time_lower != one.time_lower && std::fabs(c.time_lower - one.time_lower) <= by;
    });
}

// Bodies that start apart: both modes have the first impact, and the plain one every event that is
// proper by more than a little.
void hold_against_proof(int motions, unsigned seed) {
    const std::vector<Polyhedron> shapes = odd_bodies();
    std::vector<RigidBody> bodies;
    for (const Polyhedron& shape : shapes)
        bodies.emplace_back(shape);
    test::RandomPoses random(seed);
    const auto any = [&] {
        return static_cast<std::size_t>(random.integer(0, static_cast<int>(shapes.size()) - 1));
    };
    RasterSearch search;
    int contacts = 0;
    for (int i = 0; i < motions; ++i) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << ", motion " << i);
        const std::size_t a = any();
        const std::size_t b = any();
        const PairStep step = odd_step(random);
        RasterOptions options = all_of_them();
        if (random.integer(0, 3) == 0) options.pixel = std::ldexp(1.0, -random.integer(2, 9));
        const ImpactResult first = first_impact(bodies[a], bodies[b], step);
        if (first.start != StartState::Separated || first.verdict != Verdict::Contact) continue;
        ++contacts;
        const auto plain = search.collisions(shapes[a], shapes[b], step, options);
        options.robust = true;
        const auto robust = search.collisions(shapes[a], shapes[b], step, options);
        ASSERT_TRUE(plain.has_value() && robust.has_value());
        EXPECT_FALSE(plain->collisions.empty());
        ASSERT_FALSE(robust->collisions.empty());
        const double width = plain->statistics.time_resolution;
        EXPECT_LE(robust->collisions.front().time, first.toi_upper + 4.0 * width);
        const AllImpacts proper = all_impacts(bodies[a], bodies[b], step, {}, 0.05);
        // What happens within two widths is one event.
        EXPECT_TRUE(has_time_near(plain->collisions, first.toi_upper, 2.0 * width));
        for (const Contact& c : proper.collisions) {
            if (has_time_near(plain->collisions, c.time_lower, 2.0 * width)) continue;
            const AllImpacts all = all_impacts(bodies[a], bodies[b], step, {}, -1.0);
            EXPECT_TRUE(has_another_near(all, c, 2.0 * width)) << c.time_lower;
        }
    }
    EXPECT_GT(contacts, motions / 50);
}

TEST(Raster, HasTheImpactsThatAreProved) {
    hold_against_proof(400, 1);
}
TEST(RasterAttack, HasTheImpactsThatAreProved) {
    for (unsigned seed = 2; seed < 12; ++seed)
        hold_against_proof(10'000, seed);
}

// The raster takes a bent face for flat: what meets the ridge of its triangles goes by unseen.
TEST(Raster, SaysThatItMayMissWhatMeetsABentFace) {
    const Polyhedron bent =
        built({{-1, 0.25, -1}, {-1, 0, 1}, {1, 0.25, 1}, {1, 0, -1}}, {{1, 2, 3, 0}});
    ASSERT_EQ(bent.bent_faces().size(), 1U);
    const Polyhedron cube = box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    const PairStep step = shift_of_b({0.0, 3.0, 0.0}, {0.0, 2.0, 0.0});
    RasterSearch search;
    for (const bool of_a : {true, false}) {
        const auto found = search.collisions(of_a ? bent : cube, of_a ? cube : bent, step);
        ASSERT_TRUE(found.has_value());
        EXPECT_TRUE(found->may_miss);
    }
}

TEST(Raster, OptionsThatMakeNoSenseAreErrors) {
    const Polyhedron cube = built(generate::cube());
    RasterSearch search;
    const PairStep step = shift_of_b({3, 0, 0}, {0, 0, 0});
    for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
        RasterOptions options;
        options.pixel = bad;
        EXPECT_FALSE(search.collisions(cube, cube, step, options).has_value());
        options = {};
        options.time_resolution = bad;
        EXPECT_FALSE(search.collisions(cube, cube, step, options).has_value());
    }
    PairStep broken = step;
    broken.b.end.rotation = {2.0, 0.0, 0.0, 0.0};
    EXPECT_FALSE(search.collisions(cube, cube, broken).has_value());
    RasterOptions tiny;
    tiny.pixel = 1e-9;
    EXPECT_FALSE(search.collisions(cube, cube, step, tiny).has_value());
    // Whichever of the bodies it is too small for.
    const Polyhedron crumb = box({0.0, 0.0, 0.0}, {1e-9, 1e-9, 1e-9});
    EXPECT_FALSE(search.collisions(cube, crumb, step, tiny).has_value());
    EXPECT_FALSE(search.collisions(crumb, cube, step, tiny).has_value());
}

TEST(Raster, StepsWhoseRoundingsAreNoLongerSmallBesideAPixelAreRefused) {
    const Polyhedron cube = built(generate::cube());
    RasterSearch search;
    for (const double far : {1e13, 1e30, 1e80, 1e300, 1e308}) {
        const PairStep step = shift_of_b({far, 0, 0}, {-far, 0, 0});
        EXPECT_FALSE(search.collisions(cube, cube, step).has_value()) << far;
    }
    EXPECT_TRUE(search.collisions(cube, cube, shift_of_b({1e9, 0, 0}, {-1e9, 0, 0})).has_value());
    // What counts is where they are to each other.
    PairStep step = shift_of_b({1e13, 0, 0}, {1e13 + 4.0, 0, 0});
    step.a.start.translation = step.a.end.translation = {1e13 + 2.0, 0, 0};
    EXPECT_TRUE(search.collisions(cube, cube, step).has_value());
}

TEST(Raster, AStopAtAnyMomentIsAnErrorAndTheNextCallIsWhole) {
    const Polyhedron torus = built(generate::torus());
    const PairStep step = shift_of_b({0.1, 3, 0.2}, {0.1, -3, 0.2});
    for (const bool robust : {false, true}) {
        RasterOptions options;
        options.robust = robust;
        const auto whole = found(torus, torus, step, options);
        RasterSearch search;
        bool is_done = false;
        for (std::uint64_t n = 1; n < 1'000'000 && !is_done; n += 1 + n / 4) {
            struct Asked {
                std::uint64_t last;
                mutable std::uint64_t count = 0;
            } const asked{n};
            options.stop = StopToken(
                [](const void* context) noexcept {
                    const auto* self = static_cast<const Asked*>(context);
                    return ++self->count >= self->last;
                },
                &asked);
            const auto result = search.collisions(torus, torus, step, options);
            is_done = asked.count < n;
            ASSERT_EQ(result.has_value(), is_done);
            EXPECT_EQ(result ? "cancelled" : result.error().message, "cancelled");
        }
        EXPECT_TRUE(is_done);
        options.stop = {};
        EXPECT_EQ(search.collisions(torus, torus, step, options)->collisions.size(), whole.size());
    }
}

TEST(Raster, SearchThatWasUsedBeforeGivesWhatANewOneGives) {
    const Polyhedron car = built(generate::car());
    const Polyhedron torus = built(generate::torus());
    std::mt19937_64 rng(17);
    RasterSearch used;
    for (int i = 0; i < 20; ++i) {
        const PairStep step = random_step(rng, 1.5, 1.0);
        const Polyhedron& body = i % 2 == 0 ? car : torus;
        const auto one = used.collisions(body, car, step);
        RasterSearch fresh;
        const auto two = fresh.collisions(body, car, step);
        ASSERT_TRUE(one.has_value() && two.has_value());
        ASSERT_EQ(one->collisions.size(), two->collisions.size());
        for (std::size_t k = 0; k < one->collisions.size(); ++k) {
            EXPECT_EQ(one->collisions[k].time, two->collisions[k].time);
            EXPECT_EQ(one->collisions[k].point, two->collisions[k].point);
        }
        if (i == 10) {
            RasterSearch moved(std::move(used));
            used = std::move(moved);
        }
    }
    EXPECT_FALSE(used.drawn().empty());
}

}  // namespace
}  // namespace graze::rigid
