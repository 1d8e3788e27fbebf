// MeshStepper::clearance(): proved lower bounds of distances, by vertex (MESH-5, MESH-7 in
// docs/derivations/mesh.md). A pair is never nearer than the bound of any of its vertices.
#include <algorithm>
#include <array>
#include <tuple>

#include "graze/narrow/distance.hpp"
#include "mesh/candidate_pairs.hpp"
#include "mesh/pair_search.hpp"
#include "mesh/reach_rule.hpp"
#include "mesh/step_check.hpp"
#include "mesh/stepper_state.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

// The least distance by vertex. Minima do not depend on the order in which pairs are seen.
class Distances {
public:
    class Local {
    public:
        Local(std::size_t vertex_count, const ReachRule& rule) : rule_(rule), least(rule.reach) {
            by_vertex.resize(vertex_count, rule.reach);
        }

        template <class Motion>
        void see(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t,
                 std::uint32_t) {
            const Motion motion = motion_of(step, vertices);
            const double distance = distance_lower(motion, step.options.query.norm);
            // Boxes let pairs through that are farther than the reach.
            if (!(distance < rule_.reach) || is_dropped(step, vertices)) return;
            // c_i of MESH-7: the least over all pairs in which vertex i takes part.
            for (const std::uint32_t vertex : vertices.a)
                by_vertex[vertex] = std::min(by_vertex[vertex], distance);
            for (const std::uint32_t vertex : vertices.b)
                by_vertex[vertex] = std::min(by_vertex[vertex], distance);
            least = std::min(least, distance);
        }

    private:
        template <class Motion>
        [[nodiscard]] bool is_dropped(const StepQuery& step,
                                      const PairVertices<Motion>& pair) const noexcept {
            std::array<Vec3, 4> at;
            std::size_t count = 0;
            for (const std::uint32_t vertex : pair.a)
                at[count++] = step.vertices[vertex].start;
            for (const std::uint32_t vertex : pair.b)
                at[count++] = step.vertices[vertex].start;
            constexpr int kFirst = std::tuple_size_v<decltype(pair.a)>;
            return rule_.drops<kFirst, kFirst + int{std::tuple_size_v<decltype(pair.b)>}>(
                at.data());
        }

        ReachRule rule_;

    public:
        double least;
        std::vector<double> by_vertex;
    };

    Distances(std::size_t vertex_count, const ReachRule& rule)
        : reach_(rule.reach),
          vertex_count_(vertex_count),
          locals_([vertex_count, rule] { return Local(vertex_count, rule); }) {}
    [[nodiscard]] Local& local() { return locals_.local(); }

    void collect(Clearance& result) const {
        result.least = reach_;
        result.by_vertex.assign(vertex_count_, reach_);
        for (const Local& local : locals_) {
            result.least = std::min(result.least, local.least);
            for (std::size_t i = 0; i < vertex_count_; ++i)
                result.by_vertex[i] = std::min(result.by_vertex[i], local.by_vertex[i]);
        }
    }

private:
    double reach_;
    std::size_t vertex_count_;
    PerThread<Local> locals_;
};

// Boxes that are larger by half the reach each, and a little. By MESH-1 two that do not meet have a
// distance above the reach: what was not asked cannot lower a bound.
Expected<Clearance> find_clearance(const StepQuery& step, const ReachRule& rule, double margin,
                                   StepBoxes& boxes, Trees trees) {
    Clearance result;
    if (step.options.candidates == nullptr)
        boxes.set(trees, step.mesh, step.vertices, 0.0, {}, margin);
    Distances distances(step.mesh.vertex_count, rule);
    if (!ask_pairs(step, boxes, distances, result.work))
        return Error{"cancelled", ErrorCode::Cancelled};
    distances.collect(result);
    return result;
}

}  // namespace

Expected<Clearance> MeshStepper::clearance(const Positions& positions, double reach,
                                           const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> at) {
        return state_->clearance(at, reach, options, Trees::Build);
    };
    return with_positions(find, positions);
}

Expected<Clearance> MeshStepper::State::clearance(std::span<const Vec3> positions, double reach,
                                                  const StepOptions& options, Trees trees) {
    return with_sound_arithmetic([&]() -> Expected<Clearance> {
        const MeshTopology& mesh = topology;
        if (const auto good = check_positions(positions, mesh.vertex_count, "positions"); !good)
            return good.error();
        if (const auto good = check_options(mesh, options); !good) return good.error();
        if (!(reach > 0.0) || !is_finite(reach))
            return Error{"reach must be finite and > 0", ErrorCode::InvalidOption};
        const double largest = largest_coordinate(positions);
        const bool has_diagonals = largest <= kMaxForDiagonals;
        // Its boxes have diagonals, and it cannot ask a function of the caller's.
        if (StepBackend* const other = backend_for(options);
            other != nullptr && has_diagonals && !options.filter.accepts)
            return other->clearance(positions, reach, options);
        const StepQuery step{mesh, set_vertices(positions, positions), options};
        const double margin = margin_for_reach(reach, largest);
        return in_arena(options, [&]() -> Expected<Clearance> {
            const Expected<void> covered = check_cover(step, id, margin);
            if (!covered) return covered.error();
            return find_clearance(step, {reach, has_diagonals}, margin, boxes, trees);
        });
    });
}

}  // namespace graze
