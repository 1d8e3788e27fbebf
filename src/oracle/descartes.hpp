// Real algebraic numbers in [0, 1]: isolated by Descartes' rule of signs, told apart by gcd.
#pragma once

#include <utility>
#include <vector>

#include "polynomial.hpp"

namespace graze::oracle {

// Either the dyadic number lower (= upper), or the only root of the squarefree polynomial `of` in
// the open interval (lower, upper).
class AlgebraicNumber {
public:
    [[nodiscard]] static AlgebraicNumber at(const Dyadic& x);
    // Requires: `of` squarefree, with exactly one root in (lower, upper).
    AlgebraicNumber(Poly of, Dyadic lower, Dyadic upper);

    // Exact sign of g here. Zero is proved: by evaluation at a dyadic point, else by a common
    // factor of g and `of` that changes sign in the interval.
    [[nodiscard]] int sign_of(const Poly& g) const;
    // -1, 0, 1 as *this <, =, > other.
    [[nodiscard]] int compare(const AlgebraicNumber& other) const;
    // Neighbouring doubles around the number, or equal ones if it is a double.
    [[nodiscard]] std::pair<double, double> double_bracket() const;

private:
    [[nodiscard]] bool is_dyadic() const noexcept { return of_.is_zero(); }
    [[nodiscard]] long precision() const;
    void become(const Dyadic& x) const;
    void split() const;
    void refine() const;
    void cut_at(const Dyadic& x) const;
    void keep_between(const Dyadic& low, const Dyadic& high) const;
    [[nodiscard]] bool is_root_of_divisor(const Poly& divisor, const Dyadic& low,
                                          const Dyadic& high) const;
    [[nodiscard]] int compare_with_dyadic(const Dyadic& x) const;

    // Mutable: every question may narrow the interval; the number stays the same.
    mutable Poly of_;
    mutable Dyadic lower_;
    mutable Dyadic upper_;
    int sign_above_lower_ = 0;                  // sign of of_ just above lower_
    mutable mp_bitcnt_t subdivision_bits_ = 1;  // the next refinement guesses among 2^this parts
};

// All roots of p in [0, 1], ascending, each once. Requires: p not zero.
[[nodiscard]] std::vector<AlgebraicNumber> roots_in_unit_interval(const Poly& p);

// True: p > 0 on all of [0, 1]. False: that is not seen at once.
[[nodiscard]] bool is_surely_positive_in_unit_interval(const Poly& p);

// The exact dyadic value of a finite double >= 0.
[[nodiscard]] Dyadic dyadic_of(double value);

}  // namespace graze::oracle
