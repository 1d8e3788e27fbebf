// Which vertices the two elements of a pair have.
#pragma once

#include <array>
#include <cstdint>

#include "graze/mesh/topology.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::mesh_detail {

// The vertices of the two elements of a pair.
template <class Motion>
struct PairVertices;
template <>
struct PairVertices<VertexFaceMotion> {
    std::array<std::uint32_t, 1> a;
    FaceIndices b;
    PairVertices(const MeshTopology& mesh, std::uint32_t vertex, std::uint32_t face) noexcept
        : a{vertex}, b(mesh.faces[face]) {}
};
template <>
struct PairVertices<EdgeEdgeMotion> {
    EdgeIndices a;
    EdgeIndices b;
    PairVertices(const MeshTopology& mesh, std::uint32_t first, std::uint32_t second) noexcept
        : a(mesh.edges[first]), b(mesh.edges[second]) {}
};
template <>
struct PairVertices<VertexVertexMotion> {
    std::array<std::uint32_t, 1> a;
    std::array<std::uint32_t, 1> b;
    PairVertices(const MeshTopology&, std::uint32_t first, std::uint32_t second) noexcept
        : a{first}, b{second} {}
};
template <>
struct PairVertices<VertexEdgeMotion> {
    std::array<std::uint32_t, 1> a;
    EdgeIndices b;
    PairVertices(const MeshTopology& mesh, std::uint32_t vertex, std::uint32_t edge) noexcept
        : a{vertex}, b(mesh.edges[edge]) {}
};

template <class Motion>
[[nodiscard]] bool share_vertex(const PairVertices<Motion>& v) noexcept {
    bool shared = false;
    for (const std::uint32_t a : v.a)
        for (const std::uint32_t b : v.b)
            shared |= a == b;
    return shared;
}

}  // namespace graze::mesh_detail
