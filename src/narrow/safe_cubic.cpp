#include "graze/narrow/safe_cubic.hpp"

#include "graze/core/fp_environment.hpp"
#include "graze/core/rounding.hpp"
#include "graze/narrow/start_separation.hpp"
#include "narrow/safe_cubic/coplanar_test.hpp"
#include "narrow/safe_cubic/free_time.hpp"

namespace graze {
namespace {

using namespace safe_cubic;

// The first corners are primitive a.
template <class Motion>
constexpr std::size_t split_of() noexcept {
    return Motion::kKind == QueryKind::EdgeEdge ? 2 : 1;
}

template <class Motion>
using Corners = std::array<MovingPoint, Motion::kVertices>;

template <class Motion>
[[gnu::always_inline]] inline Extent first_extent(const Corners<Motion>& c) noexcept {
    Extent extent = extent_of(c[0]);
    for (std::size_t k = 1; k < split_of<Motion>(); ++k)
        extent = hull(extent, extent_of(c[k]));
    return extent;
}
template <class Motion>
[[gnu::always_inline]] inline Extent second_extent(const Corners<Motion>& c) noexcept {
    Extent extent = extent_of(c[split_of<Motion>()]);
    for (std::size_t k = split_of<Motion>() + 1; k < c.size(); ++k)
        extent = hull(extent, extent_of(c[k]));
    return extent;
}

CcdResult could_not_be_excluded(double tolerance) noexcept {
    return {.verdict = Verdict::Contact, .checks = 1, .tolerance = tolerance};
}

// [0, time) is free for a contact in [0, t_max] that could not be excluded (SC-10): what the
// tests' own arithmetic proves, in parts of t_max; where that is nothing, what the exact
// directions at the start do. (Where t_max = 0 there is no time in it to state, and any will do.)
template <class Motion>
double free_time_in_step(const Motion& motion, double t_max, double part) noexcept {
    const double proved = mul_down(part, t_max);
    if (proved > 0.0) return proved;
    return smaller(free_time_from_start(motion, 0.0), t_max > 0.0 ? t_max : 1.0);
}

bool is_supported(const CcdOptions& options) noexcept {
    return is_valid(options) && options.min_separation == 0.0;
}

// A motion and what it is looked at with: lengths times frame.scale.
struct Setting {
    Frame frame;
    double positions = 0.0;  // no difference of corners is larger, in units of the frame
};

// The largest relative velocity, in units of the frame.
template <class Motion>
double velocity_range(const Motion& motion, const Frame& frame) noexcept {
    const auto c = vertices(motion);
    std::array<Vector, 4> from_first{};  // unused ones stay zero, as the first one is
    for (std::size_t k = 1; k < c.size(); ++k)
        from_first[k] = seen_from(c[0], c[k], frame).path.v;
    return largest_range(from_first[0], from_first[1], from_first[2], from_first[3]);
}

// [length] Of a contact by the test for this kind (SC-8).
template <class Motion>
double distance_upper(double bound) noexcept {
    if (Motion::kKind == QueryKind::VertexVertex)
        return mul_up(kVertexVertexDistance12 * kEps12, bound);
    if (Motion::kKind == QueryKind::VertexEdge)
        return mul_up(kVertexEdgeDistance14 * kEps14, bound);
    return mul_up(kCoplanarDistance14 * kEps14, bound);
}

template <class Trace>
Answer scaled_answer(const VertexVertexMotion& motion, const Setting& s, const SafeCubicOptions&,
                     Trace) noexcept {
    const Tolerances tol{.b = bound_from(s.positions, velocity_range(motion, s.frame))};
    return {vertices_meet(seen_from(motion.a, motion.b, s.frame).path, 0.0, tol), tol.b};
}
template <class Trace>
Answer scaled_answer(const VertexEdgeMotion& motion, const Setting& s, const SafeCubicOptions&,
                     Trace) noexcept {
    const Tolerances tol{.b = bound_from(s.positions, velocity_range(motion, s.frame))};
    const auto& [vertex, edge] = motion;
    const VertexEdgeAnswer answer = vertex_meets_edge(
        seen_from(edge[0], vertex, s.frame).path, seen_from(edge[0], edge[1], s.frame).path,
        seen_from(edge[1], vertex, s.frame).path, 0.0, tol);
    return {answer.meet, tol.b};
}
template <class Motion, class Trace>
Answer scaled_answer(const Motion& motion, const Setting& s, const SafeCubicOptions& options,
                     Trace trace) noexcept {
    const Culling culling{options.plane_culling, options.vertex_edge_culling};
    return can_touch<Protection::Proved>(motion, s.frame, s.positions, culling, trace);
}

// Seldom asked: most queries are separated.
template <class Motion>
[[gnu::noinline]] CcdResult contact_answer(const Motion& motion, const Frame& frame,
                                           double bound) noexcept {
    const double unscaled = frame.scale == 1.0 ? bound : div_up(bound, frame.scale);
    const double part = free_part(motion, frame, Tolerances{.b = bound});
    CcdResult result = could_not_be_excluded(distance_upper<Motion>(unscaled));
    result.toi_lower = free_time_in_step(motion, frame.t_max, part);
    return result;
}

// Between these, no product comes near the ends of the range of doubles (SC-1), and the query is
// looked at as it is: with the same bits as scaled, and some nanoseconds sooner.
constexpr double kLeastUnscaled = 0x1p-64;
constexpr double kMostUnscaled = 0x1p64;

template <class Motion, class Trace>
[[gnu::noinline]] CcdResult answer_in_scale(const Motion& motion, double positions,
                                            const SafeCubicOptions& options, Trace trace) noexcept {
    const double scale = scale_for(positions);
    const Setting setting{{scale, options.query.t_max}, positions * scale};
    const Answer answer = scaled_answer(motion, setting, options, trace);
    if (!answer.can_touch) return separated(1);
    return contact_answer(motion, setting.frame, answer.bound);
}

template <class Motion, class Trace>
CcdResult answer(const Motion& motion, const SafeCubicOptions& options, Trace trace) noexcept {
    const auto c = vertices(motion);
    const Extent a = first_extent<Motion>(c);
    const Extent b = second_extent<Motion>(c);
    if (are_apart(a, b)) {
        trace.add(&SafeCubicCounters::box_culled);
        return separated(1);
    }
    const double positions = larger(options.bound.length, largest_difference(hull(a, b)));
    // Differences overflow: only the start is known. All corners in one place: they touch.
    if (!(positions < kInfinity)) {
        CcdResult result = could_not_be_excluded(kInfinity);
        result.toi_lower = free_time_in_step(motion, options.query.t_max, 0.0);
        return result;
    }
    if (positions == 0.0) return could_not_be_excluded(0.0);
    if (positions >= kLeastUnscaled && positions <= kMostUnscaled) {
        const Setting as_it_is{{1.0, options.query.t_max}, positions};
        const Answer answer = scaled_answer(motion, as_it_is, options, trace);
        if (!answer.can_touch) return separated(1);
        return contact_answer(motion, as_it_is.frame, answer.bound);
    }
    return answer_in_scale(motion, positions, options, trace);
}

template <class Motion>
CcdResult unprotected_answer(const Motion& motion, const SafeCubicOptions& options) noexcept {
    const auto c = vertices(motion);
    if (are_apart(first_extent<Motion>(c), second_extent<Motion>(c))) return separated(1);
    const Frame frame{1.0, options.query.t_max};
    const Culling culling{options.plane_culling, true};
    if (!can_touch<Protection::None>(motion, frame, 0.0, culling, NoTrace{}).can_touch)
        return separated(1);
    return could_not_be_excluded(kInfinity);
}

template <class Motion>
CcdResult checked_answer(const Motion& motion, const SafeCubicOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept -> CcdResult {
            if (!is_supported(options.query) || !is_finite_motion(motion)) return {};
            return answer(motion, options, NoTrace{});
        },
        []() noexcept { return CcdResult{}; });
}
template <class Motion>
CcdResult checked_unprotected(const Motion& motion, const SafeCubicOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept -> CcdResult {
            if (!is_supported(options.query) || !is_finite_motion(motion)) return {};
            return unprotected_answer(motion, options);
        },
        []() noexcept { return CcdResult{}; });
}
template <class Motion>
SafeCubicReport report_of(const Motion& motion, const SafeCubicOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept {
            SafeCubicReport report;
            if (!is_supported(options.query) || !is_finite_motion(motion)) return report;
            report.result = answer(motion, options, CountingTrace{report.counters});
            return report;
        },
        []() noexcept { return SafeCubicReport{}; });
}

