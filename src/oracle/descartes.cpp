// Notation: an interval (l, h) has dyadic ends; q(x) = p(l + (h - l) x) maps it to (0, 1).
// Descartes: the number of roots of q in (0, 1), counted with multiplicity, is at most the number v
// of sign changes in the coefficients of (1 + x)^n q(1 / (1 + x)), and differs from v by an even
// number. So v = 0 proves "no root", v = 1 proves "one root"; bisection of a squarefree polynomial
// gets there after finitely many steps (Vincent, Collins and Akritas).
#include "descartes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace graze::oracle {
namespace {

// Both points over the larger of the two denominators.
void align(Dyadic& a, Dyadic& b) {
    Dyadic& coarse = a.exponent < b.exponent ? a : b;
    const mp_bitcnt_t exponent = std::max(a.exponent, b.exponent);
    coarse.num <<= exponent - coarse.exponent;
    coarse.exponent = exponent;
}

int compare(Dyadic a, Dyadic b) {
    align(a, b);
    return cmp(a.num, b.num);
}

Dyadic midpoint(Dyadic a, Dyadic b) {
    align(a, b);
    return {a.num + b.num, a.exponent + 1};
}

// floor(log2 x), for x > 0.
long floor_log2(const Dyadic& x) {
    return static_cast<long>(mpz_sizeinbase(x.num.get_mpz_t(), 2)) - 1 -
           static_cast<long>(x.exponent);
}

// Where to split (low, high), 0 <= low < high <= 1: halfway in the exponent while the ends differ
// by more than a few binades, so that roots near zero are reached in few steps; else in the middle.
Dyadic split_point(const Dyadic& low, const Dyadic& high) {
    const long high_log2 = floor_log2(high);
    if (sgn(low.num) == 0) {
        return {1, static_cast<mp_bitcnt_t>(std::max(-2 * high_log2, 1 - high_log2))};
    }
    const long low_log2 = floor_log2(low);
    if (high_log2 - low_log2 <= 2) return midpoint(low, high);
    return {1, static_cast<mp_bitcnt_t>(-((low_log2 + high_log2) / 2))};
}

// x -> x + 1, in place, by repeated synthetic division.
void shift_by_one(std::vector<mpz_class>& c) {
    for (std::size_t i = 0; i + 1 < c.size(); ++i) {
        for (std::size_t j = c.size() - 1; j-- > i;)
            c[j] += c[j + 1];
    }
}

// Coefficients of a positive multiple of p(low + (high - low) x).
std::vector<mpz_class> restricted(const Poly& p, Dyadic low, Dyadic high) {
    align(low, high);
    const mpz_class width = high.num - low.num;
    // With low = L / 2^e and width = W / 2^e: sum c_i 2^(e (n - i)) (L + W x)^i, by Horner's rule.
    std::vector<mpz_class> q;
    mp_bitcnt_t shift = 0;
    mpz_class term;
    for (int i = p.degree(); i >= 0; --i) {
        q.emplace_back(0);
        for (std::size_t k = q.size(); k-- > 0;) {
            q[k] *= low.num;
            if (k > 0) q[k] += q[k - 1] * width;
        }
        mpz_mul_2exp(term.get_mpz_t(), p.coefficient(i).get_mpz_t(), shift);
        q[0] += term;
        shift += low.exponent;
    }
    return q;
}

int sign_changes(const std::vector<mpz_class>& c) {
    int changes = 0;
    int last = 0;
    for (const mpz_class& value : c) {
        const int s = sgn(value);
        if (s != 0 && last != 0 && s != last) ++changes;
        if (s != 0) last = s;
    }
    return changes;
}

// The v of Descartes' rule for q on (0, 1).
int variations(std::vector<mpz_class> q) {
    std::reverse(q.begin(), q.end());
    shift_by_one(q);
    return sign_changes(q);
}

// Sign of p just above x / just below x: for squarefree p the derivative decides where p is zero.
int sign_above(const Poly& p, const Dyadic& x) {
    const int s = sign_at(p, x);
    return s != 0 ? s : sign_at(derivative(p), x);
}
int sign_below(const Poly& p, const Dyadic& x) {
    const int s = sign_at(p, x);
    return s != 0 ? s : -sign_at(derivative(p), x);
}

// q((x + offset) / 2) times 2^degree, for offset 0 or 1: the two halves of (0, 1).
std::vector<mpz_class> half_of(const std::vector<mpz_class>& q, int offset) {
    std::vector<mpz_class> half = q;
    for (std::size_t i = 0; i + 1 < half.size(); ++i)
        half[i] <<= half.size() - 1 - i;
    if (offset == 1) shift_by_one(half);
    return half;
}

// An interval that may hold roots, with the polynomial mapped from it to (0, 1).
struct Pending {
    Pending(const Dyadic& lower, const Dyadic& upper, std::vector<mpz_class> mapped)
        : low(lower), high(upper), q(std::move(mapped)) {}

