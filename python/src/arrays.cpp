#include "arrays.hpp"

#include <atomic>
#include <limits>
#include <type_traits>

namespace graze::python {
namespace {

std::atomic<std::uint64_t> bytes_copied{0};

py::object numpy() {
    return py::module_::import("numpy");
}

std::string text_of(py::handle object) {
    return py::cast<std::string>(py::str(object));
}

py::array counted(py::array copy) {
    bytes_copied += static_cast<std::uint64_t>(copy.nbytes());
    return copy;
}

bool is_native_and_aligned(const py::array& array) {
    constexpr int kAligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
    return (array.flags() & kAligned) != 0 && array.dtype().attr("isnative").cast<bool>();
}

bool is_c_contiguous(const py::array& array) {
    return (array.flags() & py::array::c_style) != 0;
}

// Whatever it is as an array; lists become arrays, tensors are not copied.
py::array any_array(py::handle object, const char* argument) {
    if (py::isinstance<py::array>(object)) return py::reinterpret_borrow<py::array>(object);
    try {
        if (py::hasattr(object, "__dlpack__"))
            return py::array(numpy().attr("from_dlpack")(object));
        return py::array(numpy().attr("asarray")(object));
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_Exception)) throw;
        throw_type_error(argument, std::string("cannot be read as an array of the CPU: ") +
                                       text_of(error.value()));
    }
}

// Beyond 2^53 not every integer is a double.
void check_exact(const py::array& integers, const char* argument) {
    if (integers.size() == 0) return;
    const py::object limit = py::int_(std::uint64_t{1} << 53U);
    const py::object large =
        numpy().attr("logical_or")(numpy().attr("greater")(integers, limit),
                                   numpy().attr("less")(integers, limit.attr("__neg__")()));
    if (large.attr("any")().cast<bool>())
        throw_type_error(argument, "holds integers beyond 2^53, which no double may hold");
}

struct IndexReader {
    const char* argument;
    py::array array;

    IndexReader(py::handle object, const char* name) : argument(name) {
        array = any_array(object, name);
        const char kind = array.dtype().kind();
        if (array.size() != 0 && kind != 'i' && kind != 'u')
            throw_type_error(name, "has dtype " + text_of(array.dtype()) + ", not integers");
        if (array.size() != 0 && !(is_native_and_aligned(array)))
            array = py::array(array.attr("astype")("int64"));
    }

    // Element (i, k) of a matrix, or i of a list.
    template <class T>
    [[nodiscard]] std::uint32_t checked(const void* element, py::ssize_t row) const {
        const T value = *static_cast<const T*>(element);
        if (!std::in_range<std::uint32_t>(value)) {
            throw py::index_error(std::string(argument) + ": row " + std::to_string(row) +
                                  " holds " + std::to_string(value) + ", which is " +
                                  (value < T{0} ? "negative" : "too large"));
        }
        return static_cast<std::uint32_t>(value);
    }
    [[nodiscard]] std::uint32_t at(const void* element, py::ssize_t row) const {
        const bool is_signed = array.dtype().kind() == 'i';
        switch (array.itemsize()) {
            case 1:
                return is_signed ? checked<std::int8_t>(element, row)
                                 : checked<std::uint8_t>(element, row);
            case 2:
                return is_signed ? checked<std::int16_t>(element, row)
                                 : checked<std::uint16_t>(element, row);
            case 4:
                return is_signed ? checked<std::int32_t>(element, row)
                                 : checked<std::uint32_t>(element, row);
            default:
                return is_signed ? checked<std::int64_t>(element, row)
                                 : checked<std::uint64_t>(element, row);
        }
    }
};

}  // namespace

std::uint64_t copied_bytes() noexcept {
    return bytes_copied;
}

void throw_type_error(const std::string& argument, const std::string& message) {
    throw py::type_error(argument + ": " + message);
}

void throw_shape_error(const std::string& argument, py::handle array, const std::string& expected) {
    throw py::value_error(argument + ": has shape " + text_of(array.attr("shape")) + ", not " +
                          expected);
}

py::array real_array(py::handle object, const char* argument) {
    py::array array = any_array(object, argument);
    const char kind = array.dtype().kind();
    const bool is_real =
        kind == 'f' && array.itemsize() <= static_cast<py::ssize_t>(sizeof(double));
    if (!is_real && kind != 'i' && kind != 'u' && array.size() != 0)
        throw_type_error(argument,
                         "has dtype " + text_of(array.dtype()) + ", not float64 or float32");
    if (is_real && array.itemsize() >= 4 && is_native_and_aligned(array)) return array;
    if (kind == 'i' || kind == 'u') check_exact(array, argument);
    return counted(py::array(array.attr("astype")("float64")));
}

py::array doubles_array(py::handle object, const char* argument) {
    py::array array = real_array(object, argument);
    if (array.itemsize() == 8 && is_c_contiguous(array)) return array;
    return counted(py::array(numpy().attr("ascontiguousarray")(array, "float64")));
}

Positions::Positions(py::handle object, const char* argument) {
    const py::array array = doubles_array(object, argument);
    if (array.ndim() != 2 || array.shape(1) != 3) {
        if (array.size() == 0 && array.ndim() <= 2) return;
        throw_shape_error(argument, array, "(n, 3)");
    }
    static_assert(sizeof(Vec3) == 3 * sizeof(double) && alignof(Vec3) == alignof(double));
    rows_ = {static_cast<const Vec3*>(array.data()), static_cast<std::size_t>(array.shape(0))};
    owner_ = array;
}

