#include "graze/core/elementary.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

#include "graze/core/rounding.hpp"
#include "graze/core/wide_integer.hpp"

namespace graze {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// --- Sums of two doubles -------------------------------------------------------------------------

// value + error, |error| <= ulp(value) / 2 or little more: some 106 bits.
using Double2 = ValueAndError;

// Veltkamp and Dekker: a b exactly, without a fused operation, which C libraries may emulate
// wrongly. Requires: nothing overflows or underflows, as for |a|, |b| in [2^-400, 2^400].
constexpr Double2 exact_product(double a, double b) noexcept {
    constexpr double kSplitter = 0x1p27 + 1.0;
    const auto upper_half = [](double x) {
        const double big = kSplitter * x;
        return big - (big - x);
    };
    const double a_high = upper_half(a);
    const double a_low = a - a_high;
    const double b_high = upper_half(b);
    const double b_low = b - b_high;
    const double product = a * b;
    return {product,
            ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

constexpr Double2 plus(const Double2& a, const Double2& b) noexcept {
    const Double2 sum = two_sum(a.value, b.value);
    return fast_two_sum(sum.value, sum.error + (a.error + b.error));
}
constexpr Double2 minus(const Double2& a) noexcept {
    return {-a.value, -a.error};
}
constexpr Double2 times(const Double2& a, const Double2& b) noexcept {
    const Double2 product = exact_product(a.value, b.value);
    return fast_two_sum(product.value, product.error + (a.value * b.error + a.error * b.value));
}
constexpr Double2 over(const Double2& a, const Double2& b) noexcept {
    const double first = a.value / b.value;
    const Double2 rest = plus(a, minus(times({first, 0.0}, b)));
    return fast_two_sum(first, rest.value / b.value);
}

constexpr Double2 kPi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Double2 kHalfPi = {0.5 * kPi.value, 0.5 * kPi.error};

// --- Sine and cosine -----------------------------------------------------------------------------

// angle = quadrant pi/2 + rest, |rest| <= pi/4 (and a rounding error more), quadrant modulo 4.
struct Reduced {
    Double2 rest;
    unsigned quadrant = 0;
};

// Up to here products of the quadrant and 33 bits are exact.
constexpr double kLargestQuick = 0x1p19;

// pi/2 in parts of 33, 33, 33 and 53 bits. x - k p0 is exact: both are multiples of 2^-53 or of the
// ulp of x, and the difference is below 1. What is left of pi/2 is 2^-157: k times it is below 2^-137.
Reduced reduced_quickly(double x) noexcept {
    constexpr std::array<double, 4> kParts = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                              0x1.b839a252049c1p-104};
    constexpr double kRounder = 0x1.8p52;  // adding and taking it away rounds to an integer
    const double k = (x * (2.0 / std::numbers::pi) + kRounder) - kRounder;
    Double2 rest = {x - k * kParts[0], 0.0};
    for (std::size_t i = 1; i < kParts.size(); ++i)
        rest = plus(rest, {-k * kParts[i], 0.0});
    return {rest, static_cast<unsigned>(static_cast<std::int64_t>(k)) & 3U};
}

// 2/pi, behind 64 zeros: bit i of the words has the weight 2^(63 - i).
constexpr std::array<std::uint64_t, 20> kTwoOverPi = {
    0x0000000000000000U, 0xa2f9836e4e441529U, 0xfc2757d1f534ddc0U, 0xdb6295993c439041U,
    0xfe5163abdebbc561U, 0xb7246e3a424dd2e0U, 0x06492eea09d1921cU, 0xfe1deb1cb129a73eU,
    0xe88235f52ebb4484U, 0xe99c7026b45f7e41U, 0x3991d639835339f4U, 0x9c845f8bbdf9283bU,
    0x1ff897ffde05980fU, 0xef2f118b5a0a6d1fU, 0x6d367ecf27cb09b7U, 0x4f463f669e5fea2dU,
    0x7527bac7ebe5f17bU, 0x3d0739f78a5292eaU, 0x6bfb5fb11f8d5d08U, 0x56033046fc7b6babU};

// 64 bits of 2/pi from bit i on.
std::uint64_t bits_of_two_over_pi(std::size_t i) noexcept {
    const std::uint64_t word = kTwoOverPi[i / 64];
    return i % 64 == 0 ? word : word << (i % 64) | kTwoOverPi[i / 64 + 1] >> (64 - i % 64);
}

// Payne and Hanek 1983. x = m 2^e with an integer m < 2^53; modulo 4 the product with 2/pi needs
// no bit of that of weight 4 2^-e or more. With the 192 bits W below, it is m W 2^-190 modulo 4, less
// than 2^-137 from the exact one. Requires: x >= 2^19, hence e >= -33.
Reduced reduced_slowly(double x) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ffU) - 1075;
    const std::uint64_t m = (bits & 0xf'ffff'ffff'ffffU) | 0x10'0000'0000'0000U;
    // The bit of weight 2^(1 - e).
    const auto first = static_cast<std::size_t>(62 + exponent);
    std::array<std::uint64_t, 3> product{};  // the lowest first
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const WideLimb wide = WideLimb{m} * bits_of_two_over_pi(first + 64 * (2 - i)) + carry;
        product[i] = static_cast<std::uint64_t>(wide);
        carry = static_cast<std::uint64_t>(wide >> 64);
    }
    unsigned quadrant = static_cast<unsigned>(product[2] >> 62);
    // The fraction in units of 2^-192, its sign aside: from [0, 1) to [-1/2, 1/2].
    std::array<std::uint64_t, 3> f = {product[0] << 2, product[1] << 2 | product[0] >> 62,
                                      product[2] << 2 | product[1] >> 62};
    const bool negative = f[2] >> 63 != 0;
    if (negative) {
        ++quadrant;
        f = {~f[0], ~f[1], ~f[2]};  // a unit off
    }
    // No double is nearer to a multiple of pi/2 than 2^-62 or so: the highest limb may have to be
    // shifted by 61 bits, never by 64.
    if (f[2] == 0) return {{0.0, 0.0}, quadrant & 3U};
    const int shift = std::countl_zero(f[2]);
    const auto shifted = [&](std::size_t i) {
        return shift == 0 ? f[i] : f[i] << shift | f[i - 1] >> (64 - shift);
    };
    const std::uint64_t top = shifted(2);
    const std::uint64_t next = shifted(1);
    const double unit = 1.0 / static_cast<double>(std::uint64_t{1} << shift);
    const Double2 fraction = {
        static_cast<double>(top >> 11) * 0x1p-53 * unit,
        static_cast<double>((top & 0x7ffU) << 42 | next >> 22) * 0x1p-106 * unit};
    const Double2 rest = times(fraction, kHalfPi);
    return {negative ? minus(rest) : rest, quadrant & 3U};
}

