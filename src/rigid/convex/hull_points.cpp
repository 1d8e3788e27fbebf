#include "rigid/convex/hull_points.hpp"

#include <algorithm>
#include <array>

#include "graze/core/instruction_set.hpp"
#include "graze/core/target_pragmas.hpp"

#ifdef GRAZE_X86_DISPATCH
#include <immintrin.h>
#endif

namespace graze::rigid::detail {

HullPoints::HullPoints(std::span<const Vec3> given) : points(given.begin(), given.end()) {
    const std::size_t count = (points.size() + kLanes - 1) / kLanes;
    blocks.resize(3 * kLanes * count);
    for (std::size_t i = 0; i < kLanes * count; ++i) {
        const Vec3& p = points[i < points.size() ? i : 0];
        double* const block = &blocks[3 * kLanes * (i / kLanes)];
        for (std::size_t axis = 0; axis < 3; ++axis)
            block[axis * kLanes + i % kLanes] = p[axis];
    }
}

namespace {

constexpr double kNoPoint = 0x1p+60;

namespace portable {
#include "rigid/convex/hull_kernels.inc"

// Each lane remembers the block of its largest product, as a number of the same size; -1 stands for the
// first point. Of several lanes with the largest the first point counts.
inline Extreme extreme(const HullPoints& hull, const Vec3& m) noexcept {
    const double first = dot(m, hull.points.front());
    std::array<double, HullPoints::kLanes> best{first, first, first, first};
    std::array<double, HullPoints::kLanes> found{-1.0, -1.0, -1.0, -1.0};
    const double* block = hull.blocks.data();
    const double* const end = block + hull.blocks.size();
    for (double k = 0.0; block != end; block += 3 * HullPoints::kLanes, k += 1.0) {
        for (std::size_t i = 0; i < HullPoints::kLanes; ++i) {
            const double along = m.x * block[i] + m.y * block[i + 4] + m.z * block[i + 8];
            found[i] = along > best[i] ? k : found[i];
            best[i] = along > best[i] ? along : best[i];
        }
    }
    const double low = best[1] > best[0] ? best[1] : best[0];
    const double high = best[3] > best[2] ? best[3] : best[2];
    const double most = high > low ? high : low;
    for (std::size_t i = 0; i < HullPoints::kLanes; ++i) {
        const double point = 4.0 * found[i] + static_cast<double>(i);
        found[i] = best[i] == most ? (point > 0.0 ? point : 0.0) : kNoPoint;
    }
    const double left = found[1] < found[0] ? found[1] : found[0];
    const double right = found[3] < found[2] ? found[3] : found[2];
    const double point = right < left ? right : left;
    return {most, point < kNoPoint ? static_cast<std::size_t>(point) : 0};
}
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {
#include "rigid/convex/hull_kernels.inc"

// As above; compilers do not find these instructions by themselves. max_pd(a, b) is a > b ? a : b.
inline Extreme extreme(const HullPoints& hull, const Vec3& m) noexcept {
    const __m256d x = _mm256_set1_pd(m.x);
    const __m256d y = _mm256_set1_pd(m.y);
    const __m256d z = _mm256_set1_pd(m.z);
    __m256d best = _mm256_set1_pd(dot(m, hull.points.front()));
    __m256d found = _mm256_set1_pd(-1.0);
    __m256d k = _mm256_setzero_pd();
    const double* block = hull.blocks.data();
    const double* const end = block + hull.blocks.size();
    for (; block != end; block += 3 * HullPoints::kLanes) {
        const __m256d xy = _mm256_add_pd(_mm256_mul_pd(x, _mm256_loadu_pd(block)),
                                         _mm256_mul_pd(y, _mm256_loadu_pd(block + 4)));
        const __m256d along = _mm256_add_pd(xy, _mm256_mul_pd(z, _mm256_loadu_pd(block + 8)));
        const __m256d is_more = _mm256_cmp_pd(along, best, _CMP_GT_OQ);
        best = _mm256_blendv_pd(best, along, is_more);
        found = _mm256_blendv_pd(found, k, is_more);
        k = _mm256_add_pd(k, _mm256_set1_pd(1.0));
    }
    const __m256d pairs = _mm256_max_pd(_mm256_permute_pd(best, 5), best);
    const __m128d most = _mm_max_pd(_mm256_extractf128_pd(pairs, 1), _mm256_castpd256_pd128(pairs));
    const __m256d is_most = _mm256_cmp_pd(best, _mm256_broadcastsd_pd(most), _CMP_EQ_OQ);
    const __m256d point = _mm256_add_pd(_mm256_mul_pd(found, _mm256_set1_pd(4.0)),
                                        _mm256_setr_pd(0.0, 1.0, 2.0, 3.0));
    const __m256d own = _mm256_blendv_pd(_mm256_set1_pd(kNoPoint),
                                         _mm256_max_pd(point, _mm256_setzero_pd()), is_most);
    const __m256d less = _mm256_min_pd(_mm256_permute_pd(own, 5), own);
    const double least =
        _mm_cvtsd_f64(_mm_min_pd(_mm256_extractf128_pd(less, 1), _mm256_castpd256_pd128(less)));
    return {_mm_cvtsd_f64(most), least < kNoPoint ? static_cast<std::size_t>(least) : 0};
}
}  // namespace avx2
GRAZE_TARGET_END

[[nodiscard]] bool has_avx2() noexcept {
    static const bool is_there = is_available(InstructionSet::Avx2);
    return is_there;
}
#endif

}  // namespace

double largest_along(const HullPoints& hull, const Vec3& m) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::largest(hull, m);
#endif
    return portable::largest(hull, m);
}

Extreme extreme_along(const HullPoints& hull, const Vec3& m) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::extreme(hull, m);
#endif
    return portable::extreme(hull, m);
}

}  // namespace graze::rigid::detail
