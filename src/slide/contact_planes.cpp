#include "slide/contact_planes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace graze::slide {
namespace {

// Cosine of the angle up to which a face that carries the ball counts as the ground of another.
constexpr double kSameGround = 0.9;

// Faces first: on flat ground the one below the ball then covers all the others, edges included.
// The nearer first among each, so that what holds the ball is there before its neighbours ask.
bool is_before(const NearContact& a, const NearContact& b) noexcept {
    const bool a_face = a.direction.feature == FeatureKind::Face;
    const bool b_face = b.direction.feature == FeatureKind::Face;
    if (a_face != b_face) return a_face;
    return a.distance < b.distance;
}

// SM-3: for any direction n and point c with n . (z - c) <= h for all vertices z, a centre with
// n . (y - c) >= o keeps the distance o - h from the triangle. With h <= o - hard that is the hard
// radius: as long as the plane is kept the triangle cannot be met, and needs none of its own. On
// flat ground o = rest and h = 0, and rest - hard is a skin: edges, T-junctions and mismatches of
// less than a skin do not exist for the ball.
bool is_covered(std::span<const ContactPlane> planes, const NearTriangle& t,
                const Offsets& offsets) noexcept {
    return std::any_of(planes.begin(), planes.end(), [&](const ContactPlane& p) {
        return height_over(p, t) <= p.offset - offsets.hard;
    });
}

// Does `other` continue the ground on the far side of the edge? It has to lie at the height of the
// edge but for a step, and be a face of nearly that normal, or an edge beyond the centre: then the
// two offsets from the centre, projected into the ground, point to different sides (a negative
// product).
// Past the last edge of a table there is nothing of the kind, and the ball falls as it should.
bool goes_on_at(const Direction& edge, const NearContact& other, const Vec3& normal,
                const Vec3& centre, const Offsets& offsets) noexcept {
    const Vec3 offset = edge.on_triangle - centre;
    const Vec3 other_offset = other.direction.on_triangle - centre;
    const double depth = dot(offset, normal);
    const double other_depth = dot(other_offset, normal);
    if (!(std::fabs(depth - other_depth) <= offsets.step)) return false;
    if (other.direction.feature == FeatureKind::Face)
        return dot(other.normal, normal) >= kSameGround;
    return dot(offset, other_offset) - depth * other_depth < 0.0;
}

// The plane of the face separates it from the ball just as well as the direction to the edge does,
// as long as the ball is above that plane by the hard radius, and is not tilted against the path.
// (The direction to an edge of the next triangle leans against the path by about sqrt(2 e / R) for
// a tolerance e: the usual cause of snagging.) Twice the rounding to spare: the height is an
// estimate, and the plane has to hold for a position that is rounded later.
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

// Between settled and contact every distance counts as rest, so that nothing is corrected for ever
// (SM-5); below it the plane asks to be taken back to rest.
double lift_of(const NearContact& near, const Offsets& offsets) noexcept {
    return near.distance >= offsets.settled ? 0.0 : offsets.rest - near.distance;
}

// Through the nearest point, across the direction to it: separates the whole triangle, not only
// that point, since the triangle is convex.
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
    return {near.face(),           near.direction, ground.normal, near.triangle->vertex_at(0),
            ground.height + least, least,          true,          &near};
}

}  // namespace

// The normal of a thin triangle has lost ten bits, and says nothing of the ground. A round obstacle
// has a normal at each point, that of the contact.
std::optional<Ground> ground_below(const NearTriangle& t, const Vec3& centre) noexcept {
    const Vec3 n = t.normal_vector();
    if (t.thin() || t.is_round || !(norm_sq(n) > 0.5)) return std::nullopt;
    const double height = dot(n, centre - t.vertex_at(0));
    return height < 0.0 ? Ground{-n, -height} : Ground{n, height};
}

bool goes_on(const Direction& edge, const Vec3& normal, const NearSet& witnesses,
             const Vec3& centre, const Offsets& offsets) noexcept {
    return std::any_of(witnesses.all().begin(), witnesses.all().end(), [&](const NearContact& w) {
        return goes_on_at(edge, w, normal, centre, offsets);
    });
}

double height_over(const ContactPlane& plane, const NearTriangle& t) noexcept {
    const double height = std::max({dot(plane.normal, t.vertex_at(0) - plane.point),
                                    dot(plane.normal, t.vertex_at(1) - plane.point),
                                    dot(plane.normal, t.vertex_at(2) - plane.point)});
    return t.is_round ? height + detail::round_extent(t, plane.normal) : height;
}

// Where there is no free slot the farthest goes: what is nearer is met first, and what is dropped
// here costs progress but no gap, since every path is proved against all triangles (SM-2).
std::size_t NearSet::slot_of_farther(double distance) const noexcept {
    std::size_t slot = 0;
    for (std::size_t i = 1; i < kMost; ++i)
        if (near_[i].distance > near_[slot].distance) slot = i;
    return distance < near_[slot].distance ? slot : kMost;
}

void NearSet::keep_copy(std::size_t slot) noexcept {
    std::construct_at(&copies_[slot], *near_[slot].triangle);
    near_[slot].triangle = &copies_[slot];
}

// By insertion: they are few.
void NearSet::sort() noexcept {
    for (std::size_t i = 1; i < static_cast<std::size_t>(count_); ++i) {
        if (!is_before(near_[i], near_[i - 1])) continue;
        const NearContact moved = near_[i];
        std::size_t slot = i;
        for (; slot > 0 && is_before(moved, near_[slot - 1]); --slot)
            near_[slot] = near_[slot - 1];
        near_[slot] = moved;
    }
}

// Faces come first (is_before()), so that an edge finds the planes of all faces when it asks
// whether it is covered or carried.
bool ContactPlanes::add_all(const NearSet& near, const Vec3& centre,
                            const Offsets& offsets) noexcept {
    bool doubtful = false;
    for (const NearContact& n : near.all()) {
        if (is_covered(all(), *n.triangle, offsets)) continue;
        const std::optional<Ground> ground = parting_ground(n, centre, offsets);
        if (!ground) {
            add_made([&] { return plane_of_contact(n, offsets); });
        } else if (is_carried(all(), *ground)) {
            add_made([&] { return plane_of_ground(n, *ground, offsets); });
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
