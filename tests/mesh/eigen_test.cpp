// Eigen matrices of every storage and type, and what is refused.
#include "graze/mesh/eigen.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "graze/mesh/step.hpp"
#include "graze/mesh/vertex_bounds.hpp"

namespace graze {
namespace {

using RowMajorDoubles = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

template <class T>
std::string error_of(const Expected<T>& value) {
    return value ? "no error" : value.error().message;
}

TEST(EigenMeshes, PositionsAreExactInEveryStorageAndType) {
    Eigen::MatrixXd columns(2, 3);
    columns << 0.1, -0.0, 3.0, 1e300, 5e-324, -7.25;
    const RowMajorDoubles rows = columns;
    const std::vector<Vec3> expected = {{0.1, -0.0, 3.0}, {1e300, 5e-324, -7.25}};
    const auto from_columns = positions_from(columns);
    const auto from_rows = positions_from(rows);
    ASSERT_TRUE(from_columns && from_rows);
    EXPECT_EQ(*from_columns, expected);
    EXPECT_EQ(*from_rows, expected);
    Eigen::Matrix<float, 1, 3> single;
    single << 0.1F, 2.0F, -1e-45F;
    const auto from_floats = positions_from(single);
    ASSERT_TRUE(from_floats);
    EXPECT_EQ((*from_floats)[0], (Vec3{static_cast<double>(0.1F), 2.0, -0x1p-149}));
}

TEST(EigenMeshes, TakesBlocksMapsAndExpressions) {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3, 5);
    all(2, 4) = 4.0;
    const auto block = positions_from(all.rightCols(3));
    ASSERT_TRUE(block);
    EXPECT_EQ((*block)[2], (Vec3{0, 0, 4}));
    const auto sum = positions_from((2.0 * all.rightCols(3)).eval());
    ASSERT_TRUE(sum);
    EXPECT_EQ((*sum)[2], (Vec3{0, 0, 8}));
    const std::array<double, 6> raw = {1, 2, 3, 4, 5, 6};
    const auto mapped = positions_from(Eigen::Map<const RowMajorDoubles>(raw.data(), 2, 3));
    ASSERT_TRUE(mapped);
    EXPECT_EQ(*mapped, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
}

TEST(EigenMeshes, RefusesPositionsOfAnotherShapeOrThatAreNotFinite) {
    EXPECT_EQ(error_of(positions_from(Eigen::MatrixXd::Zero(3, 2))),
              "the matrix of positions has 2 columns, not 3");
    EXPECT_EQ(error_of(positions_from(Eigen::MatrixXd::Zero(3, 4))),
              "the matrix of positions has 4 columns, not 3");
    Eigen::MatrixXd v = Eigen::MatrixXd::Zero(4, 3);
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -kInfinity}) {
        v(2, 1) = bad;
        EXPECT_EQ(error_of(positions_from(v)), "the position of vertex 2 is not finite");
    }
}

template <class Scalar>
class EigenIndices : public ::testing::Test {};
using IndexTypes = ::testing::Types<int, unsigned, long, unsigned long, short, unsigned char>;
TYPED_TEST_SUITE(EigenIndices, IndexTypes);

TYPED_TEST(EigenIndices, FacesAndEdgesOfEveryIntegerTypeAreRead) {
    Eigen::Matrix<TypeParam, Eigen::Dynamic, Eigen::Dynamic> f(2, 3);
    f << 0, 1, 2, 2, 1, 3;
    Eigen::Matrix<TypeParam, Eigen::Dynamic, 2, Eigen::RowMajor> e(1, 2);
    e << 5, 4;
    const auto mesh = topology_from(7, f, e);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->faces, (std::vector<FaceIndices>{{0, 1, 2}, {2, 1, 3}}));
    EXPECT_EQ(mesh->edges,
              (std::vector<EdgeIndices>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {4, 5}}));
    EXPECT_EQ(mesh->points, (std::vector<std::uint32_t>{6}));
}

