#include "graze/baselines/tight_bernstein.hpp"

#include "baselines/tight_bernstein/exclusion.hpp"
#include "baselines/tight_bernstein/scaling.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

using bernstein::Primitives;

CcdResult answer(const std::array<MovingPoint, 4>& corners, Primitives primitives,
                 const TightBernsteinOptions& options) noexcept {
    const bernstein::Question question{primitives, options.reads_one_sign};
    const bool excluded = options.arithmetic == BernsteinArithmetic::Guarded
                              ? excludes_contact<bernstein::Guarded>(
                                    bernstein::brought_to_size_one(corners), question)
                              : excludes_contact<bernstein::Published>(
                                    bernstein::FourCorners{corners, 1.0}, question);
    if (excluded) return separated(1);
    return {.verdict = Verdict::Contact, .checks = 1};
}

template <class Motion>
CcdResult answer_of(const Motion& motion, const TightBernsteinOptions& options) noexcept {
    if (!is_finite_motion(motion)) return {};
    if constexpr (Motion::kKind == QueryKind::VertexFace) {
        return answer({motion.face[0], motion.face[1], motion.face[2], motion.vertex},
                      Primitives::VertexFace, options);
    } else {
        return answer(vertices(motion), Primitives::EdgeEdge, options);
    }
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions&) noexcept {
    return answer_of(motion, {});
}
template <class Motion>
CcdResult as_published_method(const void*, const Motion& motion, const CcdOptions&) noexcept {
    return answer_of(motion, {.arithmetic = BernsteinArithmetic::Published});
}

}  // namespace

template <CoplanarityMotion Motion>
CcdResult tight_bernstein(const Motion& motion, const TightBernsteinOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return answer_of(motion, options); },
                                 []() noexcept { return CcdResult{}; });
}
template CcdResult tight_bernstein(const VertexFaceMotion&, const TightBernsteinOptions&) noexcept;
template CcdResult tight_bernstein(const EdgeEdgeMotion&, const TightBernsteinOptions&) noexcept;

Method make_tight_bernstein() noexcept {
    return {.name = "tight-bernstein",
            .summary = "Bernstein coefficients with running error bounds; safe, no times",
            .guarantee = {.no_false_negatives = true,
                          .proved_toi_lower = true,
                          .always_resolves = true,
                          .scale_invariant = true},
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>}};
}

Method make_tight_bernstein_published() noexcept {
    return {.name = "tight-bernstein-published",
            .summary = "tight-bernstein in the arithmetic of its publication; misses contacts",
            .guarantee = {.always_resolves = true},
            .role = MethodRole::AsPublished,
            .vertex_face = {&as_published_method<VertexFaceMotion>},
            .edge_edge = {&as_published_method<EdgeEdgeMotion>}};
}

}  // namespace graze
