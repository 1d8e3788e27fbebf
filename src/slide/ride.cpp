#include "graze/slide/ride.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graze/core/elementary.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/core/quaternion.hpp"
#include "slide/frame.hpp"
#include "slide/obstacles_state.hpp"
#include "slide/passing_gap.hpp"
#include "slide/skin_rule.hpp"

namespace graze::slide {
namespace {

// More than the rounding of all sums below: each has some dozen, of 2^-53 each.
constexpr double kRideSlack = 1.0 + 0x1p-40;
// Of the gap that a step may use up: what is left keeps contacts and rounding apart.
constexpr double kUsedGap = 0.75;
// [skins] A part nearer than this may push.
constexpr double kPushingGap = 2.5;
// Tries of a step, each with half of its time.
constexpr int kMaxHalvings = 12;

// The velocity of a motion: of its pivot, and about it. [per frame]
struct PartSpeed {
    Vec3 begin;  // of the pivot
    Vec3 linear;
    Vec3 angular;  // the angle times the axis
};

PartSpeed speed_of(const PartMotion& motion) noexcept {
    PartSpeed speed;
    speed.begin = apply(motion.from, motion.pivot);
    speed.linear = apply(motion.to, motion.pivot) - speed.begin;
    const Quaternion change = change_between(motion.from.rotation, motion.to.rotation);
    const double sine = norm(vector_part(change));
    if (sine > 0.0)
        speed.angular = (2.0 * arc_tangent(sine, change.w) / sine) * vector_part(change);
    return speed;
}

// Where a point that is fixed to the part goes. Any other position would be as right.
Vec3 carried(const PartMotion& motion, double from, double to, const Vec3& point) noexcept {
    return apply(pose_at(motion, to), apply(inverse(pose_at(motion, from)), point));
}

template <class Real>
class Ride {
public:
    Ride(const World<Real>& world, const Shape<Real>& shape, const Vec<Real>& start,
         const MoveOptions<Real>& options, RideTrail* trail) noexcept
        : world_(world),
          shape_(shape),
          options_(options),
          trail_(trail),
          position_(start),
          reach_((norm(widened(shape.half_axis)) + norm(widened(shape.side_axes[0])) +
                  norm(widened(shape.side_axes[1]))) *
                     kRideSlack +
                 norm_max(widened(shape.radii))) {}

    [[nodiscard]] RideResult<Real> run(std::optional<std::uint32_t> carrier) noexcept {
        RideResult<Real> result;
        result.position = position_;
        if (trail_ != nullptr) trail_->add(0.0, widened(position_));
        // First of all, whatever moves: without a start that keeps its skin nothing is proved. Most often
        // nothing is within it, which costs less to see than a move.
        const auto is_alone = [&](double skin) {
            bool alone = true;
            for_each_near(4.0 * std::max(reach_, skin), [&](const PartMotion&) { alone = false; });
            return alone;
        };
        const auto unmoved = [&] {
            result.outcome = RideOutcome::Unmoved;
            result.time = 1.0;
            return result;
        };
        const Real asked = skin_of_start();
        if (is_alone(double{asked}) && overlap_at(world_.at(0.0), shape_, position_, asked,
                                                  options_.layers) == Verdict::Separated)
            return unmoved();
        const MoveResult<Real> here =
            move_and_slide(world_.at(0.0), shape_, position_, {}, options_);
        if (!here.gap_proved || here.stopped == StopReason::PushedOut) {
            result.overlap = overlap_at_end();
            return result;
        }
        skin_ = double{here.skin};
        if (is_alone(skin_)) return unmoved();
        carrier_ = carrier && is_moving(*carrier) ? carrier : std::nullopt;
        bool is_stuck = false;
        while (time_ < 1.0 && !is_stuck && result.steps < kMaxRideSteps) {
            ++result.steps;
            is_stuck = !step();
        }
        result.time = time_;
        result.position = position_;
        result.outcome = is_stuck      ? RideOutcome::Crushed
                         : time_ < 1.0 ? RideOutcome::Limit
                         : is_pushed_  ? RideOutcome::Pushed
                         : is_carried_ ? RideOutcome::Carried
                                       : RideOutcome::Unmoved;
        if (time_ < 1.0) result.overlap = overlap_at_end();
        return result;
    }

private:
    // That of a move from there (SM-7); NaN where that would refuse what is asked for.
    [[nodiscard]] Real skin_of_start() const noexcept {
        if (!(options_.skin >= Real{0})) return std::numeric_limits<Real>::quiet_NaN();
        const SkinRule<Real> rule(shape_,
                                  options_.skin > Real{0} ? options_.skin : default_skin(shape_));
        return static_cast<Real>(rule.skin_at(widened(position_)));
    }
    [[nodiscard]] bool is_moving(std::uint32_t part) const noexcept {
        const auto& parts = world_.state().parts;
        return part < parts.size() && parts[part].mesh != nullptr && parts[part].is_moving;
    }

