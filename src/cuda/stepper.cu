#include "graze/cuda/stepper.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "cuda/host_answers.cuh"
#include "cuda/state.cuh"
#include "graze/core/fp_environment.hpp"
#include "graze/core/rounding.hpp"

namespace graze::cuda {

// --- The first -----------------------------------------------------------------------------------

// Of brackets that are as narrow as can be had, the first in the order of lower, upper, kind, a, b:
// as MeshStepper chooses.
DeviceStepper::State::Winner DeviceStepper::State::first_of(std::span<const std::size_t> firsts,
                                                            const StepOptions& options) {
    const std::vector<FoundMotion> motions = motions_of(firsts);
    Winner best;
    bool has_best = false;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
        if (is_stopped(options)) break;
        const Impact& impact = impacts_[firsts[i]];
        Winner next{firsts[i], impact.result.toi_lower, impact.result.toi_upper, {}};
        if (has_best && next.lower > best.lower) continue;
        if (next_up(next.lower) < next.upper) {
            const CcdResult narrow =
                asked(topology, options, impact, motions[i].vertices, 0x1p-1074);
            if (narrow.verdict != Verdict::Separated) {
                next.lower = std::max(next.lower, narrow.toi_lower);
                next.upper = std::min(next.upper, narrow.toi_upper);
            }
        }
        if (has_best && !(std::tuple(next.lower, next.upper) < std::tuple(best.lower, best.upper)))
            continue;
        std::copy_n(motions[i].vertices, 4, next.vertices.begin());
        best = next;
        has_best = true;
    }
    return best;
}

StepVerdict DeviceStepper::State::verdict_of(std::span<const std::size_t> firsts,
                                             const Winner& winner) const {
    if (firsts.empty()) return {Verdict::Separated, kInfinity, kInfinity};
    const CcdResult& result = impacts_[winner.impact].result;
    StepVerdict verdict{result.verdict, result.toi_lower, kInfinity};
    for (const std::size_t i : firsts)
        verdict.toi_upper = std::min(verdict.toi_upper, impacts_[i].result.toi_upper);
    if (verdict.toi_upper < kInfinity) verdict.verdict = Verdict::Contact;
    return verdict;
}

Expected<StepImpacts> DeviceStepper::State::all_impacts(const double* start, const double* end,
                                                        const StepOptions& options) {
    const Expected<StepWork> found = search_all(start, end, options, Wanted::All);
    if (!found) return found.error();
    const std::vector<std::size_t> firsts = not_preceded(impacts_);
    const Winner winner = first_of(firsts, options);
    if (is_stopped(options)) return Error{"cancelled", ErrorCode::Cancelled};
    StepImpacts result;
    static_cast<StepVerdict&>(result) = verdict_of(firsts, winner);
    if (!firsts.empty()) result.first = winner.impact;
    result.impacts = std::move(impacts_);
    result.work = *found;
    return result;
}

Expected<FirstImpact> DeviceStepper::State::first_impact(const double* start, const double* end,
                                                         const StepOptions& options) {
    const Expected<StepWork> found = search_all(start, end, options, Wanted::First);
    if (!found) return found.error();
    const std::vector<std::size_t> firsts = not_preceded(impacts_);
    const Winner winner = first_of(firsts, options);
    if (is_stopped(options)) return Error{"cancelled", ErrorCode::Cancelled};
    FirstImpact result;
    static_cast<StepVerdict&>(result) = verdict_of(firsts, winner);
    if (!firsts.empty()) {
        result.impact = impacts_[winner.impact];
        result.contact = contact_point_of(*result.impact, winner.vertices.data());
    }
    result.work = *found;
    return result;
}

Expected<DeviceImpacts> DeviceStepper::State::all_on_device(const double* start, const double* end,
                                                            const StepOptions& options) {
    if (options.filter.accepts)
        return Error{"impacts that stay on the device have no filter of the caller's own",
                     ErrorCode::Unsupported};
    const Expected<StepWork> found = search_all(start, end, options, Wanted::AllOnDevice);
    if (!found) return found.error();
    if (!fits_)
        return Error{"the pairs of the step do not fit into the device memory for them",
                     ErrorCode::OutOfMemory};
    const std::vector<std::size_t> firsts = not_preceded(impacts_);
    const Winner winner = first_of(firsts, options);
    if (is_stopped(options)) return Error{"cancelled", ErrorCode::Cancelled};
    DeviceImpacts result;
    static_cast<StepVerdict&>(result) = verdict_of(firsts, winner);
    if (!firsts.empty()) result.first = impacts_[winner.impact];
    result.by_host = decided_;
    std::copy_n(contacts_on_device_.begin(), result.counts.size(), result.counts.begin());
    for (std::size_t kind = 0; kind < result.counts.size(); ++kind)
        result.impacts[kind] = lists_[kind].all.data();
    result.work = *found;
    return result;
}

