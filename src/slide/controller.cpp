#include "graze/slide/controller.hpp"

#include "graze/core/fp_environment.hpp"
#include "slide/held_move.hpp"

namespace graze::slide {
namespace {

// Of the displacement, in the plane across `up`: with more than this a move has got where it was
// meant to.
constexpr double kFarEnough = 1.0 - 0x1p-10;

// Slides on the descent from a step: past a wall on either side, and what both leave.
constexpr int kMostIterationsDown = 3;

// A move that ends where it meets something.
template <class Real>
struct StraightMove {
    bool meets = false;
    SweepContact<Real> contact;  // the first, where there is one
    MoveResult<Real> moved;
};
// The sweep finds how far the shape comes with the gap of rest, two skins; the mover then takes
// that part of the displacement, so that its own proof holds for the result.
template <class Real>
StraightMove<Real> go_straight(const Obstacles<Real>& level, const Shape<Real>& shape,
                               const Vec<Real>& from, const Vec3& displacement, double skin,
                               const MoveOptions<Real>& options) noexcept {
    // To where a body rests.
    const SweepResult<Real> met = first_contact(
        level, shape,
        {from, narrowed<Real>(displacement), static_cast<Real>(2.0 * skin), options.layers});
    const bool held = met.verdict != Verdict::Separated;
    const Vec3 path = held ? double{met.toi_lower} * displacement : displacement;
    return {held, met.contact, move_and_slide(level, shape, from, narrowed<Real>(path), options)};
}

// Up, forward and down, from one start.
template <class Real>
class Climb {
public:
    Climb(const Obstacles<Real>& level, const Shape<Real>& shape, const Vec<Real>& start,
          const Vec3& forward, const Vec3& up, const StairOptions<Real>& options,
          const FootingRule<Real>& footing_rule) noexcept
        : level_(level),
          shape_(shape),
          start_(start),
          forward_(forward),
          up_(up),
          options_(options),
          footing_rule_(footing_rule) {}

    // Every part is a move of its own: one that is not proved leads no farther, and the climb is
    // refused; where one was pushed out, the result says so.
    [[nodiscard]] StairResult<Real> over(const StairResult<Real>& plain) noexcept {
        const double skin{plain.moved.skin};
        const auto refused = [&](StairAction why) {
            return StairResult<Real>{why, Real{0}, plain.steep_count, plain.moved};
        };
        const MoveResult<Real> raised = go(start_, double{options_.height} * up_);
        if (!raised.gap_proved || !(height_of(raised.position) > skin))
            return refused(StairAction::NoRoom);
        const MoveResult<Real> ahead = go_ahead(raised.position, skin);
        const double least = progress(plain.moved.position) + skin;
        const bool held_down = raised.stopped == StopReason::Blocked;
        if (!ahead.gap_proved || !(progress(ahead.position) > least))
            return refused(held_down ? StairAction::NoRoom : StairAction::TooHigh);
        std::optional<MoveResult<Real>> landed = land(ahead.position, least, skin);
        if (!landed) return refused(StairAction::NotWalkable);
        if (is_pushed_) landed->stopped = StopReason::PushedOut;
        const Real climbed = static_cast<Real>(height_of(landed->position));
        return {StairAction::Climbed, climbed, plain.steep_count, *landed};
    }

    // Along the displacement, in the plane across `up`.
    [[nodiscard]] double progress(const Vec<Real>& position) const noexcept {
        return dot(widened(position) - widened(start_), forward_) / norm(forward_);
    }

private:
    void note(const MoveResult<Real>& moved) noexcept {
        is_pushed_ = is_pushed_ || moved.stopped == StopReason::PushedOut;
    }
    [[nodiscard]] MoveResult<Real> go(const Vec<Real>& from, const Vec3& displacement) noexcept {
        const MoveResult<Real> moved =
            move_and_slide(level_, shape_, from, narrowed<Real>(displacement), options_.move);
        note(moved);
        return moved;
    }
    [[nodiscard]] double height_of(const Vec<Real>& position) const noexcept {
        return dot(widened(position) - widened(start_), up_);
    }
    // What is higher than a step stops it up there, too.
    [[nodiscard]] MoveResult<Real> go_ahead(const Vec<Real>& from, double skin) noexcept {
        const MoveResult<Real> ahead =
            HeldMove<Real>(level_, shape_, up_, options_, footing_rule_).from(from, forward_).moved;
        note(ahead);
        if (height_of(ahead.position) <= height_of(from) + skin) return ahead;
        return straight(from, forward_, skin).moved;
    }
    [[nodiscard]] StraightMove<Real> straight(const Vec<Real>& from, const Vec3& displacement,
                                              double skin) noexcept {
        StraightMove<Real> path =
            go_straight(level_, shape_, from, displacement, skin, options_.move);
        note(path.moved);
        return path;
    }
    [[nodiscard]] bool stands(const MoveResult<Real>& moved, double skin) const noexcept {
        const bool is_low = height_of(moved.position) <= double{options_.height} + skin;
        return moved.gap_proved && is_low &&
               footing_rule_.support_at(moved.position, skin, true).has_value();
    }

