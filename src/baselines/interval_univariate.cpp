#include "graze/baselines/interval_univariate.hpp"

#include "baselines/interval/bisection.hpp"
#include "baselines/interval/inclusion.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

using interval::BoxStack;
using interval::Enclosure;
using interval::FourCorners;
using interval::MovingCorners;

template <class Motion>
bool may_be_inside(const FourCorners<Motion>& corners) noexcept {
    for (const Enclosure& weight : corners.inside()) {
        if (weight.upper() < 0.0) return false;
    }
    return true;
}

CcdResult not_excluded(const Enclosure& time, std::uint64_t checks) noexcept {
    return {.verdict = Verdict::Contact, .toi_lower = time.lower(), .checks = checks};
}

// Requires: a RoundingUp is alive.
template <class Motion>
CcdResult search(const Motion& motion, const CcdOptions& options) noexcept {
    const MovingCorners<Motion> moving = interval::moving_corners(motion);
    const double finest = interval::finest_width(
        options.distance_tolerance, interval::largest_displacement_est(motion), options.t_max);
    BoxStack<Enclosure, 1> times;
    times.push(Enclosure(0.0, options.t_max));
    std::uint64_t checks = 0;
    while (!times.empty()) {
        // The next interval is the earliest that is left.
        const Enclosure time = times.pop();
        if (checks == options.max_checks) return not_excluded(time, checks);
        ++checks;
        const FourCorners<Motion> corners(moving, time);
        if (interval::excludes_zero(corners.coplanarity())) continue;
        if (const auto halves = interval::halves(time, finest)) {
            times.push((*halves)[1]);
            times.push((*halves)[0]);
        } else if (may_be_inside(corners)) {
            return not_excluded(time, checks);
        }
    }
    return separated(checks);
}

template <class Motion>
CcdResult result_of(const Motion& motion, const CcdOptions& options) noexcept {
    if (!is_valid(options) || options.min_separation > 0.0 || !is_finite_motion(motion)) return {};
    const interval::RoundingUp rounding;
    return search(motion, options);
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return result_of(motion, options);
}

}  // namespace

template <CoplanarityMotion Motion>
CcdResult interval_univariate(const Motion& motion, const CcdOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return result_of(motion, options); },
                                 []() noexcept { return CcdResult{}; });
}
template CcdResult interval_univariate(const VertexFaceMotion&, const CcdOptions&) noexcept;
template CcdResult interval_univariate(const EdgeEdgeMotion&, const CcdOptions&) noexcept;

Method make_interval_univariate() noexcept {
    return {.name = "interval-univariate",
            .summary = "bisection of time on the coplanarity cubic with interval arithmetic (UIRF)",
            .guarantee = {.no_false_negatives = true,
                          .proved_toi_lower = true,
                          .always_resolves = true},
            .bisects = true,
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>}};
}

}  // namespace graze
