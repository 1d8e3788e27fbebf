// Pictures of paths over a level, as SVG that needs nothing else.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graze/verify/exact_gap.hpp"

namespace graze::app {
using namespace verify;

struct PathPanel {
    std::string title;
    std::string note;                 // below the title: figures
    Vec3 half_axis;                   // of a capsule: drawn as the balls at its ends
    std::array<Vec3, 2> side_axes{};  // of a rounded box: drawn as the balls at its corners
    std::vector<Vec3> path;           // of the centre
    std::vector<std::size_t> inside;  // places of the path where the shape penetrates
    std::vector<double> gaps;         // [skins] after each move
    std::vector<double> steps;        // what was moved over what was wished, of each move
};

// Seen from the side (y up) and from above, one column a panel, all in one scale. Of the level the
// edges near the paths are drawn, as many as fit into about 200 kB. The shape is drawn where it
// starts, where it ends, and now and then in between. Below: gap and step of every move.
// `side`: "x" or "z" goes to the right; anything else: the one on which the paths are longer.
[[nodiscard]] std::string paths_svg(std::span<const Corners> level, const Vec3& radii,
                                    const std::vector<PathPanel>& panels,
                                    std::string_view side = "");

}  // namespace graze::app
