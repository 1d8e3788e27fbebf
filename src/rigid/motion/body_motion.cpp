// Derivation of every constant: docs/derivations/rigid_motion.md.
#include <algorithm>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "graze/core/norm_bounds.hpp"
#include "graze/core/quaternion.hpp"
#include "graze/rigid/motion.hpp"
#include "rigid/impact/sine.hpp"
#include "rigid/motion/quaternion_matrix.hpp"
#include "rigid/motion/reduced_angle.hpp"
#include "rigid/rotation_sense.hpp"

namespace graze::rigid {

namespace {

using detail::error_of_matrix;
using detail::kNormalisedError;
using detail::matrix_of;
using detail::unit_of;

constexpr double kUnit = 0x1p-53;
// Pays for the rounding errors of a bound itself, and for what underflows in it.
constexpr double kBoundSlack = 1.0 + 0x1p-40;
constexpr double kTiniest = 0x1p-1000;

[[nodiscard]] double dot4(const Quaternion& a, const Quaternion& b) noexcept {
    return ((a.w * b.w + a.x * b.x) + a.y * b.y) + a.z * b.z;
}
[[nodiscard]] Quaternion negated(const Quaternion& q) noexcept {
    return {-q.w, -q.x, -q.y, -q.z};
}

// What check() accepts, without a message.
[[nodiscard]] bool is_usable(const Vec3& translation) noexcept {
    return norm_max_upper(translation) <= kMaxTranslation;
}
[[nodiscard]] bool is_usable(const Pose& pose) noexcept {
    return std::fabs(norm_sq(pose.rotation) - 1.0) <= 1e-6 && is_usable(pose.translation);
}
[[nodiscard]] bool is_usable(const BodyStep& step) noexcept {
    return is_usable(step.start) && is_usable(step.end);
}

// What a thread with other arithmetic makes of the numbers would not be what is proved.
template <class Body>
[[nodiscard]] BodyMotion guarded(const Body& body) noexcept {
    return with_sound_arithmetic(body, []() noexcept { return BodyMotion(); });
}

[[nodiscard]] double frobenius_upper(const Matrix3& m) noexcept {
    return norm_upper({norm_upper(m[0]), norm_upper(m[1]), norm_upper(m[2])});
}

// |v| at most, of differences of usable translations: 4.1u for squares, sums and root, and what
// underflows is below 2^-537.
[[nodiscard]] double length_above(const Vec3& v) noexcept {
    const double size = std::sqrt(norm_sq(v));
    return size > 0.0 ? size * kBoundSlack + 0x1p-530 : norm_one(v) * kBoundSlack;
}

// (1 - t) a + t b, each component off by 3u |(1 - t) a| + 2u |t b| at most.
[[nodiscard]] Vec3 mixed(const Vec3& a, const Vec3& b, double t) noexcept {
    return (1.0 - t) * a + t * b;
}

}  // namespace

Motion::~Motion() = default;

std::optional<Pose> Motion::exact_start() const noexcept {
    return std::nullopt;
}

bool Motion::is_at_rest() const noexcept {
    return false;
}

double Motion::next_joint(double) const noexcept {
    return 1.0;
}

PointEnclosure Motion::origin_at(double t, const Vec3& origin) const noexcept {
    const PoseEnclosure pose = at(t, origin);
    return {pose.translation, pose.translation_error};
}

// The quaternions at both ends, each off by `error` from one of unit length.
struct BodyMotion::Ends {
    Quaternion first;
    Quaternion last;
    double error = 0.0;
};

void BodyMotion::set_translation(const Vec3& first, const Vec3& last) noexcept {
    translation0_ = first;
    translation1_ = last;
    translation_speed_ = length_above(last - first);
}

void BodyMotion::set_exact_start(const Quaternion& given) noexcept {
    has_exact_start_ = true;
    exact_rotation_ = given;
}

std::optional<Pose> BodyMotion::exact_start() const noexcept {
    if (!valid_ || !has_exact_start_) return std::nullopt;
    return Pose{exact_rotation_, translation0_};
}

void BodyMotion::set_constant(const Quaternion& q) noexcept {
    rotation_ = Rotation::Constant;
    linear0_ = matrix_of(q);
    linear_error_ = error_of_matrix(kNormalisedError);
}

// RM-4. Q = q1 q0* with the sign that makes its scalar part >= 0 is off by E = 2 r + 9u; its vector
// part is sin H times the axis. The estimate h of H is verified by sin(H - h), whatever it is worth.
void BodyMotion::set_slerp(const Ends& ends, const PairStep& step) noexcept {
    first_ = ends.first;
    Quaternion q = product(ends.last, conjugate(ends.first));
    const double error = 2.0 * ends.error + 9.0 * kUnit;
    const bool is_certain = std::fabs(q.w) > 2.0 * error;
    if (is_certain ? q.w < 0.0 : exact_sign_of_scalar(step) < 0) q = negated(q);
    axis_ = vector_part(q);
    const double sine = std::sqrt(norm_sq(axis_));
    const double h = std::clamp(arc_tangent(sine, q.w), 0.0, detail::kSineLargest);
    const auto [s, c] = detail::sine_cosine(h);
    const double off = std::fabs(sine * c - q.w * s) + 2.0 * error + 28.0 * kUnit;
    if (!(off <= 0x1p-5)) {
        valid_ = false;
        return;
    }
    const double eta = 1.002 * off;
    rotation_ = Rotation::Slerp;
    half_angle_ = h;
    sine_half_ = s;
    cosine_half_ = c;
    linear_error_ = error_of_matrix(error + ends.error + 45.0 * kUnit + 1.5 * eta);
    linear_speed_ = 2.0 * (h + eta) * kBoundSlack;
    linear_acceleration_ = linear_speed_ * linear_speed_ * kBoundSlack;
    half_angle_error_ = eta;
}

// RM-5. T(t) = T0 + t d + (rho cos beta - t) d_across - rho sin beta (axis x d), with rho =
// sin(tH) / sin(H) and beta = (1 - t) H.
void BodyMotion::set_screw() noexcept {
    is_screw_ = true;
    const Vec3 d = translation1_ - translation0_;
    rotated_ = cross(d, axis_);
    const double length = translation_speed_;  // of d, at most
    double across = length;
    if (half_angle_ >= kNoAngle) {
        across_ = d - (dot(axis_, d) / norm_sq(axis_)) * axis_;
        across = length_above(across_) + 256.0 * kUnit / sine_half_ * length;
    }
    translation_error_ += (170.0 * kUnit + 2.0 * half_angle_error_) * length * kBoundSlack;
    const double half = half_angle_ + half_angle_error_;
    translation_acceleration_ = 2.0 * half * across / (1.0 - half * half / 6.0) * kBoundSlack;
    translation_speed_ = 1.571 * length * kBoundSlack;
}

BodyMotion BodyMotion::rest(const Pose& pose) noexcept {
    return guarded([&]() noexcept {
        BodyMotion motion;
        motion.valid_ = is_usable(pose);
        if (!motion.valid_) return motion;
        motion.set_translation(pose.translation, pose.translation);
        motion.set_exact_start(pose.rotation);
        motion.set_constant(unit_of(pose.rotation));
        return motion;
    });
}

BodyMotion BodyMotion::slerp(const BodyStep& step) noexcept {
    return guarded([&]() noexcept {
        BodyMotion motion;
        motion.valid_ = is_usable(step);
        if (!motion.valid_) return motion;
        motion.set_translation(step.start.translation, step.end.translation);
        motion.set_exact_start(step.start.rotation);
        const Quaternion& q0 = step.start.rotation;
        const Quaternion& q1 = step.end.rotation;
        if (q0 == q1 || q0 == negated(q1)) {
            motion.set_constant(unit_of(q0));
        } else {
            motion.set_slerp({unit_of(q0), unit_of(q1), kNormalisedError}, {BodyStep{}, step});
        }
        return motion;
    });
}

BodyMotion BodyMotion::screw(const BodyStep& step) noexcept {
    return guarded([&]() noexcept {
        BodyMotion motion = slerp(step);
        if (motion.valid_ && motion.rotation_ == Rotation::Slerp) motion.set_screw();
        return motion;
    });
}

// p = q_A* q_B is off by 5u + 5u + 8.1u; y = R_A^T (T_B - T_A) by u for the difference, 18u for the
// matrix, 5.3u for the product: 25u |T_B - T_A|.
BodyMotion BodyMotion::relative_screw(const PairStep& step) noexcept {
    return guarded([&]() noexcept {
        BodyMotion motion;
        motion.valid_ = is_usable(step.a) && is_usable(step.b);
        if (!motion.valid_) return motion;
        const auto rotation_of = [](const Pose& a, const Pose& b) {
            return product(conjugate(unit_of(a.rotation)), unit_of(b.rotation));
        };
        double error = 0.0;
        const auto translation_of = [&error](const Pose& a, const Pose& b) {
            const Vec3 gap = b.translation - a.translation;
            error = std::max(error, 25.0 * kUnit * norm_one(gap) * kBoundSlack + kTiniest);
            const Matrix3 back = matrix_of(conjugate(unit_of(a.rotation)));
            return Vec3{dot(back[0], gap), dot(back[1], gap), dot(back[2], gap)};
        };
        motion.set_translation(translation_of(step.a.start, step.b.start),
                               translation_of(step.a.end, step.b.end));
        // Both ends are off: on the straight line by no more than one, the displacement by both, of which
        // at most the fraction |F - t| <= 1 of it counts beside that (RM-5).
        motion.translation_error_ = 3.0 * error * kBoundSlack;
        motion.translation_speed_ = (motion.translation_speed_ + 2.0 * error) * kBoundSlack;
        motion.set_slerp({rotation_of(step.a.start, step.b.start),
                          rotation_of(step.a.end, step.b.end), 19.0 * kUnit},
                         step);
        if (motion.valid_) motion.set_screw();
        return motion;
    });
}

// RM-6. q(t) = (1 - t) a + t b: psi' = |a ^ b| / |q|^2 on the great circle, the rotation is twice as
// fast. |q|^2 >= m; |(|q|^2)'| <= D; |a ^ b| is taken a little larger, for what cancels in it.
BodyMotion BodyMotion::nlerp(const BodyStep& step) noexcept {
    return guarded([&]() noexcept {
        BodyMotion motion;
        motion.valid_ = is_usable(step);
        if (!motion.valid_) return motion;
        motion.set_translation(step.start.translation, step.end.translation);
        motion.set_exact_start(step.start.rotation);
        const Quaternion& a = step.start.rotation;
        Quaternion b = step.end.rotation;
        if (a == b || a == negated(b)) {
            motion.set_constant(unit_of(a));
            return motion;
        }
        double along = dot4(a, b);
        const bool is_certain = std::fabs(along) > 16.0 * kUnit;
        if (is_certain ? along < 0.0 : exact_sign_of_scalar({BodyStep{}, step}) < 0) {
            b = negated(b);
            along = -along;
        }
        motion.rotation_ = Rotation::Nlerp;
        motion.first_ = a;
        motion.last_ = b;
        motion.linear_error_ = error_of_matrix(9.0 * kUnit);
        const double aa = norm_sq(a);
        const double bb = norm_sq(b);
        const double wedge = std::sqrt(std::max(aa * bb - along * along, 0.0) + 32.0 * kUnit);
        const double smaller = std::min(aa, bb);
        const double m = 0.5 * (smaller + std::min(along, smaller)) - 32.0 * kUnit;
        const double d =
            2.0 * std::max(std::fabs(along - aa), std::fabs(along - bb)) + 32.0 * kUnit;
        const double rate = 2.0 * wedge / m * kBoundSlack;
        const double change = rate * d / m * kBoundSlack;
        motion.linear_speed_ = rate;
        motion.linear_acceleration_ =
            std::sqrt(rate * rate * rate * rate + change * change) * kBoundSlack;
        return motion;
    });
}

BodyMotion BodyMotion::spin(const Pose& start, const Vec3& end,
                            const Vec3& angular_velocity) noexcept {
    return guarded([&]() noexcept {
        BodyMotion motion;
        motion.valid_ = is_usable(start) && is_usable(end) && is_finite(angular_velocity) &&
                        norm_upper(angular_velocity) <= kMaxAngle;
        if (!motion.valid_) return motion;
        motion.set_translation(start.translation, end);
        motion.set_exact_start(start.rotation);
        motion.first_ = unit_of(start.rotation);
        const double angle = std::sqrt(norm_sq(angular_velocity));
        if (!(norm_max(angular_velocity) > 0x1p-100)) {
            motion.set_constant(motion.first_);
            motion.linear_error_ += 0x1p-98;
            motion.linear_speed_ = 0x1p-98;
            motion.linear_acceleration_ = 0x1p-190;
            return motion;
        }
        motion.rotation_ = Rotation::Spin;
        motion.axis_ = {angular_velocity.x / angle, angular_velocity.y / angle,
                        angular_velocity.z / angle};
        motion.half_angle_ = 0.5 * angle;
        motion.linear_error_ = error_of_matrix((40.0 + 4.5 * motion.half_angle_) * kUnit);
        motion.linear_speed_ = angle * kBoundSlack;
        motion.linear_acceleration_ = angle * angle * kBoundSlack;
        return motion;
    });
}

BodyMotion BodyMotion::rotation_vector(const Vec3& w0, const Vec3& translation0, const Vec3& w1,
                                       const Vec3& translation1) noexcept {
    return guarded([&]() noexcept {
        BodyMotion motion;
        const double largest = std::max(norm_upper(w0), norm_upper(w1));
        motion.valid_ = is_usable(translation0) && is_usable(translation1) && largest <= kMaxAngle;
        if (!motion.valid_) return motion;
        motion.set_translation(translation0, translation1);
        motion.rotation_ = Rotation::Vector;
        motion.axis_ = w0;
        motion.axis1_ = w1;
        motion.linear_error_ = error_of_matrix((24.0 + 4.0 * largest) * kUnit);
        motion.linear_speed_ = distance_upper(w0, w1);
        motion.linear_acceleration_ = motion.linear_speed_ * motion.linear_speed_ * kBoundSlack;
        if (w0 == w1) {
            const Matrix3 fixed = matrix_of(motion.rotation_at(0.0));
            motion.rotation_ = Rotation::Constant;
            motion.linear0_ = fixed;
        }
        return motion;
    });
}

BodyMotion BodyMotion::affine(const std::array<double, 12>& start,
                              const std::array<double, 12>& end) noexcept {
    return guarded([&]() noexcept {
        BodyMotion motion;
        Vec3 first;
        Vec3 last;
        for (std::size_t i = 0; i < 3; ++i) {
            motion.linear0_[i] = {start[4 * i], start[4 * i + 1], start[4 * i + 2]};
            motion.linear1_[i] = {end[4 * i], end[4 * i + 1], end[4 * i + 2]};
            first[i] = start[4 * i + 3];
            last[i] = end[4 * i + 3];
        }
        motion.rotation_ = Rotation::Affine;
        const double largest =
            std::max(frobenius_upper(motion.linear0_), frobenius_upper(motion.linear1_));
        motion.valid_ = is_usable(first) && is_usable(last) && largest <= kMaxTranslation;
        if (!motion.valid_) return motion;
        motion.set_translation(first, last);
        motion.linear_norm_ = std::max(largest, 1.0);
        motion.linear_error_ = 4.0 * kUnit * largest + kTiniest;
        motion.linear_speed_ = 2.0 * largest;
        return motion;
    });
}

// RM-4, with the sine and cosine of t H.
Quaternion BodyMotion::slerp_at(double t, double s, double c) const noexcept {
    const double rho = half_angle_ < kNoAngle ? t : s / sine_half_;
    const Vec3 g = rho * axis_;
    return product({c, g.x, g.y, g.z}, first_);
}

// Of unit length within the error that linear_error_ counts. Not of a slerp.
Quaternion BodyMotion::rotation_at(double t) const noexcept {
    switch (rotation_) {
        case Rotation::Nlerp: {
            const double rest = 1.0 - t;
            return unit_of({rest * first_.w + t * last_.w, rest * first_.x + t * last_.x,
                            rest * first_.y + t * last_.y, rest * first_.z + t * last_.z});
        }
        case Rotation::Spin: {
            const auto [s, c] = detail::reduced_sine_cosine(t * half_angle_);
            return product({c, s * axis_.x, s * axis_.y, s * axis_.z}, first_);
        }
        default:
            break;
    }
    const Vec3 w = mixed(axis_, axis1_, t);
    if (norm_max(w) < 0x1p-28) return {1.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z};
    const double angle = std::sqrt(norm_sq(w));
    const auto [s, c] = detail::reduced_sine_cosine(0.5 * angle);
    const double scale = s / angle;
    return {c, scale * w.x, scale * w.y, scale * w.z};
}

// RM-5: how far a screw is from the straight line. For small angles rho sin beta / sin H is t (1 - t)
// and the other component below 2^-58 of the displacement.
Vec3 BodyMotion::screw_shift(double t, double s, double c) const noexcept {
    if (half_angle_ < kNoAngle) return (t * (1.0 - t)) * rotated_;
    const double rho = s / sine_half_;
    const double sine_rest = sine_half_ * c - cosine_half_ * s;
    const double cosine_rest = cosine_half_ * c + sine_half_ * s;
    return (rho * cosine_rest - t) * across_ + (rho * (sine_rest / sine_half_)) * rotated_;
}

double BodyMotion::translation_error(const Vec3& first, const Vec3& last) const noexcept {
    return (translation_error_ + 5.0 * kUnit * (norm_one(first) + norm_one(last))) * kBoundSlack +
           kTiniest;
}

// What it calls is short, and called nowhere else as often.
[[gnu::flatten]] PoseEnclosure BodyMotion::at(double t, const Vec3& origin) const noexcept {
    PoseEnclosure pose;  // returned wherever this ends, so that it is never copied
    if (!valid_) return pose;
    const Vec3 first = translation0_ - origin;
    const Vec3 last = translation1_ - origin;
    pose.translation = mixed(first, last, t);
    if (rotation_ == Rotation::Constant) {
        pose.linear = linear0_;
    } else if (rotation_ == Rotation::Affine) {
        for (std::size_t i = 0; i < 3; ++i)
            pose.linear[i] = mixed(linear0_[i], linear1_[i], t);
    } else if (rotation_ == Rotation::Slerp) {
        const detail::SineCosine angle = detail::sine_cosine(t * half_angle_);
        pose.linear = matrix_of(slerp_at(t, angle.sine, angle.cosine));
        if (is_screw_) pose.translation += screw_shift(t, angle.sine, angle.cosine);
    } else {
        pose.linear = matrix_of(rotation_at(t));
    }
    pose.linear_error = linear_error_;
    pose.linear_norm = linear_norm_;
    pose.translation_error = translation_error(first, last);
    return pose;
}

// At the ends of the step that of a screw is that of the straight line, too.
PointEnclosure BodyMotion::origin_at(double t, const Vec3& origin) const noexcept {
    if (!valid_) return {};
    if (is_screw_ && t != 0.0 && t != 1.0) return Motion::origin_at(t, origin);
    const Vec3 first = translation0_ - origin;
    const Vec3 last = translation1_ - origin;
    return {mixed(first, last, t), translation_error(first, last)};
}

// RM-1: K = |second derivative| (b - a)^2 / 2.
ChordDeviation BodyMotion::deviation_of(double length) const noexcept {
    if (!valid_) return {};
    const double half_sq = 0.5 * length * length * kBoundSlack;
    return {translation_acceleration_ * half_sq, linear_acceleration_ * half_sq};
}
ChordDeviation BodyMotion::deviation(double a, double b) const noexcept {
    return deviation_of(sub_up(b, a));
}

}  // namespace graze::rigid
