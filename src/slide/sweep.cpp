#include "graze/slide/sweep.hpp"
