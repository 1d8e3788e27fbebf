// Surfaces that the tests of the module share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/surface/orientation.hpp"

namespace graze::test {

struct Surface {
    std::vector<Vec3> positions;
    std::vector<std::array<std::uint32_t, 3>> faces;

    void add(const Surface& other) {
        const auto first = static_cast<std::uint32_t>(positions.size());
        positions.insert(positions.end(), other.positions.begin(), other.positions.end());
        for (const auto& [a, b, c] : other.faces)
            faces.push_back({first + a, first + b, first + c});
    }
    // Faces [first, last) the other way round.
    void reverse(std::size_t first, std::size_t last) {
        for (std::size_t f = first; f < last; ++f)
            reverse_face(faces[f]);
    }
    void reverse() { reverse(0, faces.size()); }
};

// Twelve triangles, outward.
inline Surface box_surface(const Vec3& low, const Vec3& high) {
    Surface box;
    for (unsigned i = 0; i < 8; ++i)
        box.positions.push_back({(i & 1U) != 0 ? high.x : low.x, (i & 2U) != 0 ? high.y : low.y,
                                 (i & 4U) != 0 ? high.z : low.z});
    box.faces = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return box;
}

inline Surface cube_surface(const Vec3& centre, double half) {
    const Vec3 to_corner = {half, half, half};
    return box_surface(centre - to_corner, centre + to_corner);
}

}  // namespace graze::test
