#include "graze/verify/exact_gap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace graze::verify {
namespace {

constexpr Vec3 kBall{1, 1, 1};
const Corners kFloor = {Vec3{-4, 0, -4}, Vec3{4, 0, -4}, Vec3{0, 0, 5}};

TEST(ExactGap, TellsTouchingFromOneUnitInTheLastPlaceLess) {
    EXPECT_FALSE(compare_exactly(kFloor, kBall, {0, 1, 0}, 0.0).is_less);
    EXPECT_TRUE(compare_exactly(kFloor, kBall, {0, std::nextafter(1.0, 0.0), 0}, 0.0).is_less);
    const double skin = 1.0 / 256;
    EXPECT_FALSE(compare_exactly(kFloor, kBall, {0, 1 + skin, 0}, skin).is_less);
    EXPECT_TRUE(
        compare_exactly(kFloor, kBall, {0, std::nextafter(1 + skin, 0.0), 0}, skin).is_less);
}

// 3-4-5 about an edge, 2-3-6-7 about a corner.
TEST(ExactGap, MeasuresToEdgesAndCorners) {
    const Corners t = {Vec3{0, 0, 0}, Vec3{0, 0, 10}, Vec3{9, 0, 5}};
    EXPECT_FALSE(compare_exactly(t, {5, 5, 5}, {-3, 4, 5}, 0.0).is_less);
    EXPECT_TRUE(compare_exactly(t, {5, 5, 5}, {std::nextafter(-3.0, 0.0), 4, 5}, 0.0).is_less);
    EXPECT_FALSE(compare_exactly(t, {7, 7, 7}, {-2, 3, -6}, 0.0).is_less);
    EXPECT_TRUE(compare_exactly(t, {7, 7, 7}, {-2, 3, std::nextafter(-6.0, 0.0)}, 0.0).is_less);
    EXPECT_DOUBLE_EQ(compare_exactly(t, kBall, {-2, 3, -6}, 0.0).distance, 7.0);
}

TEST(ExactGap, HandlesTrianglesWithoutArea) {
    const Corners needle = {Vec3{0, 0, 0}, Vec3{8, 0, 0}, Vec3{4, 0, 0}};
    const Corners point = {Vec3{1, 2, 3}, Vec3{1, 2, 3}, Vec3{1, 2, 3}};
    EXPECT_DOUBLE_EQ(compare_exactly(needle, kBall, {5, 2, 0}, 0.0).distance, 2.0);
    EXPECT_DOUBLE_EQ(compare_exactly(point, kBall, {1, 2, 7}, 0.0).distance, 4.0);
}

TEST(ExactGap, TakesEllipsoidsInTheirOwnCoordinates) {
    const Vec3 radii{0.5, 2, 0.25};
    EXPECT_FALSE(compare_exactly(kFloor, radii, {0, 2, 0}, 0.0).is_less);
    EXPECT_TRUE(compare_exactly(kFloor, radii, {0, std::nextafter(2.0, 0.0), 0}, 0.0).is_less);
    // A skin of 1/4 of the smallest radius asks for a fifth more of every radius, here 2.5.
    EXPECT_FALSE(compare_exactly(kFloor, radii, {0, 2.5, 0}, 0.0625).is_less);
    EXPECT_TRUE(compare_exactly(kFloor, radii, {0, std::nextafter(2.5, 0.0), 0}, 0.0625).is_less);
}

TEST(ExactGap, AnyExponentsWillDo) {
    const Corners tiny = {Vec3{0, 0x1p-1070, 0}, Vec3{0x1p-300, 0, 0}, Vec3{0, 0, 0x1p900}};
    EXPECT_FALSE(compare_exactly(tiny, kBall, {-2, 1, 0}, 0.0).is_less);
    EXPECT_TRUE(compare_exactly(tiny, kBall, {0, 0.5, 5}, 0.0).is_less);
}

// The judge's shortcuts never say other than the exact comparison of every triangle does.
TEST(ExactGap, TheJudgeSaysWhatAllTrianglesOneByOneSay) {
    std::mt19937_64 random(20250101);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&](double size) {
        return Vec3{size * unit(random), size * unit(random), size * unit(random)};
    };
    int overlaps = 0;
    int near = 0;
    for (int round = 0; round < 60; ++round) {
        const double shift = round % 3 == 0 ? 4000.0 : 0.0;
        const Vec3 origin{shift, -shift, shift};
        std::vector<Corners> triangles;
        for (int i = 0; i < 40; ++i) {
            const Vec3 at = origin + vector(6);
            triangles.push_back({at, at + vector(2), at + vector(2)});
        }
        const Vec3 radii = round % 2 == 0 ? kBall : Vec3{0.4, 0.9, 0.4};
        const GapMeasure judge(triangles, radii);
        for (int i = 0; i < 40; ++i) {
            const Vec3 centre = origin + vector(6);
            const double skin = 0.125;
            const GapAnswer answer = judge.ask(centre, skin, 0.25);
            bool keeps = true;
            bool overlap = false;
            double least = 0.25;
            for (const Corners& t : triangles) {
                const ScaledDistance exact = compare_exactly(t, radii, centre, skin);
                keeps = keeps && !exact.is_less;
                overlap = overlap || compare_exactly(t, radii, centre, 0.0).is_less;
                least = std::min(least, (exact.distance - 1) * std::min(radii.x, radii.y));
            }
            EXPECT_EQ(answer.keeps_skin, keeps);
            EXPECT_EQ(answer.depth > 0.0, overlap);
            EXPECT_NEAR(answer.least_gap, least, 1e-11);
            overlaps += overlap ? 1 : 0;
            near += keeps ? 0 : 1;
        }
    }
    EXPECT_GT(overlaps, 100);
    EXPECT_GT(near - overlaps, 50);
}

