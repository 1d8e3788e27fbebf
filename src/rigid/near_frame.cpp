#include "rigid/near_frame.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/interval.hpp"
#include "graze/core/norm_bounds.hpp"
#include "graze/core/quaternion.hpp"

namespace graze::rigid::detail {
namespace {

using IntervalQuaternion = std::array<Interval, 4>;  // w, x, y, z
using IntervalRows = std::array<std::array<Interval, 3>, 3>;

// Holds x 2^k: where that is no double, the neighbours of the nearest one.
Interval enclosed(double x, int k) noexcept {
    const double nearest = graze::scaled(x, k);
    if (scales_exactly(x, k)) return nearest;
    return {next_down(nearest), next_up(nearest)};
}
// Brought to a length near 1 by a power of two, so that no length makes a product overflow.
IntervalQuaternion enclosed(const Quaternion& q) noexcept {
    const int k = -length_exponent(q);
    return {enclosed(q.w, k), enclosed(q.x, k), enclosed(q.y, k), enclosed(q.z, k)};
}
IntervalQuaternion conjugate(const IntervalQuaternion& q) noexcept {
    return {q[0], -q[1], -q[2], -q[3]};
}
IntervalQuaternion product(const IntervalQuaternion& p, const IntervalQuaternion& q) noexcept {
    return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
            p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1]};
}

// Rows of x -> q x q^-1; the entire line where |q|^2 may be 0.
IntervalRows rotation(const IntervalQuaternion& q) noexcept {
    const auto& [w, x, y, z] = q;
    const Interval ww = square(w);
    const Interval xx = square(x);
    const Interval yy = square(y);
    const Interval zz = square(z);
    const Interval sum = ww + xx + yy + zz;
    const Interval two(2.0);
    IntervalRows rows = {
        std::array{ww + xx - yy - zz, two * (x * y - w * z), two * (x * z + w * y)},
        std::array{two * (x * y + w * z), ww - xx + yy - zz, two * (y * z - w * x)},
        std::array{two * (x * z - w * y), two * (y * z + w * x), ww - xx - yy + zz}};
    for (auto& row : rows)
        for (Interval& entry : row)
            entry = entry / sum;
    return rows;
}

// How far the middle is from any number in the interval, rounded up.
double radius_about(double middle, const Interval& x) noexcept {
    return std::max(sub_up(x.upper(), middle), sub_up(middle, x.lower()));
}

// RS-4. transform() adds three products and the shift: each term is rounded at most four times, so
// that the sum is off by 4u (1 + 4u) times the sum of magnitudes, which is at most reach * the
// largest entry (no more than 1 + width) + |shift|. 5u on twice the reach covers that width, as
// long as it is below 1/2; products that underflow add less than 2^-1070.
constexpr double kPositionRoundoffs = 5.0 * 0x1p-53;

// --- Separating directions -----------------------------------------------------------------------

struct Range {
    double lower;
    double upper;
};

Range range_along(const Vec3& direction, const std::array<Vec3, 3>& t) noexcept {
    const double p = dot(direction, t[0]);
    const double q = dot(direction, t[1]);
    const double r = dot(direction, t[2]);
    return {std::min({p, q, r}), std::max({p, q, r})};
}

// RS-4. The corners are relative to one of a's, each difference rounded once; a projection is
// rounded three times more and is off by 4u (1 + 4u) |direction|_1 size for each triangle, and by
// `error` times |direction|_1 for b. 10u on both together covers the rounding errors of the bound,
// too; what underflows adds less than 2^-1070.
struct DirectionTest {
    const std::array<Vec3, 3>& a;
    const std::array<Vec3, 3>& b;
    double error;
    double size;

    [[nodiscard]] bool separates(const Vec3& direction) const noexcept {
        // No product overflows, then: an infinite projection would be no bound of anything.
        const double length = norm_one(direction);
        if (!(length * size < 0x1p+1000)) return false;
        const Range range_a = range_along(direction, a);
        const Range range_b = range_along(direction, b);
        const double gap = std::max(range_b.lower - range_a.upper, range_a.lower - range_b.upper);
        const double bound = length * (1.0 + 0x1p-40) * (error + 10.0 * 0x1p-53 * size) + 0x1p-1070;
        return gap * (1.0 - 0x1p-40) > bound;  // false for what is not a number
    }
};

}  // namespace

// B's y is at R(q) y + R(conj(q_A)) (T_B - T_A), q = conj(q_A) q_B (RS-1). Matrix and shift are
// enclosed by intervals, and their middles are used: with e and e_D the largest half widths and Y =
// reach, a coordinate is off by at most e Y + e_D + 5u (2 Y + |D|) + 2^-1070.
NearFrame::NearFrame(const Pose& pose_a, const Pose& pose_b, double reach) noexcept {
    const IntervalQuaternion to_a = conjugate(enclosed(pose_a.rotation));
    const IntervalRows rows = rotation(product(to_a, enclosed(pose_b.rotation)));
    const IntervalRows back = rotation(to_a);
    std::array<Interval, 3> translation;
    for (std::size_t i = 0; i < 3; ++i)
        translation[i] = Interval(pose_b.translation[i]) - Interval(pose_a.translation[i]);
    double width = 0.0;
    double shift_width = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            rows_[i][j] = midpoint(rows[i][j]);
            width = std::max(width, radius_about(rows_[i][j], rows[i][j]));
        }
        const Interval shift =
            back[i][0] * translation[0] + back[i][1] * translation[1] + back[i][2] * translation[2];
        shift_[i] = midpoint(shift);
        shift_width = std::max(shift_width, radius_about(shift_[i], shift));
    }
    const double sum = add_up(mul_up(2.0, reach), norm_max(shift_));
    const double rounding = add_up(mul_up(kPositionRoundoffs, sum), 0x1p-1070);
    error_ = add_up(add_up(mul_up(width, reach), shift_width), rounding);
    // A tenth of the range of doubles: sums of coordinates of this size stay finite.
    valid_ = width < 0.5 && error_ < 0x1p+1000 && sum < 0x1p+1000;
}

// The axes, both normals and the nine products of sides: for exact triangles that is complete, in
// one plane but for the normals of sides within it. Whatever is missed is left to exact arithmetic.
bool certainly_disjoint(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b,
                        double error) noexcept {
    const std::array<Vec3, 3> at = {Vec3{}, a[1] - a[0], a[2] - a[0]};
    const std::array<Vec3, 3> bt = {b[0] - a[0], b[1] - a[0], b[2] - a[0]};
    double size = 0.0;
    for (const Vec3& v : {at[1], at[2], bt[0], bt[1], bt[2]})
        size = std::max(size, norm_max(v));
    const DirectionTest test{at, bt, error, size};
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        if (test.separates(axis)) return true;
    const std::array<Vec3, 3> edges_a = {at[1], at[2], at[2] - at[1]};
    const std::array<Vec3, 3> edges_b = {bt[1] - bt[0], bt[2] - bt[0], bt[2] - bt[1]};
    if (test.separates(cross(edges_a[0], edges_a[1]))) return true;
    if (test.separates(cross(edges_b[0], edges_b[1]))) return true;
    for (const Vec3& e : edges_a)
        for (const Vec3& f : edges_b)
            if (test.separates(cross(e, f))) return true;
    return false;
}

}  // namespace graze::rigid::detail
