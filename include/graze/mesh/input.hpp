// Positions and indices as callers have them: what the calls of a mesh take, without copies where the
// layout is that of the library.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"

namespace graze {

// For other types of matrices: `static Positions read(const T&)`, `static IndexRows<N> read(const T&)`.
// Those of Eigen are in graze/mesh/eigen.hpp.
template <class T>
struct PositionTraits;
template <class T, std::size_t N>
struct IndexTraits;

// One position per vertex. A view of the caller's numbers where they lie as x, y, z of each vertex in
// turn (Vec3, or doubles); a copy of others. Made for the arguments of a call, for as long as it takes.
class Positions {
public:
    // None.
    Positions() = default;
    // Vectors, arrays and spans of Vec3: a view.
    template <class T>
    requires std::convertible_to<const T&, std::span<const Vec3>> Positions(const T& positions)
    noexcept : view_(positions) {}
    // Of doubles, three for each vertex: a view. Otherwise the call returns the error WrongSize.
    template <class T>
    requires std::convertible_to<const T&, std::span<const double>> Positions(const T& coordinates)
        : Positions(of_coordinates(coordinates)) {}
    template <class T>
    requires(!std::convertible_to<const T&, std::span<const double>> &&
             requires(const T& source) { PositionTraits<T>::read(source); })
        Positions(const T& matrix)
        : Positions(PositionTraits<T>::read(matrix)) {}

    Positions(Positions&&) noexcept = default;
    Positions& operator=(Positions&&) noexcept = default;

    // A copy that the object keeps.
    [[nodiscard]] static Positions of_copy(std::vector<Vec3> positions) noexcept {
        Positions result;
        result.copy_ = std::move(positions);
        result.view_ = result.copy_;
        return result;
    }
    [[nodiscard]] static Positions of_error(Error error) {
        Positions result;
        result.error_ = std::move(error);
        return result;
    }

    [[nodiscard]] std::span<const Vec3> view() const noexcept { return view_; }
    // Why there are no positions, if there are none.
    [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
    [[nodiscard]] bool is_view() const noexcept { return copy_.empty(); }

private:
    [[nodiscard]] static Positions of_coordinates(std::span<const double> coordinates);

    std::span<const Vec3> view_;
    std::vector<Vec3> copy_;  // moving a vector leaves its elements where they are
    std::optional<Error> error_;
};

// Three doubles in a row, nothing else: so a row of three doubles can be seen as one.
static_assert(std::is_standard_layout_v<Vec3> && sizeof(Vec3) == 3 * sizeof(double) &&
              alignof(Vec3) == alignof(double));

// Doubles, three for each vertex, as positions to read or to write: the same memory.
// Error: WrongSize.
[[nodiscard]] inline Expected<std::span<const Vec3>> as_positions(std::span<const double> xyz) {
    if (xyz.size() % 3 != 0) {
        return Error{std::to_string(xyz.size()) + " coordinates are not three for each vertex",
                     ErrorCode::WrongSize};
    }
    return std::span(reinterpret_cast<const Vec3*>(xyz.data()), xyz.size() / 3);
}
[[nodiscard]] inline Expected<std::span<Vec3>> as_positions(std::span<double> xyz) {
    const Expected<std::span<const Vec3>> view = as_positions(std::span<const double>(xyz));
    if (!view) return view.error();
    return std::span(reinterpret_cast<Vec3*>(xyz.data()), view->size());
}

inline Positions Positions::of_coordinates(std::span<const double> coordinates) {
    const Expected<std::span<const Vec3>> view = as_positions(coordinates);
    return view ? Positions(*view) : of_error(view.error());
}

// Rows of N indices of vertices: edges (2) and faces (3).
template <std::size_t N>
class IndexRows {
public:
    using Row = std::array<std::uint32_t, N>;

    IndexRows() = default;
    // Vectors, arrays and spans of rows: a view.
    template <class T>
    requires std::convertible_to<const T&, std::span<const Row>> IndexRows(const T& rows)
    noexcept : view_(rows) {}
    // Of integers of any type, N for each row: a copy, each index tested.
    template <class T>
    requires requires(const T& list) {
        requires std::integral<std::remove_cvref_t<decltype(*std::data(list))>>;
        std::span<const std::remove_cvref_t<decltype(*std::data(list))>>(list);
    }
    IndexRows(const T& list) : IndexRows(of_list(std::span(std::data(list), std::size(list)))) {}
    template <class T>
    requires requires(const T& matrix) { IndexTraits<T, N>::read(matrix); }
    IndexRows(const T& matrix) : IndexRows(of_rows(IndexTraits<T, N>::read(matrix))) {}

