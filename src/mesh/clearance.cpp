// MeshStepper::clearance(): proved lower bounds of distances, by vertex (MESH-5, MESH-7 in
// docs/derivations/mesh.md). A pair is never nearer than the bound of any of its vertices.
#include <algorithm>

#include "graze/narrow/distance.hpp"
#include "mesh/candidate_pairs.hpp"
#include "mesh/pair_search.hpp"
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
        Local(std::size_t vertex_count, double reach) : reach_(reach), least(reach) {
            by_vertex.resize(vertex_count, reach);
        }

        template <class Motion>
        void see(const StepQuery& step, const PairVertices<Motion>& vertices, std::uint32_t,
                 std::uint32_t) {
            const double distance =
                distance_lower(motion_of(step, vertices), step.options.query.norm);
            // Boxes let pairs through that are farther than the reach.
            if (!(distance < reach_)) return;
            // c_i of MESH-7: the least over all pairs in which vertex i takes part.
            for (const std::uint32_t vertex : vertices.a)
                by_vertex[vertex] = std::min(by_vertex[vertex], distance);
            for (const std::uint32_t vertex : vertices.b)
                by_vertex[vertex] = std::min(by_vertex[vertex], distance);
            least = std::min(least, distance);
        }

    private:
        double reach_;

    public:
        double least;
        std::vector<double> by_vertex;
    };

    Distances(std::size_t vertex_count, double reach)
        : reach_(reach),
          vertex_count_(vertex_count),
          locals_([vertex_count, reach] { return Local(vertex_count, reach); }) {}
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

double margin_for(double reach) noexcept {
    return 0.5 * reach + 0x1p-1074;
}

Expected<Clearance> find_clearance(const StepQuery& step, double reach, StepBoxes& boxes,
                                   Trees trees) {
    Clearance result;
    // Boxes that are larger by half the reach each. By MESH-1 two that do not meet have a distance
    // D > 2 (reach/2 + eta) >= reach, with eta = 2^-1074 for the halving of a subnormal reach: what
    // was not asked cannot lower a bound.
    if (step.options.candidates == nullptr)
        boxes.set(trees, step.mesh, step.vertices, 0.0, {}, margin_for(reach));
    Distances distances(step.mesh.vertex_count, reach);
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
        const StepQuery step{mesh, set_vertices(positions, positions), options};
        return in_arena(options, [&]() -> Expected<Clearance> {
            const Expected<void> covered = check_cover(step, id, margin_for(reach));
            if (!covered) return covered.error();
            return find_clearance(step, reach, boxes, trees);
        });
    });
}

}  // namespace graze
