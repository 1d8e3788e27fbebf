// Closed intervals of reals with outward rounding.
//
// An operation on intervals holds every result of the exact operation on their members. Each end is
// the tightest double for its operation (graze/core/rounding.hpp), so that only repeated variables
// widen results.
// Fails closed: NaN, reversed ends, division by an interval that holds 0 and the like give the
// entire line, which proves nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "graze/core/rounding.hpp"

namespace graze {

// What an enclosure proves about the sign of the number it holds.
enum class Sign : std::uint8_t { Negative, Zero, Positive, Unknown };

// Invariant: lower <= upper, neither is NaN; an infinite end means that there is no bound on that
// side (lower is never +inf, upper never -inf).
class Interval {
public:
    // The entire line: nothing is known.
    constexpr Interval() noexcept = default;
    // The number itself; the entire line if it is not finite.
    constexpr Interval(double number) noexcept : Interval(number, number) {
        if (!detail::finite(number)) *this = Interval();
    }
    // [lower, upper]; the entire line if that is not a valid interval.
    constexpr Interval(double lower, double upper) noexcept {
        if (lower <= upper && lower < detail::kInfinite && upper > -detail::kInfinite) {
            lower_ = lower;
            upper_ = upper;
        }
    }

    [[nodiscard]] constexpr double lower() const noexcept { return lower_; }
    [[nodiscard]] constexpr double upper() const noexcept { return upper_; }
    [[nodiscard]] constexpr bool contains(double x) const noexcept {
        return lower_ <= x && x <= upper_;
    }
    [[nodiscard]] constexpr bool contains(const Interval& other) const noexcept {
        return lower_ <= other.lower_ && other.upper_ <= upper_;
    }
    [[nodiscard]] constexpr bool is_bounded() const noexcept {
        return detail::finite(lower_, upper_);
    }
    friend constexpr bool operator==(const Interval&, const Interval&) noexcept = default;

private:
    double lower_ = -detail::kInfinite;
    double upper_ = detail::kInfinite;
};

[[nodiscard]] constexpr Interval operator-(const Interval& a) noexcept {
    return {-a.upper(), -a.lower()};
}
[[nodiscard]] constexpr Interval operator+(const Interval& a, const Interval& b) noexcept {
    return {add_down(a.lower(), b.lower()), add_up(a.upper(), b.upper())};
}
[[nodiscard]] constexpr Interval operator-(const Interval& a, const Interval& b) noexcept {
    return {sub_down(a.lower(), b.upper()), sub_up(a.upper(), b.lower())};
}

namespace detail {

// a b for a >= 0. An unbounded end only ever meets the bound on its own side.
[[nodiscard]] inline Interval product_of_nonnegative(const Interval& a,
                                                     const Interval& b) noexcept {
    return {mul_down(b.lower() >= 0.0 ? a.lower() : a.upper(), b.lower()),
            mul_up(b.upper() >= 0.0 ? a.upper() : a.lower(), b.upper())};
}

// a / b for b > 0.
[[nodiscard]] inline Interval quotient_by_positive(const Interval& a, const Interval& b) noexcept {
    return {div_down(a.lower(), a.lower() >= 0.0 ? b.upper() : b.lower()),
            div_up(a.upper(), a.upper() >= 0.0 ? b.lower() : b.upper())};
}

}  // namespace detail

// Cost: two multiplications, four where both hold numbers of both signs.
[[nodiscard]] inline Interval operator*(const Interval& a, const Interval& b) noexcept {
    if (a.lower() >= 0.0) return detail::product_of_nonnegative(a, b);
    if (a.upper() <= 0.0) return -detail::product_of_nonnegative(-a, b);
    if (b.lower() >= 0.0) return detail::product_of_nonnegative(b, a);
    if (b.upper() <= 0.0) return -detail::product_of_nonnegative(-b, a);
    return {std::min(mul_down(a.lower(), b.upper()), mul_down(a.upper(), b.lower())),
            std::max(mul_up(a.lower(), b.lower()), mul_up(a.upper(), b.upper()))};
}

// The entire line where b holds 0. An unbounded divisor loosens the end it touches to infinity.
[[nodiscard]] inline Interval operator/(const Interval& a, const Interval& b) noexcept {
    if (b.lower() > 0.0) return detail::quotient_by_positive(a, b);
    if (b.upper() < 0.0) return detail::quotient_by_positive(-a, -b);
    return {};
}

[[nodiscard]] constexpr Interval abs(const Interval& a) noexcept {
    if (a.lower() >= 0.0) return a;
    if (a.upper() <= 0.0) return -a;
    return {0.0, std::max(-a.lower(), a.upper())};
}

// { x^2 : x in a }, tighter than a * a where a holds both signs.
[[nodiscard]] inline Interval square(const Interval& a) noexcept {
    const Interval size = abs(a);
    return {mul_down(size.lower(), size.lower()), mul_up(size.upper(), size.upper())};
}

// { min(x, y) : x in a, y in b } and the same for max.
[[nodiscard]] constexpr Interval min(const Interval& a, const Interval& b) noexcept {
    return {std::min(a.lower(), b.lower()), std::min(a.upper(), b.upper())};
}
[[nodiscard]] constexpr Interval max(const Interval& a, const Interval& b) noexcept {
    return {std::max(a.lower(), b.lower()), std::max(a.upper(), b.upper())};
}

// The smallest interval that holds both.
[[nodiscard]] constexpr Interval hull(const Interval& a, const Interval& b) noexcept {
    return {std::min(a.lower(), b.lower()), std::max(a.upper(), b.upper())};
}

// What both hold; nothing if they have no number in common.
[[nodiscard]] constexpr std::optional<Interval> intersection(const Interval& a,
                                                             const Interval& b) noexcept {
    const double lower = std::max(a.lower(), b.lower());
    const double upper = std::min(a.upper(), b.upper());
    if (lower > upper) return std::nullopt;
    return Interval(lower, upper);
}

// At least upper - lower, and the tightest such double.
[[nodiscard]] constexpr double width_upper(const Interval& a) noexcept {
    return sub_up(a.upper(), a.lower());
}

// A double in the interval, near its middle; 0 or an end where it is not bounded.
[[nodiscard]] constexpr double midpoint(const Interval& a) noexcept {
    if (!a.is_bounded()) return std::clamp(0.0, a.lower(), a.upper());
    return std::clamp(0.5 * a.lower() + 0.5 * a.upper(), a.lower(), a.upper());
}

// Guarantee: other than Unknown only if every number in the interval has that sign.
[[nodiscard]] constexpr Sign certain_sign(const Interval& a) noexcept {
    if (a.lower() > 0.0) return Sign::Positive;
    if (a.upper() < 0.0) return Sign::Negative;
    return a.lower() == 0.0 && a.upper() == 0.0 ? Sign::Zero : Sign::Unknown;
}

// True only if every number in a is less than every number in b.
[[nodiscard]] constexpr bool certainly_less(const Interval& a, const Interval& b) noexcept {
    return a.upper() < b.lower();
}

// { (1 - s) x + s y : x in a, y in b, s in t }. For fixed x and y the value is linear in s, so that
// its extremes lie at the ends of t, where each of a and b occurs once: no widening but rounding.
[[nodiscard]] inline Interval lerp(const Interval& a, const Interval& b,
                                   const Interval& t) noexcept {
    if (!t.is_bounded()) return {};
    const Interval first = (Interval(1.0) - t.lower()) * a + Interval(t.lower()) * b;
    const Interval last = (Interval(1.0) - t.upper()) * a + Interval(t.upper()) * b;
    return hull(first, last);
}

// Encloses sum of coefficients[i] x^i by Horner's rule; 0 for no coefficients.
[[nodiscard]] inline Interval polynomial(std::span<const Interval> coefficients,
                                         const Interval& x) noexcept {
    Interval value(0.0);
    for (std::size_t i = coefficients.size(); i-- > 0;)
        value = value * x + coefficients[i];
    return value;
}

}  // namespace graze
