// A character: a capsule that walks, climbs steps, stays on the ground, rides and is pushed.
//
//   Character hero{Capsule{0.4F, 1.8F}, spawn};
//   const auto frame = hero.move(world, dt * velocity);
//   if (frame.on_ground) velocity.y = 0;
#pragma once

#include <cstdint>
#include <optional>

#include "graze/slide/controller.hpp"
#include "graze/slide/level.hpp"
#include "graze/slide/ride.hpp"
#include "graze/slide/world.hpp"

namespace graze::slide {

// Upright, along CharacterOptions::up. Lower than two radii: a ball.
template <class Real>
struct Capsule {
    Real radius{};
    Real height{};  // [length] from its lowest point to its highest
};
template <class Real>
Capsule(Real, Real) -> Capsule<Real>;

template <class Real>
struct CharacterOptions {
    Vec<Real> up{Real{0}, Real{1}, Real{0}};
    // The cosine of the steepest slope that it walks on; 0.7: 45 degrees, about.
    Real least_upward = static_cast<Real>(0.7);
    Real step_height{};            // [length] of the highest step; 0: a fifth of its height
    Real snap_distance{};          // [length] that it follows ground that falls away; 0: a step
    bool stops_at_ledges = false;  // where there is no ground within that distance, it stays
    Real skin{};                   // [length] 0: the default of its shape
    std::uint32_t layers = 0xffff'ffffU;
};

// One frame of a character.
template <class Real>
struct CharacterFrame {
    Vec<Real> feet;           // its lowest point
    bool gap_proved = false;  // the gap to every face is at least `skin`
    Real skin{};

    bool on_ground = false;
    bool landed = false;       // on the ground now, and not before
    bool left_ground = false;  // the other way round
    bool climbed = false;      // a step
    bool hit_ceiling = false;  // something above held it
    bool held_at_ledge = false;
    SweepContact<Real> ground;  // where on the ground: its part, its face and its normal

    // What moving parts did. Crushed, or Limit: proved up to ride.time of the frame, and at most
    // ride.overlap deep in the world at its end.
    RideResult<Real> ride;
    [[nodiscard]] bool is_crushed() const noexcept { return ride.outcome == RideOutcome::Crushed; }
    [[nodiscard]] bool is_pushed() const noexcept { return ride.outcome == RideOutcome::Pushed; }
    [[nodiscard]] bool is_carried() const noexcept { return ride.outcome == RideOutcome::Carried; }

    StairResult<Real> walk;  // the move itself: what it touched, and why it stopped
};

// Its position is proved in every frame by move_and_slide() and its relatives, whose guarantees it
// has. No heap. Of a world, call move() once for each update(): what moved since is ridden first.
// Frames that were left out are not ridden: CharacterFrame::ride is Unproved, and what came into its
// place pushes it out. After a move in another world, teleport() first: parts are known by number.
template <class Real>
class Character {
public:
    // `feet`: its lowest point. Nothing is asked of the spawn: the first move pushes it out of what
    // it overlaps.
    Character(const Capsule<Real>& body, const Vec<Real>& feet,
              const CharacterOptions<Real>& options = {}) noexcept;

    // By a displacement that is requested: gravity and jumps are the caller's.
    CharacterFrame<Real> move(const Level<Real>& level, const Vec<Real>& displacement) noexcept;
    CharacterFrame<Real> move(const World<Real>& world, const Vec<Real>& displacement) noexcept;

    // Another body with the same feet (crouching, getting up): only where there is room for it.
    [[nodiscard]] bool change_body(const Obstacles<Real>& obstacles,
                                   const Capsule<Real>& body) noexcept;
    // Elsewhere, without a move.
    void teleport(const Vec<Real>& feet) noexcept;

    [[nodiscard]] Vec<Real> feet() const noexcept;
    [[nodiscard]] const Vec<Real>& centre() const noexcept { return centre_; }
    [[nodiscard]] const Capsule<Real>& body() const noexcept { return body_; }
    [[nodiscard]] const Shape<Real>& shape() const noexcept { return shape_; }
    [[nodiscard]] bool on_ground() const noexcept { return on_ground_; }
    CharacterOptions<Real>& options() noexcept { return options_; }

private:
    void walk(const Obstacles<Real>& obstacles, const Vec<Real>& displacement,
              CharacterFrame<Real>& frame) noexcept;
    void hold_at(const Obstacles<Real>& obstacles, const Vec<Real>& start, bool rises,
                 CharacterFrame<Real>& frame) noexcept;
    void find_ground(const Obstacles<Real>& obstacles, bool rises,
                     CharacterFrame<Real>& frame) noexcept;
    [[nodiscard]] MoveOptions<Real> move_options() const noexcept;
    [[nodiscard]] Real step_height() const noexcept;

    Capsule<Real> body_;
    Shape<Real> shape_;
    CharacterOptions<Real> options_;
    Vec<Real> centre_;
    bool on_ground_ = false;
    bool is_proved_ = false;                // centre_ keeps the skin of the last frame
    std::optional<std::uint32_t> carrier_;  // the part that it stands on
    std::optional<std::uint64_t> frame_;    // of the world, when it last moved
};
template <class Real>
Character(const Capsule<Real>&, const Vec<Real>&) -> Character<Real>;

extern template class Character<float>;
extern template class Character<double>;

}  // namespace graze::slide
