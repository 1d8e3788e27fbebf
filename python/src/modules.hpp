// What each file adds to graze._core.
#pragma once

#include <pybind11/pybind11.h>

namespace graze::python {

void add_queries(pybind11::module_& m);
void add_meshes(pybind11::module_& m);
void add_recordings(pybind11::module_& m);  // after add_meshes()
void add_rigid(pybind11::module_& m);
void add_rigid_response(pybind11::module_& m);  // after add_rigid()
void add_robot(pybind11::module_& m);           // after add_rigid()
void add_slide(pybind11::module_& m);
void add_slide_world(pybind11::module_& m);
void add_io(pybind11::module_& m);
void add_generate(pybind11::module_& m);
void add_sim(pybind11::module_& m);  // where the module is built with graze_sim

}  // namespace graze::python
