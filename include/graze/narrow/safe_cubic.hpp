// `safe-cubic`: the cubic test for coplanarity, made safe by proved tolerances (H. Wang, "Defending
// continuous collision detection against errors", ACM Transactions on Graphics 33(4), 2014), and
// `cubic`, the same code without them.
//
// Each query is looked at relative to itself: differences of corners, scaled where need be.
// Tolerances follow from B, a bound of those differences, and from the spacing of doubles. Where
// the cubic, the area or the weights do not tell, vertex-edge tests do, with a distance that is
// large enough. Derivations, and where we depart from the paper: docs/derivations/safe_cubic.md.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "graze/narrow/query_bounds.hpp"

namespace graze {

// B: no coordinate of the difference of two corners, at either end of the step, or of the
// difference of their velocities, is larger. [length]
// Tolerances grow with it: a contact may be a near miss of 41 2^-13 B, half a percent of B.
struct SafeCubicBound {
    double length = 0.0;
};

// The least B of one query, rounded up.
template <QueryMotion Motion>
[[nodiscard]] SafeCubicBound safe_cubic_bound(const Motion& motion) noexcept;

// B for all vertex-face and vertex-edge queries of a scene, or of an animation, that end in contact
// (section 4.1 of the paper): E + 2 V, rounded up. Coordinates of edge vectors are at most E at
// *both* ends of every step (the paper asks for the first end alone, which does not bound them at
// the second), displacements of vertices in a step at most V. Ends of two edges that meet may be
// E further apart: an edge-edge query takes its own B where that is larger.
[[nodiscard]] SafeCubicBound safe_cubic_scene_bound(double longest_edge,
                                                    double largest_displacement) noexcept;

// The same for one pair: the edges of its primitives, at both ends of `motion`, and the relative
// displacement of the scene. For the bound of a pair from its resting shape `motion` rests in it.
template <QueryMotion Motion>
[[nodiscard]] SafeCubicBound safe_cubic_pair_bound(const Motion& motion,
                                                   double relative_displacement) noexcept;
// By what is known of all queries: per pair or for the scene.
template <QueryMotion Motion>
[[nodiscard]] SafeCubicBound safe_cubic_bound(const Motion& motion,
                                              const QueryBounds& bounds) noexcept;

// Axis-parallel boxes of a set of points at both ends of a step.
struct MovingBox {
    Vec3 start_lower;
    Vec3 start_upper;
    Vec3 end_lower;
    Vec3 end_upper;
};
// Relative displacements of points of the set are at most the sizes of both boxes together: tighter
// than 2 V where the set moves fast as a whole. Rounded up.
[[nodiscard]] double relative_displacement_upper(const MovingBox& box) noexcept;
// E + the smaller of 2 V and that.
[[nodiscard]] SafeCubicBound safe_cubic_scene_bound(double longest_edge,
                                                    double largest_displacement,
                                                    const MovingBox& box) noexcept;

struct SafeCubicOptions {
    CcdOptions query;
    // Fixed for a scene or an animation, so that tolerances do not change from step to step. The
    // query's own B is used where it is larger, which includes the default.
    SafeCubicBound bound;
    bool plane_culling = true;
    // Leave out vertex-edge tests where no contact can be that they would find (section 5).
    bool vertex_edge_culling = true;
};

// What a query did.
struct SafeCubicCounters {
    std::uint32_t box_culled = 0;          // 1: the boxes of the whole step are disjoint
    std::uint32_t plane_culled = 0;        // 1: a plane separates the whole motion
    std::uint32_t roots = 0;               // candidates of the cubic solver
    std::uint32_t vertex_edge_spared = 0;  // 1: vertex-edge tests were left out by their culling
    std::uint32_t vertex_edge_tests = 0;   // made, of up to 3 (vertex-face) or 4 (edge-edge)
    std::uint32_t candidates = 0;          // times in [0, 1] at which those were evaluated
};
struct SafeCubicReport {
    CcdResult result;
    SafeCubicCounters counters;
};

// Guarantee, for finite motions and valid options without a separation (others: Unresolved):
//   - Separated: no contact in [0, t_max], in exact arithmetic. Never Unresolved.
//   - Contact: could not be excluded. The primitives come within `tolerance` of each other,
//     at most 41 2^-13 B; infinity where differences of coordinates overflow.
//   - [0, toi_lower) is proved free; toi_lower > 0 where the start is separated (unless the first
//     time that the separating directions at the start allow is below the smallest double). For a
//     contact that is not degenerate it is the first time of contact up to some 1e-7. (The paper's
//     tests say yes or no.) toi_upper is infinity: no contact is proved.
// One query is one check. Cost: some 100 to 300 ns where boxes overlap, microseconds for what
// touches at the start.
template <QueryMotion Motion>
[[nodiscard]] CcdResult safe_cubic_ccd(const Motion& motion,
                                       const SafeCubicOptions& options = {}) noexcept;

// The same, with what was done on the way.
template <CoplanarityMotion Motion>
[[nodiscard]] SafeCubicReport safe_cubic_report(const Motion& motion,
                                                const SafeCubicOptions& options = {}) noexcept;

// The same code without tolerances, vertex-edge tests and bound: what is common, for comparison. It
// misses contacts, and guarantees nothing.
template <CoplanarityMotion Motion>
[[nodiscard]] CcdResult cubic_ccd(const Motion& motion,
                                  const SafeCubicOptions& options = {}) noexcept;

// B of each query; with bounds (graze/narrow/query_bounds.hpp) that of the scene, or of the pair, where it is
// larger.
[[nodiscard]] Method make_safe_cubic() noexcept;
[[nodiscard]] Method make_cubic() noexcept;

// --- The numbers behind it -------------------------------------------------------------------------

// As they are compiled in. Errors in units of B^n eps, by the paper's count and (`here`) with the
// rounding errors of the vectors; tolerances in units of B^n and the power of eps that belongs to each.
struct SafeCubicConstants {
    std::uint64_t coefficients, cubic, normal, square, weight, edge_criterion, face_criterion,
        vertex_vertex;
    std::uint64_t coefficients_here, cubic_here, face_criterion_here;
    double mu, tau, eta, radius, rho, psi, lambda_sq, distance;
    std::uint64_t plane_culling;
    int solver_threshold;   // least mu that the cubic solver needs, in units of B^3 eps
    int solver_iterations;  // at most, for one root
};
[[nodiscard]] SafeCubicConstants safe_cubic_constants() noexcept;

// What the same proof gives for a format of numbers with eps = 2^-spacing_exponent (SC-11).
struct SafeCubicPrecision {
    std::string_view name;
    int spacing_exponent = 0;
    double fourth_root = 0.0;  // eps^(1/4)
    bool errors_hold = false;  // the integers of SafeCubicConstants bound the errors
    // The least mu, in units of B^3 eps^(3/4), by the paper's solver and by ours; 64 is used.
    double solver_threshold_needed = 0.0;
    double solver_threshold_needed_here = 0.0;
    bool paper_values_hold = false;
    bool paper_values_hold_here = false;
    // Values that are proved (with the paper's solver), and the distance of a false positive from
    // contact, in units of B eps^(1/4).
    double mu = 0.0, tau = 0.0, eta = 0.0, radius = 0.0;
    double distance = 0.0;

    // As a fraction of B.
    [[nodiscard]] double relative_distance() const noexcept { return distance * fourth_root; }
};
// float, double, extended (80 bits), binary128.
[[nodiscard]] std::array<SafeCubicPrecision, 4> safe_cubic_precisions() noexcept;

}  // namespace graze
