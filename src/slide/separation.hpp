// Which direction separates a point from a triangle best, and what it proves.
//
// Whatever the direction w: where w . (p - q) >= radius |w| for all vertices q of the triangle, the
// ball around p is clear of the triangle. The choice of w may be careless, the sums may not.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "graze/slide/sweep.hpp"
#include "slide/frame.hpp"
#include "slide/near_list.hpp"

namespace graze::slide {

struct Direction {
    Vec3 w;  // from the triangle to the point, of any length
    FeatureKind feature = FeatureKind::Face;
    Vec3 on_triangle;  // the nearest point, about; set by foot_of() where it is wanted
};

// w . (path(s) - q) - radius |w| >= at_from + s * slope for all vertices q and s in [0, 1], in
// exact arithmetic for the exact path and vertices (SS-2). NaN, or minus infinity, where nothing is
// proved.
struct SlackLine {
    double at_from = 0.0;
    double slope = 0.0;
    double length = 1.0;  // of w, rounded up
};

namespace detail {

// W = sum |w_i v_i|: what the errors of a sum of products are measured in (SS-2). A computed w . q
// has gamma_3 <= 3.01 u of it, and the local coordinates of q another 3.01 u: 6.1 u together.
inline double product_size(const Vec3& w, const Vec3& v) noexcept {
    return std::fabs(w.x * v.x) + std::fabs(w.y * v.y) + std::fabs(w.z * v.z);
}

// kSumError = 16 u of W are taken off, of which 6.1 u are the sum and its coordinates; W itself has
// 3 u of error, which counts 16 u times.
inline double lower_sum(const Vec3& w, const Vec3& v) noexcept {
    return dot(w, v) - kSumError * product_size(w, v);
}

}  // namespace detail

namespace detail {

// At most 2.5 u short of the length: the square has 3 u, its root half of that and one more. 8 u
// are put on, so that radius |w| is covered with the rounding of that product.
inline double length_upper(const Vec3& w) noexcept {
    return std::sqrt(norm_sq(w)) * (1.0 + 0x1p-50);
}

// The largest w . q of the vertices q; at least. `largest` bounds each vertex on each axis, so that
// one W serves all three.
[[gnu::always_inline]] inline double top_of_vertices(const NearTriangle& t,
                                                     const Vec3& w) noexcept {
    const double top =
        std::max(std::max(dot(w, t.vertex_at(0)), dot(w, t.vertex_at(1))), dot(w, t.vertex_at(2)));
    return top + kSumError * product_size(w, t.largest());
}

// [times |w|] The support of the ellipsoid of a round obstacle along w, rounded up (SS-10).
// Requires: t.is_round.
[[nodiscard]] double round_extent(const NearTriangle& t, const Vec3& w) noexcept;

// The same for all of the obstacle, and radius |w|.
[[gnu::always_inline]] inline double top_upper(const NearTriangle& t, const Vec3& w, double length,
                                               double radius) noexcept {
    const double top = radius * length + top_of_vertices(t, w);
    if (t.is_round) [[unlikely]]
        return top + round_extent(t, w);
    return top;
}

// The point of a round obstacle that is farthest along w, as seen from the point: an estimate.
[[nodiscard]] Vec3 round_foot(const NearTriangle& t, const Vec3& w, const Vec3& point) noexcept;

// A sum of one rounding: two are taken off.
inline double less_rounding(double sum) noexcept {
    return sum - 0x1p-52 * std::fabs(sum);
}

}  // namespace detail

// So that no underflow counts beside radius * length (SS-3): some twenty products are off by
// 2^-1075 each, far below the u radius length / 2 >= 2^-454 that is left over in the length.
inline constexpr double kLeastLength = 0x1p-400;
inline constexpr double kNoSlack = -std::numeric_limits<double>::infinity();

// w . p(s) is linear in s for the exact path, so that lower bounds at both ends bound it
// everywhere.
// Comparisons are written so that NaN fails them: what overflows proves nothing.
[[nodiscard, gnu::always_inline]] inline SlackLine slack_line(const NearTriangle& t, const Vec3& w,
                                                              const Path& path,
                                                              double radius) noexcept {
    const double length = detail::length_upper(w);
    if (!(length >= kLeastLength)) return {kNoSlack, 0.0, 1.0};
    const double taken = detail::top_upper(t, w, length, radius);
    const double from = detail::lower_sum(w, path.from);
    const double at_from = from - taken;
    const double slope = detail::lower_sum(w, path.to) - from;
    return {detail::less_rounding(at_from), detail::less_rounding(slope), length};
}

// The same for one direction and many triangles: what does not depend on them.
struct ProjectedPath {
    Vec3 w;
    double length = 1.0;  // of w, rounded up
    double from = 0.0;    // w . path.from, rounded down
    double slope = 0.0;
};
[[nodiscard]] inline ProjectedPath projected_path(const Vec3& w, const Path& path) noexcept {
    const double from = detail::lower_sum(w, path.from);
    const double slope = detail::lower_sum(w, path.to) - from;
    return {w, detail::length_upper(w), from, detail::less_rounding(slope)};
}
// Of a path that is a point.
[[nodiscard]] inline ProjectedPath projected_path(const Vec3& w, const Vec3& point) noexcept {
    return {w, detail::length_upper(w), detail::lower_sum(w, point), 0.0};
}
// slack_line(t, path.w, path, radius).at_from
[[nodiscard]] inline double slack_at_from(const NearTriangle& t, const ProjectedPath& path,
                                          double radius) noexcept {
    if (!(path.length >= kLeastLength)) return kNoSlack;
    return detail::less_rounding(path.from - detail::top_upper(t, path.w, path.length, radius));
}

namespace detail {

// Twice, so that what is left along the edge is a rounding of w, and not of the longer path to the
// vertex: for long edges that counts.
inline Direction from_edge(const Vec3& edge, const Vec3& path) noexcept {
    const double length_sq = norm_sq(edge);
    const Vec3 first = path - (dot(path, edge) / length_sq) * edge;
    return {first - (dot(first, edge) / length_sq) * edge, FeatureKind::Edge, {}};
}

inline Direction from_face(const NearTriangle& t, const Vec3& from_corner) noexcept {
    const Vec3 normal = t.normal_vector();
    return {dot(normal, from_corner) < 0.0 ? -normal : normal, FeatureKind::Face, {}};
}

}  // namespace detail

// Below the line at s, rounding included.
[[nodiscard]] inline double value_lower(const SlackLine& line, double s) noexcept {
    const double change = s * line.slope;
    return (line.at_from + change) - 0x1p-51 * (std::fabs(line.at_from) + std::fabs(change));
}

// Not after the zero of the line. Requires: at_from >= 0, slope < 0.
[[nodiscard]] inline double zero_lower(const SlackLine& line) noexcept {
    const double zero = line.at_from / -line.slope;
    // One rounding, at least two taken off; among subnormals that would be none.
    return zero >= 0x1p-1000 ? zero * (1.0 - 0x1p-52) : 0.0;
}

// Of thin triangles: the best of all edges and the face, since signs of areas tell nothing there.
// And of round obstacles whose ellipsoid is no ball: the nearest point of their surface (SS-10).
[[nodiscard]] Direction direction_to_thin(const NearTriangle& t, const Vec3& point) noexcept;

// By the region of the triangle that the point is over (Ericson, Real-Time Collision Detection,
// 5.1.5).
[[nodiscard, gnu::always_inline]] inline Direction direction_here(const NearTriangle& t,
                                                                  const Vec3& point) noexcept {
    if (t.thin()) [[unlikely]]
        return direction_to_thin(t, point);
    const Vec3 a = t.vertex_at(0);
    const Vec3 ab = t.vertex_at(1) - a;
    const Vec3 ac = t.vertex_at(2) - a;
    const Vec3 ap = point - a;
    const Vec3 bp = point - t.vertex_at(1);
    const Vec3 cp = point - t.vertex_at(2);
    const double d1 = dot(ab, ap);
    const double d2 = dot(ac, ap);
    const double d3 = dot(ab, bp);
    const double d4 = dot(ac, bp);
    const double d5 = dot(ab, cp);
    const double d6 = dot(ac, cp);
    if (d1 <= 0.0 && d2 <= 0.0) return {ap, FeatureKind::Vertex, {}};
    if (d3 >= 0.0 && d4 <= d3) return {bp, FeatureKind::Vertex, {}};
    if (d6 >= 0.0 && d5 <= d6) return {cp, FeatureKind::Vertex, {}};
    if (d1 * d4 - d3 * d2 <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return detail::from_edge(ab, ap);
    if (d5 * d2 - d1 * d6 <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return detail::from_edge(ac, ap);
    if (d3 * d6 - d5 * d4 <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
        return detail::from_edge(ac - ab, bp);
    return detail::from_face(t, ap);
}
[[nodiscard]] inline Direction direction_to(const NearTriangle& t, const Vec3& point) noexcept {
    return direction_here(t, point);
}

// The point of the triangle that the direction was found from, about.
[[nodiscard]] inline Vec3 foot_on_triangle(const NearTriangle& t, const Direction& direction,
                                           const Vec3& point) noexcept {
    if (direction.feature != FeatureKind::Face) return point - direction.w;
    const Vec3 normal = t.normal_vector();
    return point - dot(normal, point - t.vertex_at(0)) * normal;
}
// The same of a round obstacle: of its surface.
[[nodiscard]] inline Vec3 foot_of(const NearTriangle& t, const Direction& direction,
                                  const Vec3& point) noexcept {
    if (t.is_round) [[unlikely]]
        return detail::round_foot(t, direction.w, point);
    return foot_on_triangle(t, direction, point);
}

}  // namespace graze::slide
