#include "slide/prism_faces.hpp"

#include <algorithm>
#include <cmath>

namespace graze::slide {
namespace {

// Sines below this: the prism is as good as flat, and which side of a face is outside is not asked.
constexpr double kFlat = 0x1p-10;
// [of the largest coordinate] Edges below this have lost too many bits.
constexpr double kShortEdge = 0x1p-18;
// [of all lengths together] What rounding may take from a height over a face. An edge is off by
// 6 u L, below 2^-32 of itself; across a face of sine 2^-10 that turns a normal by 2^-22, and a
// height is off by that part of the lengths (SS-8).
constexpr double kHeightError = 0x1p-20;
static_assert(8.0 * 0x1p-53 / kShortEdge / kFlat < kHeightError / 2.0);
// The square of a sine is off by 2^-21, as the normal is by 2^-22: the sine by the root of that.
constexpr double kSineError = 0x1p-10;
static_assert(kSineError * kSineError >= kHeightError);
// A cosine: where the half axis leans more than this, a cap is hardly ever enough.
constexpr double kSteep = 0.5;

}  // namespace

// The box of the prism, off by 3.01 u of a coordinate and one more for the sum: 8 u are put on. The
// square of its distance has five rounding errors, and 2^-36 of the radius are put on for those and
// for what covers() gives away.
bool may_reach(const std::array<Vec3, 3>& vertices, const Vec3& half,
               const CentreRegion& region) noexcept {
    double distance_sq = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double a = vertices[0][axis];
        const double b = vertices[1][axis];
        const double c = vertices[2][axis];
        const double by = std::fabs(half[axis]);
        const double lower = std::min(std::min(a, b), c) - by;
        const double upper = std::max(std::max(a, b), c) + by;
        const double error = 0x1p-50 * (std::max(std::fabs(lower), std::fabs(upper)) + by);
        const double outside = std::max(lower - region.middle[axis], region.middle[axis] - upper);
        const double least = std::max(outside - error, 0.0);
        distance_sq += least * least;
    }
    const double most = region.all * (1.0 + 0x1p-36);
    return !(distance_sq > most * most);
}

Vec3 shift_towards(const NearTriangle& t, const Vec3& half, const Vec3& middle) noexcept {
    const Vec3 normal = cross(t.vertex_at(1) - t.vertex_at(0), t.vertex_at(2) - t.vertex_at(0));
    const double along = dot(normal, half);
    if (!(along * along > kSteep * kSteep * norm_sq(normal) * norm_sq(half))) return {};
    return along * dot(normal, middle - t.vertex_at(0)) < 0.0 ? -half : half;
}

// Let x be the point of the prism nearest to a centre c at the distance d, and not in the cap. Then
// c - x is a sum of normals of sides, which are perpendicular to the half axis, and of minus the
// normal n of the cap: n . (c - x) <= d sin(n, half), and c is below that height over the cap. At
// the distance t from the middle, d is at most region.all - t and the height at least that of the
// middle less t; both are linear in t, so that the ends decide.
bool is_cap_enough(const NearTriangle& cap, const Vec3& shift,
                   const CentreRegion& region) noexcept {
    const Vec3 normal = cap.normal_vector();
    const double half_sq = norm_sq(shift);
    const double size = norm_one(cap.largest());
    const Vec3 offset = region.middle - cap.vertex_at(0);
    const double edge_sq = std::min({norm_sq(cap.vertex_at(1) - cap.vertex_at(0)),
                                     norm_sq(cap.vertex_at(2) - cap.vertex_at(1)),
                                     norm_sq(cap.vertex_at(0) - cap.vertex_at(2))});
    if (cap.thin() || !(half_sq >= 0x1p-400) || !(edge_sq >= kShortEdge * kShortEdge * size * size))
        return false;
    // The prism is behind the cap: its normal outward is the one along the shift.
    const double along = dot(normal, shift);
    const double height = along < 0.0 ? -dot(normal, offset) : dot(normal, offset);
    const double sine = std::sqrt(std::max(half_sq - along * along, 0.0) / half_sq) + kSineError;
    const double over =
        height - kHeightError * (size + norm_one(region.middle) + norm_one(shift) + region.all);
    return over > region.all * sine && over - region.centres > (region.all - region.centres) * sine;
}

// A point x of a convex body that is nearest to c outside of it has c - x = sum of l_i n_i with
// l_i >= 0 over the faces that hold x: then n_i . (c - x) > 0 for one of them at least, so that c
// is in front of a face that holds x. What no position is in front of holds no such point.
unsigned facing_faces(const NearTriangle& triangle, const Vec3& half,
                      const CentreRegion& region) noexcept {
    const Vec3 normal = triangle.normal_vector();
    const double along = dot(normal, half);
    const double half_sq = norm_sq(half);
    if (triangle.thin() || !(half_sq >= 0x1p-400) || !(along * along >= kFlat * kFlat * half_sq))
        return kAllPrismFaces;
    const double size = norm_one(triangle.largest());
    const double reach = region.centres + kHeightError * (size + norm_one(region.middle) +
                                                          norm_one(half) + region.centres);
    const double outward = along < 0.0 ? -1.0 : 1.0;
    const double height = outward * dot(normal, region.middle - triangle.vertex_at(0));
    unsigned faces = 0;
    const double least_edge_sq = kShortEdge * kShortEdge * size * size;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 edge = triangle.vertex_at((k + 1) % 3) - triangle.vertex_at(k);
        const Vec3 side = cross(edge, half);
        const double over = outward * dot(side, region.middle - triangle.vertex_at(k));
        const double edge_sq = norm_sq(edge);
        const double side_sq = norm_sq(side);
        if (!(edge_sq >= least_edge_sq)) return kAllPrismFaces;
        const bool is_behind = over < 0.0 && side_sq >= kFlat * kFlat * edge_sq * half_sq &&
                               over * over > reach * reach * side_sq;
        if (!is_behind) faces |= kFirstSide << k;
    }
    if (!(height + reach < std::fabs(along))) faces |= kHighCap;
    if (!(reach - height < std::fabs(along))) faces |= kLowCap;
    return faces;
}

}  // namespace graze::slide
