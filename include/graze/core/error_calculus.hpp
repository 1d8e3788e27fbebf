// A calculus that derives rounding error bounds of +, -, * expressions at compile time.
//
// Write an expression once as a template over its number type. On doubles it gives the computed
// value, on rationals the exact one, and on ErrorForm the bound of their difference, so that error
// constants are computed and checked by static_assert instead of being typed in:
//
//   template <class T> T dot(const std::array<T, 3>& a, const std::array<T, 3>& b);
//   constexpr ErrorForm x = ErrorForm::variable(0), v = ErrorForm::variable(1);
//   constexpr ErrorForm form = dot<ErrorForm>({x, x, x}, {v, v, v});
//   static_assert(form.magnitude() == 3 * (x * v).magnitude() && form.roundings() == 3);
//
// Notation (derivations: docs/derivations/error_calculus.md, sections EC-1 to EC-5)
//   f, F              an expression in exact and in computed arithmetic
//   e                 2^-52 (spacing at 1, as in the literature) or u = 2^-53 (unit roundoff, sharper)
//   B0, B1, ...       bounds of the variables' magnitudes; M their maximum
//   B = c B0^d0 ...   magnitude: |f| <= B
//   k                 number of roundings on the longest way
//   eta               2^-1075, the most that a product loses to gradual underflow; U(M) how often
//
//   |F - f| <= B ((1 + e)^k - 1) + U(M) (1 + e)^k eta
//
// Requires: leaves that are doubles without error; rounding to nearest; no overflow. A finite F
// proves the last: infinities and NaN never become finite again under +, - and *.
// (Wang 2014, "Defending continuous collision detection against errors", theorem 4.1, whose rules
// these are; the term for underflow, sum_within and the smaller u are added here.)
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "graze/core/power_of_two.hpp"
#include "graze/core/rounding.hpp"

namespace graze {

namespace detail {

// Not constexpr: a static_assert or constexpr variable that gets here does not compile.
[[noreturn]] inline void calculus_misused() noexcept {
    std::abort();
}
constexpr void calculus_requires(bool condition) noexcept {
    if (!condition) calculus_misused();
}

[[nodiscard]] constexpr std::uint64_t checked_sum(std::uint64_t a, std::uint64_t b) noexcept {
    calculus_requires(a <= UINT64_MAX - b);
    return a + b;
}
[[nodiscard]] constexpr std::uint64_t checked_product(std::uint64_t a, std::uint64_t b) noexcept {
    calculus_requires(a == 0 || b <= UINT64_MAX / a);
    return a * b;
}
[[nodiscard]] constexpr std::uint64_t checked_shift(std::uint64_t a, int bits) noexcept {
    calculus_requires(bits >= 0 && bits < 64);
    return checked_product(a, std::uint64_t{1} << bits);
}

}  // namespace detail

// integer * 2^exponent >= 0, exactly; the integer is odd or zero, so that equal numbers are equal.
struct Dyadic {
    std::uint64_t integer = 0;
    int exponent = 0;

    constexpr Dyadic() noexcept = default;
    constexpr Dyadic(std::uint64_t whole, int power = 0) noexcept : integer(whole) {
        if (whole == 0) return;
        integer = whole >> std::countr_zero(whole);
        exponent = power + std::countr_zero(whole);
    }
    friend constexpr bool operator==(const Dyadic&, const Dyadic&) noexcept = default;
};

[[nodiscard]] constexpr Dyadic operator*(const Dyadic& a, const Dyadic& b) noexcept {
    return {detail::checked_product(a.integer, b.integer), a.exponent + b.exponent};
}
[[nodiscard]] constexpr Dyadic operator+(const Dyadic& a, const Dyadic& b) noexcept {
    if (a.integer == 0) return b;
    if (b.integer == 0) return a;
    const int low = std::min(a.exponent, b.exponent);
    return {detail::checked_sum(detail::checked_shift(a.integer, a.exponent - low),
                                detail::checked_shift(b.integer, b.exponent - low)),
            low};
}
// The least integer that is not below a.
[[nodiscard]] constexpr std::uint64_t ceiling(const Dyadic& a) noexcept {
    if (a.exponent >= 0) return detail::checked_shift(a.integer, a.exponent);
    return a.exponent <= -64 ? std::uint64_t{a.integer > 0}
                             : (a.integer >> -a.exponent) + std::uint64_t{1};
}
// The least integer n with n b >= a. Requires: b > 0.
[[nodiscard]] constexpr std::uint64_t ceiling_of_ratio(const Dyadic& a, const Dyadic& b) noexcept {
    detail::calculus_requires(b.integer > 0);
    const int low = std::min(a.exponent, b.exponent);
    const std::uint64_t dividend = detail::checked_shift(a.integer, a.exponent - low);
    const std::uint64_t divisor = detail::checked_shift(b.integer, b.exponent - low);
    return dividend / divisor + std::uint64_t{dividend % divisor > 0};
}

// c B0^d0 B1^d1 B2^d2 B3^d3.
struct Magnitude {
    static constexpr std::size_t kVariables = 4;

