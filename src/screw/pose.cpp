#include "graze/screw/pose.hpp"