    // What the moving parts near the position do, and how near they are now.
    struct Surround {
        double gap = 0.0;    // proved: g of SW-2, of the shape to all of them; at most reach
        double reach = 0.0;  // [length] searched for
        double error = 0.0;  // [length] of the placed triangles from the exact motion
        GapResult<Real> nearest;
    };

    // One step: with the carrier, with what pushes, or at rest while they come nearer.
    [[nodiscard]] bool step() noexcept {
        const Surround around = look_around();
        if (!around.nearest.found && !carrier_ && go(1.0, position_, around, false)) return true;
        if (carrier_ && advance(around, *carrier_, nullptr)) return true;
        carrier_.reset();  // something holds it back: the part slides on below it
        const auto& contact = around.nearest.contact;
        if (around.nearest.found && around.gap <= kPushingGap * skin_ && is_moving(contact.part)) {
            const Vec3 normal = widened(contact.normal);
            if (advance(around, contact.part, &normal)) return true;
        }
        return wait(around);
    }

    // With a part; of what it does only what leads along the normal, where there is one.
    [[nodiscard]] bool advance(const Surround& around, std::uint32_t part,
                               const Vec3* normal) noexcept {
        const PartMotion& motion = world_.state().parts[part].motion;
        double part_of_rest = 1.0;
        for (int halving = 0; halving < kMaxHalvings; ++halving, part_of_rest *= 0.5) {
            const double to = time_ + part_of_rest * (1.0 - time_);
            const Vec3 from = widened(position_);
            Vec3 moved = carried(motion, time_, to, from) - from;
            if (normal != nullptr) moved = std::max(dot(moved, *normal), 0.0) * *normal;
            const Vec<Real> target = narrowed<Real>(from + moved);
            if (target == position_) return false;
            if (go(to, target, around, normal != nullptr)) return true;
        }
        return false;
    }

    // Stays where it is, until a part that comes nearer has used up most of the gap.
    [[nodiscard]] bool wait(const Surround& around) noexcept {
        double part_of_rest = 1.0;
        const double most = approach(1.0, position_, around);
        const double usable = kUsedGap * (around.gap - 2.0 * around.error);
        if (!(usable > 0.0)) return false;
        if (most > usable) part_of_rest = usable / most;
        for (int halving = 0; halving < kMaxHalvings; ++halving, part_of_rest *= 0.5) {
            const double to = part_of_rest < 1.0 ? time_ + part_of_rest * (1.0 - time_) : 1.0;
            if (!(to > time_)) return false;
            if (go(to, position_, around, true)) return true;
        }
        return false;
    }

