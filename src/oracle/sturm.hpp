// Real algebraic numbers by Sturm's theorem: counts and signs from remainder sequences alone.
//
// The second of the oracle's two ways. It never refines an interval to learn a sign and never takes
// a gcd to prove a zero, so that it fails in other places than descartes.hpp, if at all.
#pragma once

#include <gmpxx.h>

#include <utility>
#include <vector>

#include "polynomial.hpp"

namespace graze::oracle {

// The only root of the squarefree polynomial `of` in the open interval (lower, upper), at whose
// ends `of` does not vanish.
struct SturmRoot {
    Poly of;
    mpq_class lower;
    mpq_class upper;
    mp_bitcnt_t bits = 4;  // how boldly the next step narrows
};

// The numbers 0 and 1.
[[nodiscard]] SturmRoot sturm_zero();
[[nodiscard]] SturmRoot sturm_one();

// All roots of p in [0, 1], each once, in no particular order. Requires: p not zero.
[[nodiscard]] std::vector<SturmRoot> sturm_roots_in_unit_interval(const Poly& p);

// Exact sign of g at the root: the Tarski query of `of` and g on (lower, upper), which is
// #(roots with g > 0) - #(roots with g < 0) of `of` there.
[[nodiscard]] int sturm_sign(const SturmRoot& root, const Poly& g);

// -1, 0, 1 as a <, =, > b; narrows the intervals until they are disjoint if the roots differ.
[[nodiscard]] int sturm_compare(SturmRoot& a, SturmRoot& b);

// Neighbouring doubles around the root, or equal ones if it is a double. Requires: root in [0, 1].
[[nodiscard]] std::pair<double, double> sturm_double_bracket(const SturmRoot& root);

[[nodiscard]] int sign_at(const Poly& p, const mpq_class& x);

}  // namespace graze::oracle
