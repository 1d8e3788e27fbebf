// Moves that were called proved with the ball inside a triangle, or that pushed it through a wall.
// Verified in rationals.
#include <gtest/gtest.h>

#include "graze/slide.hpp"
#include "slide/exact_clearance.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::ball;
using test::keeps_exactly;
using test::Triangles;

// A quarter of the skin is below 2^-40 radii: the place of rest is then nearer than what the sweep
// proves, and "when the ball comes to rest" is after the time up to which the way is free.
TEST(SlideRegression, HoldsForASkinBelowWhatSweepsCanTell) {
    const Triangles<double> triangles = {{{{-0x1.153a5aefcb4f6p+1, -4, -4},
                                           {-0x1.153a5aefcb4f6p+1, 4, -4},
                                           {-0x1.153a5aefcb4f6p+1, 0, -0x1.5742d97916a05p+1}}},
                                         {{{-0x1.f511e3577c468p+0, -4, -4},
                                           {-0x1.f511e3577c468p+0, 4, -4},
                                           {-0x1.f511e3577c468p+0, 0, -0x1.819f1381795f4p+1}}}};
    const Level<double> level = test::level_of(triangles);
    const MoveResult<double> moved = move_and_slide<double>(
        level, ball<double>(0.5), {0x1.151e3ee90ef86p+0, 0x1.0f832c8bbae5ep+0, 0x1.45a6e94f07f3p-2},
        {-0x1.2ecee40ad5c63p+2, -0x1.5282de618b693p+0, -0x1.3f31275757e3ep+2}, {.skin = 0x1p-41});
    EXPECT_TRUE(moved.gap_proved);
    EXPECT_TRUE(keeps_exactly(triangles, moved.position, 0.5, moved.skin));
}

// The ball rests a few skins before a wall, with two triangles behind it. A skin for numbers of
// 2^20 would be an eighth of a radius: too much for the start, which would be pushed through.
TEST(SlideRegression, ALongWishDoesNotPushTheBallThroughAWall) {
    const Triangles<float> triangles = {{{{0, -16, -16}, {0, 16, -16}, {0, 0, 16}}},
                                        {{{-0x1.17790ap+1F, 0x1.91e4b6p+0F, 0x1.efe126p+0F},
                                          {-0x1.1999f4p+1F, 0x1.765a44p-1F, 0x1.031776p-2F},
                                          {-0x1.04e74ap+1F, 0x1.b397ep+0F, -0x1.729ab4p+0F}}},
                                        {{{-0x1.ec0834p+0F, -0x1.6ae49cp-3F, -0x1.a654fcp+0F},
                                          {-0x1.ff31e2p+0F, -0x1.b82ef2p+0F, 0x1.6024acp+0F},
                                          {-0x1.d56d52p+0F, -0x1.c4e2b4p-2F, 0x1.4eab18p+0F}}}};
    const Level<float> level = test::level_of(triangles);
    const Vec<float> start{-0x1.03584ap+0F, 0x1.d89f0ep-3F, 0x1.168796p-2F};
    ASSERT_TRUE(move_and_slide<float>(level, ball<float>(1), start, {}).gap_proved);
    const MoveResult<float> moved = move_and_slide<float>(
        level, ball<float>(1), start, {0x1.6692c4p+20F, 0x1.8add7ap+14F, 0x1.4b0ae4p+20F});
    EXPECT_TRUE(moved.gap_proved);
    EXPECT_NE(moved.stopped, StopReason::PushedOut);
    EXPECT_TRUE(keeps_exactly(triangles, moved.position, 1.0F, moved.skin));
    // Beside the wall there is a way round it; through it there is none.
    EXPECT_LT(moved.position.x, 0.0F);
}

}  // namespace
}  // namespace graze::slide
