// One face in coordinates of its own: its area, its normal and how flat it is, at any scale.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze {

// The vertices of a face relative to the first, times a power of two that makes the largest
// coordinate about 1: what is computed from them neither overflows nor underflows.
class LocalFace {
public:
    // Keeps its buffer from face to face. Requires: finite positions, indices below their number.
    void set(std::span<const Vec3> positions, std::span<const std::uint32_t> face);

    // Twice the area times the normal, by Newell's sum; as rounded.
    [[nodiscard]] Vec3 area_sum() const noexcept;
    // The same; 0 where that is within rounding errors of none.
    [[nodiscard]] Vec3 area_vector() const noexcept;
    // Are vertices off the plane across `normal` by more than the fraction of the face's size?
    // Requires: a normal of unit length.
    [[nodiscard]] bool is_bent(const Vec3& normal, double fraction) const noexcept;

private:
    std::vector<Vec3> points_;
};

// The coordinate axes onto which a face with this normal is projected: the normal's largest
// component is left out, and the others are in the order that keeps the winding. {1, 2} for 0.
[[nodiscard]] std::array<std::size_t, 2> projection_axes(const Vec3& normal) noexcept;

}  // namespace graze
