// Wang et al. 2021, Algorithm 4, with its errors mended (table in MESH-9, docs/derivations/mesh.md):
// take the least distance d_i at the start, go as far as the distance stays above d = min(p d_i, cap),
// 0 < p < 1, and halve from there until the energy decreases.
#include "graze/mesh/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "graze/mesh/safe_step.hpp"
#include "mesh/near_pairs.hpp"
#include "mesh/reach_rule.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_access.hpp"
#include "mesh/stepper_state.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

// Is the motion to these positions free of contact?
Expected<bool> is_free(MeshStepper& stepper, std::span<const Vec3> start,
                       std::span<const Vec3> positions, StepOptions options) {
    options.query.min_separation = 0.0;
    const Expected<FirstImpact> first =
        StepperAccess::state(stepper).first_impact(start, positions, options, Trees::Refit);
    if (!first) return first.error();
    return !first->impact;
}

// The paper's conditions are: d_i - d above the tolerance of the query and all rounding errors (then the
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

// The least distance of the start, or `reach` where it is not below that, and the pairs that are near.
// Near contact, where most searches are, few pairs are within a small reach; those beyond it cannot be the
// least where one is found.
Expected<NearPairs> nearest_pairs(MeshStepper& stepper, std::span<const Vec3> start, double reach,
                                  const StepOptions& step) {
    auto& state = StepperAccess::state(stepper);
    Trees trees = Trees::Build;
    const auto within = [&](double limit) -> Expected<NearPairs> {
        const Trees now = std::exchange(trees, Trees::Refit);
        if (state.backend_for(step) == nullptr) return state.near_pairs(start, limit, step, now);
        // Another processor has the distance alone.
        const Expected<Clearance> found = state.clearance(start, limit, step, now);
        if (!found) return found.error();
        return NearPairs{limit, found->least, {}, false};
    };
    // Whether candidates cover the reach is an error of the whole one alone.
    const bool can_begin_near = step.candidates == nullptr && reach > 0x1p-1000;
    for (const double part : {0x1p-8, 0x1p-4}) {
        if (!can_begin_near) break;
        Expected<NearPairs> near = within(part * reach);
        if (!near || near->least < part * reach) return near;
    }
    return within(reach);
}

// By how much less than the exact motion the rounded one may keep things apart, twice the rounding error of
// a vertex: on each axis 3u of the largest coordinate, to first order, and what underflows; 6u for the
// three of them together (MESH-9).
double lost_by_rounding(std::span<const Vec3> start, std::span<const Vec3> end) noexcept {
    return 0x1p-48 * std::max(largest_coordinate(start), largest_coordinate(end)) + 0x1p-1060;
}

Expected<void> check_own(const LineSearchOptions& options) {
    const auto invalid = [](const char* what) {
        return Error{std::string("line search: ") + what, ErrorCode::InvalidOption};
    };
    if (!(options.kept_fraction > 0.0 && options.kept_fraction < 1.0))
        return invalid("kept_fraction must be in (0, 1)");
    if (!(options.max_kept > 0.0) || !is_finite(options.max_kept))
        return invalid("max_kept must be finite and > 0");
    if (!options.step.radius.empty())
        return invalid("step.radius must be empty: distances are kept, not thickness");
    return {};
}

Expected<LineSearchResult> sound_line_search(
    MeshStepper& stepper, std::span<const Vec3> start, std::span<const Vec3> end,
    const std::function<double(std::span<const Vec3>)>& energy, const LineSearchOptions& options) {
    if (const auto good = check_own(options); !good) return good.error();
    // Before the energy looks at them. The searches check those of the options that they use.
    const std::size_t count = stepper.topology().vertex_count;
    if (const auto good = check_positions(start, count, "start"); !good) return good.error();
    if (const auto good = check_positions(end, count, "end"); !good) return good.error();
    LineSearchResult result;
    result.positions.assign(start.begin(), start.end());
    result.energy = energy(start);
    result.evaluations = 1;
    if (std::isnan(result.energy))
        return Error{"line search: the energy of the start is NaN", ErrorCode::NotFinite};

    StepOptions step = options.step;
    step.query.norm = Norm::Euclidean;
    step.query.min_separation = 0.0;
    // Beyond 2 cap / p nothing has to be known: p d_i >= 2 cap there, and the cap decides.
    const double reach = 2.0 * (options.max_kept / options.kept_fraction);
    const Expected<NearPairs> near = nearest_pairs(stepper, start, reach, step);
    if (!near) return near.error();
    result.distance = near->least;
    result.kept = std::min(options.kept_fraction * result.distance, options.max_kept);
    // A start in contact; or a distance so small that doubles have nothing between 0, what is kept
    // and it.
    if (!(result.kept > 0.0 && 0.25 * (result.distance - result.kept) > 0.0)) return result;

    // One order of the trees serves all searches of the call: that of the start.
    const Expected<FirstImpact> first = StepperAccess::state(stepper).first_impact(
        start, end, with_separation(step, result.distance, result.kept), Trees::Refit, &*near);
    if (!first) return first.error();
    // [0, toi_lower) is proved to stay above d. It is > 0 where d_i - d exceeds the rounding errors of
    // the query, some 6u of the largest difference of vertices.
    result.alpha_free = first->impact ? std::min(first->toi_lower, 1.0) : 1.0;
    // What keeps so much distance on the line does so on the path to the rounded positions, too.
    const bool rounding_is_free =
        first->toi_lower >= result.alpha_free && result.kept > lost_by_rounding(start, end);
    StepOptions plain = step;
    plain.query.t_max = 1.0;
    double alpha = result.alpha_free;
    for (int i = 0; i <= options.max_halvings && alpha > 0.0; ++i, alpha *= 0.5) {
        std::vector<Vec3> positions = positions_between(start, end, alpha);
        const double value = energy(positions);
        ++result.evaluations;
        // Written so that an energy of NaN is no decrease.
        if (!(value < result.energy)) continue;
        // The path on the line is free; that to the rounded positions is tested, unless it has to be.
        const Expected<bool> free =
            rounding_is_free ? Expected<bool>(true) : is_free(stepper, start, positions, plain);
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

Expected<LineSearchResult> line_search(MeshStepper& stepper, const Positions& start,
                                       const Positions& end,
                                       const std::function<double(std::span<const Vec3>)>& energy,
                                       const LineSearchOptions& options) {
    const auto search = [&](std::span<const Vec3> from, std::span<const Vec3> to) {
        return sound_line_search(stepper, from, to, energy, options);
    };
    return with_positions(search, start, end);
}

}  // namespace graze
