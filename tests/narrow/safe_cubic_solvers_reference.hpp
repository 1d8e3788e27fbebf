// What the solvers of `safe-cubic` are held against: roots, and the largest value between two
// times, in numbers of 1024 bits; and the polynomials on which they are nearest to failing.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "narrow/safe_cubic/polynomial_roots.hpp"

namespace graze::safe_cubic {

constexpr unsigned kSeed = 20250101;
constexpr double kEps = 0x1p-52;

// Numbers of the reference: enough bits for squares and products of doubles whose exponents differ
// by 200 at most.
constexpr mp_bitcnt_t kBits = 1024;
using Number = mpf_class;
inline Number number(double x) {
    return Number(x, kBits);
}

// Coefficients from the highest power down.
template <std::size_t N>
using Polynomial = std::array<double, N>;
using Quadratic = Polynomial<3>;
using CubicPolynomial = Polynomial<4>;

template <std::size_t N>
inline Number value(const Polynomial<N>& p, const Number& t) {
    Number sum = number(0.0);
    for (const double coefficient : p)
        sum = sum * t + coefficient;
    return sum;
}

// The real roots, ascending; a double root may come twice. None of a constant.
inline std::vector<Number> exact_roots(const Quadratic& q) {
    const Number a = number(q[0]);
    const Number b = number(q[1]);
    const Number c = number(q[2]);
    if (q[0] == 0.0) return q[1] == 0.0 ? std::vector<Number>{} : std::vector<Number>{-c / b};
    const Number discriminant = b * b - 4 * a * c;
    if (discriminant < 0) return {};
    const Number root = sqrt(discriminant);
    std::vector<Number> roots{(-b - root) / (2 * a), (-b + root) / (2 * a)};
    if (roots[1] < roots[0]) std::swap(roots[0], roots[1]);
    return roots;
}

inline CubicPolynomial as_cubic(const Quadratic& q) {
    return {0.0, q[0], q[1], q[2]};
}
inline Quadratic derivative(const CubicPolynomial& f) {
    // Exact in the tests: their coefficients have at most 51 bits (see short_double).
    return {3.0 * f[0], 2.0 * f[1], f[2]};
}
inline double short_double(double x) {
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(mantissa, 50)), exponent - 50);
}

// The places in (0, 1) where f turns, ascending.
inline std::vector<Number> turns(const CubicPolynomial& f) {
    std::vector<Number> inside;
    for (const Number& t : exact_roots(derivative(f))) {
        if (t > 0 && t < 1) inside.push_back(t);
    }
    return inside;
}

// The roots of f in [0, 1] up to 2^-90. A turn that misses zero by 2^-300 counts as a double root:
// its coefficients were made for one.
inline std::vector<Number> roots_in_unit_interval(const CubicPolynomial& f,
                                                  const std::vector<Number>& turns_of_f) {
    std::vector<Number> ends{number(0.0)};
    ends.insert(ends.end(), turns_of_f.begin(), turns_of_f.end());
    ends.push_back(number(1.0));
    const Number nothing = number(0x1p-300);
    std::vector<Number> roots;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const Number at_end = value(f, ends[i]);
        if (abs(at_end) <= nothing) roots.push_back(ends[i]);
        if (i == 0) continue;
        const int sign = sgn(at_end);
        if (sgn(value(f, ends[i - 1])) * sign >= 0) continue;
        Number lower = ends[i - 1];
        Number upper = ends[i];
        for (int k = 0; k < 90; ++k) {
            const Number middle = (lower + upper) / 2;
            (sgn(value(f, middle)) == sign ? upper : lower) = middle;
        }
        roots.push_back(lower);
    }
    return roots;
}

// The largest |f - level| between s and t.
inline Number largest_between(const CubicPolynomial& f, const std::vector<Number>& turns_of_f,
                              const Number& level, const Number& s, const Number& t) {
    Number largest = abs(value(f, t) - level);
    for (const Number& turn : turns_of_f) {
        const bool between = (s < turn && turn < t) || (t < turn && turn < s);
        if (between) largest = std::max<Number>(largest, abs(value(f, turn) - level));
    }
    return largest;
}

// The least, over all candidates t, of the largest |f - level| between s and t.
inline Number least_way(const CubicPolynomial& f, const std::vector<Number>& turns_of_f,
                        const Number& level, const Number& s,
                        const std::vector<double>& candidates) {
    Number least = number(0x1p900);
    for (const double t : candidates)
        least = std::min<Number>(least, largest_between(f, turns_of_f, level, s, number(t)));
    return least;
}

class WorstRatio {
public:
    explicit WorstRatio(const char* what) : what_(what) {}
    ~WorstRatio() { std::printf("%s: worst ratio %.3g in %ld\n", what_, worst_, count_); }
    WorstRatio(const WorstRatio&) = delete;
    WorstRatio& operator=(const WorstRatio&) = delete;

    double add(const Number& found, const Number& proved) {
        const double ratio = found == 0 ? 0.0 : Number(found / proved).get_d();
        worst_ = std::max(worst_, ratio);
        ++count_;
        return ratio;
    }
    [[nodiscard]] double worst() const { return worst_; }

private:
    const char* what_;
    double worst_ = 0.0;
    long count_ = 0;
};

// --- Polynomials ---------------------------------------------------------------------------------