// Of a capsule over a face, beside an edge and a vertex, through the face, and along it.
TEST(ExactGap, MeasuresACapsuleByItsAxis) {
    const auto less = [](const Vec3& centre, const Vec3& half_axis, double gap) {
        return compare_exactly(kFloor, kBall, centre, gap, half_axis).is_less;
    };
    const Vec3 upright{0, 2, 0};
    EXPECT_FALSE(less({0, 3.25, 0}, upright, 0.25));
    EXPECT_TRUE(less({0, std::nextafter(3.25, 0.0), 0}, upright, 0.25));
    EXPECT_TRUE(less({0, 1, 0}, upright, 0.0));  // through it, both ends more than a radius off
    EXPECT_EQ(compare_exactly(kFloor, kBall, {0, 0.5, 0}, 0.0, upright).short_of, 1.0);
    const Vec3 lying{2, 0, 0};
    EXPECT_FALSE(less({0, 1.25, 0}, lying, 0.25));
    EXPECT_TRUE(less({0, std::nextafter(1.25, 0.0), 0}, lying, 0.25));
}

TEST(ExactGap, TheJudgeOfACapsuleSaysWhatAllTrianglesOneByOneSay) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&](double size) {
        return Vec3{size * unit(random), size * unit(random), size * unit(random)};
    };
    int overlaps = 0;
    int near = 0;
    for (int round = 0; round < 8; ++round) {
        std::vector<Corners> triangles;
        for (int i = 0; i < 30; ++i) {
            const Vec3 at = vector(6);
            triangles.push_back({at, at + vector(2), at + vector(2)});
        }
        const Vec3 radii = round % 2 == 0 ? 0.5 * kBall : Vec3{0.4, 0.9, 0.4};
        const Vec3 half_axis = vector(1.5);
        const GapMeasure measure(triangles, radii, half_axis);
        for (int i = 0; i < 40; ++i) {
            const Vec3 centre = vector(6);
            const GapAnswer answer = measure.ask(centre, 0.125, 0.25);
            bool keeps = true;
            bool overlap = false;
            double least = 0.25;
            for (const Corners& t : triangles) {
                const auto exact = compare_exactly(t, radii, centre, 0.125, half_axis);
                keeps = keeps && !exact.is_less;
                overlap = overlap || compare_exactly(t, radii, centre, 0.0, half_axis).is_less;
                least = std::min(least, (exact.distance - 1) * std::min(radii.x, radii.y));
            }
            EXPECT_EQ(answer.keeps_skin, keeps);
            EXPECT_EQ(answer.depth > 0.0, overlap);
            EXPECT_NEAR(answer.least_gap, least, 1e-11);
            overlaps += overlap ? 1 : 0;
            near += keeps ? 0 : 1;
        }
    }
    EXPECT_GT(overlaps, 20);
    EXPECT_GT(near - overlaps, 8);
}

TEST(ExactGap, TheWayIsClearIfNoTriangleComesNear) {
    const GapMeasure judge({kFloor}, kBall);
    EXPECT_TRUE(judge.is_path_clear({-2, 1.25, 0}, {2, 1.25, 0}, 0.25));
    EXPECT_FALSE(judge.is_path_clear({-2, 1.25, 0}, {2, 1.24, 0}, 0.25));
    EXPECT_FALSE(judge.is_path_clear({0, 9, 0}, {0, -9, 0}, 0.0));        // through the inside
    EXPECT_FALSE(judge.is_path_clear({-9, 0.5, -4}, {9, 0.5, -4}, 0.0));  // along an edge
    EXPECT_TRUE(judge.is_path_clear({-9, 0.5, 6}, {9, 0.5, 6}, 0.0));
}

TEST(ExactGap, FindsTheSupportAndWhatIsBetween) {
    const GapMeasure judge({kFloor}, kBall);
    const auto normal = judge.support_normal({0, 1.01, 0}, 0.02);
    ASSERT_TRUE(normal);
    EXPECT_NEAR(normal->y, 1.0, 1e-15);
    EXPECT_FALSE(judge.support_normal({0, 1.03, 0}, 0.02));

    const Vec3 a{0, 0, 0};
    const Vec3 b{4, 0, 0};
    const Vec3 c{0, 4, 0};
    const Vec3 d{0, 0, 4};
    const GapMeasure solid({{a, c, b}, {a, b, d}, {a, d, c}, {b, c, d}}, kBall);
    EXPECT_FALSE(solid.is_between({0.5, 0.5, 0.5}, {0.1, 2, 0.2}, 4));
    EXPECT_TRUE(solid.is_between({0.5, 0.5, 0.5}, {3, 3, 3}, 4));
    EXPECT_FALSE(solid.is_between({0.5, 0.5, 0.5}, {3, 3, 3}, 3));  // the fourth is not asked
    EXPECT_TRUE(solid.is_between({0.5, 0.5, 0.5}, {-0.1, 0.5, 0.5}, 4));
}

}  // namespace
}  // namespace graze::verify
