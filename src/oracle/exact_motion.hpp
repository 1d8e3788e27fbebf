// A query in integers: every question becomes one about the origin and a moving hull.
//
// The difference of a point of one primitive and a point of the other runs over the convex hull of
// the differences D of their corners, so the primitives touch iff the origin lies in that hull:
//   vertex-vertex  one point      vertex-edge  a segment      vertex-face  a triangle
//   edge-edge      a parallelogram D00 D10 D11 D01, which is the union of two triangles
// Each D is linear in t, with integer coefficients after scaling by powers of two.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "graze/oracle/oracle.hpp"
#include "polynomial.hpp"

namespace graze::oracle {

using VectorPoly = std::array<Poly, 3>;

[[nodiscard]] VectorPoly operator-(const VectorPoly& a, const VectorPoly& b);
[[nodiscard]] VectorPoly operator+(const VectorPoly& a, const VectorPoly& b);
[[nodiscard]] VectorPoly cross(const VectorPoly& a, const VectorPoly& b);
[[nodiscard]] Poly dot(const VectorPoly& a, const VectorPoly& b);

using IntegerPoint = std::array<mpz_class, 3>;

[[nodiscard]] constexpr std::size_t corner_count(Kind kind) noexcept {
    return kind == Kind::VertexVertex ? 2 : kind == Kind::VertexEdge ? 3 : 4;
}

// Corner positions at both ends of the step, times a power of two per axis.
struct IntegerMotion {
    Kind kind = Kind::VertexFace;
    std::array<IntegerPoint, 4> start;
    std::array<IntegerPoint, 4> end;
};

[[nodiscard]] bool is_finite(const Query& query);

// Each axis scaled by its own power of two: contact is invariant under affine maps, and numbers
// stay as short as they can be. Requires: finite.
[[nodiscard]] IntegerMotion scaled_per_axis(const Query& query);

// All axes and the separation scaled by the same power of two, so that distances keep their
// meaning.
struct ScaledMotion {
    IntegerMotion motion;
    mpz_class separation;
};
// Requires: finite, separation finite and >= 0.
[[nodiscard]] ScaledMotion scaled_uniformly(const Query& query, double separation);

// The same motion between the times begin and end, as a whole step.
[[nodiscard]] IntegerMotion restricted_to(const IntegerMotion& motion, double begin, double end);

// Corner c as a polynomial in t.
[[nodiscard]] VectorPoly corner_path(const IntegerMotion& motion, std::size_t c);

// The moving hulls whose union must be tested against the origin; 1, 2 or 3 points each.
using Hull = std::vector<VectorPoly>;
[[nodiscard]] std::vector<Hull> difference_hulls(const IntegerMotion& motion);

}  // namespace graze::oracle
