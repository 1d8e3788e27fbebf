// Options by keyword: values are taken from a dict by name, and what is left over is an error.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/narrow/method.hpp"

namespace graze::python {

class Options {
public:
    explicit Options(const py::dict& given) : given_(given) {}

    // The value as a T, if it was given and is not None; a TypeError names the option.
    template <class T>
    bool take(const char* name, T& value) {
        const py::object found = object(name);
        if (found.is_none()) return false;
        try {
            value = py::cast<T>(found);
        } catch (const py::cast_error&) {
            throw_type_error(name, "cannot be " + py::cast<std::string>(py::repr(found)));
        }
        return true;
    }
    // The value, or None.
    [[nodiscard]] py::object object(const char* name);
    // A TypeError for the first option that nobody took.
    void finish() const;

private:
    py::dict given_;
    std::vector<std::string> known_;
};

// min_separation, norm, distance_tolerance, time_width, t_max, max_checks. Checked.
void take_query_options(Options& options, CcdOptions& query);

// Every method that there is: the library's, the baselines, the oracle.
[[nodiscard]] const MethodRegistry& methods();
// A ValueError lists the names.
[[nodiscard]] const Method& method_named(const std::string& name);

}  // namespace graze::python
