// Paths of the caller's own (MESH-11 in docs/derivations/mesh.md).
//
// Let vertex i of the path be within e_i of its straight segment, at every moment. A point sum w_i x_i of
// an element is within sum w_i e_i <= max e_i of the same point of the segment's element. So where the
// segment keeps two elements more than k + max e_a + max e_b from each other, the path keeps more than k.
// That is the query of thick elements (MESH-2) with e_i as a radius.
#include "graze/mesh/curved_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "graze/core/rounding.hpp"
#include "mesh/element_thickness.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_access.hpp"
#include "mesh/stepper_state.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

// Larger ones are as good as unknown; sums of a few of them are finite.
constexpr double kLargestDeviation = std::numeric_limits<double>::max() / 64.0;

Expected<void> check_path(const MeshTopology& mesh, const MotionPath& path,
                          const PathOptions& options) {
    const auto invalid = [](const char* what) {
        return Error{std::string("path: ") + what, ErrorCode::InvalidOption};
    };
    if (!path.position) return invalid("position is missing");
    if (static_cast<bool>(path.deviation) == static_cast<bool>(path.deviation_by_vertex))
        return invalid("either deviation or deviation_by_vertex must be given");
    if (!(options.resolution > 0.0 && options.resolution <= 1.0))
        return invalid("resolution must be in (0, 1]");
    if (options.max_proofs < 1) return invalid("max_proofs must be >= 1");
    return check_options(mesh, options.step);
}

// Tests straight segments between positions of the path.
class PathSegments {
public:
    PathSegments(MeshStepper& stepper, const MotionPath& path, const PathOptions& options)
        : stepper_(stepper),
          path_(path),
          given_(options.step),
          thickness_(element_thickness(stepper.topology(), options.step.radius)) {}

    [[nodiscard]] std::vector<Vec3> position(double alpha) const {
        std::vector<Vec3> positions(stepper_.topology().vertex_count);
        path_.position(alpha, positions);
        return positions;
    }

    // What the path from `from` to `to` may touch; no impact: it touches nothing. Nothing at all where
    // no deviation is known.
    [[nodiscard]] Expected<std::optional<FirstImpact>> test(double from,
                                                            std::span<const Vec3> x_from, double to,
                                                            std::span<const Vec3> x_to) {
        const Expected<double> largest = set_deviation(from, to);
        if (!largest) return largest.error();
        if (!(*largest <= kLargestDeviation)) return std::optional<FirstImpact>();
        StepOptions step = given_;
        step.query.t_max = 1.0;
        if (*largest > 0.0) {
            set_radius();
            step.radius = radius_;
            // Nearer than this to what is excluded may count as contact: no more than the deviation
            // itself, so that lengths have no unit.
            step.query.distance_tolerance = std::min(step.query.distance_tolerance, *largest);
        }
        const Trees trees = proofs == 0 ? Trees::Build : Trees::Refit;
        ++proofs;
        Expected<FirstImpact> first =
            StepperAccess::state(stepper_).first_impact(x_from, x_to, step, trees);
        if (!first) return first.error();
        return std::optional(*std::move(first));
    }

    int proofs = 0;

private:
    // The largest of all vertices.
    [[nodiscard]] Expected<double> set_deviation(double from, double to) {
        deviation_.assign(stepper_.topology().vertex_count, 0.0);
        if (path_.deviation_by_vertex) {
            path_.deviation_by_vertex(from, to, deviation_);
        } else {
            deviation_.assign(deviation_.size(), path_.deviation(from, to));
        }
        double largest = 0.0;
        for (std::size_t i = 0; i < deviation_.size(); ++i) {
            if (!(deviation_[i] >= 0.0)) {
                return Error{"path: the deviation of vertex " + std::to_string(i) + " is " +
                                 std::to_string(deviation_[i]) + ", not >= 0",
                             ErrorCode::InvalidInput, i};
            }
            largest = std::max(largest, deviation_[i]);
        }
        return largest;
    }
    // Each vertex as thick as the thickest element that it belongs to, so that for every element the
    // largest radius is >= its thickness + its largest deviation; rounded up.
    void set_radius() {
        radius_.resize(deviation_.size());
        for (std::size_t i = 0; i < radius_.size(); ++i)
            radius_[i] = thickness_.empty() ? deviation_[i] : add_up(thickness_[i], deviation_[i]);
    }

