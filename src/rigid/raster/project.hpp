// Vertices on the screen, and which faces and edges can matter at all.
#pragma once

#include "rigid/raster/body.hpp"

namespace graze::rigid::raster {

// Fills normals, and position, point, face_box and box of the facing parts.
void project_vertices(Body& body, const Flow& flow, const Settings& settings, double q);

// Keeps faces whose box meets the other body's, and the edges of those. `shift` is how times
// compare: times of A minus times of B lie in [0, 1] for what meets. Fills wanted_face, wanted_edge
// and partner, and narrows the box to what is kept.
void keep_near(Body& body, const ScreenBox& other, const Range& shift);

}  // namespace graze::rigid::raster
