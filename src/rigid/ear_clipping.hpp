// Polygons in the plane cut into triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/core/orientation.hpp"

namespace graze::rigid {

// Buffers kept from polygon to polygon.
struct EarClipper {
    std::vector<std::uint32_t> next;
    std::vector<std::uint32_t> previous;
    std::vector<std::uint32_t> reflex;

    // Reflex corners that were looked at so far, and how many may be: some seconds.
    std::uint64_t looks = 0;
    static constexpr std::uint64_t kMaxLooks = 1'000'000'000;

    // Appends n - 2 triangles of corner numbers, turning as the polygon does. False, and no use of
    // what was appended, if that would take more than kMaxLooks.
    // Guarantee: they tile the polygon where it is simple and turns counterclockwise (decided by
    // exact signs). Of any other polygon the triangles still use each side once, and each inner
    // side twice in opposite directions, so that a closed surface stays closed.
    // Cost: linear for convex polygons; otherwise n times the number of reflex corners, or n^2
    // times where ears are rare.
    [[nodiscard]] bool cut(std::span<const Point2> polygon,
                           std::vector<std::array<std::uint32_t, 3>>& triangles);
};

}  // namespace graze::rigid
