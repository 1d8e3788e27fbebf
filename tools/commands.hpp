// The subcommands, in the order of the help page. Each lives in a file of its own.
#pragma once

#include "options.hpp"

namespace graze::tools {

[[nodiscard]] Command add_query_command(CLI::App& app);
[[nodiscard]] Command add_mesh_command(CLI::App& app);
[[nodiscard]] Command add_screw_command(CLI::App& app);
[[nodiscard]] Command add_slide_command(CLI::App& app);
[[nodiscard]] Command add_truth_command(CLI::App& app);
[[nodiscard]] Command add_bench_command(CLI::App& app);
[[nodiscard]] Command add_repro_command(CLI::App& app);
[[nodiscard]] Command add_convert_command(CLI::App& app);
[[nodiscard]] Command add_generate_command(CLI::App& app);
[[nodiscard]] Command add_model_command(CLI::App& app);
[[nodiscard]] Command add_level_command(CLI::App& app);
[[nodiscard]] Command add_self_check_command(CLI::App& app);
// Over the methods of this registry: a test can hand in some that lie.
[[nodiscard]] Command add_verify_command(CLI::App& app, const MethodRegistry& registry);
[[nodiscard]] Command add_methods_command(CLI::App& app);

}  // namespace graze::tools
