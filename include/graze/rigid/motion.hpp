// How a rigid body moves in a step, as an enclosure: poses with a proved error at any time, and how
// far every path is from a straight line between two times.
//
// That is all that a proof about a slab of time needs, so any model can take part that can state it:
// the models of the engines (BodyMotion), sequences of poses (PiecewiseMotion), one motion carried by
// another, as the links of a chain (ComposedMotion), and those that a user derives from Motion.
// Values and declarations only. Derivation: docs/derivations/rigid_motion.md.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/pose.hpp"
#include "graze/core/vec3.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

using Matrix3 = std::array<Vec3, 3>;  // rows

// The map x -> L x + T of a time, enclosed. The default proves nothing.
struct PoseEnclosure {
    Matrix3 linear{};
    Vec3 translation;
    // || linear - L || in the operator norm, |translation - T| in the Euclidean one, and || L ||, at
    // most. 1 is the norm of every rotation.
    double linear_error = std::numeric_limits<double>::infinity();
    double translation_error = std::numeric_limits<double>::infinity();
    double linear_norm = 1.0;
};
// x -> outer(inner(x)).
[[nodiscard]] PoseEnclosure compose(const PoseEnclosure& outer,
                                    const PoseEnclosure& inner) noexcept;

// A point, and how far it may be off.
struct PointEnclosure {
    Vec3 point;
    double error = std::numeric_limits<double>::infinity();
};

// Between the times a and b, with s = (t - a) / (b - a):
//   |T(t) - (1 - s) T(a) - s T(b)| <= translation s (1 - s), || the same of L || <= linear s (1 - s).
// So a point at distance r from the origin of the body is within (translation + linear r) s (1 - s)
// of the point that goes straight from its position at a to its position at b.
struct ChordDeviation {
    double translation = std::numeric_limits<double>::infinity();
    double linear = std::numeric_limits<double>::infinity();
};

// A motion for t in [0, 1]. Implementations state proved bounds, every rounding error included, for a
// motion of exact numbers that is continuous; first_impact() and all that builds on it are proofs as
// far as these are. They are called with sound arithmetic (graze/core/fp_environment.hpp) and, where a
// world works in parallel, from several threads at once.
class Motion {
public:
    Motion() = default;
    Motion(const Motion&) = default;
    Motion(Motion&&) = default;
    Motion& operator=(const Motion&) = default;
    Motion& operator=(Motion&&) = default;
    virtual ~Motion();

    // False for numbers that cannot be worked with: then nothing is proved.
    [[nodiscard]] virtual bool is_valid() const noexcept = 0;
    // True only if L is a rotation at all times.
    [[nodiscard]] virtual bool is_rigid() const noexcept = 0;
    // True only if L and T are the same at all times. Override it where that may be: what is at rest is
    // computed once.
    [[nodiscard]] virtual bool is_at_rest() const noexcept;
    // In coordinates whose origin is `origin`: two bodies far from it lose no digits by that.
    // Requires: 0 <= t <= 1.
    [[nodiscard]] virtual PoseEnclosure at(double t, const Vec3& origin) const noexcept = 0;
    // The translation alone; override it where that costs less.
    [[nodiscard]] virtual PointEnclosure origin_at(double t, const Vec3& origin) const noexcept;
    // Requires: 0 <= a <= b <= 1 and no joint between a and b.
    [[nodiscard]] virtual ChordDeviation deviation(double a, double b) const noexcept = 0;
    // The first time after t at which velocities may jump; 1 where there is none. Requires: t < 1.
    [[nodiscard]] virtual double next_joint(double t) const noexcept;
    // A point near the body at the start: a good origin.
    [[nodiscard]] virtual Vec3 start() const noexcept = 0;
    // The pose at t = 0 in exact numbers (the length of its quaternion has no effect), where it has
    // one: then exact arithmetic decides whether bodies touch at the start.
    [[nodiscard]] virtual std::optional<Pose> exact_start() const noexcept;
};

