#include "graze/baselines/root_parity_exact.hpp"

#include "baselines/root_parity/exact_parity.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

using parity::Parity;

// Every corner is displaced by the same vector, as far as doubles tell: the shortcut of the study,
// which rounds as well.
template <class Motion>
bool moves_as_one(const Motion& motion) noexcept {
    const auto all = vertices(motion);
    const Vec3 move = all[0].end - all[0].start;
    for (const MovingPoint& corner : all) {
        if (!(corner.end - corner.start == move)) return false;
    }
    return true;
}

template <class Motion>
CcdResult exact(const Motion& motion, const CcdOptions& options,
                const RootParityOptions& own) noexcept {
    if (!is_valid(options) || options.min_separation != 0.0 || !is_finite_motion(motion)) return {};
    if (own.rest_is_separated && moves_as_one(motion)) return separated(1);
    if (parity::exact_parity(motion, options.t_max) == Parity::Even) return separated(1);
    return {.verdict = Verdict::Contact, .checks = 1};
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return exact(motion, options, {});
}

}  // namespace

template <CoplanarityMotion Motion>
CcdResult root_parity_exact(const Motion& motion, const CcdOptions& options,
                            const RootParityOptions& own) noexcept {
    return with_sound_arithmetic([&]() noexcept { return exact(motion, options, own); },
                                 []() noexcept { return CcdResult{}; });
}
template CcdResult root_parity_exact(const VertexFaceMotion&, const CcdOptions&,
                                     const RootParityOptions&) noexcept;
template CcdResult root_parity_exact(const EdgeEdgeMotion&, const CcdOptions&,
                                     const RootParityOptions&) noexcept;

Method make_root_parity_exact() noexcept {
    return {
        .name = "root-parity-exact",
        .summary = "parity of the number of contacts, in integers; misses pairs of contacts",
        .guarantee = {.no_false_positives = true, .always_resolves = true, .scale_invariant = true},
        .vertex_face = {&as_method<VertexFaceMotion>},
        .edge_edge = {&as_method<EdgeEdgeMotion>}};
}

}  // namespace graze
