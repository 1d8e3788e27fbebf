// The functions in the argument orders of DART and of libuipc.
// Defends G-ADAPT-1, G-ADAPT-3 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "graze/adapters/dart.hpp"
#include "graze/adapters/libuipc.hpp"

namespace {

using namespace graze::adapters;
using Float3 = std::array<float, 3>;
using Double3 = std::array<double, 3>;

TEST(DartAdapter, ReportsHitMissAndIndeterminate) {
    const Double3 a{0, 0, 0};
    const Double3 b{1, 0, 0};
    const Double3 c{0, 1, 0};
    const Double3 above{0.25, 0.25, 1};
    const Double3 below{0.25, 0.25, -1};
    DartCcdResult result = pointTriangleCcd(above, a, b, c, below, a, b, c);
    EXPECT_EQ(result.status, DartCcdStatus::Hit);
    EXPECT_LE(result.timeOfImpact, 0.5);
    EXPECT_GE(result.timeUpper, 0.5);
    EXPECT_NEAR(result.normal.z, 1.0, 1e-9);
    EXPECT_NEAR(result.point.x, 0.25, 1e-9);
    result = pointTriangleCcd(above, a, b, c, above, a, b, c);
    EXPECT_EQ(result.status, DartCcdStatus::Miss);
    EXPECT_EQ(result.timeOfImpact, 1.0);
    result = pointTriangleCcd(above, a, b, c, Double3{std::nan(""), 0, 0}, a, b, c);
    EXPECT_EQ(result.status, DartCcdStatus::Indeterminate);
    EXPECT_EQ(result.timeOfImpact, 0.0);

    const Float3 e0{-1, 0, 1};
    const Float3 e1{1, 0, 1};
    const Float3 e0_end{-1, 0, -1};
    const Float3 e1_end{1, 0, -1};
    const Float3 f0{0, -1, 0};
    const Float3 f1{0, 1, 0};
    const DartCcdResult edges = edgeEdgeCcd(e0, e1, f0, f1, e0_end, e1_end, f0, f1);
    EXPECT_EQ(edges.status, DartCcdStatus::Hit);
    EXPECT_LE(edges.timeOfImpact, 0.5);
}

TEST(DisplacementAdapter, KeepsAFractionOfTheDistanceInFloatAndDouble) {
    const auto check = [](auto one) {
        using T = decltype(one);
        using V = std::array<T, 3>;
        const V zero{0, 0, 0};
        const V down{0, 0, T{-2}};
        T toc = 1;
        ASSERT_TRUE(point_triangle_ccd(V{T{0.25}, T{0.25}, 1}, zero, V{1, 0, 0}, V{0, 1, 0}, down,
                                       zero, zero, zero, 0.25, 0.0, 1000, toc));
        EXPECT_NEAR(static_cast<double>(toc), 0.375, 1e-3);
        EXPECT_LE(toc, T{0.375});
        toc = 1;
        ASSERT_TRUE(edge_edge_ccd(V{-1, 0, 1}, V{1, 0, 1}, V{0, -1, 0}, V{0, 1, 0}, down, down,
                                  zero, zero, 0.25, 0.0, 1000, toc));
        EXPECT_NEAR(static_cast<double>(toc), 0.375, 1e-3);
        toc = 1;
        ASSERT_TRUE(point_edge_ccd(V{0, 0, 1}, V{-1, 0, 0}, V{1, 0, 0}, down, zero, zero, 0.25, 0.5,
                                   1000, toc));
        EXPECT_NEAR(static_cast<double>(toc), 0.1875, 1e-3);  // 0.5 + 0.25 * 0.5 is left
        toc = 1;
        ASSERT_TRUE(point_point_ccd(V{0, 0, 1}, zero, down, zero, 0.0, 0.0, 1000, toc));
        EXPECT_NEAR(static_cast<double>(toc), 0.5, 1e-6);
        EXPECT_LE(toc, T{0.5});
        // A third is no float: the time is rounded down.
        toc = 1;
        ASSERT_TRUE(point_point_ccd(V{0, 0, 1}, zero, V{0, 0, T{-3}}, zero, 0.0, 0.0, 1000, toc));
        EXPECT_LE(3.0 * static_cast<double>(toc), 1.0);
        EXPECT_GT(3.0 * static_cast<double>(toc), 0.999999);
        // toc is the end of the search, and stays where nothing happens before.
        toc = static_cast<T>(0.25);
        EXPECT_FALSE(point_point_ccd(V{0, 0, 1}, zero, down, zero, 0.25, 0.0, 1000, toc));
        EXPECT_EQ(toc, static_cast<T>(0.25));
        // What is not finite is a hit at once.
        toc = 1;
        EXPECT_TRUE(point_point_ccd(V{std::numeric_limits<T>::quiet_NaN(), 0, 1}, zero, down, zero,
                                    0.25, 0.0, 1000, toc));
        EXPECT_EQ(toc, T{0});
        EXPECT_THROW((void)point_point_ccd(V{0, 0, 1}, zero, down, zero, 0.25, -1.0, 1000, toc),
                     std::invalid_argument);
    };
    check(1.0F);
    check(1.0);
}

// p + t dp, for displacements that no sum with the position holds: the point does not stop short of the face that
// the rounded end would not reach.
TEST(DisplacementAdapter, CountsWhatTheSumOfPositionAndDisplacementLoses) {
    const Double3 zero{0, 0, 0};
    const double gap = 0x1p-30;
    // From 1 + 2^-30 down to 1 - 2^-80, which as a double is 1: it passes the face at height 1 by 2^-80.
    const Double3 p{0.25, 0.25, 1.0 + gap};
    const Double3 dp{0, 0, -gap - 0x1p-80};
    EXPECT_EQ(p[2] + dp[2], 1.0);
    double toc = 1.0;
    // A face just below the rounded end, and above nothing: a miss, and proved in spite of the loss.
    EXPECT_FALSE(point_triangle_ccd(p, Double3{0, 0, 0.5}, Double3{1, 0, 0.5}, Double3{0, 1, 0.5},
                                    dp, zero, zero, zero, 0.25, 0.0, 1000, toc));
    // At the end's own height it must be a hit.
    EXPECT_TRUE(point_triangle_ccd(p, Double3{0, 0, 1}, Double3{1, 0, 1}, Double3{0, 1, 1}, dp,
                                   zero, zero, zero, 0.25, 0.0, 1000, toc));
    EXPECT_GT(toc, 0.0);
    // The end is 1 - 2^-54 + 2^-60, which as a double is 1. The face is at 1 - 2^-55 there: between the two.
    const double lower = std::nextafter(1.0, 0.0);
    const Double3 q{1, 1, 1.0 + 0x1p-20};
    const Double3 dq{0, 0, -0x1p-20 - (0x1p-54 - 0x1p-60)};
    EXPECT_EQ(q[2] + dq[2], 1.0);
    toc = 1.0;
    EXPECT_TRUE(point_triangle_ccd(q, Double3{0, 0, 1}, Double3{4, 0, lower}, Double3{0, 4, 1}, dq,
                                   zero, zero, zero, 0.25, 0.0, 1000, toc));
    EXPECT_LT(toc, 1.0);
}

// Against exact answers: no miss where there is contact, and no time after it.
TEST(DisplacementAdapter, MissesNothingAtRandom) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> coordinate(-1.0F, 1.0F);
    int hits = 0;
    for (int i = 0; i < 1000; ++i) {
        std::array<Float3, 4> x;
        std::array<Float3, 4> d;
        std::array<graze::MovingPoint, 4> v;
        for (std::size_t k = 0; k < 4; ++k) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                x[k][axis] = coordinate(random);
                d[k][axis] = coordinate(random);
                v[k].start[axis] = double{x[k][axis]};
                v[k].end[axis] = double{x[k][axis]} + double{d[k][axis]};
            }
        }
        const graze::CcdResult face = graze::ccd(graze::VertexFaceMotion{v[0], {v[1], v[2], v[3]}});
        const graze::CcdResult edge = graze::ccd(graze::EdgeEdgeMotion{{v[0], v[1]}, {v[2], v[3]}});
        float toc = 1.0F;
        const bool hits_face = point_triangle_ccd(x[0], x[1], x[2], x[3], d[0], d[1], d[2], d[3],
                                                  0.1F, 0.0F, 1000, toc);
        if (face.verdict == graze::Verdict::Contact) {
            EXPECT_TRUE(hits_face);
            EXPECT_LE(double{toc}, face.toi_upper);
            EXPECT_GT(toc, 0.0F);
            ++hits;
        }
        toc = 1.0F;
        const bool hits_edge =
            edge_edge_ccd(x[0], x[1], x[2], x[3], d[0], d[1], d[2], d[3], 0.1F, 0.0F, 1000, toc);
        if (edge.verdict == graze::Verdict::Contact) {
            EXPECT_TRUE(hits_edge);
            EXPECT_LE(double{toc}, edge.toi_upper);
        }
    }
    EXPECT_GT(hits, 20);
}

}  // namespace