    // SW-2: what any point of a moving part near the shape moves towards it at most, while the shape
    // goes straight from here to the target.
    [[nodiscard]] double approach(double to, const Vec<Real>& target,
                                  const Surround& around) const noexcept {
        const double duration = to - time_;
        const Vec3 here = widened(position_);
        const Vec3 move = widened(target) - here;
        double most = 0.0;
        for_each_near(around.reach + norm(move), [&](const PartMotion& motion) {
            const PartSpeed speed = speed_of(motion);
            const Vec3 pivot = speed.begin + time_ * speed.linear;
            const double angle = duration * norm(speed.angular);
            const Vec3 relative =
                duration * (speed.linear + cross(speed.angular, here - pivot)) - move;
            const double rounding = 0x1p-40 * (duration * norm_one(speed.linear) + norm_one(move) +
                                               angle * (norm_one(here) + norm_one(pivot)));
            most = std::max(most, norm(relative) + rounding +
                                      angle * (norm(move) + duration * norm(speed.linear) + reach_ +
                                               std::max(around.gap, 0.0)));
        });
        return kRideSlack * most;
    }

    // Proves a step and takes it. False: it stays where and when it was.
    [[nodiscard]] bool go(double to, const Vec<Real>& target, const Surround& around,
                          bool may_push) noexcept {
        if (!(approach(to, target, around) < around.gap - 2.0 * around.error)) return false;
        if (!is_path_free(world_.at(to, PartFilter::Still), position_, target)) return false;
        const MoveResult<Real> settled =
            move_and_slide(world_.at(to), shape_, target, {}, options_);
        if (!settled.gap_proved) return false;
        const bool is_pushed = settled.position != target;
        if (is_pushed && !is_path_free(world_.at(to), target, settled.position)) return false;
        is_carried_ = is_carried_ || target != position_;
        is_pushed_ = is_pushed_ || is_pushed || (may_push && target != position_);
        position_ = settled.position;
        skin_ = double{settled.skin};
        time_ = to;
        if (trail_ != nullptr) {
            trail_->add(to, widened(target));
            trail_->add(to, widened(position_));
        }
        return true;
    }

    [[nodiscard]] bool is_path_free(const Obstacles<Real>& obstacles, const Vec<Real>& from,
                                    const Vec<Real>& to) const noexcept {
        if (from == to) return true;
        // The displacement is rounded, in doubles and to Reals: the margin holds what that moves the
        // end by. A sum of magnitudes, which does not underflow.
        Vec3 move;
        Vec3 lost;  // exact
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const ValueAndError difference = two_diff(double{to[axis]}, double{from[axis]});
            move[axis] = difference.value;
            lost[axis] = difference.error;
        }
        const Vec<Real> displacement = narrowed<Real>(move);
        const double off = 2.0 * (norm_one(widened(displacement) - move) + norm_one(lost));
        const auto swept = first_contact(
            obstacles, shape_, {from, displacement, static_cast<Real>(off), options_.layers});
        return swept.verdict == Verdict::Separated && !swept.met_at_start;
    }

    [[nodiscard]] Surround look_around() const noexcept {
        Surround around;
        double fastest = 0.0;
        double error = 0.0;
        bool has_one_sided = false;
        // First wide, for the speeds: nothing beyond comes near in this frame.
        around.reach = 4.0 * reach_;
        for_each_near(around.reach, [&](const PartMotion& motion) {
            const PartSpeed speed = speed_of(motion);
            fastest = std::max(fastest,
                               norm(speed.linear) +
                                   norm(speed.angular) * (norm(widened(position_) - speed.begin) +
                                                          norm(speed.linear) + 2.0 * around.reach));
        });
        for_each_part_near(around.reach, [&](const PartView<Real>& part) {
            const PartMotion& motion = world_.state().parts[part.index].motion;
            const double sizes = size_of(*part.mesh) + norm_one(part.placement->translation) +
                                 norm_one(motion.from.translation) +
                                 norm_one(motion.to.translation) + norm_one(motion.pivot);
            error = std::max(error, part.placement->error + kPoseError * sizes);
            has_one_sided = has_one_sided || part.mesh->has_one_sided;
        });
        around.error = error;
        around.reach = std::min(around.reach,
                                std::max(4.0 * skin_, 2.0 * kRideSlack * (1.0 - time_) * fastest));
        around.nearest = smallest_gap(world_.at(time_, PartFilter::Moving), shape_, position_,
                                      static_cast<Real>(around.reach), options_.layers);
        around.reach = static_cast<double>(static_cast<Real>(around.reach));
        around.gap = around.nearest.found ? around.nearest.gap_lower : around.reach;
        // What it is behind now may come round to its front within the step.
        if (has_one_sided) [[unlikely]]
            around.gap = std::min(
                around.gap, passing_gap(world_.at(time_, PartFilter::Moving), shape_, position_,
                                        static_cast<Real>(around.reach), options_.layers));
        return around;
    }

