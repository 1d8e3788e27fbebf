// Pack for AVX-512, eight lanes: the functions of pack-inl.hpp, which documents and includes this
// file. Empty where the compiler has no such instructions or the pass is another's.
#pragma once  // in one pass alone

#ifdef GRAZE_TIERS_AVX512
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>

#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

#ifdef GRAZE_TIERS_AVX512

constexpr std::size_t kLanes = 8;

struct Pack {
    __m512d v;
};
struct Mask {
    __mmask8 v;
};
// With a mask of all lanes, where the compiler's header has the form without one leave its result
// undefined first, and warns of that.
constexpr __mmask8 kAllLanes = 0xff;

GRAZE_PIECE Pack same(double x) noexcept {
    return {_mm512_set1_pd(x)};
}
GRAZE_PIECE Pack gather(const double* numbers, const std::uint8_t* lanes) noexcept {
    return {_mm512_set_pd(numbers[lanes[7]], numbers[lanes[6]], numbers[lanes[5]],
                          numbers[lanes[4]], numbers[lanes[3]], numbers[lanes[2]],
                          numbers[lanes[1]], numbers[lanes[0]])};
}
GRAZE_PIECE Pack operator+(Pack a, Pack b) noexcept {
    return {_mm512_add_pd(a.v, b.v)};
}
GRAZE_PIECE Pack operator-(Pack a, Pack b) noexcept {
    return {_mm512_sub_pd(a.v, b.v)};
}
GRAZE_PIECE Pack operator*(Pack a, Pack b) noexcept {
    return {_mm512_mul_pd(a.v, b.v)};
}
GRAZE_PIECE Pack operator/(Pack a, Pack b) noexcept {
    return {_mm512_div_pd(a.v, b.v)};
}
GRAZE_PIECE Pack square_root(Pack a) noexcept {
    return {_mm512_maskz_sqrt_pd(kAllLanes, a.v)};
}
GRAZE_PIECE Pack smaller(Pack a, Pack b) noexcept {
    return {_mm512_maskz_min_pd(kAllLanes, a.v, b.v)};
}
GRAZE_PIECE Pack larger(Pack a, Pack b) noexcept {
    return {_mm512_maskz_max_pd(kAllLanes, a.v, b.v)};
}
GRAZE_PIECE Pack magnitude(Pack a) noexcept {
    return {_mm512_abs_pd(a.v)};
}
GRAZE_PIECE Mask above(Pack a, Pack b) noexcept {
    return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ)};
}
GRAZE_PIECE Mask equal(Pack a, Pack b) noexcept {
    return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_EQ_OQ)};
}
GRAZE_PIECE Mask operator&(Mask a, Mask b) noexcept {
    return {static_cast<__mmask8>(a.v & b.v)};
}
GRAZE_PIECE Mask operator|(Mask a, Mask b) noexcept {
    return {static_cast<__mmask8>(a.v | b.v)};
}
GRAZE_PIECE Mask without(Mask a, Mask b) noexcept {
    return {static_cast<__mmask8>(a.v & ~b.v)};
}
GRAZE_PIECE Pack where(Mask mask, Pack x, Pack y) noexcept {
    return {_mm512_mask_blend_pd(mask.v, y.v, x.v)};
}
GRAZE_PIECE unsigned bits(Mask mask) noexcept {
    return mask.v;
}
GRAZE_PIECE Pack inverse_power(Pack m) noexcept {
    const __m512i exponent =
        _mm512_and_si512(_mm512_castpd_si512(m.v), _mm512_set1_epi64(0x7ff0'0000'0000'0000));
    return {_mm512_castsi512_pd(
        _mm512_sub_epi64(_mm512_set1_epi64(std::int64_t{2046} << 52), exponent))};
}
// Transposes 8 x 8 numbers at a time: pairs, then quarters, then halves.
template <std::size_t kCount>
GRAZE_PIECE void load_rows(const double* const (&rows)[kLanes], Pack (&numbers)[kCount]) noexcept {
    static_assert(kCount % 8 == 0);
    for (std::size_t k = 0; k < kCount; k += 8) {
        __m512d pairs[8];
        for (std::size_t i = 0; i < 8; i += 2) {
            const __m512d a = _mm512_loadu_pd(rows[i] + k);
            const __m512d b = _mm512_loadu_pd(rows[i + 1] + k);
            pairs[i] = _mm512_maskz_unpacklo_pd(kAllLanes, a, b);      // 0 0 2 2 4 4 6 6
            pairs[i + 1] = _mm512_maskz_unpackhi_pd(kAllLanes, a, b);  // 1 1 3 3 5 5 7 7
        }
        for (std::size_t odd = 0; odd < 2; ++odd) {
            // Columns odd and odd + 4, and odd + 2 and odd + 6, of four rows each.
            const __m512d low04 =
                _mm512_maskz_shuffle_f64x2(kAllLanes, pairs[odd], pairs[odd + 2], 0x88);
            const __m512d low26 =
                _mm512_maskz_shuffle_f64x2(kAllLanes, pairs[odd], pairs[odd + 2], 0xdd);
            const __m512d high04 =
                _mm512_maskz_shuffle_f64x2(kAllLanes, pairs[odd + 4], pairs[odd + 6], 0x88);
            const __m512d high26 =
                _mm512_maskz_shuffle_f64x2(kAllLanes, pairs[odd + 4], pairs[odd + 6], 0xdd);
            numbers[k + odd] = {_mm512_maskz_shuffle_f64x2(kAllLanes, low04, high04, 0x88)};
            numbers[k + odd + 2] = {_mm512_maskz_shuffle_f64x2(kAllLanes, low26, high26, 0x88)};
            numbers[k + odd + 4] = {_mm512_maskz_shuffle_f64x2(kAllLanes, low04, high04, 0xdd)};
            numbers[k + odd + 6] = {_mm512_maskz_shuffle_f64x2(kAllLanes, low26, high26, 0xdd)};
        }
    }
}

#endif  // GRAZE_TIERS_AVX512

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END
