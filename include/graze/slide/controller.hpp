// What the controller of a character adds to move_and_slide(): slopes that are too steep, steps,
// and ground that falls away. Each function stands alone, and says what it did.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "graze/slide/mover.hpp"

namespace graze::slide {

// What a character can stand on.
template <class Real>
struct Footing {
    Vector<Real> up{Real{0}, Real{1}, Real{0}};  // of any length but zero
    // Ground whose normal makes a smaller cosine with `up` is too steep; 0.7: 45 degrees, about.
    Real least_upward = static_cast<Real>(0.7);
};

// Is the normal of a contact that of ground to stand on? False where a number is none.
template <class Real>
[[nodiscard]] bool is_walkable(const Vector<Real>& normal, const Footing<Real>& footing) noexcept;

// --- slopes --------------------------------------------------------------------------------------

template <class Real>
struct SlopeLimit {
    Vector<Real> wish;    // what is left of it
    int steep_count = 0;  // contacts that took something from it
};
// Takes from a wish what leads up slopes that are too steep: they stop it like walls. What is steep
// is told by the contacts of the last move; ceilings and walkable ground count for nothing. The
// part of the wish along `up` stays.
template <class Real>
[[nodiscard]] SlopeLimit<Real> limit_slope(const Vector<Real>& wish,
                                           std::span<const Contact<Real>> contacts,
                                           const Footing<Real>& footing = {}) noexcept;

// --- steps ---------------------------------------------------------------------------------------

enum class StepAction : std::uint8_t {
    NotNeeded,    // the plain move got as far as it wished
    Climbed,      // up, forward and down led farther
    NoRoom,       // something above holds it down
    TooHigh,      // up there it got no farther
    NotWalkable,  // it would have landed on what cannot be stood on
};
// "not-needed", "climbed", "no-room", "too-high", "not-walkable".
[[nodiscard]] std::string_view name(StepAction action) noexcept;

template <class Real>
struct StepOptions {
    Real height{};  // [length] of the highest step
    Footing<Real> footing{};
    MoveOptions<Real> move{};
};

template <class Real>
struct StepResult {
    StepAction action = StepAction::NotNeeded;
    Real climbed{};          // [length] along `up`, where climbed
    MoveResult<Real> moved;  // the plain move, or the last of the three
};

// move_and_slide(), and where that is held back: up by the height, forward, and down again.
// Guarantee: that of move_and_slide(), since each part is such a move. Cost: one to six of them.
template <class Real>
[[nodiscard]] StepResult<Real> move_and_climb(const Level<Real>& level, const Shape<Real>& shape,
                                              const Vector<Real>& start, const Vector<Real>& wish,
                                              const StepOptions<Real>& options) noexcept;

// --- ground --------------------------------------------------------------------------------------

enum class SnapAction : std::uint8_t {
    OnGround,  // it stands already
    Snapped,   // moved down to the ground
    NoGround,  // none within the distance
    TooSteep,  // the first that it would meet cannot be stood on
};
// "on-ground", "snapped", "no-ground", "too-steep".
[[nodiscard]] std::string_view name(SnapAction action) noexcept;

template <class Real>
struct SnapOptions {
    Real distance{};  // [length] to look down
    Footing<Real> footing{};
    MoveOptions<Real> move{};
};

template <class Real>
struct SnapResult {
    SnapAction action = SnapAction::NoGround;
    Vector<Real> position;  // the start, unless snapped
    Real dropped{};         // [length] along `up`, where snapped
    Contact<Real> ground;   // unless there is none
};

// Straight down to the ground, so that a character that walks downhill does not fly. Goes by
// move_and_slide(), and has its guarantee.
template <class Real>
[[nodiscard]] SnapResult<Real> snap_to_ground(const Level<Real>& level, const Shape<Real>& shape,
                                              const Vector<Real>& start,
                                              const SnapOptions<Real>& options) noexcept;

}  // namespace graze::slide
