#include "mesh/normal_culling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "graze/core/target_pragmas.hpp"
#include "mesh/pair_vertices.hpp"

namespace graze::mesh_detail {
namespace {

// Heights n.D err by less than 4.1u S each, S = sum |n_k| m_k with m_k the largest difference on an axis,
// and the sum that one is compared with by u of S more: 9.3u S, of which 16u are taken.
constexpr double kHeightError = 0x1p-49;
// Products that underflow lose 2^-1075 each.
constexpr double kHeightUnderflow = 0x1p-1060;

#define GRAZE_LANES [[gnu::always_inline]] inline

namespace portable {
using Numbers = double;
constexpr std::size_t kLanes = 1;
GRAZE_LANES double same(double x) noexcept {
    return x;
}
GRAZE_LANES double smaller(double a, double b) noexcept {
    return a < b ? a : b;
}
GRAZE_LANES double larger(double a, double b) noexcept {
    return a > b ? a : b;
}
GRAZE_LANES double magnitude(double a) noexcept {
    return std::fabs(a);
}
GRAZE_LANES unsigned above(double a, double b) noexcept {
    return a > b ? 1U : 0U;
}
template <class Vector>
GRAZE_LANES void load(std::span<const MovingPoint> points, const std::uint32_t (&vertices)[kLanes],
                      Vector (&ends)[2]) noexcept {
    const auto& [start, end] = points[vertices[0]];
    ends[0] = {start.x, start.y, start.z};
    ends[1] = {end.x, end.y, end.z};
}
#include "mesh/normal_culling.inc"
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {
struct Numbers {
    __m256d v;
};
constexpr std::size_t kLanes = 4;
GRAZE_LANES Numbers operator+(Numbers a, Numbers b) noexcept {
    return {_mm256_add_pd(a.v, b.v)};
}
GRAZE_LANES Numbers operator-(Numbers a, Numbers b) noexcept {
    return {_mm256_sub_pd(a.v, b.v)};
}
GRAZE_LANES Numbers operator*(Numbers a, Numbers b) noexcept {
    return {_mm256_mul_pd(a.v, b.v)};
}
GRAZE_LANES Numbers same(double x) noexcept {
    return {_mm256_set1_pd(x)};
}
GRAZE_LANES Numbers smaller(Numbers a, Numbers b) noexcept {
    return {_mm256_min_pd(a.v, b.v)};
}
GRAZE_LANES Numbers larger(Numbers a, Numbers b) noexcept {
    return {_mm256_max_pd(a.v, b.v)};
}
GRAZE_LANES Numbers magnitude(Numbers a) noexcept {
    return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v)};
}
GRAZE_LANES unsigned above(Numbers a, Numbers b) noexcept {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)));
}
// x y z x' of four vertices are transposed, and y' z'.
template <class Vector>
GRAZE_LANES void load(std::span<const MovingPoint> points, const std::uint32_t (&vertices)[kLanes],
                      Vector (&ends)[2]) noexcept {
    static_assert(sizeof(MovingPoint) == 6 * sizeof(double));
    const double* rows[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane)
        rows[lane] = reinterpret_cast<const double*>(points.data() + vertices[lane]);
    const __m256d a = _mm256_loadu_pd(rows[0]);
    const __m256d b = _mm256_loadu_pd(rows[1]);
    const __m256d c = _mm256_loadu_pd(rows[2]);
    const __m256d d = _mm256_loadu_pd(rows[3]);
    const __m256d xz_ab = _mm256_unpacklo_pd(a, b);
    const __m256d yx_ab = _mm256_unpackhi_pd(a, b);
    const __m256d xz_cd = _mm256_unpacklo_pd(c, d);
    const __m256d yx_cd = _mm256_unpackhi_pd(c, d);
    const auto last = [&](std::size_t low, std::size_t high) {
        return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(rows[low] + 4)),
                                    _mm_loadu_pd(rows[high] + 4), 1);
    };
    const __m256d yz_ac = last(0, 2);
    const __m256d yz_bd = last(1, 3);
    ends[0] = {{_mm256_permute2f128_pd(xz_ab, xz_cd, 0x20)},
               {_mm256_permute2f128_pd(yx_ab, yx_cd, 0x20)},
               {_mm256_permute2f128_pd(xz_ab, xz_cd, 0x31)}};
    ends[1] = {{_mm256_permute2f128_pd(yx_ab, yx_cd, 0x31)},
               {_mm256_unpacklo_pd(yz_ac, yz_bd)},
               {_mm256_unpackhi_pd(yz_ac, yz_bd)}};
}
#include "mesh/normal_culling.inc"
}  // namespace avx2
GRAZE_TARGET_END
#endif

#undef GRAZE_LANES

}  // namespace

template <class Motion>
std::size_t cull_pairs_by_normal(const MeshTopology& mesh, std::span<const MovingPoint> points,
                                 std::span<const IndexPair> pairs, IndexPair* left,
                                 InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set != InstructionSet::Portable)
        return avx2::cull_by_normal<Motion>(mesh, points, pairs, left);
#endif
    static_cast<void>(set);
    return portable::cull_by_normal<Motion>(mesh, points, pairs, left);
}

template std::size_t cull_pairs_by_normal<VertexFaceMotion>(const MeshTopology&,
                                                            std::span<const MovingPoint>,
                                                            std::span<const IndexPair>, IndexPair*,
                                                            InstructionSet) noexcept;
template std::size_t cull_pairs_by_normal<EdgeEdgeMotion>(const MeshTopology&,
                                                          std::span<const MovingPoint>,
                                                          std::span<const IndexPair>, IndexPair*,
                                                          InstructionSet) noexcept;

}  // namespace graze::mesh_detail
