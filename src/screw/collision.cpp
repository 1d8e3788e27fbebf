#include "graze/screw/collision.hpp"
