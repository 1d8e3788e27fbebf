#include "graze/slide/mover.hpp"
