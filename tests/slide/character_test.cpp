// Characters: events, bodies that change, ledges, and parts that carry, push and crush.
// Defends G-SLIDE-3, G-SLIDE-9 (docs/GUARANTEES.md).
#include "graze/slide/character.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace graze::slide {
namespace {

using Faces = std::vector<std::array<std::uint32_t, 3>>;

std::uint32_t add_block(World<float>& world, const Vec3f& half) {
    std::vector<Vec3f> points;
    for (int i = 0; i < 8; ++i)
        points.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                          (i & 4) != 0 ? half.z : -half.z});
    const Faces faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return world.add_mesh(points, faces).value();
}

// Ground whose top is at y = 0, from -10 to 10.
World<float> ground() {
    World<float> world;
    EXPECT_TRUE(world.add_part(add_block(world, {10, 0.5F, 10}), {{}, {0, -0.5, 0}}));
    world.update();
    return world;
}

struct Walker {
    Character<float> character{Capsule{0.4F, 1.8F}, Vec3f{0, 0.1F, 0}};
    Vec3f velocity{};

    CharacterFrame<float> step(const World<float>& world) {
        constexpr float kDt = 1.0F / 60.0F;
        velocity.y -= 9.81F * kDt;
        const auto frame = character.move(world, kDt * velocity);
        EXPECT_TRUE(frame.gap_proved);
        if (frame.on_ground || frame.hit_ceiling) velocity.y = 0.0F;
        return frame;
    }
};

TEST(CharacterTest, LandsOnceAndStands) {
    World<float> world = ground();
    Walker walker;
    int landed = 0;
    for (int i = 0; i < 60; ++i)
        landed += walker.step(world).landed;
    EXPECT_EQ(landed, 1);
    EXPECT_TRUE(walker.character.on_ground());
    const Vec3f before = walker.character.centre();
    for (int i = 0; i < 20; ++i) {
        const auto frame = walker.step(world);
        EXPECT_TRUE(frame.on_ground);
        EXPECT_EQ(frame.ground.part, 0U);
        EXPECT_GT(frame.ground.normal.y, 0.99F);
        EXPECT_EQ(walker.character.centre(), before) << "rest is exact";
    }
    EXPECT_NEAR(walker.character.feet().y, 0.0F, 0.02F);
}

TEST(CharacterTest, ClimbsStepsAndStopsAtWalls) {
    World<float> world = ground();
    ASSERT_TRUE(world.add_part(add_block(world, {1, 0.15F, 2}), {{}, {2.5, 0.15, 0}}));
    ASSERT_TRUE(world.add_part(add_block(world, {1, 2, 2}), {{}, {4.5, 2, 0}}));
    world.update();
    Walker walker;
    bool climbed = false;
    for (int i = 0; i < 180; ++i) {
        walker.velocity.x = 2.0F;
        climbed = walker.step(world).climbed || climbed;
    }
    EXPECT_TRUE(climbed);
    EXPECT_NEAR(walker.character.feet().y, 0.3F, 0.02F);
    EXPECT_NEAR(walker.character.feet().x, 3.1F, 0.02F);
}

TEST(CharacterTest, JumpsLeavesTheGroundAndHitsTheCeiling) {
    World<float> world = ground();
    ASSERT_TRUE(world.add_part(add_block(world, {5, 0.1F, 5}), {{}, {0, 2.2, 0}}));
    world.update();
    Walker walker;
    for (int i = 0; i < 30; ++i)
        (void)walker.step(world);
    walker.velocity.y = 5.0F;
    bool left = false;
    bool hit = false;
    bool landed = false;
    for (int i = 0; i < 60; ++i) {
        const auto frame = walker.step(world);
        left = left || frame.left_ground;
        hit = hit || frame.hit_ceiling;
        landed = landed || (left && frame.landed);
    }
    EXPECT_TRUE(left && hit && landed);
}

TEST(CharacterTest, CrouchesAndGetsUpOnlyWhereThereIsRoom) {
    World<float> world = ground();
    ASSERT_TRUE(world.add_part(add_block(world, {1, 0.1F, 3}), {{}, {3, 1.4, 0}}));
    world.update();
    Walker walker;
    for (int i = 0; i < 30; ++i)
        (void)walker.step(world);
    ASSERT_TRUE(walker.character.change_body(world, {0.4F, 1.1F}));
    for (int i = 0; i < 90; ++i) {
        walker.velocity.x = 2.0F;
        (void)walker.step(world);
    }
    EXPECT_NEAR(walker.character.feet().x, 3.0F, 0.1F) << "below the beam";
    EXPECT_FALSE(walker.character.change_body(world, {0.4F, 1.8F}));
    EXPECT_EQ(walker.character.body().height, 1.1F);
    for (int i = 0; i < 90; ++i) {
        walker.velocity.x = 2.0F;
        (void)walker.step(world);
    }
    EXPECT_TRUE(walker.character.change_body(world, {0.4F, 1.8F}));
}

