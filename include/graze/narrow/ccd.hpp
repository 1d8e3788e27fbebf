// Options and results of a query of continuous collision detection.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "graze/core/expected.hpp"
#include "graze/core/verdict.hpp"

namespace graze {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// "separated", "contact", "unresolved": the names of result files.
[[nodiscard]] std::string_view name(Verdict verdict) noexcept;

enum class Norm : std::uint8_t { Euclidean, Max };

struct CcdOptions {
    // [length] >= 0: contact means distance <= min_separation, measured in `norm`.
    double min_separation = 0.0;
    Norm norm = Norm::Euclidean;
    // [length] > 0: how close may count as contact, for methods that have such a tolerance.
    double distance_tolerance = 1e-6;
    // [fraction of the step] > 0: requested width of [toi_lower, toi_upper], where it is bracketed.
    double time_width = 1e-9;
    // [fraction of the step] in [0, 1]: only [0, t_max] is tested; contact at t_max counts.
    double t_max = 1.0;
    // Work budget >= 1, in the method's own unit of `checks`; what is not decided within it is
    // answered as the method declares, never as Separated.
    std::uint64_t max_checks = 1'000'000;
};

// The default result is the safe one: nothing is known, nothing is free.
struct CcdResult {
    Verdict verdict = Verdict::Unresolved;
    // [0, toi_lower) is proved free, whatever the verdict (for methods that declare such a proof).
    // Separated: infinity, since the whole of [0, t_max] is free.
    double toi_lower = 0.0;
    // Contact at some t <= toi_upper is proved, at min_separation + tolerance where tolerance > 0;
    // infinity where there is no such proof.
    double toi_upper = kInfinity;
    // Work done, in the unit of CcdOptions::max_checks.
    std::uint64_t checks = 0;
    // [length] The primitives come within min_separation + tolerance of each other, in the
    // max-norm, at some time in [0, t_max]: proved, for methods that declare it. Infinity where
    // nothing of the kind is known.
    double tolerance = kInfinity;

    friend constexpr bool operator==(const CcdResult&, const CcdResult&) noexcept = default;
};

[[nodiscard]] constexpr CcdResult separated(std::uint64_t checks = 0) noexcept {
    return {Verdict::Separated, kInfinity, kInfinity, checks, kInfinity};
}

// True iff the options are within the ranges stated at each field (NaN is not).
[[nodiscard]] bool is_valid(const CcdOptions& options) noexcept;
// The same; the error names the first option that is out of its range, its value and the range.
[[nodiscard]] Expected<void> check(const CcdOptions& options);

}  // namespace graze