// NaN and negative numbers are no bounds: fails to the safe side.
SafeCubicBound checked_sum_up(double a, double b) noexcept {
    if (!(a >= 0.0 && b >= 0.0)) return {kInfinity};
    return {add_up(a, b)};
}

SafeCubicBound at_least(double length, const SafeCubicBound& bound) noexcept {
    return length <= bound.length ? bound : SafeCubicBound{length};
}

// run() has checked what a method may rely on.
template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    SafeCubicOptions all;
    all.query = options;
    return answer(motion, all, NoTrace{});
}
template <class Motion>
CcdResult as_bounded_method(const void* context, const Motion& motion,
                            const CcdOptions& options) noexcept {
    SafeCubicOptions all;
    all.query = options;
    const auto& bounds = *static_cast<const QueryBounds*>(context);
    all.bound =
        at_least(bounds.declared_length,
                 checked_sum_up(bounds.per_pair ? longest_edge_upper(motion) : bounds.longest_edge,
                                bounds.relative_displacement));
    return answer(motion, all, NoTrace{});
}
Method bounded_safe_cubic(const Method& method) noexcept {
    Method bounded = method;
    bounded.vertex_face = {&as_bounded_method<VertexFaceMotion>};
    bounded.edge_edge = {&as_bounded_method<EdgeEdgeMotion>};
    bounded.vertex_vertex = {&as_bounded_method<VertexVertexMotion>};
    bounded.vertex_edge = {&as_bounded_method<VertexEdgeMotion>};
    return bounded;
}
template <class Motion>
CcdResult as_unprotected_method(const void*, const Motion& motion,
                                const CcdOptions& options) noexcept {
    SafeCubicOptions all;
    all.query = options;
    return unprotected_answer(motion, all);
}

