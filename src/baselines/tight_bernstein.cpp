#include "graze/baselines/tight_bernstein.hpp"

#include "baselines/tight_bernstein/exclusion.hpp"
#include "baselines/tight_bernstein/scaling.hpp"

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
CcdResult query(const Motion& motion, const CcdOptions&) noexcept {
    return tight_bernstein(motion);
}

}  // namespace

CcdResult tight_bernstein(const VertexFaceMotion& motion,
                          const TightBernsteinOptions& options) noexcept {
    if (!is_finite_motion(motion)) return {};
    return answer({motion.face[0], motion.face[1], motion.face[2], motion.vertex},
                  Primitives::VertexFace, options);
}
CcdResult tight_bernstein(const EdgeEdgeMotion& motion,
                          const TightBernsteinOptions& options) noexcept {
    if (!is_finite_motion(motion)) return {};
    return answer(corners(motion), Primitives::EdgeEdge, options);
}

Method make_tight_bernstein() noexcept {
    return {.name = "tight-bernstein",
            .summary = "Bernstein coefficients with running error bounds; safe, no times",
            .guarantee = {.no_false_negatives = true,
                          .proved_toi_lower = true,
                          .always_resolves = true,
                          .scale_free = true},
            .vertex_face = query<VertexFaceMotion>,
            .edge_edge = query<EdgeEdgeMotion>};
}

}  // namespace graze
