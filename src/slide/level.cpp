#include "graze/slide/level.hpp"
