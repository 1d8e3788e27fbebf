// A picture of one step of a mesh, as SVG that needs nothing else.
#pragma once

#include <string>

#include "mesh_report.hpp"

namespace graze::app {

// "vertex 3, face 7".
[[nodiscard]] std::string impact_text(const Impact& impact);

struct DrawnStep {
    const io::MeshPair& pair;
    const MeshTopology& mesh;
    const MeshOutcome& outcome;
    double t_max = 1.0;
    std::string name_start;  // of the files, without folders
    std::string name_end;
};

// The start with all that will touch in the colour of its time; the first contact with its two
// features, and from near; the end. Seen from where the first contact is seen best. At most about
// 2 MB: meshes of many faces are drawn coarser.
[[nodiscard]] std::string step_svg(const DrawnStep& step);

}  // namespace graze::app
