// Does a cubic f have a root in [0, 1] at which three quartics are not negative? From signs alone.
//
// Notation: tight_bernstein/polynomials.hpp. One source for two kinds of numbers: pairs with a
// bound of their error, and integers. With pairs, a sign that is not certain is noted, and the
// answer then counts for nothing; so the code below may take every sign for the true one, zeros
// included.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "baselines/bernstein_sign/exact_number.hpp"
#include "baselines/tight_bernstein/polynomials.hpp"

namespace graze::bernstein {

template <class N>
using Conditions = std::array<Quartic<N>, 3>;

template <class N, std::size_t n>
[[nodiscard]] std::array<N, n> of_size_one(const std::array<N, n>& tuple) noexcept {
    if constexpr (std::is_same_v<N, Exact>) {
        return tuple;
    } else {
        return normalised(tuple);
    }
}

template <class N>
class Classification {
public:
    explicit Classification(bool cuts_at_inflection) noexcept : cuts_(cuts_at_inflection) {}

    // Was a sign read that is not certain (or lost, for want of memory)? Then nothing is known.
    [[nodiscard]] bool is_open() const noexcept { return open_; }

    // `conditions` is called where f has roots.
    template <class Source>
    [[nodiscard]] bool is_met(const Cubic<N>& k, const Source& conditions) noexcept {
        const Signs s = signs_of(k);
        if (open_) return true;
        // No root; or f = 0, all of [0, 1] roots, which is the method's own failure.
        if (all_equal(s)) return false;
        return is_met_at_some_root(k, s, conditions(), Extent::Step);
    }

private:
    using Signs = std::array<int, 4>;
    // One: f changes sign there. Touch: f is zero, and f' changes sign. First, Second: of two.
    enum class Kind : std::uint8_t { None, One, Touch, First, Second };
    struct Root {
        Kind kind = Kind::None;
        int before = 0;  // sign of f before the (first) root; Touch: of f' there
    };
    struct Condition {
        Quadratic<N> j;
        Division<N> division;
        int common = 0;  // the sign of all of j, 0 if they differ
        bool bends = false;
    };
    // A part of a step that was cut at the inflection has none inside.
    enum class Extent : std::uint8_t { Step, Part };

    bool cuts_;
    bool open_ = false;

    [[nodiscard]] int sign_of(const N& x) noexcept {
        if constexpr (std::is_same_v<N, Exact>) {
            open_ |= x.is_lost();
            return x.sign();
        } else {
            const int certain = sign(x);
            open_ |= certain == 0;
            return certain;
        }
    }
    [[nodiscard]] Signs signs_of(const Cubic<N>& k) noexcept {
        return {sign_of(k[0]), sign_of(k[1]), sign_of(k[2]), sign_of(k[3])};
    }
    [[nodiscard]] static bool all_equal(const Signs& s) noexcept {
        return s[0] == s[1] && s[1] == s[2] && s[2] == s[3];
    }
    // The published patterns: one coefficient differs, at an end, and none is zero.
    [[nodiscard]] static bool has_one_odd_end(const Signs& s) noexcept {
        return s[0] * s[3] < 0 && s[1] == s[2] && s[1] != 0;
    }
    // Descartes: one sign change, one root. (The paper's patterns leave out two against two.)
    [[nodiscard]] static bool changes_once(const Signs& s) noexcept {
        return s[0] * s[3] < 0 && !(s[1] * s[0] < 0 && s[2] * s[3] < 0) && s[1] != 0 && s[2] != 0;
    }

