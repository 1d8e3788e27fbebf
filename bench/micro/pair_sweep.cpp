#include "pair_sweep.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "morton_order.hpp"
#include "swept_box.hpp"

namespace graze::bench {
namespace {

using io::MeshPair;

// The sweep reads its list from front to back: box, corners and number lie side by side.
template <std::size_t N>
struct Primitive {
    SweptBox box;
    std::array<std::uint32_t, N> corners;
    std::uint32_t index;
};
template <std::size_t N>
using Primitives = std::vector<Primitive<N>>;

template <std::size_t N>
Primitives<N> primitives_of(const MeshPair& frames,
                            const std::vector<std::array<std::uint32_t, N>>& corners) {
    Primitives<N> primitives;
    primitives.reserve(corners.size());
    for (std::uint32_t i = 0; i < corners.size(); ++i)
        primitives.push_back({swept_box(frames, corners[i]), corners[i], i});
    return primitives;
}

Primitives<1> vertices_of(const MeshPair& frames) {
    std::vector<std::array<std::uint32_t, 1>> corners(frames.start.size());
    for (std::uint32_t i = 0; i < corners.size(); ++i)
        corners[i] = {i};
    return primitives_of(frames, corners);
}

template <std::size_t N, std::size_t M>
bool shares_vertex(const Primitive<N>& a, const Primitive<M>& b) {
    for (const std::uint32_t corner : a.corners) {
        if (std::find(b.corners.begin(), b.corners.end(), corner) != b.corners.end()) return true;
    }
    return false;
}

template <std::size_t N, std::size_t M>
bool is_candidate(const Primitive<N>& a, const Primitive<M>& b) {
    return overlap(a.box, b.box) && !shares_vertex(a, b);
}

template <std::size_t N>
std::vector<double> sorted_bounds(const Primitives<N>& list, Vec3 SweptBox::*bound,
                                  std::size_t axis) {
    std::vector<double> values;
    values.reserve(list.size());
    for (const Primitive<N>& primitive : list)
        values.push_back((primitive.box.*bound)[axis]);
    std::sort(values.begin(), values.end());
    return values;
}

// How many (x, y) there are with x < y; both ascending.
std::uint64_t count_less(const std::vector<double>& xs, const std::vector<double>& ys) {
    std::uint64_t count = 0;
    std::size_t below = 0;
    for (const double y : ys) {
        while (below < xs.size() && xs[below] < y)
            ++below;
        count += below;
    }
    return count;
}

// Closed intervals fail to meet iff one ends before the other starts, and never both ways at once.
template <std::size_t N, std::size_t M>
std::uint64_t interval_overlaps(const Primitives<N>& as, const Primitives<M>& bs,
                                std::size_t axis) {
    const auto lower_a = sorted_bounds(as, &SweptBox::lower, axis);
    const auto upper_a = sorted_bounds(as, &SweptBox::upper, axis);
    const auto lower_b = sorted_bounds(bs, &SweptBox::lower, axis);
    const auto upper_b = sorted_bounds(bs, &SweptBox::upper, axis);
    return std::uint64_t{as.size()} * bs.size() - count_less(upper_a, lower_b) -
           count_less(upper_b, lower_a);
}

template <std::size_t N, std::size_t M>
std::size_t cheapest_axis(const Primitives<N>& as, const Primitives<M>& bs) {
    std::array<std::uint64_t, 3> cost{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        cost[axis] = interval_overlaps(as, bs, axis);
    return static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
}

template <std::size_t N>
void sort_along(Primitives<N>& list, std::size_t axis) {
    std::sort(list.begin(), list.end(), [axis](const Primitive<N>& a, const Primitive<N>& b) {
        const double lower_a = a.box.lower[axis];
        const double lower_b = b.box.lower[axis];
        return lower_a < lower_b || (lower_a == lower_b && a.index < b.index);
    });
}

// Calls emit(other) for each candidate that starts within `one`; the others are in the order of the
// sweep, and none of them starts before `one` does.
template <std::size_t N, std::size_t M, class Emit>
void scan(const Primitive<N>& one, std::span<const Primitive<M>> others, std::size_t axis,
          Emit&& emit) {
    for (const Primitive<M>& other : others) {
        if (other.box.lower[axis] > one.box.upper[axis]) break;
        if (is_candidate(one, other)) emit(other);
    }
}

// Both lists are walked together by lower bounds, a vertex first where it ties with a face. The one
// whose turn it is meets all of the other list that had no turn yet, so each pair is looked at
// once: at the turn of the one that starts first.
std::vector<IndexPair> sweep(Primitives<1> vertices, Primitives<3> faces) {
    const std::size_t axis = cheapest_axis(vertices, faces);
    sort_along(vertices, axis);
    sort_along(faces, axis);
    std::vector<IndexPair> pairs;
    std::span<const Primitive<1>> vertices_left(vertices);
    std::span<const Primitive<3>> faces_left(faces);
    while (!vertices_left.empty() && !faces_left.empty()) {
        const Primitive<1>& vertex = vertices_left.front();
        const Primitive<3>& face = faces_left.front();
        if (vertex.box.lower[axis] <= face.box.lower[axis]) {
            scan(vertex, faces_left, axis, [&](const auto& other) {
                pairs.push_back({vertex.index, other.index});
            });
            vertices_left = vertices_left.subspan(1);
        } else {
            scan(face, vertices_left, axis, [&](const auto& other) {
                pairs.push_back({other.index, face.index});
            });
            faces_left = faces_left.subspan(1);
        }
    }
    return pairs;
}

std::vector<IndexPair> sweep(Primitives<2> edges) {
    const std::size_t axis = cheapest_axis(edges, edges);
    sort_along(edges, axis);
    std::vector<IndexPair> pairs;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const std::uint32_t a = edges[i].index;
        scan(edges[i], std::span<const Primitive<2>>(edges).subspan(i + 1), axis,
             [&](const auto& other) {
                 pairs.push_back({std::min(a, other.index), std::max(a, other.index)});
             });
    }
    return pairs;
}

template <std::size_t N>
std::vector<SweptBox> boxes_of(const Primitives<N>& primitives) {
    std::vector<SweptBox> boxes;
    boxes.reserve(primitives.size());
    for (const Primitive<N>& primitive : primitives)
        boxes.push_back(primitive.box);
    return boxes;
}

// In place: pairs of indices become pairs of ranks, are sorted, and become indices again.
void sort_by_rank(std::vector<IndexPair>& pairs, const MortonOrder& first,
                  const MortonOrder& second) {
    for (IndexPair& pair : pairs)
        pair = {first.rank_of[pair.first], second.rank_of[pair.second]};
    std::sort(pairs.begin(), pairs.end());
    for (IndexPair& pair : pairs)
        pair = {first.at_rank[pair.first], second.at_rank[pair.second]};
}

}  // namespace

std::vector<IndexPair> vertex_face_pairs(const MeshPair& frames, PairOrder order) {
    const Primitives<1> vertices = vertices_of(frames);
    const Primitives<3> faces = primitives_of(frames, frames.faces);
    std::vector<IndexPair> pairs = sweep(vertices, faces);
    if (order == PairOrder::Sweep) return pairs;
    const SweptBox world = box_around(frames);
    sort_by_rank(pairs, morton_order(boxes_of(vertices), world),
                 morton_order(boxes_of(faces), world));
    return pairs;
}

std::vector<IndexPair> edge_edge_pairs(const MeshPair& frames, PairOrder order) {
    const Primitives<2> edges = primitives_of(frames, frames.edges);
    std::vector<IndexPair> pairs = sweep(edges);
    if (order == PairOrder::Sweep) return pairs;
    const MortonOrder ranks = morton_order(boxes_of(edges), box_around(frames));
    sort_by_rank(pairs, ranks, ranks);
    return pairs;
}

std::vector<IndexPair> vertex_face_pairs_by_exhaustion(const MeshPair& frames) {
    const Primitives<3> faces = primitives_of(frames, frames.faces);
    std::vector<IndexPair> pairs;
    for (const Primitive<1>& vertex : vertices_of(frames)) {
        for (const Primitive<3>& face : faces) {
            if (is_candidate(vertex, face)) pairs.push_back({vertex.index, face.index});
        }
    }
    return pairs;
}

std::vector<IndexPair> edge_edge_pairs_by_exhaustion(const MeshPair& frames) {
    const Primitives<2> edges = primitives_of(frames, frames.edges);
    std::vector<IndexPair> pairs;
    for (std::uint32_t a = 0; a < edges.size(); ++a) {
        for (std::uint32_t b = a + 1; b < edges.size(); ++b) {
            if (is_candidate(edges[a], edges[b])) pairs.push_back({a, b});
        }
    }
    return pairs;
}

}  // namespace graze::bench
