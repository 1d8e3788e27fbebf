// What the search of a scene is built of: ranges that boxes sweep hold every point at every time, trees of
// boxes find what a list finds, and winding numbers tell inside from outside for any components.
// Defends G-ROBOT-2 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "robot/body.hpp"
#include "robot/box_index.hpp"
#include "robot/leaf_pair.hpp"
#include "robot/lengths.hpp"
#include "robot/swept_box.hpp"
#include "robot/winding.hpp"

namespace graze::robot::test {
namespace {

using detail::AxisBox;
using detail::BoxIndex;
using detail::TreeNode;
using Generator = std::mt19937_64;

double between(Generator& rng, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(rng);
}
Vec3 random_point(Generator& rng, double size) {
    return {between(rng, -size, size), between(rng, -size, size), between(rng, -size, size)};
}

// --- Swept boxes ---------------------------------------------------------------------------------

rigid::Matrix3 random_rotation(Generator& rng) {
    const Quaternion q = normalised({between(rng, -1.0, 1.0), between(rng, -1.0, 1.0),
                                     between(rng, -1.0, 1.0), between(rng, -1.0, 1.0)});
    const auto column = [&](const Vec3& axis) { return apply(Pose{q, {}}, axis); };
    const Vec3 x = column({1.0, 0.0, 0.0});
    const Vec3 y = column({0.0, 1.0, 0.0});
    const Vec3 z = column({0.0, 0.0, 1.0});
    return {Vec3{x.x, y.x, z.x}, Vec3{x.y, y.y, z.y}, Vec3{x.z, y.z, z.z}};
}
detail::PoseEnclosure random_pose(Generator& rng) {
    detail::PoseEnclosure pose;
    pose.linear = random_rotation(rng);
    pose.translation = random_point(rng, 1.0);
    pose.linear_error = pose.translation_error = 0.0;
    return pose;
}
Geometry unit_cube() {
    return {*rigid::ConvexShape::box({0.2, 0.3, 0.1}, {}), {}};
}
struct SweptCase {
    detail::PairSlab slab;
    TreeNode node;
    bool is_rotated = false;  // from the one end to the other
};
// The second pose is near the first, the deviation anything from nothing to more than the displacement.
SweptCase random_sweep(Generator& rng, const detail::Body& body) {
    const auto first = random_pose(rng);
    const bool is_rotated = rng() % 4 == 0;
    auto last = is_rotated ? random_pose(rng) : first;
    last.translation = first.translation + random_point(rng, between(rng, 0.0, 0.3));
    const double bulge = rng() % 5 == 0 ? 0.0 : between(rng, 0.0, 0.5);
    SweptCase result{detail::make_pair_slab(1.0, body, first, 0.0, last, 1.0, {bulge, 0.0}, 0.0),
                     {}};
    result.node = body.node(0);
    result.is_rotated = is_rotated;
    return result;
}
// A corner of the box at the fraction s of the slab, off its chord as far as it may be.
Vec3 on_sweep(const SweptCase& c, std::size_t corner, double s, const Vec3& towards) {
    Vec3 p = c.node.centre;
    for (std::size_t k = 0; k < 3; ++k)
        p[k] += ((corner >> k) & 1U) != 0 ? c.node.half[k] : -c.node.half[k];
    const Vec3 chord =
        (1.0 - s) * c.slab.boxes.first.transform(p) + s * c.slab.boxes.last.transform(p);
    return chord + (c.slab.deviation.translation * s * (1.0 - s)) * towards;
}

TEST(RobotSweptBox, CoversEveryPointAtEveryTimeAndLittleMore) {
    Generator rng(1);
    const Geometry cube = unit_cube();
    const detail::Body body(cube);
    for (int i = 0; i < 2000; ++i) {
        const SweptCase c = random_sweep(rng, body);
        const Vec3 n = rigid::detail::unit(random_point(rng, 1.0));
        const auto range = detail::swept_range(c.slab.boxes, c.node, n);
        double low = 1e300;
        double high = -1e300;
        for (std::size_t corner = 0; corner < 8; ++corner) {
            for (int k = 0; k <= 64; ++k) {
                const double s = k / 64.0;
                low = std::min(low, dot(on_sweep(c, corner, s, -n), n));
                high = std::max(high, dot(on_sweep(c, corner, s, n), n));
            }
        }
        ASSERT_LE(range.low, low);
        ASSERT_GE(range.high, high);
        // Corners that are the lowest at either end are not the same where it rotates.
        if (c.is_rotated) continue;
        ASSERT_GE(range.low, low - 1e-3);  // by how far samples miss the extremes
        ASSERT_LE(range.high, high + 1e-3);
    }
}

TEST(RobotSweptBox, SeparatesNoBoxThatItReaches) {
    Generator rng(2);
    const Geometry cube = unit_cube();
    const detail::Body body(cube);
    int separated = 0;
    for (int i = 0; i < 20'000; ++i) {
        const SweptCase c = random_sweep(rng, body);
        const auto swept = detail::swept_box(c.slab.boxes, c.node);
        const Vec3 off = rigid::detail::unit(random_point(rng, 1.0));
        const Vec3 touched = on_sweep(c, rng() % 8, between(rng, 0.0, 1.0), off);
        TreeNode a;
        a.half = {between(rng, 0.0, 0.2), between(rng, 0.0, 0.2), between(rng, 0.0, 0.2)};
        // The point is on a side of A, where it counts most.
        a.centre = touched;
        const std::size_t k = rng() % 3;
        a.centre[k] += (rng() % 2 == 0 ? 1.0 : -1.0) * a.half[k];
        ASSERT_FALSE(detail::are_separated(c.slab.boxes, a, swept)) << i;
        ASSERT_FALSE(detail::are_separated(c.slab.boxes,
                                           AxisBox{a.centre - a.half, a.centre + a.half}, swept))
            << i;
        a.centre = random_point(rng, 2.0);
        const bool is_separated = detail::are_separated(c.slab.boxes, a, swept);
        separated += is_separated ? 1 : 0;
        EXPECT_EQ(is_separated,
                  detail::are_separated(c.slab.boxes, AxisBox{a.centre - a.half, a.centre + a.half},
                                        swept));
    }
    EXPECT_GT(separated, 5000);
}

TEST(RobotSweptBox, SeparatesNothingByWhatIsNoNumber) {
    const Geometry cube = unit_cube();
    const detail::Body body(cube);
    TreeNode far;
    far.centre = {1e6, 0.0, 0.0};
    const double infinite = std::numeric_limits<double>::infinity();
    detail::PoseEnclosure at;
    at.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
    at.linear_error = at.translation_error = 0.0;
    const auto separates = [&](const detail::PoseEnclosure& pose, double bulge) {
        const auto slab = detail::make_pair_slab(1.0, body, at, 0.0, pose, 1.0, {bulge, 0.0}, 0.0);
        return detail::are_separated(slab.boxes, far, detail::swept_box(slab.boxes, body.node(0)));
    };
    EXPECT_TRUE(separates(at, 1.0));
    EXPECT_FALSE(separates(at, infinite));
    EXPECT_FALSE(separates(at, std::numeric_limits<double>::quiet_NaN()));
    EXPECT_FALSE(separates(detail::PoseEnclosure{}, 1.0));
    detail::PoseEnclosure lost = at;
    lost.translation.x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(separates(lost, 1.0));
}

TEST(RobotLengths, BoundDistancesAtAnyScale) {
    Generator rng(3);
    for (const double scale : {0x1p-1060, 0x1p-600, 0x1p-440, 1.0, 0x1p+490, 0x1p+600, 0x1p+1020}) {
        for (int i = 0; i < 200; ++i) {
            const Vec3 a = scale * random_point(rng, 1.0);
            const Vec3 b = scale * random_point(rng, 1.0);
            EXPECT_LE(detail::quick_distance_lower(a, b), distance_upper(a, b));
            EXPECT_GE(detail::quick_distance_upper(a, b), distance_lower(a, b));
            EXPECT_LE(detail::quick_distance_lower(a, b), detail::quick_distance_upper(a, b));
        }
    }
}

// --- Trees of boxes ------------------------------------------------------------------------------

TEST(RobotBoxIndex, FindsWhatAListFinds) {
    Generator rng(4);
    for (std::size_t count = 0; count < 70; ++count) {
        std::vector<AxisBox> boxes;
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3 low = random_point(rng, 1.0);
            boxes.push_back({low, low + Vec3{between(rng, 0.0, 0.3), 0.0, between(rng, 0.0, 0.3)}});
            if (i % 7 == 3) boxes.back() = boxes[i / 2];
        }
        const BoxIndex index(boxes);
        for (int k = 0; k < 20; ++k) {
            const Vec3 low = random_point(rng, 1.0);
            AxisBox query = {low, low + Vec3{0.4, 0.4, 0.4}};
            if (count > 0 && k % 3 == 0) query = {boxes[0].high, boxes[0].high};
            std::vector<std::size_t> found;
            index.visit_overlapping(query, [&](std::uint32_t i) { found.push_back(i); });
            std::sort(found.begin(), found.end());
            std::vector<std::size_t> expected;
            for (std::size_t i = 0; i < count; ++i)
                if (may_overlap(boxes[i], query)) expected.push_back(i);
            EXPECT_EQ(found, expected);
        }
    }
}

// --- Inside and outside --------------------------------------------------------------------------

struct Octahedron {
    Vec3 centre;
    double size = 1.0;
};
// How much |x| + |y| + |z| exceeds the size.
double outside_by(const Octahedron& o, const Vec3& p) {
    return norm_one(p - o.centre) - o.size;
}
std::shared_ptr<const rigid::RigidBody> surface_of(const std::vector<Octahedron>& all) {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const Octahedron& o : all) {
        const auto first = static_cast<std::uint32_t>(vertices.size());
        for (std::size_t k = 0; k < 3; ++k) {
            for (const double sign : {1.0, -1.0}) {
                Vec3 v = o.centre;
                v[k] += sign * o.size;
                vertices.push_back(v);
            }
        }
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::uint32_t x = first + (i & 1U);
            const std::uint32_t y = first + 2 + ((i >> 1U) & 1U);
            const std::uint32_t z = first + 4 + ((i >> 2U) & 1U);
            const bool is_even = ((i & 1U) + ((i >> 1U) & 1U) + ((i >> 2U) & 1U)) % 2 == 0;
            triangles.push_back(is_even ? std::array{x, y, z} : std::array{x, z, y});
        }
    }
    return std::make_shared<const rigid::RigidBody>(*rigid::RigidBody::create(vertices, triangles));
}

