// Derivation of every constant: docs/derivations/rigid_impact.md, sections RI-1 to RI-4.
#include "rigid/impact/relative_motion.hpp"

#include <cmath>

#include "graze/core/elementary.hpp"
#include "graze/core/norm_bounds.hpp"
#include "graze/core/quaternion.hpp"
#include "rigid/impact/ball.hpp"
#include "rigid/impact/sine.hpp"
#include "rigid/rotation_sense.hpp"

namespace graze::rigid::detail {

namespace {

constexpr double kU = 0x1p-53;

// near_one() is off by 2^-1075 in components below 2^-1022: the 2^-1000 of the product that each of
// them enters pays for that, too.
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
    const double h = std::fmin(std::fmax(arc_tangent(sine.hi, cosine.hi), 0.0), kSineLargest);
    const auto [s, c] = sine_cosine(h);
    const double own = kSineRoundoffs * kU;
    const Ball difference = sine * Ball(c, 0.0, own) - cosine * Ball(s, 0.0, own * s);
    const double off = magnitude_upper(difference);
    if (!(off <= 0x1p-5)) return {};
    return {h, off * 1.002};
}

// An upper bound of the norm of every vector in the ball.
[[nodiscard]] double length_upper(const BallVector& v) noexcept {
    return norm_upper(nearest(v)) * (1.0 + 0x1p-50) + radius_of(v);
}

}  // namespace

// RI-1, in balls: p0 = q_A(0)* q_B(0), p1 = q_A(1)* q_B(1), Q = p1 p0* with the sign that makes its
// scalar part >= 0 (the smaller angle); Q / |Q| = (cos H, sin H axis). B's centre goes from y0 to
// y0 + d in A's shifted frame.
struct RelativeMotion::Ends {
    BallQuaternion first;  // p0, of any length
    Ball cosine;           // cos H
    BallVector sine_axis;  // sin H axis
    BallVector centre;     // y0
    BallVector shift;      // d
};

// What RI-3 adds up, beside the rounding errors of at() itself: by how much the numbers that at()
// begins with may be off.
struct RelativeMotion::SetUpErrors {
    double start = 0.0;        // r, of p0 / |p0|
    double half_angle = 0.0;   // eta = |h - H|
    double axis = 0.0;         // nu = H times the radius of the axis
    double across = 0.0;       // H times the radii of the two vectors across the axis
    double left_out = 0.0;     // sin H of a rotation that is left out, if any
    double shift_upper = 0.0;  // no error: |d| at most
};

RelativeMotion::Ends RelativeMotion::ends_of(const PairStep& step, const BodyExtent& a,
                                             const BodyExtent& b) noexcept {
    const BallQuaternion first =
        conjugate(exact(step.a.start.rotation)) * exact(step.b.start.rotation);
    const BallQuaternion last = conjugate(exact(step.a.end.rotation)) * exact(step.b.end.rotation);
    const BallQuaternion rotation = last * conjugate(first);
    const Ball scale =
        Ball(sign_of_scalar(rotation.w, step) < 0 ? -1.0 : 1.0) / square_root(norm_sq(rotation));
    const BallVector y0 = relative_centre(step.a.start, step.b.start, a.centre, b.centre);
    const BallVector y1 = relative_centre(step.a.end, step.b.end, a.centre, b.centre);
    return {first, scale * rotation.w, scale * rotation.v, y0, y1 - y0};
}

// Valid where no number of the set-up overflowed: comparisons with a radius that is infinite or no
// number are false.
RelativeMotion::RelativeMotion(const PairStep& step, const BodyExtent& a,
                               const BodyExtent& b) noexcept {
    if (!is_usable(step.a.start) || !is_usable(step.a.end) || !is_usable(step.b.start) ||
        !is_usable(step.b.end)) {
        return;
    }
    const Ends ends = ends_of(step, a, b);
    SetUpErrors errors;
    set_start(ends, errors);
    set_rotation(ends, errors);
    // RI-4: along the axis |along|, about it theta rho = H |across| / sin H <= pi/2 |across|.
    centre_speed_ = 1.571 * errors.shift_upper * (1.0 + 0x1p-40);
    set_error(ends, errors, a.radius, b.radius);
    valid_ = error_ < 0x1p+300 && centre_acceleration_ < 0x1p+400;
}

