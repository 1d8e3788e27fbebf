// Device memory and errors. Inside the module failures are thrown; its entry points make values of
// them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>

#include "graze/core/expected.hpp"

namespace graze::cuda {

struct DeviceFailure {
    Error error;
};

inline void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // errors that a later call may survive are not reported twice
    throw DeviceFailure{
        {std::string(what) + ": " + cudaGetErrorString(status),
         status == cudaErrorMemoryAllocation ? ErrorCode::OutOfMemory : ErrorCode::Unsupported}};
}
inline void check_launch(const char* kernel) {
    check(cudaGetLastError(), kernel);
}

// Device memory for `size()` values, or more.
template <class T>
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~DeviceBuffer() { cudaFree(data_); }

    // Contents are lost where it grows.
    void reserve(std::size_t count) {
        if (count <= size_) return;
        cudaFree(data_);
        data_ = nullptr;
        size_ = 0;
        check(cudaMalloc(&data_, count * sizeof(T)), "device memory");
        size_ = count;
    }
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Host memory that the device copies to at full speed.
template <class T>
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;
    ~PinnedBuffer() { cudaFreeHost(data_); }

    void reserve(std::size_t count) {
        if (count <= size_) return;
        cudaFreeHost(data_);
        data_ = nullptr;
        size_ = 0;
        check(cudaMallocHost(&data_, count * sizeof(T)), "pinned host memory");
        size_ = count;
    }
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

inline constexpr int kBlock = 128;
inline constexpr unsigned blocks_for(std::size_t count, int block = kBlock) noexcept {
    return static_cast<unsigned>((count + static_cast<std::size_t>(block) - 1) /
                                 static_cast<std::size_t>(block));
}
__device__ inline std::uint32_t thread_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

}  // namespace graze::cuda