TEST(RobotWinding, TellsInsideFromOutsideForAnyNumberOfComponents) {
    Generator rng(5);
    int inside = 0;
    for (int i = 0; i < 200; ++i) {
        std::vector<Octahedron> all(1 + rng() % 6);
        for (Octahedron& o : all)
            o = {random_point(rng, 1.0), between(rng, 0.1, 1.0)};
        const Geometry geometry{surface_of(all), {}};
        const detail::Body body(geometry);
        ASSERT_TRUE(body.is_closed);
        ASSERT_EQ(body.components.size(), all.size());
        for (int k = 0; k < 50; ++k) {
            // The second half on symmetric points, whose rays meet edges where they are along an axis.
            Vec3 p = random_point(rng, 1.5);
            if (k >= 25) p = all[0].centre + (1.0 / 8.0) * Vec3{double(k % 3), double(k % 5), 0.0};
            const auto in = [&](const Octahedron& o) { return outside_by(o, p) < 0.0; };
            const auto is_clear = [&](const Octahedron& o) {
                return std::fabs(outside_by(o, p)) > 1e-9;
            };
            if (!std::all_of(all.begin(), all.end(), is_clear)) continue;
            const auto winds = winds_around(body, p - body.centre);
            ASSERT_TRUE(winds.has_value());
            EXPECT_EQ(*winds, std::any_of(all.begin(), all.end(), in));
            inside += *winds ? 1 : 0;
        }
    }
    EXPECT_GT(inside, 1000);
}

}  // namespace
}  // namespace graze::robot::test
