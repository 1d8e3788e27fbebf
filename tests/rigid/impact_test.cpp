// The certified first impact: known motions, invariances, and the independent reference.
// Defends G-RIGID-3, G-RIGID-4, G-RIGID-6, G-RIGID-8, G-RIGID-9 (docs/GUARANTEES.md).
#include "graze/rigid/impact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <random>

#include "graze/generate/models.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/verify/rigid_random_motions.hpp"

namespace graze::rigid {
namespace {

Polyhedron surface(const io::PolygonMesh& mesh) {
    return *Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
}
RigidBody cube() {
    return RigidBody(surface(generate::cube()));
}
RigidBody scaled(const Polyhedron& body, const Vec3& factors) {
    std::vector<Vec3> positions;
    for (const Vec3& p : body.positions())
        positions.push_back({p.x * factors.x, p.y * factors.y, p.z * factors.z});
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> corners;
    for (std::size_t f = 0; f < body.face_count(); ++f) {
        counts.push_back(static_cast<std::uint32_t>(body.face(f).size()));
        corners.insert(corners.end(), body.face(f).begin(), body.face(f).end());
    }
    return RigidBody(*Polyhedron::build(std::move(positions), counts, corners));
}
// A single triangle: an open surface.
RigidBody sheet(const Vec3& p, const Vec3& q, const Vec3& r) {
    const std::uint32_t counts[] = {3};
    const std::uint32_t corners[] = {0, 1, 2};
    return RigidBody(*Polyhedron::build({p, q, r}, counts, corners));
}
// B moves, A rests at the identity.
PairStep moving(const Vec3& from, const Vec3& to, const Quaternion& first = {},
                const Quaternion& last = {}) {
    PairStep step;
    step.b = {{first, from}, {last, to}};
    return step;
}
void expect_bracket(const ImpactResult& r, double time) {
    EXPECT_EQ(r.verdict, Verdict::Contact);
    EXPECT_LE(r.toi_lower, time);
    EXPECT_GE(r.toi_upper, time * (1.0 - 0x1p-50));
    EXPECT_LE(r.toi_upper - r.toi_lower, 1e-9);
}

// Determinants of such triangles underflow: what is left of them once proved contacts that are none.
TEST(ScrewImpact, TinySheetsAreInContactNoEarlierThanTheSameSheetsLarge) {
    struct Sheets {
        std::array<Vec3, 3> a;
        std::array<Vec3, 3> b;
        Vec3 from;
        Vec3 to;
    };
    const std::array<Sheets, 2> all = {{{{{{2, -1, 1}, {1, 1, 5}, {-6, 5, -4}}},
                                         {{{4, 4, 4}, {0, 4, -3}, {3, -5, -6}}},
                                         {-7, 7, 3},
                                         {-7, -7, 5}},
                                        {{{{4, -4, 3}, {-2, 5, 0}, {-3, -6, -4}}},
                                         {{{6, -4, 4}, {-6, 4, -3}, {1, 1, -6}}},
                                         {4, -3, -3},
                                         {-1, -3, 4}}}};
    for (const Sheets& s : all) {
        const auto search = [&s](double scale, double width) {
            ImpactOptions options;
            options.time_width = width;
            options.model = BodyModel::SurfaceOnly;
            return first_impact(sheet(scale * s.a[0], scale * s.a[1], scale * s.a[2]),
                                sheet(scale * s.b[0], scale * s.b[1], scale * s.b[2]),
                                moving(scale * s.from, scale * s.to), options);
        };
        const double truth = search(1.0, 0x1p-30).toi_lower;
        for (int exponent = -350; exponent >= -370; --exponent) {
            for (const double width : {0x1p-1, 0x1p-4}) {
                const ImpactResult found = search(std::ldexp(1.0, exponent), width);
                EXPECT_GE(found.toi_upper, truth) << exponent << " " << width;
            }
        }
    }
}

// The same of crossings: at every scale those that are listed are the ones at scale 1. Below 2^-250 there are no
// normals any more, and what crosses leaves the list incomplete.
TEST(ScrewImpact, CrossingsOfTinySheetsAreThoseOfTheSameSheetsLarge) {
    std::mt19937_64 rng(3);
    std::uniform_int_distribution<int> whole(-6, 6);
    const auto vector = [&] {
        return Vec3{double(whole(rng)), double(whole(rng)), double(whole(rng))};
    };
    std::size_t listed = 0;
    for (int i = 0; i < 300; ++i) {
        const std::array<Vec3, 8> p = {vector(), vector(), vector(), vector(),
                                       vector(), vector(), vector(), vector()};
        const auto search = [&p](double scale) {
            return all_impacts(sheet(scale * p[0], scale * p[1], scale * p[2]),
                               sheet(scale * p[3], scale * p[4], scale * p[5]),
                               moving(scale * p[6], scale * p[7]), {}, -2.0);
        };
        if (norm_max(cross(p[1] - p[0], p[2] - p[0])) == 0.0) continue;
        if (norm_max(cross(p[4] - p[3], p[5] - p[3])) == 0.0) continue;
        const AllImpacts large = search(1.0);
        if (!large.complete) continue;
        for (const double scale : {0x1p-200, 0x1p-248, 0x1p-300, 0x1p-356, 0x1p-360}) {
            const AllImpacts tiny = search(scale);
            listed += tiny.collisions.size();
            EXPECT_LE(tiny.collisions.size(), large.collisions.size()) << i << " " << scale;
            if (tiny.complete) {
                EXPECT_EQ(tiny.collisions.size(), large.collisions.size()) << i << " " << scale;
            }
        }
    }
    EXPECT_GE(listed, 50U);
}

TEST(ScrewImpact, ACubeFallsOntoACube) {
    const RigidBody body = cube();
    expect_bracket(first_impact(body, body, moving({0.3, 3.0, 0.2}, {0.3, 0.0, 0.2})), 2.0 / 3.0);
}

TEST(ScrewImpact, FacesThatMeetFlushAreContactWithANarrowBracket) {
    const RigidBody body = cube();
    expect_bracket(first_impact(body, body, moving({0.0, 3.0, 0.0}, {0.0, 0.0, 0.0})), 2.0 / 3.0);
    expect_bracket(first_impact(body, body, moving({0.25, 3.0, 0.0}, {0.25, 0.0, 0.0})), 2.0 / 3.0);
}

// Neither slabs nor exact arithmetic are needed: a few dozen boxes at the start lead to faces that cross.
TEST(ScrewImpact, BodiesDeepInEachOtherAreFoundInFewChecks) {
    const RigidBody ring(surface(generate::torus()));
    const RigidBody body = cube();
    for (const double x : {0.6, 0.9, 1.2}) {
        const Pose at = {rotation_about({1.0, 2.0, 0.5}, 0.7), {x, 0.1, 0.2}};
        for (const RigidBody* other : {&ring, &body}) {
            const ImpactResult found = first_impact(
                ring, *other,
                {BodyStep::rest({}), BodyStep::between(at, {at.rotation, {9.0, 0.0, 0.0}})});
            EXPECT_EQ(found.verdict, Verdict::Contact);
            EXPECT_EQ(found.toi_upper, 0.0);
            EXPECT_EQ(found.start, StartState::Contact);
            EXPECT_LT(found.checks, 100U);
        }
    }
}

TEST(ScrewImpact, TouchingAtTheStartIsContactAtOnce) {
    const RigidBody body = cube();
    for (const Vec3& to : {Vec3{0.25, 3.0, 0.5}, Vec3{0.25, -3.0, 0.5}, Vec3{0.25, 1.0, 0.5}}) {
        const ImpactResult r = first_impact(body, body, moving({0.25, 1.0, 0.5}, to));
        EXPECT_EQ(r.verdict, Verdict::Contact);
        EXPECT_EQ(r.toi_lower, 0.0);
        EXPECT_EQ(r.toi_upper, 0.0);
        EXPECT_EQ(r.start, StartState::Contact);
    }
    // At a corner, along an edge.
    EXPECT_EQ(first_impact(body, body, moving({1.0, 1.0, 1.0}, {2.0, 2.0, 2.0})).toi_upper, 0.0);
    EXPECT_EQ(first_impact(body, body, moving({1.0, 1.0, 0.25}, {2.0, 2.0, 2.0})).toi_upper, 0.0);
}

TEST(ScrewImpact, TouchingAtTheEndIsContact) {
    const RigidBody body = cube();
    const ImpactResult r = first_impact(body, body, moving({0.25, 3.0, 0.125}, {0.25, 1.0, 0.125}));
    EXPECT_EQ(r.verdict, Verdict::Contact);
    EXPECT_EQ(r.toi_upper, 1.0);
    EXPECT_GT(r.toi_lower, 1.0 - 1e-9);
}

TEST(ScrewImpact, MissesByAHairAreSeparated) {
    const RigidBody body = cube();
    for (const double gap : {1e-3, 1e-9, 1e-12}) {
        const PairStep step = moving({3.0, 1.0 + gap, 0.2}, {-3.0, 1.0 + gap, 0.2});
        EXPECT_EQ(first_impact(body, body, step).verdict, Verdict::Separated) << gap;
    }
}

TEST(ScrewImpact, SlidingContactIsNeverCalledSeparatedNorFreeAfterItBegins) {
    const RigidBody body = cube();
    const ImpactResult r = first_impact(body, body, moving({3.0, 1.0, 0.0}, {-3.0, 1.0, 0.0}));
    EXPECT_NE(r.verdict, Verdict::Separated);
    EXPECT_LE(r.toi_lower, 1.0 / 3.0);
    EXPECT_GT(r.toi_lower, 1.0 / 3.0 - 1e-8);
    EXPECT_LT(r.checks, 100'000U);
}

TEST(ScrewImpact, BodiesAtRestAreApartWhereTheyAre) {
    const RigidBody body = cube();
    const Vec3 place = {1.0 + 1e-12, 0.0, 0.0};
    EXPECT_EQ(first_impact(body, body, moving(place, place)).verdict, Verdict::Separated);
}

void expect_contact_at_once(const ImpactResult& r, StartState start) {
    EXPECT_EQ(r.verdict, Verdict::Contact);
    EXPECT_EQ(r.toi_lower, 0.0);
    EXPECT_EQ(r.toi_upper, 0.0);
    EXPECT_EQ(r.start, start);
}

TEST(ScrewImpact, ABodyInsideAnotherIsInContactAtOnce) {
    const RigidBody large = cube();
    const RigidBody small = scaled(large.surface(), {0.25, 0.25, 0.25});
    const Quaternion turned = rotation_about({1.0, 2.0, 3.0}, 2.0);
    for (const Vec3& end : {Vec3{}, Vec3{0.1, 0.0, 0.0}, Vec3{1.0, 0.01, 0.02}}) {
        const PairStep step = moving({}, end, {}, turned);
        expect_contact_at_once(first_impact(large, small, step), StartState::BInsideA);
        expect_contact_at_once(first_impact(small, large, step), StartState::AInsideB);
    }
    ImpactOptions options;
    for (const double t_max : {0.0, 1e-300, 0.25}) {
        options.t_max = t_max;
        expect_contact_at_once(first_impact(large, small, moving({}, {}), options),
                               StartState::BInsideA);
    }
    options = {};
    options.min_separation = 0.01;
    expect_contact_at_once(first_impact(large, small, moving({}, {}), options),
                           StartState::BInsideA);
    EXPECT_EQ(first_impact(large, small, moving({0.7, 0.7, 0.0}, {0.8, 0.7, 0.0})).start,
              StartState::Separated);
}

TEST(ScrewImpact, SurfacesAloneMeetWhereABodyInsideComesToTheWall) {
    const RigidBody large = cube();
    const RigidBody small = scaled(large.surface(), {0.25, 0.25, 0.25});
    ImpactOptions options;
    options.model = BodyModel::SurfaceOnly;
    const ImpactResult rest = first_impact(large, small, moving({}, {0.1, 0.0, 0.0}), options);
    EXPECT_EQ(rest.verdict, Verdict::Separated);
    EXPECT_EQ(rest.start, StartState::BInsideA);
    const ImpactResult leaving = first_impact(large, small, moving({}, {1.0, 0.01, 0.02}), options);
    expect_bracket(leaving, 0.375);
    EXPECT_EQ(leaving.start, StartState::BInsideA);
}

// A cube without its last face is a surface; a body within it is in no contact.
TEST(ScrewImpact, AnOpenBodyHasNoInside) {
    const io::PolygonMesh mesh = generate::cube();
    std::vector<std::uint32_t> counts = mesh.corner_counts();
    std::vector<std::uint32_t> corners = mesh.corners();
    corners.resize(corners.size() - counts.back());
    counts.pop_back();
    const RigidBody open(*Polyhedron::build(mesh.positions, counts, corners));
    const RigidBody small = scaled(cube().surface(), {0.25, 0.25, 0.25});
    const ImpactResult r = first_impact(open, small, moving({}, {0.1, 0.0, 0.0}));
    EXPECT_EQ(r.verdict, Verdict::Separated);
    EXPECT_EQ(r.start, StartState::Separated);
}

// Asks for a stop from its n-th question on.
struct Stopper {
    mutable std::uint64_t questions = 0;
    std::uint64_t last;

    explicit Stopper(std::uint64_t n) : last(n) {}
    [[nodiscard]] StopToken token() const {
        return StopToken(
            [](const void* context) noexcept {
                const auto* self = static_cast<const Stopper*>(context);
                return ++self->questions >= self->last;
            },
            this);
    }
};

TEST(ScrewImpact, AStopAtAnyMomentClaimsNothingThatIsNotProved) {
    const Shapes bodies = shapes("torus");
    const RigidBody a(bodies.a);
    reference::Pair pair(bodies.a, bodies.b);
    const RandomMotion motion = random_motion(pair, bodies, 5, 1);
    ASSERT_EQ(motion.truth.answer, Verdict::Contact);
    bool kept_something = false;
    bool is_done = false;
    for (std::uint64_t n = 1; n < 5000 && !is_done; ++n) {
        const Stopper stopper(n);
        ImpactOptions options;
        options.stop = stopper.token();
        const ImpactResult r = first_impact(a, a, motion.step, options);
        ASSERT_NE(r.verdict, Verdict::Separated);
        ASSERT_LE(r.toi_lower, motion.truth.upper);
        is_done = stopper.questions < n;
        ASSERT_EQ(r.verdict == Verdict::Contact, is_done) << n;
        kept_something = kept_something || (!is_done && r.toi_lower > 0.0);
    }
    EXPECT_TRUE(is_done);
    EXPECT_TRUE(kept_something);
}

// The same for a body that is inside: whether it is may be what a stop leaves undecided.
TEST(ScrewImpact, AStartThatWasNotDecidedIsUnresolvedAndNothingIsFree) {
    const RigidBody large(surface(generate::sphere(2)));
    const RigidBody small = scaled(large.surface(), {0.5, 0.5, 0.5});
    const PairStep step = moving({}, {0.0625, 0.0, 0.0});
    int undecided = 0;
    bool is_done = false;
    for (std::uint64_t n = 1; n < 5000 && !is_done; ++n) {
        const Stopper stopper(n);
        ImpactOptions options;
        options.stop = stopper.token();
        const ImpactResult r = first_impact(large, small, step, options);
        ASSERT_NE(r.verdict, Verdict::Separated);
        ASSERT_EQ(r.toi_lower, 0.0);
        is_done = stopper.questions < n;
        undecided += r.verdict == Verdict::Unresolved ? 1 : 0;
    }
    EXPECT_TRUE(is_done);
    EXPECT_GT(undecided, 0);
}

TEST(ScrewImpact, AStoppedListIsNotComplete) {
    const Shapes bodies = shapes("torus");
    const RigidBody a(bodies.a);
    reference::Pair pair(bodies.a, bodies.b);
    const RandomMotion motion = random_motion(pair, bodies, 5, 1);
    const AllImpacts whole = all_impacts(a, a, motion.step, {}, -1.0);
    ASSERT_TRUE(whole.complete);
    bool is_done = false;
    for (std::uint64_t n = 1; n < 100'000 && !is_done; n += 1 + n / 2) {
        const Stopper stopper(n);
        ImpactOptions options;
        options.stop = stopper.token();
        const AllImpacts r = all_impacts(a, a, motion.step, options, -1.0);
        is_done = stopper.questions < n;
        ASSERT_EQ(r.complete, is_done);
        ASSERT_LE(r.collisions.size(), whole.collisions.size());
    }
    EXPECT_TRUE(is_done);
}

TEST(ScrewImpact, ProgressNeverGoesBack) {
    const RigidBody body(surface(generate::torus()));
    const PairStep step = moving({0.1, 3.0, 0.2}, {0.1, -3.0, 0.2});
    struct Shares {
        double last = 0.0;
        int count = 0;
        bool goes_back = false;
    } shares;
    ImpactOptions options;
    options.progress = ProgressSink(
        [](void* context, double share) noexcept {
            auto* told = static_cast<Shares*>(context);
            told->goes_back = told->goes_back || share < told->last || share > 1.0;
            told->last = share;
            ++told->count;
        },
        &shares);
    (void)first_impact(body, body, step, options);
    EXPECT_FALSE(shares.goes_back);
    EXPECT_GT(shares.count, 4);
    shares = {};
    (void)all_impacts(body, body, step, options);
    EXPECT_FALSE(shares.goes_back);
    EXPECT_GT(shares.count, 4);
    EXPECT_GT(shares.last, 0.5);
}

// The leading corner of B touches a corner of one sheet at 0.7, where nothing can be proved, and
// its face hits the other sheet at 0.9.
TEST(ScrewImpact, AfterAGrazeTheUpperBoundIsThatOfTheHit) {
    std::vector<Vec3> positions = {{0.5, 0.0, 2.0},   {1.5, 1.0, 2.0},  {1.5, -1.0, 2.0},
                                   {-1.0, -1.0, 1.0}, {1.0, -1.0, 1.0}, {0.0, 1.5, 1.0}};
    const std::uint32_t counts[] = {3, 3};
    const std::uint32_t corners[] = {0, 1, 2, 3, 4, 5};
    const RigidBody sheets(*Polyhedron::build(std::move(positions), counts, corners));
    const RigidBody body = cube();
    // The bottom is at z = 5.5 - 5 t: at 2 for t = 0.7, at 1 for t = 0.9.
    const ImpactResult r = first_impact(sheets, body, moving({0.0, 0.0, 6.0}, {0.0, 0.0, 1.0}));
    EXPECT_EQ(r.verdict, Verdict::Contact);
    EXPECT_NEAR(r.toi_lower, 0.7, 1e-8);
    EXPECT_LE(r.toi_lower, 0.7);
    EXPECT_LE(r.toi_upper, 0.9 + 1e-8);
}

TEST(ScrewImpact, TheLengthOfQuaternionsDoesNotMatter) {
    const RigidBody body = cube();
    const Quaternion turned = {0.8, 0.0, 0.36, 0.48};
    const auto times = [](const Quaternion& q, double s) {
        return Quaternion{s * q.w, s * q.x, s * q.y, s * q.z};
    };
    const PairStep plain = moving({4.0, 0.03125, 0.0625}, {0.0, 0.03125, 0.0625}, turned, turned);
    const ImpactResult expected = first_impact(body, body, plain);
    ASSERT_EQ(expected.verdict, Verdict::Contact);
    for (const double s : {0x1p+51, 0x1p-51, 0x1p+600, 0x1p-600, 0x1p+1022, 0x1p-1020}) {
        PairStep step = plain;
        for (Pose* pose : {&step.a.start, &step.a.end, &step.b.start, &step.b.end})
            pose->rotation = times(pose->rotation, s);
        const ImpactResult r = first_impact(body, body, step);
        EXPECT_EQ(r.verdict, expected.verdict) << s;
        EXPECT_EQ(r.toi_lower, expected.toi_lower) << s;
        EXPECT_EQ(r.toi_upper, expected.toi_upper) << s;
        step.a.start.rotation = times(step.a.start.rotation, 1.0 / s);  // only three of them
        EXPECT_EQ(first_impact(body, body, step).toi_upper, expected.toi_upper) << s;
    }
}

TEST(ScrewImpact, OpenSheetsMeet) {
    const RigidBody floor = sheet({-2.0, 0.0, -2.0}, {2.0, 0.0, -2.0}, {0.0, 0.0, 3.0});
    const RigidBody blade = sheet({0.0, 0.0, 0.0}, {0.5, 1.0, 0.0}, {-0.5, 1.0, 0.1});
    expect_bracket(first_impact(floor, blade, moving({0.0, 1.0, 0.0}, {0.0, -1.0, 0.0})), 0.5);
    EXPECT_EQ(first_impact(floor, blade, moving({4.0, 1.0, 0.0}, {4.0, -1.0, 0.0})).verdict,
              Verdict::Separated);
}

TEST(ScrewImpact, ASeparationIsEuclideanAndReachedInTime) {
    const RigidBody body = cube();
    ImpactOptions options;
    options.min_separation = 0.1;
    // Corner against corner: (g, g, g) with |(g, g, g)| = 0.1.
    const PairStep step = moving({3.0, 3.0, 3.0}, {1.0, 1.0, 1.0});
    const double gap = 0.1 / std::sqrt(3.0);
    expect_bracket(first_impact(body, body, step, options), 1.0 - gap / 2.0);
    options.min_separation = 1.9 * std::sqrt(3.0);
    EXPECT_EQ(first_impact(body, body, moving({3.0, 3.0, 3.0}, {3.0, 3.0, 3.0}), options).verdict,
              Verdict::Separated);
    options.min_separation = 2.1 * std::sqrt(3.0);
    const ImpactResult r = first_impact(body, body, step, options);
    EXPECT_EQ(r.verdict, Verdict::Contact);
    EXPECT_EQ(r.toi_upper, 0.0);
}

TEST(ScrewImpact, OnlyTheTimeUpToTMaxIsLookedAt) {
    const RigidBody body = cube();
    const PairStep step = moving({0.3, 3.0, 0.2}, {0.3, 0.0, 0.2});
    ImpactOptions options;
    options.t_max = 0.66;
    EXPECT_EQ(first_impact(body, body, step, options).verdict, Verdict::Separated);
    options.t_max = 0.67;
    expect_bracket(first_impact(body, body, step, options), 2.0 / 3.0);
    options.t_max = 0.0;
    EXPECT_EQ(first_impact(body, body, step, options).verdict, Verdict::Separated);
}

TEST(ScrewImpact, ContactAtTMaxExactlyIsNotSeparated) {
    const RigidBody body = cube();
    ImpactOptions options;
    options.t_max = 0.5;
    for (const double x : {0.0, 0.25, 0.5, 1.0}) {
        const PairStep step = moving({x, 3.0, 0.125}, {x, -1.0, 0.125});
        const ImpactResult r = first_impact(body, body, step, options);
        EXPECT_NE(r.verdict, Verdict::Separated) << x;
        EXPECT_LE(r.toi_lower, 0.5);
    }
    options.t_max = 0.5 - 1e-9;
    EXPECT_EQ(
        first_impact(body, body, moving({0.0, 3.0, 0.125}, {0.0, -1.0, 0.125}), options).verdict,
        Verdict::Separated);
}

// An arm of length 3 swings by half a turn about its end; a post stands at the quarter. Straight
// paths of its corners, and samples at both ends, do not come near the post.
TEST(ScrewImpact, AnArmThatSwingsByHalfATurnHitsThePostOnItsSide) {
    const RigidBody arm = scaled(cube().surface(), {6.0, 0.2, 0.2});
    const RigidBody post = scaled(cube().surface(), {0.2, 0.2, 4.0});
    // The arm's middle is at (3, 0, 0), and goes over (0, 3, 0) for a turn about +z.
    PairStep step;
    step.a = {{{}, {0.0, 4.0, 0.0}}, {{}, {0.0, 4.0, 0.0}}};
    step.b = {{{}, {3.0, 0.0, 0.0}}, {{0.0, 0.0, 0.0, 1.0}, {-3.0, 0.0, 0.0}}};
    const ImpactResult hit = first_impact(post, arm, step);
    EXPECT_EQ(hit.verdict, Verdict::Contact);
    EXPECT_GT(hit.toi_lower, 0.45);
    EXPECT_LT(hit.toi_upper, 0.5);
    step.b.end.rotation = {0.0, 0.0, 0.0, -1.0};
    EXPECT_EQ(first_impact(post, arm, step).verdict, Verdict::Separated);
    step.b.end.rotation = {-0x1p-1074, 0.0, 0.0, 1.0};
    EXPECT_EQ(first_impact(post, arm, step).verdict, Verdict::Separated);
    step.b.end.rotation = {0x1p-1074, 0.0, 0.0, 1.0};
    EXPECT_EQ(first_impact(post, arm, step).verdict, Verdict::Contact);
}

TEST(ScrewImpact, ATorusPassesThroughATorusOnlyAlongTheRightScrew) {
    const RigidBody torus(surface(generate::torus(20, 15, 1.0, 0.3)));
    // B stands upright and threads A: it turns about the middle of A's tube.
    PairStep step;
    const Quaternion upright = rotation_about({1.0, 0.0, 0.0}, 1.5707963267948966);
    step.b.start = {upright, {1.0, 0.0, 0.0}};
    step.b.end = {upright, {-1.0, 0.0, 0.0}};
    const ImpactResult through = first_impact(torus, torus, step);
    EXPECT_EQ(through.verdict, Verdict::Contact);
    EXPECT_EQ(through.start, StartState::Separated);
    // The linked position turned about its own axis stays free.
    step.b.end = {{}, {}};
    const Quaternion turned = rotation_about({0.0, 0.0, 1.0}, 1.2);
    step.b.end.rotation = {turned.w * upright.w - turned.x * upright.x,
                           turned.w * upright.x + turned.x * upright.w,
                           -turned.x * upright.z + turned.z * upright.x + turned.w * upright.y,
                           turned.w * upright.z + turned.z * upright.w};
    step.b.end.translation = {1.0, 0.0, 0.0};
    EXPECT_EQ(first_impact(torus, torus, step).verdict, Verdict::Separated);
}

TEST(ScrewImpact, AScrewTurnsInItsHoleWithoutContactAndJamsWhenPushed) {
    const generate::ThreadShape shape{.turns = 2.0, .around = 24, .along = 10};
    const RigidBody screw(surface(generate::screw_thread(shape)));
    const RigidBody hole(surface(generate::threaded_hole(shape, 2.5 * shape.sampling_error())));
    const double angle = 1.0;
    PairStep step;
    step.b.end.rotation = rotation_about({0.0, 1.0, 0.0}, angle);
    step.b.end.translation = {0.0, shape.lead * angle / 6.283185307179586, 0.0};
    const ImpactResult turning = first_impact(hole, screw, step);
    EXPECT_EQ(turning.verdict, Verdict::Separated);
    step.b.end.rotation = {};
    EXPECT_EQ(first_impact(hole, screw, step).verdict, Verdict::Contact);
}

TEST(ScrewImpact, SwappedBodiesGetTheSameVerdictAndOverlappingBrackets) {
    const Shapes bodies = shapes("car");
    const RigidBody a(bodies.a);
    const RigidBody b(bodies.b);
    reference::Pair pair(bodies.a, bodies.b);
    for (std::uint64_t i = 0; i < 12; ++i) {
        const PairStep step = random_motion(pair, bodies, 3, i).step;
        const ImpactResult r = first_impact(a, b, step);
        // The relative motion of A as seen from B is the inverse screw: the same contacts.
        const ImpactResult swapped = first_impact(b, a, PairStep{step.b, step.a});
        EXPECT_EQ(r.verdict, swapped.verdict) << i;
        if (r.verdict != Verdict::Contact) continue;
        EXPECT_LE(r.toi_lower, swapped.toi_upper) << i;
        EXPECT_LE(swapped.toi_lower, r.toi_upper) << i;
    }
}

TEST(ScrewImpact, APowerOfTwoOnAllLengthsChangesNoVerdict) {
    const Polyhedron body = surface(generate::car());
    reference::Pair pair(body, body);
    const Shapes bodies{body, body, Fit::Loose};
    for (std::uint64_t i = 0; i < 6; ++i) {
        PairStep step = random_motion(pair, bodies, 4, i).step;
        const RigidBody plain(body);
        const ImpactResult r = first_impact(plain, plain, step);
        for (const double factor : {0x1p-60, 0x1p+60}) {
            const RigidBody large = scaled(body, {factor, factor, factor});
            PairStep moved = step;
            for (Pose* pose : {&moved.a.start, &moved.a.end, &moved.b.start, &moved.b.end})
                pose->translation = factor * pose->translation;
            const ImpactResult s = first_impact(large, large, moved);
            EXPECT_EQ(s.verdict, r.verdict) << i << ' ' << factor;
            EXPECT_NEAR(std::fmin(s.toi_lower, 2.0), std::fmin(r.toi_lower, 2.0), 1e-9);
        }
    }
}

TEST(ScrewImpact, FarFromTheOriginNothingIsLost) {
    const RigidBody body = cube();
    PairStep step = moving({0.25, 3.0, 0.125}, {0.25, 0.0, 0.125});
    const Vec3 far = {1048576.0, -4194304.0, 2097152.0};
    for (Pose* pose : {&step.a.start, &step.a.end, &step.b.start, &step.b.end})
        pose->translation = pose->translation + far;
    expect_bracket(first_impact(body, body, step), 2.0 / 3.0);
}

TEST(ScrewImpact, WhatIsNotFiniteOrNotAnOptionIsUnresolved) {
    const RigidBody body = cube();
    PairStep step = moving({3.0, 0.0, 0.0}, {-3.0, 0.0, 0.0});
    ImpactOptions options;
    const auto is_unresolved = [&] {
        const ImpactResult r = first_impact(body, body, step, options);
        return r.verdict == Verdict::Unresolved && r.toi_lower == 0.0 && r.toi_upper == kInfinity;
    };
    EXPECT_FALSE(is_unresolved());
    step.b.end.translation.x = std::nan("");
    EXPECT_TRUE(is_unresolved());
    step.b.end.translation.x = kInfinity;
    EXPECT_TRUE(is_unresolved());
    step.b.end.translation.x = -3.0;
    step.b.end.rotation.w = std::nan("");
    EXPECT_TRUE(is_unresolved());
    step.b.end.rotation.w = 1.0;
    options.min_separation = -1.0;
    EXPECT_TRUE(is_unresolved());
    options = {};
    options.t_max = 1.5;
    EXPECT_TRUE(is_unresolved());
    options = {};
    options.time_width = std::nan("");
    EXPECT_TRUE(is_unresolved());
}

TEST(ScrewImpact, AStepThatEndsAtOnceIsFreeIfTheStartIsApart) {
    const RigidBody body = cube();
    ImpactOptions options;
    for (const double t_max : {5e-324, 1e-300, 0x1p-101}) {
        options.t_max = t_max;
        EXPECT_EQ(first_impact(body, body, moving({3, 0, 0}, {-3, 0, 0}), options).verdict,
                  Verdict::Separated);
        const ImpactResult met = first_impact(body, body, moving({0.5, 0, 0}, {-3, 0, 0}), options);
        EXPECT_EQ(met.verdict, Verdict::Contact);
        EXPECT_EQ(met.toi_upper, 0.0);
        EXPECT_FALSE(all_impacts(body, body, moving({3, 0, 0}, {-3, 0, 0}), options).complete);
    }
}

TEST(ScrewImpact, DoesNotDependOnTheRoundingModeOfTheThread) {
    const RigidBody body = cube();
    const PairStep step = moving({3.0, 0.0, 0.0}, {-3.0, 0.0, 0.0});
    std::fesetround(FE_UPWARD);
    const ImpactResult r = first_impact(body, body, step);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(r.verdict, Verdict::Contact);
    EXPECT_EQ(r.toi_lower, first_impact(body, body, step).toi_lower);
}

TEST(ScrewImpact, ASpentBudgetKeepsWhatIsProved) {
    const Shapes bodies = shapes("torus");
    const RigidBody a(bodies.a);
    reference::Pair pair(bodies.a, bodies.b);
    const RandomMotion motion = random_motion(pair, bodies, 5, 1);
    ASSERT_EQ(motion.truth.answer, Verdict::Contact);
    double last = 0.0;
    for (const std::uint64_t checks : {1U, 10U, 100U, 300U, 1000U, 100'000U}) {
        ImpactOptions options;
        options.max_checks = checks;
        const ImpactResult r = first_impact(a, a, motion.step, options);
        EXPECT_NE(r.verdict, Verdict::Separated);
        EXPECT_LE(r.toi_lower, motion.truth.upper);
        EXPECT_GE(r.toi_lower, last);
        EXPECT_LE(r.checks, checks + 10'000);
        last = r.toi_lower;
    }
    EXPECT_GT(last, 0.0);
}

// With every crossing kept, both ways, the events are those of a search in plain doubles.
class AllScrewImpactsOf : public ::testing::TestWithParam<const char*> {};

TEST_P(AllScrewImpactsOf, AreTheEventsOfTheReferenceEachInItsBracket) {
    const Shapes bodies = shapes(GetParam());
    const RigidBody a(bodies.a);
    const RigidBody b(bodies.b);
    reference::Pair pair(bodies.a, bodies.b);
    std::size_t seen = 0;
    for (std::uint64_t i = 0; i < 6; ++i) {
        SCOPED_TRACE(i);
        const RandomMotion motion = random_motion(pair, bodies, 9, i);
        pair.set(motion.step);
        const std::vector<reference::Event> events = reference::events(pair);
        const AllImpacts all = all_impacts(a, b, motion.step, {}, -1.0);
        EXPECT_TRUE(all.complete);
        ASSERT_EQ(all.collisions.size(), events.size());
        seen += events.size();
        for (const reference::Event& e : events) {
            // Bisection in doubles is good to far less than 1e-9 but for slow crossings.
            EXPECT_TRUE(std::any_of(all.collisions.begin(), all.collisions.end(),
                                    [&](const Contact& c) {
                                        return short_name(c.type) == e.type && c.a == e.a &&
                                               c.b == e.b && c.time_lower - 1e-9 <= e.time &&
                                               e.time <= c.time_upper + 1e-9;
                                    }))
                << e.type << ' ' << e.a << ' ' << e.b << ' ' << e.time;
        }
    }
    EXPECT_GT(seen, 10U);
}
INSTANTIATE_TEST_SUITE_P(Shapes, AllScrewImpactsOf,
                         ::testing::Values("cube", "tetrahedron", "mixed", "car"));

TEST(AllScrewImpacts, BeginWithTheFirstImpactWhichIsProper) {
    const Shapes bodies = shapes("car");
    const RigidBody a(bodies.a);
    const RigidBody b(bodies.b);
    reference::Pair pair(bodies.a, bodies.b);
    for (std::uint64_t i = 1; i < 12; i += 2) {
        const RandomMotion motion = random_motion(pair, bodies, 10, i);
        const ImpactResult first = first_impact(a, b, motion.step);
        ASSERT_EQ(first.verdict, Verdict::Contact);
        const AllImpacts all = all_impacts(a, b, motion.step);
        ASSERT_FALSE(all.collisions.empty()) << i;
        EXPECT_LE(first.toi_lower, all.collisions[0].time_upper);
        EXPECT_GE(first.toi_upper, all.collisions[0].time_lower);
        EXPECT_GE(all.collisions[0].properness, -1e-6);
        EXPECT_NEAR(norm(all.collisions[0].normal), 1.0, 1e-12);
    }
}

TEST(AllScrewImpacts, PlaceNormalAndPropernessOfACornerOnAFace) {
    const RigidBody body = cube();
    // Turned onto a corner: (1, 1, 1) points down.
    const Quaternion on_corner = rotation_about({1.0, 0.0, -1.0}, 2.1862760354652839);
    const AllImpacts all =
        all_impacts(body, body, moving({0.1, 3.0, 0.2}, {0.1, 1.0, 0.2}, on_corner, on_corner));
    ASSERT_TRUE(all.complete);
    ASSERT_FALSE(all.collisions.empty());
    const Contact& c = all.collisions[0];
    EXPECT_EQ(c.type, ContactType::FaceVertex);
    EXPECT_NEAR(c.time, (2.5 - std::sqrt(0.75)) / 2.0, 1e-9);
    EXPECT_NEAR(c.point.x, 0.1, 1e-9);
    EXPECT_NEAR(c.point.y, 0.5, 1e-9);
    EXPECT_NEAR(c.point.z, 0.2, 1e-9);
    EXPECT_NEAR(c.normal.y, 1.0, 1e-12);
    EXPECT_NEAR(c.properness, 1.0 / std::sqrt(3.0), 1e-9);
}

TEST(AllScrewImpacts, WhatCannotBeDecidedIsNotCalledComplete) {
    const RigidBody body = cube();
    EXPECT_FALSE(all_impacts(body, body, moving({3.0, 1.0, 0.0}, {-3.0, 1.0, 0.0})).complete);
    EXPECT_FALSE(all_impacts(body, body, moving({0.0, 3.0, 0.0}, {0.0, 0.5, 0.0})).complete);
    ImpactOptions options;
    options.max_checks = 10;
    EXPECT_FALSE(
        all_impacts(body, body, moving({0.3, 3.0, 0.2}, {0.3, 0.0, 0.2}), options).complete);
    options = {};
    options.min_separation = 0.1;
    EXPECT_FALSE(
        all_impacts(body, body, moving({3.0, 3.0, 3.0}, {3.0, 3.0, 3.0}), options).complete);
    EXPECT_TRUE(all_impacts(body, body, moving({3.0, 3.0, 3.0}, {3.0, 3.0, 3.0})).complete);
}

// A block whose upper face is bent: a ridge at y = 1/4 from the corner (-1, -1) to (1, 1), where the
// two triangles of the face meet, and no edge of the body.
RigidBody bent_block() {
    const std::uint32_t counts[] = {4, 4, 4, 4, 4, 4};
    const std::uint32_t corners[] = {5, 6, 7, 4, 0, 3, 2, 1, 0, 1, 5, 4,
                                     1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
    return RigidBody(*Polyhedron::build({{-1, -1, -1},
                                         {-1, -1, 1},
                                         {1, -1, 1},
                                         {1, -1, -1},
                                         {-1, 0.25, -1},
                                         {-1, 0, 1},
                                         {1, 0.25, 1},
                                         {1, 0, -1}},
                                        counts, corners));
}

// An edge comes down across the ridge, and stops before it meets any edge.
// A triangle whose edge is parallel to the normal of the face that it leaves through: the properness is -1,
// and rounded it may be less.
TEST(AllImpacts, KeepsEveryCrossingAtAPropernessOfMinusOne) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    int below = 0;
    for (int i = 0; i < 100; ++i) {
        const auto unit = [](const Vec3& v) { return (1.0 / std::sqrt(norm_sq(v))) * v; };
        const Vec3 along = unit({normal(random), normal(random), normal(random)});
        const Vec3 x = unit(cross(along, {0.3, 0.5, 0.8}));
        const Vec3 y = cross(along, x);
        const std::vector<Vec3> face{-3.0 * x - 2.0 * y, 3.0 * x - 2.0 * y, 4.0 * y};
        const Vec3 tip = 0.1 * x - 0.4 * along;
        const std::vector<Vec3> blade{tip, tip - along, tip - along + 0.3 * y};
        const std::vector<FaceIndices> one{{0, 1, 2}};
        const auto a = RigidBody::create(blade, one);
        const auto b = RigidBody::create(face, one);
        ASSERT_TRUE(a && b);
        PairStep step{};
        step.a.end.translation = along;
        const AllImpacts kept = all_impacts(*a, *b, step, {}, -1.0);
        const AllImpacts all = all_impacts(*a, *b, step, {}, -2.0);
        EXPECT_EQ(kept.collisions.size(), all.collisions.size()) << i;
        EXPECT_FALSE(kept.collisions.empty()) << i;
        for (const Contact& contact : all.collisions)
            below += contact.properness < -1.0;
    }
    EXPECT_GT(below, 0) << "or the test attacks nothing";
}

TEST(AllScrewImpacts, AreNotCalledCompleteWhereAFaceThatIsBentComesNear) {
    const RigidBody block = bent_block();
    ASSERT_EQ(block.surface().report().bent_faces, 1U);
    EXPECT_TRUE(block.surface().report().is_closed());
    EXPECT_TRUE(block.surface().report().is_oriented());
    const std::uint32_t counts[] = {3, 3, 3, 3};
    const std::uint32_t corners[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    const RigidBody wedge(*Polyhedron::build(
        {{-0.5, 0, 0.5}, {0.5, 0, -0.5}, {0.5, 1, 0.5}, {-0.5, 1, -0.5}}, counts, corners));
    const PairStep step = moving({0x1p-5, 1, 0x1.8p-5}, {0x1p-5, 0x1.ep-3, 0x1.8p-5});
    EXPECT_EQ(first_impact(block, wedge, step).verdict, Verdict::Contact);
    const AllImpacts all = all_impacts(block, wedge, step, {}, -1.0);
    EXPECT_TRUE(all.collisions.empty());
    EXPECT_FALSE(all.complete);
    PairStep back;
    back.a = step.b;
    back.b = step.a;
    EXPECT_FALSE(all_impacts(wedge, block, back, {}, -1.0).complete);
    // Far from it nothing is in doubt.
    EXPECT_TRUE(all_impacts(block, wedge, moving({0, 4, 0}, {0, 3, 0}), {}, -1.0).complete);
}

// The tip of a body that comes down onto the place (x, y) of a face in z = 0, to the height `end`.
struct TipOverFace {
    Vec3 at;
    double end;
    // Of the corner of the tip and the face; at its exact time, where it goes through.
    void judge(const AllImpacts& all) const {
        const double time = 1.0 / (1.0 - end);
        bool is_found = false;
        for (const Contact& c : all.collisions) {
            if (c.type != ContactType::FaceVertex || c.b != 0) continue;
            is_found = true;
            EXPECT_LT(end, 0.0);
            EXPECT_LE(c.time_lower, time * (1.0 + 0x1p-50));
            EXPECT_GE(c.time_upper, time * (1.0 - 0x1p-50));
        }
        EXPECT_TRUE(!all.complete || is_found == (end < 0.0));
    }
};

// A quadrilateral whose first triangle is a sliver, off the plane of the second by a rounding: the
// plane of the sliver is far off at the place where a corner goes through the second.
TEST(AllScrewImpacts, AreInTheirBracketsThoughAPieceBeginsWithASliver) {
    const std::uint32_t counts[] = {4};
    const std::uint32_t corners[] = {0, 1, 2, 3};
    const std::uint32_t counts_b[] = {3, 3, 3, 3};
    const std::uint32_t corners_b[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    const RigidBody tip(*Polyhedron::build(
        {{0, 0, 0}, {-0.125, -0.125, 1}, {0.125, -0.125, 1}, {0, 0.125, 1}}, counts_b, corners_b));
    int complete = 0;
    for (int slim = 2; slim <= 50; slim += 3) {
        for (const double along : {0.5, 0x1p-5, 1.0 - 0x1p-5}) {
            for (const double off : {-0x1p-53, 0x1p-50}) {
                const double height = std::ldexp(std::min(along, 1.0 - along), -slim);
                const RigidBody face(*Polyhedron::build(
                    {{along, -height, off}, {1, 0, 0}, {0.5, 1, 0}, {0, 0, 0}}, counts, corners));
                for (const Vec3& at : {Vec3{0.5, 0.375, 0}, Vec3{0x1p-6, 0x1p-7, 0},
                                       Vec3{1.0 - 0x1p-6, 0x1p-7, 0}}) {
                    for (const double end : {-0.5, -0x1p-24, 0x1p-24, -0x1p-34, 0x1p-34}) {
                        SCOPED_TRACE(::testing::Message() << slim << ' ' << along << ' ' << off
                                                          << ' ' << at.x << ' ' << end);
                        const AllImpacts all = all_impacts(
                            face, tip, moving(at + Vec3{0, 0, 1}, at + Vec3{0, 0, end}), {}, -1.0);
                        TipOverFace{at, end}.judge(all);
                        complete += all.complete ? 1 : 0;
                    }
                }
            }
        }
    }
    EXPECT_GT(complete, 100);
}

// Motions that just collide or just miss, judged by a search that shares no code.
class ScrewImpactAgainstReference : public ::testing::TestWithParam<const char*> {};

TEST_P(ScrewImpactAgainstReference, NeverLateNeverMissedNeverUnfounded) {
    const Shapes bodies = shapes(GetParam());
    const RigidBody a(bodies.a);
    const RigidBody b(bodies.b);
    reference::Pair pair(bodies.a, bodies.b);
    for (std::uint64_t i = 0; i < 20; ++i) {
        const RandomMotion motion = random_motion(pair, bodies, 6, i);
        const ImpactResult r = first_impact(a, b, motion.step);
        SCOPED_TRACE(i);
        if (motion.truth.answer == Verdict::Contact) {
            EXPECT_NE(r.verdict, Verdict::Separated);
            EXPECT_LE(r.toi_lower, motion.truth.upper);
            EXPECT_GE(r.toi_upper, motion.truth.lower);
        } else if (motion.truth.answer == Verdict::Separated) {
            EXPECT_NE(r.verdict, Verdict::Contact);
        }
        EXPECT_NE(r.verdict, Verdict::Unresolved);
    }
}
INSTANTIATE_TEST_SUITE_P(Shapes, ScrewImpactAgainstReference,
                         ::testing::Values("cube", "tetrahedron", "mixed", "car", "comb"));

}  // namespace
}  // namespace graze::rigid
