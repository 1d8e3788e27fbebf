// Things that meet have boxes that overlap, whatever their size, place and units.
// Defends G-MESH-1 (docs/GUARANTEES.md).
#include "graze/broad/box.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "graze/core/rounding.hpp"

namespace graze {
namespace {

struct Way {
    Vec3 start;
    Vec3 end;
};

Box box_around(const std::vector<Way>& ways) {
    Box box;
    for (const Way& way : ways) {
        box.add(way.start);
        box.add(way.end);
    }
    return box;
}

GridBox element_box(const Grid& grid, const std::vector<Way>& element, double t_end,
                    double radius) {
    GridBox box;
    for (const Way& way : element)
        box.add(grid.around(way.start, way.end, t_end, radius));
    return box;
}

// Numbers that are exact in every sum below: small integers times a power of two, with an offset.
class ExactNumbers {
public:
    ExactNumbers(std::uint64_t seed, int exponent, double offset)
        : random_(seed), scale_(std::ldexp(1.0, exponent)), offset_(offset) {}
    double next() { return (offset_ + small_(random_)) * scale_; }
    Vec3 point() { return {next(), next(), next()}; }

private:
    std::mt19937_64 random_;
    std::uniform_int_distribution<int> small_{-1000, 1000};
    double scale_;
    double offset_;
};

// Two segments: the middle of the first and the middle of the second are at the same place at
// t = 1/2. All of it is exact.
struct Meeting {
    std::vector<Way> first;
    std::vector<Way> second;
};
Meeting meeting(ExactNumbers& numbers) {
    Meeting m;
    for (int i = 0; i < 2; ++i) {
        m.first.push_back({numbers.point(), numbers.point()});
        m.second.push_back({numbers.point(), numbers.point()});
    }
    const auto sum = [](const std::vector<Way>& e) {
        return e[0].start + e[0].end + e[1].start + e[1].end;
    };
    const Vec3 miss = sum(m.first) - sum(m.second);
    m.second[1].end = m.second[1].end + miss;
    return m;
}

TEST(GridBoxes, OverlapWhereElementsMeet) {
    for (const int exponent : {0, -30, 40, -1060, 1000}) {
        for (const double offset : {0.0, 1e6, -3e9}) {
            ExactNumbers numbers(7, exponent, exponent > 900 && offset != 0.0 ? 0.0 : offset);
            for (int i = 0; i < 300; ++i) {
                const Meeting m = meeting(numbers);
                Box scene = box_around(m.first);
                scene.add(box_around(m.second).lower);
                scene.add(box_around(m.second).upper);
                const Grid grid(scene);
                for (const double t_end : {0.5, 0.75, 1.0}) {
                    ASSERT_TRUE(overlap(element_box(grid, m.first, t_end, 0.0),
                                        element_box(grid, m.second, t_end, 0.0)))
                        << exponent << ' ' << offset << " #" << i << " until " << t_end;
                }
            }
        }
    }
}

// A point that stops one unit in the last place before another's place, or on it, seen through a
// window that ends there.
TEST(GridBoxes, OverlapAtTheLastMomentOfAWindow) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int i = 0; i < 3000; ++i) {
        const double size = std::ldexp(1.0, static_cast<int>(random() % 200) - 100);
        const Vec3 start{size * unit(random), size * unit(random), size * unit(random)};
        const Vec3 end{size * unit(random), size * unit(random), size * unit(random)};
        const double t = 0.5 + 0.5 * unit(random);
        // Exact positions at t are nowhere a double: what is known is within a few roundings.
        const auto at = [&](double a, double b) {
            return static_cast<double>(static_cast<long double>(a) * (1.0L - t) +
                                       static_cast<long double>(b) * t);
        };
        const Vec3 there{at(start.x, end.x), at(start.y, end.y), at(start.z, end.z)};
        const Vec3 beyond = there + (there - start);
        Box scene = box_around({{start, end}, {there, beyond}});
        const Grid grid(scene);
        ASSERT_TRUE(overlap(grid.around(start, end, t, 0.0), grid.around(there, beyond, 1.0, 0.0)))
            << i;
    }
}

TEST(GridBoxes, OverlapWithinTheSumOfTheirRadii) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int i = 0; i < 3000; ++i) {
        const Vec3 a{unit(random), unit(random), unit(random)};
        // As far apart on all three axes, so that these and the diagonals are at their limit.
        const double step = std::ldexp(std::fabs(unit(random)), -static_cast<int>(random() % 60));
        const auto side = [&] { return random() % 2 == 0 ? step : -step; };
        const Vec3 b = a + Vec3{side(), side(), side()};
        const double distance = norm_max(b - a);
        const double r = distance * std::fabs(unit(random));
        const double s = next_up(distance - r);  // r + s >= distance
        Box scene = box_around({{a, a}, {b, b}});
        const Grid grid(scene);
        ASSERT_TRUE(overlap(grid.around(a, a, 1.0, r), grid.around(b, b, 1.0, s))) << i;
    }
}

