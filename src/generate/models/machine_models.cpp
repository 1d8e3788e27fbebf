// Models of flat parts: cube, tetrahedron, car and comb.
#include <array>

#include "generate/models/makers.hpp"
#include "graze/core/assert.hpp"

namespace graze::generate {

io::PolygonMesh cube() {
    io::PolygonMesh mesh;
    for (const double z : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
            for (const double x : {-0.5, 0.5})
                mesh.positions.push_back({x, y, z});
    add_polygon(mesh, {0, 2, 3, 1});
    add_polygon(mesh, {4, 5, 7, 6});
    add_polygon(mesh, {0, 1, 5, 4});
    add_polygon(mesh, {2, 6, 7, 3});
    add_polygon(mesh, {0, 4, 6, 2});
    add_polygon(mesh, {1, 3, 7, 5});
    return mesh;
}

io::PolygonMesh tetrahedron() {
    io::PolygonMesh mesh;
    mesh.positions = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    add_polygon(mesh, {0, 1, 2});
    add_polygon(mesh, {0, 3, 1});
    add_polygon(mesh, {0, 2, 3});
    add_polygon(mesh, {1, 3, 2});
    return mesh;
}

// The outline as seen from the right (z > 0), counterclockwise from the rear bumper; the cabin is
// narrower at the roof. Each side is cut in two along the waist: the body below, the cabin above.
io::PolygonMesh car() {
    struct Station {
        double x;
        double y;
        double half_width;
    };
    constexpr Station kOutline[] = {{-2.25, 0.25, 0.875}, {2.25, 0.25, 0.875},  {2.25, 0.75, 0.875},
                                    {1.0, 1.0, 0.875},    {0.5, 1.5, 0.6875},   {-1.0, 1.5, 0.6875},
                                    {-1.75, 1.0, 0.875},  {-2.25, 0.875, 0.875}};
    io::PolygonMesh mesh;
    for (const double side : {1.0, -1.0})
        for (const Station& s : kOutline)
            mesh.positions.push_back({s.x, s.y, side * s.half_width});
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t j = (i + 1) % 8;
        add_polygon(mesh, {j, i, 8 + i, 8 + j});
    }
    add_polygon(mesh, {0, 1, 2, 3, 6, 7});
    add_polygon(mesh, {3, 4, 5, 6});
    add_polygon(mesh, {15, 14, 11, 10, 9, 8});
    add_polygon(mesh, {14, 13, 12, 11});
    return mesh;
}

// The outline counterclockwise: along the bar to the right, then tooth by tooth back to the left.
io::PolygonMesh comb(std::uint32_t teeth, double clearance) {
    StopPoll never;
    return make_comb(teeth, clearance, never);
}

io::PolygonMesh make_comb(std::uint32_t teeth, double clearance, StopPoll& stop) {
    GRAZE_ASSERT(teeth >= 1 && clearance >= 0.0 && clearance < 1.0);
    const double width = 0.5 * (1.0 - clearance);
    std::vector<std::array<double, 2>> outline = {{0.0, 0.0}, {teeth - 1.0 + width, 0.0}};
    for (std::uint32_t tooth = teeth; tooth-- > 0 && !stop();) {
        outline.push_back({tooth + width, 1.5});
        outline.push_back({double(tooth), 1.5});
        if (tooth == 0) break;
        outline.push_back({double(tooth), 0.5});
        outline.push_back({tooth - 1.0 + width, 0.5});
    }
    const auto n = static_cast<std::uint32_t>(outline.size());
    io::PolygonMesh mesh;
    for (const double z : {0.5, -0.5})
        for (const auto& [x, y] : outline)
            mesh.positions.push_back({x, y, z});
    for (std::uint32_t i = 0; i < n && !stop(); ++i) {
        const std::uint32_t j = (i + 1) % n;
        add_polygon(mesh, {j, i, n + i, n + j});
    }
    for (std::uint32_t i = 0; i < n; ++i)
        mesh.polygons.add_corner(i);
    mesh.polygons.close();
    for (std::uint32_t i = n; i-- > 0;)
        mesh.polygons.add_corner(n + i);
    mesh.polygons.close();
    return mesh;
}

}  // namespace graze::generate
