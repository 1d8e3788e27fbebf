// What the raster search costs: the table of Buss 2005, section 9.1, and growth with the faces.
//   rigid_raster [--repeat N] [--growth] [--random]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "graze/generate/models.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/verify/rigid_random_motions.hpp"

namespace graze::bench {
namespace {

using rigid::PairStep;
using rigid::Polyhedron;

Polyhedron built(const io::PolygonMesh& mesh) {
    auto shape = Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    if (!shape) {
        fmt::print(stderr, "{}\n", shape.error().message);
        std::exit(1);
    }
    return std::move(*shape);
}

// B comes from the side, turns on its way by up to 45 degrees, and goes into A: in the middle of
// the step it would be less than half its size away from A's middle.
PairStep colliding_step(const Polyhedron& shape, int index) {
    const double x = index;
    const Vec3 way = {std::cos(2.4 * x), 0.3 * std::sin(1.7 * x), std::sin(2.4 * x)};
    const double size = shape.radius();
    const Vec3 aside = 0.2 * size * Vec3{std::sin(3.1 * x), std::cos(1.3 * x), std::sin(0.7 * x)};
    const Vec3 axis = {std::sin(5.0 * x), std::cos(4.0 * x), std::sin(1.0 + x)};
    const double angle = 0.1 + 0.6 * std::fabs(std::sin(9.0 * x));
    PairStep step;
    step.b.start = {rotation_about(axis, 0.4 * x), 2.2 * size * way + aside};
    step.b.end = {rotation_about(axis, 0.4 * x + angle), aside - 0.4 * size * way};
    return step;
}

constexpr int kMotions = 101;

std::vector<PairStep> colliding_steps(const Polyhedron& shape, int count = kMotions) {
    std::vector<PairStep> steps;
    for (int i = 0; i < count; ++i)
        steps.push_back(colliding_step(shape, i));
    return steps;
}

// The first collisions of the campaign (docs/rigid_campaigns.md): odd numbers of seed 1.
std::vector<PairStep> random_steps(const std::string& shape) {
    const rigid::Shapes bodies = rigid::shapes(shape);
    rigid::reference::Pair pair(bodies.a, bodies.b);
    std::vector<PairStep> steps;
    for (std::uint64_t i = 1; steps.size() < kMotions; i += 2)
        steps.push_back(rigid::random_motion(pair, bodies, 1, i).step);
    return steps;
}

double typical_short_edge(const Polyhedron& shape) {
    std::vector<double> lengths;
    for (const auto& e : shape.edges()) {
        lengths.push_back(norm(shape.positions()[e.to] - shape.positions()[e.from]));
    }
    const auto quarter = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 4);
    std::nth_element(lengths.begin(), quarter, lengths.end());
    return *quarter;
}

struct Cost {
    double us = 0.0;  // median over the motions of the least of a few runs
    double collisions = 0.0;
    double records = 0.0;  // length of the edges drawn, in pixels
    double pairs = 0.0;
};

Cost cost(const Polyhedron& shape, double pixel, const std::vector<PairStep>& steps, int repeat,
          bool robust) {
    using Clock = std::chrono::steady_clock;
    rigid::RasterSearch search;
    std::vector<double> times;
    Cost c;
    const auto motions = static_cast<double>(steps.size());
    for (const PairStep& step : steps) {
        rigid::RasterOptions options;
        options.pixel = pixel;
        options.robust = robust;
        double least = 1e300;
        for (int k = 0; k < repeat; ++k) {
            const auto start = Clock::now();
            const auto result = search.collisions(shape, shape, step, options);
            const std::chrono::duration<double, std::micro> us = Clock::now() - start;
            least = std::min(least, us.count());
            if (!result) {
                fmt::print(stderr, "{}\n", result.error().message);
                std::exit(1);
            }
            if (k > 0) continue;
            c.collisions += static_cast<double>(result->collisions.size()) / motions;
            c.records +=
                static_cast<double>(result->statistics.pixels_a + result->statistics.pixels_b) /
                motions;
            c.pairs += static_cast<double>(result->statistics.pairs) / motions;
        }
        times.push_back(least);
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    c.us = *middle;
    return c;
}

struct Row {
    const char* name;
    const char* campaign;
    Polyhedron shape;
    double paper_us[3];
};

void print_table(int repeat, bool random) {
    const Row rows[] = {{"cubes", "cube", built(generate::cube()), {56.0, 63.0, 77.0}},
                        {"cars", "car", built(generate::car()), {109.0, 128.0, 170.0}},
                        {"tori", "torus", built(generate::torus()), {2040.0, 2560.0, 3480.0}}};
    fmt::print("{:<6} {:>7} {:>8} {:>8} {:>9} {:>8} {:>9} {:>8}\n", "shape", "pixels", "us",
               "paper", "robust us", "hits", "drawn", "pairs");
    for (const Row& row : rows) {
        const auto steps = random ? random_steps(row.campaign) : colliding_steps(row.shape);
        for (int i = 0; i < 3; ++i) {
            const double pixel = typical_short_edge(row.shape) / (6 << i);
            const Cost c = cost(row.shape, pixel, steps, repeat, false);
            const Cost r = cost(row.shape, pixel, steps, repeat, true);
            fmt::print("{:<6} {:>7} {:>8.2f} {:>8.0f} {:>9.2f} {:>8.1f} {:>9.0f} {:>8.0f}\n",
                       row.name, 6 << i, c.us, row.paper_us[i], r.us, c.collisions, c.records,
                       c.pairs);
        }
    }
}

// Least squares of us = c1 n log2 n + c2 m, each weighted by 1 / us.
void print_growth(int repeat) {
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    double xt = 0.0;
    double yt = 0.0;
    std::vector<std::vector<double>> seen;
    fmt::print("\n{:>8} {:>10} {:>10} {:>10} {:>10}\n", "faces", "us", "ns/face", "drawn", "pairs");
    for (const std::uint32_t faces : {300U, 1000U, 3000U, 10'000U, 30'000U, 100'000U}) {
        const Polyhedron shape = built(generate::torus_of(faces));
        const double pixel = typical_short_edge(shape) / 6.0;
        const Cost c =
            cost(shape, pixel, colliding_steps(shape, 11), std::max(1, repeat / 10), false);
        const auto n = static_cast<double>(shape.face_count());
        const double x = n * std::log2(n) / c.us;
        const double y = c.pairs / c.us;
        xx += x * x;
        xy += x * y;
        yy += y * y;
        xt += x;
        yt += y;
        seen.push_back({n, c.us, c.pairs});
        fmt::print("{:>8} {:>10.1f} {:>10.1f} {:>10.0f} {:>10.0f}\n", shape.face_count(), c.us,
                   1000.0 * c.us / n, c.records, c.pairs);
    }
    const double det = xx * yy - xy * xy;
    double c1 = (xt * yy - yt * xy) / det;
    double c2 = (yt * xx - xt * xy) / det;
    // Pairs grow with the faces here; a share below 0 says that they cannot be told apart.
    if (c2 < 0.0) {
        c1 = xt / xx;
        c2 = 0.0;
    } else if (c1 < 0.0) {
        c1 = 0.0;
        c2 = yt / yy;
    }
    fmt::print("fit: us = {:.3g} n log2 n + {:.3g} m; measured over fitted:", c1, c2);
    for (const auto& s : seen) {
        fmt::print(" {:.2f}", s[1] / (c1 * s[0] * std::log2(s[0]) + c2 * s[2]));
    }
    fmt::print("\n");
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    int repeat = 20;
    bool growth = false;
    bool random = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--growth") == 0) {
            growth = true;
        } else if (std::strcmp(argv[i], "--random") == 0) {
            random = true;
        } else if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
            repeat = std::max(1, std::atoi(argv[++i]));
        } else {
            fmt::print(stderr, "usage: rigid_raster [--repeat N] [--growth] [--random]\n");
            return 2;
        }
    }
    graze::bench::print_table(repeat, random);
    if (growth) graze::bench::print_growth(repeat);
    return 0;
}
