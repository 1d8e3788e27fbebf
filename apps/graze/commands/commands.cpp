#include "commands.hpp"

#include "graze/verify/methods.hpp"

namespace graze::app {
using namespace verify;

std::vector<Command> add_commands(App& app) {
    return {
        add_query_command(app), add_mesh_command(app), add_check_command(app),
            add_slide_command(app), add_level_command(app), add_rigid_command(app),
            add_model_command(app),
#if defined(GRAZE_HAS_SIM)
            add_sim_command(app),
#endif
            add_truth_command(app), add_bench_command(app), add_repro_command(app),
            add_reproduce_command(app), add_convert_command(app), add_generate_command(app),
            add_self_check_command(app), add_methods_command(app),
            add_verify_command(app, all_methods())
    };
}

}  // namespace graze::app
