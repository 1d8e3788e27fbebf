// How far may each vertex go by itself? The time of impact by vertex is the wrong answer: vertices
// that stop at different times move together on other lines than those that were asked about.
//
// A triangle flies at a wall, and a point flies after it, slower and not as far: it meets nothing
// in the step as requested. Stopped at the wall, though, the triangle is in its path.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "graze/mesh.hpp"

namespace {

constexpr std::uint32_t kPoint = 6;
const std::vector<graze::FaceIndices> kFaces = {{0, 1, 2}, {3, 4, 5}};  // wall, triangle

std::vector<graze::Vec3> frame(double triangle_x, double point_x) {
    return {{10, -9, -9},        {10, 9, -9},        {10, 0, 9},     {triangle_x, -1, -1},
            {triangle_x, 1, -1}, {triangle_x, 0, 1}, {point_x, 0, 0}};
}

// By vertex: the first time of any of its contacts, or 1. Contacts of the point with edges
// are left out: it is far from all of them.
std::vector<double> times_of_impact(const graze::MeshTopology& mesh,
                                    const std::vector<graze::Impact>& impacts) {
    std::vector<double> time(mesh.vertex_count, 1.0);
    const auto see = [&](std::uint32_t vertex, double t) {
        time[vertex] = std::min(time[vertex], t);
    };
    for (const graze::Impact& impact : impacts) {
        const double t = impact.result.toi_lower;
        if (impact.kind == graze::QueryKind::VertexFace) {
            see(impact.a, t);
            for (const std::uint32_t vertex : mesh.faces[impact.b])
                see(vertex, t);
        } else if (impact.kind == graze::QueryKind::EdgeEdge) {
            for (const std::uint32_t edge : {impact.a, impact.b})
                for (const std::uint32_t vertex : mesh.edges[edge])
                    see(vertex, t);
        }
    }
    return time;
}

}  // namespace

int main() {
    const auto mesh = graze::make_topology(7, kFaces);
    if (!mesh) return EXIT_FAILURE;
    graze::MeshStepper stepper(*mesh);
    const std::vector<graze::Vec3> start = frame(9.0, 0.0);
    const std::vector<graze::Vec3> target = frame(29.0, 9.9);

    // 1. Times of impact by vertex: the triangle stops at the wall, the point meets nothing.
    const auto all = stepper.all_impacts(start, target);
    if (!all) return EXIT_FAILURE;
    const std::vector<double> times = times_of_impact(*mesh, all->impacts);
    std::vector<double> half = times;  // even with half of each there is a contact
    for (double& t : half)
        t = t < 1.0 ? 0.5 * t : 1.0;
    const auto naive = stepper.first_impact(start, graze::positions_between(start, target, half));
    if (!naive) return EXIT_FAILURE;
    std::printf("times of impact: triangle %.3f, point %.3f; taken by half, they collide: %s\n",
                times[3], times[kPoint], naive->impact ? "yes" : "no");

    // 2. Fractions: shortened until the joint motion itself is proved to be free.
    const auto bounds = graze::free_fractions(stepper, start, target);
    if (!bounds) return EXIT_FAILURE;
    const auto joint = stepper.first_impact(start, bounds->positions);
    std::printf("free fractions: triangle %.3f, point %.3f; they collide: %s\n",
                bounds->fraction[3], bounds->fraction[kPoint], joint->impact ? "yes" : "no");

    // 3. Radii: no target needed. Any path within them is free; a solver may step many times in them.
    const auto radii = graze::free_radii(stepper, start, 100.0);
    if (!radii) return EXIT_FAILURE;
    std::printf("free radii: triangle %.3f, point %.3f\n", (*radii)[3], (*radii)[kPoint]);

    // The triangle is at a distance of 1 from the wall and of 9 from the point.
    const bool as_expected = naive->impact && !joint->impact && bounds->fraction[kPoint] > 0.0 &&
                             (*radii)[3] < 0.5 && (*radii)[3] > 0.4999 && (*radii)[kPoint] < 4.5;
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
