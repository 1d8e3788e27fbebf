// How many pairs of a broad phase a device rejects per second, from motions in its memory and from
// indices into the vertices.
//   device_pairs SCENE.step...    (scene_file.hpp)
// Without a device it says so, and passes.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "cuda/narrow.cuh"
#include "device_rates.cuh"
#include "graze/mesh/candidates.hpp"
#include "graze/narrow/query_kind.hpp"
#include "scene_file.hpp"

namespace {

using device_tests::best_seconds;
using device_tests::cull_all;
using device_tests::OnDevice;
using device_tests::upload;
using graze::MovingPoint;
using graze::cuda::PairKind;

template <PairKind kKind, class Motion>
__global__ void gather_all(graze::cuda::MeshView mesh, const graze::cuda::Pair* pairs,
                           std::size_t count, Motion* motions) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count) return;
    std::uint32_t v[graze::cuda::kMostVertices];
    graze::cuda::vertices_of_pair<kKind>(mesh, pairs[i], v);
    motions[i] = graze::cuda::gathered<kKind>(mesh, v);
}
template <PairKind kKind>
__global__ void cull_by_index(graze::cuda::MeshView mesh, const graze::cuda::Pair* pairs,
                              std::size_t count, unsigned long long* left) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count) return;
    std::uint32_t v[graze::cuda::kMostVertices];
    graze::cuda::vertices_of_pair<kKind>(mesh, pairs[i], v);
    if (!graze::cuda::is_quick_miss(graze::cuda::gathered<kKind>(mesh, v)))
        graze::cuda::next_slot(left);
}

// As many pairs as are enough to fill a device: those of the scene, over and over.
template <PairKind kKind>
void print_pair_rates(const device_tests::Scene& scene, const graze::cuda::MeshView& mesh,
                      const graze::Candidates& candidates, graze::QueryKind kind) {
    using Motion = typename graze::cuda::PairOf<kKind>::Motion;
    constexpr std::size_t kPairs = std::size_t{1} << 23;
    const auto listed = candidates.pairs(kind);
    if (listed.empty()) return;
    std::vector<graze::cuda::Pair> pairs(kPairs);
    for (std::size_t i = 0; i < kPairs; ++i)
        pairs[i] = {listed[i % listed.size()].first, listed[i % listed.size()].second};
    OnDevice<graze::cuda::Pair> device_pairs(kPairs);
    OnDevice<Motion> motions(kPairs);
    OnDevice<unsigned long long> left(1);
    upload(pairs, device_pairs.data);
    constexpr unsigned kBlocks = kPairs / 128;
    gather_all<kKind><<<kBlocks, 128>>>(mesh, device_pairs.data, kPairs, motions.data);
    const double from_memory =
        best_seconds([&] { cull_all<<<kBlocks, 128>>>(motions.data, kPairs, left.data); });
    const double by_index = best_seconds([&] {
        cull_by_index<kKind><<<kBlocks, 128>>>(mesh, device_pairs.data, kPairs, left.data);
    });
    std::printf("%-26s %-14s %9zu pairs: %6.2f G a second, %6.2f G gathered from indices\n",
                scene.name.c_str(), std::string(graze::long_name(kind)).c_str(), listed.size(),
                static_cast<double>(kPairs) / from_memory * 1e-9,
                static_cast<double>(kPairs) / by_index * 1e-9);
}

void print_scene_rates(const device_tests::Scene& scene) {
    graze::MeshStepper stepper(scene.mesh);
    const auto candidates = stepper.candidates(scene.start, scene.end, 0.0);
    if (!candidates) return;
    std::vector<MovingPoint> vertices;
    for (std::size_t i = 0; i < scene.start.size(); ++i)
        vertices.push_back({scene.start[i], scene.end[i]});
    OnDevice<MovingPoint> device_vertices(vertices.size());
    OnDevice<graze::EdgeIndices> edges(scene.mesh.edges.size());
    OnDevice<graze::FaceIndices> faces(scene.mesh.faces.size());
    upload(vertices, device_vertices.data);
    upload(scene.mesh.edges, edges.data);
    upload(scene.mesh.faces, faces.data);
    const graze::cuda::MeshView mesh{device_vertices.data, edges.data, faces.data, nullptr,
                                     nullptr};
    print_pair_rates<PairKind::VertexFace>(scene, mesh, *candidates, graze::QueryKind::VertexFace);
    print_pair_rates<PairKind::EdgeEdge>(scene, mesh, *candidates, graze::QueryKind::EdgeEdge);
}

}  // namespace

int main(int argc, char** argv) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("no device");
        return 0;
    }
    for (int i = 1; i < argc; ++i) {
        const auto scene = device_tests::read_scene(argv[i]);
        if (!scene) {
            std::printf("cannot read %s\n", argv[i]);
            return 2;
        }
        print_scene_rates(*scene);
    }
    return 0;
}
