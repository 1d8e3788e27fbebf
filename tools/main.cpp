// The command line: finds the subcommand, runs it, turns the outcome into an exit code.
//   0 success, whatever the verdicts; 1 bad input, one line on stderr; 2 wrong usage, one line.
#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "bench_heap.hpp"
#include "build_info.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "methods.hpp"
#include "output.hpp"

namespace graze::tools {
namespace {

constexpr int kSuccess = 0;
constexpr int kBadInput = 1;
constexpr int kWrongUsage = 2;

// One line, whatever the message holds.
int report_error(const std::string& message, int exit_code) {
    if (!stop_requested()) fmt::print(stderr, "graze: error: {}\n", printable(message));
    return exit_code;
}

int exit_code_of(const Expected<void>& outcome) {
    return outcome ? kSuccess : report_error(outcome.error().message, kBadInput);
}

std::string usage_hint(const CLI::App& app) {
    const std::vector<const CLI::App*> subs =
        app.get_subcommands([](const CLI::App* sub) { return sub->parsed(); });
    return subs.empty() ? "graze --help" : "graze " + subs.front()->get_name() + " --help";
}

void describe(CLI::App& app) {
    app.require_subcommand(1);
    app.set_version_flag(
        "--version", [] { return to_text(build_info()); },
        "Print version, compiler, flags and machine");
    app.set_help_flag("-h,--help", "Print help with examples");
    app.footer(
        "Exit code: 0 success, 1 bad input, 2 wrong usage.\n"
        "\n"
        "Examples:\n"
        "  graze query --kind vf queries.csv\n"
        "  graze truth --data ccd-queries\n"
        "  graze bench --quick\n"
        "  graze <command> --help");
}

// Wrong use: a first word that is no command. The parser would only say that it wants one.
void check_command_name(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    std::string names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == argv[1]) return;
        names += (names.empty() ? "" : ", ") + command->get_name();
    }
    fail_usage(fmt::format("there is no command '{}'; there are: {}", argv[1], names));
}

int run_command_line(int argc, char** argv) {
    CLI::App app("Continuous collision detection that proves what it says.", "graze");
    describe(app);
    const std::vector<Command> commands = {
        add_query_command(app),    add_mesh_command(app),
        add_slide_command(app),    add_level_command(app),
        add_screw_command(app),    add_model_command(app),
        add_truth_command(app),    add_bench_command(app),
        add_repro_command(app),    add_convert_command(app),
        add_generate_command(app), add_self_check_command(app),
        add_methods_command(app),  add_verify_command(app, tool_methods())};
    try {
        check_command_name(app, argc, argv);
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return exit_code_of(print(app.help()));
    } catch (const CLI::CallForVersion& version) {
        return exit_code_of(print(version.what()));
    } catch (const CLI::Error& error) {
        return report_error(fmt::format("{} (see {})", error.what(), usage_hint(app)), kWrongUsage);
    }
    for (const Command& command : commands) {
        if (command.app->parsed()) return exit_code_of(command.run());
    }
    return kSuccess;
}

// The edge of the process: nothing that standard library or parser throws gets past it.
int guarded_main(int argc, char** argv) {
    try {
        return run_command_line(argc, argv);
    } catch (const std::bad_alloc&) {
        return report_error("out of memory", kBadInput);
    } catch (const std::exception& error) {
        return report_error(error.what(), kBadInput);
    }
}

}  // namespace
}  // namespace graze::tools

int main(int argc, char** argv) {
    graze::tools::watch_signals();
    graze::tools::set_heap_probe(graze::tools::counting_heap_probe());
    const int exit_code = graze::tools::guarded_main(argc, argv);
    if (graze::tools::stop_requested()) graze::tools::die_of_stop_signal();
    return exit_code;
}
