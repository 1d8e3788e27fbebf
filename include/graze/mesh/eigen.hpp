// Meshes as Eigen matrices, in and out: one row per vertex, face or edge. The only header that needs
// Eigen. For a whole step: MeshStepper::create(V, E, F), largest_safe_step(stepper, V, V + dV), then
// write_positions(*step, V).
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
#include "graze/mesh/input.hpp"
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
    const Eigen::DenseBase<Derived>& matrix) {
    if (matrix.rows() == 0) return std::vector<std::array<std::uint32_t, N>>();
    const auto good = check_columns(matrix.cols(), Eigen::Index{N},
                                    N == 2 ? "the matrix of edges" : "the matrix of faces");
    if (!good) return good.error();
    return mesh_detail::read_index_rows<N>(
        static_cast<std::size_t>(matrix.rows()), mesh_detail::kRowName<N>,
        [&](std::size_t i, std::size_t k) {
            return matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
        });
}

// Doubles in memory, row by row: where nothing lies between them they are positions.
template <class T>
inline constexpr bool kMayBeView = std::same_as<typename T::Scalar, double> &&
                                   (T::Flags & Eigen::DirectAccessBit) != 0 &&
                                   ((T::Flags & Eigen::RowMajorBit) != 0 ||
                                    T::ColsAtCompileTime == 1);

template <class T>
[[nodiscard]] bool has_no_gaps(const T& v) noexcept {
    if (v.innerStride() != 1) return false;
    return T::ColsAtCompileTime == 1 || (v.cols() == 3 && (v.rows() < 2 || v.outerStride() == 3));
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
    const auto faces = eigen_detail::index_rows<3>(f);
    if (!faces) return faces.error();
    const auto edges = eigen_detail::index_rows<2>(e);
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

// The positions of a result: SafeStep, LineSearchResult, FreeFractions, PathStep.
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

// --- Matrices as arguments -----------------------------------------------------------------------

// Every call that takes Positions takes matrices, blocks, maps and expressions of n x 3 floats or
// doubles, and vectors of 3 n doubles: a view of row-major doubles without gaps between rows (of a
// column-major 3 x n matrix its transpose() is that) and of vectors, a copy of everything else. Errors
// as of positions_from().
template <class T>
requires std::derived_from<T, Eigen::DenseBase<T>>
struct PositionTraits<T> {
    [[nodiscard]] static Positions read(const T& v) {
        if constexpr (eigen_detail::kMayBeView<T>) {
            if (eigen_detail::has_no_gaps(v)) {
                const auto count = static_cast<std::size_t>(v.size());
                return Positions(std::span<const double>(v.derived().data(), count));
            }
        }
        Expected<std::vector<Vec3>> copy = positions_from(v);
        return copy ? Positions::of_copy(*std::move(copy)) : Positions::of_error(copy.error());
    }
};

// MeshStepper::create() and set_topology() take matrices of integers.
template <class T, std::size_t N>
requires std::derived_from<T, Eigen::DenseBase<T>>
struct IndexTraits<T, N> {
    [[nodiscard]] static Expected<std::vector<std::array<std::uint32_t, N>>> read(const T& matrix) {
        return eigen_detail::index_rows<N>(matrix);
    }
};

// --- A step in one call --------------------------------------------------------------------------

// largest_safe_step() of a mesh that is stepped once; errors as of topology_from(), too. Whoever takes
// many steps keeps a MeshStepper, with its trees and buffers, and calls largest_safe_step(stepper, ...).
template <class Start, class End, class Faces>
[[nodiscard]] Expected<SafeStep> largest_safe_step(const Eigen::DenseBase<Start>& v0,
                                                   const Eigen::DenseBase<End>& v1,
                                                   const Eigen::DenseBase<Faces>& f,
                                                   const StepOptions& options = {}) {
    Expected<MeshTopology> topology = topology_from(static_cast<std::size_t>(v0.rows()), f);
    if (!topology) return topology.error();
    MeshStepper stepper(std::move(*topology));
    return largest_safe_step(stepper, v0.derived(), v1.derived(), options);
}

}  // namespace graze
