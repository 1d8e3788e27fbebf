/* Whole meshes in a time step on a graphics processor, with positions and impacts in device memory:
 * the C interface of graze/cuda/stepper.hpp. C99 or C++; link with -lgraze_cuda_c.
 *
 * Every function returns a graze_cuda_status; graze_cuda_last_error() is one line of the last call of the
 * thread. No exception leaves it. A stepper answers one call at a time. Positions are x y z of each
 * vertex as doubles, one after the other, in memory of the stepper's device; whatever writes them must
 * have ended (graze_cuda_wait()).
 *
 * Layout: integers have fixed widths, there is no padding but fields named `reserved`. Structs of options
 * begin with their size. */
#ifndef GRAZE_CUDA_H
#define GRAZE_CUDA_H

#include <stdint.h>

#if defined(__GNUC__)
#define GRAZE_CUDA_API __attribute__((visibility("default")))
#else
#define GRAZE_CUDA_API
#endif

#ifdef __cplusplus
#define GRAZE_CUDA_NOEXCEPT noexcept
extern "C" {
#else
#define GRAZE_CUDA_NOEXCEPT
#endif

#define GRAZE_CUDA_ABI_VERSION 1

typedef int32_t graze_cuda_status;
enum {
    GRAZE_CUDA_OK = 0,
    GRAZE_CUDA_INVALID_INPUT = 1, /* pointers that are NULL, sizes that disagree, numbers, options */
    GRAZE_CUDA_OUT_OF_MEMORY = 2,
    GRAZE_CUDA_UNSUPPORTED = 3, /* no driver, no device, one that failed or is too old */
    GRAZE_CUDA_INTERNAL = 4     /* a defect of the library */
};
GRAZE_CUDA_API int32_t graze_cuda_abi_version(void) GRAZE_CUDA_NOEXCEPT;
/* "" after success. Never NULL; valid until the next call on this thread. */
GRAZE_CUDA_API const char* graze_cuda_last_error(void) GRAZE_CUDA_NOEXCEPT;
/* Index of the vertex at fault, or -1. */
GRAZE_CUDA_API int64_t graze_cuda_last_error_index(void) GRAZE_CUDA_NOEXCEPT;

typedef struct graze_cuda_stepper graze_cuda_stepper;

/* A mesh of so many vertices; faces and loose edges as indices, 3 and 2 each. pair_memory [bytes] as of
 * graze::cuda::DeviceOptions; 0: a quarter of what is free. */
GRAZE_CUDA_API graze_cuda_status graze_cuda_create(uint64_t vertices, const uint32_t* faces,
                                                   uint64_t face_count, const uint32_t* edges,
                                                   uint64_t edge_count, int32_t device,
                                                   uint64_t pair_memory,
                                                   graze_cuda_stepper** stepper)
    GRAZE_CUDA_NOEXCEPT;
/* NULL is fine. */
GRAZE_CUDA_API void graze_cuda_destroy(graze_cuda_stepper* stepper) GRAZE_CUDA_NOEXCEPT;
/* Waits for what was queued on a stream of the device (a cudaStream_t as a number; 0: the default one). */
GRAZE_CUDA_API graze_cuda_status graze_cuda_wait(uint64_t stream) GRAZE_CUDA_NOEXCEPT;

typedef struct graze_cuda_options {
    uint64_t size; /* sizeof(graze_cuda_options) */
    double min_separation;
    double t_max;
    double time_width;
    int32_t max_norm; /* 0: Euclidean */
    int32_t reserved; /* 0 */
} graze_cuda_options;
/* The defaults: no separation, all of the step. */
GRAZE_CUDA_API void graze_cuda_options_init(graze_cuda_options* options) GRAZE_CUDA_NOEXCEPT;

/* kind: 0 vertex-face, 1 edge-edge, 2 vertex-vertex, 3 vertex-edge. */
typedef struct graze_cuda_host_impact {
    int32_t kind;
    uint32_t a;
    uint32_t b;
    uint32_t reserved;
    double toi_lower;
    double toi_upper;
} graze_cuda_host_impact;

typedef struct graze_cuda_verdict {
    int32_t verdict; /* 0 separated, 1 contact, 2 unresolved */
    int32_t has_first;
    double toi_lower; /* [0, toi_lower) is free: proved */
    double toi_upper;
    graze_cuda_host_impact first; /* where there is one */
} graze_cuda_verdict;

GRAZE_CUDA_API graze_cuda_status graze_cuda_first_impact(graze_cuda_stepper* stepper,
                                                         const double* start, const double* end,
                                                         uint64_t vertices,
                                                         const graze_cuda_options* options,
                                                         graze_cuda_verdict* verdict)
    GRAZE_CUDA_NOEXCEPT;

/* 24 bytes: uint32 a, uint32 b, double toi_lower, double toi_upper; in the order of a, b. */
typedef struct graze_cuda_impacts {
    graze_cuda_verdict verdict;
    const void* impacts[4]; /* by kind, in device memory of the stepper: valid until its next call */
    uint64_t counts[4];
    uint64_t host_count; /* further ones that the host decided: graze_cuda_host_impacts() */
} graze_cuda_impacts;

GRAZE_CUDA_API graze_cuda_status graze_cuda_all_impacts(graze_cuda_stepper* stepper,
                                                        const double* start, const double* end,
                                                        uint64_t vertices,
                                                        const graze_cuda_options* options,
                                                        graze_cuda_impacts* impacts)
    GRAZE_CUDA_NOEXCEPT;
/* Those of the last graze_cuda_all_impacts(); `capacity` at least their count. */
GRAZE_CUDA_API graze_cuda_status graze_cuda_host_impacts(const graze_cuda_stepper* stepper,
                                                         graze_cuda_host_impact* impacts,
                                                         uint64_t capacity) GRAZE_CUDA_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* GRAZE_CUDA_H */
