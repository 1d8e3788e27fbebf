#include "slide/separation.hpp"

namespace graze::slide {
namespace {

// A proved distance along w, for a choice between directions.
double reach_of(const NearTriangle& t, const Vec3& w, const Vec3& point) noexcept {
    const SlackLine line = slack_line(t, w, {point, point}, 0.0);
    return line.at_from / line.length;
}

// The part of the edge that is nearest: an end, or the foot between them.
Direction from_clamped_edge(const Vec3& a, const Vec3& b, const Vec3& point) noexcept {
    const Vec3 edge = b - a;
    const double along = dot(point - a, edge);
    if (!(along > 0.0)) return {point - a, FeatureKind::Vertex, {}};
    if (!(along < norm_sq(edge))) return {point - b, FeatureKind::Vertex, {}};
    return detail::from_edge(edge, point - a);
}

// --- obstacles with an ellipsoid around each point (SS-10) -----------------------------------------

Vec3 round_of(const NearTriangle& t) noexcept {
    return {t.round[0], t.round[1], t.round[2]};
}

Vec3 divided(const Vec3& v, const Vec3& by) noexcept {
    return {v.x / by.x, v.y / by.y, v.z / by.z};
}

// The normal of the ellipsoid with these half axes at its point nearest to y, of any length; inside
// of it that of the ellipsoid through y which is as much smaller on each axis. The point is
// a^2 y / (t + a^2) with a t that solves sum (a y / (t + a^2))^2 = 1: the sum is convex and falls,
// so that Newton's method from the left does not pass the root.
Vec3 normal_towards(const Vec3& a, const Vec3& y) noexcept {
    constexpr int kMaxNewtonSteps = 64;
    const Vec3 a_sq{a.x * a.x, a.y * a.y, a.z * a.z};
    double t = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        t = std::max(t, a[axis] * std::fabs(y[axis]) - a_sq[axis]);
    for (int step = 0; step < kMaxNewtonSteps; ++step) {
        double sum = -1.0;
        double slope = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double x = a[axis] * y[axis] / (t + a_sq[axis]);
            sum += x * x;
            slope += 2.0 * x * x / (t + a_sq[axis]);
        }
        if (!(sum > 0.0) || !(slope > 0.0)) break;
        const double next = t + sum / slope;
        if (!(next > t * (1.0 + 0x1p-52))) break;
        t = next;
    }
    const double least = std::min({a_sq.x, a_sq.y, a_sq.z});
    return {y.x * ((t + least) / (t + a_sq.x)), y.y * ((t + least) / (t + a_sq.y)),
            y.z * ((t + least) / (t + a_sq.z))};
}

// From the sum of the edge and the ellipsoid. The distance of the point from the ellipsoid around
// p + u edge is convex in u, and its slope is -edge . w / |w|: the zero is found by halving, 2^-40 of
// the edge, which the square of the angle makes a distance as good as exact.
Direction from_round_edge(const Vec3& a, const Vec3& p, const Vec3& q, const Vec3& point) noexcept {
    constexpr int kHalvings = 40;
    const Vec3 edge = q - p;
    const Vec3 y = point - p;
    // In units of the half axes the ellipsoid is a ball: is the point inside of the sum?
    const Vec3 unit_edge = divided(edge, a);
    const Vec3 unit_y = divided(y, a);
    const double edge_sq = norm_sq(unit_edge);
    const double along = edge_sq > 0.0 ? dot(unit_y, unit_edge) / edge_sq : 0.0;
    const double nearest = std::clamp(along, 0.0, 1.0);
    const bool is_inside = norm_sq(unit_y - nearest * unit_edge) <= 1.0;
    const auto normal_at = [&](double u) { return normal_towards(a, y - u * edge); };
    const auto rises = [&](double u) { return dot(edge, normal_at(u)) > 0.0; };
    double u = nearest;
    if (!is_inside) {
        double low = 0.0;
        double high = 1.0;
        if (!rises(low)) {
            u = low;
        } else if (rises(high)) {
            u = high;
        } else {
            for (int halving = 0; halving < kHalvings; ++halving) {
                u = 0.5 * (low + high);
                (rises(u) ? low : high) = u;
            }
        }
    }
    const Vec3 w = normal_at(u);
    if (!(u > 0.0 && u < 1.0) || !(norm_sq(edge) > 0.0)) return {w, FeatureKind::Vertex, {}};
    return detail::from_edge(edge, w);
}

// The nearest point of the triangle's sum with the ellipsoid is that of a vertex, an edge or the
// face, and the direction that separates most proves the distance.
Direction direction_to_round(const NearTriangle& t, const Vec3& point) noexcept {
    const Vec3 a = round_of(t);
    Direction best = detail::from_face(t, point - t.vertex_at(0));
    double reach = reach_of(t, best.w, point);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = t.vertex_at(k);
        const Vec3 q = t.vertex_at((k + 1) % 3);
        // A segment is given as a, b, b: one of its edges is enough.
        if (k > 0 && (p == q || t.vertex_at(1) == t.vertex_at(2))) continue;
        const Direction next = from_round_edge(a, p, q, point);
        const double next_reach = reach_of(t, next.w, point);
        if (next_reach > reach || !(norm_sq(best.w) > 0.0)) {
            best = next;
            reach = next_reach;
        }
    }
    return best;
}

}  // namespace

namespace detail {

// max w . x over the ellipsoid is |a w|, the products taken by axis. Each has one rounding error, the
// squares and sums three more, the root halves them and adds one: below 4 u, and 8 u are put on, of
// which the sum that it is a term of takes one. Where squares would overflow, powers of two are taken
// out: what underflows then is below 2^-870 of the largest square.
double round_extent(const NearTriangle& t, const Vec3& w) noexcept {
    const Vec3 v{t.round[0] * w.x, t.round[1] * w.y, t.round[2] * w.z};
    if (norm_max(v) >= 0x1p500) [[unlikely]]
        return std::sqrt(norm_sq(0x1p-600 * v)) * (1.0 + 0x1p-50) * 0x1p600;
    return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z) * (1.0 + 0x1p-50);
}

Vec3 round_foot(const NearTriangle& t, const Vec3& w, const Vec3& point) noexcept {
    const double length_sq = norm_sq(w);
    if (!(length_sq > 0.0)) return point;
    const double height = dot(w, point) - top_of_vertices(t, w) - round_extent(t, w);
    return point - (height / length_sq) * w;
}

}  // namespace detail

// All that can be nearest is tried, and the direction that proves the largest distance taken:
// whatever is chosen, the proof is that of slack_line().
Direction direction_to_thin(const NearTriangle& t, const Vec3& point) noexcept {
    if (t.is_round && !t.has_ball()) return direction_to_round(t, point);
    Direction best = detail::from_face(t, point - t.vertex_at(0));
    double reach = reach_of(t, best.w, point);
    for (std::size_t k = 0; k < 3; ++k) {
        const Direction next = from_clamped_edge(t.vertex_at(k), t.vertex_at((k + 1) % 3), point);
        const double next_reach = reach_of(t, next.w, point);
        // Without an area the face has no direction: then any other is better, proved or not.
        if (!(next_reach <= reach) || (best.w == Vec3{} && next.w != Vec3{})) {
            best = next;
            reach = next_reach;
        }
    }
    return best;
}

}  // namespace graze::slide
