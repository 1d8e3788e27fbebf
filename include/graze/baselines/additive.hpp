// `additive`: conservative advancement by the distance (Li, Kaufman, Jiang: Codimensional
// incremental potential contact, ACM TOG 2021, "additive CCD").
//
// The distance of two primitives cannot shrink faster than l, a bound of how fast their corners
// approach each other. So time may advance by d / l without contact. Each step takes the fraction
// s of that, until the distance has come down to 1 - s of the first one, which counts as contact.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

struct AdditiveOptions {
    // min_separation (Euclidean) is the published xi, max_checks the limit of steps (10^7 in the
    // study); distance_tolerance has no meaning here.
    CcdOptions query{};
    // In (0, 1): the published s. The larger, the fewer false positives and the more steps.
    double rescaling = 0.9;
    // Of the published code: where the distance of two edges comes out as <= xi after a step, which
    // s < 1 forbids but for rounding, it is replaced by the smallest distance of their ends. May
    // miss contacts.
    bool ends_instead_of_no_distance = false;
};

struct AdditiveAnswer {
    CcdResult result;
    // Contact: the time that was reached. In exact arithmetic the primitives are separated before it;
    // in doubles nothing is proved. Infinity otherwise.
    double time_est = kInfinity;
};

// Guarantee: none. In exact arithmetic Separated would be true and time_est early, but neither the
// distances nor the steps are rounded with care.
//   - Contact for every approach to 1 - s of the first distance, or nearer. Also where steps are
//     spent, or so short that time stands still.
//   - Unresolved where distances or displacements overflow, and for a separation in the max-norm.
// One check is one step, of one distance.
template <QueryMotion Motion>
[[nodiscard]] AdditiveAnswer additive_ccd(const Motion& motion,
                                          const AdditiveOptions& options = {}) noexcept;

[[nodiscard]] Method make_additive() noexcept;

}  // namespace graze
