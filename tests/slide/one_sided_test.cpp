// Faces that are solid from their front alone: what comes from behind passes, and then stands before
// them.
// Defends G-SLIDE-3, G-SLIDE-5 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "graze/slide/character.hpp"
#include "graze/slide/move_trail.hpp"
#include "graze/slide/mover.hpp"
#include "slide/mover_support.hpp"

namespace graze::slide {
namespace {

using test::Random;
using test::Soup;
using test::Wide;

constexpr FaceMarks kOneSided{.one_sided = true};

// Facing up where the corners run along z first.
template <class Real>
void add_floor(Level<Real>& level, double y, double low, double high, const FaceMarks& marks) {
    Soup soup;
    soup.quad({low, y, -20}, {low, y, 20}, {high, y, 20}, {high, y, -20});
    std::vector<Vec<Real>> points;
    for (const Vec3& p : soup.positions)
        points.push_back(narrowed<Real>(p));
    ASSERT_TRUE(level.add_part(points, soup.faces, {&marks, 1}));
}

template <class Real>
Shape<Real> ball() {
    return {{Real(0.5), Real(0.5), Real(0.5)}};
}

// What is promised of every end of a move, and that the next one begins there.
template <class Real>
void expect_legal(const Level<Real>& level, const Shape<Real>& shape,
                  const MoveResult<Real>& moved) {
    ASSERT_TRUE(moved.gap_proved);
    const GapResult<Real> gap = smallest_gap(level, shape, moved.position, Real{1});
    EXPECT_TRUE(!gap.found || gap.gap_lower >= double{moved.skin} * (1.0 - 1e-6)) << gap.gap_lower;
    const MoveResult<Real> next = move_and_slide(level, shape, moved.position, Vec<Real>{});
    EXPECT_TRUE(next.gap_proved);
    EXPECT_NE(next.stopped, StopReason::PushedOut);
    EXPECT_EQ(next.position, moved.position);
}

template <class Real>
class OneSidedTest : public testing::Test {};
using OneSidedReals = testing::Types<float, double>;
TYPED_TEST_SUITE(OneSidedTest, OneSidedReals);

// Up a ramp from below the plane of the floor, against a ceiling, and down again over the floor.
TYPED_TEST(OneSidedTest, AFloorHoldsWhatCameToItsFrontInTheSameMove) {
    using Real = TypeParam;
    Level<Real> level;
    const std::vector<Vec<Real>> ramp{{-6, -6, -20}, {0, 0, -20}, {0, 0, 20}, {-6, -6, 20}};
    const std::vector<std::array<std::uint32_t, 3>> faces{{0, 2, 1}, {0, 3, 2}};
    ASSERT_TRUE(level.add_part(ramp, faces));
    add_floor(level, 0.0, 0.0, 30.0, kOneSided);
    add_floor(level, 2.0, -8.0, 30.0, {});
    const double off = 0.51 * std::sqrt(0.5);
    const Vec<Real> start = narrowed<Real>({-3 - off, -3 + off, 0});
    for (const Real ahead : {Real(14), Real(20)}) {
        const MoveResult<Real> moved = move_and_slide(level, ball<Real>(), start, {ahead, -4, 0});
        EXPECT_GT(moved.position.x, Real(3));
        EXPECT_GE(moved.position.y, Real(0.5)) << "through the floor";
        expect_legal(level, ball<Real>(), moved);
    }
}

TYPED_TEST(OneSidedTest, WhatComesThroughAFaceFromBehindStandsBeforeItAtTheEndOfTheMove) {
    using Real = TypeParam;
    Level<Real> level;
    add_floor(level, 0.0, -9.0, 9.0, kOneSided);
    for (const Real rise : {Real(4.9), Real(5.2), Real(5.45), Real(5.6)}) {
        const MoveResult<Real> moved =
            move_and_slide(level, ball<Real>(), {0, -5, 0}, {0, rise, 0});
        expect_legal(level, ball<Real>(), moved);
        const bool is_through = rise > Real(5);
        const bool is_free = rise > Real(5.5) || !is_through;
        EXPECT_EQ(moved.stopped, is_free ? StopReason::Free : StopReason::PushedOut);
        EXPECT_NEAR(double{moved.position.y}, is_free ? double{rise} - 5.0 : 0.5, 0.01);
    }
}

TYPED_TEST(OneSidedTest, WhatHasNoRoomBeforeAFaceStaysBehindIt) {
    using Real = TypeParam;
    Level<Real> level;
    add_floor(level, 0.0, -9.0, 9.0, kOneSided);
    add_floor(level, 0.8, -9.0, 9.0, {});
    const MoveResult<Real> moved =
        move_and_slide(level, ball<Real>(), {0, -2, 0}, {Real(0.5), Real(2.2), 0});
    EXPECT_LT(moved.position.y, Real(0));
    expect_legal(level, ball<Real>(), moved);
}

// The way of a platform in a game: up through it, and down onto it.
TYPED_TEST(OneSidedTest, AJumpLeadsThroughAPlatformAndEndsOnIt) {
    using Real = TypeParam;
    for (const bool is_capsule : {false, true}) {
        Level<Real> level;
        add_floor(level, 0.0, -9.0, 9.0, kOneSided);
        const Shape<Real> shape = is_capsule ? capsule<Real>(Real(0.5), Real(0.5)) : ball<Real>();
        const double feet = is_capsule ? 1.0 : 0.5;
        Vec<Real> at{0, -2, 0};
        double speed = 0.2;
        int pushes = 0;
        for (int frame = 0; frame < 200; ++frame, speed -= 0.005) {
            const MoveResult<Real> moved =
                move_and_slide(level, shape, at, narrowed<Real>({0.01, speed, 0}));
            expect_legal(level, shape, moved);
            pushes += moved.stopped == StopReason::PushedOut ? 1 : 0;
            at = moved.position;
            if (speed < 0.0 && moved.contact_count > 0) speed = 0.0;
        }
        EXPECT_EQ(pushes, 1);
        EXPECT_GE(double{at.y}, feet);
        EXPECT_LE(double{at.y}, feet + 0.02);
    }
}

Wide wide(const Vec3& p) {
    return {static_cast<long double>(p.x), static_cast<long double>(p.y),
            static_cast<long double>(p.z)};
}

// Of a point over the plane of a triangle, along the normal of its front.
long double height_over(const std::array<Wide, 3>& t, const Wide& p) {
    const Wide a = test::minus(t[1], t[0]);
    const Wide b = test::minus(t[2], t[0]);
    const Wide n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return test::times(n, test::minus(p, t[0])) / std::sqrt(test::times(n, n));
}

// Each piece of the path by itself, in long double: the faces that its begin is not behind are kept
// away from. In a push the centre goes through none from the front.
void expect_kept(const std::vector<std::array<Wide, 3>>& faces, const TrailPoint& from,
                 const TrailPoint& to, long double radius) {
    constexpr int kSamples = 8;
    for (const auto& face : faces) {
        if (height_over(face, wide(from.position)) < 1e-6L) continue;
        if (to.is_pushed && height_over(face, wide(to.position)) > -1e-6L) continue;
        for (int i = 0; i <= kSamples; ++i) {
            const double s = static_cast<double>(i) / kSamples;
            const Vec3 p = from.position + s * (to.position - from.position);
            const long double kept = to.is_pushed ? 0.0L : radius + to.skin * (1.0L - 1e-6L);
            ASSERT_GE(test::distance_to_triangle(wide(p), face), kept);
        }
    }
}

TYPED_TEST(OneSidedTest, EveryPieceOfAPathKeepsItsGapToTheFacesThatItBeginsBefore) {
    using Real = TypeParam;
    const Shape<Real> shape = ball<Real>();
    int pieces = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        const Soup soup = test::random_soup(random, 30, 4.0, 2.0);
        std::vector<Vec<Real>> points;
        for (const Vec3& p : soup.positions)
            points.push_back(narrowed<Real>(p));
        Level<Real> level;
        ASSERT_TRUE(level.add_part(points, soup.faces, {&kOneSided, 1}));
        std::vector<std::array<Wide, 3>> faces;
        for (const auto& f : soup.faces)
            faces.push_back({wide(widened(points[f[0]])), wide(widened(points[f[1]])),
                             wide(widened(points[f[2]]))});
        Vec<Real> at{};
        for (int step = 0; step < 12; ++step) {
            const double length = random.between(0.2, 8.0);
            const Vec3 wish = length * random.direction();
            MoveTrail trail;
            const MoveResult<Real> moved =
                move_and_slide_traced(level, shape, at, narrowed<Real>(wish), {}, trail);
            if (moved.gap_proved) expect_legal(level, shape, moved);
            for (std::size_t i = 1; i < trail.points().size(); ++i, ++pieces)
                expect_kept(faces, trail.points()[i - 1], trail.points()[i], 0.5L);
            at = moved.gap_proved && norm(widened(moved.position)) < 8.0 ? moved.position
                                                                         : Vec<Real>{};
        }
    }
    EXPECT_GT(pieces, 700);
}

}  // namespace
}  // namespace graze::slide
