// a b + c rounded once, by integers: for C libraries whose fma rounds twice.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "graze/core/rounding.hpp"
#include "graze/core/wide_integer.hpp"

namespace graze::detail {
namespace {

bool is_number(double x) noexcept {
    return std::fabs(x) <= std::numeric_limits<double>::max();
}

// (-1)^negative significand 2^exponent, zero aside.
struct Scaled {
    bool negative = false;
    WideLimb significand{0};
    int exponent = 0;
};

int width_of(const WideLimb& x) noexcept {
    const auto high = static_cast<std::uint64_t>(x >> 64);
    if (high != 0) return 64 + static_cast<int>(std::bit_width(high));
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x)));
}

// The same value with 126 bits, so that two of them add up within 127.
Scaled normalised(Scaled x) noexcept {
    const int shift = 126 - width_of(x.significand);
    x.significand = x.significand << static_cast<unsigned>(shift);
    x.exponent -= shift;
    return x;
}

Scaled parts_of(double x) noexcept {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(x), &exponent);
    return {std::signbit(x), WideLimb{static_cast<std::uint64_t>(std::scalbn(fraction, 53))},
            exponent - 53};
}

// x 2^-bits, the last bit set where any is lost: then no rounding to fewer bits can tell them apart.
WideLimb shifted_right_sticky(const WideLimb& x, int bits) noexcept {
    if (bits == 0) return x;
    if (bits > 127) return WideLimb{1};
    const WideLimb kept = x >> static_cast<unsigned>(bits);
    const bool lost = (kept << static_cast<unsigned>(bits)) != x;
    return kept | WideLimb{lost ? std::uint64_t{1} : std::uint64_t{0}};
}

// To 53 bits, or to multiples of 2^-1074, ties to even.
double rounded(const Scaled& x) noexcept {
    const int width = width_of(x.significand);
    if (width == 0) return 0.0;
    const int drop = x.exponent + width - 53 < -1074 ? -1074 - x.exponent : width - 53;
    std::uint64_t kept = 0;
    if (drop <= 0) {
        kept = static_cast<std::uint64_t>(x.significand);  // fewer than 54 bits
    } else if (drop <= 127) {
        const WideLimb whole = x.significand >> static_cast<unsigned>(drop);
        const WideLimb rest = x.significand - (whole << static_cast<unsigned>(drop));
        const WideLimb half = WideLimb{1} << static_cast<unsigned>(drop - 1);
        kept = static_cast<std::uint64_t>(whole);
        if (rest > half || (rest == half && kept % 2 != 0)) ++kept;
    }
    const double size =
        std::scalbn(static_cast<double>(kept), drop <= 0 ? x.exponent : x.exponent + drop);
    return x.negative ? -size : size;
}

}  // namespace

// The product has at most 106 bits, c has 53. Of 126 bits the smaller loses bits only where it is
// shifted by 20 or more; the sum then has 124 bits at least, far more than the 54 that rounding
// needs, so that one sticky bit stands for all that is lost.
double software_fma(double a, double b, double c) noexcept {
    if (!is_number(a) || !is_number(b)) return a * b + c;
    if (!is_number(c)) return c;
    if (a == 0.0 || b == 0.0) return a * b + c;
    if (c == 0.0) return a * b;
    const Scaled x = parts_of(a);
    const Scaled y = parts_of(b);
    Scaled larger = normalised(
        {x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent});
    Scaled smaller = normalised(parts_of(c));
    if (larger.exponent < smaller.exponent ||
        (larger.exponent == smaller.exponent && larger.significand < smaller.significand)) {
        const Scaled other = larger;
        larger = smaller;
        smaller = other;
    }
    const WideLimb aligned =
        shifted_right_sticky(smaller.significand, larger.exponent - smaller.exponent);
    larger.significand = larger.negative == smaller.negative ? larger.significand + aligned
                                                             : larger.significand - aligned;
    return rounded(larger);
}

}  // namespace graze::detail
