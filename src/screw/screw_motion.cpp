#include "graze/screw/screw_motion.hpp"