    MeshStepper& stepper_;
    const MotionPath& path_;
    const StepOptions& given_;
    std::vector<double> thickness_;
    std::vector<double> deviation_;
    std::vector<double> radius_;
};

// From a segment of this length that is not free to a shorter one. Deviations shrink with the square of
// the length: where the segment is free for a while its own time of impact leads, otherwise a quarter.
double shortened(double length, double free) noexcept {
    constexpr double kTaken = 0.875;
    return length * (free > 0.25 ? kTaken * std::min(free, 1.0) : 0.25);
}

Expected<PathStep> free_path(PathSegments& segments, const PathOptions& options) {
    PathStep result;
    result.knots.push_back(0.0);
    result.positions = segments.position(0.0);
    double length = 1.0;
    double failed = std::numeric_limits<double>::infinity();  // a segment from alpha to here
    while (result.alpha < 1.0 && segments.proofs < options.max_proofs) {
        const double to = length < 1.0 - result.alpha ? result.alpha + length : 1.0;
        // Below the spacing of numbers there is no shorter segment.
        if (!(to > result.alpha && to < failed)) break;
        std::vector<Vec3> positions = segments.position(to);
        const auto first = segments.test(result.alpha, result.positions, to, positions);
        if (!first) return first.error();
        length = to - result.alpha;
        if (*first && !(*first)->impact) {
            result.alpha = to;
            result.positions = std::move(positions);
            result.knots.push_back(to);
            length *= 2.0;
            failed = std::numeric_limits<double>::infinity();
            continue;
        }
        failed = to;
        if (*first) result.impact = (*first)->impact;
        if (!(length > options.resolution)) break;
        length = std::max(shortened(length, *first ? (*first)->toi_lower : 0.0),
                          0.5 * options.resolution);
    }
    if (result.alpha == 1.0) result.impact.reset();
    result.proofs = segments.proofs;
    return result;
}

Expected<PathStep> sound_path_step(MeshStepper& stepper, const MotionPath& path,
                                   const PathOptions& options) {
    if (const auto good = check_path(stepper.topology(), path, options); !good) return good.error();
    PathSegments segments(stepper, path, options);
    return free_path(segments, options);
}

Expected<PathLineSearchResult> sound_path_search(
    MeshStepper& stepper, const MotionPath& path,
    const std::function<double(std::span<const Vec3>)>& energy, const PathOptions& options,
    int max_halvings) {
    if (const auto good = check_path(stepper.topology(), path, options); !good) return good.error();
    PathSegments segments(stepper, path, options);
    PathLineSearchResult result;
    result.positions = segments.position(0.0);
    result.energy = energy(result.positions);
    result.evaluations = 1;
    if (std::isnan(result.energy))
        return Error{"line search: the energy of the start is NaN", ErrorCode::NotFinite};
    const Expected<PathStep> free = free_path(segments, options);
    if (!free) return free.error();
    result.alpha_free = free->alpha;
    double alpha = free->alpha;
    for (int i = 0; i <= max_halvings && alpha > 0.0; ++i, alpha *= 0.5) {
        std::vector<Vec3> positions = segments.position(alpha);
        const double value = energy(positions);
        ++result.evaluations;
        // Written so that an energy of NaN is no decrease.
        if (!(value < result.energy)) continue;
        // The path is free up to there; that x(alpha) as rounded is, too, follows from a segment that
        // ends there.
        const double knot = *(std::upper_bound(free->knots.begin(), free->knots.end(), alpha) - 1);
        if (knot < alpha) {
            const auto first = segments.test(knot, segments.position(knot), alpha, positions);
            if (!first) return first.error();
            if (!*first || (*first)->impact) continue;
        }
        result.alpha = alpha;
        result.positions = std::move(positions);
        result.energy = value;
        break;
    }
    result.proofs = segments.proofs;
    return result;
}

}  // namespace

Expected<PathStep> largest_safe_step(MeshStepper& stepper, const MotionPath& path,
                                     const PathOptions& options) {
    return with_sound_arithmetic([&] { return sound_path_step(stepper, path, options); });
}

Expected<PathLineSearchResult> line_search(
    MeshStepper& stepper, const MotionPath& path,
    const std::function<double(std::span<const Vec3>)>& energy, const PathOptions& options,
    int max_halvings) {
    return with_sound_arithmetic(
        [&] { return sound_path_search(stepper, path, energy, options, max_halvings); });
}

}  // namespace graze
