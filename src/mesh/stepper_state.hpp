// What a stepper keeps from step to step.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "graze/mesh/backend.hpp"
#include "graze/mesh/step.hpp"
#include "mesh/step_boxes.hpp"

namespace graze {

namespace mesh_detail {
struct NearPairs;
}

class MeshStepper::State {
public:
    explicit State(MeshTopology mesh) : topology(std::move(mesh)) {}

    // MeshStepper::set_topology(): as if made anew, but in the memory that is there.
    void set_topology(MeshTopology mesh) {
        topology = std::move(mesh);
        id = next_id();
        boxes.forget_trees();
        if (!backend) return;
        // One that throws may have the mesh of before: it is asked no more.
        std::unique_ptr<StepBackend> told = std::move(backend);
        told->set_topology(topology);
        backend = std::move(told);
    }

    // Start and end of each vertex side by side, as queries take them.
    [[nodiscard]] std::span<const MovingPoint> set_vertices(std::span<const Vec3> start,
                                                            std::span<const Vec3> end) {
        vertices_.resize(start.size());
        for (std::size_t i = 0; i < start.size(); ++i)
            vertices_[i] = {start[i], end[i]};
        return vertices_;
    }

    // MeshStepper::first_impact(). `near`: what near_pairs() has found for this start, with this filter and
    // with these candidates, on which no answer depends; or null.
    [[nodiscard]] Expected<FirstImpact> first_impact(std::span<const Vec3> start,
                                                     std::span<const Vec3> end,
                                                     const StepOptions& options,
                                                     mesh_detail::Trees trees,
                                                     const mesh_detail::NearPairs* near = nullptr);
    // MeshStepper::all_impacts(); `first` and the verdict of the step only where they are wanted.
    [[nodiscard]] Expected<StepImpacts> all_impacts(std::span<const Vec3> start,
                                                    std::span<const Vec3> end,
                                                    const StepOptions& options,
                                                    mesh_detail::Trees trees, bool wants_first);
    // MeshStepper::candidates() and refit(): after an error they are as before.
    [[nodiscard]] Expected<void> set_candidates(Candidates& candidates, std::span<const Vec3> start,
                                                std::span<const Vec3> end, double inflation,
                                                const StepOptions& options,
                                                mesh_detail::Trees trees);
    // MeshStepper::clearance().
    [[nodiscard]] Expected<Clearance> clearance(std::span<const Vec3> positions, double reach,
                                                const StepOptions& options,
                                                mesh_detail::Trees trees);
    // The same distances, those of clearance(), by pair.
    [[nodiscard]] Expected<mesh_detail::NearPairs> near_pairs(std::span<const Vec3> positions,
                                                              double reach,
                                                              const StepOptions& options,
                                                              mesh_detail::Trees trees);

    // What answers calls with these options in place of the library; null: nothing.
    [[nodiscard]] StepBackend* backend_for(const StepOptions& options) const {
        return backend && backend->supports(options) ? backend.get() : nullptr;
    }

    MeshTopology topology;
    std::unique_ptr<StepBackend> backend;
    // No two of them are alike: what was made for one topology is not taken for that of another.
    std::uint64_t id = next_id();
    mesh_detail::StepBoxes boxes;

private:
    [[nodiscard]] static std::uint64_t next_id() noexcept {
        static std::atomic<std::uint64_t> last = 0;
        return ++last;
    }

    UninitializedVector<MovingPoint> vertices_;
};

}  // namespace graze
