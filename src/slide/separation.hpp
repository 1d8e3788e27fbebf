// Which direction parts a point from a triangle best, and what it proves.
//
// Whatever the direction w: where w . (p - q) >= radius |w| for all corners q of the triangle, the
// ball around p is clear of the triangle. The choice of w may be careless, the sums may not.
#pragma once

#include "graze/slide/sweep.hpp"
#include "slide/frame.hpp"
#include "slide/near_list.hpp"

namespace graze::slide {

struct Direction {
    Vec3 w;            // from the triangle to the point, of any length
    Vec3 on_triangle;  // nearest to the point, about
    Feature feature = Feature::Face;
};

[[nodiscard]] Direction direction_to(const LocalTriangle& triangle, const Vec3& point) noexcept;

// w . (path(s) - q) - radius |w| >= at_from + s * slope for all corners q and s in [0, 1], in exact
// arithmetic for the exact path and corners. NaN, or minus infinity, where nothing is proved.
struct SlackLine {
    double at_from = 0.0;
    double slope = 0.0;
    double length = 0.0;  // of w, rounded up
};
[[nodiscard]] SlackLine slack_line(const LocalTriangle& triangle, const Vec3& w, const Path& path,
                                   double radius) noexcept;

}  // namespace graze::slide
