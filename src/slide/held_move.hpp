// A move that slopes which are too steep hold back, as walls do.
#pragma once

#include "slide/footing.hpp"
#include "slide/plane_set.hpp"

namespace graze::slide {

// Horizontal directions away from slopes.
struct Walls {
    std::array<HalfSpace, kMostPlanes> planes;
    std::size_t count = 0;

    [[nodiscard]] bool add(const Vec3& away) noexcept {
        if (count == planes.size()) return false;
        planes[count++] = {away, 0.0};
        return true;
    }
    // Through the start, all at once: a wedge of two slopes leaves the direction along its crease.
    [[nodiscard]] Vec3 left_of(const Vec3& displacement) const noexcept {
        return nearest_allowed({planes.data(), count}, displacement).move;
    }
};

// The direction in which a displacement may leave a steep slope; none where it does not lead up the
// slope.
template <class Real>
[[nodiscard]] std::optional<Vec3> wall_against(const Vec3& displacement,
                                               const SweepContact<Real>& contact, double skin,
                                               const Vec3& up,
                                               const FootingRule<Real>& footing_rule) noexcept {
    const std::optional<Vec3> away = unit(across(widened(contact.normal), up));
    if (!away || !(dot(*away, displacement) < -kUpright * norm(displacement))) return std::nullopt;
    return footing_rule.is_steep(contact, skin) ? away : std::nullopt;
}

// Slopes that a move is held by, one after the other; then nothing but its fall is left.
inline constexpr int kMostHolds = 4;

// move_and_slide() by a character that slopes hold back like walls.
template <class Real>
class HeldMove {
public:
    HeldMove(const Obstacles<Real>& level, const Shape<Real>& shape, const Vec3& up,
             const StairOptions<Real>& options, const FootingRule<Real>& footing_rule) noexcept
        : level_(level), shape_(shape), up_(up), options_(options), footing_rule_(footing_rule) {}

    // First as if there were no slopes: where none holds it, that is the answer. Otherwise it goes
    // up to the first one, and what is left of the displacement is projected onto the walls so far.
    // After kMostHolds of them only the fall along `up` is left, which no wall holds. Every part is
    // a move whose gap is proved, or the result is the start.
    [[nodiscard]] StairResult<Real> from(const Vec<Real>& start,
                                         const Vec3& displacement) noexcept {
        position_ = start;
        left_ = displacement;
        StairResult<Real> result;
        result.moved = go(left_);
        for (int iteration = 0; iteration < kMostHolds && result.moved.gap_proved; ++iteration) {
            if (!hold(result.moved)) break;
            if (iteration + 1 == kMostHolds) left_ = dot(left_, up_) * up_;
            result.moved = go(left_);
        }
        result.steep_count = held_count_;
        if (held_count_ == 0) return result;
        tell(result.moved);
        if (is_pushed_) result.moved.stopped = StopReason::PushedOut;
        if (!result.moved.gap_proved) result.moved.position = start;
        return result;
    }

private:
    [[nodiscard]] MoveResult<Real> go(const Vec3& displacement) noexcept {
        const MoveResult<Real> moved =
            move_and_slide(level_, shape_, position_, narrowed<Real>(displacement), options_.move);
        is_pushed_ = is_pushed_ || moved.stopped == StopReason::PushedOut;
        return moved;
    }

    // Goes up to the first slope of a move, and takes from what is left what leads up that. False:
    // there is none.
    [[nodiscard]] bool hold(const MoveResult<Real>& moved) noexcept {
        const double skin{moved.skin};
        double first = 2.0;
        const Vec3 displacement = left_;
        for (const SweepContact<Real>& c : moved.touched())
            if (double{c.time} < first && wall_against(displacement, c, skin, up_, footing_rule_))
                first = double{c.time};
        if (first > 1.0) return false;
        double reach = first;
        for (const SweepContact<Real>& c : moved.touched()) {
            if (!(double{c.time} <= first)) continue;
            const std::optional<Vec3> away =
                wall_against(displacement, c, skin, up_, footing_rule_);
            if (!away || !walls_.add(*away)) continue;
            held_[static_cast<std::size_t>(held_count_++)] = c;
            reach = std::min(reach, first - time_to_rest(widened(c.normal), displacement, skin));
        }
        if (reach > 0.0) {
            const MoveResult<Real> reached = go(reach * displacement);
            if (!reached.gap_proved) return false;
            position_ = reached.position;
        }
        left_ = walls_.left_of((1.0 - std::max(reach, 0.0)) * displacement);
        return true;
    }

    // Contact is where the gap is a skin; it rests a skin before, and would slide up by what is
    // left.
    [[nodiscard]] double time_to_rest(const Vec3& normal, const Vec3& displacement,
                                      double skin) const noexcept {
        const Vec3 r = widened(shape_.radii);
        const double distance = skin / std::min({r.x, r.y, r.z}) * radius_along(shape_, normal);
        const double speed = -dot(normal, displacement);
        return speed > 0.0 ? distance / speed : 1.0;
    }

    // Adds the slopes to what the last part of the move touched.
    void tell(MoveResult<Real>& moved) const noexcept {
        if (moved.stopped == StopReason::Free && left_ == Vec3{})
            moved.stopped = StopReason::Blocked;
        for (int i = 0; i < held_count_; ++i) {
            const SweepContact<Real>& slope = held_[static_cast<std::size_t>(i)];
            const auto known = moved.touched();
            const bool is_known =
                std::any_of(known.begin(), known.end(), [&](const SweepContact<Real>& c) {
                    return c.part == slope.part && c.face == slope.face;
                });
            if (is_known || moved.contact_count == kMaxMoveContacts) continue;
            moved.contacts[static_cast<std::size_t>(moved.contact_count++)] = slope;
        }
    }

    const Obstacles<Real>& level_;
    const Shape<Real>& shape_;
    Vec3 up_;
    const StairOptions<Real>& options_;
    const FootingRule<Real>& footing_rule_;
    Vec<Real> position_;
    Vec3 left_;
    Walls walls_;
    std::array<SweepContact<Real>, kMostPlanes> held_;
    int held_count_ = 0;
    bool is_pushed_ = false;  // in some part
};

}  // namespace graze::slide
