// A MeshStepper whose steps are found on a device.
#include <memory>
#include <utility>

#include "graze/cuda/stepper.hpp"
#include "graze/mesh/backend.hpp"

namespace graze::cuda {
namespace {

class DeviceBackend final : public StepBackend {
public:
    explicit DeviceBackend(DeviceStepper stepper) : stepper_(std::move(stepper)) {}

    [[nodiscard]] bool supports(const StepOptions& options) const override {
        return DeviceStepper::supports(options);
    }
    [[nodiscard]] Expected<FirstImpact> first_impact(std::span<const Vec3> start,
                                                     std::span<const Vec3> end,
                                                     const StepOptions& options) override {
        if (!is_ready_) return is_ready_.error();
        return stepper_.first_impact(start, end, options);
    }
    [[nodiscard]] Expected<StepImpacts> all_impacts(std::span<const Vec3> start,
                                                    std::span<const Vec3> end,
                                                    const StepOptions& options) override {
        if (!is_ready_) return is_ready_.error();
        return stepper_.all_impacts(start, end, options);
    }
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(
        std::span<const Vec3> positions, const StepOptions& options) override {
        if (!is_ready_) return is_ready_.error();
        return stepper_.intersections(positions, options);
    }
    [[nodiscard]] Expected<Clearance> clearance(std::span<const Vec3> positions, double reach,
                                                const StepOptions& options) override {
        if (!is_ready_) return is_ready_.error();
        return stepper_.clearance(positions, reach, options);
    }
    void set_topology(const MeshTopology& topology) override {
        is_ready_ = stepper_.set_topology(topology);
    }

private:
    DeviceStepper stepper_;
    Expected<void> is_ready_{};  // for the topology of the stepper
};

}  // namespace

Expected<void> use_device(MeshStepper& stepper, const DeviceOptions& options) {
    Expected<DeviceStepper> device = DeviceStepper::create(stepper.topology(), options);
    if (!device) return device.error();
    stepper.set_backend(std::make_unique<DeviceBackend>(std::move(*device)));
    return {};
}

}  // namespace graze::cuda
