// Contacts in their order, and the motions that the host is to decide.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cuda/narrow.cuh"
#include "graze/cuda/stepper.hpp"

namespace graze::cuda {

static __global__ void contact_keys(const Pair* contacts, std::uint32_t count, std::uint64_t* keys,
                             std::uint32_t* order) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    keys[i] = (std::uint64_t{contacts[i].a} << 32) | contacts[i].b;
    order[i] = i;
}

static __global__ void ordered_contacts(const std::uint64_t* keys, const std::uint32_t* order,
                                        const Contact* times, std::uint32_t count,
                                        DeviceImpact* found) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    const Contact time = times[order[i]];
    found[i] = {static_cast<std::uint32_t>(keys[i] >> 32), static_cast<std::uint32_t>(keys[i]),
                time.lower, time.upper};
}

struct FoundMotion {
    Pair pair;
    MovingPoint vertices[4];
};
template <PairKind kKind>
__global__ void gather_motions(MeshView mesh, const Pair* pairs, std::uint32_t count,
                               FoundMotion* found) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    std::uint32_t v[kMostVertices];
    vertices_of_pair<kKind>(mesh, pairs[i], v);
    found[i].pair = pairs[i];
    motion_vertices<kKind>(mesh, v, found[i].vertices);
}

}  // namespace graze::cuda
