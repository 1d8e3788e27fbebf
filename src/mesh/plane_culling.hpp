// Pairs that stay on either side of a plane for a short while: nearly all candidates of a first impact,
// once an early contact is known.
//
// Two edges are on either side of the planes through them that are parallel to both, a vertex and a face of
// the plane of the face. If at the start they are farther from each other across these planes than anything
// in the mesh moves relative to anything else up to `limit`, they do not meet in [0, limit] (MESH-15 in
// docs/derivations/mesh.md). Start positions and a bound of all motions are enough for it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "graze/core/vec3.hpp"
#include "graze/narrow/motion.hpp"
#include "mesh/pair_vertices.hpp"

namespace graze::mesh_detail {

// On each axis: how far any two vertices move relative to each other in the step, at most.
[[nodiscard]] inline Vec3 relative_motion(std::span<const MovingPoint> vertices) noexcept {
    Vec3 least{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    Vec3 most{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (const MovingPoint& p : vertices) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double moved = p.end[k] - p.start[k];
            least[k] = std::min(least[k], moved);
            most[k] = std::max(most[k], moved);
        }
    }
    Vec3 range{};
    for (std::size_t k = 0; k < 3; ++k) {
        // Two differences with a rounding error each, and theirs.
        const double size = std::max(std::fabs(least[k]), std::fabs(most[k]));
        range[k] = (most[k] - least[k]) + 0x1p-50 * size;
    }
    return range;
}

// n = a x b, of which each coordinate errs by at most 2.1u of |a| |b|, lengths being sums of magnitudes:
// so n is not quite perpendicular to the two, and n.(q - p) differs for the vertices p and q of the elements
// by at most 19u |a| |b| (|a| + |b|). n.d as computed errs by 25u |a| |b| |d|. Twice what both take together.
inline constexpr double kPlaneError = 0x1p-46;
inline constexpr double kPlaneUnderflow = 0x1p-1060;

// Is the height of one element above the other more than what everything moves, with all errors? `height`
// and `moves` are multiplied by the length of n. False for NaN, and for a height that overflows: a term of
// n.d may do so that another one would cancel, while the error stays finite.
[[nodiscard, gnu::always_inline]] inline bool is_beyond_error(double height, double moves,
                                                              double size_a, double size_b,
                                                              double size_d) noexcept {
    const double sizes = (size_a + size_b) + size_d;
    const double error = kPlaneError * (size_a * size_b) * sizes + kPlaneUnderflow * (1.0 + sizes);
    return height < HUGE_VAL && height > moves * (1.0 + 0x1p-48) + error;
}

// Do elements that contain a and b as differences of vertices, and are d apart at two of their vertices, stay
// on either side while everything moves by at most `moved` relative to each other?
[[nodiscard, gnu::always_inline]] inline bool are_apart(const Vec3& a, const Vec3& b, const Vec3& d,
                                                        const Vec3& moved) noexcept {
    const auto size = [](const Vec3& v) {
        return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
    };
    const Vec3 n = cross(a, b);
    const double height = std::fabs((n.x * d.x + n.y * d.y) + n.z * d.z);
    const double moves =
        (std::fabs(n.x) * moved.x + std::fabs(n.y) * moved.y) + std::fabs(n.z) * moved.z;
    return is_beyond_error(height, moves, size(a), size(b), size(d));
}

[[nodiscard]] inline bool are_apart(std::span<const MovingPoint> at,
                                    const PairVertices<EdgeEdgeMotion>& v,
                                    const Vec3& moved) noexcept {
    const Vec3& p = at[v.a[0]].start;
    const Vec3& q = at[v.b[0]].start;
    return are_apart(at[v.a[1]].start - p, at[v.b[1]].start - q, q - p, moved);
}
[[nodiscard]] inline bool are_apart(std::span<const MovingPoint> at,
                                    const PairVertices<VertexFaceMotion>& v,
                                    const Vec3& moved) noexcept {
    const Vec3& p = at[v.b[0]].start;
    return are_apart(at[v.b[1]].start - p, at[v.b[2]].start - p, at[v.a[0]].start - p, moved);
}
}  // namespace graze::mesh_detail
