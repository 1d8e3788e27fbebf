// A program that is linked with -ffast-math: its main thread flushes subnormals from the start, and
// so do the threads that it starts.
// Defends G-ALL-2 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <thread>

#include "entry_points.hpp"

namespace graze::testing {
namespace {

TEST(FastMathProgram, FlushesSubnormals) {
    EXPECT_EQ(fp_environment(), FpEnvironment::FlushesSubnormals);
    EXPECT_EQ(detail::observed_fp_environment(), FpEnvironment::FlushesSubnormals);
}

void expect_right_answers() {
    EXPECT_EQ(certify(vertices_near_each_other()).verdict, Verdict::Separated);
    EXPECT_EQ(run(make_certified(), vertices_near_each_other()).verdict, Verdict::Separated);
    EXPECT_EQ(run(make_tight_inclusion(), vertices_near_each_other()).verdict, Verdict::Separated);
    const CcdResult contact = certify(vertex_face(0.5, -0.4, -1040));
    EXPECT_EQ(contact.verdict, Verdict::Contact);
    EXPECT_EQ(contact.toi_lower, certify(vertex_face(0.5, -0.4, -1040)).toi_lower);
    EXPECT_EQ(fp_environment(), FpEnvironment::FlushesSubnormals);
}

TEST(FastMathProgram, GetsRightAnswers) {
    expect_right_answers();
}

TEST(FastMathProgram, GetsRightAnswersInItsThreads) {
    std::thread(expect_right_answers).join();
}

// By oneTBB's threads, whose settings are those of the program.
TEST(FastMathProgram, StepsMeshes) {
    // Rows of points, each 2^-1060 beside its neighbour, all of which move alike; and two that meet.
    constexpr std::size_t kCount = 2000;
    std::vector<Vec3> start(kCount);
    for (std::size_t i = 0; i < kCount; ++i)
        start[i] = {static_cast<double>(i / 2), i % 2 == 0 ? 0.0 : 0x1p-1060, 0.0};
    std::vector<Vec3> end = start;
    for (Vec3& p : end)
        p.z = 1.0;
    MeshStepper stepper(*make_topology(kCount, {}));
    const Expected<FirstImpact> none = stepper.first_impact(start, end);
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->impact);
    EXPECT_TRUE(stepper.intersections(start)->empty());
    end[kCount - 1].y = -0x1p-1060;
    const Expected<FirstImpact> one = stepper.first_impact(start, end);
    ASSERT_TRUE(one && one->impact);
    EXPECT_EQ(one->impact->b, kCount - 1);
    EXPECT_LE(one->impact->result.toi_lower, 0.5);
    EXPECT_GE(one->impact->result.toi_upper, 0.5);
}

TEST(FastMathProgram, MovesBodiesAndShapes) {
    const rigid::RigidBody body(*tetrahedron());
    EXPECT_EQ(first_impact(body, body, body_step()).verdict, Verdict::Contact);
    const slide::Level<float> level = floor_and_wall<float>();
    const slide::Shape<float> shape{{0.5F, 0.5F, 0.5F}};
    EXPECT_TRUE(slide::move_and_slide<float>(level, shape, {0, 1, 0}, {1, 0, 0}).gap_proved);
}

}  // namespace
}  // namespace graze::testing
