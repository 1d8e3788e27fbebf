// The tolerances of `safe-cubic`, as functions of B and eps (Wang 2014, "Defending continuous
// collision detection against errors", section 4).
//
// Notation (derivations: docs/derivations/safe_cubic.md, sections SC-1 to SC-10)
//   eps      2^-52, the spacing of doubles at 1, as in the paper; u = eps / 2 bounds one rounding.
//            Its roots are powers of two: eps^(1/4) = 2^-13, so that every tolerance is an integer
//            times a power of two times a power of B.
//   B        no coordinate of a relative position, at either end of the step, or of a relative
//            velocity is larger
//   mu       the cubic is as good as zero; tau, eta: area, height of a triangle that is not small
//   R, S, D  vertex-edge distance, 3 R, vertex-vertex distance; lambda: edge length; rho: component
//
// Why the paper's constants suffice although its analysis starts from exact vectors: it counts eps
// for a rounding, twice the truth. Vectors are differences of corners, with one rounding;
// velocities differences of those and cut at t_max, with two more; with u for each, what all of
// them add stays below the paper's constants (SC-2). Both sides are computed here, from the
// expressions that run.
#pragma once

#include <cstdint>
#include <limits>

#include "graze/core/error_calculus.hpp"
#include "narrow/safe_cubic/triple.hpp"

