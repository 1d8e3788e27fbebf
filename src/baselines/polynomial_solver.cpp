#include "baselines/polynomial_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "graze/core/assert.hpp"
#include "graze/core/power_of_two.hpp"

namespace graze::baselines {
namespace {

// Coefficients of powers of t, the last one not zero.
struct Polynomial {
    std::array<double, kMaxDegree + 1> coefficients{};
    std::size_t degree = 0;

    [[nodiscard]] std::span<const double> terms() const noexcept {
        return std::span(coefficients).first(degree + 1);
    }
    [[nodiscard]] double at(double t) const noexcept { return evaluated(terms(), t); }
};

Polynomial derivative_of(const Polynomial& p) noexcept {
    Polynomial result;
    result.degree = p.degree - 1;
    for (std::size_t i = 1; i <= p.degree; ++i)
        result.coefficients[i - 1] = static_cast<double>(i) * p.coefficients[i];
    return result;
}

struct ValueAndSlope {
    double value = 0.0;
    double slope = 0.0;
};
ValueAndSlope value_and_slope(const Polynomial& p, double t) noexcept {
    ValueAndSlope result;
    for (std::size_t i = p.degree + 1; i-- > 0;) {
        result.slope = result.slope * t + result.value;
        result.value = result.value * t + p.coefficients[i];
    }
    return result;
}

// Sign changes of the Bernstein coefficients b_j = sum over i <= j of C(j, i) / C(n, i) c_i: as
// many as there are roots in (0, 1), or more by an even number. Coefficients that are 0 count as a
// change from either side, so that a root at an end is not overlooked.
int sign_changes(const Polynomial& p) noexcept {
    const std::size_t n = p.degree;
    std::array<double, kMaxDegree + 1> row{};
    double choose = 1.0;  // C(n, i)
    for (std::size_t i = 0; i <= n; ++i) {
        row[i] = p.coefficients[i] / choose;
        choose = choose * static_cast<double>(n - i) / static_cast<double>(i + 1);
    }
    // Sums along the diagonals of Pascal's triangle.
    for (std::size_t level = 1; level <= n; ++level) {
        for (std::size_t i = n; i >= level; --i)
            row[i] += row[i - 1];
    }
    int changes = 0;
    for (std::size_t i = 0; i < n; ++i)
        changes += row[i] > 0.0 && row[i + 1] > 0.0 ? 0 : row[i] < 0.0 && row[i + 1] < 0.0 ? 0 : 1;
    return changes;
}

// The root of p in [low, high], where p(low) and p(high) have opposite signs. Newton's steps, and
// halving wherever one leaves the bracket or two of them have not halved it.
double bracketed_root(const Polynomial& p, double low, double high, bool rising) noexcept {
    constexpr int kMaxSteps = 200;  // every third one halves: an absolute error below 2^-64
    double t = 0.5 * (low + high);
    double width_before = high - low;
    for (int step = 0; step < kMaxSteps; ++step) {
        const ValueAndSlope here = value_and_slope(p, t);
        if (here.value == 0.0) return t;
        ((here.value < 0.0) == rising ? low : high) = t;
        double next = t - here.value / here.slope;
        if (!(low < next && next < high)) next = 0.5 * (low + high);
        if (step % 3 == 2) {
            if (high - low > 0.5 * width_before) next = 0.5 * (low + high);
            width_before = high - low;
        }
        if (std::fabs(next - t) <= 0x1p-53 * t || next == low || next == high) return next;
        t = next;
    }
    return t;
}

// Roots between the break points, p being monotone from each to the next.
UnitRoots roots_between(const Polynomial& p, const UnitRoots& breaks) noexcept {
    UnitRoots roots;
    double from = 0.0;
    double value_from = p.at(0.0);
    if (value_from == 0.0) roots.add(0.0);
    const auto search_to = [&](double to) {
        const double value = p.at(to);
        if ((value_from < 0.0 && value > 0.0) || (value_from > 0.0 && value < 0.0)) {
            roots.add(bracketed_root(p, from, to, value > 0.0));
        } else if (value == 0.0 && to > from) {
            roots.add(to);
        }
        from = to;
        value_from = value;
    };
    for (const double at : breaks)
        search_to(at);
    search_to(1.0);
    return roots;
}

// One change of sign is one root, and none is none; otherwise the roots of the derivative part [0,
// 1] into pieces in which p is monotone. At most kMaxDegree deep.
UnitRoots roots_of(const Polynomial& p) noexcept {
    if (p.degree == 0) return {};
    const int changes = sign_changes(p);
    if (changes == 0) return {};
    if (changes == 1 || p.degree == 1) return roots_between(p, {});
    return roots_between(p, roots_of(derivative_of(p)));
}

}  // namespace

UnitRoots roots_in_unit_interval(std::span<const double> coefficients) noexcept {
    GRAZE_ASSERT(coefficients.size() <= kMaxDegree + 1);
    const auto terms = coefficients.first(std::min(coefficients.size(), kMaxDegree + 1));
    const std::optional<int> exponent = largest_exponent(terms);
    if (!exponent) return {};  // zero, or not finite
    // Derivatives and sums of coefficients stay far from both ends of the range.
    const int shift = std::abs(*exponent) < 500 ? 0 : -*exponent;
    Polynomial p;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        p.coefficients[i] = shift == 0 ? terms[i] : scaled(terms[i], shift);
        if (p.coefficients[i] != 0.0) p.degree = i;
    }
    return roots_of(p);
}

}  // namespace graze::baselines
