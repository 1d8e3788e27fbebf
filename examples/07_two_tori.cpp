// Two tori run through each other, as in Buss, Collision detection with relative screw motion,
// 2005, section 9.2: in one step torus A goes from below torus B up through it and away. All
// collisions are found at once, as if both went on unhindered; three of them are proper, which
// means that the tori face each other there, as at a first contact. The certified search then
// proves when the first one happens.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

#include "graze/rigid/impact.hpp"
#include "graze/rigid/raster.hpp"

namespace {

using graze::Vec3;
namespace rigid = graze::rigid;

// About the y-axis, 20 times 15 flat quadrangles: 300 faces and 600 edges.
rigid::Polyhedron torus() {
    constexpr std::uint32_t kRings = 20;
    constexpr std::uint32_t kSides = 15;
    constexpr double kTurn = 2.0 * std::numbers::pi;
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> corners;
    for (std::uint32_t ring = 0; ring < kRings; ++ring) {
        for (std::uint32_t side = 0; side < kSides; ++side) {
            const double around = kTurn * ring / kRings;
            const double within = kTurn * side / kSides;
            const double radius = 1.0 + 0.4 * std::cos(within);
            positions.push_back(
                {radius * std::sin(around), 0.4 * std::sin(within), radius * std::cos(around)});
            const std::uint32_t next_ring = (ring + 1) % kRings;
            const std::uint32_t next_side = (side + 1) % kSides;
            corners.insert(corners.end(),
                           {ring * kSides + side, next_ring * kSides + side,
                            next_ring * kSides + next_side, ring * kSides + next_side});
        }
    }
    const std::vector<std::uint32_t> counts(std::size_t{kRings} * kSides, 4);
    auto surface = rigid::Polyhedron::build(std::move(positions), counts, corners);
    if (!surface) std::abort();
    return std::move(*surface);
}

// B rests, tilted. A comes from below and in front, turns by 38 degrees, and ends above and behind.
constexpr graze::Quaternion kTilt{0.9887711, 0.1431358, 0.0, 0.0429407};
const rigid::PairStep kStep{
    {{{0.9300431, -0.2119153, 0.227187, -0.1962083}, {0.59375, -2.390625, 1.34375}},
     {{0.8763512, -0.4601691, 0.0206517, -0.1408069}, {0.484375, 2.140625, -0.421875}}},
    {{kTilt, {}}, {kTilt, {}}}};

}  // namespace

int main() {
    const rigid::Polyhedron shape = torus();
    rigid::RasterSearch search;
    rigid::RasterOptions options;
    options.min_properness = 0.0;
    const auto found = search.collisions(shape, shape, kStep, options);
    if (!found) {
        std::fprintf(stderr, "%s\n", found.error().message.c_str());
        return EXIT_FAILURE;
    }
    for (const rigid::Contact& local : found->collisions) {
        const rigid::Contact c = rigid::to_world(local, kStep);
        std::printf("t = %.4f: %s %3u %3u at (%.3f, %.3f, %.3f), properness %.3f\n", c.time,
                    rigid::short_name(c.type).data(), c.a, c.b, c.point.x, c.point.y, c.point.z,
                    c.properness);
    }

    const rigid::RigidBody body(shape);
    const rigid::ImpactResult first = rigid::first_impact(body, body, kStep);
    std::printf("proved: nothing before t = %.12f, contact by t = %.12f\n", first.toi_lower,
                first.toi_upper);

    // Times of the raster are as good as its pixels.
    const bool as_expected = found->collisions.size() == 3 &&
                             first.verdict == graze::Verdict::Contact &&
                             std::fabs(found->collisions[0].time - first.toi_lower) < 0.02;
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