TEST(GridBoxes, DoNotOverlapWhereADiagonalParts) {
    const Grid grid(Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}});
    const std::vector<Way> below = {{{0.0, 0.4, 0.0}, {0.0, 0.4, 0.0}},
                                    {{0.4, 0.0, 0.0}, {0.4, 0.0, 0.0}}};
    const std::vector<Way> above = {{{0.0, 0.5, 0.0}, {0.0, 0.5, 0.0}},
                                    {{0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}}};
    EXPECT_FALSE(overlap(element_box(grid, below, 1.0, 0.0), element_box(grid, above, 1.0, 0.0)));
}

// The nine axes one by one, as the derivation has them (MESH-1), in the place of several at a time.
GridBox plain_box(const Box& scene, const Way& way, double t_end, double radius) {
    const auto down = [](double x) { return x - 0x1p-51 * std::fabs(x); };
    const auto up = [](double x) { return x + 0x1p-51 * std::fabs(x); };
    struct Range {
        double lower;
        double upper;
    };
    const auto position = [&](std::size_t axis, bool is_last) -> Range {
        const double x = way.start[axis];
        const double y = way.end[axis];
        if (!is_last || t_end == 0.0) return {x, x};
        if (t_end == 1.0) return {y, y};
        const double at = x * (1.0 - t_end) + y * t_end;
        const double by = 0x1p-50 * (std::fabs(x) + std::fabs(y)) + 0x1p-1070;
        return {down(at - by), up(at + by)};
    };
    const auto along = [&](std::size_t axis, const auto& coordinate) -> Range {
        if (axis < 3) return coordinate(axis);
        const Range a = coordinate(axis < 7 ? 0 : 1);
        const Range b = coordinate(axis < 5 ? 1 : 2);
        const bool is_sum = axis % 2 == 1;
        return {down(is_sum ? a.lower + b.lower : a.lower - b.upper),
                up(is_sum ? a.upper + b.upper : a.upper - b.lower)};
    };
    GridBox box;
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
        const Range whole = along(axis, [&](std::size_t k) {
            return Range{scene.lower[k], scene.upper[k]};
        });
        const double range = whole.upper - whole.lower;
        FloatMap<1> map;
        map.middle[0] = whole.lower + 0.5 * range;
        map.scale[0] = range > 0.0 ? std::ldexp(1.0, -std::ilogb(range)) : 1.0;
        for (const bool is_last : {false, true}) {
            Range at = along(axis, [&](std::size_t k) { return position(k, is_last); });
            const double by = axis < 3 ? radius : 2.0 * radius;
            if (radius > 0.0) at = {down(at.lower - by), up(at.upper + by)};
            box.lower[axis] = std::min(box.lower[axis], map.map(at.lower, 0));
            box.upper[axis] = std::max(box.upper[axis], map.map(at.upper, 0));
        }
    }
    return box;
}

TEST(GridBoxes, HaveTheBitsOfTheirAxesOneByOne) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    const auto point = [&] { return Vec3{normal(random), normal(random), normal(random)}; };
    for (const double offset : {0.0, 1e3, -1e9}) {
        std::vector<Way> ways;
        for (int i = 0; i < 300; ++i) {
            const Vec3 shift = {offset, -offset, 0.5 * offset};
            ways.push_back(
                {shift + point(), i % 7 == 0 ? Vec3{0.0, -0.0, offset} : shift + point()});
        }
        const Box scene = box_around(ways);
        const Grid grid(scene);
        for (const double t_end : {0.0, 0x1p-4, 0.7, 1.0})
            for (const double radius : {0.0, 0x1p-1074, 1e-3, 5.0})
                for (const Way& way : ways)
                    ASSERT_EQ(grid.around(way.start, way.end, t_end, radius),
                              plain_box(scene, way, t_end, radius));
    }
}

TEST(GridBoxes, AreTheSameInOtherUnits) {
    const std::vector<Way> ways = {{{0.1, 0.2, 0.3}, {0.4, 0.1, 0.9}},
                                   {{0.7, 0.2, 0.5}, {0.3, 0.8, 0.6}}};
    const Grid grid(box_around(ways));
    std::vector<Way> scaled = ways;
    for (Way& way : scaled)
        way = {0x1p-300 * way.start, 0x1p-300 * way.end};
    const Grid other(box_around(scaled));
    for (std::size_t i = 0; i < ways.size(); ++i) {
        EXPECT_EQ(grid.around(ways[i].start, ways[i].end, 0.25, 0.5),
                  other.around(scaled[i].start, scaled[i].end, 0.25, 0x1p-301));
    }
}

}  // namespace
}  // namespace graze