Reduced reduced(double x) noexcept {
    const double size = std::fabs(x);
    if (size <= kLargestQuick) return reduced_quickly(x);
    Reduced result = reduced_slowly(size);
    if (x < 0.0) result = {minus(result.rest), (4U - result.quadrant) & 3U};
    return result;
}

// Coefficients of series in z = x^2 by their last term: z^last / (...)! first.
// sin x = x - x^3/6 + x^5 (1/5! - z/7! ...), up to x^19; what is left out, (pi/4)^21/21!, is below
// 2^-72. cos x = 1 - z/2 + z^2 (1/4! - z/6! ...), up to x^18: 2^-68.
constexpr std::size_t kTerms = 8;
consteval std::array<double, kTerms> reciprocal_factorials(int first) {
    std::array<double, kTerms> result{};
    double factorial = 1.0;
    for (int i = 2; i < first; ++i)
        factorial *= i;
    for (std::size_t i = 0; i < kTerms; ++i) {
        const int n = first + 2 * static_cast<int>(i);
        factorial *= i == 0 ? n : static_cast<double>(n) * (n - 1);
        result[i] = (i % 2 == 0 ? 1.0 : -1.0) / factorial;
    }
    return result;
}
constexpr std::array<double, kTerms> kSineSeries = reciprocal_factorials(5);
constexpr std::array<double, kTerms> kCosineSeries = reciprocal_factorials(4);

double series_of(double z, const std::array<double, kTerms>& terms) noexcept {
    double sum = 0.0;
    for (std::size_t i = kTerms; i-- > 0;)
        sum = sum * z + terms[i];
    return sum;
}

// Two terms of the series are worked out with the rest's whole precision, the others are below 2^-8
// of the result. Requires: |x| <= pi/4 and a little.
double sine_of_rest(const Double2& x) noexcept {
    constexpr double kTiny = 0x1p-200;  // products below would underflow
    if (std::fabs(x.value) < kTiny) return x.value;
    constexpr Double2 kMinusSixth = over({-1.0, 0.0}, {6.0, 0.0});
    const double z = x.value * x.value;
    const Double2 cubic = times(times(times(x, x), x), kMinusSixth);
    const double higher = x.value * z * z * series_of(z, kSineSeries);
    const Double2 sum = two_sum(x.value, cubic.value);
    return sum.value + (sum.error + (x.error + cubic.error + higher));
}

double cosine_of_rest(const Double2& x) noexcept {
    const double z = x.value * x.value;
    if (z < 0x1p-60) return 1.0;
    const Double2 square = times(x, x);
    const double higher = z * z * series_of(z, kCosineSeries);
    const Double2 sum = two_sum(1.0, -0.5 * square.value);
    return sum.value + (sum.error + (higher - 0.5 * square.error));
}

