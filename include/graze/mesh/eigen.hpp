// Meshes as Eigen matrices, in and out: one row per vertex, face or edge. The only header that needs
// Eigen. For a whole step: largest_safe_step(V0, V1, F), then write_positions(*step, V).
#pragma once

#include <Eigen/Core>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/mesh/safe_step.hpp"
#include "graze/mesh/step.hpp"
#include "graze/mesh/topology.hpp"

namespace graze {

namespace eigen_detail {

[[nodiscard]] inline Expected<void> check_columns(Eigen::Index found, Eigen::Index wanted,
                                                  const char* what) {
    if (found == wanted) return {};
    return Error{std::string(what) + " has " + std::to_string(found) + " columns, not " +
                     std::to_string(wanted),
                 ErrorCode::WrongSize};
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
                                 (index < 0 ? " is negative" : " is too large"),
                             ErrorCode::IndexOutOfRange, static_cast<std::size_t>(i)};
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
            return Error{"the position of vertex " + std::to_string(i) + " is not finite",
                         ErrorCode::NotFinite, static_cast<std::size_t>(i)};
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

// --- Results as matrices -------------------------------------------------------------------------

// Writes positions into an n x 3 matrix, map or block of doubles, in any storage order: exact, so that
// what was proved of the positions holds for the matrix. Resizes a matrix that can be resized.
// There is no such function for floats: rounded positions are another motion.
// Errors: a matrix of another shape that cannot be resized.
template <class Derived>
[[nodiscard]] Expected<void> write_positions(std::span<const Vec3> positions,
                                             const Eigen::MatrixBase<Derived>& matrix) {
    static_assert(std::same_as<typename Derived::Scalar, double>,
                  "positions would be rounded, and nothing was proved of rounded ones");
    // How Eigen lets functions write to blocks and maps that are temporaries.
    auto& v = const_cast<Eigen::MatrixBase<Derived>&>(matrix).derived();
    const auto rows = static_cast<Eigen::Index>(positions.size());
    if constexpr (std::is_base_of_v<Eigen::PlainObjectBase<Derived>, Derived>) {
        constexpr bool kFits =
            (Derived::RowsAtCompileTime == Eigen::Dynamic) &&
            (Derived::ColsAtCompileTime == Eigen::Dynamic || Derived::ColsAtCompileTime == 3);
        if constexpr (kFits) v.resize(rows, 3);
    }
    if (v.rows() != rows || v.cols() != 3) {
        return Error{"the matrix is " + std::to_string(v.rows()) + " x " +
                         std::to_string(v.cols()) + ", not " + std::to_string(rows) + " x 3",
                     ErrorCode::WrongSize};
    }
    for (Eigen::Index i = 0; i < rows; ++i) {
        const Vec3& p = positions[static_cast<std::size_t>(i)];
        v(i, 0) = p.x;
        v(i, 1) = p.y;
        v(i, 2) = p.z;
    }
    return {};
}

// The positions of a result: SafeStep, LineSearchResult, FreeFractions.
template <class Result, class Derived>
requires requires(const Result& r) {
    std::span<const Vec3>(r.positions);
}
[[nodiscard]] Expected<void> write_positions(const Result& result,
                                             const Eigen::MatrixBase<Derived>& matrix) {
    return write_positions(std::span<const Vec3>(result.positions), matrix);
}

// Impacts, row by row.
struct ImpactMatrices {
    // kind (as of QueryKind: 0 vertex-face, 1 edge-edge, 2 vertex-vertex, 3 vertex-edge), a, b.
    Eigen::Matrix<std::int64_t, Eigen::Dynamic, 3> pairs;
    Eigen::Matrix<double, Eigen::Dynamic, 2> toi;  // toi_lower, toi_upper
};
[[nodiscard]] inline ImpactMatrices to_matrices(std::span<const Impact> impacts) {
    const auto rows = static_cast<Eigen::Index>(impacts.size());
    ImpactMatrices matrices;
    matrices.pairs.resize(rows, 3);
    matrices.toi.resize(rows, 2);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const Impact& impact = impacts[static_cast<std::size_t>(i)];
        matrices.pairs.row(i) << static_cast<std::int64_t>(impact.kind), impact.a, impact.b;
        matrices.toi.row(i) << impact.result.toi_lower, impact.result.toi_upper;
    }
    return matrices;
}

// --- A step in one call --------------------------------------------------------------------------

// largest_safe_step() from matrices; errors as of it and of positions_from().
template <class Start, class End>
[[nodiscard]] Expected<SafeStep> largest_safe_step(MeshStepper& stepper,
                                                   const Eigen::DenseBase<Start>& v0,
                                                   const Eigen::DenseBase<End>& v1,
                                                   const StepOptions& options = {}) {
    const Expected<std::vector<Vec3>> start = positions_from(v0);
    if (!start) return start.error();
    const Expected<std::vector<Vec3>> end = positions_from(v1);
    if (!end) return end.error();
    return largest_safe_step(stepper, *start, *end, options);
}

// The same for one step of a mesh; errors as of topology_from(), too. Whoever takes many steps keeps a
// MeshStepper, with its trees and buffers, and calls the function above.
template <class Start, class End, class Faces>
[[nodiscard]] Expected<SafeStep> largest_safe_step(const Eigen::DenseBase<Start>& v0,
                                                   const Eigen::DenseBase<End>& v1,
                                                   const Eigen::DenseBase<Faces>& f,
                                                   const StepOptions& options = {}) {
    Expected<MeshTopology> topology = topology_from(static_cast<std::size_t>(v0.rows()), f);
    if (!topology) return topology.error();
    MeshStepper stepper(std::move(*topology));
    return largest_safe_step(stepper, v0, v1, options);
}

}  // namespace graze
