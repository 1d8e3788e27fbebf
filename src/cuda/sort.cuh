// Sorting by keys.
#pragma once

#include <cub/device/device_radix_sort.cuh>

#include <cstddef>
#include <cstdint>

#include "cuda/device.cuh"

namespace graze::cuda {

// From [0] to [1], by the lowest bits of the keys; stable.
template <class Key>
void sort_pairs(DeviceBuffer<std::byte>& scratch, DeviceBuffer<Key>* keys,
                DeviceBuffer<std::uint32_t>* values, std::uint32_t count, int bits,
                cudaStream_t stream) {
    std::size_t bytes = 0;
    const auto run = [&](void* memory) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, keys[0].data(), keys[1].data(),
                                               values[0].data(), values[1].data(), count, 0, bits,
                                               stream);
    };
    check(run(nullptr), "sort");
    scratch.reserve(bytes);
    check(run(scratch.data()), "sort");
}

}  // namespace graze::cuda
