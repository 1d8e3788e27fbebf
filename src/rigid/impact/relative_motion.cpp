// Derivation of every constant: docs/derivations/rigid_impact.md, sections RI-1 to RI-4.
#include "rigid/impact/relative_motion.hpp"

#include <cmath>

#include "graze/core/norm_bounds.hpp"
#include "graze/core/quaternion.hpp"
#include "rigid/impact/ball.hpp"
#include "rigid/impact/sine.hpp"
#include "rigid/turn_sense.hpp"

namespace graze::rigid::detail {

namespace {

constexpr double kU = 0x1p-53;

// near_one() is off by 2^-1075 in parts below 2^-1022: the 2^-1000 of the product that each part
// enters pays for that, too.
[[nodiscard]] BallQuaternion exact(const Quaternion& given) noexcept {
    const Quaternion q = near_one(given);
    return {q.w, {q.x, q.y, q.z}};
}
[[nodiscard]] BallVector exact(const Vec3& v) noexcept {
    return {v.x, v.y, v.z};
}

// q v q* / |q|^2.
[[nodiscard]] BallVector rotated(const BallQuaternion& q, const BallVector& v) noexcept {
    // v + 2 w (q x v) + 2 q x (q x v), over |q|^2, with v's factor |q|^2 = w^2 + |q.v|^2.
    const Ball size_sq = norm_sq(q);
    const BallVector first = cross(q.v, v);
    const BallVector twice = q.w * first + cross(q.v, first);
    const Ball scale = Ball(2.0) / size_sq;
    return v + scale * twice;
}

// B's centre in A's shifted frame: q_a* (q_b c_b + T_b - T_a) - c_a.
[[nodiscard]] BallVector relative_centre(const Pose& a, const Pose& b, const Vec3& centre_a,
                                         const Vec3& centre_b) noexcept {
    const BallVector gap = exact(b.translation) - exact(a.translation);
    const BallVector in_world = rotated(exact(b.rotation), exact(centre_b)) + gap;
    return rotated(conjugate(exact(a.rotation)), in_world) - exact(centre_a);
}

[[nodiscard]] bool is_usable(const Pose& p) noexcept {
    const Quaternion& q = p.rotation;
    return is_finite(q.w) && is_finite(vector_part(q)) && largest_part(q) > 0.0 &&
           norm_max_upper(p.translation) <= kMaxTranslation;
}

[[nodiscard]] int sign_of_scalar(const Ball& w, const PairStep& step) noexcept {
    if (magnitude_lower(w) > 0.0) return w.hi > 0.0 ? 1 : -1;
    return exact_sign_of_scalar(step);
}

// The half angle H in [0, pi/2] with sine S and cosine C: an estimate and how far it is off.
struct HalfAngle {
    double value = 0.0;
    double error = graze::detail::kInfinite;
};
// sin(H - h) = S cos h - C sin h for the estimate h, whatever h is worth; |asin x| <= 1.001 |x| for
// |x| <= 2^-5, and H - h is within pi/2 of 0 since both are in [0, 1.571] and it is nearly 0 or
// nearly +-pi.
[[nodiscard]] HalfAngle half_angle(const Ball& sine, const Ball& cosine) noexcept {
    const double h = std::fmin(std::fmax(std::atan2(sine.hi, cosine.hi), 0.0), kSineLargest);
    const auto [s, c] = sine_cosine(h);
    const double own = kSineRoundoffs * kU;
    const Ball difference = sine * Ball(c, 0.0, own) - cosine * Ball(s, 0.0, own * s);
    const double off = magnitude_upper(difference);
    if (!(off <= 0x1p-5)) return {};
    return {h, off * 1.002};
}

}  // namespace

RelativeMotion::RelativeMotion(const PairStep& step, const BodyExtent& a,
                               const BodyExtent& b) noexcept {
    if (!is_usable(step.a.start) || !is_usable(step.a.end) || !is_usable(step.b.start) ||
        !is_usable(step.b.end)) {
        return;
    }
    // RI-1. The relative rotation at the start, at the end, and the turn between.
    const BallQuaternion first =
        conjugate(exact(step.a.start.rotation)) * exact(step.b.start.rotation);
    const BallQuaternion last = conjugate(exact(step.a.end.rotation)) * exact(step.b.end.rotation);
    const BallQuaternion turn = last * conjugate(first);
    const Ball scale =
        Ball(sign_of_scalar(turn.w, step) < 0 ? -1.0 : 1.0) / square_root(norm_sq(turn));
    const BallVector sine_axis = scale * turn.v;
    const BallVector y0 = relative_centre(step.a.start, step.b.start, a.centre, b.centre);
    const BallVector y1 = relative_centre(step.a.end, step.b.end, a.centre, b.centre);
    const BallVector shift = y1 - y0;

    const Ball unit = Ball(1.0) / square_root(norm_sq(first));
    const BallVector start_v = unit * first.v;
    const Ball start_w = unit * first.w;
    start_ = {start_w.hi, start_v.x.hi, start_v.y.hi, start_v.z.hi};
    centre_start_ = nearest(y0);
    shift_ = nearest(shift);
    const double start_radius = radius_of(start_v) + start_w.radius;
    const double shift_upper = norm_upper(shift_) * (1.0 + 0x1p-50) + radius_of(shift);
    reach_ =
        (norm_upper(centre_start_) * (1.0 + 0x1p-50) + radius_of(y0) + shift_upper) * kRadiusSlack;

    // RI-2. The axis and the half angle; below 2^-80 the turn is left out, and counted as an error.
    const Ball sine_sq = dot(sine_axis, sine_axis);
    const double sine_upper = std::sqrt(magnitude_upper(sine_sq)) * kRadiusSlack;
    double axis_error = 0.0;  // of axis_, beyond its rounding, times the half angle
    double half_error = 0.0;
    double left_out = 0.0;  // a turn by this, if any
    double shift_error = 0.0;
    if (sine_upper < 0x1p-80) {
        left_out = sine_upper;
        turn_ = 3.0 * sine_upper;
    } else {
        const Ball sine = square_root(sine_sq);
        const BallVector axis = (Ball(1.0) / sine) * sine_axis;
        const HalfAngle half = half_angle(sine, scale * turn.w);
        half_angle_ = half.value;
        half_error = half.error;
        sine_half_ = sine_cosine(half_angle_).sine;
        axis_ = nearest(axis);
        const BallVector along = dot(axis, shift) * axis;
        const BallVector across = shift - along;
        const BallVector turned = cross(shift, axis);
        shift_across_ = nearest(across);
        shift_turned_ = nearest(turned);
        const double half_upper = half_angle_ + half_error;
        axis_error = half_upper * radius_of(axis);
        shift_error = half_upper * (radius_of(across) + radius_of(turned));
        const double across_upper = norm_upper(shift_across_) * (1.0 + 0x1p-50) + radius_of(across);
        // RI-4. theta^2 rho = 2 H^2 |across| / sin H, and sin H >= H (1 - H^2 / 6).
        centre_acceleration_ = 2.0 * half_upper * across_upper /
                               (1.0 - half_upper * half_upper / 6.0) * (1.0 + 0x1p-40);
        turn_ = 2.0 * half_upper * (1.0 + 0x1p-40);
        turn_sq_ = 4.0 * half_upper * half_upper * (1.0 + 0x1p-40);
    }

    // Along the axis |along|, about it theta rho = H |across| / sin H <= pi/2 |across|.
    centre_speed_ = 1.571 * shift_upper * (1.0 + 0x1p-40);

    // RI-3. Boxes reach up to sqrt(3) times as far as the points they hold.
    const double reach_a = 1.75 * a.radius;
    const double reach_b = 1.75 * b.radius;
    const double rotation_error =
        68.0 * kU + 3.0 * half_error + 2.0 * axis_error + 4.0 * start_radius + 3.0 * left_out;
    const double place_error =
        reach_b * (rotation_error + 8.0 * kU) +
        shift_upper * (96.0 * kU + 2.0 * half_error + 4.0 * axis_error + 3.0 * left_out) +
        reach_ * 3.0 * kU + radius_of(y0) + radius_of(shift) + shift_error;
    const double projection_error = 14.0 * kU * (reach_a + reach_b + reach_);
    error_ = (place_error + projection_error) * (1.0 + 0x1p-40) + kUnderflow;
    valid_ = error_ < 0x1p+300 && centre_acceleration_ < 0x1p+400;
}

Frame RelativeMotion::at(double t) const noexcept {
    const auto [s, c] = sine_cosine(t * half_angle_);
    Frame frame;
    frame.t = t;
    // The quaternion (c, s axis) times the start's.
    const Vec3 g = s * axis_;
    const Quaternion& p = start_;
    const double w = c * p.w - (g.x * p.x + g.y * p.y + g.z * p.z);
    const double x = c * p.x + g.x * p.w + (g.y * p.z - g.z * p.y);
    const double y = c * p.y + g.y * p.w + (g.z * p.x - g.x * p.z);
    const double z = c * p.z + g.z * p.w + (g.x * p.y - g.y * p.x);
    frame.rotation[0] = {(w * w + x * x) - (y * y + z * z), 2.0 * (x * y - w * z),
                         2.0 * (x * z + w * y)};
    frame.rotation[1] = {2.0 * (x * y + w * z), (w * w + y * y) - (x * x + z * z),
                         2.0 * (y * z - w * x)};
    frame.rotation[2] = {2.0 * (x * z - w * y), 2.0 * (y * z + w * x),
                         (w * w + z * z) - (x * x + y * y)};
    frame.centre = centre_start_ + t * shift_;
    if (half_angle_ > 0.0) {
        const auto [s_rest, c_rest] = sine_cosine((1.0 - t) * half_angle_);
        const double ratio = s / sine_half_;
        frame.centre =
            frame.centre + (ratio * c_rest - t) * shift_across_ + (ratio * s_rest) * shift_turned_;
    }
    return frame;
}

}  // namespace graze::rigid::detail
