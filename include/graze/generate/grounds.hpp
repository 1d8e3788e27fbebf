// Pieces of ground that movers are caught on: facets at random, boxes side by side.
#pragma once

#include <array>
#include <cstdint>

#include "graze/generate/levels.hpp"

namespace graze::generate {

struct GroundRectangle {
    double from_x = 0.0;
    double to_x = 0.0;
    double from_z = 0.0;
    double to_z = 0.0;
};

// Two triangles with vertices of their own, cut along the first diagonal or the other one.
void add_quad(LevelPart& part, const std::array<Vec3, 4>& quad, bool first_diagonal);
// The top and the four walls of a box.
void add_open_box(LevelPart& part, const Vec3& low, const Vec3& high, bool first_diagonal);

// Squares of `side` over the rectangle and a little more, with a height in [0, highest) at each
// vertex, each cut along a diagonal at random.
[[nodiscard]] LevelPart facetted_ground(const GroundRectangle& rectangle, double side,
                                        double highest, std::uint64_t seed);

// [length]
struct BoxGround {
    double side = 1.0;
    double most_seam = 0.0;  // gaps and overlaps of neighbours are up to that; 0: they meet
    double most_step = 0.0;  // tops differ by up to that
};
// Boxes of one depth over the rectangle and a little more, with all of their walls: tops are at 0.
[[nodiscard]] LevelPart box_ground(const GroundRectangle& rectangle, const BoxGround& boxes,
                                   std::uint64_t seed);

}  // namespace graze::generate
