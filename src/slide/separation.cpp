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

}  // namespace

// All that can be nearest is tried, and the direction that proves the largest distance taken:
// whatever is chosen, the proof is that of slack_line().
Direction direction_to_thin(const NearTriangle& t, const Vec3& point) noexcept {
    Direction best = detail::from_face(t, point - t.vertex_at(0));
    double reach = reach_of(t, best.w, point);
    for (std::size_t k = 0; k < 3; ++k) {
        const Direction next = from_clamped_edge(t.vertex_at(k), t.vertex_at((k + 1) % 3), point);
        const double next_reach = reach_of(t, next.w, point);
        if (!(next_reach <= reach)) {
            best = next;
            reach = next_reach;
        }
    }
    return best;
}

}  // namespace graze::slide
