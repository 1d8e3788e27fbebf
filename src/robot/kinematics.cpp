// Derivation of every constant: docs/derivations/robot.md, RB-1 to RB-3.
#include "robot/kinematics.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/norm_bounds.hpp"
#include "rigid/motion/quaternion_matrix.hpp"
#include "rigid/motion/reduced_angle.hpp"

namespace graze::robot::detail {

namespace {

constexpr double kU = 0x1p-53;
// Pays for the rounding errors of a bound itself, and for what underflows in it.
constexpr double kSlack = 1.0 + 0x1p-40;
constexpr double kTiny = 0x1p-1000;

[[nodiscard]] double mix(double a, double b, double t) noexcept {
    return (1.0 - t) * a + t * b;
}

// The axis in [1/2, 1] first, so that no square leaves the range of doubles.
[[nodiscard]] Vec3 unit_axis(const Vec3& axis) noexcept {
    const double largest = norm_max(axis);
    const Vec3 a = {axis.x / largest, axis.y / largest, axis.z / largest};
    const double size = std::sqrt(norm_sq(a));
    return {a.x / size, a.y / size, a.z / size};
}

// RB-2: a rotation by an angle that is known within its error, about an axis of unit length within
// 6u: (cos, sin * axis) of half the angle is off by 12u in each function, sqrt 2 times that in all, 6u
// for the axis, u for the products: 24u, and half the error of the angle.
[[nodiscard]] PoseEnclosure rotation(const Vec3& axis, const Value& angle) noexcept {
    PoseEnclosure pose;
    const double half = 0.5 * std::fabs(angle.value);
    if (!(half <= rigid::detail::kLargestReduced)) return pose;
    const auto [s, c] = rigid::detail::reduced_sine_cosine(half);
    const double sine = angle.value < 0.0 ? -s : s;
    pose.linear = rigid::detail::matrix_of({c, sine * axis.x, sine * axis.y, sine * axis.z});
    pose.linear_error = rigid::detail::error_of_matrix(24.0 * kU) + angle.error * kSlack + kTiny;
    pose.translation_error = 0.0;
    return pose;
}

[[nodiscard]] PoseEnclosure shift(const Vec3& axis, const Value& way) noexcept {
    PoseEnclosure pose;
    pose.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
    pose.linear_error = 0.0;
    pose.translation = way.value * axis;
    // The axis 6u, the products u; the axis is of unit length.
    pose.translation_error = (8.0 * kU * std::fabs(way.value) + way.error) * kSlack + kTiny;
    return pose;
}

// multiplier * x + offset: one rounding each, of what is computed.
[[nodiscard]] Value scaled(const Value& x, double multiplier, double offset) noexcept {
    const double product = multiplier * x.value;
    const double sum = product + offset;
    const double error =
        (std::fabs(multiplier) * x.error + 2.0 * kU * (std::fabs(product) + std::fabs(sum))) *
            kSlack +
        kTiny;
    return {sum, error};
}

}  // namespace

ValueTrack::ValueTrack(const Value& start, const Value& end) noexcept {
    coefficients_ = {start.value, 0.0, 0.0, end.value};
    error_ = larger_bound(start.error, end.error);
    speed_ = (sub_up(std::max(start.value, end.value), std::min(start.value, end.value)) +
              2.0 * error_) *
             kSlack;
    size_ = (larger_bound(std::fabs(start.value), std::fabs(end.value)) + error_) * kSlack;
}

// RB-1: a, a + v0/3, b - v1/3, b; the inner two are rounded twice more. Derivatives have the
// coefficients 3 (differences) and 6 (second differences).
ValueTrack::ValueTrack(const Value& start, const Value& end, const Value& start_speed,
                       const Value& end_speed) noexcept
    : is_cubic_(true) {
    const std::array<double, 4> c = {start.value, start.value + start_speed.value / 3.0,
                                     end.value - end_speed.value / 3.0, end.value};
    coefficients_ = c;
    const double sizes = std::fabs(start.value) + std::fabs(end.value) +
                         std::fabs(start_speed.value) + std::fabs(end_speed.value);
    error_ = (larger_bound(start.error, end.error) +
              larger_bound(start_speed.error, end_speed.error) + 4.0 * kU * sizes) *
                 kSlack +
             kTiny;
    double largest = 0.0;
    for (std::size_t i = 0; i < 4; ++i)
        largest = larger_bound(largest, std::fabs(c[i]));
    size_ = (largest + error_) * kSlack;
    const double rounding = 8.0 * kU * largest;
    for (std::size_t i = 0; i < 3; ++i)
        speed_ = larger_bound(
            speed_, 3.0 * (std::fabs(c[i + 1] - c[i]) + 2.0 * error_ + rounding) * kSlack);
    for (std::size_t i = 0; i < 2; ++i) {
        const double second = std::fabs((c[i + 2] - c[i + 1]) - (c[i + 1] - c[i]));
        acceleration_ =
            larger_bound(acceleration_, 6.0 * (second + 4.0 * error_ + 2.0 * rounding) * kSlack);
    }
}

// A straight line is off by 4u of both ends, three steps of de Casteljau by 12u of the largest.
Value ValueTrack::at(double t) const noexcept {
    const auto& c = coefficients_;
    if (!is_cubic_) {
        const double rounding = 4.0 * kU * (std::fabs(c[0]) + std::fabs(c[3]));
        return {mix(c[0], c[3], t), (error_ + rounding) * kSlack + kTiny};
    }
    const double p = mix(c[0], c[1], t);
    const double q = mix(c[1], c[2], t);
    const double r = mix(c[2], c[3], t);
    return {mix(mix(p, q, t), mix(q, r, t), t), (error_ + 12.0 * kU * size_) * kSlack + kTiny};
}

// A cubic: the derivative in the middle, and as much as it can change from there to either end.
double ValueTrack::speed(double a, double b) const noexcept {
    if (!is_cubic_) return speed_;
    const auto& c = coefficients_;
    const double t = 0.5 * (a + b);
    const double p = mix(c[1] - c[0], c[2] - c[1], t);
    const double q = mix(c[2] - c[1], c[3] - c[2], t);
    const double middle = 3.0 * (std::fabs(mix(p, q, t)) + 2.0 * error_ + 32.0 * kU * size_);
    const double bound = middle + acceleration_ * (0.5 * (b - a) + 0x1p-50);
    return std::min(speed_, bound * kSlack);
}

PoseEnclosure inverse_of(const PoseEnclosure& pose) noexcept {
    PoseEnclosure result;
    const rigid::Matrix3& m = pose.linear;
    result.linear = {Vec3{m[0].x, m[1].x, m[2].x}, Vec3{m[0].y, m[1].y, m[2].y},
                     Vec3{m[0].z, m[1].z, m[2].z}};
    const Vec3& t = pose.translation;
    result.translation = {-dot(result.linear[0], t), -dot(result.linear[1], t),
                          -dot(result.linear[2], t)};
    result.linear_error = pose.linear_error;
    const double size = norm_one(t) + pose.translation_error;
    const double norm = 1.0 + pose.linear_error;
    result.translation_error =
        (pose.linear_error * size + norm * pose.translation_error + 8.0 * kU * norm * size) *
            kSlack +
        kTiny;
    return result;
}

PoseEnclosure enclosure_of(const Pose& pose) noexcept {
    return rigid::BodyMotion::rest(pose).at(0.0, {});
}

Mechanism::Mechanism(const Robot& robot) : topology_(robot.links(), robot.joints()) {
    for (const Joint& joint : robot.joints()) {
        origins_.push_back(enclosure_of(joint.origin));
        axes_.push_back(is_moving(joint.kind) ? unit_axis(joint.axis) : Vec3{});
    }
}

std::vector<ValueTrack> Mechanism::tracks(std::span<const Joint> joints,
                                          const Segment& segment) const {
    struct Ends {
        Value start, end, start_speed, end_speed;
    };
    std::vector<Ends> ends(joints.size());
    std::vector<ValueTrack> tracks(joints.size());
    for (const JointId j : topology_.valued) {
        Ends& e = ends[j];
        if (const auto variable = topology_.variable_of[j]) {
            const std::size_t i = *variable;
            e.start.value = segment.start[i];
            e.end.value = segment.end[i];
            if (segment.velocities) {
                e.start_speed.value = segment.velocities->first[i];
                e.end_speed.value = segment.velocities->second[i];
            }
        } else {
            const Mimic& mimic = *joints[j].mimic;
            const Ends& of = ends[mimic.joint];
            e.start = scaled(of.start, mimic.multiplier, mimic.offset);
            e.end = scaled(of.end, mimic.multiplier, mimic.offset);
            e.start_speed = scaled(of.start_speed, mimic.multiplier, 0.0);
            e.end_speed = scaled(of.end_speed, mimic.multiplier, 0.0);
        }
        tracks[j] = segment.velocities ? ValueTrack(e.start, e.end, e.start_speed, e.end_speed)
                                       : ValueTrack(e.start, e.end);
    }
    return tracks;
}

void Mechanism::links_at(std::span<const Joint> joints, std::span<const ValueTrack> tracks,
                         double t, std::span<PoseEnclosure> links) const noexcept {
    PoseEnclosure& root = links[topology_.root];
    root = PoseEnclosure{};
    root.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
    root.linear_error = root.translation_error = 0.0;
    for (const JointId j : topology_.outward) {
        const Joint& joint = joints[j];
        const PoseEnclosure at_zero = compose(links[joint.parent], origins_[j]);
        if (joint.kind == JointKind::Fixed) {
            links[joint.child] = at_zero;
            continue;
        }
        const Value value = tracks[j].at(t);
        links[joint.child] =
            compose(at_zero, joint.kind == JointKind::Prismatic ? shift(axes_[j], value)
                                                                : rotation(axes_[j], value));
    }
}

}  // namespace graze::robot::detail
