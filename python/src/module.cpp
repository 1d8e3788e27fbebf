// graze._core: what the Python files of the package are written with. Users import graze.
#include "modules.hpp"

#include "arrays.hpp"

PYBIND11_MODULE(_core, m) {
    m.doc() = "The compiled part of graze; import graze instead.";
    m.attr("__version__") = GRAZE_VERSION;
    m.def("copied_bytes", &graze::python::copied_bytes,
          "Bytes of whole arrays that were copied on their way in, so far.");
    graze::python::add_queries(m);
    graze::python::add_meshes(m);
    graze::python::add_recordings(m);
    graze::python::add_rigid(m);
    graze::python::add_rigid_response(m);
    graze::python::add_robot(m);
    graze::python::add_slide(m);
    graze::python::add_slide_world(m);
    graze::python::add_io(m);
    graze::python::add_generate(m);
#ifdef GRAZE_PYTHON_HAS_SIM
    graze::python::add_sim(m);
#endif
}