TEST(EigenMeshes, RefusesIndicesThatAreNegativeTooLargeOrInTheWrongShape) {
    Eigen::MatrixXi f(2, 3);
    f << 0, 1, 2, 0, -1, 2;
    EXPECT_EQ(error_of(topology_from(3, f)), "face 1: index -1 is negative");
    f(1, 1) = 3;
    EXPECT_EQ(error_of(topology_from(3, f)),
              "face 1: an index is not below 3, the number of vertices");
    // 2^32 would be 0 if it were cut to 32 bits.
    Eigen::Matrix<std::int64_t, 1, 3> large(0, 1, std::int64_t{1} << 32);
    EXPECT_EQ(error_of(topology_from(3, large)), "face 0: index 4294967296 is too large");
    EXPECT_EQ(error_of(topology_from(9, Eigen::MatrixXi::Zero(1, 4).eval())),
              "the matrix of faces has 4 columns, not 3");
    EXPECT_EQ(error_of(topology_from(9, Eigen::MatrixXi(), Eigen::MatrixXi::Zero(1, 3).eval())),
              "the matrix of edges has 3 columns, not 2");
}

TEST(EigenMeshes, AMatrixWithoutRowsIsAnEmptyList) {
    const auto mesh = topology_from(2, Eigen::MatrixXi());
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_TRUE(mesh->faces.empty());
    EXPECT_EQ(mesh->points.size(), 2U);
}

TEST(EigenMeshes, AMeshOfMatricesCanBeStepped) {
    Eigen::MatrixXf start(4, 3);
    start << 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1;
    Eigen::MatrixXf end = start;
    end(3, 2) = -1.0F;
    Eigen::MatrixXi f(1, 3);
    f << 0, 1, 2;
    auto mesh = topology_from(4, f);
    const auto t0 = positions_from(start);
    const auto t1 = positions_from(end);
    ASSERT_TRUE(mesh && t0 && t1);
    const auto first = MeshStepper(*std::move(mesh)).first_impact(*t0, *t1);
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(first->impact);
    EXPECT_EQ(first->impact->a, 3U);
    EXPECT_LE(first->impact->result.toi_lower, 0.5);
    EXPECT_GE(first->impact->result.toi_upper, 0.5);
}

// A vertex that falls onto a triangle, in matrices.
struct FallingMatrices {
    Eigen::MatrixXd v0{4, 3};
    Eigen::MatrixXd v1;
    Eigen::MatrixXi f{1, 3};
    FallingMatrices() {
        v0 << 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1;
        v1 = v0;
        v1(3, 2) = -1;
        f << 0, 1, 2;
    }
};

TEST(EigenMeshes, AStepGoesInAndComesOutInOneCallEach) {
    FallingMatrices m;
    const auto step = largest_safe_step(m.v0, m.v1, m.f);
    ASSERT_TRUE(step) << step.error().message;
    EXPECT_NEAR(step->fraction, 0.5, 1e-5);
    RowMajorDoubles rows;
    ASSERT_TRUE(write_positions(*step, rows));
    ASSERT_TRUE(write_positions(*step, m.v0));  // into the matrix it came from
    EXPECT_EQ(rows, m.v0);
    EXPECT_EQ(m.v0(3, 2), step->positions[3].z);
    EXPECT_GT(m.v0(3, 2), 0.0);
}

TEST(EigenMeshes, PositionsComeBackBitByBitIntoBlocksAndMaps) {
    const std::vector<Vec3> x = {{0.1, -0.0, 5e-324}, {1e300, 2, 3}};
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(2, 5);
    ASSERT_TRUE(write_positions(x, all.rightCols(3)));
    EXPECT_EQ(*positions_from(all.rightCols(3)), x);
    std::array<double, 6> raw{};
    ASSERT_TRUE(write_positions(x, Eigen::Map<RowMajorDoubles>(raw.data(), 2, 3)));
    EXPECT_EQ(raw[2], 5e-324);
    EXPECT_TRUE(std::signbit(raw[1]));
    EXPECT_EQ(error_of(write_positions(x, all.leftCols(2))), "the matrix is 2 x 2, not 2 x 3");
    Eigen::Matrix3d fixed;
    EXPECT_EQ(error_of(write_positions(x, fixed)), "the matrix is 3 x 3, not 2 x 3");
}

TEST(EigenMeshes, ImpactsComeBackAsMatrices) {
    const FallingMatrices m;
    MeshStepper stepper(*topology_from(4, m.f));
    const auto all = stepper.all_impacts(*positions_from(m.v0), *positions_from(m.v1));
    ASSERT_TRUE(all);
    const ImpactMatrices matrices = to_matrices(all->impacts);
    ASSERT_EQ(matrices.pairs.rows(), 1);
    EXPECT_EQ(matrices.pairs.row(0), (Eigen::RowVector<std::int64_t, 3>(0, 3, 0)));
    EXPECT_LE(matrices.toi(0, 0), 0.5);
    EXPECT_GE(matrices.toi(0, 1), 0.5);
}

