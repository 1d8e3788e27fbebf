#include "graze/baselines/bernstein_sign.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "baselines/bernstein_sign/classification.hpp"
#include "baselines/tight_bernstein/scaling.hpp"
#include "graze/core/big_integer.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

using bernstein::Classification;
using bernstein::Conditions;
using bernstein::Exact;
using bernstein::FourCorners;
using bernstein::Guarded;
using bernstein::Moving;
using bernstein::Sweep;

// a, b, c, d: triangle and vertex, or the two edges.
std::array<MovingPoint, 4> four_points(const VertexFaceMotion& m) noexcept {
    return {m.face[0], m.face[1], m.face[2], m.vertex};
}
std::array<MovingPoint, 4> four_points(const EdgeEdgeMotion& m) noexcept {
    return {m.edge_a[0], m.edge_a[1], m.edge_b[0], m.edge_b[1]};
}

// Corners as integers at t = 0 and at t_max: every coordinate times a power of two of its axis,
// which changes no sign that matters (f is a det; at its roots m_i is a multiple of n, whatever the
// units of the axes), and times the denominator of t_max.
class ExactCorners {
public:
    ExactCorners(const std::array<MovingPoint, 4>& corners, double t_max) noexcept {
        const DyadicParts time = dyadic_parts(t_max);
        const unsigned bits = time.significand == 0 ? 0U : static_cast<unsigned>(-time.exponent);
        const Exact part(time.significand, false, 0);
        const Exact rest = Exact(1, false, bits) - part;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int lowest = lowest_exponent(corners, axis);
            for (std::size_t c = 0; c < 4; ++c) {
                const Exact start = number(corners[c].start[axis], lowest);
                const Exact end = number(corners[c].end[axis], lowest);
                points_[c].start[axis] = start.shifted(bits);
                points_[c].end[axis] = start * rest + end * part;
            }
        }
    }
    [[nodiscard]] Moving<Exact> difference(std::size_t to, std::size_t from) const noexcept {
        Moving<Exact> result;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            result.start[axis] = points_[to].start[axis] - points_[from].start[axis];
            result.end[axis] = points_[to].end[axis] - points_[from].end[axis];
        }
        return result;
    }

private:
    std::array<Moving<Exact>, 4> points_;

    [[nodiscard]] static int lowest_exponent(const std::array<MovingPoint, 4>& corners,
                                             std::size_t axis) noexcept {
        int lowest = std::numeric_limits<int>::max();
        for (const MovingPoint& corner : corners) {
            for (const double x : {corner.start[axis], corner.end[axis]}) {
                const DyadicParts parts = dyadic_parts(x);
                if (parts.significand != 0) lowest = std::min(lowest, parts.exponent);
            }
        }
        return lowest;
    }
    [[nodiscard]] static Exact number(double x, int lowest) noexcept {
        const DyadicParts parts = dyadic_parts(x);
        if (parts.significand == 0) return {};
        return {parts.significand, parts.negative, static_cast<unsigned>(parts.exponent - lowest)};
    }
};

// The same for pairs with a bound of their error, at t = 0 and t = 1.
struct RoundedCorners {
    FourCorners corners;
    [[nodiscard]] Moving<Guarded> difference(int to, int from) const noexcept {
        return bernstein::difference<Guarded>(corners, to, from);
    }
};

// Nothing if a sign was not certain.
template <class N, class Motion, class Corners>
std::optional<bool> classify(const Corners& corners, const BernsteinSignOptions& own) noexcept {
    const Sweep<N> n = cross(corners.difference(1, 0), corners.difference(2, 0));
    const auto k = bernstein::of_size_one(coplanarity(n, corners.difference(3, 0)));
    const auto conditions = [&] {
        const Moving<N> ad = corners.difference(0, 3);
        const Moving<N> bd = corners.difference(1, 3);
        const Moving<N> cd = corners.difference(2, 3);
        Conditions<N> inside = {bernstein::of_size_one(twice_inside(cross(bd, cd), n)),
                                bernstein::of_size_one(twice_inside(cross(cd, ad), n)),
                                bernstein::of_size_one(twice_inside(cross(ad, bd), n))};
        // Segments meet where d = alpha a + beta b + gamma c with gamma <= 0.
        if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
            for (N& coefficient : inside[2])
                coefficient = -coefficient;
        }
        return inside;
    };
    Classification<N> classification(own.at_inflection == AtInflection::Cut);
    const bool met = classification.is_met(k, conditions);
    return classification.is_open() ? std::nullopt : std::optional(met);
}

template <class Motion>
CcdResult classified(const Motion& motion, const CcdOptions& options,
                     const BernsteinSignOptions& own) noexcept {
    if (!is_valid(options) || options.min_separation != 0.0 || !is_finite_motion(motion)) return {};
    const auto corners = four_points(motion);
    std::optional<bool> met;
    if (options.t_max == 1.0) {
        met =
            classify<Guarded, Motion>(RoundedCorners{bernstein::brought_to_size_one(corners)}, own);
    }
    if (!met) met = classify<Exact, Motion>(ExactCorners(corners, options.t_max), own);
    if (!met) return {};
    return *met ? CcdResult{.verdict = Verdict::Contact, .checks = 1} : separated(1);
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return classified(motion, options, {});
}

}  // namespace

template <CoplanarityMotion Motion>
CcdResult bernstein_sign(const Motion& motion, const CcdOptions& options,
                         const BernsteinSignOptions& own) noexcept {
    return with_sound_arithmetic([&]() noexcept { return classified(motion, options, own); },
                                 []() noexcept { return CcdResult{}; });
}
template CcdResult bernstein_sign(const VertexFaceMotion&, const CcdOptions&,
                                  const BernsteinSignOptions&) noexcept;
template CcdResult bernstein_sign(const EdgeEdgeMotion&, const CcdOptions&,
                                  const BernsteinSignOptions&) noexcept;

Method make_bernstein_sign() noexcept {
    return {.name = "bernstein-sign",
            .summary = "exact signs of Bernstein coefficients; misses motion within a plane",
            .guarantee = {.always_resolves = true, .scale_invariant = true},
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>}};
}

}  // namespace graze
