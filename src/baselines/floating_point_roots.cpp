#include "graze/baselines/floating_point_roots.hpp"

#include <algorithm>

#include "baselines/floating_point_roots/sign_intervals.hpp"
#include "baselines/time_polynomials.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

using baselines::between;
using baselines::Line;
using baselines::Parabola;
using baselines::TimeInterval;
using baselines::TimeIntervals;
using baselines::TimePolynomial;
using baselines::WantedSign;

TimePolynomial<2> dot_of(const Line& a, const Line& b) noexcept {
    return {dot(a.x, b.x), dot(a.x, b.v) + dot(a.v, b.x), dot(a.v, b.v)};
}

TimePolynomial<4> difference_of_products(const TimePolynomial<2>& a, const TimePolynomial<2>& b,
                                         const TimePolynomial<2>& c,
                                         const TimePolynomial<2>& d) noexcept {
    TimePolynomial<4> result{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            result[i + j] += a[i] * b[j] - c[i] * d[j];
    }
    return result;
}

// Is the foot of a point on the inner side of an edge? (p - x) . (n x w) >= 0, with x a corner of
// the edge, w along it and n the normal around which the triangle's corners turn to the left.
TimePolynomial<4> inner_side(const Line& to_point, const Line& edge, const Parabola& n) noexcept {
    // (p - x) . (n x w) = n . (w x (p - x))
    const Parabola m = cross(edge, to_point);
    return {dot(n.p, m.p), dot(n.p, m.q) + dot(n.q, m.p),
            dot(n.p, m.r) + dot(n.q, m.q) + dot(n.r, m.p), dot(n.q, m.r) + dot(n.r, m.q),
            dot(n.r, m.r)};
}

// Where the lines are nearest, is the parameter along the first edge e, from its beginning, >= 0?
// (e.g)(r.g) - (g.g)(r.e) with g along the second and r from the second's beginning to the first's.
TimePolynomial<4> after_begin(const Line& e, const Line& g, const Line& r) noexcept {
    return difference_of_products(dot_of(e, g), dot_of(r, g), dot_of(g, g), dot_of(r, e));
}

// The first time that is in an interval of every condition.
class CommonTimes {
public:
    template <std::size_t n>
    void add(const std::array<double, n>& polynomial, WantedSign sign) noexcept {
        if (!is_possible()) return;
        for (const double c : polynomial)
            finite_ = finite_ && is_finite(c);
        if (finite_) sets_[count_++] = intervals_of_sign(polynomial, sign);
    }
    // Intervals that are left out, and so is whatever overlaps one of them.
    template <class IsExcluded>
    void exclude(const IsExcluded& is_excluded) noexcept {
        if (!is_possible()) return;
        TimeIntervals kept;
        for (const TimeInterval& interval : sets_[count_ - 1])
            (is_excluded(interval) ? excluded_ : kept).add(interval);
        sets_[count_ - 1] = kept;
    }
    [[nodiscard]] bool is_possible() const noexcept {
        return finite_ && (count_ == 0 || !sets_[count_ - 1].empty());
    }
    [[nodiscard]] FloatingPointRootsAnswer answer(double t_max) const noexcept {
        if (!finite_) return {};
        const double first = is_possible() ? first_common(0, {0.0, 1.0}) : kInfinity;
        if (first <= t_max) return {Verdict::Contact, first};
        return {Verdict::Separated, kInfinity};
    }

private:
    static constexpr std::size_t kMost = 5;
    std::array<TimeIntervals, kMost> sets_;
    std::size_t count_ = 0;
    TimeIntervals excluded_;
    bool finite_ = true;

    // At most 7 intervals a set, 5 sets.
    [[nodiscard]] double first_common(std::size_t set, const TimeInterval& so_far) const noexcept {
        if (set == count_) return is_excluded(so_far) ? kInfinity : so_far.lower;
        double first = kInfinity;
        for (const TimeInterval& interval : sets_[set]) {
            if (!overlaps(interval, so_far)) continue;
            first =
                std::min(first, first_common(set + 1, {std::max(interval.lower, so_far.lower),
                                                       std::min(interval.upper, so_far.upper)}));
        }
        return first;
    }
    [[nodiscard]] bool is_excluded(const TimeInterval& common) const noexcept {
        return std::any_of(excluded_.begin(), excluded_.end(), [&](const TimeInterval& interval) {
            return overlaps(interval, common);
        });
    }
};

