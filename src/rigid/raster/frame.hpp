// Choice of coordinates (Buss 2005, section 9, first step), and the bounds that stop early.
#pragma once

#include <optional>

#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/rigid/step.hpp"
#include "rigid/raster/screen.hpp"

namespace graze::rigid::raster {

// x -> rows x + shift.
struct RigidMap {
    Vec3 x{1.0, 0.0, 0.0};
    Vec3 y{0.0, 1.0, 0.0};
    Vec3 z{0.0, 0.0, 1.0};
    Vec3 shift;
    [[nodiscard]] Vec3 operator()(const Vec3& p) const noexcept {
        return {dot(x, p) + shift.x, dot(y, p) + shift.y, dot(z, p) + shift.z};
    }
    [[nodiscard]] Vec3 direction(const Vec3& v) const noexcept {
        return {dot(x, v), dot(y, v), dot(z, v)};
    }
    // Of a direction, back.
    [[nodiscard]] Vec3 direction_back(const Vec3& v) const noexcept {
        return v.x * x + v.y * y + v.z * z;
    }
    [[nodiscard]] Vec3 back(const Vec3& p) const noexcept { return direction_back(p - shift); }
};

struct Range {
    double lower = kFar;
    double upper = -kFar;
    void include(double v) noexcept {
        lower = v < lower ? v : lower;
        upper = v > upper ? v : upper;
    }
    [[nodiscard]] bool meets(const Range& o) const noexcept {
        return !(upper < o.lower) && !(o.upper < lower);
    }
    [[nodiscard]] Range widened(double by) const noexcept { return {lower - by, upper + by}; }
};

// A ball in cylinder coordinates; straight: r and phi stand for x and z.
struct Extent {
    Range r;
    Range y;
    Range phi;
    bool around = false;  // the axis may run through it: every phi
};

// How the features of A are repeated: phi + 2 pi k for first <= k <= last (section 8).
struct Copies {
    int first = 0;
    int last = 0;
};

struct Frame {
    RigidMap of_a;  // from the local frame of A to the screen's
    RigidMap of_b;  // from B's, at the start
    Flow flow;
    Extent a;
    Extent b;
    Copies copies;
    double q = 0.0;          // bound of |y theta - phi g|
    double max_speed = 0.0;  // of any point of B that a point of A can meet
    Range common_r;
    Range phi_b;  // where features of B are drawn: A's are wanted in [lower, upper + theta]
};

// `pixel` decides what turn is too small to tell from none: one that moves no point by more than
// 1/16 of it.
[[nodiscard]] Frame choose_frame(const Polyhedron& a, const Polyhedron& b, const ScrewMotion& screw,
                                 const Pose& start_of_b, double pixel);

// False: by the bounds in r, h and t no two points come within `reach`.
[[nodiscard]] bool can_meet(const Frame& frame, double reach) noexcept;

}  // namespace graze::rigid::raster
