// The parts of the raster search that work on one body: facing parts, the screen, its copies.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "graze/generate/models.hpp"
#include "rigid/raster/contact.hpp"
#include "rigid/raster/doppel.hpp"
#include "rigid/raster/draw.hpp"
#include "rigid/raster/facing.hpp"
#include "rigid/raster/project.hpp"

namespace graze::rigid::raster {
namespace {

Polyhedron built(std::vector<Vec3> positions,
                 const std::vector<std::vector<std::uint32_t>>& faces) {
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> corners;
    for (const auto& f : faces) {
        counts.push_back(static_cast<std::uint32_t>(f.size()));
        corners.insert(corners.end(), f.begin(), f.end());
    }
    auto shape = Polyhedron::build(std::move(positions), counts, corners);
    EXPECT_TRUE(shape.has_value());
    return std::move(*shape);
}

// [x0, x1] x [0, 1] x [-1, 1]: the square of Figure 4 in the plane across the axis y.
// Faces: 0 towards -x, 1 towards +x, 2 towards -z, 3 towards +z, 4 bottom, 5 top.
Polyhedron square_prism(double x0, double x1) {
    std::vector<Vec3> p;
    for (const double y : {0.0, 1.0}) {
        p.push_back({x0, y, -1.0});
        p.push_back({x1, y, -1.0});
        p.push_back({x1, y, 1.0});
        p.push_back({x0, y, 1.0});
    }
    return built(
        p, {{0, 3, 7, 4}, {1, 5, 6, 2}, {0, 4, 5, 1}, {2, 6, 7, 3}, {0, 1, 2, 3}, {4, 7, 6, 5}});
}

Flow turning(double theta, double g) {
    return {true, theta, g, {0.0, theta, 0.0}, {0.0, g, 0.0}};
}

Body body_of(const Polyhedron& shape, double sign) {
    Body body;
    body.shape = &shape;
    body.sign = sign;
    return body;
}

TEST(RasterFacing, SquareThatTurnsAboutTheOriginIsDividedAsInFigure4) {
    const Polyhedron square = square_prism(2.0, 4.0);
    Body body = body_of(square, 1.0);
    const Flow flow = turning(0.5, 0.0);
    find_facing(body, local_twist(body, flow));
    // At (x, 0, z) the velocity is 0.5 (z, 0, -x): towards -z on the x axis.
    EXPECT_EQ(body.faces[2], Facing::All);
    EXPECT_EQ(body.faces[3], Facing::None);
    EXPECT_EQ(body.faces[0], Facing::Part);
    EXPECT_EQ(body.faces[1], Facing::Part);
    // Sides of the square through which the axis' perpendicular runs face in one half each.
    for (const std::uint32_t f : {0U, 1U}) {
        for (const std::uint32_t e : square.face_edges(f)) {
            const PolyhedronEdge& edge = square.edges()[e];
            const Vec3& from = square.positions()[edge.from];
            const Vec3& to = square.positions()[edge.to];
            if (from.z == to.z) continue;
            const Part& part = edge.left == f ? body.edges[e].left : body.edges[e].right;
            ASSERT_FALSE(part.empty());
            EXPECT_NEAR(part.upper - part.lower, 0.5, 1e-6);
            const double z = from.z + 0.5 * (part.lower + part.upper) * (to.z - from.z);
            // n . v = +-0.5 z: towards +x it faces where z > 0, towards -x where z < 0.
            EXPECT_NEAR(z, f == 1 ? 0.5 : -0.5, 1e-6);
        }
    }
}

TEST(RasterFacing, FacesAlongTheMotionBelongToBothSets) {
    const Polyhedron square = square_prism(2.0, 4.0);
    for (const double sign : {1.0, -1.0}) {
        Body body = body_of(square, sign);
        find_facing(body, local_twist(body, turning(0.5, 0.0)));
        EXPECT_EQ(body.faces[4], Facing::All);
        EXPECT_EQ(body.faces[5], Facing::All);
    }
}

TEST(RasterFacing, ForwardAndBackwardPartsCoverEveryEdge) {
    const Polyhedron square = square_prism(2.0, 4.0);
    const Flow flow = turning(0.5, 0.7);
    Body forward = body_of(square, 1.0);
    Body backward = body_of(square, -1.0);
    find_facing(forward, local_twist(forward, flow));
    find_facing(backward, local_twist(backward, flow));
    for (std::size_t e = 0; e < square.edges().size(); ++e) {
        for (const bool left : {true, false}) {
            const Part& f = left ? forward.edges[e].left : forward.edges[e].right;
            const Part& b = left ? backward.edges[e].left : backward.edges[e].right;
            const float covered =
                (f.empty() ? 0.0F : f.upper - f.lower) + (b.empty() ? 0.0F : b.upper - b.lower);
            EXPECT_NEAR(covered, 1.0F, 1e-5F);
        }
    }
}

TEST(RasterFacing, FoldIsWhereTheFaceStopsFacing) {
    const Polyhedron square = square_prism(2.0, 4.0);
    Body body = body_of(square, 1.0);
    const LocalTwist twist = local_twist(body, turning(0.5, 0.0));
    const auto line = fold(square, 1, facing_function(twist, square.normal(1)));
    ASSERT_TRUE(line.has_value());
    for (const Vec3& x : {line->from, line->to}) {
        EXPECT_NEAR(x.x, 4.0, 1e-12);
        EXPECT_NEAR(x.z, 0.0, 1e-12);
    }
    EXPECT_NEAR(std::fabs(line->to.y - line->from.y), 1.0, 1e-12);
}

TEST(RasterScreen, FlowKeepsHeightAndAddsItsTime) {
    std::mt19937_64 rng(1);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int i = 0; i < 2000; ++i) {
        const Flow flow = turning(0.5 + 0.5 * unit(rng), unit(rng));
        const double r = 0.1 + std::fabs(unit(rng));
        const double phi = 2.0 * unit(rng);
        const Vec3 x = {r * std::sin(phi), unit(rng), r * std::cos(phi)};
        const double time = std::fabs(unit(rng));
        const ScreenPoint before = project(flow, x, phi);
        const ScreenPoint after =
            project(flow, flow.moved(x, flow.turn(time)), phi + flow.theta * time);
        EXPECT_NEAR(after.r, before.r, 1e-12);
        EXPECT_NEAR(after.h, before.h, 1e-11);
        EXPECT_NEAR(after.t - before.t, time, 1e-10);
    }
}

TEST(RasterScreen, PointOnTheAxisOfAPureTurnRests) {
    const ScreenPoint p = project(turning(0.5, 0.0), {0.0, 3.0, 0.0});
    EXPECT_EQ(p.r, 0.0);
    EXPECT_EQ(p.h, 3.0);
}

TEST(RasterScreen, FastTurnIsThatOfTheLibrary) {
    for (double x = -8.0; x <= 8.0; x += 0.001) {
        const Turn t = fast_turn(x, 0.0);
        ASSERT_NEAR(t.cosine, std::cos(x), 4e-15);
        ASSERT_NEAR(t.sine, std::sin(x), 4e-15);
    }
}

// The bounds of docs/derivations/rigid_raster.md, by differences.
TEST(RasterScreen, FastAngleIsThatOfTheLibrary) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    for (int i = 0; i < 100'000; ++i) {
        // Also next to both axes.
        const double x = any(random) * std::pow(10.0, 8.0 * any(random));
        const double z = any(random);
        const double truth = std::atan2(x, z);
        EXPECT_NEAR(fast_angle(x, z), truth, 1e-13 * std::fabs(truth)) << x << ' ' << z;
    }
    for (const double x : {-1.0, 0.0, 1.0})
        for (const double z : {-1.0, 0.0, 1.0})
            EXPECT_NEAR(fast_angle(x, z), std::atan2(x, z), 1e-13);
}

