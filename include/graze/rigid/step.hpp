// A step of one body and of two: the poses at both ends, and the screw motion between them.
#pragma once

#include "graze/core/expected.hpp"
#include "graze/core/pose.hpp"

namespace graze::rigid {

// Both ends of the step of one body.
struct BodyStep {
    Pose start;
    Pose end;

    // Does not move.
    [[nodiscard]] static constexpr BodyStep rest(const Pose& pose) noexcept { return {pose, pose}; }
    // Moves from `start` to `end` on the screw with the smaller angle.
    [[nodiscard]] static constexpr BodyStep between(const Pose& start, const Pose& end) noexcept {
        return {start, end};
    }
};

// The pose at time t of a body that moves alone, on its own screw; at 0 and 1 those of the step,
// bit by bit, else to the nearest few ulps.
[[nodiscard]] Pose pose_at(const BodyStep& step, double t) noexcept;

// A moves on its own screw from start to end; B(t) = A(t) * relative screw(t). Which features meet,
// and when, follows from the relative screw alone. Where A rests, B moves on its own screw, too.
struct PairStep {
    BodyStep a;
    BodyStep b;
};
// Error: check(Pose) of any of the four poses.
[[nodiscard]] Expected<void> check(const PairStep& step);

}  // namespace graze::rigid
