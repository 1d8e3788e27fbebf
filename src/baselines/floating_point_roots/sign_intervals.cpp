#include "baselines/floating_point_roots/sign_intervals.hpp"

#include <algorithm>
#include <cmath>

#include "baselines/floating_point_roots/all_roots.hpp"
#include "graze/core/assert.hpp"

namespace graze::baselines {
namespace {

// A polynomial of size 1 without leading zeros, to be asked where it is >= 0.
class SizedPolynomial {
public:
    SizedPolynomial(std::span<const double> coefficients, WantedSign sign) noexcept {
        double largest = 0.0;
        for (const double c : coefficients)
            largest = std::max(largest, std::fabs(c));
        if (largest == 0.0) return;
        for (std::size_t i = 0; i < coefficients.size(); ++i) {
            const double c = coefficients[i] / largest;
            terms_[i] = sign == WantedSign::NotNegative ? c : -c;
            if (c != 0.0) degree_ = i;
        }
    }
    [[nodiscard]] std::size_t degree() const noexcept { return degree_; }
    [[nodiscard]] std::span<const double> terms() const noexcept {
        return std::span(terms_).first(degree_ + 1);
    }
    // False: negative in all of [0, 1], since powers of t are at most 1 there.
    [[nodiscard]] bool can_be_positive() const noexcept {
        double most = terms_[0];
        for (std::size_t i = 1; i <= degree_; ++i)
            most += std::max(terms_[i], 0.0);
        return most >= 0.0;
    }

private:
    std::array<double, kMaxDegree + 1> terms_{};
    std::size_t degree_ = 0;
};

// 0, the real parts of roots in (0, 1), 1; ascending.
struct BreakPoints {
    std::array<double, kMaxDegree + 2> at{};
    std::size_t count = 1;
};
BreakPoints break_points(const SizedPolynomial& p) noexcept {
    BreakPoints breaks;
    for (const std::complex<double>& root : all_roots(p.terms())) {
        if (root.real() >= 0.0 && root.real() <= 1.0) breaks.at[breaks.count++] = root.real();
    }
    breaks.at[breaks.count++] = 1.0;
    std::sort(breaks.at.begin(), breaks.at.begin() + static_cast<std::ptrdiff_t>(breaks.count));
    return breaks;
}

}  // namespace

TimeIntervals intervals_of_sign(std::span<const double> coefficients, WantedSign sign) noexcept {
    GRAZE_ASSERT(coefficients.size() <= kMaxDegree + 1);
    const SizedPolynomial p(coefficients.first(std::min(coefficients.size(), kMaxDegree + 1)),
                            sign);
    TimeIntervals intervals;
    if (p.degree() > 2 && !p.can_be_positive()) return intervals;
    const BreakPoints breaks = break_points(p);
    for (std::size_t i = 0; i + 1 < breaks.count; ++i) {
        const TimeInterval interval{breaks.at[i], breaks.at[i + 1]};
        const double middle = 0.5 * (interval.lower + interval.upper);
        if (evaluated(p.terms(), middle) >= 0.0) intervals.add(interval);
    }
    return intervals;
}

}  // namespace graze::baselines
