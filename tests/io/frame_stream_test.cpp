#include "io/frame_stream.hpp"

#include <gtest/gtest.h>

#include "io/files.hpp"

namespace graze::io {
namespace {

using namespace test;

// A square of two triangles in z = height, and a loose edge to a fifth vertex.
std::string square(int height, const std::string& faces = "3 0 1 2\n3 0 2 3\n") {
    const std::string z = " " + std::to_string(height) + "\n";
    return "ply\nformat ascii 1.0\nelement vertex 5\nproperty double x\nproperty double y\n"
           "property double z\nelement face 2\nproperty list uchar int vertex_indices\n"
           "element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n"
           "0 0" +
           z + "1 0" + z + "1 1" + z + "0 1" + z + "5 5" + z + faces + "4 1\n";
}

class FrameStreams : public ::testing::Test {
protected:
    Expected<std::vector<QueryRecord>> queries(QueryKind kind, std::string_view boxes) {
        return read_all({.kind = kind,
                         .queries = {},
                         .truth = {},
                         .frames = {write_file(folder / "0.ply", square(0)),
                                    write_file(folder / "1.ply", square(1))},
                         .boxes = write_file(folder / "boxes.json", boxes)});
    }
    std::string error_of(QueryKind kind, std::string_view boxes) {
        const auto records = queries(kind, boxes);
        return records ? "no error" : records.error().message;
    }
    std::string error_of_pair(std::string_view start, std::string_view end) {
        const auto step =
            read_boxed_step(write_file(folder / "0.ply", start), write_file(folder / "1.ply", end));
        return step ? "no error" : step.error().message;
    }

    TempFolder folder;
};

MovingPoint rising(double x, double y) {
    return {{x, y, 0.0}, {x, y, 1.0}};
}

TEST(BoxEdges, AreUniqueAndOrderedByLargerThenSmallerIndex) {
    const std::vector<FaceIndices> faces = {{0, 1, 2}, {0, 2, 3}, {5, 5, 5}};
    const std::vector<EdgeIndices> loose = {{4, 1}, {2, 1}, {3, 3}};
    EXPECT_EQ(box_edges(faces, loose),
              (std::vector<EdgeIndices>{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {2, 3}, {1, 4}}));
    EXPECT_EQ(unique_edges(faces, loose),
              (std::vector<EdgeIndices>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 3}}));
}

// Boxes: vertices 0-4, edges 5-10, faces 11-12.
TEST_F(FrameStreams, GiveTheQueriesThatThePairsName) {
    const auto vf = queries(QueryKind::VertexFace, "[[4,11],[1,12]]");
    ASSERT_TRUE(vf.has_value()) << vf.error().message;
    ASSERT_EQ(vf->size(), 2u);
    QueryRecord expected;
    expected.corners = {rising(1, 0), rising(0, 0), rising(1, 1), rising(0, 1)};
    EXPECT_EQ((*vf)[1], expected);
    expected.corners = {rising(1, 1), rising(0, 1), rising(1, 0), rising(5, 5)};
    EXPECT_EQ(queries(QueryKind::EdgeEdge, "[[9,10]]")->front(), expected);
    expected.corners = {rising(5, 5), rising(0, 0), {}, {}};
    EXPECT_EQ(queries(QueryKind::VertexVertex, "[[4,0]]")->front(), expected);
    expected.corners = {rising(5, 5), rising(0, 0), rising(1, 0), {}};
    EXPECT_EQ(queries(QueryKind::VertexEdge, "[[4,5]]")->front(), expected);
    EXPECT_TRUE(queries(QueryKind::EdgeEdge, "[]")->empty());
}

TEST_F(FrameStreams, NameThePairWithABoxOfTheWrongSort) {
    const std::string name = (folder / "boxes.json").string();
    EXPECT_EQ(error_of(QueryKind::VertexFace, "[[0,11],[5,11]]"),
              name + ": element 1: box 5 is not a vertex");
    EXPECT_EQ(error_of(QueryKind::VertexFace, "[[0,10]]"),
              name + ": element 0: box 10 is not a face");
    EXPECT_EQ(error_of(QueryKind::VertexFace, "[[0,13]]"),
              name + ": element 0: box 13 is not a face");
    EXPECT_EQ(error_of(QueryKind::EdgeEdge, "[[5,11]]"),
              name + ": element 0: box 11 is not an edge");
    EXPECT_EQ(error_of(QueryKind::EdgeEdge, "[[4,5]]"), name + ": element 0: box 4 is not an edge");
    EXPECT_EQ(error_of(QueryKind::VertexFace, "[[0,18446744073709551615]]"),
              name + ": element 0: box 18446744073709551615 is not a face");
    EXPECT_EQ(error_of(QueryKind::VertexFace, "[[0]]"),
              name + ": element 0: expected a pair of box numbers [i, j]");
}

TEST_F(FrameStreams, ErrorsHaveACodeAndThePairAtFault) {
    const auto records = queries(QueryKind::VertexFace, "[[0,11],[5,11]]");
    ASSERT_FALSE(records);
    EXPECT_EQ(records.error().code, ErrorCode::IndexOutOfRange);
    EXPECT_EQ(records.error().index, 1U);
}

TEST_F(FrameStreams, MustBeTheSameTriangleMesh) {
    const std::string start =
        (folder / "1.ply").string() + ": does not match " + (folder / "0.ply").string() + ": ";
    EXPECT_EQ(error_of_pair(square(0), square(1)), "no error");
    EXPECT_EQ(error_of_pair(square(0), square(1, "3 0 1 2\n3 0 3 2\n")),
              start + "face 1 has the vertices 0 3 2, at the start 0 2 3");
    std::string other_edge = square(1);
    other_edge.replace(other_edge.rfind("4 1"), 3, "4 0");
    EXPECT_EQ(error_of_pair(square(0), other_edge),
              start + "edge 0 has the vertices 4 0, at the start 4 1");
    const std::string point =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\n"
        "property int z\nend_header\n0 0 0\n";
    EXPECT_EQ(error_of_pair(square(0), point), start + "has 1 vertices, the start 5");
    const std::string quad = "3 0 1 2\n4 0 1 2 3\n";
    EXPECT_EQ(error_of_pair(square(0, quad), square(1, quad)),
              (folder / "0.ply").string() + ": face 1: has 4 corners, and boxes are of triangles");
}

}  // namespace
}  // namespace graze::io
