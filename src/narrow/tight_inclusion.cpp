#include "graze/narrow/tight_inclusion.hpp"

#include <algorithm>
#include <new>

#include "graze/core/fp_environment.hpp"
#include "graze/narrow/box_separation.hpp"
#include "graze/narrow/start_separation.hpp"
#include "narrow/tight_inclusion/paper_arithmetic.hpp"
#include "narrow/tight_inclusion/search.hpp"
#include "narrow/tight_inclusion/tight_arithmetic.hpp"

namespace graze {
namespace {

using inclusion::PaperArithmetic;
using inclusion::Search;
using inclusion::TightArithmetic;
using inclusion::Workspace;

bool is_supported(const CcdOptions& options) noexcept {
    return is_valid(options) && (options.min_separation == 0.0 || options.norm == Norm::Max);
}

// One for all kinds and filters.
Workspace& workspace_of_this_thread() noexcept {
    thread_local Workspace workspace;
    return workspace;
}

template <class Arithmetic, class Motion>
CcdResult search(const Motion& motion, const TightInclusionOptions& options) noexcept {
    Workspace& workspace = workspace_of_this_thread();
    workspace.clear();
    CcdResult result;
    try {
        const Arithmetic arithmetic = Arithmetic::of(motion, options);
        result = Search<Arithmetic>(arithmetic, options.query, workspace).run();
    } catch (const std::bad_alloc&) {
        result = {};
    }
    workspace.keep_only_a_little();
    return result;
}

// The directions that separate the primitives at the start, if any do, say how long they go on
// doing so. Where the search could not exclude the start, nothing else is known of the time; and
// asked always, more checks never take back what fewer have proved.
template <class Motion>
CcdResult with_progress(CcdResult result, const Motion& motion,
                        const TightInclusionOptions& options) noexcept {
    if (result.verdict != Verdict::Contact || !options.proves_start) return result;
    const double free_time = free_time_from_start(motion, options.query.min_separation);
    if (free_time > options.query.t_max) return separated(result.checks);
    result.toi_lower = std::max(result.toi_lower, free_time);
    return result;
}

template <class Motion>
CcdResult sound_answer(const Motion& motion, const TightInclusionOptions& options) noexcept {
    if (!is_supported(options.query) || !is_finite_motion(motion)) return {};
    if (options.filter == InclusionFilter::Paper) {
        return with_progress(search<PaperArithmetic>(motion, options), motion, options);
    }
    // The boxes of the whole step, compared without rounding: most misses end here.
    const CcdResult by_boxes = box_separation(motion, options.query);
    if (by_boxes.verdict == Verdict::Separated) return by_boxes;
    return with_progress(search<TightArithmetic>(motion, options), motion, options);
}

template <class Motion>
CcdResult answer(const Motion& motion, const TightInclusionOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return sound_answer(motion, options); },
                                 []() noexcept { return CcdResult{}; });
}

template <InclusionFilter Filter, class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    TightInclusionOptions with_filter;
    with_filter.query = options;
    with_filter.filter = Filter;
    with_filter.proves_start = Filter == InclusionFilter::Tight;
    return sound_answer(motion, with_filter);
}

// Per pair is per query: a filter has no other lengths.
template <InclusionFilter Filter, class Motion>
CcdResult as_bounded_method(const void* context, const Motion& motion,
                            const CcdOptions& options) noexcept {
    const auto& bounds = *static_cast<const QueryBounds*>(context);
    TightInclusionOptions with_scene;
    with_scene.query = options;
    with_scene.filter = Filter;
    if (!bounds.per_pair) with_scene.scene = bounds.box;
    return sound_answer(motion, with_scene);
}
template <InclusionFilter Filter>
Method bounded_method(const Method& method) noexcept {
    Method bounded = method;
    bounded.vertex_face = {&as_bounded_method<Filter, VertexFaceMotion>};
    bounded.edge_edge = {&as_bounded_method<Filter, EdgeEdgeMotion>};
    bounded.vertex_vertex = {&as_bounded_method<Filter, VertexVertexMotion>};
    bounded.vertex_edge = {&as_bounded_method<Filter, VertexEdgeMotion>};
    return bounded;
}

template <InclusionFilter Filter>
Method make_method(std::string_view name, std::string_view summary) noexcept {
    return {.name = name,
            .summary = summary,
            .guarantee = {.no_false_negatives = true,
                          .proved_toi_lower = true,
                          .proved_toi_upper = true,
                          .proved_tolerance = true,
                          .progress_when_separated = Filter == InclusionFilter::Tight,
                          .always_resolves = true,
                          .scale_invariant = Filter == InclusionFilter::Tight,
                          .exact_separations = true,
                          .min_separation_max_norm = true},
            .bisects = true,
            .vertex_face = {&as_method<Filter, VertexFaceMotion>},
            .edge_edge = {&as_method<Filter, EdgeEdgeMotion>},
            .vertex_vertex = {&as_method<Filter, VertexVertexMotion>},
            .vertex_edge = {&as_method<Filter, VertexEdgeMotion>},
            .bounded = &bounded_method<Filter>};
}

}  // namespace

template <QueryMotion Motion>
CcdResult tight_inclusion(const Motion& motion, const TightInclusionOptions& options) noexcept {
    return answer(motion, options);
}
template CcdResult tight_inclusion(const VertexFaceMotion&, const TightInclusionOptions&) noexcept;
template CcdResult tight_inclusion(const EdgeEdgeMotion&, const TightInclusionOptions&) noexcept;
template CcdResult tight_inclusion(const VertexVertexMotion&,
                                   const TightInclusionOptions&) noexcept;
template CcdResult tight_inclusion(const VertexEdgeMotion&, const TightInclusionOptions&) noexcept;

Method make_tight_inclusion() noexcept {
    return make_method<InclusionFilter::Tight>("tight-inclusion",
                                               "bisection with the tightest boxes around F");
}
Method make_tight_inclusion_paper() noexcept {
    return make_method<InclusionFilter::Paper>(
        "tight-inclusion-paper", "the same as published: its error filter, no proof at the start");
}

}  // namespace graze
