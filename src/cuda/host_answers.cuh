// What the host does with what the device found: queries that were left open, and which is the first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/narrow.cuh"
#include "graze/ccd.hpp"
#include "graze/core/rounding.hpp"
#include "graze/cuda/stepper.hpp"
#include "graze/mesh/contact.hpp"

namespace graze::cuda {

[[nodiscard]] constexpr QueryKind query_kind(PairKind kind) noexcept {
    return kind == PairKind::EdgeFace ? QueryKind::VertexFace : static_cast<QueryKind>(kind);
}

inline CcdResult contact_result(const DeviceImpact& found) {
    return {Verdict::Contact, found.toi_lower, found.toi_upper, 1, 0.0};
}

// f(the motion of that kind).
template <class F>
auto with_motion(QueryKind kind, const MovingPoint v[4], const F& f) {
    switch (kind) {
        case QueryKind::VertexFace:
            return f(motion_from<PairKind::VertexFace>(v));
        case QueryKind::EdgeEdge:
            return f(motion_from<PairKind::EdgeEdge>(v));
        case QueryKind::VertexVertex:
            return f(motion_from<PairKind::VertexVertex>(v));
        case QueryKind::VertexEdge:
            break;
    }
    return f(motion_from<PairKind::VertexEdge>(v));
}

// The vertices of the pair of an impact, of a, then of b; as vertices_of_pair().
inline std::array<std::uint32_t, 4> vertices_of(const MeshTopology& mesh, QueryKind kind, std::uint32_t a,
                                         std::uint32_t b) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {a, mesh.faces[b][0], mesh.faces[b][1], mesh.faces[b][2]};
        case QueryKind::EdgeEdge:
            return {mesh.edges[a][0], mesh.edges[a][1], mesh.edges[b][0], mesh.edges[b][1]};
        case QueryKind::VertexVertex:
            return {a, b, a, b};
        case QueryKind::VertexEdge:
            break;
    }
    return {a, mesh.edges[b][0], mesh.edges[b][1], a};
}

// With the largest radius of each element, rounded up: what MeshStepper asks with.
inline double separation_of(const MeshTopology& mesh, const StepOptions& options, QueryKind kind,
                     std::uint32_t a, std::uint32_t b) {
    if (options.radius.empty()) return options.query.min_separation;
    const std::array<std::uint32_t, 4> v = vertices_of(mesh, kind, a, b);
    const std::size_t first = kind == QueryKind::EdgeEdge ? 2 : 1;
    const std::size_t count = kind == QueryKind::VertexVertex ? 2
                              : kind == QueryKind::VertexEdge ? 3
                                                              : 4;
    double of_a = 0.0;
    double of_b = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        double& largest = i < first ? of_a : of_b;
        largest = std::max(largest, options.radius[v[i]]);
    }
    return add_up(options.query.min_separation, add_up(of_a, of_b));
}

inline CcdResult asked(const MeshTopology& mesh, const StepOptions& options, const Impact& impact,
                const MovingPoint v[4], double time_width) {
    CcdOptions query = options.query;
    query.min_separation = separation_of(mesh, options, impact.kind, impact.a, impact.b);
    query.time_width = time_width;
    return with_motion(impact.kind, v, [&](const auto& motion) { return ccd(motion, query); });
}

// Where the elements touch, from the motion of the pair alone.
inline ContactPoint contact_point_of(const Impact& impact, const MovingPoint v[4]) {
    MeshTopology pair;
    pair.vertex_count = 4;
    Impact renamed = impact;
    renamed.a = 0;
    renamed.b =
        impact.kind == QueryKind::EdgeEdge || impact.kind == QueryKind::VertexVertex ? 1 : 0;
    if (impact.kind == QueryKind::VertexFace) pair.faces = {FaceIndices{1, 2, 3}};
    if (impact.kind == QueryKind::EdgeEdge) pair.edges = {EdgeIndices{0, 1}, EdgeIndices{2, 3}};
    if (impact.kind == QueryKind::VertexEdge) pair.edges = {EdgeIndices{1, 2}};
    std::array<Vec3, 4> start;
    std::array<Vec3, 4> end;
    for (std::size_t i = 0; i < 4; ++i) {
        start[i] = v[i].start;
        end[i] = v[i].end;
    }
    return contact_of(pair, start, end, renamed);
}

// Those that no other precedes for certain.
inline std::vector<std::size_t> not_preceded(std::span<const Impact> impacts) {
    double end = kInfinity;
    for (const Impact& impact : impacts)
        end = std::min(end, impact.result.toi_upper);
    std::vector<std::size_t> firsts;
    for (std::size_t i = 0; i < impacts.size(); ++i)
        if (!(impacts[i].result.toi_lower > end)) firsts.push_back(i);
    return firsts;
}

}  // namespace graze::cuda
