#include "narrow/certified/fast_tiers.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#ifdef GRAZE_X86_DISPATCH
#include <immintrin.h>
#endif

#include "graze/core/error_calculus.hpp"
#include "graze/core/target_pragmas.hpp"

namespace graze::certified {
namespace {

#define GRAZE_FAST inline
#define GRAZE_RARE [[gnu::noinline]] inline

namespace portable {
#include "narrow/certified/quad_portable.inc"
//
#include "narrow/certified/fast_tiers.inc"
}  // namespace portable

// The counts of roundings behind the bounds of fast_tiers.inc, from the same expressions
// (docs/derivations/certified.md): |computed - exact| <= magnitude ((1 + u)^roundings - 1).
namespace forms {

// A difference of coordinates: one rounding; the power of two on it is exact.
constexpr ErrorForm difference(std::size_t axis) noexcept {
    return ErrorForm::variable(axis) * ErrorForm::number(Dyadic{1});
}
constexpr ErrorForm kX = difference(0);
constexpr ErrorForm kY = difference(1);
constexpr ErrorForm kZ = difference(2);

constexpr std::uint64_t units(const ErrorForm& form) noexcept {
    return ceiling(form.magnitude().coefficient) * static_cast<std::uint64_t>(form.roundings());
}

// C2: n.D, with |D_k| < 2 and |n|_1 in the place of three times the largest n_k: 8u |n|_1.
constexpr ErrorForm kAlong =
    (ErrorForm::variable(0) * kY + ErrorForm::variable(0) * kY) + ErrorForm::variable(0) * kY;
static_assert(kAlong.magnitude().coefficient == Dyadic{3} && kAlong.roundings() == 4);
static_assert(2 * kAlong.roundings() < 16);

// C3: a determinant 48u size, c1 and c2 180u size, b1 and b2 a third of that.
constexpr ErrorForm kDeterminant =
    (kX * (kY * kZ - kZ * kY) + kY * (kZ * kX - kX * kZ)) + kZ * (kX * kY - kY * kX);
static_assert(units(kDeterminant) == 48);
constexpr ErrorForm kMiddle = (kDeterminant + kDeterminant) + kDeterminant;
static_assert(units(kMiddle) == 180);
static_assert(static_cast<double>(units(kMiddle)) / 3.0 * portable::kU <
              portable::kCoefficientError);

// C5: p_i q_j - q_i p_j 8u, tested against 16u.
constexpr ErrorForm kTurn = kX * kY - kY * kX;
static_assert(units(kTurn) == 8);

}  // namespace forms

using portable::bits_of;
using portable::from_bits;
using portable::magnitude_of;

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {

inline double square_root(double x) noexcept {
    const __m128d v = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
}
struct Quad {
    __m256d v;
};
inline Quad quad(double a, double b, double c, double d) noexcept {
    return {_mm256_set_pd(d, c, b, a)};
}
inline Quad all(double x) noexcept {
    return {_mm256_set1_pd(x)};
}
// x and y together, z alone: nothing beyond the point is read.
inline Quad load(const Vec3& p) noexcept {
    return {_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&p.x)), _mm_load_sd(&p.z), 1)};
}
inline Quad operator+(Quad a, Quad b) noexcept {
    return {_mm256_add_pd(a.v, b.v)};
}
inline Quad operator-(Quad a, Quad b) noexcept {
    return {_mm256_sub_pd(a.v, b.v)};
}
inline Quad operator*(Quad a, Quad b) noexcept {
    return {_mm256_mul_pd(a.v, b.v)};
}
inline Quad smaller(Quad a, Quad b) noexcept {
    return {_mm256_min_pd(a.v, b.v)};
}
inline Quad larger(Quad a, Quad b) noexcept {
    return {_mm256_max_pd(a.v, b.v)};
}
inline Quad magnitude(Quad a) noexcept {
    return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v)};
}
inline unsigned above(Quad a, Quad b) noexcept {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)));
}
inline unsigned equal(Quad a, Quad b) noexcept {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ)));
}
template <int I>
inline Quad broadcast(Quad a) noexcept {
    return {_mm256_permute4x64_pd(a.v, I * 0x55)};
}
template <int I>
inline double lane(Quad a) noexcept {
    return _mm256_cvtsd_f64(broadcast<I>(a).v);
}
template <int I>
inline Quad pair_up(Quad a, Quad b) noexcept {
    return {_mm256_blend_pd(broadcast<I>(a).v, broadcast<I>(b).v, 0b1100)};
}
template <int I>
inline Quad alternate(Quad a, Quad b) noexcept {
    return {_mm256_blend_pd(broadcast<I>(a).v, broadcast<I>(b).v, 0b1010)};
}
inline Quad rotate(Quad a) noexcept {
    return {_mm256_permute4x64_pd(a.v, 0b00'11'10'01)};
}
inline double sum(Quad a) noexcept {
    const __m256d pairs = _mm256_hadd_pd(a.v, a.v);
    return _mm256_cvtsd_f64(pairs) + _mm_cvtsd_f64(_mm256_extractf128_pd(pairs, 1));
}
inline Quad cross(Quad a, Quad b) noexcept {
    const __m256d a_yzx = _mm256_permute4x64_pd(a.v, 0b11'00'10'01);
    const __m256d b_yzx = _mm256_permute4x64_pd(b.v, 0b11'00'10'01);
    const __m256d a_zxy = _mm256_permute4x64_pd(a.v, 0b11'01'00'10);
    const __m256d b_zxy = _mm256_permute4x64_pd(b.v, 0b11'01'00'10);
    return {_mm256_sub_pd(_mm256_mul_pd(a_yzx, b_zxy), _mm256_mul_pd(a_zxy, b_yzx))};
}
inline void store(Quad a, double (&to)[4]) noexcept {
    _mm256_storeu_pd(to, a.v);
}
inline void transpose(const Quad (&d)[4], Quad& x, Quad& y, Quad& z) noexcept {
    const __m256d xz01 = _mm256_unpacklo_pd(d[0].v, d[1].v);  // x0 x1 z0 z1
    const __m256d y01 = _mm256_unpackhi_pd(d[0].v, d[1].v);   // y0 y1 . .
    const __m256d xz23 = _mm256_unpacklo_pd(d[2].v, d[3].v);
    const __m256d y23 = _mm256_unpackhi_pd(d[2].v, d[3].v);
    x.v = _mm256_permute2f128_pd(xz01, xz23, 0x20);
    y.v = _mm256_permute2f128_pd(y01, y23, 0x20);
    z.v = _mm256_permute2f128_pd(xz01, xz23, 0x31);
}
#include "narrow/certified/fast_tiers.inc"
}  // namespace avx2
GRAZE_TARGET_END
#endif

}  // namespace

template <class Motion>
FastFunction<Motion> fast_tiers(InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set != InstructionSet::Portable && is_available(InstructionSet::Avx2))
        return &avx2::answer<Motion>;
#endif
    static_cast<void>(set);
    return &portable::answer<Motion>;
}

template <class Motion>
FastSeparation<Motion> fast_separation(InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set != InstructionSet::Portable && is_available(InstructionSet::Avx2)) {
        return &avx2::is_farther<Motion>;
    }
#endif
    static_cast<void>(set);
    return &portable::is_farther<Motion>;
}

template FastFunction<VertexFaceMotion> fast_tiers<VertexFaceMotion>(InstructionSet) noexcept;
template FastFunction<EdgeEdgeMotion> fast_tiers<EdgeEdgeMotion>(InstructionSet) noexcept;
template FastFunction<VertexVertexMotion> fast_tiers<VertexVertexMotion>(InstructionSet) noexcept;
template FastFunction<VertexEdgeMotion> fast_tiers<VertexEdgeMotion>(InstructionSet) noexcept;
template FastSeparation<VertexFaceMotion> fast_separation<VertexFaceMotion>(
    InstructionSet) noexcept;
template FastSeparation<EdgeEdgeMotion> fast_separation<EdgeEdgeMotion>(InstructionSet) noexcept;
template FastSeparation<VertexVertexMotion> fast_separation<VertexVertexMotion>(
    InstructionSet) noexcept;
template FastSeparation<VertexEdgeMotion> fast_separation<VertexEdgeMotion>(
    InstructionSet) noexcept;

}  // namespace graze::certified
