// Defends G-BOX-1 (docs/GUARANTEES.md).
#include "graze/narrow/box_separation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace graze {
namespace {

MovingPoint at_rest(const Vec3& p) {
    return {p, p};
}

// A triangle in the plane z = 0 and a vertex that comes down from z = 2 to z = `end`.
VertexFaceMotion vertex_falling_to(double end) {
    return {{{0.2, 0.2, 2.0}, {0.2, 0.2, end}},
            {at_rest({0, 0, 0}), at_rest({1, 0, 0}), at_rest({0, 1, 0})}};
}

TEST(BoxSeparation, ProvesAGapOfOneUnitInTheLastPlace) {
    const double ulp = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(box_separation(vertex_falling_to(ulp)).verdict, Verdict::Separated);
    EXPECT_EQ(box_separation(vertex_falling_to(ulp)).toi_lower, kInfinity);
}

TEST(BoxSeparation, KnowsNothingWhereBoxesTouch) {
    EXPECT_EQ(box_separation(vertex_falling_to(0.0)).verdict, Verdict::Unresolved);
    EXPECT_EQ(box_separation(vertex_falling_to(0.0)).toi_lower, 0.0);
    EXPECT_EQ(box_separation(vertex_falling_to(-1.0)).verdict, Verdict::Unresolved);
}

TEST(BoxSeparation, CountsADistanceOfExactlyTheSeparationAsContact) {
    for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
        const CcdOptions options{.min_separation = 0.5, .norm = norm};
        EXPECT_EQ(box_separation(vertex_falling_to(0.5), options).verdict, Verdict::Unresolved);
        EXPECT_EQ(box_separation(vertex_falling_to(std::nextafter(0.5, 1.0)), options).verdict,
                  Verdict::Separated);
    }
}

// The exact gap is 1 + 2^-60, which rounds to 1: rounding must not lose the proof's direction.
TEST(BoxSeparation, NeverRoundsAGapUpToTheSeparation) {
    VertexVertexMotion motion{at_rest({0x1p-60, 0, 0}), at_rest({1.0, 0, 0})};
    // Exact gap 1 - 2^-60 < 1, though fl(1 - 2^-60) = 1.
    EXPECT_EQ(box_separation(motion, {.min_separation = 0x1.fffffffffffffp-1}).verdict,
              Verdict::Unresolved);
    EXPECT_EQ(box_separation(motion, {.min_separation = 0.999}).verdict, Verdict::Separated);
}

TEST(BoxSeparation, SeesEveryAxisAndBothSides) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            Vec3 away;
            away[axis] = side * 3.0;
            const EdgeEdgeMotion edges{{at_rest({-1, -1, -1}), at_rest({1, 1, 1})},
                                       {at_rest(away), at_rest(away)}};
            EXPECT_EQ(box_separation(edges).verdict, Verdict::Separated) << axis << ' ' << side;
            const VertexEdgeMotion vertex{at_rest(away),
                                          {at_rest({-1, -1, -1}), at_rest({1, 1, 1})}};
            EXPECT_EQ(box_separation(vertex).verdict, Verdict::Separated) << axis << ' ' << side;
        }
    }
}

TEST(BoxSeparation, IsUnresolvedForBadInputEvenWhenCalledDirectly) {
    VertexFaceMotion motion = vertex_falling_to(1.0);
    EXPECT_EQ(box_separation(motion, {.t_max = -1.0}), CcdResult{});
    motion.face[2].end.y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(box_separation(motion), CcdResult{});
}

}  // namespace
}  // namespace graze
