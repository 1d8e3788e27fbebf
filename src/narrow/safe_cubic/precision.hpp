// The tolerances of `safe-cubic` as functions of the machine epsilon (SC-11 of
// docs/derivations/safe_cubic.md): which formats of numbers the paper's values are proved for, and
// what has to be taken in their place where they are not.
//
// q = eps^(1/4). Lengths are in units of B q, areas of B^2 q^2, values of F of B^3 q^3, so that errors
// of n B^k eps are n q^(4 - k): the smaller q, the less they matter.
#pragma once

#include <array>
#include <cstdint>

#include "narrow/safe_cubic/polynomial_roots.hpp"
#include "narrow/safe_cubic/tolerances.hpp"

namespace graze::safe_cubic {

// At least 2^(-exponent / 4).
[[nodiscard]] constexpr double fourth_root_of_spacing(int exponent) noexcept {
    constexpr std::array<double, 4> kRoots = {1.0, 0.8408964152537146, 0.7071067811865476,
                                              0.5946035575013606};
    double root = kRoots[static_cast<std::size_t>(exponent % 4)];
    for (int i = 0; i < exponent / 4; ++i)
        root *= 0.5;
    return root;
}

// Errors are stated to first order, and one more for all higher orders: n k^2 eps < 1, summed over the
// coefficients, for c B^n ((1 + eps)^k - 1).
[[nodiscard]] constexpr std::uint64_t second_order(const ErrorForm& form) noexcept {
    const auto k = static_cast<std::uint64_t>(form.roundings());
    return ceiling(form.magnitude().coefficient) * k * k;
}
[[nodiscard]] constexpr bool first_order_suffices(int exponent) noexcept {
    const Cubic<ErrorForm> f = forms::cubic(forms::kPaper);
    const std::uint64_t cubic =
        second_order(f.a) + second_order(f.b) + second_order(f.c) + second_order(f.d);
    const std::uint64_t weights = 4 * second_order(forms::weight(forms::kPaper));
    const std::uint64_t most = cubic > weights ? cubic : weights;
    return most < (std::uint64_t{1} << (exponent < 63 ? exponent : 63));
}

// mu, tau, eta and R in their units.
struct CoplanarTolerances {
    double mu = kMu34;
    double tau = kTau12;
    double eta = kEta14;
    double radius = kRadius14;
};

// SC-6: the solver's threshold is large enough, and |F| stays below 2 mu between a root and its
// candidate. `least`: 33492 by the paper, kSolverExcess by SCS-3, in units of B^3 eps.
[[nodiscard]] constexpr bool solver_holds(const CoplanarTolerances& t, double q,
                                          double least) noexcept {
    return least * q <= t.mu;
}
// SC-7, as the assertions of tolerances.hpp.
[[nodiscard]] constexpr double needed_radius_sq(const CoplanarTolerances& t, double q) noexcept {
    const double tau_error = static_cast<double>(kNormalError) * q * q;
    const double plane = 2.0 * t.mu / (t.tau - tau_error);
    const double slip =
        2.0 * static_cast<double>(kFaceCriterionError) / (t.eta * (t.tau - tau_error));
    const double area = 1.7321 * (t.tau + tau_error) / 4.0;
    const double height = 0.75 * detail::sq(t.eta + 4.0 * q);
    const double largest = larger(larger(area, height), detail::sq(slip));
    return largest + detail::sq(plane) + detail::kHair;
}
[[nodiscard]] constexpr bool radius_holds(const CoplanarTolerances& t, double q) noexcept {
    return t.tau > static_cast<double>(kNormalError) * q * q &&
           detail::sq(t.radius) >= needed_radius_sq(t, q);
}
// SC-5: D^2 with what the errors of lambda^2 add to it.
[[nodiscard]] constexpr double reach_sq_needed(double radius, double q) noexcept {
    const double square_error = static_cast<double>(kSquareError) * q * q;
    return (kLambdaSq12 + square_error) / 4.0 + detail::sq(kLineSlip + 3.0 * radius) +
           detail::kHair;
}
[[nodiscard]] constexpr bool paper_values_hold(double q, double least_mu) noexcept {
    const CoplanarTolerances paper;
    return solver_holds(paper, q, least_mu) && radius_holds(paper, q) &&
           detail::reach_sq(kRadius14) >= reach_sq_needed(kRadius14, q);
}

// The least whole R that is proved, over powers of two for tau and eta, with the least mu.
[[nodiscard]] constexpr CoplanarTolerances least_tolerances(double q, double least_mu) noexcept {
    CoplanarTolerances best{.mu = larger(kMu34, least_mu * q), .radius = 1e9};
    for (double tau = 16.0; tau <= 65536.0; tau *= 2.0) {
        for (double eta = 1.0; eta <= 256.0; eta *= 2.0) {
            CoplanarTolerances t{best.mu, tau, eta, 1.0};
            while (t.radius < best.radius && !radius_holds(t, q))
                t.radius += 1.0;
            if (t.radius < best.radius) best = t;
        }
    }
    return best;
}
// SC-8: the least whole number of B q that a contact is within.
[[nodiscard]] constexpr double coplanar_distance(double radius, double q) noexcept {
    double distance = 1.0;
    while (detail::sq(distance) < larger(detail::reach_sq(radius), reach_sq_needed(radius, q)))
        distance += 1.0;
    return distance;
}

// Double: the paper's table.
inline constexpr double kLeastMuHere = kSolverExcess;
static_assert(fourth_root_of_spacing(52) == kEps14);
static_assert(first_order_suffices(52) && paper_values_hold(kEps14, kLeastMu) &&
              paper_values_hold(kEps14, kLeastMuHere));
static_assert(least_tolerances(kEps14, kLeastMu).tau == kTau12 &&
              least_tolerances(kEps14, kLeastMu).eta == kEta14 &&
              least_tolerances(kEps14, kLeastMu).radius == kRadius14 &&
              least_tolerances(kEps14, kLeastMu).mu == kMu34);
static_assert(coplanar_distance(kRadius14, kEps14) == kCoplanarDistance14);
// Extended formats: the same values, and smaller distances.
static_assert(paper_values_hold(fourth_root_of_spacing(63), kLeastMu) &&
              paper_values_hold(fourth_root_of_spacing(112), kLeastMu));
// Float: not proved, by the paper's threshold tenfold, by ours barely.
static_assert(!paper_values_hold(fourth_root_of_spacing(23), kLeastMu) &&
              !paper_values_hold(fourth_root_of_spacing(23), kLeastMuHere));
static_assert(kLeastMu * fourth_root_of_spacing(23) > 9.0 * kMu34);

}  // namespace graze::safe_cubic