template <class Motion>
SafeCubicBound sound_bound_of(const Motion& motion) noexcept {
    const double positions = largest_difference(extent_of(vertices(motion)));
    if (!(positions < kInfinity)) return {kInfinity};
    if (positions == 0.0) return {0.0};
    const double scale = scale_for(positions);
    const double velocities = velocity_range(motion, {scale, 1.0});
    return {div_up(bound_from(positions * scale, velocities), scale)};
}

// Without the arithmetic of the proofs nothing is bounded.
template <class Body>
SafeCubicBound sound_bound(const Body& body) noexcept {
    return with_sound_arithmetic(body, []() noexcept { return SafeCubicBound{kInfinity}; });
}
template <class Motion>
SafeCubicBound bound_of(const Motion& motion) noexcept {
    return sound_bound([&]() noexcept { return sound_bound_of(motion); });
}

double displacement_of(const MovingBox& box) noexcept {
    double largest = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double start = sub_up(box.start_upper[axis], box.start_lower[axis]);
        const double end = sub_up(box.end_upper[axis], box.end_lower[axis]);
        const double both = add_up(start, end);
        if (!(start >= 0.0 && end >= 0.0)) return kInfinity;
        largest = larger(largest, both);
    }
    return largest;
}

}  // namespace

template <QueryMotion Motion>
SafeCubicBound safe_cubic_bound(const Motion& motion) noexcept {
    return bound_of(motion);
}
template SafeCubicBound safe_cubic_bound(const VertexFaceMotion&) noexcept;
template SafeCubicBound safe_cubic_bound(const EdgeEdgeMotion&) noexcept;
template SafeCubicBound safe_cubic_bound(const VertexVertexMotion&) noexcept;
template SafeCubicBound safe_cubic_bound(const VertexEdgeMotion&) noexcept;

SafeCubicBound safe_cubic_scene_bound(double longest_edge, double largest_displacement) noexcept {
    return sound_bound(
        [=]() noexcept { return checked_sum_up(longest_edge, 2.0 * largest_displacement); });
}

double relative_displacement_upper(const MovingBox& box) noexcept {
    return with_sound_arithmetic([&]() noexcept { return displacement_of(box); },
                                 []() noexcept { return kInfinity; });
}

SafeCubicBound safe_cubic_scene_bound(double longest_edge, double largest_displacement,
                                      const MovingBox& box) noexcept {
    return sound_bound([&]() noexcept {
        const double by_box = displacement_of(box);
        const double by_velocity = 2.0 * largest_displacement;
        return checked_sum_up(longest_edge, by_box < by_velocity ? by_box : by_velocity);
    });
}

