#include "sturm.hpp"

#include <bit>
#include <cstdint>

namespace graze::oracle {
namespace {

// s0 = p, s1 = q, s(i+1) = - remainder of s(i-1) by s(i), each up to a positive factor.
std::vector<Poly> signed_remainder_sequence(const Poly& p, const Poly& q) {
    std::vector<Poly> sequence = {p};
    Poly next = q;
    while (!next.is_zero()) {
        sequence.push_back(primitive_part(next));
        const Poly& before = sequence[sequence.size() - 2];
        next = -positive_pseudo_remainder(before, sequence.back());
    }
    return sequence;
}

int variations_at(const std::vector<Poly>& sequence, const mpq_class& x) {
    int changes = 0;
    int last = 0;
    for (const Poly& p : sequence) {
        const int s = sign_at(p, x);
        if (s != 0 && last != 0 && s != last) ++changes;
        if (s != 0) last = s;
    }
    return changes;
}

// Sum of the signs of g over the roots of p in (low, high). Requires: p squarefree, not zero at the
// ends. (Sturm and Tarski; g = 1 counts the roots.)
int tarski_query(const Poly& p, const Poly& g, const mpq_class& low, const mpq_class& high) {
    const Poly start = derivative(p) * g;
    const std::vector<Poly> sequence = signed_remainder_sequence(p, start);
    return variations_at(sequence, low) - variations_at(sequence, high);
}

// The first of low + (high - low) k / m, over the fractions k / m between 0 and 1, where p is not
// zero.
mpq_class split_point(const Poly& p, const mpq_class& low, const mpq_class& high) {
    for (int m = 2;; ++m) {
        mpq_class fraction(m / 2, m);
        fraction.canonicalize();
        const mpq_class x = low + (high - low) * fraction;
        if (sign_at(p, x) != 0) return x;
    }
}

void isolate(const Poly& p, const std::vector<Poly>& sequence, std::vector<SturmRoot>& roots) {
    // Ends outside [0, 1] at which p does not vanish.
    const mpq_class low = split_point(p, mpq_class(-1), mpq_class(-1, 1024));
    const mpq_class high = split_point(p, mpq_class(1025, 1024), mpq_class(2));
    std::vector<std::pair<mpq_class, mpq_class>> pending = {{low, high}};
    while (!pending.empty()) {
        const auto [l, h] = pending.back();
        pending.pop_back();
        const int count = variations_at(sequence, l) - variations_at(sequence, h);
        if (count == 1) roots.push_back({p, l, h});
        if (count <= 1) continue;
        const mpq_class middle = split_point(p, l, h);
        pending.emplace_back(middle, h);
        pending.emplace_back(l, middle);
    }
}

void narrow(SturmRoot& root) {
    const mpq_class middle = split_point(root.of, root.lower, root.upper);
    const bool root_is_above = sign_at(root.of, middle) == sign_at(root.of, root.lower);
    (root_is_above ? root.lower : root.upper) = middle;
}

// t - x, up to a positive factor.
Poly minus_point(const mpq_class& x) {
    return Poly({-x.get_num(), x.get_den()});
}

// -1, 0, 1 as the root is <, =, > x.
int compare_with(const SturmRoot& root, const mpq_class& x) {
    if (x <= root.lower) return 1;
    if (x >= root.upper) return -1;
    return sturm_sign(root, minus_point(x));
}

}  // namespace

int sign_at(const Poly& p, const mpq_class& x) {
    return sign_at(p, x.get_num(), x.get_den());
}

std::vector<SturmRoot> sturm_roots_in_unit_interval(const Poly& p) {
    std::vector<SturmRoot> all;
    if (p.degree() < 1) return all;
    const Poly squarefree = squarefree_part(p);
    isolate(squarefree, signed_remainder_sequence(squarefree, derivative(squarefree)), all);
    std::vector<SturmRoot> inside;
    for (SturmRoot& root : all) {
        if (compare_with(root, mpq_class(0)) >= 0 && compare_with(root, mpq_class(1)) <= 0) {
            inside.push_back(std::move(root));
        }
    }
    return inside;
}

int sturm_sign(const SturmRoot& root, const Poly& g) {
    if (g.is_zero()) return 0;
    return tarski_query(root.of, g, root.lower, root.upper);
}

int sturm_compare(SturmRoot& a, SturmRoot& b) {
    bool known_to_differ = false;
    while (true) {
        if (a.upper <= b.lower) return -1;
        if (b.upper <= a.lower) return 1;
        // Equal iff b's polynomial vanishes at a, and a lies in b's interval.
        if (!known_to_differ && sturm_sign(a, b.of) == 0 && compare_with(a, b.lower) > 0 &&
            compare_with(a, b.upper) < 0) {
            return 0;
        }
        known_to_differ = true;
        narrow(a);
        narrow(b);
    }
}

std::pair<double, double> sturm_double_bracket(const SturmRoot& root) {
    // Non-negative doubles are ordered like their bit patterns: a binary search for the largest
    // double <= root.
    std::uint64_t low = 0;                                       // 0 <= root
    std::uint64_t high = std::bit_cast<std::uint64_t>(1.0) + 1;  // root <= 1 < this double
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        const bool at_or_below = compare_with(root, mpq_class(std::bit_cast<double>(middle))) >= 0;
        (at_or_below ? low : high) = middle;
    }
    const double below = std::bit_cast<double>(low);
    if (compare_with(root, mpq_class(below)) == 0) return {below, below};
    return {below, std::bit_cast<double>(high)};
}

}  // namespace graze::oracle