TEST(RasterScreen, SlopesAndBendsStayWithinTheirBounds) {
    std::mt19937_64 rng(2);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    double worst_slope = 0.0;
    double worst_bend = 0.0;
    double worst_time = 0.0;
    for (int i = 0; i < 20000; ++i) {
        const Flow flow = turning(std::exp(2.0 * unit(rng) - 1.0), 3.0 * unit(rng) * unit(rng));
        const double phi = 2.5 * unit(rng);
        const double r = std::exp(2.0 * unit(rng));
        const Vec3 x = {r * std::sin(phi), unit(rng), r * std::cos(phi)};
        Vec3 d = {unit(rng), unit(rng), unit(rng)};
        const double step = 1e-4 * r;
        d = (step / norm(d)) * d;
        const ScreenPoint a = project(flow, x - d, phi);
        const ScreenPoint m = project(flow, x, phi);
        const ScreenPoint b = project(flow, x + d, phi);
        const double q = 1.001 * std::fabs(x.y * flow.theta - phi * flow.g) +
                         3.0 * step * (flow.theta + std::fabs(flow.g) / r);
        const Bending bound = bending(flow, r - step, q);
        worst_slope = std::max(worst_slope, std::fabs(b.h - a.h) / (2.0 * step) / bound.slope_h);
        worst_slope = std::max(worst_slope, std::fabs(b.t - a.t) / (2.0 * step) / bound.slope_t);
        const double rounding = 1e-14 * (std::fabs(m.h) + r) / (step * step);
        const double bend_r = std::fabs(a.r + b.r - 2.0 * m.r) / (step * step);
        const double bend_h = std::fabs(a.h + b.h - 2.0 * m.h) / (step * step);
        worst_bend = std::max(worst_bend, std::hypot(bend_r, bend_h) / (bound.bend + rounding));
        const double rounding_t = 1e-14 * std::fabs(m.t) / (step * step);
        const double bend_t = std::fabs(a.t + b.t - 2.0 * m.t) / (step * step);
        worst_time = std::max(worst_time, bend_t / (bound.bend_t + rounding_t));
    }
    EXPECT_LE(worst_slope, 1.001);
    EXPECT_GE(worst_slope, 0.5);
    EXPECT_LE(worst_bend, 1.001);
    EXPECT_GE(worst_bend, 0.1);
    EXPECT_LE(worst_time, 1.001);
    EXPECT_GE(worst_time, 0.1);
}