TEST(EigenMeshes, AStepOfMatricesIsRefusedAsItsPartsAre) {
    FallingMatrices m;
    EXPECT_EQ(error_of(largest_safe_step(m.v0, m.v1.leftCols(2), m.f)),
              "the matrix of positions has 2 columns, not 3");
    m.f(0, 1) = 9;
    EXPECT_EQ(error_of(largest_safe_step(m.v0, m.v1, m.f)),
              "face 0: an index is not below 4, the number of vertices");
}

// --- Matrices as arguments ------------------------------------------------------------------------

TEST(EigenMeshes, RowMajorDoublesAreViewsAndOthersAreCopies) {
    const RowMajorDoubles rows = RowMajorDoubles::Random(5, 3);
    EXPECT_TRUE(Positions(rows).is_view());
    EXPECT_EQ(static_cast<const void*>(Positions(rows).view().data()), rows.data());
    EXPECT_EQ(Positions(rows).view()[4], (Vec3{rows(4, 0), rows(4, 1), rows(4, 2)}));
    EXPECT_TRUE(Positions(rows.middleRows(1, 3)).is_view());
    const Eigen::Matrix3Xd columns_of_points = rows.transpose();
    EXPECT_TRUE(Positions(columns_of_points.transpose()).is_view());
    // Gaps between rows, another order, other numbers, no memory at all.
    const Eigen::Matrix<double, 5, 6, Eigen::RowMajor> wide =
        Eigen::Matrix<double, 5, 6, Eigen::RowMajor>::Random();
    EXPECT_FALSE(Positions(wide.middleCols(1, 3)).is_view());
    EXPECT_EQ(Positions(wide.middleCols(1, 3)).view()[4],
              (Vec3{wide(4, 1), wide(4, 2), wide(4, 3)}));
    const Eigen::MatrixXd columns = rows;
    EXPECT_FALSE(Positions(columns).is_view());
    EXPECT_FALSE(Positions(rows + rows).is_view());
    EXPECT_EQ(Positions(rows + rows).view()[2], 2.0 * Positions(columns).view()[2]);
    EXPECT_TRUE(Positions(Eigen::MatrixXd(columns.leftCols(2))).error());
    // One vector of 3 n coordinates.
    const Eigen::VectorXd stacked =
        Eigen::Map<const Eigen::VectorXd>(rows.data(), static_cast<Eigen::Index>(rows.size()));
    EXPECT_EQ(Positions(stacked).view()[4], Positions(rows).view()[4]);
}

TEST(EigenMeshes, AStepperTakesMatricesInEveryCall) {
    FallingMatrices m;
    const RowMajorDoubles rows = m.v1;
    auto stepper = MeshStepper::create(m.v0, Eigen::MatrixXi(), m.f);
    ASSERT_TRUE(stepper) << stepper.error().message;
    const auto first = stepper->first_impact(m.v0, rows);
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->impact);
    EXPECT_EQ(stepper->all_impacts(m.v0, m.v0 + (m.v1 - m.v0))->impacts.size(), 1U);
    EXPECT_TRUE(stepper->intersections(rows)->empty());
    EXPECT_NEAR(stepper->clearance(m.v0, 9.0)->least, 1.0, 1e-12);
    const auto step = largest_safe_step(*stepper, m.v0, rows);
    ASSERT_TRUE(step);
    EXPECT_NEAR(step->fraction, 0.5, 1e-5);
    const auto fractions = free_fractions(*stepper, m.v0, rows);
    ASSERT_TRUE(fractions);
    ASSERT_TRUE(write_positions(*fractions, m.v0));
    Eigen::VectorXd by_vertex(4);
    ASSERT_TRUE(write_values(fractions->fraction, std::span<double>(by_vertex.data(), 4)));
    EXPECT_EQ(by_vertex[3], fractions->fraction[3]);
    EXPECT_EQ(error_of(stepper->first_impact(m.v0, m.v1.leftCols(2))),
              "the matrix of positions has 2 columns, not 3");
    EXPECT_EQ(error_of(MeshStepper::create(m.v0, Eigen::MatrixXi::Zero(1, 3).eval(), m.f)),
              "the matrix of edges has 3 columns, not 2");
    m.f(0, 2) = -4;
    EXPECT_EQ(error_of(stepper->set_topology(4, Eigen::MatrixXi(), m.f)),
              "face 0: index -4 is negative");
}

}  // namespace
}  // namespace graze
