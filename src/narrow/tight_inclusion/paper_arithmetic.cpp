#include "narrow/tight_inclusion/paper_arithmetic.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/error_calculus.hpp"
#include "graze/core/rounding.hpp"

namespace graze::inclusion {
namespace {

// Eq. 5 and Eq. 8: times gamma^3, gamma = max(1, |x|max).
constexpr double kEdgeEdge = 6.217248937900877e-15;
constexpr double kVertexFace = 6.661338147750939e-15;
constexpr double kEdgeEdgeSeparated = 7.105427357601002e-15;
constexpr double kVertexFaceSeparated = 7.549516567451064e-15;
static_assert(kEdgeEdge == 56 * 0x1p-53 && kVertexFace == 60 * 0x1p-53);
static_assert(kEdgeEdgeSeparated == 64 * 0x1p-53 && kVertexFaceSeparated == 68 * 0x1p-53);

// --- Why these constants hold (TI-6) --------------------------------------------------------------

template <class T>
constexpr T at_time(const T& start, const T& end, const T& t, const Magnitude& size) noexcept {
    return sum_within((end - start) * t, start, size);
}
template <class T>
constexpr T on_edge(const T& edge, const T& parameter, const T& origin) noexcept {
    return edge * parameter + origin;
}
template <class T>
constexpr T on_face(const T& edge_u, const T& u, const T& edge_v, const T& v,
                    const T& origin) noexcept {
    return (edge_u * u + edge_v * v) + origin;
}

constexpr ErrorForm kCoordinate = ErrorForm::variable(0);
constexpr ErrorForm kFraction = ErrorForm::number(Dyadic(1));
// A corner at a time lies between its ends, so it is at most gamma.
constexpr ErrorForm kMoving = at_time(kCoordinate, kCoordinate, kFraction, kCoordinate.magnitude());
constexpr ErrorForm kEdge = kMoving - kMoving;

// In units of u gamma, rounded up: the error of either side of F, and of the last difference, whose
// size is at most 2 gamma for edges, and 4 gamma for a face: |f1 + f2 - f0| <= 3 gamma at the
// corner of the box that lies outside the prism. One more unit for the terms in u^2.
constexpr std::uint64_t kOnFaceError =
    error_ceiling(on_face(kEdge, kFraction, kEdge, kFraction, kMoving), Roundoff::Unit);
constexpr std::uint64_t kOnEdgeError =
    error_ceiling(on_edge(kEdge, kFraction, kMoving), Roundoff::Unit);
constexpr std::uint64_t kMovingError = error_ceiling(kMoving, Roundoff::Unit);
static_assert(kMovingError + kOnFaceError + 4 + 1 <= 60);
static_assert(2 * kOnEdgeError + 2 + 1 <= 56);
// gamma^3 >= gamma, whatever the roundings of the cube: the constants have room for those too.
// A separation is added to the filter, rounded up, and not to the corners: no error of its own.

// --- Boxes --------------------------------------------------------------------------------------

#define GRAZE_INLINE [[gnu::always_inline]] inline
// Of a lambda there is no form that other compilers ignore; GRAZE_NO_GNU_ATTRIBUTES does without.
#if defined(__GNUC__) && !defined(GRAZE_NO_GNU_ATTRIBUTES)
#define GRAZE_ALWAYS_INLINE __attribute__((always_inline))
#else
#define GRAZE_ALWAYS_INLINE
#endif

constexpr std::size_t kCorners = 8;
using Corners = std::array<double, kCorners>;

// The eight corners of a box: bit 2 of a corner's number chooses its time, bit 1 its u, bit 0 its
// v.
struct CornerParameters {
    Corners t;
    Corners u;
    Corners v;
};
GRAZE_INLINE CornerParameters corners_of(double t0, double t1, double u, double v, double wu,
                                         double wv) noexcept {
    const double u1 = u + wu;
    const double v1 = v + wv;
    return {{t0, t0, t0, t0, t1, t1, t1, t1},
            {u, u, u1, u1, u, u, u1, u1},
            {v, v1, v, v1, v, v1, v, v1}};
}

// F at one corner, in the order that the constants are derived for.
GRAZE_INLINE double value(const PaperCoefficients::AxisOfF& axis, bool edge_edge, double t,
                          double u, double v) noexcept {
    const double x0 = (axis.end[0] - axis.start[0]) * t + axis.start[0];
    const double x1 = (axis.end[1] - axis.start[1]) * t + axis.start[1];
    const double x2 = (axis.end[2] - axis.start[2]) * t + axis.start[2];
    const double x3 = (axis.end[3] - axis.start[3]) * t + axis.start[3];
    if (edge_edge) return ((x1 - x0) * u + x0) - ((x3 - x2) * v + x2);
    return x0 - (((x2 - x1) * u + (x3 - x1) * v) + x1);
}

// 1 unless the box of the eight corners misses the target. What is not a number does not miss it.
template <bool EdgeEdge>
GRAZE_INLINE std::int64_t reaches(const PaperCoefficients& f, const CornerParameters& at) noexcept {
    for (const PaperCoefficients::AxisOfF& axis : f.axes) {
        Corners values;
        for (std::size_t c = 0; c < kCorners; ++c)
            values[c] = value(axis, EdgeEdge, at.t[c], at.u[c], at.v[c]);
        int above = 0;
        int below = 0;
        for (std::size_t c = 0; c < kCorners; ++c) {
            above += values[c] > axis.reach ? 1 : 0;
            below += values[c] < -axis.reach ? 1 : 0;
        }
        if (above == kCorners || below == kCorners) return 0;
    }
    return 1;
}

template <bool EdgeEdge>
GRAZE_INLINE void check_all(const PaperCoefficients& f, const BoxView& boxes, const Split& split,
                            std::int64_t* first, std::int64_t* second) noexcept {
    const Widths& w = split.halves;
    const double dt = split.axis == Axis::Time ? w.t : 0.0;
    const double du = split.axis == Axis::U ? w.u : 0.0;
    const double dv = split.axis == Axis::V ? w.v : 0.0;
    for (std::size_t i = 0; i < boxes.count; ++i) {
        const auto half = [&](double t, double u, double v) GRAZE_ALWAYS_INLINE {
            if (f.prism && u + v > 1.0) return std::int64_t{0};
            const double end = std::min(t + w.t, split.horizon);
            return reaches<EdgeEdge>(f, corners_of(t, end, u, v, w.u, w.v));
        };
        const double t2 = boxes.t[i] + dt;
        first[i] = half(boxes.t[i], boxes.u[i], boxes.v[i]);
        second[i] = dt > 0.0 && t2 >= split.horizon ? std::int64_t{0}
                                                    : half(t2, boxes.u[i] + du, boxes.v[i] + dv);
    }
}

GRAZE_INLINE void check_inline(const PaperCoefficients& f, const BoxView& boxes, const Split& split,
                               std::int64_t* first, std::int64_t* second) noexcept {
    if (f.edge_edge) return check_all<true>(f, boxes, split, first, second);
    return check_all<false>(f, boxes, split, first, second);
}

void check_portable(const PaperCoefficients& f, const BoxView& boxes, const Split& split,
                    std::int64_t* first, std::int64_t* second) noexcept {
    check_inline(f, boxes, split, first, second);
}
#ifdef GRAZE_X86_DISPATCH
[[gnu::target("avx2")]] void check_avx2(const PaperCoefficients& f, const BoxView& boxes,
                                        const Split& split, std::int64_t* first,
                                        std::int64_t* second) noexcept {
    check_inline(f, boxes, split, first, second);
}
[[gnu::target("avx512f,avx512dq,avx512vl")]] void check_avx512(const PaperCoefficients& f,
                                                               const BoxView& boxes,
                                                               const Split& split,
                                                               std::int64_t* first,
                                                               std::int64_t* second) noexcept {
    check_inline(f, boxes, split, first, second);
}
#endif

using CheckFunction = void (*)(const PaperCoefficients&, const BoxView&, const Split&,
                               std::int64_t*, std::int64_t*) noexcept;

CheckFunction check_for(InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set == InstructionSet::Avx512 && is_available(set)) return check_avx512;
    if (set == InstructionSet::Avx2 && is_available(set)) return check_avx2;
#endif
    static_cast<void>(set);
    return check_portable;
}

// --- Set-up -------------------------------------------------------------------------------------

template <class Motion>
Vec3 largest_coordinates(const Motion& motion) noexcept {
    Vec3 largest;
    for (const MovingPoint& corner : vertices(motion)) {
        for (std::size_t k = 0; k < 3; ++k) {
            largest[k] =
                std::max({largest[k], std::fabs(corner.start[k]), std::fabs(corner.end[k])});
        }
    }
    return largest;
}

template <class Motion>
bool is_within(const Motion& motion, const SceneBounds& scene, std::size_t axis) noexcept {
    bool within = scene.lower[axis] > -kInfinity && scene.upper[axis] < kInfinity;
    for (const MovingPoint& corner : vertices(motion)) {
        for (const double x : {corner.start[axis], corner.end[axis]})
            within &= scene.lower[axis] <= x && x <= scene.upper[axis];
    }
    return within;
}

// The scene's largest |coordinate| on each axis where the motion keeps within it.
template <class Motion>
Vec3 with_scene(Vec3 largest, const Motion& motion,
                const std::optional<SceneBounds>& scene) noexcept {
    if (!scene) return largest;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!is_within(motion, *scene, k)) continue;
        const double of_scene = std::max(std::fabs(scene->lower[k]), std::fabs(scene->upper[k]));
        if (of_scene > largest[k]) largest[k] = of_scene;
    }
    return largest;
}

