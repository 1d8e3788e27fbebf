// A world that runs out of memory: nothing has changed, or only speed is lost; no part is missed.
// Defends G-SLIDE-11 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <array>
#include <new>
#include <vector>

#include "graze/slide.hpp"
#include "narrow/counting_new.hpp"

namespace graze::slide {
namespace {

constexpr std::uint32_t kParts = 100;

// Boxes in a row along x, four apart.
Pose place_of(std::uint32_t part, double height) {
    return {{}, {4.0 * part, height, 0.0}};
}
World<float> row_of_boxes() {
    World<float> world;
    const auto mesh = world.add_box({1, 1, 1}).value();
    for (std::uint32_t part = 0; part < kParts; ++part)
        static_cast<void>(world.add_part(mesh, place_of(part, 0.0)).value());
    world.update();
    return world;
}

// How many boxes are at the height: those that a ball in their place is not clear of.
std::uint32_t found_at(const World<float>& world, double height) {
    std::uint32_t found = 0;
    for (std::uint32_t part = 0; part < kParts; ++part) {
        const auto at = narrowed<float>(place_of(part, height).translation);
        found += overlap_at(world, Shape<float>{{0.5F, 0.5F, 0.5F}}, at) == Verdict::Contact;
    }
    return found;
}

// Runs change(world) with 0, 1, 2, ... allocations that succeed, each on a world of its own, until it
// does not throw; expect(world, thrown) is asked each time. Result: the allocations it took.
template <class Change, class Expect>
std::size_t run_short(const Change& change, const Expect& expect) {
    for (std::size_t count = 0;; ++count) {
        World<float> world = row_of_boxes();
        for (std::uint32_t part = 0; part < kParts; ++part)
            EXPECT_TRUE(world.move_part(part, place_of(part, 40.0)));
        bool thrown = false;
        const std::size_t before = test::memory().allocations;
        {
            const test::AllocationFailure failure(count);
            try {
                change(world);
            } catch (const std::bad_alloc&) {
                thrown = true;
            }
        }
        expect(world, thrown);
        if (!thrown && test::memory().allocations - before < count) return count;
    }
}

TEST(WorldMemory, AnUpdateThatRunsOutOfMemoryMissesNoPart) {
    const auto tries = run_short([](World<float>& world) { world.update(); },
                                 [](World<float>& world, bool thrown) {
                                     // All of them are where they were, or all are where they went.
                                     EXPECT_EQ(found_at(world, thrown ? 0.0 : 40.0), kParts);
                                     EXPECT_EQ(found_at(world, thrown ? 40.0 : 0.0), 0U);
                                     EXPECT_EQ(world.frame(), thrown ? 1U : 2U);
                                     // What was asked for is done by the next one, where it was not done.
                                     if (thrown) world.update();
                                     EXPECT_EQ(found_at(world, 40.0), kParts);
                                     EXPECT_EQ(world.motion(7).from, place_of(7, 0.0));
                                     EXPECT_EQ(world.motion(7).to, place_of(7, 40.0));
                                 });
    EXPECT_GE(tries, 2U);
}

// Where it is new in the order, the tree needs more.
TEST(WorldMemory, APartThatWasAddedIsFoundThoughTheTreeHasNoMemory) {
    const Pose at{{}, {0, 100, 0}};
    const Shape<float> ball{{0.5F, 0.5F, 0.5F}};
    const auto add = [&](World<float>& world) {
        static_cast<void>(world.add_part(0, at).value());
        world.update();
    };
    const auto tries = run_short(add, [&](World<float>& world, bool thrown) {
        if (world.part_count() == kParts + 1)
            EXPECT_EQ(overlap_at(world, ball, {0, 100, 0}), Verdict::Contact);
        else
            EXPECT_TRUE(thrown);
        EXPECT_EQ(found_at(world, thrown ? 0.0 : 40.0), kParts);
    });
    EXPECT_GE(tries, 5U);
}

TEST(WorldMemory, AMeshThatFindsNoMemoryIsNotThere) {
    const std::vector<Vec3f> points = {{-9, 0, -9}, {9, 0, -9}, {9, 0, 9}, {-9, 0, 9}};
    const std::vector<World<float>::Face> faces = {{0, 1, 2}, {0, 2, 3}};
    const std::vector<float> heights(81, 0.0F);
    const auto add_all = [&](World<float>& world) {
        static_cast<void>(world.add_mesh(points, faces).value());
        static_cast<void>(world.add_sphere(1.0F).value());
        static_cast<void>(world.add_capsule(1.0F, 2.0F).value());
        static_cast<void>(world.add_height_field({9, 9, 1.0F, 1.0F, heights}).value());
    };
    static_cast<void>(run_short(add_all, [&](World<float>& world, bool thrown) {
        EXPECT_EQ(found_at(world, 0.0), kParts);
        if (thrown) add_all(world);
        EXPECT_TRUE(world.add_part(4, place_of(0, 9.0)));
    }));
}

}  // namespace
}  // namespace graze::slide
