// Whole meshes in a step: what the first impact and all impacts cost, how that grows with the size
// of the mesh, and what the tree over its edges takes.
//   whole_meshes FOLDER...     the steps of simulation scenes (<scene>/frames/*.ply)
//   whole_meshes --scaling     two sheets of 10^3 to 10^6 triangles
//   whole_meshes --ties        two sheets that are flat at 1/2, where all their contacts tie
//   0 success; 1 a scene cannot be read; 2 wrong usage.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "graze/broad/box_tree.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/mesh/step.hpp"
#include "mesh_steps.hpp"

namespace graze::bench {
namespace {

struct Request {
    std::vector<std::string> folders;
    bool scaling = false;
    bool ties = false;
    unsigned repeat = 5;
    std::vector<int> threads = {1, 2};
};

struct Step {
    std::string name;
    MeshTopology mesh;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
};

// The smallest of several wall times, in ms.
template <class Body>
double best_ms(unsigned repeat, const Body& body) {
    using Clock = std::chrono::steady_clock;
    double best = HUGE_VAL;
    for (unsigned i = 0; i < repeat; ++i) {
        const Clock::time_point begin = Clock::now();
        body();
        best =
            std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    return best;
}

double peak_mib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// --- Tree ----------------------------------------------------------------------------------------

class Count final : public PairSink {
public:
    void take(std::span<const IndexPair> pairs) override { all += pairs.size(); }
    std::uint64_t all = 0;
};

std::vector<GridBox> edge_boxes(const Step& step) {
    Box scene;
    for (const Vec3& p : step.start)
        scene.add(p);
    for (const Vec3& p : step.end)
        scene.add(p);
    const Grid grid(scene);
    std::vector<GridBox> vertices;
    for (std::size_t i = 0; i < step.start.size(); ++i)
        vertices.push_back(grid.around(step.start[i], step.end[i], 1.0, 0.0));
    std::vector<GridBox> edges;
    for (const EdgeIndices& edge : step.mesh.edges) {
        edges.push_back(vertices[edge[0]]);
        edges.back().add(vertices[edge[1]]);
    }
    return edges;
}

void report_search(const std::vector<GridBox>& boxes, unsigned repeat) {
    BoxTree search;
    std::uint64_t pairs = 0;
    const double build = best_ms(repeat, [&] { search.build(boxes); });
    const double find = best_ms(repeat, [&] {
        Count count;
        for (std::size_t block = 0; block < search.blocks(); ++block)
            search.search_self(block, count);
        pairs = count.all;
    });
    fmt::print("  edges with themselves: build {:.2f} ms, {} pairs in {:.1f} ms, one thread\n",
               build, pairs, find);
}

// --- Steps ---------------------------------------------------------------------------------------

void report(const Step& step, const Request& request, bool compare) {
    const unsigned repeat = request.repeat;
    fmt::print("{}: {} vertices, {} edges, {} faces\n", step.name, step.mesh.vertex_count,
               step.mesh.edges.size(), step.mesh.faces.size());
    MeshStepper stepper(step.mesh);
    for (const int threads : request.threads) {
        StepOptions options;
        options.threads = threads;
        FirstImpact first;
        StepImpacts all;
        const double first_ms =
            best_ms(repeat, [&] { first = *stepper.first_impact(step.start, step.end, options); });
        const double all_ms =
            best_ms(repeat, [&] { all = *stepper.all_impacts(step.start, step.end, options); });
        fmt::print("  {} thread{}: first impact {:.1f} ms, all {} impacts {:.1f} ms", threads,
                   threads == 1 ? " " : "s", first_ms, all.impacts.size(), all_ms);
        if (first.impact)
            fmt::print("; first in [{}, {}]", first.impact->result.toi_lower,
                       first.impact->result.toi_upper);
        fmt::print("; {} + {} candidates (vf + ee)\n", all.work.candidates[0],
                   all.work.candidates[1]);
    }
    StepOptions counting;
    counting.count_tiers = true;
    const StepImpacts counted = *stepper.all_impacts(step.start, step.end, counting);
    fmt::print("  decided by");
    for (std::size_t i = 0; i < kAllCertifiedTiers.size(); ++i)
        if (counted.work.decided_by[i] > 0)
            fmt::print(" {} {}", name(kAllCertifiedTiers[i]), counted.work.decided_by[i]);
    fmt::print("\n");
    if (compare) {
        const std::vector<GridBox> boxes = edge_boxes(step);
        report_search(boxes, repeat);
    }
    fmt::print("  peak memory so far {:.0f} MiB\n", peak_mib());
    std::fflush(stdout);
}

// In [0, 1), the same everywhere.
double noise(std::uint32_t key) {
    std::uint64_t x = (key + 1) * 0x9e3779b97f4a7c15U;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9U;
    return std::ldexp(static_cast<double>(x >> 11), -53);
}

// Two sheets of n by n squares, uneven by part of an edge's length, one above the other. They move
// by about two such lengths, until some of them touch.
Step sheets(std::uint32_t n) {
    Step step;
    const double h = 1.0 / n;
    const std::uint32_t row = n + 1;
    std::vector<FaceIndices> faces;
    for (std::uint32_t sheet = 0; sheet < 2; ++sheet) {
        for (std::uint32_t i = 0; i < row; ++i) {
            for (std::uint32_t j = 0; j < row; ++j) {
                const auto k = static_cast<std::uint32_t>(step.start.size());
                const auto uneven = [&](std::uint32_t axis) { return 0.4 * noise(3 * k + axis); };
                const Vec3 at = {h * (i + uneven(0)), h * (j + uneven(1)),
                                 h * (uneven(2) + (sheet == 0 ? 0.0 : 2.0))};
                step.start.push_back(at);
                step.end.push_back(sheet == 0 ? at : at - Vec3{0.3 * h, 0.0, 1.9 * h});
                if (i == n || j == n) continue;
                faces.push_back({k, k + row, k + 1});
                faces.push_back({k + 1, k + row, k + row + 1});
            }
        }
    }
    step.name = fmt::format("two sheets of {} squares", std::uint64_t{n} * n);
    step.mesh = *make_topology(step.start.size(), faces);
    return step;
}

// The mirror image of two sheets is where they go: everything is flat at 1/2, and whatever overlaps
// then touches then.
Step mirrored(std::uint32_t n) {
    Step step = sheets(n);
    for (std::size_t i = 0; i < step.start.size(); ++i)
        step.end[i] = {step.start[i].x, step.start[i].y, -step.start[i].z};
    step.name += ", mirrored";
    return step;
}

Expected<Step> read(const MeshStep& frames) {
    const Expected<io::MeshPair> pair = io::read_mesh_pair(frames.start, frames.end);
    if (!pair) return pair.error();
    const Expected<MeshTopology> mesh = make_topology(pair->start.size(), pair->faces);
    if (!mesh) return mesh.error();
    return Step{frames.scene, *mesh, pair->start, pair->end};
}

int run(const Request& request) {
    for (const std::string& folder : request.folders) {
        const Expected<std::vector<MeshStep>> steps = find_mesh_steps(folder);
        if (!steps) {
            fmt::print(stderr, "whole_meshes: error: {}\n", steps.error().message);
            return 1;
        }
        for (const MeshStep& frames : *steps) {
            const Expected<Step> step = read(frames);
            if (!step) {
                fmt::print(stderr, "whole_meshes: error: {}\n", step.error().message);
                return 1;
            }
            report(*step, request, true);
        }
    }
    if (request.scaling) {
        for (const std::uint32_t n : {16U, 50U, 158U, 500U})
            report(sheets(n), request, n <= 158);
    }
    if (request.ties) {
        for (const std::uint32_t n : {16U, 50U})
            report(mirrored(n), request, false);
    }
    return 0;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::Request request;
    CLI::App app("Whole meshes in a step: first impact, all impacts, tree");
    app.add_option("folders", request.folders, "Folders with scenes: <scene>/frames/*.ply");
    app.add_flag("--scaling", request.scaling, "Two sheets of 10^3 to 10^6 triangles");
    app.add_flag("--ties", request.ties, "Two sheets whose contacts are all at the same time");
    app.add_option("--threads", request.threads, "Numbers of threads [1 2]")
        ->check(CLI::PositiveNumber);
    app.add_option("--repeat", request.repeat, "The smallest of so many times")
        ->check(CLI::PositiveNumber);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (request.folders.empty() && !request.scaling && !request.ties) {
        fmt::print(stderr,
                   "whole_meshes: error: name a folder, --scaling or --ties (see --help)\n");
        return 2;
    }
    return graze::bench::run(request);
}
