// A vertex and a flat piece, or two edges, of two bodies: when does one cross the other?
//
// f(t) = det of three differences of corners, 0 where the features are in one plane. Over a slab,
// |f''| <= M bounds f by its values at the ends: |f - chord| <= K s (1 - s), K = M dt^2 / 2, and
// |f' - (f1 - f0)| <= K in the unit of the slab. So a function whose ends differ by more than K is
// monotone: one root or none. Derivation: docs/derivations/rigid_impact.md, section RI-7.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graze/rigid/contact.hpp"
#include "rigid/impact/relative_motion.hpp"
#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

// Corners as shifted by the trees. A piece has four (the last twice for a triangle), an edge two.
struct Crossing {
    ContactType type = ContactType::VertexFace;
    std::array<Vec3, 4> a{};
    std::array<Vec3, 4> b{};
};

// A root of f, proved to be a crossing of the features themselves.
struct CrossingRoot {
    double lower = 0.0;
    double upper = 0.0;
};

struct CrossingRoots {
    std::vector<CrossingRoot> roots;
    bool complete = true;  // false: some interval of the window could not be decided
    std::uint64_t checks = 0;
};

// All crossings with a change of side in [from, to], each within `width` where rounding errors
// allow.
[[nodiscard]] CrossingRoots crossings(const RelativeMotion& motion, const Crossing& features,
                                      double from, double to, double width);

// Corners of B's feature at a time.
[[nodiscard]] std::array<Vec3, 4> transformed(const Frame& frame,
                                              const Crossing& features) noexcept;

}  // namespace graze::rigid::detail