template <QueryMotion Motion>
SafeCubicBound safe_cubic_pair_bound(const Motion& motion, double relative_displacement) noexcept {
    const double longest_edge = longest_edge_upper(motion);
    return sound_bound(
        [=]() noexcept { return checked_sum_up(longest_edge, relative_displacement); });
}
template SafeCubicBound safe_cubic_pair_bound(const VertexFaceMotion&, double) noexcept;
template SafeCubicBound safe_cubic_pair_bound(const EdgeEdgeMotion&, double) noexcept;
template SafeCubicBound safe_cubic_pair_bound(const VertexVertexMotion&, double) noexcept;
template SafeCubicBound safe_cubic_pair_bound(const VertexEdgeMotion&, double) noexcept;

template <QueryMotion Motion>
SafeCubicBound safe_cubic_bound(const Motion& motion, const QueryBounds& bounds) noexcept {
    if (bounds.per_pair)
        return at_least(bounds.declared_length,
                        safe_cubic_pair_bound(motion, bounds.relative_displacement));
    return sound_bound([&]() noexcept {
        return at_least(bounds.declared_length,
                        checked_sum_up(bounds.longest_edge, bounds.relative_displacement));
    });
}
template SafeCubicBound safe_cubic_bound(const VertexFaceMotion&, const QueryBounds&) noexcept;
template SafeCubicBound safe_cubic_bound(const EdgeEdgeMotion&, const QueryBounds&) noexcept;
template SafeCubicBound safe_cubic_bound(const VertexVertexMotion&, const QueryBounds&) noexcept;
template SafeCubicBound safe_cubic_bound(const VertexEdgeMotion&, const QueryBounds&) noexcept;

template <QueryMotion Motion>
CcdResult safe_cubic_ccd(const Motion& motion, const SafeCubicOptions& options) noexcept {
    return checked_answer(motion, options);
}
template CcdResult safe_cubic_ccd(const VertexFaceMotion&, const SafeCubicOptions&) noexcept;
template CcdResult safe_cubic_ccd(const EdgeEdgeMotion&, const SafeCubicOptions&) noexcept;
template CcdResult safe_cubic_ccd(const VertexVertexMotion&, const SafeCubicOptions&) noexcept;
template CcdResult safe_cubic_ccd(const VertexEdgeMotion&, const SafeCubicOptions&) noexcept;

template <CoplanarityMotion Motion>
SafeCubicReport safe_cubic_report(const Motion& motion, const SafeCubicOptions& options) noexcept {
    return report_of(motion, options);
}
template SafeCubicReport safe_cubic_report(const VertexFaceMotion&,
                                           const SafeCubicOptions&) noexcept;
template SafeCubicReport safe_cubic_report(const EdgeEdgeMotion&, const SafeCubicOptions&) noexcept;

template <CoplanarityMotion Motion>
CcdResult cubic_ccd(const Motion& motion, const SafeCubicOptions& options) noexcept {
    return checked_unprotected(motion, options);
}
template CcdResult cubic_ccd(const VertexFaceMotion&, const SafeCubicOptions&) noexcept;
template CcdResult cubic_ccd(const EdgeEdgeMotion&, const SafeCubicOptions&) noexcept;

Method make_safe_cubic() noexcept {
    return {.name = "safe-cubic",
            .summary = "coplanarity cubic with proved tolerances and vertex-edge tests",
            .guarantee = {.no_false_negatives = true,
                          .proved_toi_lower = true,
                          .proved_toi_upper = true,
                          .proved_tolerance = true,
                          .progress_when_separated = true,
                          .always_resolves = true,
                          .scale_invariant = true},
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>},
            .vertex_vertex = {&as_method<VertexVertexMotion>},
            .vertex_edge = {&as_method<VertexEdgeMotion>},
            .bounded = &bounded_safe_cubic};
}

Method make_cubic() noexcept {
    return {.name = "cubic",
            .summary = "the same code without tolerances; misses contacts",
            .guarantee = {},
            .vertex_face = {&as_unprotected_method<VertexFaceMotion>},
            .edge_edge = {&as_unprotected_method<EdgeEdgeMotion>}};
}

}  // namespace graze