namespace graze::safe_cubic {

static_assert(std::numeric_limits<double>::digits == 53 && std::numeric_limits<double>::is_iec559);

inline constexpr double kEps = 0x1p-52;
inline constexpr double kEps34 = 0x1p-39;
inline constexpr double kEps12 = 0x1p-26;
inline constexpr double kEps14 = 0x1p-13;
static_assert(kEps14 * kEps14 == kEps12 && kEps12 * kEps12 == kEps && kEps12 * kEps14 == kEps34);

// The least mu for which the cubic solver keeps its promise, against the one that is used: holds in
// double, and fails tenfold in float, where eps = 2^-23. So there is no float version.
inline constexpr double kLeastMu = 33492.0;
static_assert(kLeastMu * kEps <= 64.0 * kEps34);

namespace forms {

// `count` more roundings on a value.
constexpr ErrorForm rounded(ErrorForm form, int count) noexcept {
    for (int i = 0; i < count; ++i)
        form = form * ErrorForm::number(Dyadic{1});
    return form;
}
constexpr Vec<ErrorForm> all(const ErrorForm& form) noexcept {
    return {form, form, form};
}

// What a vector is made of. The paper: position and velocity are exact, a position at time t has a
// product and a sum, and stays below B (sum_within). Ours: a difference of corners, 1; a velocity,
// two such and their difference, 3, and its cut at t_max, 4; a position at time t, 5 (SC-2).
struct Vectors {
    ErrorForm position;
    ErrorForm velocity;
    ErrorForm at_time;
    Roundoff roundoff;
};
inline constexpr ErrorForm kExact = ErrorForm::variable(0);
inline constexpr Vectors kPaper{
    kExact, kExact, sum_within(kExact, rounded(kExact, 1), kExact.magnitude()), Roundoff::Spacing};
inline constexpr Vectors kOurs{rounded(kExact, 1), rounded(kExact, 4), rounded(kExact, 5),
                               Roundoff::Unit};
static_assert(kPaper.at_time.roundings() == 2);

constexpr LinearMotion<ErrorForm> moving(const Vectors& v) noexcept {
    return {all(v.position), all(v.velocity)};
}
constexpr Cubic<ErrorForm> cubic(const Vectors& v) noexcept {
    return coplanarity(moving(v), moving(v), moving(v));
}
constexpr ErrorForm normal(const Vectors& v) noexcept {
    return cross(all(v.at_time), all(v.at_time)).x;
}
constexpr ErrorForm weight(const Vectors& v) noexcept {
    return safe_cubic::weight(all(normal(v)), all(v.at_time), all(v.at_time));
}
constexpr ErrorForm square(const Vectors& v) noexcept {
    return dot(all(v.at_time), all(v.at_time));
}

// First order of the error: c k for c B^n ((1 + e)^k - 1), in units of e; integers here.
constexpr std::uint64_t first_order(const ErrorForm& form) noexcept {
    return ceiling(form.magnitude().coefficient) * static_cast<std::uint64_t>(form.roundings());
}
// In units of eps, rounded up: what a sum of errors comes to, its terms in eps^2 being below 1.
constexpr std::uint64_t in_eps(std::uint64_t first_orders, const Vectors& v) noexcept {
    return v.roundoff == Roundoff::Spacing ? first_orders + 1 : (first_orders + 1) / 2 + 1;
}

// |F computed - F| from the coefficients alone, and with Horner's rule on coefficients <= 18 B^3.
constexpr std::uint64_t coefficients(const Vectors& v) noexcept {
    const Cubic<ErrorForm> f = cubic(v);
    return first_order(f.a) + first_order(f.b) + first_order(f.c) + first_order(f.d);
}
constexpr std::uint64_t horner() noexcept {
    return std::uint64_t{4} * 18 * 6;
}
constexpr std::uint64_t value(const Vectors& v) noexcept {
    return in_eps(coefficients(v), v) + in_eps(horner(), v);
}
// A weight against zero or N . N; the sum of two against N . N.
constexpr std::uint64_t sum_against_square(const Vectors& v) noexcept {
    const ErrorForm w = weight(v);
    return in_eps(first_order(w + w) + first_order(w), v);
}
// eta times a side (the difference of two positions) against N, for eta <= B.
constexpr std::uint64_t height(const Vectors& v) noexcept {
    const ErrorForm side =
        sum_within(v.at_time, v.at_time, kExact.magnitude()) * ErrorForm::number(Dyadic{1});
    return in_eps(first_order(side) + first_order(normal(v)), v);
}

}  // namespace forms

// Errors in units of B^n eps, as the paper has them.
inline constexpr std::uint64_t kCoefficientError = 313;
inline constexpr std::uint64_t kCubicError = 746;
inline constexpr std::uint64_t kNormalError = 13;
inline constexpr std::uint64_t kSquareError = 22;
inline constexpr std::uint64_t kWeightError = 181;
inline constexpr std::uint64_t kEdgeCriterionError = 362;
inline constexpr std::uint64_t kFaceCriterionError = 565;
inline constexpr std::uint64_t kHeightError = 21;
// SC-4: 2 |F| times the error of F, (2 sqrt(3) 2) (24 sqrt(3)) = 288, one for higher terms, and the
// error of the square.
inline constexpr std::uint64_t kVertexVertexError = 2 * 2 * 24 * 3 + 1 + kSquareError;

static_assert(kCoefficientError == forms::in_eps(coefficients(forms::kPaper), forms::kPaper));
static_assert(kCubicError == value(forms::kPaper));
static_assert(kNormalError == error_ceiling(normal(forms::kPaper), Roundoff::Spacing));
static_assert(kSquareError == error_ceiling(square(forms::kPaper), Roundoff::Spacing));
static_assert(kWeightError == error_ceiling(weight(forms::kPaper), Roundoff::Spacing));
static_assert(kEdgeCriterionError == 2 * kWeightError);
static_assert(kFaceCriterionError == sum_against_square(forms::kPaper));
static_assert(kVertexVertexError == 311);

// The same with the roundings of the vectors themselves.
static_assert(value(forms::kOurs) <= kCubicError);
static_assert(error_ceiling(normal(forms::kOurs), Roundoff::Unit) <= 2 * kNormalError);
static_assert(error_ceiling(square(forms::kOurs), Roundoff::Unit) <= 2 * kSquareError);
static_assert(error_ceiling(weight(forms::kOurs), Roundoff::Unit) <= 2 * kWeightError);
static_assert(sum_against_square(forms::kOurs) <= kFaceCriterionError);
static_assert(height(forms::kOurs) <= kHeightError);

// Components of the cross product in the vertex-edge test, a t^2 + b t + c: first order, in units
// of B^2 eps (SC-5).
inline constexpr std::uint64_t kCrossErrorA = 10;
inline constexpr std::uint64_t kCrossErrorB = 16;
inline constexpr std::uint64_t kCrossErrorC = 4;
namespace forms {
constexpr CrossQuadratics<ErrorForm> quadratics(const Vectors& v) noexcept {
    return cross_quadratics(moving(v), moving(v));
}
}  // namespace forms
static_assert(forms::first_order(quadratics(forms::kOurs).a.x) == 2 * kCrossErrorA);
static_assert(forms::first_order(quadratics(forms::kOurs).b.x) == 2 * kCrossErrorB);
static_assert(forms::first_order(quadratics(forms::kOurs).c.x) == 2 * kCrossErrorC);

// The tolerances, in units of B^n and the power of eps in the name.
inline constexpr double kMu34 = 64.0;          // promised by the solver: |F| <= 2 mu (SCS-3)
inline constexpr double kTau12 = 64.0;         // area
inline constexpr double kEta14 = 4.0;          // height
inline constexpr double kRadius14 = 6.0;       // R
inline constexpr double kRho12 = 3.0;          // component that counts as zero
inline constexpr double kPsi12 = 725.0;        // F0ij
inline constexpr double kLambdaSq12 = 2080.0;  // edge length, squared
inline constexpr double kReachSq12 = 522.0;    // D^2 = (16 + S)^2 + 522
inline constexpr double kReach14 = 16.0;

namespace detail {

constexpr double sq(double x) noexcept {
    return x * x;
}
// D^2 in units of B^2 eps^(1/2), for the radius R in units of B eps^(1/4).
constexpr double reach_sq(double radius) noexcept {
    return sq(kReach14 + 3.0 * radius) + kReachSq12;
}

// Terms of higher order, in these units: 13 B^2 eps is 13 eps^(1/2) in units of eps^(1/2).
inline constexpr double kTauLower = kTau12 - static_cast<double>(kNormalError) * kEps12;
inline constexpr double kTauUpper = kTau12 + static_cast<double>(kNormalError) * kEps12;
inline constexpr double kLambdaLower = kLambdaSq12 - static_cast<double>(kSquareError) * kEps12;
inline constexpr double kLambdaUpper = kLambdaSq12 + static_cast<double>(kSquareError) * kEps12;
// The distance from the plane (line) where |F| <= 2 mu and the area is at least tau.
inline constexpr double kPlane = 2.0 * kMu34 / kTauLower;
// Below the distance from an edge line of a projection that is wrongly called outside (SC-7).
inline constexpr double kFaceSlip =
    2.0 * static_cast<double>(kFaceCriterionError) / (kEta14 * kTauLower);
inline constexpr double kEdgeSlip =
    2.0 * static_cast<double>(kEdgeCriterionError) / (kEta14 * kTauLower);
// Rounding of these numbers themselves, and of the tolerances.
inline constexpr double kHair = 1e-6;

}  // namespace detail

// Conditions on R (SC-6, SC-7): a real contact that fails the test of area, height or weights comes
// within R of an edge. sqrt(3) <= 1.7321.
static_assert(detail::sq(kRadius14) >=
              detail::kTauUpper / 6.0 + detail::sq(detail::kPlane) + detail::kHair);
static_assert(detail::sq(kRadius14) >=
              1.7321 * detail::kTauUpper / 4.0 + detail::sq(detail::kPlane) + detail::kHair);
static_assert(detail::sq(kRadius14) >= 0.75 * detail::sq(kEta14 + 4.0 * kEps14) +
                                           detail::sq(detail::kPlane) + detail::kHair);
static_assert(detail::sq(kRadius14) >=
              detail::sq(detail::kFaceSlip) + detail::sq(detail::kPlane) + detail::kHair);
static_assert(detail::sq(kRadius14) >=
              detail::sq(detail::kEdgeSlip) + detail::sq(detail::kPlane) + detail::kHair);

// Conditions on psi and D (SC-5), for R and for a vertex-edge query of its own (R = 0). The distance
// from the line is at most psi / length + S; sqrt(2080) >= 45.607.
inline constexpr double kLineSlip = kPsi12 / 45.607;
static_assert(detail::sq(45.607) <= detail::kLambdaLower);
constexpr bool reach_suffices(double radius) noexcept {
    return detail::reach_sq(radius) >=
           detail::kLambdaUpper / 4.0 + detail::sq(kLineSlip + 3.0 * radius) + detail::kHair;
}
static_assert(reach_suffices(0.0) && reach_suffices(kRadius14));
// SC-5: how much F0ij rises from a contact to the nearest candidate, everything included: the shift
// of a root is at most 6 eps^(1/4), the curvature 12 B^2; rho is dropped six times, twice.
static_assert(kPsi12 >= 0.5 * 12.0 * detail::sq(6.0) + 2.0 * 6.0 * kRho12 + 1.0);

// What a contact may be (SC-8): the primitives come within this times B, in units of eps^(1/4) for
// the first two.
inline constexpr double kCoplanarDistance14 = 41.0;
inline constexpr double kVertexEdgeDistance14 = 28.0;
inline constexpr double kVertexVertexDistance12 = 25.0;
static_assert(detail::sq(kCoplanarDistance14) >= detail::reach_sq(kRadius14) + detail::kHair);
static_assert(detail::sq(kVertexEdgeDistance14) >= detail::reach_sq(0.0) + detail::kHair);
static_assert(detail::sq(kVertexVertexDistance12) >=
              2.0 * static_cast<double>(kVertexVertexError) + detail::kHair);

// The solver's promise (SCS-3) with our errors of the coefficients (SC-6): 2 (3 a + 2 b + c) and the
// rest of it for F'. What |F| exceeds mu by on the way to a root, and in computing F up to 1/8
// outside [0, 1], where powers of t are below 1.5.
namespace forms {
constexpr double extremum_error() noexcept {
    const Cubic<ErrorForm> f = cubic(kOurs);
    const std::uint64_t errors = in_eps(first_order(ErrorForm::number(Dyadic{3}) * f.a), kOurs) +
                                 2 * in_eps(first_order(f.b), kOurs) +
                                 in_eps(first_order(f.c), kOurs);
    return 1.001 * (2.0 * static_cast<double>(errors) + 4.5 * 18 + 2.75 * 36 + 18);
}
}  // namespace forms
inline constexpr double kSolverExcess = 0x1p12;
inline constexpr double kCullExcess = 0x1p13;
static_assert(kSolverExcess >= static_cast<double>(kCubicError) + 2.0 * forms::extremum_error());
static_assert(kCullExcess >= kSolverExcess + 1.5 * static_cast<double>(kCubicError));
static_assert(2.0 * static_cast<double>(kCubicError) + forms::extremum_error() <=
              kMu34 * kEps34 / kEps);
static_assert(kSolverExcess <= kMu34 * kEps34 / kEps);

// Culling of vertex-edge tests (SC-9): weights change by at most 9 B^4 a step; 0.11 < 1/9 leaves a
// percent for the roundings of this number, 2^-43 covers 565 eps / 9 and those of N . N.
inline constexpr double kLongestCull = 0.125;
inline constexpr double kPerCull = 0.11;
inline constexpr double kCriterionTime = 0x1p-43;
static_assert(kPerCull * static_cast<double>(kFaceCriterionError) * kEps <= 0.5 * kCriterionTime);

// Plane culling (SC-3), in units of B^3 eps: the error of a sum of three products n . x, for a vector
// n of doubles with components of at most 2 B^2; and what N . q is where it ought to vanish, the
// error of N times 3 B, for two vectors.
inline constexpr std::uint64_t kPlaneCulling = 80;
namespace forms {
constexpr std::uint64_t plane_sum(const Vectors& v) noexcept {
    const ErrorForm product = dot(all(ErrorForm::variable(1)), all(v.position));
    const ErrorForm normal_at_end = cross(all(v.position), all(v.position)).x;
    return in_eps(2 * first_order(product + product + product), v) +
           in_eps(2 * 3 * first_order(normal_at_end), v);
}
}  // namespace forms
static_assert(kPlaneCulling >= plane_sum(forms::kOurs));

// Free time (SC-10): the errors of F' and of F'' as computed, in units of B^3 eps; and of n . x and
// n . v for a vector n of doubles that is no longer than a position, in units of B^2 eps.
inline constexpr std::uint64_t kSlopeError = 800;
inline constexpr std::uint64_t kCurvatureError = 800;
namespace forms {
constexpr ErrorForm slope(const Vectors& v) noexcept {
    return cubic(v).slope(ErrorForm::number(Dyadic{1}));
}
constexpr ErrorForm curvature(const Vectors& v) noexcept {
    return cubic(v).curvature(ErrorForm::number(Dyadic{1}));
}
}  // namespace forms
static_assert(error_ceiling(forms::slope(forms::kOurs), Roundoff::Unit) <= 2 * kSlopeError);
static_assert(error_ceiling(forms::curvature(forms::kOurs), Roundoff::Unit) <= 2 * kCurvatureError);
static_assert(error_ceiling(dot(forms::all(forms::kOurs.at_time), forms::all(forms::kOurs.at_time)),
                            Roundoff::Unit) <= 2 * kSquareError);
static_assert(error_ceiling(dot(forms::all(forms::kOurs.at_time),
                                forms::all(forms::kOurs.velocity)),
                            Roundoff::Unit) <= 2 * kSquareError);

// The tolerances of one query, for B in its units.
struct Tolerances {
    double b = 0.0;
    double b2 = b * b;
    double b3 = b2 * b;
    double b4 = b2 * b2;

