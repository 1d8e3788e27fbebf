// What moving parts of a world do to a shape that stands, or is in their path: it is carried, or
// pushed, or the result reports that there was no room for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graze/slide/mover.hpp"
#include "graze/slide/world.hpp"

namespace graze::slide {

enum class RideOutcome : std::uint8_t {
    Unmoved,   // no moving part comes near it
    Carried,   // with the part that it stands on, and by that alone
    Pushed,    // by what would have met it
    Crushed,   // no position next to the moving parts is free: proved up to `time` alone
    Limit,     // the steps ran out: proved up to `time` alone
    Unproved,  // the start does not keep its skin: nothing can be proved of the frame; of a
               // Character also: frames were left out
};
// "unmoved", "carried", "pushed", "crushed", "limit", "unproved".
[[nodiscard]] std::string_view name(RideOutcome outcome) noexcept;

inline constexpr int kMaxRideSteps = 192;

template <class Real>
struct RideResult {
    RideOutcome outcome = RideOutcome::Unproved;
    Vec<Real> position;    // at `time`
    double time = 0.0;     // [of the frame] up to which the ride is proved
    double overlap = 0.0;  // [length] at most so deep in the world at the end of the frame
    int steps = 0;
};

// The positions of a ride: straight from each to the next, at a constant speed; two at the same time
// where it was pushed to where it rests. For those who verify it.
struct RideTrail {
    struct Point {
        double time = 0.0;
        Vec3 position;
    };
    std::array<Point, 2 * kMaxRideSteps + 1> points;
    std::size_t count = 0;

    void add(double time, const Vec3& position) noexcept {
        if (count < points.size()) points[count++] = {time, position};
    }
};

// The motions of the world's current frame, from the position that the shape had at its begin.
// Guarantee: up to `time` no point of a part, each on its exact motion (PartMotion), comes into the
// shape, which moves on straight pieces and meets nothing on them; and at `time` the gap to every
// face is at least the skin. 1 unless the outcome is Crushed, Limit or Unproved. One-sided faces count
// unless the centre is provably behind them: those of moving parts at all times, those of still parts
// where a straight piece begins, and at `time`. A ride is not proved beyond the time at which a face that
// the shape is in from behind passes its centre.
// Derivation: docs/derivations/slide_world.md, SW-2. Neither allocates nor throws; at most
// kMaxRideSteps steps.
// `carrier`: the part that it stands on, if any.
template <class Real>
[[nodiscard]] RideResult<Real> ride_parts(const World<Real>& world, const Shape<Real>& shape,
                                          const Vec<Real>& start,
                                          std::optional<std::uint32_t> carrier = std::nullopt,
                                          const MoveOptions<Real>& options = {},
                                          RideTrail* trail = nullptr) noexcept;

}  // namespace graze::slide
