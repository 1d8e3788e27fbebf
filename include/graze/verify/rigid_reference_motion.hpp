// The relative screw of a step, evaluated in a number type of any precision.
//
// Shares nothing with src/rigid but the plain input types, and derives it otherwise: no axis point and
// no series. With the relative map G x = R(theta, u) x + d in the frame of A at the start and
// h = theta / 2, p = t h, the point x of that frame is at time t at
//     R(t theta, u) x + t (u . d) u + (sin p / sin h) (cos(h - p) d' - sin(h - p) u x d'),
// d' = d - (u . d) u. (Take c = (d' + cot h u x d') / 2, a point of the axis, and (I - R) c.) No
// term
// cancels, whatever the angle; for theta = 0 it is x + t d.
// The velocity of the flow at the position x is w x x + l with
//     w = theta u,  l = (u . d) u + h cot(h) d' - h u x d'.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "graze/rigid/step.hpp"

namespace graze::rigid::reference {

// 168 bits.
using Real50 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float_50::backend_type,
                                             boost::multiprecision::et_off>;

template <class Real>
struct Vector {
    Real x{};
    Real y{};
    Real z{};
};
template <class Real>
Vector<Real> operator+(const Vector<Real>& a, const Vector<Real>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
Vector<Real> operator-(const Vector<Real>& a, const Vector<Real>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
Vector<Real> operator*(const Real& s, const Vector<Real>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class Real>
Real dot(const Vector<Real>& a, const Vector<Real>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
Vector<Real> cross(const Vector<Real>& a, const Vector<Real>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
Real length(const Vector<Real>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}
template <class To, class From>
Vector<To> convert(const Vector<From>& a) {
    return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}
template <class Real>
Vector<Real> widen(const Vec3& a) {
    return {Real(a.x), Real(a.y), Real(a.z)};
}

// x -> rows * x + shift.
template <class Real>
struct RigidMap {
    Vector<Real> rows[3];
    Vector<Real> shift;
    Vector<Real> operator()(const Vector<Real>& x) const {
        return {dot(rows[0], x) + shift.x, dot(rows[1], x) + shift.y, dot(rows[2], x) + shift.z};
    }
};
template <class To, class From>
RigidMap<To> convert(const RigidMap<From>& m) {
    return {{convert<To>(m.rows[0]), convert<To>(m.rows[1]), convert<To>(m.rows[2])},
            convert<To>(m.shift)};
}

template <class Real>
struct Turn {
    Real w{};
    Vector<Real> v;
};
template <class Real>
Turn<Real> operator*(const Turn<Real>& p, const Turn<Real>& q) {
    return {p.w * q.w - dot(p.v, q.v), p.w * q.v + q.w * p.v + cross(p.v, q.v)};
}
template <class Real>
Turn<Real> opposite(const Turn<Real>& q) {
    return {q.w, Real(-1) * q.v};
}
// q x q^-1, for q of any length: x + 2 v x (v x x + w x) / |q|^2.
template <class Real>
Vector<Real> turned(const Turn<Real>& q, const Vector<Real>& x) {
    const Real size_sq = q.w * q.w + dot(q.v, q.v);
    return x + Real(2) / size_sq * cross(q.v, cross(q.v, x) + q.w * x);
}
template <class Real>
Turn<Real> widen(const Quaternion& q) {
    return {Real(q.w), {Real(q.x), Real(q.y), Real(q.z)}};
}

// Everything of the motion of B as seen from A.
template <class Real>
struct RelativeMotion {
    Turn<Real> start_turn;  // of M_i^-1 N_i
    Vector<Real> start_shift;
    Vector<Real> axis;    // unit length; 0 where there is no rotation
    Real half_angle{};    // h, in [0, pi / 2]
    Vector<Real> along;   // (u . d) u, or d where there is no rotation
    Vector<Real> across;  // d'
    Vector<Real> angular;
    Vector<Real> linear;

    // The position of B's local points in A's frame at time t.
    [[nodiscard]] RigidMap<Real> at(const Real& t) const;
    // The velocity at a position, and the magnitude of the acceleration of what passes there: the
    // derivative of w x x + l along the path, which keeps its length as it is turned with the flow.
    [[nodiscard]] Vector<Real> velocity(const Vector<Real>& x) const {
        return cross(angular, x) + linear;
    }
    [[nodiscard]] Real acceleration(const Vector<Real>& x) const {
        return length(cross(angular, velocity(x)));
    }
};

template <class Real>
RigidMap<Real> RelativeMotion<Real>::at(const Real& t) const {
    using std::cos;
    using std::sin;
    const Real p = t * half_angle;
    const Real sin_p = sin(p);
    const Turn<Real> screw{cos(p), sin_p * axis};
    Vector<Real> shift = t * along + turned(screw, start_shift);
    if (half_angle > 0) {
        const Real q = half_angle - p;
        shift = shift + sin_p / sin(half_angle) * (cos(q) * across - sin(q) * cross(axis, across));
    }
    const Turn<Real> whole = screw * start_turn;
    const Vector<Real> x = turned(whole, {Real(1), Real(0), Real(0)});
    const Vector<Real> y = turned(whole, {Real(0), Real(1), Real(0)});
    const Vector<Real> z = turned(whole, {Real(0), Real(0), Real(1)});
    return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}, shift};
}

// M^-1 N for poses as they are given.
template <class Real>
struct RelativePose {
    Turn<Real> turn;
    Vector<Real> shift;
};
template <class Real>
RelativePose<Real> pose_seen_from(const Pose& m, const Pose& n) {
    const Turn<Real> back = opposite(widen<Real>(m.rotation));
    return {back * widen<Real>(n.rotation),
            turned(back, widen<Real>(n.translation) - widen<Real>(m.translation))};
}

template <class Real>
RelativeMotion<Real> relative_motion(const PairStep& step) {
    using std::atan2;
    using std::cos;
    using std::sin;
    const auto first = pose_seen_from<Real>(step.a.start, step.b.start);
    const auto last = pose_seen_from<Real>(step.a.end, step.b.end);
    RelativeMotion<Real> motion;
    motion.start_turn = first.turn;
    motion.start_shift = first.shift;
    Turn<Real> turn = last.turn * opposite(first.turn);
    if (turn.w < 0) turn = {-turn.w, Real(-1) * turn.v};
    const Vector<Real> d = last.shift - turned(turn, first.shift);
    const Real size = length(turn.v);
    motion.along = d;
    motion.linear = d;
    if (!(size > 0)) return motion;
    motion.axis = Real(1) / size * turn.v;
    motion.half_angle = atan2(size, turn.w);
    motion.along = dot(motion.axis, d) * motion.axis;
    motion.across = d - motion.along;
    const Real h = motion.half_angle;
    motion.angular = Real(2) * h * motion.axis;
    motion.linear =
        motion.along + h * cos(h) / sin(h) * motion.across - h * cross(motion.axis, motion.across);
    return motion;
}

template <class To, class From>
RelativeMotion<To> convert(const RelativeMotion<From>& m) {
    return {{static_cast<To>(m.start_turn.w), convert<To>(m.start_turn.v)},
            convert<To>(m.start_shift),
            convert<To>(m.axis),
            static_cast<To>(m.half_angle),
            convert<To>(m.along),
            convert<To>(m.across),
            convert<To>(m.angular),
            convert<To>(m.linear)};
}

}  // namespace graze::rigid::reference
