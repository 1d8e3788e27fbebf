// The one triangulation of polygons: in the plane by exact signs, in space by projection.
#include "graze/surface/triangulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "graze/core/orientation.hpp"

namespace graze::test {
namespace {

using Triangle = EarClipper::Triangle;
using Triangles = std::vector<Triangle>;
using Ring = std::vector<Vec3>;
using Polygon = std::vector<Point2>;

constexpr EarOrder kOrders[] = {EarOrder::Fan, EarOrder::Alternating};

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    int integer(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(engine_);
    }

private:
    std::mt19937_64 engine_;
};

Triangles cut(const Polygon& polygon, EarOrder order) {
    EarClipper clipper;
    Triangles triangles;
    EXPECT_TRUE(clipper.cut(polygon, order, triangles));
    return triangles;
}

double doubled_area(const Polygon& polygon) {
    double sum = 0.0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Point2& p = polygon[i];
        const Point2& q = polygon[(i + 1) % polygon.size()];
        sum += p.x * q.y - p.y * q.x;
    }
    return sum;
}

double doubled_area(const Polygon& polygon, const Triangle& t) {
    return doubled_area({polygon[t[0]], polygon[t[1]], polygon[t[2]]});
}

// Each side of the polygon once, in its direction; every other edge once in each direction.
void expect_is_triangulation(std::size_t corners, const Triangles& triangles) {
    ASSERT_EQ(triangles.size(), corners - 2);
    std::map<std::array<std::uint32_t, 2>, int> sides;
    for (const Triangle& t : triangles)
        for (std::size_t i = 0; i < 3; ++i)
            ++sides[{t[i], t[(i + 1) % 3]}];
    for (const auto& [side, count] : sides) {
        const bool is_outer = (side[0] + 1) % corners == side[1];
        EXPECT_EQ(count, 1);
        EXPECT_EQ(sides.contains({side[1], side[0]}), !is_outer) << side[0] << ' ' << side[1];
    }
}

// --- In the plane
// ---------------------------------------------------------------------------------

// Stars around the origin; on whole numbers, so that many corners are in line. None where rounding
// and wide gaps break the star.
Polygon random_star(Random& random, bool whole) {
    std::vector<double> angles(static_cast<std::size_t>(random.integer(3, 30)));
    for (double& angle : angles)
        angle = random.uniform(0.0, 6.28);
    std::sort(angles.begin(), angles.end());
    Polygon star;
    std::set<std::pair<double, double>> seen;
    for (const double angle : angles) {
        const double r = random.uniform(1.0, 20.0);
        Point2 p{r * std::cos(angle), r * std::sin(angle)};
        if (whole) p = {std::round(p.x), std::round(p.y)};
        if (seen.insert({p.x, p.y}).second) star.push_back(p);
    }
    for (std::size_t k = 0; k < star.size(); ++k)
        if (turn({0, 0}, star[k], star[(k + 1) % star.size()]) <= 0) return {};
    return star.size() < 3 ? Polygon{} : star;
}

TEST(Ears, TileSimplePolygonsOfRandomShape) {
    Random random(22);
    int stars = 0;
    for (int i = 0; i < 3000; ++i) {
        const Polygon polygon = random_star(random, i % 2 == 0);
        if (polygon.empty()) continue;
        ++stars;
        for (const EarOrder order : kOrders) {
            const Triangles triangles = cut(polygon, order);
            expect_is_triangulation(polygon.size(), triangles);
            double sum = 0.0;
            for (const Triangle& t : triangles) {
                EXPECT_GT(turn(polygon[t[0]], polygon[t[1]], polygon[t[2]]), 0);
                sum += doubled_area(polygon, t);
            }
            EXPECT_NEAR(sum, doubled_area(polygon), 1e-9);
        }
    }
    EXPECT_GT(stars, 1000);
}

