#include <cuda_runtime_api.h>

#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graze/cuda/stepper.hpp"
#include "graze_cuda.h"

struct graze_cuda_stepper {
    graze::cuda::DeviceStepper stepper;
    std::vector<graze::Impact> by_host;
};

namespace {

using graze::Error;
using graze::ErrorCode;

struct LastError {
    std::string message;
    std::int64_t index = -1;
};
LastError& last_error() noexcept {
    static thread_local LastError error;
    return error;
}

graze_cuda_status kept(graze_cuda_status status, const char* message,
                       std::int64_t index = -1) noexcept {
    try {
        last_error().message = message;
    } catch (...) {
        last_error().message.clear();
    }
    last_error().index = index;
    return status;
}

graze_cuda_status kept(const Error& error) noexcept {
    const auto index = error.index ? static_cast<std::int64_t>(*error.index) : -1;
    switch (error.code) {
        case ErrorCode::OutOfMemory:
            return kept(GRAZE_CUDA_OUT_OF_MEMORY, error.message.c_str(), index);
        case ErrorCode::Unsupported:
            return kept(GRAZE_CUDA_UNSUPPORTED, error.message.c_str(), index);
        default:
            return kept(GRAZE_CUDA_INVALID_INPUT, error.message.c_str(), index);
    }
}

// body() gives a status; what it throws is one, too.
template <class Body>
graze_cuda_status guarded(const Body& body) noexcept {
    last_error().message.clear();
    last_error().index = -1;
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return kept(GRAZE_CUDA_OUT_OF_MEMORY, "host memory ran out");
    } catch (const std::exception& failure) {
        return kept(GRAZE_CUDA_INTERNAL, failure.what());
    } catch (...) {
        return kept(GRAZE_CUDA_INTERNAL, "an exception of an unknown type");
    }
}

graze::Expected<graze::StepOptions> step_options(const graze_cuda_options* given) {
    graze::StepOptions options;
    if (given == nullptr) return options;
    if (given->size != sizeof(graze_cuda_options))
        return Error{"options: the size is not that of graze_cuda_options", ErrorCode::WrongSize};
    if (given->reserved != 0) return Error{"options: reserved is not 0", ErrorCode::InvalidOption};
    options.query.min_separation = given->min_separation;
    options.query.t_max = given->t_max;
    options.query.time_width = given->time_width;
    options.query.norm = given->max_norm != 0 ? graze::Norm::Max : graze::Norm::Euclidean;
    return options;
}

graze_cuda_host_impact as_c(const graze::Impact& impact) {
    return {static_cast<std::int32_t>(impact.kind),
            impact.a,
            impact.b,
            0,
            impact.result.toi_lower,
            impact.result.toi_upper};
}

graze_cuda_verdict as_c(const graze::StepVerdict& verdict,
                        const std::optional<graze::Impact>& first) {
    graze_cuda_verdict result{};
    result.verdict = static_cast<std::int32_t>(verdict.verdict);
    result.toi_lower = verdict.toi_lower;
    result.toi_upper = verdict.toi_upper;
    result.has_first = first ? 1 : 0;
    if (first) result.first = as_c(*first);
    return result;
}
static_assert(static_cast<int>(graze::Verdict::Separated) == 0 &&
              static_cast<int>(graze::Verdict::Contact) == 1 &&
              static_cast<int>(graze::Verdict::Unresolved) == 2);
static_assert(sizeof(graze::cuda::DeviceImpact) == 24);

// No copy is made of more: a number that is far too large is an error, not an exception.
constexpr std::uint64_t kMostElements = std::numeric_limits<std::uint32_t>::max();

// Nothing is known, nothing is free.
constexpr graze_cuda_verdict kNothingKnown = {2, 0, 0.0, graze::kInfinity, {}};

}  // namespace

int32_t graze_cuda_abi_version(void) noexcept {
    return GRAZE_CUDA_ABI_VERSION;
}
const char* graze_cuda_last_error(void) noexcept {
    return last_error().message.c_str();
}
int64_t graze_cuda_last_error_index(void) noexcept {
    return last_error().index;
}

void graze_cuda_options_init(graze_cuda_options* options) noexcept {
    if (options == nullptr) return;
    const graze::CcdOptions defaults;
    *options = {sizeof(graze_cuda_options), 0.0, defaults.t_max, defaults.time_width, 0, 0};
}

