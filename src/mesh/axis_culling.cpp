#include "mesh/axis_culling.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "graze/core/target_pragmas.hpp"
#include "mesh/pair_vertices.hpp"

namespace graze::mesh_detail {
namespace {

namespace portable {
using mesh_detail::is_separated_on_axis;
template <class Motion>
inline bool have_common_vertex(const PairVertices<Motion>& vertices) noexcept {
    return share_vertex(vertices);
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

}  // namespace graze::mesh_detail
