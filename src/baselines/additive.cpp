#include "graze/baselines/additive.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "baselines/additive/distance.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

template <class Motion>
using Points = std::array<Vec3, Motion::kVertices>;

template <class Motion>
double distance_sq(const Points<Motion>& x) noexcept {
    if constexpr (Motion::kKind == QueryKind::VertexFace) {
        return additive::point_triangle_sq(x[0], x[1], x[2], x[3]);
    } else if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
        return additive::segment_segment_sq(x[0], x[1], x[2], x[3]);
    } else if constexpr (Motion::kKind == QueryKind::VertexEdge) {
        return additive::point_segment_sq(x[0], x[1], x[2]);
    } else {
        return additive::point_point_sq(x[0], x[1]);
    }
}

double smallest_of_ends_sq(const Points<EdgeEdgeMotion>& x) noexcept {
    return std::min({additive::point_point_sq(x[0], x[2]), additive::point_point_sq(x[0], x[3]),
                     additive::point_point_sq(x[1], x[2]), additive::point_point_sq(x[1], x[3])});
}

// Less their mean, which moves both primitives alike.
template <class Motion>
Points<Motion> displacements(const Motion& motion) noexcept {
    Points<Motion> displacement;
    Vec3 mean;
    const auto points = vertices(motion);
    constexpr double kFraction = 1.0 / static_cast<double>(Motion::kVertices);
    for (std::size_t i = 0; i < points.size(); ++i) {
        displacement[i] = points[i].end - points[i].start;
        mean = mean + kFraction * displacement[i];
    }
    for (Vec3& d : displacement)
        d = d - mean;
    return displacement;
}

// l: how fast the primitives approach each other at most.
template <class Motion>
double approach_est(const Points<Motion>& displacement) noexcept {
    constexpr std::size_t kFirstPrimitive = Motion::kKind == QueryKind::EdgeEdge ? 2 : 1;
    std::array<double, 2> largest_sq{};
    for (std::size_t i = 0; i < displacement.size(); ++i) {
        double& largest = largest_sq[i < kFirstPrimitive ? 0 : 1];
        largest = std::max(largest, norm_sq(displacement[i]));
    }
    return std::sqrt(largest_sq[0]) + std::sqrt(largest_sq[1]);
}

template <class Motion>
class Advancement {
public:
    Advancement(const Motion& motion, const AdditiveOptions& options) noexcept
        : options_(options), displacement_(displacements(motion)) {
        const auto points = vertices(motion);
        for (std::size_t i = 0; i < points.size(); ++i)
            at_[i] = points[i].start;
    }

    AdditiveAnswer answer() noexcept {
        const double speed = approach_est<Motion>(displacement_);
        const double xi = options_.query.min_separation;
        const double d = std::sqrt(distance_sq<Motion>(at_));
        // Beyond 2^511 squares overflow, and every comparison below may be wrong.
        if (!(is_finite(d) && is_finite(speed) && is_finite(xi * xi))) return {};
        if (d <= xi) return contact(0.0);
        if (speed == 0.0) return {separated(1)};
        return advanced(speed, gap_of(d * d));
    }

private:
    // d - xi, as it is published.
    [[nodiscard]] double gap_of(double d_sq) const noexcept {
        const double xi = options_.query.min_separation;
        return (d_sq - xi * xi) / (std::sqrt(d_sq) + xi);
    }

    // Invariant, in exact arithmetic: [0, t] is free, the corners are where they are at t, and
    // `gap` is the distance there less xi.
    AdditiveAnswer advanced(double speed, double gap) noexcept {
        const double s = options_.rescaling;
        const double smallest = (1.0 - s) * gap;
        double t = 0.0;
        for (checks_ = 1; checks_ < options_.query.max_checks; ++checks_) {
            const double step = s * gap / speed;
            gap = gap_after(step);
            // Written so that NaN is contact.
            if (t > 0.0 && !(gap >= smallest)) return contact(t);
            const double next = t + step;
            if (next > options_.query.t_max) return {separated(checks_ + 1)};
            if (!(next > t)) return contact(t);
            t = next;
        }
        return contact(t);
    }

    double gap_after(double step) noexcept {
        for (std::size_t i = 0; i < at_.size(); ++i)
            at_[i] = at_[i] + step * displacement_[i];
        const double gap = gap_of(distance_sq<Motion>(at_));
        if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
            if (options_.ends_instead_of_no_distance && gap <= 0.0) {
                return gap_of(smallest_of_ends_sq(at_));
            }
        }
        return gap;
    }

    [[nodiscard]] AdditiveAnswer contact(double time) const noexcept {
        return {{.verdict = Verdict::Contact, .checks = checks_}, time};
    }

    const AdditiveOptions& options_;
    Points<Motion> displacement_;
    Points<Motion> at_;
    std::uint64_t checks_ = 1;
};

bool is_honoured(const AdditiveOptions& options) noexcept {
    return is_valid(options.query) && options.rescaling > 0.0 && options.rescaling < 1.0 &&
           (options.query.min_separation == 0.0 || options.query.norm == Norm::Euclidean);
}

template <class Motion>
AdditiveAnswer answer_of(const Motion& motion, const AdditiveOptions& options) noexcept {
    if (!is_honoured(options) || !is_finite_motion(motion)) return {};
    return Advancement<Motion>(motion, options).answer();
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return answer_of(motion, {.query = options}).result;
}

}  // namespace

template <QueryMotion Motion>
AdditiveAnswer additive_ccd(const Motion& motion, const AdditiveOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return answer_of(motion, options); },
                                 []() noexcept { return AdditiveAnswer{}; });
}
template AdditiveAnswer additive_ccd(const VertexFaceMotion&, const AdditiveOptions&) noexcept;
template AdditiveAnswer additive_ccd(const EdgeEdgeMotion&, const AdditiveOptions&) noexcept;
template AdditiveAnswer additive_ccd(const VertexVertexMotion&, const AdditiveOptions&) noexcept;
template AdditiveAnswer additive_ccd(const VertexEdgeMotion&, const AdditiveOptions&) noexcept;

Method make_additive() noexcept {
    return {.name = "additive",
            .summary = "conservative advancement by the distance (ACCD); not proved",
            .guarantee = {.min_separation_euclidean = true},
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>},
            .vertex_vertex = {&as_method<VertexVertexMotion>},
            .vertex_edge = {&as_method<VertexEdgeMotion>}};
}

}  // namespace graze
