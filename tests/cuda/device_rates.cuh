// Memory of a device, and how long a kernel takes there: what the programs that measure have in common.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "cuda/narrow.cuh"

namespace device_tests {

template <class T>
struct OnDevice {
    explicit OnDevice(std::size_t count) {
        if (cudaMalloc(&data, count * sizeof(T)) != cudaSuccess) std::abort();
    }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    ~OnDevice() { cudaFree(data); }
    T* data = nullptr;
};

template <class Body>
double best_seconds(const Body& body) {
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        body();
        cudaDeviceSynchronize();
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

template <class T>
void upload(const std::vector<T>& values, T* to) {
    cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
}

template <class Motion>
__global__ void cull_all(const Motion* motions, std::size_t count, unsigned long long* left) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count && !graze::cuda::is_quick_miss(motions[i])) graze::cuda::next_slot(left);
}

}  // namespace device_tests
