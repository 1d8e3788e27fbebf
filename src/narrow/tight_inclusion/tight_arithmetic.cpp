#include "narrow/tight_inclusion/tight_arithmetic.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/error_calculus.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/core/rounding.hpp"

#include "graze/core/target_pragmas.hpp"

#ifdef GRAZE_X86_DISPATCH
#include <immintrin.h>
#endif

namespace graze::inclusion {
namespace {

constexpr double kUnitRoundoff = 0x1p-53;

// --- The filter (TI-3) --------------------------------------------------------------------------
//
// The two formulas below are the whole evaluation; the calculus runs through them at compile time.

// P(t), Q(t) or R(t) from its values at the ends. s = 1 - t.
template <class T>
constexpr T at_time(const T& start, const T& end, const T& s, const T& t) noexcept {
    return start * s + end * t;
}
// F in the middle of a cell.
template <class T>
constexpr T centre_value(const T& p, const T& q, const T& r, const T& u, const T& v) noexcept {
    return (p + u * q) + v * r;
}

constexpr ErrorForm centre_form() {
    constexpr Magnitude kSize = ErrorForm::variable(0).magnitude();
    constexpr ErrorForm kFraction = ErrorForm::number(Dyadic(1));
    // A difference of two corners, of size <= M: one rounding.
    constexpr ErrorForm kDifference =
        sum_within(ErrorForm::variable(0), ErrorForm::variable(0), kSize);
    // 1 - t, of size <= 1: one rounding.
    constexpr ErrorForm kRest = sum_within(kFraction, kFraction, kFraction.magnitude());
    const ErrorForm moving = at_time(kDifference, kDifference, kRest, kFraction);
    return centre_value(moving, moving, moving, kFraction, kFraction);
}
// Seven roundings at most on the way to each term. The terms' magnitudes add up to at most
// S = M_P + M_Q + M_R, because (1 - t) M + t M = M and u, v <= 1, so that |error of the centre| <=
// 7u S (1 + O(u)). The radius adds half a width of the same Q and R, with fewer roundings. What
// remains of 8u (S + d) pays for rounding reach + radius, for S itself, and for underflow.
static_assert(centre_form().roundings() == 7);
constexpr double kFilterRoundings = 8.0;

// --- Boxes ------------------------------------------------------------------------------------
//
// The code below is written once, in tight_kernel.inc, and compiled for each instruction set.

namespace portable {
constexpr std::size_t kLanes = 1;
struct Masks {
    bool set = false;
};
struct Doubles {
    double x = 0.0;
};
inline Doubles load(const double* from) noexcept {
    return {*from};
}
inline Doubles all(double x) noexcept {
    return {x};
}
inline Doubles operator+(Doubles a, Doubles b) noexcept {
    return {a.x + b.x};
}
inline Doubles operator-(Doubles a, Doubles b) noexcept {
    return {a.x - b.x};
}
inline Doubles operator*(Doubles a, Doubles b) noexcept {
    return {a.x * b.x};
}
inline Doubles magnitude(Doubles a) noexcept {
    return {std::fabs(a.x)};
}
inline Doubles smaller(Doubles a, Doubles b) noexcept {
    return {a.x < b.x ? a.x : b.x};
}
inline Masks operator>(Doubles a, Doubles b) noexcept {
    return {a.x > b.x};
}
inline Masks operator>=(Doubles a, Doubles b) noexcept {
    return {a.x >= b.x};
}
inline Masks operator&(Masks a, Masks b) noexcept {
    return {a.set && b.set};
}
inline Masks operator|(Masks a, Masks b) noexcept {
    return {a.set || b.set};
}
inline void store_not(Masks a, std::int64_t* to) noexcept {
    *to = a.set ? 0 : 1;
}
#include "narrow/tight_inclusion/tight_kernel.inc"
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH

GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {
constexpr std::size_t kLanes = 4;
struct Masks {
    __m256d set = _mm256_setzero_pd();
};
struct Doubles {
    __m256d x;
};
inline Doubles load(const double* from) noexcept {
    return {_mm256_loadu_pd(from)};
}
inline Doubles all(double x) noexcept {
    return {_mm256_set1_pd(x)};
}
inline Doubles operator+(Doubles a, Doubles b) noexcept {
    return {_mm256_add_pd(a.x, b.x)};
}
inline Doubles operator-(Doubles a, Doubles b) noexcept {
    return {_mm256_sub_pd(a.x, b.x)};
}
inline Doubles operator*(Doubles a, Doubles b) noexcept {
    return {_mm256_mul_pd(a.x, b.x)};
}
inline Doubles magnitude(Doubles a) noexcept {
    return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.x)};
}
inline Doubles smaller(Doubles a, Doubles b) noexcept {
    return {_mm256_min_pd(a.x, b.x)};
}
inline Masks operator>(Doubles a, Doubles b) noexcept {
    return {_mm256_cmp_pd(a.x, b.x, _CMP_GT_OQ)};
}
inline Masks operator>=(Doubles a, Doubles b) noexcept {
    return {_mm256_cmp_pd(a.x, b.x, _CMP_GE_OQ)};
}
inline Masks operator&(Masks a, Masks b) noexcept {
    return {_mm256_and_pd(a.set, b.set)};
}
inline Masks operator|(Masks a, Masks b) noexcept {
    return {_mm256_or_pd(a.set, b.set)};
}
inline void store_not(Masks a, std::int64_t* to) noexcept {
    const __m256i kept = _mm256_andnot_si256(_mm256_castpd_si256(a.set), _mm256_set1_epi64x(1));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), kept);
}
#include "narrow/tight_inclusion/tight_kernel.inc"
}  // namespace avx2
GRAZE_TARGET_END

