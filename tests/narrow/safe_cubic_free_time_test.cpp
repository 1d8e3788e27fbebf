// The free time of `safe-cubic` before a contact: never beyond the first contact, positive where the
// start is separated, and near the first contact where that is not degenerate. Against the oracle and
// `certified` on every family, on contacts that are nearly degenerate, and step by step in rationals.
// Defends G-SAFE-7 (docs/GUARANTEES.md).
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "graze/core/rounding.hpp"
#include "graze/generate/families.hpp"
#include "graze/generate/numbered.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/narrow/start_separation.hpp"
#include "graze/verify/exact_check.hpp"
#include "graze/verify/safe_cubic_families.hpp"
#include "narrow/safe_cubic/free_time.hpp"

namespace graze {
namespace {

using generate::Family;
using io::QueryRecord;
using testing::Dice;

constexpr MovingPoint resting(double x, double y, double z) {
    return {{x, y, z}, {x, y, z}};
}

template <class Motion>
CcdResult found_until(const Motion& motion, double t_max) {
    SafeCubicOptions options;
    options.query.t_max = t_max;
    return safe_cubic_ccd(motion, options);
}

// Counts of what was seen, so that no test passes by seeing nothing.
struct Seen {
    int contacts = 0;
    int with_progress = 0;
    int near_first_contact = 0;
};

// [0, toi_lower) is free by `truth`, and there is progress where the start is separated.
template <class Motion>
void expect_free(const Motion& motion, double t_max, const CcdResult& truth, Seen& seen) {
    const CcdResult found = found_until(motion, t_max);
    if (found.verdict != Verdict::Contact) return;
    if (t_max > 0.0) {
        ASSERT_LE(found.toi_lower, t_max);
    }
    const double from_start = free_time_from_start(motion, 0.0);
    ASSERT_EQ(found.toi_lower > 0.0, from_start > 0.0);
    if (truth.verdict != Verdict::Contact) return;
    ASSERT_LE(found.toi_lower, truth.toi_upper);
    ++seen.contacts;
    seen.with_progress += found.toi_lower > 0.0 ? 1 : 0;
    seen.near_first_contact += found.toi_lower >= truth.toi_lower - 1e-6 ? 1 : 0;
}

// The exact bracket is one double wide: a double in [0, e] is at most its lower end.
template <class Motion>
void expect_free_by_oracle(const QueryRecord& record, double t_max, Seen& seen) {
    const Motion motion = io::motion_of<Motion>(record);
    CcdOptions options;
    options.t_max = t_max;
    CcdResult truth = verify::exact_answer({Motion::kKind, record, options});
    truth.toi_upper = truth.toi_lower;
    expect_free(motion, t_max, truth, seen);
}

template <class Motion>
void expect_free_on_all_families(std::uint64_t per_family) {
    Seen seen;
    for (const Family family : generate::kAllFamilies) {
        for (std::uint64_t seed = 0; seed < per_family; ++seed) {
            for (const generate::Placement place :
                 {generate::Placement{}, generate::Placement{.scale = 20},
                  generate::Placement{.scale = -500}, generate::Placement{.shift = 1e6}}) {
                const QueryRecord record = generate::placed(
                    generate::query(family, Motion::kKind, seed), Motion::kKind, place);
                if (!is_finite_motion(io::motion_of<Motion>(record))) continue;
                SCOPED_TRACE(std::string(generate::name(family)) + " " + std::to_string(seed));
                expect_free_by_oracle<Motion>(record, 1.0, seen);
                if (seed % 4 == 0) expect_free_by_oracle<Motion>(record, 0.37, seen);
                if (seed % 8 == 0) expect_free_by_oracle<Motion>(record, 0.0, seen);
            }
        }
    }
    std::printf("%d contacts, %d with progress, %d within 1e-6 of the first contact\n",
                seen.contacts, seen.with_progress, seen.near_first_contact);
    EXPECT_GT(seen.with_progress, 100);
}

TEST(SafeCubicFreeTime, NeverGoesBeyondTheFirstContactOfAVertexAndAFace) {
    expect_free_on_all_families<VertexFaceMotion>(12);
}
TEST(SafeCubicFreeTime, NeverGoesBeyondTheFirstContactOfEdges) {
    expect_free_on_all_families<EdgeEdgeMotion>(12);
}
TEST(SafeCubicFreeTime, NeverGoesBeyondTheFirstContactOfAVertexAndAnEdge) {
    expect_free_on_all_families<VertexEdgeMotion>(24);
}
TEST(SafeCubicFreeTime, NeverGoesBeyondTheFirstContactOfVertices) {
    expect_free_on_all_families<VertexVertexMotion>(24);
}
TEST(SafeCubicFreeTimeAttack, NeverGoesBeyondTheFirstContact) {
    expect_free_on_all_families<VertexFaceMotion>(400);
    expect_free_on_all_families<EdgeEdgeMotion>(400);
    expect_free_on_all_families<VertexEdgeMotion>(400);
    expect_free_on_all_families<VertexVertexMotion>(400);
}

// Contacts by construction at t = 1/2, if not before.
template <class Motion>
void expect_free_before(Motion (*make)(std::uint64_t) noexcept, std::uint64_t count) {
    Seen seen;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        SCOPED_TRACE(seed);
        const Motion motion = make(seed);
        const CcdResult truth = certify(motion);
        ASSERT_LE(truth.toi_lower, 0.5);
        expect_free(motion, 1.0, truth, seen);
    }
    EXPECT_EQ(seen.contacts, static_cast<int>(count));
}

TEST(SafeCubicFreeTime, NeverGoesBeyondDegenerateContacts) {
    expect_free_before(&testing::shrinking_face, 300);
    expect_free_before(&testing::shrinking_edges, 300);
    expect_free_before(&testing::parallel_to_face, 300);
    expect_free_before(&testing::parallel_to_edges, 300);
    expect_free_before(&testing::degenerate_face, 1500);
    expect_free_before(&testing::degenerate_edges, 1500);
}
TEST(SafeCubicFreeTimeAttack, NeverGoesBeyondDegenerateContacts) {
    expect_free_before(&testing::shrinking_face, 20'000);
    expect_free_before(&testing::shrinking_edges, 20'000);
    expect_free_before(&testing::parallel_to_face, 20'000);
    expect_free_before(&testing::parallel_to_edges, 20'000);
    expect_free_before(&testing::degenerate_face, 60'000);
    expect_free_before(&testing::degenerate_edges, 60'000);
}

// A face (an edge) that is nearly flat, nearly without length, or nearly parallel to the path: each
// coordinate of each vertex is scaled by a power of two of its own before the motion begins.
template <class Motion>
Motion nearly_degenerate(std::uint64_t seed) {
    Dice dice(seed);
    std::array<MovingPoint, Motion::kVertices> all;
    const auto size = [&dice] { return std::ldexp(1.0, -static_cast<int>(dice.next() % 54)); };
    const Vec3 scale{1.0, size(), size()};
    const double end_scale = size();
    for (MovingPoint& v : all) {
        const Vec3 p = dice.point_on_grid(50);
        const Vec3 q = dice.point_on_grid(50);
        v.start = {scale.x * p.x, scale.y * p.y, scale.z * p.z};
        v.end = {v.start.x + end_scale * q.x, v.start.y + end_scale * scale.y * q.y,
                 v.start.z + scale.z * q.z};
    }
    return motion_from_vertices<Motion>(all);
}

template <class Motion>
void expect_free_nearly_degenerate(std::uint64_t count) {
    Seen seen;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        SCOPED_TRACE(seed);
        const Motion motion = nearly_degenerate<Motion>(seed);
        expect_free(motion, 1.0, certify(motion), seen);
    }
    std::printf("%d contacts, %d with progress, %d within 1e-6\n", seen.contacts,
                seen.with_progress, seen.near_first_contact);
    EXPECT_GT(seen.with_progress, static_cast<int>(count / 100));
}

TEST(SafeCubicFreeTime, NeverGoesBeyondContactsOfNearlyDegeneratePrimitives) {
    expect_free_nearly_degenerate<VertexFaceMotion>(5'000);
    expect_free_nearly_degenerate<EdgeEdgeMotion>(5'000);
}
TEST(SafeCubicFreeTimeAttack, NeverGoesBeyondContactsOfNearlyDegeneratePrimitives) {
    expect_free_nearly_degenerate<VertexFaceMotion>(2'000'000);
    expect_free_nearly_degenerate<EdgeEdgeMotion>(2'000'000);
}

// --- How near ------------------------------------------------------------------------------------

template <class Motion>
void expect_near_first_contact(double least_fraction) {
    Seen seen;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const Motion motion = testing::random_set_query<Motion>(3, i);
        expect_free(motion, 1.0, certify(motion), seen);
    }
    std::printf("%d of %d within 1e-6 of the first contact\n", seen.near_first_contact,
                seen.contacts);
    EXPECT_GT(seen.contacts, 300);
    EXPECT_GE(seen.near_first_contact, least_fraction * seen.contacts);
}

TEST(SafeCubicFreeTime, ComesNearTheFirstContactOfRandomMotions) {
    expect_near_first_contact<VertexFaceMotion>(0.9);
    expect_near_first_contact<EdgeEdgeMotion>(0.9);
}

// Vertices are coplanar some time before they touch: outside of the face.
TEST(SafeCubicFreeTime, PassesATimeAtWhichTheVertexIsInThePlaneOutsideOfTheFace) {
    int passed = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const auto motion = testing::random_set_query<VertexFaceMotion>(4, i);
        const CcdResult truth = certify(motion);
        if (truth.verdict != Verdict::Contact) continue;
        const safe_cubic::Tolerances tol{.b = safe_cubic_bound(motion).length};
        const safe_cubic::CoplanarTest<QueryKind::VertexFace> test(vertices(motion), {});
        const safe_cubic::Cubic<double> f = test.cubic();
        const auto roots = safe_cubic::cubic_roots(f.a, f.b, f.c, f.d, tol.mu());
        if (roots.values[0] > truth.toi_lower - 0.01) continue;
        ++passed;
        EXPECT_GT(safe_cubic_ccd(motion).toi_lower, truth.toi_lower - 1e-5) << i;
    }
    EXPECT_GT(passed, 20);
}

TEST(SafeCubicFreeTime, IsZeroWhereTheyTouchAtTheStart) {
    const std::array<MovingPoint, 3> face = {resting(-1, -1, 0), resting(1, -1, 0),
                                             resting(0, 1, 0)};
    EXPECT_EQ(safe_cubic_ccd(VertexFaceMotion{{{0, 0, 0}, {0, 0, 1}}, face}).toi_lower, 0.0);
    const MovingPoint here = resting(1, 2, 3);
    EXPECT_EQ(safe_cubic_ccd(VertexFaceMotion{here, {here, here, here}}).toi_lower, 0.0);
}

TEST(SafeCubicFreeTime, IsPositiveForTheSmallestGapThereIs) {
    const std::array<MovingPoint, 3> face = {resting(-1, -1, 0), resting(1, -1, 0),
                                             resting(0, 1, 0)};
    const VertexFaceMotion motion{{{0, 0, 0x1p-1074}, {0, 0, -0x1p-900}}, face};
    const CcdResult found = safe_cubic_ccd(motion);
    EXPECT_GT(found.toi_lower, 0.0);
    EXPECT_LE(found.toi_lower, certify(motion).toi_upper);
}

TEST(SafeCubicFreeTime, IsKnownWhereDifferencesOverflow) {
    const VertexFaceMotion huge{
        {{0, 0, 1e308}, {0, 0, -1e308}},
        {resting(-1e308, -1e308, 0), resting(1e308, -1e308, 0), resting(0, 1e308, 0)}};
    EXPECT_EQ(safe_cubic_ccd(huge).toi_lower, 0.5);
}

// --- One step, in rationals ----------------------------------------------------------------------

// The cubic of the exact motion, F(t), in rationals.
safe_cubic::Cubic<mpq_class> exact_cubic(const VertexFaceMotion& motion) {
    const auto relative = [&](const MovingPoint& p) {
        safe_cubic::LinearMotion<mpq_class> result;
        const auto coordinate = [&](std::size_t k, mpq_class& x, mpq_class& v) {
            x = mpq_class(p.start[k]) - mpq_class(motion.face[0].start[k]);
            v = mpq_class(p.end[k]) - mpq_class(motion.face[0].end[k]) - x;
        };
        coordinate(0, result.x.x, result.v.x);
        coordinate(1, result.x.y, result.v.y);
        coordinate(2, result.x.z, result.v.z);
        return result;
    };
    return safe_cubic::coplanarity(relative(motion.vertex), relative(motion.face[1]),
                                   relative(motion.face[2]));
}

// F keeps its sign at the end of each step of the cubic, and halfway.
TEST(SafeCubicFreeTime, StepsOfTheCubicKeepItsSignInRationals) {
    int steps = 0;
    for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
        const VertexFaceMotion motion = seed % 2 == 0 ? nearly_degenerate<VertexFaceMotion>(seed)
                                                      : testing::degenerate_face(seed);
        const safe_cubic::Frame frame;
        const safe_cubic::CoplanarTest<QueryKind::VertexFace> test(vertices(motion), frame);
        const safe_cubic::Tolerances tol{.b = safe_cubic_bound(motion).length};
        const safe_cubic::Cubic<double> f = test.cubic();
        const safe_cubic::Cubic<mpq_class> exact = exact_cubic(motion);
        for (const double t : {0.0, 0.25, 0.5 - 0x1p-20, 0.625}) {
            const double h = std::min(safe_cubic::cubic_step(f, t, tol), 1.0 - t);
            if (!(h > 0.0)) continue;
            ++steps;
            const mpq_class length = mpq_class(h) * mpq_class(safe_cubic::kStepFraction);
            const int sign = sgn(exact.at(mpq_class(t)));
            ASSERT_NE(sign, 0) << seed;
            ASSERT_EQ(sgn(exact.at(mpq_class(t) + length / 2)), sign) << seed;
            ASSERT_EQ(sgn(exact.at(mpq_class(t) + length)), sign) << seed;
        }
    }
    EXPECT_GT(steps, 4'000);
}

}  // namespace
}  // namespace graze