TEST(CharacterTest, StopsAtLedgesIfAskedTo) {
    World<float> world = ground();
    for (const bool stops : {false, true}) {
        Walker walker;
        walker.character.options().stops_at_ledges = stops;
        bool held = false;
        for (int i = 0; i < 420; ++i) {
            walker.velocity.x = 2.0F;
            held = walker.step(world).held_at_ledge || held;
        }
        EXPECT_EQ(held, stops);
        EXPECT_EQ(walker.character.on_ground(), stops);
        EXPECT_EQ(walker.character.feet().y < -1.0F, !stops);
    }
}

// The gap that a frame claims to have been proved is there.
template <class Real>
void expect_skin_kept(const World<Real>& world, const Character<Real>& character,
                      const CharacterFrame<Real>& frame) {
    ASSERT_TRUE(frame.gap_proved);
    const auto gap =
        smallest_gap(world, character.shape(), character.centre(), Real{1}, ~std::uint32_t{0});
    EXPECT_TRUE(!gap.found || gap.gap_lower >= double{frame.skin} * (1.0 - 0x1p-20))
        << double{frame.skin} << " > " << gap.gap_lower;
}

// A move that leads far away has the wide skin of its end; who is held does not go there.
template <class Real>
void expect_skin_kept_at_ledges(Real far) {
    World<Real> world;
    ASSERT_TRUE(world.add_part(*world.add_box({Real(5), Real(1), Real(5)}), {{}, {0, -1, 0}}));
    world.update();
    CharacterOptions<Real> options;
    options.stops_at_ledges = true;
    Character<Real> character(Capsule<Real>{Real(0.4), Real(1.8)}, {Real(0), Real(0.05), Real(0)},
                              options);
    for (int i = 0; i < 5; ++i)
        (void)character.move(world, {Real(0), Real(-0.05), Real(0)});
    const auto frame = character.move(world, {far, Real(0), Real(0)});
    EXPECT_TRUE(frame.held_at_ledge && frame.on_ground);
    expect_skin_kept(world, character, frame);
}
TEST(CharacterTest, KeepsTheSkinThatItReportsWhereItIsHeldAtALedge) {
    for (const float far : {6.0F, 1e4F, 1e7F, 1e12F})
        expect_skin_kept_at_ledges(far);
    for (const double far : {1e3, 1e15, 1e18})
        expect_skin_kept_at_ledges(far);
}

// It starts where numbers are coarse and the skin is wide, and comes to a wall near the origin; there it
// snaps to the ground with a thinner one.
template <class Real>
void expect_skin_kept_on_snapping(Real far) {
    World<Real> world;
    const auto floor = world.add_box({Real(4) * far, Real(1), Real(5)});
    ASSERT_TRUE(world.add_part(*floor, {{}, {0, -1, 0}}));
    ASSERT_TRUE(world.add_part(*world.add_box({Real(1), Real(3), Real(5)}), {{}, {-2, 0, 0}}));
    world.update();
    for (Real height = Real(0.01); height < Real(2); height *= Real(1.3)) {
        Character<Real> character(Capsule<Real>{Real(0.4), Real(1.8)}, {far, height, Real(0)}, {});
        const auto frame = character.move(world, {Real(-1.01) * far, Real(-0.05), Real(0)});
        if (frame.gap_proved) expect_skin_kept(world, character, frame);
    }
}
TEST(CharacterTest, KeepsTheSkinThatItReportsWhereItSnapsFarFromItsStart) {
    for (const float far : {1e4F, 1e5F, 1e6F})
        expect_skin_kept_on_snapping(far);
    for (const double far : {1e12, 1e13, 1e14})
        expect_skin_kept_on_snapping(far);
}

TEST(CharacterTest, ALevelWillDo) {
    const std::vector<Vec3f> points = {{-9, 0, -9}, {9, 0, -9}, {9, 0, 9}, {-9, 0, 9}};
    const Faces faces = {{0, 1, 2}, {0, 2, 3}};
    Level<float> level;
    ASSERT_TRUE(level.add_part(points, faces));
    Character hero{Capsule{0.4F, 1.8F}, Vec3f{0, 1, 0}};
    CharacterFrame<float> frame;
    for (int i = 0; i < 60; ++i)
        frame = hero.move(level, {0.02F, -0.05F, 0});
    EXPECT_TRUE(frame.on_ground && frame.gap_proved);
    EXPECT_GT(hero.feet().x, 1.1F);
}

