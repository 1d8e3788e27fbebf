// Mesh files by name and content, pairs of them, and PLY files that are written.
#include "graze/io/mesh_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "io/stl_files.hpp"
#include "support/outside_data.hpp"

namespace graze::io {
namespace {

using namespace test;
using Faces = std::vector<FaceIndices>;
using LooseEdges = std::vector<EdgeIndices>;

constexpr std::string_view kThree = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

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
    EXPECT_EQ(read->edges, (LooseEdges{{1, 2}}));
}

// --- Writing -------------------------------------------------------------------------------------

TEST(WritePly, ReadsBackToTheSameBits) {
    std::mt19937_64 rng(20250103);
    const TempFolder folder;
    std::vector<Vec3> positions;
    for (int i = 0; i < 100; ++i)
        positions.push_back(any_point(rng));
    const Faces faces = {{0, 1, 99}, {5, 4, 3}};
    const LooseEdges edges = {{7, 8}};
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

// --- Codes ---------------------------------------------------------------------------------------

struct BadMesh {
    const char* name;
    std::string content;
    ErrorCode code;
    std::optional<std::size_t> index;
};

TEST(ReadMesh, ErrorsHaveACodeAndTheElementOrLineAtFault) {
    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\n"
        "property double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    const std::string three(kThree);
    const TempFolder folder;
    for (const BadMesh& bad : {
             BadMesh{"a.obj", "v 0 0\n", ErrorCode::Malformed, 1},
             BadMesh{"b.obj", "v 0 0 0\nv 0 inf 0\n", ErrorCode::NotFinite, 2},
             BadMesh{"c.obj", three + "f 1 2 4\n", ErrorCode::IndexOutOfRange, 4},
             BadMesh{"d.obj", three + "f 1 0 2\n", ErrorCode::IndexOutOfRange, 4},
             BadMesh{"e.obj", three + "f 1 2\n", ErrorCode::WrongSize, 4},
             BadMesh{"f.obj", "curv 0 1\n", ErrorCode::Unsupported, 1},
             BadMesh{"g.obj", "# nothing\n", ErrorCode::WrongSize, std::nullopt},
             BadMesh{"a.ply", "ply\nformat ascii 1.0\nproperty int x\n", ErrorCode::Malformed, 3},
             BadMesh{"b.ply", ply + "0 0 0\n1 0 0\n0 nan 0\n3 0 1 2\n", ErrorCode::NotFinite, 2},
             BadMesh{"c.ply", ply + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", ErrorCode::IndexOutOfRange,
                     0},
             BadMesh{"d.ply", ply + "0 0 0\n1 0 0\n0 1 0\n2 0 1\n", ErrorCode::WrongSize, 0},
             BadMesh{"e.ply", ply + "0 0 0\n1 0 0\n", ErrorCode::Malformed, 2},
             BadMesh{"a.stl", "solid a\nfacet\nloop\n", ErrorCode::Malformed, 3},
             BadMesh{"a.mesh", "1 2 3\n", ErrorCode::Unsupported, std::nullopt},
             BadMesh{"empty.obj", "", ErrorCode::Malformed, std::nullopt},
         }) {
        const auto mesh = read_mesh(write_file(folder / bad.name, bad.content));
        ASSERT_FALSE(mesh) << bad.name;
        EXPECT_EQ(mesh.error().code, bad.code) << mesh.error().message;
        EXPECT_EQ(mesh.error().index, bad.index) << mesh.error().message;
    }
    EXPECT_EQ(read_mesh(folder / "none.obj").error().code, ErrorCode::CannotRead);
    EXPECT_EQ(read_mesh(folder / "").error().code, ErrorCode::CannotRead);
}

TEST_F(MeshPairs, DifferencesHaveACodeAndTheElement) {
    const std::string start = std::string(kThree) + "f 1 2 3\n";
    const auto code_of = [&](const std::string& end) {
        const auto read = pair(bytes_of(start), bytes_of(end), ".obj");
        EXPECT_FALSE(read);
        return std::pair(read.error().code, read.error().index);
    };
    using Code = std::pair<ErrorCode, std::optional<std::size_t>>;
    EXPECT_EQ(code_of(start + "v 1 1 1\n"), Code(ErrorCode::WrongSize, std::nullopt));
    EXPECT_EQ(code_of(std::string(kThree) + "f 3 2 1\n"), Code(ErrorCode::InvalidInput, 0));
}

}  // namespace
}  // namespace graze::io
