// Arrays in and out: NumPy arrays, DLPack tensors and lists as spans, without copies where possible.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/narrow/query_kind.hpp"
#include "graze/surface/faces.hpp"

namespace graze::python {

namespace py = pybind11;

// Bytes of whole arrays that had to be copied so far: 0 for native, aligned arrays of the right type.
// Tests hold the module to it.
[[nodiscard]] std::uint64_t copied_bytes() noexcept;

// "start: ...": the argument, and what is wrong with it.
[[noreturn]] void throw_type_error(const std::string& argument, const std::string& message);
[[noreturn]] void throw_shape_error(const std::string& argument, py::handle array,
                                    const std::string& expected);

// An aligned array of native float64 or float32, with whatever strides, from an array, an object
// with __dlpack__ on the CPU or a list. float16 and integers of magnitude up to 2^53 become float64;
// other types are a TypeError, since they may not fit a double.
[[nodiscard]] py::array real_array(py::handle object, const char* argument);
// The same as float64 in C order.
[[nodiscard]] py::array doubles_array(py::handle object, const char* argument);

// Rows of three numbers. A float64 array in C order is not copied, others are.
class Positions {
public:
    Positions() = default;
    Positions(py::handle object, const char* argument);
    [[nodiscard]] std::span<const Vec3> span() const noexcept { return rows_; }
    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }

private:
    py::object owner_;
    std::span<const Vec3> rows_;
};

// One number for each vertex; None is none.
class Numbers {
public:
    Numbers() = default;
    Numbers(py::handle object, const char* argument);
    [[nodiscard]] std::span<const double> span() const noexcept { return values_; }

private:
    py::object owner_;
    std::span<const double> values_;
};

// Three numbers: a point, a vector.
[[nodiscard]] Vec3 vec3_of(py::handle object, const char* argument);

// Integers >= 0 of any type that fit into 32 bits; errors name argument and index.
[[nodiscard]] std::vector<std::uint32_t> index_list(py::handle object, const char* argument);
// Rows of N such integers; an empty array of any shape is an empty list.
template <std::size_t N>
[[nodiscard]] std::vector<std::array<std::uint32_t, N>> index_rows(py::handle object,
                                                                   const char* argument);
// The same for values; None is none.
[[nodiscard]] std::vector<std::uint32_t> optional_indices(py::handle object, const char* argument);
[[nodiscard]] std::vector<std::uint8_t> optional_flags(py::handle object, const char* argument);

// Queries as (n, vertices, 3), or (vertices, 3) for one; read with their own strides.
struct QueryArray {
    py::array owner;
    const std::byte* data = nullptr;
    std::array<py::ssize_t, 3> strides{};  // [bytes] query, vertex, coordinate
    std::size_t count = 0;
    bool is_single = false;
    bool is_float = false;
};
[[nodiscard]] QueryArray query_array(py::handle object, QueryKind kind, const char* argument);
struct QueryArrays {
    QueryArray start;
    QueryArray end;
    [[nodiscard]] std::size_t size() const noexcept { return start.count; }
};
// Both ends; a ValueError where they are not equally many.
[[nodiscard]] QueryArrays query_arrays(py::handle start, py::handle end, QueryKind kind);

// "vf", "vertex-face" and so on; a ValueError names the argument.
[[nodiscard]] QueryKind kind_of(const std::string& name);

// Query `index` as motion: exact, since every float is a double.
template <class Motion>
[[nodiscard]] inline Motion motion_at(const QueryArrays& arrays, std::size_t index) noexcept;

// --- out -----------------------------------------------------------------------------------------

// The vector itself as an array of rows: it moves, nothing is copied.
[[nodiscard]] py::array array_of(std::vector<Vec3>&& rows);
[[nodiscard]] py::array array_of(std::vector<double>&& values);
template <class T>
[[nodiscard]] py::array array_of_rows(std::vector<T>&& rows) {
    auto owned = std::make_unique<std::vector<T>>(std::move(rows));
    const auto size = static_cast<py::ssize_t>(owned->size());
    T* const data = owned->data();
    py::capsule owner(owned.get(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
    owned.release();
    return py::array(py::dtype::of<T>(), {size}, {static_cast<py::ssize_t>(sizeof(T))}, data,
                     owner);
}
template <std::size_t N>
[[nodiscard]] py::array array_of_indices(std::span<const std::array<std::uint32_t, N>> rows) {
    py::array_t<std::uint32_t> array({static_cast<py::ssize_t>(rows.size()), py::ssize_t{N}});
    std::uint32_t* out = array.mutable_data();
    for (const auto& row : rows)
        out = std::copy(row.begin(), row.end(), out);
    return array;
}
[[nodiscard]] py::array array_of_indices(std::span<const std::uint32_t> values);
template <class Real>
[[nodiscard]] py::tuple tuple_of(const Vec<Real>& v) {
    return py::make_tuple(v.x, v.y, v.z);
}
[[nodiscard]] inline std::array<double, 3> triple_of(const Vec3& v) noexcept {
    return {v.x, v.y, v.z};
}

// --- details -------------------------------------------------------------------------------------

template <class Real>
[[nodiscard]] inline Vec3 point_at(const QueryArray& array, std::size_t query,
                                   std::size_t vertex) noexcept {
    const std::byte* p = array.data + static_cast<py::ssize_t>(query) * array.strides[0] +
                         static_cast<py::ssize_t>(vertex) * array.strides[1];
    const auto at = [&](py::ssize_t axis) {
        return double{*reinterpret_cast<const Real*>(p + axis * array.strides[2])};
    };
    return {at(0), at(1), at(2)};
}

template <class Motion>
inline Motion motion_at(const QueryArrays& arrays, std::size_t index) noexcept {
    std::array<MovingPoint, Motion::kVertices> v;
    for (std::size_t k = 0; k < v.size(); ++k) {
        v[k].start = arrays.start.is_float ? point_at<float>(arrays.start, index, k)
                                           : point_at<double>(arrays.start, index, k);
        v[k].end = arrays.end.is_float ? point_at<float>(arrays.end, index, k)
                                       : point_at<double>(arrays.end, index, k);
    }
    return motion_from_vertices<Motion>(v);
}

}  // namespace graze::python
