// Bodies that push each other where memory runs out: what is left of an operation that failed is nothing.
// A program of its own, since it replaces operator new.
// Defends G-RIGID-14 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <new>

#include "graze/rigid/dynamics.hpp"
#include "narrow/counting_new.hpp"

namespace graze::rigid {
namespace {

using test::AllocationFailure;

DynamicsOptions weightless() {
    DynamicsOptions options;
    options.gravity = {};
    options.time_step = 1.0;
    options.resting_gap = 0x1p-7;
    options.threads = 1;
    return options;
}
BodyId add_driven(Dynamics& world, ShapeId shape, const Vec3& at, const Vec3& velocity) {
    DynamicBody body;
    body.shape = shape;
    body.kind = BodyKind::Driven;
    body.pose.translation = at;
    body.velocity.linear = velocity;
    return world.add_body(body).value();
}
// True where it had not enough of them.
template <class Body>
bool runs_out(std::size_t allocations, const Body& body) {
    const AllocationFailure failure(allocations);
    try {
        body();
    } catch (const std::bad_alloc&) {
        return true;
    }
    return false;
}

// A ball of radius 1 that is driven at another of the same shape stops before it.
void expect_no_overlap(Dynamics& world, ShapeId ball, std::size_t allocations) {
    const BodyId still = add_driven(world, ball, {}, {});
    const BodyId driven = add_driven(world, ball, {5.0, 0.0, 0.0}, {-3.5, 0.0, 0.0});
    ASSERT_TRUE(world.step().has_value()) << allocations;
    EXPECT_EQ(world.pose(still).translation, Vec3{}) << allocations;
    EXPECT_GE(world.pose(driven).translation.x, 2.0) << allocations;
    EXPECT_EQ(world.check().overlapping, 0U) << allocations;
}

TEST(DynamicsMemory, AShapeThatWasNotAddedTakesNoNumber) {
    for (std::size_t allocations = 0;; ++allocations) {
        ASSERT_LT(allocations, 100U);
        Dynamics world(weightless());
        static_cast<void>(world.add_shape(ConvexShape::sphere(0.125).value()));
        const ConvexShape other = ConvexShape::sphere(2.0).value();
        const bool failed =
            runs_out(allocations, [&] { static_cast<void>(world.add_shape(other)); });
        expect_no_overlap(world, world.add_shape(ConvexShape::sphere(1.0).value()), allocations);
        if (!failed) return;
    }
}

TEST(DynamicsMemory, ABodyThatWasNotAddedTakesNoNumber) {
    for (std::size_t allocations = 0;; ++allocations) {
        ASSERT_LT(allocations, 100U);
        Dynamics world(weightless());
        const ShapeId ball = world.add_shape(ConvexShape::sphere(1.0).value());
        const bool failed = runs_out(allocations, [&] {
            add_driven(world, ball, {50.0, 0.0, 0.0}, {});
        });
        expect_no_overlap(world, ball, allocations);
        if (!failed) return;
    }
}

TEST(DynamicsMemory, AStepThatRunsOutOfMemoryLeavesNothingOfItBehind) {
    for (std::size_t allocations = 0;; ++allocations) {
        ASSERT_LT(allocations, 1000U);
        Dynamics world(weightless());
        const ShapeId ball = world.add_shape(ConvexShape::sphere(0.5).value());
        const BodyId first = add_driven(world, ball, {}, {5.0, 0.0, 0.0});
        const BodyId second = add_driven(world, ball, {0.0, 0.0, -6.0}, {});
        const bool failed =
            runs_out(allocations, [&] { static_cast<void>(world.step().has_value()); });
        if (world.pose(first).translation == Vec3{}) {
            world.set_velocity(first, {});
            world.set_velocity(second, {{0.0, 0.0, 6.0}, {}});
            ASSERT_TRUE(world.step().has_value());
            EXPECT_LE(world.pose(second).translation.z, -1.0) << allocations;
            EXPECT_EQ(world.check().overlapping, 0U) << allocations;
        }
        if (!failed) return;
    }
}

}  // namespace
}  // namespace graze::rigid