void RelativeMotion::set_start(const Ends& ends, SetUpErrors& errors) noexcept {
    const Ball unit = Ball(1.0) / square_root(norm_sq(ends.first));
    const BallVector start_v = unit * ends.first.v;
    const Ball start_w = unit * ends.first.w;
    start_ = {start_w.hi, start_v.x.hi, start_v.y.hi, start_v.z.hi};
    errors.start = radius_of(start_v) + start_w.radius;
    centre_start_ = nearest(ends.centre);
    shift_ = nearest(ends.shift);
    errors.shift_upper = length_upper(ends.shift);
    // |F(t)| = sin(tH) / sin(H) <= 1 (RI-1), so that |y(t) - y0| <= |d|.
    reach_ = (norm_upper(centre_start_) * (1.0 + 0x1p-50) + radius_of(ends.centre) +
              errors.shift_upper) *
             kRadiusSlack;
}

// RI-2: the axis and the half angle H. Below sin H = 2^-80 the rotation is left out and counted as
// an error: a point moves by less than theta times its distance by it, and |F - t| <= 0.9 H.
void RelativeMotion::set_rotation(const Ends& ends, SetUpErrors& errors) noexcept {
    const Ball sine_sq = dot(ends.sine_axis, ends.sine_axis);
    const double sine_upper = std::sqrt(magnitude_upper(sine_sq)) * kRadiusSlack;
    if (sine_upper < 0x1p-80) {
        errors.left_out = sine_upper;
        angle_ = 3.0 * sine_upper;
        return;
    }
    const Ball sine = square_root(sine_sq);
    const BallVector axis = (Ball(1.0) / sine) * ends.sine_axis;
    const HalfAngle half = half_angle(sine, ends.cosine);
    half_angle_ = half.value;
    errors.half_angle = half.error;
    sine_half_ = sine_cosine(half_angle_).sine;
    axis_ = nearest(axis);
    // RI-1: y(t) = y0 + t d + (rho cos beta - t) d_across - rho sin beta (axis x d).
    const BallVector along = dot(axis, ends.shift) * axis;
    const BallVector across = ends.shift - along;
    const BallVector rotated_shift = cross(ends.shift, axis);
    shift_across_ = nearest(across);
    shift_rotated_ = nearest(rotated_shift);
    const double half_upper = half_angle_ + errors.half_angle;
    errors.axis = half_upper * radius_of(axis);
    errors.across = half_upper * (radius_of(across) + radius_of(rotated_shift));
    // RI-4. theta^2 rho = 2 H^2 |across| / sin H, and sin H >= H (1 - H^2 / 6).
    centre_acceleration_ = 2.0 * half_upper * length_upper(across) /
                           (1.0 - half_upper * half_upper / 6.0) * (1.0 + 0x1p-40);
    angle_ = 2.0 * half_upper * (1.0 + 0x1p-40);
    angle_sq_ = 4.0 * half_upper * half_upper * (1.0 + 0x1p-40);
}

// RI-3, with eta, nu, r the errors of the half angle, the axis and the start:
//   |R computed - R| <= 66u + 3 eta + 2 nu + 4 r, here 68u;
//   R b: three products and two sums with |R| <= sqrt(3), b itself and the sum with y: 8u |b|;
//   y(t): 96u |d| + 2 eta |d| + 3u (|y0| + |d|), and the radii of y0, d and both vectors across;
//   a projection: 14u times the sum of all lengths.
// Boxes reach up to sqrt(3) < 1.75 times as far as the points they hold.
void RelativeMotion::set_error(const Ends& ends, const SetUpErrors& e, double radius_a,
                               double radius_b) noexcept {
    const double reach_a = 1.75 * radius_a;
    const double reach_b = 1.75 * radius_b;
    const double rotation_error =
        68.0 * kU + 3.0 * e.half_angle + 2.0 * e.axis + 4.0 * e.start + 3.0 * e.left_out;
    const double position_error =
        reach_b * (rotation_error + 8.0 * kU) +
        e.shift_upper * (96.0 * kU + 2.0 * e.half_angle + 4.0 * e.axis + 3.0 * e.left_out) +
        reach_ * 3.0 * kU + radius_of(ends.centre) + radius_of(ends.shift) + e.across;
    const double projection_error = 14.0 * kU * (reach_a + reach_b + reach_);
    error_ = (position_error + projection_error) * (1.0 + 0x1p-40) + kUnderflow;
}

// (cos tH, sin tH axis) p0 / |p0| as a matrix, and y(t) of RI-1 with rho = sin(tH) / sin(H) and
// beta = (1 - t) H. No point of the axis occurs: nothing is lost where the axis is far away.
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
            frame.centre + (ratio * c_rest - t) * shift_across_ + (ratio * s_rest) * shift_rotated_;
    }
    return frame;
}

}  // namespace graze::rigid::detail
