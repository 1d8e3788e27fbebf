// Mesh files of every format: what is read, and what is refused and where.
#include "graze/io/mesh_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "graze/io/hex_float.hpp"
#include "io/files.hpp"
#include "io/mesh_reader.hpp"
#include "support/outside_data.hpp"

namespace graze::io {
namespace {

using namespace test;
using Face = std::array<std::uint32_t, 3>;
using Edge = std::array<std::uint32_t, 2>;
using Faces = std::vector<Face>;
using Edges = std::vector<Edge>;
using Polygon = std::vector<std::uint32_t>;

// The polygons of a text, read in small pieces too: boundaries of buffers must not matter.
Expected<RawMesh> obj(std::string_view text) {
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

constexpr std::string_view kThree = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

// --- OBJ -----------------------------------------------------------------------------------------

TEST(ObjReader, ReadsEveryFormOfACorner) {
    const auto mesh = obj(std::string(kThree) +
                          "f 1 2 3\nf 1/1 2/5 3/9\nf 1//1 2//2 3//3\nf 1/1/1 2/2/2 3/3/3\n"
                          "f -3 -2 -1\nf 1/ 2/ 3/\nf 1/2/ 2/2/ 3/2/\nf -3/-1/-1 -2//-1 -1/-1\n");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(lists(mesh->polygons), std::vector<Polygon>(8, {0, 1, 2}));
}

TEST(ObjReader, RelativeIndicesCountFromTheVerticesSoFar) {
    const auto mesh = obj(std::string(kThree) + "f -1 -2 -3\nv 5 5 5\nf -1 -2 -3\nf 4 3 2\n");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(lists(mesh->polygons), (std::vector<Polygon>{{2, 1, 0}, {3, 2, 1}, {3, 2, 1}}));
}

TEST(ObjReader, VerticesMayFollowTheFacesThatNameThem) {
    EXPECT_TRUE(obj("f 1 2 3\n" + std::string(kThree)));
    EXPECT_EQ(obj_error("\nf 1 2 4\n" + std::string(kThree)),
              "in: line 2: vertex index 4 is out of range");
    EXPECT_EQ(obj_error("f -1 1 2\n" + std::string(kThree)),
              "in: line 1: vertex index -1 is out of range");
}

TEST(ObjReader, KeepsLinesAndPoints) {
    const auto mesh = obj(std::string(kThree) + "v 9 9 9\nl 1 2 3/7\nl -1 -2\np 1 2\np -1\n");
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
    const std::string three(kThree);
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

// --- STL -----------------------------------------------------------------------------------------

void put_bits(Bytes& bytes, std::uint32_t bits) {
    for (int i = 0; i < 4; ++i)
        bytes.push_back(static_cast<unsigned char>(bits >> 8 * i));
}

// Binary STL of loose corners, three a triangle.
Bytes binary_stl(const std::vector<std::array<float, 3>>& corners,
                 std::string_view header = "binary") {
    Bytes bytes(80, ' ');
    std::copy(header.begin(), header.end(), bytes.begin());
    put_bits(bytes, static_cast<std::uint32_t>(corners.size() / 3));
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (i % 3 == 0) bytes.insert(bytes.end(), 12, 0xFF);  // a normal that is NaN
        for (const float x : corners[i])
            put_bits(bytes, std::bit_cast<std::uint32_t>(x));
        if (i % 3 == 2) bytes.insert(bytes.end(), 2, 0);
    }
    return bytes;
}

std::string ascii_stl(const std::vector<std::string>& corners) {
    std::string text = "solid a name of facet\n";
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (i % 3 == 0) text += "  facet normal 0 0 nan\n    outer loop\n";
        text += "      vertex " + corners[i] + "\n";
        if (i % 3 == 2) text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid a name\n";
}

const std::vector<std::array<float, 3>> kTwoTriangles = {{0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F},
                                                         {0.1F, 1.0F, 0.0F}, {0.1F, 1.0F, 0.0F},
                                                         {1.0F, 0.0F, 0.0F}, {1.0F, 1.0F, 0.5F}};

TEST(StlReader, JoinsCornersAtEqualCoordinatesInTheOrderOfFirstAppearance) {
    const TempFolder folder;
    const auto mesh = read_mesh(write_file(folder / "a.stl", binary_stl(kTwoTriangles)));
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(
        mesh->positions,
        (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {static_cast<double>(0.1F), 1, 0}, {1, 1, 0.5}}));
    EXPECT_EQ(mesh->faces, (Faces{{0, 1, 2}, {2, 1, 3}}));
}

TEST(StlReader, ZeroAndMinusZeroAreOnePlaceAndNeighboursAreTwo) {
    const TempFolder folder;
    const auto mesh = read_mesh(write_file(
        folder / "a.stl",
        ascii_stl({"0 0 0", "1 0 0", "0 1 0", "-0 0 0", "1 -0 0", "4.9406564584124654e-324 1 0"})));
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->faces, (Faces{{0, 1, 2}, {0, 1, 3}}));
}

TEST(StlReader, ReadsAsciiAsDoublesInAnyCase) {
    const TempFolder folder;
    std::string text = ascii_stl({"0.1 0 0", "1 0 0", "0 1 0"});
    for (char& c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const auto mesh = read_mesh(write_file(folder / "a.stl", text));
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->positions[0].x, 0.1);
}

TEST(StlReader, ReadsSeveralSolids) {
    const TempFolder folder;
    const std::string one = ascii_stl({"0 0 0", "1 0 0", "0 1 0"});
    const auto mesh = read_mesh(write_file(folder / "a.stl", one + "\n" + one));
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->faces, (Faces{{0, 1, 2}, {0, 1, 2}}));
}

