// Moves take no heap, however many triangles are near: with 2000 of them around the body the list
// of the near ones overflows, and each question walks through the tree. The gap is kept there too.
// Defends G-SLIDE-6, G-SLIDE-7, G-SLIDE-9, G-SLIDE-11 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "graze/slide/character.hpp"
#include "graze/slide/controller.hpp"
#include "narrow/counting_new.hpp"
#include "slide/mover_support.hpp"

namespace graze::slide {
namespace {

template <class Real>
void expect_no_heap() {
    test::Random random(4);
    const Level<Real> level = test::random_soup(random, 2'000, 4.0, 0.4).level<Real>();
    const Shape<Real> shape{{Real(0.1), Real(0.1), Real(0.1)}};
    const Shape<Real> tall = capsule(Real(0.1), Real(0.2));
    StairOptions<Real> step;
    step.height = Real(0.05);
    SnapOptions<Real> snap;
    snap.distance = Real(0.05);
    int proved = 0;
    for (int i = 0; i < 60; ++i) {
        const Vec<Real> start =
            narrowed<Real>({random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)});
        const Vec<Real> wish = narrowed<Real>(random.between(0.1, 9.0) * random.direction());
        graze::test::watch_memory();
        const MoveResult<Real> moved = move_and_slide(level, shape, start, wish);
        for (const MoverKind kind : {MoverKind::Linahan, MoverKind::Fauerby})
            static_cast<void>(move_and_slide_by(kind, level, shape, start, wish));
        static_cast<void>(move_and_climb(level, shape, start, wish, step));
        static_cast<void>(snap_to_ground(level, shape, start, snap));
        static_cast<void>(move_and_slide(level, tall, start, wish));
        EXPECT_EQ(graze::test::memory().allocations, 0U);
        if (!moved.gap_proved) continue;
        ++proved;
        EXPECT_GE(test::reference_gap(level, shape, moved.position),
                  static_cast<long double>(moved.skin) * (1.0L - 1e-12L));
    }
    EXPECT_GE(proved, 20);
}

TEST(MoverMemory, CharactersAndRidesTakeNoHeap) {
    World<float> world;
    const std::vector<Vec3f> points = {{-3, 0, -3}, {3, 0, -3}, {3, 0, 3}, {-3, 0, 3}};
    const std::vector<std::array<std::uint32_t, 3>> faces = {{0, 1, 2}, {0, 2, 3}};
    const std::uint32_t mesh = world.add_mesh(points, faces).value();
    const std::uint32_t part = world.add_part(mesh).value();
    world.update();
    Character hero{Capsule{0.4F, 1.8F}, Vec3f{0, 0.1F, 0}};
    bool is_carried = false;
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(world.move_part(part, {{}, {0.01 * i, 0, 0}}));
        world.update();
        graze::test::watch_memory();
        const auto frame = hero.move(world, {0.01F, -0.05F, 0});
        EXPECT_EQ(graze::test::memory().allocations, 0U);
        is_carried = is_carried || frame.ride.outcome == RideOutcome::Carried;
    }
    EXPECT_TRUE(is_carried);
}

// Spheres, capsules, boxes and a height field, and starts inside of them.
TEST(MoverMemory, MovesAmongSolidPartsTakeNoHeap) {
    test::Random random(5);
    World<float> world;
    const std::vector<float> heights(400, -1.0F);
    const std::vector<std::uint32_t> meshes = {
        world.add_sphere(0.3F).value(), world.add_capsule(0.2F, 0.4F).value(),
        world.add_box({0.2F, 0.3F, 0.4F}).value(),
        world.add_height_field({20, 20, 0.3F, 0.3F, heights}).value()};
    for (int i = 0; i < 60; ++i)
        ASSERT_TRUE(world.add_part(
            meshes[static_cast<std::size_t>(i % 4)],
            {{}, {random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)}}));
    world.update();
    const std::array<Shape<float>, 4> shapes = {
        Shape<float>{{0.1F, 0.1F, 0.1F}}, capsule(0.1F, 0.2F),
        rounded_box<float>({0.1F, 0.2F, 0.15F}, 0.05F), Shape<float>{{0.1F, 0.2F, 0.15F}}};
    int proved = 0;
    for (int i = 0; i < 40; ++i) {
        const Vec3f start =
            narrowed<float>({random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)});
        const Vec3f wish = narrowed<float>(random.between(0.1, 2.0) * random.direction());
        graze::test::watch_memory();
        const auto moved =
            move_and_slide(world, shapes[static_cast<std::size_t>(i % 4)], start, wish);
        EXPECT_EQ(graze::test::memory().allocations, 0U);
        proved += moved.gap_proved;
    }
    EXPECT_GE(proved, 10);
}

TEST(MoverMemory, MovesTakeNoHeap) {
    expect_no_heap<float>();
    expect_no_heap<double>();
}

}  // namespace
}  // namespace graze::slide
