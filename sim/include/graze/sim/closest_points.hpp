// Nearest points of two elements and the derivatives of their squared distance.
//
// Nearest points are a weighted sum w = sum_i c_i(u) x_i of the vertices, linear in up to two
// parameters u, and the squared distance is D(x) = min over u of |w|^2. So (envelope theorem)
//   dD/dx = 2 c_i w,   d2D/dx2 = f_xx - f_xu f_uu^-1 f_ux   with f(x, u) = |w|^2,
// the latter for the parameters that are not at a bound. One formula serves all kinds of pairs.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "graze/narrow/query_kind.hpp"
#include "graze/sim/energy.hpp"

namespace graze::sim {

struct ClosestPoints {
    std::array<double, 4> weight{};  // of the vertices; those of one side are negative
    // d weight / d u for the parameters that are inside of their range.
    std::array<std::array<double, 4>, 2> derivative{};
    int parameters = 0;
    Vec3 difference{};  // w
    double squared = 0.0;
};

// Vertices in the order of the query kinds: vertex and face, edge and edge, vertex and vertex, vertex
// and edge. In floating point: estimates.
[[nodiscard]] ClosestPoints closest_points(QueryKind kind, const std::array<Vec3, 4>& x);

// Requires: as many vertices as the kind has; rows past them become zero.
void squared_distance_derivatives(const ClosestPoints& points, const std::array<Vec3, 4>& x,
                                  Vector12& gradient, Matrix12& hessian);

}  // namespace graze::sim