TEST(StlReader, TellsABinaryFileThatBeginsWithSolid) {
    const TempFolder folder;
    const auto mesh = read_mesh(
        write_file(folder / "a.stl", binary_stl(kTwoTriangles, "solid made by something")));
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->faces.size(), 2U);
}

TEST(StlReader, NoticesEveryCutOfABinaryFileAndWhatFollowsIt) {
    const Bytes whole = binary_stl(kTwoTriangles);
    const auto read = [](const Bytes& bytes) {
        return read_polygons(bytes_in_memory(bytes), "in", MeshFormat::Stl);
    };
    ASSERT_TRUE(read(whole));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const Bytes cut = first_bytes(whole, length);
        const auto mesh = read(cut);
        ASSERT_FALSE(mesh) << length;
        EXPECT_NE(mesh.error().message.find("cut short"), std::string::npos);
    }
    Bytes longer = whole;
    longer.push_back(0);
    ASSERT_FALSE(read(longer));
    EXPECT_EQ(read(longer).error().message, "in: data after the last triangle");
}

// Room for the corners that it states would be 96 GiB.
TEST(StlReader, AHeaderThatPromisesTooMuchCostsNothing) {
    Bytes bytes = binary_stl(kTwoTriangles);
    bytes[83] = 0x54;
    const auto mesh = read_polygons(bytes_in_memory(bytes), "in", MeshFormat::Stl);
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().message,
              "in: triangle 2: file is cut short, its header states 1409286146 triangles");
    bytes[83] = 0x56;
    EXPECT_EQ(read_polygons(bytes_in_memory(bytes), "in", MeshFormat::Stl).error().message,
              "in: more corners than 32-bit indices can name");
}

TEST(StlReader, NoticesEveryCutOfAnAsciiFileBeforeItsLastWord) {
    const std::string whole = ascii_stl({"0 0 0", "1 0 0", "0 1 0"});
    const auto read = [](const std::string& text) {
        const Bytes bytes = bytes_of(text);
        return read_polygons(bytes_in_memory(bytes), "in", MeshFormat::Stl);
    };
    ASSERT_TRUE(read(whole));
    for (std::size_t length = 0; length < whole.find("endsolid") + 8; ++length)
        EXPECT_FALSE(read(whole.substr(0, length))) << whole.substr(0, length);
}

