#include "rigid/raster/frame.hpp"

#include <algorithm>
#include <array>

#include "graze/core/elementary.hpp"

namespace graze::rigid::raster {
namespace {

RigidMap map_of(const Pose& pose) noexcept {
    const Vec3 i = rotate(pose.rotation, {1.0, 0.0, 0.0});
    const Vec3 j = rotate(pose.rotation, {0.0, 1.0, 0.0});
    const Vec3 k = rotate(pose.rotation, {0.0, 0.0, 1.0});
    return {{i.x, j.x, k.x}, {i.y, j.y, k.y}, {i.z, j.z, k.z}, pose.translation};
}

// first after second.
RigidMap after(const RigidMap& first, const RigidMap& second) noexcept {
    const auto row = [&](const Vec3& r) {
        return r.x * second.x + r.y * second.y + r.z * second.z;
    };
    return {row(first.x), row(first.y), row(first.z), first(second.shift)};
}

Vec3 across(const Vec3& axis) noexcept {
    const Vec3 helper = std::fabs(axis.x) < 0.6 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 v = cross(axis, helper);
    return (1.0 / norm(v)) * v;
}

// Coordinates with the given y and z axes and origin.
RigidMap coordinates(const Vec3& origin, const Vec3& y, const Vec3& z) noexcept {
    RigidMap m{cross(y, z), y, z, {}};
    m.shift = -m.direction(origin);
    return m;
}

struct Balls {
    Vec3 a;
    Vec3 b;
    double radius_a;
    double radius_b;
};

void straight_frame(Frame& f, const Balls& balls, const ScrewMotion& screw) noexcept {
    const Vec3 origin = 0.5 * (balls.a + balls.b);
    const Vec3 velocity = screw.velocity(origin);
    const double speed = norm(velocity);
    const Vec3 apart = balls.a - balls.b;
    const double gap = norm(apart);
    // At rest any screen will do; across the centres it tells most.
    const Vec3 y = speed > 0.0 ? (1.0 / speed) * velocity
                   : gap > 0.0 ? (1.0 / gap) * apart
                               : Vec3{0.0, 1.0, 0.0};
    f.of_a = coordinates(origin, y, across(y));
    f.flow.turns = false;
    f.flow.theta = 0.0;
    f.flow.g = speed;
    f.flow.angular = f.of_a.direction(screw.angular);
    f.flow.linear = f.of_a.direction(velocity);
}

// Half the angle under which the axis sees the ball; pi where it may run through it.
double half_angle(double distance, double radius) noexcept {
    return distance > radius * (1.0 + 1e-9) ? arc_sine(radius / distance) : kPi;
}

// The z axis looks to the middle of both bodies, so that the cut at phi = pi is far from them. B is
// met by A while it turns from its place by theta: A is counted nearest to the middle of that.
double middle_angle(double phi_b, double half_b, double phi_a, double half_a, double theta) {
    const double ahead = std::remainder(phi_a - phi_b - 0.5 * theta, kTurn) + 0.5 * theta;
    const double lower = std::fmin(-half_b, ahead - half_a);
    const double upper = std::fmax(half_b, ahead + half_a);
    return phi_b + 0.5 * (lower + upper);
}

void turning_frame(Frame& f, const Balls& balls, const ScrewMotion& screw) {
    const Vec3& y = screw.direction;
    const double height = 0.5 * (dot(y, balls.a - screw.point) + dot(y, balls.b - screw.point));
    const Vec3 origin = screw.point + height * y;
    const RigidMap first = coordinates(origin, y, across(y));
    const Vec3 a = first(balls.a);
    const Vec3 b = first(balls.b);
    const double half_a = half_angle(norm(Vec3{a.x, a.z, 0.0}), balls.radius_a);
    const double half_b = half_angle(norm(Vec3{b.x, b.z, 0.0}), balls.radius_b);
    double middle = 0.0;
    if (half_a < kPi || half_b < kPi) {
        middle = middle_angle(arc_tangent(b.x, b.z), half_b < kPi ? half_b : 0.0,
                              arc_tangent(a.x, a.z), half_a < kPi ? half_a : 0.0, screw.angle);
    }
    const Vec3 z = cosine(middle) * first.z + sine(middle) * first.x;
    f.of_a = coordinates(origin, y, z);
    f.flow.turns = true;
    f.flow.theta = screw.angle;
    f.flow.g = screw.pitch;
    f.flow.angular = {0.0, screw.angle, 0.0};
    f.flow.linear = {0.0, screw.pitch, 0.0};
}

Extent extent(const Flow& flow, const Vec3& c, double radius) noexcept {
    Extent e;
    e.y = {c.y - radius, c.y + radius};
    if (!flow.turns) {
        e.r = {c.x - radius, c.x + radius};
        e.phi = {c.z - radius, c.z + radius};
        return e;
    }
    const double d = std::sqrt(c.x * c.x + c.z * c.z);
    e.r = {std::fmax(0.0, d - radius), d + radius};
    const double half = half_angle(d, radius);
    e.around = !(half < kPi);
    const double phi = arc_tangent(c.x, c.z);
    e.phi = e.around ? Range{-kPi, kPi} : Range{phi - half, phi + half};
    return e;
}

// Features of a body around the axis start at a phi in [-pi, pi], and a face winds by less than a
// turn unless the axis pierces it.
Range drawn_phi(const Extent& e) noexcept {
    return e.around ? Range{-1.5 * kTurn, 1.5 * kTurn} : e.phi;
}

// Straight motions have no copies. A ball's own bounds say which ones can be wanted.
Copies wanted_copies(const Frame& f, double pixel) noexcept {
    if (!f.flow.turns) return {};
    const Range a = drawn_phi(f.a);
    const double r = f.common_r.lower;
    const double reach = r > 4.0 * pixel ? 4.0 * pixel / r : kPi;
    const Range wanted = {f.phi_b.lower - reach, f.phi_b.upper + f.flow.theta + reach};
    Copies c{3, -3};
    for (int k = -3; k <= 3; ++k) {
        const Range copy = {a.lower + kTurn * k, a.upper + kTurn * k};
        if (!copy.meets(wanted)) continue;
        c.first = std::min(c.first, k);
        c.last = std::max(c.last, k);
    }
    return c.first <= c.last ? c : Copies{0, 0};
}

// No feature is drawn, nor any point within two pixels of one that both can meet, at a larger
// angle.
double largest_angle(const Frame& f, double pixel) noexcept {
    const double b = std::fmax(std::fabs(f.phi_b.lower), std::fabs(f.phi_b.upper));
    const double r = f.common_r.lower;
    // Features near the axis wind around it.
    if (f.a.around || f.b.around || !(r > 4.0 * pixel)) return b + f.flow.theta + kPi;
    const double a = std::fmax(std::fabs(f.a.phi.lower + kTurn * f.copies.first),
                               std::fabs(f.a.phi.upper + kTurn * f.copies.last));
    const double a_first = std::fmax(std::fabs(f.a.phi.lower), std::fabs(f.a.phi.upper));
    return std::fmax(std::fmax(a, a_first), b) + 4.0 * pixel / r;
}

Range product(const Range& a, const Range& b) noexcept {
    Range p;
    for (const double x : {a.lower, a.upper})
        for (const double y : {b.lower, b.upper})
            p.include(x * y);
    return p;
}

struct HeightAndTime {
    Range h;
    Range t;
};

// With r in a range: h = y (r theta/s) - phi (r g/s), t = y (g/s^2) + phi (r^2 theta/s^2); each
// factor in brackets is monotone in r.
HeightAndTime height_and_time(const Flow& flow, const Range& r, const Range& y, const Range& phi) {
    if (!flow.turns) return {phi, product(y, {1.0 / flow.g, 1.0 / flow.g})};
    std::array<Range, 4> factor;
    for (const double x : {r.lower, r.upper}) {
        const double s_sq = flow.g * flow.g + x * x * flow.theta * flow.theta;
        const double s = std::sqrt(s_sq);
        factor[0].include(x * flow.theta / s);
        factor[1].include(-x * flow.g / s);
        factor[2].include(flow.g / s_sq);
        factor[3].include(x * x * flow.theta / s_sq);
    }
    const Range h1 = product(y, factor[0]);
    const Range h2 = product(phi, factor[1]);
    const Range t1 = product(y, factor[2]);
    const Range t2 = product(phi, factor[3]);
    return {{h1.lower + h2.lower, h1.upper + h2.upper}, {t1.lower + t2.lower, t1.upper + t2.upper}};
}

}  // namespace

Frame choose_frame(const Polyhedron& a, const Polyhedron& b, const ScrewMotion& screw,
                   const Pose& start_of_b, double pixel) {
    Frame f;
    const RigidMap b_in_a = map_of(start_of_b);
    const Balls balls{a.centre(), b_in_a(b.centre()), a.radius(), b.radius()};
    const Vec3 velocity = screw.velocity(0.5 * (balls.a + balls.b));
    const double size = norm(balls.a - balls.b) + balls.radius_a + balls.radius_b;
    if (screw.is_translation() || screw.angle * (size + norm(velocity)) <= pixel / 16.0) {
        straight_frame(f, balls, screw);
    } else {
        turning_frame(f, balls, screw);
    }
    f.of_b = after(f.of_a, b_in_a);
    f.a = extent(f.flow, f.of_a(balls.a), balls.radius_a);
    f.b = extent(f.flow, f.of_b(b.centre()), balls.radius_b);
    f.common_r = {std::fmax(f.a.r.lower, f.b.r.lower), std::fmin(f.a.r.upper, f.b.r.upper)};
    f.phi_b = drawn_phi(f.b);
    f.copies = wanted_copies(f, pixel);
    const double y_max = std::fmax(std::fmax(std::fabs(f.a.y.lower), std::fabs(f.a.y.upper)),
                                   std::fmax(std::fabs(f.b.y.lower), std::fabs(f.b.y.upper)));
    f.q = f.flow.theta * (y_max + 2.0 * pixel) + std::fabs(f.flow.g) * largest_angle(f, pixel);
    const double r_max = std::fmin(f.a.r.upper, f.b.r.upper);
    f.max_speed = f.flow.turns ? norm(Vec3{f.flow.g, std::fmax(r_max, 0.0) * f.flow.theta, 0.0})
                               : norm(velocity) + screw.angle * size;
    return f;
}

bool can_meet(const Frame& f, double reach) noexcept {
    const Range r_a = f.a.r.widened(reach);
    if (!r_a.meets(f.b.r)) return false;
    const Range swept = {f.b.y.lower + std::fmin(0.0, f.flow.g) - reach,
                         f.b.y.upper + std::fmax(0.0, f.flow.g) + reach};
    if (!f.a.y.meets(swept)) return false;
    if (!f.flow.turns) return f.a.phi.widened(reach).meets(f.b.phi);
    const double near = f.common_r.lower - reach;
    if (f.a.around || f.b.around || near <= 2.0 * reach) return true;
    const Bending slope = bending(f.flow, near, f.q);
    const Range r = f.common_r.widened(reach);
    const HeightAndTime b = height_and_time(f.flow, r, f.b.y, f.b.phi);
    const double reach_h = reach * slope.slope_h;
    const double reach_t = reach * slope.slope_t;
    for (int k = f.copies.first; k <= f.copies.last; ++k) {
        const Range phi = {f.a.phi.lower + kTurn * k, f.a.phi.upper + kTurn * k};
        const Range wanted = {f.b.phi.lower, f.b.phi.upper + f.flow.theta};
        if (!phi.widened(2.0 * reach / near).meets(wanted)) continue;
        const HeightAndTime a = height_and_time(f.flow, r, f.a.y, phi);
        const Range times = {a.t.lower - b.t.upper - reach_t, a.t.upper - b.t.lower + reach_t};
        if (a.h.widened(reach_h).meets(b.h) && times.meets({0.0, 1.0})) return true;
    }
    return false;
}

}  // namespace graze::rigid::raster
