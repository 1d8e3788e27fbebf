// GRAZE_ASSERT checks an internal invariant in builds without NDEBUG; it never guards user input.
#pragma once

#include <cassert>

#define GRAZE_ASSERT(condition) assert(condition)
