#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "cuda/device.cuh"
#include "cuda/narrow.cuh"
#include "graze/ccd.hpp"
#include "graze/cuda/stepper.hpp"

namespace graze::cuda {
namespace {

constexpr int kAnswerBlock = 64;
// [queries] that are on the device at a time: 250 MB.
constexpr std::size_t kChunk = std::size_t{1} << 20;

template <class Motion>
__global__ void __launch_bounds__(kAnswerBlock)
    answer_batch(const Motion* motions, std::uint32_t count, NarrowOptions options,
                 FastAnswer* answers) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    const double reach = options.min_separation;
    answers[i] =
        reach > 0.0 ? tiers::separation_answer(
                          motions[i], {reach, options.norm, options.t_max, options.time_width})
                    : tiers::answer(motions[i], {options.t_max, options.time_width});
}

}  // namespace

class DeviceMethod::State {
public:
    explicit State(int device) : device_(device) {
        check(cudaSetDevice(device_), "device");
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    }
    ~State() {
        cudaSetDevice(device_);
        cudaStreamDestroy(stream_);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    template <class Motion>
    void answer(std::span<const Motion> motions, std::span<CcdResult> results,
                const CcdOptions& options) noexcept {
        const std::lock_guard lock(mutex_);
        for (std::size_t begin = 0; begin < motions.size(); begin += kChunk) {
            const std::size_t count = std::min(kChunk, motions.size() - begin);
            answer_chunk(motions.subspan(begin, count), results.subspan(begin, count), options);
        }
    }
    [[nodiscard]] std::optional<Error> failure() const {
        const std::lock_guard lock(mutex_);
        return failure_;
    }

private:
    // What the device leaves open, or does not answer, the host does.
    template <class Motion>
    void answer_chunk(std::span<const Motion> motions, std::span<CcdResult> results,
                      const CcdOptions& options) noexcept {
        const bool has_answers = !failure_ && fetch_answers(motions, options);
        for (std::size_t i = 0; i < motions.size(); ++i) {
            const FastAnswer found = has_answers ? host_answers_.data()[i] : FastAnswer{};
            if (found.state == FastAnswer::State::Open) {
                results[i] = ccd(motions[i], options);
            } else if (found.state == FastAnswer::State::Separated) {
                results[i] = separated(1);
            } else {
                results[i] = {Verdict::Contact, found.lower, found.upper, 1, 0.0};
            }
        }
    }

    template <class Motion>
    [[nodiscard]] bool fetch_answers(std::span<const Motion> motions,
                                     const CcdOptions& options) noexcept {
        try {
            launch(motions, {options.t_max, options.time_width, options.min_separation,
                             options.norm});
            return true;
        } catch (const DeviceFailure& failure) {
            failure_ = failure.error;
        } catch (const std::exception& failure) {
            failure_ = Error{failure.what(), ErrorCode::OutOfMemory};
        }
        return false;
    }

    template <class Motion>
    void launch(std::span<const Motion> motions, const NarrowOptions& options) {
        const std::size_t count = motions.size();
        check(cudaSetDevice(device_), "device");
        motions_.reserve(motions.size_bytes());
        answers_.reserve(count);
        host_answers_.reserve(count);
        check(cudaMemcpyAsync(motions_.data(), motions.data(), motions.size_bytes(),
                              cudaMemcpyHostToDevice, stream_),
              "copy to the device");
        answer_batch<<<blocks_for(count, kAnswerBlock), kAnswerBlock, 0, stream_>>>(
            reinterpret_cast<const Motion*>(motions_.data()), static_cast<std::uint32_t>(count),
            options, answers_.data());
        check_launch("answers");
        check(cudaMemcpyAsync(host_answers_.data(), answers_.data(), count * sizeof(FastAnswer),
                              cudaMemcpyDeviceToHost, stream_),
              "copy from the device");
        check(cudaStreamSynchronize(stream_), "answers");
    }

    int device_;
    cudaStream_t stream_ = nullptr;
    mutable std::mutex mutex_;
    std::optional<Error> failure_;
    DeviceBuffer<std::byte> motions_;
    DeviceBuffer<FastAnswer> answers_;
    PinnedBuffer<FastAnswer> host_answers_;
};

namespace {

template <class Motion>
void answer_on_device(const void* context, std::span<const Motion> motions,
                      std::span<CcdResult> results, const CcdOptions& options) noexcept {
    // Method::context is const for methods that several threads ask; this one locks.
    auto* const state = const_cast<DeviceMethod::State*>(  // NOLINT: see above
        static_cast<const DeviceMethod::State*>(context));
    state->answer(motions, results, options);
}

}  // namespace

DeviceMethod::DeviceMethod(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
DeviceMethod::DeviceMethod(DeviceMethod&&) noexcept = default;
DeviceMethod& DeviceMethod::operator=(DeviceMethod&&) noexcept = default;
DeviceMethod::~DeviceMethod() = default;

Expected<DeviceMethod> DeviceMethod::create(const DeviceOptions& options) {
    if (const Expected<DeviceInfo> info = device_info(options.device); !info) return info.error();
    try {
        return DeviceMethod(std::make_unique<State>(options.device));
    } catch (const DeviceFailure& failure) {
        return failure.error;
    }
}

Method DeviceMethod::method() const noexcept {
    Method method = make_certified();
    method.summary = "certified, batches on a device";
    method.context = state_.get();
    method.vertex_face.batch = &answer_on_device<VertexFaceMotion>;
    method.edge_edge.batch = &answer_on_device<EdgeEdgeMotion>;
    method.vertex_vertex.batch = &answer_on_device<VertexVertexMotion>;
    method.vertex_edge.batch = &answer_on_device<VertexEdgeMotion>;
    return method;
}

std::optional<Error> DeviceMethod::failure() const {
    return state_->failure();
}

}  // namespace graze::cuda
