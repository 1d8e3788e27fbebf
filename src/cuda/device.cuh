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

// Where the values of a buffer are.
struct DeviceMemory {
    static void free(void* data) noexcept { cudaFree(data); }
    static void allocate(void** data, std::size_t bytes) {
        check(cudaMalloc(data, bytes), "device memory");
    }
};
// Host memory that the device copies to at full speed.
struct PinnedMemory {
    static void free(void* data) noexcept { cudaFreeHost(data); }
    static void allocate(void** data, std::size_t bytes) {
        check(cudaMallocHost(data, bytes), "pinned host memory");
    }
};

// Memory for `size()` values.
template <class T, class Memory>
class Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Buffer() { Memory::free(data_); }

    // Contents are lost where it grows.
    void reserve(std::size_t count) {
        if (count <= size_) return;
        Memory::free(std::exchange(data_, nullptr));
        size_ = 0;
        void* data = nullptr;
        Memory::allocate(&data, count * sizeof(T));
        data_ = static_cast<T*>(data);
        size_ = count;
    }
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};
template <class T>
using DeviceBuffer = Buffer<T, DeviceMemory>;
template <class T>
using PinnedBuffer = Buffer<T, PinnedMemory>;

inline constexpr int kBlock = 128;
inline constexpr unsigned blocks_for(std::size_t count, int block = kBlock) noexcept {
    return static_cast<unsigned>((count + static_cast<std::size_t>(block) - 1) /
                                 static_cast<std::size_t>(block));
}
__device__ inline std::uint32_t thread_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

}  // namespace graze::cuda
