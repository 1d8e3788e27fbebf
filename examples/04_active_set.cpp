// Contact by constraints: which pairs of a mesh would touch in the step, and by how much would each
// of them be violated at its end? One pass of projection then mends them.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "graze/mesh.hpp"

namespace {

constexpr double kOffset = 0.05;  // constraints become active before there is contact

// A floor of two triangles (0 to 3), and a tetrahedron (4 to 7) above it.
const std::vector<graze::FaceIndices> kFaces = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6},
                                                {4, 5, 7}, {5, 6, 7}, {6, 4, 7}};

// The lowest corner of the tetrahedron, vertex 7, is at this height.
std::vector<graze::Vec3> frame(double height) {
    return {{-4, -4, 0},          {4, -4, 0},         {4, 4, 0},
            {-4, 4, 0},           {0, 1, height + 1}, {1, -1, height + 1},
            {-1, -1, height + 1}, {0.5, 0.25, height}};
}

// Moves the first side of each violated vertex-face constraint back to the surface of its offset.
std::vector<graze::Vec3> projected(std::vector<graze::Vec3> end, const graze::ActiveSet& set) {
    for (const graze::ActiveConstraint& c : set.constraints) {
        if (c.impact.kind != graze::QueryKind::VertexFace || !(c.value < 0.0)) continue;
        end[c.impact.a] = end[c.impact.a] - c.value * c.contact.normal;
    }
    return end;
}

}  // namespace

int main() {
    const auto mesh = graze::make_topology(8, kFaces);
    if (!mesh) return EXIT_FAILURE;
    graze::MeshStepper stepper(*mesh);
    const std::vector<graze::Vec3> start = frame(0.5);
    const std::vector<graze::Vec3> end = frame(-0.25);

    graze::StepOptions options;
    options.query.min_separation = kOffset;
    const auto set = graze::active_set(stepper, start, end, options);
    if (!set) {
        std::fprintf(stderr, "%s\n", set.error().message.c_str());
        return EXIT_FAILURE;
    }
    // The pairs are proved to be complete; times are brackets; points and normals are estimates.
    for (const graze::ActiveConstraint& c : set->constraints) {
        std::printf("%s %u %u: at t = %.6f, normal (%g, %g, %g), value %.6f\n",
                    graze::long_name(c.impact.kind).data(), c.impact.a, c.impact.b,
                    c.impact.result.toi_lower, c.contact.normal.x, c.contact.normal.y,
                    c.contact.normal.z, c.value);
    }

    // The corner comes within the offset of the floor (after 0.45 of 0.75) and ends 0.25 below.
    const std::vector<graze::Vec3> mended = projected(end, *set);
    std::printf("the lowest corner: %.6f before, %.6f after\n", end[7].z, mended[7].z);
    const auto left = stepper.first_impact(start, mended);
    const bool as_expected =
        !set->constraints.empty() && set->constraints[0].impact.a == 7 && left && !left->impact;
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