// The motions that engines use. The origin of the body's frame is what goes straight, where
// something does: let it be the centre of mass. Poses are taken as they are given: exact numbers.
// Not valid: poses that check() refuses, numbers that are not finite or beyond kMaxTranslation.
class BodyMotion final : public Motion {
public:
    // Not valid.
    BodyMotion() noexcept = default;
    // Does not move.
    [[nodiscard]] static BodyMotion rest(const Pose& pose) noexcept;
    // On the screw from start to end: a rotation about an axis and a translation along it, by the
    // smaller angle (FCL; graze/rigid/step.hpp).
    [[nodiscard]] static BodyMotion screw(const BodyStep& step) noexcept;
    // Of B as seen from A, on the relative screw of the step; A rests at the identity then.
    [[nodiscard]] static BodyMotion relative_screw(const PairStep& step) noexcept;
    // Origin straight, rotation at constant speed about a fixed axis, by the smaller angle.
    [[nodiscard]] static BodyMotion slerp(const BodyStep& step) noexcept;
    // Origin straight, rotation (1 - t) q0 +- t q1 of the quaternions as given, with the sign of the
    // smaller angle (Box2D, Box3D, parry).
    [[nodiscard]] static BodyMotion nlerp(const BodyStep& step) noexcept;
    // Origin straight from the start to `end`, rotation at the constant angular velocity [radians per
    // step, in the world], by any number of full rotations up to kMaxAngle radians (Bullet).
    [[nodiscard]] static BodyMotion spin(const Pose& start, const Vec3& end,
                                         const Vec3& angular_velocity) noexcept;
    // Origin straight, rotation vector (axis times angle) linear in time: R(t) = exp((1 - t) w0 + t
    // w1), with at most kMaxAngle radians (Rigid-IPC, DART).
    [[nodiscard]] static BodyMotion rotation_vector(const Vec3& w0, const Vec3& translation0,
                                                    const Vec3& w1,
                                                    const Vec3& translation1) noexcept;
    // Matrix and translation linear in time (affine bodies): 3 x 4 matrices, row by row.
    [[nodiscard]] static BodyMotion affine(const std::array<double, 12>& start,
                                           const std::array<double, 12>& end) noexcept;

    static constexpr double kMaxAngle = 0x1p+20;

    [[nodiscard]] bool is_valid() const noexcept override { return valid_; }
    [[nodiscard]] bool is_rigid() const noexcept override { return rotation_ != Rotation::Affine; }
    [[nodiscard]] bool is_at_rest() const noexcept override {
        return rotation_ == Rotation::Constant && linear_speed_ == 0.0 &&
               translation0_ == translation1_;
    }
    [[nodiscard]] PoseEnclosure at(double t, const Vec3& origin) const noexcept override;
    [[nodiscard]] PointEnclosure origin_at(double t, const Vec3& origin) const noexcept override;
    [[nodiscard]] ChordDeviation deviation(double a, double b) const noexcept override;
    [[nodiscard]] Vec3 start() const noexcept override { return translation0_; }
    // Of motions that begin with a given pose: all but relative_screw(), rotation_vector(), affine().
    [[nodiscard]] std::optional<Pose> exact_start() const noexcept override;

    // |T'| and || L' || at most, per step.
    [[nodiscard]] double translation_speed() const noexcept { return translation_speed_; }
    [[nodiscard]] double linear_speed() const noexcept { return linear_speed_; }
    // The deviations of an interval whose length is at most `length`.
    [[nodiscard]] ChordDeviation deviation_of(double length) const noexcept;

private:
    enum class Rotation : std::uint8_t { Constant, Slerp, Nlerp, Spin, Vector, Affine };
    struct Ends;

    void set_translation(const Vec3& first, const Vec3& last) noexcept;
    void set_exact_start(const Quaternion& given) noexcept;
    void set_constant(const Quaternion& q) noexcept;
    void set_slerp(const Ends& ends, const PairStep& step) noexcept;
    void set_screw() noexcept;
    [[nodiscard]] Quaternion rotation_at(double t) const noexcept;
    [[nodiscard]] Quaternion slerp_at(double t, double sine, double cosine) const noexcept;
    [[nodiscard]] Vec3 screw_shift(double t, double sine, double cosine) const noexcept;
    [[nodiscard]] double translation_error(const Vec3& first, const Vec3& last) const noexcept;

