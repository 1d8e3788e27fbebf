#include "graze/screw/polyhedron.hpp"
