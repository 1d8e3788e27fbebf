// A sheet of cloth wants to go from one frame to the next, through a pyramid that stands in its
// way: how far may it go, and is the new state really one that it can reach?

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "graze/mesh.hpp"

namespace {

// A pyramid (vertices 0 to 4) and a sheet of two triangles (5 to 8): one mesh.
const std::vector<graze::FaceIndices> kFaces = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4},
                                                {0, 2, 1}, {0, 3, 2}, {5, 6, 7}, {5, 7, 8}};

// The frame in which the sheet is at this height; the tip of the pyramid is at height 1.
std::vector<graze::Vec3> frame(double height) {
    return {{0, 0, 0},      {2, 0, 0},      {2, 2, 0},      {0, 2, 0},     {0.75, 1, 1},
            {0, 0, height}, {2, 0, height}, {2, 2, height}, {0, 2, height}};
}

}  // namespace

int main() {
    // Made once: edges from faces, then trees and buffers that are kept from step to step.
    const graze::Expected<graze::MeshTopology> mesh = graze::make_topology(9, kFaces);
    if (!mesh) return EXIT_FAILURE;
    graze::MeshStepper stepper(*mesh);

    const std::vector<graze::Vec3> start = frame(2.0);
    const std::vector<graze::Vec3> target = frame(0.5);
    const auto step = graze::largest_safe_step(stepper, start, target);
    if (!step) {
        std::fprintf(stderr, "%s\n", step.error().message.c_str());
        return EXIT_FAILURE;
    }
    // The sheet meets the tip after 1 / 1.5 of the step.
    std::printf("may go %.9f of the step, to height %.9f\n", step->fraction, step->positions[5].z);
    if (step->impact) {
        std::printf("then %s %u would meet %u\n", graze::long_name(step->impact->kind).data(),
                    step->impact->a, step->impact->b);
    }

    // `positions` are rounded, and that very motion was proved to be free. Ask again, and exactly:
    const auto again = stepper.first_impact(start, step->positions);
    const auto touching = stepper.intersections(step->positions);
    const bool as_expected = again && !again->impact && touching && touching->empty() &&
                             step->impact && step->fraction > 0.6666 && step->fraction <= 1.0 / 1.5;

    // With air left between them.
    graze::StepOptions with_air;
    with_air.query.min_separation = 0.1;
    const auto shorter = graze::largest_safe_step(stepper, start, target, with_air);
    if (!shorter) return EXIT_FAILURE;
    std::printf("with a separation of 0.1: to height %.6f\n", shorter->positions[5].z);
    const bool keeps_air = shorter->positions[5].z > 1.1 && shorter->positions[5].z < 1.1001;
    return as_expected && keeps_air ? EXIT_SUCCESS : EXIT_FAILURE;
}
