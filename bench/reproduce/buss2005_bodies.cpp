#include "reproduce/buss2005_bodies.hpp"

#include <cmath>

namespace graze::app::buss {

rigid::Polyhedron prism(const std::vector<std::pair<double, double>>& polygon, double depth) {
    const auto n = static_cast<std::uint32_t>(polygon.size());
    io::PolygonMesh mesh;
    for (const double z : {-depth, depth})
        for (const auto& [x, y] : polygon)
            mesh.positions.push_back({x, y, z});
    const auto add_face = [&](const std::vector<std::uint32_t>& corners) {
        for (const std::uint32_t v : corners)
            mesh.polygons.add_corner(v);
        mesh.polygons.close();
    };
    std::vector<std::uint32_t> back;
    std::vector<std::uint32_t> front;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        add_face({i, j, n + j, n + i});
        back.push_back(n - 1 - i);
        front.push_back(n + i);
    }
    add_face(back);
    add_face(front);
    return body_of(mesh);
}

rigid::PairStep two_tori_step() {
    const Quaternion tilt{0.9887711, 0.1431358, 0.0, 0.0429407};
    return {{{{0.9300431, -0.2119153, 0.227187, -0.1962083}, {0.59375, -2.390625, 1.34375}},
             {{0.8763512, -0.4601691, 0.0206517, -0.1408069}, {0.484375, 2.140625, -0.421875}}},
            {{tilt, {}}, {tilt, {}}}};
}

Expected<std::vector<rigid::Contact>> collisions_in_world(const rigid::Polyhedron& a,
                                                          const rigid::Polyhedron& b,
                                                          const rigid::PairStep& step,
                                                          const rigid::RasterOptions& options) {
    rigid::RasterSearch search;
    const auto found = search.collisions(a, b, step, options);
    if (!found) return found.error();
    std::vector<rigid::Contact> world;
    for (const rigid::Contact& c : found->collisions)
        world.push_back(to_world(c, step));
    return world;
}

rigid::PairStep colliding_step(const rigid::Polyhedron& shape, int index) {
    const double x = index;
    const double size = shape.radius();
    const Vec3 path = {std::cos(2.4 * x), 0.3 * std::sin(1.7 * x), std::sin(2.4 * x)};
    const Vec3 aside = 0.2 * size * Vec3{std::sin(3.1 * x), std::cos(1.3 * x), std::sin(0.7 * x)};
    const Vec3 axis = {std::sin(5.0 * x), std::cos(4.0 * x), std::sin(1.0 + x)};
    const double angle = 0.1 + 0.6 * std::fabs(std::sin(9.0 * x));
    rigid::PairStep step;
    step.b.start = {rotation_about(axis, 0.4 * x), 2.2 * size * path + aside};
    step.b.end = {rotation_about(axis, 0.4 * x + angle), aside - 0.4 * size * path};
    return step;
}

}  // namespace graze::app::buss