Numbers::Numbers(py::handle object, const char* argument) {
    if (object.is_none()) return;
    const py::array array = doubles_array(object, argument);
    if (array.ndim() != 1) throw_shape_error(argument, array, "(n,)");
    values_ = {static_cast<const double*>(array.data()), static_cast<std::size_t>(array.shape(0))};
    owner_ = array;
}

Vec3 vec3_of(py::handle object, const char* argument) {
    const py::array array = doubles_array(object, argument);
    if (array.ndim() != 1 || array.shape(0) != 3) throw_shape_error(argument, array, "(3,)");
    const auto* x = static_cast<const double*>(array.data());
    return {x[0], x[1], x[2]};
}

std::vector<std::uint32_t> index_list(py::handle object, const char* argument) {
    const IndexReader reader(object, argument);
    const py::array& array = reader.array;
    if (array.size() == 0) return {};
    if (array.ndim() != 1) throw_shape_error(argument, array, "(n,)");
    std::vector<std::uint32_t> values(static_cast<std::size_t>(array.shape(0)));
    for (py::ssize_t i = 0; i < array.shape(0); ++i)
        values[static_cast<std::size_t>(i)] = reader.at(array.data(i), i);
    return values;
}

template <std::size_t N>
std::vector<std::array<std::uint32_t, N>> index_rows(py::handle object, const char* argument) {
    if (object.is_none()) return {};
    const IndexReader reader(object, argument);
    const py::array& array = reader.array;
    if (array.size() == 0) return {};
    if (array.ndim() != 2 || array.shape(1) != py::ssize_t{N})
        throw_shape_error(argument, array, "(n, " + std::to_string(N) + ")");
    std::vector<std::array<std::uint32_t, N>> rows(static_cast<std::size_t>(array.shape(0)));
    for (py::ssize_t i = 0; i < array.shape(0); ++i)
        for (std::size_t k = 0; k < N; ++k)
            rows[static_cast<std::size_t>(i)][k] =
                reader.at(array.data(i, static_cast<py::ssize_t>(k)), i);
    return rows;
}
template std::vector<EdgeIndices> index_rows<2>(py::handle, const char*);
template std::vector<FaceIndices> index_rows<3>(py::handle, const char*);

std::vector<std::uint32_t> optional_indices(py::handle object, const char* argument) {
    return object.is_none() ? std::vector<std::uint32_t>{} : index_list(object, argument);
}

std::vector<std::uint8_t> optional_flags(py::handle object, const char* argument) {
    if (object.is_none()) return {};
    const py::array array = any_array(object, argument);
    if (array.ndim() != 1) throw_shape_error(argument, array, "(n,)");
    const auto flags = py::array_t<bool, py::array::forcecast>(array);
    std::vector<std::uint8_t> values(static_cast<std::size_t>(flags.size()));
    for (py::ssize_t i = 0; i < flags.size(); ++i)
        values[static_cast<std::size_t>(i)] = flags.at(i) ? 1 : 0;
    return values;
}

QueryArray query_array(py::handle object, QueryKind kind, const char* argument) {
    const auto vertices = static_cast<py::ssize_t>(vertex_count(kind));
    QueryArray result;
    result.owner = real_array(object, argument);
    const py::array& array = result.owner;
    const py::ssize_t dimensions = array.ndim();
    if ((dimensions != 3 && dimensions != 2) || array.shape(dimensions - 1) != 3 ||
        array.shape(dimensions - 2) != vertices) {
        throw_shape_error(argument, array,
                          "(n, " + std::to_string(vertices) + ", 3) of kind '" +
                              std::string(short_name(kind)) + "'");
    }
    result.is_single = dimensions == 2;
    result.count = result.is_single ? 1 : static_cast<std::size_t>(array.shape(0));
    result.strides = {result.is_single ? 0 : array.strides(0), array.strides(dimensions - 2),
                      array.strides(dimensions - 1)};
    result.data = static_cast<const std::byte*>(array.data());
    result.is_float = array.itemsize() == 4;
    return result;
}

QueryArrays query_arrays(py::handle start, py::handle end, QueryKind kind) {
    QueryArrays arrays{query_array(start, kind, "start"), query_array(end, kind, "end")};
    if (arrays.start.count != arrays.end.count || arrays.start.is_single != arrays.end.is_single)
        throw_shape_error("end", arrays.end.owner,
                          text_of(arrays.start.owner.attr("shape")) + " as start has");
    return arrays;
}

QueryKind kind_of(const std::string& name) {
    if (const auto kind = query_kind_from_name(name)) return *kind;
    throw py::value_error("kind: '" + name + "' is not one of 'vf', 'ee', 'vv', 've'");
}

py::array array_of(std::vector<Vec3>&& rows) {
    auto owned = std::make_unique<std::vector<Vec3>>(std::move(rows));
    const auto size = static_cast<py::ssize_t>(owned->size());
    const double* const data = size == 0 ? nullptr : &owned->front().x;
    if (data == nullptr) return py::array_t<double>(std::vector<py::ssize_t>{0, 3});
    py::capsule owner(owned.get(), [](void* p) { delete static_cast<std::vector<Vec3>*>(p); });
    owned.release();
    return py::array_t<double>({size, py::ssize_t{3}}, data, owner);
}

py::array array_of(std::vector<double>&& values) {
    return array_of_rows(std::move(values));
}

py::array array_of_indices(std::span<const std::uint32_t> values) {
    return py::array_t<std::uint32_t>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace graze::python
