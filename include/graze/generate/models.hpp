// Rigid bodies of our own making, as polygons that run counterclockwise as seen from outside.
//
// All are closed, and all but screw_thread() and threaded_hole() have planar faces alone (exactly
// where the coordinates are round numbers, within rounding where they lie on circles).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/io/polygon_mesh.hpp"

namespace graze::generate {

// Side 1, centred at the origin: 8 vertices, 12 edges, 6 faces. Exact.
[[nodiscard]] io::PolygonMesh cube();
// Four vertices of the cube of side 2 about the origin. Exact.
[[nodiscard]] io::PolygonMesh tetrahedron();
// A car of 16 vertices, 26 edges and 12 faces, as many as that of Buss 2005, Figure 12: y is up, x
// forward, 4.5 long, 1.75 wide, not convex at windshield and rear window. Exact.
[[nodiscard]] io::PolygonMesh car();
// A bar with teeth that point up (y), one for each unit of length, so that the side is one polygon
// that is far from convex. A second comb, turned over and shifted by half a unit, fits between the
// teeth with half of `clearance` on either side. Requires: teeth >= 1, 0 <= clearance < 1.
inline constexpr double kUsualPlay = 0.125;
[[nodiscard]] io::PolygonMesh comb(std::uint32_t teeth, double clearance = kUsualPlay);

// About the y axis: `rings` sections of `sides` vertices, radius `major` to the middle of the tube
// and `minor` of the tube. rings * sides faces, all of them planar trapezoids: their sides along
// the ring are parallel. Requires: rings, sides >= 3, 0 < minor < major.
inline constexpr double kUsualMajor = 1.0;
inline constexpr double kUsualMinor = 0.4;
[[nodiscard]] io::PolygonMesh torus(std::uint32_t rings = 20, std::uint32_t sides = 15,
                                    double major = kUsualMajor, double minor = kUsualMinor);
// A torus of about that many faces, at least 9.
[[nodiscard]] io::PolygonMesh torus_of(std::uint32_t faces);
// Radius 1: an icosahedron whose triangles are cut into four, `levels` times: 20 * 4^levels.
// Requires: levels <= 10.
[[nodiscard]] io::PolygonMesh sphere(std::uint32_t levels);

// A thread about the y axis: radius + depth cos(2 pi y / lead - phi) at the angle phi about y
// (right-hand rule). The ideal surface goes into itself under every rotation by an angle s about y with
// a shift of lead * s / (2 pi). Sampled at `around` angles and `along` heights for each turn.
struct ThreadShape {
    double radius = 1.0;
    double depth = 0.15;  // < radius
    double lead = 0.5;    // [length] for a turn
    double turns = 3.0;   // the length is lead * turns
    std::uint32_t around = 32;
    std::uint32_t along = 12;

    // How far the facets are from the ideal surface at most, in radius: the sagitta of the circle
    // and that of the wave.
    [[nodiscard]] double sampling_error() const noexcept;
};
// From y = 0 upwards, with flat ends.
[[nodiscard]] io::PolygonMesh screw_thread(const ThreadShape& shape = {});
// A block with a thread through it that is wider by `clearance` than the shape's. A screw of that
// shape rotates in it without contact where clearance > 2 sampling_error(); pushed straight on, or
// turned with another lead, it collides as soon as the flanks are off by the clearance.
// Requires: clearance >= 0.
inline constexpr double kUsualClearance = 0.05;
[[nodiscard]] io::PolygonMesh threaded_hole(const ThreadShape& shape = {},
                                            double clearance = kUsualClearance);

// "cube", "tetrahedron", "car", "comb", "torus", "sphere", "screw", "nut".
[[nodiscard]] std::span<const std::string_view> model_names() noexcept;
// The model of that name with about `faces` faces, or with its usual number where that is 0 or it
// has no other. Errors: an unknown name (the message lists them), more than kMaxModelFaces,
// "cancelled" after a stop.
[[nodiscard]] Expected<io::PolygonMesh> model(std::string_view name, std::uint32_t faces = 0,
                                              const StopToken& stop = {});
inline constexpr std::uint32_t kMaxModelFaces = 20'000'000;

}  // namespace graze::generate
