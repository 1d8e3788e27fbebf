// Intervals on nine axes (18-DOPs) that never separate what touches: MESH-1 in
// docs/derivations/mesh.md.
//   Each axis l is linear, so a point of an element at t <= T has l between the least and the largest
//   l of its vertices at 0 and at T. For p, q within r + s of each other, with margins r and s,
//     lower of the first <= l(p) - c r <= l(q) + c s <= upper of the second,   c = 1, diagonals 2.
//   float(clamp((beta - m) s)) is monotone in beta: bounds that met still meet, whatever is lost.
#include "graze/broad/box.hpp"

#include <algorithm>
#include <cmath>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "graze/core/target_pragmas.hpp"

namespace graze {
namespace {

struct Interval {
    double lower = 0.0;
    double upper = 0.0;
};

// One rounding costs u = 2^-53 of the result; 4u are taken off, and the subtraction may give one
// back: 3u >= u remain, below the exact value. Sums that are subnormal are exact.
double down(double x) noexcept {
    return x - 0x1p-51 * std::fabs(x);
}
double up(double x) noexcept {
    return x + 0x1p-51 * std::fabs(x);
}

Interval widened(double x, double by) noexcept {
    return by > 0.0 ? Interval{down(x - by), up(x + by)} : Interval{x, x};
}

// x s + y t with s = 1 - t: each product has at most two rounding errors, and the sum one: 3u (|x| +
// |y|), here 8u; what underflow takes away is below 2^-1070.
Interval position_at(double x, double y, double t) noexcept {
    if (t == 0.0) return {x, x};
    if (t == 1.0) return {y, y};
    return widened(x * (1.0 - t) + y * t, 0x1p-50 * (std::fabs(x) + std::fabs(y)) + 0x1p-1070);
}

// Bounds by axis, so that several axes are computed at a time.
struct Intervals {
    std::array<double, kGridAxes> lower;
    std::array<double, kGridAxes> upper;
};

// Within `radius` of the box of x, y and z in the max-norm, and so in the Euclidean one: on a
// diagonal twice that. (Exact sums would do with the root of two for the Euclidean.)
Intervals around_point(const Interval& x, const Interval& y, const Interval& z,
                       double radius) noexcept {
    Intervals all = {{x.lower, y.lower, z.lower, x.lower + y.lower, x.lower - y.upper,
                      x.lower + z.lower, x.lower - z.upper, y.lower + z.lower, y.lower - z.upper},
                     {x.upper, y.upper, z.upper, x.upper + y.upper, x.upper - y.lower,
                      x.upper + z.upper, x.upper - z.lower, y.upper + z.upper, y.upper - z.lower}};
    for (std::size_t axis = 3; axis < kGridAxes; ++axis) {
        all.lower[axis] = down(all.lower[axis]);
        all.upper[axis] = up(all.upper[axis]);
    }
    if (!(radius > 0.0)) return all;
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
        const double by = axis < 3 ? radius : 2.0 * radius;
        all.lower[axis] = down(all.lower[axis] - by);
        all.upper[axis] = up(all.upper[axis] + by);
    }
    return all;
}

// x, y and z.
using Position = std::array<Interval, 3>;

// Around two positions, within `radius` of them, as floats.
GridBox around_two(const Position& first, const Position& last, double radius,
                   const FloatMap<kGridAxes>& map) noexcept {
    const Intervals a = around_point(first[0], first[1], first[2], radius);
    const Intervals b = around_point(last[0], last[1], last[2], radius);
    GridBox box;
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
        box.lower[axis] = map.map(std::min(a.lower[axis], b.lower[axis]), axis);
        box.upper[axis] = map.map(std::max(a.upper[axis], b.upper[axis]), axis);
    }
    return box;
}

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
// The same operations on the same numbers, four axes at a time: the same bits.
namespace avx2 {

// By axis: x y z x+y, x-y x+z x-z y+z, and y-z in all lanes of the last.
struct Lanes {
    __m256d at[3];
};

inline __m256d lanes_of(double x, double y, double z) noexcept {
    return _mm256_set_pd(0.0, z, y, x);
}

// l on each axis, where `plus` is the bound of coordinates that are added and `minus` of those that
// are subtracted. x + (-0) = x for every x.
inline Lanes along_axes(__m256d plus, __m256d minus) noexcept {
    const __m256d sign = _mm256_set1_pd(-0.0);
    const __m256d negated = _mm256_xor_pd(minus, sign);
    const __m256d second_plus = _mm256_permute4x64_pd(plus, 0b10'10'10'01);  // y z z z
    const __m256d second_minus = _mm256_permute4x64_pd(negated, 0b10'10'10'01);
    const __m256d y_last = _mm256_blend_pd(sign, _mm256_permute4x64_pd(plus, 0b01'01'01'01), 8);
    return {{_mm256_add_pd(_mm256_permute4x64_pd(plus, 0b00'10'01'00), y_last),
             _mm256_add_pd(_mm256_permute4x64_pd(plus, 0b01'00'00'00),
                           _mm256_blend_pd(second_plus, second_minus, 5)),
             _mm256_add_pd(_mm256_permute4x64_pd(plus, 0b01'01'01'01),
                           _mm256_permute4x64_pd(negated, 0b10'10'10'10))}};
}

// down() and up(): 4u of each number, or of none of x, y and z.
struct Outward {
    __m256d of_sums[3];
    __m256d of_all;
};
inline Outward outward() noexcept {
    const __m256d by = _mm256_set1_pd(0x1p-51);
    return {{_mm256_set_pd(0x1p-51, 0.0, 0.0, 0.0), by, by}, by};
}
inline __m256d magnitude(__m256d x) noexcept {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}
inline __m256d down(__m256d x, __m256d by) noexcept {
    return _mm256_sub_pd(x, _mm256_mul_pd(by, magnitude(x)));
}
inline __m256d up(__m256d x, __m256d by) noexcept {
    return _mm256_add_pd(x, _mm256_mul_pd(by, magnitude(x)));
}

struct LaneBounds {
    Lanes lower;
    Lanes upper;
};
inline LaneBounds around_point(const Position& p, double radius) noexcept {
    const __m256d lower = lanes_of(p[0].lower, p[1].lower, p[2].lower);
    const __m256d upper = lanes_of(p[0].upper, p[1].upper, p[2].upper);
    const Outward outer = outward();
    LaneBounds all{along_axes(lower, upper), along_axes(upper, lower)};
    for (std::size_t k = 0; k < 3; ++k) {
        all.lower.at[k] = down(all.lower.at[k], outer.of_sums[k]);
        all.upper.at[k] = up(all.upper.at[k], outer.of_sums[k]);
    }
    if (!(radius > 0.0)) return all;
    const __m256d twice = _mm256_set1_pd(2.0 * radius);
    const __m256d by[3] = {_mm256_set_pd(2.0 * radius, radius, radius, radius), twice, twice};
    for (std::size_t k = 0; k < 3; ++k) {
        all.lower.at[k] = down(_mm256_sub_pd(all.lower.at[k], by[k]), outer.of_all);
        all.upper.at[k] = up(_mm256_add_pd(all.upper.at[k], by[k]), outer.of_all);
    }
    return all;
}

// Nine doubles; the last in the lowest lane of its vector.
inline Lanes load_axes(const std::array<double, kGridAxes>& of_axes) noexcept {
    return {{_mm256_loadu_pd(of_axes.data()), _mm256_loadu_pd(of_axes.data() + 4),
             _mm256_set1_pd(of_axes[8])}};
}
// FloatMap::map(). Where a number is NaN, the second operand of a minimum is the result.
inline void map_lanes(const Lanes& bounds, const FloatMap<kGridAxes>& map,
                      std::array<float, kGridAxes>& to) noexcept {
    const Lanes middle = load_axes(map.middle);
    const Lanes scale = load_axes(map.scale);
    __m128 mapped[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const __m256d moved = _mm256_mul_pd(_mm256_sub_pd(bounds.at[k], middle.at[k]), scale.at[k]);
        const __m256d clamped =
            _mm256_min_pd(_mm256_set1_pd(0x1p100), _mm256_max_pd(_mm256_set1_pd(-0x1p100), moved));
        mapped[k] = _mm256_cvtpd_ps(clamped);
    }
    _mm_storeu_ps(to.data(), mapped[0]);
    _mm_storeu_ps(to.data() + 4, mapped[1]);
    _mm_store_ss(to.data() + 8, mapped[2]);
}

inline GridBox around_two(const Position& first, const Position& last, double radius,
                          const FloatMap<kGridAxes>& map) noexcept {
    LaneBounds a = around_point(first, radius);
    const LaneBounds b = around_point(last, radius);
    for (std::size_t k = 0; k < 3; ++k) {
        a.lower.at[k] = _mm256_min_pd(b.lower.at[k], a.lower.at[k]);
        a.upper.at[k] = _mm256_max_pd(b.upper.at[k], a.upper.at[k]);
    }
    GridBox box;
    map_lanes(a.lower, map, box.lower);
    map_lanes(a.upper, map, box.upper);
    return box;
}

}  // namespace avx2
GRAZE_TARGET_END
#endif

using AroundTwo = GridBox (*)(const Position&, const Position&, double,
                              const FloatMap<kGridAxes>&) noexcept;
AroundTwo around_two_function() noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (is_available(InstructionSet::Avx2)) return &avx2::around_two;
#endif
    return &around_two;
}

// A power of two that brings `range` to 2, about; 1 for 0. Never subnormal, never above 2^1023.
double scale_for(double range) noexcept {
    if (!(range > 0.0)) return 1.0;
    return std::ldexp(1.0, std::clamp(-std::ilogb(range), -1022, 1023));
}

}  // namespace

Grid::Grid(const Box& scene) noexcept {
    if (!(scene.lower.x <= scene.upper.x)) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double largest = std::max(std::fabs(scene.lower[axis]), std::fabs(scene.upper[axis]));
        // Sums of two coordinates and a margin of twice their size stay below 2^1024.
        if (largest > 0x1p1020) before_ = 0x1p-8;
    }
    const auto span = [&](std::size_t axis) {
        return Interval{before_ * scene.lower[axis], before_ * scene.upper[axis]};
    };
    const Intervals all = around_point(span(0), span(1), span(2), 0.0);
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
        const double range = all.upper[axis] - all.lower[axis];
        // Any constant would do: what is monotone needs no exact centre. This one spends the bits
        // of a float on the extent of the scene instead of on its distance from the origin.
        map_.middle[axis] = all.lower[axis] + 0.5 * range;
        map_.scale[axis] = scale_for(range);
    }
}

GridBox Grid::around(const Vec3& start, const Vec3& end, double t_end,
                     double radius) const noexcept {
    // Multiplication by a power of two is exact, or loses what is below 2^-1074 (before_ is 1 where
    // numbers are small).
    const Vec3 p = before_ * start;
    const Vec3 q = before_ * end;
    const double r = before_ < 1.0 ? up(before_ * radius) + 0x1p-1074 : radius;
    static const AroundTwo function = around_two_function();
    return function(
        {{{p.x, p.x}, {p.y, p.y}, {p.z, p.z}}},
        {position_at(p.x, q.x, t_end), position_at(p.y, q.y, t_end), position_at(p.z, q.z, t_end)},
        r, map_);
}

}  // namespace graze
