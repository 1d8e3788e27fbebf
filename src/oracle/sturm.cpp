#include "sturm.hpp"

#include <algorithm>
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

// 2^exponent.
mpq_class power_of_two(long exponent) {
    mpq_class result(1);
    if (exponent >= 0) {
        mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
    } else {
        mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
    }
    return result;
}

// log2 x, give or take one, for x > 0.
long rough_log2(const mpq_class& x) {
    return static_cast<long>(mpz_sizeinbase(x.get_num_mpz_t(), 2)) -
           static_cast<long>(mpz_sizeinbase(x.get_den_mpz_t(), 2));
}

// A range inside (low, high) from which to take the split point: near zero, or around the middle
// exponent while the ends are many binades apart, so that tiny roots are reached in few steps.
std::pair<mpq_class, mpq_class> split_range(const mpq_class& low, const mpq_class& high) {
    if (sgn(low) < 0) return {low / 65536, high / 65536};
    const long high_log2 = rough_log2(high);
    if (sgn(low) == 0) {
        const mpq_class top = power_of_two(std::min(2 * high_log2, high_log2 - 3));
        return {top / 2, top};
    }
    const long low_log2 = rough_log2(low);
    if (high_log2 - low_log2 <= 6) return {low, high};
    const mpq_class base = power_of_two((low_log2 + high_log2) / 2);
    return {base, 2 * base};
}

// A point of (low, high) where p is not zero. Requires: 0 < high.
mpq_class split_point(const Poly& p, const mpq_class& low, const mpq_class& high) {
    const auto [from, to] = split_range(low, high);
    for (int m = 2;; ++m) {
        mpq_class fraction(m / 2, m);
        fraction.canonicalize();
        const mpq_class x = from + (to - from) * fraction;
        if (sign_at(p, x) != 0) return x;
    }
}

// The roots in (0, 1). Requires: p squarefree, not zero at 0 and 1.
void isolate(const Poly& p, std::vector<SturmRoot>& roots) {
    const std::vector<Poly> sequence = signed_remainder_sequence(p, derivative(p));
    std::vector<std::pair<mpq_class, mpq_class>> pending = {{mpq_class(0), mpq_class(1)}};
    while (!pending.empty()) {
        const auto [low, high] = pending.back();
        pending.pop_back();
        const int count = variations_at(sequence, low) - variations_at(sequence, high);
        if (count == 1) roots.push_back({.of = p, .lower = low, .upper = high});
        if (count <= 1) continue;
        const mpq_class middle = split_point(p, low, high);
        pending.emplace_back(middle, high);
        pending.emplace_back(low, middle);
    }
}

mpq_class value_at(const Poly& p, const mpq_class& x) {
    mpq_class value(0);
    for (int i = p.degree(); i >= 0; --i)
        value = value * x + p.coefficient(i);
    return value;
}

void split(SturmRoot& root) {
    const mpq_class middle = split_point(root.of, root.lower, root.upper);
    const bool root_is_above = sign_at(root.of, middle) == sign_at(root.of, root.lower);
    (root_is_above ? root.lower : root.upper) = middle;
}

// Cuts the interval into 2^bits parts and keeps the one (with its neighbours) where the chord from
// end to end crosses zero, if the root is there; else splits. Close roots of large polynomials
// would take thousands of splits.
void narrow(SturmRoot& root) {
    constexpr mp_bitcnt_t kMostBits = 256;
    const mpq_class at_lower = value_at(root.of, root.lower);
    const mpq_class crossing = at_lower / (at_lower - value_at(root.of, root.upper));
    mpz_class part = (crossing.get_num() << root.bits) / crossing.get_den();
    const mpq_class step = (root.upper - root.lower) * power_of_two(-static_cast<long>(root.bits));
    const mpq_class from = std::max(root.lower, mpq_class(root.lower + (part - 1) * step));
    const mpq_class to = std::min(root.upper, mpq_class(root.lower + (part + 2) * step));
    if (sign_at(root.of, from) * sign_at(root.of, to) < 0) {
        root.lower = from;
        root.upper = to;
        root.bits = std::min(2 * root.bits, kMostBits);
    } else {
        root.bits = std::max<mp_bitcnt_t>(4, root.bits / 2);
        split(root);
    }
}

// -1, 0, 1 as the root is <, =, > x.
int compare_with(const SturmRoot& root, const mpq_class& x) {
    if (x <= root.lower) return 1;
    if (x >= root.upper) return -1;
    const int s = sign_at(root.of, x);
    if (s == 0) return 0;
    return s == sign_at(root.of, root.lower) ? 1 : -1;
}

}  // namespace

int sign_at(const Poly& p, const mpq_class& x) {
    return sign_at(p, x.get_num(), x.get_den());
}

SturmRoot sturm_zero() {
    return {.of = Poly({0, 1}), .lower = mpq_class(-1), .upper = mpq_class(1, 2)};
}

SturmRoot sturm_one() {
    return {.of = Poly({-1, 1}), .lower = mpq_class(1, 2), .upper = mpq_class(2)};
}

std::vector<SturmRoot> sturm_roots_in_unit_interval(const Poly& p) {
    std::vector<SturmRoot> roots;
    if (p.degree() < 1) return roots;
    Poly rest = squarefree_part(p);
    for (const SturmRoot& end : {sturm_zero(), sturm_one()}) {
        if (sturm_sign(end, rest) != 0) continue;
        roots.push_back(end);
        rest = exact_quotient(rest, end.of);
    }
    isolate(rest, roots);
    return roots;
}

int sturm_sign(const SturmRoot& root, const Poly& g) {
    if (g.is_zero()) return 0;
    return tarski_query(root.of, g, root.lower, root.upper);
}

int sturm_compare(SturmRoot& a, SturmRoot& b) {
    constexpr int kStepsBeforeEquality = 5;  // about 120 bits; a remainder sequence costs more
    for (int step = 0;; ++step) {
        if (a.upper <= b.lower) return -1;
        if (b.upper <= a.lower) return 1;
        // Equal iff b's polynomial vanishes at a, and a lies in b's interval.
        if (step == kStepsBeforeEquality && sturm_sign(a, b.of) == 0 &&
            compare_with(a, b.lower) > 0 && compare_with(a, b.upper) < 0) {
            return 0;
        }
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
