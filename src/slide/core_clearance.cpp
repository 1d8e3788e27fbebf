#include "slide/core_clearance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace graze::slide {
namespace {

// At most w . (c - q) for all points c of the core and all vertices q: that of separation.hpp for a
// point, less |w . half|, whose sum has the errors of SS-2, and two more additions; of a box less
// two more such sums, and two more additions.
enum class Reach : std::uint8_t { All, Triangle };  // of a round obstacle, or what it is around
double core_slack(const NearTriangle& t, const Vec3& w, const Core& core, double length,
                  Reach reach) noexcept {
    const auto extent = [&](const Vec3& axis) {
        return std::fabs(dot(w, axis)) + kSumError * detail::product_size(w, axis);
    };
    const double along = detail::lower_sum(w, core.point);
    const double top =
        reach == Reach::All ? detail::top_upper(t, w, length, 0.0) : detail::top_of_vertices(t, w);
    double aside = extent(core.half);
    if (core.is_box) aside = (aside + extent(core.sides[0])) + extent(core.sides[1]);
    return along - top - aside - 0x1p-50 * (std::fabs(along) + std::fabs(top) + aside);
}

bool separates_core(const NearTriangle& t, const Vec3& w, const Core& core, double least) noexcept {
    const double length = detail::length_upper(w);
    return length >= kLeastLength &&
           core_slack(t, w, core, length, Reach::Triangle) >= least * length;
}

// From an edge to the core: the nearest points of two segments (Ericson, Real-Time Collision
// Detection, 5.1.9), those of the core clamped last. An estimate: any direction may be tried.
struct EdgeDirection {
    Vec3 w;
    Vec3 on_edge;
};
EdgeDirection from_edge_to_core(const Vec3& p, const Vec3& q, const Core& core) noexcept {
    const Vec3 edge = q - p;
    const Vec3 axis = 2.0 * core.half;
    const Vec3 begin = core.point - core.half;
    const Vec3 offset = begin - p;
    const double axis_sq = norm_sq(axis);
    const double edge_sq = norm_sq(edge);
    const double across = dot(axis, edge);
    const double determinant = axis_sq * edge_sq - across * across;
    const auto part = [](double x, double of) {
        return of > 0.0 ? std::clamp(x / of, 0.0, 1.0) : 0.0;
    };
    double s = part(across * dot(edge, offset) - dot(axis, offset) * edge_sq, determinant);
    const double t = part(dot(edge, offset + s * axis), edge_sq);
    const Vec3 on_edge = p + t * edge;
    s = part(dot(axis, on_edge - begin), axis_sq);
    return {begin + s * axis - on_edge, on_edge};
}

// The plane of the triangle and the three axes: what separates most.
bool is_far_from_core(const NearTriangle& t, const Core& core, double least) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double by = std::fabs(core.half[axis]) + std::fabs(core.sides[0][axis]) +
                          std::fabs(core.sides[1][axis]);
        const double error = kSumError * (std::fabs(core.point[axis]) + by);
        if (core.point[axis] - by - error - least > t.upper(axis) ||
            core.point[axis] + by + error + least < t.lower(axis))
            return true;
    }
    const Vec3 normal = t.normal_vector();
    return separates_core(t, normal, core, least) || separates_core(t, -normal, core, least);
}

// The nearest points of a triangle and a box that do not meet: a vertex of one of them and a point
// of the other, or points of two edges. Estimates.
struct NearestPair {
    Vec3 on_triangle;
    Vec3 on_core;
};

Vec3 clamped_to_box(const Core& core, const Vec3& point) noexcept {
    const Vec3 offset = point - core.point;
    Vec3 result = core.point;
    for (const Vec3& axis : core.axes()) {
        const double square = norm_sq(axis);
        if (square > 0.0)
            result = result + std::clamp(dot(offset, axis) / square, -1.0, 1.0) * axis;
    }
    return result;
}

// [cosine] An axis that makes a smaller one with a direction is across it.
constexpr double kAcrossAxis = 0x1p-20;

