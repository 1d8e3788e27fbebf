#include "graze/core/norm_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "core/exact_reference.hpp"

namespace graze {
namespace {

using exact::DoubleSource;
using exact::hex;
using exact::kInf;
using exact::kMax;

std::string text(const Vec3& v) {
    return hex(v.x) + " " + hex(v.y) + " " + hex(v.z);
}

mpq_class squared(const mpq_class& x) {
    return x * x;
}
mpq_class exact_norm_sq(const Vec3& v) {
    return squared(mpq_class(v.x)) + squared(mpq_class(v.y)) + squared(mpq_class(v.z));
}
mpq_class exact_distance_sq(const Vec3& a, const Vec3& b) {
    return squared(mpq_class(a.x) - mpq_class(b.x)) + squared(mpq_class(a.y) - mpq_class(b.y)) +
           squared(mpq_class(a.z) - mpq_class(b.z));
}

// Coordinates of every size, of one size at any scale, or flat.
Vec3 any_vector(DoubleSource& source) {
    const int scale = source.integer(-1074, 1023);
    switch (source.integer(0, 3)) {
        case 0:
            return {source.any(), source.any(), source.any()};
        case 1:
            return {source.with_exponent(scale), 0.0, source.any()};
        default:
            return {source.with_exponent(scale), source.with_exponent(std::max(-1074, scale - 20)),
                    source.with_exponent(scale)};
    }
}

bool lower_holds(double lower, const mpq_class& sq) {
    return lower >= 0.0 && lower < kInf && squared(mpq_class(lower)) <= sq;
}
bool upper_holds(double upper, const mpq_class& sq) {
    return upper == kInf || (upper >= 0.0 && squared(mpq_class(upper)) >= sq);
}

// |bound / sqrt(sq) - 1| in units of u, from ((bound^2 - sq) / sq) / 2 which is exact to first
// order.
double roundoffs_off(double bound, const mpq_class& sq) {
    const mpq_class relative = (squared(mpq_class(bound)) - sq) / sq;
    return std::fabs(relative.get_d()) / 2 / 0x1p-53;
}

TEST(NormBounds, EncloseTheEuclideanLengthAtEveryScale) {
    DoubleSource source(20250401);
    double worst = 0.0;
    for (int i = 0; i < 40'000; ++i) {
        const Vec3 v = any_vector(source);
        const mpq_class sq = exact_norm_sq(v);
        const double lower = norm_lower(v);
        const double upper = norm_upper(v);
        ASSERT_TRUE(lower_holds(lower, sq)) << text(v) << " lower " << hex(lower);
        ASSERT_TRUE(upper_holds(upper, sq)) << text(v) << " upper " << hex(upper);
        ASSERT_TRUE(upper < kInf || sq > squared(mpq_class(kMax / 2)));
        if (lower < 0x1p-1022 || upper == kInf) continue;
        worst = std::max({worst, roundoffs_off(lower, sq), roundoffs_off(upper, sq)});
    }
    std::cout << "[ measured ] norm bounds off by at most " << worst << " u of " << kNormRoundoffs
              << " u\n";
    EXPECT_LE(worst, kNormRoundoffs);
    EXPECT_GT(worst, 0.1 * kNormRoundoffs);
}

TEST(NormBounds, EncloseTheDistanceOfPointsThatAreFarNearOrEqual) {
    DoubleSource source(20250402);
    double worst = 0.0;
    for (int i = 0; i < 40'000; ++i) {
        const Vec3 a = any_vector(source);
        const bool close = source.integer(0, 1) == 0;
        const Vec3 b =
            close ? Vec3{source.near(a.x), source.near(a.y), source.near(a.z)} : any_vector(source);
        const mpq_class sq = exact_distance_sq(a, b);
        const double lower = distance_lower(a, b);
        const double upper = distance_upper(a, b);
        ASSERT_TRUE(lower_holds(lower, sq)) << text(a) << " | " << text(b);
        ASSERT_TRUE(upper_holds(upper, sq)) << text(a) << " | " << text(b);
        ASSERT_TRUE(upper < kInf || sq > squared(mpq_class(kMax / 2)));
        if (lower < 0x1p-1022 || upper == kInf) continue;
        worst = std::max({worst, roundoffs_off(lower, sq), roundoffs_off(upper, sq)});
    }
    std::cout << "[ measured ] distance bounds off by at most " << worst << " u of "
              << kNormRoundoffs + 2 << " u\n";
    EXPECT_LE(worst, kNormRoundoffs + 2);  // two more for the directed difference
}

TEST(NormBounds, EncloseTheSumOfMagnitudes) {
    DoubleSource source(20250403);
    for (int i = 0; i < 50'000; ++i) {
        const Vec3 v = any_vector(source);
        const mpq_class sum = abs(mpq_class(v.x)) + abs(mpq_class(v.y)) + abs(mpq_class(v.z));
        const double upper = norm_one_upper(v);
        ASSERT_TRUE(upper == kInf || mpq_class(upper) >= sum) << text(v);
        if (upper == kInf) continue;
        // Two directed roundings of 2u each, and sums do not underflow.
        ASSERT_LE(mpq_class(upper), sum * (1 + mpq_class(0x1p-51) + mpq_class(0x1p-104)))
            << text(v);
    }
}

TEST(NormBounds, AreExactForPythagoreanTriplesAndZero) {
    for (const double scale : {0x1p-1074, 0x1p-500, 1.0, 0x1p+500, 0x1p+1019}) {
        const Vec3 v{3 * scale, -4 * scale, 0.0};
        EXPECT_EQ(norm_lower(v), 5 * scale);
        EXPECT_EQ(norm_upper(v), 5 * scale);
        EXPECT_EQ(distance_lower(v, {}), 5 * scale);
    }
    EXPECT_EQ(norm_lower({}), 0.0);
    EXPECT_EQ(norm_upper({}), 0.0);
    EXPECT_EQ(distance_upper({1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}), 0.0);
}

TEST(NormBounds, NeverCallPointsEqualThatDiffer) {
    const Vec3 a{1e300, 0.0, 0.0};
    const Vec3 b{1e300, 0x1p-1074, 0.0};
    EXPECT_EQ(distance_lower(a, b), 0x1p-1074);
    EXPECT_EQ(distance_upper(a, b), 0x1p-1074);
}

TEST(NormBounds, LengthsThatOverflowKeepAFiniteLowerBound) {
    const Vec3 v{kMax, kMax, kMax};
    EXPECT_EQ(norm_lower(v), kMax);
    EXPECT_EQ(norm_upper(v), kInf);
    EXPECT_EQ(distance_lower(v, -v), kMax);
    EXPECT_EQ(distance_upper(v, -v), kInf);
}

TEST(NormBounds, CoordinatesThatAreNotFiniteFailToTheSafeSide) {
    for (const double bad : {kInf, -kInf, std::nan("")}) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Vec3 v{1.0, 2.0, 3.0};
            v[axis] = bad;
            EXPECT_EQ(norm_lower(v), 0.0);
            EXPECT_EQ(norm_upper(v), kInf);
            EXPECT_EQ(norm_one_upper(v), kInf);
            EXPECT_EQ(norm_max_upper(v), kInf);
            EXPECT_EQ(distance_lower(v, {}), 0.0);
            EXPECT_EQ(distance_upper({}, v), kInf);
        }
    }
}

}  // namespace
}  // namespace graze
