// 18-DOPs around moving elements on the device: MESH-1 (docs/derivations/mesh.md) with the directed
// rounding of the hardware.
//
// Each of the nine axes l (x, y, z, x + y, x - y, ...) is linear: a point of an element at any time
// of the step has l between the least and the largest l of its vertices at both ends. Sums are
// rounded outward, then mapped by float(clamp((beta - m) s)), which is monotone: bounds that met
// still meet. The whole step is taken, also where t_max < 1: larger boxes, the same answers.
#pragma once

#include <cuda_runtime.h>

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
__device__ inline double from_ordered(unsigned long long x) {
    return __longlong_as_double(
        static_cast<long long>((x >> 63) != 0 ? x & 0x7fffffffffffffffULL : ~x));
}

// l of a point, rounded down and up.
__device__ inline void project(double x, double y, double z, double low[kAxes],
                               double high[kAxes]) {
    low[0] = high[0] = x;
    low[1] = high[1] = y;
    low[2] = high[2] = z;
    low[3] = __dadd_rd(x, y);
    high[3] = __dadd_ru(x, y);
    low[4] = __dadd_rd(x, -y);
    high[4] = __dadd_ru(x, -y);
    low[5] = __dadd_rd(x, z);
    high[5] = __dadd_ru(x, z);
    low[6] = __dadd_rd(x, -z);
    high[6] = __dadd_ru(x, -z);
    low[7] = __dadd_rd(y, z);
    high[7] = __dadd_ru(y, z);
    low[8] = __dadd_rd(y, -z);
    high[8] = __dadd_ru(y, -z);
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

// Adds all within `radius` of the path of a point, in the max-norm: on a diagonal twice that.
__device__ inline void add_point(const Vec3& at, double radius, const SceneMap& map, Dop& box) {
    double low[kAxes];
    double high[kAxes];
    project(map.before * at.x, map.before * at.y, map.before * at.z, low, high);
    const double r = radius > 0.0 ? __dadd_ru(__dmul_ru(map.before, radius), 0x1p-1074) : 0.0;
    for (int axis = 0; axis < kAxes; ++axis) {
        const double by = axis < 3 ? r : 2.0 * r;
        box.lower[axis] = fminf(box.lower[axis], map_to_float(__dadd_rd(low[axis], -by), map, axis));
        box.upper[axis] = fmaxf(box.upper[axis], map_to_float(__dadd_ru(high[axis], by), map, axis));
    }
}

// To touch is to overlap. The diagonals alone: nodes of the tree have compared x, y and z.
__device__ inline bool diagonals_overlap(const Dop& a, const Dop& b) {
    bool result = true;
    for (int axis = 3; axis < kAxes; ++axis)
        result &= a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis];
    return result;
}

}  // namespace graze::cuda
