// Defends G-PARITY-1 (docs/GUARANTEES.md).
#include "graze/baselines/root_parity_exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "baselines/parity_truth.hpp"
#include "baselines/probes.hpp"
#include "baselines/root_parity/exact_parity.hpp"
#include "baselines/root_parity/origin_in_plane.hpp"

namespace graze {
namespace {

using generate::Family;
using parity::Parity;

template <class Motion>
bool is_exact_contact(const Motion& motion, const CcdOptions& options = {},
                      const RootParityOptions& own = {}) {
    const CcdResult result = root_parity_exact(motion, options, own);
    EXPECT_NE(result.verdict, Verdict::Unresolved);
    return result.verdict == Verdict::Contact;
}

// --- The probes

TEST(RootParityExactProbes, EverySingleContactIsFoundTheHourglassIncluded) {
    EXPECT_TRUE(is_exact_contact(testing::kProbe1));
    EXPECT_TRUE(is_exact_contact(testing::kProbe3));
    EXPECT_TRUE(is_exact_contact(testing::kProbe5));
    EXPECT_TRUE(is_exact_contact(testing::kProbe5Oblique));
    EXPECT_TRUE(is_exact_contact(testing::kProbe6));
    EXPECT_TRUE(is_exact_contact(testing::kProbe11));
}

TEST(RootParityExactProbes, NoMissIsCalledContact) {
    EXPECT_FALSE(is_exact_contact(testing::kProbe2));
    EXPECT_FALSE(is_exact_contact(testing::kProbe4));
    EXPECT_FALSE(is_exact_contact(testing::kProbe7));
    EXPECT_FALSE(is_exact_contact(testing::descent_probe(.05)));
    EXPECT_FALSE(is_exact_contact(testing::descent_probe(0x1p-1074)));
    for (const double e : {0x1p-1074, 1e-300, 1e-8, 4e-5})
        EXPECT_FALSE(is_exact_contact(testing::passing_probe(e))) << e;
    EXPECT_TRUE(is_exact_contact(testing::passing_probe(0.0)));
}

// The method's own failure: two contacts, an even number, are none.
TEST(RootParityExactProbes, TwoContactsAreMissedUnlessTheStepEndsBetweenThem) {
    EXPECT_EQ(testing::contact_times(testing::kProbe9), 2);
    EXPECT_FALSE(is_exact_contact(testing::kProbe9));
    EXPECT_TRUE(is_exact_contact(testing::kProbe9, {.t_max = 0.2}));
    EXPECT_FALSE(is_exact_contact(testing::kProbe9, {.t_max = 0.05}));
}

// What the code of the study does, and what its false negatives in the n-body scenes are.
TEST(RootParityExactProbes, TheStudysShortcutMissesContactAtRest) {
    const RootParityOptions study{.rest_is_separated = true};
    EXPECT_FALSE(is_exact_contact(testing::kProbe6, {}, study));
    VertexFaceMotion carried = testing::kProbe6;
    for (MovingPoint* p : {&carried.vertex, &carried.face[0], &carried.face[1], &carried.face[2]})
        p->end = p->start + Vec3{1, 2, 4};
    EXPECT_TRUE(is_exact_contact(carried));
    EXPECT_FALSE(is_exact_contact(carried, {}, study));
    EXPECT_TRUE(is_exact_contact(testing::kProbe11, {}, study));
}

TEST(RootParityExact, TheEndOfTheStepBelongsToIt) {
    EXPECT_TRUE(is_exact_contact(testing::kProbe11, {.t_max = 0.5}));
    EXPECT_FALSE(is_exact_contact(testing::kProbe11, {.t_max = 0x1.fffffffffffffp-2}));
    EXPECT_TRUE(is_exact_contact(testing::kProbe6, {.t_max = 0.0}));
    EXPECT_FALSE(is_exact_contact(testing::kProbe11, {.t_max = 0x1p-1074}));
}

// --- Against the oracle

TEST(RootParityExact, KnowsWhetherAContactIsOnTheBoundaryOfTheDomain) {
    int on = 0;
    int off = 0;
    testing::for_each_motion(500, 100, [&](const auto& motion, Family) {
        const bool expected = testing::touches_on_boundary(motion);
        EXPECT_EQ(parity::exact_parity(motion, 1.0) == Parity::OnImage, expected);
        (expected ? on : off) += 1;
    });
    EXPECT_GT(on, 600);
    EXPECT_GT(off, 600);
}

// On ordinary motion every root is simple, so that the number of times is the number of roots.
TEST(RootParityExact, IsOddWhereTheNumberOfContactsIs) {
    std::array<int, 4> seen{};
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const auto check = [&](const auto& motion) {
            const Parity found = parity::exact_parity(motion, 1.0);
            if (found == Parity::OnImage) return;
            const int times = testing::contact_times(motion);
            EXPECT_EQ(found == Parity::Odd, times % 2 == 1) << seed;
            seen[static_cast<std::size_t>(std::min(times, 3))] += 1;
        };
        check(io::motion_of<VertexFaceMotion>(
            generate::query(Family::Ordinary, QueryKind::VertexFace, seed)));
        check(io::motion_of<EdgeEdgeMotion>(
            generate::query(Family::Ordinary, QueryKind::EdgeEdge, seed)));
    }
    EXPECT_GT(seen[0], 500);
    EXPECT_GT(seen[1], 500);
    EXPECT_GT(seen[2], 10);
}

template <class Motion, class Change>
Motion changed(const Motion& motion, const Change& change) {
    auto c = vertices(motion);
    for (MovingPoint& p : c)
        p = change(p);
    return motion_from_vertices<Motion>(c);
}

// The number of roots knows nothing of axes, signs and the direction of time, but the one ray does.
TEST(RootParityExact, AnyRayGivesTheSameParity) {
    int odd = 0;
    testing::for_each_motion(9000, 120, [&]<class Motion>(const Motion& motion, Family) {
        const Parity expected = parity::exact_parity(motion, 1.0);
        odd += expected == Parity::Odd ? 1 : 0;
        const auto expect_same = [&](const auto& change) {
            EXPECT_EQ(parity::exact_parity(changed(motion, change), 1.0), expected);
        };
        const auto turn = [](const Vec3& p) { return Vec3{p.y, p.z, p.x}; };
        const auto mirror = [](const Vec3& p) { return Vec3{-p.x, p.z, -p.y}; };
        expect_same([&](const MovingPoint& p) { return MovingPoint{turn(p.start), turn(p.end)}; });
        expect_same([&](const MovingPoint& p) {
            return MovingPoint{mirror(p.start), mirror(p.end)};
        });
        expect_same([&](const MovingPoint& p) { return MovingPoint{p.end, p.start}; });
        auto c = vertices(motion);
        std::swap(c[2], c[3]);
        EXPECT_EQ(parity::exact_parity(motion_from_vertices<Motion>(c), 1.0), expected);
    });
    EXPECT_GT(odd, 100);
}

// --- The origin in the plane of a patch or a triangle

parity::Point point(const Vec3& p) {
    parity::Point result;
    for (std::size_t axis = 0; axis < 3; ++axis)
        result.x[axis] = parity::Coordinate(static_cast<std::int64_t>(p[axis]));
    return result;
}

// Points with small integer coordinates in a plane (or on a line) through the origin.
class PlanePoints {
public:
    explicit PlanePoints(std::uint64_t seed) : rng_(seed) { axes_ = {vector(2), vector(2)}; }
    Vec3 next() {
        const double s = small_(rng_);
        const double t = small_(rng_);
        return s * axes_[0] + t * axes_[1];
    }

private:
    std::mt19937_64 rng_;
    std::uniform_int_distribution<int> small_{-3, 3};
    std::array<Vec3, 2> axes_;