    // Back to the height of the start at most. In straight paths, so that what was gained is kept:
    // who slides down the edge of a step is where he was. Along what leans beside it goes on; where
    // that leads back, what is there half a radius farther on decides: steps have bevels.
    [[nodiscard]] std::optional<MoveResult<Real>> land(const Vec<Real>& above, double least,
                                                       double skin) noexcept {
        const Vec3 down = -height_of(above) * up_;
        const StraightMove<Real> first = straight(above, down, skin);
        if (!first.moved.gap_proved) return std::nullopt;
        if (!first.meets) return first.moved;
        StraightMove<Real> landed = first;
        Vec3 path = down;
        for (int iteration = 0; iteration < kMostIterationsDown && landed.meets; ++iteration) {
            if (!landed.moved.gap_proved || !(progress(landed.moved.position) > least)) break;
            if (stands(landed.moved, skin)) return landed.moved;
            path =
                across((1.0 - double{landed.contact.time}) * path, widened(landed.contact.normal));
            landed = straight(landed.moved.position, path, skin);
        }
        const Vec3 ahead = (1.0 / norm(forward_)) * forward_;
        const MoveResult<Real> farther = go(above, 0.5 * radius_along(shape_, ahead) * ahead);
        if (!farther.gap_proved) return std::nullopt;
        const StraightMove<Real> there = straight(farther.position, down, skin);
        if (there.meets && stands(there.moved, skin)) return first.moved;
        return std::nullopt;
    }

