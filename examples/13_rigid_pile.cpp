// Boxes, balls and cans fall into a heap; no two of them ever overlap.
//
// The velocities are an estimate, as of every engine. What is accepted of each step is proved free, and
// check() proves each state once more, by other means.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "graze/rigid/dynamics.hpp"

namespace {

using namespace graze::rigid;

bool add_bodies(Dynamics& world) {
    const auto floor = ConvexShape::box({40.0, 40.0, 0.5});
    const std::array shapes = {ConvexShape::box({0.3, 0.3, 0.2}), ConvexShape::sphere(0.3),
                               ConvexShape::cylinder(0.25, 0.3)};
    DynamicBody ground;
    ground.shape = world.add_shape(floor.value());
    ground.pose.translation = {0.0, 0.0, -0.5};
    ground.kind = BodyKind::Static;
    if (!world.add_body(ground)) return false;
    for (int i = 0; i < 18; ++i) {
        DynamicBody body;
        body.shape = world.add_shape(shapes[static_cast<std::size_t>(i) % shapes.size()].value());
        body.pose.translation = {1.2 * (i % 2) + 0.03 * (i % 5), 1.2 * (i / 2 % 2) + 0.04 * (i % 3),
                                 0.7 + 1.2 * (i / 4)};
        body.pose.rotation = graze::rotation_about({1.0, 0.5 * i, 0.3}, 0.4 * i);
        if (!world.add_body(body)) return false;
    }
    return true;
}

}  // namespace

int main() {
    DynamicsOptions options;
    options.angular_damping = 1.0;
    Dynamics world(options);
    if (!add_bodies(world)) return EXIT_FAILURE;
    double peak = 0.0;
    for (int i = 0; i < 300; ++i) {
        const auto step = world.step();
        if (!step) {
            std::fprintf(stderr, "%s\n", step.error().message.c_str());
            return EXIT_FAILURE;
        }
        peak = std::max(peak, world.kinetic_energy());
        if (!world.check().is_free()) return EXIT_FAILURE;
    }
    std::printf("%zu of 18 bodies in contact, %.2g %% of the largest kinetic energy is left\n",
                world.bodies_in_contact(), 100.0 * world.kinetic_energy() / peak);
    return EXIT_SUCCESS;
}
