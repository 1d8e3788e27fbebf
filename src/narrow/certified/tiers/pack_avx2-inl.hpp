// Pack for AVX2, four lanes: the functions of pack-inl.hpp, which documents and includes this file.
// Empty where the compiler has no such instructions or the pass is another's.
#pragma once  // in one pass alone

#ifdef GRAZE_TIERS_AVX2
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>

#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

#ifdef GRAZE_TIERS_AVX2

constexpr std::size_t kLanes = 4;

struct Pack {
    __m256d v;
};
struct Mask {
    __m256d v;
};

GRAZE_PIECE Pack same(double x) noexcept {
    return {_mm256_set1_pd(x)};
}
GRAZE_PIECE Pack gather(const double* numbers, const std::uint8_t* lanes) noexcept {
    return {
        _mm256_set_pd(numbers[lanes[3]], numbers[lanes[2]], numbers[lanes[1]], numbers[lanes[0]])};
}
GRAZE_PIECE Pack operator+(Pack a, Pack b) noexcept {
    return {_mm256_add_pd(a.v, b.v)};
}
GRAZE_PIECE Pack operator-(Pack a, Pack b) noexcept {
    return {_mm256_sub_pd(a.v, b.v)};
}
GRAZE_PIECE Pack operator*(Pack a, Pack b) noexcept {
    return {_mm256_mul_pd(a.v, b.v)};
}
GRAZE_PIECE Pack operator/(Pack a, Pack b) noexcept {
    return {_mm256_div_pd(a.v, b.v)};
}
GRAZE_PIECE Pack square_root(Pack a) noexcept {
    return {_mm256_sqrt_pd(a.v)};
}
GRAZE_PIECE Pack smaller(Pack a, Pack b) noexcept {
    return {_mm256_min_pd(a.v, b.v)};
}
GRAZE_PIECE Pack larger(Pack a, Pack b) noexcept {
    return {_mm256_max_pd(a.v, b.v)};
}
GRAZE_PIECE Pack magnitude(Pack a) noexcept {
    return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v)};
}
GRAZE_PIECE Mask above(Pack a, Pack b) noexcept {
    return {_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)};
}
GRAZE_PIECE Mask equal(Pack a, Pack b) noexcept {
    return {_mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ)};
}
GRAZE_PIECE Mask operator&(Mask a, Mask b) noexcept {
    return {_mm256_and_pd(a.v, b.v)};
}
GRAZE_PIECE Mask operator|(Mask a, Mask b) noexcept {
    return {_mm256_or_pd(a.v, b.v)};
}
GRAZE_PIECE Mask without(Mask a, Mask b) noexcept {
    return {_mm256_andnot_pd(b.v, a.v)};
}
GRAZE_PIECE Pack where(Mask mask, Pack x, Pack y) noexcept {
    return {_mm256_blendv_pd(y.v, x.v, mask.v)};
}
GRAZE_PIECE unsigned bits(Mask mask) noexcept {
    return static_cast<unsigned>(_mm256_movemask_pd(mask.v));
}
GRAZE_PIECE Pack inverse_power(Pack m) noexcept {
    const __m256i exponent =
        _mm256_and_si256(_mm256_castpd_si256(m.v), _mm256_set1_epi64x(0x7ff0'0000'0000'0000));
    return {_mm256_castsi256_pd(
        _mm256_sub_epi64(_mm256_set1_epi64x(std::int64_t{2046} << 52), exponent))};
}
template <std::size_t kCount>
GRAZE_PIECE void load_rows(const double* const (&rows)[kLanes], Pack (&numbers)[kCount]) noexcept {
    static_assert(kCount % 4 == 0);
    for (std::size_t k = 0; k < kCount; k += 4) {
        const __m256d a = _mm256_loadu_pd(rows[0] + k);
        const __m256d b = _mm256_loadu_pd(rows[1] + k);
        const __m256d c = _mm256_loadu_pd(rows[2] + k);
        const __m256d d = _mm256_loadu_pd(rows[3] + k);
        const __m256d ab02 = _mm256_unpacklo_pd(a, b);
        const __m256d ab13 = _mm256_unpackhi_pd(a, b);
        const __m256d cd02 = _mm256_unpacklo_pd(c, d);
        const __m256d cd13 = _mm256_unpackhi_pd(c, d);
        numbers[k] = {_mm256_permute2f128_pd(ab02, cd02, 0x20)};
        numbers[k + 1] = {_mm256_permute2f128_pd(ab13, cd13, 0x20)};
        numbers[k + 2] = {_mm256_permute2f128_pd(ab02, cd02, 0x31)};
        numbers[k + 3] = {_mm256_permute2f128_pd(ab13, cd13, 0x31)};
    }
}

#endif  // GRAZE_TIERS_AVX2

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END
