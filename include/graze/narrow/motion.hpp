// The four kinds of query: two primitives whose corners move along straight lines in a step.
//
// t in [0, 1] is the fraction of the step; a corner is at (1 - t) start + t end, in exact
// arithmetic.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graze/core/vec3.hpp"

namespace graze {

enum class QueryKind : std::uint8_t { VertexFace, EdgeEdge, VertexVertex, VertexEdge };

inline constexpr std::array<QueryKind, 4> kAllQueryKinds = {
    QueryKind::VertexFace, QueryKind::EdgeEdge, QueryKind::VertexVertex, QueryKind::VertexEdge};

// "vf", "ee", "vv", "ve": the names of the command line.
[[nodiscard]] std::string_view short_name(QueryKind kind) noexcept;
// "vertex-face", "edge-edge", "vertex-vertex", "vertex-edge": the names of folders and tables.
[[nodiscard]] std::string_view long_name(QueryKind kind) noexcept;
// Accepts either form.
[[nodiscard]] std::optional<QueryKind> query_kind_from_name(std::string_view name) noexcept;

struct MovingPoint {
    Vec3 start;
    Vec3 end;
    friend constexpr bool operator==(const MovingPoint&, const MovingPoint&) noexcept = default;
};

// Each motion lists its corners in the order of the query files (docs/FORMATS.md), and says
// how many there are and which kind it is.
struct VertexFaceMotion {
    static constexpr QueryKind kKind = QueryKind::VertexFace;
    static constexpr std::size_t kCorners = 4;
    MovingPoint vertex;
    std::array<MovingPoint, 3> face;
    friend constexpr bool operator==(const VertexFaceMotion&,
                                     const VertexFaceMotion&) noexcept = default;
};

struct EdgeEdgeMotion {
    static constexpr QueryKind kKind = QueryKind::EdgeEdge;
    static constexpr std::size_t kCorners = 4;
    std::array<MovingPoint, 2> edge_a;
    std::array<MovingPoint, 2> edge_b;
    friend constexpr bool operator==(const EdgeEdgeMotion&,
                                     const EdgeEdgeMotion&) noexcept = default;
};

struct VertexVertexMotion {
    static constexpr QueryKind kKind = QueryKind::VertexVertex;
    static constexpr std::size_t kCorners = 2;
    MovingPoint a;
    MovingPoint b;
    friend constexpr bool operator==(const VertexVertexMotion&,
                                     const VertexVertexMotion&) noexcept = default;
};

struct VertexEdgeMotion {
    static constexpr QueryKind kKind = QueryKind::VertexEdge;
    static constexpr std::size_t kCorners = 3;
    MovingPoint vertex;
    std::array<MovingPoint, 2> edge;
    friend constexpr bool operator==(const VertexEdgeMotion&,
                                     const VertexEdgeMotion&) noexcept = default;
};

// Corners in file order, whatever the kind: what readers, printers and checks work on.
[[nodiscard]] constexpr std::array<MovingPoint, 4> corners(const VertexFaceMotion& m) noexcept {
    return {m.vertex, m.face[0], m.face[1], m.face[2]};
}
[[nodiscard]] constexpr std::array<MovingPoint, 4> corners(const EdgeEdgeMotion& m) noexcept {
    return {m.edge_a[0], m.edge_a[1], m.edge_b[0], m.edge_b[1]};
}
[[nodiscard]] constexpr std::array<MovingPoint, 2> corners(const VertexVertexMotion& m) noexcept {
    return {m.a, m.b};
}
[[nodiscard]] constexpr std::array<MovingPoint, 3> corners(const VertexEdgeMotion& m) noexcept {
    return {m.vertex, m.edge[0], m.edge[1]};
}

// The inverse of corners().
template <class Motion>
[[nodiscard]] constexpr Motion motion_from_corners(
    const std::array<MovingPoint, Motion::kCorners>& c) noexcept {
    if constexpr (Motion::kKind == QueryKind::VertexFace) {
        return {c[0], {c[1], c[2], c[3]}};
    } else if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
        return {{c[0], c[1]}, {c[2], c[3]}};
    } else if constexpr (Motion::kKind == QueryKind::VertexVertex) {
        return {c[0], c[1]};
    } else {
        return {c[0], {c[1], c[2]}};
    }
}

[[nodiscard]] constexpr std::size_t corner_count(QueryKind kind) noexcept {
    switch (kind) {
        case QueryKind::VertexVertex:
            return VertexVertexMotion::kCorners;
        case QueryKind::VertexEdge:
            return VertexEdgeMotion::kCorners;
        case QueryKind::VertexFace:
        case QueryKind::EdgeEdge:
            break;
    }
    return 4;
}

// True iff every coordinate at both ends is finite.
// All ones in the exponent, and only they, carry into the sign when one is added there.
template <class Motion>
[[nodiscard]] constexpr bool is_finite_motion(const Motion& motion) noexcept {
    constexpr std::uint64_t kExponent = 0x7ff0'0000'0000'0000U;
    constexpr std::uint64_t kOne = 0x0010'0000'0000'0000U;
    using Bits = std::array<std::uint64_t, 6 * Motion::kCorners>;
    static_assert(sizeof(Motion) == sizeof(Bits));
    std::uint64_t carries = 0;
    for (const std::uint64_t bits : std::bit_cast<Bits>(motion))
        carries |= (bits & kExponent) + kOne;
    return carries >> 63 == 0;
}

}  // namespace graze
