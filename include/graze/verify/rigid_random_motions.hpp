// Random motions of two bodies that just collide or just miss, and the models they are made for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/step.hpp"
#include "graze/verify/rigid_reference.hpp"

namespace graze::rigid {

// How B may lie to A: anywhere; as a screw in its nut; as a comb in a comb.
enum class Fit : std::uint8_t { Loose, Thread, Comb };

struct Shapes {
    Polyhedron a;
    Polyhedron b;
    Fit fit = Fit::Loose;
};
// The two bodies of a campaign: twice the model of that name (graze/generate/models.hpp, with about
// `faces` faces), or "mixed" (cube and tetrahedron), "thread" (nut and screw), "comb" (two combs
// whose teeth fit). Exits the program with a line where there is no such name.
[[nodiscard]] Shapes shapes(const std::string& name, std::uint32_t faces = 0);

struct RandomMotion {
    PairStep step;
    bool meant_to_collide = false;
    // The ground truth as far as it is a by-product: of the very step.
    reference::FirstContact truth;
};

struct MotionOptions {
    bool a_at_rest = false;      // at the identity; for those who move one body only
    double max_angle = 0.78539;  // [radians] of the relative rotation, and of A's own
    double far = 0.0;            // [sizes of the bodies] from the origin; not for a_at_rest
    // Halvings of the offset between a hit and a miss: the distance of closest approach is
    // about 2^-halvings of the sizes.
    int fewest_halvings = 4;
    int most_halvings = 14;
};

// Motion number `index` of a seed, whatever was asked before. Bodies start separated (Loose: the
// balls around them are; the others: by the reference). Odd numbers collide (a half of them
// barely, the others anyhow), even ones barely miss.
// `pair` belongs to the same bodies and is left set to the motion.
[[nodiscard]] RandomMotion random_motion(reference::Pair& pair, const Shapes& bodies,
                                         std::uint64_t seed, std::uint64_t index,
                                         const MotionOptions& options = {});

// Motions in which features meet exactly or lie in one plane: shifts by quarters, rotations by none, a
// quarter, a third or a half, A at rest at the identity. Surfaces start disjoint, as far as the
// reference sees; where they touch without crossing, it is unresolved.
[[nodiscard]] RandomMotion grid_motion(reference::Pair& pair, std::uint64_t seed,
                                       std::uint64_t index);

}  // namespace graze::rigid
