// Common to the makers of models.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "graze/core/elementary.hpp"
#include "graze/core/stop.hpp"
#include "graze/generate/models.hpp"

namespace graze::generate {

inline void add_polygon(io::PolygonMesh& mesh, std::initializer_list<std::uint32_t> corners) {
    for (const std::uint32_t corner : corners)
        mesh.polygons.add_corner(corner);
    mesh.polygons.close();
}

// The models of any size. After a stop the mesh is unfinished.
[[nodiscard]] io::PolygonMesh make_comb(std::uint32_t teeth, double clearance, StopPoll& stop);
[[nodiscard]] io::PolygonMesh make_torus(std::uint32_t rings, std::uint32_t sides, double major,
                                         double minor, StopPoll& stop);
[[nodiscard]] io::PolygonMesh make_torus_of(std::uint32_t faces, StopPoll& stop);
[[nodiscard]] io::PolygonMesh make_sphere(std::uint32_t levels, StopPoll& stop);
[[nodiscard]] io::PolygonMesh make_thread(const ThreadShape& shape, StopPoll& stop);
[[nodiscard]] io::PolygonMesh make_hole(const ThreadShape& shape, double clearance, StopPoll& stop);

inline constexpr double kTurn = 6.283185307179586476925;

// The i-th of n points of the unit circle about y, counted by the right-hand rule from x.
struct CirclePoint {
    double x;
    double z;
};
[[nodiscard]] inline CirclePoint on_circle(std::uint32_t i, std::uint32_t n) {
    const double angle = kTurn * i / n;
    return {cosine(angle), -sine(angle)};
}

}  // namespace graze::generate
