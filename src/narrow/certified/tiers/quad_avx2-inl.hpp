// Quad for AVX2: the functions of quad-inl.hpp, which documents and includes this file, one
// instruction or a few each. Empty where the compiler has no such instructions or the pass is
// another's. Bits are those of plain C++: same operations, same order, none fused.
#pragma once  // in one pass alone

#ifdef GRAZE_TIERS_AVX2
#include <immintrin.h>
#endif

#include "graze/core/target_pragmas.hpp"
#include "graze/core/vec3.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

#ifdef GRAZE_TIERS_AVX2

GRAZE_FAST double square_root(double x) noexcept {
    const __m128d v = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
}
struct Quad {
    __m256d v;
};
// Memory order: lane 0 is the last argument of set_pd.
GRAZE_FAST Quad quad(double a, double b, double c, double d) noexcept {
    return {_mm256_set_pd(d, c, b, a)};
}
GRAZE_FAST Quad all(double x) noexcept {
    return {_mm256_set1_pd(x)};
}
// x and y together, z alone: nothing beyond the point is read.
GRAZE_FAST Quad load(const Vec3& p) noexcept {
    return {_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&p.x)), _mm_load_sd(&p.z), 1)};
}
GRAZE_FAST Quad operator+(Quad a, Quad b) noexcept {
    return {_mm256_add_pd(a.v, b.v)};
}
GRAZE_FAST Quad operator-(Quad a, Quad b) noexcept {
    return {_mm256_sub_pd(a.v, b.v)};
}
GRAZE_FAST Quad operator*(Quad a, Quad b) noexcept {
    return {_mm256_mul_pd(a.v, b.v)};
}
GRAZE_FAST Quad operator/(Quad a, Quad b) noexcept {
    return {_mm256_div_pd(a.v, b.v)};
}
GRAZE_FAST Quad square_root(Quad a) noexcept {
    return {_mm256_sqrt_pd(a.v)};
}
// min_pd and max_pd give the second where the two are equal or one is NaN: as plain C++ has it.
GRAZE_FAST Quad smaller(Quad a, Quad b) noexcept {
    return {_mm256_min_pd(a.v, b.v)};
}
GRAZE_FAST Quad larger(Quad a, Quad b) noexcept {
    return {_mm256_max_pd(a.v, b.v)};
}
GRAZE_FAST Quad magnitude(Quad a) noexcept {
    return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v)};
}
// Ordered, quiet: false for NaN.
GRAZE_FAST unsigned above(Quad a, Quad b) noexcept {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)));
}
GRAZE_FAST unsigned equal(Quad a, Quad b) noexcept {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ)));
}
// By lane: a > b ? x : y.
GRAZE_FAST Quad where_above(Quad a, Quad b, Quad x, Quad y) noexcept {
    return {_mm256_blendv_pd(y.v, x.v, _mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ))};
}
template <int I>
GRAZE_FAST Quad broadcast(Quad a) noexcept {
    return {_mm256_permute4x64_pd(a.v, I * 0x55)};
}
template <int I>
GRAZE_FAST double lane(Quad a) noexcept {
    return _mm256_cvtsd_f64(broadcast<I>(a).v);
}
// Lane I of a, a, b, b; and of a, b, a, b.
template <int I>
GRAZE_FAST Quad pair_up(Quad a, Quad b) noexcept {
    return {_mm256_blend_pd(broadcast<I>(a).v, broadcast<I>(b).v, 0b1100)};
}
template <int I>
GRAZE_FAST Quad alternate(Quad a, Quad b) noexcept {
    return {_mm256_blend_pd(broadcast<I>(a).v, broadcast<I>(b).v, 0b1010)};
}
// Lanes 1, 2, 3, 0.
GRAZE_FAST Quad rotate(Quad a) noexcept {
    return {_mm256_permute4x64_pd(a.v, 0b00'11'10'01)};
}
// (a0 + a1) + (a2 + a3), the order of plain C++.
GRAZE_FAST double sum(Quad a) noexcept {
    const __m256d pairs = _mm256_hadd_pd(a.v, a.v);
    return _mm256_cvtsd_f64(pairs) + _mm_cvtsd_f64(_mm256_extractf128_pd(pairs, 1));
}
// The least and the largest lane, in the order of plain C++.
GRAZE_FAST double least_lane(Quad a) noexcept {
    const __m128d pairs = _mm_min_pd(_mm256_castpd256_pd128(a.v), _mm256_extractf128_pd(a.v, 1));
    return _mm_cvtsd_f64(_mm_min_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
}
GRAZE_FAST double largest_lane(Quad a) noexcept {
    const __m128d pairs = _mm_max_pd(_mm256_castpd256_pd128(a.v), _mm256_extractf128_pd(a.v, 1));
    return _mm_cvtsd_f64(_mm_max_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
}
// By lane: the least of a, of b, of c and of d; and the largest.
GRAZE_FAST Quad least_of_each(Quad a, Quad b, Quad c, Quad d) noexcept {
    const __m256d ab = _mm256_min_pd(_mm256_unpacklo_pd(a.v, b.v), _mm256_unpackhi_pd(a.v, b.v));
    const __m256d cd = _mm256_min_pd(_mm256_unpacklo_pd(c.v, d.v), _mm256_unpackhi_pd(c.v, d.v));
    return {
        _mm256_min_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31))};
}
GRAZE_FAST Quad largest_of_each(Quad a, Quad b, Quad c, Quad d) noexcept {
    const __m256d ab = _mm256_max_pd(_mm256_unpacklo_pd(a.v, b.v), _mm256_unpackhi_pd(a.v, b.v));
    const __m256d cd = _mm256_max_pd(_mm256_unpacklo_pd(c.v, d.v), _mm256_unpackhi_pd(c.v, d.v));
    return {
        _mm256_max_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31))};
}
// a_y b_z - a_z b_y, and so on around; lane 3 is 0 * 0 - 0 * 0 for points by axis.
GRAZE_FAST Quad cross(Quad a, Quad b) noexcept {
    const __m256d a_yzx = _mm256_permute4x64_pd(a.v, 0b11'00'10'01);
    const __m256d b_yzx = _mm256_permute4x64_pd(b.v, 0b11'00'10'01);
    const __m256d a_zxy = _mm256_permute4x64_pd(a.v, 0b11'01'00'10);
    const __m256d b_zxy = _mm256_permute4x64_pd(b.v, 0b11'01'00'10);
    return {_mm256_sub_pd(_mm256_mul_pd(a_yzx, b_zxy), _mm256_mul_pd(a_zxy, b_yzx))};
}
GRAZE_FAST void store(Quad a, double (&to)[4]) noexcept {
    _mm256_storeu_pd(to, a.v);
}
// From four points by axis to three coordinates by vertex.
GRAZE_FAST void transpose(const Quad (&d)[4], Quad& x, Quad& y, Quad& z) noexcept {
    const __m256d xz01 = _mm256_unpacklo_pd(d[0].v, d[1].v);  // x0 x1 z0 z1
    const __m256d y01 = _mm256_unpackhi_pd(d[0].v, d[1].v);   // y0 y1 . .
    const __m256d xz23 = _mm256_unpacklo_pd(d[2].v, d[3].v);
    const __m256d y23 = _mm256_unpackhi_pd(d[2].v, d[3].v);
    x.v = _mm256_permute2f128_pd(xz01, xz23, 0x20);
    y.v = _mm256_permute2f128_pd(y01, y23, 0x20);
    z.v = _mm256_permute2f128_pd(xz01, xz23, 0x31);
}

#endif  // GRAZE_TIERS_AVX2

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END
