#include "graze/narrow/certified.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <span>
#include <string>

#include "graze/ccd.hpp"
#include "graze/core/fp_environment.hpp"
#include "narrow/certified/exact_contact.hpp"
#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/separation.hpp"

namespace graze {
namespace {

using certified::FastAnswer;

constexpr std::uint64_t kOneCheck = 1;
constexpr std::size_t kFewQueries = 3;

CcdResult contact(double lower, double upper) noexcept {
    return {Verdict::Contact, lower, upper, kOneCheck, 0.0};
}

constexpr bool is_polygon(QueryKind kind) noexcept {
    return kind == QueryKind::VertexFace || kind == QueryKind::EdgeEdge;
}

// `open`: what the fast tiers have left.
template <class Motion>
CcdResult by_integers(const Motion& motion, const CcdOptions& options,
                      const FastAnswer& open) noexcept {
    try {
        if constexpr (is_polygon(Motion::kKind)) {
            if (open.lower > 0.0) {
                const certified::ExactContact exact =
                    certified::narrowest_contact(motion, open.lower, open.upper);
                return contact(exact.lower, exact.upper);
            }
        }
        const certified::ExactContact exact =
            certified::exact_first_contact(motion, options.t_max, options.time_width);
        return exact.contact ? contact(exact.lower, exact.upper) : separated(kOneCheck);
    } catch (const std::exception&) {  // memory ran out
        return {};
    }
}

certified::FastSeparationOptions fast_options(const CcdOptions& options) noexcept {
    return {options.min_separation, options.norm, options.t_max, options.time_width};
}
template <class Motion>
FastAnswer fast_answer_with_separation(const Motion& motion, const CcdOptions& options) noexcept {
    static const certified::FastSeparation<Motion> fast =
        certified::fast_separation<Motion>(best_instruction_set());
    return fast(motion, fast_options(options));
}
// Of what that leaves open.
template <class Motion>
CcdResult open_answer_with_separation(const Motion& motion, const CcdOptions& options) noexcept {
    if constexpr (is_polygon(Motion::kKind)) {
        if (certified::is_separated_alone(motion, fast_options(options)))
            return separated(kOneCheck);
    }
    return certified::within_separation(motion, options);
}

template <class Motion>
FastAnswer fast_answer(const Motion& motion, const CcdOptions& options,
                       double until = 1.0) noexcept {
    static const certified::FastFunction<Motion> fast =
        certified::fast_tiers<Motion>(best_instruction_set());
    return fast(motion, {options.t_max, options.time_width, until});
}

// Of an answer that is not open.
CcdResult result_of(const FastAnswer& found) noexcept {
    if (found.state == FastAnswer::State::Separated) return separated(kOneCheck);
    return contact(found.lower, found.upper);
}

// Requires: a finite motion and valid options.
template <class Motion>
CcdResult answer(const Motion& motion, const CcdOptions& options) noexcept {
    if (options.min_separation > 0.0) {
        const FastAnswer found = fast_answer_with_separation(motion, options);
        if (found.state != FastAnswer::State::Open) return result_of(found);
        return open_answer_with_separation(motion, options);
    }
    const FastAnswer found = fast_answer(motion, options);
    if (found.state != FastAnswer::State::Open) return result_of(found);
    return by_integers(motion, options, found);
}

// The same, or Separated where [0, until] is free.
// Requires: no separation, and what answer() does.
template <class Motion>
CcdResult answer_until(const Motion& motion, const CcdOptions& options, double until) noexcept {
    const FastAnswer found = fast_answer(motion, options, until);
    if (found.state != FastAnswer::State::Open) return result_of(found);
    return by_integers(motion, options, found);
}

// The same as answer(), with the tier.
template <class Motion>
CertifiedAnswer answer_with_tier(const Motion& motion, const CcdOptions& options) noexcept {
    const bool separates = options.min_separation > 0.0;
    const FastAnswer found =
        separates ? fast_answer_with_separation(motion, options) : fast_answer(motion, options);
    if (found.state != FastAnswer::State::Open) return {result_of(found), found.tier};
    if (separates) {
        return {open_answer_with_separation(motion, options), CertifiedTier::Separation};
    }
    return {by_integers(motion, options, found), CertifiedTier::Exact};
}

// Bit i: the answer to motions[i] with separations[i] is separated(kOneCheck), found for several at a
// time. Requires: at most kMostInBatch, and what answer() does.
template <class Motion>
std::uint64_t separated_ones(std::span<const Motion> motions, std::span<const double> separations,
                             const CcdOptions& options) noexcept {
    static const certified::SeparatedBatch<Motion> several =
        certified::separated_batch<Motion>(best_instruction_set());
    // Of few there are too few lanes to fill.
    if (several == nullptr || motions.size() < kFewQueries) return 0;
    return several(motions.data(), separations.data(), motions.size(),
                   {0.0, options.norm, options.t_max, options.time_width});
}

// answer() of each. Requires: what answer() does.
template <class Motion>
void answer_all(std::span<const Motion> motions, std::span<CcdResult> results,
                const CcdOptions& options) noexcept {
    constexpr std::size_t kMost = certified::kMostInBatch;
    std::array<double, kMost> separations;
    const bool separates = is_polygon(Motion::kKind) && options.min_separation > 0.0;
    if (separates) separations.fill(options.min_separation);
    for (std::size_t first = 0; first < motions.size(); first += kMost) {
        const std::span<const Motion> block =
            motions.subspan(first, std::min(kMost, motions.size() - first));
        std::uint64_t known = 0;
        if constexpr (is_polygon(Motion::kKind)) {
            if (separates) known = separated_ones(block, separations, options);
        }
        for (std::size_t i = 0; i < block.size(); ++i) {
            results[first + i] =
                (known >> i & 1U) != 0U ? separated(kOneCheck) : answer(block[i], options);
        }
    }
}

// As functions of a Method, which needs no context.
template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}
template <class Motion>
CcdResult as_method_until(const void*, const Motion& motion, const CcdOptions& options,
                          double until) noexcept {
    return answer_until(motion, options, until);
}
template <class Motion>
CertifiedAnswer as_method_with_tier(const void*, const Motion& motion,
                                    const CcdOptions& options) noexcept {
    return answer_with_tier(motion, options);
}
template <class Motion>
std::uint64_t as_method_separated(const void*, std::span<const Motion> motions,
                                  std::span<const double> separations,
                                  const CcdOptions& options) noexcept {
    if constexpr (is_polygon(Motion::kKind)) {
        return separated_ones(motions, separations, options);
    } else {
        return 0;
    }
}
template <class Motion>
constexpr QueryFunctions<Motion> kFunctions = {.query = &as_method<Motion>,
                                               .separated = &as_method_separated<Motion>,
                                               .with_tier = &as_method_with_tier<Motion>,
                                               .until = &as_method_until<Motion>};

template <class Motion>
CertifiedAnswer checked_answer_with_tier(const Motion& motion, const CcdOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept -> CertifiedAnswer {
            if (!is_valid(options) || !is_finite_motion(motion)) return {};
            return answer_with_tier(motion, options);
        },
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

template <class Motion>
Expected<void> checked_answers(std::span<const Motion> motions, std::span<CcdResult> results,
                               const CcdOptions& options) {
    std::fill(results.begin(), results.end(), CcdResult{});
    if (motions.size() != results.size()) {
        return Error{std::to_string(results.size()) + " results for " +
                         std::to_string(motions.size()) + " motions",
                     ErrorCode::WrongSize};
    }
    if (Expected<void> valid = check(options); !valid) return valid;
    return with_sound_arithmetic([&]() -> Expected<void> {
        for (std::size_t begin = 0; begin < motions.size();) {
            std::size_t end = begin;
            while (end < motions.size() && is_finite_motion(motions[end]))
                ++end;
            answer_all(motions.subspan(begin, end - begin), results.subspan(begin, end - begin),
                       options);
            begin = end + 1;
        }
        return {};
    });
}

}  // namespace

template <QueryMotion Motion>
CcdResult ccd(const Motion& motion, const CcdOptions& options) noexcept {
    return checked_answer(motion, options);
}
template <QueryMotion Motion>
Expected<void> ccd(std::span<const Motion> motions, std::span<CcdResult> results,
                   const CcdOptions& options) {
    return checked_answers(motions, results, options);
}
template CcdResult ccd(const VertexFaceMotion&, const CcdOptions&) noexcept;
template CcdResult ccd(const EdgeEdgeMotion&, const CcdOptions&) noexcept;
template CcdResult ccd(const VertexVertexMotion&, const CcdOptions&) noexcept;
template CcdResult ccd(const VertexEdgeMotion&, const CcdOptions&) noexcept;
template Expected<void> ccd(std::span<const VertexFaceMotion>, std::span<CcdResult>,
                            const CcdOptions&);
template Expected<void> ccd(std::span<const EdgeEdgeMotion>, std::span<CcdResult>,
                            const CcdOptions&);
template Expected<void> ccd(std::span<const VertexVertexMotion>, std::span<CcdResult>,
                            const CcdOptions&);
template Expected<void> ccd(std::span<const VertexEdgeMotion>, std::span<CcdResult>,
                            const CcdOptions&);

template <QueryMotion Motion>
CcdResult certify(const Motion& motion, const CcdOptions& options) noexcept {
    return checked_answer(motion, options);
}
template CcdResult certify(const VertexFaceMotion&, const CcdOptions&) noexcept;
template CcdResult certify(const EdgeEdgeMotion&, const CcdOptions&) noexcept;
template CcdResult certify(const VertexVertexMotion&, const CcdOptions&) noexcept;
template CcdResult certify(const VertexEdgeMotion&, const CcdOptions&) noexcept;

template <QueryMotion Motion>
CertifiedAnswer certify_with_tier(const Motion& motion, const CcdOptions& options) noexcept {
    return checked_answer_with_tier(motion, options);
}
template CertifiedAnswer certify_with_tier(const VertexFaceMotion&, const CcdOptions&) noexcept;
template CertifiedAnswer certify_with_tier(const EdgeEdgeMotion&, const CcdOptions&) noexcept;
template CertifiedAnswer certify_with_tier(const VertexVertexMotion&, const CcdOptions&) noexcept;
template CertifiedAnswer certify_with_tier(const VertexEdgeMotion&, const CcdOptions&) noexcept;

std::string_view name(CertifiedTier tier) noexcept {
    constexpr std::array<std::string_view, kAllCertifiedTiers.size()> kNames = {
        "axis", "coincident", "normal", "cubic", "plane", "slabs", "exact", "separation"};
    return kNames[static_cast<std::size_t>(tier)];
}

Method make_certified() noexcept {
    return {.name = "certified",
            .summary = "exact verdicts: floating point with proofs, then integers",
            .guarantee = {.no_false_negatives = true,
                          .no_false_positives = true,
                          .proved_toi_lower = true,
                          .proved_toi_upper = true,
                          .proved_tolerance = true,
                          .progress_when_separated = true,
                          .always_resolves = true,
                          .scale_invariant = true,
                          .min_separation_euclidean = true,
                          .min_separation_max_norm = true},
            .vertex_face = kFunctions<VertexFaceMotion>,
            .edge_edge = kFunctions<EdgeEdgeMotion>,
            .vertex_vertex = kFunctions<VertexVertexMotion>,
            .vertex_edge = kFunctions<VertexEdgeMotion>};
}

}  // namespace graze
