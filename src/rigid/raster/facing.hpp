// The parts of a surface that look along the motion, or against it (Buss 2005, section 4.2).
#pragma once

#include <optional>

#include "rigid/raster/body.hpp"

namespace graze::rigid::raster {

// n . velocity(x), times the body's sign, is gradient . x + constant on the plane of a face, in the
// local coordinates of the body: >= 0 on the facing part.
struct FacingFunction {
    Vec3 gradient;
    double constant = 0.0;
    double tolerance = 0.0;  // |value| <= tolerance counts as 0, which is facing
    [[nodiscard]] double operator()(const Vec3& x) const noexcept {
        return dot(gradient, x) + constant;
    }
    [[nodiscard]] bool faces(double value) const noexcept { return value >= -tolerance; }
};

// The twist of the motion in the local coordinates of a body.
struct LocalTwist {
    Vec3 angular;
    Vec3 linear;
    double sign = 1.0;
    double tolerance = 0.0;
};
[[nodiscard]] LocalTwist local_twist(const Body& body, const Flow& flow) noexcept;
[[nodiscard]] FacingFunction facing_function(const LocalTwist& twist, const Vec3& normal) noexcept;

// Fills faces, edges, projected and candidate. Faces without a normal face nowhere; those along the
// motion (n . velocity = 0) belong to the facing part of either body.
void find_facing(Body& body, const LocalTwist& twist);

// Where a face that faces in part stops doing so: on a line of its plane, along which the motion
// slides. A virtual edge, between the outermost points where the line meets the face's boundary, in
// local coordinates.
struct Segment {
    Vec3 from;
    Vec3 to;
};
[[nodiscard]] std::optional<Segment> fold(const Polyhedron& shape, std::uint32_t face,
                                          const FacingFunction& value);

}  // namespace graze::rigid::raster
