// The fast tiers of `certified` on the device: the source of the host (narrow/certified/tiers), the
// same bits. Misses first: most pairs end after a few tests, and the rest is put side by side for the
// tiers that need many registers.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cuda/device.cuh"
#include "graze/mesh/step.hpp"
#include "graze/narrow/motion.hpp"
#include "mesh/reach_rule.hpp"
#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/cascade-inl.hpp"
#include "narrow/certified/tiers/separation-inl.hpp"

namespace graze::cuda {

namespace tiers = certified::portable;
using certified::FastAnswer;

struct Pair {
    std::uint32_t a;
    std::uint32_t b;
};
struct Contact {
    double lower;
    double upper;
};

// Counted beyond what the buffers hold, so that nothing is lost unseen.
struct Counts {
    unsigned long long pairs;      // that boxes leave and the filter admits
    unsigned long long survivors;  // of the first tests
    unsigned long long contacts;
    unsigned long long open;  // for the host
    unsigned long long kept;  // contacts that may be the first
};

struct MeshView {
    const MovingPoint* vertices;
    const EdgeIndices* edges;
    const FaceIndices* faces;
    const std::uint32_t* points;
    const double* radius;  // or null
};

// The kinds of queries, in their order, and edges against faces at one time.
enum class PairKind : std::uint8_t { VertexFace, EdgeEdge, VertexVertex, VertexEdge, EdgeFace };
inline constexpr std::size_t kPairKinds = 5;
inline constexpr std::size_t kMostVertices = 5;  // of a pair

template <PairKind kKind>
struct PairOf;
template <>
struct PairOf<PairKind::VertexFace> {
    using Motion = VertexFaceMotion;
    static constexpr int kFirst = 1;  // vertices of a
    static constexpr int kCount = 4;  // of a and b
};
template <>
struct PairOf<PairKind::EdgeEdge> {
    using Motion = EdgeEdgeMotion;
    static constexpr int kFirst = 2;
    static constexpr int kCount = 4;
};
template <>
struct PairOf<PairKind::VertexVertex> {
    using Motion = VertexVertexMotion;
    static constexpr int kFirst = 1;
    static constexpr int kCount = 2;
};
template <>
struct PairOf<PairKind::VertexEdge> {
    using Motion = VertexEdgeMotion;
    static constexpr int kFirst = 1;
    static constexpr int kCount = 3;
};
// An edge is the path of a point from its one end to the other: it meets the face, at rest, where that
// path does. As MeshStepper::intersections() asks (MESH-5 in docs/derivations/mesh.md).
template <>
struct PairOf<PairKind::EdgeFace> {
    using Motion = VertexFaceMotion;
    static constexpr int kFirst = 2;
    static constexpr int kCount = 5;
};

// The vertices of a pair: of a, then of b.
template <PairKind kKind>
__device__ inline void vertices_of_pair(const MeshView& mesh, Pair pair,
                                        std::uint32_t v[kMostVertices]) {
    const auto put = [&](int at, const auto& element) {
        for (const std::uint32_t vertex : element)
            v[at++] = vertex;
    };
    if constexpr (kKind == PairKind::EdgeEdge || kKind == PairKind::EdgeFace) {
        put(0, mesh.edges[pair.a]);
    } else {
        v[0] = pair.a;
    }
    constexpr int kFirst = PairOf<kKind>::kFirst;
    if constexpr (kKind == PairKind::VertexFace || kKind == PairKind::EdgeFace) {
        put(kFirst, mesh.faces[pair.b]);
    } else if constexpr (kKind == PairKind::VertexVertex) {
        v[kFirst] = pair.b;
    } else {
        put(kFirst, mesh.edges[pair.b]);
    }
}

// The vertices of the query about a pair.
template <PairKind kKind>
__device__ inline void motion_vertices(const MeshView& mesh, const std::uint32_t v[kMostVertices],
                                       MovingPoint at[4]) {
    if constexpr (kKind == PairKind::EdgeFace) {
        at[0] = {mesh.vertices[v[0]].start, mesh.vertices[v[1]].start};
        for (int i = 1; i < 4; ++i)
            at[i] = mesh.vertices[v[i + 1]];
    } else {
        for (int i = 0; i < PairOf<kKind>::kCount; ++i)
            at[i] = mesh.vertices[v[i]];
    }
}

template <PairKind kKind>
__host__ __device__ inline typename PairOf<kKind>::Motion motion_from(const MovingPoint v[4]) {
    if constexpr (kKind == PairKind::EdgeEdge) {
        return {{v[0], v[1]}, {v[2], v[3]}};
    } else if constexpr (kKind == PairKind::VertexVertex) {
        return {v[0], v[1]};
    } else if constexpr (kKind == PairKind::VertexEdge) {
        return {v[0], {v[1], v[2]}};
    } else {
        return {v[0], {v[1], v[2], v[3]}};
    }
}

template <PairKind kKind>
__device__ inline typename PairOf<kKind>::Motion gathered(const MeshView& mesh,
                                                          const std::uint32_t v[kMostVertices]) {
    MovingPoint at[4];
    motion_vertices<kKind>(mesh, v, at);
    return motion_from<kKind>(at);
}

// The separation that counts for the pair, with the largest radius of each element, rounded up as
// add_up() does; 0 without any.
template <PairKind kKind>
__device__ inline double separation_of(const MeshView& mesh, const std::uint32_t v[kMostVertices],
                                       double min_separation) {
    if (mesh.radius == nullptr) return min_separation;
    constexpr int kFirst = PairOf<kKind>::kFirst;
    constexpr int kCount = PairOf<kKind>::kCount;
    double a = 0.0;
    double b = 0.0;
    for (int i = 0; i < kFirst; ++i)
        a = fmax(a, mesh.radius[v[i]]);
    for (int i = kFirst; i < kCount; ++i)
        b = fmax(b, mesh.radius[v[i]]);
    return __dadd_ru(min_separation, __dadd_ru(a, b));
}

// A slot of a list that many threads append to, counted even where it is beyond the end.
__device__ inline unsigned long long next_slot(unsigned long long* count) {
    const unsigned active = __activemask();
    const int leader = __ffs(static_cast<int>(active)) - 1;
    const unsigned lane = threadIdx.x & 31U;
    unsigned long long first = 0;
    if (static_cast<int>(lane) == leader)
        first = atomicAdd(count, static_cast<unsigned long long>(__popc(active)));
    first = __shfl_sync(active, first, leader);
    return first + static_cast<unsigned long long>(__popc(active & ((1U << lane) - 1U)));
}

struct NarrowOptions {
    double t_max;
    double time_width;
    double min_separation;
    Norm norm;
};

// True: separated in all of [0, 1], proved by the tests that nearly all misses need.
template <class Motion>
__device__ inline bool is_quick_miss(const Motion& motion) {
    const auto raw = tiers::vertices_of(motion);
    const auto extent = tiers::extent_of(raw);
    if (tiers::axis_separates(extent)) return true;
    if (!tiers::is_polygon(tiers::shape_of<Motion>())) return false;
    tiers::Ends d;
    tiers::Hull hull;
    hull.shape = tiers::shape_of<Motion>();
    if (!tiers::normalise(raw, extent, d, hull)) return false;
    return tiers::separates(hull, tiers::middle_normal(hull));
}
// The same for a distance above `reach`: the first test of separation_answer().
template <class Motion>
__device__ inline bool is_quick_miss(const Motion& motion, double reach) {
    const auto extent = tiers::extent_of(tiers::vertices_of(motion));
    return tiers::axis_separates_beyond(
        extent, tiers::all(reach + 4.0 * certified::portable::kU * reach));
}

// Passes on what the quick tests do not prove to be separated. Requires: room for all pairs.
template <PairKind kKind>
__global__ void __launch_bounds__(kBlock)
    cull_pairs(MeshView mesh, const Pair* pairs, std::uint64_t capacity, NarrowOptions options,
               Pair* survivors, Counts* counts) {
    const std::uint64_t count = counts->pairs;
    if (count > capacity) return;  // to be searched again in smaller ranges
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{gridDim.x} * blockDim.x) {
        const Pair pair = pairs[i];
        std::uint32_t v[kMostVertices];
        vertices_of_pair<kKind>(mesh, pair, v);
        const auto motion = gathered<kKind>(mesh, v);
        const double reach = separation_of<kKind>(mesh, v, options.min_separation);
        const bool is_separated =
            reach > 0.0 ? is_quick_miss(motion, reach) : is_quick_miss(motion);
        if (!is_separated) survivors[next_slot(&counts->survivors)] = pair;
    }
}

