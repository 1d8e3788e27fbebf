// Errors of the library as exceptions of Python (graze/errors.py).
#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "graze/core/expected.hpp"

namespace graze::python {

// Throws the exception for the error: its code, its index, and the argument that was at fault.
[[noreturn]] void throw_error(const Error& error, const char* argument = "");

template <class T>
[[nodiscard]] T value_of(Expected<T>&& expected, const char* argument = "") {
    if (!expected) throw_error(expected.error(), argument);
    return std::move(*expected);
}
inline void check_value(const Expected<void>& expected, const char* argument = "") {
    if (!expected) throw_error(expected.error(), argument);
}

}  // namespace graze::python