    const Obstacles<Real>& level_;
    const Shape<Real>& shape_;
    Vec<Real> start_;
    Vec3 forward_;
    Vec3 up_;
    const StairOptions<Real>& options_;
    const FootingRule<Real>& footing_rule_;
    bool is_pushed_ = false;  // in some part
};

}  // namespace

std::string_view name(StairAction action) noexcept {
    switch (action) {
        case StairAction::NotNeeded:
            return "not-needed";
        case StairAction::Climbed:
            return "climbed";
        case StairAction::NoRoom:
            return "no-room";
        case StairAction::TooHigh:
            return "too-high";
        case StairAction::NotWalkable:
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
bool is_walkable(const Vec<Real>& normal, const Footing<Real>& footing) noexcept {
    const std::optional<Vec3> up = unit(widened(footing.up));
    return up && dot(widened(normal), *up) >= double{footing.least_upward};
}

// What is left of the displacement once every slope that is too steep holds it like a wall.
template <class Real>
SlopeLimit<Real> limit_slope(const Obstacles<Real>& level, const Shape<Real>& shape,
                             const MoveResult<Real>& last, const Vec<Real>& displacement,
                             const StairOptions<Real>& options) noexcept {
    SlopeLimit<Real> result{displacement, 0};
    const std::optional<Vec3> up = unit(widened(options.footing.up));
    if (!up || !is_finite(widened(displacement))) return result;
    const FootingRule<Real> footing_rule =
        footing_rule_of(level, shape, last.position, *up, options);
    Walls walls;
    for (const SweepContact<Real>& c : last.touched()) {
        const auto away =
            wall_against(widened(displacement), c, double{last.skin}, *up, footing_rule);
        if (away && walls.add(*away)) ++result.steep_count;
    }
    if (result.steep_count > 0)
        result.displacement = narrowed<Real>(walls.left_of(widened(displacement)));
    return result;
}

namespace {

// First without a step. Only where that falls short of the displacement (kFarEnough), by more than
// a skin across `up`, a climb is tried: on level ground a character costs one move.
template <class Real>
StairResult<Real> sound_move_and_climb(const Obstacles<Real>& level, const Shape<Real>& shape,
                                       const Vec<Real>& start, const Vec<Real>& displacement,
                                       const StairOptions<Real>& options) noexcept {
    const std::optional<Vec3> up = unit(widened(options.footing.up));
    if (!up || !is_finite(widened(displacement)))
        return {StairAction::NotNeeded, Real{0}, 0,
                move_and_slide(level, shape, start, displacement, options.move)};
    const FootingRule<Real> footing_rule = footing_rule_of(level, shape, start, *up, options);
    const StairResult<Real> plain =
        HeldMove<Real>(level, shape, *up, options, footing_rule).from(start, widened(displacement));
    const Vec3 forward = across(widened(displacement), *up);
    if (!(options.height > Real{0}) || !plain.moved.gap_proved ||
        !(norm(forward) > double{plain.moved.skin}))
        return plain;
    Climb<Real> climb(level, shape, start, forward, *up, options, footing_rule);
    if (climb.progress(plain.moved.position) >= kFarEnough * norm(forward)) return plain;
    return climb.over(plain);
}

}  // namespace

template <class Real>
StairResult<Real> move_and_climb(const Obstacles<Real>& level, const Shape<Real>& shape,
                                 const Vec<Real>& start, const Vec<Real>& displacement,
                                 const StairOptions<Real>& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return sound_move_and_climb(level, shape, start, displacement, options); },
        [&]() noexcept {
            StairResult<Real> result;
            result.moved.position = start;
            return result;
        });
}

namespace {

// A drop of less than a quarter of a skin is none: rest, settled and hard differ by that much, so
// that a character who stands is not moved in every frame.
template <class Real>
SnapResult<Real> sound_snap_to_ground(const Obstacles<Real>& level, const Shape<Real>& shape,
                                      const Vec<Real>& start,
                                      const SnapOptions<Real>& options) noexcept {
    SnapResult<Real> result;
    result.position = start;
    const std::optional<Vec3> up = unit(widened(options.footing.up));
    if (!up || !(options.distance > Real{0})) return result;
    // The skin that is used here, and whether the start keeps it.
    const MoveResult<Real> here = move_and_slide(level, shape, start, {}, options.move);
    const double skin{here.skin};
    result.skin = here.skin;
    result.gap_proved = here.gap_proved && here.stopped != StopReason::PushedOut;
    const StraightMove<Real> down =
        go_straight(level, shape, start, -double{options.distance} * *up, skin, options.move);
    if (!down.meets) return result;
    const double step = options.step_height > Real{0} ? double{options.step_height}
                                                      : 0.5 * radius_along(shape, *up);
    const Vec<Real>& position = down.moved.gap_proved ? down.moved.position : start;
    const FootingRule<Real> footing_rule(level, shape, position, step, *up,
                                         double{options.footing.least_upward}, options.move.layers);
    const std::optional<SweepContact<Real>> ground = footing_rule.support_at(position, skin, false);
    result.ground = ground.value_or(down.contact);
    result.ground.time = down.contact.time;
    result.action = ground ? SnapAction::OnGround : SnapAction::TooSteep;
    const double dropped = dot(widened(start) - widened(position), *up);
    // Who is pushed out does not go straight down.
    const bool is_pushed = down.moved.stopped == StopReason::PushedOut;
    if (!ground || is_pushed || !(dropped > skin / 4.0)) return result;
    result.action = SnapAction::Snapped;
    result.gap_proved = down.moved.gap_proved;
    result.skin = down.moved.skin;
    result.position = position;
    result.dropped = static_cast<Real>(dropped);
    return result;
}

}  // namespace

template <class Real>
SnapResult<Real> snap_to_ground(const Obstacles<Real>& level, const Shape<Real>& shape,
                                const Vec<Real>& start, const SnapOptions<Real>& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return sound_snap_to_ground(level, shape, start, options); },
        [&]() noexcept {
            SnapResult<Real> result;
            result.position = start;
            return result;
        });
}

template bool is_walkable(const Vec<float>&, const Footing<float>&) noexcept;
template bool is_walkable(const Vec<double>&, const Footing<double>&) noexcept;
template SlopeLimit<float> limit_slope(const Obstacles<float>&, const Shape<float>&,
                                       const MoveResult<float>&, const Vec<float>&,
                                       const StairOptions<float>&) noexcept;
template SlopeLimit<double> limit_slope(const Obstacles<double>&, const Shape<double>&,
                                        const MoveResult<double>&, const Vec<double>&,
                                        const StairOptions<double>&) noexcept;
template StairResult<float> move_and_climb(const Obstacles<float>&, const Shape<float>&,
                                           const Vec<float>&, const Vec<float>&,
                                           const StairOptions<float>&) noexcept;
template StairResult<double> move_and_climb(const Obstacles<double>&, const Shape<double>&,
                                            const Vec<double>&, const Vec<double>&,
                                            const StairOptions<double>&) noexcept;
template SnapResult<float> snap_to_ground(const Obstacles<float>&, const Shape<float>&,
                                          const Vec<float>&, const SnapOptions<float>&) noexcept;
template SnapResult<double> snap_to_ground(const Obstacles<double>&, const Shape<double>&,
                                           const Vec<double>&, const SnapOptions<double>&) noexcept;

}  // namespace graze::slide
