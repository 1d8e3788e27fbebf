// Continuous collision detection (CCD) of two primitives: do they touch during a step, and when?
//
//   const graze::VertexFaceMotion motion{.vertex = {start, end}, .face = {...}};
//   const graze::CcdResult result = graze::ccd(motion);
//   if (result.verdict != graze::Verdict::Separated) advance_to(result.toi_lower);
//
// A program may be compiled with -ffast-math. It should then compare verdicts, and not test whether
// a time is infinite, which such a compiler takes for impossible.
#pragma once

#include <ranges>
#include <span>

#include "graze/narrow/ccd.hpp"     // Verdict, CcdOptions, CcdResult
#include "graze/narrow/motion.hpp"  // the four kinds of query

namespace graze {

// Answers one query with the method `certified` (graze/narrow/certified.hpp).
// Guarantee, without a minimum separation:
//   - Contact and Separated are exact, for all finite coordinates; never Unresolved.
//   - [toi_lower, toi_upper] holds the exact first time of contact, no wider than time_width (or
//     between neighbouring doubles). toi_lower > 0 unless that time is 0 or below the smallest
//     double.
// With one: Separated is exact; Contact means distance <= min_separation + tolerance, with
// tolerance <= distance_tolerance; Unresolved where max_checks are spent.
// Unresolved with toi_lower = 0 where a coordinate is not finite, an option is not valid, or memory
// runs out. Rounding mode, handling of subnormals and traps of the calling thread do not matter.
// Cost: about 150 ns.
template <QueryMotion Motion>
[[nodiscard]] CcdResult ccd(const Motion& motion, const CcdOptions& options = {}) noexcept;

// Answers motions[i] into results[i]; the same bits as one call each.
// Errors: the sizes differ, or an option is not valid; every result is then Unresolved.
template <QueryMotion Motion>
[[nodiscard]] Expected<void> ccd(std::span<const Motion> motions, std::span<CcdResult> results,
                                 const CcdOptions& options = {});
// The same for a std::vector, a std::array and the like.
template <std::ranges::contiguous_range Motions>
requires QueryMotion<std::ranges::range_value_t<Motions>>
[[nodiscard]] Expected<void> ccd(const Motions& motions, std::span<CcdResult> results,
                                 const CcdOptions& options = {}) {
    return ccd(std::span<const std::ranges::range_value_t<Motions>>(motions), results, options);
}

}  // namespace graze
