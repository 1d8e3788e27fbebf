// Polygons in the plane cut into triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "screw/orientation.hpp"

namespace graze::screw {

// Buffers kept from polygon to polygon.
struct EarClipper {
    std::vector<std::uint32_t> next;
    std::vector<std::uint32_t> previous;
    std::vector<std::uint32_t> reflex;

    // Appends n - 2 triangles of corner numbers, turning as the polygon does.
    // Guarantee: they tile the polygon where it is simple and turns counterclockwise (decided by
    // exact signs). Of any other polygon the triangles still use each side once, and each inner
    // side twice in opposite directions, so that a closed surface stays closed.
    // Cost: linear for convex polygons, n times the number of reflex corners otherwise.
    void cut(std::span<const Point2> polygon, std::vector<std::array<std::uint32_t, 3>>& triangles);
};

}  // namespace graze::screw
