// OBJ: what is read, what is refused and where.
#include <gtest/gtest.h>

#include <cstring>

#include "graze/io/hex_float.hpp"
#include "io/files.hpp"
#include "io/mesh_reader.hpp"

namespace graze::io {
namespace {

using namespace test;
using Edges = std::vector<EdgeIndices>;
using Polygon = std::vector<std::uint32_t>;

// The polygons of a text, read in small pieces too: boundaries of buffers must not matter.
Expected<PolygonMesh> obj(std::string_view text) {
    const auto whole = read_obj(reader_of(text));
    const auto pieces = read_obj(reader_of(bytes_of(text), 1));
    EXPECT_EQ(whole.has_value(), pieces.has_value());
    if (whole && pieces) {
        EXPECT_EQ(whole->positions, pieces->positions);
        EXPECT_EQ(whole->polygons, pieces->polygons);
    } else if (!whole && !pieces) {
        EXPECT_EQ(whole.error().message, pieces.error().message);
    }
    return whole;
}

std::string obj_error(std::string_view text) {
    const auto mesh = obj(text);
    return mesh ? "no error" : mesh.error().message;
}

std::vector<Polygon> lists(const PolygonList& polygons) {
    std::vector<Polygon> result;
    for (std::size_t i = 0; i < polygons.size(); ++i)
        result.emplace_back(polygons[i].begin(), polygons[i].end());
    return result;
}

constexpr std::string_view kThreeVertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

TEST(ObjReader, ReadsEveryFormOfACorner) {
    const auto mesh = obj(std::string(kThreeVertices) +
                          "f 1 2 3\nf 1/1 2/5 3/9\nf 1//1 2//2 3//3\nf 1/1/1 2/2/2 3/3/3\n"
                          "f -3 -2 -1\nf 1/ 2/ 3/\nf 1/2/ 2/2/ 3/2/\nf -3/-1/-1 -2//-1 -1/-1\n");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(lists(mesh->polygons), std::vector<Polygon>(8, {0, 1, 2}));
}

TEST(ObjReader, RelativeIndicesCountFromTheVerticesSoFar) {
    const auto mesh =
        obj(std::string(kThreeVertices) + "f -1 -2 -3\nv 5 5 5\nf -1 -2 -3\nf 4 3 2\n");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(lists(mesh->polygons), (std::vector<Polygon>{{2, 1, 0}, {3, 2, 1}, {3, 2, 1}}));
}

TEST(ObjReader, VerticesMayFollowTheFacesThatNameThem) {
    EXPECT_TRUE(obj("f 1 2 3\n" + std::string(kThreeVertices)));
    EXPECT_EQ(obj_error("\nf 1 2 4\n" + std::string(kThreeVertices)),
              "in: line 2: vertex index 4 is out of range");
    EXPECT_EQ(obj_error("f -1 1 2\n" + std::string(kThreeVertices)),
              "in: line 1: vertex index -1 is out of range");
}

TEST(ObjReader, KeepsLinesAndPoints) {
    const auto mesh =
        obj(std::string(kThreeVertices) + "v 9 9 9\nl 1 2 3/7\nl -1 -2\np 1 2\np -1\n");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->edges, (Edges{{0, 1}, {1, 2}, {3, 2}}));
    EXPECT_EQ(mesh->positions.size(), 4U);
}

TEST(ObjReader, TakesCommentsContinuedLinesAndEveryLineEnd) {
    const std::string_view text =
        "# of C:\\meshes\\\nv 0 0 0 # first\rv 1 \\\r\n 0\\\n0\r\n\r\n  \tv 0 1 0#\n"
        "g a \\\nf 9 9 9\n"  // part of the name of a group
        "f 1 2\\\n\t3";
    const auto mesh = obj(text);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->positions, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(lists(mesh->polygons), (std::vector<Polygon>{{0, 1, 2}}));
}

TEST(ObjReader, ErrorsNameTheLineAlsoAfterContinuedLinesAndComments) {
    EXPECT_EQ(obj_error("v 0 \\\n 0 \\\r\n0\n# c\n\nv 1 1 x\n"),
              "in: line 6: z: 'x' is not a finite number that a double can hold");
    EXPECT_EQ(obj_error("v 0 0\rv 1 1 1\r"), "in: line 1: z is missing");
    EXPECT_EQ(obj_error("v 0 0 0\rv 1 1\r"), "in: line 2: z is missing");
}

TEST(ObjReader, ReadsTheNearestDoubleOfEachNumber) {
    std::mt19937_64 rng(20250101);
    std::string text;
    std::vector<Vec3> points;
    for (int i = 0; i < 2000; ++i) {
        points.push_back(any_point(rng));
        text += "v " + to_shortest(points.back().x) + " " + to_shortest(points.back().y) + " " +
                to_shortest(points.back().z) + "\n";
    }
    const auto mesh = read_obj(reader_of(text));
    ASSERT_TRUE(mesh) << mesh.error().message;
    ASSERT_EQ(mesh->positions.size(), points.size());
    EXPECT_EQ(std::memcmp(mesh->positions.data(), points.data(), points.size() * sizeof(Vec3)), 0);
    // Halfway between two doubles, and a hair above it: read in full, rounded once.
    const auto close =
        obj("v 1.00000000000000011102230246251565404 1.000000000000000111022302462515"
            "65404236316680908203126 +2.5\n");
    ASSERT_TRUE(close);
    EXPECT_EQ(close->positions[0], (Vec3{1.0, 1.0 + 0x1p-52, 2.5}));
}

TEST(ObjReader, PassesOverWeightColourAndWhatSaysNothingOfTheShape) {
    const auto mesh =
        obj("mtllib a.mtl\no thing\nv 0 0 0 1\nv 1 0 0 0.5 0.25 1\nv 0 1 0 1 1 1 1\n"
            "vt 0 0\nvn 0 0 1\ns off\nusemtl a\\b#c\nf 1 2 3\n");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->positions.size(), 3U);
    EXPECT_EQ(mesh->polygons.size(), 1U);
}

