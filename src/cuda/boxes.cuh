// 18-DOPs around moving elements on the device: MESH-1 (docs/derivations/mesh.md) with the directed
// rounding of the hardware.
//
// Each of the nine axes l (x, y, z, x + y, x - y, ...) is linear: a point of an element at any time
// of the step has l between the least and the largest l of its vertices at both ends. Sums are
// rounded outward, then mapped by float(clamp((beta - m) s)), which is monotone: bounds that met
// still meet.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

#include "graze/narrow/motion.hpp"

namespace graze::cuda {

inline constexpr int kAxes = 9;

struct Dop {
    float lower[kAxes];
    float upper[kAxes];
};
struct SceneMap {
    double before;  // a power of two on all lengths, so that no sum overflows
    double middle[kAxes];
    double scale[kAxes];
};

// Doubles in an order that integers have, too. For finite numbers.
__device__ inline unsigned long long ordered(double x) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(x));
    return (bits >> 63) != 0 ? ~bits : bits | 0x8000000000000000ULL;
}
__host__ __device__ inline double from_ordered(unsigned long long x) {
    return std::bit_cast<double>((x >> 63) != 0 ? x & 0x7fffffffffffffffULL : ~x);
}

// l of a box of points, rounded down and up.
__device__ inline void project(const double lower[3], const double upper[3], double low[kAxes],
                               double high[kAxes]) {
    for (int i = 0; i < 3; ++i) {
        low[i] = lower[i];
        high[i] = upper[i];
    }
    int axis = 3;
    for (int i = 0; i < 3; ++i) {
        for (int k = i + 1; k < 3; ++k) {
            low[axis] = __dadd_rd(lower[i], lower[k]);
            high[axis++] = __dadd_ru(upper[i], upper[k]);
            low[axis] = __dadd_rd(lower[i], -upper[k]);
            high[axis++] = __dadd_ru(upper[i], -lower[k]);
        }
    }
}

__device__ inline float map_to_float(double x, const SceneMap& map, int axis) {
    const double mapped = __dmul_rn(__dadd_rn(x, -map.middle[axis]), map.scale[axis]);
    return static_cast<float>(fmin(fmax(mapped, -0x1p100), 0x1p100));
}

__device__ inline void clear(Dop& box) {
    for (int axis = 0; axis < kAxes; ++axis) {
        box.lower[axis] = INFINITY;
        box.upper[axis] = -INFINITY;
    }
}

// Adds all within `radius`, in the max-norm, of a box of points: on a diagonal twice that.
__device__ inline void add_points(const double lower[3], const double upper[3], double r,
                                  const SceneMap& map, Dop& box) {
    double low[kAxes];
    double high[kAxes];
    project(lower, upper, low, high);
    for (int axis = 0; axis < kAxes; ++axis) {
        const double by = axis < 3 ? r : 2.0 * r;
        box.lower[axis] =
            fminf(box.lower[axis], map_to_float(__dadd_rd(low[axis], -by), map, axis));
        box.upper[axis] =
            fmaxf(box.upper[axis], map_to_float(__dadd_ru(high[axis], by), map, axis));
    }
}

// Adds all within `radius` of the path of a point in [0, t_end]. Requires: 1 - t_end is exact.
__device__ inline void add_path(const MovingPoint& point, double t_end, double radius,
                                const SceneMap& map, Dop& box) {
    const double r = __dadd_ru(__dmul_ru(map.before, radius), radius > 0.0 ? 0x1p-1074 : 0.0);
    const double p[3] = {map.before * point.start.x, map.before * point.start.y,
                         map.before * point.start.z};
    const double q[3] = {map.before * point.end.x, map.before * point.end.y,
                         map.before * point.end.z};
    add_points(p, p, r, map, box);
    if (t_end == 1.0) return add_points(q, q, r, map, box);
    double lower[3];
    double upper[3];
    for (int i = 0; i < 3; ++i) {
        lower[i] = __dadd_rd(__dmul_rd(p[i], 1.0 - t_end), __dmul_rd(q[i], t_end));
        upper[i] = __dadd_ru(__dmul_ru(p[i], 1.0 - t_end), __dmul_ru(q[i], t_end));
    }
    add_points(lower, upper, r, map, box);
}

// The diagonals alone, for leaves whose nodes have compared x, y and z: three loads of 16 bytes.
struct alignas(16) Diagonals {
    float4 lower;  // axes 3 to 6
    float4 rest;   // lower of axes 7 and 8, upper of axes 7 and 8
    float4 upper;
};
__device__ inline Diagonals diagonals_of(const Dop& box) {
    return {{box.lower[3], box.lower[4], box.lower[5], box.lower[6]},
            {box.lower[7], box.lower[8], box.upper[7], box.upper[8]},
            {box.upper[3], box.upper[4], box.upper[5], box.upper[6]}};
}

// To touch is to overlap.
__device__ inline bool overlap(const Dop& a, const Diagonals& b) {
    return a.lower[3] <= b.upper.x & b.lower.x <= a.upper[3] & a.lower[4] <= b.upper.y &
           b.lower.y <= a.upper[4] & a.lower[5] <= b.upper.z & b.lower.z <= a.upper[5] &
           a.lower[6] <= b.upper.w & b.lower.w <= a.upper[6] & a.lower[7] <= b.rest.z &
           b.rest.x <= a.upper[7] & a.lower[8] <= b.rest.w & b.rest.y <= a.upper[8];
}

}  // namespace graze::cuda
