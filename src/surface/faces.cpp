#include "graze/surface/faces.hpp"

#include <algorithm>

namespace graze {
namespace {

void add_edge(std::uint32_t a, std::uint32_t b, std::vector<EdgeIndices>& edges) {
    if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
}

}  // namespace

std::vector<std::size_t> face_ends(std::span<const std::uint32_t> corner_counts) {
    std::vector<std::size_t> ends(corner_counts.size());
    std::size_t end = 0;
    for (std::size_t f = 0; f < corner_counts.size(); ++f)
        ends[f] = end += corner_counts[f];
    return ends;
}

std::vector<FaceSide> sorted_sides(const FaceView& faces) {
    std::vector<FaceSide> sides;
    sides.reserve(faces.corner_count());
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const std::span<const std::uint32_t> face = faces[f];
        const std::size_t first = faces.first_corner(f);
        for (std::size_t i = 0; i < face.size(); ++i) {
            const std::uint32_t from = face[i];
            const std::uint32_t to = face[i + 1 == face.size() ? 0 : i + 1];
            if (from == to) continue;
            const std::uint64_t low = std::min(from, to);
            sides.push_back({(low << 32) | std::max(from, to),
                             static_cast<std::uint32_t>(first + i), static_cast<std::uint32_t>(f),
                             from < to});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const FaceSide& a, const FaceSide& b) {
        return a.key != b.key ? a.key < b.key : a.slot < b.slot;
    });
    return sides;
}

std::vector<EdgeIndices> unique_edges(std::span<const FaceIndices> faces,
                                      std::span<const EdgeIndices> loose_edges) {
    std::vector<EdgeIndices> edges;
    edges.reserve(3 * faces.size() + loose_edges.size());
    for (const FaceIndices& face : faces) {
        for (std::size_t i = 0; i < 3; ++i)
            add_edge(face[i], face[(i + 1) % 3], edges);
    }
    for (const EdgeIndices& edge : loose_edges)
        add_edge(edge[0], edge[1], edges);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace graze
