// The published movers do what they were published to do, with their faults.
#include <gtest/gtest.h>

#include <cmath>

#include "slide/fauerby.hpp"
#include "slide/linahan.hpp"
#include "slide/mover_support.hpp"

namespace graze::slide {
namespace {

// A world of planes, each solid below: collisions by one division.
struct Plane {
    Vec3 normal;
    double offset = 0.0;
};
struct PlaneHit {
    bool hit = false;
    double time = 1.0;
    Vec3 point;
    Vec3 normal;
};
auto world(std::vector<Plane> planes, double radius) {
    return [planes = std::move(planes), radius](const Vec3& from, const Vec3& to) {
        PlaneHit first;
        for (const Plane& p : planes) {
            const double start = dot(p.normal, from) - p.offset - radius;
            const double speed = dot(p.normal, to - from);
            const double time = std::max(start / -speed, 0.0);
            if (!(speed < 0.0) || !(time <= first.time)) continue;
            const Vec3 centre = from + time * (to - from);
            first = {true, time, centre - radius * p.normal, p.normal};
        }
        return first;
    };
}

constexpr Ball<double> kBall{1.0, 0.01};

TEST(Linahan, GoesStraightWhereNothingIs) {
    const auto moved = linahan_response<double>(world({}, 1.0), kBall, {1, 2, 3}, {0.5, 0, -1});
    EXPECT_EQ(moved.position, (Vec<double>{1.5, 2, 2}));
    EXPECT_EQ(moved.iterations, 1);
    EXPECT_EQ(moved.stopped, StopReason::Free);
}

TEST(Linahan, SlidesAlongOnePlaneAtItsLongRadius) {
    const auto moved =
        linahan_response<double>(world({{{0, 1, 0}, 0.0}}, 1.0), kBall, {0, 2, 0}, {1, -2, 0});
    EXPECT_NEAR(moved.position.x, 1.0, 1e-12);
    EXPECT_NEAR(moved.position.y, 1.01, 1e-12);
    EXPECT_EQ(moved.iterations, 2);
}

TEST(Linahan, FollowsACreaseAndStopsInACorner) {
    const std::vector<Plane> crease{{{0, 1, 0}, 0.0}, {{1, 0, 0}, 0.0}};
    const auto along =
        linahan_response<double>(world(crease, 1.0), kBall, {2, 2, 0}, {-3, -3, 0.5});
    EXPECT_EQ(along.iterations, 3);
    EXPECT_GT(along.position.z, 0.1);
    std::vector<Plane> corner = crease;
    corner.push_back({{0, 0, 1}, -1.5});
    const auto stopped =
        linahan_response<double>(world(corner, 1.0), kBall, {2, 2, 0}, {-3, -3, -2});
    EXPECT_EQ(stopped.iterations, 3);
    EXPECT_EQ(stopped.stopped, StopReason::Blocked);
}

TEST(Linahan, IsNotDividedByZero) {
    const std::vector<Plane> floor{{{0, 1, 0}, 0.0}};
    const auto still = linahan_response<double>(world(floor, 1.0), kBall, {0, 1.01, 0}, {0, 0, 0});
    EXPECT_EQ(still.position, (Vec<double>{0, 1.01, 0}));
    // Two parallel planes, one after the other: there is no crease.
    const std::vector<Plane> twice{{{0, 1, 0}, 0.0}, {{0, 1, 0}, 0.3}};
    const auto held = linahan_response<double>(world(twice, 1.0), kBall, {0, 2, 0}, {0, -3, 0});
    EXPECT_TRUE(is_finite(widened(held.position)));
}

// Section III.H: the destination that is derived again is not the one that was meant.
TEST(Linahan, LosesDigitsWithTwoParameters) {
    test::Random random(1);
    int differ = 0;
    for (int trial = 0; trial < 1'000; ++trial) {
        Vec3 n = random.direction() + Vec3{0, 2, 0};
        n = (1.0 / norm(n)) * n;
        const std::vector<Plane> slope{{n, 4'000.0 * n.y}};
        const Ball<float> ball{1.0F, 0.01F};
        const Vec<float> start = narrowed<float>(Vec3{0, 4'000, 0} + 1.5 * n);
        const Vec<float> velocity = narrowed<float>(random.direction() - 2.0 * n);
        const auto three = linahan_response<float>(world(slope, 1.0), ball, start, velocity);
        const auto two =
            linahan_response<float>(world(slope, 1.0), ball, start, velocity, Parameters::Two);
        differ += three.position != two.position;
    }
    EXPECT_GE(differ, 10);
}

TEST(Fauerby, SlidesAlongOnePlaneAtItsVeryCloseDistance) {
    const auto moved =
        fauerby_response<double>(world({{{0, 1, 0}, 0.0}}, 1.0), kBall, {0, 2, 0}, {1, -2, 0});
    EXPECT_NEAR(moved.position.x, 1.0, 0.02);
    EXPECT_GT(moved.position.y, 1.0);
    EXPECT_LT(moved.position.y, 1.011);
}

TEST(Fauerby, IsNotDividedByZero) {
    const std::vector<Plane> floor{{{0, 1, 0}, 0.0}};
    const auto still = fauerby_response<double>(world(floor, 1.0), kBall, {0, 1.01, 0}, {0, 0, 0});
    EXPECT_EQ(still.position, (Vec<double>{0, 1.01, 0}));
    EXPECT_EQ(still.iterations, 1);
}

// The scenes of sections III.B and III.C.
struct PressedCorner {
    std::vector<Plane> planes;
    Vec<double> start;
    Vec<double> wish;
};
PressedCorner obtuse_planes() {
    const double s = std::sin(std::numbers::pi / 3);
    return {{{{0, 1, 0}, 0.0}, {{s, 0.5, 0}, 0.0}}, {0.2, 4, 0}, {-0.1, -0.3, 0}};
}
PressedCorner acute_planes() {
    const double angle = std::numbers::pi / 36;
    return {{{{0, 1, 0}, 0.0}, {{std::sin(angle), -std::cos(angle), 0}, 0.0}},
            {25, 1.05, 0},
            {-1, 0, 0}};
}

struct Pressing {
    double jitter = 0.0;  // in the last frames
    int most_iterations = 0;
};
template <class Respond>
Pressing press(const PressedCorner& scene, const Respond& respond) {
    Pressing result;
    Vec<double> place = scene.start;
    for (int frame = 0; frame < 300; ++frame) {
        const auto moved = respond(world(scene.planes, 1.0), kBall, place, scene.wish);
        if (frame >= 250)
            result.jitter = std::max(result.jitter, norm(widened(moved.position) - widened(place)));
        result.most_iterations = std::max(result.most_iterations, moved.iterations);
        place = moved.position;
    }
    return result;
}
constexpr auto kFauerby = [](const auto&... args) { return fauerby_response<double>(args...); };
constexpr auto kLinahan = [](const auto&... args) { return linahan_response<double>(args...); };

TEST(Fauerby, JittersInAnObtuseCorner) {
    EXPECT_GT(press(obtuse_planes(), kFauerby).jitter, 1e-3);
}

TEST(Linahan, DoesNotJitterInAnObtuseCorner) {
    const Pressing pressed = press(obtuse_planes(), kLinahan);
    EXPECT_LT(pressed.jitter, 1e-12);
    EXPECT_LE(pressed.most_iterations, 3);
}

TEST(Fauerby, SpendsAllItsIterationsInAnAcuteCorner) {
    EXPECT_EQ(press(acute_planes(), kFauerby).most_iterations, 6);
}

TEST(Linahan, TakesAtMostThreeIterationsInAnAcuteCorner) {
    EXPECT_LE(press(acute_planes(), kLinahan).most_iterations, 3);
}

// Section III.C: without the cap of line 3 "the algorithm may run hundreds of times". Each
// iteration shortens the velocity by the cosine of the angle or, while the ball still gets on, by
// more: from 1 down to the very close distance of 0.01.
TEST(Fauerby, TakesHundredsOfIterationsInAnAcuteCornerWithoutItsCap) {
    const auto uncapped = [](const auto&... args) {
        return fauerby_response<double>(args..., kMaxUncappedIterations);
    };
    const int iterations = press(acute_planes(), uncapped).most_iterations;
    const double most = std::log(100.0) / -std::log(std::cos(std::numbers::pi / 36));
    EXPECT_GT(iterations, 500);
    EXPECT_LE(iterations, most + 1.0);
}

TEST(Fauerby, ReportsThatItsBoundWasReached) {
    const PressedCorner scene = acute_planes();
    const auto held =
        fauerby_response<double>(world(scene.planes, 1.0), kBall, {23, 1.05, 0}, scene.wish, 100);
    EXPECT_EQ(held.iterations, 100);
    EXPECT_EQ(held.stopped, StopReason::Limit);
}

TEST(Fauerby, IsTheSameWithoutItsCapWhereSixIterationsDo) {
    const Level<double> level = test::flat_grid(4, 0.5).level<double>();
    Vec<double> place{0.1, 2, 0.3};
    for (int frame = 0; frame < 20; ++frame) {
        const Vec<double> wish{0.05, -0.2, 0.01};
        const auto capped = move_and_slide_by<double>(MoverKind::Fauerby, level, {}, place, wish);
        const auto uncapped =
            move_and_slide_by<double>(MoverKind::FauerbyUncapped, level, {}, place, wish);
        EXPECT_EQ(uncapped.position, capped.position);
        EXPECT_EQ(uncapped.iterations, capped.iterations);
        place = capped.position;
    }
}

TEST(Movers, AreFoundByTheirNames) {
    for (const MoverKind kind :
         {MoverKind::Graze, MoverKind::Linahan, MoverKind::LinahanTwoParameters, MoverKind::Fauerby,
          MoverKind::FauerbyUncapped})
        EXPECT_EQ(mover_from_name(name(kind)), kind);
    EXPECT_EQ(name(MoverKind::FauerbyUncapped), "fauerby-uncapped");
    EXPECT_FALSE(mover_from_name("fauerby uncapped"));
}

// Over a level, by the same function as our own mover.
TEST(Movers, AllStandOnAFloor) {
    const Level<double> level = test::flat_grid(4, 0.5).level<double>();
    for (const MoverKind kind :
         {MoverKind::Graze, MoverKind::Linahan, MoverKind::LinahanTwoParameters, MoverKind::Fauerby,
          MoverKind::FauerbyUncapped}) {
        SCOPED_TRACE(name(kind));
        Vec<double> place{0.1, 2, 0.3};
        for (int frame = 0; frame < 20; ++frame) {
            const MoveResult<double> moved =
                move_and_slide_by<double>(kind, level, {}, place, {0.01, -0.3, 0});
            EXPECT_GE(moved.iterations, 1);
            place = moved.position;
        }
        EXPECT_NEAR(place.x, 0.3, 0.05);
        EXPECT_GT(place.y, 1.0);
        EXPECT_LT(place.y, 1.02);
    }
}

// They slide in scaled space, by more than the length of the true wish: what is there must have
// been gathered, else they are held by a contact that is none.
TEST(Movers, PublishedOnesSlideUpARampAsEllipsoids) {
    test::Soup soup;
    test::add_plane(soup, {0, 0, 0}, {-std::sqrt(0.75), 0.5, 0}, 40);
    const Level<double> level = soup.level<double>();
    const Shape<double> shape{{0.4, 0.9, 0.4}};
    for (const MoverKind kind : {MoverKind::Linahan, MoverKind::Fauerby}) {
        SCOPED_TRACE(name(kind));
        const MoveResult<double> moved =
            move_and_slide_by<double>(kind, level, shape, {-0.8, 0.3, 0}, {2, -2.5, 0});
        EXPECT_EQ(moved.stopped, StopReason::Free);
        EXPECT_EQ(moved.contact_count, 1);
        EXPECT_GT(moved.position.y, 0.3);
    }
}

}  // namespace
}  // namespace graze::slide