    Dyadic low;
    Dyadic high;
    std::vector<mpz_class> q;
};

// The two parts of an interval. Halving needs additions alone; other splits start from p.
std::pair<Pending, Pending> parts_of(const Poly& p, const Pending& whole) {
    const Dyadic cut = split_point(whole.low, whole.high);
    const Dyadic middle = midpoint(whole.low, whole.high);
    const bool is_half = oracle::compare(cut, middle) == 0;
    // Named one by one: GCC 12 destroys members twice if an allocation fails inside nested braces.
    std::vector<mpz_class> left = is_half ? half_of(whole.q, 0) : restricted(p, whole.low, cut);
    std::vector<mpz_class> right = is_half ? half_of(whole.q, 1) : restricted(p, cut, whole.high);
    return {Pending(whole.low, cut, std::move(left)), Pending(cut, whole.high, std::move(right))};
}

// Appends the roots of squarefree p inside (0, 1), ascending. An explicit stack, since close roots
// of large polynomials take tens of thousands of steps.
void isolate(const Poly& p, std::vector<AlgebraicNumber>& roots) {
    const Dyadic zero{0, 0};
    const Dyadic one{1, 0};
    std::vector<Pending> pending;
    pending.emplace_back(zero, one, restricted(p, zero, one));
    while (!pending.empty()) {
        const Pending part = std::move(pending.back());
        pending.pop_back();
        if (part.q.empty()) {  // a root met at a cut
            roots.push_back(AlgebraicNumber::at(part.low));
            continue;
        }
        const int v = variations(part.q);
        if (v == 1) roots.emplace_back(p, part.low, part.high);
        if (v <= 1) continue;
        auto [left, right] = parts_of(p, part);
        const bool root_at_cut = sgn(right.q.front()) == 0;
        const Dyadic cut = right.low;
        pending.push_back(std::move(right));
        if (root_at_cut) pending.emplace_back(cut, cut, std::vector<mpz_class>());
        pending.push_back(std::move(left));
    }
}

// Largest double <= x, for x >= 0.
double floor_double(const Dyadic& x) {
    if (sgn(x.num) == 0) return 0.0;
    const long bits = static_cast<long>(mpz_sizeinbase(x.num.get_mpz_t(), 2));
    const long top = bits - 1 - static_cast<long>(x.exponent);  // 2^top <= x < 2^(top + 1)
    // A double in that binade has 53 bits, fewer below 2^-1022.
    const long kept = std::min(53L, top + 1075);
    if (kept <= 0) return 0.0;
    mpz_class mantissa = x.num;
    if (bits > kept) {
        mantissa >>= static_cast<mp_bitcnt_t>(bits - kept);
    } else {
        mantissa <<= static_cast<mp_bitcnt_t>(kept - bits);
    }
    return std::ldexp(mantissa.get_d(), static_cast<int>(top + 1 - kept));
}

}  // namespace

Dyadic dyadic_of(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    mpz_class num(std::ldexp(mantissa, 53));
    exponent -= 53;
    if (exponent >= 0) return {num << static_cast<mp_bitcnt_t>(exponent), 0};
    return {num, static_cast<mp_bitcnt_t>(-exponent)};
}

