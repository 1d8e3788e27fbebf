#include "mesh/axis_culling.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "graze/core/target_pragmas.hpp"
#include "mesh/pair_vertices.hpp"
#include "mesh/plane_culling.hpp"

namespace graze::mesh_detail {
namespace {

namespace portable {
using mesh_detail::is_separated_on_axis;
template <class Motion>
inline bool have_common_vertex(const PairVertices<Motion>& vertices) noexcept {
    return share_vertex(vertices);
}
template <class Motion>
inline bool are_on_sides(std::span<const MovingPoint> points, const PairVertices<Motion>& vertices,
                         const Vec3& moved) noexcept {
    return are_apart(points, vertices, moved);
}
#include "mesh/cull_pairs.inc"
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {

// Bounds of an element at both ends of the step, in two overlapping vectors: x y z x' and z x' y' z',
// where x' y' z' are at the end.
struct WideBounds {
    __m256d lower[2];
    __m256d upper[2];

    template <std::size_t kCount>
    [[gnu::always_inline]] WideBounds(std::span<const MovingPoint> points,
                                      const std::array<std::uint32_t, kCount>& element) noexcept {
        for (std::size_t i = 0; i < kCount; ++i) {
            static_assert(sizeof(MovingPoint) == 6 * sizeof(double));
            const auto* from = reinterpret_cast<const double*>(points.data() + element[i]);
            for (std::size_t half = 0; half < 2; ++half) {
                const __m256d at = _mm256_loadu_pd(from + 2 * half);
                lower[half] = i == 0 ? at : _mm256_min_pd(lower[half], at);
                upper[half] = i == 0 ? at : _mm256_max_pd(upper[half], at);
            }
        }
    }
};

// On x, y, z, as bits: is `low` below `high` at both ends?
[[gnu::always_inline]] inline int below_at_ends(const WideBounds& low,
                                                const WideBounds& high) noexcept {
    const int first = _mm256_movemask_pd(_mm256_cmp_pd(low.upper[0], high.lower[0], _CMP_LT_OQ));
    const int second = _mm256_movemask_pd(_mm256_cmp_pd(low.upper[1], high.lower[1], _CMP_LT_OQ));
    return first & (second >> 1) & 7;
}

template <std::size_t kCountA, std::size_t kCountB>
[[gnu::always_inline]] inline bool is_separated_on_axis(
    std::span<const MovingPoint> points, const std::array<std::uint32_t, kCountA>& a,
    const std::array<std::uint32_t, kCountB>& b) noexcept {
    const WideBounds of_a(points, a);
    const WideBounds of_b(points, b);
    return (below_at_ends(of_a, of_b) | below_at_ends(of_b, of_a)) != 0;
}

// x, y and z, and a zero.
[[gnu::always_inline]] inline __m256d start_difference(const MovingPoint& q,
                                                       const MovingPoint& p) noexcept {
    const __m256d from_p = _mm256_loadu_pd(&p.start.x);
    const __m256d to_q = _mm256_loadu_pd(&q.start.x);
    return _mm256_blend_pd(_mm256_sub_pd(to_q, from_p), _mm256_setzero_pd(), 8);
}
[[gnu::always_inline]] inline __m256d magnitudes(__m256d v) noexcept {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), v);
}
// The sums of two vectors.
[[gnu::always_inline]] inline __m128d sums_of(__m256d a, __m256d b) noexcept {
    const __m256d halves = _mm256_hadd_pd(a, b);
    return _mm_add_pd(_mm256_castpd256_pd128(halves), _mm256_extractf128_pd(halves, 1));
}

// are_apart() of plane_culling.hpp, with x, y and z at a time.
[[gnu::always_inline]] inline bool are_on_sides(__m256d a, __m256d b, __m256d d,
                                                const Vec3& moved) noexcept {
    constexpr int kNext = 0b11'00'10'01;  // y z x
    // z x y of the cross product, and so of what is multiplied by it.
    const __m256d n = _mm256_sub_pd(_mm256_mul_pd(a, _mm256_permute4x64_pd(b, kNext)),
                                    _mm256_mul_pd(_mm256_permute4x64_pd(a, kNext), b));
    const __m256d along = _mm256_mul_pd(n, _mm256_permute4x64_pd(d, 0b11'01'00'10));
    const __m256d by = _mm256_mul_pd(magnitudes(n), _mm256_set_pd(0.0, moved.y, moved.x, moved.z));
    const __m128d of_both = sums_of(magnitudes(a), magnitudes(b));
    const __m128d height_and_size = sums_of(along, magnitudes(d));
    const double size_a = _mm_cvtsd_f64(of_both);
    const double size_b = _mm_cvtsd_f64(_mm_unpackhi_pd(of_both, of_both));
    const double height = std::fabs(_mm_cvtsd_f64(height_and_size));
    const double size_d = _mm_cvtsd_f64(_mm_unpackhi_pd(height_and_size, height_and_size));
    const double moves = _mm_cvtsd_f64(sums_of(by, by));
    return is_beyond_error(height, moves, size_a, size_b, size_d);
}

[[gnu::always_inline]] inline bool are_on_sides(std::span<const MovingPoint> at,
                                                const PairVertices<EdgeEdgeMotion>& v,
                                                const Vec3& moved) noexcept {
    const MovingPoint& p = at[v.a[0]];
    const MovingPoint& q = at[v.b[0]];
    return are_on_sides(start_difference(at[v.a[1]], p), start_difference(at[v.b[1]], q),
                        start_difference(q, p), moved);
}
[[gnu::always_inline]] inline bool are_on_sides(std::span<const MovingPoint> at,
                                                const PairVertices<VertexFaceMotion>& v,
                                                const Vec3& moved) noexcept {
    const MovingPoint& p = at[v.b[0]];
    return are_on_sides(start_difference(at[v.b[1]], p), start_difference(at[v.b[2]], p),
                        start_difference(at[v.a[0]], p), moved);
}
template <class Motion>
inline bool have_common_vertex(const PairVertices<Motion>& vertices) noexcept {
    return share_vertex(vertices);
}
// All four combinations at a time.
inline bool have_common_vertex(const PairVertices<EdgeEdgeMotion>& vertices) noexcept {
    const __m128i a = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(vertices.a.data()));
    const __m128i b = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(vertices.b.data()));
    const __m128i equal =
        _mm_cmpeq_epi32(_mm_shuffle_epi32(a, 0b01'00'01'00), _mm_shuffle_epi32(b, 0b01'01'00'00));
    return _mm_movemask_epi8(equal) != 0;
}
#include "mesh/cull_pairs.inc"

}  // namespace avx2
GRAZE_TARGET_END
#endif

}  // namespace

