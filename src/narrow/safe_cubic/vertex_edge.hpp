// Vertex-vertex and vertex-edge tests (algorithms 1 and 2 of Wang 2014): do two vertices, or a
// vertex and an edge, come within a distance of each other during the step?
//
// Notation: tolerances.hpp. x0i, xji: the vertex and the edge's end j as seen from its end i.
#pragma once

#include <cstdint>

#include "narrow/safe_cubic/tolerances.hpp"

namespace graze::safe_cubic {

// Guarantee: true if the exact distance is at some time in [0, 1] at most the root of distance_sq.
//            If true, it comes down to the root of distance_sq + 2 * 311 B^2 eps (SC-4).
[[nodiscard]] bool vertices_meet(const Moving& between, double distance_sq,
                                 const Tolerances& tolerances) noexcept;

struct VertexEdgeAnswer {
    bool meet = false;
    std::uint32_t candidates = 0;  // times in [0, 1] at which the distance was looked at
};

// Guarantee: true if the exact distance is at some time in [0, 1] at most R = radius B eps^(1/4).
//            If true, it comes down to sqrt((16 + 3 radius)^2 + 522) B eps^(1/4), up to 1e-6 of it
//            (SC-5). Requires: radius 0 or kRadius14.
// vertex, edge: x0i and xji; other_end: the vertex as seen from end j.
[[nodiscard]] VertexEdgeAnswer vertex_meets_edge(const Moving& vertex, const Moving& edge,
                                                 const Moving& other_end, double radius,
                                                 const Tolerances& tolerances) noexcept;

}  // namespace graze::safe_cubic