// Distance from a plane and its rate, for vertices of either body, a little beyond the step as
// well.
TEST(RasterContact, DistanceAndRateStayWithinWhatTheirEndsSay) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    double closest = 0.0;
    for (int i = 0; i < 2000; ++i) {
        Flow flow;
        flow.turns = true;
        flow.theta = kPi * std::fabs(any(random));
        flow.g = 2.0 * any(random);
        Body a;
        Body b;
        a.position = b.position = {{3.0 * any(random), any(random), 3.0 * any(random)}};
        a.point = b.point = {project(flow, a.position[0])};
        const Settings settings;
        const Pair pair{flow, settings, a, b, flow.turn(1.0), flow.turn(-1.0)};
        const Vec3 n = {any(random), any(random), any(random)};
        const FacePlane plane{(1.0 / norm(n)) * n, {any(random), any(random), any(random)}};
        const bool of_a = i % 2 == 0;
        const PlaneEnds ends = plane_ends(pair, {0, 0, of_a}, plane);
        const double way = of_a ? -1.0 : 1.0;
        for (int k = -4; k <= 68; ++k) {
            const double t = k / 64.0;
            const Vec3 x = flow.moved(a.position[0], flow.turn(way * t));
            const double f = dot(plane.normal, x - plane.corner);
            const double rate = way * dot(plane.normal, flow.velocity(x));
            const double doubt = ends.rate_doubt + 1e-12;
            EXPECT_LE(rate, std::max(ends.rate_start, ends.rate_end) + doubt);
            EXPECT_GE(rate, std::min(ends.rate_start, ends.rate_end) - doubt);
            if (k < 0 || k > 64) continue;
            const double line = ends.start + t * (ends.end - ends.start);
            EXPECT_LE(std::fabs(f - line), ends.bend + 1e-12);
            closest = std::max(closest, std::fabs(f - line) / (ends.bend + 1e-12));
        }
    }
    EXPECT_GT(closest, 0.9);  // the bound is no idle one
}

