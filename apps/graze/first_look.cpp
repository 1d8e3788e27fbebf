// What graze is for, in two questions: a mesh in one time step, and two rigid bodies that tumble.
// Prints the answers and draws them; ./demo.sh builds and runs this first.
//   first_look FOLDER     writes FOLDER/cloth.svg and FOLDER/crates.svg
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numbers>

#include "cli/text_layout.hpp"
#include "commands/mesh/mesh_pictures.hpp"
#include "graze/core/elementary.hpp"
#include "pictures/rigid_pictures.hpp"

namespace graze::app {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

bool write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    if (file) {
        fmt::print("   Picture: {}\n", path);
        return true;
    }
    fmt::print(stderr, "first_look: error: {}: cannot be written\n", path);
    return false;
}

bool fails(const Error& error) {
    fmt::print(stderr, "first_look: error: {}\n", error.message);
    return false;
}

// A patch of rows x columns vertices and two triangles a cell.
void add_patch(io::MeshPair& mesh, std::uint32_t rows, std::uint32_t columns,
               const std::function<MovingPoint(double, double)>& at) {
    const auto first = static_cast<std::uint32_t>(mesh.start.size());
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            const MovingPoint p = at(row / (rows - 1.0), column / (columns - 1.0));
            mesh.start.push_back(p.start);
            mesh.end.push_back(p.end);
            if (row == 0 || column == 0) continue;
            const std::uint32_t here = first + row * columns + column;
            mesh.faces.push_back({here - columns - 1, here - columns, here});
            mesh.faces.push_back({here - columns - 1, here, here - 1});
        }
    }
}

// Above a hill at rest, a wavy cloth comes down.
io::MeshPair cloth_over_a_hill() {
    io::MeshPair mesh;
    add_patch(mesh, 21, 21, [](double u, double v) {
        const double x = 3.0 * u - 1.5;
        const double z = 3.0 * v - 1.5;
        const Vec3 p{x, exponential(-1.5 * (x * x + z * z)), z};
        return MovingPoint{p, p};
    });
    add_patch(mesh, 25, 25, [](double u, double v) {
        const double x = 2.0 * u - 1.1;
        const double z = 2.0 * v - 0.9;
        const double wave = 0.08 * sine(5.0 * x) + 0.06 * cosine(7.0 * z);
        return MovingPoint{{x, 1.5 + wave, z}, {x + 0.2, 0.6 + wave, z - 0.1}};
    });
    return mesh;
}

std::string feature(QueryKind kind, const Impact& impact) {
    return kind == QueryKind::VertexFace
               ? fmt::format("vertex {} and triangle {}", impact.a, impact.b)
               : fmt::format("edges {} and {}", impact.a, impact.b);
}

bool show_cloth(const std::string& folder) {
    const io::MeshPair pair = cloth_over_a_hill();
    auto topology = make_topology(pair.start.size(), pair.faces);
    if (!topology) return fails(topology.error());
    MeshStepper stepper(std::move(*topology));
    fmt::print("1. A cloth comes down on a hill: {} in one time step.\n",
               counted(pair.faces.size(), "triangle"));
    const Clock::time_point begin = Clock::now();
    auto all = stepper.all_impacts(pair.start, pair.end);
    if (!all) return fails(all.error());
    const double taken = milliseconds_since(begin);
    if (!all->first) return fails(Error{"the cloth missed the hill"});
    MeshOutcome outcome;
    outcome.impacts = std::move(all->impacts);
    outcome.first = outcome.impacts[*all->first];
    outcome.toi_lower = all->toi_lower;
    outcome.toi_upper = outcome.first->result.toi_upper;
    fmt::print("   First contact: {}, after {:.9f} of the step.\n",
               feature(outcome.first->kind, *outcome.first), outcome.toi_lower);
    fmt::print("   Until then nothing touches: proved, not sampled. {} would touch by the end.\n",
               counted(outcome.impacts.size(), "pair"));
    fmt::print("   That took {:.1f} ms.\n", taken);
    return write(folder + "/cloth.svg",
                 step_svg({pair, stepper.topology(), outcome, 1.0, "start", "end"}));
}

// A box with these half sizes.
Expected<rigid::Polyhedron> crate(Vec3 half) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                           (i & 4) != 0 ? half.z : -half.z});
    }
    const std::vector<std::uint32_t> counts(6, 4);
    const std::vector<std::uint32_t> faces = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                              2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    return rigid::Polyhedron::build(std::move(corners), counts, faces);
}

Quaternion rotation(double degrees, Vec3 axis) {
    const double half = degrees * std::numbers::pi / 360.0;
    const double s = sine(half) / std::sqrt(dot(axis, axis));
    return {cosine(half), s * axis.x, s * axis.y, s * axis.z};
}

bool show_crates(const std::string& folder) {
    const auto large = crate({1.0, 0.5, 0.7});
    const auto small = crate({0.4, 0.4, 0.4});
    if (!large || !small) return fails(large ? small.error() : large.error());
    const rigid::PairStep step{{{}, {}},
                               {{rotation(20.0, {0, 0, 1}), {1.6, 1.7, 0.3}},
                                {rotation(100.0, {1, 0, 2}), {0.1, 0.5, 0}}}};
    fmt::print("2. A small crate tumbles on a large one: rigid bodies, one of which turns.\n");
    const rigid::RigidBody a(*large);
    const rigid::RigidBody b(*small);
    const Clock::time_point begin = Clock::now();
    const rigid::ImpactResult first = rigid::first_impact(a, b, step);
    const double taken = milliseconds_since(begin);
    if (first.verdict != Verdict::Contact) return fails(Error{"the crates did not meet"});
    fmt::print("   First contact: after {:.9f} of the step, proved for the true curved paths.\n",
               first.toi_lower);
    fmt::print("   That took {:.3f} ms.\n", taken);
    return write(folder + "/crates.svg",
                 bodies_svg({*large, *small, "large crate", "small crate", step, first},
                            panels_of({}, {}, 1)));
}

}  // namespace
}  // namespace graze::app

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: first_look FOLDER\n", stderr);
        return 2;
    }
    const bool is_shown = graze::app::show_cloth(argv[1]) && graze::app::show_crates(argv[1]);
    return is_shown ? EXIT_SUCCESS : EXIT_FAILURE;
}
