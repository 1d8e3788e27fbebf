// What walks: an ellipsoid that falls, climbs steps, stays on the ground downhill and is held by
// slopes that are too steep.
#pragma once

#include "graze/slide/controller.hpp"

template <class Real>
class Character {
public:
    using Vector = graze::Vec<Real>;

    // Requires: the level outlives the character.
    Character(const graze::slide::Level<Real>& level, const graze::slide::Shape<Real>& shape,
              const Vector& start, Real step_height)
        : level_(level), shape_(shape), position_(start) {
        steps_.height = step_height;
        snap_.step_height = step_height;
    }

    // One frame of `dt` seconds; `walk` is the wished speed along the ground.
    void step(const Vector& walk, Real dt) {
        fall_speed_ = on_ground_ ? Real{0} : fall_speed_ - static_cast<Real>(9.81) * dt;
        const Vector wish{walk.x * dt, fall_speed_ * dt, walk.z * dt};
        const auto moved = graze::slide::move_and_climb(level_, shape_, position_, wish, steps_);
        climb_frames_ += moved.action == graze::slide::StairAction::Climbed ? 1 : 0;
        // Downhill: stay on the ground instead of hopping.
        snap_.distance = on_ground_ ? steps_.height : moved.moved.skin;
        const auto ground =
            graze::slide::snap_to_ground(level_, shape_, moved.moved.position, snap_);
        position_ = ground.position;
        on_ground_ = ground.action == graze::slide::SnapAction::OnGround ||
                     ground.action == graze::slide::SnapAction::Snapped;
    }

    // The proved gap to the level, or at least 1 where nothing is near.
    [[nodiscard]] double gap() const {
        return graze::slide::smallest_gap(level_, shape_, position_, Real{1}).gap_lower;
    }
    [[nodiscard]] const Vector& position() const { return position_; }
    [[nodiscard]] bool on_ground() const { return on_ground_; }
    [[nodiscard]] int climb_frames() const { return climb_frames_; }

private:
    const graze::slide::Level<Real>& level_;
    graze::slide::Shape<Real> shape_;
    Vector position_;
    graze::slide::StairOptions<Real> steps_;
    graze::slide::SnapOptions<Real> snap_;
    Real fall_speed_{};
    bool on_ground_ = false;
    int climb_frames_ = 0;
};
