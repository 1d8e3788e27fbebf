// Proofs of contact, attacked by moving every corner as far as its error allows.
#include "rigid/impact/proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "graze/narrow/certified.hpp"
#include "graze/rigid/start_state.hpp"

namespace graze::rigid::detail {
namespace {

using Random = std::mt19937_64;
using Triangle = std::array<Vec3, 3>;

double uniform_between(Random& rng, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(rng);
}
Vec3 random_in_cube(Random& rng) {
    return {uniform_between(rng, -1.0, 1.0), uniform_between(rng, -1.0, 1.0),
            uniform_between(rng, -1.0, 1.0)};
}
Corners corners(const Triangle& t) {
    return {{t[0].x, t[1].x, t[2].x, t[2].x},
            {t[0].y, t[1].y, t[2].y, t[2].y},
            {t[0].z, t[1].z, t[2].z, t[2].z}};
}
// Every corner moved by at most `error`, mostly by nearly all of it.
Triangle shaken(Random& rng, const Triangle& t, double error) {
    Triangle result = t;
    for (Vec3& p : result) {
        const Vec3 v = random_in_cube(rng);
        p = p + (0.999 * error / norm(v)) * v;
    }
    return result;
}

// b touches a: a corner of b on a's inside, an edge across an edge, or nearly so, by `depth`.
struct Touch {
    Triangle a;
    Triangle b;
};
Touch random_touch(Random& rng, double depth) {
    Touch touch;
    do {
        touch.a = {random_in_cube(rng), random_in_cube(rng), random_in_cube(rng)};
    } while (norm(cross(touch.a[1] - touch.a[0], touch.a[2] - touch.a[0])) < 0.05);
    const Vec3 n = unit(cross(touch.a[1] - touch.a[0], touch.a[2] - touch.a[0]));
    const double u = uniform_between(rng, 0.0, 1.0);
    const double v =
        uniform_between(rng, 0.0, 1.0) < 0.5 ? 0.0 : uniform_between(rng, 0.0, 1.0 - u);
    const Vec3 at = touch.a[0] + u * (touch.a[1] - touch.a[0]) + v * (touch.a[2] - touch.a[0]);
    // Above the plane but for the first corner, which is at the depth.
    const auto above = [&] {
        Vec3 w = random_in_cube(rng);
        if (dot(w, n) < 0.0) w = -w;
        return at + w;
    };
    touch.b = {at - depth * n, above(), above()};
    return touch;
}

TEST(ScrewImpactProof, APiercingHoldsForAllPlacesWithinTheError) {
    Random rng(20250301);
    int proved = 0;
    for (int i = 0; i < 4'000; ++i) {
        const double error = std::exp2(uniform_between(rng, -45.0, -8.0));
        const Touch touch = random_touch(rng, error * std::exp2(uniform_between(rng, 0.0, 12.0)));
        if (!is_pierced(corners(touch.a), 1, corners(touch.b), 1, error)) continue;
        ++proved;
        for (int k = 0; k < 8; ++k) {
            const auto touching = triangles_share_a_point(shaken(rng, touch.a, error), {},
                                                          shaken(rng, touch.b, error), {});
            EXPECT_TRUE(touching.value_or(false)) << i;
        }
    }
    EXPECT_GT(proved, 500) << "the proof hardly ever succeeds";
}

TEST(ScrewImpactProof, WhatIsApartIsNeverPierced) {
    Random rng(20250302);
    for (int i = 0; i < 4'000; ++i) {
        const double error = std::exp2(uniform_between(rng, -50.0, -8.0));
        const Touch touch = random_touch(rng, -0.1 * error);
        EXPECT_FALSE(is_pierced(corners(touch.a), 1, corners(touch.b), 1, error) &&
                     !triangles_share_a_point(touch.a, {}, touch.b, {}).value_or(true))
            << i;
    }
    const Triangle flat = {Vec3{0.0, 0.0, 0.0}, Vec3{1.0, 0.0, 0.0}, Vec3{2.0, 0.0, 0.0}};
    EXPECT_FALSE(is_pierced(corners(flat), 1, corners(flat), 1, 0x1p-50));
    const double nan = std::nan("");
    EXPECT_FALSE(
        is_pierced(corners({Vec3{nan, 0.0, 0.0}, Vec3{}, Vec3{}}), 1, corners(flat), 1, 0x1p-50));
}

// Do the triangles meet while b goes straight from `first` to `last`? Exact. Triangles that are
// apart at the start and meet later do so at a vertex and the other, or at two edges, first.
bool meet_on_straight_paths(const Triangle& a, const Triangle& first, const Triangle& last) {
    if (triangles_share_a_point(a, {}, first, {}).value_or(true)) return true;
    std::array<MovingPoint, 3> still;
    std::array<MovingPoint, 3> moving;
    for (std::size_t i = 0; i < 3; ++i) {
        still[i] = {a[i], a[i]};
        moving[i] = {first[i], last[i]};
    }
    const auto touches = [](const auto& motion) {
        return certify(motion).verdict == Verdict::Contact;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        if (touches(VertexFaceMotion{still[i], moving})) return true;
        if (touches(VertexFaceMotion{moving[i], still})) return true;
        for (std::size_t j = 0; j < 3; ++j) {
            if (touches(EdgeEdgeMotion{{still[i], still[(i + 1) % 3]},
                                       {moving[j], moving[(j + 1) % 3]}})) {
                return true;
            }
        }
    }
    return false;
}

TEST(ScrewImpactProof, APassageHoldsForAllPlacesWithinTheError) {
    Random rng(20250303);
    int proved = 0;
    for (int i = 0; i < 1'000; ++i) {
        const double error = std::exp2(uniform_between(rng, -45.0, -6.0));
        const Triangle a = {Vec3{-1.0, 0.0, -1.0}, Vec3{1.0, 0.0, -1.0}, Vec3{0.0, 0.0, 1.0}};
        // Nearly flush, and nearly beside each other in every third case.
        Triangle b = {Vec3{-1.0, 0.0, 1.0}, Vec3{0.0, 0.0, -1.0}, Vec3{1.0, 0.0, 1.0}};
        const double aside = i % 3 == 0 ? 1.5 - std::exp2(uniform_between(rng, -12.0, 0.0)) : 0.0;
        const double way = error * std::exp2(uniform_between(rng, 1.0, 8.0));
        Triangle first = b;
        Triangle last = b;
        for (std::size_t k = 0; k < 3; ++k) {
            first[k] = b[k] + Vec3{aside, uniform_between(rng, 0.1, 1.0) * way, 0.0};
            last[k] = b[k] + Vec3{aside + uniform_between(rng, -1.0, 1.0) * way,
                                  -uniform_between(rng, 0.1, 1.0) * way, 0.0};
        }
        if (!is_passed(corners(a), 1, corners(first), corners(last), 1, 0.0, error)) continue;
        ++proved;
        for (int k = 0; k < 4; ++k) {
            EXPECT_TRUE(meet_on_straight_paths(shaken(rng, a, error), shaken(rng, first, error),
                                               shaken(rng, last, error)))
                << i;
        }
    }
    EXPECT_GT(proved, 100) << "the proof hardly ever succeeds";
}

TEST(ScrewImpactProof, NothingPassesThatStaysOnOneSideOrLeavesTheTriangle) {
    const Triangle a = {Vec3{-1.0, 0.0, -1.0}, Vec3{1.0, 0.0, -1.0}, Vec3{0.0, 0.0, 1.0}};
    const auto moved = [&](const Vec3& by) {
        Triangle t = a;
        for (Vec3& p : t)
            p = p + by;
        return corners(t);
    };
    const double e = 0x1p-40;
    EXPECT_TRUE(
        is_passed(corners(a), 1, moved({0.0, 0.01, 0.0}), moved({0.0, -0.01, 0.0}), 1, 0.0, e));
    EXPECT_FALSE(
        is_passed(corners(a), 1, moved({0.0, 0.02, 0.0}), moved({0.0, 0.01, 0.0}), 1, 0.0, e));
    // Round the edge: beside the triangle when it is level with it.
    EXPECT_FALSE(
        is_passed(corners(a), 1, moved({0.0, 0.01, 0.0}), moved({5.0, -0.01, 0.0}), 1, 0.0, e));
    EXPECT_FALSE(
        is_passed(corners(a), 1, moved({0.0, 0.01, 0.0}), moved({0.0, -0.01, 0.0}), 1, 5.0, e));
    EXPECT_FALSE(
        is_passed(corners(a), 1, moved({0.0, 0.01, 0.0}), moved({0.0, -0.01, 0.0}), 1, 0.0, 0.1));
}

TEST(ScrewImpactProof, ADistanceIsWithinTheSeparationForAllPlacesWithinTheError) {
    const Triangle a = {Vec3{-1.0, 0.0, -1.0}, Vec3{1.0, 0.0, -1.0}, Vec3{0.0, 0.0, 1.0}};
    const auto at_height = [](double h) {
        return corners({Vec3{0.0, h, 0.0}, Vec3{1.0, h + 1.0, 0.0}, Vec3{-1.0, h + 1.0, 0.5}});
    };
    const double error = 1e-6;
    EXPECT_TRUE(is_within(corners(a), 1, at_height(0.1), 1, error, 0.1 + 3.0 * error));
    EXPECT_FALSE(is_within(corners(a), 1, at_height(0.1), 1, error, 0.1 + 1.9 * error));
    EXPECT_FALSE(is_within(corners(a), 1, at_height(0.1), 1, error, 0.1));
    // Edges: crossed above each other.
    const Corners edge =
        corners({Vec3{0.0, 0.25, -3.0}, Vec3{0.0, 0.25, 3.0}, Vec3{0.0, 2.0, 0.0}});
    const Corners ridge =
        corners({Vec3{-3.0, 0.0, 0.0}, Vec3{3.0, 0.0, 0.0}, Vec3{0.0, -2.0, 0.0}});
    EXPECT_TRUE(is_within(ridge, 1, edge, 1, error, 0.25 + 3.0 * error));
    EXPECT_FALSE(is_within(ridge, 1, edge, 1, error, 0.25));
}

// Products of three lengths underflow here: what is computed of a determinant has no sign any more.
TEST(ScrewImpactProof, TinyTrianglesThatArePiercedHaveAPointInCommon) {
    Random rng(7);
    std::uniform_int_distribution<int> whole(-6, 6);
    const auto random_triangle = [&](double scale) {
        Triangle t;
        for (Vec3& p : t)
            p = {scale * whole(rng), scale * whole(rng), scale * whole(rng)};
        return t;
    };
    int pierced = 0;
    for (int i = 0; i < 40000; ++i) {
        const double scale = std::ldexp(1.0, -300 - i % 80);
        const Triangle a = random_triangle(scale);
        const Triangle b = random_triangle(scale);
        if (!is_pierced(corners(a), 1, corners(b), 1, 0x1p-1000)) continue;
        ++pierced;
        EXPECT_TRUE(triangles_share_a_point(a, {}, b, {}).value_or(false)) << i;
    }
    EXPECT_GE(pierced, 100);
}

}  // namespace
}  // namespace graze::rigid::detail
