// Which faces of a prism, the sum of a triangle and the core of a shape, a centre can meet from
// where it may be: the others need not be gathered (SS-8).
#pragma once

#include <array>

#include "slide/near_list.hpp"

namespace graze::slide {

// Where the centre of a shape stays, in the frame.
struct CentreRegion {
    Vec3 middle;
    double centres = 0.0;   // no position of the centre is farther from the middle
    double all = 0.0;       // nor is any point of the shape with its margins farther than this
    bool has_ball = false;  // what is farther is not gathered
};

// False: no point of the prism is within region.all of the middle. NaN makes it true.
[[nodiscard]] bool may_reach(const std::array<Vec3, 3>& vertices, const Vec3& half,
                             const CentreRegion& region) noexcept;

// What the cap on the side of the middle is shifted by, half or -half. Zero: the core leans so much
// that one cap will hardly do. An estimate.
[[nodiscard]] Vec3 shift_towards(const NearTriangle& t, const Vec3& half,
                                 const Vec3& middle) noexcept;

// True is a proof: each position of the centre is in front of the cap that is shifted so, by more
// than 2^-20 of all lengths, and the point of the prism that is nearest to it is one of the cap, or
// so far that no query asks for it. Then the cap stands for the prism, and the core does not meet
// the triangle.
[[nodiscard]] bool is_cap_enough(const NearTriangle& cap, const Vec3& shift,
                                 const CentreRegion& region) noexcept;

// Bits of the faces: the caps that are shifted along and against the half axis, and the sides at
// the edges from vertex k.
inline constexpr unsigned kHighCap = 1;
inline constexpr unsigned kLowCap = 2;
inline constexpr unsigned kFirstSide = 4;
inline constexpr unsigned kAllPrismFaces = 31;

// The faces that a centre of the region may be in front of. For each of its positions outside of
// the prism these hold the point of the prism that is nearest to it, and no path within the region
// leads into the prism but through one of them.
[[nodiscard]] unsigned facing_faces(const NearTriangle& triangle, const Vec3& half,
                                    const CentreRegion& region) noexcept;

}  // namespace graze::slide