AlgebraicNumber AlgebraicNumber::at(const Dyadic& x) {
    AlgebraicNumber number({}, x, x);
    return number;
}

AlgebraicNumber::AlgebraicNumber(Poly of, Dyadic lower, Dyadic upper)
    : of_(std::move(of)), lower_(std::move(lower)), upper_(std::move(upper)) {
    align(lower_, upper_);
    if (!is_dyadic()) sign_above_lower_ = sign_above(of_, lower_);
}

void AlgebraicNumber::become(const Dyadic& x) const {
    of_ = {};
    lower_ = upper_ = x;
}

// Shrinks the interval to the side of x, which lies strictly inside, that holds the root.
void AlgebraicNumber::cut_at(const Dyadic& x) const {
    const int s = sign_at(of_, x);
    if (s == 0) {
        become(x);
    } else if (s == sign_above_lower_) {
        lower_ = x;
    } else {
        upper_ = x;
    }
    align(lower_, upper_);
}

void AlgebraicNumber::split() const {
    cut_at(split_point(lower_, upper_));
}

// One refinement gains at most this many bits, so that numbers never grow far beyond what is
// needed.
constexpr mp_bitcnt_t kMaxSubdivisionBits = 256;

// Quadratic interval refinement (Abbott): the secant names one of 2^b parts; if the root is there,
// twice as many bits are tried next time, else half as many, and the interval is split.
void AlgebraicNumber::refine() const {
    const mpz_class at_lower = scaled_value(of_, lower_);
    const mpz_class at_upper = scaled_value(of_, upper_);
    if (sgn(at_lower) == 0 || sgn(at_upper) == 0) return split();
    const mp_bitcnt_t bits = subdivision_bits_;
    const mpz_class width = upper_.num - lower_.num;
    mpz_class part = at_lower << bits;
    part /= at_lower - at_upper;  // in [0, 2^bits], since the signs differ
    const mpz_class last = (mpz_class(1) << bits) - 1;
    if (part > last) part = last;
    const Dyadic fine{lower_.num << bits, lower_.exponent + bits};
    const Dyadic left{fine.num + part * width, fine.exponent};
    const Dyadic right{left.num + width, fine.exponent};
    keep_between(left, right);
}

// Moves to (low, high), a part of the interval, if the root is in there; otherwise splits.
void AlgebraicNumber::keep_between(const Dyadic& low, const Dyadic& high) const {
    const int s_low = oracle::compare(low, lower_) == 0 ? sign_above_lower_ : sign_at(of_, low);
    if (s_low == 0) return become(low);
    const int s_high = oracle::compare(high, upper_) == 0 ? -sign_above_lower_ : sign_at(of_, high);
    if (s_high == 0) return become(high);
    if (s_low == sign_above_lower_ && s_high == -sign_above_lower_) {
        lower_ = low;
        upper_ = high;
        subdivision_bits_ = std::min(2 * subdivision_bits_, kMaxSubdivisionBits);
    } else {
        subdivision_bits_ = std::max<mp_bitcnt_t>(1, subdivision_bits_ / 2);
        split();
    }
}

// Does a divisor of of_ vanish here? It has at most the one simple root of of_ in (low, high),
// which lies inside our interval, so it has one iff its sign differs at the two ends.
bool AlgebraicNumber::is_root_of_divisor(const Poly& divisor, const Dyadic& low,
                                         const Dyadic& high) const {
    if (divisor.degree() < 1) return false;
    return sign_above(divisor, low) != sign_below(divisor, high);
}

// log2(1 / width) of the interval, rounded down.
long AlgebraicNumber::precision() const {
    const mpz_class width = upper_.num - lower_.num;
    return static_cast<long>(lower_.exponent) -
           static_cast<long>(mpz_sizeinbase(width.get_mpz_t(), 2));
}

