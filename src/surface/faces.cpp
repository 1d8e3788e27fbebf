#include "graze/surface/faces.hpp"

#include <algorithm>

namespace graze {

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

std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace graze
