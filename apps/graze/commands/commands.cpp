#include "commands.hpp"

#include "graze/verify/methods.hpp"
#include "replay/replay_command.hpp"
#include "view/view_command.hpp"

namespace graze::app {
using namespace verify;
namespace {

std::vector<CommandMaker>& commands_of_program() {
    static std::vector<CommandMaker> makers;
    return makers;
}

}  // namespace

void add_command_of_program(CommandMaker make) {
    commands_of_program().push_back(make);
}

std::vector<Command> add_commands(App& app) {
    std::vector<Command> commands = {
        add_query_command(app),     add_mesh_command(app),
        add_check_command(app),     add_slide_command(app),
        add_level_command(app),     add_rigid_command(app),
        add_model_command(app),     add_truth_command(app),
        add_bench_command(app),     add_repro_command(app),
        add_reproduce_command(app), add_convert_command(app),
        add_replay_command(app),    add_view_command(app),
        add_generate_command(app),  add_self_check_command(app),
        add_methods_command(app),   add_verify_command(app, all_methods())};
    for (const CommandMaker make : commands_of_program())
        commands.push_back(make(app));
    commands.push_back(add_completion_command(app));
    return commands;
}

}  // namespace graze::app
