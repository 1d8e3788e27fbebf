#include "narrow/safe_cubic/polynomial_roots.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "graze/core/error_calculus.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze::safe_cubic {
namespace {

// Six roundings, counted below; one expression for numbers and for their errors.
template <class T>
constexpr T horner(const T& a, const T& b, const T& c, const T& d, const T& t) noexcept {
    return ((a * t + b) * t + c) * t + d;
}

// --- The constants of the header, unit B^3 eps ---------------------------------------------------

constexpr std::uint64_t ceiling_in_eps(const ErrorForm& form) noexcept {
    return error_ceiling(form, Roundoff::Spacing);
}
constexpr ErrorForm kTime = ErrorForm::number(1);

// What algorithms 3 and 4 compute: x . (y x z) for a and d, a sum of three of them for b and c.
constexpr ErrorForm kCoordinate = ErrorForm::variable(0);
constexpr ErrorForm kCross = kCoordinate * kCoordinate - kCoordinate * kCoordinate;
constexpr ErrorForm kTriple = kCoordinate * kCross + kCoordinate * kCross + kCoordinate * kCross;
constexpr ErrorForm kThreeTriples = kTriple + kTriple + kTriple;
static_assert(kTriple.magnitude() == Magnitude{Dyadic(6), {3}});
static_assert(kThreeTriples.magnitude() == Magnitude{Dyadic(18), {3}});
static_assert(ceiling_in_eps(kTriple) == kOuterError);
static_assert(ceiling_in_eps(kThreeTriples) == kInnerError);

// F as computed against the exact F: 577, where the paper has 746 and we keep that.
static_assert(ceiling_in_eps(horner(kTriple, kThreeTriples, kThreeTriples, kTriple, kTime)) == 577);
static_assert(577 <= kValueError);

// (SCS-2) for F' = 3 a t^2 + 2 b t + c, |3 a|, |c| <= 18 B^3, |2 b| <= 36 B^3; doubling is exact.
static_assert(ceiling_in_eps(ErrorForm::number(3) * kTriple) == 109);
static_assert(1.001 * (2 * (109 + 2 * kInnerError + kInnerError) + 4.5 * 18 + 2.75 * 36 + 18) <=
              kExtremumError);

// (SCS-3): signs of F beyond the threshold are right even at a cut that misses its extremum, and
// 2 mu is enough for mu as in the paper, whose own condition 33492 B^3 eps holds as well.
// In single precision (eps = 2^-23, 64 eps^(3/4) > 2^-12) it does not: these are bounds for double.
static_assert(kLeastThreshold == 2 * kValueError + kExtremumError);
static_assert(kExcess == kValueError + 2 * kExtremumError);
static_assert(std::numeric_limits<double>::epsilon() == 0x1p-52);
static_assert(convergence_threshold(1.0) == 0x1p19 * 0x1p-52);
static_assert(kLeastThreshold < 0x1p19 && kExcess < 0x1p19 && 33'492 < 0x1p19);
static_assert(33'492 * 0x1p-23 > 0x1p-11);

// (SCS-4): |F'| <= 3 * 6 + 2 * 18 + 18 = 72 times the last bracket, 2^-48 = 16 eps and a rounding of
// each middle, and twice the error of a value.
constexpr std::uint64_t kHornerError =
    ceiling_in_eps(horner(ErrorForm::number(6), ErrorForm::number(18), ErrorForm::number(18),
                          ErrorForm::number(6), kTime));
static_assert(kHalvings == 48 && 1.001 * (72 * 17 + 2 * kHornerError) <= kLeastThreshold);

// --- Lists ---------------------------------------------------------------------------------------

void append(RootList& roots, double t) noexcept {
    roots.values[static_cast<std::size_t>(roots.count++)] = t;
}

// False for NaN, so that the quotient 0 / 0 is no root.
bool in_unit_interval(double t) noexcept {
    return t >= 0.0 && t <= 1.0;
}

RootList ascending_in_unit_interval(double s, double t) noexcept {
    RootList roots;
    if (in_unit_interval(s)) append(roots, s);
    if (!in_unit_interval(t) || t == s) return roots;
    append(roots, t);
    if (roots.count == 2 && t < s) std::swap(roots.values[0], roots.values[1]);
    return roots;
}

// --- The cubic -----------------------------------------------------------------------------------

struct Cubic {
    double a, b, c, d;

    [[nodiscard]] double at(double t) const noexcept { return horner(a, b, c, d, t); }
    [[nodiscard]] double slope(double t) const noexcept { return (3.0 * a * t + 2.0 * b) * t + c; }
};

// Three times the Bernstein coefficients, between which 3 F lies on [0, 1]: if all are beyond 3 mu
// on one side, F has no root there (SCS-3). Cheaper than to look for extrema.
bool clearly_without_root(const Cubic& f, double at_one, double threshold) noexcept {
    const double b0 = 3.0 * f.d;
    const double b1 = b0 + f.c;
    const double b2 = b1 + (f.c + f.b);
    const double b3 = 3.0 * at_one;
    const double margin = 3.0 * threshold;
    return std::min(std::min(b0, b1), std::min(b2, b3)) > margin ||
           std::max(std::max(b0, b1), std::max(b2, b3)) < -margin;
}

enum class Protection { Proved, None };

struct Bracket {
    double lower, upper;  // F as computed has different signs there
    bool positive_at_lower;
};

// A point of the bracket with |F| <= threshold as computed (SCS-4). Invariant: the signs of F at both
// ends of the bracket differ. From kFreeIterations on, every second point is the middle.
template <Protection kProtection>
double root_between(const Cubic& f, Bracket bracket, double threshold) noexcept {
    double t = 0.5 * (bracket.lower + bracket.upper);
    for (int i = 0; i < kMaxIterations; ++i) {
        const double value = f.at(t);
        if (!(std::abs(value) > threshold)) return t;
        ((value > 0.0) == bracket.positive_at_lower ? bracket.lower : bracket.upper) = t;
        const double newton = t - value / f.slope(t);
        if constexpr (kProtection == Protection::None) {
            // Less than the spacing of doubles at 1/2: the iteration stands still.
            if (std::abs(newton - t) <= 0x1p-53) return t;
        }
        const bool halve = i >= kFreeIterations && i % 2 == 0;
        const bool inside = newton > bracket.lower && newton < bracket.upper;
        t = inside && !halve ? newton : 0.5 * (bracket.lower + bracket.upper);
    }
    return t;
}

// Four candidates at most: four cuts and ends, or one fewer of them for each bracket.
// NaN compare false and count as roots.
template <Protection kProtection>
RootList solve(const Cubic& f, double threshold) noexcept {
    const double at_one = f.at(1.0);
    if (clearly_without_root(f, at_one, threshold)) return {};
    const RootList cuts = quadratic_roots(3.0 * f.a, 2.0 * f.b, f.c);
    RootList roots;
    double s = 0.0;
    double at_s = f.d;
    bool s_is_root = !(std::abs(at_s) > threshold);
    if (s_is_root) append(roots, s);
    for (int i = 0; i <= cuts.count; ++i) {
        const bool last = i == cuts.count;
        const double t = last ? 1.0 : cuts.values[static_cast<std::size_t>(i)];
        if (t == s) continue;
        const double at_t = last ? at_one : f.at(t);
        const bool t_is_root = !(std::abs(at_t) > threshold);
        if (t_is_root) {
            append(roots, t);
        } else if (!s_is_root && (at_s > 0.0) != (at_t > 0.0)) {
            append(roots, root_between<kProtection>(f, {s, t, at_s > 0.0}, threshold));
        }
        s = t;
        at_s = at_t;
        s_is_root = t_is_root;
    }
    return roots;
}

}  // namespace

RootList quadratic_roots(double a, double b, double c) noexcept {
    if (a == 0.0 && b == 0.0) return c == 0.0 ? RootList{{1.0}, 1} : RootList{};
    const double discriminant = b * b - 4.0 * a * c;
    if (discriminant < 0.0) {
        const double middle = -0.5 * b / a;
        return ascending_in_unit_interval(middle, middle);
    }
    // b and the square root have the same sign: no cancellation. Changing the signs of a, b and c
    // changes that of q and no root: a may be negative.
    const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    return ascending_in_unit_interval(q / a, c / q);
}

RootList cubic_roots(double a, double b, double c, double d, double threshold) noexcept {
    return solve<Protection::Proved>({a, b, c, d}, threshold);
}

RootList plain_cubic_roots(double a, double b, double c, double d) noexcept {
    return solve<Protection::None>({a, b, c, d}, 0.0);
}

}  // namespace graze::safe_cubic
