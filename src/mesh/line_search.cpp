#include "graze/mesh/line_search.hpp"

#include <algorithm>
#include <cmath>

#include "graze/mesh/safe_step.hpp"

namespace graze {
namespace {

bool is_share(double x) noexcept {
    return x > 0.0 && x < 1.0;
}

// Is the motion to these positions free of contact?
Expected<bool> is_free(MeshStepper& stepper, std::span<const Vec3> start,
                       std::span<const Vec3> positions, StepOptions options) {
    options.query.min_separation = 0.0;
    const Expected<FirstImpact> first = stepper.first_impact(start, positions, options);
    if (!first) return first.error();
    return !first->impact;
}

// The paper's conditions are: d_i - d above the tolerance of the query and all roundings (then the
// first time at which the distance is d is positive), d = p d_i, at most a cap. Here the tolerance
// follows from what is left, so that the first holds for every p < 1.
StepOptions with_separation(const StepOptions& step, double distance, double kept) {
    StepOptions options = step;
    options.query.t_max = 1.0;
    options.query.min_separation = kept;
    options.query.norm = Norm::Euclidean;
    options.query.distance_tolerance =
        std::min(step.query.distance_tolerance, 0.25 * (distance - kept));
    return options;
}

Expected<LineSearchResult> sound_line_search(
    MeshStepper& stepper, std::span<const Vec3> start, std::span<const Vec3> end,
    const std::function<double(std::span<const Vec3>)>& energy, const LineSearchOptions& options) {
    if (!is_share(options.p)) return Error{"line search: p is not between 0 and 1"};
    if (!(options.most_kept > 0.0) || !is_finite(options.most_kept))
        return Error{"line search: most_kept is not a finite number > 0"};
    if (!options.step.radius.empty())
        return Error{"line search: keeps distances, not thickness: leave step.radius empty"};
    LineSearchResult result;
    result.positions.assign(start.begin(), start.end());
    result.energy = energy(start);
    result.evaluations = 1;
    if (std::isnan(result.energy)) return Error{"line search: the energy of the start is NaN"};

    StepOptions step = options.step;
    step.query.norm = Norm::Euclidean;
    step.query.min_separation = 0.0;
    const double reach = 2.0 * (options.most_kept / options.p);
    const Expected<Clearance> clearance = stepper.clearance(start, reach, step);
    if (!clearance) return clearance.error();
    result.distance = clearance->least;
    result.kept = std::min(options.p * result.distance, options.most_kept);
    // A start that is not apart; or apart by so little that doubles have nothing between 0, what is
    // kept and the distance.
    if (!(result.kept > 0.0 && 0.25 * (result.distance - result.kept) > 0.0)) return result;

    const Expected<FirstImpact> first =
        stepper.first_impact(start, end, with_separation(step, result.distance, result.kept));
    if (!first) return first.error();
    result.alpha_free = first->impact ? std::min(first->toi_lower, 1.0) : 1.0;
    StepOptions plain = step;
    plain.query.t_max = 1.0;
    double alpha = result.alpha_free;
    for (int i = 0; i <= options.halvings && alpha > 0.0; ++i, alpha *= 0.5) {
        std::vector<Vec3> positions = positions_between(start, end, alpha);
        const double value = energy(positions);
        ++result.evaluations;
        if (!(value < result.energy)) continue;
        // The way on the line is free; that to the rounded positions is asked about.
        const Expected<bool> free = is_free(stepper, start, positions, plain);
        if (!free) return free.error();
        if (!*free) continue;
        result.alpha = alpha;
        result.positions = std::move(positions);
        result.energy = value;
        return result;
    }
    return result;
}

}  // namespace

Expected<LineSearchResult> line_search(MeshStepper& stepper, std::span<const Vec3> start,
                                       std::span<const Vec3> end,
                                       const std::function<double(std::span<const Vec3>)>& energy,
                                       const LineSearchOptions& options) {
    return with_sound_arithmetic(
        [&] { return sound_line_search(stepper, start, end, energy, options); });
}

}  // namespace graze
