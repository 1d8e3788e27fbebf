// Polygons to triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "graze/io/mesh_file.hpp"

namespace graze::io {
namespace {

using Face = FaceIndices;
using Edge = EdgeIndices;
using Faces = std::vector<Face>;

Faces cut(const std::vector<Vec3>& ring) {
    PolygonList polygon;
    for (std::size_t i = 0; i < ring.size(); ++i)
        polygon.add_corner(static_cast<std::uint32_t>(i));
    polygon.close();
    const auto faces = triangulate(polygon, ring);
    EXPECT_TRUE(faces);
    return faces ? *faces : Faces{};
}

double doubled_area(const std::vector<Vec3>& ring, const Face& f) {
    return cross(ring[f[1]] - ring[f[0]], ring[f[2]] - ring[f[0]]).z;
}

double doubled_area(const std::vector<Vec3>& ring) {
    double area = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i)
        area += cross(ring[i], ring[(i + 1) % ring.size()]).z;
    return area;
}

// Every side once, in its direction; every other edge once in each direction.
void expect_is_triangulation(std::size_t corners, const Faces& faces) {
    ASSERT_EQ(faces.size(), corners - 2);
    std::map<Edge, int> sides;
    for (const Face& f : faces)
        for (std::size_t i = 0; i < 3; ++i)
            ++sides[{f[i], f[(i + 1) % 3]}];
    for (const auto& [side, count] : sides) {
        const bool is_outer = (side[0] + 1) % corners == side[1];
        EXPECT_EQ(count, 1);
        EXPECT_EQ(sides.contains({side[1], side[0]}), !is_outer) << side[0] << ' ' << side[1];
    }
}

TEST(Triangulate, ConvexPolygonsBecomeTheFanOfTheirFirstCorner) {
    std::vector<Vec3> ring;
    for (int i = 0; i < 12; ++i)
        ring.push_back({std::cos(i * 0.5), std::sin(i * 0.5), 3.0});
    Faces fan;
    for (std::uint32_t i = 2; i < 12; ++i)
        fan.push_back({0, i - 1, i});
    EXPECT_EQ(cut(ring), fan);
    // In every plane, either way round, of any size.
    for (Vec3& p : ring)
        p = {p.z * 1e300, p.y * 1e300, p.x * 1e300};
    EXPECT_EQ(cut(ring), fan);
    for (Vec3& p : ring)
        p = {p.y * 0x1p-1000 * 0x1p-1060, p.x * 0x1p-1000, p.z * 0x1p-1000};
    EXPECT_EQ(cut(ring), fan);
}

TEST(Triangulate, FillsConcavePolygonsWithoutOverlap) {
    const std::vector<std::vector<Vec3>> rings = {
        {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {3, 1, 0}},  // dart
        {{1, 1, 0}, {0, 4, 0}, {0, 0, 0}, {4, 0, 0}},  // dart, turned
        {{0, 0, 0}, {6, 0, 0}, {6, 4, 0}, {4, 4, 0}, {4, 1, 0}, {2, 1, 0}, {2, 4, 0}, {0, 4, 0}},
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}},  // on its sides
        // A square with a square hole, joined by a bridge that is passed twice.
        {{0, 0, 0},
         {9, 0, 0},
         {9, 9, 0},
         {0, 9, 0},
         {0, 0, 0},
         {3, 3, 0},
         {3, 6, 0},
         {6, 6, 0},
         {6, 3, 0},
         {3, 3, 0}},
    };
    for (const auto& ring : rings) {
        const Faces faces = cut(ring);
        expect_is_triangulation(ring.size(), faces);
        for (const Face& f : faces)
            EXPECT_GT(doubled_area(ring, f), 0.0) << f[0] << ' ' << f[1] << ' ' << f[2];
        for (const double scale : {0x1p+1000, 0x1p-1060}) {
            std::vector<Vec3> scaled;
            for (const Vec3& p : ring)
                scaled.push_back(scale * p);
            EXPECT_EQ(cut(scaled), faces) << scale;
        }
    }
}

TEST(Triangulate, FillsRandomStarsFromEveryCornerAndEitherWayRound) {
    std::mt19937_64 rng(20250102);
    for (int round = 0; round < 300; ++round) {
        const std::size_t corners = 4 + rng() % 24;
        std::vector<Vec3> ring;
        for (std::size_t i = 0; i < corners; ++i) {
            const double radius = 0.2 + std::ldexp(static_cast<double>(rng() >> 11), -53);
            const double angle = 6.283 * static_cast<double>(i) / static_cast<double>(corners);
            ring.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.0});
        }
        std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(rng() % corners),
                    ring.end());
        if (round % 2 == 1) std::reverse(ring.begin(), ring.end());
        const double sign = round % 2 == 1 ? -1.0 : 1.0;
        const Faces faces = cut(ring);
        expect_is_triangulation(corners, faces);
        double sum = 0.0;
        for (const Face& f : faces) {
            EXPECT_GT(sign * doubled_area(ring, f), 0.0);
            sum += doubled_area(ring, f);
        }
        EXPECT_NEAR(sum, doubled_area(ring), 1e-12);
    }
}

TEST(Triangulate, WhatHasNoAreaOrCrossesItselfStillGivesItsTriangles) {
    const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}};
    expect_is_triangulation(4, cut(line));
    const std::vector<Vec3> point(6, Vec3{1, 2, 3});
    expect_is_triangulation(6, cut(point));
    std::vector<Vec3> pentagram;
    for (int i = 0; i < 5; ++i)
        pentagram.push_back({std::cos(i * 2.5133), std::sin(i * 2.5133), 0.0});
    expect_is_triangulation(5, cut(pentagram));
    const double huge = std::numeric_limits<double>::max();
    expect_is_triangulation(
        4, cut({{-huge, -huge, 0}, {huge, -huge, 0}, {huge, huge, 0}, {-huge, huge, 0}}));
}

// A comb: half of its corners hide others from the first.
std::vector<Vec3> comb(std::size_t corners) {
    std::vector<Vec3> ring = {{0, 0, 0}, {static_cast<double>(corners), 0, 0}};
    for (std::size_t i = corners - 2; i > 0; --i)
        ring.push_back({static_cast<double>(i), i % 2 == 0 ? 1.0 : 2.0, 0});
    return ring;
}

TEST(Triangulate, BoundsTheWorkForConcavePolygons) {
    const auto ring = comb(kMaxConcaveCorners);
    expect_is_triangulation(ring.size(), cut(ring));
    const auto longer = comb(kMaxConcaveCorners + 1);
    PolygonList polygons;
    for (const std::uint32_t corner : {0U, 1U, 2U})
        polygons.add_corner(corner);
    polygons.close();
    for (std::uint32_t i = 0; i < longer.size(); ++i)
        polygons.add_corner(i);
    polygons.close();
    const auto faces = triangulate(polygons, longer);
    ASSERT_FALSE(faces);
    EXPECT_EQ(
        faces.error().message,
        "face 1: has 4097 corners and is not seen whole from its first; at most 4096 are then "
        "cut to triangles");
}

}  // namespace
}  // namespace graze::io