// Answers what is left. Requires: room for all survivors.
template <PairKind kKind>
__global__ void __launch_bounds__(64)
    answer_pairs(MeshView mesh, const Pair* survivors, std::uint64_t capacity,
                 NarrowOptions options, Pair* contacts, Contact* times, Pair* open,
                 unsigned long long* least_upper, Counts* counts) {
    if (counts->pairs > capacity) return;
    const std::uint64_t count = counts->survivors;
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{gridDim.x} * blockDim.x) {
        const Pair pair = survivors[i];
        std::uint32_t v[kMostVertices];
        vertices_of_pair<kKind>(mesh, pair, v);
        const double reach = separation_of<kKind>(mesh, v, options.min_separation);
        const auto motion = gathered<kKind>(mesh, v);
        const FastAnswer answer =
            reach > 0.0
                ? tiers::separation_answer(
                      motion, {reach, options.norm, options.t_max, options.time_width})
                : tiers::answer(motion, {options.t_max, options.time_width});
        if (answer.state == FastAnswer::State::Separated) continue;
        if (answer.state == FastAnswer::State::Open) {
            open[next_slot(&counts->open)] = pair;
            continue;
        }
        const unsigned long long slot = next_slot(&counts->contacts);
        contacts[slot] = pair;
        times[slot] = {answer.lower, answer.upper};
        // Times are >= 0 (-0 is made 0): their bits are in their order.
        atomicMin(least_upper,
                  static_cast<unsigned long long>(__double_as_longlong(answer.upper + 0.0)));
    }
}

