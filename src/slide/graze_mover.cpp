#include "slide/graze_mover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graze/core/assert.hpp"
#include "slide/mover_contacts-inl.hpp"
#include "slide/mover_lift-inl.hpp"
#include "slide/mover_path-inl.hpp"
#include "slide/mover_start-inl.hpp"

namespace graze::slide {

// All lengths of the search are those of the frame, where the shape is a ball: offsets_ are
// distances of its centre (SM-1), displacement_ is the displacement times per_length. Angles stay
// those of true space, so that an ellipsoid slides along its true planes of contact.
template <class Real>
GrazeMover<Real>::GrazeMover(Surroundings<Real>& around, const MoveRequest<Real>& request,
                             MoveResult<Real>& result) noexcept
    : around_(around),
      request_(request),
      requested_(request.displacement),
      offsets_(offsets_of(around.frame(), double{request.skin}, request.rounding)),
      per_unit_(1.0 / around.frame().per_length),
      is_sphere_(around.frame().smallest_radius == around.frame().largest_radius),
      unit_(is_sphere_ ? Vec3{per_unit_, per_unit_, per_unit_} : around.frame().radii),
      position_(widened(request.start)),
      proved_at_(kNowhere),
      displacement_(around.frame().per_length * request.displacement),
      length_(length_of(displacement_)),
      slack_(kSlack * offsets_.skin),
      result_(result) {
    result_.position = request.start;
    result_.skin = request.skin;
}

// Each face once, in the order of contact; more than fit are not reported, though they hold the
// ball.
template <class Real>
void GrazeMover<Real>::touch(const NearFace& face, const Direction& direction,
                             double time) noexcept {
    for (const SweepContact<Real>& c : result_.touched())
        if (c.part == face.part && c.face == face.face) return;
    if (result_.contact_count == kMaxMoveContacts) return;
    const Frame& frame = around_.frame();
    const Vec3 across = is_sphere_ ? direction.w : per_unit_ * frame.local_vector(direction.w);
    const double length = length_of(across);
    const Vec3 normal = (length > 0.0 ? 1.0 / length : 0.0) * across;
    const auto on_level = around_.feature_of(face, direction);
    const Vec3& p = on_level.point;
    const Vec3& r = unit_;
    const Vec3 point{frame.origin.x + r.x * p.x, frame.origin.y + r.y * p.y,
                     frame.origin.z + r.z * p.z};
    result_.contacts[static_cast<std::size_t>(result_.contact_count++)] = {
        face.part,
        face.face,
        face.tag,
        on_level.feature,
        static_cast<Real>(fraction_ * time),
        narrowed<Real>(point),
        narrowed<Real>(normal)};
}

// Requires: I. See the table of transitions in graze_mover.hpp. The displacement is projected anew
// in each iteration, from what is left of it, onto all planes that are there together, and none
// that was left: the published movers keep the first plane, or only the last.
template <class Real>
typename GrazeMover<Real>::Next GrazeMover<Real>::iterate(Known known) noexcept {
    const Vec3 displacement = left_ * displacement_;
    if (known == Known::Contacts) make_planes();
    AllowedMove move = allowed(displacement);
    keep_length(move, displacement);
    for (int i = 0; i < move.active_count; ++i) {
        const ContactPlane& p = planes_[move.active[static_cast<std::size_t>(i)]];
        touch(p.face, p.direction, 1.0 - left_);
        if (!p.of_face && p.contact != nullptr &&
            lift_over(*p.contact->triangle, p.direction, displacement))
            return Next::FindContacts;
    }
    // SM-5: a move below 2^-24 of the displacement (2^-20 in float) is none, and the start comes
    // back bit for bit. A valley whose sides fall by an angle a leaves a move a |w| along one side
    // that violates the other by a^2 |w|: below the tolerance 2^-50 of the solver from a = 2^-25
    // on.
    const double least = kStillMove<Real> * left_ * length_;
    const Vec3 to = moved(move.move);
    if (!(norm_sq(move.move) > least * least) || to == position_) {
        result_.stopped = move.active_count > 0 ? StopReason::Blocked : StopReason::Free;
        stand();
        return Next::End;
    }
    if (!is_finite(to)) return Next::End;
    const Obstacle obstacle = first_obstacle(to);
    if (!obstacle.hit) {
        if (!obstacle.met_at_start || is_clear(to))
            accept(to, move.move, displacement, !obstacle.met_at_start);
        return Next::End;
    }
    const NearTriangle& met = *obstacle.triangle;
    touch({met.part, met.face, met.tag, false}, obstacle.direction,
          1.0 - left_ * (1.0 - obstacle.time));
    if (lift_over(met, obstacle.direction, displacement)) return Next::FindContacts;
    if (planes_.all().empty()) find_pace(displacement);
    return advance_to(obstacle, to, known);
}

template <class Real>
void GrazeMover<Real>::iterate_to_end() noexcept {
    result_.stopped = StopReason::Blocked;
    Known known = Known::Contacts;
    for (Next next = iterate(known); next != Next::End; next = iterate(known)) {
        if (result_.iterations == kMaxMoveIterations) {
            result_.stopped = StopReason::Limit;
            return;
        }
        ++result_.iterations;
        known = next == Next::KeepPlanes ? Known::Planes : Known::Contacts;
        if (known == Known::Contacts && !find_contacts()) return;
    }
    if (fraction_ < 1.0 && result_.stopped == StopReason::Free) result_.stopped = StopReason::Limit;
}

// Whatever led to the position: it is proved here, or the last one that was is returned.
template <class Real>
void GrazeMover<Real>::finish(bool pushed) noexcept {
    const Vec3 start = widened(request_.start);
    if (position_ != proved_at_ && !is_proved_here()) {
        const Vec3 proved = proved_at_;
        lift_.reset();
        if (around_.has_left_out() && push_out()) {
            pushed = true;  // to the front of what its centre has come through
        } else {
            go_back_to(proved);
            result_.stopped = StopReason::Blocked;
        }
    }
    if (pushed) {
        result_.stopped = StopReason::PushedOut;
    } else if (position_ != start && !(dot(requested_, position_ - start) > 0.0) &&
               !(lift_ && lift_->carried)) {
        // By rounding, or up a side of a pit. SM-5: w . x grows with every move, so that under one
        // displacement positions, which are finitely many, do not repeat. Lifts with ground that
        // carries the ball are excepted.
        go_back_to(start);
        result_.stopped = StopReason::Blocked;
    }
    result_.position = narrowed<Real>(position_);
    GRAZE_ASSERT(widened(result_.position) == position_);
    result_.gap_proved = true;
}

template <class Real>
void GrazeMover<Real>::run() noexcept {
    result_.iterations = 1;
    if (request_.trail != nullptr) request_.trail->start(position_);
    if (request_.too_long) [[unlikely]] {
        if (flies()) return finish(false);
        use_skin(double{request_.skin});
    }
    gather(slack_);
    bool pushed = !find_contacts();
    if (pushed && !push_out()) return;  // the start, and nothing proved
    if (request_.too_long && !fit_skin(pushed)) return;
    pushed = pushed || position_ != widened(request_.start);
    result_.stopped = fraction_ < 1.0 ? StopReason::Limit : StopReason::Free;
    if (norm_max(request_.displacement) > 0.0) iterate_to_end();
    finish(pushed);
}

template class GrazeMover<float>;
template class GrazeMover<double>;

}  // namespace graze::slide
