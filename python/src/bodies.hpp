// Bodies are shared between Python, steppers and readers of files.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "graze/rigid/impact.hpp"

namespace graze::python {

using SharedBody = std::shared_ptr<rigid::RigidBody>;

}  // namespace graze::python