// A dart whose reflex corner is within an ulp of the diagonal: of the two ways to cut it one is
// wrong, and signs in doubles choose it.
TEST(Ears, AreFoundNextToALineWhereRoundedSignsFail) {
    const Polygon dart = {{0x1.0000000000036p-1, 0x1.000000000002bp-1},
                          {12.0, 12.0},
                          {24.0, 24.0},
                          {0x1.0000000000033p-1, 0x1.0000000000022p+2}};
    for (const EarOrder order : kOrders) {
        for (std::size_t first = 0; first < 4; ++first) {
            Polygon polygon = dart;
            std::rotate(polygon.begin(), polygon.begin() + static_cast<std::ptrdiff_t>(first),
                        polygon.end());
            const Triangles triangles = cut(polygon, order);
            expect_is_triangulation(4, triangles);
            for (const Triangle& t : triangles)
                EXPECT_GT(turn(polygon[t[0]], polygon[t[1]], polygon[t[2]]), 0) << first;
        }
    }
}

// Outline and hole joined by a bridge that runs there and back, so that corners repeat.
void expect_tiled_from_every_corner(const Polygon& ring, double area) {
    for (const EarOrder order : kOrders) {
        for (std::size_t first = 0; first < ring.size(); ++first) {
            Polygon polygon(ring);
            std::rotate(polygon.begin(), polygon.begin() + static_cast<std::ptrdiff_t>(first),
                        polygon.end());
            const Triangles triangles = cut(polygon, order);
            expect_is_triangulation(polygon.size(), triangles);
            double sum = 0.0;
            for (const Triangle& t : triangles) {
                EXPECT_GE(doubled_area(polygon, t), 0.0) << first;
                sum += doubled_area(polygon, t);
            }
            EXPECT_EQ(sum, 2.0 * area) << first;
        }
    }
}

TEST(Ears, TilePolygonsWhoseHoleIsOnABridge) {
    expect_tiled_from_every_corner(
        {{0, 0}, {6, 0}, {6, 6}, {0, 6}, {0, 0}, {2, 2}, {2, 4}, {4, 4}, {4, 2}, {2, 2}}, 32.0);
    // Here every ear has a corner of the bridge.
    expect_tiled_from_every_corner(
        {{0, 0}, {12, 0}, {0, 12}, {0, 0}, {2, 2}, {2, 5}, {5, 2}, {2, 2}}, 67.5);
}

TEST(Ears, EndForPolygonsThatCrossThemselvesOrHaveNoArea) {
    Random random(23);
    for (int i = 0; i < 2000; ++i) {
        Polygon polygon(static_cast<std::size_t>(random.integer(3, 25)));
        const int size = i % 3 == 0 ? 0 : i % 3 == 1 ? 2 : 1000;
        for (Point2& p : polygon)
            p = {double(random.integer(-size, size)), double(random.integer(-size, size))};
        for (const EarOrder order : kOrders)
            expect_is_triangulation(polygon.size(), cut(polygon, order));
    }
}

TEST(Ears, AlternateSoThatARegularPolygonHasNoNarrowFan) {
    Polygon polygon;
    for (int i = 0; i < 64; ++i)
        polygon.push_back({std::cos(i * 0.09817), std::sin(i * 0.09817)});
    const auto most_at_a_corner = [&](EarOrder order) {
        std::vector<int> count(polygon.size(), 0);
        for (const Triangle& t : cut(polygon, order))
            for (const std::uint32_t corner : t)
                ++count[corner];
        return *std::max_element(count.begin(), count.end());
    };
    EXPECT_EQ(most_at_a_corner(EarOrder::Fan), 62);
    EXPECT_LE(most_at_a_corner(EarOrder::Alternating), 14);
}

// --- In space
// -------------------------------------------------------------------------------------

Expected<Triangles> triangulated(const std::vector<std::uint32_t>& counts,
                                 const std::vector<std::uint32_t>& corners, const Ring& positions) {
    const std::vector<std::size_t> ends = face_ends(counts);
    return triangulate({ends, corners}, positions);
}

Triangles cut(const Ring& ring) {
    std::vector<std::uint32_t> corners(ring.size());
    for (std::uint32_t i = 0; i < corners.size(); ++i)
        corners[i] = i;
    const auto triangles = triangulated({static_cast<std::uint32_t>(ring.size())}, corners, ring);
    EXPECT_TRUE(triangles);
    return triangles ? *triangles : Triangles{};
}

double doubled_area(const Ring& ring, const Triangle& f) {
    return cross(ring[f[1]] - ring[f[0]], ring[f[2]] - ring[f[0]]).z;
}

