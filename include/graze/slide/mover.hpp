// Moves a sphere, ellipsoid or capsule through a level so that it slides along what it meets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "graze/slide/level.hpp"
#include "graze/slide/sweep.hpp"

namespace graze::slide {

enum class MoverKind : std::uint8_t {
    Graze,  // ours
    // Linahan, Improving the numerical robustness of sphere swept collision detection, Table II,
    // and the same where each iteration takes two parameters instead of three (section III.H).
    Linahan,
    LinahanTwoParameters,
    Fauerby,  // the one that it improves, ibid. Table I
    // The same without its cap on iterations (section III.C): in acute corners it takes hundreds, at
    // most kMaxUncappedIterations, after which it reports Limit.
    FauerbyUncapped,
};
// "graze", "linahan", "linahan-two-parameters", "fauerby", "fauerby-uncapped".
[[nodiscard]] std::string_view name(MoverKind kind) noexcept;
[[nodiscard]] std::optional<MoverKind> mover_from_name(std::string_view name) noexcept;

enum class StopReason : std::uint8_t {
    Free,     // moved all of the displacement, straight or sliding: nothing holds it back any more
    Blocked,  // the planes that it touches allow no move
    PushedOut,  // began too near to the level, and was first moved out of it; or ended half through a
                // one-sided face from behind, and was moved to its front
    Limit,  // the iterations ran out before its end, or the displacement led to where numbers are too
            // coarse for the skin, and was cut
};
// "free", "blocked", "pushed-out", "limit".
[[nodiscard]] std::string_view name(StopReason reason) noexcept;

inline constexpr int kMaxMoveContacts = 8;
inline constexpr int kMaxMoveIterations = 8;
// Of FauerbyUncapped alone, which would otherwise need not end. Some 0.1 s.
inline constexpr int kMaxUncappedIterations = 100'000;

template <class Real>
struct MoveOptions {
    // [length] the gap that stays to every face after every move; 0: the default for the shape.
    // Raised to 4 units in the last place in float, to 12 units or 2^-38 of the smallest radius in
    // double, where it is thinner: units of the largest coordinate of the start and 8 radii, half
    // axes and skins more. It does not depend on the displacement. What is used is in the result.
    Real skin{};
    std::uint32_t layers = 0xffff'ffffU;
};

template <class Real>
struct MoveResult {
    Vec<Real> position;
    StopReason stopped = StopReason::Blocked;
    // As used: what the gap at `position` is at least, where gap_proved. On the path it is that of the
    // start, which is thinner where a long displacement was made at once (SM-7).
    Real skin{};
    bool gap_proved = false;  // false: the start overlapped and could not be pushed out, and is
                              // what is returned
    int iterations = 0;
    int contact_count = 0;
    std::array<SweepContact<Real>, kMaxMoveContacts> contacts{};
    [[nodiscard]] std::span<const SweepContact<Real>> touched() const noexcept {
        return {contacts.data(), static_cast<std::size_t>(contact_count)};
    }
};

// The skin where none is asked for: 1/256 of the smallest radius.
template <class Real>
[[nodiscard]] Real default_skin(const Shape<Real>& shape) noexcept;

// Moves the shape by the displacement, or as far along what it meets as that allows.
// Guarantee: with gap_proved, the gap between the shape at `position` and every face is at least
// `skin`, and the shape met nothing on its path, but where it was pushed out, and there its centre
// went through no face. One-sided faces count unless the centre is provably behind them: at `position`,
// and of each straight piece of the path at its begin. A shape whose centre has come through one from
// behind, and that is still in it at the end, is pushed out to its front (PushedOut); where there is no
// room it ends where it was last proved. The position is legal for the next move, whatever its
// displacement. It rests a skin above that. When blocked, the position is bit-identical to the start. NaN or Inf, a
// shape without size, a negative skin, floating-point settings that cannot be made right: the start,
// Blocked, nothing proved. Derivation: docs/derivations/slide_mover.md.
// Cost: one traversal of the trees and a sweep or two among what is near; neither allocates nor
// throws. At most kMaxMoveIterations iterations, of one sweep each.
template <class Real>
[[nodiscard]] MoveResult<Real> move_and_slide(const Obstacles<Real>& level,
                                              const Shape<Real>& shape, const Vec<Real>& start,
                                              const Vec<Real>& displacement,
                                              const MoveOptions<Real>& options = {}) noexcept;
// The same by another algorithm, for comparison: these keep no proved gap.
template <class Real>
[[nodiscard]] MoveResult<Real> move_and_slide_by(MoverKind kind, const Obstacles<Real>& level,
                                                 const Shape<Real>& shape, const Vec<Real>& start,
                                                 const Vec<Real>& displacement,
                                                 const MoveOptions<Real>& options = {}) noexcept;

}  // namespace graze::slide
