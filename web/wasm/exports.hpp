// What the module exports, and how numbers cross its border.
//
// Plain functions on arrays of doubles: the loader (web/npm/src/module.ts) is a page of TypeScript,
// needs no generated glue, and runs where pages may not evaluate text as code.
#pragma once

#include <cstddef>
#include <cstdint>

#define GRAZE_WASM_EXPORT(name) \
    extern "C" __attribute__((used, visibility("default"), export_name(#name)))
