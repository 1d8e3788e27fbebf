// Positions of a step, and the boxes of its elements.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cuda/boxes.cuh"
#include "cuda/device.cuh"
#include "graze/narrow/motion.hpp"

namespace graze::cuda {

inline constexpr unsigned long long kNone = ~0ULL;

// What the vertices say of the step as a whole.
struct Scene {
    unsigned long long lower[3];  // ordered()
    unsigned long long upper[3];
    unsigned long long bad_start;  // the first vertex that is not finite
    unsigned long long bad_end;
};

__device__ inline bool is_finite_point(const double* p) {
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static __global__ void reset_scene(Scene* scene) {
    for (int axis = 0; axis < 3; ++axis) {
        scene->lower[axis] = kNone;
        scene->upper[axis] = 0;
    }
    scene->bad_start = scene->bad_end = kNone;
}

static __global__ void take_positions(const double* start, const double* end, std::uint32_t count,
                               MovingPoint* vertices, Scene* scene) {
    const std::uint32_t i = thread_index();
    unsigned long long lower[3] = {kNone, kNone, kNone};
    unsigned long long upper[3] = {0, 0, 0};
    if (i < count) {
        const double* p = start + 3 * std::size_t{i};
        const double* q = end + 3 * std::size_t{i};
        vertices[i] = {{p[0], p[1], p[2]}, {q[0], q[1], q[2]}};
        const bool good_start = is_finite_point(p);
        const bool good_end = is_finite_point(q);
        if (!good_start) atomicMin(&scene->bad_start, i);
        if (!good_end) atomicMin(&scene->bad_end, i);
        if (good_start && good_end) {
            for (int axis = 0; axis < 3; ++axis) {
                lower[axis] = ordered(fmin(p[axis], q[axis]));
                upper[axis] = ordered(fmax(p[axis], q[axis]));
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        for (int offset = 16; offset > 0; offset /= 2) {
            lower[axis] = min(lower[axis], __shfl_down_sync(~0U, lower[axis], offset));
            upper[axis] = max(upper[axis], __shfl_down_sync(~0U, upper[axis], offset));
        }
        if ((threadIdx.x & 31U) == 0) {
            atomicMin(&scene->lower[axis], lower[axis]);
            atomicMax(&scene->upper[axis], upper[axis]);
        }
    }
}

// A power of two that brings `range` to 2, about; 1 for 0. Never subnormal, never above 2^1023.
__device__ inline double scale_for(double range) {
    if (!(range > 0.0)) return 1.0;
    const int exponent = -ilogb(range);
    return ldexp(1.0, min(max(exponent, -1022), 1023));
}

// As the Grid of the host. Any numbers would do: the map is monotone whatever they are.
static __global__ void set_map(const Scene* scene, SceneMap* map) {
    double lower[3];
    double upper[3];
    map->before = 1.0;
    const bool is_empty = scene->lower[0] > scene->upper[0];
    for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = is_empty ? 0.0 : from_ordered(scene->lower[axis]);
        upper[axis] = is_empty ? 0.0 : from_ordered(scene->upper[axis]);
        if (fmax(fabs(lower[axis]), fabs(upper[axis])) > 0x1p1020) map->before = 0x1p-8;
    }
    const auto set_axis = [&](int axis, double low, double high) {
        const double range = high - low;
        map->middle[axis] = low + 0.5 * range;
        map->scale[axis] = scale_for(range);
    };
    for (int axis = 0; axis < 3; ++axis)
        set_axis(axis, map->before * lower[axis], map->before * upper[axis]);
    int at = 3;
    for (int i = 0; i < 3; ++i) {
        for (int k = i + 1; k < 3; ++k) {
            set_axis(at++, map->before * lower[i] + map->before * lower[k],
                     map->before * upper[i] + map->before * upper[k]);
            set_axis(at++, map->before * lower[i] - map->before * upper[k],
                     map->before * upper[i] - map->before * lower[k]);
        }
    }
}

// Elements of kSize vertices each; null: element i is vertex i. As thick everywhere as queries take
// them to be: by the largest radius of their vertices (MESH-2).
template <int kSize>
__global__ void set_boxes(const std::uint32_t* elements, std::uint32_t count,
                          const MovingPoint* vertices, const double* radius, double margin,
                          double t_end, const SceneMap* map, Dop* boxes) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    std::uint32_t v[kSize];
    double largest = 0.0;
    for (int k = 0; k < kSize; ++k) {
        v[k] = elements != nullptr ? elements[std::size_t{kSize} * i + k] : i;
        if (radius != nullptr) largest = fmax(largest, radius[v[k]]);
    }
    const double thickness = __dadd_ru(margin, largest);
    const SceneMap local = *map;
    Dop box;
    clear(box);
    for (int k = 0; k < kSize; ++k)
        add_path(vertices[v[k]], t_end, thickness, local, box);
    boxes[i] = box;
}

static __global__ void sort_boxes(const Dop* boxes, const std::uint32_t* names, std::uint32_t count,
                           Dop* sorted, Diagonals* diagonals) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    const Dop box = boxes[names[i]];
    sorted[i] = box;
    diagonals[i] = diagonals_of(box);
}

}  // namespace graze::cuda
