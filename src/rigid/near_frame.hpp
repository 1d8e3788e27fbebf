// Points of two posed bodies in one frame, in floating point with a proved error.
//
// The frame is A's local one: A's points are exact there. B's are off by at most error().
// Derivation: docs/derivations/rigid_start.md, RS-4.
#pragma once

#include <array>
#include <cstddef>

#include "graze/core/vec3.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid::detail {

class NearFrame {
public:
    // `reach` >= |x| + |y| + |z| of every point of B that is transformed.
    NearFrame(const Pose& pose_a, const Pose& pose_b, double reach) noexcept;

    // False where numbers overflow, or a quaternion is 0: then nothing is proved.
    [[nodiscard]] bool is_valid() const noexcept { return valid_; }
    // Each coordinate of the result is within error() of the exact one.
    [[nodiscard]] Vec3 transform(const Vec3& b) const noexcept {
        return {dot(rows_[0], b) + shift_.x, dot(rows_[1], b) + shift_.y,
                dot(rows_[2], b) + shift_.z};
    }
    [[nodiscard]] double error() const noexcept { return error_; }

private:
    bool valid_ = false;
    std::array<Vec3, 3> rows_;
    Vec3 shift_;
    double error_ = 0.0;
};

// True only if the triangles have no common point, where each coordinate of a corner of b is off by
// at most `error`. A separating direction is the proof (RS-4).
[[nodiscard]] bool certainly_disjoint(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b,
                                      double error) noexcept;

}  // namespace graze::rigid::detail