    Dyadic coefficient{1};
    std::array<int, kVariables> degrees{};

    [[nodiscard]] constexpr int degree() const noexcept {
        return degrees[0] + degrees[1] + degrees[2] + degrees[3];
    }
    friend constexpr bool operator==(const Magnitude&, const Magnitude&) noexcept = default;
};

[[nodiscard]] constexpr Magnitude operator*(const Magnitude& a, const Magnitude& b) noexcept {
    Magnitude product{a.coefficient * b.coefficient, a.degrees};
    for (std::size_t i = 0; i < Magnitude::kVariables; ++i)
        product.degrees[i] += b.degrees[i];
    return product;
}
[[nodiscard]] constexpr Magnitude operator*(std::uint64_t factor, const Magnitude& a) noexcept {
    return {Dyadic(factor) * a.coefficient, a.degrees};
}
// Requires: the same powers of the same bounds (a sum such as B^2 + B is none of its form).
[[nodiscard]] constexpr Magnitude operator+(const Magnitude& a, const Magnitude& b) noexcept {
    detail::calculus_requires(a.degrees == b.degrees);
    return {a.coefficient + b.coefficient, a.degrees};
}

// U(M) = sum of count[d] M^d: how often, and times which power of M, a product's loss of at most
// eta to underflow gets into the result.
struct UnderflowCount {
    static constexpr std::size_t kDegrees = 12;
    std::array<std::uint64_t, kDegrees> count{};

    // Degree of the highest power; -1 for none.
    [[nodiscard]] constexpr int degree() const noexcept {
        int highest = -1;
        for (std::size_t d = 0; d < kDegrees; ++d) {
            if (count[d] > 0) highest = static_cast<int>(d);
        }
        return highest;
    }
    friend constexpr bool operator==(const UnderflowCount&,
                                     const UnderflowCount&) noexcept = default;
};

[[nodiscard]] constexpr UnderflowCount operator+(const UnderflowCount& a,
                                                 const UnderflowCount& b) noexcept {
    UnderflowCount sum;
    for (std::size_t d = 0; d < UnderflowCount::kDegrees; ++d) {
        sum.count[d] = detail::checked_sum(a.count[d], b.count[d]);
    }
    return sum;
}
// Each loss in `a` multiplied by a factor of at most `by`, with every bound replaced by M.
[[nodiscard]] constexpr UnderflowCount operator*(const UnderflowCount& a,
                                                 const Magnitude& by) noexcept {
    UnderflowCount product;
    const std::size_t shift = static_cast<std::size_t>(by.degree());
    for (std::size_t d = 0; d < UnderflowCount::kDegrees; ++d) {
        if (a.count[d] == 0) continue;
        detail::calculus_requires(d + shift < UnderflowCount::kDegrees);
        product.count[d + shift] = ceiling(Dyadic(a.count[d]) * by.coefficient);
    }
    return product;
}
[[nodiscard]] constexpr UnderflowCount one_loss(int degree = 0) noexcept {
    detail::calculus_requires(degree >= 0 && degree < int{UnderflowCount::kDegrees});
    UnderflowCount one;
    one.count[static_cast<std::size_t>(degree)] = 1;
    return one;
}

// Which e bounds the relative error of one rounding; the value is -log2(e).
enum class Roundoff : int { Spacing = 52, Unit = 53 };

// The error of an expression: |F - f| <= B ((1 + e)^k - 1) + U(M) (1 + e)^k eta.
class ErrorForm {
public:
    // A variable without error, |x| <= B_index.
    [[nodiscard]] static constexpr ErrorForm variable(std::size_t index = 0) noexcept {
        detail::calculus_requires(index < Magnitude::kVariables);
        Magnitude bound;
        bound.degrees[index] = 1;
        return ErrorForm(bound, 0, {});
    }
    // A double without error whose magnitude is at most `bound`, e.g. a fraction of the step: 1.
    [[nodiscard]] static constexpr ErrorForm number(Dyadic bound) noexcept {
        return ErrorForm(Magnitude{bound, {}}, 0, {});
    }

