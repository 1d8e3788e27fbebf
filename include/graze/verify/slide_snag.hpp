// Is a mover caught on the edges of gently folded ground? The open problem of Linahan, section IV.
//
// The ground is a height field whose slopes are at most `steepness`, so that nothing stands in the
// path of a ball: its centre can follow the surface at one radius and a skin above the ground,
// which has the same bound on its slopes. With the displacement w = h - g |h| y (h horizontal, y
// up, g the weight), sliding up a plane of the angle a = atan(steepness) makes
//   cos^2 a - g sin a cos a
// of |h|, the least that any face of the ground allows: 0.90 for 5 degrees and g = 1. A frame that
// makes less than half of |h| is held by something that is not there: it is caught.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/generate/levels.hpp"
#include "graze/verify/slide_run.hpp"

namespace graze::verify {

enum class SnagGroundKind : std::uint8_t {
    Flat,      // one plane in strips of random width, slivers among them, cut at random
    Folded,    // the same strips, ridges and valleys across the path
    Facetted,  // a grid with a random height at each vertex
    Voxels,    // cubes side by side with their walls between them, tops at one height
    // The same of boxes that do not quite meet: gaps and overlaps of up to kMostSeam, tops that
    // differ by up to kMostSeamStep.
    Seams,
    Noisy,  // as scanned: a fine grid with slopes of up to 0.4
};
inline constexpr std::array kAllSnagGrounds = {SnagGroundKind::Flat,     SnagGroundKind::Folded,
                                               SnagGroundKind::Facetted, SnagGroundKind::Voxels,
                                               SnagGroundKind::Seams,    SnagGroundKind::Noisy};
// [radii] of a ball of radius 1: three of its default skins for the step.
inline constexpr double kMostSeam = 1.0 / 64;
inline constexpr double kMostSeamStep = 3.0 / 256;

[[nodiscard]] std::string_view name(SnagGroundKind kind) noexcept;

// Ground, and how it is crossed. Lengths in radii of the ball, which is 1.
struct SnagTrial {
    SnagGroundKind kind = SnagGroundKind::Flat;
    std::uint64_t seed = 0;
    double side = 0.5;         // of strips or cells, about
    double steepness = 0.05;   // the largest slope, a tangent; 0 for Flat
    bool t_junctions = false;  // neighbouring strips are cut at different points
    double stride = 0.25;      // |h|, of each move
    double weight = 0.25;      // g
    double heading = 0.0;      // [rad] of h, from x towards z
};
// Number `index` of an endless list of trials of one kind: sides from 1/64 to 2, slopes up to 5
// degrees, strides from 1/64 to 4, weights up to 1, headings up to 60 degrees from the normal of
// the strips. Boxes have sides from 1/2 on, noisy ground from 1/8 to 1/2, slopes up to 0.4 and
// weights up to 1/4: then 0.69 of |h| are left on the steepest face.
[[nodiscard]] SnagTrial random_snag_trial(SnagGroundKind kind, std::uint64_t index) noexcept;

// The ground with a start above it and as many moves as lead to its end, at most 400.
[[nodiscard]] generate::LevelScene snag_scene(const SnagTrial& trial);

struct SnagTally {
    std::uint64_t frames = 0;
    std::uint64_t caught = 0;       // frames with less than half of the stride
    std::uint64_t longest = 0;      // most frames caught in a row
    int least_iterations = 0;       // of the caught frames; 0: none was caught
    double requested = 0.0;         // sum of |h|
    double progress = 0.0;          // sum of what was moved along h
    std::uint64_t penetrating = 0;  // frames that end in the ground, exactly

    [[nodiscard]] double caught_fraction() const noexcept {
        return frames > 0 ? static_cast<double>(caught) / static_cast<double>(frames) : 0.0;
    }
    [[nodiscard]] double lost() const noexcept {
        return requested > 0.0 ? 1.0 - progress / requested : 0.0;
    }
    SnagTally& operator+=(const SnagTally& other) noexcept;
};

// Lets a shape make the moves of the trial.
[[nodiscard]] Expected<SnagTally> measure_snags(const SnagTrial& trial,
                                                const SlideSettings& settings);
// The same for a ball of radius 1. A skin of 0 is the default one.
[[nodiscard]] Expected<SnagTally> measure_snags(const SnagTrial& trial, slide::MoverKind mover,
                                                Precision precision, double skin = 0.0);

}  // namespace graze::verify