void collect(CommonTimes& conditions, const VertexFaceMotion& m,
             const FloatingPointRootsOptions& options) noexcept {
    const auto& [a, b, c] = m.face;
    const Line ab = between(a, b);
    const Line ac = between(a, c);
    const Parabola n = cross(ab, ac);
    const double thickness_sq = options.thickness * options.thickness;
    conditions.add(along_normal(between(a, m.vertex), n, thickness_sq), WantedSign::NotPositive);
    const Parabola of_feet =
        options.normal == FootNormal::Exact ? n : Parabola{n.p, n.r, {0.0, 0.0, 0.0}};
    const auto side_of = [&](const MovingPoint& from, const MovingPoint& to) {
        if (!conditions.is_possible()) return;
        conditions.add(inner_side(between(from, m.vertex), between(from, to), of_feet),
                       WantedSign::NotNegative);
    };
    side_of(a, b);
    side_of(b, c);
    side_of(c, a);
}

void collect(CommonTimes& conditions, const EdgeEdgeMotion& m,
             const FloatingPointRootsOptions& options) noexcept {
    const auto& [a, b] = m.edge_a;
    const auto& [c, d] = m.edge_b;
    const Line ab = between(a, b);
    const Line cd = between(c, d);
    const double thickness_sq = options.thickness * options.thickness;
    conditions.add(along_normal(between(c, a), cross(ab, cd), thickness_sq),
                   WantedSign::NotPositive);
    conditions.exclude([&](const TimeInterval& interval) {
        const double t = 0.5 * (interval.lower + interval.upper);
        return norm(cross(ab.x + t * ab.v, cd.x + t * cd.v)) < options.parallel_below;
    });
    const auto begin_of = [&](const Line& e, const Line& g, const Line& r) {
        if (conditions.is_possible()) conditions.add(after_begin(e, g, r), WantedSign::NotNegative);
    };
    begin_of(ab, cd, between(c, a));
    begin_of(between(b, a), cd, between(c, b));
    begin_of(cd, ab, between(a, c));
    begin_of(between(d, c), ab, between(a, d));
}

void collect(CommonTimes& conditions, const VertexEdgeMotion& m,
             const FloatingPointRootsOptions& options) noexcept {
    const auto& [a, b] = m.edge;
    const Line ab = between(a, b);
    const Line to_vertex = between(a, m.vertex);
    const double thickness_sq = options.thickness * options.thickness;
    conditions.add(point_line(to_vertex, ab, thickness_sq), WantedSign::NotPositive);
    conditions.add(dot_of(to_vertex, ab), WantedSign::NotNegative);
    conditions.add(dot_of(between(b, m.vertex), between(b, a)), WantedSign::NotNegative);
}

void collect(CommonTimes& conditions, const VertexVertexMotion& m,
             const FloatingPointRootsOptions& options) noexcept {
    conditions.add(point_point(between(m.a, m.b), options.thickness * options.thickness),
                   WantedSign::NotPositive);
}

template <class Motion>
FloatingPointRootsAnswer answer_of(const Motion& motion,
                                   const FloatingPointRootsOptions& options) noexcept {
    const bool valid = options.thickness >= 0.0 && is_finite(options.thickness) &&
                       options.t_max >= 0.0 && options.t_max <= 1.0;
    if (!valid || !is_finite_motion(motion)) return {};
    CommonTimes conditions;
    collect(conditions, motion, options);
    return conditions.answer(options.t_max);
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    const Verdict verdict =
        answer_of(motion, {.thickness = options.min_separation, .t_max = options.t_max}).verdict;
    if (verdict == Verdict::Separated) return separated(1);
    return {.verdict = verdict, .checks = 1};
}

}  // namespace

template <QueryMotion Motion>
FloatingPointRootsAnswer floating_point_roots(const Motion& motion,
                                              const FloatingPointRootsOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return answer_of(motion, options); },
                                 []() noexcept { return FloatingPointRootsAnswer{}; });
}
template FloatingPointRootsAnswer floating_point_roots(const VertexFaceMotion&,
                                                       const FloatingPointRootsOptions&) noexcept;
template FloatingPointRootsAnswer floating_point_roots(const EdgeEdgeMotion&,
                                                       const FloatingPointRootsOptions&) noexcept;
template FloatingPointRootsAnswer floating_point_roots(const VertexVertexMotion&,
                                                       const FloatingPointRootsOptions&) noexcept;
template FloatingPointRootsAnswer floating_point_roots(const VertexEdgeMotion&,
                                                       const FloatingPointRootsOptions&) noexcept;

Method make_floating_point_roots() noexcept {
    return {.name = "floating-point-roots",
            .summary = "roots in floating point, the separation as thickness (FPRF); not safe",
            .guarantee = {.min_separation_euclidean = true},
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>},
            .vertex_vertex = {&as_method<VertexVertexMotion>},
            .vertex_edge = {&as_method<VertexEdgeMotion>}};
}

}  // namespace graze
