// The test itself: can a root of f with g_1, g_2, g_3 >= 0 be excluded?
//
// Every step below turns certain signs into certain facts; a sign that is not known (0) only ever
// leads to "not excluded". Steps are those of the paper; where a rule is wider or narrower than the
// published one, it says so. Proofs: docs/derivations/tight_bernstein.md, TB-1 to TB-6.
#pragma once

#include "baselines/tight_bernstein/polynomials.hpp"

namespace graze::bernstein {

enum class RootCount : std::uint8_t { None, One, Two };

// What is certain of the roots of f in [0, 1].
struct Roots {
    RootCount count = RootCount::Two;  // at most that many
    // One: the sign of f before the root (and the opposite after it).
    // Two: the sign of f'', hence of f outside the two roots of its convex or concave continuation.
    // 0: not known, and then no question about the roots has an answer.
    CertainSign outside = 0;
};

// Answers at the first and at the second root; with one root, both say the same.
template <class T>
struct AtRoots {
    T first{};
    T second{};
};

template <class N, std::size_t n>
[[nodiscard]] CertainSign common_sign(const std::array<N, n>& tuple) noexcept {
    const CertainSign first = sign(tuple[0]);
    for (std::size_t i = 1; i < n && first != 0; ++i) {
        if (sign(tuple[i]) != first) return 0;
    }
    return first;
}

// Exactly one sign change of the coefficients, whatever the unknown ones are: one simple root.
// Between ends of opposite sign there are one or three changes, three only if k1 has the sign of k3
// and k2 that of k0. (The paper lists the patterns with a single coefficient on one side. A cubic
// that is linear, as for a translation, has two on each, and no certain curvature to go on with.)
template <class N>
[[nodiscard]] bool changes_sign_once(const Cubic<N>& k) noexcept {
    const CertainSign start = sign(k[0]);
    const CertainSign end = sign(k[3]);
    if (start == 0 || start != -end) return false;
    return sign(k[1]) == start || sign(k[2]) == end;
}

// The sign of f at its only extremum in (0, 1), where its derivative y certainly changes sign.
//   w f = L y + K, so that w f = K there, w >= 0. K is linear; where it changes sign, at t_K, the
//   sign of y(t_K) tells on which side of the extremum that is.
template <class N>
[[nodiscard]] CertainSign sign_at_extremum(const Cubic<N>& k, const Quadratic<N>& y) noexcept {
    const Linear<N> remainder = normalised(divide(k, normalised(y)).remainder);
    const CertainSign first = sign(remainder[0]);
    const CertainSign last = sign(remainder[1]);
    if (first == 0 || last == 0 || first == last) return first == last ? first : 0;
    const CertainSign slope = sign(homogeneous(y, -remainder[1], remainder[0]));
    // To go on with an unknown slope as if t_K were past the extremum reproduces what is known of
    // the published code: it misses contacts of small size, where the slope is the first to
    // underflow, and some with two near roots at any size.
    if (slope == 0 && N::kGuarded) return 0;
    return slope == sign(y[0]) ? last : first;
}

// Requires: f'' does not change sign in [0, 1]; `curvature` is its sign, if that is certain.
template <class N>
[[nodiscard]] Roots roots_without_inflection(const Cubic<N>& k, CertainSign curvature) noexcept {
    const CertainSign start = sign(k[0]);
    const CertainSign end = sign(k[3]);
    if (start != 0 && start == -end) return {RootCount::One, start};
    const Quadratic<N> y = first_differences(k);
    const CertainSign rise = sign(y[0]);
    if (rise != 0 && rise == sign(y[2])) {  // strictly monotone
        return {start != 0 && start == end ? RootCount::None : RootCount::One, -rise};
    }
    const Roots two{RootCount::Two, curvature};
    const CertainSign known_end = start != 0 ? start : end;
    if (known_end == 0 || rise == 0 || rise != -sign(y[2])) return two;
    if (sign_at_extremum(k, y) != known_end) return two;
    // f keeps that sign from the extremum to each end whose sign is known.
    if (start == end) return {RootCount::None, 0};
    return {RootCount::One, start != 0 ? start : -end};
}

// The sign of a linear polynomial at the roots of f.
template <class N>
[[nodiscard]] AtRoots<CertainSign> sign_at_roots(const Linear<N>& line, const Cubic<N>& k,
                                                 const Roots& roots) noexcept {
    const CertainSign first = sign(line[0]);
    const CertainSign last = sign(line[1]);
    if (first == last) return {first, first};
    if (first == 0 || last == 0 || roots.outside == 0) return {0, 0};
    // The line is zero at t = line0 / (line0 - line1), within (0, 1); its denominator has the sign
    // `first`, which f, of odd degree, takes along.
    const Linear<N> at = normalised(line);
    const CertainSign f = first * sign(homogeneous(k, -at[1], at[0]));
    if (f == 0) return {0, 0};
    if (roots.count == RootCount::One) {
        return f == roots.outside ? AtRoots<CertainSign>{last, last}
                                  : AtRoots<CertainSign>{first, first};
    }
    if (f != roots.outside) return {first, last};  // between the roots
    const CertainSign slope = sign(homogeneous(first_differences(k), -at[1], at[0]));
    if (slope == 0) return {0, 0};
    // Towards the roots from the left, away from them on the right.
    return slope == roots.outside ? AtRoots<CertainSign>{first, first}
                                  : AtRoots<CertainSign>{last, last};
}

// J is nearly linear: J(t) = (1 - t) j0 + t (2 j1 - j0 + t bend), whose bracket lies within |bend|
// of 2 j1 - j0. (The paper takes the line itself where bend is not certainly different from 0.)
template <class N>
[[nodiscard]] Linear<N> nearly_linear(const Quadratic<N>& j) noexcept {
    const N bend = j[0] - times<2>(j[1]) + j[2];
    return {j[0], widened(times<2>(j[1]) - j[0], bend)};
}

// The three quartics that are not negative where the primitives touch.
template <class N>
struct Inside {
    std::array<Quartic<N>, 3> conditions;
    // Not in the paper: a J whose coefficients have one sign has that sign at the roots, too.
    bool reads_one_sign = false;
};

// Is the quartic certainly negative at the roots of f?
//   At a root, quotient * J = -remainder: J < 0 wherever the two have the same sign.
template <class N>
[[nodiscard]] AtRoots<bool> negative_at_roots(const Quartic<N>& l, const Cubic<N>& k,
                                              const Roots& roots, bool reads_one_sign) noexcept {
    const Quadratic<N> j = normalised(reduced(l, k));
    if (const CertainSign all = reads_one_sign ? common_sign(j) : 0; all != 0) {
        return {all < 0, all < 0};
    }
    const N bend = j[0] - times<2>(j[1]) + j[2];
    if (sign(bend) == 0) {
        const AtRoots<CertainSign> line = sign_at_roots(nearly_linear(j), k, roots);
        return {line.first < 0, line.second < 0};
    }
    const Division<N> division = divide(k, j);
    const auto quotient = sign_at_roots(division.quotient, k, roots);
    const auto remainder = sign_at_roots(division.remainder, k, roots);
    const auto same = [](CertainSign a, CertainSign b) { return a != 0 && a == b; };
    return {same(quotient.first, remainder.first), same(quotient.second, remainder.second)};
}

// Each root must fail one of the three conditions; a root that fails none may be a contact.
template <class N>
[[nodiscard]] bool every_root_is_outside(const Inside<N>& inside, const Cubic<N>& k,
                                         const Roots& roots) noexcept {
    if (roots.count == RootCount::None) return true;
    AtRoots<bool> outside{false, false};
    for (const Quartic<N>& l : inside.conditions) {
        const AtRoots<bool> negative = negative_at_roots(l, k, roots, inside.reads_one_sign);
        outside = {outside.first || negative.first, outside.second || negative.second};
        if (outside.first && outside.second) return true;
    }
    return false;
}

// Both parts of a polynomial, cut at t = a / (a - b), times (a - b)^degree: de Casteljau without
// its divisions. Every member gets the same power, so that factors of both parts are equal.
template <class N, std::size_t n>
struct Halves {
    std::array<N, n> left;
    std::array<N, n> right;
};
template <class N, std::size_t n>
[[nodiscard]] Halves<N, n> cut(std::array<N, n> row, const N& a, const N& b) noexcept {
    const N whole = a - b;
    Halves<N, n> halves;
    for (std::size_t level = 0; level < n; ++level) {
        halves.left[level] = row[0];
        halves.right[n - 1 - level] = row[n - 1 - level];
        for (std::size_t i = 0; i + 1 < n - level; ++i)
            row[i] = a * row[i + 1] - b * row[i];
    }
    N power = whole;
    for (std::size_t level = n - 1; level-- > 0;) {
        halves.left[level] = halves.left[level] * power;
        halves.right[n - 1 - level] = halves.right[n - 1 - level] * power;
        power = power * whole;
    }
    return halves;
}

// One part of a step that was cut at the inflection: f'' keeps its sign in it, which need not be
// known though.
template <class N>
[[nodiscard]] bool excludes_part(const Cubic<N>& k, const Inside<N>& inside,
                                 CertainSign curvature) noexcept {
    if (common_sign(k) != 0) return true;
    if (changes_sign_once(k)) {
        return every_root_is_outside(inside, k, {RootCount::One, sign(k[0])});
    }
    return every_root_is_outside(inside, k, roots_without_inflection(k, curvature));
}

// f'' = 0 at t = A / (A - B), A and B its end values. The two parts cover [0, 1] wherever that time
// lies.
template <class N>
[[nodiscard]] bool excludes_at_inflection(const Cubic<N>& k, const Inside<N>& inside,
                                          const Linear<N>& bends) noexcept {
    const Linear<N> ends = normalised(bends);
    const CertainSign factor = sign(ends[0] - ends[1]);
    if (factor == 0) return false;
    // (A - B)^3 turns f over where A < B; its curvature turns with it.
    const Halves<N, 4> f = cut(k, ends[0], ends[1]);
    Inside<N> left = inside;
    Inside<N> right = inside;
    for (std::size_t i = 0; i < 3; ++i) {
        const Halves<N, 5> g = cut(inside.conditions[i], ends[0], ends[1]);
        left.conditions[i] = normalised(g.left);
        right.conditions[i] = normalised(g.right);
    }
    return excludes_part(normalised(f.left), left, factor * sign(ends[0])) &&
           excludes_part(normalised(f.right), right, factor * sign(ends[1]));
}

enum class Primitives : std::uint8_t { VertexFace, EdgeEdge };

struct Question {
    Primitives primitives = Primitives::VertexFace;
    bool reads_one_sign = false;  // see Inside
};

template <class N>
[[nodiscard]] Inside<N> inside_of(const FourCorners& corners, const Sweep<N>& n,
                                  const Question& question) noexcept {
    const Moving<N> ad = difference<N>(corners, 0, 3);
    const Moving<N> bd = difference<N>(corners, 1, 3);
    const Moving<N> cd = difference<N>(corners, 2, 3);
    Inside<N> inside{
        {normalised(twice_inside(cross(bd, cd), n)), normalised(twice_inside(cross(cd, ad), n)),
         normalised(twice_inside(cross(ad, bd), n))},
        question.reads_one_sign};
    // Segments meet where d = alpha a + beta b + gamma c with gamma <= 0.
    if (question.primitives == Primitives::EdgeEdge) {
        for (N& coefficient : inside.conditions[2])
            coefficient = -coefficient;
    }
    return inside;
}

// True only if the primitives do not touch in [0, 1].
template <class N>
[[nodiscard]] bool excludes_contact(const FourCorners& corners, const Question& question) noexcept {
    const Sweep<N> n = cross(difference<N>(corners, 1, 0), difference<N>(corners, 2, 0));
    const Cubic<N> k = normalised(coplanarity(n, difference<N>(corners, 3, 0)));
    if (common_sign(k) != 0) return true;
    if (changes_sign_once(k)) {
        return every_root_is_outside(inside_of(corners, n, question), k,
                                     {RootCount::One, sign(k[0])});
    }
    const Linear<N> bends = second_differences(k);
    const CertainSign curvature = common_sign(bends);
    if (curvature == 0) {
        if (sign(bends[0] - bends[1]) == 0) return false;
        return excludes_at_inflection(k, inside_of(corners, n, question), bends);
    }
    const Roots roots = roots_without_inflection(k, curvature);
    if (roots.count == RootCount::None) return true;
    return every_root_is_outside(inside_of(corners, n, question), k, roots);
}

}  // namespace graze::bernstein