// sin(rest + quadrant pi/2).
double sine_in_quadrant(const Double2& rest, unsigned quadrant) noexcept {
    const double size = quadrant % 2 == 0 ? sine_of_rest(rest) : cosine_of_rest(rest);
    return (quadrant & 2U) == 0 ? size : -size;
}

// --- Arc tangent ---------------------------------------------------------------------------------

// atan(k / 64) for k = 0 ... 64, as sums of atan((k+1)/64) - atan(k/64) = atan(64 / (4096 + k (k+1))).
constexpr std::size_t kArcs = 64;
consteval std::array<Double2, kArcs + 1> arcs() {
    std::array<Double2, kArcs + 1> result{};
    for (std::size_t k = 0; k < kArcs; ++k) {
        const Double2 x = over({64.0, 0.0}, {static_cast<double>(4096 + k * (k + 1)), 0.0});
        const Double2 square = times(x, x);
        // x - x^3/3 + ... - x^19/19: what is left out is below 2^-126/21.
        Double2 sum;
        for (int n = 19; n >= 1; n -= 2) {
            const Double2 term = over({1.0, 0.0}, {static_cast<double>(n), 0.0});
            sum = plus(term, minus(times(sum, square)));
        }
        result[k + 1] = plus(result[k], times(x, sum));
    }
    return result;
}
constexpr std::array<Double2, kArcs + 1> kArc = arcs();

// atan(small / large) = atan(k/64) + atan(t), t = (64 small - k large) / (64 large + k small), with
// the k that is nearest: |t| <= 1/128 and a little. Requires: 0 <= small <= large, finite, large > 0.
Double2 first_octant(double small, double large) noexcept {
    const double ratio = small / large;
    if (ratio < 0x1p-28) return {ratio, 0.0};  // the next term is below 2^-57 of it
    // Scaling changes no bit of a quotient; it is for products that would overflow or underflow.
    if (!(0x1p-300 <= large && large <= 0x1p300)) {
        const int exponent = std::ilogb(large);
        small = std::scalbn(small, -exponent);
        large = std::scalbn(large, -exponent);
    }
    const double k = std::floor(64.0 * ratio + 0.5);
    const Double2 t = over(plus({64.0 * small, 0.0}, minus(exact_product(k, large))),
                           plus({64.0 * large, 0.0}, exact_product(k, small)));
    const double z = t.value * t.value;
    const double higher =
        t.value * z *
        (-1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * (1.0 / 9.0 - z * (1.0 / 11.0)))));
    return plus(plus(kArc[static_cast<std::size_t>(k)], t), {higher, 0.0});
}

// atan2 of two numbers that are not negative and not both zero, in [0, pi/2].
Double2 first_quadrant(double y, double x) noexcept {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (y == kInfinity || x == kInfinity) {
        y = y == kInfinity ? 1.0 : 0.0;
        x = x == kInfinity ? 1.0 : 0.0;
    }
    return y <= x ? first_octant(y, x) : plus(kHalfPi, minus(first_octant(x, y)));
}

// --- Logarithm and exponential -------------------------------------------------------------------

// log(2): 33 bits, whose products with exponents are exact, and the rest.
constexpr double kLog2Upper = 0x1.62e42fefp-1;
constexpr double kLog2Lower = 0x1.473de6af278edp-34;

// x = 2^exponent fraction, fraction in [1, 2). Requires: x > 0, finite.
struct Scaled {
    double fraction = 0.0;
    int exponent = 0;
};
Scaled scaled(double x) noexcept {
    constexpr double kSubnormalScale = 0x1p54;
    const bool is_subnormal = x < std::numeric_limits<double>::min();
    const auto bits = std::bit_cast<std::uint64_t>(is_subnormal ? kSubnormalScale * x : x);
    return {std::bit_cast<double>((bits & 0xf'ffff'ffff'ffffU) | 0x3ff0'0000'0000'0000U),
            static_cast<int>(bits >> 52) - (is_subnormal ? 1077 : 1023)};
}

// 1/25, 1/23, ... 1/3.
constexpr std::size_t kLogarithmTerms = 12;
consteval std::array<double, kLogarithmTerms> odd_reciprocals() {
    std::array<double, kLogarithmTerms> result{};
    for (std::size_t i = 0; i < kLogarithmTerms; ++i)
        result[i] = 1.0 / static_cast<double>(25 - 2 * i);
    return result;
}
constexpr std::array<double, kLogarithmTerms> kOddReciprocals = odd_reciprocals();

// --- Powers of ten -------------------------------------------------------------------------------

// By squaring; n <= 350, so that nothing overflows: 5^350 < 2^813. Some ten products, each within
// 2^-100 of itself.
Double2 power_of_five(unsigned n) noexcept {
    Double2 result = {1.0, 0.0};
    for (Double2 square = {5.0, 0.0}; n != 0; n >>= 1U) {
        if ((n & 1U) != 0) result = times(result, square);
        if (n > 1) square = times(square, square);
    }
    return result;
}

}  // namespace

