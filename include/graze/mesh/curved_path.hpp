// Steps along a path of the caller's own: rigid bodies that rotate, affine maps, reduced coordinates.
//
// The solver gives x(alpha), and how far the path is from a straight line between two positions of it.
// The path is proved segment by segment: a straight one with every vertex as thick as it may deviate.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "graze/mesh/step.hpp"

namespace graze {

// Both functions are called from the calling thread alone.
struct MotionPath {
    // Writes the position of every vertex at alpha in [0, 1]. Equal alphas give equal positions.
    std::function<void(double alpha, std::span<Vec3> positions)> position;
    // [length] >= 0, 0 <= from < to <= 1: for every alpha in [from, to] each vertex of the path is within
    // it, in the Euclidean norm, of (1 - s) x(from) + s x(to), s = (alpha - from) / (to - from). Here x
    // are the positions as `position` writes them: their rounding errors count. Infinity where nothing
    // is known: a shorter interval is tried. A second derivative of at most m gives m (to - from)^2 / 8.
    std::function<double(double from, double to)> deviation{};
    // Or by vertex, instead of that: vertices that do not move, and small bodies, then cost nothing.
    std::function<void(double from, double to, std::span<double> deviation)> deviation_by_vertex{};
};

struct PathOptions {
    StepOptions step{};  // t_max is ignored; distance_tolerance is at most the largest deviation
    // [fraction of the path] in (0, 1]: the search ends where a segment as short as this is not free.
    double resolution = 0x1p-20;
    int max_proofs = 1000;  // >= 1: segments that are tested
};

struct PathStep {
    double alpha = 0.0;           // 0 where the start is not free, or not by the deviation
    std::vector<Vec3> positions;  // x(alpha), as `position` writes it
    // Ascending, from 0 to alpha: the path was proved from each to the next.
    std::vector<double> knots;
    // What the last segment that was not free touched first: a pair that comes near, if not in contact.
    std::optional<Impact> impact;
    int proofs = 0;
};

// How far the path is free, or nearly.
// Guarantee, for a method that proves its answers, with bounds that hold: on all of [0, alpha] no pair
// that the filter admits comes within min_separation (and its thickness) on the path itself, nor at
// `positions` (MESH-11 in docs/derivations/mesh.md).
// Errors as of first_impact(); a deviation that is NaN or < 0 (InvalidInput); options or functions that
// are missing or out of range (InvalidOption).
[[nodiscard]] Expected<PathStep> largest_safe_step(MeshStepper& stepper, const MotionPath& path,
                                                   const PathOptions& options = {});

struct PathLineSearchResult {
    double alpha = 0.0;  // 0, and the start: no energy below that of the start was found
    std::vector<Vec3> positions;
    double energy = 0.0;
    double alpha_free = 0.0;  // of largest_safe_step()
    int evaluations = 0;      // of the energy
    int proofs = 0;
};

// From alpha_free back, by halves, until the energy is below that of the start.
// Guarantee: that of largest_safe_step(), for the alpha and the positions that are returned. Keep some
// distance by a min_separation, or the next search begins in contact.
// Errors as of largest_safe_step(); an energy of the start that is NaN (NotFinite).
[[nodiscard]] Expected<PathLineSearchResult> line_search(
    MeshStepper& stepper, const MotionPath& path,
    const std::function<double(std::span<const Vec3>)>& energy, const PathOptions& options = {},
    int max_halvings = 60);

}  // namespace graze
