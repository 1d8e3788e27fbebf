// Vectors of integers of bounded size, and whether the origin lies on a triangle or a patch whose
// plane holds it.
#pragma once

#include <array>
#include <cstddef>

#include "graze/core/big_integer.hpp"
#include "graze/core/power_of_two.hpp"

namespace graze::parity {

// Sizes, |value| < 2^bits. A coordinate is a double below 2^1024 that is a multiple of 2^-1074, at
// a time that is a multiple of 2^-1074; a corner is the difference of two.
inline constexpr int kCoordinateBits = kMaxExponent + 1 - 2 * kMinExponent + 1;
inline constexpr int kAreaBits = 2 * kCoordinateBits + 3;            // up to 6 products
inline constexpr int kVolumeBits = kAreaBits + kCoordinateBits + 2;  // 3 products
inline constexpr int kPhiBits = 2 * kVolumeBits + 1;                 // 2 products
static_assert(kCoordinateBits == 3173 && kPhiBits == 19049, "redo the sizes");

using Coordinate = BigInteger<kCoordinateBits>;
using Area = BigInteger<kAreaBits>;
using Volume = BigInteger<kVolumeBits>;

template <int kBits, int kA, int kB>
[[nodiscard]] BigInteger<kBits> product(const BigInteger<kA>& a, const BigInteger<kB>& b) noexcept {
    static_assert(kBits >= kA + kB);
    return BigInteger<kBits>(a) * BigInteger<kBits>(b);
}
template <int kBits>
[[nodiscard]] int compare(const BigInteger<kBits>& a, const BigInteger<kBits>& b) noexcept {
    return a < b ? -1 : a == b ? 0 : 1;
}

struct Point {
    std::array<Coordinate, 3> x;
};
using AreaVector = std::array<Area, 3>;

[[nodiscard]] inline Point operator-(const Point& a, const Point& b) noexcept {
    return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}
// Coordinate `axis` of a x b.
[[nodiscard]] inline Area cross_coordinate(const Point& a, const Point& b,
                                           std::size_t axis) noexcept {
    const std::size_t i = (axis + 1) % 3;
    const std::size_t j = (axis + 2) % 3;
    return product<kAreaBits>(a.x[i], b.x[j]) - product<kAreaBits>(a.x[j], b.x[i]);
}
[[nodiscard]] inline int cross_sign(const Point& a, const Point& b, std::size_t axis) noexcept {
    const std::size_t i = (axis + 1) % 3;
    const std::size_t j = (axis + 2) % 3;
    return compare(product<kAreaBits>(a.x[i], b.x[j]), product<kAreaBits>(a.x[j], b.x[i]));
}
[[nodiscard]] inline AreaVector cross(const Point& a, const Point& b) noexcept {
    return {cross_coordinate(a, b, 0), cross_coordinate(a, b, 1), cross_coordinate(a, b, 2)};
}
[[nodiscard]] inline Area dot(const Point& a, const Point& b) noexcept {
    return product<kAreaBits>(a.x[0], b.x[0]) + product<kAreaBits>(a.x[1], b.x[1]) +
           product<kAreaBits>(a.x[2], b.x[2]);
}
[[nodiscard]] inline Volume dot(const AreaVector& a, const Point& b) noexcept {
    return product<kVolumeBits>(a[0], b.x[0]) + product<kVolumeBits>(a[1], b.x[1]) +
           product<kVolumeBits>(a[2], b.x[2]);
}

// Is the origin on the closed triangle? Collinear corners and coinciding ones included.
// Requires: det(a, b, c) = 0.
[[nodiscard]] bool triangle_holds_origin(const Point& a, const Point& b, const Point& c) noexcept;

// Is the origin on the bilinear patch S(a, b) of boundary_image.hpp?
// Requires: the four corners are in one plane with the origin.
[[nodiscard]] bool flat_patch_holds_origin(const std::array<Point, 4>& q) noexcept;

}  // namespace graze::parity
