#include "graze/narrow/certified.hpp"

#include <exception>

#include "narrow/certified/exact_contact.hpp"
#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/separation.hpp"

namespace graze {
namespace {

using certified::FastAnswer;

constexpr std::uint64_t kOneCheck = 1;

CcdResult contact(double lower, double upper) noexcept {
    return {Verdict::Contact, lower, upper, kOneCheck, 0.0};
}

template <class Motion>
CcdResult by_integers(const Motion& motion, const CcdOptions& options) noexcept {
    try {
        const certified::ExactContact exact =
            certified::exact_first_contact(motion, options.t_max, options.time_width);
        return exact.contact ? contact(exact.lower, exact.upper) : separated(kOneCheck);
    } catch (const std::exception&) {  // memory ran out
        return {};
    }
}

template <class Motion>
CcdResult answer_with_separation(const Motion& motion, const CcdOptions& options) noexcept {
    static const certified::FastSeparation<Motion> is_farther =
        certified::fast_separation<Motion>(best_instruction_set());
    if (is_farther(motion, options.min_separation, options.norm)) return separated(kOneCheck);
    return certified::within_separation(motion, options);
}

// Requires: a finite motion and valid options.
template <class Motion>
CcdResult answer(const Motion& motion, const CcdOptions& options) noexcept {
    if (options.min_separation > 0.0) return answer_with_separation(motion, options);
    static const certified::FastFunction<Motion> fast =
        certified::fast_tiers<Motion>(best_instruction_set());
    const FastAnswer found = fast(motion, {options.t_max, options.time_width});
    switch (found.state) {
        case FastAnswer::State::Separated:
            return separated(kOneCheck);
        case FastAnswer::State::Contact:
            return contact(found.lower, found.upper);
        case FastAnswer::State::Open:
            break;
    }
    return by_integers(motion, options);
}

template <class Motion>
CcdResult checked_answer(const Motion& motion, const CcdOptions& options) noexcept {
    if (!is_valid(options) || !is_finite_motion(motion)) return {};
    return answer(motion, options);
}

}  // namespace

CcdResult certify(const VertexFaceMotion& motion, const CcdOptions& options) noexcept {
    return checked_answer(motion, options);
}
CcdResult certify(const EdgeEdgeMotion& motion, const CcdOptions& options) noexcept {
    return checked_answer(motion, options);
}
CcdResult certify(const VertexVertexMotion& motion, const CcdOptions& options) noexcept {
    return checked_answer(motion, options);
}
CcdResult certify(const VertexEdgeMotion& motion, const CcdOptions& options) noexcept {
    return checked_answer(motion, options);
}

Method make_certified() noexcept {
    return {.name = "certified",
            .summary = "exact verdicts: floating point with proofs, then integers",
            .guarantee = {.no_false_negatives = true,
                          .no_false_positives = true,
                          .proved_toi_lower = true,
                          .proved_toi_upper = true,
                          .proved_tolerance = true,
                          .progress_when_apart = true,
                          .always_resolves = true,
                          .scale_free = true,
                          .min_separation_euclidean = true,
                          .min_separation_max_norm = true},
            .vertex_face = &answer<VertexFaceMotion>,
            .edge_edge = &answer<EdgeEdgeMotion>,
            .vertex_vertex = &answer<VertexVertexMotion>,
            .vertex_edge = &answer<VertexEdgeMotion>};
}

}  // namespace graze
