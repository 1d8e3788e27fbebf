#include "slide/contact_planes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace graze::slide {
namespace {

// Cosine of the angle up to which a face that carries the ball counts as the ground of another.
constexpr double kSameGround = 0.9;

bool is_before(const NearContact& a, const NearContact& b) noexcept {
    const bool a_face = a.direction.feature == FeatureKind::Face;
    const bool b_face = b.direction.feature == FeatureKind::Face;
    if (a_face != b_face) return a_face;
    return a.distance < b.distance;
}

bool is_covered(std::span<const ContactPlane> planes, const NearTriangle& t,
                const Offsets& offsets) noexcept {
    return std::any_of(planes.begin(), planes.end(), [&](const ContactPlane& p) {
        return height_over(p, t) <= p.offset - offsets.hard;
    });
}

bool goes_on_at(const Direction& edge, const NearContact& other, const Vec3& normal,
                const Vec3& centre, const Offsets& offsets) noexcept {
    const Vec3 way = edge.on_triangle - centre;
    const Vec3 other_way = other.direction.on_triangle - centre;
    const double depth = dot(way, normal);
    const double other_depth = dot(other_way, normal);
    if (!(std::fabs(depth - other_depth) <= offsets.step)) return false;
    if (other.direction.feature == FeatureKind::Face)
        return dot(other.normal, normal) >= kSameGround;
    return dot(way, other_way) - depth * other_depth < 0.0;
}

// The plane of the face parts it from the ball just as well as the direction to the edge does, as
// long as the ball is above that plane by the hard radius, and is not tilted against the way.
std::optional<Ground> parting_ground(const NearContact& near, const Vec3& centre,
                                     const Offsets& offsets) noexcept {
    if (near.direction.feature == FeatureKind::Face) return std::nullopt;
    const std::optional<Ground> ground = ground_below(*near.triangle, centre);
    if (!ground || !(ground->height >= offsets.hard + 2.0 * offsets.rounding)) return std::nullopt;
    return ground;
}

bool is_carried(std::span<const ContactPlane> planes, const Ground& ground) noexcept {
    return std::any_of(planes.begin(), planes.end(), [&](const ContactPlane& p) {
        return p.of_face && dot(p.normal, ground.normal) >= kSameGround;
    });
}

double lift_of(const NearContact& near, const Offsets& offsets) noexcept {
    return near.distance >= offsets.settled ? 0.0 : offsets.rest - near.distance;
}

ContactPlane plane_of_contact(const NearContact& near, const Offsets& offsets) noexcept {
    const double least = lift_of(near, offsets);
    return {near.face(),
            near.direction,
            near.normal,
            near.direction.on_triangle,
            near.distance + least,
            least,
            near.direction.feature == FeatureKind::Face,
            &near};
}

ContactPlane plane_of_ground(const NearContact& near, const Ground& ground,
                             const Offsets& offsets) noexcept {
    const double least = lift_of(near, offsets);
    return {near.face(),           near.direction, ground.normal, near.triangle->corner_at(0),
            ground.height + least, least,          true,          &near};
}

}  // namespace

std::optional<Ground> ground_below(const NearTriangle& t, const Vec3& centre) noexcept {
    const Vec3 n = t.normal_vector();
    if (t.thin || !(norm_sq(n) > 0.5)) return std::nullopt;
    const double height = dot(n, centre - t.corner_at(0));
    return height < 0.0 ? Ground{-n, -height} : Ground{n, height};
}

bool goes_on(const Direction& edge, const Vec3& normal, const NearSet& witnesses,
             const Vec3& centre, const Offsets& offsets) noexcept {
    return std::any_of(witnesses.all().begin(), witnesses.all().end(), [&](const NearContact& w) {
        return goes_on_at(edge, w, normal, centre, offsets);
    });
}

double height_over(const ContactPlane& plane, const NearTriangle& t) noexcept {
    return std::max({dot(plane.normal, t.corner_at(0) - plane.point),
                     dot(plane.normal, t.corner_at(1) - plane.point),
                     dot(plane.normal, t.corner_at(2) - plane.point)});
}

void NearSet::add(const NearContact& near, bool keeps) noexcept {
    smallest_ = std::min(smallest_, near.distance);
    std::size_t place = static_cast<std::size_t>(count_);
    if (count_ < kMost) {
        ++count_;
    } else {
        place = 0;
        for (std::size_t i = 1; i < kMost; ++i)
            if (near_[i].distance > near_[place].distance) place = i;
        if (!(near.distance < near_[place].distance)) return;
    }
    std::construct_at(&near_[place], near);
    if (keeps) return;
    std::construct_at(&copies_[place], *near.triangle);
    near_[place].triangle = &copies_[place];
}

// By insertion: they are few.
void NearSet::sort() noexcept {
    for (std::size_t i = 1; i < static_cast<std::size_t>(count_); ++i) {
        if (!is_before(near_[i], near_[i - 1])) continue;
        const NearContact moved = near_[i];
        std::size_t place = i;
        for (; place > 0 && is_before(moved, near_[place - 1]); --place)
            near_[place] = near_[place - 1];
        near_[place] = moved;
    }
}

bool ContactPlanes::add_all(const NearSet& near, const Vec3& centre,
                            const Offsets& offsets) noexcept {
    bool doubtful = false;
    for (const NearContact& n : near.all()) {
        if (is_covered(all(), *n.triangle, offsets)) continue;
        const std::optional<Ground> ground = parting_ground(n, centre, offsets);
        if (!ground) {
            add(plane_of_contact(n, offsets));
        } else if (is_carried(all(), *ground)) {
            add(plane_of_ground(n, *ground, offsets));
        } else {
            doubtful = true;
        }
    }
    return doubtful;
}

void ContactPlanes::add_doubtful(const NearSet& near, const NearSet& witnesses, const Vec3& centre,
                                 const Offsets& offsets) noexcept {
    for (const NearContact& n : near.all()) {
        if (is_covered(all(), *n.triangle, offsets)) continue;
        const std::optional<Ground> ground = parting_ground(n, centre, offsets);
        if (!ground) continue;
        const bool common = is_carried(all(), *ground) ||
                            goes_on(n.direction, ground->normal, witnesses, centre, offsets);
        add(common ? plane_of_ground(n, *ground, offsets) : plane_of_contact(n, offsets));
    }
}

}  // namespace graze::slide
