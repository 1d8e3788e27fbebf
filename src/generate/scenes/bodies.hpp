// Small meshes, rational rotations and scenes put together from both.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generate/grid_contact.hpp"
#include "graze/core/pose.hpp"
#include "graze/generate/scenes.hpp"

namespace graze::generate {

struct Body {
    std::vector<Vec3> points;
    std::vector<std::array<std::uint32_t, 3>> faces;
};

// Scales and shifts of a unit interval: from low to high.
struct Span {
    double low = 0.0;
    double high = 1.0;
};

// A rectangle at a height.
struct Level {
    double y = 0.0;
    Span x;
    Span z;
};
// The block between two levels; a box if they are alike.
[[nodiscard]] Body block(const Level& bottom, const Level& top);
// A pyramid with its tip at `tip`; the square base is `height` above it, below it if negative.
[[nodiscard]] Body spike(const Vec3& tip, double half_width, double height);
// A roof whose ridge runs along z at (x, y); the base is `height` above it, below it if negative.
[[nodiscard]] Body ridge(const Vec3& ridge_start, double length, double half_width, double height);
// A height field over lines in x and z, each cell cut in two, the diagonals alternating.
[[nodiscard]] Body terrain(const std::vector<double>& xs, const std::vector<double>& zs);
// A terrain over [x], [z] with cells^2 cells.
[[nodiscard]] Body sheet(const Span& x, const Span& z, std::uint32_t cells_x,
                         std::uint32_t cells_z);
// An octahedron whose faces are cut in cells^2, pushed out to the sphere around the origin.
[[nodiscard]] Body ball(double radius, std::uint32_t cells);
[[nodiscard]] Body octahedron(double radius);
[[nodiscard]] Body tetrahedron(double radius);

// Quaternions of any length but zero: rotations with small integers are rational, and no
// trigonometry is needed. The products and sums of these functions are part of the scenes' values.
[[nodiscard]] Quaternion operator*(const Quaternion& a, const Quaternion& b) noexcept;
// q v q^-1.
[[nodiscard]] Vec3 rotated(const Quaternion& q, const Vec3& v) noexcept;
// About a random axis, with the tangent of half the angle up to `size`.
[[nodiscard]] Quaternion random_rotation(Random& random, double size) noexcept;

// Rounded once: std::hypot may differ between libraries.
[[nodiscard]] double length(const Vec3& v) noexcept;

// Adds a body to the scene; returns the index of its first vertex.
std::uint32_t add_body(QueryScene& scene, const Body& body, bool bends);
// Fills in the edges, once all bodies are there.
void finish_topology(QueryScene& scene);

}  // namespace graze::generate