    // Moving parts whose whole motion comes within `reach` of the shape, and some others.
    template <class Visit>
    void for_each_part_near(double reach, Visit&& visit) const noexcept {
        const double by = (reach_ + reach) * kRideSlack;
        Box box;
        const Vec3 centre = widened(position_);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double more = by + 0x1p-40 * std::fabs(centre[axis]);
            box.lower[axis] = centre[axis] - more;
            box.upper[axis] = centre[axis] + more;
        }
        search_parts(world_.at(time_, PartFilter::Moving), box, [&](const PartView<Real>& part) {
            visit(part);
            return true;
        });
    }
    template <class Visit>
    void for_each_near(double reach, Visit&& visit) const noexcept {
        for_each_part_near(reach, [&](const PartView<Real>& part) {
            visit(world_.state().parts[part.index].motion);
        });
    }

    [[nodiscard]] double overlap_at_end() const noexcept {
        const auto gap = smallest_gap(world_.at(1.0), shape_, position_, Real{0}, options_.layers);
        return gap.found ? std::max(-gap.gap_lower, 0.0) : 0.0;
    }

    // [of all lengths] A pose in the course of a motion is off by some 20 rounding errors of
    // doubles, 2^-48: more than that is taken, and a vertex is placed with an error of its own.
    static constexpr double kPoseError = 0x1p-44;

    const World<Real>& world_;
    const Shape<Real>& shape_;
    const MoveOptions<Real>& options_;
    RideTrail* trail_;
    Vec<Real> position_;
    double reach_;  // [length] of the shape from its centre, at least
    double time_ = 0.0;
    double skin_ = 0.0;
    std::optional<std::uint32_t> carrier_;
    bool is_carried_ = false;
    bool is_pushed_ = false;
};

}  // namespace

std::string_view name(RideOutcome outcome) noexcept {
    switch (outcome) {
        case RideOutcome::Unmoved:
            return "unmoved";
        case RideOutcome::Carried:
            return "carried";
        case RideOutcome::Pushed:
            return "pushed";
        case RideOutcome::Crushed:
            return "crushed";
        case RideOutcome::Limit:
            return "limit";
        case RideOutcome::Unproved:
            return "unproved";
    }
    return "";
}

template <class Real>
RideResult<Real> ride_parts(const World<Real>& world, const Shape<Real>& shape,
                            const Vec<Real>& start, std::optional<std::uint32_t> carrier,
                            const MoveOptions<Real>& options, RideTrail* trail) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return Ride<Real>(world, shape, start, options, trail).run(carrier); },
        [&]() noexcept {
            RideResult<Real> result;
            result.position = start;
            result.overlap = std::numeric_limits<double>::infinity();
            return result;
        });
}

template RideResult<float> ride_parts(const World<float>&, const Shape<float>&, const Vec<float>&,
                                      std::optional<std::uint32_t>, const MoveOptions<float>&,
                                      RideTrail*) noexcept;
template RideResult<double> ride_parts(const World<double>&, const Shape<double>&,
                                       const Vec<double>&, std::optional<std::uint32_t>,
                                       const MoveOptions<double>&, RideTrail*) noexcept;

}  // namespace graze::slide
