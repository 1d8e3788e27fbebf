// Single queries inside of kernels: the fast tiers of `certified`, as functions for host and device.
//
//   #include <graze/cuda/ccd.cuh>                    // target graze::device of find_package(graze)
//   const graze::CcdResult r = graze::cuda::ccd(graze::VertexFaceMotion{p, {a, b, c}});
//   if (r.verdict != graze::Verdict::Separated) limit = fmin(limit, r.toi_lower);
//
// Guarantee: the verdict and the times of graze::ccd(), to the bit, or Unresolved with a proved toi_lower
// where that needs its exact tiers: few queries of a simulation (docs/cuda.md), and all in which
// primitives stay coplanar in no plane of coordinates. Floats are doubles: what is proved
// is proved for them.
//
// Compile with -fmad=false and --expt-relaxed-constexpr (the target brings both; host code with
// -ffp-contract=off): the proofs do not hold for fused products and sums. A product whose rounding is known
// is tested with each query, to notice them; then every answer is Unresolved with toi_lower = 0. Do not
// rely on that test alone: what another compiler fuses elsewhere it need not fuse there.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "graze/narrow/ccd.hpp"
#include "graze/narrow/motion.hpp"
#include "graze/narrow/query_kind.hpp"
#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/cascade-inl.hpp"
#include "narrow/certified/tiers/separation-inl.hpp"

