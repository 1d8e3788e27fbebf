#include "graze/narrow/distance.hpp"

#include <algorithm>
#include <optional>

#include "graze/core/fp_environment.hpp"
#include "graze/narrow/query_kind.hpp"
#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/nearest.hpp"
#include "narrow/certified/separation_bounds.hpp"

namespace graze {
namespace {

using certified::SeparationQuery;

// The most that one of the usual directions proves, scaled.
double best_along(const SeparationQuery& q) noexcept {
    const certified::HullCorners corners = certified::corners_at(q, 0.0);
    const certified::NearestPoint nearest = certified::nearest_point(q.pairs.shape, corners);
    double best = 0.0;
    const auto see = [&](const Vec3& direction) {
        if (const std::optional<Vec3> n = certified::normalised(direction))
            best = std::max(best, certified::distance_along(q, *n));
    };
    see(nearest.point);
    see(nearest.across_edge);
    see(nearest.normal);
    if (q.norm == Norm::Max) {
        for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            see(axis);
            see(-axis);
        }
        const certified::CubeDirections others = certified::cube_directions(q.pairs.shape, corners);
        for (std::size_t i = 0; i < others.count; ++i) {
            see(others.direction[i]);
            see(-others.direction[i]);
        }
    }
    return best;
}

// The same corners, at rest.
void stop(MovingPoint& corner) noexcept {
    corner.end = corner.start;
}
void stop(VertexFaceMotion& m) noexcept {
    stop(m.vertex);
    for (MovingPoint& corner : m.face)
        stop(corner);
}
void stop(EdgeEdgeMotion& m) noexcept {
    for (std::size_t i = 0; i < 2; ++i) {
        stop(m.edge_a[i]);
        stop(m.edge_b[i]);
    }
}
void stop(VertexVertexMotion& m) noexcept {
    stop(m.a);
    stop(m.b);
}
void stop(VertexEdgeMotion& m) noexcept {
    stop(m.vertex);
    for (MovingPoint& corner : m.edge)
        stop(corner);
}

// Where the fast tiers pass on: more directions, and every scale. Requires: a finite motion.
template <class Motion>
double best_lower_bound(Motion motion, Norm norm) noexcept {
    stop(motion);
    const std::optional<SeparationQuery> query =
        certified::scaled_query(certified::corner_pairs(motion), {.norm = norm});
    return query ? query->scale.back_down(best_along(*query)) : 0.0;
}

// The end does not matter.
template <class Motion>
bool is_finite_start(const Motion& motion) noexcept {
    bool finite = true;
    for (const MovingPoint& p : vertices(motion))
        finite = finite && is_finite(p.start);
    return finite;
}

template <class Motion>
double sound_lower_bound(const Motion& motion, Norm norm) noexcept {
    static const certified::FastDistance<Motion> fast =
        certified::fast_distance<Motion>(best_instruction_set());
    if (!is_finite_start(motion)) return 0.0;
    const double bound = fast(motion, norm);
    return bound > 0.0 ? bound : best_lower_bound(motion, norm);
}

template <class Motion>
double lower_bound(const Motion& motion, Norm norm) noexcept {
    return with_sound_arithmetic([&]() noexcept { return sound_lower_bound(motion, norm); },
                                 []() noexcept { return 0.0; });
}

}  // namespace

template <QueryMotion Motion>
double distance_lower(const Motion& motion, Norm norm) noexcept {
    return lower_bound(motion, norm);
}
template double distance_lower(const VertexFaceMotion&, Norm) noexcept;
template double distance_lower(const EdgeEdgeMotion&, Norm) noexcept;
template double distance_lower(const VertexVertexMotion&, Norm) noexcept;
template double distance_lower(const VertexEdgeMotion&, Norm) noexcept;

}  // namespace graze
