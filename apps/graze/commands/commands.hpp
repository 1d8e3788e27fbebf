// The commands. Each lives in a file of its own.
#pragma once

#include "cli/options.hpp"

namespace graze::app {

// All of them, in the order of the help page.
[[nodiscard]] std::vector<Command> add_commands(App& app);

// Commands that a program adds to those of the library, before it runs; they come last.
using CommandMaker = Command (*)(App& app);
void add_command_of_program(CommandMaker make);
// Of the program `graze`.
[[nodiscard]] Command add_robot_command(App& app);
// The same where the simulators are built.
[[nodiscard]] Command add_sim_command(App& app);

[[nodiscard]] Command add_query_command(App& app);
[[nodiscard]] Command add_mesh_command(App& app);
[[nodiscard]] Command add_check_command(App& app);
[[nodiscard]] Command add_rigid_command(App& app);
[[nodiscard]] Command add_slide_command(App& app);
[[nodiscard]] Command add_truth_command(App& app);
[[nodiscard]] Command add_bench_command(App& app);
[[nodiscard]] Command add_repro_command(App& app);
[[nodiscard]] Command add_reproduce_command(App& app);
[[nodiscard]] Command add_convert_command(App& app);
[[nodiscard]] Command add_generate_command(App& app);
[[nodiscard]] Command add_model_command(App& app);
[[nodiscard]] Command add_level_command(App& app);
[[nodiscard]] Command add_self_check_command(App& app);
// Over the methods of this registry: a test can hand in some that lie.
[[nodiscard]] Command add_verify_command(App& app, const MethodRegistry& registry);
[[nodiscard]] Command add_methods_command(App& app);
// Not listed by help.
[[nodiscard]] Command add_completion_command(App& app);

}  // namespace graze::app