// --- Entry points --------------------------------------------------------------------------------

namespace {

// body(), with failures of the device and of memory as values.
template <class Body>
auto guarded(const Body& body) -> std::invoke_result_t<const Body&> {
    try {
        return with_sound_arithmetic(body);
    } catch (const DeviceFailure& failure) {
        return failure.error;
    } catch (const std::bad_alloc&) {
        return Error{"host memory ran out", ErrorCode::OutOfMemory};
    }
}

Expected<void> check_size(const char* what, std::size_t size, std::size_t vertices) {
    if (size == vertices) return {};
    return Error{std::string(what) + " has " + std::to_string(size) + " values for " +
                     std::to_string(vertices) + " vertices",
                 ErrorCode::WrongSize};
}

Expected<void> check_radii(const StepOptions& options) {
    for (std::size_t i = 0; i < options.radius.size(); ++i) {
        const double r = options.radius[i];
        if (!(r >= 0.0) || !(add_up(options.query.min_separation, add_up(r, r)) < kInfinity))
            return Error{"the radius of vertex " + std::to_string(i) +
                             " must be finite and >= 0, and so must its sum with min_separation",
                         ErrorCode::InvalidOption, i};
    }
    return {};
}

Expected<void> check_options(const MeshTopology& mesh, const StepOptions& options) {
    const PairFilter& filter = options.filter;
    const auto check_optional = [&](const char* what, std::size_t size) -> Expected<void> {
        return size == 0 ? Expected<void>{} : check_size(what, size, mesh.vertex_count);
    };
    if (options.method.name != make_certified().name)
        return Error{"on a device the method is certified, not " + std::string(options.method.name),
                     ErrorCode::Unsupported};
    if (options.candidates != nullptr || options.bounds != BoundSource::Query)
        return Error{"on a device neither candidates nor bounds of a step are taken",
                     ErrorCode::Unsupported};
    if (auto good = graze::check(options.query); !good) return good;
    if (auto good = check_optional("radius", options.radius.size()); !good) return good;
    if (auto good = check_optional("filter.body", filter.body.size()); !good) return good;
    if (auto good = check_optional("filter.fixed", filter.fixed.size()); !good) return good;
    if (auto good = check_optional("filter.layers", filter.layers.size()); !good) return good;
    if (filter.layers.size() != filter.mask.size())
        return Error{"filter.layers and filter.mask must both be given, or neither",
                     ErrorCode::InvalidOption};
    return check_radii(options);
}

}  // namespace

Expected<DeviceInfo> device_info(int device) {
    return guarded([&]() -> Expected<DeviceInfo> {
        int count = 0;
        check(cudaGetDeviceCount(&count), "devices");
        if (device < 0 || device >= count)
            return Error{"device " + std::to_string(device) + " of " + std::to_string(count) +
                             " does not exist",
                         ErrorCode::Unsupported};
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, device), "device");
        if (properties.major < 8)
            return Error{
                std::string(properties.name) + " is too old: compute capability 8.0 is needed",
                ErrorCode::Unsupported};
        check(cudaSetDevice(device), "device");
        DeviceInfo info{properties.name, 0, 0};
        check(cudaMemGetInfo(&info.memory_free, &info.memory), "device memory");
        return info;
    });
}

