#include "graze/narrow/query_kind.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace graze {
namespace {

MovingPoint numbered(double n) {
    return {{n, n + 0.1, n + 0.2}, {-n, -n - 0.1, -n - 0.2}};
}

template <class Motion>
void expect_round_trip() {
    std::array<MovingPoint, Motion::kVertices> in;
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = numbered(static_cast<double>(i));
    EXPECT_EQ(vertices(motion_from_vertices<Motion>(in)), in);
    EXPECT_EQ(vertex_count(Motion::kKind), Motion::kVertices);
}

TEST(Motion, CornersComeBackInFileOrder) {
    expect_round_trip<VertexFaceMotion>();
    expect_round_trip<EdgeEdgeMotion>();
    expect_round_trip<VertexVertexMotion>();
    expect_round_trip<VertexEdgeMotion>();
}

TEST(Motion, AKindIsFoundByItsShortAndItsLongNameAndByNoOther) {
    for (const QueryKind kind : kAllQueryKinds) {
        EXPECT_EQ(query_kind_from_name(short_name(kind)), kind);
        EXPECT_EQ(query_kind_from_name(long_name(kind)), kind);
    }
    EXPECT_EQ(query_kind_from_name("fv"), std::nullopt);
    EXPECT_EQ(query_kind_from_name(""), std::nullopt);
}

TEST(Motion, OneCoordinateThatIsNotFiniteMakesTheMotionNotFinite) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity()}) {
        for (std::size_t corner = 0; corner < 4; ++corner) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                std::array<MovingPoint, 4> c{};
                EXPECT_TRUE(is_finite_motion(motion_from_vertices<EdgeEdgeMotion>(c)));
                c[corner].start[axis] = bad;
                EXPECT_FALSE(is_finite_motion(motion_from_vertices<EdgeEdgeMotion>(c)));
                c[corner].start[axis] = 0.0;
                c[corner].end[axis] = bad;
                EXPECT_FALSE(is_finite_motion(motion_from_vertices<VertexFaceMotion>(c)));
            }
        }
    }
}

}  // namespace
}  // namespace graze