int AlgebraicNumber::sign_of(const Poly& g) const {
    // Narrowing decides nearly every sign that is not zero by then; any number is right.
    constexpr long kPrecisionBeforeGcd = 64;
    if (g.is_zero()) return 0;
    bool known_not_zero = false;
    while (!is_dyadic()) {
        const std::vector<mpz_class> restricted_g = restricted(g, lower_, upper_);
        // No root of g in the open interval: its sign there is that of its lowest coefficient.
        if (variations(restricted_g) == 0) {
            for (const mpz_class& c : restricted_g) {
                if (sgn(c) != 0) return sgn(c);
            }
        }
        if (!known_not_zero && precision() >= kPrecisionBeforeGcd) {
            if (is_root_of_divisor(gcd(of_, g), lower_, upper_)) return 0;
            known_not_zero = true;
        }
        refine();
    }
    return sign_at(g, lower_);
}

int AlgebraicNumber::compare_with_dyadic(const Dyadic& x) const {
    if (is_dyadic()) return oracle::compare(lower_, x);
    if (oracle::compare(x, lower_) <= 0) return 1;
    if (oracle::compare(x, upper_) >= 0) return -1;
    const int s = sign_at(of_, x);
    if (s == 0) return 0;
    return s == sign_above_lower_ ? 1 : -1;
}

int AlgebraicNumber::compare(const AlgebraicNumber& other) const {
    bool known_to_differ = false;
    while (true) {
        if (other.is_dyadic()) return compare_with_dyadic(other.lower_);
        if (is_dyadic()) return -other.compare_with_dyadic(lower_);
        if (oracle::compare(upper_, other.lower_) <= 0) return -1;
        if (oracle::compare(other.upper_, lower_) <= 0) return 1;
        if (!known_to_differ) {
            const Dyadic& low = oracle::compare(lower_, other.lower_) < 0 ? other.lower_ : lower_;
            const Dyadic& high = oracle::compare(upper_, other.upper_) < 0 ? upper_ : other.upper_;
            if (is_root_of_divisor(gcd(of_, other.of_), low, high)) return 0;
            known_to_differ = true;
        }
        refine();
        if (!other.is_dyadic()) other.refine();
    }
}

std::pair<double, double> AlgebraicNumber::double_bracket() const {
    while (!is_dyadic()) {
        const double below = floor_double(lower_);
        const double above = std::nextafter(below, std::numeric_limits<double>::infinity());
        const Dyadic cut = dyadic_of(above);
        if (oracle::compare(upper_, cut) <= 0) return {below, above};
        // Cut at a double once few are left inside; it is then near the root.
        const double top = floor_double(upper_);
        if (std::nextafter(above, 2.0) >= top) {
            cut_at(cut);
        } else {
            refine();
        }
    }
    const double below = floor_double(lower_);
    if (oracle::compare(dyadic_of(below), lower_) == 0) return {below, below};
    return {below, std::nextafter(below, std::numeric_limits<double>::infinity())};
}

// No sign change on the open interval, and positive at both ends.
bool is_surely_positive_in_unit_interval(const Poly& p) {
    const Dyadic zero{0, 0};
    const Dyadic one{1, 0};
    return sign_at(p, zero) > 0 && sign_at(p, one) > 0 && variations(restricted(p, zero, one)) == 0;
}

std::vector<AlgebraicNumber> roots_in_unit_interval(const Poly& p) {
    std::vector<AlgebraicNumber> roots;
    if (p.degree() < 1) return roots;
    const Dyadic zero{0, 0};
    const Dyadic one{1, 0};
    // No sign change on the open interval and none at its ends: the common case, without gcd.
    if (variations(restricted(p, zero, one)) == 0 && sign_at(p, zero) != 0 &&
        sign_at(p, one) != 0) {
        return roots;
    }
    const Poly squarefree = squarefree_part(p);
    if (sign_at(squarefree, zero) == 0) roots.push_back(AlgebraicNumber::at(zero));
    isolate(squarefree, roots);
    if (sign_at(squarefree, one) == 0) roots.push_back(AlgebraicNumber::at(one));
    return roots;
}

}  // namespace graze::oracle
