// What a stepper keeps on the device and how it searches.
//
//   trees.cu    memory, positions, boxes, trees
//   search.cu   pairs, queries, ranges: what collides, without an order in time
//   stepper.cu  which is the first; the entry points with their guards
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "cuda/boxes.cuh"
#include "cuda/device.cuh"
#include "cuda/narrow.cuh"
#include "cuda/pairs.cuh"
#include "cuda/positions.cuh"
#include "cuda/results.cuh"
#include "cuda/tree.cuh"
#include "graze/cuda/stepper.hpp"

namespace graze::cuda {

class DeviceStepper::State {
public:
    State(MeshTopology mesh, const DeviceOptions& options);
    ~State() {
        use_device();
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void use_device() const noexcept { cudaSetDevice(device_); }
    // Copies positions to the device.
    void load(std::span<const Vec3> start, std::span<const Vec3> end);
    // Requires: options that were checked.
    [[nodiscard]] Expected<StepImpacts> all_impacts(const double* start, const double* end,
                                                    const StepOptions& options);
    [[nodiscard]] Expected<FirstImpact> first_impact(const double* start, const double* end,
                                                     const StepOptions& options);
    [[nodiscard]] Expected<DeviceImpacts> all_on_device(const double* start, const double* end,
                                                        const StepOptions& options);
    [[nodiscard]] Expected<std::vector<Intersection>> intersections(const double* positions,
                                                                    const StepOptions& options);
    [[nodiscard]] Expected<Clearance> clearance(const double* positions, double reach,
                                                const StepOptions& options);
    [[nodiscard]] Expected<void> set_topology(MeshTopology mesh);

    MeshTopology topology;
    DeviceWork work;
    DeviceBuffer<double> start_positions;
    DeviceBuffer<double> end_positions;

private:
    struct Tree {
        DeviceBuffer<Dop> boxes;
        DeviceBuffer<Dop> sorted;
        DeviceBuffer<Diagonals> diagonals;
        DeviceBuffer<std::uint32_t> codes[2];
        DeviceBuffer<std::uint32_t> names[2];
        DeviceBuffer<TreeNode> nodes;
        DeviceBuffer<std::uint32_t> node_parent;
        DeviceBuffer<std::uint32_t> leaf_parent;
        DeviceBuffer<std::uint32_t> arrived;
        std::uint32_t count = 0;
        [[nodiscard]] TreeView view() const {
            return {nodes.data(), sorted.data(), diagonals.data(), names[1].data(), count};
        }
    };
    // Pairs of one kind and what becomes of them.
    struct Lists {
        DeviceBuffer<Pair> pairs;      // later the contacts
        DeviceBuffer<Pair> survivors;  // later the contacts that are kept
        DeviceBuffer<Contact> times;
        DeviceBuffer<Contact> kept_times;
        DeviceBuffer<Pair> open;
        // Room for pairs, and so for all that becomes of them.
        [[nodiscard]] std::size_t capacity() const { return pairs.size(); }
        DeviceBuffer<std::uint64_t> keys[2];
        DeviceBuffer<std::uint32_t> order[2];
        DeviceBuffer<DeviceImpact> found;
        DeviceBuffer<DeviceImpact> all;  // what stays on the device
        DeviceBuffer<FoundMotion> motions;
        PinnedBuffer<DeviceImpact> host_found;
        PinnedBuffer<FoundMotion> host_motions;
    };
    enum class Wanted : std::uint8_t { All, First, AllOnDevice };
    // What first_of() needs beside the impacts.
    struct Winner {
        std::size_t impact = 0;
        double lower = kInfinity;
        double upper = kInfinity;
        std::array<MovingPoint, 4> vertices{};
    };

    void synchronise(const char* what) {
        check(cudaStreamSynchronize(stream_), what);
        ++work.synchronisations;
    }
    template <class T>
    const T* copied(DeviceBuffer<T>& buffer, std::span<const T> values) {
        if (values.empty()) return nullptr;
        buffer.reserve(values.size());
        check(cudaMemcpyAsync(buffer.data(), values.data(), values.size_bytes(),
                              cudaMemcpyHostToDevice, stream_),
              "copy to the device");
        return buffer.data();
    }
    template <int kSize>
    void set_boxes_of(Tree& tree, const std::uint32_t* elements, std::size_t count, double margin,
                      double t_end);
    void copy_topology();
    // The most that one element may have pairs with, and so what every list must hold.
    [[nodiscard]] std::size_t elements() const {
        return std::max({topology.edges.size(), topology.faces.size(), topology.points.size(),
                         std::size_t{1024}});
    }
    void set_order(Tree& tree);
    void set_nodes(Tree& tree);
    void set_step(const double* start, const double* end, const StepOptions& options);
    // Boxes of [0, t_end], enlarged by the margin.
    void set_trees(double t_end, double margin);
    [[nodiscard]] double margin_for(const StepOptions& options) const;
    [[nodiscard]] double largest_coordinate() const;
    void reset_distances();

    [[nodiscard]] Lists& lists(PairKind kind) { return lists_[static_cast<std::size_t>(kind)]; }
    template <PairKind kKind>
    void reserve(std::size_t count);
    template <PairKind kKind>
    void launch(std::uint32_t begin, std::uint32_t end, const StepOptions& options);
    void queue_counts();
    template <PairKind kKind>
    void queue_firsts();
    template <PairKind kKind>
    void queue_sorted(const Pair* pairs, const Contact* times, std::uint32_t count,
                      DeviceBuffer<DeviceImpact>& sorted);
    template <PairKind kKind>
    void queue_results(const Counts& counts, Wanted wanted);
    template <PairKind kKind>
    void take_results(const Counts& counts, const StepOptions& options, Wanted wanted);
    template <PairKind kKind>
    void take_distances(const Counts& counts, const StepOptions& options);
    template <PairKind kKind>
    void search_in_ranges(const StepOptions& options, Wanted wanted);
    // The tree whose elements are the first, and the second, of a pair. At rest vertices that have an
    // edge need no query with faces: their edges have.
    [[nodiscard]] const Tree& first_tree(PairKind kind) const {
        if (kind == PairKind::VertexFace) return is_at_rest_ ? point_tree_ : vertex_tree_;
        const bool is_edge = kind == PairKind::EdgeEdge || kind == PairKind::EdgeFace;
        return is_edge ? edge_tree_ : point_tree_;
    }
    [[nodiscard]] const Tree& second_tree(PairKind kind) const {
        if (kind == PairKind::VertexFace || kind == PairKind::EdgeFace) return face_tree_;
        return kind == PairKind::VertexVertex ? point_tree_ : edge_tree_;
    }
    template <class F>
    void for_each_kind(const F& f) const;
    [[nodiscard]] Expected<StepWork> search_all(const double* start, const double* end,
                                                const StepOptions& options, Wanted wanted);
    // A stop is final for the call, also where the token says no when it is asked again: something was left out.
    [[nodiscard]] bool is_stopped(const StepOptions& options) {
        if (options.stop.stop_requested()) is_stopped_.store(true);
        return is_stopped_.load();
    }
    [[nodiscard]] StepWork work_since(std::chrono::steady_clock::time_point begin) const;
    // Queues the search of all kinds, and waits for their counts.
    void search_kinds(const StepOptions& options, Wanted wanted);
    // Requires: search_kinds(). What was found, of one kind after the other.
    void take_kinds(const StepOptions& options, Wanted wanted);
    [[nodiscard]] Expected<void> check_finite() const;
    // Lists grow to what a step needs, and keep that for the next one. False: none had to.
    [[nodiscard]] bool grow_lists();
    // The pairs of [0, t_end] alone, up to t_max.
    [[nodiscard]] Expected<void> search_window(double t_end, const StepOptions& options,
                                               Wanted wanted);
    [[nodiscard]] std::vector<FoundMotion> motions_of(std::span<const std::size_t> which);
    [[nodiscard]] Winner first_of(std::span<const std::size_t> firsts, const StepOptions& options);
    [[nodiscard]] StepVerdict verdict_of(std::span<const std::size_t> firsts,
                                         const Winner& winner) const;

    int device_ = 0;
    cudaStream_t stream_ = nullptr;
    unsigned multiprocessors_ = 1;
    std::size_t pair_memory_ = 0;  // [bytes]
    std::size_t most_pairs_ = 0;   // that a list may hold

    DeviceBuffer<EdgeIndices> edges_;
    DeviceBuffer<FaceIndices> faces_;
    DeviceBuffer<std::uint32_t> points_;
    DeviceBuffer<MovingPoint> vertices_;
    DeviceBuffer<double> radius_;
    DeviceBuffer<std::uint32_t> body_;
    DeviceBuffer<std::uint8_t> fixed_;
    DeviceBuffer<std::uint32_t> layers_;
    DeviceBuffer<std::uint32_t> mask_;
    DeviceBuffer<Scene> scene_;
    DeviceBuffer<SceneMap> map_;
    Tree vertex_tree_;  // an order alone
    Tree edge_tree_;
    Tree face_tree_;
    Tree point_tree_;
    DeviceBuffer<std::byte> scratch_;
    std::array<Lists, kPairKinds> lists_;
    DeviceBuffer<Counts> counts_;  // by kind
    DeviceBuffer<unsigned long long> least_upper_;
    PinnedBuffer<Counts> host_counts_;
    PinnedBuffer<Scene> host_scene_;
    MeshView mesh_{};
    FilterView filter_{};
    std::array<std::uint64_t, kPairKinds> candidates_{};
    std::array<std::size_t, kPairKinds> contacts_on_device_{};
    bool is_at_rest_ = false;      // intersections are asked for
    bool is_measuring_ = false;    // a clearance is asked for
    mesh_detail::ReachRule rule_;  // of the clearance
    DeviceBuffer<unsigned long long> by_vertex_;  // its distances, as bits
    PinnedBuffer<double> host_by_vertex_;
    // What the host measured, with the vertices of the pair.
    struct Measured {
        std::array<std::uint32_t, 4> vertices;
        double distance;
    };
    std::vector<Measured> measured_;
    std::atomic<bool> is_stopped_ = false;
    bool fits_ = true;             // all pairs of a kind into its list
    std::vector<Impact> impacts_;  // in the order of kind, a, b
    std::vector<Impact> edge_faces_;
    std::vector<Impact> decided_;  // by the host, where the others stay on the device
};
}  // namespace graze::cuda