TEST(ObjReader, RefusesWhatItCannotRead) {
    const std::string three(kThreeVertices);
    EXPECT_EQ(obj_error(""), "in: holds no vertex");
    EXPECT_EQ(obj_error("# nothing\nf 1 2 3\n"), "in: holds no vertex");
    EXPECT_EQ(obj_error("v nan 0 0\n"),
              "in: line 1: x: 'nan' is not a finite number that a double can hold");
    EXPECT_EQ(obj_error("v 0 inf 0\n"),
              "in: line 1: y: 'inf' is not a finite number that a double can hold");
    EXPECT_EQ(obj_error("v 0 0 1e999\n"),
              "in: line 1: z: '1e999' is not a finite number that a double can hold");
    EXPECT_EQ(obj_error("v 0,5 0 0\n"),
              "in: line 1: x: '0,5' is not a finite number that a double can hold");
    EXPECT_EQ(obj_error("v 0 0 0 v 1 1 1\n"), "in: line 1: vertex goes on with 'v'");
    EXPECT_EQ(obj_error("v 0 0 0 1 1 1 1 1\n"), "in: line 1: vertex goes on with '1'");
    EXPECT_EQ(obj_error(three + "f 1 2\n"), "in: line 4: face has fewer than three corners");
    EXPECT_EQ(obj_error(three + "f\n"), "in: line 4: face has fewer than three corners");
    EXPECT_EQ(obj_error(three + "l 1\n"), "in: line 4: line has fewer than two ends");
    EXPECT_EQ(obj_error(three + "p\n"), "in: line 4: point without vertex");
    EXPECT_EQ(obj_error(three + "f 0 1 2\n"),
              "in: line 4: vertex index is 0, and OBJ counts from 1");
    EXPECT_EQ(obj_error(three + "f 1 2 -4\n"), "in: line 4: vertex index -4 is out of range");
    EXPECT_EQ(obj_error(three + "f 1 2 4294967296\n"),
              "in: line 4: vertex index 4294967296 is out of range");
    EXPECT_EQ(obj_error(three + "l 1 5\n"), "in: line 4: vertex index 5 is out of range");
    EXPECT_EQ(obj_error(three + "p 7\n"), "in: line 4: vertex index 7 is out of range");
    for (const char* corner :
         {"1.0", "1/2/3/4", "1/x", "//1", "/1", "1-", "99999999999999999999"}) {
        EXPECT_EQ(obj_error(three + "f 1 2 " + corner + "\n"),
                  "in: line 4: '" + std::string(corner) + "' is not a corner");
    }
    EXPECT_EQ(obj_error(three + "surf 0 1 0 1 1 2 3\n"),
              "in: line 4: 'surf': curves and surfaces are not read");
    EXPECT_EQ(obj_error(three + "F 1 2 3\n"),
              "in: line 4: 'F' is no statement of OBJ that is known");
    EXPECT_EQ(obj_error("v " + std::string(3000, '1') + " 0 0\n"), "in: line 1: word is too long");
    EXPECT_EQ(obj_error("\x01\x02\n"), "in: line 1: word is no statement of OBJ that is known");
}

}  // namespace
}  // namespace graze::io
