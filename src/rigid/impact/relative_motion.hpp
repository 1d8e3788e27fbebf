// The position of B in the frame of A at any time of the step, with one proved radius of error.
//
// Coordinates: A's local frame shifted to A's centre, B's local frame shifted to B's centre. A
// point of B with shifted coordinates b is at R(t) b + c(t).
// Derivation: docs/derivations/rigid_impact.md.
#pragma once

#include <array>

#include "graze/core/vec3.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid::detail {

using Matrix = std::array<Vec3, 3>;  // rows

[[nodiscard]] inline Vec3 operator*(const Matrix& m, const Vec3& v) noexcept {
    return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
[[nodiscard]] inline Vec3 transposed_times(const Matrix& m, const Vec3& v) noexcept {
    return {m[0].x * v.x + m[1].x * v.y + m[2].x * v.z, m[0].y * v.x + m[1].y * v.y + m[2].y * v.z,
            m[0].z * v.x + m[1].z * v.y + m[2].z * v.z};
}

// B at one time.
struct Frame {
    double t = 0.0;
    Matrix rotation{};
    Vec3 centre;

    [[nodiscard]] Vec3 transform(const Vec3& b) const noexcept { return rotation * b + centre; }
};

// What the proofs need of a body: the origin of its shifted frame, and how far points are from it.
struct BodyExtent {
    Vec3 centre;
    double radius = 0.0;  // an upper bound
};

class RelativeMotion {
public:
    // Not valid where a number is not finite, a quaternion is 0, or a translation is beyond
    // kMaxTranslation.
    RelativeMotion(const PairStep& step, const BodyExtent& a, const BodyExtent& b) noexcept;

    [[nodiscard]] bool is_valid() const noexcept { return valid_; }
    // Requires: t in [0, 1], and not between 0 and kEarliest.
    [[nodiscard]] Frame at(double t) const noexcept;
    static constexpr double kEarliest = 0x1p-100;

    // For a direction n with | |n| - 1 | <= 2^-45, boxes or corners of both bodies, and any t:
    // |computed n . (b - a) - exact| <= error(), all rounding errors of positions and projections
    // included (RI-3).
    [[nodiscard]] double error() const noexcept { return error_; }
    // |exact acceleration| of a point of B at distance <= q from B's centre is at most
    // centre_acceleration() + angle_sq() q, in lengths per step^2 (RI-4).
    [[nodiscard]] double centre_acceleration() const noexcept { return centre_acceleration_; }
    [[nodiscard]] double angle_sq() const noexcept { return angle_sq_; }
    // |exact velocity| of such a point is at most centre_speed() + angle() q, in lengths per step.
    [[nodiscard]] double centre_speed() const noexcept { return centre_speed_; }
    [[nodiscard]] double angle() const noexcept { return angle_; }
    // An upper bound of the distance of the two centres at any time.
    [[nodiscard]] double reach() const noexcept { return reach_; }

private:
    struct Ends;
    struct SetUpErrors;
    [[nodiscard]] static Ends ends_of(const PairStep& step, const BodyExtent& a,
                                      const BodyExtent& b) noexcept;
    // The constructor, one section of the derivation each.
    void set_start(const Ends& ends, SetUpErrors& errors) noexcept;     // RI-1
    void set_rotation(const Ends& ends, SetUpErrors& errors) noexcept;  // RI-2, RI-4
    void set_error(const Ends& ends, const SetUpErrors& errors, double radius_a,
                   double radius_b) noexcept;  // RI-3

    bool valid_ = false;
    double half_angle_ = 0.0;
    double sine_half_ = 0.0;
    Vec3 axis_;
    Quaternion start_;
    Vec3 centre_start_;
    Vec3 shift_;          // of the centre in the whole step
    Vec3 shift_across_;   // its component across the axis
    Vec3 shift_rotated_;  // -axis x shift
    double error_ = 0.0;
    double centre_acceleration_ = 0.0;
    double angle_sq_ = 0.0;
    double centre_speed_ = 0.0;
    double angle_ = 0.0;
    double reach_ = 0.0;
};

}  // namespace graze::rigid::detail