GRAZE_TARGET_BEGIN("avx512f,avx512dq,avx512vl")
namespace avx512 {
constexpr std::size_t kLanes = 8;
struct Masks {
    __mmask8 set = 0;
};
struct Doubles {
    __m512d x;
};
inline Masks mask(unsigned bits) noexcept {
    return {static_cast<__mmask8>(bits)};
}
inline Doubles load(const double* from) noexcept {
    return {_mm512_loadu_pd(from)};
}
inline Doubles all(double x) noexcept {
    return {_mm512_set1_pd(x)};
}
inline Doubles operator+(Doubles a, Doubles b) noexcept {
    return {_mm512_add_pd(a.x, b.x)};
}
inline Doubles operator-(Doubles a, Doubles b) noexcept {
    return {_mm512_sub_pd(a.x, b.x)};
}
inline Doubles operator*(Doubles a, Doubles b) noexcept {
    return {_mm512_mul_pd(a.x, b.x)};
}
inline Doubles magnitude(Doubles a) noexcept {
    return {_mm512_abs_pd(a.x)};
}
// Masked, with every lane: GCC 12 warns about its own plain _mm512_min_pd (GCC bug 105593).
inline Doubles smaller(Doubles a, Doubles b) noexcept {
    return {_mm512_maskz_min_pd(0xff, a.x, b.x)};
}
inline Masks operator>(Doubles a, Doubles b) noexcept {
    return {_mm512_cmp_pd_mask(a.x, b.x, _CMP_GT_OQ)};
}
inline Masks operator>=(Doubles a, Doubles b) noexcept {
    return {_mm512_cmp_pd_mask(a.x, b.x, _CMP_GE_OQ)};
}
inline Masks operator&(Masks a, Masks b) noexcept {
    return mask(unsigned{a.set} & b.set);
}
inline Masks operator|(Masks a, Masks b) noexcept {
    return mask(unsigned{a.set} | b.set);
}
inline void store_not(Masks a, std::int64_t* to) noexcept {
    const __m512i kept = _mm512_maskz_set1_epi64(mask(~unsigned{a.set}).set, 1);
    _mm512_storeu_si512(to, kept);
}
#include "narrow/tight_inclusion/tight_kernel.inc"
}  // namespace avx512
GRAZE_TARGET_END

#endif

using CheckFunction = void (*)(const TightCoefficients&, const BoxView&, const Split&,
                               std::int64_t*, std::int64_t*) noexcept;

CheckFunction check_for(InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set == InstructionSet::Avx512 && is_available(set)) return avx512::check_halves;
    if (set == InstructionSet::Avx2 && is_available(set)) return avx2::check_halves;
#endif
    static_cast<void>(set);
    return portable::check_halves;
}

// --- Set-up -----------------------------------------------------------------------------------

constexpr Vec3 scaled_difference(const Vec3& a, const Vec3& b, double s) noexcept {
    return {a.x * s - b.x * s, a.y * s - b.y * s, a.z * s - b.z * s};
}

using End = Vec3 MovingPoint::*;
constexpr End kStart = &MovingPoint::start;
constexpr End kEnd = &MovingPoint::end;

