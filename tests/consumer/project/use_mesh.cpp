// Needs graze::mesh: a vertex that falls through a triangle is stopped before it.
#include <graze/mesh.hpp>

int main() {
    const std::vector<graze::FaceIndices> faces = {{0, 1, 2}};
    const std::vector<graze::Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}};
    std::vector<graze::Vec3> end = start;
    end[3].z = -1.0;
    const auto mesh = graze::make_topology(start.size(), faces);
    if (!mesh) return 1;
    graze::MeshStepper stepper(*mesh);
    const auto step = graze::largest_safe_step(stepper, start, end);
    if (!step) return 1;
    return step->impact && step->fraction > 0.499 && step->positions[3].z > 0.0 ? 0 : 1;
}
