#include "graze/slide/controller.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "slide/plane_set.hpp"

namespace graze::slide {
namespace {

// Of the wish, in the plane across `up`: with more than this a move has got where it wished.
constexpr double kFarEnough = 1.0 - 0x1p-10;

// None for zero and for what is no number.
std::optional<Vec3> unit(const Vec3& v) noexcept {
    const double length = norm(v);
    if (!is_finite(v) || !(length > 0.0)) return std::nullopt;
    return (1.0 / length) * v;
}

Vec3 across(const Vec3& v, const Vec3& up) noexcept {
    return v - dot(v, up) * up;
}

// The normal of the contact's own face, on the side of the contact.
template <class Real>
Vec3 face_normal(const Level<Real>& level, const Contact<Real>& contact) noexcept {
    const auto corner = level.triangle(contact.part, contact.face);
    const Vec3 a = widened(corner[0]);
    const Vec3 normal = cross(widened(corner[1]) - a, widened(corner[2]) - a);
    return dot(normal, widened(contact.normal)) < 0.0 ? -normal : normal;
}

// On the edge of a step the contact is tilted, though the step is not.
template <class Real>
bool can_stand(const Level<Real>& level, const MoveResult<Real>& moved,
               const Footing<Real>& footing) noexcept {
    return std::any_of(moved.touched().begin(), moved.touched().end(),
                       [&](const Contact<Real>& contact) {
                           if (is_walkable(contact.normal, footing)) return true;
                           const std::optional<Vec3> normal = unit(face_normal(level, contact));
                           return contact.feature != Feature::Face && normal &&
                                  is_walkable(narrowed<Real>(*normal), footing);
                       });
}

// Up, forward and down, from one start.
template <class Real>
class Climb {
public:
    Climb(const Level<Real>& level, const Shape<Real>& shape, const Vector<Real>& start,
          const Vec3& forward, const Vec3& up, const StepOptions<Real>& options) noexcept
        : level_(level),
          shape_(shape),
          start_(start),
          forward_(forward),
          up_(up),
          options_(options) {}

    [[nodiscard]] StepResult<Real> over(const MoveResult<Real>& plain) const noexcept {
        const MoveResult<Real> raised = go(start_, double{options_.height} * up_);
        const double rise = dot(widened(raised.position) - widened(start_), up_);
        if (!(rise > double{plain.skin})) return {StepAction::NoRoom, Real{0}, plain};
        const MoveResult<Real> ahead = go(raised.position, forward_);
        const double gained = progress(ahead.position) - progress(plain.position);
        const bool held_down = raised.stopped == StopReason::Blocked;
        if (!(gained > double{plain.skin}))
            return {held_down ? StepAction::NoRoom : StepAction::TooHigh, Real{0}, plain};
        const MoveResult<Real> landed = go(ahead.position, -rise * up_);
        if (!stands(ahead.position, rise, landed)) return {StepAction::NotWalkable, Real{0}, plain};
        const double climbed = dot(widened(landed.position) - widened(start_), up_);
        return {StepAction::Climbed, static_cast<Real>(climbed), landed};
    }

    // Along the wish, in the plane across `up`.
    [[nodiscard]] double progress(const Vector<Real>& place) const noexcept {
        return dot(widened(place) - widened(start_), forward_) / norm(forward_);
    }

private:
    [[nodiscard]] MoveResult<Real> go(const Vector<Real>& from, const Vec3& wish) const noexcept {
        return move_and_slide(level_, shape_, from, narrowed<Real>(wish), options_.move);
    }

    // A round shape that has just got over the edge touches nothing but that: what is there half a
    // radius farther on decides.
    [[nodiscard]] bool stands(const Vector<Real>& above, double rise,
                              const MoveResult<Real>& landed) const noexcept {
        if (landed.stopped == StopReason::Free && landed.contact_count == 0) return true;
        if (can_stand(level_, landed, options_.footing)) return true;
        const double reach = 0.5 * norm_max(widened(shape_.radii)) / norm(forward_);
        const MoveResult<Real> farther = go(above, reach * forward_);
        return can_stand(level_, go(farther.position, -rise * up_), options_.footing);
    }

