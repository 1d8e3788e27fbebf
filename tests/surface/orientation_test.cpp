// Defends G-RIGID-2 (docs/GUARANTEES.md).
#include "graze/surface/orientation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>

#include "graze/generate/models.hpp"
#include "surface/some_surfaces.hpp"

namespace graze::test {
namespace {

using Indices = std::vector<std::uint32_t>;

Orientation orientation_of(const Surface& surface) {
    return graze::orientation_of(surface.positions, surface.faces);
}

Indices range(std::uint32_t first, std::uint32_t last) {
    Indices all(last - first);
    std::iota(all.begin(), all.end(), first);
    return all;
}

TEST(Orientation, OfACubeIsRightAndOfItsReverseInsideOut) {
    Surface cube = cube_surface({3, 4, 5}, 1.0);
    EXPECT_TRUE(orientation_of(cube).wrong_faces.empty());
    EXPECT_EQ(orientation_of(cube).inside_out, 0U);
    EXPECT_EQ(orientation_of(cube).components.at(0).volume_sign, 1);
    cube.reverse();
    const Orientation wrong = orientation_of(cube);
    EXPECT_EQ(wrong.inside_out, 1U);
    EXPECT_EQ(wrong.wrong_faces, range(0, 12));
    EXPECT_EQ(wrong.components.at(0).volume_sign, -1);
}

TEST(Orientation, EveryModelIsRight) {
    for (const std::string_view name : generate::model_names()) {
        const auto mesh = generate::model(name);
        ASSERT_TRUE(mesh);
        Surface surface{mesh->positions, {}};
        for (std::size_t f = 0; f < mesh->polygons.size(); ++f)
            for (std::size_t i = 2; i < mesh->polygons[f].size(); ++i)
                surface.faces.push_back(
                    {mesh->polygons[f][0], mesh->polygons[f][i - 1], mesh->polygons[f][i]});
        EXPECT_TRUE(orientation_of(surface).wrong_faces.empty()) << name;
        surface.reverse();
        EXPECT_EQ(orientation_of(surface).wrong_faces.size(), surface.faces.size()) << name;
    }
}

TEST(Orientation, WallsOfCavitiesRunTheOtherWayRound) {
    Surface nested;
    for (int depth = 0; depth < 4; ++depth) {
        Surface cube = cube_surface({}, 8.0 - depth);
        if (depth % 2 == 1) cube.reverse();
        nested.add(cube);
    }
    const Orientation right = orientation_of(nested);
    EXPECT_TRUE(right.wrong_faces.empty());
    for (std::uint32_t c = 0; c < 4; ++c)
        EXPECT_EQ(right.components.at(c).depth, c);
    nested.reverse(12, 24);
    const Orientation wrong = orientation_of(nested);
    EXPECT_EQ(wrong.wrong_faces, range(12, 24));
    EXPECT_EQ(wrong.inside_out, 1U);
}

TEST(Orientation, BodiesThatOverlapAreNotInsideEachOther) {
    Surface two = cube_surface({}, 1.0);
    two.add(cube_surface({0.5, 0.25, 0.125}, 1.0));
    EXPECT_TRUE(orientation_of(two).wrong_faces.empty());
    // A bar whose ends are in two arms of a frame, and whose middle is between them.
    Surface frame = box_surface({0, 0, 0}, {1, 4, 4});
    frame.add(box_surface({0.25, 1, -1}, {0.75, 2, 5}));  // right through it
    EXPECT_TRUE(orientation_of(frame).wrong_faces.empty());
}

// All vertices of the bar are inside the ring, but not all of the bar is.
TEST(Orientation, ABarAcrossARingIsNotInsideIt) {
    const auto mesh = generate::model("torus");
    ASSERT_TRUE(mesh);
    Surface ring{mesh->positions, {}};
    Vec3 low = ring.positions[0];
    Vec3 high = low;
    for (const Vec3& p : ring.positions)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    for (std::size_t f = 0; f < mesh->polygons.size(); ++f)
        for (std::size_t i = 2; i < mesh->polygons[f].size(); ++i)
            ring.faces.push_back(
                {mesh->polygons[f][0], mesh->polygons[f][i - 1], mesh->polygons[f][i]});
    // The axis of the ring is its shortest extent; the tube is half of that.
    std::size_t axis = 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (high[i] - low[i] < high[axis] - low[axis]) axis = i;
    const double tube = 0.5 * (high[axis] - low[axis]);
    Vec3 from{};
    Vec3 to{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double middle = 0.5 * (low[i] + high[i]);
        from[i] = middle - 0.2 * tube;
        to[i] = middle + 0.2 * tube;
    }
    const std::size_t along = (axis + 1) % 3;
    from[along] = low[along] + 0.8 * tube;
    to[along] = high[along] - 0.8 * tube;
    Surface both = ring;
    both.add(box_surface(from, to));
    const Orientation orientation = orientation_of(both);
    ASSERT_EQ(orientation.components.size(), 2U);
    EXPECT_TRUE(orientation.wrong_faces.empty());
    // A short one is.
    Surface inner = ring;
    to[along] = from[along] + 0.4 * tube;
    inner.add(box_surface(from, to));
    EXPECT_EQ(orientation_of(inner).components.at(1).depth, 1U);
}

TEST(Orientation, ACavityMayTouchTheWall) {
    // A vertex, an edge or a face of the cavity is on the outer wall.
    for (const Vec3 low : {Vec3{-1, -0.5, -0.5}, Vec3{-1, -1, -0.5}, Vec3{-1, -1, -1}}) {
        Surface body = box_surface({-1, -1, -1}, {1, 1, 1});
        Surface cavity = box_surface(low, {0.5, 0.5, 0.5});
        cavity.reverse();
        body.add(cavity);
        EXPECT_TRUE(orientation_of(body).wrong_faces.empty());
        EXPECT_EQ(orientation_of(body).components.at(1).depth, 1U);
    }
    // What fills the same space is not inside.
    Surface twice = cube_surface({}, 1.0);
    twice.add(cube_surface({}, 1.0));
    EXPECT_TRUE(orientation_of(twice).wrong_faces.empty());
}

TEST(Orientation, BoxesThatStandOnEachOtherAreBothRight) {
    Surface stack = box_surface({0, 0, 0}, {2, 2, 1});
    stack.add(box_surface({0, 0, 1}, {1, 1, 2}));
    stack.add(box_surface({1, 1, 1}, {2, 2, 3}));
    EXPECT_TRUE(orientation_of(stack).wrong_faces.empty());
}

TEST(Orientation, NamesTheFacesThatDisagree) {
    Surface cube = cube_surface({}, 1.0);
    cube.reverse(3, 4);
    cube.reverse(7, 9);
    const Orientation orientation = orientation_of(cube);
    EXPECT_EQ(orientation.wrong_faces, (Indices{3, 7, 8}));
    EXPECT_EQ(orientation.inside_out, 0U);
    EXPECT_FALSE(orientation.components.at(0).is_consistent);
    // The first one is wrong.
    Surface first = cube_surface({}, 1.0);
    first.reverse(0, 1);
    EXPECT_EQ(orientation_of(first).wrong_faces, (Indices{0}));
}

TEST(Orientation, OpenSurfacesHaveNoOutsideButAMajority) {
    Surface open = cube_surface({}, 1.0);
    open.faces.resize(10);
    EXPECT_TRUE(orientation_of(open).wrong_faces.empty());
    open.reverse();
    EXPECT_TRUE(orientation_of(open).wrong_faces.empty());
    open.reverse(0, 1);
    EXPECT_EQ(orientation_of(open).wrong_faces, (Indices{0}));
    EXPECT_EQ(orientation_of(open).undecided, 0U);
}

TEST(Orientation, IsUndecidedWithoutTwoSidesOrVolume) {
    // A strip of five triangles with half a twist.
    Surface strip;
    for (int i = 0; i < 5; ++i)
        strip.positions.push_back({std::cos(i * 1.2), std::sin(i * 1.2), 0.1 * i * i});
    strip.faces = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 0, 4}, {4, 0, 1}};
    EXPECT_EQ(orientation_of(strip).undecided, 1U);
    EXPECT_TRUE(orientation_of(strip).wrong_faces.empty());
    Surface flat;
    flat.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    flat.faces = {{0, 1, 2}, {0, 2, 1}};
    EXPECT_EQ(orientation_of(flat).undecided, 1U);
    EXPECT_TRUE(orientation_of(flat).wrong_faces.empty());
    // Two cubes with a common edge of four faces.
    Surface two = cube_surface({}, 1.0);
    two.add(cube_surface({2, 2, 0}, 1.0));
    for (auto& face : two.faces)
        for (std::uint32_t& v : face)
            v = v == 8 ? 3 : v == 12 ? 7 : v;
    EXPECT_EQ(orientation_of(two).components.size(), 1U);
    EXPECT_EQ(orientation_of(two).undecided, 1U);
}

