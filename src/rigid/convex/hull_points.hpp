// The points of a hull, also coordinate by coordinate, so that several are worked on side by side.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/rigid/convex.hpp"

namespace graze::rigid::detail {

struct HullPoints {
    explicit HullPoints(std::span<const Vec3> given);

    static constexpr std::size_t kLanes = 4;
    std::vector<Vec3> points;
    // Blocks of four points, x then y then z of each; the first point fills the last block.
    std::vector<double> blocks;
};

struct Extreme {
    double along = 0.0;
    std::size_t point = 0;
};
// The largest of m . p, each product and sum rounded as dot() does, and the first point that has it.
// Where the first product is no number, nor is the result.
[[nodiscard]] double largest_along(const HullPoints& hull, const Vec3& m) noexcept;
[[nodiscard]] Extreme extreme_along(const HullPoints& hull, const Vec3& m) noexcept;

}  // namespace graze::rigid::detail
