// Bounds by vertex: radii (MESH-7) and fractions (MESH-8 in docs/derivations/mesh.md).
//
// Radii. A point sum w_i x_i of an element whose vertices move by at most b_i moves by at most
// max b_i. A pair at distance D keeps D - max b_a - max b_b, so with
//   b_i = (c_i - k) (1/2 - 2^-32) rounded down,  c_i <= D for every vertex of the pair,
// more than k = separation + thickness is left, at every moment and on any paths.
// Fractions. Times of impact by vertex do not fit together: relative motion changes as soon as two
// vertices have different fractions. So fractions are shortened and the motion to the rounded
// positions is asked about again, until it is free.
#include "graze/mesh/vertex_bounds.hpp"

#include <algorithm>

#include "graze/core/rounding.hpp"
#include "graze/mesh/safe_step.hpp"
#include "mesh/impact_vertices.hpp"
#include "mesh/stepper_access.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

// Two of them add up to less than 1, by 2^-31: more than the rounding errors of two radii.
constexpr double kLessThanHalf = 0.5 - 0x1p-32;
// How often fractions are shortened where they were found wanting, before all are made equal.
constexpr int kRounds = 40;
// What is taken of the path to an impact: less than all, so that few rounds suffice.
constexpr double kTaken = 0.875;

// By vertex: the fraction of its motion that its impacts leave.
std::vector<double> fractions_left(const MeshTopology& mesh, const std::vector<Impact>& impacts) {
    std::vector<double> fraction(mesh.vertex_count, 1.0);
    for (const Impact& impact : impacts) {
        const double left = kTaken * std::min(impact.result.toi_lower, 1.0);
        for_each_vertex(mesh, impact, [&](std::uint32_t vertex) {
            fraction[vertex] = std::min(fraction[vertex], left);
        });
    }
    return fraction;
}

Expected<std::vector<double>> sound_free_radii(MeshStepper& stepper,
                                               std::span<const Vec3> positions, double reach,
                                               const StepOptions& options) {
    // In the norm of the separation. A vertex that moves by less than its radius in the Euclidean
    // norm does so in the max-norm.
    const Expected<Clearance> clearance = stepper.clearance(positions, reach, options);
    if (!clearance) return clearance.error();
    // k of MESH-7, what a pair keeps: its separation, and the largest thickness of all for each side,
    // since c_i does not say which pair it came from.
    double kept = options.query.min_separation;
    for (const double radius : options.radius)
        kept = std::max(kept, add_up(options.query.min_separation, 2.0 * radius));
    std::vector<double> radii = clearance->by_vertex;
    for (double& radius : radii)
        radius = std::max(0.0, mul_down(sub_down(radius, kept), kLessThanHalf));
    return radii;
}

Expected<FreeFractions> sound_free_fractions(MeshStepper& stepper, std::span<const Vec3> start,
                                             std::span<const Vec3> end,
                                             const StepOptions& options) {
    StepOptions whole = options;
    whole.query.t_max = 1.0;
    FreeFractions result;
    result.fraction.assign(start.size(), 1.0);
    result.positions.assign(end.begin(), end.end());
    while (result.proofs < kRounds) {
        const Trees trees = result.proofs == 0 ? Trees::Build : Trees::Refit;
        ++result.proofs;
        const Expected<StepImpacts> all =
            unordered_impacts(stepper, start, result.positions, whole, trees);
        if (!all) return all.error();
        if (all->impacts.empty()) return result;
        const std::vector<double> left = fractions_left(stepper.topology(), all->impacts);
        // A start that is not free stays so, however short the motion.
        if (*std::min_element(left.begin(), left.end()) == 0.0) break;
        // Products of factors < 1 may underflow to 0 after many rounds: then the vertex stays.
        for (std::size_t i = 0; i < left.size(); ++i)
            result.fraction[i] *= left[i];
        result.positions = positions_between(start, end, result.fraction);
    }
    // Shortening one vertex may lead another into its path, again and again. All alike is the motion
    // itself, which has one time of impact.
    const Expected<SafeStep> safe = largest_safe_step(stepper, start, end, options);
    if (!safe) return safe.error();
    result.fraction.assign(start.size(), safe->fraction);
    result.positions = safe->positions;
    result.proofs += safe->proofs;
    return result;
}

}  // namespace

Expected<std::vector<double>> free_radii(MeshStepper& stepper, const Positions& positions,
                                         double reach, const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> at) {
        return sound_free_radii(stepper, at, reach, options);
    };
    return with_positions(find, positions);
}

Expected<FreeFractions> free_fractions(MeshStepper& stepper, const Positions& start,
                                       const Positions& end, const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> from, std::span<const Vec3> to) {
        return sound_free_fractions(stepper, from, to, options);
    };
    return with_positions(find, start, end);
}

}  // namespace graze