    [[nodiscard]] constexpr const Magnitude& magnitude() const noexcept { return magnitude_; }
    [[nodiscard]] constexpr int roundings() const noexcept { return roundings_; }
    [[nodiscard]] constexpr const UnderflowCount& underflows() const noexcept {
        return underflows_;
    }

    // EC-1: B = Bl + Br, k = max(kl, kr) + 1. Sums do not underflow.
    friend constexpr ErrorForm operator+(const ErrorForm& l, const ErrorForm& r) noexcept {
        return ErrorForm(l.magnitude_ + r.magnitude_, std::max(l.roundings_, r.roundings_) + 1,
                         l.underflows_ + r.underflows_);
    }
    friend constexpr ErrorForm operator-(const ErrorForm& l, const ErrorForm& r) noexcept {
        return l + r;
    }
    friend constexpr ErrorForm operator-(const ErrorForm& l) noexcept { return l; }

    // EC-2: B = Bl Br, k = kl + kr + 1, U = Ul Br + Bl Ur + 1, and 1 + M^(...) for the product of two
    // losses, which is less than eta times either 1 or that power of M.
    friend constexpr ErrorForm operator*(const ErrorForm& l, const ErrorForm& r) noexcept {
        UnderflowCount losses =
            l.underflows_ * r.magnitude_ + r.underflows_ * l.magnitude_ + one_loss();
        const int l_degree = l.underflows_.degree();
        const int r_degree = r.underflows_.degree();
        if (l_degree >= 0 && r_degree >= 0) {
            losses = losses + one_loss() + one_loss(l_degree + r_degree);
        }
        return ErrorForm(l.magnitude_ * r.magnitude_, l.roundings_ + r.roundings_ + 1, losses);
    }

    // EC-3: l + r where |l + r| <= bound is known from elsewhere (an average, a difference of close
    // points): B = bound, k = ceil(Bl/B) kl + ceil(Br/B) kr + 1.
    friend constexpr ErrorForm sum_within(const ErrorForm& l, const ErrorForm& r,
                                          const Magnitude& bound) noexcept {
        return ErrorForm(bound, l.roundings_within(bound) + r.roundings_within(bound) + 1,
                         l.underflows_ + r.underflows_);
    }

private:
    constexpr ErrorForm(const Magnitude& magnitude, int roundings,
                        const UnderflowCount& underflows) noexcept
        : magnitude_(magnitude), roundings_(roundings), underflows_(underflows) {}

