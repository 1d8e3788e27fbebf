#include "graze/slide/character.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/vec3.hpp"
#include "slide/footing.hpp"

namespace graze::slide {
namespace {

// A contact that looks down this much is a ceiling.
constexpr double kCeiling = -0.5;
// In the air ground is looked for within so many skins: it rests two above it.
constexpr double kLandingSkins = 4.0;
// [skins] A change of body may move it by so much: rounding, and back to its rest.
constexpr double kMostNudge = 3.0;

Vec3 up_of(const Vec3& up) noexcept {
    return unit(up).value_or(Vec3{0.0, 1.0, 0.0});
}

template <class Real>
Shape<Real> shape_of(const Capsule<Real>& body, const Vec<Real>& up) noexcept {
    const double half = 0.5 * double{body.height} - double{body.radius};
    if (!(half > 0.0)) return {{body.radius, body.radius, body.radius}, {}};
    return capsule(body.radius, static_cast<Real>(half), narrowed<Real>(up_of(widened(up))));
}

// From the feet to the centre: that of the rounded shape.
template <class Real>
Vec3 feet_to_centre(const Shape<Real>& shape, const Vec3& up) noexcept {
    return widened(shape.half_axis) + double{shape.radii.x} * up;
}

}  // namespace

template <class Real>
Character<Real>::Character(const Capsule<Real>& body, const Vec<Real>& feet,
                           const CharacterOptions<Real>& options) noexcept
    : body_(body), shape_(shape_of(body, options.up)), options_(options) {
    teleport(feet);
}

template <class Real>
void Character<Real>::teleport(const Vec<Real>& feet) noexcept {
    centre_ = narrowed<Real>(widened(feet) + feet_to_centre(shape_, up_of(widened(options_.up))));
    on_ground_ = false;
    is_proved_ = false;
    carrier_.reset();
    frame_.reset();
}

template <class Real>
Vec<Real> Character<Real>::feet() const noexcept {
    return narrowed<Real>(widened(centre_) - feet_to_centre(shape_, up_of(widened(options_.up))));
}

template <class Real>
MoveOptions<Real> Character<Real>::move_options() const noexcept {
    return {options_.skin, options_.layers};
}

template <class Real>
Real Character<Real>::step_height() const noexcept {
    return options_.step_height > Real{0} ? options_.step_height
                                          : static_cast<Real>(0.2) * body_.height;
}

template <class Real>
CharacterFrame<Real> Character<Real>::move(const Level<Real>& level,
                                           const Vec<Real>& displacement) noexcept {
    CharacterFrame<Real> frame;
    frame.ride.outcome = RideOutcome::Unmoved;
    frame.ride.position = centre_;
    frame.ride.time = 1.0;
    walk(level, displacement, frame);
    return frame;
}

// First what the parts did since the last move, from where it was before; then its own move, among
// the parts where they are now.
template <class Real>
CharacterFrame<Real> Character<Real>::move(const World<Real>& world,
                                           const Vec<Real>& displacement) noexcept {
    CharacterFrame<Real> frame;
    frame.ride.outcome = RideOutcome::Unmoved;
    frame.ride.position = centre_;
    frame.ride.time = 1.0;
    if (frame_ && *frame_ + 1 == world.frame()) {
        frame.ride = ride_parts(world, shape_, centre_, carrier_, move_options());
        centre_ = frame.ride.position;
    } else if (frame_ && *frame_ != world.frame()) {
        // What moved in the frames in between is not known any more.
        const auto gap = smallest_gap(world, shape_, centre_, Real{0}, options_.layers);
        frame.ride.outcome = RideOutcome::Unproved;
        frame.ride.time = 0.0;
        frame.ride.overlap = gap.found ? std::max(-gap.gap_lower, 0.0) : 0.0;
    }
    frame_ = world.frame();
    walk(world, displacement, frame);
    return frame;
}

template <class Real>
void Character<Real>::walk(const Obstacles<Real>& obstacles, const Vec<Real>& displacement,
                           CharacterFrame<Real>& frame) noexcept {
    const Vec3 up = up_of(widened(options_.up));
    const bool was_on_ground = on_ground_;
    const Vec<Real> start = centre_;
    StairOptions<Real> stairs;
    stairs.height = was_on_ground ? step_height() : Real{0};
    stairs.footing = {narrowed<Real>(up), options_.least_upward};
    stairs.move = move_options();
    frame.walk = move_and_climb(obstacles, shape_, centre_, displacement, stairs);
    frame.climbed = frame.walk.action == StairAction::Climbed;
    const MoveResult<Real>& moved = frame.walk.moved;
    const double rise = dot(widened(displacement), up);
    for (const SweepContact<Real>& contact : moved.touched())
        frame.hit_ceiling =
            frame.hit_ceiling || (rise > 0.0 && dot(widened(contact.normal), up) <= kCeiling);
    centre_ = moved.position;
    is_proved_ = moved.gap_proved;
    frame.skin = moved.skin;
    const bool rises = rise > double{moved.skin} && !frame.hit_ceiling;
    find_ground(obstacles, rises, frame);
    const bool was_pushed = moved.stopped == StopReason::PushedOut;
    if (options_.stops_at_ledges && was_on_ground && !frame.on_ground && !rises && !was_pushed &&
        moved.gap_proved)
        hold_at(obstacles, start, rises, frame);
    on_ground_ = frame.on_ground;
    carrier_ = frame.on_ground ? std::optional(frame.ground.part) : std::nullopt;
    frame.landed = frame.on_ground && !was_on_ground;
    frame.left_ground = was_on_ground && !frame.on_ground;
    frame.gap_proved = is_proved_;
    frame.feet = feet();
}

// Back to where it came from. The skin there is another one than where the move led.
template <class Real>
void Character<Real>::hold_at(const Obstacles<Real>& obstacles, const Vec<Real>& start, bool rises,
                              CharacterFrame<Real>& frame) noexcept {
    const MoveResult<Real> there = move_and_slide(obstacles, shape_, start, {}, move_options());
    if (!there.gap_proved || there.position != start) return;
    centre_ = start;
    frame.skin = there.skin;
    frame.held_at_ledge = true;
    find_ground(obstacles, rises, frame);
}

template <class Real>
void Character<Real>::find_ground(const Obstacles<Real>& obstacles, bool rises,
                                  CharacterFrame<Real>& frame) noexcept {
    if (!is_proved_) return;
    SnapOptions<Real> snap;
    const Real landing = static_cast<Real>(kLandingSkins * double{frame.skin});
    const Real follow = options_.snap_distance > Real{0} ? options_.snap_distance : step_height();
    snap.distance = on_ground_ && !rises ? std::max(follow, landing) : landing;
    snap.step_height = step_height();
    snap.footing = {narrowed<Real>(up_of(widened(options_.up))), options_.least_upward};
    snap.move = move_options();
    const SnapResult<Real> ground = snap_to_ground(obstacles, shape_, centre_, snap);
    frame.on_ground =
        !rises && (ground.action == SnapAction::OnGround || ground.action == SnapAction::Snapped);
    frame.ground = ground.ground;
    if (!frame.on_ground || !ground.gap_proved) return;
    centre_ = ground.position;
    frame.skin = ground.skin;
}

template <class Real>
bool Character<Real>::change_body(const Obstacles<Real>& obstacles,
                                  const Capsule<Real>& body) noexcept {
    const Vec3 up = up_of(widened(options_.up));
    const Shape<Real> shape = shape_of(body, options_.up);
    const Vec3 feet = widened(centre_) - feet_to_centre(shape_, up);
    const Vec<Real> centre = narrowed<Real>(feet + feet_to_centre(shape, up));
    const MoveResult<Real> there = move_and_slide(obstacles, shape, centre, {}, move_options());
    const double nudge = norm(widened(there.position) - widened(centre));
    if (!there.gap_proved || !(nudge <= kMostNudge * double{there.skin})) return false;
    body_ = body;
    shape_ = shape;
    centre_ = there.position;
    is_proved_ = true;
    return true;
}

template class Character<float>;
template class Character<double>;

}  // namespace graze::slide