graze_cuda_status graze_cuda_create(uint64_t vertices, const uint32_t* faces, uint64_t face_count,
                                    const uint32_t* edges, uint64_t edge_count, int32_t device,
                                    uint64_t pair_memory, graze_cuda_stepper** stepper) noexcept {
    if (stepper != nullptr) *stepper = nullptr;
    return guarded([&]() -> graze_cuda_status {
        if (stepper == nullptr) return kept(GRAZE_CUDA_INVALID_INPUT, "stepper is NULL");
        if ((faces == nullptr && face_count > 0) || (edges == nullptr && edge_count > 0))
            return kept(GRAZE_CUDA_INVALID_INPUT, "faces or edges are NULL");
        if (face_count > kMostElements || edge_count > kMostElements)
            return kept(GRAZE_CUDA_INVALID_INPUT, "more faces or edges than indices can name");
        std::vector<graze::FaceIndices> triangles(face_count);
        std::vector<graze::EdgeIndices> segments(edge_count);
        if (face_count > 0) std::memcpy(triangles.data(), faces, face_count * 12);
        if (edge_count > 0) std::memcpy(segments.data(), edges, edge_count * 8);
        auto topology = graze::make_topology(vertices, triangles, segments);
        if (!topology) return kept(topology.error());
        auto made = graze::cuda::DeviceStepper::create(*std::move(topology), {device, pair_memory});
        if (!made) return kept(made.error());
        *stepper = new graze_cuda_stepper{*std::move(made), {}};
        return GRAZE_CUDA_OK;
    });
}

void graze_cuda_destroy(graze_cuda_stepper* stepper) noexcept {
    delete stepper;
}

graze_cuda_status graze_cuda_wait(uint64_t stream) noexcept {
    return guarded([&]() -> graze_cuda_status {
        const cudaError_t status =
            cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream));  // NOLINT: a number
        return status == cudaSuccess ? GRAZE_CUDA_OK
                                     : kept(GRAZE_CUDA_UNSUPPORTED, cudaGetErrorString(status));
    });
}

graze_cuda_status graze_cuda_first_impact(graze_cuda_stepper* stepper, const double* start,
                                          const double* end, uint64_t vertices,
                                          const graze_cuda_options* options,
                                          graze_cuda_verdict* verdict) noexcept {
    if (verdict != nullptr) *verdict = kNothingKnown;
    return guarded([&]() -> graze_cuda_status {
        if (stepper == nullptr || verdict == nullptr)
            return kept(GRAZE_CUDA_INVALID_INPUT, "stepper or verdict is NULL");
        const auto asked = step_options(options);
        if (!asked) return kept(asked.error());
        const auto first =
            stepper->stepper.first_impact({start, vertices}, {end, vertices}, *asked);
        if (!first) return kept(first.error());
        *verdict = as_c(*first, first->impact);
        return GRAZE_CUDA_OK;
    });
}

graze_cuda_status graze_cuda_all_impacts(graze_cuda_stepper* stepper, const double* start,
                                         const double* end, uint64_t vertices,
                                         const graze_cuda_options* options,
                                         graze_cuda_impacts* impacts) noexcept {
    if (impacts != nullptr) *impacts = {kNothingKnown, {}, {}, 0};
    return guarded([&]() -> graze_cuda_status {
        if (stepper == nullptr || impacts == nullptr)
            return kept(GRAZE_CUDA_INVALID_INPUT, "stepper or impacts is NULL");
        const auto asked = step_options(options);
        if (!asked) return kept(asked.error());
        auto all =
            stepper->stepper.all_impacts_on_device({start, vertices}, {end, vertices}, *asked);
        if (!all) return kept(all.error());
        stepper->by_host = std::move(all->by_host);
        impacts->verdict = as_c(*all, all->first);
        for (std::size_t kind = 0; kind < all->counts.size(); ++kind) {
            impacts->impacts[kind] = all->impacts[kind];
            impacts->counts[kind] = all->counts[kind];
        }
        impacts->host_count = stepper->by_host.size();
        return GRAZE_CUDA_OK;
    });
}

graze_cuda_status graze_cuda_host_impacts(const graze_cuda_stepper* stepper,
                                          graze_cuda_host_impact* impacts,
                                          uint64_t capacity) noexcept {
    return guarded([&]() -> graze_cuda_status {
        if (stepper == nullptr || (impacts == nullptr && capacity > 0))
            return kept(GRAZE_CUDA_INVALID_INPUT, "stepper or impacts is NULL");
        if (capacity < stepper->by_host.size())
            return kept(GRAZE_CUDA_INVALID_INPUT, "the capacity is less than the count");
        for (std::size_t i = 0; i < stepper->by_host.size(); ++i)
            impacts[i] = as_c(stepper->by_host[i]);
        return GRAZE_CUDA_OK;
    });
}