TEST(RasterDraw, ChordsStayWithinTheirFlatness) {
    std::mt19937_64 rng(3);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    Settings settings;
    settings.pixel = 0.05;
    settings.flatness = 0.25 * settings.pixel;
    settings.time_resolution = 0.05;
    settings.reach = 0.6 * settings.pixel;
    settings.near_axis = 2.0 * settings.reach;
    for (int i = 0; i < 300; ++i) {
        const Flow flow = turning(0.6 + 0.5 * unit(rng), unit(rng));
        const Vec3 from = {unit(rng), unit(rng), 1.2 + unit(rng)};
        const Vec3 to = {unit(rng), unit(rng), 1.2 + unit(rng)};
        std::vector<Chord> chords;
        const Brush brush{flow, settings, 8.0, 0.0, kFar, kFar, chords};
        const ScreenPoint first = project(flow, from);
        draw(brush, {from, to, norm(to - from), 0}, first, 0.0F, project(flow, to, first.phi),
             1.0F);
        float at = 0.0F;
        for (const Chord& c : chords) {
            EXPECT_EQ(c.u_from, at);
            at = c.u_to;
            if (c.near_axis) continue;
            for (const double x : {0.25, 0.5, 0.75}) {
                const double u = c.u_from + x * (c.u_to - c.u_from);
                const ScreenPoint p = project(flow, from + u * (to - from), c.from.phi);
                const double r = c.from.r + x * (c.to.r - c.from.r);
                const double h = c.from.h + x * (c.to.h - c.from.h);
                EXPECT_LE(std::hypot(p.r - r, p.h - h), 1.05 * settings.flatness);
            }
        }
        EXPECT_EQ(at, 1.0F);
    }
}

TEST(RasterDoppel, FaceThatTheAxisPiercesWindsAroundIt) {
    // A quad across the axis, and one beside it that crosses phi = pi.
    const Polyhedron shape =
        built({{1, 0, 1}, {1, 0, -1}, {-1, 0, -1}, {-1, 0, 1}, {1, 0, -2}, {-1, 0, -2}},
              {{0, 1, 2, 3}, {1, 4, 5, 2}});
    Body body = body_of(shape, 1.0);
    const Flow flow = turning(0.5, 0.3);
    Settings settings;
    settings.pixel = 0.1;
    settings.flatness = 0.025;
    settings.time_resolution = 0.1;
    settings.near_axis = 0.1;
    find_facing(body, local_twist(body, flow));
    ASSERT_EQ(body.faces[0], Facing::All);
    project_vertices(body, flow, settings, 8.0);
    body.bend = kFar;
    body.bend_t = kFar;
    body.wanted_edge.assign(shape.edges().size(), 1);
    StopPoll never;
    ASSERT_TRUE(draw_edges(body, flow, settings, 8.0, 1e9, never));
    std::vector<Chord> outline;
    EXPECT_EQ(std::abs(append_outline(outline, body, flow, 0, 0)), 1);
    outline.clear();
    EXPECT_EQ(append_outline(outline, body, flow, 1, 0), 0);
    // Without a jump: chord after chord of the face goes on where the one before it ended.
    for (const Chord& c : outline)
        EXPECT_LT(std::fabs(c.to.phi - c.from.phi), 1.6);
    const std::vector<Chord> cuts = axis_edges(body, flow, settings, 8.0, {0, {-kPi, kPi}, 1.5});
    ASSERT_FALSE(cuts.empty());
    EXPECT_EQ(cuts.front().from.r, 0.0);
    EXPECT_NEAR(cuts.back().to.r, 1.5, 1e-12);
}

}  // namespace
}  // namespace graze::rigid::raster
