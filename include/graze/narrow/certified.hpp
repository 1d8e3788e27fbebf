// `certified`: exact verdicts at the speed of the approximate methods.
//
// A cascade of tiers, each of which decides with proof or passes on: directions that separate the
// whole motion, the coplanarity cubic with a bound of its errors, and in the end integers of any
// size, which always answer. graze::ccd() (graze/ccd.hpp) asks this method. Derivations: docs/derivations/certified.md,
// docs/derivations/certified_exact.md.
#pragma once

#include "graze/narrow/certified_tier.hpp"
#include "graze/narrow/method.hpp"

namespace graze {

// Input and options are checked, and the arithmetic of the thread is set as in run().
// Guarantee, for finite motions and valid options, without a separation:
//   - Contact and Separated are exact for the closed domain; never Unresolved.
//   - [toi_lower, toi_upper] holds the exact first time; its width is at most time_width, or the
//     two are neighbouring doubles. toi_lower > 0 unless the first time is 0 or below the smallest
//     double.
//   - t_max is honoured exactly.
// One query is one check.
//
// With a separation d > 0, in either norm:
//   - Separated: the distance is > d on all of [0, t_max], proved.
//   - Contact: the distance is <= d + tolerance at some t <= toi_upper, proved by witness points;
//     tolerance <= distance_tolerance.
//   - [0, toi_lower) is free of distances <= d.
//   - Unresolved where max_checks are spent, or where distance_tolerance is below the rounding of
//     the coordinates' differences. One check is one test of a direction at a time.
template <QueryMotion Motion>
[[nodiscard]] CcdResult certify(const Motion& motion, const CcdOptions& options = {}) noexcept;

// The result of certify(), the same bits, and the tier that decided it.
struct CertifiedAnswer {
    CcdResult result;
    CertifiedTier tier = CertifiedTier::Exact;
};
template <QueryMotion Motion>
[[nodiscard]] CertifiedAnswer certify_with_tier(const Motion& motion,
                                                const CcdOptions& options = {}) noexcept;

[[nodiscard]] Method make_certified() noexcept;

}  // namespace graze