// A tetrahedron whose volume is far below the roundings of its coordinates.
TEST(Orientation, VolumesAreExactAtAnySizeAndPlace) {
    std::mt19937_64 engine(7);
    std::uniform_int_distribution<int> ulps(-3, 3);
    std::uniform_int_distribution<int> exponents(-900, 900);
    int decided = 0;
    for (int trial = 0; trial < 300; ++trial) {
        // Coordinates k 2^e with k near 2^52: differences are small whole numbers of 2^e.
        std::array<std::array<long long, 3>, 4> offset{};
        for (auto& o : offset)
            for (long long& x : o)
                x = ulps(engine);
        const int exponent = exponents(engine);
        Surface tetrahedron;
        for (const auto& o : offset) {
            Vec3 p;
            for (std::size_t axis = 0; axis < 3; ++axis)
                p[axis] = std::ldexp(0x1p52 + 12345.0 + static_cast<double>(o[axis]), exponent);
            tetrahedron.positions.push_back(p);
        }
        tetrahedron.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
        std::array<std::array<long long, 3>, 3> d{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                d[i][axis] = offset[i + 1][axis] - offset[0][axis];
        const long long volume = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                                 d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
                                 d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        const int sign = volume > 0 ? 1 : volume < 0 ? -1 : 0;
        EXPECT_EQ(orientation_of(tetrahedron).components.at(0).volume_sign, sign) << trial;
        if (sign != 0) ++decided;
    }
    EXPECT_GT(decided, 200);
}

TEST(Orientation, FlipsExactlyWhatIsWrongInRandomNests) {
    std::mt19937 engine(11);
    for (int trial = 0; trial < 40; ++trial) {
        // Boxes in boxes: each cell of a row holds a nest of random depth.
        Surface right;
        for (int cell = 0; cell < 4; ++cell) {
            const int levels = 1 + static_cast<int>(engine() % 4);
            for (int level = 0; level < levels; ++level) {
                Surface cube = cube_surface({cell * 3.0, 0.1 * cell, 0}, 1.0 - 0.2 * level);
                if (level % 2 == 1) cube.reverse();
                right.add(cube);
            }
        }
        ASSERT_TRUE(orientation_of(right).wrong_faces.empty());
        Surface wrong = right;
        Indices expected;
        for (std::uint32_t f = 0; f < wrong.faces.size(); f += 12) {
            if (engine() % 2 == 0) continue;
            wrong.reverse(f, f + 12);
            for (std::uint32_t i = 0; i < 12; ++i)
                expected.push_back(f + i);
        }
        EXPECT_EQ(orientation_of(wrong).wrong_faces, expected);
    }
}

TEST(Orientation, OfManyBodiesInOneIsNotQuadratic) {
    Surface many = cube_surface({}, 100.0);
    for (int i = 0; i < 4000; ++i)
        many.add(cube_surface(
            {-90.0 + 9.0 * (i % 20), -90.0 + 9.0 * (i / 20 % 20), -90.0 + 9.0 * (i / 400)}, 2.0));
    const auto begin = std::chrono::steady_clock::now();
    const Orientation orientation = orientation_of(many);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(orientation.inside_out, 4000U);
    EXPECT_EQ(orientation.undecided, 0U);
    EXPECT_LT(taken.count(), 20.0);  // 4000 * 48012 tests would take minutes
}

}  // namespace
}  // namespace graze::test
