#include "graze/narrow/box_separation.hpp"

#include <algorithm>
#include <span>

#include "graze/core/fp_environment.hpp"
#include "graze/core/rounding.hpp"

namespace graze {
namespace {

struct Range {
    double lower;
    double upper;
};

// Range of one coordinate over all vertices and the whole step. Exact: it only selects.
Range swept_range(std::span<const MovingPoint> vertices, std::size_t axis) noexcept {
    Range range{vertices[0].start[axis], vertices[0].start[axis]};
    for (const MovingPoint& vertex : vertices) {
        range.lower = std::min({range.lower, vertex.start[axis], vertex.end[axis]});
        range.upper = std::max({range.upper, vertex.start[axis], vertex.end[axis]});
    }
    return range;
}

// Is the gap from `below` up to `above` certainly > d?
// For d = 0 the comparison is exact. For d > 0, sub_down is a lower bound of the exact gap.
bool certainly_disjoint(const Range& below, const Range& above, double d) noexcept {
    if (!(below.upper < above.lower)) return false;
    return d == 0.0 || sub_down(above.lower, below.upper) > d;
}

// A gap > d along one axis is a gap > d in the max-norm and in the Euclidean norm.
CcdResult box_separation_of(std::span<const MovingPoint> a, std::span<const MovingPoint> b,
                            const CcdOptions& options) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Range range_a = swept_range(a, axis);
        const Range range_b = swept_range(b, axis);
        if (certainly_disjoint(range_a, range_b, options.min_separation) ||
            certainly_disjoint(range_b, range_a, options.min_separation)) {
            return separated(1);
        }
    }
    return {.checks = 1};
}

// Requires: a finite motion and valid options.
template <class Motion>
CcdResult separation_of(const Motion& motion, const CcdOptions& options) noexcept {
    constexpr std::size_t kFirstPrimitive = Motion::kKind == QueryKind::EdgeEdge ? 2 : 1;
    const auto all = vertices(motion);
    const std::span<const MovingPoint> view(all);
    return box_separation_of(view.first(kFirstPrimitive), view.subspan(kFirstPrimitive), options);
}

template <class Motion>
CcdResult checked_separation(const Motion& motion, const CcdOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept -> CcdResult {
            if (!is_valid(options) || !is_finite_motion(motion)) return {};
            return separation_of(motion, options);
        },
        []() noexcept { return CcdResult{}; });
}

// As function of a Method, which needs no context; run() has checked the input.
template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return separation_of(motion, options);
}

}  // namespace

template <QueryMotion Motion>
CcdResult box_separation(const Motion& motion, const CcdOptions& options) noexcept {
    return checked_separation(motion, options);
}
template CcdResult box_separation(const VertexFaceMotion&, const CcdOptions&) noexcept;
template CcdResult box_separation(const EdgeEdgeMotion&, const CcdOptions&) noexcept;
template CcdResult box_separation(const VertexVertexMotion&, const CcdOptions&) noexcept;
template CcdResult box_separation(const VertexEdgeMotion&, const CcdOptions&) noexcept;

Method make_box_separation() noexcept {
    return {.name = "box-separation",
            .summary = "boxes over the whole step; separated or unresolved",
            .guarantee = {.no_false_negatives = true,
                          .no_false_positives = true,
                          .proved_toi_lower = true,
                          .proved_toi_upper = true,
                          .proved_tolerance = true,
                          .scale_invariant = true,
                          .exact_separations = true,
                          .min_separation_euclidean = true,
                          .min_separation_max_norm = true},
            .role = MethodRole::Filter,
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>},
            .vertex_vertex = {&as_method<VertexVertexMotion>},
            .vertex_edge = {&as_method<VertexEdgeMotion>}};
}

}  // namespace graze
