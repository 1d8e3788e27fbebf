// STL: what is read, what is refused and where.
#include <gtest/gtest.h>

#include <limits>

#include "graze/io/mesh_file.hpp"
#include "io/mesh_reader.hpp"
#include "io/stl_files.hpp"

namespace graze::io {
namespace {

using namespace test;
using Faces = std::vector<FaceIndices>;

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

}  // namespace
}  // namespace graze::io
