// Pictures of paths over a level, as SVG that needs nothing else.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "exact_gap.hpp"

namespace graze::tools {

struct PathPanel {
    std::string title;
    std::string note;                 // below the title: figures
    std::vector<Vec3> path;           // of the centre
    std::vector<std::size_t> inside;  // places of the path where the shape penetrates
};

// Seen from the side (y up) and from above, one column a panel, all in one scale. Of the level the
// edges near the paths are drawn, as many as fit into about 200 kB. The shape is drawn where it
// starts, where it ends, and now and then in between.
[[nodiscard]] std::string paths_svg(std::span<const Corners> level, const Vec3& radii,
                                    const std::vector<PathPanel>& panels);

}  // namespace graze::tools
