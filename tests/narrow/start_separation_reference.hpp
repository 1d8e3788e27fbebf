// What free_time_from_start is held against: the same directions in rationals of GMP, and a proof
// by other means that there is no direction at all.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "graze/io/query_file.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::testing {

using io::QueryRecord;

using RationalVec = std::array<mpq_class, 3>;

inline RationalVec difference(const RationalVec& a, const RationalVec& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline mpq_class dot(const RationalVec& a, const RationalVec& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline RationalVec cross(const RationalVec& a, const RationalVec& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline RationalVec rational(const Vec3& p) {
    return {p.x, p.y, p.z};
}

struct RationalHull {
    std::vector<std::pair<RationalVec, RationalVec>> corners;  // at t = 0 and at t = 1
    std::vector<RationalVec> directions;
};

inline RationalHull rational_hull(const QueryRecord& record, QueryKind kind) {
    const std::size_t split = kind == QueryKind::EdgeEdge ? 2 : 1;
    const std::size_t count = vertex_count(kind);
    const auto at = [&](std::size_t i) { return rational(record.corners[i].start); };
    RationalHull hull;
    for (std::size_t a = 0; a < split; ++a) {
        for (std::size_t b = split; b < count; ++b) {
            hull.corners.emplace_back(
                difference(at(a), at(b)),
                difference(rational(record.corners[a].end), rational(record.corners[b].end)));
        }
    }
    std::vector<RationalVec> edges;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
            if ((i < split) == (j < split)) edges.push_back(difference(at(i), at(j)));
        }
    }
    hull.directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t i = 0; i < edges.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k)
            hull.directions.push_back(cross(hull.directions[k], edges[i]));
        if (i > 0) hull.directions.push_back(cross(edges[0], edges[i]));
    }
    return hull;
}

// The bound without rounding: 0 if no direction separates at the start, nothing if one separates
// until the end.
inline std::optional<mpq_class> exact_free_time(const QueryRecord& record, QueryKind kind,
                                                double d) {
    const RationalHull hull = rational_hull(record, kind);
    mpq_class best = 0;
    for (const RationalVec& direction : hull.directions) {
        for (const int side : {-1, 1}) {
            const mpq_class reach =
                mpq_class(d) * (abs(direction[0]) + abs(direction[1]) + abs(direction[2]));
            std::optional<mpq_class> time;  // nothing: never
            bool separates = true;
            for (const auto& [start, end] : hull.corners) {
                const mpq_class gap = side * dot(direction, start) - reach;
                const mpq_class gap_at_end = side * dot(direction, end) - reach;
                separates = separates && gap > 0;
                if (!separates || gap_at_end > 0) continue;
                const mpq_class zero_at = gap / (gap - gap_at_end);
                if (!time || zero_at < *time) time = zero_at;
            }
            if (!separates) continue;
            if (!time) return std::nullopt;
            best = std::max(best, *time);
        }
    }
    return best;
}

// The corners of the difference hull at t = 0 and at t = 2^-1074.
inline std::vector<RationalVec> swept_for_the_smallest_time(const QueryRecord& record,
                                                            QueryKind kind) {
    std::vector<RationalVec> points;
    for (const auto& [start, end] : rational_hull(record, kind).corners) {
        RationalVec later = start;
        for (std::size_t axis = 0; axis < 3; ++axis)
            later[axis] +=
                mpq_class(std::numeric_limits<double>::denorm_min()) * (end[axis] - start[axis]);
        points.push_back(start);
        points.push_back(later);
    }
    return points;
}

inline mpq_class determinant(const RationalVec& a, const RationalVec& b, const RationalVec& c) {
    return dot(a, cross(b, c));
}

// Is the origin in the tetrahedron a b c d, which must have a volume? Cramer: its barycentric
// coordinates are the four determinants, divided by their sum.
inline bool tetrahedron_holds_the_origin(const RationalVec& a, const RationalVec& b,
                                         const RationalVec& c, const RationalVec& d) {
    const std::array<int, 4> signs = {sgn(determinant(b, c, d)), -sgn(determinant(a, c, d)),
                                      sgn(determinant(a, b, d)), -sgn(determinant(a, b, c))};
    const auto [least, most] = std::minmax_element(signs.begin(), signs.end());
    const bool flat = *least == 0 && *most == 0;
    return !flat && (*least >= 0 || *most <= 0);
}

// A proof (Caratheodory) that no direction separates the points from the origin.
inline bool hull_holds_the_origin(const std::vector<RationalVec>& p) {
    for (std::size_t a = 0; a < p.size(); ++a) {
        for (std::size_t b = a + 1; b < p.size(); ++b) {
            for (std::size_t c = b + 1; c < p.size(); ++c) {
                for (std::size_t d = c + 1; d < p.size(); ++d) {
                    if (tetrahedron_holds_the_origin(p[a], p[b], p[c], p[d])) return true;
                }
            }
        }
    }
    return false;
}

}  // namespace graze::testing
