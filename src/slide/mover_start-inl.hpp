// The start of a move: a start that is too near to the level is pushed out (SM-6; so is, at its end, a
// shape that came through a one-sided face from behind), and a displacement that is too long for the
// skin is flown at once or cut (SM-7). Included by graze_mover.cpp alone.
//
// These transitions come before the first iteration, and after them the invariant of
// graze_mover.hpp holds or the move has ended:
//   flies()      ends the move; both the path and its end were proved.
//   push_out()   true only behind find_contacts() == true, so that the position is proved. The path
//                of the centre of each push meets no face (crosses_nothing(), exact signs); this is
//                the only path that a position changes without the ball's path being proved free,
//                and the result says PushedOut. False: back at the start, nothing proved.
//   use_skin()   changes the offsets, and so what `proved` means: fit_skin() and widen_skin() prove
//                the position again before they return true.
#pragma once

#include "slide/graze_mover.hpp"
#include "slide/mover_constants.hpp"

namespace graze::slide {

// With another skin, and only so much of the displacement as stays where that suffices.
template <class Real>
void GrazeMover<Real>::use_skin(double skin) noexcept {
    const SkinRule<Real>& rule = request_.rule;
    request_.skin = static_cast<Real>(skin);
    skin = double{request_.skin};
    const double top = rule.top_of(skin);
    const double room = top - rule.reach_of(position_) - rule.lift(skin);
    const double length = safe_length(requested_);
    // Both were rounded: by less than is taken off.
    fraction_ = 1.0;
    if (length > 0.0 && !(length <= room))
        fraction_ = (1.0 - 0x1p-50) * std::max(room, 0.0) / length;
    request_.displacement = fraction_ * requested_;
    request_.reach = std::min(top, rule.reach_of(position_) + safe_length(request_.displacement));
    request_.rounding = rule.rounding_at(request_.reach);
    offsets_ = offsets_of(around_.frame(), skin, request_.rounding);
    slack_ = kSlack * offsets_.skin;
    displacement_ = around_.frame().per_length * request_.displacement;
    length_ = length_of(displacement_);
    result_.skin = request_.skin;
}

// All of a displacement that is too long at once, where nothing is in its path: proved with the
// skin of the start on the path, and with that of the end at the end.
template <class Real>
bool GrazeMover<Real>::flies() noexcept {
    const Vec3 to = widened(narrowed<Real>(position_ + request_.displacement));
    if (!is_finite(to)) return false;
    const Frame& frame = around_.frame();
    around_.gather(box_around(frame, position_, to, offsets_.kept));
    if (!is_clear(to)) return false;
    const Real skin = static_cast<Real>(request_.rule.skin_at(to));
    const double kept = frame.radius_with(double{skin}) + kKeptMargin * frame.ball;
    around_.see_from(local(to));
    around_.gather(box_around(frame, to, to, kept));
    if (!around_.is_clear_at(local(to), kept)) return false;
    go_to(to);
    proved_at_ = to;
    result_.skin = skin;
    result_.stopped = StopReason::Free;
    return true;
}

// Near the top T(s) of what a skin suffices for, cutting would leave little of each displacement,
// and the ball could not leave: so the skin for twice the reach is taken, if the position keeps
// that.
// A skin that suffices twice as far.
// False: the skin and the position are what they were.
template <class Real>
bool GrazeMover<Real>::widen_skin() noexcept {
    const double before = double{request_.skin};
    const double wider = request_.rule.skin_for(2.0 * request_.rule.reach_of(position_));
    if (!(wider <= double{std::numeric_limits<Real>::max()} / 16.0)) return false;
    const bool is_held = safe_length(request_.displacement) < around_.frame().largest_radius;
    use_skin(wider);
    gather(slack_);
    // Pushed only where it could hardly move otherwise.
    if (find_contacts() || (is_held && push_out())) return true;
    use_skin(before);
    return false;
}

// A displacement that is too long is cut where the skin ceases to suffice. Near there, where that
// would leave little of it, the skin is widened. False: the position could not be proved again.
template <class Real>
bool GrazeMover<Real>::fit_skin(bool pushed) noexcept {
    if (pushed) use_skin(double{request_.skin});
    const bool at_rim =
        fraction_ < 1.0 && safe_length(request_.displacement) < request_.rule.reach_of(position_);
    if (at_rim && widen_skin()) return true;
    if (!pushed && !at_rim) return true;
    gather(slack_);
    return find_contacts();
}

// The end of one push. The path of its centre meets no face, by exact arithmetic: no push leads
// through one. (A ball that is too near has no path that is free of them as a ball.)
template <class Real>
bool GrazeMover<Real>::push_by(const Vec3& move, const Vec3& start) noexcept {
    if (move == Vec3{} || !(norm_sq(move) <= slack_ * slack_)) return false;
    const Vec3 to = moved(move);
    const double most = kMostPush * around_.frame().largest_reach;
    if (!is_finite(to) || to == position_ || !(norm(to - start) <= most)) return false;
    if (!around_.crosses_nothing(position_, to)) return false;
    for (const ContactPlane& p : planes_.all())
        touch(p.face, p.direction, 1.0 - left_);
    go_to(to, true);
    return true;
}

// Out of all that is too near at once; where that leads nowhere, out of the nearest alone.
template <class Real>
bool GrazeMover<Real>::push_once(const Vec3& start) noexcept {
    if (near_.all().empty()) return false;
    make_planes();
    if (push_by(nearest({}, 1.0).move, start)) return true;
    planes_.clear();
    const NearContact& deepest =
        *std::min_element(near_.all().begin(), near_.all().end(),
                          [](const auto& a, const auto& b) { return a.distance < b.distance; });
    planes_.add({deepest.face(), deepest.direction, deepest.normal, deepest.direction.on_triangle,
                 offsets_.rest, offsets_.rest - deepest.distance, false, nullptr});
    return push_by(nearest({}, 1.0).move, start);
}

// Again and again; each time to rest.
template <class Real>
bool GrazeMover<Real>::push_out() noexcept {
    const Vec3 start = position_;
    slack_ += kMostPush * around_.frame().largest_reach * around_.frame().per_length;
    gather(slack_);
    for (int push = 0; push < kMaxPushes; ++push) {
        if (find_contacts()) return true;
        if (!push_once(start)) break;
    }
    if (find_contacts()) return true;
    go_back_to(start);
    return false;
}

}  // namespace graze::slide
