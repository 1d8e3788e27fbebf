// The roots of a cubic in [0, t_max], from the left, each with exact signs of other polynomials at
// it: what an exact decision at an algebraic time needs, and nothing else.
//
// Points at which anything is evaluated are doubles. Roots that lie between two neighbouring
// doubles, even several of them, are told apart on a second, finer clock, and in the end by signs
// and not by refinement, so the work is bounded by the size of the coefficients alone
// (docs/derivations/certified_exact.md, CE-4, CE-5).
#pragma once

#include <functional>
#include <optional>
#include <type_traits>

#include "narrow/certified/exact_polynomial.hpp"
#include "narrow/certified/fixed_polynomial.hpp"

namespace graze::certified {

// A time at which signs are required: a double, or the root number `index` (from the left, from 0)
// of the `count` roots that the square-free f has in (lower, upper).
class Instant {
public:
    // Requires: 0 <= t <= 1.
    [[nodiscard]] static Instant at(double t) noexcept;
    // Requires: f outlives the instant; f square-free with f(lower), f(upper) != 0 and exactly
    // `count` roots between, index < count <= 3.
    [[nodiscard]] static Instant root_of(const ExactPolynomial& f, double lower, double upper,
                                         int index, int count) noexcept;

    [[nodiscard]] static Instant only_root_of(const ExactPolynomial& f, double lower,
                                              double upper) noexcept {
        return root_of(f, lower, upper, 0, 1);
    }

    // The same instant, where all of the above is measured on another clock: signs are asked for
    // polynomials in t. Requires: the map outlives the instant.
    [[nodiscard]] Instant on_clock(const TimeMap& map) const noexcept {
        Instant result = *this;
        result.map_ = &map;
        return result;
    }

    // The exact sign of g here. Requires: degree of g <= 2.
    [[nodiscard]] int sign(const ExactPolynomial& g) const;
    template <std::size_t kDegree, std::size_t kLimbs>
    [[nodiscard]] int sign(const FixedPolynomial<kDegree, kLimbs>& g) const {
        return sign(g.exact());
    }

private:
    const ExactPolynomial* f_ = nullptr;  // null: the time is lower_
    DyadicTime lower_;
    DyadicTime upper_;
    int index_ = 0;
    int count_ = 0;
    const TimeMap* map_ = nullptr;  // null: all of the above is about t itself

    [[nodiscard]] int sign_on_own_clock(const ExactPolynomial& g) const;
    [[nodiscard]] int sign_at_single_root(const ExactPolynomial& g) const;
    [[nodiscard]] int sign_at_root_of_two(const ExactPolynomial& g) const;
    [[nodiscard]] int sign_at_root_of_three(const ExactPolynomial& g) const;
};

// The same for polynomials of fixed width: a double, or the only root of f in (lower, upper).
template <class Polynomial>
class FixedInstant {
public:
    [[nodiscard]] static FixedInstant at(double t) noexcept { return FixedInstant(nullptr, t, t); }
    // Requires: f outlives the instant; f(lower), f(upper) != 0 and exactly one root between, a
    // simple one.
    [[nodiscard]] static FixedInstant only_root_of(const Polynomial& f, double lower,
                                                   double upper) noexcept {
        return FixedInstant(&f, lower, upper);
    }

    // The instant is in [lower, upper].
    [[nodiscard]] double lower() const noexcept { return lower_; }
    [[nodiscard]] double upper() const noexcept { return upper_; }
    // The exact sign of g here. Requires: degree of g <= 2.
    template <class G>
    [[nodiscard]] int sign(const G& g) const {
        const DyadicTime a = dyadic_time(lower_);
        if (f_ == nullptr) return sign_at(g, a);
        const DyadicTime b = dyadic_time(upper_);
        if (const auto everywhere = constant_sign(g, a, b)) return *everywhere;
        return sign_at_root_of(*f_, g, a, b);
    }

private:
    const Polynomial* f_;  // null: the time is lower_
    double lower_;
    double upper_;

    FixedInstant(const Polynomial* f, double lower, double upper) noexcept
        : f_(f), lower_(lower), upper_(upper) {}
};

template <class Polynomial>
using InstantOf = std::conditional_t<std::is_same_v<Polynomial, ExactPolynomial>, Instant,
                                     FixedInstant<Polynomial>>;

struct Horizon {
    double t_max = 1.0;       // in [0, 1]
    double time_width = 0.0;  // >= 0
};

// lower <= time <= upper; equal where the time is known to be a double.
struct TimeBracket {
    double lower = 0.0;
    double upper = 0.0;
};

using InstantTest = std::function<bool(const Instant&)>;

// The first root of f in [0, t_max] at which the test holds.
// Guarantee: exact. The bracket is a point, or narrower than time_width with lower > 0, or two
// neighbouring doubles. A root at 0 has the bracket [0, 0].
// Requires: f != 0, of degree <= 3; the test asks for signs alone.
[[nodiscard]] std::optional<TimeBracket> first_root_where(const ExactPolynomial& f,
                                                          const Horizon& horizon,
                                                          const InstantTest& test);

}  // namespace graze::certified
