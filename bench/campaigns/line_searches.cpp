// Line searches of whole meshes towards random positions: how far each is proved to be free, and what that takes.
//   line_searches [--seed N] [--count N] FOLDER...   CSV on stdout: scene,seed,distance,kept,alpha_free,alpha,cpu_ms
// Search number n of a scene is the same in every version, so that two versions can be compared line by line, and a
// campaign is taken up by --seed. 0 success; 1 a scene cannot be read or searched; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "graze/io/mesh_file.hpp"
#include "graze/mesh/line_search.hpp"
#include "mesh_steps.hpp"

namespace graze::bench {
namespace {

struct SearchRequest {
    std::vector<std::string> folders;
    std::uint64_t seed = 0;
    std::uint64_t count = 333;
};

// splitmix64: the same numbers everywhere.
class SearchNumbers {
public:
    explicit SearchNumbers(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1U) {}
    double between(double low, double high) {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        z ^= z >> 31U;
        return low + (high - low) * std::ldexp(static_cast<double>(z >> 11U), -53);
    }

private:
    std::uint64_t state_;
};

double mean_edge_length(const MeshTopology& mesh, const std::vector<Vec3>& at) {
    double total = 0.0;
    for (const auto& edge : mesh.edges)
        total += std::sqrt(norm_sq(at[edge[1]] - at[edge[0]]));
    return total / static_cast<double>(std::max<std::size_t>(mesh.edges.size(), 1));
}

// Up to twice the step of the scene, and 1e-4 to 1e-1 of an edge of noise on each vertex.
std::vector<Vec3> random_target(const std::vector<Vec3>& start, const std::vector<Vec3>& end,
                                double edge, std::uint64_t seed) {
    SearchNumbers numbers(seed);
    const double along = numbers.between(0.0, 2.0);
    const double noise = edge * std::pow(10.0, std::floor(numbers.between(-4.0, 0.0)));
    std::vector<Vec3> target;
    for (std::size_t i = 0; i < start.size(); ++i) {
        Vec3 p = start[i];
        for (std::size_t k = 0; k < 3; ++k)
            p[k] += along * (end[i][k] - start[i][k]) + noise * numbers.between(-1.0, 1.0);
        target.push_back(p);
    }
    return target;
}

double cpu_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

bool search_scene(const SearchRequest& request, const MeshStep& step) {
    Expected<io::MeshPair> frames = io::read_mesh_pair(step.start, step.end);
    if (!frames) {
        fmt::print(stderr, "line_searches: error: {}\n", frames.error().message);
        return false;
    }
    const auto mesh = make_topology(frames->start.size(), frames->faces, frames->edges);
    if (!mesh) {
        fmt::print(stderr, "line_searches: error: {}\n", mesh.error().message);
        return false;
    }
    const double edge = mean_edge_length(*mesh, frames->start);
    MeshStepper stepper(*mesh);
    LineSearchOptions options;
    options.step.threads = 1;
    for (std::uint64_t seed = request.seed; seed < request.seed + request.count; ++seed) {
        const std::vector<Vec3> target = random_target(frames->start, frames->end, edge, seed);
        // Every position but the start is as good as any: what is proved alone decides.
        int asked = 0;
        const auto energy = [&](std::span<const Vec3>) { return asked++ == 0 ? 1.0 : 0.0; };
        const double begin = cpu_ms();
        const auto found = line_search(stepper, frames->start, target, energy, options);
        const double taken = cpu_ms() - begin;
        if (!found) {
            fmt::print(stderr, "line_searches: error: {}\n", found.error().message);
            return false;
        }
        fmt::print("{},{},{},{},{},{},{:.3f}\n", step.scene, seed, found->distance, found->kept,
                   found->alpha_free, found->alpha, taken);
        std::fflush(stdout);
    }
    return true;
}

int search_scenes(const SearchRequest& request) {
    fmt::print("scene,seed,distance,kept,alpha_free,alpha,cpu_ms\n");
    for (const std::string& folder : request.folders) {
        const Expected<std::vector<MeshStep>> steps = find_mesh_steps(folder);
        if (!steps) {
            fmt::print(stderr, "line_searches: error: {}\n", steps.error().message);
            return 1;
        }
        for (const MeshStep& step : *steps) {
            if (!search_scene(request, step)) return 1;
        }
    }
    return 0;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::SearchRequest request;
    CLI::App app("Line searches of whole meshes towards random positions");
    app.add_option("folders", request.folders, "Folders with scenes: <scene>/frames/*.ply")
        ->required();
    app.add_option("--seed", request.seed, "Number of the first search of each scene");
    app.add_option("--count", request.count, "So many searches of each scene")
        ->check(CLI::PositiveNumber);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return graze::bench::search_scenes(request);
}
