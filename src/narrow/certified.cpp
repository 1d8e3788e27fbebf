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

CertifiedPart part_of(certified::Tier tier) noexcept {
    switch (tier) {
        case certified::Tier::Axis:
            return CertifiedPart::Axis;
        case certified::Tier::Coincident:
            return CertifiedPart::Coincident;
        case certified::Tier::Normal:
            return CertifiedPart::Normal;
        case certified::Tier::Cubic:
            return CertifiedPart::Cubic;
        case certified::Tier::Plane:
            return CertifiedPart::Plane;
        case certified::Tier::Slabs:
            return CertifiedPart::Slabs;
        case certified::Tier::Exact:
            break;
    }
    return CertifiedPart::Exact;
}

template <class Motion>
FastAnswer fast_answer(const Motion& motion, const CcdOptions& options) noexcept {
    static const certified::FastFunction<Motion> fast =
        certified::fast_tiers<Motion>(best_instruction_set());
    return fast(motion, {options.t_max, options.time_width});
}

template <class Motion>
CcdResult result_of(const FastAnswer& found, const Motion& motion,
                    const CcdOptions& options) noexcept {
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

// Requires: a finite motion and valid options.
template <class Motion>
CcdResult answer(const Motion& motion, const CcdOptions& options) noexcept {
    if (options.min_separation > 0.0) return answer_with_separation(motion, options);
    return result_of(fast_answer(motion, options), motion, options);
}

template <class Motion>
CertifiedAnswer checked_answer_and_tell(const Motion& motion, const CcdOptions& options) noexcept {
    if (!is_valid(options) || !is_finite_motion(motion)) return {};
    if (options.min_separation > 0.0)
        return {answer_with_separation(motion, options), CertifiedPart::Separation};
    const FastAnswer found = fast_answer(motion, options);
    const bool is_open = found.state == FastAnswer::State::Open;
    return {result_of(found, motion, options),
            is_open ? CertifiedPart::Exact : part_of(found.tier)};
}

template <class Motion>
CertifiedAnswer answer_and_tell(const Motion& motion, const CcdOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return checked_answer_and_tell(motion, options); },
        []() noexcept { return CertifiedAnswer{}; });
}

template <class Motion>
CcdResult checked_answer(const Motion& motion, const CcdOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept -> CcdResult {
            if (!is_valid(options) || !is_finite_motion(motion)) return {};
            return answer(motion, options);
        },
        []() noexcept { return CcdResult{}; });
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

CertifiedAnswer certify_and_tell(const VertexFaceMotion& motion,
                                 const CcdOptions& options) noexcept {
    return answer_and_tell(motion, options);
}
CertifiedAnswer certify_and_tell(const EdgeEdgeMotion& motion, const CcdOptions& options) noexcept {
    return answer_and_tell(motion, options);
}
CertifiedAnswer certify_and_tell(const VertexVertexMotion& motion,
                                 const CcdOptions& options) noexcept {
    return answer_and_tell(motion, options);
}
CertifiedAnswer certify_and_tell(const VertexEdgeMotion& motion,
                                 const CcdOptions& options) noexcept {
    return answer_and_tell(motion, options);
}

std::string_view name(CertifiedPart part) noexcept {
    constexpr std::array<std::string_view, kAllCertifiedParts.size()> kNames = {
        "axis", "coincident", "normal", "cubic", "plane", "slabs", "exact", "separation"};
    return kNames[static_cast<std::size_t>(part)];
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