// `w`: the direction from the triangle to the box, where it is known: only what of the box is lowest
// along it counts.
NearestPair nearest_to_box(const NearTriangle& t, const Core& core,
                           const Vec3* w = nullptr) noexcept {
    NearestPair best{t.vertex_at(0), core.point};
    double least = HUGE_VAL;
    const auto take = [&](const Vec3& on_triangle, const Vec3& on_core) {
        const double distance_sq = norm_sq(on_core - on_triangle);
        if (!(distance_sq < least)) return;
        least = distance_sq;
        best = {on_triangle, on_core};
    };
    for (std::size_t k = 0; k < 3; ++k)
        take(t.vertex_at(k), clamped_to_box(core, t.vertex_at(k)));
    const std::array<Vec3, 3> axes = core.axes();
    const auto is_lowest = [&](const Vec3& axis, double sign) {
        return w == nullptr || sign * dot(*w, axis) <= kAcrossAxis * norm(*w) * norm(axis);
    };
    for (std::size_t along = 0; along < 3; ++along) {
        const Vec3& first = axes[(along + 1) % 3];
        const Vec3& second = axes[(along + 2) % 3];
        for (const double p : {-1.0, 1.0}) {
            if (!is_lowest(first, p)) continue;
            for (const double q : {-1.0, 1.0}) {
                if (!is_lowest(second, q)) continue;
                const Core edge{core.point + p * first + q * second, axes[along]};
                for (std::size_t k = 0; k < 3; ++k) {
                    const EdgeDirection found =
                        from_edge_to_core(t.vertex_at(k), t.vertex_at((k + 1) % 3), edge);
                    take(found.on_edge, found.on_edge + found.w);
                }
                if (along > 0) continue;
                for (const double r : {-1.0, 1.0}) {
                    const Vec3 corner = edge.point + r * edge.half;
                    take(foot_of(t, direction_to(t, corner), corner), corner);
                }
            }
        }
    }
    return best;
}

// The normals of all faces of the sum of a triangle and a box. Where the box has three axes, one of
// them separates what is disjoint by at least the distance over sqrt(3): the normals of the faces at
// a vertex of the sum make angles of at most a right one (SS-9). Else the nearest points tell.
bool is_box_clear(const NearTriangle& t, const Core& core, double least) noexcept {
    const auto separates = [&](const Vec3& w) {
        return separates_core(t, w, core, least) || separates_core(t, -w, core, least);
    };
    const std::array<Vec3, 3> axes = core.axes();
    for (std::size_t i = 0; i < 3; ++i)
        if (separates(cross(axes[i], axes[(i + 1) % 3]))) return true;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 edge = t.vertex_at((k + 1) % 3) - t.vertex_at(k);
        for (const Vec3& axis : axes)
            if (separates(cross(edge, axis))) return true;
    }
    const NearestPair nearest = nearest_to_box(t, core);
    return separates_core(t, nearest.on_core - nearest.on_triangle, core, least);
}

}  // namespace

// The nearest points of a core and a triangle that do not meet are an end of the core and a point
// of the triangle, or a point of the core and one of an edge. The direction between them separates
// both by their distance, but for rounding.
bool is_core_clear(const NearTriangle& t, const Core& core, double least) noexcept {
    least += kMostFall * (norm_one(t.largest()) + norm_one(core.half));
    if (core.is_box) least += kMostFall * (norm_one(core.sides[0]) + norm_one(core.sides[1]));
    if (is_far_from_core(t, core, least)) return true;
    if (core.is_box) return is_box_clear(t, core, least);
    if (separates_core(t, direction_to(t, core.point - core.half).w, core, least) ||
        separates_core(t, direction_to(t, core.point + core.half).w, core, least))
        return true;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 w = from_edge_to_core(t.vertex_at(k), t.vertex_at((k + 1) % 3), core).w;
        if (separates_core(t, w, core, least)) return true;
    }
    return false;
}

double core_distance(const NearTriangle& t, const Vec3& w, const Core& core) noexcept {
    const double slack = core_slack(t, w, core, detail::length_upper(w), Reach::All);
    // A negative one is divided by less than the length.
    const double length = std::sqrt(norm_sq(w)) * (slack < 0.0 ? 1.0 - 0x1p-50 : 1.0 + 0x1p-50);
    const double distance = slack / length;
    return distance - 0x1p-51 * std::fabs(distance);
}