template <class Motion>
CulledPairs cull_pairs(const MeshTopology& mesh, std::span<const MovingPoint> points,
                       std::span<const IndexPair> pairs, IndexPair* left) noexcept {
#ifdef GRAZE_X86_DISPATCH
    static const bool has_avx2 = is_available(InstructionSet::Avx2);
    if (has_avx2) return avx2::cull<Motion>(mesh, points, pairs, left);
#endif
    return portable::cull<Motion>(mesh, points, pairs, left);
}

template <class Motion>
CulledPairs cull_pairs_by_plane(const MeshTopology& mesh, std::span<const MovingPoint> points,
                                std::span<const IndexPair> pairs, const Vec3& moved,
                                IndexPair* left) noexcept {
#ifdef GRAZE_X86_DISPATCH
    static const bool has_avx2 = is_available(InstructionSet::Avx2);
    if (has_avx2) return avx2::cull_by_plane<Motion>(mesh, points, pairs, moved, left);
#endif
    return portable::cull_by_plane<Motion>(mesh, points, pairs, moved, left);
}

template CulledPairs cull_pairs<VertexFaceMotion>(const MeshTopology&, std::span<const MovingPoint>,
                                                  std::span<const IndexPair>, IndexPair*) noexcept;
template CulledPairs cull_pairs<EdgeEdgeMotion>(const MeshTopology&, std::span<const MovingPoint>,
                                                std::span<const IndexPair>, IndexPair*) noexcept;
template CulledPairs cull_pairs<VertexVertexMotion>(const MeshTopology&,
                                                    std::span<const MovingPoint>,
                                                    std::span<const IndexPair>,
                                                    IndexPair*) noexcept;
template CulledPairs cull_pairs<VertexEdgeMotion>(const MeshTopology&, std::span<const MovingPoint>,
                                                  std::span<const IndexPair>, IndexPair*) noexcept;

template CulledPairs cull_pairs_by_plane<VertexFaceMotion>(const MeshTopology&,
                                                           std::span<const MovingPoint>,
                                                           std::span<const IndexPair>, const Vec3&,
                                                           IndexPair*) noexcept;
template CulledPairs cull_pairs_by_plane<EdgeEdgeMotion>(const MeshTopology&,
                                                         std::span<const MovingPoint>,
                                                         std::span<const IndexPair>, const Vec3&,
                                                         IndexPair*) noexcept;

}  // namespace graze::mesh_detail