TEST(StlReader, RefusesWhatItCannotRead) {
    const auto error_of = [](const Bytes& bytes) {
        const auto mesh = read_polygons(bytes_in_memory(bytes), "in", MeshFormat::Stl);
        return mesh ? "no error" : mesh.error().message;
    };
    const auto text_error = [&](const std::string& text) { return error_of(bytes_of(text)); };
    auto corners = kTwoTriangles;
    corners[4][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(error_of(binary_stl(corners)), "in: triangle 1: a coordinate is not finite");
    corners[4][1] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(error_of(binary_stl(corners)), "in: triangle 1: a coordinate is not finite");
    EXPECT_EQ(error_of(binary_stl({})), "in: holds no triangle");
    EXPECT_EQ(text_error("solid\nendsolid\n"), "in: holds no triangle");
    EXPECT_EQ(text_error(ascii_stl({"0 0 0", "1 0 nan", "0 1 0"})),
              "in: line 5: z: 'nan' is not a finite number that a double can hold");
    EXPECT_EQ(text_error(ascii_stl({"0 0 0", "1 0", "0 1 0"})), "in: line 5: z is missing");
    EXPECT_EQ(text_error("solid\nfacet normal 0 0 0\nouter loops\n"),
              "in: line 3: 'loops' where loop is expected");
    EXPECT_EQ(text_error("solid\nface\n"),
              "in: line 2: 'face' where facet or endsolid is expected");
    EXPECT_EQ(text_error(ascii_stl({"0 0 0", "1 0 0", "0 1 0"}) + "v 0 0 0\n"),
              "in: line 10: 'v' where solid is expected");
}

// --- Files ---------------------------------------------------------------------------------------

constexpr std::string_view kPly =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty "
    "double "
    "z\nelement face 1\nproperty list uchar int vertex_indices\nelement edge 1\nproperty int "
    "vertex1\nproperty int vertex2\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n1 2\n";

TEST(ReadMesh, TakesTheFormatFromTheNameAndElseFromTheContent) {
    const TempFolder folder;
    const std::string text = std::string(kThree) + "f 1 2 3\n";
    const auto faces_of = [&](std::string_view name, const Bytes& bytes) {
        const auto mesh = read_mesh(write_file(folder / name, bytes));
        EXPECT_TRUE(mesh) << name << ": " << mesh.error().message;
        return mesh ? mesh->faces : Faces{};
    };
    const Faces one = {{0, 1, 2}};
    EXPECT_EQ(faces_of("a.obj", bytes_of(text)), one);
    EXPECT_EQ(faces_of("A.OBJ", bytes_of(text)), one);
    EXPECT_EQ(faces_of("a.obj.gz", gzip(bytes_of(text))), one);
    EXPECT_EQ(faces_of("b.obj", gzip(bytes_of(text))), one);
    EXPECT_EQ(faces_of("a.ply", bytes_of(kPly)), one);
    EXPECT_EQ(faces_of("frame", bytes_of(kPly)), one);
    EXPECT_EQ(faces_of("model", bytes_of(ascii_stl({"0 0 0", "1 0 0", "0 1 0"}))), one);
    EXPECT_EQ(faces_of("c.stl.gz", gzip(binary_stl(kTwoTriangles))).size(), 2U);
}

std::string file_error(const std::filesystem::path& path) {
    const auto mesh = read_mesh(path);
    if (mesh) return "no error";
    EXPECT_TRUE(mesh.error().message.starts_with(path.string() + ": ")) << mesh.error().message;
    return mesh.error().message.substr(path.string().size() + 2);
}

TEST(ReadMesh, ErrorsNameTheFile) {
    const TempFolder folder;
    EXPECT_EQ(file_error(folder / "none.obj"), "cannot be opened: No such file or directory");
    EXPECT_EQ(file_error(write_file(folder / "empty.obj", "")), "is empty");
    EXPECT_EQ(file_error(write_file(folder / "a.txt", "v 0 0 0\n")),
              "is no mesh that is known: the name ends in none of .obj, .ply, .stl");
    EXPECT_EQ(file_error(write_file(folder / "a.obj", kPly)),
              "line 1: 'ply' is no statement of OBJ that is known");
    EXPECT_EQ(file_error(write_file(folder / "a.ply", kThree)),
              "header line 1: not a PLY file: it does not begin with 'ply'");
    const std::string none =
        "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty "
        "float "
        "z\nend_header\n";
    EXPECT_EQ(file_error(write_file(folder / "none.ply", none)), "holds no vertex");
    const Bytes packed = gzip(bytes_of(kThree));
    EXPECT_NE(file_error(write_file(folder / "cut.obj.gz", first_bytes(packed, packed.size() - 3))),
              "no error");
}

TEST(ReadMesh, PassesOverTheMarkThatEditorsPutBeforeAText) {
    const TempFolder folder;
    const std::string mark = "\xEF\xBB\xBF";
    const std::string text = mark + std::string(kThree) + "f 1 2 3\n";
    const auto obj_file = read_mesh(write_file(folder / "a.obj", text));
    ASSERT_TRUE(obj_file) << obj_file.error().message;
    EXPECT_EQ(obj_file->faces.size(), 1U);
    EXPECT_TRUE(read_mesh(write_file(folder / "a.ply", mark + std::string(kPly))));
    EXPECT_TRUE(read_mesh(write_file(folder / "a", mark + std::string(kPly))));
    const std::string stl =
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nendsolid a\n";
    EXPECT_TRUE(read_mesh(write_file(folder / "a.stl", mark + stl)));
    // Only at the start, and once.
    EXPECT_FALSE(read_mesh(write_file(folder / "b.obj", mark + text)));
    EXPECT_FALSE(read_mesh(write_file(folder / "c.obj", std::string(kThree) + mark)));
}

TEST(ReadMesh, AFaceOfAPlyNeedsThreeCorners) {
    const TempFolder folder;
    std::string text(kPly);
    text.replace(text.find("3 0 1 2"), 7, "2 0 1");
    EXPECT_EQ(file_error(write_file(folder / "a.ply", text)),
              "face 0: has 2 corners, and a face needs three");
}

// --- Two frames ----------------------------------------------------------------------------------

class MeshPairs : public ::testing::Test {
protected:
    Expected<MeshPair> pair(const Bytes& start, const Bytes& end, const std::string& ending) {
        return read_mesh_pair(write_file(folder_ / ("s" + ending), start),
                              write_file(folder_ / ("e" + ending), end));
    }
    std::string difference(const std::string& start, const std::string& end) {
        const auto read = pair(bytes_of(start), bytes_of(end), ".obj");
        if (read) return "none";
        const std::string begin = (folder_ / "e.obj").string() + ": does not match " +
                                  (folder_ / "s.obj").string() + ": ";
        EXPECT_TRUE(read.error().message.starts_with(begin)) << read.error().message;
        return read.error().message.substr(begin.size());
    }
    TempFolder folder_;
};

TEST_F(MeshPairs, NamesTheFirstDifference) {
    const std::string start = std::string(kThree) + "v 5 5 5\nf 1 2 3\nf 2 3 4\nl 1 4\n";
    EXPECT_EQ(difference(start, start), "none");
    EXPECT_EQ(difference(start, start + "v 1 1 1\n"), "has 5 vertices, the start 4");
    EXPECT_EQ(difference(start, start + "f 1 2 3\n"), "has 3 faces, the start 2");
    EXPECT_EQ(difference(start, start + "l 2 4\n"), "has 2 edges, the start 1");
    EXPECT_EQ(difference(start, std::string(kThree) + "v 5 5 5\nf 1 2 3\nf 3 2 4\nl 1 4\n"),
              "face 1 has the vertices 2 1 3, at the start 1 2 3");
    EXPECT_EQ(difference(start, std::string(kThree) + "v 5 5 5\nf 1 2 3\nf 2 3 4 1\nl 1 4\n"),
              "face 1 has the vertices 1 2 3 0, at the start 1 2 3");
    EXPECT_EQ(difference(start, std::string(kThree) + "v 5 5 5\nf 1 2 3\nf 2 3 4\nl 4 1\n"),
              "edge 0 has the vertices 3 0, at the start 0 3");
}

TEST_F(MeshPairs, CutsPolygonsByTheStartWhateverTheEnd) {
    // At the end its first three corners are in line, and its fan would not do.
    const std::string start = "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\n";
    const std::string end = "v 0 0 0\nv 1 1 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\n";
    const auto read = pair(bytes_of(start), bytes_of(end), ".obj");
    ASSERT_TRUE(read) << read.error().message;
    const auto alone = read_mesh(folder_ / "s.obj");
    ASSERT_TRUE(alone);
    EXPECT_EQ(read->faces, alone->faces);
    EXPECT_EQ(read->faces, (Faces{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(read->end[1], (Vec3{1, 1, 0}));
}

TEST_F(MeshPairs, CornersOfStlAreOneVertexIffTheyAreEqualAtBothEnds) {
    auto end = kTwoTriangles;
    end[3] = {9.0F, 9.0F, 9.0F};  // was where corner 2 is
    auto read = pair(binary_stl(kTwoTriangles), binary_stl(end), ".stl");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->faces, (Faces{{0, 1, 2}, {3, 1, 4}}));
    EXPECT_EQ(read->start[2], read->start[3]);
    EXPECT_EQ(read->end[3], (Vec3{9, 9, 9}));
    // Corners that meet only at the end stay two.
    read = pair(binary_stl(end), binary_stl(kTwoTriangles), ".stl");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->start.size(), 5U);
    end.resize(3);
    read = pair(binary_stl(kTwoTriangles), binary_stl(end), ".stl");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("has 1 triangles, the start 2"), std::string::npos);
}

TEST_F(MeshPairs, MayBeOfDifferentFormats) {
    const auto start = write_file(folder_ / "s.obj", std::string(kThree) + "f 1 2 3\nl 2 3\n");
    const auto end = write_file(folder_ / "e.ply", kPly);
    const auto read = read_mesh_pair(start, end);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->edges, (Edges{{1, 2}}));
}