    const Level<Real>& level_;
    const Shape<Real>& shape_;
    Vector<Real> start_;
    Vec3 forward_;
    Vec3 up_;
    const StepOptions<Real>& options_;
};

}  // namespace

std::string_view name(StepAction action) noexcept {
    switch (action) {
        case StepAction::NotNeeded:
            return "not-needed";
        case StepAction::Climbed:
            return "climbed";
        case StepAction::NoRoom:
            return "no-room";
        case StepAction::TooHigh:
            return "too-high";
        case StepAction::NotWalkable:
            return "not-walkable";
    }
    return "";
}

std::string_view name(SnapAction action) noexcept {
    switch (action) {
        case SnapAction::OnGround:
            return "on-ground";
        case SnapAction::Snapped:
            return "snapped";
        case SnapAction::NoGround:
            return "no-ground";
        case SnapAction::TooSteep:
            return "too-steep";
    }
    return "";
}

template <class Real>
bool is_walkable(const Vector<Real>& normal, const Footing<Real>& footing) noexcept {
    const std::optional<Vec3> up = unit(widened(footing.up));
    return up && dot(widened(normal), *up) >= double{footing.least_upward};
}

template <class Real>
SlopeLimit<Real> limit_slope(const Vector<Real>& wish, std::span<const Contact<Real>> contacts,
                             const Footing<Real>& footing) noexcept {
    SlopeLimit<Real> result{wish, 0};
    const std::optional<Vec3> up = unit(widened(footing.up));
    if (!up || !is_finite(widened(wish))) return result;
    std::array<HalfSpace, kMostPlanes> walls;
    std::size_t count = 0;
    for (const Contact<Real>& c : contacts) {
        const double upward = dot(widened(c.normal), *up);
        const bool steep = upward > 0.0 && upward < double{footing.least_upward};
        const std::optional<Vec3> away = unit(across(widened(c.normal), *up));
        if (!steep || !away || count == walls.size()) continue;
        walls[count++] = {*away, 0.0};
        if (dot(*away, widened(wish)) < 0.0) ++result.steep_count;
    }
    if (result.steep_count > 0)
        result.wish = narrowed<Real>(nearest_allowed({walls.data(), count}, widened(wish)).move);
    return result;
}

template <class Real>
StepResult<Real> move_and_climb(const Level<Real>& level, const Shape<Real>& shape,
                                const Vector<Real>& start, const Vector<Real>& wish,
                                const StepOptions<Real>& options) noexcept {
    StepResult<Real> result;
    result.moved = move_and_slide(level, shape, start, wish, options.move);
    const std::optional<Vec3> up = unit(widened(options.footing.up));
    if (!up || !(options.height > Real{0}) || !result.moved.gap_proved) return result;
    const Vec3 forward = across(widened(wish), *up);
    if (!(norm(forward) > double{result.moved.skin})) return result;
    const Climb<Real> climb(level, shape, start, forward, *up, options);
    if (climb.progress(result.moved.position) >= kFarEnough * norm(forward)) return result;
    return climb.over(result.moved);
}

template <class Real>
SnapResult<Real> snap_to_ground(const Level<Real>& level, const Shape<Real>& shape,
                                const Vector<Real>& start,
                                const SnapOptions<Real>& options) noexcept {
    SnapResult<Real> result;
    result.position = start;
    const std::optional<Vec3> up = unit(widened(options.footing.up));
    if (!up || !(options.distance > Real{0})) return result;
    const Vector<Real> down = narrowed<Real>(-double{options.distance} * *up);
    // The skin that would be used here, and where a body rests.
    const Real skin = move_and_slide(level, shape, start, {}, options.move).skin;
    const SweepResult<Real> ground = first_contact(
        level, shape, {start, down, static_cast<Real>(2.0 * double{skin}), options.move.layers});
    if (!ground.hit) return result;
    result.ground = ground.contact;
    if (!is_walkable(ground.contact.normal, options.footing)) {
        result.action = SnapAction::TooSteep;
        return result;
    }
    const Vec3 way = double{ground.time} * widened(down);
    const MoveResult<Real> moved =
        move_and_slide(level, shape, start, narrowed<Real>(way), options.move);
    const double dropped = -dot(widened(moved.position) - widened(start), *up);
    if (!moved.gap_proved || !(dropped > double{skin} / 4.0)) {
        result.action = SnapAction::OnGround;
        return result;
    }
    result.action = SnapAction::Snapped;
    result.position = moved.position;
    result.dropped = static_cast<Real>(dropped);
    return result;
}

template bool is_walkable(const Vector<float>&, const Footing<float>&) noexcept;
template bool is_walkable(const Vector<double>&, const Footing<double>&) noexcept;
template SlopeLimit<float> limit_slope(const Vector<float>&, std::span<const Contact<float>>,
                                       const Footing<float>&) noexcept;
template SlopeLimit<double> limit_slope(const Vector<double>&, std::span<const Contact<double>>,
                                        const Footing<double>&) noexcept;
template StepResult<float> move_and_climb(const Level<float>&, const Shape<float>&,
                                          const Vector<float>&, const Vector<float>&,
                                          const StepOptions<float>&) noexcept;
template StepResult<double> move_and_climb(const Level<double>&, const Shape<double>&,
                                           const Vector<double>&, const Vector<double>&,
                                           const StepOptions<double>&) noexcept;
template SnapResult<float> snap_to_ground(const Level<float>&, const Shape<float>&,
                                          const Vector<float>&, const SnapOptions<float>&) noexcept;
template SnapResult<double> snap_to_ground(const Level<double>&, const Shape<double>&,
                                           const Vector<double>&,
                                           const SnapOptions<double>&) noexcept;

}  // namespace graze::slide