double sine(double angle) noexcept {
    if (!(std::fabs(angle) <= std::numeric_limits<double>::max())) return kNotANumber;
    if (angle == 0.0) return angle;
    const Reduced r = reduced(angle);
    return sine_in_quadrant(r.rest, r.quadrant);
}

double cosine(double angle) noexcept {
    if (!(std::fabs(angle) <= std::numeric_limits<double>::max())) return kNotANumber;
    const Reduced r = reduced(angle);
    return sine_in_quadrant(r.rest, r.quadrant + 1U);
}

double tangent(double angle) noexcept {
    if (!(std::fabs(angle) <= std::numeric_limits<double>::max())) return kNotANumber;
    if (angle == 0.0) return angle;
    const Reduced r = reduced(angle);
    return sine_in_quadrant(r.rest, r.quadrant) / sine_in_quadrant(r.rest, r.quadrant + 1U);
}

double arc_tangent(double y, double x) noexcept {
    if (std::isnan(x) || std::isnan(y)) return kNotANumber;
    Double2 angle;
    if (y != 0.0 || x != 0.0) angle = first_quadrant(std::fabs(y), std::fabs(x));
    if (std::signbit(x)) angle = plus(kPi, minus(angle));
    return std::copysign(angle.value + angle.error, y);
}

double arc_sine(double x) noexcept {
    if (!(std::fabs(x) <= 1.0)) return kNotANumber;
    return arc_tangent(x, std::sqrt((1.0 - x) * (1.0 + x)));
}

// x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh s = 2 (s + s^3/3 + ...), s = (m - 1) /
// (m + 1), |s| < 0.172. What is left out after s^25 is below 2^-67 of it.
double logarithm(double x) noexcept {
    if (!(x > 0.0 && x <= std::numeric_limits<double>::max())) return kNotANumber;
    auto [m, e] = scaled(x);
    if (m > std::numbers::sqrt2) {
        m *= 0.5;
        ++e;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double sum = 0.0;
    for (const double term : kOddReciprocals)
        sum = sum * z + term;
    const double tail = 2.0 * s * z * sum + e * kLog2Lower;
    return e * kLog2Upper + (2.0 * s + tail);
}

// x = k log 2 + r, |r| <= log(2)/2: Taylor's series up to r^15, what is left out is below 2^-68.
double exponential(double x) noexcept {
    if (std::isnan(x)) return kNotANumber;
    if (x > 710.0) return std::numeric_limits<double>::infinity();
    if (x < -746.0) return 0.0;
    const double k = std::floor(x * std::numbers::log2e + 0.5);
    const double r = (x - k * kLog2Upper) - k * kLog2Lower;
    double sum = 0.0;
    for (int n = 15; n >= 2; --n)
        sum = (sum + 1.0) * r / n;
    return std::scalbn(1.0 + (r + r * sum), static_cast<int>(k));
}

// |x| = 8^k m with m in [1, 8). The first estimate y is within 2^-50 of the root; one step of
// Newton's method, whose residual m - y^3 is exact up to 2^-100 of m, leaves the square of that.
double cube_root(double x) noexcept {
    const double size = std::fabs(x);
    if (!(size > 0.0 && size <= std::numeric_limits<double>::max())) return x;
    const auto [fraction, exponent] = scaled(size);
    const int k = (exponent + 1200) / 3 - 400;  // rounded down
    const double m = std::scalbn(fraction, exponent - 3 * k);
    const double y = exponential(logarithm(m) / 3.0);
    const Double2 cube = times(exact_product(y, y), {y, 0.0});
    const Double2 rest = plus({m, 0.0}, minus(cube));
    return std::copysign(std::scalbn(y + rest.value / (3.0 * y * y), k), x);
}

double power_of_ten(int n) noexcept {
    if (n > 308) return std::numeric_limits<double>::infinity();
    if (n < -324) return 0.0;
    const Double2 power = power_of_five(static_cast<unsigned>(n < 0 ? -n : n));
    const Double2 five = n < 0 ? over({1.0, 0.0}, power) : power;
    return std::scalbn(five.value + five.error, n);
}

int decade_of(double x) noexcept {
    if (!(x > 0.0 && x <= std::numeric_limits<double>::max())) return 0;
    int n = static_cast<int>(std::floor(logarithm(x) / std::numbers::ln10));
    while (power_of_ten(n) > x)
        --n;
    while (power_of_ten(n + 1) <= x)
        ++n;
    return n;
}

}  // namespace graze
