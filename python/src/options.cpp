#include "options.hpp"

#include <algorithm>

#include "errors.hpp"
#include "graze/verify/methods.hpp"

namespace graze::python {

py::object Options::object(const char* name) {
    known_.emplace_back(name);
    PyObject* found = PyDict_GetItemString(given_.ptr(), name);
    return found == nullptr ? py::object(py::none()) : py::reinterpret_borrow<py::object>(found);
}

void Options::finish() const {
    for (const auto& item : given_) {
        const auto name = py::cast<std::string>(item.first);
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        std::string list;
        for (const std::string& known : known_)
            list += (list.empty() ? "" : ", ") + known;
        throw py::type_error("there is no option '" + name + "' here; there are: " + list);
    }
}

void take_query_options(Options& options, CcdOptions& query) {
    options.take("min_separation", query.min_separation);
    options.take("distance_tolerance", query.distance_tolerance);
    options.take("time_width", query.time_width);
    options.take("t_max", query.t_max);
    options.take("max_checks", query.max_checks);
    std::string norm = "euclidean";
    options.take("norm", norm);
    if (norm != "euclidean" && norm != "max")
        throw py::value_error("norm: '" + norm + "' is neither 'euclidean' nor 'max'");
    query.norm = norm == "max" ? Norm::Max : Norm::Euclidean;
    check_value(check(query));
}

const MethodRegistry& methods() {
    static const MethodRegistry all = verify::all_methods();
    return all;
}

const Method& method_named(const std::string& name) {
    if (const Method* method = methods().find(name)) return *method;
    throw py::value_error("method: there is no '" + name + "'; there are: " + methods().names());
}

}  // namespace graze::python
