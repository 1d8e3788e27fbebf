// Screws in doubles: for display, for the raster and for poses between the ends. Nothing here is
// part of a proof; formulas are arranged so that what does not move has exactly no motion, and so
// that small angles and far axes lose no digits.
#include "graze/rigid/screw_motion.hpp"

#include <cmath>

#include "graze/core/elementary.hpp"
#include "graze/core/quaternion.hpp"
#include "rigid/rotation_sense.hpp"

namespace graze::rigid {
namespace {

// sin(x) / x.
double sinc(double x) noexcept {
    return x == 0.0 ? 1.0 : sine(x) / x;
}

// 1 - sin(x) / x. Below 1/2 by its series, which has no cancellation: x^2/6 (1 - x^2/20 (1 - ...)).
// The first term left out is x^16/17!: 1e-18 of the first.
double one_minus_sinc(double x) noexcept {
    if (std::fabs(x) >= 0.5) return 1.0 - sine(x) / x;
    const double y = x * x;
    double sum = 1.0;
    for (const double factor : {14.0 * 15.0, 12.0 * 13.0, 10.0 * 11.0, 8.0 * 9.0, 6.0 * 7.0, 20.0})
        sum = 1.0 - y / factor * sum;
    return y / 6.0 * sum;
}

// 1 - x cot(x) for x in [0, pi/2]. Near 0 by its series x^2/3 + x^4/45 + 2 x^6/945; the first term
// left out, x^8/4725, is below 2e-17 of the first.
double one_minus_x_cot(double x) noexcept {
    if (x >= 0.02) return 1.0 - x / tangent(x);
    const double y = x * x;
    return y * (1.0 / 3.0 + y * (1.0 / 45.0 + y * (2.0 / 945.0)));
}

// The displacement until time t of a point with velocity w at time 0: the velocity rotates about
// the direction, so that it is the integral of R(s angle) w over [0, t],
//   t (w + (1 - cos f)/f  v x w + (1 - sin f / f) v x (v x w)), f = t angle,
// with (1 - cos f)/f = sin(f/2) sinc(f/2).
Vec3 displacement(const ScrewMotion& screw, const Vec3& w, double t) noexcept {
    const double f = t * screw.angle;
    const Vec3 across = cross(screw.direction, w);
    const Vec3 back = cross(screw.direction, across);
    const Vec3 rotated = (sine(0.5 * f) * sinc(0.5 * f)) * across + one_minus_sinc(f) * back;
    return t * (w + rotated);
}

ScrewMotion translation(const Vec3& shift) noexcept {
    ScrewMotion screw;
    const double largest = norm_max(shift);
    if (!(largest > 0.0)) return screw;
    const Vec3 near = {shift.x / largest, shift.y / largest, shift.z / largest};
    const double length = norm(near);
    screw.direction = {near.x / length, near.y / length, near.z / length};
    screw.pitch = norm(shift);
    screw.linear = shift;
    return screw;
}

// a b^-1 up to its length, also where the two are nearly the same or nearly opposite: then the
// vector part is that of (a -+ b) conj(b), because b conj(b) has none, and a -+ b is exact or
// nearly so. Without it a rotation by 1e-10 would have six digits.
Quaternion rotation_between(const Quaternion& a_any, const Quaternion& b_any) noexcept {
    const Quaternion a = near_one(a_any);
    const Quaternion b = near_one(b_any);
    const double w = a.w * b.w + dot(vector_part(a), vector_part(b));
    const double s = w < 0.0 ? -1.0 : 1.0;
    const Quaternion rest = {a.w - s * b.w, a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
    const bool close = largest_part(rest) < 0.5 * largest_part(a);
    const Quaternion rotation = product(close ? rest : a, conjugate(b));
    return {w, rotation.x, rotation.y, rotation.z};
}

// The map that takes the start of a body to its end, both in the world: N_f N_i^-1. Its
// translation is T_f - R T_i = (T_f - T_i) - (R - 1) T_i.
Pose own_map(const BodyStep& step) noexcept {
    const Quaternion rotation = rotation_between(step.end.rotation, step.start.rotation);
    return {rotation, (step.end.translation - step.start.translation) -
                          rotation_change(rotation, step.start.translation)};
}

// M^-1 N.
Pose as_seen_from(const Pose& m, const Pose& n) noexcept {
    const Quaternion back = conjugate(near_one(m.rotation));
    return {product(back, near_one(n.rotation)), rotate(back, n.translation - m.translation)};
}

// M_f^-1 N_f N_i^-1 M_i, arranged so that what does not move adds no rounding:
//   rotation     conj(m_f) (n_f conj(n_i)) m_f * conj(m_f) m_i: the rotation of B as seen from A's
//                end, after A's own rotation backwards;
//   translation  m_f^-1 ( (R_B - 1)(T_Mi - T_Ni) + (T_Nf - T_Ni) - (T_Mf - T_Mi) ).
Pose relative_map(const PairStep& step) noexcept {
    const Quaternion rotation_b = rotation_between(step.b.end.rotation, step.b.start.rotation);
    const Quaternion to_a = conjugate(step.a.end.rotation);
    const Vec3 axis = rotate(to_a, vector_part(rotation_b));
    const Quaternion rotation_a = rotation_between(to_a, conjugate(step.a.start.rotation));
    const Vec3 shift =
        rotation_change(rotation_b, step.a.start.translation - step.b.start.translation) +
        ((step.b.end.translation - step.b.start.translation) -
         (step.a.end.translation - step.a.start.translation));
    return {product({rotation_b.w, axis.x, axis.y, axis.z}, rotation_a), rotate(to_a, shift)};
}

[[nodiscard]] bool is_finite(const Quaternion& q) noexcept {
    return std::isfinite(q.w) && graze::is_finite(vector_part(q));
}

// The sign of w is the sense of a rotation by nearly pi. Where rounding errors could change it, it
// comes from exact arithmetic (RI-1): else this motion and the certified one would run in opposite
// senses. w is off by less than 40 u of the quaternion's length.
Quaternion with_exact_sense(Quaternion rotation, const PairStep& step) noexcept {
    const double doubt = 0x1p-45 * norm_max(vector_part(rotation));
    if (!(std::fabs(rotation.w) <= doubt) || !is_finite(rotation)) return rotation;
    for (const Pose* p : {&step.a.start, &step.a.end, &step.b.start, &step.b.end}) {
        if (!is_finite(p->rotation)) return rotation;
    }
    const int sign = exact_sign_of_scalar(step);
    rotation.w = sign == 0 ? 0.0 : sign * std::fmax(std::fabs(rotation.w), 0x1p-100 * doubt);
    return rotation;
}

ScrewMotion own_screw(const BodyStep& body) noexcept {
    Pose map = own_map(body);
    map.rotation = with_exact_sense(map.rotation, {{}, body});
    return screw_of(map);
}

}  // namespace

Pose ScrewMotion::at(double t) const noexcept {
    const double half = 0.5 * t * angle;
    const Vec3 vector = sine(half) * direction;
    return {{cosine(half), vector.x, vector.y, vector.z}, displacement(*this, linear, t)};
}

Vec3 ScrewMotion::position(const Vec3& x, double t) const noexcept {
    return x + displacement(*this, velocity(x), t);
}

Vec3 ScrewMotion::velocity(const Vec3& x) const noexcept {
    return cross(angular, x) + linear;
}

// With v the direction and p the component of the translation T across it:
//   point  = p/2 + v x T / (2 tan(angle/2))
//   linear = T - angle/2 v x T + (1 - angle/2 cot(angle/2)) v x (v x T),
// the inverse of displacement() at 1.
ScrewMotion screw_of(const Pose& map) noexcept {
    const Quaternion q = near_one(map.rotation);
    const Vec3& shift = map.translation;
    const double largest = norm_max(vector_part(q));
    if (!(largest > 0.0)) return translation(shift);
    const double signed_largest = q.w < 0.0 ? -largest : largest;
    const Vec3 near = {q.x / signed_largest, q.y / signed_largest, q.z / signed_largest};
    const double length = norm(near);

    ScrewMotion screw;
    screw.angle = 2.0 * arc_tangent(largest * length, std::fabs(q.w));
    screw.direction = {near.x / length, near.y / length, near.z / length};
    screw.pitch = dot(screw.direction, shift);
    screw.angular = screw.angle * screw.direction;
    const Vec3 across = cross(screw.direction, shift);
    const Vec3 back = cross(screw.direction, across);  // -p
    screw.point = 0.5 * (across * (1.0 / tangent(0.5 * screw.angle)) - back);
    screw.linear = shift - 0.5 * screw.angle * across + one_minus_x_cot(0.5 * screw.angle) * back;
    // So far away an axis that it has no coordinates: the rotation moves no point by an ulp of the
    // shift unless that point is 10^292 shifts away.
    if (screw.angle == 0.0 || !is_finite(screw.point)) return translation(shift);
    return screw;
}

ScrewMotion relative_screw(const PairStep& step) noexcept {
    Pose map = relative_map(step);
    map.rotation = with_exact_sense(map.rotation, step);
    return screw_of(map);
}

Pose relative_start(const PairStep& step) noexcept {
    return as_seen_from(step.a.start, step.b.start);
}

Pose pose_at(const BodyStep& step, double t) noexcept {
    if (t == 0.0) return step.start;
    if (t == 1.0) return step.end;
    return compose(own_screw(step).at(t), step.start);
}

Pose world_pose_a(const PairStep& step, double t) noexcept {
    return pose_at(step.a, t);
}

Pose world_pose_b(const PairStep& step, double t) noexcept {
    if (t == 0.0) return step.b.start;
    if (t == 1.0) return step.b.end;
    return compose(world_pose_a(step, t),
                   compose(relative_screw(step).at(t), relative_start(step)));
}

// 1 - cos(x) = 2 sin^2(x/2).
double interpolation_error(double angle) noexcept {
    const double s = sine(0.25 * angle);
    return angle == 0.0 ? 0.0 : 2.0 * s * (s / angle);
}

}  // namespace graze::rigid
