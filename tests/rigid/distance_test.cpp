#include "graze/rigid/distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "rigid/bodies.hpp"

namespace graze::rigid {
namespace {

using test::RandomPoses;

using Points = std::vector<Vec3>;

const Points kTetrahedron = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
constexpr std::array<std::array<std::uint32_t, 3>, 4> kFaces = {
    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

RigidBody tetrahedron() {
    auto body = RigidBody::create(kTetrahedron, kFaces);
    EXPECT_TRUE(body) << body.error().message;
    return std::move(*body);
}

// Brute force that shares nothing with the library: points of triangles on a grid of barycentric
// coordinates, refined around the nearest pair. In long double.
struct Real3 {
    long double x, y, z;
};
Real3 at(const std::array<Vec3, 3>& t, long double u, long double v) {
    const long double w = 1.0L - u - v;
    return {w * t[0].x + u * t[1].x + v * t[2].x, w * t[0].y + u * t[1].y + v * t[2].y,
            w * t[0].z + u * t[1].z + v * t[2].z};
}
long double gap(const Real3& a, const Real3& b) {
    return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) +
                     (a.z - b.z) * (a.z - b.z));
}

// Coordinate search on a convex function (the distance of two points of two triangles): from the
// best of a grid, with moves in all combinations of the four coordinates, halved until tiny.
long double least_gap(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    std::array<long double, 4> best{0, 0, 0, 0};
    const auto is_inside = [](const std::array<long double, 4>& c) {
        return c[0] >= 0 && c[1] >= 0 && c[0] + c[1] <= 1 && c[2] >= 0 && c[3] >= 0 &&
               c[2] + c[3] <= 1;
    };
    const auto value = [&](const std::array<long double, 4>& c) {
        return gap(at(a, c[0], c[1]), at(b, c[2], c[3]));
    };
    long double least = value(best);
    for (long double step = 0.5L; step > 1e-9L; step *= 0.5L) {
        for (bool moved = true; moved;) {
            moved = false;
            for (int m = 0; m < 81; ++m) {
                std::array<long double, 4> next = best;
                for (int k = 0, rest = m; k < 4; ++k, rest /= 3)
                    next[static_cast<std::size_t>(k)] += step * (rest % 3 - 1);
                if (!is_inside(next) || !(value(next) < least)) continue;
                least = value(next);
                best = next;
                moved = true;
            }
        }
    }
    return least;
}

long double brute_force(const Pose& a, const Pose& b) {
    long double least = kInfinity;
    for (const auto& f : kFaces) {
        for (const auto& g : kFaces) {
            const auto placed = [](const Pose& pose, const std::array<std::uint32_t, 3>& face) {
                return std::array<Vec3, 3>{apply(pose, kTetrahedron[face[0]]),
                                           apply(pose, kTetrahedron[face[1]]),
                                           apply(pose, kTetrahedron[face[2]])};
            };
            least = std::min(least, least_gap(placed(a, f), placed(b, g)));
        }
    }
    return least;
}

TEST(RigidDistance, BracketsWhatBruteForceFinds) {
    const RigidBody a = tetrahedron();
    const RigidBody b = tetrahedron();
    RandomPoses random(11);
    for (int i = 0; i < 6; ++i) {
        Pose p = random.pose();
        Pose q = random.pose();
        q.translation = p.translation + Vec3{4.0, 0.5 * i, -1.0};
        const DistanceResult found = distance(a, p, b, q);
        const auto reference = static_cast<double>(brute_force(p, q));
        EXPECT_EQ(found.state, StartState::Separated);
        // The reference is a distance of two points: never below the least, and near it.
        EXPECT_LE(found.lower, reference + 1e-12) << i;
        EXPECT_GE(found.upper, reference - 1e-6) << i;
        EXPECT_LE(found.upper - found.lower, 1e-8 * found.upper) << i;
        EXPECT_NEAR(norm(found.on_b - found.on_a), found.upper, 1e-8) << i;
    }
}

TEST(RigidDistance, IsExactForEdgesThatCross) {
    const RigidBody a = tetrahedron();
    for (const double gap : {1e-9, 1e-3, 1.0, 1e3, 1e6}) {
        const DistanceResult found = distance(a, {}, a, {{}, {0.0, 0.0, 2.0 + gap}});
        const double exact = (2.0 + gap) - 2.0;
        EXPECT_LE(found.lower, exact) << gap;
        EXPECT_GE(found.upper, exact) << gap;
        EXPECT_LE(found.upper - found.lower, 1e-9 * exact + 1e-12) << gap;
    }
}

TEST(RigidDistance, IsZeroInContactAndInsideASolid) {
    const RigidBody big = tetrahedron();
    Points small = kTetrahedron;
    for (Vec3& x : small)
        x = 0.125 * x;
    auto inner = RigidBody::create(small, kFaces);
    ASSERT_TRUE(inner);
    const DistanceResult touching = distance(big, {}, big, {{}, {0.0, 0.0, 2.0}});
    EXPECT_EQ(touching.state, StartState::Contact);
    EXPECT_EQ(touching.upper, 0.0);
    const DistanceResult inside = distance(big, {}, *inner, {});
    EXPECT_EQ(inside.state, StartState::BInsideA);
    EXPECT_EQ(inside.upper, 0.0);
    DistanceOptions sheets;
    sheets.model = BodyModel::SurfaceOnly;
    const DistanceResult within = distance(big, {}, *inner, {}, sheets);
    EXPECT_GT(within.lower, 0.0);
    EXPECT_LT(within.upper, 1.0);
}

TEST(RigidDistance, ClaimsNothingForBadInput) {
    const RigidBody a = tetrahedron();
    const DistanceResult found = distance(a, {}, a, {{}, {kInfinity, 0.0, 0.0}});
    EXPECT_EQ(found.lower, 0.0);
    EXPECT_EQ(found.upper, kInfinity);
    DistanceOptions bad;
    bad.relative_width = 0.0;
    EXPECT_EQ(distance(a, {}, a, {{}, {9.0, 0.0, 0.0}}, bad).upper, kInfinity);
}

TEST(RigidBody, NamesWhatIsWrongWithItsTriangles) {
    constexpr std::array<std::array<std::uint32_t, 3>, 1> kBad = {{{0, 1, 9}}};
    EXPECT_FALSE(RigidBody::create(kTetrahedron, kBad));
}

}  // namespace
}  // namespace graze::rigid
