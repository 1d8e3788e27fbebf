// Edges that stick out of the ground by at most four skins are climbed like flat ground (SM-3).
// Included by graze_mover.cpp alone.
//
// A lift is a path along the normal of the ground, proved by is_clear() like any other, so that the
// invariant holds after it; all lifts of a move together are at most offsets_.step, which bounds
// their number and is part of the slack that was gathered.
#pragma once

#include "slide/graze_mover.hpp"
#include "slide/mover_constants.hpp"

namespace graze::slide {

// An edge or vertex that sticks out of the ground in front of the ball, and not much.
template <class Real>
bool GrazeMover<Real>::is_ahead(const Vec3& ground, const Direction& direction,
                                const Vec3& displacement) const noexcept {
    // The contact of a ball at rest with an edge that is h higher than the ground is tilted by an
    // angle with 1 - cos = (h - skin) / radius.
    const double upright = 1.0 - 2.0 * offsets_.step / offsets_.hard;
    const double length = length_of(direction.w);
    if (!(dot(ground, direction.w) >= upright * length)) return false;
    const Vec3 path = per_unit_ * around_.frame().local_vector(displacement);
    const Vec3 along = path - dot(path, ground) * ground;
    return dot(along, direction.w) < -kStill * length * length_of(path);
}

// Raises the ball, and remembers the ground as that much higher.
template <class Real>
bool GrazeMover<Real>::lift_with(const ContactPlane& ground, double rise, bool carried) noexcept {
    const double lifted = lift_ ? lift_->total : 0.0;
    if (!(rise > 0.0) || !(lifted + rise <= offsets_.step)) return false;
    const HalfSpace up = half_space(ground.normal, rise);
    const Vec3 to = moved(up.least * up.normal);
    if (!is_finite(to) || !is_clear(to)) return false;
    Lift lift{position_, to, lifted + rise, ground, carried && (!lift_ || lift_->carried)};
    lift.ground.offset += rise;
    lift.ground.contact = nullptr;
    lift_ = lift;
    go_to(to);
    return true;
}

// With ground that carries the ball: so that it covers what is ahead.
template <class Real>
bool GrazeMover<Real>::lift_over(const NearTriangle& t, const Direction& direction,
                                 const Vec3& displacement) noexcept {
    for (const ContactPlane& plane : planes_.all()) {
        if (!plane.of_face || !is_ahead(plane.normal, direction, displacement)) continue;
        const double lack = height_over(plane, t) - (plane.offset - offsets_.rest);
        if (lift_with(plane, lack + 2.0 * offsets_.rounding, true)) return true;
    }
    return lift_over_own_ground(t, direction, displacement);
}

// With the ground that the edge ahead belongs to, where that goes on below the ball.
template <class Real>
bool GrazeMover<Real>::lift_over_own_ground(const NearTriangle& t, const Direction& direction,
                                            const Vec3& displacement) noexcept {
    const Vec3 centre = local(position_);
    const std::optional<Ground> ground = ground_below(t, centre);
    if (!ground || !is_ahead(ground->normal, direction, displacement)) return false;
    find_near(offsets_.witness, witnesses_);
    if (!goes_on(direction, ground->normal, witnesses_, centre, offsets_)) return false;
    const ContactPlane plane{{t.part, t.face, t.tag, false},
                             direction,
                             ground->normal,
                             t.vertex_at(0),
                             ground->height,
                             0.0,
                             true,
                             nullptr};
    return lift_with(plane, offsets_.rest - ground->height + 2.0 * offsets_.rounding, false);
}

// It stays. A lift that led nowhere is taken back, so that rest is rest.
template <class Real>
void GrazeMover<Real>::stand() noexcept {
    if (lift_ && position_ == lift_->after) go_back_to(lift_->before);
}

}  // namespace graze::slide
