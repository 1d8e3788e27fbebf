#include "rigid/convex/box_axes.hpp"

#include "graze/core/instruction_set.hpp"
#include "graze/core/target_pragmas.hpp"
#include "rigid/impact/slab.hpp"

#ifdef GRAZE_X86_DISPATCH
#include <immintrin.h>
#endif

namespace graze::rigid::detail {

namespace {

constexpr unsigned kNext[3] = {1, 2, 0};
constexpr unsigned kLast[3] = {2, 0, 1};
// Crosses of edges whose squared length is below it are left out.
constexpr double kParallel = 0x1p-20;

// The cross of edges i and j, times its length: the two axes other than i and j count.
[[nodiscard]] double edge_gap(const BoxLanes& b, unsigned i, unsigned j) noexcept {
    const unsigned i1 = kNext[i];
    const unsigned i2 = kLast[i];
    const unsigned j1 = kNext[j];
    const unsigned j2 = kLast[j];
    const double along = b.d[i2] * b.c[i1][j] - b.d[i1] * b.c[i2][j];
    return std::fabs(along) - ((b.half_a[i1] * b.size[i2][j] + b.half_a[i2] * b.size[i1][j]) +
                               (b.half_b[j1] * b.size[i][j2] + b.half_b[j2] * b.size[i][j1]));
}
[[nodiscard]] double edge_length_sq(const BoxLanes& b, unsigned i, unsigned j) noexcept {
    const double x = b.c[kNext[i]][j];
    const double y = b.c[kLast[i]][j];
    return x * x + y * y;
}

// Along a normal of A the boxes reach half_a and |c| half_b; along one of B the other way round.
[[nodiscard]] double face_gap_of_a(const BoxLanes& b, unsigned i) noexcept {
    const auto& size = b.size[i];
    return std::fabs(b.d[i]) -
           (((size[0] * b.half_b[0] + size[1] * b.half_b[1]) + size[2] * b.half_b[2]) +
            b.half_a[i]);
}
[[nodiscard]] double face_gap_of_b(const BoxLanes& b, unsigned j) noexcept {
    const double along = (b.d[0] * b.c[0][j] + b.d[1] * b.c[1][j]) + b.d[2] * b.c[2][j];
    return std::fabs(along) - (((b.size[0][j] * b.half_a[0] + b.size[1][j] * b.half_a[1]) +
                                b.size[2][j] * b.half_a[2]) +
                               b.half_b[j]);
}

// Gaps are compared by their squares, with their signs: no roots. Row 0 are the normals of A, 1 those of B,
// 2 to 4 the crosses with A's edges 0 to 2, so that 3 row + lane is the number of the direction; of
// several with the largest gap that of the first lane and row counts. Both instruction sets do the same
// operations: the bits are the same.
[[nodiscard]] inline unsigned first_best(const double* best, const double* row) noexcept {
    const unsigned later = best[2] > best[1] ? 2 : 1;
    const unsigned lane = best[later] > best[0] ? later : 0;
    return 3 * static_cast<unsigned>(row[lane]) + lane;
}

struct Placed {
    const Matrix3& of_a;
    const Matrix3& of_b;
    const Vec3& half_a;
    const Vec3& half_b;
    Vec3 between;  // from the centre of A to that of B
};

namespace portable {

inline void set_lanes(BoxLanes& b, const Placed& p) noexcept {
    const Matrix3& m = p.of_a;
    const Matrix3& n = p.of_b;
    for (unsigned i = 0; i < 3; ++i) {
        for (unsigned j = 0; j < 3; ++j) {
            b.c[i][j] = (m[0][i] * n[0][j] + m[1][i] * n[1][j]) + m[2][i] * n[2][j];
            b.size[i][j] = std::fabs(b.c[i][j]);
        }
        b.c[i][3] = b.size[i][3] = 0.0;
        b.half_a[i] = p.half_a[i];
        b.half_b[i] = p.half_b[i];
        b.d[i] = (m[0][i] * p.between.x + m[1][i] * p.between.y) + m[2][i] * p.between.z;
    }
    b.half_a[3] = b.half_b[3] = b.d[3] = 0.0;
}

inline unsigned best_axis(const BoxLanes& b) noexcept {
    std::array<double, 3> best{};
    std::array<double, 3> row{};
    for (unsigned j = 0; j < 3; ++j) {
        const double of_a = face_gap_of_a(b, j);
        best[j] = of_a * std::fabs(of_a);
        const double of_b = face_gap_of_b(b, j);
        const auto take = [&](double gap_sq, double here) {
            row[j] = gap_sq > best[j] ? here : row[j];
            best[j] = gap_sq > best[j] ? gap_sq : best[j];
        };
        take(of_b * std::fabs(of_b), 1.0);
        for (unsigned i = 0; i < 3; ++i) {
            const double gap = edge_gap(b, i, j);
            const double length_sq = edge_length_sq(b, i, j);
            if (length_sq >= kParallel) take(gap * std::fabs(gap) / length_sq, 2.0 + i);
        }
    }
    return first_best(best.data(), row.data());
}

}  // namespace portable

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {

// One by one: numbers that were stored one by one a moment ago are slow to load together.
inline __m256d row_of(const Vec3& v) noexcept {
    const __m128d xy = _mm_loadh_pd(_mm_load_sd(&v.x), &v.y);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(xy), _mm_load_sd(&v.z), 1);
}
inline __m256d magnitude(__m256d v) noexcept {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), v);
}
inline __m256d times(double s, __m256d v) noexcept {
    return _mm256_mul_pd(_mm256_set1_pd(s), v);
}
inline __m256d signed_square(__m256d v) noexcept {
    return _mm256_mul_pd(v, magnitude(v));
}
inline __m256d sum_of(__m256d x, __m256d y, __m256d z) noexcept {
    return _mm256_add_pd(_mm256_add_pd(x, y), z);
}

