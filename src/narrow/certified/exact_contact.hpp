// The last tier of the method `certified`: decides every query, whatever the doubles.
//
// Integers, signs, and nothing that rounds: no filter, no budget, no case left over. It is slow
// beside the tiers above (microseconds where they take nanoseconds) and is asked what they leave:
// contacts exactly on a boundary, flat motion, roots that meet. Derivation:
// docs/derivations/certified_exact.md.
#pragma once

#include <cstdint>

#include "graze/narrow/query_kind.hpp"

namespace graze::certified {

struct ExactContact {
    bool contact = false;
    // The exact first time t* is in [lower, upper]; both infinite without contact.
    double lower = 0.0;
    double upper = 0.0;
    friend constexpr bool operator==(const ExactContact&, const ExactContact&) noexcept = default;
};

// Do the primitives touch at some t in [0, t_max], and when first? The domain is closed: vertices,
// edges and both ends of [0, t_max] count.
// Guarantee: exact. lower <= t* <= upper, with upper - lower <= time_width or no double between
// them, and upper <= t_max; lower = upper only if both are t*; so it is wherever t* = 0. lower > 0
// where t* is at least the smallest double.
// Requires: all coordinates finite, 0 <= t_max <= 1, time_width >= 0.
// Cost: microseconds for coordinates of like magnitude, a millisecond where their exponents span
// the range of doubles; tens of milliseconds where roots are made to meet there as well. Bounded,
// however close roots are. No rounding mode matters. Allocates where numbers exceed 1024 bits, and
// throws std::bad_alloc where that fails.
template <class Motion>
[[nodiscard]] ExactContact exact_first_contact(const Motion& motion, double t_max,
                                               double time_width);

// Where the first contact is known to be the only root of the coplanarity cubic in (lower, upper), the
// cubic of opposite signs at both: what exact_first_contact() has for time_width = 0, for which signs
// of that cubic at a few doubles are enough. For vertex-face and edge-edge.
template <class Motion>
[[nodiscard]] ExactContact narrowest_contact(const Motion& motion, double lower, double upper);

// The integers that decide: of fixed width where the exponents of the coordinates are close enough,
// of any width otherwise. All that are wide enough give the same bits (CE-8).
enum class IntegerWidth : std::uint8_t { OneLimb, TwoLimbs, Growing };
// The least that is wide enough, which exact_first_contact takes.
template <class Motion>
[[nodiscard]] IntegerWidth integer_width(const Motion& motion) noexcept;
// The same with a width of one's own: for tests. Requires: width >= integer_width(motion).
template <class Motion>
[[nodiscard]] ExactContact exact_first_contact_in(IntegerWidth width, const Motion& motion,
                                                  double t_max, double time_width);

}  // namespace graze::certified