Vec3 direction_to_core(const NearTriangle& t, const Core& core) noexcept {
    Vec3 best;
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 w = from_edge_to_core(t.vertex_at(k), t.vertex_at((k + 1) % 3), core).w;
        const double distance_sq = norm_sq(w);
        if (!(distance_sq < least)) continue;
        least = distance_sq;
        best = w;
    }
    return best;
}

Vec3 nearest_to_core(const NearTriangle& t, const Core& core, const Vec3& w) noexcept {
    if (core.is_box) return nearest_to_box(t, core, &w).on_triangle;
    // The nearer end, over the face: nothing of the core is nearer.
    const double along = dot(w, core.half);
    if (along != 0.0) {
        const Vec3 end = core.point + (along > 0.0 ? -1.0 : 1.0) * core.half;
        const Direction direction = direction_to(t, end);
        const double towards = dot(direction.w, core.half);
        if (direction.feature == FeatureKind::Face && towards * along > 0.0)
            return foot_of(t, direction, end);
    }
    Vec3 best;
    double least = HUGE_VAL;
    const auto take = [&](const Vec3& point, double distance_sq) {
        if (!(distance_sq < least)) return;
        least = distance_sq;
        best = point;
    };
    for (const double sign : {-1.0, 1.0}) {
        const Vec3 end = core.point + sign * core.half;
        const Vec3 foot = foot_of(t, direction_to(t, end), end);
        take(foot, norm_sq(end - foot));
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const EdgeDirection found =
            from_edge_to_core(t.vertex_at(k), t.vertex_at((k + 1) % 3), core);
        take(found.on_edge, norm_sq(found.w));
    }
    return best;
}

namespace {

// A round obstacle has no side that the centre is on: out along the axes of the core, or across it
// and the obstacle, by the shortest of these paths. The cap is a point: any would do.
CoreCrossing crossing_of_round(const NearTriangle& t, const Core& core) noexcept {
    CoreCrossing crossing;
    crossing.distance = -HUGE_VAL;
    const auto propose = [&](const Vec3& along) {
        const double length = norm(along);
        if (!(length > 0.0)) return;
        for (const double sign : {1.0, -1.0}) {
            const Vec3 w = (sign / length) * along;
            const double distance = core_distance(t, w, core);
            if (!(distance > crossing.distance)) continue;
            crossing.distance = distance;
            crossing.direction.w = w;
        }
    };
    const Vec3 edge = t.vertex_at(1) - t.vertex_at(0);
    for (const Vec3& axis : core.axes()) {
        propose(cross(axis, edge));
        propose(axis);
        for (std::size_t k = 0; k < 3; ++k) {
            Vec3 along;
            along[k] = 1.0;
            if (!core.is_box) propose(cross(axis, along));
        }
    }
    crossing.direction.on_triangle = core.point - crossing.distance * crossing.direction.w;
    const Vec3& p = crossing.direction.on_triangle;
    (void)set_near(crossing.cap, {p, p, p}, {t.part, t.face, t.tag, false});
    return crossing;
}

}  // namespace

CoreCrossing crossing_of(const NearTriangle& t, const Core& core) noexcept {
    if (t.is_round) return crossing_of_round(t, core);
    CoreCrossing crossing;
    Vec3 normal = t.normal_vector();
    const double height = dot(normal, core.point - t.vertex_at(0));
    if (height < 0.0) normal = -normal;
    Vec3 shift;
    double along = 0.0;
    for (const Vec3& axis : core.axes()) {
        const double by = dot(normal, axis);
        shift = shift + (by < 0.0 ? -axis : axis);
        along += std::fabs(by);
    }
    (void)set_near(crossing.cap,
                   {t.vertex_at(0) + shift, t.vertex_at(1) + shift, t.vertex_at(2) + shift},
                   {t.part, t.face, t.tag, false});
    crossing.distance = std::fabs(height) - along;
    crossing.direction = {normal, FeatureKind::Face, core.point - crossing.distance * normal};
    return crossing;
}

}  // namespace graze::slide
