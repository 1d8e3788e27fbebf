// Which pairs of elements have boxes that overlap, and may collide by the filter.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cuda/device.cuh"
#include "cuda/narrow.cuh"
#include "cuda/tree.cuh"

namespace graze::cuda {

struct FilterView {
    const std::uint32_t* body;  // each of them, or null
    const std::uint8_t* fixed;
    const std::uint32_t* layers;
    const std::uint32_t* mask;
    bool within_bodies;
};

template <PairKind kKind>
__device__ inline bool admits(const FilterView& filter, const std::uint32_t v[kMostVertices]) {
    constexpr int kFirst = PairOf<kKind>::kFirst;
    constexpr int kCount = PairOf<kKind>::kCount;
    bool shares = false;
    for (int i = 0; i < kFirst; ++i)
        for (int k = kFirst; k < kCount; ++k)
            shares |= v[i] == v[k];
    if (shares) return false;
    const std::uint32_t a = v[0];
    const std::uint32_t b = v[kFirst];
    if (filter.body != nullptr && !filter.within_bodies && filter.body[a] == filter.body[b])
        return false;
    if (filter.layers != nullptr &&
        ((filter.layers[a] & filter.mask[b]) == 0 || (filter.layers[b] & filter.mask[a]) == 0))
        return false;
    if (filter.fixed == nullptr) return true;
    bool is_free = false;
    for (int i = 0; i < kCount; ++i)
        is_free |= filter.fixed[v[i]] == 0;
    return is_free;
}

// Appends pairs to a list that all threads share: a few at a time, since they share its count. What is
// beyond the end is counted, not written.
class PairWriter {
public:
    __device__ PairWriter(Pair* list, std::uint64_t capacity, unsigned long long* count)
        : list_(list), capacity_(capacity), total_(count) {}

    __device__ void add(Pair pair) {
        pairs_[count_++] = pair;
        if (count_ < kPortion) return;
        write(atomicAdd(total_, static_cast<unsigned long long>(kPortion)));
        count_ = 0;
    }
    // The rest, of a whole warp at once. Requires: all threads of the warp call it.
    __device__ void finish() {
        const unsigned lane = threadIdx.x & 31U;
        unsigned before = count_;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            const unsigned other = __shfl_up_sync(~0U, before, offset);
            if (lane >= offset) before += other;
        }
        unsigned long long first = 0;
        if (lane == 31 && before > 0)
            first = atomicAdd(total_, static_cast<unsigned long long>(before));
        first = __shfl_sync(~0U, first, 31);
        write(first + before - count_);
    }

private:
    static constexpr unsigned kPortion = 8;

    __device__ void write(unsigned long long first) {
        for (unsigned i = 0; i < count_; ++i)
            if (first + i < capacity_) list_[first + i] = pairs_[i];
    }

    Pair* list_;
    std::uint64_t capacity_;
    unsigned long long* total_;
    unsigned count_ = 0;
    Pair pairs_[kPortion];
};

// A search of one tree, or of one with itself, by the elements at positions [begin, end) of another.
struct PairSearch {
    TreeView from;
    TreeView in;
    std::uint32_t begin;
    std::uint32_t end;
    int levels;         // search_levels()
    bool names_points;  // elements of `from` are numbers of points, not of vertices
};

// Every pair of an element of `from` and one of `in` whose boxes overlap; kSelf: of one tree with
// itself, each pair once. Appends as many as there is room for, counts all.
// The y of the grid are the parts of a search: few elements with many pairs would leave the device idle.
template <PairKind kKind, bool kSelf>
__global__ void __launch_bounds__(kBlock)
    find_pairs(PairSearch search_of, MeshView mesh, FilterView filter, Pair* pairs,
               std::uint64_t capacity, Counts* counts) {
    const std::uint32_t position = search_of.begin + thread_index();
    PairWriter writer(pairs, capacity, &counts->pairs);
    if (position < search_of.end) {
        const TreeView& in = search_of.in;
        const Dop box = search_of.from.boxes[position];
        constexpr bool kPointsSecond = kKind == PairKind::VertexVertex;
        const std::uint32_t name = search_of.from.names[position];
        const std::uint32_t first = search_of.names_points ? mesh.points[name] : name;
        search<kSelf>(in, box, position, blockIdx.y, search_of.levels, [&](std::uint32_t at) {
            const std::uint32_t second = kPointsSecond ? mesh.points[in.names[at]] : in.names[at];
            const Pair pair = kSelf && second < first ? Pair{second, first} : Pair{first, second};
            std::uint32_t v[kMostVertices];
            vertices_of_pair<kKind>(mesh, pair, v);
            if (admits<kKind>(filter, v)) writer.add(pair);
        });
    }
    writer.finish();
}

// Into how many parts the search of an element is cut, as a power of two: a part has at most 256 leaves,
// so that no thread runs long after the others, unless that makes too many threads.
// A grid has at most 65,535 blocks in y: short ranges of a large mesh would ask for more.
inline constexpr int kMaxSearchLevels = 15;
static_assert((1U << kMaxSearchLevels) <= 65'535U);
inline int search_levels(std::uint32_t elements, std::uint32_t leaves) {
    int levels = 0;
    while (levels < kMaxSearchLevels && (leaves >> levels) > 256 &&
           (std::uint64_t{elements} << levels) < (1U << 23))
        ++levels;
    return levels;
}

}  // namespace graze::cuda
