// Methods with bounds of a scene, a pair or an animation: bounds hold what they are made of, answers
// are those of the options they stand for, and a query that leaves the bounds is answered by its own.
// Defends G-SAFE-5 (docs/GUARANTEES.md).
#include "graze/narrow/query_bounds.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "graze/generate/families.hpp"
#include "graze/generate/numbered.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "graze/verify/safe_cubic_families.hpp"

namespace graze {
namespace {

using testing::random_set_query;

template <class Motion>
std::vector<Motion> random_motions(std::uint64_t seed, std::size_t count, double factor = 1.0) {
    std::vector<Motion> motions;
    for (std::uint64_t i = 0; i < count; ++i)
        motions.push_back(random_set_query<Motion>(seed, i, {factor, 0.1}));
    return motions;
}

template <class Motion>
QueryBounds bounds_around(const std::vector<Motion>& motions,
                          BoundSource source = BoundSource::Scene) {
    BoundsOfQueries all;
    for (const Motion& motion : motions)
        all.add(motion);
    return all.bounds(source);
}

template <class Motion>
void expect_bounds_hold(const std::vector<Motion>& motions) {
    const QueryBounds bounds = bounds_around(motions);
    ASSERT_TRUE(bounds.box);
    const mpq_class relative(bounds.relative_displacement);
    for (const Motion& first : motions) {
        const MovingPoint a = vertices(first)[0];
        for (const Motion& second : motions) {
            for (const MovingPoint& b : vertices(second)) {
                for (std::size_t k = 0; k < 3; ++k) {
                    const mpq_class of_a = mpq_class(a.end[k]) - mpq_class(a.start[k]);
                    const mpq_class of_b = mpq_class(b.end[k]) - mpq_class(b.start[k]);
                    ASSERT_LE(abs(of_a - of_b), relative);
                    ASSERT_LE(bounds.box->lower[k], std::min(b.start[k], b.end[k]));
                    ASSERT_GE(bounds.box->upper[k], std::max(b.start[k], b.end[k]));
                }
            }
        }
    }
}

TEST(QueryBounds, HoldEveryVertexAndEveryRelativeDisplacement) {
    expect_bounds_hold(random_motions<VertexFaceMotion>(1, 60));
    expect_bounds_hold(random_motions<EdgeEdgeMotion>(2, 60, 1e-3));
    expect_bounds_hold(random_motions<VertexVertexMotion>(3, 60));
}

TEST(QueryBounds, HoldEdgesAtBothEndsAndNoOthers) {
    // Sides of the face: 3 at the start, 5 at the end. The vertex is far off.
    const VertexFaceMotion motion{
        {{90, 0, 0}, {90, 0, 0}},
        {{{{0, 0, 0}, {0, 0, 0}}, {{3, 0, 0}, {5, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}}}};
    EXPECT_EQ(bounds_around(std::vector{motion}).longest_edge, 5.0);
    EXPECT_EQ(bounds_around(std::vector{motion}).relative_displacement, 2.0);
    EXPECT_EQ(safe_cubic_pair_bound(motion, 2.0).length, 7.0);
    const VertexVertexMotion points{motion.vertex, motion.face[0]};
    EXPECT_EQ(safe_cubic_pair_bound(points, 2.0).length, 2.0);
}

TEST(QueryBounds, AreInfiniteWhereDifferencesOverflowOrAreNone) {
    BoundsOfQueries all;
    all.add_edge({{1e308, 0, 0}, {}}, {{-1e308, 0, 0}, {}});
    EXPECT_EQ(all.longest_edge(), kInfinity);
    BoundsOfQueries none;
    none.add_edge({{std::nan(""), 0, 0}, {}}, {});
    EXPECT_EQ(none.longest_edge(), kInfinity);
    BoundsOfQueries far;
    far.add(MovingPoint{{1e308, 0, 0}, {-1e308, 0, 0}});
    EXPECT_EQ(far.bounds().relative_displacement, kInfinity);
    EXPECT_EQ(BoundsOfQueries{}.bounds(), QueryBounds{});
}

// Bisection of degenerate contacts takes long.
constexpr CcdOptions kShort{.max_checks = 2'000};

// --- Methods -------------------------------------------------------------------------------------

TEST(BoundedMethod, AnswersAsTheOptionsThatItStandsFor) {
    const auto motions = random_motions<EdgeEdgeMotion>(4, 500);
    const QueryBounds bounds = bounds_around(motions);
    const Method cubic = with_bounds(make_safe_cubic(), bounds);
    const Method tight = with_bounds(make_tight_inclusion(), bounds);
    SafeCubicOptions cubic_options;
    cubic_options.bound = {safe_cubic_bound(motions[0], bounds)};
    TightInclusionOptions tight_options;
    tight_options.scene = bounds.box;
    for (const EdgeEdgeMotion& motion : motions) {
        ASSERT_EQ(run(cubic, motion), safe_cubic_ccd(motion, cubic_options));
        ASSERT_EQ(run(tight, motion), tight_inclusion(motion, tight_options));
    }
}

TEST(BoundedMethod, OfAPairTakesItsEdgesAndTheDisplacementsOfTheScene) {
    const auto motions = random_motions<VertexFaceMotion>(5, 200);
    const QueryBounds bounds = bounds_around(motions, BoundSource::Pair);
    const Method cubic = with_bounds(make_safe_cubic(), bounds);
    const Method tight = with_bounds(make_tight_inclusion(), bounds);
    for (const VertexFaceMotion& motion : motions) {
        SafeCubicOptions options;
        options.bound = safe_cubic_pair_bound(motion, bounds.relative_displacement);
        ASSERT_EQ(run(cubic, motion), safe_cubic_ccd(motion, options));
        ASSERT_EQ(run(tight, motion), run(make_tight_inclusion(), motion));
    }
}

TEST(BoundedMethod, IsTheMethodItselfWhereThereIsNothingToBound) {
    const QueryBounds bounds;
    EXPECT_EQ(with_bounds(make_certified(), bounds).vertex_face.query,
              make_certified().vertex_face.query);
    EXPECT_EQ(with_bounds(make_certified(), bounds).context, nullptr);
}

// Declared for queries that are a thousand times smaller: nothing of them holds.
template <class Motion>
void expect_contacts_beyond_the_bounds(Motion (*make)(std::uint64_t) noexcept) {
    const QueryBounds bounds = bounds_around(random_motions<Motion>(6, 50, 1e-3));
    const Method cubic = with_bounds(make_safe_cubic(), bounds);
    const Method tight = with_bounds(make_tight_inclusion(), bounds);
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Motion motion = make(seed);
        ASSERT_EQ(run(cubic, motion).verdict, Verdict::Contact) << seed;
        if (seed % 16 == 0) {
            ASSERT_NE(run(tight, motion, kShort).verdict, Verdict::Separated) << seed;
        }
    }
}

TEST(BoundedMethod, NeverMissesAContactThatLeavesTheBounds) {
    expect_contacts_beyond_the_bounds(&testing::degenerate_face);
    expect_contacts_beyond_the_bounds(&testing::degenerate_edges);
    expect_contacts_beyond_the_bounds(&testing::shrinking_face);
    expect_contacts_beyond_the_bounds(&testing::parallel_to_edges);
}

TEST(BoundedMethod, NeverMissesAContactOfAnyFamilyWithinTheBounds) {
    int contacts = 0;
    for (const generate::Family family : generate::kAllFamilies) {
        std::vector<VertexFaceMotion> motions;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const auto motion = io::motion_of<VertexFaceMotion>(
                generate::query(family, QueryKind::VertexFace, seed));
            if (is_finite_motion(motion)) motions.push_back(motion);
        }
        const QueryBounds scene = bounds_around(motions);
        const QueryBounds pair = bounds_around(motions, BoundSource::Pair);
        for (const VertexFaceMotion& motion : motions) {
            const CcdResult truth = certify(motion);
            if (truth.verdict != Verdict::Contact) continue;
            ++contacts;
            for (const QueryBounds& bounds : {scene, pair}) {
                for (const Method& plain : {make_safe_cubic(), make_tight_inclusion()}) {
                    const CcdResult found = run(with_bounds(plain, bounds), motion, kShort);
                    ASSERT_EQ(found.verdict, Verdict::Contact);
                    ASSERT_LE(found.toi_lower, truth.toi_upper);
                }
            }
        }
    }
    EXPECT_GT(contacts, 100);
}

TEST(BoundedMethod, CallsMoreNearMissesContactsTheLargerTheBound) {
    const auto motions = random_motions<EdgeEdgeMotion>(7, 4'000);
    QueryBounds wide = bounds_around(motions);
    wide.longest_edge = 40.0;
    const Method scene = with_bounds(make_safe_cubic(), wide);
    int by_query = 0;
    int by_scene = 0;
    for (const EdgeEdgeMotion& motion : motions) {
        by_query += run(make_safe_cubic(), motion).verdict == Verdict::Contact ? 1 : 0;
        by_scene += run(scene, motion).verdict == Verdict::Contact ? 1 : 0;
    }
    EXPECT_GT(by_scene, by_query);
}

}  // namespace
}  // namespace graze