    IndexRows(IndexRows&&) noexcept = default;
    IndexRows& operator=(IndexRows&&) noexcept = default;

    [[nodiscard]] std::span<const Row> view() const noexcept { return view_; }
    [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

private:
    [[nodiscard]] static IndexRows of_rows(Expected<std::vector<Row>> rows) {
        IndexRows result;
        if (!rows) {
            result.error_ = rows.error();
            return result;
        }
        result.copy_ = *std::move(rows);
        result.view_ = result.copy_;
        return result;
    }
    template <class Index>
    [[nodiscard]] static IndexRows of_list(std::span<const Index> list);

    std::span<const Row> view_;
    std::vector<Row> copy_;
    std::optional<Error> error_;
};

namespace mesh_detail {

// Rows by `at(row, column)`, of any integer type. `one`: what a row is.
// Error: IndexOutOfRange, an index that is negative or too large for 32 bits.
template <std::size_t N, class At>
[[nodiscard]] Expected<std::vector<std::array<std::uint32_t, N>>> read_index_rows(std::size_t count,
                                                                                  const char* one,
                                                                                  const At& at) {
    std::vector<std::array<std::uint32_t, N>> rows(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < N; ++k) {
            const auto index = at(i, k);
            static_assert(std::integral<std::remove_cvref_t<decltype(index)>> &&
                              !std::same_as<std::remove_cvref_t<decltype(index)>, bool>,
                          "indices are integers");
            if (!std::in_range<std::uint32_t>(index)) {
                return Error{std::string(one) + " " + std::to_string(i) + ": index " +
                                 std::to_string(index) +
                                 (std::cmp_less(index, 0) ? " is negative" : " is too large"),
                             ErrorCode::IndexOutOfRange, i};
            }
            rows[i][k] = static_cast<std::uint32_t>(index);
        }
    }
    return rows;
}

template <std::size_t N>
inline constexpr const char* kRowName = N == 2 ? "edge" : "face";

}  // namespace mesh_detail

template <std::size_t N>
template <class Index>
IndexRows<N> IndexRows<N>::of_list(std::span<const Index> list) {
    if (list.size() % N != 0) {
        return of_rows(Error{std::to_string(list.size()) + " indices are not " + std::to_string(N) +
                                 " for each " + mesh_detail::kRowName<N>,
                             ErrorCode::WrongSize});
    }
    return of_rows(mesh_detail::read_index_rows<N>(
        list.size() / N, mesh_detail::kRowName<N>,
        [&](std::size_t i, std::size_t k) { return list[N * i + k]; }));
}

// --- Results back into memory of the caller's ----------------------------------------------------

// Values into as many: exact, so that what was proved of them holds for the copy.
// Error: WrongSize, and nothing was written.
template <class T>
[[nodiscard]] Expected<void> write_values(std::type_identity_t<std::span<const T>> values,
                                          std::span<T> to) {
    if (values.size() != to.size()) {
        return Error{"there are " + std::to_string(values.size()) + " values, and memory for " +
                         std::to_string(to.size()),
                     ErrorCode::WrongSize};
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        to[i] = values[i];
    return {};
}
// Positions as x, y, z of each vertex in turn.
[[nodiscard]] inline Expected<void> write_positions(std::span<const Vec3> positions,
                                                    std::span<double> xyz) {
    const Expected<std::span<Vec3>> to = as_positions(xyz);
    if (!to) return to.error();
    return write_values(positions, *to);
}
// Of a result: SafeStep, LineSearchResult, FreeFractions.
template <class Result>
requires requires(const Result& r) {
    std::span<const Vec3>(r.positions);
}
[[nodiscard]] Expected<void> write_positions(const Result& result, std::span<double> xyz) {
    return write_positions(std::span<const Vec3>(result.positions), xyz);
}

}  // namespace graze
