// Whole meshes in a time step on a graphics processor: the answers of MeshStepper, to the bit.
//
// Boxes, trees, the search of pairs and the fast tiers of `certified` run on the device. Pairs that
// these leave open are decided by the host's exact tiers, so that nothing stays unresolved. No buffer
// has a capacity that a scene can exceed: what does not fit is searched again in smaller ranges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/mesh/step.hpp"
#include "graze/narrow/method.hpp"

namespace graze::cuda {

struct DeviceInfo {
    std::string name;
    std::size_t memory = 0;       // [bytes]
    std::size_t memory_free = 0;  // [bytes]
};
// Errors: no driver, no device, a device that is lost or too old (Unsupported, with the reason).
[[nodiscard]] Expected<DeviceInfo> device_info(int device = 0);

struct DeviceOptions {
    int device = 0;
    // [bytes] of device memory for pairs and contacts, beside boxes and trees; 0: a quarter of what
    // is free. Results do not depend on it: less makes more ranges. What one element's pairs need at
    // most (24 bytes for each element of the mesh) is taken in any case.
    std::size_t pair_memory = 0;
};

// Positions in device memory, x y z of each vertex.
struct DevicePositions {
    const double* xyz = nullptr;
    std::size_t vertices = 0;
};

// What a call took, on the device and in all.
struct DeviceWork {
    std::size_t ranges = 0;           // searches of a range of elements, more than there are kinds
                                      // where memory was short
    std::size_t decided_by_host = 0;  // pairs
    std::size_t synchronisations =
        0;  // of host and device: two per window of the step, one for the
            // first impact; two more for each further range
};

// A contact: what CcdResult says of it.
struct DeviceImpact {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double toi_lower = 0.0;
    double toi_upper = 0.0;
};

// All impacts of a step, left where they were found.
struct DeviceImpacts : StepVerdict {
    // By kind, in the order of kAllQueryKinds; each in the order of a, b. In device memory that belongs
    // to the stepper: valid until its next call.
    std::array<const DeviceImpact*, 4> impacts{};
    std::array<std::size_t, 4> counts{};
    // Those that the host decided, in the order of kind, a, b: few.
    std::vector<Impact> by_host;
    std::optional<Impact> first;
    StepWork work;
};

// Keeps device memory from step to step. One step at a time; several objects in parallel, each with
// a stream of its own.
class DeviceStepper {
public:
    // Errors: those of device_info(), OutOfMemory.
    [[nodiscard]] static Expected<DeviceStepper> create(MeshTopology topology,
                                                        const DeviceOptions& options = {});
    DeviceStepper(DeviceStepper&&) noexcept;
    DeviceStepper& operator=(DeviceStepper&&) noexcept;
    ~DeviceStepper();

    [[nodiscard]] const MeshTopology& topology() const noexcept;
    // Another mesh, in the memory that is there. After an error: no step can be asked for until it
    // succeeds.
    [[nodiscard]] Expected<void> set_topology(MeshTopology topology);

    // `certified`, without candidates, bounds of the step or counted tiers: what the calls below take.
    [[nodiscard]] static bool supports(const StepOptions& options) noexcept;

    // As MeshStepper::first_impact() and all_impacts(), with the same bits in verdict, times and
    // impacts. StepWork::candidates counts the pairs of the device's own boxes.
    // Errors: as there; Unsupported for a method other than `certified`, for candidates and for
    // bounds of the step; OutOfMemory; a device that fails (Unsupported, with its words).
    [[nodiscard]] Expected<FirstImpact> first_impact(std::span<const Vec3> start,
                                                     std::span<const Vec3> end,
                                                     const StepOptions& options = {});
    [[nodiscard]] Expected<StepImpacts> all_impacts(std::span<const Vec3> start,
                                                    std::span<const Vec3> end,
                                                    const StepOptions& options = {});
    // Positions that are on the device already are read there.
    [[nodiscard]] Expected<FirstImpact> first_impact(DevicePositions start, DevicePositions end,
                                                     const StepOptions& options = {});
    [[nodiscard]] Expected<StepImpacts> all_impacts(DevicePositions start, DevicePositions end,
                                                    const StepOptions& options = {});

    // Impacts that stay on the device. Errors: as above; Unsupported for PairFilter::accepts, and
    // OutOfMemory where the pairs of the step do not fit into the memory for them.
    [[nodiscard]] Expected<DeviceImpacts> all_impacts_on_device(DevicePositions start,
                                                                DevicePositions end,
                                                                const StepOptions& options = {});

    // As MeshStepper::intersections(): edges with faces, too, are searched and decided on the device.
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(
        std::span<const Vec3> positions, const StepOptions& options = {});
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(
        DevicePositions positions, const StepOptions& options = {});

    // As MeshStepper::clearance(), with the same bits; where free_radii() asks it, so are these.
    // Errors: as above; Unsupported for PairFilter::accepts and for coordinates beyond 2^1000.
    [[nodiscard]] Expected<Clearance> clearance(std::span<const Vec3> positions, double reach,
                                                const StepOptions& options = {});
    [[nodiscard]] Expected<Clearance> clearance(DevicePositions positions, double reach,
                                                const StepOptions& options = {});

    // Of the last call.
    [[nodiscard]] const DeviceWork& work() const noexcept;

private:
    class State;
    explicit DeviceStepper(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

// From now on the stepper finds impacts, intersections and clearances on the device, and so do
// largest_safe_step(), line_search(), free_radii(), free_fractions(), active_set() and paths that ask
// it: same bits. What a device does not take (DeviceStepper::supports(); of clearances those with
// PairFilter::accepts or coordinates beyond 2^1000) is answered by the host.
// Errors: those of DeviceStepper::create(); the stepper is then as before.
[[nodiscard]] Expected<void> use_device(MeshStepper& stepper, const DeviceOptions& options = {});

// `certified` for batches on a device (Method::batch); one query at a time is answered by the host.
// Same bits. Where the device fails, the host answers the rest of the batch, and `failure` says why.
class DeviceMethod {
public:
    // Errors: those of device_info(), OutOfMemory.
    [[nodiscard]] static Expected<DeviceMethod> create(const DeviceOptions& options = {});
    DeviceMethod(DeviceMethod&&) noexcept;
    DeviceMethod& operator=(DeviceMethod&&) noexcept;
    ~DeviceMethod();

    // Refers to this object, which outlives it. One batch at a time.
    [[nodiscard]] Method method() const noexcept;
    // The first one since it was made.
    [[nodiscard]] std::optional<Error> failure() const;

    class State;

private:
    explicit DeviceMethod(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

}  // namespace graze::cuda
