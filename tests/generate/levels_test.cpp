#include "graze/generate/levels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

namespace graze::generate {
namespace {

std::uint64_t hash_of(const LevelScene& scene) {
    std::uint64_t hash = 14695981039346656037U;
    const auto add = [&](double x) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211U;
    };
    const auto add_point = [&](const Vec3& p) {
        add(p.x);
        add(p.y);
        add(p.z);
    };
    for (const LevelPart& part : scene.parts) {
        for (const Vec3& p : part.positions)
            add_point(p);
        for (const auto& face : part.faces)
            add(face[0] + 3.0 * face[1] + 7.0 * face[2]);
    }
    add_point(scene.start);
    for (const LevelMove& move : scene.moves)
        add_point(move.displacement);
    return hash;
}

TEST(Levels, AreWellFormedAndHaveNames) {
    std::set<std::string_view> names;
    for (const LevelId id : kAllLevels) {
        SCOPED_TRACE(name(id));
        EXPECT_EQ(level_from_name(name(id)), id);
        names.insert(name(id));
        const LevelScene scene = make_level(id);
        EXPECT_EQ(scene.id, id);
        EXPECT_GE(scene.face_count(), 4U);
        EXPECT_GE(scene.moves.size(), 300U);
        EXPECT_TRUE(is_finite(scene.start));
        for (const LevelPart& part : scene.parts) {
            for (const Vec3& p : part.positions)
                ASSERT_TRUE(is_finite(p));
            for (const auto& face : part.faces) {
                for (const std::uint32_t corner : face)
                    ASSERT_LT(corner, part.positions.size());
            }
        }
    }
    EXPECT_EQ(names.size(), kAllLevels.size());
    EXPECT_FALSE(level_from_name("no-such-level"));
}

TEST(Levels, AreTheSameBitsForTheSameSeed) {
    for (const LevelId id : kAllLevels)
        EXPECT_EQ(hash_of(make_level(id, {.seed = 3})), hash_of(make_level(id, {.seed = 3})));
    EXPECT_NE(hash_of(make_level(LevelId::Soup, {.seed = 3})),
              hash_of(make_level(LevelId::Soup, {.seed = 4})));
}

TEST(Levels, OfFlatGroundAreFlatToTheBitUnlessTheyAreTwo) {
    for (const LevelId id : {LevelId::FlatGrid, LevelId::FlatRandom, LevelId::FlatTJunctions}) {
        const LevelScene scene = placed(make_level(id), 1e-3, {4, 4, 4});
        for (const Vec3& p : scene.parts[0].positions)
            ASSERT_EQ(p.y, scene.parts[0].positions[0].y);
    }
    const LevelScene two = make_level(LevelId::FlatTwoMeshes);
    ASSERT_EQ(two.parts.size(), 2U);
    EXPECT_EQ(two.parts[1].positions[0].y, 1.0 / 4096);
}

// Wherever one looks down on it, some triangle of flat ground is there: no hole to fall into.
TEST(Levels, OfFlatGroundHaveNoHoles) {
    for (const LevelId id : {LevelId::FlatGrid, LevelId::FlatRandom, LevelId::FlatTJunctions}) {
        const LevelScene scene = make_level(id, {.seed = 9});
        const LevelPart& part = scene.parts[0];
        for (int i = 0; i < 300; ++i) {
            const Vec3 at = random_wish(5, static_cast<std::uint64_t>(i));
            bool is_covered = false;
            for (const auto& face : part.faces) {
                const auto side = [&](std::size_t n) {
                    const Vec3& p = part.positions[face[n]];
                    const Vec3& q = part.positions[face[(n + 1) % 3]];
                    return (q.x - p.x) * (at.z - p.z) - (q.z - p.z) * (at.x - p.x);
                };
                const double a = side(0);
                const double b = side(1);
                const double c = side(2);
                is_covered =
                    is_covered || (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
            }
            EXPECT_TRUE(is_covered) << name(id) << " at " << at.x << " " << at.z;
        }
    }
}

TEST(Levels, TheTerrainHasAboutAsManyTrianglesAsAsked) {
    for (const std::uint32_t faces : {1000U, 100'000U, 1'000'000U}) {
        const std::size_t made =
            make_level(LevelId::Terrain, {.terrain_faces = faces}).face_count();
        EXPECT_GE(made, faces);
        EXPECT_LE(static_cast<double>(made), 1.1 * faces);
    }
}

TEST(Levels, RandomWishesGoAllWaysAndHaveTheLengthsThatAreTold) {
    Vec3 sum;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Vec3 wish = random_wish(1, i);
        ASSERT_GE(norm(wish), (1.0 - 1e-12) / 64);
        ASSERT_LE(norm(wish), 8.0 + 1e-12);
        sum = sum + (1.0 / norm(wish)) * wish;
    }
    EXPECT_LT(std::fabs(sum.x), 200.0);
    EXPECT_LT(sum.y, -500.0);  // one in four presses down
    EXPECT_LT(std::fabs(sum.z), 200.0);
}

}  // namespace
}  // namespace graze::generate