// --- Writing -------------------------------------------------------------------------------------

TEST(WritePly, ReadsBackToTheSameBits) {
    std::mt19937_64 rng(20250103);
    const TempFolder folder;
    std::vector<Vec3> positions;
    for (int i = 0; i < 100; ++i)
        positions.push_back(any_point(rng));
    const Faces faces = {{0, 1, 99}, {5, 4, 3}};
    const Edges edges = {{7, 8}};
    const std::vector<std::array<std::uint8_t, 3>> colours(100, {1, 2, 255});
    const std::vector<double> times(100, std::numeric_limits<double>::infinity());
    const PaintedMesh mesh{positions, faces, edges, colours, times};
    for (const char* name : {"a.ply", "a.ply.gz"}) {
        ASSERT_TRUE(write_ply(folder / name, mesh, "colours: none"));
        const auto read = read_mesh(folder / name);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(std::memcmp(read->positions.data(), positions.data(), 100 * sizeof(Vec3)), 0);
        EXPECT_EQ(read->faces, faces);
        EXPECT_EQ(read->edges, edges);
    }
    EXPECT_FALSE(write_ply(folder / "no/such/a.ply", mesh, ""));
    EXPECT_EQ(folder.entries(), 2U);
}

// --- Models beside the checkout ------------------------------------------------------------------

struct Model {
    const char* name;
    std::size_t vertices;
    std::size_t polygons;
};

TEST(ReadMesh, ReadsCommonModelsWhole) {
    const std::filesystem::path folder = graze::testing::outside_data("meshes");
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no models beside the checkout";
    for (const Model& model : {Model{"cow.obj", 2903, 5804},
                               {"fandisk.obj", 6475, 12946},
                               {"spot.obj", 2930, 5856},
                               {"stanford-bunny.obj", 35947, 69451},
                               {"suzanne.obj", 507, 500},
                               {"teapot.obj", 3644, 6320},
                               {"rocker-arm.obj", 10044, 20088}}) {
        const auto mesh = read_mesh(folder / model.name);
        ASSERT_TRUE(mesh) << mesh.error().message;
        EXPECT_EQ(mesh->positions.size(), model.vertices) << model.name;
        EXPECT_GE(mesh->faces.size(), model.polygons) << model.name;
    }
}

}  // namespace
}  // namespace graze::io
