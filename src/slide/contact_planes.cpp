#include "slide/contact_planes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace graze::slide {
namespace {

// Cosine of the angle up to which a face that carries the ball counts as the ground of another.
constexpr double kSameGround = 0.9;

bool is_before(const NearContact& a, const NearContact& b) noexcept {
    const bool a_face = a.direction.feature == Feature::Face;
    const bool b_face = b.direction.feature == Feature::Face;
    if (a_face != b_face) return a_face;
    return a.distance < b.distance;
}

bool is_covered(std::span<const ContactPlane> planes, const NearTriangle& t,
                const Offsets& offsets) noexcept {
    return std::any_of(planes.begin(), planes.end(), [&](const ContactPlane& p) {
        return height_over(p, t) <= p.offset - offsets.hard;
    });
}

// The normal of the triangle's own plane on the side of the centre; none where it is thin.
std::optional<Vec3> face_normal(const NearContact& near, const Vec3& centre) noexcept {
    const Vec3 n = near.triangle.normal_vector();
    if (near.triangle.thin || !(norm_sq(n) > 0.5)) return std::nullopt;
    return dot(n, centre - near.triangle.corner_at(0)) < 0.0 ? -n : n;
}

// Ground on the other side of the centre, at the same height within the skin: the ball is over a
// crack between the two, and not past the edge of something.
bool bridges(const NearContact& near, const NearContact& other, const Vec3& normal,
             const Vec3& centre, const Offsets& offsets) noexcept {
    const Vec3 way = near.direction.on_triangle - centre;
    const Vec3 other_way = other.direction.on_triangle - centre;
    const double depth = dot(way, normal);
    const double other_depth = dot(other_way, normal);
    if (std::fabs(depth - other_depth) > offsets.skin) return false;
    return dot(way, other_way) - depth * other_depth < 0.0;
}

bool on_common_ground(const NearContact& near, const Vec3& normal, const NearSet& all,
                      std::span<const ContactPlane> planes, const Vec3& centre,
                      const Offsets& offsets) noexcept {
    for (const ContactPlane& p : planes)
        if (p.of_face && dot(p.normal, normal) >= kSameGround) return true;
    for (const NearContact& other : all.all())
        if (bridges(near, other, normal, centre, offsets)) return true;
    return false;
}

// An edge or corner of ground that goes on beyond it is no obstacle: the plane of its face parts it
// from the ball just as well, as long as the ball is above that plane by the hard radius, and is
// not tilted against the way.
ContactPlane plane_of(const NearContact& near, const NearSet& all,
                      std::span<const ContactPlane> planes, const Vec3& centre,
                      const Offsets& offsets) noexcept {
    const double least = near.distance >= offsets.settled ? 0.0 : offsets.rest - near.distance;
    ContactPlane plane{near.face,     near.direction, near.normal, near.direction.on_triangle,
                       near.distance, least,          true};
    if (near.direction.feature != Feature::Face) {
        plane.of_face = false;
        const std::optional<Vec3> normal = face_normal(near, centre);
        if (normal) {
            const double height = dot(*normal, centre - near.triangle.corner_at(0));
            if (height >= offsets.hard + 2.0 * offsets.rounding &&
                on_common_ground(near, *normal, all, planes, centre, offsets)) {
                plane.normal = *normal;
                plane.point = near.triangle.corner_at(0);
                plane.offset = height;
                plane.of_face = true;
            }
        }
    }
    plane.offset += least;
    return plane;
}

}  // namespace

double height_over(const ContactPlane& plane, const NearTriangle& t) noexcept {
    return std::max({dot(plane.normal, t.corner_at(0) - plane.point),
                     dot(plane.normal, t.corner_at(1) - plane.point),
                     dot(plane.normal, t.corner_at(2) - plane.point)});
}

void NearSet::add(const NearContact& near) noexcept {
    smallest_ = std::min(smallest_, near.distance);
    if (count_ < kMost) {
        near_[static_cast<std::size_t>(count_++)] = near;
        return;
    }
    const auto farthest =
        std::max_element(near_.begin(), near_.end(),
                         [](const auto& a, const auto& b) { return a.distance < b.distance; });
    if (near.distance < farthest->distance) *farthest = near;
}

void NearSet::sort() noexcept {
    std::sort(near_.begin(), near_.begin() + count_, is_before);
}

void ContactPlanes::add_all(const NearSet& near, const Vec3& centre,
                            const Offsets& offsets) noexcept {
    for (const NearContact& n : near.all()) {
        if (n.distance > offsets.contact || is_covered(all(), n.triangle, offsets)) continue;
        add(plane_of(n, near, all(), centre, offsets));
    }
}

}  // namespace graze::slide