std::array<MovingPoint, 4> four_corners(const VertexFaceMotion& m) noexcept {
    return vertices(m);
}
std::array<MovingPoint, 4> four_corners(const EdgeEdgeMotion& m) noexcept {
    return vertices(m);
}
std::array<MovingPoint, 4> four_corners(const VertexVertexMotion& m) noexcept {
    return {m.a, m.b, m.b, m.b};
}
std::array<MovingPoint, 4> four_corners(const VertexEdgeMotion& m) noexcept {
    return {m.vertex, m.edge[0], m.edge[1], m.edge[0]};
}

}  // namespace

template <class Motion>
PaperArithmetic PaperArithmetic::of(const Motion& motion,
                                    const TightInclusionOptions& options) noexcept {
    PaperArithmetic arithmetic;
    PaperCoefficients& f = arithmetic.coefficients_;
    f.edge_edge = Motion::kKind == QueryKind::EdgeEdge;
    f.prism = Motion::kKind == QueryKind::VertexFace;
    const std::array<MovingPoint, 4> four = four_corners(motion);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t c = 0; c < 4; ++c) {
            f.axes[axis].start[c] = four[c].start[axis];
            f.axes[axis].end[c] = four[c].end[axis];
        }
    }
    arithmetic.set_filter(with_scene(largest_coordinates(motion), motion, options.scene), options);
    arithmetic.set_rates();
    arithmetic.delta_ = options.query.distance_tolerance;
    arithmetic.check_halves_ = check_for(options.instructions);
    return arithmetic;
}

