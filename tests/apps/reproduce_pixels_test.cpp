// The measurements of the published collision screen: small ones, and that they can be stopped.
#include <gtest/gtest.h>

#include <atomic>

#include "graze/generate/models.hpp"
#include "reproduce/buss2005_pixels.hpp"

namespace graze::app {
namespace {

rigid::Polyhedron cube_body() {
    const io::PolygonMesh mesh = generate::cube();
    return std::move(
        *rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners()));
}

TEST(ReproducePixels, FinePixelsMissLessThanCoarseOnesAndDrawMore) {
    const rigid::Polyhedron cube = cube_body();
    std::vector<rigid::PairStep> steps;
    for (int i = 0; i < 21; ++i)
        steps.push_back(colliding_step(cube, i));
    const auto coarse = misses_by_pixels(cube, 3.0, steps);
    const auto fine = misses_by_pixels(cube, 48.0, steps);
    ASSERT_TRUE(coarse && fine);
    EXPECT_EQ(fine->first_impacts, 21U);
    EXPECT_EQ(coarse->collisions, fine->collisions);
    EXPECT_GT(coarse->missed + coarse->inaccurate, 3U);
    EXPECT_LE(fine->missed + fine->inaccurate, 1U);
    EXPECT_LT(fine->time_error, coarse->time_error);
    const auto few = cost_by_pixels(cube, typical_short_edge(cube) / 3.0, steps, 1);
    const auto many = cost_by_pixels(cube, typical_short_edge(cube) / 48.0, steps, 1);
    ASSERT_TRUE(few && many);
    EXPECT_GT(many->records, 8.0 * few->records);
}

TEST(ReproducePixels, AStopIsAnErrorOfEveryItem) {
    const std::atomic<bool> asked = true;
    ReproduceOptions options;
    options.quick = true;
    options.stop = StopToken(asked);
    for (const auto item :
         {reproduce_pixel_table, reproduce_pixel_growth, reproduce_pixel_misses}) {
        const auto result = item(options);
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().message, "cancelled");
    }
}

}  // namespace
}  // namespace graze::app
