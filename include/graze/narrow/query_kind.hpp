// What works on every kind of query alike: names, lists of vertices, one visit() for a kind that is
// known at run time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "graze/narrow/motion.hpp"

namespace graze {

inline constexpr std::array<QueryKind, 4> kAllQueryKinds = {
    QueryKind::VertexFace, QueryKind::EdgeEdge, QueryKind::VertexVertex, QueryKind::VertexEdge};

// "vf", "ee", "vv", "ve": the names of the command line.
[[nodiscard]] std::string_view short_name(QueryKind kind) noexcept;
// "vertex-face", "edge-edge", "vertex-vertex", "vertex-edge": the names of folders and tables.
[[nodiscard]] std::string_view long_name(QueryKind kind) noexcept;
// Accepts either form.
[[nodiscard]] std::optional<QueryKind> query_kind_from_name(std::string_view name) noexcept;

// The kinds with two primitives that can be coplanar without touching: the coplanarity cubic.
template <class T>
concept CoplanarityMotion = std::same_as<T, VertexFaceMotion> || std::same_as<T, EdgeEdgeMotion>;

// f(std::type_identity<Motion>{}) for the motion of that kind; f returns the same type for each:
//   visit(kind, [&]<class Motion>(std::type_identity<Motion>) { return read<Motion>(file); });
template <class F>
constexpr decltype(auto) visit(QueryKind kind, F&& f) {
    switch (kind) {
        case QueryKind::VertexFace:
            return f(std::type_identity<VertexFaceMotion>{});
        case QueryKind::EdgeEdge:
            return f(std::type_identity<EdgeEdgeMotion>{});
        case QueryKind::VertexVertex:
            return f(std::type_identity<VertexVertexMotion>{});
        case QueryKind::VertexEdge:
            break;
    }
    return f(std::type_identity<VertexEdgeMotion>{});
}

[[nodiscard]] constexpr std::size_t vertex_count(QueryKind kind) noexcept {
    return visit(kind, []<class Motion>(std::type_identity<Motion>) { return Motion::kVertices; });
}

// The vertices in the order of the query files (docs/FORMATS.md): what readers, printers and checks
// work on.
template <QueryMotion Motion>
[[nodiscard]] constexpr std::array<MovingPoint, Motion::kVertices> vertices(
    const Motion& m) noexcept {
    if constexpr (Motion::kKind == QueryKind::VertexFace) {
        return {m.vertex, m.face[0], m.face[1], m.face[2]};
    } else if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
        return {m.edge_a[0], m.edge_a[1], m.edge_b[0], m.edge_b[1]};
    } else if constexpr (Motion::kKind == QueryKind::VertexVertex) {
        return {m.a, m.b};
    } else {
        return {m.vertex, m.edge[0], m.edge[1]};
    }
}

// The inverse of vertices().
template <QueryMotion Motion>
[[nodiscard]] constexpr Motion motion_from_vertices(
    const std::array<MovingPoint, Motion::kVertices>& v) noexcept {
    if constexpr (Motion::kKind == QueryKind::VertexFace) {
        return {v[0], {v[1], v[2], v[3]}};
    } else if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
        return {{v[0], v[1]}, {v[2], v[3]}};
    } else if constexpr (Motion::kKind == QueryKind::VertexVertex) {
        return {v[0], v[1]};
    } else {
        return {v[0], {v[1], v[2]}};
    }
}

// True iff every coordinate at both ends is finite.
// All ones in the exponent, and only they, carry into the sign when one is added there.
template <QueryMotion Motion>
[[nodiscard]] constexpr bool is_finite_motion(const Motion& motion) noexcept {
    constexpr std::uint64_t kExponent = 0x7ff0'0000'0000'0000U;
    constexpr std::uint64_t kOne = 0x0010'0000'0000'0000U;
    using Bits = std::array<std::uint64_t, 6 * Motion::kVertices>;
    static_assert(sizeof(Motion) == sizeof(Bits));
    std::uint64_t carries = 0;
    for (const std::uint64_t bits : std::bit_cast<Bits>(motion))
        carries |= (bits & kExponent) + kOne;
    return carries >> 63 == 0;
}

}  // namespace graze
