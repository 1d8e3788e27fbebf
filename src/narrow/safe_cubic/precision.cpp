#include "narrow/safe_cubic/precision.hpp"

#include "graze/narrow/safe_cubic.hpp"

namespace graze {
namespace {

using namespace safe_cubic;

SafeCubicPrecision precision_of(std::string_view name, int exponent) noexcept {
    const double q = fourth_root_of_spacing(exponent);
    SafeCubicPrecision result;
    result.name = name;
    result.spacing_exponent = exponent;
    result.fourth_root = q;
    result.errors_hold = first_order_suffices(exponent);
    result.solver_threshold_needed = kLeastMu * q;
    result.solver_threshold_needed_here = kLeastMuHere * q;
    result.paper_values_hold = paper_values_hold(q, kLeastMu);
    result.paper_values_hold_here = paper_values_hold(q, kLeastMuHere);
    const CoplanarTolerances least = least_tolerances(q, kLeastMu);
    result.mu = least.mu;
    result.tau = least.tau;
    result.eta = least.eta;
    result.radius = least.radius;
    result.distance = coplanar_distance(least.radius, q);
    return result;
}

}  // namespace

std::array<SafeCubicPrecision, 4> safe_cubic_precisions() noexcept {
    return {precision_of("float", 23), precision_of("double", 52), precision_of("extended", 63),
            precision_of("binary128", 112)};
}

SafeCubicConstants safe_cubic_constants() noexcept {
    SafeCubicConstants c;
    c.coefficients = kCoefficientError;
    c.cubic = kCubicError;
    c.normal = kNormalError;
    c.square = kSquareError;
    c.weight = kWeightError;
    c.edge_criterion = kEdgeCriterionError;
    c.face_criterion = kFaceCriterionError;
    c.vertex_vertex = kVertexVertexError;
    c.coefficients_here = forms::in_eps(coefficients(forms::kOurs), forms::kOurs);
    c.cubic_here = value(forms::kOurs);
    c.face_criterion_here = sum_against_square(forms::kOurs);
    c.mu = kMu34;
    c.tau = kTau12;
    c.eta = kEta14;
    c.radius = kRadius14;
    c.rho = kRho12;
    c.psi = kPsi12;
    c.lambda_sq = kLambdaSq12;
    c.distance = kCoplanarDistance14;
    c.plane_culling = kPlaneCulling;
    c.solver_threshold = kLeastThreshold;
    c.solver_iterations = kMaxIterations;
    return c;
}

}  // namespace graze
