#include "narrow/certified/exact_roots.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

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

namespace {

// Doubles >= 0 are ordered as their bits, so a step of one is a step to the neighbour. Halving the
// distance in bits reaches neighbours in 62 steps from [0, 1], however close to zero.
std::uint64_t rank(double t) noexcept {
    return std::bit_cast<std::uint64_t>(t);
}
double from_rank(std::uint64_t bits) noexcept {
    return std::bit_cast<double>(bits);
}
std::uint64_t middle_rank(std::uint64_t low, std::uint64_t high) noexcept {
    return low + (high - low) / 2;
}
bool are_neighbours(double lower, double upper) noexcept {
    return rank(upper) - rank(lower) <= 1;
}

// Whether [lower, upper] may be handed out. `<` and not `<=`: the difference may be rounded, but
// not from time_width or above to below it. A lower end of zero says nothing, so it is refined.
bool is_narrow(double lower, double upper, double time_width) noexcept {
    return are_neighbours(lower, upper) || (lower > 0.0 && upper - lower < time_width);
}

// The coefficients in floating point, scaled to about one: for guesses, never for decisions.
std::array<double, 4> scaled_coefficients_est(const ExactPolynomial& f) noexcept {
    std::size_t bits = 0;
    for (const ExactInteger& c : f.coefficients())
        bits = std::max(bits, c.bit_width());
    std::array<double, 4> result{};
    for (std::size_t i = 0; i <= f.degree(); ++i)
        result[i] = f[i].scaled_est(bits);
    return result;
}

// A guess of the root of f in (lower, upper): Newton's steps, or halving where they leave it.
// sign_lower is the sign of f at `lower`. Whatever it gives, the answer stays right.
double root_est(const ExactPolynomial& f, double lower, double upper, int sign_lower) noexcept {
    constexpr int kMaxSteps = 64;
    const std::array<double, 4> c = scaled_coefficients_est(f);
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

// A guess of a root of f' in (lower, upper): where to split.
std::optional<double> turning_point_est(const ExactPolynomial& f, double lower,
                                        double upper) noexcept {
    const std::array<double, 4> c = scaled_coefficients_est(f);
    const double root = std::sqrt(c[2] * c[2] - 3.0 * c[1] * c[3]);
    const double sum = -c[2] - std::copysign(root, c[2]);  // no cancellation
    for (const double t : {sum / (3.0 * c[3]), c[1] / sum}) {
        if (t > lower && t < upper) return t;
    }
    return std::nullopt;
}

// f without its roots at t, of whatever multiplicity. Requires: f != 0.
ExactPolynomial without_all_roots(ExactPolynomial f, const DyadicTime& t) {
    while (f.degree() > 0 && sign_at(f, t) == 0)
        f = without_root(f, t);
    return f;
}

// Searches the roots of one polynomial from the left.
class RootSearch {
public:
    // The second search is the one on a finer clock; there is no third.
    enum class Clock : std::uint8_t { First, Second };
    RootSearch(double time_width, const InstantTest& test, Clock clock = Clock::First) noexcept
        : time_width_(time_width), test_(test), clock_(clock) {}

    // The first root in (lower, upper) that passes. Requires: f not zero at either end.
    // Descartes decides most: no change of sign, no root; one change, one root, and a simple one.
    // Two splits at the turning points leave him undecided where roots are multiple or nearly so.
    [[nodiscard]] std::optional<TimeBracket> between(const ExactPolynomial& f, double lower,
                                                     double upper, int splits = 2) const {
        const int changes = bernstein_changes(f, dyadic_time(lower), dyadic_time(upper));
        if (changes == 0) return std::nullopt;
        if (changes == 1) return single_root(f, lower, upper);
        const auto turn = splits > 0 ? turning_point_est(f, lower, upper) : std::nullopt;
        if (!turn) return by_sturm(f, lower, upper);
        if (sign_at(f, dyadic_time(*turn)) == 0) {
            return around_exact_root(f, lower, *turn, upper);
        }
        if (const auto found = between(f, lower, *turn, splits - 1)) return found;
        return between(f, *turn, upper, splits - 1);
    }

private:
    // An open interval with V at its ends; by Sturm it holds V(lower) - V(upper) roots.
    struct Cell {
        double lower;
        double upper;
        int variations_lower;
        int variations_upper;
        [[nodiscard]] int roots() const noexcept { return variations_lower - variations_upper; }
    };

    double time_width_;
    const InstantTest& test_;
    Clock clock_;

    // Requires: f not zero at either end.
    [[nodiscard]] std::optional<TimeBracket> by_sturm(const ExactPolynomial& f, double lower,
                                                      double upper) const {
        const SignChain chain = sturm_chain(f);
        if (chain.last().degree() > 0) return by_sturm(quotient(f, chain.last()), lower, upper);
        const Cell cell{lower, upper, chain.variations(dyadic_time(lower)),
                        chain.variations(dyadic_time(upper))};
        return in_cell(f, chain, cell);
    }

    [[nodiscard]] std::optional<TimeBracket> in_cell(const ExactPolynomial& f,
                                                     const SignChain& chain,
                                                     const Cell& cell) const {
        if (cell.roots() <= 0) return std::nullopt;
        if (cell.roots() == 1) return single_root(f, cell.lower, cell.upper);
        if (are_neighbours(cell.lower, cell.upper)) return cluster(f, cell);
        return halves(f, chain, cell);
    }

    [[nodiscard]] std::optional<TimeBracket> halves(const ExactPolynomial& f,
                                                    const SignChain& chain,
                                                    const Cell& cell) const {
        const double middle = from_rank(middle_rank(rank(cell.lower), rank(cell.upper)));
        const DyadicTime t = dyadic_time(middle);
        if (sign_at(f, t) == 0) return around_exact_root(f, cell.lower, middle, cell.upper);
        const int variations = chain.variations(t);
        const Cell left{cell.lower, middle, cell.variations_lower, variations};
        if (const auto found = in_cell(f, chain, left)) return found;
        return in_cell(f, chain, {middle, cell.upper, variations, cell.variations_upper});
    }

    // The middle is itself a root: take it out, and look at it in its turn.
    [[nodiscard]] std::optional<TimeBracket> around_exact_root(const ExactPolynomial& f,
                                                               double lower, double middle,
                                                               double upper) const {
        const ExactPolynomial others = without_all_roots(f, dyadic_time(middle));
        if (const auto found = between(others, lower, middle)) return found;
        if (test_(Instant::at(middle))) return TimeBracket{middle, middle};
        return between(others, middle, upper);
    }

    // Several roots without a double between them have the same bracket.
    [[nodiscard]] std::optional<TimeBracket> cluster(const ExactPolynomial& f,
                                                     const Cell& cell) const {
        const TimeBracket bracket{cell.lower, cell.upper};
        if (clock_ == Clock::First) return on_second_clock(f, bracket);
        for (int i = 0; i < cell.roots(); ++i) {
            if (test_(Instant::root_of(f, cell.lower, cell.upper, i, cell.roots()))) {
                return bracket;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<TimeBracket> single_root(const ExactPolynomial& f, double lower,
                                                         double upper) const {
        const TimeBracket found = narrowed(f, lower, upper);
        if (found.lower == found.upper) {
            return test_(Instant::at(found.lower)) ? std::optional(found) : std::nullopt;
        }
        const bool at_end = found.upper == 1.0 && found.lower >= 0.5;
        if (clock_ == Clock::First && (at_end || found.lower == 0.0)) {
            return on_second_clock(f, found);
        }
        const bool passes = test_(Instant::root_of(f, found.lower, found.upper, 0, 1));
        return passes ? std::optional(found) : std::nullopt;
    }

    // A clock that runs from 0 to 1 within the bracket: from its upper end backwards where that is
    // t = 1, from its lower end otherwise. Doubles are dense at 0 and coarse at 1. Where primitives
    // come from far away to a place near the origin, all that happens may happen between 1 - 2^-53
    // and 1; backwards from 1 doubles are dense there. The bracket is the same for all roots in
    // it, so their order does not matter.
    // Requires: neighbouring doubles, or lower >= 1/2.
    [[nodiscard]] std::optional<TimeBracket> on_second_clock(const ExactPolynomial& f,
                                                             const TimeBracket& bracket) const {
        const TimeMap map = clock_within(bracket);
        const InstantTest passes = [&](const Instant& now) { return test_(now.on_clock(map)); };
        const RootSearch search(0.0, passes, Clock::Second);
        const auto found = search.between(substituted(f, map), 0.0, 1.0);
        return found ? std::optional(bracket) : std::nullopt;
    }

    // In units of 2^-shift both ends are below 2^54: neighbouring doubles are m and m + 1 such
    // units with m < 2^53, and from 1/2 to 1 doubles are multiples of 2^-53.
    [[nodiscard]] static TimeMap clock_within(const TimeBracket& bracket) noexcept {
        const DyadicTime low = dyadic_time(bracket.lower);
        const DyadicTime high = dyadic_time(bracket.upper);
        const std::size_t shift = std::max(low.shift, high.shift);
        GRAZE_ASSERT(shift - low.shift < 54 || low.significand == 0);
        GRAZE_ASSERT(shift - high.shift < 54);
        const auto a = low.significand == 0
                           ? std::int64_t{0}
                           : static_cast<std::int64_t>(low.significand << (shift - low.shift));
        const auto b = static_cast<std::int64_t>(high.significand << (shift - high.shift));
        return bracket.upper == 1.0 ? TimeMap{b, a - b, shift} : TimeMap{a, b - a, shift};
    }

    // The only root of f in (lower, upper), bracketed as narrowly as asked for. f changes its sign
    // there. Begins at the guess, goes from it in growing steps until the root is between, halves.
    [[nodiscard]] TimeBracket narrowed(const ExactPolynomial& f, double lower, double upper) const {
        constexpr std::uint64_t kGrowth = 16;
        const int sign_lower = sign_at(f, dyadic_time(lower));
        std::uint64_t low = rank(lower);
        std::uint64_t high = rank(upper);
        std::uint64_t probe = rank(root_est(f, lower, upper, sign_lower));
        std::uint64_t step = 1;
        bool moved_low = false;
        bool moved_high = false;
        while (!is_narrow(from_rank(low), from_rank(high), time_width_)) {
            if (!(low < probe && probe < high)) probe = middle_rank(low, high);
            const int sign = sign_at(f, dyadic_time(from_rank(probe)));
            if (sign == 0) return {from_rank(probe), from_rank(probe)};
            (sign == sign_lower ? low : high) = probe;
            (sign == sign_lower ? moved_low : moved_high) = true;
            const bool both = moved_low && moved_high;
            probe = both ? middle_rank(low, high) : moved_low ? low + step : high - step;
            step *= kGrowth;
        }
        return {from_rank(low), from_rank(high)};
    }
};

}  // namespace

std::optional<TimeBracket> first_root_where(const ExactPolynomial& f, const Horizon& horizon,
                                            const InstantTest& test) {
    GRAZE_ASSERT(!f.is_zero() && f.degree() <= 3);
    GRAZE_ASSERT(0.0 <= horizon.t_max && horizon.t_max <= 1.0);
    const DyadicTime zero;
    const DyadicTime end = dyadic_time(horizon.t_max);
    if (sign_at(f, zero) == 0 && test(Instant::at(0.0))) return TimeBracket{0.0, 0.0};
    if (end.significand == 0) return std::nullopt;
    const ExactPolynomial rest = without_all_roots(without_all_roots(f, zero), end);
    const RootSearch search(horizon.time_width, test);
    if (const auto found = search.between(rest, 0.0, horizon.t_max)) return found;
    if (sign_at(f, end) == 0 && test(Instant::at(horizon.t_max))) {
        return TimeBracket{horizon.t_max, horizon.t_max};
    }
    return std::nullopt;
}

}  // namespace graze::certified