// One call in each expression: compilers differ in which operand they evaluate first.
class Random {
public:
    double unit() { return std::uniform_real_distribution<double>(0.0, 1.0)(rng_); }
    int below(int n) { return static_cast<int>(rng_() % static_cast<unsigned>(n)); }
    double sign() { return below(2) == 0 ? -1.0 : 1.0; }
    double log_uniform(int lowest_exponent) {
        const double mantissa = 1.0 + unit();
        return std::ldexp(mantissa, below(-lowest_exponent) + lowest_exponent);
    }
    double of_either_sign(int lowest_exponent) {
        const double magnitude = log_uniform(lowest_exponent);
        return below(2) == 0 ? -magnitude : magnitude;
    }
    double or_zero(double x) { return below(2) == 0 ? 0.0 : x; }

    // Anywhere around [0, 1], at an end of it, or just beside one.
    double root() {
        const int kind = below(6);
        if (kind > 2) return 1.4 * unit() - 0.2;
        if (kind == 2) return log_uniform(-50);
        const int end = below(2);
        return kind == 0 ? end : end + of_either_sign(-60);
    }
    // 0 half of the time: a double root, or nearly one.
    double gap() { return or_zero(of_either_sign(-56)); }

private:
    std::mt19937_64 rng_{kSeed};
};

// The coefficients of scale (t - r) (t - s), rounded; of scale times one factor; or any.
inline Quadratic any_quadratic(Random& random) {
    const double r = random.root();
    const double s = random.below(3) == 0 ? random.root() : r + random.gap();
    const double sign = random.sign();
    const double scale =
        random.below(2) == 0 ? sign * (1.0 + random.unit()) : random.of_either_sign(-80);
    switch (random.below(6)) {
        case 0:
            return {random.of_either_sign(-60), random.of_either_sign(-60),
                    random.of_either_sign(-60)};
        case 1:
            return {0.0, scale, -scale * r};
        case 2:
            return {scale, 0.0, -scale * r * r};
        case 3:
            return {scale, -scale * r, 0.0};
        default:
            return {scale, -scale * (r + s), scale * (r * s)};
    }
}

// B = 1: |a|, |d| <= 6, |b|, |c| <= 18. Coefficients of 50 bits, so that 3 a is exact.
inline CubicPolynomial within_bounds(const CubicPolynomial& f, double part) {
    const double excess = std::max(std::max(std::abs(f[0]), std::abs(f[3])) / 6.0,
                                   std::max(std::abs(f[1]), std::abs(f[2])) / 18.0);
    CubicPolynomial result{};
    if (excess == 0.0) return result;
    for (std::size_t i = 0; i < 4; ++i)
        result[i] = short_double(f[i] * (part * 0.999 / excess));
    return result;
}

inline CubicPolynomial product(double r, double s, double t) {
    return {1.0, -(r + s + t), r * s + (r + s) * t, -(r * s * t)};
}

// Coefficients without rounding: a double or a triple root is one exactly.
inline CubicPolynomial dyadic_cubic(Random& random) {
    const double r = random.below(17) / 16.0;
    const double other = random.below(17) / 16.0;
    CubicPolynomial f = product(r, r, random.below(2) == 0 ? r : other);
    const double sign = random.sign();
    const double scale = std::ldexp(4.0 * sign, -random.below(40));
    for (double& coefficient : f)
        coefficient *= scale;
    return f;
}

// Roots r, r + gap, r + other_gap and s; a quadratic and a linear one, and nearly so; or any.
inline CubicPolynomial unscaled_cubic(Random& random) {
    const double r = random.root();
    const double s = random.root();
    const double gap = random.gap();
    const double other_gap = random.gap();
    const double a = random.of_either_sign(-60);
    const double b = random.of_either_sign(-60);
    const double c = random.of_either_sign(-60);
    switch (random.below(6)) {
        case 0:
            return {a, b, c, random.of_either_sign(-60)};
        case 1:
            return product(r, r + gap, s);
        case 2:
            return product(r, r + gap, r + other_gap);
        case 3:
            return {random.or_zero(a), 1.0, -(2.0 * r + gap), r * r};
        case 4:
            return {random.or_zero(a), random.or_zero(b), 1.0, -r};
        default:
            return product(r, s, 3.0 * random.unit() - 1.0);
    }
}

inline CubicPolynomial any_cubic(Random& random) {
    if (random.below(8) == 0) return dyadic_cubic(random);
    const double part = random.below(3) == 0 ? random.log_uniform(-50) / 2.0 : 1.0;
    return within_bounds(unscaled_cubic(random), part);
}

// The cubic as computed: each coefficient moved by at most what is allowed, often all of it and all
// to one side, which takes roots away.
inline CubicPolynomial disturbed(const CubicPolynomial& f, Random& random) {
    // Less than all of it by the rounding of the sum: half of the spacing at 6 and at 18.
    constexpr std::array<double, 4> kErrors{kOuterError - 2.0, kInnerError - 8.0, kInnerError - 8.0,
                                            kOuterError - 2.0};
    const int kind = random.below(3);
    const double side = random.sign();
    CubicPolynomial result = f;
    if (kind == 0) return result;
    for (std::size_t i = 0; i < 4; ++i) {
        const double part = kind == 1 ? side : 2.0 * random.unit() - 1.0;
        result[i] += part * kErrors[i] * kEps;
    }
    return result;
}

}  // namespace graze::safe_cubic