// P, Q, R of the four kinds at one end, each coordinate multiplied by a power of two first.
Differences differences(const VertexFaceMotion& m, End at, double s) noexcept {
    const Vec3& origin = m.face[0].*at;
    return {scaled_difference(m.vertex.*at, origin, s), scaled_difference(origin, m.face[1].*at, s),
            scaled_difference(origin, m.face[2].*at, s)};
}
Differences differences(const EdgeEdgeMotion& m, End at, double s) noexcept {
    return {scaled_difference(m.edge_a[0].*at, m.edge_b[0].*at, s),
            scaled_difference(m.edge_a[1].*at, m.edge_a[0].*at, s),
            scaled_difference(m.edge_b[0].*at, m.edge_b[1].*at, s)};
}
Differences differences(const VertexVertexMotion& m, End at, double s) noexcept {
    return {scaled_difference(m.a.*at, m.b.*at, s), {}, {}};
}
Differences differences(const VertexEdgeMotion& m, End at, double s) noexcept {
    return {scaled_difference(m.vertex.*at, m.edge[0].*at, s),
            scaled_difference(m.edge[0].*at, m.edge[1].*at, s),
            {}};
}

struct StartAndEnd {
    Differences start;
    Differences end;
    [[nodiscard]] std::array<double, 6> on(std::size_t k) const noexcept {
        return {start.p[k], start.q[k], start.r[k], end.p[k], end.q[k], end.r[k]};
    }
};
template <class Motion>
StartAndEnd differences(const Motion& motion, double scale) noexcept {
    return {differences(motion, kStart, scale), differences(motion, kEnd, scale)};
}

double largest_magnitude(const std::array<double, 6>& values) noexcept {
    double largest = 0.0;
    for (const double value : values)
        largest = std::max(largest, std::fabs(value));
    return largest;
}

// The side of the scene along one axis, rounded up; nothing if a corner lies outside.
template <class Motion>
std::optional<double> scene_extent(const Motion& motion, const std::optional<SceneBounds>& scene,
                                   std::size_t axis) noexcept {
    if (!scene) return std::nullopt;
    const double lower = scene->lower[axis];
    const double upper = scene->upper[axis];
    for (const MovingPoint& corner : vertices(motion)) {
        for (const double x : {corner.start[axis], corner.end[axis]}) {
            if (!(lower <= x && x <= upper)) return std::nullopt;
        }
    }
    const double extent = sub_up(upper, lower);
    return extent < kInfinity ? std::optional(extent) : std::nullopt;
}

// At least x 2^k, for x >= 0.
double scaled_up(double x, int k) noexcept {
    return scales_exactly(x, k) ? scaled(x, k) : next_up(scaled(x, k));
}

// Where a plain difference could overflow, or comes near it, coordinates are scaled before they are
// subtracted. What a coordinate loses by that is at most 2^-1075, while the largest scaled
// difference is at least 2^959: nothing (TI-2).
constexpr double kLargeDifference = 0x1p+1000;
constexpr int kLargeExponent = 40;

}  // namespace

template <class Motion>
TightArithmetic TightArithmetic::of(const Motion& motion,
                                    const TightInclusionOptions& options) noexcept {
    TightArithmetic arithmetic;
    arithmetic.coefficients_.prism = Motion::kKind == QueryKind::VertexFace;
    const StartAndEnd plain = differences(motion, 1.0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::array<double, 6> raw = plain.on(axis);
        if (largest_magnitude(raw) < kLargeDifference) {
            arithmetic.set_axis(axis, raw, 0);
        } else {
            const StartAndEnd small = differences(motion, power_of_two(-kLargeExponent));
            arithmetic.set_axis(axis, small.on(axis), kLargeExponent);
        }
        arithmetic.set_filter(axis, options, scene_extent(motion, options.scene, axis));
    }
    arithmetic.set_rates(options.query.distance_tolerance);
    arithmetic.check_halves_ = check_for(options.instructions);
    return arithmetic;
}

template TightArithmetic TightArithmetic::of(const VertexFaceMotion&,
                                             const TightInclusionOptions&) noexcept;
template TightArithmetic TightArithmetic::of(const EdgeEdgeMotion&,
                                             const TightInclusionOptions&) noexcept;
template TightArithmetic TightArithmetic::of(const VertexVertexMotion&,
                                             const TightInclusionOptions&) noexcept;
template TightArithmetic TightArithmetic::of(const VertexEdgeMotion&,
                                             const TightInclusionOptions&) noexcept;

void TightArithmetic::set_axis(std::size_t axis, const std::array<double, 6>& raw,
                               int raw_exponent) noexcept {
    // An axis on which nothing differs keeps its zeros, with exponent 0.
    const int exponent = binary_exponent(largest_magnitude(raw)).value_or(0);
    TightCoefficients::AxisOfF& f = coefficients_.axes[axis];
    for (std::size_t i = 0; i < 3; ++i) {
        f.start[i] = scaled(raw[i], -exponent);
        f.end[i] = scaled(raw[3 + i], -exponent);
    }
    exponent_[axis] = exponent + raw_exponent;
}

