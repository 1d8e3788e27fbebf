#include <algorithm>
#include <utility>

#include "cuda/sort.cuh"
#include "cuda/state.cuh"
#include "graze/core/rounding.hpp"

namespace graze::cuda {

DeviceStepper::State::State(MeshTopology mesh, const DeviceOptions& options)
    : topology(std::move(mesh)), device_(options.device) {
    check(cudaSetDevice(device_), "device");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    int count = 1;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device_), "device");
    multiprocessors_ = static_cast<unsigned>(count);
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "device memory");
    // A quarter of what is free, for two kinds at a time: those of points are few.
    pair_memory_ = options.pair_memory > 0 ? options.pair_memory : free / 4;
    scene_.reserve(1);
    map_.reserve(1);
    counts_.reserve(kPairKinds);
    least_upper_.reserve(1);
    host_counts_.reserve(kPairKinds);
    host_scene_.reserve(1);
    copy_topology();
}

void DeviceStepper::State::copy_topology() {
    constexpr std::size_t kBytes = 2 * (3 * sizeof(Pair) + 2 * sizeof(Contact));
    // A list is sorted by numbers of 32 bits.
    most_pairs_ = std::max(elements(), std::min<std::size_t>(pair_memory_ / kBytes, 1U << 31));
    copied<EdgeIndices>(edges_, topology.edges);
    copied<FaceIndices>(faces_, topology.faces);
    copied<std::uint32_t>(points_, topology.points);
    synchronise("copy to the device");
}

Expected<void> DeviceStepper::State::set_topology(MeshTopology mesh) {
    topology = std::move(mesh);
    copy_topology();
    return {};
}

void DeviceStepper::State::load(std::span<const Vec3> start, std::span<const Vec3> end) {
    const auto copy = [&](DeviceBuffer<double>& buffer, std::span<const Vec3> from) {
        static_assert(sizeof(Vec3) == 3 * sizeof(double));
        buffer.reserve(3 * from.size());
        if (from.empty()) return;
        check(cudaMemcpyAsync(buffer.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice,
                              stream_),
              "copy to the device");
    };
    copy(start_positions, start);
    copy(end_positions, end);
}

// --- Trees ----------------------------------------------------------------------------------------

template <int kSize>
void DeviceStepper::State::set_boxes_of(Tree& tree, const std::uint32_t* elements,
                                        std::size_t count, double margin, double t_end) {
    tree.count = static_cast<std::uint32_t>(count);
    if (count == 0) return;
    tree.boxes.reserve(count);
    set_boxes<kSize><<<blocks_for(count), kBlock, 0, stream_>>>(
        elements, tree.count, vertices_.data(), mesh_.radius, margin, t_end, map_.data(),
        tree.boxes.data());
    check_launch("boxes");
}

void DeviceStepper::State::set_order(Tree& tree) {
    const std::uint32_t count = tree.count;
    if (count == 0) return;
    for (int i = 0; i < 2; ++i) {
        tree.codes[i].reserve(count);
        tree.names[i].reserve(count);
    }
    tree.sorted.reserve(count);
    tree.diagonals.reserve(count);
    morton_codes<<<blocks_for(count), kBlock, 0, stream_>>>(
        tree.boxes.data(), count, tree.codes[0].data(), tree.names[0].data());
    check_launch("order");
    sort_pairs(scratch_, tree.codes, tree.names, count, 30, stream_);
    sort_boxes<<<blocks_for(count), kBlock, 0, stream_>>>(
        tree.boxes.data(), tree.names[1].data(), count, tree.sorted.data(), tree.diagonals.data());
    check_launch("order");
}

void DeviceStepper::State::set_nodes(Tree& tree) {
    const std::uint32_t count = tree.count;
    if (count < 2) return;
    tree.nodes.reserve(count);
    tree.node_parent.reserve(count);
    tree.leaf_parent.reserve(count);
    tree.arrived.reserve(count);
    check(cudaMemsetAsync(tree.arrived.data(), 0, count * sizeof(std::uint32_t), stream_),
          "device memory");
    link_nodes<<<blocks_for(count), kBlock, 0, stream_>>>(
        tree.codes[1].data(), count, tree.nodes.data(), tree.node_parent.data(),
        tree.leaf_parent.data());
    fit_nodes<<<blocks_for(count), kBlock, 0, stream_>>>(
        tree.sorted.data(), count, tree.nodes.data(), tree.node_parent.data(),
        tree.leaf_parent.data(), tree.arrived.data());
    check_launch("tree");
}

void DeviceStepper::State::set_step(const double* start, const double* end,
                                    const StepOptions& options) {
    const auto count = static_cast<std::uint32_t>(topology.vertex_count);
    vertices_.reserve(std::max<std::size_t>(count, 1));
    reset_scene<<<1, 1, 0, stream_>>>(scene_.data());
    if (count > 0)
        take_positions<<<blocks_for(count), kBlock, 0, stream_>>>(start, end, count,
                                                                  vertices_.data(), scene_.data());
    set_map<<<1, 1, 0, stream_>>>(scene_.data(), map_.data());
    check_launch("positions");
    check(cudaMemcpyAsync(host_scene_.data(), scene_.data(), sizeof(Scene), cudaMemcpyDeviceToHost,
                          stream_),
          "copy from the device");
    const PairFilter& filter = options.filter;
    mesh_ = {vertices_.data(), edges_.data(), faces_.data(), points_.data(),
             copied(radius_, options.radius)};
    filter_ = {copied(body_, filter.body), copied(fixed_, filter.fixed),
               copied(layers_, filter.layers), copied(mask_, filter.mask), filter.within_bodies};
}

double DeviceStepper::State::margin_for(const StepOptions& options) const {
    if (is_measuring_) return mesh_detail::margin_for_reach(rule_.reach, largest_coordinate());
    // MESH-2: two margins add up to at least the separation and the tolerance that is answered with it,
    // as MeshStepper searches (MESH-4).
    const double d = options.query.min_separation;
    return 0.5 * add_up(d, std::min(options.query.distance_tolerance, d)) + 0x1p-1074;
}

void DeviceStepper::State::set_trees(double t_end, double margin) {
    set_boxes_of<2>(edge_tree_, reinterpret_cast<const std::uint32_t*>(edges_.data()),
                    topology.edges.size(), margin, t_end);
    set_boxes_of<3>(face_tree_, reinterpret_cast<const std::uint32_t*>(faces_.data()),
                    topology.faces.size(), margin, t_end);
    set_boxes_of<1>(vertex_tree_, nullptr, topology.faces.empty() ? 0 : topology.vertex_count,
                    margin, t_end);
    set_boxes_of<1>(point_tree_, points_.data(), topology.points.size(), margin, t_end);
    for (Tree* tree : {&edge_tree_, &face_tree_, &vertex_tree_, &point_tree_})
        set_order(*tree);
    for (Tree* tree : {&edge_tree_, &face_tree_, &point_tree_})
        set_nodes(*tree);
}

}  // namespace graze::cuda
