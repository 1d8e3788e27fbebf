// A slice of the campaigns of docs/rigid_campaigns.md: random motions that just collide or just
// miss, by every search, against the reference.
// Defends G-RIGID-3, G-RIGID-4, G-RIGID-6 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "graze/verify/rigid_motion_judges.hpp"

namespace graze::rigid {
namespace {

#if defined(GRAZE_SANITIZE_ADDRESS)
constexpr std::uint64_t kShare = 6;
#else
constexpr std::uint64_t kShare = 1;
#endif

constexpr std::uint64_t kSeed = 20250101;

// Nothing missed, invented or late; every time bracketed.
void check_certified(const RigidBody& a, const RigidBody& b, const KnownMotion& motion) {
    const CertifiedJudgement judged = judge(a, b, motion);
    EXPECT_FALSE(judged.missed);
    EXPECT_FALSE(judged.false_alarm);
    EXPECT_FALSE(judged.late);
    EXPECT_FALSE(judged.unfounded);
    EXPECT_FALSE(judged.unresolved);
    EXPECT_FALSE(judged.wrong_start);
    EXPECT_LT(judged.width, 1e-5);
}

// Whatever touches is seen, nothing that stays two pixels apart, and it is not seen too late.
void check_robust(RasterSearch& search, const Shapes& bodies, KnownMotion& motion) {
    RasterOptions options;
    options.robust = true;
    const RasterJudgement judged = judge(search, bodies, motion, options);
    EXPECT_FALSE(judged.refused);
    EXPECT_FALSE(judged.missed) << judged.depth_est / judged.pixel << " pixels deep";
    EXPECT_LT(judged.distance, 2.0 * judged.pixel);
    EXPECT_LT(judged.path_error, judged.pixel);
}

// Only what barely touches is missed, only what nearly touches is invented.
void check_plain(RasterSearch& search, const Shapes& bodies, KnownMotion& motion) {
    const RasterJudgement judged = judge(search, bodies, motion, {});
    EXPECT_FALSE(judged.refused);
    EXPECT_LT(judged.depth_est, judged.pixel);
    EXPECT_LT(judged.distance, judged.pixel);
    EXPECT_LT(std::fabs(judged.path_error), judged.pixel);
}

void check_motions(const std::string& shape, std::uint64_t count,
                   const MotionOptions& options = {}) {
    const Shapes bodies = shapes(shape);
    const RigidBody a(bodies.a);
    const RigidBody b(bodies.b);
    reference::Pair pair(bodies.a, bodies.b);
    RasterSearch search;
    for (std::uint64_t i = 0; i < count / kShare; ++i) {
        SCOPED_TRACE(shape + " " + std::to_string(i));
        const RandomMotion motion = random_motion(pair, bodies, kSeed, i, options);
        ASSERT_NE(motion.truth.answer, Verdict::Unresolved);
        ASSERT_EQ(motion.truth.answer == Verdict::Contact, i % 2 == 1);
        KnownMotion known(pair, motion);
        check_certified(a, b, known);
        check_robust(search, bodies, known);
        check_plain(search, bodies, known);
    }
}

TEST(ScrewMotions, OfSmallBodiesAreJudgedAsTheReferenceDoes) {
    check_motions("cube", 120);
    check_motions("tetrahedron", 120);
    check_motions("mixed", 120);
}

TEST(ScrewMotions, OfCarsAreJudgedAsTheReferenceDoes) {
    check_motions("car", 60);
}

TEST(ScrewMotions, OfCombsInCombsAreJudgedAsTheReferenceDoes) {
    check_motions("comb", 6, {.most_halvings = 7});
}

TEST(ScrewMotions, OfToriAreJudgedAsTheReferenceDoes) {
    check_motions("torus", 8, {.most_halvings = 7});
}

// A vertex that begins below the plane of a face, goes out and comes in again.
TEST(ScrewMotions, LoseNoVertexThatGoesOutAndInAgain) {
    const Shapes bodies = shapes("cube");
    reference::Pair pair(bodies.a, bodies.b);
    RasterSearch search;
    for (const std::uint64_t i : {655U, 959U}) {
        SCOPED_TRACE(i);
        const RandomMotion motion = random_motion(pair, bodies, 1, i);
        ASSERT_EQ(motion.truth.answer, Verdict::Contact);
        const auto found = search.collisions(bodies.a, bodies.b, motion.step);
        ASSERT_TRUE(found.has_value());
        ASSERT_FALSE(found->collisions.empty());
        EXPECT_NEAR(found->collisions.front().time, motion.truth.upper, 1e-6);
    }
}

// In a valley equation 7 is not negative for the normal that points into the body.
TEST(ScrewMotions, MeetNoValleyProperly) {
    const Shapes bodies = shapes("torus");
    const Pose still{{0.9887711, 0.1431358, 0.0, 0.0429407}, {0.0, 0.0, 0.0}};
    const PairStep step{
        {{{0.9433412, -0.10864, -0.2321012, -0.210793}, {0.296875, -2.21875, 1.515625}},
         {{0.9161314, 0.2191822, -0.1770592, -0.2851533}, {-0.234375, 2.21875, -1.578125}}},
        {still, still}};
    const AllImpacts all = all_impacts(RigidBody(bodies.a), RigidBody(bodies.b), step, {}, 0.0);
    const auto raster =
        RasterSearch().collisions(bodies.a, bodies.b, step, {.min_properness = 0.0});
    ASSERT_TRUE(raster.has_value());
    EXPECT_TRUE(all.complete);
    ASSERT_EQ(all.collisions.size(), 3U);
    ASSERT_EQ(raster->collisions.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(all.collisions[i].a, raster->collisions[i].a);
        EXPECT_EQ(all.collisions[i].b, raster->collisions[i].b);
    }
}

// Edges along edges, faces on faces, touches at the very end. Where surfaces touch and do not cross
// the reference cannot tell; nobody may then call a later time free.
TEST(ScrewMotions, OfFeaturesThatMeetExactlyAreJudgedAsTheReferenceDoes) {
    std::uint64_t touches = 0;
    for (const char* shape : {"cube", "tetrahedron", "mixed"}) {
        const Shapes bodies = shapes(shape);
        const RigidBody a(bodies.a);
        const RigidBody b(bodies.b);
        reference::Pair pair(bodies.a, bodies.b);
        RasterSearch search;
        for (std::uint64_t i = 0; i < 150 / kShare; ++i) {
            SCOPED_TRACE(shape + std::string(" ") + std::to_string(i));
            const RandomMotion motion = grid_motion(pair, kSeed, i);
            KnownMotion known(pair, motion);
            const CertifiedJudgement judged = judge(a, b, known);
            const bool touch = motion.truth.answer == Verdict::Unresolved;
            touches += touch;
            EXPECT_FALSE(judged.missed || judged.false_alarm || judged.late || judged.unfounded);
            EXPECT_FALSE(judged.wrong_start || judged.suspicious);
            EXPECT_TRUE(touch || !judged.unresolved);
            check_robust(search, bodies, known);
        }
    }
    EXPECT_GT(touches, 5U / kShare);
}

// Vertices through faces and edges over edges, each by its features and its time.
TEST(ScrewMotions, HaveTheEventsOfTheReferenceAndNoOthers) {
    const Shapes bodies = shapes("mixed");
    const RigidBody a(bodies.a);
    const RigidBody b(bodies.b);
    reference::Pair pair(bodies.a, bodies.b);
    std::size_t events = 0;
    for (std::uint64_t i = 0; i < 60 / kShare; ++i) {
        SCOPED_TRACE(i);
        const RandomMotion motion = random_motion(pair, bodies, kSeed, i);
        const EventsJudgement judged = judge_events(a, b, KnownMotion(pair, motion));
        EXPECT_EQ(judged.missing, 0U);
        EXPECT_EQ(judged.unfounded, 0U);
        EXPECT_TRUE(judged.complete);
        events += judged.events;
    }
    EXPECT_GT(events, 2 * 60 / kShare);
}

// Up to half a turn, where the raster needs its doppel and the enclosures of sine are widest.
TEST(ScrewMotions, OfLargeTurnsAreJudgedAsTheReferenceDoes) {
    check_motions("cube", 80, {.max_angle = 3.1});
    check_motions("car", 20, {.max_angle = 3.1});
}

}  // namespace
}  // namespace graze::rigid