    [[nodiscard]] constexpr int roundings_within(const Magnitude& bound) const noexcept {
        if (roundings_ == 0) return 0;
        detail::calculus_requires(magnitude_.degrees == bound.degrees);
        const std::uint64_t parts = ceiling_of_ratio(magnitude_.coefficient, bound.coefficient);
        detail::calculus_requires(parts < 1'000);
        return roundings_ * static_cast<int>(parts);
    }

    Magnitude magnitude_;
    int roundings_ = 0;
    UnderflowCount underflows_;
};

// The twin of sum_within on numbers: it only computes.
template <class T>
[[nodiscard]] constexpr T sum_within(const T& l, const T& r, const Magnitude&) {
    return l + r;
}

namespace detail {

// EC-4 needs n k^3 <= 2^p for B = n 2^x B0^d0 ..., e = 2^-p, where x > 0 counts as part of n.
constexpr void requires_small_form(const ErrorForm& form, Roundoff roundoff) noexcept {
    const Dyadic& c = form.magnitude().coefficient;
    const std::uint64_t k = static_cast<std::uint64_t>(form.roundings());
    const std::uint64_t n = checked_shift(c.integer, std::max(c.exponent, 0));
    const std::uint64_t limit = std::uint64_t{1} << static_cast<int>(roundoff);
    calculus_requires(checked_product(checked_product(n, k), k * k) <= limit);
}

}  // namespace detail

// The least integer c with B ((1 + e)^k - 1) <= c e B0^d0 B1^d1 ..., by integer arithmetic alone.
//   EC-4: ((1 + e)^k - 1) / e = k + delta, 0 < delta <= k^2 e for k > 1, so that with B = n 2^x
//   B0^... the error is (n k + n delta) 2^x e B0^..., n delta < 1: one more than the integer part.
[[nodiscard]] constexpr std::uint64_t error_ceiling(const ErrorForm& form,
                                                    Roundoff roundoff) noexcept {
    detail::requires_small_form(form, roundoff);
    const Dyadic& c = form.magnitude().coefficient;
    const std::uint64_t k = static_cast<std::uint64_t>(form.roundings());
    if (k <= 1) return ceiling(c * Dyadic(k));
    const std::uint64_t first_order = detail::checked_product(c.integer, k);
    if (c.exponent >= 0) return detail::checked_shift(first_order, c.exponent) + 1;
    return c.exponent <= -64 ? 1 : (first_order >> -c.exponent) + 1;
}

// A double that is at least B ((1 + e)^k - 1) / (B0^d0 B1^d1 ...), and nearly the least one.
//   EC-5: n delta <= e (n k (k - 1) / 2 + 1). All three numbers below are doubles, the sum is rounded
//   up, and scaling is exact.
[[nodiscard]] constexpr double error_coefficient_upper(const ErrorForm& form,
                                                       Roundoff roundoff) noexcept {
    detail::requires_small_form(form, roundoff);
    const Dyadic& c = form.magnitude().coefficient;
    const std::uint64_t k = static_cast<std::uint64_t>(form.roundings());
    if (k == 0) return 0.0;
    const int p = static_cast<int>(roundoff);
    const double first_order = static_cast<double>(c.integer * k);
    const std::uint64_t pairs = k * (k - 1) / 2;
    const double second_order = k == 1 ? 0.0 : static_cast<double>(c.integer * pairs + 1);
    return scaled(add_up(first_order, scaled(second_order, -p)), c.exponent - p);
}

// Bounds of the variables' magnitudes, in the order of ErrorForm::variable; unused ones stay zero.
using VariableBounds = std::array<double, Magnitude::kVariables>;

namespace detail {

// At least U(M) (1 + e)^k eta: (1 + e)^k <= 2 since k^3 <= 2^p, and 2 eta = 2^-1074.
[[nodiscard]] inline double underflow_upper(const UnderflowCount& losses, double m) noexcept {
    double total = 0.0;
    for (std::size_t d = UnderflowCount::kDegrees; d-- > 0;) {
        const std::uint64_t count = losses.count[d];
        total = add_up(mul_up(total, m), count == 0 ? 0.0 : next_up(static_cast<double>(count)));
    }
    return mul_up(total, kSmallest);
}

}  // namespace detail

// At least |F - f|, everything included, for variables within `bounds`.
// Fails to the safe side: a bound that is negative or not finite gives +inf.
// Requires: F, as computed, is finite (then nothing overflowed on the way).
[[nodiscard]] inline double error_upper(const ErrorForm& form, const VariableBounds& bounds,
                                        Roundoff roundoff = Roundoff::Unit) noexcept {
    double error = error_coefficient_upper(form, roundoff);
    double largest = 0.0;
    for (std::size_t i = 0; i < Magnitude::kVariables; ++i) {
        if (!(bounds[i] >= 0.0 && detail::finite(bounds[i]))) return detail::kInfinite;
        largest = std::max(largest, bounds[i]);
        for (int d = 0; d < form.magnitude().degrees[i]; ++d)
            error = mul_up(error, bounds[i]);
    }
    return add_up(error, detail::underflow_upper(form.underflows(), largest));
}

}  // namespace graze
