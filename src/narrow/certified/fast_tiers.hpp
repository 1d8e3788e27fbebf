// The tiers of `certified` that decide nearly every query: floating point with proved error bounds.
//
// The differences D_i of the vertices of the two primitives (vertex-face: f_i - v; edge-edge: a_i -
// b_j, the vertices of a parallelogram in their order) are linear in t, and their hull holds the
// origin at time t iff the primitives touch then. Every tier decides with proof, or leaves the query
// open. Code and proofs: tiers/cascade-inl.hpp; derivation: docs/derivations/certified.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graze/core/instruction_set.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/narrow/certified_tier.hpp"
#include "graze/narrow/motion.hpp"

namespace graze::certified {

// Which tier decided.
using Tier = CertifiedTier;

struct FastAnswer {
    enum class State : std::uint8_t { Open, Separated, Contact };
    State state = State::Open;
    Tier tier = Tier::Exact;
    // Contact: the exact first time is in [lower, upper], and lower > 0 unless it is 0.
    // Open, with 0 < lower: the first contact is at the only root of the coplanarity cubic in
    // (lower, upper), and the bracket is too wide. Only for the least time_width, kNarrowest.
    double lower = 0.0;
    double upper = 0.0;
};

// Asks for the one bracket that no other width allows to differ: a double, or two neighbours (CE-6).
inline constexpr double kNarrowest = 0x1p-1074;

// Requires: a finite motion, 0 <= t_max <= 1, time_width > 0, until >= 0.
struct FastOptions {
    double t_max = 1.0;
    double time_width = 1e-9;
    // Separated may mean: on [0, until] alone. All other answers are those for [0, t_max].
    double until = 1.0;
};
template <class Motion>
using FastFunction = FastAnswer (*)(const Motion&, const FastOptions&) noexcept;

// The code for an instruction set; what the machine lacks is replaced by Portable. Same bits.
template <class Motion>
[[nodiscard]] FastFunction<Motion> fast_tiers(InstructionSet set) noexcept;

// Minimum separation: Separated where the distance, in that norm, is > d on all of [0, t_max];
// Contact where it is > d on [0, lower) and <= d at some time up to `upper` <= t_max, with
// upper - lower <= time_width.
// Requires: a finite motion, d > 0, 0 <= t_max <= 1, time_width > 0.
struct FastSeparationOptions {
    double d = 0.0;
    Norm norm = Norm::Euclidean;
    double t_max = 1.0;
    double time_width = 1e-9;
};
template <class Motion>
using FastSeparation = FastAnswer (*)(const Motion&, const FastSeparationOptions&) noexcept;
template <class Motion>
[[nodiscard]] FastSeparation<Motion> fast_separation(InstructionSet set) noexcept;

// Of up to 64 queries, several at a time: bit i where motions[i] is proved to stay farther than
// separations[i] on all of [0, t_max] (docs/derivations/certified_separation.md, CS-11, CS-12). Of those
// fast_separation() says Separated, too, or it leaves them open and is_separated_alone() says so; what is
// left is for it. `d` of the options does not count.
// Requires: what fast_separation() does, or d = 0; 1 <= count <= kMostInBatch.
inline constexpr std::size_t kMostInBatch = 64;
template <class Motion>
using SeparatedBatch = std::uint64_t (*)(const Motion* motions, const double* separations,
                                         std::size_t count, const FastSeparationOptions&) noexcept;
// Of polygons alone; null where the machine has none of the instructions.
template <class Motion>
[[nodiscard]] SeparatedBatch<Motion> separated_batch(InstructionSet set) noexcept;

// One query that fast_separation() leaves open, by the proofs that several at a time have (CS-11): without
// it such a query would have one answer in a batch and another alone. Same bits everywhere.
template <class Motion>
[[nodiscard]] bool is_separated_alone(const Motion& motion,
                                      const FastSeparationOptions& options) noexcept;

// A lower bound of the distance at the start, in that norm, within some 2^-35 of it; 0: passed on, where
// that is tiny against the vertices' differences, or out of range. Requires: a finite motion.
template <class Motion>
using FastDistance = double (*)(const Motion&, Norm) noexcept;
template <class Motion>
[[nodiscard]] FastDistance<Motion> fast_distance(InstructionSet set) noexcept;

}  // namespace graze::certified