inline void set_lanes(BoxLanes& b, const Placed& p) noexcept {
    const Matrix3& m = p.of_a;
    const __m256d n0 = row_of(p.of_b[0]);
    const __m256d n1 = row_of(p.of_b[1]);
    const __m256d n2 = row_of(p.of_b[2]);
    const auto set = [&](std::size_t i, double x, double y, double z) {
        const __m256d c = sum_of(times(x, n0), times(y, n1), times(z, n2));
        _mm256_storeu_pd(b.c[i].data(), c);
        _mm256_storeu_pd(b.size[i].data(), magnitude(c));
    };
    set(0, m[0].x, m[1].x, m[2].x);
    set(1, m[0].y, m[1].y, m[2].y);
    set(2, m[0].z, m[1].z, m[2].z);
    _mm256_storeu_pd(b.half_a.data(), row_of(p.half_a));
    _mm256_storeu_pd(b.half_b.data(), row_of(p.half_b));
    const Vec3& d = p.between;
    _mm256_storeu_pd(b.d.data(), sum_of(times(d.x, row_of(m[0])), times(d.y, row_of(m[1])),
                                        times(d.z, row_of(m[2]))));
}

// The rows of one box: its edge i, and the two axes after it.
struct Rows {
    __m256d c1, c2;      // of the two axes after i
    __m256d s0, s1, s2;  // magnitudes, of i and these
    double d1, d2;
    double a1, a2;  // half sizes of A
};
// Squares of the gaps along the crosses of A's edge i, with their signs, and -infinity for nearly parallel edges.
inline __m256d edge_gaps(const Rows& r, __m256d half_next, __m256d half_last) noexcept {
    const __m256d along = magnitude(_mm256_sub_pd(times(r.d2, r.c1), times(r.d1, r.c2)));
    const __m256d of_a = _mm256_add_pd(times(r.a1, r.s2), times(r.a2, r.s1));
    const __m256d of_b = _mm256_add_pd(_mm256_mul_pd(half_next, _mm256_permute4x64_pd(r.s0, 0xD2)),
                                       _mm256_mul_pd(half_last, _mm256_permute4x64_pd(r.s0, 0xC9)));
    const __m256d gap = _mm256_sub_pd(along, _mm256_add_pd(of_a, of_b));
    const __m256d length_sq = _mm256_add_pd(_mm256_mul_pd(r.c1, r.c1), _mm256_mul_pd(r.c2, r.c2));
    const __m256d is_long = _mm256_cmp_pd(length_sq, _mm256_set1_pd(kParallel), _CMP_GE_OQ);
    return _mm256_blendv_pd(_mm256_set1_pd(-graze::detail::kInfinite),
                            _mm256_div_pd(signed_square(gap), length_sq), is_long);
}

// Sums over the lanes of three rows whose fourth is 0, each as (x + y) + z.
inline __m256d lane_sums(__m256d x, __m256d y, __m256d z) noexcept {
    const __m256d xy = _mm256_hadd_pd(x, y);
    const __m256d zz = _mm256_hadd_pd(z, _mm256_setzero_pd());
    return _mm256_add_pd(_mm256_permute2f128_pd(xy, zz, 0x20),
                         _mm256_permute2f128_pd(xy, zz, 0x31));
}