// Lowers by_vertex, bits of distances >= 0, to the proved distance of each pair; passes on those that
// need more than the fast tier. Requires: room for all pairs.
template <PairKind kKind>
__global__ void __launch_bounds__(64)
    measure_pairs(MeshView mesh, const Pair* pairs, std::uint64_t capacity,
                  mesh_detail::ReachRule rule, Norm norm, unsigned long long* by_vertex, Pair* open,
                  Counts* counts) {
    constexpr int kFirst = PairOf<kKind>::kFirst;
    constexpr int kCount = PairOf<kKind>::kCount;
    const std::uint64_t count = counts->pairs;
    if (count > capacity) return;
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{gridDim.x} * blockDim.x) {
        const Pair pair = pairs[i];
        std::uint32_t v[kMostVertices];
        vertices_of_pair<kKind>(mesh, pair, v);
        Vec3 at[kMostVertices];
        for (int k = 0; k < kCount; ++k)
            at[k] = mesh.vertices[v[k]].start;
        if (rule.drops<kFirst, kCount>(at)) continue;
        const double distance = tiers::start_distance_lower(gathered<kKind>(mesh, v), norm);
        if (!(distance > 0.0)) {
            open[next_slot(&counts->open)] = pair;
            continue;
        }
        if (!(distance < rule.reach)) continue;
        const auto bits = static_cast<unsigned long long>(__double_as_longlong(distance));
        for (int k = 0; k < kCount; ++k)
            if (bits < by_vertex[v[k]]) atomicMin(&by_vertex[v[k]], bits);
    }
}

static __global__ void __launch_bounds__(kBlock)
    fill(unsigned long long* values, std::uint32_t count, unsigned long long value) {
    const std::uint32_t i = thread_index();
    if (i < count) values[i] = value;
}

// Contacts that none precedes for certain. Requires: room for all contacts.
static __global__ void __launch_bounds__(kBlock)
    keep_firsts(const Pair* contacts, const Contact* times, std::uint64_t capacity,
                const unsigned long long* least_upper, Pair* kept, Contact* kept_times,
                Counts* counts) {
    if (counts->pairs > capacity) return;
    const double end = __longlong_as_double(static_cast<long long>(*least_upper));
    const std::uint64_t count = counts->contacts;
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{gridDim.x} * blockDim.x) {
        if (times[i].lower > end) continue;
        const unsigned long long slot = next_slot(&counts->kept);
        kept[slot] = contacts[i];
        kept_times[slot] = times[i];
    }
}

}  // namespace graze::cuda