double doubled_area(const Ring& ring) {
    double area = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i)
        area += cross(ring[i], ring[(i + 1) % ring.size()]).z;
    return area;
}

TEST(Triangulate, ConvexPolygonsBecomeTheFanOfTheirFirstCorner) {
    Ring ring;
    for (int i = 0; i < 12; ++i)
        ring.push_back({std::cos(i * 0.5), std::sin(i * 0.5), 3.0});
    Triangles fan;
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
    const std::vector<Ring> rings = {
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
        const Triangles faces = cut(ring);
        expect_is_triangulation(ring.size(), faces);
        for (const Triangle& f : faces)
            EXPECT_GT(doubled_area(ring, f), 0.0) << f[0] << ' ' << f[1] << ' ' << f[2];
        for (const double scale : {0x1p+1000, 0x1p-1060}) {
            Ring scaled;
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
        Ring ring;
        for (std::size_t i = 0; i < corners; ++i) {
            const double radius = 0.2 + std::ldexp(static_cast<double>(rng() >> 11), -53);
            const double angle = 6.283 * static_cast<double>(i) / static_cast<double>(corners);
            ring.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.0});
        }
        std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(rng() % corners),
                    ring.end());
        if (round % 2 == 1) std::reverse(ring.begin(), ring.end());
        const double sign = round % 2 == 1 ? -1.0 : 1.0;
        const Triangles faces = cut(ring);
        expect_is_triangulation(corners, faces);
        double sum = 0.0;
        for (const Triangle& f : faces) {
            EXPECT_GT(sign * doubled_area(ring, f), 0.0);
            sum += doubled_area(ring, f);
        }
        EXPECT_NEAR(sum, doubled_area(ring), 1e-12);
    }
}

TEST(Triangulate, WhatHasNoAreaOrCrossesItselfStillGivesItsTriangles) {
    const Ring line = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}};
    expect_is_triangulation(4, cut(line));
    const Ring point(6, Vec3{1, 2, 3});
    expect_is_triangulation(6, cut(point));
    Ring pentagram;
    for (int i = 0; i < 5; ++i)
        pentagram.push_back({std::cos(i * 2.5133), std::sin(i * 2.5133), 0.0});
    expect_is_triangulation(5, cut(pentagram));
    const double huge = std::numeric_limits<double>::max();
    expect_is_triangulation(
        4, cut({{-huge, -huge, 0}, {huge, -huge, 0}, {huge, huge, 0}, {-huge, huge, 0}}));
}

// A comb: half of its corners hide others from the first.
Ring comb(std::size_t corners) {
    Ring ring = {{0, 0, 0}, {static_cast<double>(corners), 0, 0}};
    for (std::size_t i = corners - 2; i > 0; --i)
        ring.push_back({static_cast<double>(i), i % 2 == 0 ? 1.0 : 2.0, 0});
    return ring;
}

TEST(Triangulate, BoundsTheWorkForConcavePolygons) {
    const auto ring = comb(EarClipper::kMaxConcaveCorners);
    expect_is_triangulation(ring.size(), cut(ring));
    const auto longer = comb(EarClipper::kMaxConcaveCorners + 1);
    std::vector<std::uint32_t> corners = {0, 1, 2};
    for (std::uint32_t i = 0; i < longer.size(); ++i)
        corners.push_back(i);
    const auto faces =
        triangulated({3, static_cast<std::uint32_t>(longer.size())}, corners, longer);
    ASSERT_FALSE(faces);
    EXPECT_EQ(
        faces.error().message,
        "face 1: has 4097 corners and is not seen whole from its first; at most 4096 are then "
        "cut to triangles");
}

TEST(Triangulate, NamesAFaceOfTooFewCorners) {
    const Ring three = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const auto none = triangulated({3, 2}, {0, 1, 2, 0, 1}, three);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "face 1: has 2 corners, and a face needs three");
    EXPECT_EQ(*triangulated({3, 3}, {0, 1, 2, 2, 1, 0}, three), (Triangles{{0, 1, 2}, {2, 1, 0}}));
}

}  // namespace
}  // namespace graze::test
