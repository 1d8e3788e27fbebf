// Meshes as Eigen matrices: one row a vertex, face or edge. The only header that needs Eigen.
#pragma once

#include <Eigen/Core>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/mesh/topology.hpp"

namespace graze {

namespace eigen_detail {

[[nodiscard]] inline Expected<void> check_columns(Eigen::Index found, Eigen::Index wanted,
                                                  const char* what) {
    if (found == wanted) return {};
    return Error{std::string(what) + " has " + std::to_string(found) + " columns, not " +
                 std::to_string(wanted)};
}

// An empty matrix of any shape is an empty list.
template <std::size_t N, class Derived>
[[nodiscard]] Expected<std::vector<std::array<std::uint32_t, N>>> index_rows(
    const Eigen::DenseBase<Derived>& matrix, const char* what, const char* one) {
    using Scalar = typename Derived::Scalar;
    static_assert(std::integral<Scalar> && !std::same_as<Scalar, bool>, "indices are integers");
    std::vector<std::array<std::uint32_t, N>> rows;
    if (matrix.rows() == 0) return rows;
    const auto good = check_columns(matrix.cols(), Eigen::Index{N}, what);
    if (!good) return good.error();
    rows.resize(static_cast<std::size_t>(matrix.rows()));
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
        for (std::size_t k = 0; k < N; ++k) {
            const Scalar index = matrix(i, static_cast<Eigen::Index>(k));
            if (!std::in_range<std::uint32_t>(index)) {
                return Error{std::string(one) + " " + std::to_string(i) + ": index " +
                             std::to_string(index) +
                             (index < 0 ? " is negative" : " is too large")};
            }
            rows[static_cast<std::size_t>(i)][k] = static_cast<std::uint32_t>(index);
        }
    }
    return rows;
}

}  // namespace eigen_detail

// The rows of an n x 3 matrix of floats or doubles, in any storage order: exact.
// Errors: another number of columns; a coordinate that is not finite.
template <class Derived>
[[nodiscard]] Expected<std::vector<Vec3>> positions_from(const Eigen::DenseBase<Derived>& v) {
    using Scalar = typename Derived::Scalar;
    static_assert(std::same_as<Scalar, float> || std::same_as<Scalar, double>,
                  "other numbers may not fit a double");
    const auto good = eigen_detail::check_columns(v.cols(), 3, "the matrix of positions");
    if (!good) return good.error();
    std::vector<Vec3> positions(static_cast<std::size_t>(v.rows()));
    for (Eigen::Index i = 0; i < v.rows(); ++i) {
        const Vec3 position{static_cast<double>(v(i, 0)), static_cast<double>(v(i, 1)),
                            static_cast<double>(v(i, 2))};
        if (!is_finite(position)) {
            return Error{"the position of vertex " + std::to_string(i) + " is not finite"};
        }
        positions[static_cast<std::size_t>(i)] = position;
    }
    return positions;
}

// The topology of m x 3 faces and k x 2 loose edges, of any integer type and storage order. A
// matrix without rows may have any number of columns.
// Errors: another number of columns, a negative index, one that is not below vertex_count.
template <class Faces, class Edges>
[[nodiscard]] Expected<MeshTopology> topology_from(std::size_t vertex_count,
                                                   const Eigen::DenseBase<Faces>& f,
                                                   const Eigen::DenseBase<Edges>& e) {
    const auto faces = eigen_detail::index_rows<3>(f, "the matrix of faces", "face");
    if (!faces) return faces.error();
    const auto edges = eigen_detail::index_rows<2>(e, "the matrix of edges", "edge");
    if (!edges) return edges.error();
    return make_topology(vertex_count, *faces, *edges);
}
template <class Faces>
[[nodiscard]] Expected<MeshTopology> topology_from(std::size_t vertex_count,
                                                   const Eigen::DenseBase<Faces>& f) {
    return topology_from(vertex_count, f, Eigen::Matrix<int, 0, 2>());
}

}  // namespace graze