namespace graze::cuda {

namespace device_detail {

// A number that the compiler does not know.
__host__ __device__ inline double opaque(double x) {
#ifdef __CUDA_ARCH__
    // Never 2^31 and more: the bit is 0, which neither compiler nor assembler can tell.
    unsigned bytes = 0;
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return __longlong_as_double(__double_as_longlong(x) | static_cast<long long>(bytes >> 31));
#else
    volatile double y = x;
    return y;
#endif
}
// (1 + 2^-27)^2 = 1 + 2^-26 + 2^-54 rounds to 1 + 2^-26: a fused operation keeps the rest.
__host__ __device__ inline bool rounds_products() {
    const double a = opaque(1.0 + 0x1p-27);
    const double b = opaque(1.0 + 0x1p-26);
    const double rest = a * a - b;
    return !(rest > 0.0) && !(rest < 0.0);
}

// Not inlined: thousands of instructions, which a kernel needs once for each kind of query.
template <class Motion>
__host__ __device__ __noinline__ certified::FastAnswer fast_answer(const Motion& motion,
                                                                   const CcdOptions& options,
                                                                   double t_max) {
    namespace tiers = certified::portable;
    if (options.min_separation > 0.0)
        return tiers::separation_answer(
            motion, {options.min_separation, options.norm, t_max, options.time_width});
    return tiers::answer(motion, {t_max, options.time_width});
}

// graze::is_valid(), which is compiled for the host alone.
__host__ __device__ inline bool is_answerable(const CcdOptions& options) {
    const auto is_positive = [](double x) { return x > 0.0 && x < kInfinity; };
    return options.min_separation >= 0.0 && options.min_separation < kInfinity &&
           options.t_max >= 0.0 && options.t_max <= 1.0 && is_positive(options.time_width) &&
           is_positive(options.distance_tolerance) && options.max_checks >= 1;
}

// The largest of t_max / 2, / 4, ..., / 2^12 until which the motion is proved to be free; 0: none.
template <class Motion>
__host__ __device__ inline double free_until(const Motion& motion, const CcdOptions& options) {
    double t = 0.5 * options.t_max;
    for (int i = 0; i < 12; ++i, t *= 0.5)
        if (fast_answer(motion, options, t).state == certified::FastAnswer::State::Separated)
            return t;
    return 0.0;
}

}  // namespace device_detail

// The query. `checks` and `tolerance` are those of graze::ccd(). Invalid options, coordinates that are not
// finite: Unresolved, toi_lower = 0.
template <class Motion>
[[nodiscard]] __host__ __device__ inline CcdResult ccd(const Motion& motion,
                                                       const CcdOptions& options = {}) {
    using State = certified::FastAnswer::State;
    CcdResult result;
    if (!device_detail::rounds_products() || !device_detail::is_answerable(options)) return result;
    if (!is_finite_motion(motion)) return result;
    const certified::FastAnswer found = device_detail::fast_answer(motion, options, options.t_max);
    if (found.state == State::Separated) return separated(1);
    if (found.state == State::Contact)
        return {Verdict::Contact, found.lower, found.upper, 1, 0.0};
    result.toi_lower = device_detail::free_until(motion, options);
    return result;
}

// --- Positions, then displacements: the argument order of libuipc and of ppf-contact-solver -------

namespace device_detail {

// v[0], v[1], v[2], or members x, y, z.
template <class V>
__host__ __device__ inline Vec3 to_vec3(const V& v) {
    if constexpr (requires { v[2]; })
        return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
    else
        return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

// Moving points p + t d, and by how much their ends are off: where p + d is no double, the difference
// counts as thickness.
class DisplacedPoints {
public:
    template <class V>
    __host__ __device__ MovingPoint operator()(const V& position, const V& displacement) {
        const Vec3 p = to_vec3(position);
        const Vec3 d = to_vec3(displacement);
        return {p, {sum(p.x, d.x), sum(p.y, d.y), sum(p.z, d.z)}};
    }
    // At least the thickness and all that ends are off. At most 12 terms that are not negative are added,
    // with errors of less than 2^-48 of the sum; 2^-1074 where that is nothing.
    __host__ __device__ double with(double thickness) const {
        if (off_ == 0.0) return thickness;
        return (thickness + off_ * (1.0 + 0x1p-40)) * (1.0 + 0x1p-50) + 0x1p-1074;
    }

private:
    // a + b = sum + error, exactly (Knuth): sums alone, which nothing fuses.
    __host__ __device__ double sum(double a, double b) {
        const double sum = a + b;
        const double b_part = sum - a;
        const double error = (a - (sum - b_part)) + (b - b_part);
        off_ += error < 0.0 ? -error : error;  // NaN where the sum is not finite: nothing is answered
        return sum;
    }
    double off_ = 0.0;
};

// Not above x. Requires: x >= 0.
template <class T>
__host__ __device__ inline T rounded_down(double x) {
    if constexpr (std::is_same_v<T, float>) {
#ifdef __CUDA_ARCH__
        return __double2float_rd(x);
#else
        const float nearest = static_cast<float>(x);
        if (!(static_cast<double>(nearest) > x)) return nearest;
        // 2^-23 of a normal float is at least the distance to the one below it.
        const float below = static_cast<float>(static_cast<double>(nearest) * (1.0 - 0x1p-23));
        return static_cast<double>(below) > x ? 0.0F : below;
#endif
    } else {
        return x;
    }
}

template <class T, class Motion>
__host__ __device__ inline bool displaced_answer(const Motion& motion, double thickness, T eta,
                                                 T& toc) {
    CcdOptions options;
    options.min_separation = thickness;
    options.t_max = toc <= T{1} ? (toc >= T{0} ? static_cast<double>(toc) : 0.0) : 1.0;
    // Qualified: graze::ccd(), of the host, would be found as well, and preferred.
    const CcdResult result = cuda::ccd(motion, options);
    if (result.verdict == Verdict::Separated) return false;
    // Where eta is no fraction, all of the free time is given up.
    const double used = eta >= T{0} && eta < T{1} ? 1.0 - static_cast<double>(eta) : 0.0;
    double free = used * result.toi_lower;
    if (free > result.toi_lower) free = result.toi_lower;
    if (free > options.t_max) free = options.t_max;
    toc = rounded_down<T>(free);
    return true;
}

}  // namespace device_detail

// Each: false where all of [0, toc] is proved to be farther than `thickness`. True otherwise; then toc
// becomes the fraction 1 - eta of the time until which the motion is proved to be free of such distances:
// 0 where it starts in contact, and where the fast tiers prove nothing. toc is in [0, 1], eta in [0, 1).
// max_iter has no meaning here: the work is bounded anyway.
template <class T, class V>
[[nodiscard]] __host__ __device__ inline bool point_triangle_ccd(
    const V& p, const V& t0, const V& t1, const V& t2, const V& dp, const V& dt0, const V& dt1,
    const V& dt2, std::type_identity_t<T> eta, std::type_identity_t<T> thickness, int /*max_iter*/,
    T& toc) {
    device_detail::DisplacedPoints at;
    const VertexFaceMotion motion{at(p, dp), {at(t0, dt0), at(t1, dt1), at(t2, dt2)}};
    return device_detail::displaced_answer<T>(motion, at.with(thickness), eta, toc);
}

template <class T, class V>
[[nodiscard]] __host__ __device__ inline bool edge_edge_ccd(
    const V& ea0, const V& ea1, const V& eb0, const V& eb1, const V& dea0, const V& dea1,
    const V& deb0, const V& deb1, std::type_identity_t<T> eta, std::type_identity_t<T> thickness,
    int /*max_iter*/, T& toc) {
    device_detail::DisplacedPoints at;
    const EdgeEdgeMotion motion{{at(ea0, dea0), at(ea1, dea1)}, {at(eb0, deb0), at(eb1, deb1)}};
    return device_detail::displaced_answer<T>(motion, at.with(thickness), eta, toc);
}

template <class T, class V>
[[nodiscard]] __host__ __device__ inline bool point_edge_ccd(
    const V& p, const V& e0, const V& e1, const V& dp, const V& de0, const V& de1,
    std::type_identity_t<T> eta, std::type_identity_t<T> thickness, int /*max_iter*/, T& toc) {
    device_detail::DisplacedPoints at;
    const VertexEdgeMotion motion{at(p, dp), {at(e0, de0), at(e1, de1)}};
    return device_detail::displaced_answer<T>(motion, at.with(thickness), eta, toc);
}

template <class T, class V>
[[nodiscard]] __host__ __device__ inline bool point_point_ccd(
    const V& p0, const V& p1, const V& dp0, const V& dp1, std::type_identity_t<T> eta,
    std::type_identity_t<T> thickness, int /*max_iter*/, T& toc) {
    device_detail::DisplacedPoints at;
    const VertexVertexMotion motion{at(p0, dp0), at(p1, dp1)};
    return device_detail::displaced_answer<T>(motion, at.with(thickness), eta, toc);
}

}  // namespace graze::cuda
