#include "graze/surface/defects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "surface/some_surfaces.hpp"

namespace graze::test {
namespace {

using Indices = std::vector<std::uint32_t>;

TEST(Weld, KeepsTheFirstOfEqualVerticesAndSaysWhereEachWent) {
    const std::vector<Vec3> x = {{1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-0.0, 0, -0.0}, {2, 0, 0}};
    const Weld welded = weld(x);
    EXPECT_EQ(welded.to_new, (Indices{0, 1, 0, 1, 2}));
    EXPECT_EQ(welded.kept, (Indices{0, 1, 4}));
    EXPECT_EQ(welded.repeated(), 2U);
    EXPECT_EQ(welded.positions(x), (std::vector<Vec3>{{1, 0, 0}, {0, 0, 0}, {2, 0, 0}}));
    const std::vector<std::array<std::uint32_t, 3>> faces = {{2, 3, 4}};
    EXPECT_EQ(welded.renamed(faces)[0], (std::array<std::uint32_t, 3>{0, 1, 2}));
}

TEST(Weld, TellsTheNearestNeighboursApart) {
    const double next = std::nextafter(1.0, 2.0);
    EXPECT_EQ(
        weld(std::vector<Vec3>{{1, 1, 1}, {1, 1, next}, {0x1p-1074, 0, 0}, {0, 0, 0}}).repeated(),
        0U);
}

TEST(Weld, OfAStepJoinsOnlyWhatIsEqualAtBothEnds) {
    const std::vector<Vec3> start = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    const std::vector<Vec3> end = {{0, 0, 1}, {0, 0, 2}, {0, 0, 1}, {0, 0, 1}};
    EXPECT_EQ(weld(start, end).to_new, (Indices{0, 1, 0, 2}));
}

TEST(Weld, UndoesAnyRepetition) {
    std::mt19937 engine(1);
    for (int trial = 0; trial < 200; ++trial) {
        std::uniform_int_distribution<int> few(-2, 2);
        std::vector<Vec3> x(60);
        for (Vec3& p : x)
            p = {few(engine) * 0.1, few(engine) * 1e300, few(engine) * 1e-300};
        const Weld welded = weld(x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(x[welded.kept[welded.to_new[i]]], x[i]);
            EXPECT_LE(welded.kept[welded.to_new[i]], i);
        }
        EXPECT_TRUE(std::is_sorted(welded.kept.begin(), welded.kept.end()));
        EXPECT_EQ(weld(welded.positions(x)).repeated(), 0U);
    }
}

TEST(CleanFaces, LoseDoubledCornersAndThoseThatAreNoFacesThen) {
    const Indices corners = {0, 1, 2, 0, 0, 1, 0, 1, 0, 2, 0, 1, 1, 2, 2, 3, 3, 3};
    const std::vector<std::size_t> ends = {3, 6, 9, 15, 18};
    const CleanFaces clean = without_doubled_corners({ends, corners});
    EXPECT_EQ(clean.kept, (Indices{0, 3}));
    EXPECT_EQ(clean.corner_counts, (Indices{3, 3}));
    EXPECT_EQ(clean.corners, (Indices{0, 1, 2, 2, 0, 1}));
    EXPECT_EQ(clean.dropped, 3U);
}

TEST(Defects, OfACubeAreNone) {
    const Surface cube = cube_surface({}, 1.0);
    SurfaceDefects none;
    none.components = 1;
    EXPECT_EQ(find_defects(cube.positions, cube.faces), none);
}

TEST(Defects, OfACubeOfLooseTriangles) {
    const Surface cube = cube_surface({}, 1.0);
    Surface loose;
    for (const auto& face : cube.faces) {
        for (const std::uint32_t v : face)
            loose.positions.push_back(cube.positions[v]);
        const auto n = static_cast<std::uint32_t>(loose.positions.size());
        loose.faces.push_back({n - 3, n - 2, n - 1});
    }
    const SurfaceDefects defects = find_defects(loose.positions, loose.faces);
    EXPECT_EQ(defects.repeated_vertices, 28U);
    EXPECT_EQ(defects.components, 12U);
    EXPECT_EQ(defects.open_edges, 36U);
    EXPECT_EQ(defects.duplicate_faces, 0U);
    const Weld welded = weld(loose.positions);
    SurfaceDefects none;
    none.components = 1;
    EXPECT_EQ(find_defects(welded.positions(loose.positions), welded.renamed(loose.faces)), none);
}

TEST(Defects, DegenerateMeansExactlyNoArea) {
    // 0.1, 0.2 and 0.3 are on a line only nearly: 0.3 != 3 * 0.1 in doubles.
    const std::vector<Vec3> x = {
        {0, 0, 0},      {0.1, 0.2, 0.3}, {0.2, 0.4, 0.6}, {0.3, 0.6, 0.9},
        {1e-300, 0, 0}, {0, 1e-300, 0},  {1, 1, 1},       {1, 1, std::nextafter(1.0, 2.0)}};
    EXPECT_TRUE(is_degenerate(x, Indices{0, 1, 2}));
    EXPECT_FALSE(is_degenerate(x, Indices{0, 1, 3}));
    EXPECT_FALSE(is_degenerate(x, Indices{0, 4, 5}));
    EXPECT_FALSE(is_degenerate(x, Indices{0, 6, 7}));
    EXPECT_TRUE(is_degenerate(x, Indices{1, 1, 3}));
    EXPECT_TRUE(is_degenerate(x, Indices{1, 1, 1}));
    EXPECT_TRUE(is_degenerate(x, Indices{0, 1, 2, 1}));
    EXPECT_FALSE(is_degenerate(x, Indices{0, 0, 1, 6}));
    EXPECT_EQ(find_defects(x, std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 1, 3}})
                  .degenerate_faces,
              1U);
}

TEST(Defects, OfAStepAreThoseOfBothEnds) {
    const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}};
    const std::vector<Vec3> open = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}};
    const std::vector<std::array<std::uint32_t, 3>> faces = {{0, 1, 2}, {0, 1, 3}};
    EXPECT_EQ(find_defects(line, line, faces).degenerate_faces, 2U);
    EXPECT_EQ(find_defects(line, line, faces).repeated_vertices, 1U);
    EXPECT_EQ(find_defects(line, line, faces).duplicate_faces, 1U);
    EXPECT_EQ(find_defects(line, open, faces).degenerate_faces, 0U);
    EXPECT_EQ(find_defects(line, open, faces).repeated_vertices, 0U);
    EXPECT_EQ(find_defects(line, open, faces).duplicate_faces, 0U);
}

TEST(Defects, CountsEveryKindOnce) {
    Surface cube = cube_surface({}, 1.0);
    cube.faces.push_back({6, 4, 0});  // the first, turned
    cube.positions.push_back({9, 9, 9});
    const SurfaceDefects defects = find_defects(cube.positions, cube.faces);
    EXPECT_EQ(defects.duplicate_faces, 1U);
    EXPECT_EQ(defects.non_manifold_edges, 3U);
    EXPECT_EQ(defects.unused_vertices, 1U);
    Surface turned = cube_surface({}, 1.0);
    turned.reverse(3, 4);
    EXPECT_EQ(find_defects(turned.positions, turned.faces).disagreeing_edges, 3U);
}

TEST(Counted, KnowsTheSingular) {
    EXPECT_EQ(counted(0, "face", "faces"), "0 faces");
    EXPECT_EQ(counted(1, "face", "faces"), "1 face");
    EXPECT_EQ(counted(2, "face", "faces"), "2 faces");
}

}  // namespace
}  // namespace graze::test
