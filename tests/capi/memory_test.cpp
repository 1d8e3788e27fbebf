// The C interface without memory: each allocation of a call fails in turn. The status is
// GRAZE_OUT_OF_MEMORY, nothing leaks, and what was there goes on working.
// Defends G-CAPI-2, G-CAPI-3 (docs/GUARANTEES.md).
#include <graze.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "narrow/counting_new.hpp"

namespace graze::capi_memory_test {
namespace {

constexpr std::uint32_t kAll = 0xffff'ffffU;
constexpr graze_pose kHere{{1, 0, 0, 0}, {0, 0, 0}};
constexpr std::array<double, 12> kCorners{-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9};
constexpr std::array<std::uint32_t, 6> kFaces{0, 2, 1, 0, 3, 2};

graze_view corners() {
    return {kCorners.data(), 4, 0, 0, 0, GRAZE_FLOAT64, 0};
}

// A floor, a crate that moves, and somebody on the floor.
struct Scene {
    graze_world world{};
    graze_level level{};
    graze_character hero{};

    explicit Scene(graze_scalar scalar = GRAZE_FLOAT32) {
        const graze_view view = corners();
        const double half[3] = {0.5, 0.5, 0.5};
        const double feet[3] = {0, 0.25, 0};
        std::uint32_t number = 0;
        EXPECT_EQ(graze_world_create(scalar, &world), GRAZE_OK);
        EXPECT_EQ(graze_world_add_mesh(world, &view, kFaces.data(), 2, nullptr, 0, &number),
                  GRAZE_OK);
        EXPECT_EQ(graze_world_add_part(world, number, &kHere, kAll, &number), GRAZE_OK);
        EXPECT_EQ(graze_world_add_box(world, half, nullptr, &number), GRAZE_OK);
        const graze_pose crate{{1, 0, 0, 0}, {4, 0.5, 0}};
        EXPECT_EQ(graze_world_add_part(world, number, &crate, kAll, &number), GRAZE_OK);
        EXPECT_EQ(graze_world_update(world), GRAZE_OK);
        EXPECT_EQ(graze_level_create(scalar, &level), GRAZE_OK);
        EXPECT_EQ(graze_level_add_part(level, &view, kFaces.data(), 2, nullptr, 0, &number),
                  GRAZE_OK);
        EXPECT_EQ(graze_character_create(scalar, 0.4, 1.8, feet, nullptr, &hero), GRAZE_OK);
    }
    ~Scene() {
        EXPECT_EQ(graze_character_destroy(hero), GRAZE_OK);
        EXPECT_EQ(graze_level_destroy(level), GRAZE_OK);
        EXPECT_EQ(graze_world_destroy(world), GRAZE_OK);
    }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    // Down to the floor and no farther, proved; into the crate, and not through it.
    void expect_sound() const {
        const double down[3] = {0, -1, 0};
        graze_character_frame frame{};
        ASSERT_EQ(graze_character_move(hero, world, down, &frame), GRAZE_OK);
        EXPECT_TRUE(frame.gap_proved != 0 && frame.on_ground != 0);
        EXPECT_GT(frame.feet[1], 0.0);
        const double origin[3] = {0, 0.5, 0};
        const double ray[3] = {8, 0, 0};
        graze_sweep hit{};
        ASSERT_EQ(graze_world_ray(world, origin, ray, kAll, &hit), GRAZE_OK);
        EXPECT_EQ(hit.verdict, GRAZE_CONTACT);
    }
};

using Call = std::function<graze_status(const Scene&)>;
using NamedCall = std::pair<std::string, Call>;

// Calls that change something.
std::vector<NamedCall> changes() {
    const graze_pose there{{1, 0, 0, 0}, {3, 0.5, 0}};
    return {
        {"create a character",
         [](const Scene&) {
             const double feet[3] = {0, 1, 0};
             graze_character made{77};
             const graze_status status =
                 graze_character_create(GRAZE_FLOAT64, 0.4, 1.8, feet, nullptr, &made);
             EXPECT_EQ(made.id != 0, status == GRAZE_OK);
             return status == GRAZE_OK ? graze_character_destroy(made) : status;
         }},
        {"create a world",
         [](const Scene&) {
             graze_world made{77};
             const graze_status status = graze_world_create(GRAZE_FLOAT64, &made);
             EXPECT_EQ(made.id != 0, status == GRAZE_OK);
             return status == GRAZE_OK ? graze_world_destroy(made) : status;
         }},
        {"create a level",
         [](const Scene&) {
             graze_level made{77};
             const graze_status status = graze_level_create(GRAZE_FLOAT64, &made);
             EXPECT_EQ(made.id != 0, status == GRAZE_OK);
             return status == GRAZE_OK ? graze_level_destroy(made) : status;
         }},
        {"add a mesh",
         [](const Scene& s) {
             const graze_view view = corners();
             std::uint32_t mesh = 0;
             return graze_world_add_mesh(s.world, &view, kFaces.data(), 2, nullptr, 0, &mesh);
         }},
        {"add a sphere",
         [](const Scene& s) {
             std::uint32_t mesh = 0;
             return graze_world_add_sphere(s.world, 1.0, nullptr, &mesh);
         }},
        {"add a capsule",
         [](const Scene& s) {
             std::uint32_t mesh = 0;
             return graze_world_add_capsule(s.world, 1.0, 2.0, nullptr, &mesh);
         }},
        {"add a box",
         [](const Scene& s) {
             const double half[3] = {1, 1, 1};
             std::uint32_t mesh = 0;
             return graze_world_add_box(s.world, half, nullptr, &mesh);
         }},
        {"add a height field",
         [](const Scene& s) {
             static constexpr std::array<float, 81> kHeights{};
             const graze_height_field field{
                 9, 9, {1, 1}, kHeights.data(), kHeights.size(), GRAZE_FLOAT32, 0};
             std::uint32_t mesh = 0;
             return graze_world_add_height_field(s.world, &field, nullptr, 0, &mesh);
         }},
        {"add a part",
         [](const Scene& s) {
             const graze_pose at{{1, 0, 0, 0}, {0, 50, 0}};
             std::uint32_t part = 0;
             return graze_world_add_part(s.world, 1, &at, kAll, &part);
         }},
        {"move a part",
         [there](const Scene& s) { return graze_world_move_part(s.world, 1, &there, nullptr); }},
        {"place a part",
         [there](const Scene& s) { return graze_world_place_part(s.world, 1, &there); }},
        {"move a part and update",
         [there](const Scene& s) {
             const graze_status status = graze_world_move_part(s.world, 1, &there, nullptr);
             return status == GRAZE_OK ? graze_world_update(s.world) : status;
         }},
        {"add a part to a level",
         [](const Scene& s) {
             const graze_view view = corners();
             std::uint32_t part = 0;
             return graze_level_add_part(s.level, &view, kFaces.data(), 2, nullptr, 0, &part);
         }},
        {"replace a part of a level",
         [](const Scene& s) {
             const graze_view view = corners();
             return graze_level_replace_part(s.level, 0, &view, kFaces.data(), 2, nullptr, 0);
         }},
        {"move a part of a level",
         [](const Scene& s) {
             const graze_view view = corners();
             return graze_level_move_part(s.level, 0, &view);
         }},
    };
}

// What a frame of a game calls.
std::vector<NamedCall> frame_calls() {
    return {
        {"move a character",
         [](const Scene& s) {
             const double by[3] = {0.05, -0.05, 0};
             graze_character_frame frame{};
             const graze_status status = graze_character_move(s.hero, s.world, by, &frame);
             EXPECT_NE(frame.gap_proved, 0);
             return status;
         }},
        {"crouch",
         [](const Scene& s) {
             std::int32_t changed = 0;
             return graze_character_change_body(s.hero, s.world, 0.4, 1.0, &changed);
         }},
        {"teleport",
         [](const Scene& s) {
             const double feet[3] = {0, 0.25, 0};
             return graze_character_teleport(s.hero, feet);
         }},
        {"slide",
         [](const Scene& s) {
             graze_mover mover;
             const graze_status status = graze_mover_init(&mover, sizeof mover);
             if (status != GRAZE_OK) return status;
             const double start[3] = {0, 2, 0};
             const double by[3] = {1, -3, 0};
             graze_move moved{};
             return graze_world_slide(s.world, &mover, start, by, &moved);
         }},
    };
}

TEST(CInterfaceMemory, EveryAllocationOfACallMayFail) {
    for (const auto& [name, call] : changes()) {
        SCOPED_TRACE(name);
        graze_status status = GRAZE_OUT_OF_MEMORY;
        std::size_t tries = 0;
        for (; status != GRAZE_OK && tries < 1000; ++tries) {
            const std::size_t held = test::memory().held;
            {
                const Scene scene;
                {
                    const test::AllocationFailure failure(tries);
                    status = call(scene);
                }
                if (status != GRAZE_OK) {
                    ASSERT_EQ(status, GRAZE_OUT_OF_MEMORY) << graze_last_error();
                    ASSERT_EQ(call(scene), GRAZE_OK) << "after memory is back";
                }
                scene.expect_sound();
            }
            // The table of handles may have grown, in the first round of all.
            if (tries > 0) {
                EXPECT_EQ(test::memory().held, held) << "leaked at allocation " << tries;
            }
        }
        EXPECT_EQ(status, GRAZE_OK);
        EXPECT_GE(tries, 2U);
    }
}

TEST(CInterfaceMemory, AFrameOfACharacterNeedsNone) {
    for (const auto& [name, call] : frame_calls()) {
        SCOPED_TRACE(name);
        const Scene scene;
        scene.expect_sound();
        const test::AllocationFailure failure(0);
        EXPECT_EQ(call(scene), GRAZE_OK);
    }
}

TEST(CInterfaceMemory, ABadHandleIsSaidSoWithoutMemory) {
    const Scene scene;
    const double by[3] = {0, 0, 0};
    graze_character_frame frame{};
    std::int32_t changed = 1;
    for (const std::uint64_t id : {std::uint64_t{0}, ~std::uint64_t{0}, scene.level.id}) {
        std::array<graze_status, 7> statuses{};
        {
            const test::AllocationFailure failure(0);
            statuses = {graze_character_move({id}, scene.world, by, &frame),
                        graze_character_move(scene.hero, {id}, by, &frame),
                        graze_character_change_body({id}, scene.world, 0.4, 1.0, &changed),
                        graze_character_teleport({id}, by), graze_world_update({id}),
                        // 0 is no object, and freed already.
                        id == 0 ? GRAZE_BAD_HANDLE : graze_character_destroy({id}),
                        id == 0 ? GRAZE_BAD_HANDLE : graze_world_destroy({id})};
        }
        for (const graze_status status : statuses)
            EXPECT_EQ(status, GRAZE_BAD_HANDLE);
        EXPECT_EQ(frame.gap_proved, 0);
        EXPECT_EQ(changed, 0);
    }
    scene.expect_sound();
}

}  // namespace
}  // namespace graze::capi_memory_test
