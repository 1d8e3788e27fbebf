// Where a part of a world is: a rigid map to Reals, and boxes on both sides of it (SW-1).
#pragma once

#include <cmath>

#include "graze/broad/box.hpp"
#include "graze/core/pose.hpp"
#include "graze/slide/precision.hpp"

namespace graze::slide {

struct Placement {
    std::array<Vec3, 3> row{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vec3 translation;
    double error = 0.0;  // [length] of a coordinate of a placed vertex from the exact product

    // One sequence of operations: what comes out is the vertex.
    template <class Real>
    [[nodiscard]] Vec<Real> placed(const Vec<Real>& vertex) const noexcept {
        const Vec3 v = widened(vertex);
        return narrowed<Real>({dot(row[0], v) + translation.x, dot(row[1], v) + translation.y,
                               dot(row[2], v) + translation.z});
    }
    // A box of the mesh that every triangle meets whose placed one meets the box.
    [[nodiscard]] Box to_mesh(const Box& box) const noexcept;
    // A box that holds all placed vertices of what is in the box of the mesh.
    [[nodiscard]] Box to_world(const Box& box) const noexcept;
};

// [length] What a coordinate of a placed vertex is off the exact product by, at most, where the sum of
// the largest magnitudes of the mesh's coordinates and the translation's are at most these (SW-1).
template <class Real>
[[nodiscard]] double place_error(double size, double translation) noexcept;

// The rotation that leads from one to the other by the smaller angle, of unit length and with a scalar
// part >= 0. Its sense is that of the quaternions as given, in exact arithmetic: of two rotations that are
// half a turn apart but for rounding, too. Exactly half a turn: that of the product.
// Requires: what check() accepts.
[[nodiscard]] Quaternion change_between(const Quaternion& from, const Quaternion& to) noexcept;

// `size`: the sum of the largest magnitudes of a coordinate of the mesh, along each axis.
// Requires: a pose that check() accepts.
template <class Real>
[[nodiscard]] Placement placement_of(const Pose& pose, double size) noexcept;

}  // namespace graze::slide