    [[nodiscard]] constexpr double mu() const noexcept { return kMu34 * kEps34 * b3; }
    [[nodiscard]] constexpr double tau() const noexcept { return kTau12 * kEps12 * b2; }
    [[nodiscard]] constexpr double eta() const noexcept { return kEta14 * kEps14 * b; }
    [[nodiscard]] constexpr double rho() const noexcept { return kRho12 * kEps12 * b2; }
    [[nodiscard]] constexpr double psi() const noexcept { return kPsi12 * kEps12 * b2; }
    [[nodiscard]] constexpr double lambda_sq() const noexcept { return kLambdaSq12 * kEps12 * b2; }
    // 3 R and D^2; `radius` is R in units of B eps^(1/4).
    [[nodiscard]] constexpr double line_distance(double radius) const noexcept {
        return 3.0 * radius * kEps14 * b;
    }
    [[nodiscard]] constexpr double reach_sq(double radius) const noexcept {
        return detail::reach_sq(radius) * kEps12 * b2;
    }
    [[nodiscard]] constexpr double vertex_vertex() const noexcept {
        return static_cast<double>(kVertexVertexError) * kEps * b2;
    }
    [[nodiscard]] constexpr double cubic_error() const noexcept {
        return static_cast<double>(kCubicError) * kEps * b3;
    }
    [[nodiscard]] constexpr double slope_error() const noexcept {
        return static_cast<double>(kSlopeError) * kEps * b3;
    }
    [[nodiscard]] constexpr double curvature_error() const noexcept {
        return static_cast<double>(kCurvatureError) * kEps * b3;
    }
    [[nodiscard]] constexpr double square_error() const noexcept {
        return static_cast<double>(kSquareError) * kEps * b2;
    }
    // Between a root and its candidate |F| is smaller, computed errors included (SC-9).
    [[nodiscard]] constexpr double cull_mu() const noexcept {
        return (kMu34 * kEps34 + kCullExcess * kEps) * b3;
    }
    // A time in which a weight of a contact does not come to lie so far outside its range, up to
    // roundings: (excess - 565 B^4 eps) / (9 B^4), in a step's fraction (SC-9).
    [[nodiscard]] constexpr double time_for(double excess) const noexcept {
        return excess * kPerCull / b4 - kCriterionTime;
    }
    [[nodiscard]] constexpr double plane() const noexcept {
        return static_cast<double>(kPlaneCulling) * kEps * b3;
    }
};

}  // namespace graze::safe_cubic
