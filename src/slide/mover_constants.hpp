// The constants of the sliding mover, each with its reason. Derivation:
// docs/derivations/slide_mover.md, SM-1 to SM-5; attacked by tests/slide/mover_bounds_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "slide/contact_planes.hpp"
#include "slide/frame.hpp"
#include "slide/skin_rule.hpp"

namespace graze::slide {

// In skins. The hard radius is one, rest two: what nearly meets may differ by a skin in height.
inline constexpr double kRest = 2.0;
// A ball nearer than this is moved back to rest; above it, it stays where it is, so that rest is
// exact. A quarter of a skin is at least the rounding error of a position (SkinRule).
inline constexpr double kSettled = 1.75;
// A plane farther than this has been left. A contact from the side is an edge or a vertex more
// often than not: it bends away from a straight path, by t^2 / 2R after t. A plane that is dropped
// as soon as it is beyond rest is met again in the next iteration, and the other one after that,
// with ever shorter steps; within this band both are kept, at the distances that they have (SM-1).
inline constexpr double kLeft = 2.25;
// Ground that differs by up to this is climbed like flat ground.
inline constexpr double kMostLift = 4.0;
// The path may leave the ball whose diameter is the displacement (SM-4) by what the shape is moved
// back to rest and lifted.
inline constexpr double kSlack = 2.0 + kMostLift;
inline constexpr int kMaxPushes = 8;
// A body is pushed out by at most this many of its own radii.
inline constexpr double kMostPush = 4.0;
// Cosine of the angle up to which a path that bends keeps its length (SM-8): as much as ground that
// counts as one.
inline constexpr double kSameHeading = 0.9;
// A move at an angle with the cosine c from the displacement is at most this times c^2 as long: all
// of it up to 45 degrees.
inline constexpr double kKeptLength = 2.0;
// Of what is left of the displacement: a path that keeps its length is at most sqrt(5/4 - c) of it
// from its middle for c^2 >= 1/2, and less for smaller c. The half is gathered anyway.
inline constexpr double kLengthSlack = 0.25;
static_assert((0.5 + kLengthSlack) * (0.5 + kLengthSlack) >= 1.25 - 0.707106);
// Cosine of the angle between displacement and move, below which the end is tested before it is
// taken.
inline constexpr double kAcross = 0.125;

// Cosine of an angle of a millionth, about: directions that differ by less are the same.
inline constexpr double kSquare = 1.0 - 0x1p-41;

// [fraction of the displacement] A shorter move is none. The vertices of a level are rounded to
// floats as well: slopes of that size are no slopes.
template <class Real>
inline constexpr double kStillMove = std::is_same_v<Real, float> ? 0x1p-20 : kStill;

// Of the radius. What is proved of a position in the frame of one move is proved again in that of
// the next one, whose sums differ: by 2^-48 of how far a triangle reaches, so that this is enough
// for 32 radii (SM-2). And it is less than what is left of `rounding` when a position has been
// rounded.
inline constexpr double kKeptMargin = 0x1p-43;
static_assert(kKeptMargin < kLeastRounding * (3.0 - 2.5981) / 3.0, "1.5 sqrt(3) units of three");

// Equal to no position.
inline constexpr Vec3 kNowhere{HUGE_VAL, HUGE_VAL, HUGE_VAL};

[[nodiscard]] inline double length_of(const Vec3& v) noexcept {
    return std::sqrt(norm_sq(v));
}

// Of any finite numbers, without overflow where the length is a number.
[[nodiscard]] inline double safe_length(const Vec3& v) noexcept {
    return norm(v);
}

// `rounding` [length]: of a position.
[[nodiscard]] inline Offsets offsets_of(const Frame& frame, double skin, double rounding) noexcept {
    Offsets o;
    o.skin = skin * frame.per_length;
    o.rounding = std::max(rounding * frame.per_length, kLeastRounding * frame.ball);
    o.hard = frame.radius_with(skin);
    o.kept = o.hard + kKeptMargin * frame.ball;
    o.settled = frame.radius_with(kSettled * skin);
    o.rest = frame.radius_with(kRest * skin);
    o.contact = frame.radius_with(kLeft * skin) + o.rounding;
    o.step = kMostLift * o.skin;
    o.witness = o.contact + o.step;
    return o;
}

}  // namespace graze::slide
