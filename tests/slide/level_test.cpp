// Parts of a level, and the tree over their triangles.
#include "graze/slide/level.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "slide/some_levels.hpp"
#include "slide/tree.hpp"

namespace graze::slide {
namespace {

using test::Random;
using Face = std::array<std::uint32_t, 3>;

template <class Real>
class LevelTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(LevelTest, Reals);

template <class Real>
struct Mesh {
    std::vector<Vec<Real>> positions;
    std::vector<Face> faces;
};

// Vertices shared at random, in no order, some without a face.
template <class Real>
Mesh<Real> some_mesh(int faces, double scale, double offset, Random& random) {
    Mesh<Real> mesh;
    const int vertices = std::max(4, faces / 2);
    for (int i = 0; i < vertices; ++i)
        mesh.positions.push_back(
            narrowed<Real>(scale * (random.in_cube(1.0) + Vec3{offset, 0, offset})));
    for (int i = 0; i < faces; ++i) {
        const int first = random.below(vertices);
        mesh.faces.push_back({static_cast<std::uint32_t>(first),
                              static_cast<std::uint32_t>((first + random.below(3)) % vertices),
                              static_cast<std::uint32_t>(random.below(vertices))});
    }
    return mesh;
}

template <class Real>
bool meets(const Mesh<Real>& mesh, std::size_t face, const Box& box) {
    Box around;
    for (const std::uint32_t corner : mesh.faces[face])
        around.add(widened(mesh.positions[corner]));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(around.lower[axis] <= box.upper[axis] && box.lower[axis] <= around.upper[axis]))
            return false;
    }
    return true;
}

template <class Real>
void expect_finds_all(const PartTree<Real>& tree, const Mesh<Real>& mesh, const Box& box) {
    std::vector<int> visits(mesh.faces.size(), 0);
    std::int64_t last = -1;
    tree.search(box, [&](std::uint32_t place) {
        EXPECT_GT(std::int64_t{place}, last);
        last = place;
        ++visits[tree.face_at(place)];
        return true;
    });
    for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
        EXPECT_LE(visits[i], 1);
        if (meets(mesh, i, box)) {
            EXPECT_EQ(visits[i], 1) << "face " << i;
        }
    }
}

Box some_box(double scale, double offset, Random& random) {
    Box box;
    const Vec3 middle = random.in_cube(1.2) + Vec3{offset, 0, offset};
    const Vec3 half = random.in_cube(0.3);
    box.add(scale * (middle - half));
    box.add(scale * (middle + half));
    return box;
}

TYPED_TEST(LevelTest, TheTreeFindsEveryTriangleWhoseBoxMeetsABox) {
    using Real = TypeParam;
    Random random{std::mt19937_64(1)};
    const double most = sizeof(Real) == sizeof(float) ? 1e37 : 1e306;
    for (const int count : {0, 1, 7, 8, 9, 63, 64, 65, 513, 2000}) {
        for (const auto& [scale, offset] :
             {std::pair{1.0, 0.0}, {1e-36, 0.0}, {1.0, 1e6}, {most, 0.0}, {1e-3, 4e3}}) {
            const Mesh<Real> mesh = some_mesh<Real>(count, scale, offset, random);
            PartTree<Real> tree;
            tree.build(mesh.positions, mesh.faces);
            for (int i = 0; i < 10; ++i)
                expect_finds_all(tree, mesh, some_box(scale, offset, random));
            // Of no extent, at a corner: touching is meeting.
            Box point;
            point.add(widened(mesh.positions.front()));
            expect_finds_all(tree, mesh, point);
        }
    }
}

TYPED_TEST(LevelTest, ATreeThatWasMovedFindsThemAtTheirNewPlaces) {
    using Real = TypeParam;
    Random random{std::mt19937_64(2)};
    Mesh<Real> mesh = some_mesh<Real>(700, 1.0, 0.0, random);
    PartTree<Real> tree;
    tree.build(mesh.positions, mesh.faces);
    for (const double offset : {0.01, 3.0, 1e5}) {
        for (Vec<Real>& p : mesh.positions)
            p = narrowed<Real>(random.in_cube(1.0) + Vec3{offset, 0, offset});
        tree.move(mesh.positions);
        for (int i = 0; i < 30; ++i)
            expect_finds_all(tree, mesh, some_box(1.0, offset, random));
    }
}

// The order is worth its cost: few blocks are looked into.
TYPED_TEST(LevelTest, ASmallBoxVisitsFewTriangles) {
    using Real = TypeParam;
    Mesh<Real> mesh;
    constexpr std::uint32_t kSide = 200;
    for (std::uint32_t i = 0; i <= kSide; ++i)
        for (std::uint32_t j = 0; j <= kSide; ++j)
            mesh.positions.push_back({static_cast<Real>(i), Real(0), static_cast<Real>(j)});
    for (std::uint32_t i = 0; i < kSide; ++i) {
        for (std::uint32_t j = 0; j < kSide; ++j) {
            const std::uint32_t a = i * (kSide + 1) + j;
            mesh.faces.push_back({a, a + 1, a + kSide + 1});
            mesh.faces.push_back({a + 1, a + kSide + 2, a + kSide + 1});
        }
    }
    PartTree<Real> tree;
    tree.build(mesh.positions, mesh.faces);
    Box box;
    box.add({50.25, -1, 60.25});
    box.add({51.75, 1, 61.75});
    int visited = 0;
    tree.search(box, [&](std::uint32_t) { return ++visited < 100; });
    EXPECT_EQ(visited, 2 * 2 * 2);
    visited = 0;
    tree.search(box, [&](std::uint32_t) { return ++visited < 3; });
    EXPECT_EQ(visited, 3);
}