    Vec3 vector(int most) {
        std::uniform_int_distribution<int> coordinate(-most, most);
        const double x = coordinate(rng_);
        const double y = coordinate(rng_);
        return {x, y, static_cast<double>(coordinate(rng_))};
    }
};

// A patch is swept by a segment, and the origin is on it iff that segment touches a resting point.
TEST(OriginInPlane, IsOnAFlatPatchIffAMovingEdgeMeetsIt) {
    std::array<int, 2> seen{};
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        PlanePoints points(seed);
        const std::array<Vec3, 4> q = {points.next(), points.next(), points.next(), points.next()};
        const bool expected = testing::touches(VertexEdgeMotion{
            testing::stays({0, 0, 0}), {MovingPoint{q[0], q[1]}, MovingPoint{q[2], q[3]}}});
        EXPECT_EQ(parity::flat_patch_holds_origin({point(q[0]), point(q[1]), point(q[2]),  //
                                                   point(q[3])}),
                  expected)
            << seed;
        seen[expected ? 1 : 0] += 1;
    }
    EXPECT_GT(seen[0], 1000);
    EXPECT_GT(seen[1], 1000);
}

TEST(OriginInPlane, IsOnATriangleIffARestingVertexTouchesIt) {
    std::array<int, 2> seen{};
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        PlanePoints points(seed);
        const Vec3 a = points.next();
        const Vec3 b = points.next();
        const Vec3 c = points.next();
        const bool expected = testing::touches(VertexFaceMotion{
            testing::stays({0, 0, 0}), {testing::stays(a), testing::stays(b), testing::stays(c)}});
        EXPECT_EQ(parity::triangle_holds_origin(point(a), point(b), point(c)), expected) << seed;
        seen[expected ? 1 : 0] += 1;
    }
    EXPECT_GT(seen[0], 1000);
    EXPECT_GT(seen[1], 1000);
}

// Sizes: the largest coordinates and the finest times that there are must fit.
TEST(RootParityExact, AnswersTheLargestAndTheSmallestNumbersAtTheFinestTime) {
    constexpr double kMost = std::numeric_limits<double>::max();
    const VertexFaceMotion wide{
        {{0x1p-1074, 0x1p-1074, kMost}, {0x1p-1074, 0x1p-1074, -kMost}},
        {testing::stays({-kMost, -kMost, 0x1p-1074}), testing::stays({kMost, -kMost, 0x1p-1074}),
         testing::stays({0, kMost, 0x1p-1074})}};
    EXPECT_TRUE(is_exact_contact(wide));
    EXPECT_FALSE(is_exact_contact(wide, {.t_max = 0x1p-1074}));
    EXPECT_TRUE(is_exact_contact(wide, {.t_max = 0.5000000000000001}));
    const EdgeEdgeMotion flat{
        {testing::stays({-kMost, 0x1p-1074, 0}), testing::stays({kMost, 0, 0})},
        {MovingPoint{{0x1p-1074, kMost, 0}, {0, -kMost, 0}},
         MovingPoint{{0x1p-1074, kMost, 0}, {0x1p-1074, -kMost, 0}}}};
    EXPECT_EQ(is_exact_contact(flat), testing::touches(flat));
    EXPECT_FALSE(is_exact_contact(flat, {.t_max = 0x1p-1074}));
}

}  // namespace
}  // namespace graze
