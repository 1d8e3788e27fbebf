// The command line: finds the command, runs it, turns the outcome into an exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <new>
#include <span>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cluster/launch.hpp"
#include "commands/commands.hpp"
#include "graze/tool.hpp"
#include "graze/verify/methods.hpp"

namespace graze::app {
using namespace verify;
namespace {

using Words = std::span<const std::string>;

int number_of(ExitCode code) {
    return static_cast<int>(code);
}

// What a worker failed of, for rank 0, which reports it.
std::string& failure_of_rank() {
    static std::string failure;
    return failure;
}

// One line, whatever the message holds.
int fail_with(const std::string& message, ExitCode code) {
    failure_of_rank() = message;
    if (!stop_requested() && !is_worker()) show_error(message);
    return number_of(code);
}

int exit_number(const Expected<ExitCode>& outcome) {
    if (!outcome && is_worker() && outcome.error().message == left_to_rank_0().message)
        return number_of(ExitCode::Success);
    return outcome ? number_of(*outcome) : fail_with(outcome.error().message, ExitCode::BadInput);
}

// What every command understands.
struct GlobalOptions {
    bool quiet = false;
    bool verbose = false;
    // For the list of options: both are answered before anything else is looked at.
    bool help = false;
    bool version = false;
};

void describe(App& app, GlobalOptions& options) {
    app.add_flag("-h,--help", options.help, "Print help with examples");
    app.add_flag("-V,--version", options.version, "Print version, compiler, flags and machine");
    app.add_flag("-q,--quiet", options.quiet, "Print errors only");
    app.add_flag("-v,--verbose", options.verbose, "Also print what is done and what it took");
    app.callback([&options] {
        if (options.quiet && options.verbose)
            fail_usage("--quiet and --verbose exclude each other");
    });
    app.footer(
        "Exit codes:\n"
        "  0 success, whatever the verdicts; 1 bad input; 2 wrong usage;\n"
        "  with --exit-code also 3 contact and 4 unresolved; `graze check`: 3 cannot start;\n"
        "  `graze replay`: 3 an answer differs\n"
        "\n"
        "Examples:\n"
        "  graze mesh start.obj end.obj --svg step.svg\n"
        "  graze query --kind vf queries.csv\n"
        "  graze bench --quick\n"
        "  graze help mesh\n");
}

bool is_among(Words words, std::string_view a, std::string_view b) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word == a || word == b; });
}

// Wrong use: help for a command that there is not.
int print_help(App& app, Words topics) {
    if (is_worker()) return number_of(ExitCode::Success);
    const App* topic = &app;
    for (const std::string& word : topics) {
        if (word.starts_with('-')) continue;
        topic = app.find(word);
        if (topic == nullptr) app.parse(std::vector{word});
        break;
    }
    const Expected<void> printed =
        print(topic->help({.width = line_width(), .colour = uses_colour(Stream::Output)}));
    return printed ? number_of(ExitCode::Success)
                   : fail_with(printed.error().message, ExitCode::BadInput);
}

// What the run took, for --verbose.
class Account {
public:
    ~Account() {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
        tell(fmt::format("{:.2f} s, {} MiB of memory at most", wall.count(),
                         usage.ru_maxrss / 1024));
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int run_command(const std::vector<Command>& commands, const GlobalOptions& options) {
    if (options.quiet) set_verbosity(Verbosity::Quiet);
    if (options.verbose) set_verbosity(Verbosity::Verbose);
    if (is_worker()) {
        set_verbosity(Verbosity::Quiet);
        discard_named_outputs();
    }
    for (const Command& command : commands) {
        if (!command.app->parsed()) continue;
        if (session() != nullptr && !command.runs_on_ranks)
            return fail_with(fmt::format("{} is one process: mpirun is for the commands that "
                                         "distribute their work (docs/cluster.md)",
                                         command.app->full_name()),
                             ExitCode::WrongUsage);
        const BuildInfo build = build_info();
        tell(fmt::format("graze {}, {}, {}", build.version, build.compiler, build.flags));
        const Account account;
        return exit_number(command.run());
    }
    return number_of(ExitCode::Success);
}

int run_command_line(Words words) {
    App app("Continuous collision detection (CCD) that never misses and proves what it says.",
            "graze");
    GlobalOptions options;
    describe(app, options);
    const std::vector<Command> commands = add_commands(app);
    try {
        if (!words.empty() && words.front() == "help") return print_help(app, words.subspan(1));
        if (is_among(words, "-h", "--help")) return print_help(app, words);
        if (is_among(words, "-V", "--version")) {
            if (is_worker()) return number_of(ExitCode::Success);
            return exit_number(succeeded(print(to_text(build_info()))));
        }
        app.parse(words);
    } catch (const UsageError& error) {
        return fail_with(fmt::format("{} (see {} --help)", error.what(), app.met().full_name()),
                         ExitCode::WrongUsage);
    }
    return run_command(commands, options);
}

// One rank says for all that they cannot meet.
int fail_alone(const std::string& message) {
    return launch_of(process_environment()).rank == 0 ? fail_with(message, ExitCode::BadInput)
                                                      : number_of(ExitCode::BadInput);
}

// The edge of the process: nothing that standard library or parser throws gets past it.
int guarded_main(Words words) {
    try {
        return run_command_line(words);
    } catch (const std::bad_alloc&) {
        return fail_with("out of memory", ExitCode::BadInput);
    } catch (const std::exception& error) {
        return fail_with(error.what(), ExitCode::BadInput);
    }
}

// A caller may have closed standard streams (2>&-). The next file that is opened would take their
// number, and what is printed would go into it. A socket without connection takes it instead: to
// read or to write it fails, also by its names in /dev and /proc, which would open /dev/null anew.
void reserve_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number: this one.
        if (::socket(AF_UNIX, SOCK_STREAM, 0) != stream) return;
    }
}

}  // namespace
}  // namespace graze::app

namespace graze {

int run_tool(int argc, char** argv, std::span<const Method> methods) {
    app::reserve_standard_streams();
    app::watch_signals();
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    app::set_command_line(words);
    for (const Method& method : methods) {
        if (const auto added = verify::add_method(method); !added)
            return app::fail_with(added.error().message, app::ExitCode::WrongUsage);
    }
    if (const auto joined = app::join_ranks(); !joined)
        return app::fail_alone(joined.error().message);
    const int exit_code = app::guarded_main(words);
    if (app::stop_requested()) app::die_of_stop_signal();
    const bool is_quiet = app::is_worker();  // a launcher ends all ranks for one that fails
    app::leave_ranks(app::failure_of_rank());
    if (app::stop_requested()) app::die_of_stop_signal();
    return is_quiet ? 0 : exit_code;
}

}  // namespace graze