// --- parts that move -----------------------------------------------------------------------------

TEST(CharacterTest, RidesALiftAndAFerry) {
    World<float> world = ground();
    const std::uint32_t lift =
        world.add_part(add_block(world, {1.5F, 0.1F, 1.5F}), {{}, {0, 0.1, 0}}).value();
    world.update();
    Walker walker;
    walker.character.teleport({0, 0.3F, 0});
    for (int i = 0; i < 30; ++i) {
        world.update();
        (void)walker.step(world);
    }
    Vec3 at{0, 0.1, 0};
    for (int i = 0; i < 240; ++i) {
        at = at + Vec3{i < 120 ? 0.05 : -0.05, i < 60 ? 0.04 : i < 120 ? 0.0 : -0.02, 0.03};
        ASSERT_TRUE(world.move_part(lift, {{}, at}));
        world.update();
        const auto frame = walker.step(world);
        EXPECT_TRUE(frame.on_ground) << i;
        EXPECT_EQ(frame.ground.part, lift);
        EXPECT_TRUE(frame.is_carried()) << i;
        EXPECT_LE(frame.ride.steps, 2);
        EXPECT_NEAR(walker.character.feet().x, at.x, 0.05);
        EXPECT_NEAR(walker.character.feet().y, at.y + 0.1, 0.02);
        EXPECT_NEAR(walker.character.feet().z, at.z, 0.05);
    }
}

TEST(CharacterTest, IsPushedByAWallAndCrushedAgainstAnother) {
    World<float> world = ground();
    const std::uint32_t mesh = add_block(world, {0.1F, 2, 2});
    const std::uint32_t wall = world.add_part(mesh, {{}, {-1, 2, 0}}).value();
    ASSERT_TRUE(world.add_part(mesh, {{}, {3, 2, 0}}));
    world.update();
    Walker walker;
    for (int i = 0; i < 30; ++i) {
        world.update();
        (void)walker.step(world);
    }
    bool pushed = false;
    bool crushed = false;
    for (int i = 1; i <= 100 && !crushed; ++i) {
        ASSERT_TRUE(world.move_part(wall, {{}, {-1 + 0.04 * i, 2, 0}}));
        world.update();
        const auto frame = walker.character.move(world, {0, -0.01F, 0});
        pushed = pushed || frame.is_pushed();
        crushed = frame.is_crushed();
        if (!crushed) {
            EXPECT_GT(walker.character.feet().x, -1 + 0.04 * i + 0.5);
        }
    }
    EXPECT_TRUE(pushed);
    EXPECT_TRUE(crushed);
    EXPECT_NEAR(walker.character.feet().x, 2.5F, 0.05F);
}

TEST(CharacterTest, AFrameThatWasLeftOutIsNotRidden) {
    World<float> world = ground();
    const std::uint32_t lift =
        world.add_part(add_block(world, {1.5F, 0.1F, 1.5F}), {{}, {0, 0.1, 0}}).value();
    world.update();
    Walker walker;
    walker.character.teleport({0, 0.3F, 0});
    for (int i = 0; i < 30; ++i) {
        world.update();
        (void)walker.step(world);
    }
    ASSERT_TRUE(world.move_part(lift, {{}, {0.5, 0.1, 0}}));
    world.update();
    world.update();
    const auto frame = walker.step(world);
    EXPECT_EQ(frame.ride.outcome, RideOutcome::Unproved);
    EXPECT_EQ(frame.ride.time, 0.0);
    EXPECT_EQ(frame.ride.overlap, 0.0);
    EXPECT_TRUE(frame.gap_proved);
    EXPECT_EQ(walker.step(world).ride.outcome, RideOutcome::Unmoved);  // twice in a frame
    // One that came up in the meantime: by how much at most is known.
    ASSERT_TRUE(world.move_part(lift, {{}, {0.5, 0.2, 0}}));
    world.update();
    world.update();
    const auto lifted = walker.step(world);
    EXPECT_EQ(lifted.ride.outcome, RideOutcome::Unproved);
    EXPECT_GT(lifted.ride.overlap, 0.09);
    EXPECT_TRUE(lifted.gap_proved);
    EXPECT_NEAR(walker.character.feet().y, 0.3F, 0.02F);
}

}  // namespace
}  // namespace graze::slide
