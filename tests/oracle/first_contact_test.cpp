// Cases whose answer is known by hand.
// Defends G-ORACLE-1 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cmath>

#include "graze/oracle/oracle.hpp"

namespace graze::oracle {
namespace {

using Point = std::array<double, 3>;
using Points = std::array<Point, 4>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Truth kSeparated{State::Separated, kInfinity, kInfinity};

Truth contact_at(double t) {
    return {State::Contact, t, t};
}

void expect_truth(const Query& query, const Truth& truth) {
    EXPECT_EQ(first_contact(query), truth);
    EXPECT_EQ(first_contact_by_decomposition(query), truth);
    EXPECT_EQ(first_within(query, 0.0, Norm::Euclidean), truth);
    EXPECT_EQ(first_within(query, 0.0, Norm::Max), truth);
}

Query vertex_over_unit_triangle(const Point& start, const Point& end) {
    const Points triangle = {{start, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    Query query{Kind::VertexFace, triangle, triangle};
    query.end[0] = end;
    return query;
}

TEST(FirstContact, AVertexFallsThroughATriangle) {
    expect_truth(vertex_over_unit_triangle({0.25, 0.25, 1}, {0.25, 0.25, -1}), contact_at(0.5));
    expect_truth(vertex_over_unit_triangle({0.25, 0.25, 1}, {0.25, 0.25, 0x1p-1074}), kSeparated);
    expect_truth(vertex_over_unit_triangle({0.75, 0.75, 1}, {0.75, 0.75, -1}), kSeparated);
}

TEST(FirstContact, CornersEdgesAndBothEndsOfTheStepCount) {
    expect_truth(vertex_over_unit_triangle({0, 0, 1}, {0, 0, -1}), contact_at(0.5));
    expect_truth(vertex_over_unit_triangle({0.5, 0.5, 1}, {0.5, 0.5, -1}), contact_at(0.5));
    expect_truth(vertex_over_unit_triangle({0.5, 0.5, 1}, {0.5, 0.5, 0}), contact_at(1.0));
    expect_truth(vertex_over_unit_triangle({0.5, 0, 0}, {0.5, 0, 9}), contact_at(0.0));
}

TEST(FirstContact, SlidingInThePlaneOfTheTriangleTouchesItsEdgeFirst) {
    expect_truth(vertex_over_unit_triangle({-1, 0.25, 0}, {1, 0.25, 0}), contact_at(0.5));
    expect_truth(vertex_over_unit_triangle({-1, 2, 0}, {1, 2, 0}), kSeparated);
}

// One root of the cubic is the miss at t = 1/4 (outside), the next at t = 3/4 is the hit.
TEST(FirstContact, ARootOutsideTheTriangleIsNotAContact) {
    Query query = vertex_over_unit_triangle({0.25, 0.25, 0}, {0.25, 0.25, 0});
    // The triangle turns about the x-axis far from the vertex, then over it: built by plain motion.
    query.start = {{{0.25, 0.25, 0}, {0, 0, 3}, {1, 0, 3}, {0, 1, 3}}};
    query.end = {{{0.25, 0.25, 0}, {0, 0, -1}, {1, 0, -1}, {0, 1, -1}}};
    expect_truth(query, contact_at(0.75));
}

TEST(FirstContact, ATriangleThatTurnsInsideOutIsCaughtAtTheFlip) {
    const Query query{Kind::VertexFace,
                      {{{0.125, 0.125, 0.125}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}},
                      {{{0.125, 0.125, 0.125}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}}}};
    expect_truth(query, contact_at(0.875));
}

TEST(FirstContact, EdgesCross) {
    const Query query{Kind::EdgeEdge,
                      {{{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}}},
                      {{{-1, 0, -1}, {1, 0, -1}, {0, -1, 0}, {0, 1, 0}}}};
    expect_truth(query, contact_at(0.5));
}

TEST(FirstContact, ParallelEdgesOverlapInAWholeSegment) {
    const Query query{Kind::EdgeEdge,
                      {{{0, 0, 0}, {1, 0, 0}, {0.25, 1, 0}, {1.25, 1, 0}}},
                      {{{0, 0, 0}, {1, 0, 0}, {0.25, -1, 0}, {1.25, -1, 0}}}};
    expect_truth(query, contact_at(0.5));
    Query apart = query;
    for (const std::size_t c : {2U, 3U})
        apart.start[c][0] = apart.end[c][0] = c == 2 ? 1.5 : 2.5;
    expect_truth(apart, kSeparated);
}

TEST(FirstContact, CollinearEdgesMeetEndToEnd) {
    const Query query{Kind::EdgeEdge,
                      {{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {4, 0, 0}}},
                      {{{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 0}}}};
    expect_truth(query, contact_at(0.5));
}

TEST(FirstContact, EdgesOfNoLengthArePoints) {
    const Query query{Kind::EdgeEdge,
                      {{{0, 0, 1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}},
                      {{{0, 0, -1}, {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}}}};
    expect_truth(query, contact_at(0.5));
}

TEST(FirstContact, ATriangleWithoutAreaIsASegment) {
    Query query = vertex_over_unit_triangle({0.5, 0, 1}, {0.5, 0, -1});
    query.start[3] = query.end[3] = {2, 0, 0};
    expect_truth(query, contact_at(0.5));
    query.start[0][0] = query.end[0][0] = 2.5;
    expect_truth(query, kSeparated);
}

TEST(FirstContact, PointsMeetOnlyWhereTheyMeetExactly) {
    Query query{Kind::VertexVertex, {{{0, 0, 0}, {1, 1, 1}}}, {{{1, 1, 1}, {0, 0, 0}}}};
    expect_truth(query, contact_at(0.5));
    query.end[1][2] = 0x1p-1074;
    expect_truth(query, kSeparated);
}

TEST(FirstContact, AVertexCrossesAnEdge) {
    const Query query{Kind::VertexEdge,
                      {{{0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}}},
                      {{{0.5, 0, -1}, {0, 0, 0}, {1, 0, 0}}}};
    expect_truth(query, contact_at(0.5));
}

TEST(FirstContact, StaticPrimitivesTouchFromTheStartOrNever) {
    expect_truth(vertex_over_unit_triangle({0.25, 0.25, 0}, {0.25, 0.25, 0}), contact_at(0.0));
    expect_truth(vertex_over_unit_triangle({2, 2, 0}, {2, 2, 0}), kSeparated);
}

// First time 2^-1075 / (2^-1074 + 1) lies below the smallest double.
TEST(FirstContact, ATimeBelowTheSmallestDoubleIsBracketedByZeroAndThatDouble) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    expect_truth(vertex_over_unit_triangle({0.25, 0.25, tiny}, {0.25, 0.25, -4.0}),
                 {State::Contact, 0.0, tiny});
}

TEST(FirstContact, InputThatIsNotFiniteIsInvalid) {
    Query query = vertex_over_unit_triangle({0.25, 0.25, 1}, {0.25, 0.25, -1});
    query.end[2][1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(first_contact(query).state, State::Invalid);
    EXPECT_EQ(first_contact_by_decomposition(query).state, State::Invalid);
    EXPECT_EQ(first_within(query, 0.0, Norm::Max).state, State::Invalid);
    EXPECT_FALSE(minimum_distance(query, Norm::Max).valid);
}

TEST(FirstContactIn, CutsTheMotionExactly) {
    const Query query = vertex_over_unit_triangle({0.25, 0.25, 1}, {0.25, 0.25, -1});
    EXPECT_EQ(first_contact_in(query, 0.0, 0.5), contact_at(1.0));
    EXPECT_EQ(first_contact_in(query, 0.0, std::nextafter(0.5, 0.0)), kSeparated);
    EXPECT_EQ(first_contact_in(query, 0.25, 0.75), contact_at(0.5));
    EXPECT_EQ(first_contact_in(query, 0.5, 1.0), contact_at(0.0));
    EXPECT_EQ(first_contact_in(query, std::nextafter(0.5, 1.0), 1.0), kSeparated);
    EXPECT_EQ(first_contact_in(query, 0.5, 0.5).state, State::Invalid);
}

}  // namespace
}  // namespace graze::oracle
