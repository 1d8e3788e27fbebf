#include "slide/plane_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

namespace graze::slide {
namespace {

using Planes = std::vector<HalfSpace>;

class RandomPlanes {
public:
    explicit RandomPlanes(std::uint64_t seed) : bits_(seed) {}
    double between(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(bits_);
    }
    Vec3 direction() {
        for (;;) {
            const Vec3 v{between(-1, 1), between(-1, 1), between(-1, 1)};
            const double size = norm(v);
            if (size > 0.1 && size < 1.0) return (1.0 / size) * v;
        }
    }
    int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(bits_); }

private:
    std::mt19937_64 bits_;
};

double worst_violation(const Planes& planes, const Vec3& move) {
    double worst = 0.0;
    for (const HalfSpace& p : planes)
        worst = std::max(worst, p.least - dot(p.normal, move));
    return worst;
}

// By Dykstra's alternating projections, which know nothing of active sets.
Vec3 projected_slowly(const Planes& planes, Vec3 move) {
    std::vector<Vec3> correction(planes.size());
    for (int round = 0; round < 20'000; ++round) {
        for (std::size_t i = 0; i < planes.size(); ++i) {
            const Vec3 before = move - correction[i];
            const double lack = planes[i].least - dot(planes[i].normal, before);
            correction[i] = std::max(lack, 0.0) * planes[i].normal;
            move = before + correction[i];
        }
    }
    return move;
}

TEST(PlaneSet, LeavesAWishThatNothingHoldsAsItIs) {
    const Vec3 wish{0.1, -0.7, 0.3};
    EXPECT_EQ(nearest_allowed({}, wish).move, wish);
    const Planes planes{{{0, -1, 0}, 0.0}, {{1, 0, 0}, -1.0}};
    const AllowedMove allowed = nearest_allowed(planes, wish);
    EXPECT_TRUE(allowed.found);
    EXPECT_EQ(allowed.move, wish);
    EXPECT_EQ(allowed.active_count, 0);
}

TEST(PlaneSet, SlidesAlongOnePlane) {
    const Planes planes{{{0, 1, 0}, 0.0}};
    const AllowedMove allowed = nearest_allowed(planes, {1.0, -1.0, 2.0});
    EXPECT_EQ(allowed.move, (Vec3{1.0, 0.0, 2.0}));
    EXPECT_EQ(allowed.active_count, 1);
}

TEST(PlaneSet, LiftsToWhereAPlaneDemands) {
    const Planes planes{{{0, 1, 0}, 0.25}};
    EXPECT_EQ(nearest_allowed(planes, {1.0, -1.0, 2.0}).move, (Vec3{1.0, 0.25, 2.0}));
}

TEST(PlaneSet, FindsTheNearestPointOfAnyEightHalfSpaces) {
    RandomPlanes random(20250101);
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        Planes planes(static_cast<std::size_t>(1 + random.below(kMostPlanes)));
        for (HalfSpace& p : planes)
            p = {random.direction(), random.between(-0.5, 0.0)};
        const Vec3 wish = random.between(0.1, 3.0) * random.direction();
        const AllowedMove allowed = nearest_allowed(planes, wish);
        ASSERT_TRUE(allowed.found);
        EXPECT_LE(worst_violation(planes, allowed.move), 0x1p-44 * 4.0);
        const Vec3 slow = projected_slowly(planes, wish);
        // What Dykstra reached is feasible up to its own accuracy; none of it may be nearer.
        const double slow_violation = worst_violation(planes, slow);
        EXPECT_LE(norm(allowed.move - wish), norm(slow - wish) + 1e-6 + 100.0 * slow_violation);
    }
}

TEST(PlaneSet, RespectsDemandsThatPushIntoTheOpen) {
    RandomPlanes random(7);
    for (int trial = 0; trial < 2'000; ++trial) {
        SCOPED_TRACE(trial);
        // Normals within a cone around one direction: there is always a point.
        const Vec3 axis = random.direction();
        Planes planes(static_cast<std::size_t>(1 + random.below(kMostPlanes)));
        for (HalfSpace& p : planes) {
            Vec3 n = axis + 0.8 * random.direction();
            p = {(1.0 / norm(n)) * n, random.between(0.0, 0.1)};
        }
        const AllowedMove allowed = nearest_allowed(planes, random.direction());
        ASSERT_TRUE(allowed.found);
        EXPECT_LE(worst_violation(planes, allowed.move), 0x1p-44 * 4.0);
    }
}

