// The collision screen (Buss 2005, section 7): where a flow line of the motion meets it.
//
// Notation. The axis of the motion is y, the angle about it phi = atan2(x, z), r = sqrt(x^2 + z^2);
// theta and g are turn and shift of the whole step. A point carried by the flow keeps r, and phi
// and
// y grow by theta and g in the unit of time. With s = sqrt(g^2 + r^2 theta^2), its speed,
//     h = r (y theta - phi g) / s      stays the same along the flow,
//     t = (y g + r^2 phi theta) / s^2  grows by 1 in the unit of time,
// so a point of B (that moves) reaches a point of A (that rests) iff r and h agree, after t_A -
// t_B.
// The printed formulas lack a factor r beside phi. docs/derivations/rigid_raster.md.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "graze/core/vec3.hpp"

namespace graze::rigid::raster {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kTurn = 2.0 * std::numbers::pi;
inline constexpr double kFar = std::numeric_limits<double>::infinity();

// cos and sin of the turn until `time`.
struct Turn {
    double cosine = 1.0;
    double sine = 0.0;
    double time = 0.0;
};

// cos and sin by their series after whole quarters are taken off: on [-pi/4, pi/4] the first terms
// left out are x^17/17! < 5e-17 and x^16/16! < 1e-15, and for |angle| <= 16 the quarters add 1e-15.
// Several times faster than the library's, which is called for every step of every iteration; terms
// are added by pairs, so that none waits for all before it.
[[nodiscard]] inline Turn fast_turn(double angle, double time) noexcept {
    long quarters = 0;
    double x = angle;
    if (std::fabs(angle) > 0.25 * kPi) {
        quarters = static_cast<long>(angle * (2.0 / kPi) + (angle > 0.0 ? 0.5 : -0.5));
        x = angle - static_cast<double>(quarters) * (0.5 * kPi);
    }
    const double y = x * x;
    const double y2 = y * y;
    const double y4 = y2 * y2;
    const double sine = x * (((1.0 + y * (-1.0 / 6)) + y2 * (1.0 / 120 + y * (-1.0 / 5040))) +
                             y4 * ((1.0 / 362880 + y * (-1.0 / 39916800)) +
                                   y2 * (1.0 / 6227020800.0 + y * (-1.0 / 1307674368000.0))));
    const double cosine = ((1.0 + y * -0.5) + y2 * (1.0 / 24 + y * (-1.0 / 720))) +
                          y4 * ((1.0 / 40320 + y * (-1.0 / 3628800)) +
                                y2 * (1.0 / 479001600 + y * (-1.0 / 87178291200.0)));
    switch (quarters & 3) {
        case 0:
            return {cosine, sine, time};
        case 1:
            return {-sine, cosine, time};
        case 2:
            return {-cosine, -sine, time};
        default:
            return {sine, -cosine, time};
    }
}

// atan2(x, z) to 1e-13 of its value. After eighths of a turn are taken off, |q| <= tan(pi/8), where
// the polynomial (by Chebyshev's points) is within 3e-14 of atan(q) / q. What the error does to a
// place on the screen is as small against the angle times r, that is, against the bodies' sizes.
[[nodiscard]] inline double fast_angle(double x, double z) noexcept {
    constexpr double kTanOfEighth = 0.41421356237309503;
    const double ax = std::fabs(x);
    const double az = std::fabs(z);
    const bool steep = ax > az;
    const double small = steep ? az : ax;
    const double large = steep ? ax : az;
    if (!(large > 0.0)) return 0.0;
    const bool upper = small > kTanOfEighth * large;
    const double q = upper ? (small - large) / (small + large) : small / large;
    const double y = q * q;
    const double y2 = y * y;
    const double y4 = y2 * y2;
    const double p =
        ((0.999999999999973 + y * -0.3333333333079665) +
         y2 * (0.19999999604016064 + y * -0.14285690377256466)) +
        y4 * ((0.11110383843588222 + y * -0.09078375462731826) +
              y2 * (0.07563577906531434 + y * -0.05874015075938305) + y4 * 0.030654714558650552);
    double phi = (upper ? 0.25 * kPi : 0.0) + q * p;
    if (steep) phi = 0.5 * kPi - phi;
    if (z < 0.0) phi = kPi - phi;
    return x < 0.0 ? -phi : phi;
}

// The motion in the coordinates of the screen.
struct Flow {
    bool turns = false;  // else straight: a turn so small that it is taken to first order
    double theta = 0.0;
    double g = 0.0;  // straight: the length of the step, >= 0
    Vec3 angular;    // the velocity at x is angular x x + linear
    Vec3 linear;

