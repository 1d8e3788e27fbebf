// Exact tests on integers (RS-1 to RS-3).
//
// Two closed triangles meet iff a side of one meets the other. In different planes their
// intersection is a segment or a point on the line of both planes, and each of its ends is on the
// outline of one of them; in one plane either the outlines cross, or one holds the other and with
// it its sides. A triangle without area is the union of its sides, so that nothing changes for it.
#include "rigid/exact_frame.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace graze::rigid::detail {
namespace {

using ExactQuaternion = std::array<Integer, 4>;  // w, x, y, z

// The lowest exponent of the odd significands: times 2^-that all are integers. 0 for zeros.
int lowest_exponent(std::span<const double> values, int otherwise) noexcept {
    int lowest = std::numeric_limits<int>::max();
    for (const double value : values)
        if (value != 0.0) lowest = std::min(lowest, dyadic_parts(value).exponent);
    return lowest == std::numeric_limits<int>::max() ? otherwise : lowest;
}

int lowest_exponent(const Triangle& triangle, int otherwise) noexcept {
    int lowest = otherwise;
    for (const Vec3& v : triangle) {
        const std::array values = {v.x, v.y, v.z};
        lowest = std::min(lowest, lowest_exponent(values, otherwise));
    }
    return lowest;
}

// Of any length: the rotation does not depend on it.
ExactQuaternion integers(const Quaternion& q) noexcept {
    const std::array values = {q.w, q.x, q.y, q.z};
    const int k = -lowest_exponent(values, 0);
    return {Integer::from_scaled(q.w, k), Integer::from_scaled(q.x, k),
            Integer::from_scaled(q.y, k), Integer::from_scaled(q.z, k)};
}

ExactVector integers(const Vec3& v, int k) noexcept {
    return {Integer::from_scaled(v.x, k), Integer::from_scaled(v.y, k),
            Integer::from_scaled(v.z, k)};
}

ExactQuaternion conjugate(const ExactQuaternion& q) noexcept {
    return {q[0], -q[1], -q[2], -q[3]};
}

ExactQuaternion product(const ExactQuaternion& p, const ExactQuaternion& q) noexcept {
    return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
            p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1]};
}