void TightArithmetic::set_filter(std::size_t axis, const TightInclusionOptions& options,
                                 const std::optional<double>& scene_extent) noexcept {
    // S = M_P + M_Q + M_R < 6. A separation beyond 2^60 excludes nothing on this axis, and neither
    // does 2^60.
    constexpr double kBeyond = 0x1p+60;
    TightCoefficients::AxisOfF& f = coefficients_.axes[axis];
    double sizes = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
        sizes += std::max(std::fabs(f.start[i]), std::fabs(f.end[i]));
    if (scene_extent) {
        const double of_scene = 3.0 * scaled(*scene_extent, -exponent_[axis]);
        sizes = std::max(sizes, std::min(of_scene, kBeyond));
    }
    const double within =
        std::min(scaled_up(options.query.min_separation, -exponent_[axis]), kBeyond);
    filter_[axis] = kFilterRoundings * kUnitRoundoff * (sizes + within);
    f.reach = within + filter_[axis];
}

void TightArithmetic::set_rates(double distance_tolerance) noexcept {
    unit_exponent_ = std::max({exponent_[0], exponent_[1], exponent_[2]});
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const TightCoefficients::AxisOfF& f = coefficients_.axes[axis];
        const double unit = scaled(1.0, exponent_[axis] - unit_exponent_);
        const double dp = f.end[0] - f.start[0];
        const double dq = f.end[1] - f.start[1];
        const double dr = f.end[2] - f.start[2];
        const double dt = std::max(
            {std::fabs(dp), std::fabs(dp + dq), std::fabs(dp + dr), std::fabs(dp + dq + dr)});
        const auto size = [&](std::size_t i) {
            return std::max(std::fabs(f.start[i]), std::fabs(f.end[i]));
        };
        in_units_[axis] = unit;
        rates_.t = std::max(rates_.t, unit * dt);
        rates_.u = std::max(rates_.u, unit * size(1));
        rates_.v = std::max(rates_.v, unit * size(2));
    }
    delta_ = scaled(distance_tolerance, -unit_exponent_);
}

Range TightArithmetic::range(std::size_t axis, const BoxOfDomain& box) const noexcept {
    const TightCoefficients::AxisOfF& f = coefficients_.axes[axis];
    const double half_u = 0.5 * box.widths.u;
    const double half_v = 0.5 * box.widths.v;
    Range range;
    for (const double t : {box.t0, box.t1}) {
        const double s = 1.0 - t;
        const double q = at_time(f.start[1], f.end[1], s, t);
        const double r = at_time(f.start[2], f.end[2], s, t);
        const double centre =
            centre_value(at_time(f.start[0], f.end[0], s, t), q, r, box.u + half_u, box.v + half_v);
        const double radius = half_u * std::fabs(q) + half_v * std::fabs(r);
        range = {std::min(range.lower, centre - radius), std::max(range.upper, centre + radius)};
    }
    return range;
}

Extent TightArithmetic::extent(const BoxOfDomain& box) const noexcept {
    Extent extent{0.0, true};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Range f = range(axis, box);
        const double reach = coefficients_.axes[axis].reach;
        extent.width = std::max(extent.width, in_units_[axis] * (f.upper - f.lower));
        extent.contained &= f.lower >= -reach && f.upper <= reach;
    }
    return extent;
}

// The same, but most boxes are large on the first axis already.
bool TightArithmetic::is_small(const BoxOfDomain& box) const noexcept {
    bool contained = true;
    bool narrow = true;
    for (std::size_t axis = 0; axis < 3 && (contained || narrow); ++axis) {
        const Range f = range(axis, box);
        const double reach = coefficients_.axes[axis].reach;
        narrow &= in_units_[axis] * (f.upper - f.lower) < delta_;
        contained &= f.lower >= -reach && f.upper <= reach;
    }
    return contained || narrow;
}

double TightArithmetic::tolerance(const Extent& extent) const noexcept {
    // TI-5: w(B) + 4 epsilon, along the axis where that is most.
    double filter = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        filter = std::max(filter, mul_up(in_units_[axis], filter_[axis]));
    const double width = extent.contained ? 0.0 : extent.width;
    return scaled_up(add_up(width, mul_up(4.0, filter)), unit_exponent_);
}

}  // namespace graze::inclusion
