// The command line `graze` as a function, with methods of your own beside those of graze.
//
// A program of three lines compares a new method with all others: `graze bench`, `graze query`,
// `graze verify` and the other commands know it (docs/benchmark.md). Link graze::tool.
#pragma once

#include <span>

#include "graze/narrow/method.hpp"

namespace graze {

// Runs the command line with these methods added, behind those of graze and before the oracle.
// Returns the exit code: 0 success, 1 bad input, 2 wrong usage (also: a method whose name is taken or
// that answers no kind of query). Installs handlers of SIGINT, SIGTERM, SIGHUP, SIGPIPE and SIGXFSZ.
// Call it once.
[[nodiscard]] int run_tool(int argc, char** argv, std::span<const Method> methods = {});

}  // namespace graze