Integer norm_sq(const ExactQuaternion& q) noexcept {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

// N(q): rows of x -> q x conj(q), |q|^2 times the rotation.
std::array<ExactVector, 3> matrix(const ExactQuaternion& q) noexcept {
    const auto& [w, x, y, z] = q;
    const auto twice = [](const Integer& i) { return i.shifted_left(1); };
    const Integer ww = w * w;
    const Integer xx = x * x;
    const Integer yy = y * y;
    const Integer zz = z * z;
    return {ExactVector{ww + xx - yy - zz, twice(x * y - w * z), twice(x * z + w * y)},
            ExactVector{twice(x * y + w * z), ww - xx + yy - zz, twice(y * z - w * x)},
            ExactVector{twice(x * z - w * y), twice(y * z + w * x), ww - xx - yy + zz}};
}

Integer dot(const ExactVector& a, const ExactVector& b) noexcept {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
ExactVector minus(const ExactVector& a, const ExactVector& b) noexcept {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
ExactVector cross(const ExactVector& a, const ExactVector& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool is_zero(const ExactVector& v) noexcept {
    return v[0].sign() == 0 && v[1].sign() == 0 && v[2].sign() == 0;
}

// The sign of det(b - a, c - a, d - a).
int orientation(const ExactVector& a, const ExactVector& b, const ExactVector& c,
                const ExactVector& d) noexcept {
    return dot(cross(minus(b, a), minus(c, a)), minus(d, a)).sign();
}

// The boxes around two segments overlap: for segments of one line, so do the segments.
bool ranges_overlap(const ExactVector& p, const ExactVector& q, const ExactVector& a,
                    const ExactVector& b) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (std::max(p[axis], q[axis]) < std::min(a[axis], b[axis])) return false;
        if (std::max(a[axis], b[axis]) < std::min(p[axis], q[axis])) return false;
    }
    return true;
}

// --- In a plane ----------------------------------------------------------------------------------

// Coordinates with one left out: one-to-one on a plane whose normal has that component.
struct Projection {
    std::size_t first;
    std::size_t second;

    // The sign of (b - a) x (c - a).
    [[nodiscard]] int orientation(const ExactVector& a, const ExactVector& b,
                                  const ExactVector& c) const noexcept {
        return ((b[first] - a[first]) * (c[second] - a[second]) -
                (b[second] - a[second]) * (c[first] - a[first]))
            .sign();
    }
};

// Requires: a vector that is not 0.
Projection projection_along(const ExactVector& normal) noexcept {
    const std::size_t axis = normal[0].sign() != 0 ? 0 : normal[1].sign() != 0 ? 1 : 2;
    return {(axis + 1) % 3, (axis + 2) % 3};
}

// Closed segments of one plane; either may be a point. Each must have its ends on both sides of the
// other's line, or on it; where all four orientations are 0 they lie on one line.
bool coplanar_segments_meet(const ExactVector& p, const ExactVector& q, const ExactVector& a,
                            const ExactVector& b, const Projection& plane) noexcept {
    const int pq_a = plane.orientation(p, q, a);
    const int pq_b = plane.orientation(p, q, b);
    if (pq_a * pq_b > 0) return false;
    const int ab_p = plane.orientation(a, b, p);
    const int ab_q = plane.orientation(a, b, q);
    if (ab_p * ab_q > 0) return false;
    const bool on_one_line = pq_a == 0 && pq_b == 0 && ab_p == 0 && ab_q == 0;
    return !on_one_line || ranges_overlap(p, q, a, b);
}

bool is_in_triangle(const ExactVector& p, const ExactTriangle& t,
                    const Projection& plane) noexcept {
    const int ab = plane.orientation(t[0], t[1], p);
    const int bc = plane.orientation(t[1], t[2], p);
    const int ca = plane.orientation(t[2], t[0], p);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// A segment in the plane of a triangle with area: it ends inside, or it crosses a side.
bool coplanar_segment_meets(const ExactVector& p, const ExactVector& q, const ExactTriangle& t,
                            const Projection& plane) noexcept {
    return is_in_triangle(p, t, plane) || coplanar_segments_meet(p, q, t[0], t[1], plane) ||
           coplanar_segments_meet(p, q, t[1], t[2], plane) ||
           coplanar_segments_meet(p, q, t[2], t[0], plane);
}

// --- In space ------------------------------------------------------------------------------------

// RS-2. Not parallel: the four ends must be in one plane, and the rest is a question of that plane.
// Parallel, or one is a point: they meet iff they lie on one line and their ranges overlap.
bool segments_meet(const ExactVector& p, const ExactVector& q, const ExactVector& a,
                   const ExactVector& b) noexcept {
    if (!ranges_overlap(p, q, a, b)) return false;
    const ExactVector pq = minus(q, p);
    const ExactVector ab = minus(b, a);
    const ExactVector pa = minus(a, p);
    const ExactVector normal = cross(pq, ab);
    if (is_zero(normal)) {
        return is_zero(cross(pa, pq)) && is_zero(cross(pa, ab));
    }
    if (dot(normal, pa).sign() != 0) return false;
    return coplanar_segments_meet(p, q, a, b, projection_along(normal));
}

struct Plane {
    ExactVector origin;
    ExactVector normal;
    bool is_flat;  // the triangle has no area

    explicit Plane(const ExactTriangle& t)
        : origin(t[0]),
          normal(cross(minus(t[1], t[0]), minus(t[2], t[0]))),
          is_flat(is_zero(normal)) {}

    [[nodiscard]] int side(const ExactVector& p) const noexcept {
        return dot(normal, minus(p, origin)).sign();
    }
    [[nodiscard]] std::array<int, 3> sides(const ExactTriangle& t) const noexcept {
        if (is_flat) return {};
        return {side(t[0]), side(t[1]), side(t[2])};
    }
};

bool all_on_one_side(const std::array<int, 3>& sides) noexcept {
    return sides[0] * sides[1] > 0 && sides[1] * sides[2] > 0;
}

// RS-2. A segment whose ends are on the sides `at_p`, `at_q` of the plane of t.
bool segment_meets(const ExactVector& p, const ExactVector& q, int at_p, int at_q,
                   const ExactTriangle& t, const Plane& plane) noexcept {
    if (plane.is_flat) {
        return segments_meet(p, q, t[0], t[1]) || segments_meet(p, q, t[1], t[2]) ||
               segments_meet(p, q, t[2], t[0]);
    }
    if (at_p * at_q > 0) return false;
    if (at_p == 0 && at_q == 0) {
        return coplanar_segment_meets(p, q, t, projection_along(plane.normal));
    }
    // The line crosses the plane in one point: inside iff it passes all sides the same way round.
    const int ab = orientation(p, q, t[0], t[1]);
    const int bc = orientation(p, q, t[1], t[2]);
    if (ab * bc < 0) return false;
    const int ca = orientation(p, q, t[2], t[0]);
    return ab * ca >= 0 && bc * ca >= 0;
}

bool sides_meet(const ExactTriangle& from, const std::array<int, 3>& at, const ExactTriangle& t,
                const Plane& plane) noexcept {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        if (segment_meets(from[i], from[j], at[i], at[j], t, plane)) return true;
    }
    return false;
}

// --- Rays ----------------------------------------------------------------------------------------

// plane.orientation(a, b, p) for p off by (e, e^2) in the plane: the first that is not 0 of the
// orientation and its derivatives -(b - a)_second and (b - a)_first.
int perturbed_orientation(const ExactVector& a, const ExactVector& b, const ExactVector& p,
                          const Projection& plane) noexcept {
    if (const int sign = plane.orientation(a, b, p); sign != 0) return sign;
    if (const int sign = (a[plane.second] - b[plane.second]).sign(); sign != 0) return sign;
    return (b[plane.first] - a[plane.first]).sign();
}

}  // namespace

// RS-1. All lengths are multiplied by |q|^2 = |q_A|^2 |q_B|^2 > 0, which changes no sign of a
// determinant and makes every coordinate a sum of products of doubles. The quaternions are
// multiplied by powers of two of their own: N(c q) = c^2 N(q), and the factor is positive.
ExactFrame::ExactFrame(const Pose& pose_a, const Pose& pose_b) {
    const ExactQuaternion qa = integers(pose_a.rotation);
    const ExactQuaternion qb = integers(pose_b.rotation);
    const ExactQuaternion q = product(conjugate(qa), qb);
    scale_ = norm_sq(q);
    rotation_ = matrix(q);
    const Vec3& ta = pose_a.translation;
    const Vec3& tb = pose_b.translation;
    const std::array values = {ta.x, ta.y, ta.z, tb.x, tb.y, tb.z};
    shift_power_ = -lowest_exponent(values, 0);
    const ExactVector translation = minus(integers(tb, shift_power_), integers(ta, shift_power_));
    const std::array<ExactVector, 3> to_a = matrix(conjugate(qa));
    const Integer length_sq = norm_sq(qb);
    for (std::size_t i = 0; i < 3; ++i)
        shift_[i] = length_sq * dot(to_a[i], translation);
}

ExactVector ExactFrame::position_a(const Vec3& x, int k) const {
    const ExactVector v = integers(x, k);
    return {scale_ * v[0], scale_ * v[1], scale_ * v[2]};
}

ExactVector ExactFrame::position_b(const Vec3& y, int k, const ExactVector& shift) const {
    const ExactVector v = integers(y, k);
    return {dot(rotation_[0], v) + shift[0], dot(rotation_[1], v) + shift[1],
            dot(rotation_[2], v) + shift[2]};
}

// One power of two 2^k makes all coordinates of the two triangles and the shift integers.
void ExactFrame::transform(const Triangle& a, const Triangle& b, Pair& pair) const {
    const int k = -std::min(
        {-shift_power_, lowest_exponent(a, -shift_power_), lowest_exponent(b, -shift_power_)});
    ExactVector shift;
    for (std::size_t i = 0; i < 3; ++i)
        shift[i] = shift_[i].shifted_left(k - shift_power_);
    for (std::size_t i = 0; i < 3; ++i) {
        pair.a[i] = position_a(a[i], k);
        pair.b[i] = position_b(b[i], k, shift);
    }
}

// RS-2. Two triangles that meet do so at a point of a side of one of them: if they cross, at the
// ends of the common segment; in one plane, where the outlines cross or one lies within the other.
bool have_common_point(const ExactTriangle& a, const ExactTriangle& b) {
    const Plane plane_a(a);
    const std::array<int, 3> b_at = plane_a.sides(b);
    if (all_on_one_side(b_at)) return false;
    const Plane plane_b(b);
    const std::array<int, 3> a_at = plane_b.sides(a);
    if (all_on_one_side(a_at)) return false;
    return sides_meet(a, a_at, b, plane_b) || sides_meet(b, b_at, a, plane_a);
}

// RS-3. The triangle's plane is crossed at p + s x with n . (p - t_0) = -s n_x: ahead iff the two
// have opposite signs. p in the plane would be in the triangle, which it is not.
int ray_crossing(const ExactVector& p, const ExactTriangle& t) {
    constexpr Projection kAlongX{1, 2};
    const int ab = perturbed_orientation(t[0], t[1], p, kAlongX);
    const int bc = perturbed_orientation(t[1], t[2], p, kAlongX);
    if (ab * bc <= 0) return 0;
    const int ca = perturbed_orientation(t[2], t[0], p, kAlongX);
    if (bc * ca <= 0) return 0;
    return Plane(t).side(p) * ab < 0 ? ab : 0;
}

}  // namespace graze::rigid::detail