DeviceStepper::DeviceStepper(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
DeviceStepper::DeviceStepper(DeviceStepper&&) noexcept = default;
DeviceStepper& DeviceStepper::operator=(DeviceStepper&&) noexcept = default;
DeviceStepper::~DeviceStepper() = default;

const MeshTopology& DeviceStepper::topology() const noexcept {
    return state_->topology;
}
const DeviceWork& DeviceStepper::work() const noexcept {
    return state_->work;
}

Expected<DeviceStepper> DeviceStepper::create(MeshTopology topology, const DeviceOptions& options) {
    const Expected<DeviceInfo> info = device_info(options.device);
    if (!info) return info.error();
    return guarded([&]() -> Expected<DeviceStepper> {
        return DeviceStepper(std::make_unique<State>(std::move(topology), options));
    });
}

namespace {

// A kernel that reads other memory would fail, and with it all that comes after.
Expected<void> check_memory(const char* what, const DevicePositions& positions) {
    if (positions.vertices == 0) return {};
    cudaPointerAttributes memory{};
    const bool is_known = cudaPointerGetAttributes(&memory, positions.xyz) == cudaSuccess;
    cudaGetLastError();
    if (is_known &&
        (memory.type == cudaMemoryTypeDevice || memory.type == cudaMemoryTypeManaged))
        return {};
    return Error{std::string(what) + " is no memory of the device", ErrorCode::InvalidInput};
}

// run(start, end) on positions that are on the device.
template <class State, class Run>
auto on_device(State& state, std::span<const Vec3> start, std::span<const Vec3> end,
               const StepOptions& options, const Run& run)
    -> std::invoke_result_t<const Run&, const double*, const double*> {
    const std::size_t vertices = state.topology.vertex_count;
    if (auto good = check_size("start", start.size(), vertices); !good) return good.error();
    if (auto good = check_size("end", end.size(), vertices); !good) return good.error();
    if (auto good = check_options(state.topology, options); !good) return good.error();
    return guarded([&] {
        state.use_device();
        state.load(start, end);
        return run(state.start_positions.data(), state.end_positions.data());
    });
}
template <class State, class Run>
auto on_device(State& state, DevicePositions start, DevicePositions end, const StepOptions& options,
               const Run& run) -> std::invoke_result_t<const Run&, const double*, const double*> {
    const std::size_t vertices = state.topology.vertex_count;
    if (auto good = check_size("start", start.vertices, vertices); !good) return good.error();
    if (auto good = check_size("end", end.vertices, vertices); !good) return good.error();
    if (auto good = check_options(state.topology, options); !good) return good.error();
    return guarded([&]() -> std::invoke_result_t<const Run&, const double*, const double*> {
        state.use_device();
        if (auto good = check_memory("start", start); !good) return good.error();
        if (auto good = check_memory("end", end); !good) return good.error();
        return run(start.xyz, end.xyz);
    });
}

}  // namespace

Expected<FirstImpact> DeviceStepper::first_impact(std::span<const Vec3> start,
                                                  std::span<const Vec3> end,
                                                  const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->first_impact(p, q, options);
    });
}
Expected<StepImpacts> DeviceStepper::all_impacts(std::span<const Vec3> start,
                                                 std::span<const Vec3> end,
                                                 const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->all_impacts(p, q, options);
    });
}
Expected<FirstImpact> DeviceStepper::first_impact(DevicePositions start, DevicePositions end,
                                                  const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->first_impact(p, q, options);
    });
}
Expected<StepImpacts> DeviceStepper::all_impacts(DevicePositions start, DevicePositions end,
                                                 const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->all_impacts(p, q, options);
    });
}

Expected<std::vector<Intersection>> DeviceStepper::intersections(std::span<const Vec3> positions,
                                                                 const StepOptions& options) {
    return on_device(*state_, positions, positions, options, [&](const double* at, const double*) {
        return state_->intersections(at, options);
    });
}
Expected<std::vector<Intersection>> DeviceStepper::intersections(DevicePositions positions,
                                                                 const StepOptions& options) {
    return on_device(*state_, positions, positions, options, [&](const double* at, const double*) {
        return state_->intersections(at, options);
    });
}

namespace {
Expected<void> check_clearance(double reach, const StepOptions& options) {
    if (!(reach > 0.0) || !is_finite(reach))
        return Error{"reach must be finite and > 0", ErrorCode::InvalidOption};
    if (options.filter.accepts)
        return Error{"a clearance on a device has no filter of the caller's own",
                     ErrorCode::Unsupported};
    return {};
}
}  // namespace

Expected<Clearance> DeviceStepper::clearance(std::span<const Vec3> positions, double reach,
                                             const StepOptions& options) {
    if (auto good = check_clearance(reach, options); !good) return good.error();
    return on_device(*state_, positions, positions, options, [&](const double* at, const double*) {
        return state_->clearance(at, reach, options);
    });
}
Expected<Clearance> DeviceStepper::clearance(DevicePositions positions, double reach,
                                             const StepOptions& options) {
    if (auto good = check_clearance(reach, options); !good) return good.error();
    return on_device(*state_, positions, positions, options, [&](const double* at, const double*) {
        return state_->clearance(at, reach, options);
    });
}

Expected<void> DeviceStepper::set_topology(MeshTopology topology) {
    return guarded([&] {
        state_->use_device();
        return state_->set_topology(std::move(topology));
    });
}

bool DeviceStepper::supports(const StepOptions& options) noexcept {
    return options.method.name == make_certified().name && options.candidates == nullptr &&
           options.bounds == BoundSource::Query && !options.count_tiers;
}

Expected<DeviceImpacts> DeviceStepper::all_impacts_on_device(DevicePositions start,
                                                             DevicePositions end,
                                                             const StepOptions& options) {
    return on_device(*state_, start, end, options, [&](const double* p, const double* q) {
        return state_->all_on_device(p, q, options);
    });
}

}  // namespace graze::cuda
