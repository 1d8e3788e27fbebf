// `tight-inclusion`: bisection of (t, u, v) with the tightest box around F (Wang, Ferguson,
// Schneider, Jiang, Attene, Panozzo: A large-scale benchmark and an inclusion-based algorithm for
// continuous collision detection, ACM TOG 2021; "the paper" below).
//
// F(t, u, v) is the difference of two points, one on each primitive, at time t. For fixed t it is
// affine in u and v, for fixed (u, v) affine in t, so that the box of F over a box I of the domain
// is the box of its values at the eight corners of I (Eq. 4). Boxes that do not reach the origin
// hold no contact; the others are split, level by level and in the order of time (Algorithm 2),
// until the earliest one is small.
//
// Derivations: docs/derivations/tight_inclusion.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "graze/core/instruction_set.hpp"
#include "graze/narrow/method.hpp"
#include "graze/narrow/query_bounds.hpp"

namespace graze {

// How the rounding errors of F are bounded.
enum class InclusionFilter : std::uint8_t {
    // Ours: 8u times the sizes of the differences that F is made of, per axis. Invariant to scale and
    // offset.
    Tight,
    // The paper's Eq. 5 and 8: a constant times max(1, largest |coordinate|)^3, per axis, and the
    // paper's order of evaluation.
    Paper,
};

// No limit: every query is searched to the tolerance, however long that takes ("fixed accuracy").
inline constexpr std::uint64_t kUnlimitedChecks = std::numeric_limits<std::uint64_t>::max();

// Memory of one query, and what a thread keeps of it (derivation TI-4).
inline constexpr std::size_t kTightInclusionMaxBytes = std::size_t{96} << 20;
inline constexpr std::size_t kTightInclusionKeptBytes = std::size_t{1} << 20;

struct TightInclusionOptions {
    // distance_tolerance is the paper's delta, max_checks its m_I. A separation > 0 must be in the
    // max-norm.
    CcdOptions query;
    InclusionFilter filter = InclusionFilter::Tight;
    // One filter for a whole scene instead of one per query: answers then do not depend on how large
    // the single primitive is. A motion that is not within the bounds gets the filter of its own.
    std::optional<SceneBounds> scene;
    // Of a Contact the exact separation at the start is asked for, which the paper does not: then
    // toi_lower > 0 where the start is separated, and a Contact may become Separated. False: as
    // published.
    bool proves_start = true;
    // Which code to run; what the machine lacks is replaced by Portable. Same bits with each.
    InstructionSet instructions = best_instruction_set();
};

// Guarantee, for finite motions and valid options:
//   - Separated is a proof: the max-norm distance is > min_separation on all of [0, t_max].
//   - Contact: not excluded at the tolerance. The max-norm distance comes down to min_separation +
//     result.tolerance, proved; the tolerance reached is the width of the box of F that is left,
//     (and four times the filter), which is below distance_tolerance unless the checks were spent (or
//     doubles end there).
//   - [0, toi_lower) is proved free; with proves_start toi_lower > 0 where the start is separated
//     (unless the first time that the separating directions at the start allow is below the smallest
//     double).
//   - Unresolved only where run() says so (a Euclidean separation, bad input) and where memory runs
//     out.
// One check is one box. Spent checks end with Contact and the earliest time not excluded ("fixed
// run time").
// Memory: at most kTightInclusionMaxBytes while a query runs, whatever the number of checks; of
// them a thread keeps at most kTightInclusionKeptBytes for its next query.
template <QueryMotion Motion>
[[nodiscard]] CcdResult tight_inclusion(const Motion& motion,
                                        const TightInclusionOptions& options = {}) noexcept;

// The same as methods: `tight-inclusion` with our filter, and `tight-inclusion-paper` as published:
// with the paper's filter, and without `proves_start`.
// With bounds (graze/narrow/query_bounds.hpp) the filter is that of the scene.
[[nodiscard]] Method make_tight_inclusion() noexcept;
[[nodiscard]] Method make_tight_inclusion_paper() noexcept;

}  // namespace graze
