// The search of exact_roots.hpp, for polynomials that grow and for those of fixed width: the same
// steps, guesses and signs, hence the same bits. What fixed widths do not reach, the chains of
// several roots and the second clock, is handed to the search that grows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "narrow/certified/exact_roots.hpp"

namespace graze::certified {

// Doubles >= 0 are ordered as their bits, so a step of one is a step to the neighbour. Halving the
// distance in bits reaches neighbours in 62 steps from [0, 1], however close to zero.
[[nodiscard]] inline std::uint64_t rank(double t) noexcept {
    return std::bit_cast<std::uint64_t>(t);
}
[[nodiscard]] inline double from_rank(std::uint64_t bits) noexcept {
    return std::bit_cast<double>(bits);
}
[[nodiscard]] inline std::uint64_t middle_rank(std::uint64_t low, std::uint64_t high) noexcept {
    return low + (high - low) / 2;
}
[[nodiscard]] inline bool are_neighbours(double lower, double upper) noexcept {
    return rank(upper) - rank(lower) <= 1;
}

// Whether [lower, upper] may be handed out. `<` and not `<=`: the difference may be rounded, but
// not from time_width or above to below it. A lower end of zero says nothing, so it is refined.
[[nodiscard]] inline bool is_narrow(double lower, double upper, double time_width) noexcept {
    return are_neighbours(lower, upper) || (lower > 0.0 && upper - lower < time_width);
}

// A guess of the root in (lower, upper) of the cubic with these coefficients: Newton's steps, or
// halving where they leave it. sign_lower is the sign at `lower`. Whatever it gives, the answer
// stays right.
[[nodiscard]] double root_est(const std::array<double, 4>& c, double lower, double upper,
                              int sign_lower) noexcept;

// A guess of a root of its derivative in (lower, upper): where to split.
[[nodiscard]] std::optional<double> turning_point_est(const std::array<double, 4>& c, double lower,
                                                      double upper) noexcept;

// f without its roots at t, of whatever multiplicity. Requires: f != 0.
template <class Polynomial>
[[nodiscard]] Polynomial without_all_roots(Polynomial f, const DyadicTime& t) {
    while (f.degree() > 0 && sign_at(f, t) == 0)
        f = without_root(f, t);
    return f;
}

// The only root of f in (lower, upper), bracketed as narrowly as asked for. f changes its sign there.
// Begins at the guess, goes from it in growing steps until the root is between, halves.
template <class Polynomial>
[[nodiscard]] TimeBracket narrowed(const Polynomial& f, double lower, double upper,
                                   double time_width) {
    constexpr std::uint64_t kGrowth = 16;
    const int sign_lower = sign_at(f, dyadic_time(lower));
    std::uint64_t low = rank(lower);
    std::uint64_t high = rank(upper);
    std::uint64_t probe = rank(root_est(scaled_coefficients_est(f), lower, upper, sign_lower));
    std::uint64_t step = 1;
    bool moved_low = false;
    bool moved_high = false;
    while (!is_narrow(from_rank(low), from_rank(high), time_width)) {
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

template <class Polynomial, class Test>
class RootSearch;
using GrowingSearch = RootSearch<ExactPolynomial, InstantTest>;

// Searches the roots of one polynomial from the left. The test is asked about an
// InstantOf<Polynomial>, and about an Instant where the search goes on with polynomials that grow.
template <class Polynomial, class Test>
class RootSearch {
public:
    // The second search is the one on a finer clock; there is no third.
    enum class Clock : std::uint8_t { First, Second };
    RootSearch(double time_width, const Test& test, Clock clock = Clock::First) noexcept
        : time_width_(time_width), test_(test), clock_(clock) {}

    // The first root in (lower, upper) that passes. Requires: f not zero at either end.
    // Descartes decides most: no change of sign, no root; one change, one root, and a simple one.
    // Two splits at the turning points leave him undecided where roots are multiple or nearly so.
    [[nodiscard]] std::optional<TimeBracket> between(const Polynomial& f, double lower,
                                                     double upper, int splits = 2) const {
        const int changes = bernstein_changes(f, dyadic_time(lower), dyadic_time(upper));
        if (changes == 0) return std::nullopt;
        if (changes == 1) return single_root(f, lower, upper);
        const auto split =
            splits > 0 ? turning_point_est(scaled_coefficients_est(f), lower, upper) : std::nullopt;
        if (!split) return by_sturm(f, lower, upper);
        if (sign_at(f, dyadic_time(*split)) == 0) {
            return around_exact_root(f, lower, *split, upper);
        }
        if (const auto found = between(f, lower, *split, splits - 1)) return found;
        return between(f, *split, upper, splits - 1);
    }

private:
    template <class OtherPolynomial, class OtherTest>
    friend class RootSearch;
    static constexpr bool kGrows = std::is_same_v<Polynomial, ExactPolynomial>;

    // An open interval with V at its ends; by Sturm it holds V(lower) - V(upper) roots.
    struct Cell {
        double lower;
        double upper;
        int variations_lower;
        int variations_upper;
        [[nodiscard]] int roots() const noexcept { return variations_lower - variations_upper; }
    };

    double time_width_;
    const Test& test_;
    Clock clock_;

    // Requires: f not zero at either end.
    [[nodiscard]] std::optional<TimeBracket> by_sturm(const Polynomial& f, double lower,
                                                      double upper) const {
        if constexpr (kGrows) {
            return by_chain(f, lower, upper);
        } else {
            const InstantTest passes = [this](const Instant& now) { return test_(now); };
            const GrowingSearch search(time_width_, passes);
            return search.by_chain(f.exact(), lower, upper);
        }
    }
    [[nodiscard]] std::optional<TimeBracket> by_chain(const ExactPolynomial& f, double lower,
                                                      double upper) const {
        const SignChain chain = sturm_chain(f);
        if (chain.last().degree() > 0) return by_chain(quotient(f, chain.last()), lower, upper);
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

    // The middle is itself a root: it is taken out, and tested between the others.
    [[nodiscard]] std::optional<TimeBracket> around_exact_root(const Polynomial& f, double lower,
                                                               double middle, double upper) const {
        const Polynomial others = without_all_roots(f, dyadic_time(middle));
        if (const auto found = between(others, lower, middle)) return found;
        if (test_(InstantOf<Polynomial>::at(middle))) return TimeBracket{middle, middle};
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

    [[nodiscard]] std::optional<TimeBracket> single_root(const Polynomial& f, double lower,
                                                         double upper) const {
        const TimeBracket found = narrowed(f, lower, upper, time_width_);
        if (found.lower == found.upper) {
            const bool holds = test_(InstantOf<Polynomial>::at(found.lower));
            return holds ? std::optional(found) : std::nullopt;
        }
        // In fixed width a sign at a single root costs little on any clock.
        if constexpr (kGrows) {
            const bool at_end = found.upper == 1.0 && found.lower >= 0.5;
            if (clock_ == Clock::First && (at_end || found.lower == 0.0)) {
                return on_second_clock(f, found);
            }
        }
        const bool passes = test_(InstantOf<Polynomial>::only_root_of(f, found.lower, found.upper));
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
        const GrowingSearch search(0.0, passes, GrowingSearch::Clock::Second);
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
};

extern template class RootSearch<ExactPolynomial, InstantTest>;

template <class Polynomial, class Test>
std::optional<TimeBracket> first_root_of(const Polynomial& f, const Horizon& horizon,
                                         const Test& test) {
    GRAZE_ASSERT(!f.is_zero() && f.degree() <= 3);
    GRAZE_ASSERT(0.0 <= horizon.t_max && horizon.t_max <= 1.0);
    const DyadicTime zero;
    const DyadicTime end = dyadic_time(horizon.t_max);
    if (sign_at(f, zero) == 0 && test(InstantOf<Polynomial>::at(0.0))) return TimeBracket{0.0, 0.0};
    if (end.significand == 0) return std::nullopt;
    const Polynomial rest = without_all_roots(without_all_roots(f, zero), end);
    const RootSearch<Polynomial, Test> search(horizon.time_width, test);
    if (const auto found = search.between(rest, 0.0, horizon.t_max)) return found;
    if (sign_at(f, end) == 0 && test(InstantOf<Polynomial>::at(horizon.t_max))) {
        return TimeBracket{horizon.t_max, horizon.t_max};
    }
    return std::nullopt;
}

}  // namespace graze::certified
