#include "errors.hpp"

#include <string>

namespace graze::python {
namespace {

namespace py = pybind11;

const char* code_name(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::Unspecified:
            return "unspecified";
        case ErrorCode::InvalidInput:
            return "invalid-input";
        case ErrorCode::NotFinite:
            return "not-finite";
        case ErrorCode::IndexOutOfRange:
            return "index-out-of-range";
        case ErrorCode::WrongSize:
            return "wrong-size";
        case ErrorCode::InvalidOption:
            return "invalid-option";
        case ErrorCode::CannotRead:
            return "cannot-read";
        case ErrorCode::CannotWrite:
            return "cannot-write";
        case ErrorCode::DiskFull:
            return "disk-full";
        case ErrorCode::Malformed:
            return "malformed";
        case ErrorCode::OutOfMemory:
            return "out-of-memory";
        case ErrorCode::Cancelled:
            return "cancelled";
        case ErrorCode::Unsupported:
            return "unsupported";
        case ErrorCode::Internal:
            return "internal";
    }
    return "unspecified";
}

}  // namespace

void throw_error(const Error& error, const char* argument) {
    const py::object make = py::module_::import("graze.errors").attr("exception_for");
    const py::object index = error.index ? py::object(py::int_(*error.index)) : py::none();
    const py::object exception = make(code_name(error.code), error.message, argument, index);
    PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
    throw py::error_already_set();
}

}  // namespace graze::python