    [[nodiscard]] Vec3 velocity(const Vec3& x) const noexcept {
        if (turns) return {theta * x.z, g, -theta * x.x};
        return cross(angular, x) + linear;
    }
    [[nodiscard]] Turn turn(double time) const noexcept {
        if (!turns) return {1.0, 0.0, time};
        return fast_turn(theta * time, time);
    }
    // Where the point that is at x at time 0 is then.
    [[nodiscard]] Vec3 moved(const Vec3& x, const Turn& by) const noexcept {
        if (!turns) return x + by.time * velocity(x);
        return {x.x * by.cosine + x.z * by.sine, x.y + g * by.time,
                x.z * by.cosine - x.x * by.sine};
    }
    // What becomes of a direction.
    [[nodiscard]] Vec3 turned(const Vec3& v, const Turn& by) const noexcept {
        if (!turns) return v + by.time * cross(angular, v);
        return {v.x * by.cosine + v.z * by.sine, v.y, v.z * by.cosine - v.x * by.sine};
    }
};

struct ScreenPoint {
    double r = 0.0;
    double h = 0.0;
    double t = 0.0;
    double phi = 0.0;
};

// phi + 2 pi k, nearest to `near`.
[[nodiscard]] inline double unwrapped(double phi, double near) noexcept {
    const double gap = phi - near;
    if (gap > kPi) return phi - kTurn;
    if (gap < -kPi) return phi + kTurn;
    return phi;
}

[[nodiscard]] inline ScreenPoint at_angle(const Flow& flow, double r, double y,
                                          double phi) noexcept {
    const double s_sq = flow.g * flow.g + r * r * (flow.theta * flow.theta);
    // On the axis of a pure turn a point rests, and its time is undefined.
    if (!(s_sq > 0.0)) return {r, y, 0.0, phi};
    const double inverse = 1.0 / s_sq;
    return {r, r * (y * flow.theta - phi * flow.g) * std::sqrt(inverse),
            (y * flow.g + r * r * phi * flow.theta) * inverse, phi};
}

// phi is the one nearest to `near`. Straight motions: the screen is the plane across them.
[[nodiscard]] inline ScreenPoint project(const Flow& flow, const Vec3& x,
                                         double near = 0.0) noexcept {
    if (!flow.turns) return {x.x, x.z, flow.g > 0.0 ? x.y / flow.g : 0.0, 0.0};
    const double r = std::sqrt(x.x * x.x + x.z * x.z);
    double phi = fast_angle(x.x, x.z);
    if (near != 0.0) {
        while (phi - near > kPi)
            phi -= kTurn;
        while (phi - near < -kPi)
            phi += kTurn;
    }
    return at_angle(flow, r, x.y, phi);
}

// The same point k turns on.
[[nodiscard]] inline ScreenPoint doppeled(const Flow& flow, ScreenPoint p, int k) noexcept {
    if (k == 0 || !flow.turns) return p;
    const double phi = kTurn * k;
    const double s_sq = flow.g * flow.g + p.r * p.r * (flow.theta * flow.theta);
    if (!(s_sq > 0.0)) return p;
    p.h -= p.r * phi * flow.g / std::sqrt(s_sq);
    p.t += p.r * p.r * phi * flow.theta / s_sq;
    p.phi += phi;
    return p;
}

// Bounds of first and second derivatives of r, h and t at distances >= r from the axis, where
// |y theta - phi g| <= q (derived in docs/derivations/rigid_raster.md).
struct Bending {
    double slope_h = 1.0;  // |grad h|
    double slope_t = 0.0;  // |grad t|
    double bend = 0.0;     // norms of the second derivatives of r and of h, added
    double bend_t = 0.0;
};
[[nodiscard]] inline Bending bending(const Flow& flow, double r, double q) noexcept {
    Bending b;
    if (!flow.turns) {
        b.slope_t = flow.g > 0.0 ? 1.0 / flow.g : 0.0;
        return b;
    }
    if (!(r > 0.0)) return {kFar, kFar, kFar, kFar};
    const double g = std::fabs(flow.g);
    const double theta = flow.theta;
    const double s_sq = g * g + r * r * theta * theta;
    const double i1 = 1.0 / std::sqrt(s_sq);
    const double i2 = i1 * i1;
    const double shear = q * g * g * i2 * i1;
    const double shear_t = 2.0 * g * q * i2;
    b.slope_h = std::sqrt(1.0 + shear * shear);
    b.slope_t = i1 * std::sqrt(1.0 + shear_t * shear_t);
    b.bend = (1.0 + shear) / r + 2.0 * theta * g * i2 * (1.0 + g * i1) +
             3.0 * q * g * g * theta * i2 * i2;
    b.bend_t = 2.0 * theta * i2 + 8.0 * theta * g * q * i2 * i2;
    return b;
}

}  // namespace graze::rigid::raster
