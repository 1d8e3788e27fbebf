// All entry points of graze::graze; whole meshes (graze/mesh.hpp) are the component graze::mesh.
#pragma once

#include "graze/ccd.hpp"
#include "graze/rigid.hpp"
#include "graze/robot.hpp"
#include "graze/slide.hpp"
