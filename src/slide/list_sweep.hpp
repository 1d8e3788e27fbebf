// A ball on a straight way through a list of triangles.
#pragma once

#include "slide/separation.hpp"

namespace graze::slide {

// What a ball meets first on [begin, end] of its way.
struct ListHit {
    bool hit = false;
    bool met_at_start = false;  // a triangle could not be proved clear at `begin`
    double time = 1.0;          // clear before, but for what was met at `begin` and is not entered
    std::uint32_t index = 0;    // in the list
    Direction direction;        // at the contact
};

// Guarantee: at every s in [begin, time) of the exact way the ball is clear of each triangle, that
// is, the distance of centre and triangle is at least `radius`; without a hit on [begin, end]. Left
// out are triangles that it met at `begin` and does not get deeper into by more than rounding.
// Requires: 0 <= begin <= end <= 1, radius > 0.
[[nodiscard]] ListHit sweep_list(const NearList& list, const Path& path, double radius,
                                 double begin = 0.0, double end = 1.0) noexcept;

// True is a proof: the ball is clear of all triangles on all of the way, both ends included.
[[nodiscard]] bool clear_of_list(const NearList& list, const Path& path, double radius) noexcept;

// How far triangle i is from a point.
struct ListDistance {
    double lower = 0.0;  // proved: the local distance is at least this, >= 0
    Direction direction;
};
[[nodiscard]] ListDistance distance_in_list(const NearList& list, std::size_t i,
                                            const Vec3& point) noexcept;

// Can triangle i come within `reach` of the point? False is a proof that it does not. Cheap.
[[nodiscard]] bool may_be_within(const NearList& list, std::size_t i, const Vec3& point,
                                 double reach) noexcept;

}  // namespace graze::slide
