// The constants of proofs that several passes and files share: one definition, so that code for
// several queries at a time compares with the very numbers that code for one does.
#pragma once

namespace graze::certified::constants {

inline constexpr double kU = 0x1p-53;
// With numbers below 2 in a few dozen operations all losses to underflow together, 2^-1075 each,
// stay far below this, which every bound has added.
inline constexpr double kUnderflow = 0x1p-1000;

// The same for a direction of any length, relative to |n|_1: docs/derivations/certified.md, CERT-2. A
// square of its length below the second is not known.
inline constexpr double kAlongError = 16.0 * kU;
inline constexpr double kLeastSquare = 0x1p-900;
// What n.D must exceed besides d |n|, relative to S: docs/derivations/certified_separation.md, CS-9.
inline constexpr double kAlongDirectionError = 10.0 * kU;
// On d, for |n| <= 1 + 5.1u and the roundings of the threshold.
inline constexpr double kReachFactor = 1.0 + 16.0 * kU;
// On d, for a difference that is u of itself too large, and the rounding of the sum.
inline constexpr double kAxisError = 4.0 * kU;
// Times that bound a span, relative to themselves.
inline constexpr double kTimeError = 8.0 * kU;
// What is nearer is not told from d.
inline constexpr double kNoGap = 0x1p-44;
// Samples that are nearer in time to each other: progress is too slow.
inline constexpr double kLeastStep = 0x1p-40;
// So far behind the expected time of a contact its sample is, in time widths.
inline constexpr double kBehind = 0.4;
// Steps that end earlier are not searched: times and parts of them, down to 2^-53 of one, are then far from
// underflow.
inline constexpr double kLeastEnd = 0x1p-500;
// A direction as short as this has no length that is known.
inline constexpr double kShortest = 0x1p-450;
// The scaled d, between: otherwise the product was perhaps rounded, or all is contact.
inline constexpr double kLeastReach = 0x1p-500;
inline constexpr double kLargestReach = 8.0;

}  // namespace graze::certified::constants
