// `graze mesh` over a sequence of frames: one step from each to the next.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "mesh_run.hpp"

namespace graze::app {

// More than two frames, a folder or a pattern.
[[nodiscard]] bool is_sequence(const MeshRequest& request);
// Paths of the command line: what --json must not replace.
[[nodiscard]] std::vector<std::string> frames_named(const MeshRequest& request);
// Where --resume keeps what is done.
[[nodiscard]] std::string journal_of(const MeshRequest& request);

[[nodiscard]] Expected<ExitCode> run_mesh_sequence(const MeshRequest& request);

}  // namespace graze::app
