// The four kinds of query: two primitives whose vertices move along straight lines in a step.
//
// t in [0, 1] is the fraction of the step; a vertex is at (1 - t) start + t end, in exact
// arithmetic. What works on all kinds alike is in graze/narrow/query_kind.hpp.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "graze/core/vec3.hpp"

namespace graze {

enum class QueryKind : std::uint8_t { VertexFace, EdgeEdge, VertexVertex, VertexEdge };

struct MovingPoint {
    Vec3 start;
    Vec3 end;
    friend constexpr bool operator==(const MovingPoint&, const MovingPoint&) noexcept = default;
};

struct VertexFaceMotion {
    static constexpr QueryKind kKind = QueryKind::VertexFace;
    static constexpr std::size_t kVertices = 4;
    MovingPoint vertex;
    std::array<MovingPoint, 3> face;
    friend constexpr bool operator==(const VertexFaceMotion&,
                                     const VertexFaceMotion&) noexcept = default;
};

struct EdgeEdgeMotion {
    static constexpr QueryKind kKind = QueryKind::EdgeEdge;
    static constexpr std::size_t kVertices = 4;
    std::array<MovingPoint, 2> edge_a;
    std::array<MovingPoint, 2> edge_b;
    friend constexpr bool operator==(const EdgeEdgeMotion&,
                                     const EdgeEdgeMotion&) noexcept = default;
};

struct VertexVertexMotion {
    static constexpr QueryKind kKind = QueryKind::VertexVertex;
    static constexpr std::size_t kVertices = 2;
    MovingPoint a;
    MovingPoint b;
    friend constexpr bool operator==(const VertexVertexMotion&,
                                     const VertexVertexMotion&) noexcept = default;
};

struct VertexEdgeMotion {
    static constexpr QueryKind kKind = QueryKind::VertexEdge;
    static constexpr std::size_t kVertices = 3;
    MovingPoint vertex;
    std::array<MovingPoint, 2> edge;
    friend constexpr bool operator==(const VertexEdgeMotion&,
                                     const VertexEdgeMotion&) noexcept = default;
};

// Exactly these four types.
template <class T>
concept QueryMotion = std::same_as<T, VertexFaceMotion> || std::same_as<T, EdgeEdgeMotion> ||
    std::same_as<T, VertexVertexMotion> || std::same_as<T, VertexEdgeMotion>;

}  // namespace graze
