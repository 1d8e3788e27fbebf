// What the collision screen costs, by chords and by pixels as published: the table of Buss 2005,
// section 9.1, growth with the faces, and what pixels miss.
//   rigid_raster [--repeat N] [--growth] [--random] [--misses]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "graze/generate/models.hpp"
#include "graze/verify/rigid_random_motions.hpp"
#include "reproduce/buss2005_pixels.hpp"

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

constexpr int kMotions = 101;

std::vector<PairStep> colliding_steps(const Polyhedron& shape, int count = kMotions) {
    std::vector<PairStep> steps;
    for (int i = 0; i < count; ++i)
        steps.push_back(app::colliding_step(shape, i));
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

// The value, or the end of the program with its error.
template <class T>
T or_exit(Expected<T> value) {
    if (value) return std::move(*value);
    fmt::print(stderr, "{}\n", value.error().message);
    std::exit(1);
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
    fmt::print("{:<6} {:>7} {:>8} {:>8} {:>8} {:>9} {:>8} {:>9} {:>8} {:>9} {:>8}\n", "shape",
               "pixels", "chords us", "paper", "ratio", "robust us", "hits", "drawn", "pairs",
               "pixels us", "hits");
    for (const Row& row : rows) {
        const auto steps = random ? random_steps(row.campaign) : colliding_steps(row.shape);
        for (int i = 0; i < 5; ++i) {
            const double pixel = app::typical_short_edge(row.shape) / (6 << i);
            const auto c = or_exit(app::cost_by_chords(row.shape, pixel, steps, repeat, false));
            const auto r = or_exit(app::cost_by_chords(row.shape, pixel, steps, repeat, true));
            const auto p = or_exit(app::cost_by_pixels(row.shape, pixel, steps, repeat));
            const double paper = i < 3 ? row.paper_us[i] : 0.0;
            fmt::print(
                "{:<6} {:>7} {:>8.2f} {:>8.0f} {:>8.1f} {:>9.2f} {:>8.1f} {:>9.0f} {:>8.0f} "
                "{:>9.2f} {:>8.1f}\n",
                row.name, 6 << i, c.us, paper, paper / c.us, r.us, c.collisions, c.records, c.pairs,
                p.us, p.collisions);
        }
    }
}

void print_misses(bool random) {
    fmt::print("\n{:<6} {:>7} {:>8} {:>7} {:>7} {:>7} {:>7} {:>10} {:>7} {:>9} {:>9}\n", "shape",
               "pixels", "us", "firsts", "missed", "hits", "missed", "inaccurate", "others",
               "reported", "unmatched");
    for (const std::string name : {"cube", "car", "torus"}) {
        const Polyhedron shape = rigid::shapes(name).a;
        const auto steps = random ? random_steps(name) : colliding_steps(shape);
        for (const int pixels : {3, 6, 12, 24, 48, 96}) {
            const auto m = or_exit(app::misses_by_pixels(shape, pixels, steps));
            fmt::print("{:<6} {:>7} {:>8.1f} {:>7} {:>7} {:>7} {:>7} {:>10} {:>7} {:>9} {:>9}\n",
                       name, pixels, m.us, m.first_impacts, m.first_missed, m.collisions, m.missed,
                       m.inaccurate, m.other_features, m.reported, m.unmatched);
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
    fmt::print("\n{:>8} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "faces", "chords us", "ns/face",
               "drawn", "pairs", "pixels us");
    for (const std::uint32_t faces : {100U, 300U, 1000U, 3000U, 10'000U, 30'000U, 100'000U}) {
        const Polyhedron shape = built(generate::torus_of(faces));
        const double pixel = app::typical_short_edge(shape) / 6.0;
        const auto steps = colliding_steps(shape, 11);
        const int runs = std::max(1, repeat / 10);
        const auto c = or_exit(app::cost_by_chords(shape, pixel, steps, runs, false));
        const auto p = or_exit(app::cost_by_pixels(shape, pixel, steps, runs));
        const auto n = static_cast<double>(shape.face_count());
        const double x = n * std::log2(n) / c.us;
        const double y = c.pairs / c.us;
        xx += x * x;
        xy += x * y;
        yy += y * y;
        xt += x;
        yt += y;
        seen.push_back({n, c.us, c.pairs});
        fmt::print("{:>8} {:>10.1f} {:>10.1f} {:>10.0f} {:>10.0f} {:>10.1f}\n", shape.face_count(),
                   c.us, 1000.0 * c.us / n, c.records, c.pairs, p.us);
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
    bool misses = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--growth") == 0) {
            growth = true;
        } else if (std::strcmp(argv[i], "--random") == 0) {
            random = true;
        } else if (std::strcmp(argv[i], "--misses") == 0) {
            misses = true;
        } else if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
            repeat = std::max(1, std::atoi(argv[++i]));
        } else {
            fmt::print(stderr,
                       "usage: rigid_raster [--repeat N] [--growth] [--random] [--misses]\n");
            return 2;
        }
    }
    graze::bench::print_table(repeat, random);
    if (growth) graze::bench::print_growth(repeat);
    if (misses) graze::bench::print_misses(random);
    return 0;
}