TEST(PlaneSet, StandsStillInEveryCornerThatHoldsTheWish) {
    RandomPlanes random(3);
    for (int trial = 0; trial < 20'000; ++trial) {
        SCOPED_TRACE(trial);
        Planes planes(static_cast<std::size_t>(1 + random.below(5)));
        Vec3 wish;
        for (HalfSpace& p : planes) {
            p = {random.direction(), 0.0};
            wish = wish - random.between(0.05, 1.0) * p.normal;
        }
        const AllowedMove allowed = nearest_allowed(planes, wish);
        ASSERT_TRUE(allowed.found);
        EXPECT_LE(norm(allowed.move), kStill * norm(wish));
    }
}

TEST(PlaneSet, StandsStillInWedgesOfAnyAngle) {
    for (double angle = 1.0; angle > 1e-9; angle *= 0.7) {
        SCOPED_TRACE(angle);
        // A floor, and a ceiling that comes down to it: the wish goes into the gap.
        const Planes acute{{{0, 1, 0}, 0.0}, {{-std::sin(angle), -std::cos(angle), 0}, 0.0}};
        EXPECT_LE(norm(nearest_allowed(acute, {1, 0, 0}).move), kStill);
        // A valley as shallow as that, and a wish that leans to neither side.
        const Planes obtuse{{{std::sin(angle), std::cos(angle), 0}, 0.0},
                            {{-std::sin(angle), std::cos(angle), 0}, 0.0}};
        EXPECT_LE(norm(nearest_allowed(obtuse, {0, -1, 0}).move), kStill);
        EXPECT_NEAR(nearest_allowed(obtuse, {0, -1, 1}).move.z, 1.0, 1e-12);
    }
}

TEST(PlaneSet, IsNotConfusedByPlanesThatAreTheSameButForRounding) {
    RandomPlanes random(11);
    for (int trial = 0; trial < 20'000; ++trial) {
        SCOPED_TRACE(trial);
        const double spread = std::exp(random.between(std::log(1e-17), std::log(1e-3)));
        Planes planes(static_cast<std::size_t>(2 + random.below(kMostPlanes - 1)));
        for (HalfSpace& p : planes) {
            const Vec3 n = Vec3{0, 1, 0} + spread * random.direction();
            p = {(1.0 / norm(n)) * n, 0.0};
        }
        const AllowedMove allowed = nearest_allowed(planes, {1.0, -1.0, 0.5});
        ASSERT_TRUE(allowed.found);
        EXPECT_LE(worst_violation(planes, allowed.move), kLoosest * 2.0);
        EXPECT_NEAR(allowed.move.x, 1.0, 4.0 * spread + 1e-7);
        EXPECT_NEAR(allowed.move.z, 0.5, 4.0 * spread + 1e-7);
    }
}

TEST(PlaneSet, SaysWhereThereIsNoPoint) {
    const Planes slab{{{0, 1, 0}, 0.1}, {{0, -1, 0}, 0.1}};
    const AllowedMove allowed = nearest_allowed(slab, {1, 0, 0});
    EXPECT_FALSE(allowed.found);
    EXPECT_EQ(allowed.move, Vec3{});
}

TEST(PlaneSet, DoesNotDependOnTheUnitOfLength) {
    RandomPlanes random(5);
    for (int trial = 0; trial < 1'000; ++trial) {
        Planes planes(4);
        for (HalfSpace& p : planes)
            p = {random.direction(), random.between(-0.1, 0.0)};
        const Vec3 wish = random.direction();
        Planes scaled = planes;
        for (HalfSpace& p : scaled)
            p.least *= 0x1p-200;
        const AllowedMove a = nearest_allowed(planes, wish);
        const AllowedMove b = nearest_allowed(scaled, 0x1p-200 * wish);
        ASSERT_EQ(a.found, b.found);
        EXPECT_EQ(0x1p-200 * a.move, b.move);
    }
}

}  // namespace
}  // namespace graze::slide