template PaperArithmetic PaperArithmetic::of(const VertexFaceMotion&,
                                             const TightInclusionOptions&) noexcept;
template PaperArithmetic PaperArithmetic::of(const EdgeEdgeMotion&,
                                             const TightInclusionOptions&) noexcept;
template PaperArithmetic PaperArithmetic::of(const VertexVertexMotion&,
                                             const TightInclusionOptions&) noexcept;
template PaperArithmetic PaperArithmetic::of(const VertexEdgeMotion&,
                                             const TightInclusionOptions&) noexcept;

void PaperArithmetic::set_filter(const Vec3& largest,
                                 const TightInclusionOptions& options) noexcept {
    const double d = options.query.min_separation;
    min_separation_ = d;
    const double constant =
        d > 0.0 ? (coefficients_.edge_edge ? kEdgeEdgeSeparated : kVertexFaceSeparated)
                : (coefficients_.edge_edge ? kEdgeEdge : kVertexFace);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double gamma = std::max(1.0, largest[axis]);
        // Infinite where gamma^3 overflows: then this axis excludes nothing.
        filter_[axis] = constant * (gamma * gamma * gamma);
        coefficients_.axes[axis].reach = add_up(filter_[axis], d);
    }
}

// Differences of F over the edges of the whole domain, Eq. 7 without its factor 3.
void PaperArithmetic::set_rates() noexcept {
    const CornerParameters whole = corners_of(0.0, 1.0, 0.0, 0.0, 1.0, 1.0);
    for (const PaperCoefficients::AxisOfF& axis : coefficients_.axes) {
        const auto at = [&](std::size_t c) {
            return value(axis, coefficients_.edge_edge, whole.t[c], whole.u[c], whole.v[c]);
        };
        for (std::size_t c = 0; c < kCorners; ++c) {
            rates_.t = std::max(rates_.t, std::fabs(at(c) - at(c ^ 4U)));
            rates_.u = std::max(rates_.u, std::fabs(at(c) - at(c ^ 2U)));
            rates_.v = std::max(rates_.v, std::fabs(at(c) - at(c ^ 1U)));
        }
    }
}

Range PaperArithmetic::range(std::size_t axis, const BoxOfDomain& box) const noexcept {
    const CornerParameters at =
        corners_of(box.t0, box.t1, box.u, box.v, box.widths.u, box.widths.v);
    const PaperCoefficients::AxisOfF& f = coefficients_.axes[axis];
    Range range;
    for (std::size_t c = 0; c < kCorners; ++c) {
        const double x = value(f, coefficients_.edge_edge, at.t[c], at.u[c], at.v[c]);
        range = {std::min(range.lower, x), std::max(range.upper, x)};
    }
    return range;
}

Extent PaperArithmetic::extent(const BoxOfDomain& box) const noexcept {
    Extent extent{0.0, true};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Range f = range(axis, box);
        const double reach = coefficients_.axes[axis].reach;
        extent.width = std::max(extent.width, sub_up(f.upper, f.lower));
        extent.contained &= f.lower >= -reach && f.upper <= reach;
    }
    return extent;
}

bool PaperArithmetic::is_small(const BoxOfDomain& box) const noexcept {
    const Extent b = extent(box);
    return b.contained || b.width < delta_;
}

double PaperArithmetic::tolerance(const Extent& extent) const noexcept {
    // TI-5: w(B) + 2 epsilon, the rounding of epsilon + d included.
    double filter = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        filter = std::max(
            filter, add_up(filter_[axis], sub_up(coefficients_.axes[axis].reach, min_separation_)));
    return add_up(extent.contained ? 0.0 : extent.width, filter);
}

}  // namespace graze::inclusion