    bool valid_ = false;
    bool is_screw_ = false;
    bool has_exact_start_ = false;
    Quaternion exact_rotation_;  // at the start, as given
    Rotation rotation_ = Rotation::Constant;
    Quaternion first_;  // unit length within rounding (Nlerp: as given)
    Quaternion last_;   // Nlerp: as given, with the sign of the smaller angle
    // Slerp: sin H times the axis; Spin: the axis; Vector: w0 and w1.
    Vec3 axis_;
    Vec3 axis1_;
    double half_angle_ = 0.0;
    double half_angle_error_ = 0.0;
    double sine_half_ = 0.0;
    double cosine_half_ = 1.0;
    // Below it the rotation is that of a straight line of quaternions within 2^-54 (RM-4).
    static constexpr double kNoAngle = 0x1p-27;
    Vec3 translation0_;
    Vec3 translation1_;
    Vec3 across_;   // screw: the component of the displacement across the axis
    Vec3 rotated_;  // screw: displacement x axis_
    Matrix3 linear0_{};
    Matrix3 linear1_{};
    double linear_error_ = 0.0;
    double linear_norm_ = 1.0;
    double translation_error_ = 0.0;  // beside that of the straight line
    double linear_acceleration_ = 0.0;
    double translation_acceleration_ = 0.0;
    double linear_speed_ = 0.0;
    double translation_speed_ = 0.0;
};

// How the poses of a sequence are connected.
enum class Interpolation : std::uint8_t { Slerp, Nlerp, Screw };

// Through several poses, each at its time.
class PiecewiseMotion final : public Motion {
public:
    // Errors: fewer than two poses, another number of times, times that do not rise from 0 to 1, and
    // poses that check() refuses.
    [[nodiscard]] static Expected<PiecewiseMotion> create(
        std::span<const double> times, std::span<const Pose> poses,
        Interpolation interpolation = Interpolation::Slerp);

    [[nodiscard]] bool is_valid() const noexcept override { return true; }
    [[nodiscard]] bool is_rigid() const noexcept override { return true; }
    [[nodiscard]] PoseEnclosure at(double t, const Vec3& origin) const noexcept override;
    [[nodiscard]] ChordDeviation deviation(double a, double b) const noexcept override;
    [[nodiscard]] double next_joint(double t) const noexcept override;
    [[nodiscard]] Vec3 start() const noexcept override { return pieces_.front().start(); }
    [[nodiscard]] std::optional<Pose> exact_start() const noexcept override {
        return pieces_.front().exact_start();
    }

private:
    PiecewiseMotion() = default;
    [[nodiscard]] std::size_t piece_at(double t) const noexcept;

    std::vector<double> times_;
    std::vector<BodyMotion> pieces_;
};

// x -> outer(inner(x)): a body that moves relative to one that moves, such as a link on a joint. Both
// are kept by address and outlive it.
class ComposedMotion final : public Motion {
public:
    ComposedMotion(const Motion& outer, const Motion& inner) noexcept
        : outer_(&outer), inner_(&inner) {}

    [[nodiscard]] bool is_valid() const noexcept override {
        return outer_->is_valid() && inner_->is_valid();
    }
    [[nodiscard]] bool is_rigid() const noexcept override {
        return outer_->is_rigid() && inner_->is_rigid();
    }
    [[nodiscard]] PoseEnclosure at(double t, const Vec3& origin) const noexcept override;
    [[nodiscard]] ChordDeviation deviation(double a, double b) const noexcept override;
    [[nodiscard]] double next_joint(double t) const noexcept override;
    [[nodiscard]] Vec3 start() const noexcept override;

private:
    const Motion* outer_;
    const Motion* inner_;
};

}  // namespace graze::rigid
