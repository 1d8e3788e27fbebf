#include "narrow/certified/exact_roots.hpp"

#include <cmath>

#include "narrow/certified/exact_roots-inl.hpp"

namespace graze::certified {

Instant Instant::at(double t) noexcept {
    Instant result;
    result.lower_ = dyadic_time(t);
    return result;
}

Instant Instant::root_of(const ExactPolynomial& f, double lower, double upper, int index,
                         int count) noexcept {
    GRAZE_ASSERT(0 <= index && index < count && count <= 3);
    Instant result;
    result.f_ = &f;
    result.lower_ = dyadic_time(lower);
    result.upper_ = dyadic_time(upper);
    result.index_ = index;
    result.count_ = count;
    return result;
}

int Instant::sign(const ExactPolynomial& g) const {
    return sign_on_own_clock(map_ != nullptr ? substituted(g, *map_) : g);
}

int Instant::sign_on_own_clock(const ExactPolynomial& g) const {
    if (f_ == nullptr) return sign_at(g, lower_);
    if (const auto everywhere = constant_sign(g, lower_, upper_)) return *everywhere;
    switch (count_) {
        case 1:
            return sign_at_single_root(g);
        case 2:
            return sign_at_root_of_two(g);
        default:
            return sign_at_root_of_three(g);
    }
}

// Let r_1 < ... < r_n be the roots of f in (a, b), s_i the sign of g at r_i, and e the sign of f
// beyond the last, that is, at b. All roots are simple, so f' has the sign e at r_n, and its signs
// alternate.
//
// n = 1: I(g / f) = e s_1.
int Instant::sign_at_single_root(const ExactPolynomial& g) const {
    return sign_at(*f_, upper_) * cauchy_index(g, *f_, lower_, upper_);
}

// n = 2: I(g / f) = e (s_2 - s_1), I(f' g / f) = s_1 + s_2.
int Instant::sign_at_root_of_two(const ExactPolynomial& g) const {
    const int difference = sign_at(*f_, upper_) * cauchy_index(g, *f_, lower_, upper_);
    const int sum = cauchy_index(derivative(*f_) * g, *f_, lower_, upper_);
    return (index_ == 1 ? sum + difference : sum - difference) / 2;
}

// n = 3: f is a cubic. I(g / f) = e (s_1 - s_2 + s_3), I(f' g / f) = s_1 + s_2 + s_3: together they
// give s_2. f'' vanishes at the mean of the roots, which lies between the first and the last; it
// has the sign e at r_3, -e at r_1, and some sign m at r_2:
//   I(f' f'' / f) = -e + m + e = m,   I(f' f'' g / f) = e (s_3 - s_1) + m s_2.
int Instant::sign_at_root_of_three(const ExactPolynomial& g) const {
    const int e = sign_at(*f_, upper_);
    const ExactPolynomial slope = derivative(*f_);
    const ExactPolynomial bend = derivative(slope);
    const auto index = [&](const ExactPolynomial& h) {
        return cauchy_index(h, *f_, lower_, upper_);
    };
    const int sum = index(slope * g);
    const int alternating = e * index(g);
    const int middle = (sum - alternating) / 2;
    if (index_ == 1) return middle;
    const int outer_sum = (sum + alternating) / 2;
    const int outer_difference = e * (index(slope * bend * g) - index(slope * bend) * middle);
    return (index_ == 2 ? outer_sum + outer_difference : outer_sum - outer_difference) / 2;
}

double root_est(const std::array<double, 4>& c, double lower, double upper,
                int sign_lower) noexcept {
    constexpr int kMaxSteps = 64;
    double t = 0.5 * (lower + upper);
    for (int i = 0; i < kMaxSteps; ++i) {
        const double value = ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
        const double slope = (3.0 * c[3] * t + 2.0 * c[2]) * t + c[1];
        if (value == 0.0) return t;
        ((value > 0.0) == (sign_lower > 0) ? lower : upper) = t;
        double next = t - value / slope;
        if (!(next >= lower && next <= upper)) next = 0.5 * (lower + upper);
        if (next == t) return t;
        t = next;
    }
    return t;
}

std::optional<double> turning_point_est(const std::array<double, 4>& c, double lower,
                                        double upper) noexcept {
    const double root = std::sqrt(c[2] * c[2] - 3.0 * c[1] * c[3]);
    const double sum = -c[2] - std::copysign(root, c[2]);  // no cancellation
    for (const double t : {sum / (3.0 * c[3]), c[1] / sum}) {
        if (t > lower && t < upper) return t;
    }
    return std::nullopt;
}

template class RootSearch<ExactPolynomial, InstantTest>;

std::optional<TimeBracket> first_root_where(const ExactPolynomial& f, const Horizon& horizon,
                                            const InstantTest& test) {
    return first_root_of(f, horizon, test);
}

}  // namespace graze::certified
