// How well a mover moves: penetration and gaps measured afresh, rest, lost distance, time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graze/core/stop.hpp"
#include "graze/verify/exact_gap.hpp"
#include "graze/verify/slide_run.hpp"
#include "graze/verify/stats.hpp"

namespace graze::verify {

// Progress over frames that count. For a frame with requested displacement w that starts at p0 and ends at p1, on
// ground with the unit normal n (the contact at p0 within four skins whose normal points up most):
//   s = w - min(w.n, 0) n   the straight slide: w in the plane of the ground
//   requested += |s|,  progress += (p1 - p0).s / |s|
// Frames without ground, and those with |s| < |w| / 1000, do not count.
struct PathTally {
    std::uint64_t frames = 0;
    double requested = 0.0;
    double progress = 0.0;
    // 0 where nothing was requested.
    [[nodiscard]] double lost() const noexcept {
        return requested > 0.0 ? 1.0 - progress / requested : 0.0;
    }
};

// Jitter: in the last 20 frames of a press (one displacement w, again and again) a step d of the position
// must be 0, unless the shape still slides: d.w > 0 and |d| > |w| / 100,000. What is bounded and
// never rests must go back at times, and is found by d.w <= 0.
struct SlideMeasures {
    std::uint64_t moves = 0;
    double depth = 0.0;        // [length] of the deepest penetration, exactly 0 if there is none
    std::uint64_t inside = 0;  // frames that overlap
    std::uint64_t below_skin = 0;  // frames with a gap below the skin, exactly
    double least_gap_skins = 0.0;  // smallest gap over skin, rounded
    double skin = 0.0;             // [length] the smallest that was used
    double default_skin = 0.0;     // [length] what it should be at least
    double jitter = 0.0;           // [length] largest step at the end of a press, see below
    std::uint64_t rests = 0;       // how many presses were measured
    PathTally travel;              // all frames of travel
    PathTally straight;            // those whose straight slide is free of contact
    double path_tolerance = 0.0;   // [length] 4 units in the last place for each travel frame
    int iterations = 0;            // most
    std::uint64_t limits = 0;      // moves that ran out of iterations
    std::uint64_t unproved = 0;    // moves whose gap was not proved
    std::uint64_t not_finite = 0;
    bool escaped = false;  // left what is closed
    TimeSample times;
};

// What is measured beside the gap.
struct MeasureOptions {
    bool progress = true;
    bool gaps = true;                // else only time, iterations and rest
    std::uint64_t random_moves = 0;  // instead of the list of the scene
    std::uint64_t seed = 0;
    double scale = 1.0;  // of random displacements
    // Asked before every move; after a stop the measures are of the moves so far.
    StopToken stop{};
};

// Runs the moves of the scene, or random ones.
[[nodiscard]] SlideMeasures measure_slide(Walker& walker, const GapMeasure& judge,
                                          const generate::LevelScene& scene,
                                          const MeasureOptions& options = {});

// Guarantees of our mover that are broken here, one line each.
[[nodiscard]] std::vector<std::string> broken_claims(generate::LevelId level,
                                                     const SlideMeasures& measures);

}  // namespace graze::verify