    [[nodiscard]] bool is_met_at_some_root(const Cubic<N>& k, const Signs& s,
                                           const Conditions<N>& g, Extent extent) noexcept;
    [[nodiscard]] bool is_met_in_halves(const Cubic<N>& k, const Conditions<N>& g,
                                        const Linear<N>& bends) noexcept;
    [[nodiscard]] bool is_met_at_end(const Conditions<N>& g, std::size_t end) noexcept;
    [[nodiscard]] Root interior_root(const Cubic<N>& k, const Signs& s) noexcept;
    [[nodiscard]] bool is_met_at(const Root& root, const Cubic<N>& k, const Signs& s,
                                 const Conditions<N>& g) noexcept;
    [[nodiscard]] int sign_at_extremum(const Cubic<N>& k, const Quadratic<N>& y) noexcept;
    [[nodiscard]] int place_of_zero(const Linear<N>& line, int first, const Root& root,
                                    const Cubic<N>& k) noexcept;
    [[nodiscard]] int sign_at(const Root& root, const Linear<N>& line, const Cubic<N>& k) noexcept;
    [[nodiscard]] Condition condition_of(const Quartic<N>& l, const Cubic<N>& k) noexcept;
    [[nodiscard]] int sign_at(const Root& root, const Condition& condition,
                              const Cubic<N>& k) noexcept;
    [[nodiscard]] int sign_at_zero_of(const Linear<N>& line, const Quadratic<N>& j) noexcept;
};

// Ends first, so that what follows is about roots in (0, 1).
template <class N>
bool Classification<N>::is_met_at_some_root(const Cubic<N>& k, const Signs& s,
                                            const Conditions<N>& g, Extent extent) noexcept {
    if (s[0] == 0 && is_met_at_end(g, 0)) return true;
    if (s[3] == 0 && is_met_at_end(g, 4)) return true;
    if (has_one_odd_end(s) || (cuts_ && changes_once(s))) {
        return is_met_at({Kind::One, s[0]}, k, s, g);
    }
    if (extent == Extent::Step) {
        const Linear<N> bends = second_differences(k);
        if (sign_of(bends[0]) * sign_of(bends[1]) < 0) {
            return !cuts_ || is_met_in_halves(k, g, bends);
        }
    }
    const Root root = interior_root(k, s);
    if (root.kind == Kind::None || open_) return open_;
    if (root.kind != Kind::First) return is_met_at(root, k, s, g);
    return is_met_at(root, k, s, g) || is_met_at({Kind::Second, root.before}, k, s, g);
}

template <class N>
bool Classification<N>::is_met_at_end(const Conditions<N>& g, std::size_t end) noexcept {
    return std::none_of(g.begin(), g.end(),
                        [&](const Quartic<N>& l) { return sign_of(l[end]) < 0; });
}

// f'' = 0 at t = A / (A - B), where A and B, its end values, differ in sign. De Casteljau with the
// weights |B| and |A| of which |A - B| is the sum, times a power of that sum: no division, and no
// sign is turned over.
template <class N>
bool Classification<N>::is_met_in_halves(const Cubic<N>& k, const Conditions<N>& g,
                                         const Linear<N>& bends) noexcept {
    const bool turned = sign_of(bends[0]) < 0;
    const Linear<N> weights = of_size_one(Linear<N>{turned ? bends[1] : -bends[1],  //
                                                    turned ? -bends[0] : bends[0]});
    const N whole = weights[0] + weights[1];
    const auto cut_apart = [&]<std::size_t n>(std::array<N, n> row) {
        std::array<N, n> left;
        std::array<N, n> right;
        for (std::size_t level = 0; level < n; ++level) {
            left[level] = row[0];
            right[n - 1 - level] = row[n - 1 - level];
            for (std::size_t i = 0; i + 1 < n - level; ++i)
                row[i] = weights[0] * row[i] + weights[1] * row[i + 1];
        }
        N power = whole;
        for (std::size_t level = n - 1; level-- > 0;) {
            left[level] = left[level] * power;
            right[n - 1 - level] = right[n - 1 - level] * power;
            power = power * whole;
        }
        return std::pair(of_size_one(left), of_size_one(right));
    };
    const auto f = cut_apart(k);
    Conditions<N> left;
    Conditions<N> right;
    for (std::size_t i = 0; i < 3; ++i)
        std::tie(left[i], right[i]) = cut_apart(g[i]);
    const auto is_met_in = [&](const Cubic<N>& part, const Conditions<N>& conditions) {
        const Signs s = signs_of(part);
        if (open_ || all_equal(s)) return open_;
        return is_met_at_some_root(part, s, conditions, Extent::Part);
    };
    return is_met_in(f.first, left) || is_met_in(f.second, right);
}

// The first root in (0, 1), if any, of an f that is not 0 and whose f'' does not change sign there.
//   f' is then monotone. Where it has one sign, f is monotone, and has a root inside iff its ends
//   differ in sign. Where f' changes sign, f has one extremum, and rises (falls) towards it.
template <class N>
typename Classification<N>::Root Classification<N>::interior_root(const Cubic<N>& k,
                                                                  const Signs& s) noexcept {
    if (s[0] * s[3] < 0) return {Kind::One, s[0]};
    const Quadratic<N> y = of_size_one(first_differences(k));
    const int rise = sign_of(y[0]);
    if (rise * sign_of(y[2]) >= 0 || (s[0] == 0 && s[3] == 0)) return {};
    // A root at one end: f has the sign of `rise` beside it, and another root iff not at the other.
    if (s[0] == 0) return s[3] == -rise ? Root{Kind::One, rise} : Root{};
    if (s[3] == 0) return s[0] == -rise ? Root{Kind::One, s[0]} : Root{};
    if (rise == s[0]) return {};  // away from zero
    const int extremum = sign_at_extremum(k, y);
    if (extremum == s[0]) return {};
    return extremum == 0 ? Root{Kind::Touch, rise} : Root{Kind::First, s[0]};
}

// w f = L y + K with w > 0, so that K, a line, has the sign of f where y = 0. Where w = 0, y is a
// line itself, zero at y0 / (y0 - y2).
template <class N>
int Classification<N>::sign_at_extremum(const Cubic<N>& k, const Quadratic<N>& y) noexcept {
    const int rise = sign_of(y[0]);
    if (sign_of(y[0] - times<2>(y[1]) + y[2]) == 0) {
        return rise * sign_of(homogeneous(k, -y[2], y[0]));
    }
    const Linear<N> remainder = of_size_one(divide(k, y).remainder);
    return sign_at({Kind::Touch, rise}, remainder, k);
}

// +1: the line's zero is before the root; 0: at it; -1: after it.
// Requires: the line's ends differ in sign, `first` is that of line[0]. f is of odd degree and
// takes the sign of the denominator line[0] - line[1], which is `first`, along.
template <class N>
int Classification<N>::place_of_zero(const Linear<N>& line, int first, const Root& root,
                                     const Cubic<N>& k) noexcept {
    const auto slope = [&] {
        return sign_of(homogeneous(of_size_one(first_differences(k)), -line[1], line[0]));
    };
    if (root.kind == Kind::Touch) return slope() * root.before;
    const int f = first * sign_of(homogeneous(k, -line[1], line[0]));
    if (root.kind == Kind::One) return f * root.before;
    // Of two roots, f has the sign `before` outside and the other between them; towards the first
    // root its slope is opposite to `before`, and it is so up to the extremum.
    if (f == -root.before) return root.kind == Kind::First ? -1 : 1;
    const bool left = slope() == -root.before;
    if (f == 0) return root.kind == Kind::First ? (left ? 0 : -1) : (left ? 1 : 0);
    return left ? 1 : -1;
}

template <class N>
int Classification<N>::sign_at(const Root& root, const Linear<N>& line,
                               const Cubic<N>& k) noexcept {
    const int first = sign_of(line[0]);
    const int last = sign_of(line[1]);
    if (first == last || last == 0) return first;
    if (first == 0) return last;
    const int place = place_of_zero(line, first, root, k);
    return place == 0 ? 0 : place > 0 ? last : first;
}

// The quartic modulo f: a quadratic j of the same sign at the roots in (0, 1). Requires: k[0] != 0.
template <class N>
typename Classification<N>::Condition Classification<N>::condition_of(const Quartic<N>& l,
                                                                      const Cubic<N>& k) noexcept {
    Condition result{of_size_one(reduced(l, k)), {}, 0, false};
    const Quadratic<N>& j = result.j;
    // Not sign_of: that they differ, or are not certain, is no loss.
    const auto peek = [](const N& x) {
        if constexpr (std::is_same_v<N, Exact>) {
            return x.is_lost() ? 0 : x.sign();
        } else {
            return sign(x);
        }
    };
    const int common = peek(j[0]);
    if (common != 0 && peek(j[1]) == common && peek(j[2]) == common) {
        result.common = common;
        return result;
    }
    result.bends = sign_of(j[0] - times<2>(j[1]) + j[2]) != 0;
    if (result.bends) {
        result.division = divide(k, j);
        result.division.quotient = of_size_one(result.division.quotient);
        result.division.remainder = of_size_one(result.division.remainder);
    }
    return result;
}

// j at the zero of a line whose ends differ in sign.
template <class N>
int Classification<N>::sign_at_zero_of(const Linear<N>& line, const Quadratic<N>& j) noexcept {
    return sign_of(homogeneous(j, -line[1], line[0]));
}

// w f = L j + K, w > 0: at a root, L j = -K. Where K is 0 there, either the root is the zero of K,
// or K is 0 altogether and the root is one of j or the zero of L.
template <class N>
int Classification<N>::sign_at(const Root& root, const Condition& condition,
                               const Cubic<N>& k) noexcept {
    if (condition.common != 0) return condition.common;
    if (!condition.bends) return sign_at(root, Linear<N>{condition.j[0], condition.j[2]}, k);
    const auto& [quotient, remainder] = condition.division;
    const int rest = sign_at(root, remainder, k);
    if (rest != 0) return -rest * sign_at(root, quotient, k);
    if (open_) return 0;
    if (sign_of(remainder[0]) != 0) return sign_at_zero_of(remainder, condition.j);
    return sign_at(root, quotient, k) != 0 ? 0 : sign_at_zero_of(quotient, condition.j);
}

template <class N>
bool Classification<N>::is_met_at(const Root& root, const Cubic<N>& k, const Signs& s,
                                  const Conditions<N>& g) noexcept {
    if (s[0] == 0) {  // the reduction needs f(0): look from the other end, where f is not zero
        Cubic<N> mirrored = k;
        std::reverse(mirrored.begin(), mirrored.end());
        Conditions<N> conditions = g;
        for (Quartic<N>& l : conditions)
            std::reverse(l.begin(), l.end());
        const Root from_there{root.kind, root.kind == Kind::One ? -root.before : root.before};
        return is_met_at(from_there, mirrored, {s[3], s[2], s[1], s[0]}, conditions);
    }
    for (const Quartic<N>& l : g) {
        if (sign_at(root, condition_of(l, k), k) < 0) return false;
        if (open_) return true;
    }
    return true;
}

}  // namespace graze::bernstein
