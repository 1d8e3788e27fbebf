// Functions between GRAZE_TARGET_BEGIN("...") and GRAZE_TARGET_END are compiled for an instruction
// set that the rest of the file is not; whoever calls them asks is_available() first.
#pragma once

#include "graze/core/instruction_set.hpp"
#include "graze/core/strict_arithmetic.hpp"

#ifdef GRAZE_X86_DISPATCH
#define GRAZE_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define GRAZE_TARGET_BEGIN(set) \
    GRAZE_PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define GRAZE_TARGET_END GRAZE_PRAGMA(clang attribute pop)
#else
#define GRAZE_TARGET_BEGIN(set) GRAZE_PRAGMA(GCC push_options) GRAZE_PRAGMA(GCC target(set))
#define GRAZE_TARGET_END GRAZE_PRAGMA(GCC pop_options)
#endif
#endif
