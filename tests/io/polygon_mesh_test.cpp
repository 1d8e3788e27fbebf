#include "graze/io/polygon_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "graze/generate/models.hpp"
#include "io/files.hpp"

namespace graze::io {
namespace {

TEST(PolygonMesh, ReadsBackBitByBitWhatItWrote) {
    PolygonMesh mesh = generate::comb(5);
    mesh.positions[0] = {0x1p-1074, -0x1.fffffffffffffp+1023, 1.0 / 3.0};
    mesh.positions[1] = {-0.0, 0.1, 1e-310};
    const test::TempFolder folder;
    for (const char* name : {"mesh.obj", "mesh.obj.gz"}) {
        const auto path = folder / name;
        ASSERT_TRUE(write_obj(path, mesh, "a comb"));
        const auto back = read_polygon_mesh(path);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_TRUE(*back == mesh);
        EXPECT_TRUE(std::signbit(back->positions[1].x));
    }
}

TEST(PolygonMesh, ReadsBackBitByBitFromPly) {
    PolygonMesh mesh = generate::comb(5);
    mesh.positions[0] = {0x1p-1074, -0x1.fffffffffffffp+1023, 1.0 / 3.0};
    mesh.positions[1] = {-0.0, 0.1, 1e-310};
    mesh.edges = {{3, 1}, {0, 2}};
    const test::TempFolder folder;
    for (const bool is_long : {false, true}) {
        for (std::uint32_t corner = 0; is_long && corner < 300; ++corner)
            mesh.polygons.add_corner(corner % 7);  // more than a byte can count
        if (is_long) mesh.polygons.close();
        for (const char* comment : {"", "a comb"}) {
            const auto path = test::write_file(folder / "mesh.ply", to_ply(mesh, comment));
            const auto back = read_polygon_mesh(path);
            ASSERT_TRUE(back) << back.error().message;
            EXPECT_TRUE(*back == mesh);
            EXPECT_TRUE(std::signbit(back->positions[1].x));
        }
    }
}

TEST(PolygonMesh, KeepsPolygonsWholeAndListsTheirCorners) {
    const PolygonMesh mesh = generate::car();
    const auto counts = mesh.corner_counts();
    const auto corners = mesh.corners();
    ASSERT_EQ(counts.size(), 12U);
    EXPECT_EQ(counts[8], 6U);
    std::size_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        EXPECT_EQ(corners[sum], mesh.polygons[i][0]);
        sum += counts[i];
    }
    EXPECT_EQ(corners.size(), sum);
}

TEST(PolygonMesh, JoinsTheCornersOfAnStl) {
    const test::TempFolder folder;
    const auto path = folder / "two.stl";
    std::ofstream(path) << "solid two\n"
                           "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                           "vertex 0 1 0\nendloop\nendfacet\n"
                           "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\n"
                           "vertex 0 1 0\nendloop\nendfacet\nendsolid two\n";
    const auto mesh = read_polygon_mesh(path);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->positions.size(), 4U);
    EXPECT_EQ(mesh->polygons.size(), 2U);
}

TEST(PolygonMesh, ErrorsNameTheFileAndNothingIsLeftBehind) {
    const test::TempFolder folder;
    const auto missing = read_polygon_mesh(folder / "none.obj");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("none.obj"), std::string::npos);
    EXPECT_FALSE(write_obj(folder / "no-folder/mesh.obj", generate::cube()));
    std::ofstream(folder / "bad.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n";
    EXPECT_FALSE(read_polygon_mesh(folder / "bad.obj"));
}

}  // namespace
}  // namespace graze::io
