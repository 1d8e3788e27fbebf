// Doppeling (Buss 2005, section 8): the angle about the axis is told up to whole turns only.
//
// Every feature is drawn with an angle that runs on without a jump, B's once and A's once for every
// whole turn by which it can meet B's: instead of clipping a face at phi = pi (Figure 10), all of
// it
// is drawn again. A face that the axis pierces (Figure 11) winds around it: its outline is closed
// by virtual edges from the axis outwards at both ends of the wanted angles.
#pragma once

#include "rigid/raster/body.hpp"

namespace graze::rigid::raster {

// Whole turns between the end of an edge as it is drawn from its first vertex, and the angle of its
// second vertex.
[[nodiscard]] int turns_of(const Body& body, const PolyhedronEdge& edge) noexcept;

// The box of a face k turns on.
[[nodiscard]] ScreenBox doppeled(const Flow& flow, const ScreenBox& box, int k) noexcept;

// Appends the chords of the boundary of a face, k turns on, with an angle that runs on from the
// first corner. Returns how often it winds around the axis.
int append_outline(std::vector<Chord>& outline, const Body& body, const Flow& flow,
                   std::uint32_t face, int k);

// The angles at which edges and faces of B are drawn, where the axis may run through it.
[[nodiscard]] Range drawn_angles(const Body& body, const Flow& flow);

// The angles at which a pierced face is wanted.
struct PiercedFace {
    std::uint32_t face = 0;
    Range phi;
    double r = 0.0;  // all of the face is nearer to the axis
};
// The two virtual edges; none where the face runs along the axis.
[[nodiscard]] std::vector<Chord> axis_edges(const Body& body, const Flow& flow,
                                            const Settings& settings, double q,
                                            const PiercedFace& pierced);

}  // namespace graze::rigid::raster
