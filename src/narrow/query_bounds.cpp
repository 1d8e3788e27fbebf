#include "graze/narrow/query_bounds.hpp"

#include <algorithm>
#include <array>

#include "graze/core/fp_environment.hpp"
#include "graze/core/rounding.hpp"

namespace graze {
namespace {

// NaN is no bound: fails to the safe side.
double larger_or_infinite(double a, double b) noexcept {
    return a >= b ? a : b >= a ? b : kInfinity;
}

SceneBounds hull_of(const SceneBounds& a, const SceneBounds& b) noexcept {
    SceneBounds both = a;
    for (std::size_t k = 0; k < 3; ++k) {
        both.lower[k] = std::min(a.lower[k], b.lower[k]);
        both.upper[k] = std::max(a.upper[k], b.upper[k]);
    }
    return both;
}

SceneBounds displacement_of(const MovingPoint& v) noexcept {
    SceneBounds box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.lower[k] = sub_down(v.end[k], v.start[k]);
        box.upper[k] = sub_up(v.end[k], v.start[k]);
    }
    return box;
}

double largest_difference_up(const Vec3& a, const Vec3& b) noexcept {
    double largest = 0.0;
    for (std::size_t k = 0; k < 3; ++k)
        largest = larger_or_infinite(largest, std::max(sub_up(a[k], b[k]), sub_up(b[k], a[k])));
    return largest;
}

double edge_length_up(const MovingPoint& a, const MovingPoint& b) noexcept {
    return larger_or_infinite(largest_difference_up(a.start, b.start),
                              largest_difference_up(a.end, b.end));
}

// Pairs of vertices() that are edges of a primitive.
using EdgePair = std::array<std::size_t, 2>;
template <class Motion>
constexpr auto edges_of_primitives() noexcept {
    if constexpr (Motion::kKind == QueryKind::VertexFace)
        return std::array<EdgePair, 3>{{{1, 2}, {2, 3}, {3, 1}}};
    if constexpr (Motion::kKind == QueryKind::EdgeEdge)
        return std::array<EdgePair, 2>{{{0, 1}, {2, 3}}};
    if constexpr (Motion::kKind == QueryKind::VertexVertex) return std::array<EdgePair, 0>{};
    if constexpr (Motion::kKind == QueryKind::VertexEdge) return std::array<EdgePair, 1>{{{1, 2}}};
}

// Without the arithmetic of the proofs nothing is bounded.
template <class Body>
void with_sound_bounds(const Body& body, double& bound) noexcept {
    with_sound_arithmetic(body, [&bound]() noexcept { bound = kInfinity; });
}

}  // namespace

QueryBounds hull(const QueryBounds& a, const QueryBounds& b) noexcept {
    QueryBounds both = a;
    if (a.box && b.box) both.box = hull_of(*a.box, *b.box);
    if (!a.box) both.box = b.box;
    both.longest_edge = larger_or_infinite(a.longest_edge, b.longest_edge);
    both.declared_length = larger_or_infinite(a.declared_length, b.declared_length);
    both.relative_displacement =
        larger_or_infinite(a.relative_displacement, b.relative_displacement);
    return both;
}

void BoundsOfQueries::add(const MovingPoint& vertex) noexcept {
    with_sound_bounds(
        [&]() noexcept {
            const SceneBounds position =
                hull_of({vertex.start, vertex.start}, {vertex.end, vertex.end});
            const SceneBounds displacement = displacement_of(vertex);
            positions_ = is_empty_ ? position : hull_of(positions_, position);
            displacements_ = is_empty_ ? displacement : hull_of(displacements_, displacement);
            is_empty_ = false;
        },
        longest_edge_);
}

void BoundsOfQueries::add_edge(const MovingPoint& a, const MovingPoint& b) noexcept {
    with_sound_bounds(
        [&]() noexcept { longest_edge_ = larger_or_infinite(longest_edge_, edge_length_up(a, b)); },
        longest_edge_);
}

template <QueryMotion Motion>
double longest_edge_upper(const Motion& motion) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept {
            const auto all = vertices(motion);
            double longest = 0.0;
            for (const EdgePair& edge : edges_of_primitives<Motion>())
                longest = larger_or_infinite(longest, edge_length_up(all[edge[0]], all[edge[1]]));
            return longest;
        },
        []() noexcept { return kInfinity; });
}
template double longest_edge_upper(const VertexFaceMotion&) noexcept;
template double longest_edge_upper(const EdgeEdgeMotion&) noexcept;
template double longest_edge_upper(const VertexVertexMotion&) noexcept;
template double longest_edge_upper(const VertexEdgeMotion&) noexcept;

template <QueryMotion Motion>
void BoundsOfQueries::add(const Motion& motion) noexcept {
    for (const MovingPoint& vertex : vertices(motion))
        add(vertex);
    longest_edge_ = larger_or_infinite(longest_edge_, longest_edge_upper(motion));
}
template void BoundsOfQueries::add(const VertexFaceMotion&) noexcept;
template void BoundsOfQueries::add(const EdgeEdgeMotion&) noexcept;
template void BoundsOfQueries::add(const VertexVertexMotion&) noexcept;
template void BoundsOfQueries::add(const VertexEdgeMotion&) noexcept;

QueryBounds BoundsOfQueries::bounds(BoundSource source) const noexcept {
    QueryBounds result;
    result.longest_edge = longest_edge_;
    if (is_empty_) return result;
    result.box = positions_;
    result.relative_displacement = kInfinity;
    result.per_pair = source == BoundSource::Pair;
    with_sound_arithmetic(
        [&]() noexcept {
            result.relative_displacement =
                largest_difference_up(displacements_.upper, displacements_.lower);
        },
        []() noexcept {});
    return result;
}

Method with_bounds(const Method& method, const QueryBounds& bounds) noexcept {
    if (method.bounded == nullptr) return method;
    Method bounded = method.bounded(method);
    bounded.context = &bounds;
    return bounded;
}

}  // namespace graze
