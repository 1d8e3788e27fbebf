// Sums of triangles and cores, tested as a whole (SS-12), against rationals.
// Defends G-SLIDE-7, G-SLIDE-10 (docs/GUARANTEES.md).
#include "slide/core_sum.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <random>

namespace graze::slide {
namespace {

struct WholeSum {
    NearTriangle t;
    CoreAxes axes;
    Vec3 extent;
    Path path;
    double radius = 1.0;
};

struct SumDice {
    std::mt19937_64 bits;
    double between(double a, double b) {
        return a + (b - a) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }
    Vec3 in_cube(double half) {
        return {between(-half, half), between(-half, half), between(-half, half)};
    }
    bool once_in(int n) { return bits() % static_cast<unsigned>(n) == 0; }
};

// Near each other and far, thin, tiny, huge, and flat along the axes.
WholeSum some_whole_sum(SumDice& dice) {
    WholeSum c;
    const double size = std::exp2(dice.between(-12, 12));
    const Vec3 at = dice.in_cube(dice.once_in(2) ? 4.0 : 1000.0);
    std::array<Vec3, 3> v{at + dice.in_cube(size), at + dice.in_cube(size),
                          at + dice.in_cube(size)};
    if (dice.once_in(4))
        v[2] = v[0] + dice.between(-1, 2) * (v[1] - v[0]);  // thin, but for rounding
    if (dice.once_in(4)) v[0].y = v[1].y = v[2].y;
    (void)set_near(c.t, v, {});
    const double length = std::exp2(dice.between(-8, 4));
    c.axes.axis[0] = dice.once_in(3) ? Vec3{0, length, 0} : dice.in_cube(length);
    c.axes.is_box = dice.once_in(2);
    if (c.axes.is_box) {
        c.axes.axis[1] = dice.in_cube(length);
        c.axes.axis[2] = dice.in_cube(length);
    }
    for (const Vec3& axis : c.axes.axis)
        c.extent = c.extent + Vec3{std::fabs(axis.x), std::fabs(axis.y), std::fabs(axis.z)};
    grow_bounds(c.t, c.extent);
    // Often so that it just touches along some direction.
    const Vec3 out = dice.in_cube(1.0);
    const double reach = core_reach(c.axes, out) / norm(out) + c.radius;
    const Vec3 from = v[dice.bits() % 3] + (reach * dice.between(0.9, 1.2) / norm(out)) * out;
    c.path = {from, from + dice.in_cube(dice.once_in(2) ? 0.25 : 8.0)};
    if (dice.once_in(3)) c.path.to = c.path.from;
    return c;
}

mpq_class whole_dot(const Vec3& a, const Vec3& b) {
    return mpq_class(a.x) * mpq_class(b.x) + mpq_class(a.y) * mpq_class(b.y) +
           mpq_class(a.z) * mpq_class(b.z);
}

// Does w separate the sum from the ball around the point, without rounding?
bool is_whole_sum_apart(const WholeSum& c, const Vec3& w, const Vec3& point) {
    mpq_class top = whole_dot(w, c.t.vertex_at(0));
    for (std::size_t k = 1; k < 3; ++k) {
        const mpq_class next = whole_dot(w, c.t.vertex_at(k));
        if (next > top) top = next;
    }
    for (const Vec3& axis : c.axes.axis)
        top += abs(whole_dot(w, axis));
    const mpq_class slack = whole_dot(w, point) - top;
    const mpq_class radius(c.radius);
    return slack >= 0 && slack * slack >= radius * radius * whole_dot(w, w);
}
bool is_whole_sum_apart(const WholeSum& c, const Vec3& w) {
    return is_whole_sum_apart(c, w, c.path.from) && is_whole_sum_apart(c, w, c.path.to);
}

void expect_sums_are_apart(std::uint64_t seed, int trials) {
    SumDice dice{std::mt19937_64(seed)};
    int along = 0;
    int by_plane = 0;
    int by_box = 0;
    for (int trial = 0; trial < trials; ++trial) {
        SCOPED_TRACE(trial);
        const WholeSum c = some_whole_sum(dice);
        const Vec3 w = dice.once_in(2) ? c.path.from - c.t.vertex_at(dice.bits() % 3)
                                       : direction_to_core(c.t, {c.path.from, c.axes.axis[0]});
        if (is_sum_apart(c.t, sum_direction(c.axes, projected_path(w, c.path)), c.radius)) {
            ++along;
            ASSERT_TRUE(is_whole_sum_apart(c, w));
        }
        const Vec3 normal = c.t.normal_vector();
        if (is_sum_apart_by_plane(c.t, c.axes, probe_of(c.path, c.radius))) {
            ++by_plane;
            ASSERT_TRUE(is_whole_sum_apart(c, normal) || is_whole_sum_apart(c, -normal));
        }
        if (is_sum_apart_by_plane(c.t, c.axes, point_probe_of(c.path.from, c.radius))) {
            ASSERT_TRUE(is_whole_sum_apart(c, normal, c.path.from) ||
                        is_whole_sum_apart(c, -normal, c.path.from));
        }
        // Bounds hold every corner of the sum.
        by_box += are_boxes_apart(c.t, probe_of(c.path, c.radius)) ? 1 : 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            mpq_class reach = 0;
            for (const Vec3& a : c.axes.axis)
                reach += abs(mpq_class(a[axis]));
            for (std::size_t k = 0; k < 3; ++k) {
                const mpq_class q(c.t.vertex_at(k)[axis]);
                ASSERT_LE(mpq_class(c.t.lower(axis)), q - reach);
                ASSERT_GE(mpq_class(c.t.upper(axis)), q + reach);
            }
        }
    }
    EXPECT_GE(along, trials / 20);
    EXPECT_GE(by_plane, trials / 20);
    EXPECT_GE(by_box, trials / 20);
}

TEST(CoreSum, IsCalledApartOnlyWhereItIs) {
    expect_sums_are_apart(1, 3'000);
}
TEST(CoreSumAttack, IsCalledApartOnlyWhereItIsHalfAMillionTimes) {
    expect_sums_are_apart(2, 500'000);
}

}  // namespace
}  // namespace graze::slide
