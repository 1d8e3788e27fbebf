#include "graze/narrow/box_separation.hpp"

#include <algorithm>
#include <span>

#include "graze/core/rounding.hpp"

namespace graze {
namespace {

struct Range {
    double lower;
    double upper;
};

// Range of one coordinate over all corners and the whole step. Exact: it only selects.
Range swept_range(std::span<const MovingPoint> corners, std::size_t axis) noexcept {
    Range range{corners[0].start[axis], corners[0].start[axis]};
    for (const MovingPoint& corner : corners) {
        range.lower = std::min({range.lower, corner.start[axis], corner.end[axis]});
        range.upper = std::max({range.upper, corner.start[axis], corner.end[axis]});
    }
    return range;
}

// Is the gap from `below` up to `above` certainly > d?
// For d = 0 the comparison is exact. For d > 0, sub_down is a lower bound of the exact gap.
bool certainly_apart(const Range& below, const Range& above, double d) noexcept {
    if (!(below.upper < above.lower)) return false;
    return d == 0.0 || sub_down(above.lower, below.upper) > d;
}

// A gap > d along one axis is a gap > d in the max-norm and in the Euclidean norm.
CcdResult box_separation_of(std::span<const MovingPoint> a, std::span<const MovingPoint> b,
                            const CcdOptions& options) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Range range_a = swept_range(a, axis);
        const Range range_b = swept_range(b, axis);
        if (certainly_apart(range_a, range_b, options.min_separation) ||
            certainly_apart(range_b, range_a, options.min_separation)) {
            return separated(1);
        }
    }
    return {.checks = 1};
}

// The first `split` corners are primitive a, the others primitive b.
template <class Motion>
CcdResult box_separation_split(const Motion& motion, std::size_t split,
                               const CcdOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept -> CcdResult {
            if (!is_valid(options) || !is_finite_motion(motion)) return {};
            const auto all = corners(motion);
            const std::span<const MovingPoint> view(all);
            return box_separation_of(view.first(split), view.subspan(split), options);
        },
        []() noexcept { return CcdResult{}; });
}

}  // namespace

CcdResult box_separation(const VertexFaceMotion& motion, const CcdOptions& options) noexcept {
    return box_separation_split(motion, 1, options);
}
CcdResult box_separation(const EdgeEdgeMotion& motion, const CcdOptions& options) noexcept {
    return box_separation_split(motion, 2, options);
}
CcdResult box_separation(const VertexVertexMotion& motion, const CcdOptions& options) noexcept {
    return box_separation_split(motion, 1, options);
}
CcdResult box_separation(const VertexEdgeMotion& motion, const CcdOptions& options) noexcept {
    return box_separation_split(motion, 1, options);
}

Method make_box_separation() noexcept {
    return {.name = "box-separation",
            .summary = "boxes over the whole step; separated or unresolved",
            .guarantee = {.no_false_negatives = true,
                          .no_false_positives = true,
                          .proved_toi_lower = true,
                          .proved_toi_upper = true,
                          .proved_tolerance = true,
                          .scale_free = true,
                          .exact_separations = true,
                          .min_separation_euclidean = true,
                          .min_separation_max_norm = true},
            .vertex_face = box_separation,
            .edge_edge = box_separation,
            .vertex_vertex = box_separation,
            .vertex_edge = box_separation};
}

}  // namespace graze
