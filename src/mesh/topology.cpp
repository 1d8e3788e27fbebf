#include "graze/mesh/topology.hpp"

#include <limits>
#include <string>

namespace graze {
namespace {

// Three sides of each face and the loose edges must have 32-bit numbers, before equal ones are one.
constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();

// The first element with an index that names no vertex; the size if there is none.
template <class Elements>
std::size_t first_out_of_range(const Elements& elements, std::size_t vertex_count) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        for (const std::uint32_t index : elements[i])
            if (index >= vertex_count) return i;
    }
    return elements.size();
}

template <class Elements>
Expected<void> check(const Elements& elements, std::size_t vertex_count, const char* what) {
    const std::size_t bad = first_out_of_range(elements, vertex_count);
    if (bad == elements.size()) return {};
    return Error{std::string(what) + " " + std::to_string(bad) + ": an index is not below " +
                     std::to_string(vertex_count) + ", the number of vertices",
                 ErrorCode::IndexOutOfRange, bad};
}

// Vertices that only queries of points reach: those with an edge are tested as ends of edges and as
// vertices against faces.
std::vector<std::uint32_t> isolated(std::size_t vertex_count,
                                    const std::vector<EdgeIndices>& edges) {
    std::vector<bool> has_edge(vertex_count, false);
    for (const EdgeIndices& edge : edges) {
        has_edge[edge[0]] = true;
        has_edge[edge[1]] = true;
    }
    std::vector<std::uint32_t> points;
    for (std::size_t i = 0; i < vertex_count; ++i)
        if (!has_edge[i]) points.push_back(static_cast<std::uint32_t>(i));
    return points;
}

}  // namespace

Expected<MeshTopology> make_topology(std::size_t vertex_count, std::span<const FaceIndices> faces,
                                     std::span<const EdgeIndices> loose_edges) {
    if (vertex_count >= kMost || faces.size() >= kMost / 3 || loose_edges.size() >= kMost / 3)
        return Error{"a mesh has at most 2^32 - 2 vertices, and a third of that of faces",
                     ErrorCode::WrongSize};
    if (const auto good = check(faces, vertex_count, "face"); !good) return good.error();
    if (const auto good = check(loose_edges, vertex_count, "edge"); !good) return good.error();
    MeshTopology mesh;
    mesh.vertex_count = vertex_count;
    mesh.faces.assign(faces.begin(), faces.end());
    mesh.edges = unique_edges(faces, loose_edges);
    if (mesh.edges.size() >= kMost)
        return Error{"a mesh has at most 2^32 - 2 edges", ErrorCode::WrongSize};
    mesh.points = isolated(vertex_count, mesh.edges);
    return mesh;
}

}  // namespace graze
