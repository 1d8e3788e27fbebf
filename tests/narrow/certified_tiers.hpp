// The source of the fast tiers, included once more, so that tests see what lies between a question
// and its answer: each tier alone, and the numbers that it compares.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "graze/io/query_file.hpp"
#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/cascade-inl.hpp"
#include "narrow/certified/tiers/separation-inl.hpp"

namespace graze::certified {
namespace {  // as the tiers are: each program has its own

namespace source = portable;

// Difference i is vertex `plus` less vertex `minus`: the vertices of the polygon, in its order.
struct DifferenceOf {
    std::size_t plus = 0;
    std::size_t minus = 0;
};
[[nodiscard]] inline std::array<DifferenceOf, 4> differences_of(QueryKind kind) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {{{1, 0}, {2, 0}, {3, 0}, {3, 0}}};
        case QueryKind::EdgeEdge:
            return {{{0, 2}, {1, 2}, {1, 3}, {0, 3}}};
        case QueryKind::VertexVertex:
            return {{{0, 1}, {0, 1}, {0, 1}, {0, 1}}};
        case QueryKind::VertexEdge:
            break;
    }
    return {{{1, 0}, {2, 0}, {2, 0}, {2, 0}}};
}

// A query as the tiers behind the axes see it.
struct Prepared {
    source::Ends raw{};
    source::Ends ends{};  // scaled
    source::Hull hull{};
    Vec3 scale{};              // by axis, powers of two
    bool is_in_range = false;  // else the last tier has it
    [[nodiscard]] bool is_polygon() const { return source::is_polygon(hull.shape); }
    [[nodiscard]] unsigned sides() const { return hull.shape.sides; }
};

template <class Motion>
[[nodiscard]] Prepared prepared(const Motion& motion) {
    Prepared p;
    p.raw = source::vertices_of(motion);
    const source::Extent extent = source::extent_of(p.raw);
    p.hull.shape = source::shape_of<Motion>();
    p.is_in_range = source::normalise(p.raw, extent, p.ends, p.hull);
    for (std::size_t k = 0; k < 3; ++k) {
        p.scale[k] = source::normalising_scale(std::max(extent.most.v[k], -extent.least.v[k]));
    }
    return p;
}
[[nodiscard]] inline Prepared prepared(QueryKind kind, const io::QueryRecord& record) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return prepared(io::motion_of<Motion>(record));
    });
}

// All tiers, in plain C++.
[[nodiscard]] inline FastAnswer fast_answer(QueryKind kind, const io::QueryRecord& record,
                                            const FastOptions& options = {}) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return source::answer(io::motion_of<Motion>(record), options);
    });
}

}  // namespace
}  // namespace graze::certified
