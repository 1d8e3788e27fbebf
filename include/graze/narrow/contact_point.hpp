// Where two primitives are nearest to each other at one time: what a simulator does with a contact.
//
// Asked at the first time of contact (CcdResult::toi_lower, say) it gives the place, the
// parameters, the features and a normal: estimates in floating point, not proofs.
#pragma once

#include <cstdint>

#include "graze/narrow/motion.hpp"

namespace graze {

// What a point of a primitive lies on, with its number in the order of the motion: corner 0, 1, 2;
// edge i from corner i to corner i + 1 (of a face: edge 2 from corner 2 to corner 0); the face
// itself.
struct Feature {
    enum class Type : std::uint8_t { Corner, Edge, Face };
    Type type = Type::Corner;
    int index = 0;
    friend constexpr bool operator==(const Feature&, const Feature&) noexcept = default;
};

struct ContactPoint {
    // Vertex-face: f0 + u (f1 - f0) + v (f2 - f0). Edge-edge: a0 + u (a1 - a0) and b0 + v (b1 -
    // b0). Vertex-edge: e0 + u (e1 - e0). In [0, 1], u + v <= 1 on a face; unused ones are 0.
    double u = 0.0;
    double v = 0.0;
    // The points themselves, on the first and on the second primitive.
    Vec3 on_a;
    Vec3 on_b;
    Feature feature_a;
    Feature feature_b;
    // Of length 1, against the motion of the first primitive relative to the second, if they move
    // at all: across the face, or across both edges; where these have no normal, from the second
    // point to the first at the start of the step. Zero where all of that is zero.
    Vec3 normal;
    // The distance of the two points as given, rounded up.
    double distance_upper = 0.0;
};

// Requires: a finite motion, 0 <= time <= 1. Otherwise the default, with distance_upper = infinity.
template <QueryMotion Motion>
[[nodiscard]] ContactPoint contact_point(const Motion& motion, double time) noexcept;

}  // namespace graze