inline unsigned best_axis(const BoxLanes& b) noexcept {
    const __m256d c0 = _mm256_loadu_pd(b.c[0].data());
    const __m256d c1 = _mm256_loadu_pd(b.c[1].data());
    const __m256d c2 = _mm256_loadu_pd(b.c[2].data());
    const __m256d s0 = magnitude(c0);
    const __m256d s1 = magnitude(c1);
    const __m256d s2 = magnitude(c2);
    const __m256d half_b = _mm256_loadu_pd(b.half_b.data());
    const BoxLanes::Row& a = b.half_a;
    const BoxLanes::Row& d = b.d;

    const __m256d reach_of_b =
        lane_sums(_mm256_mul_pd(s0, half_b), _mm256_mul_pd(s1, half_b), _mm256_mul_pd(s2, half_b));
    __m256d best =
        signed_square(_mm256_sub_pd(magnitude(_mm256_loadu_pd(d.data())),
                                    _mm256_add_pd(reach_of_b, _mm256_loadu_pd(a.data()))));
    __m256d row = _mm256_setzero_pd();
    const auto take = [&](__m256d gap_sq, double here) {
        const __m256d is_more = _mm256_cmp_pd(gap_sq, best, _CMP_GT_OQ);
        row = _mm256_blendv_pd(row, _mm256_set1_pd(here), is_more);
        best = _mm256_blendv_pd(best, gap_sq, is_more);
    };
    const __m256d along_b = magnitude(sum_of(times(d[0], c0), times(d[1], c1), times(d[2], c2)));
    const __m256d reach_of_a = sum_of(times(a[0], s0), times(a[1], s1), times(a[2], s2));
    take(signed_square(_mm256_sub_pd(along_b, _mm256_add_pd(reach_of_a, half_b))), 1.0);
    const __m256d next = _mm256_permute4x64_pd(half_b, 0xC9);
    const __m256d last = _mm256_permute4x64_pd(half_b, 0xD2);
    take(edge_gaps({c1, c2, s0, s1, s2, d[1], d[2], a[1], a[2]}, next, last), 2.0);
    take(edge_gaps({c2, c0, s1, s2, s0, d[2], d[0], a[2], a[0]}, next, last), 3.0);
    take(edge_gaps({c0, c1, s2, s0, s1, d[0], d[1], a[0], a[1]}, next, last), 4.0);
    BoxLanes::Row squares;
    BoxLanes::Row rows;
    _mm256_storeu_pd(squares.data(), best);
    _mm256_storeu_pd(rows.data(), row);
    return first_best(squares.data(), rows.data());
}

}  // namespace avx2
GRAZE_TARGET_END

[[nodiscard]] bool has_avx2() noexcept {
    static const bool is_there = is_available(InstructionSet::Avx2);
    return is_there;
}
#endif

void set_lanes(BoxLanes& b, const Placed& p) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::set_lanes(b, p);
#endif
    portable::set_lanes(b, p);
}
[[nodiscard]] unsigned best_axis(const BoxLanes& b) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (has_avx2()) return avx2::best_axis(b);
#endif
    return portable::best_axis(b);
}

}  // namespace

BoxAxes::BoxAxes(const MovingShape& a, const MovingShape& b, const PairFrame& f) noexcept {
    const Vec3 between = f.offset + (linear_times(f.b.linear, b.shape.centre()) -
                                     linear_times(f.a.linear, a.shape.centre()));
    set_lanes(lanes_, {f.a.linear, f.b.linear, a.shape.size(), b.shape.size(), between});
}

double BoxAxes::gap(unsigned id) const noexcept {
    if (id < 3) return face_gap_of_a(lanes_, id);
    if (id < 6) return face_gap_of_b(lanes_, id - 3);
    const unsigned i = (id - 6) / 3;
    const unsigned j = (id - 6) % 3;
    const double length_sq = edge_length_sq(lanes_, i, j);
    return length_sq > 0.0 ? edge_gap(lanes_, i, j) / std::sqrt(length_sq)
                           : -graze::detail::kInfinite;
}

BoxAxis BoxAxes::best() const noexcept {
    const unsigned id = best_axis(lanes_);
    return {id, gap(id)};
}

Vec3 BoxAxes::direction(unsigned id, const PairFrame& f) const noexcept {
    const auto& c = lanes_.c;
    const Vec3 d{lanes_.d[0], lanes_.d[1], lanes_.d[2]};
    Vec3 local;  // in the frame of A
    if (id < 3) {
        local[id] = std::copysign(1.0, d[id]);
    } else if (id < 6) {
        local = {c[0][id - 3], c[1][id - 3], c[2][id - 3]};
        if (dot(d, local) < 0.0) local = -local;
    } else {
        // e_i x column j = -c[i2][j] e_i1 + c[i1][j] e_i2.
        const unsigned i = (id - 6) / 3;
        const unsigned j = (id - 6) % 3;
        local[kNext[i]] = -c[kLast[i]][j];
        local[kLast[i]] = c[kNext[i]][j];
        if (dot(d, local) < 0.0) local = -local;
    }
    return unit(linear_times(f.a.linear, local));
}

}  // namespace graze::rigid::detail
