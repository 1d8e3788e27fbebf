// When a ball on its path comes to a given distance from an obstacle.
#pragma once

#include "slide/separation.hpp"

namespace graze::slide {

// The part of a path that was proved free: up to `time`, where the centre is about `distance` away.
struct FreePart {
    double time = 0.0;
    Direction direction;  // from the triangle to the ball, then
    double distance = 0.0;
};

struct Arrival {
    double time = 0.0;
    Direction direction;  // from the triangle to the ball, about then
};

// When the ball comes as near to the triangle as `radius`: an estimate, by Newton's method.
// Guarantee: 0 <= time <= free.time, whatever the estimate: no path is taken beyond what was
// proved.
// Requires: 0 <= free.time <= 1.
[[nodiscard]] Arrival arrival_at(const NearTriangle& t, const Path& path, double radius,
                                 const FreePart& free) noexcept;

}  // namespace graze::slide
