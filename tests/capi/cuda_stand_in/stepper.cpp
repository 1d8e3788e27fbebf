// A stepper whose device is the host: what graze_cuda.h stands on where there is no graphics processor. Its memory is that
// of the caller; of impacts every third is one "that the host decided".
#include "graze/cuda/stepper.hpp"

#include <utility>

namespace graze::cuda {

class DeviceStepper::State {
public:
    explicit State(MeshTopology topology) : stepper(std::move(topology)) {}

    MeshStepper stepper;
    std::array<std::vector<DeviceImpact>, 4> impacts;
};

DeviceStepper::DeviceStepper(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
DeviceStepper::DeviceStepper(DeviceStepper&&) noexcept = default;
DeviceStepper& DeviceStepper::operator=(DeviceStepper&&) noexcept = default;
DeviceStepper::~DeviceStepper() = default;

Expected<DeviceStepper> DeviceStepper::create(MeshTopology topology, const DeviceOptions& options) {
    if (options.device != 0) return Error{"there is one device", ErrorCode::Unsupported};
    return DeviceStepper(std::make_unique<State>(std::move(topology)));
}

namespace {

Expected<std::vector<Vec3>> host_positions(const DevicePositions& positions, std::size_t vertices) {
    if (positions.vertices != vertices)
        return Error{"positions for another number of vertices", ErrorCode::WrongSize};
    if (positions.xyz == nullptr && vertices > 0)
        return Error{"no memory of the device", ErrorCode::InvalidInput};
    std::vector<Vec3> points(vertices);
    for (std::size_t i = 0; i < vertices; ++i)
        points[i] = {positions.xyz[3 * i], positions.xyz[3 * i + 1], positions.xyz[3 * i + 2]};
    return points;
}

}  // namespace

Expected<FirstImpact> DeviceStepper::first_impact(DevicePositions start, DevicePositions end,
                                                  const StepOptions& options) {
    const std::size_t vertices = state_->stepper.topology().vertex_count;
    const auto from = host_positions(start, vertices);
    if (!from) return from.error();
    const auto to = host_positions(end, vertices);
    if (!to) return to.error();
    return state_->stepper.first_impact(*from, *to, options);
}

Expected<DeviceImpacts> DeviceStepper::all_impacts_on_device(DevicePositions start,
                                                             DevicePositions end,
                                                             const StepOptions& options) {
    const std::size_t vertices = state_->stepper.topology().vertex_count;
    const auto from = host_positions(start, vertices);
    if (!from) return from.error();
    const auto to = host_positions(end, vertices);
    if (!to) return to.error();
    const auto all = state_->stepper.all_impacts(*from, *to, options);
    if (!all) return all.error();
    DeviceImpacts found;
    static_cast<StepVerdict&>(found) = *all;
    if (all->first) found.first = all->impacts[*all->first];
    for (auto& list : state_->impacts)
        list.clear();
    for (std::size_t i = 0; i < all->impacts.size(); ++i) {
        const Impact& impact = all->impacts[i];
        if (i % 3 == 2)
            found.by_host.push_back(impact);
        else
            state_->impacts[static_cast<std::size_t>(impact.kind)].push_back(
                {impact.a, impact.b, impact.result.toi_lower, impact.result.toi_upper});
    }
    for (std::size_t kind = 0; kind < found.counts.size(); ++kind) {
        found.impacts[kind] = state_->impacts[kind].data();
        found.counts[kind] = state_->impacts[kind].size();
    }
    return found;
}

}  // namespace graze::cuda
