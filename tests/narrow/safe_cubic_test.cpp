// `safe-cubic` and the tests below it: against `certified` and the oracle on every family, against
// exact contacts that are as degenerate as can be, and with its constants attacked one by one.
// Defends G-SAFE-1, G-SAFE-2, G-SAFE-5, G-SAFE-6 (docs/GUARANTEES.md).
#include "graze/narrow/safe_cubic.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "graze/generate/families.hpp"
#include "graze/generate/numbered.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/verify/exact_check.hpp"
#include "graze/verify/safe_cubic_families.hpp"
#include "narrow/safe_cubic/coplanar_test.hpp"

namespace graze {
namespace {

using generate::Family;
using io::QueryRecord;
using testing::Dice;

template <class Motion>
QueryRecord record_of(const Motion& motion) {
    QueryRecord record;
    const auto all = vertices(motion);
    std::copy(all.begin(), all.end(), record.corners.begin());
    return record;
}

template <class Motion>
bool really_touches(const Motion& motion) {
    return verify::exact_answer({Motion::kKind, record_of(motion), {}}).verdict == Verdict::Contact;
}
template <class Motion>
bool is_found(const Motion& motion, const SafeCubicOptions& options = {}) {
    return safe_cubic_ccd(motion, options).verdict == Verdict::Contact;
}

constexpr MovingPoint at_rest(double x, double y, double z) {
    return {{x, y, z}, {x, y, z}};
}

// Every kind at once: check(motion) for each family, at home, large, small and far out.
template <class Motion, class Check>
void for_each_placed(std::uint64_t per_family, const Check& check) {
    for (const Family family : generate::kAllFamilies) {
        for (std::uint64_t seed = 0; seed < per_family; ++seed) {
            for (const generate::Placement place :
                 {generate::Placement{}, generate::Placement{.scale = 20},
                  generate::Placement{.scale = -20}, generate::Placement{.shift = 1e6}}) {
                const QueryRecord record = generate::placed(
                    generate::query(family, Motion::kKind, seed), Motion::kKind, place);
                const Motion motion = io::motion_of<Motion>(record);
                SCOPED_TRACE(std::string(generate::name(family)) + " " + std::to_string(seed));
                if (is_finite_motion(motion)) check(motion);
            }
        }
    }
}

// --- The whole method ----------------------------------------------------------------------------

// Separated must be true. Contact must be near: certify() must not prove a larger distance than the
// tolerance, which must not exceed the bound of the paper.
template <class Motion>
void expect_sound_answers(double factor) {
    int contacts = 0;
    int false_positives = 0;
    for_each_placed<Motion>(150, [&](const Motion& motion) {
        const CcdResult found = safe_cubic_ccd(motion);
        const bool touches = certify(motion).verdict == Verdict::Contact;
        contacts += touches ? 1 : 0;
        ASSERT_NE(found.verdict, Verdict::Unresolved);
        if (touches) {
            ASSERT_EQ(found.verdict, Verdict::Contact);
        }
        if (found.verdict != Verdict::Contact) return;
        EXPECT_LE(found.tolerance, factor * safe_cubic_bound(motion).length * (1.0 + 0x1p-50));
        if (touches || found.tolerance == kInfinity || found.tolerance == 0.0) return;
        ++false_positives;
        const CcdOptions at_bound{.min_separation = found.tolerance,
                                  .distance_tolerance = 0.125 * found.tolerance};
        EXPECT_NE(certify(motion, at_bound).verdict, Verdict::Separated);
    });
    std::printf("%d contacts, %d false positives\n", contacts, false_positives);
    EXPECT_GT(contacts, 500);
    EXPECT_GT(false_positives, 10);
}

TEST(SafeCubic, NeverMissesAVertexOnAFaceAndIsNeverFarOff) {
    expect_sound_answers<VertexFaceMotion>(41.0 * 0x1p-13);
}
TEST(SafeCubic, NeverMissesEdgesThatTouchAndIsNeverFarOff) {
    expect_sound_answers<EdgeEdgeMotion>(41.0 * 0x1p-13);
}
TEST(SafeCubic, NeverMissesAVertexOnAnEdgeAndIsNeverFarOff) {
    expect_sound_answers<VertexEdgeMotion>(28.0 * 0x1p-13);
}
TEST(SafeCubic, NeverMissesVerticesThatMeetAndIsNeverFarOff) {
    expect_sound_answers<VertexVertexMotion>(25.0 * 0x1p-26);
}

// --- Where the basic test fails ------------------------------------------------------------------

template <class Motion>
void expect_only_the_basic_test_misses(Motion (*make)(std::uint64_t) noexcept, int least_missed) {
    int missed = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Motion motion = make(seed);
        SCOPED_TRACE(seed);
        if (seed < 50) {
            ASSERT_TRUE(really_touches(motion));
        }
        ASSERT_EQ(certify(motion).verdict, Verdict::Contact);
        ASSERT_TRUE(is_found(motion));
        missed += cubic_ccd(motion).verdict == Verdict::Separated ? 1 : 0;
    }
    std::printf("missed by the basic test: %d of 1000\n", missed);
    EXPECT_GE(missed, least_missed);
}

TEST(SafeCubic, FindsContactsInAShrinkingTriangleThatTheBasicTestMisses) {
    expect_only_the_basic_test_misses(&testing::shrinking_face, 300);
}
TEST(SafeCubic, FindsContactsOfShrinkingEdgesThatTheBasicTestMisses) {
    expect_only_the_basic_test_misses(&testing::shrinking_edges, 300);
}
TEST(SafeCubic, FindsContactsOfAVertexThatMovesParallelToTheFaceThatTheBasicTestMisses) {
    expect_only_the_basic_test_misses(&testing::parallel_to_face, 100);
}
TEST(SafeCubic, FindsContactsOfEdgesThatMoveInTheirPlaneThatTheBasicTestMisses) {
    expect_only_the_basic_test_misses(&testing::parallel_to_edges, 30);
}

// Contacts by construction, with all culling, without, and with half of the step beyond the contact
// cut off: t_max = 1/2 is the moment of contact.
template <class Motion>
void expect_finds_degenerate_contacts(Motion (*make)(std::uint64_t) noexcept) {
    int by_vertex_edge = 0;
    int basic_misses = 0;
    for (std::uint64_t seed = 0; seed < 60'000; ++seed) {
        const Motion motion = make(seed);
        SCOPED_TRACE(seed);
        if (seed % 256 == 0) {
            ASSERT_TRUE(really_touches(motion));
        }
        const SafeCubicReport report = safe_cubic_report(motion);
        ASSERT_EQ(report.result.verdict, Verdict::Contact);
        by_vertex_edge += report.counters.vertex_edge_tests > 0 ? 1 : 0;
        basic_misses += cubic_ccd(motion).verdict == Verdict::Separated ? 1 : 0;
        SafeCubicOptions options;
        options.query.t_max = 0.5;
        ASSERT_TRUE(is_found(motion, options));
        options.query.t_max = 1.0;
        options.plane_culling = false;
        options.vertex_edge_culling = false;
        ASSERT_TRUE(is_found(motion, options));
    }
    std::printf("%d by vertex-edge tests, %d missed by the basic test\n", by_vertex_edge,
                basic_misses);
    EXPECT_GT(by_vertex_edge, 5'000);
    EXPECT_GT(basic_misses, 1'000);
}

TEST(SafeCubic, FindsEveryDegenerateContactOfVertexAndFace) {
    expect_finds_degenerate_contacts(&testing::degenerate_face);
}
TEST(SafeCubic, FindsEveryDegenerateContactOfEdges) {
    expect_finds_degenerate_contacts(&testing::degenerate_edges);
}

// A face that turns inside out through a point has a cubic that vanishes there, and weights that
// are zero or noise: area and height keep it from being called a contact of a vertex high above.
// Here the face stays in the plane z = x, and the vertex is 0.14 off it, seven times the tolerance.
TEST(SafeCubic, DoesNotCallAFaceThatCollapsesAContactOfAVertexAboveIt) {
    Dice dice(11);
    SafeCubicOptions options;
    options.plane_culling = false;
    int looked_at = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto turning = [&dice] {
            const double x = dice.on_grid(50);
            const Vec3 start{x, dice.on_grid(50), x};
            return MovingPoint{start, -start};
        };
        const MovingPoint a = turning();
        const MovingPoint b = turning();
        const VertexFaceMotion motion{at_rest(-0.1, 0, 0.1), {a, b, turning()}};
        const SafeCubicReport report = safe_cubic_report(motion, options);
        looked_at += report.counters.roots > 0 ? 1 : 0;
        ASSERT_EQ(report.result.verdict, Verdict::Separated) << i;
    }
    EXPECT_GT(looked_at, 10'000);
}

// --- Special input -------------------------------------------------------------------------------

TEST(SafeCubic, AnswersContactWhereDifferencesOverflow) {
    const VertexFaceMotion huge{
        {{0, 0, 1e308}, {0, 0, -1e308}},
        {at_rest(-1e308, -1e308, 0), at_rest(1e308, -1e308, 0), at_rest(0, 1e308, 0)}};
    EXPECT_EQ(certify(huge).verdict, Verdict::Contact);
    EXPECT_EQ(safe_cubic_ccd(huge).verdict, Verdict::Contact);
    EXPECT_EQ(safe_cubic_ccd(huge).tolerance, kInfinity);
    // Near, but not over: the verdict is a decision.
    VertexFaceMotion large = huge;
    large.vertex = {{0, 0, 8e307}, {0, 0, 8e306}};
    large.face = {at_rest(-4e307, -4e307, 0), at_rest(4e307, -4e307, 0), at_rest(0, 4e307, 4e307)};
    EXPECT_EQ(safe_cubic_ccd(large).verdict, certify(large).verdict);
}

TEST(SafeCubic, TellsSubnormalQueriesApart) {
    const double tiny = 0x1p-1074;
    const auto query = [tiny](double height) {
        return VertexFaceMotion{
            {{0, 0, 1000 * height * tiny}, {0, 0, 500 * height * tiny}},
            {at_rest(-900 * tiny, -900 * tiny, 0), at_rest(900 * tiny, -900 * tiny, 0),
             at_rest(0, 900 * tiny, 2 * 500 * tiny)}};
    };
    EXPECT_EQ(certify(query(1.0)).verdict, Verdict::Contact);
    EXPECT_EQ(safe_cubic_ccd(query(1.0)).verdict, Verdict::Contact);
    EXPECT_EQ(certify(query(2.0)).verdict, Verdict::Separated);
    EXPECT_EQ(safe_cubic_ccd(query(2.0)).verdict, Verdict::Separated);
}

TEST(SafeCubic, FindsCornersInOnePlaceAndPrimitivesThatAreNone) {
    const MovingPoint here{{1, 2, 3}, {4, 5, 6}};
    const VertexFaceMotion all_one{here, {here, here, here}};
    EXPECT_EQ(safe_cubic_ccd(all_one).verdict, Verdict::Contact);
    EXPECT_EQ(safe_cubic_ccd(all_one).tolerance, 0.0);
    EXPECT_TRUE(is_found(EdgeEdgeMotion{{here, here}, {here, here}}));
    EXPECT_TRUE(is_found(VertexVertexMotion{here, here}));
    // A face without area, an edge without length, in the way of what moves.
    const MovingPoint passing{{-1, 0, 0}, {1, 0, 0}};
    const MovingPoint point = at_rest(0, 0, 0);
    EXPECT_TRUE(is_found(VertexFaceMotion{passing, {point, point, point}}));
    EXPECT_TRUE(is_found(VertexFaceMotion{passing, {at_rest(0, -1, 0), point, at_rest(0, 1, 0)}}));
    EXPECT_TRUE(is_found(EdgeEdgeMotion{{passing, passing}, {point, point}}));
    EXPECT_TRUE(is_found(VertexEdgeMotion{passing, {point, point}}));
    // The same, a hundredth of B aside: certainly apart.
    const MovingPoint aside{{-1, 0, 0.02}, {1, 0, 0.02}};
    EXPECT_FALSE(is_found(VertexEdgeMotion{aside, {point, at_rest(0, 1, 0)}}));
    EXPECT_FALSE(is_found(VertexVertexMotion{aside, point}));
}

TEST(SafeCubic, AnswersAtTheEndsOfTheStepAndNotBeyond) {
    const std::array<MovingPoint, 3> face = {at_rest(-1, -1, 0), at_rest(1, -1, 0),
                                             at_rest(0, 1, 0)};
    const auto from_to = [&face](double start, double end) {
        return VertexFaceMotion{{{0, 0, start}, {0, 0, end}}, face};
    };
    EXPECT_TRUE(is_found(from_to(1, 0)));
    EXPECT_TRUE(is_found(from_to(0, 1)));
    EXPECT_TRUE(is_found(from_to(0, 0)));
    EXPECT_FALSE(is_found(from_to(1, 0.01)));
    SafeCubicOptions half;
    half.query.t_max = 0.5;
    EXPECT_TRUE(is_found(from_to(1, -1), half));
    EXPECT_FALSE(is_found(from_to(1, -0.9), half));
    half.query.t_max = 0.0;
    EXPECT_TRUE(is_found(from_to(0, 1), half));
    EXPECT_FALSE(is_found(from_to(1, -1), half));
}

// Some of these are looked at as they are, others scaled first.
TEST(SafeCubic, AnswersTheSameAtEveryScale) {
    int contacts = 0;
    for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
        const EdgeEdgeMotion motion = seed % 2 == 0
                                          ? testing::degenerate_edges(seed)
                                          : testing::random_set_query<EdgeEdgeMotion>(5, seed);
        const CcdResult found = safe_cubic_ccd(motion);
        contacts += found.verdict == Verdict::Contact ? 1 : 0;
        for (const int exponent : {-900, -66, -60, 60, 66, 900}) {
            const QueryRecord scaled =
                generate::placed(record_of(motion), QueryKind::EdgeEdge, {.scale = exponent});
            CcdResult expected = found;
            expected.tolerance = std::ldexp(found.tolerance, exponent);
            ASSERT_EQ(safe_cubic_ccd(io::motion_of<EdgeEdgeMotion>(scaled)), expected)
                << seed << ' ' << exponent;
        }
    }
    EXPECT_GT(contacts, 1'500);
}

TEST(SafeCubic, IsUnresolvedForWhatItDoesNotHonour) {
    const VertexFaceMotion motion = testing::random_set_query<VertexFaceMotion>(1, 1);
    SafeCubicOptions separation;
    separation.query.min_separation = 0.1;
    EXPECT_EQ(safe_cubic_ccd(motion, separation), CcdResult{});
    VertexFaceMotion bad = motion;
    bad.face[1].end.y = std::nan("");
    EXPECT_EQ(safe_cubic_ccd(bad), CcdResult{});
    EXPECT_EQ(safe_cubic_report(bad).result, CcdResult{});
    EXPECT_EQ(cubic_ccd(bad), CcdResult{});
}

TEST(SafeCubic, CullsVertexEdgeTestsWithoutLosingOrAddingButNearMisses) {
    std::uint64_t spared = 0;
    std::uint64_t made = 0;
    int near_misses = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const auto motion = testing::random_set_query<EdgeEdgeMotion>(7, i);
        const SafeCubicReport with = safe_cubic_report(motion);
        SafeCubicOptions options;
        options.vertex_edge_culling = false;
        const SafeCubicReport without = safe_cubic_report(motion, options);
        EXPECT_LE(without.counters.vertex_edge_tests, 4U);
        EXPECT_LE(without.counters.candidates, 4U * (2 + 6 + 6 + 24));
        spared += with.counters.vertex_edge_spared;
        made += without.counters.vertex_edge_tests > 0 ? 1 : 0;
        if (with.result.verdict == without.result.verdict) continue;
        ++near_misses;
        EXPECT_EQ(without.result.verdict, Verdict::Contact);
        EXPECT_EQ(certify(motion).verdict, Verdict::Separated);
    }
    std::printf("%lu of %lu spared, %d near misses less\n", spared, made, near_misses);
    EXPECT_GT(made, 1'000U);
    EXPECT_GT(static_cast<double>(spared), 0.999 * static_cast<double>(made));
}

// --- B -------------------------------------------------------------------------------------------

TEST(SafeCubicBound, CoversEveryDifferenceAtBothEndsAndOfVelocities) {
    for_each_placed<EdgeEdgeMotion>(40, [](const EdgeEdgeMotion& motion) {
        const mpq_class bound(
            safe_cubic_bound(motion).length < kInfinity ? safe_cubic_bound(motion).length : 0.0);
        if (bound == 0) return;
        const auto c = vertices(motion);
        for (const MovingPoint& a : c) {
            for (const MovingPoint& b : c) {
                for (std::size_t k = 0; k < 3; ++k) {
                    const mpq_class start = mpq_class(a.start[k]) - mpq_class(b.start[k]);
                    const mpq_class end = mpq_class(a.end[k]) - mpq_class(b.end[k]);
                    EXPECT_LE(abs(start), bound);
                    EXPECT_LE(abs(end), bound);
                    EXPECT_LE(abs(end - start), bound);
                }
            }
        }
    });
}

TEST(SafeCubicBound, OfASceneIsEdgesPlusTheSmallerRelativeMotion) {
    EXPECT_EQ(safe_cubic_scene_bound(1.0, 0.25).length, 1.5);
    // Rounded up: 1 + 2^-60 is no double.
    EXPECT_GT(safe_cubic_scene_bound(1.0, 0x1p-61).length, 1.0);
    const MovingBox box{{0, 0, 0}, {1, 1, 2}, {100, 0, 0}, {101, 1, 1}};
    EXPECT_EQ(relative_displacement_upper(box), 3.0);
    EXPECT_EQ(safe_cubic_scene_bound(1.0, 100.0, box).length, 4.0);
    EXPECT_EQ(safe_cubic_scene_bound(1.0, 0.25, box).length, 1.5);
    EXPECT_EQ(safe_cubic_scene_bound(std::nan(""), 1.0).length, kInfinity);
    EXPECT_EQ(safe_cubic_scene_bound(-1.0, 1.0).length, kInfinity);
    EXPECT_EQ(relative_displacement_upper({{1, 0, 0}, {0, 1, 1}, {}, {}}), kInfinity);
}

TEST(SafeCubicBound, ThatIsGivenWidensTheTolerancesButNeverNarrowsThem) {
    // The boxes overlap, and the vertex passes the edge in a distance of 0.096.
    const VertexEdgeMotion near{{{0.5, 0.25, -1}, {0.5, 0.25, 1}},
                                {at_rest(0, 0, 0), at_rest(1, 0.3, 0)}};
    EXPECT_FALSE(is_found(near));
    SafeCubicOptions options;
    options.bound = {100.0};
    EXPECT_TRUE(is_found(near, options));
    EXPECT_GT(safe_cubic_ccd(near, options).tolerance, 0.096);
    options.bound = {1e-300};
    EXPECT_FALSE(is_found(near, options));
    for (std::uint64_t seed = 0; seed < 2000; ++seed)
        ASSERT_TRUE(is_found(testing::degenerate_face(seed), options));
    options.bound = {std::nan("")};
    EXPECT_FALSE(is_found(near, options));
    options.bound = {kInfinity};
    EXPECT_TRUE(is_found(near, options));
}

}  // namespace
}  // namespace graze