TYPED_TEST(LevelTest, HandsBackTrianglesAndMarksByFace) {
    using Real = TypeParam;
    Random random{std::mt19937_64(3)};
    const Mesh<Real> mesh = some_mesh<Real>(100, 1.0, 0.0, random);
    std::vector<FaceMarks> marks(mesh.faces.size());
    for (std::size_t i = 0; i < marks.size(); ++i)
        marks[i] = {.tag = static_cast<std::uint32_t>(i), .layers = 2, .one_sided = i % 2 == 0};
    Level<Real> level;
    EXPECT_EQ(level.add_part(mesh.positions, mesh.faces).value(), 0U);
    EXPECT_EQ(level.add_part(mesh.positions, mesh.faces, marks).value(), 1U);
    EXPECT_EQ(level.add_part(mesh.positions, mesh.faces, std::span(marks).first(1)).value(), 2U);
    EXPECT_EQ(level.part_count(), 3U);
    EXPECT_EQ(level.face_count(), 300U);
    EXPECT_EQ(level.face_count(2), 100U);
    EXPECT_EQ(level.face_count(3), 0U);
    for (std::uint32_t f = 0; f < 100; ++f) {
        const auto triangle = level.triangle(1, f);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(triangle[k], mesh.positions[mesh.faces[f][k]]);
        EXPECT_EQ(level.marks(0, f).layers, 1U);
        EXPECT_EQ(level.marks(1, f).tag, f);
        EXPECT_EQ(level.marks(1, f).one_sided, f % 2 == 0);
        EXPECT_EQ(level.marks(2, f).layers, 2U);
    }
}

TYPED_TEST(LevelTest, KnowsItsLargestCoordinate) {
    using Real = TypeParam;
    Level<Real> level;
    EXPECT_EQ(level.largest_coordinate(), Real(0));
    const std::vector<Face> faces = {{0, 1, 2}};
    std::vector<Vec<Real>> corners = {{1, 2, 3}, {-5, 0, 0}, {0, 4, 0}};
    ASSERT_TRUE(level.add_part(corners, faces).has_value());
    EXPECT_EQ(level.largest_coordinate(), Real(5));
    corners[2].z = 8;
    ASSERT_TRUE(level.move_part(0, corners).has_value());
    EXPECT_EQ(level.largest_coordinate(), Real(8));
}

TYPED_TEST(LevelTest, NamesWhatIsWrongAndStaysAsItWas) {
    using Real = TypeParam;
    const std::vector<Face> faces = {{0, 1, 2}};
    const std::vector<Vec<Real>> corners = {{1, 2, 3}, {-5, 0, 0}, {0, 4, 0}};
    Level<Real> level;
    ASSERT_TRUE(level.add_part(corners, faces).has_value());

    std::vector<Vec<Real>> bad = corners;
    bad[1].y = std::numeric_limits<Real>::quiet_NaN();
    const std::string not_finite = "vertex 1: a coordinate is not finite";
    EXPECT_EQ(level.add_part(bad, faces).error().message, not_finite);
    EXPECT_EQ(level.replace_part(0, bad, faces).error().message, not_finite);
    EXPECT_EQ(level.move_part(0, bad).error().message, not_finite);

    const std::vector<Face> wild = {{0, 1, 2}, {0, 1, 3}};
    EXPECT_EQ(level.add_part(corners, wild).error().message, "face 1: there is no vertex 3");
    const std::vector<FaceMarks> marks(2);
    EXPECT_EQ(level.add_part(corners, faces, marks).error().message, "2 marks for 1 faces");
    EXPECT_EQ(level.replace_part(1, corners, faces).error().message, "there is no part 1");
    EXPECT_EQ(level.move_part(7, corners).error().message, "there is no part 7");
    EXPECT_EQ(level.move_part(7, corners).error().code, ErrorCode::IndexOutOfRange);
    EXPECT_EQ(level.add_part(corners, wild).error().index, 1U);
    EXPECT_EQ(level.move_part(0, bad).error().code, ErrorCode::NotFinite);
    EXPECT_EQ(level.add_part(corners, faces, marks).error().code, ErrorCode::WrongSize);
    EXPECT_EQ(level.move_part(0, std::span(corners).first(2)).error().message,
              "2 positions for 3 vertices");
    EXPECT_EQ(level.part_count(), 1U);
    EXPECT_EQ(level.triangle(0, 0)[1], corners[1]);
}

}  // namespace
}  // namespace graze::slide
