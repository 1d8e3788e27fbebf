// The gap between an ellipsoid, a capsule or a rounded box and triangles, decided in exact arithmetic.
//
// Verifies the movers of graze/slide: it shares no code with that module, not even the tree.
// An ellipsoid with radii r at c is a unit ball in the coordinates x / r. There its distance to a
// triangle is the square root of a fraction of the input, so that it can be compared without
// rounding. A ball with radius 1 + g / min(r) in there is at least the ellipsoid grown by g all
// around: distance >= 1 + g / min(r) proves a gap of at least g; for a ball both are the same.
// A shape with a half axis has such an ellipsoid around each point of the segment from
// c - half_axis to c + half_axis: the distance is then that of the segment and the triangle.
// With side axes it has one around each point of the box that these span with the half axis.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze::verify {

using Corners = std::array<Vec3, 3>;
using SideAxes = std::array<Vec3, 2>;

struct GapAnswer {
    // [length] how deep it is inside, rounded; 0 iff exactly no overlap. The smallest radius where a
    // triangle goes through the centre or the axis.
    double depth = 0.0;
    bool keeps_skin = true;  // the gap to each triangle is at least the skin, exactly
    double least_gap = 0.0;  // [length] rounded; what is farther than reach counts as reach
    std::uint32_t face = 0;  // the nearest one, if least_gap < reach
    Vec3 normal;             // of unit length, at the contact with it, in true space
};

// A set of triangles that is asked many times about one shape.
class GapMeasure {
public:
    // Requires: finite vertices, radii > 0, a finite half axis.
    GapMeasure(std::vector<Corners> triangles, const Vec3& radii, const Vec3& half_axis = {},
               const SideAxes& side_axes = {});

    // Exact as stated above, for the triangles within `reach` of the shape.
    // Requires: centre finite, 0 <= skin <= reach.
    [[nodiscard]] GapAnswer ask(const Vec3& centre, double skin, double reach) const;

    // Of all contacts within `reach` of the shape: the normal that points up (y) most, estimated.
    [[nodiscard]] std::optional<Vec3> support_normal(const Vec3& centre, double reach) const;

    // The gap stays at least `gap` on the straight path, estimated with 1e-9 of the radius to spare.
    [[nodiscard]] bool is_path_clear(const Vec3& from, const Vec3& to, double gap) const;

    // One of the first `count` triangles lies between the points, estimated.
    [[nodiscard]] bool is_between(const Vec3& from, const Vec3& to, std::size_t count) const;

    [[nodiscard]] std::span<const Corners> triangles() const noexcept { return triangles_; }

private:
    struct Node {
        Vec3 low;
        Vec3 high;
        std::uint32_t first = 0;  // of its triangles in order_
        std::uint32_t count = 0;
        std::uint32_t right = 0;  // 0: a leaf; the left child is the next node
    };
    std::uint32_t build(std::uint32_t first, std::uint32_t count);
    // Half the box of the shape grown by reach, with a margin for rounding errors.
    [[nodiscard]] Vec3 box_half(double reach, const Vec3& centre) const;
    // From the shape's centre or axis to the nearest point of the triangle, estimated, in the
    // coordinates x / radii.
    [[nodiscard]] Vec3 nearest_offset(const Corners& seen) const;
    template <class Use>
    void for_each_near(const Vec3& low, const Vec3& high, Use use) const;

    std::vector<Corners> triangles_;
    Vec3 radii_;
    Vec3 half_axis_;
    SideAxes side_axes_;
    Vec3 core_;       // half_axis / radii
    SideAxes sides_;  // side_axes / radii
    bool is_box_ = false;
    double least_radius_ = 1.0;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
};

// Distance from the point, or from the segment around it, to the triangle in the coordinates x / radii, and how it compares with
// 1 + gap / min(radii): without rounding but for `distance`.
struct ScaledDistance {
    bool is_less = false;
    double distance = 0.0;
    double short_of = 0.0;  // by how much the distance is below the bound; 0 if it is not
};
[[nodiscard]] ScaledDistance compare_exactly(const Corners& triangle, const Vec3& radii,
                                             const Vec3& centre, double gap,
                                             const Vec3& half_axis = {},
                                             const SideAxes& side_axes = {});

}  // namespace graze::verify
