// What the controller of a character adds to move_and_slide(): slopes that are too steep, steps,
// and ground that falls away. Each function stands alone, and reports what it did.
#pragma once

#include <cstdint>
#include <string_view>

#include "graze/slide/mover.hpp"

namespace graze::slide {

// What a character can stand on.
//
// A contact with a face is classified by its normal. One with an edge or a vertex is classified by the
// faces that end there as well, since the foot of a character is round: on the edge of a step the
// normal of the contact is that of a steep slope, though the step is level. Where such a face can
// be stood on, and the edge is no higher over the lowest point of the shape than a step may be, it
// is ground.
template <class Real>
struct Footing {
    Vec<Real> up{Real{0}, Real{1}, Real{0}};  // of any length but zero
    // Ground whose normal makes a smaller cosine with `up` is too steep; 0.7: 45 degrees, about.
    Real least_upward = static_cast<Real>(0.7);
};

// Is the normal that of ground to stand on? False for NaN.
template <class Real>
[[nodiscard]] bool is_walkable(const Vec<Real>& normal, const Footing<Real>& footing) noexcept;

// --- steps and slopes ----------------------------------------------------------------------------

enum class StairAction : std::uint8_t {
    NotNeeded,    // the plain move got as far as requested
    Climbed,      // up, forward and down led farther
    NoRoom,       // something above holds it down
    TooHigh,      // up there it got no farther
    NotWalkable,  // it would have landed on what cannot be stood on
};
// "not-needed", "climbed", "no-room", "too-high", "not-walkable".
[[nodiscard]] std::string_view name(StairAction action) noexcept;

template <class Real>
struct StairOptions {
    Real height{};  // [length] of the highest step
    Footing<Real> footing{};
    MoveOptions<Real> move{};
};

template <class Real>
struct StairResult {
    StairAction action = StairAction::NotNeeded;
    Real climbed{};       // [length] along `up`, where climbed
    int steep_count = 0;  // slopes, and edges higher than a step, that held the plain move back
    // The plain move, or the last of the three: proved only if each of them is, and PushedOut if one
    // of them was.
    MoveResult<Real> moved;
};

// move_and_slide(), but that slopes which are too steep stop it like walls; and where it is held
// back: up by the height, forward, and down again.
// Guarantee: that of move_and_slide(), since it consists of such moves. Cost: one of them on free
// ground, up to two dozen where slopes and steps hold it.
template <class Real>
[[nodiscard]] StairResult<Real> move_and_climb(const Obstacles<Real>& level,
                                               const Shape<Real>& shape, const Vec<Real>& start,
                                               const Vec<Real>& displacement,
                                               const StairOptions<Real>& options) noexcept;

template <class Real>
struct SlopeLimit {
    Vec<Real> displacement;  // what is left of it
    int steep_count = 0;     // contacts that took something from it
};
// Takes from a displacement what leads up slopes that are too steep, for those who go by move_and_slide():
// move_and_climb() does so by itself. What is steep follows from the contacts of the last move;
// ceilings, walkable ground and the edges of steps count for nothing. The part of the displacement along
// `up` stays. Requires: `last` is of a move in this level, with the parts that it had.
template <class Real>
[[nodiscard]] SlopeLimit<Real> limit_slope(const Obstacles<Real>& level, const Shape<Real>& shape,
                                           const MoveResult<Real>& last,
                                           const Vec<Real>& displacement,
                                           const StairOptions<Real>& options = {}) noexcept;

// --- ground --------------------------------------------------------------------------------------

enum class SnapAction : std::uint8_t {
    OnGround,  // it stands already
    Snapped,   // moved down to the ground: it stands now
    NoGround,  // none within the distance
    TooSteep,  // nothing that it would meet first can be stood on
};
// "on-ground", "snapped", "no-ground", "too-steep".
[[nodiscard]] std::string_view name(SnapAction action) noexcept;

template <class Real>
struct SnapOptions {
    Real distance{};  // [length] to search downward
    // [length] up to which an edge of ground over the lowest point of the shape is stood on: the
    // height of a step; 0: half the shape's radius along `up`.
    Real step_height{};
    Footing<Real> footing{};
    MoveOptions<Real> move{};
};

template <class Real>
struct SnapResult {
    SnapAction action = SnapAction::NoGround;
    Vec<Real> position;  // the start, unless snapped
    // The gap at `position` is at least the skin. False: the start overlaps, and move_and_slide()
    // would push it out; or nothing was looked at, for want of an `up` or a distance.
    bool gap_proved = false;
    Real dropped{};             // [length] along `up`, where snapped
    SweepContact<Real> ground;  // unless there is none
    Real skin{};                // as used: what the gap at `position` is at least, where gap_proved
};

// Straight down to the ground, so that a character that walks downhill does not fly. It is on the
// ground where the answer is OnGround or Snapped. Goes by move_and_slide(), and has its guarantee
// where gap_proved; a start that overlaps stays where it is.
template <class Real>
[[nodiscard]] SnapResult<Real> snap_to_ground(const Obstacles<Real>& level,
                                              const Shape<Real>& shape, const Vec<Real>& start,
                                              const SnapOptions<Real>& options) noexcept;

}  // namespace graze::slide
