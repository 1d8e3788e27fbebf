#include "apps/tool_runner.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

namespace graze::test {
namespace {

// What else a caller may have done to the process.
struct Circumstances {
    int closed_stream = -1;
    rlim_t most_bytes_of_a_file = RLIM_INFINITY;
    bool ignores_hangup = false;
};

void prepare_process(const Circumstances& circumstances) {
    if (circumstances.closed_stream >= 0) close(circumstances.closed_stream);
    if (circumstances.most_bytes_of_a_file != RLIM_INFINITY) {
        const rlimit most = {circumstances.most_bytes_of_a_file,
                             circumstances.most_bytes_of_a_file};
        setrlimit(RLIMIT_FSIZE, &most);
    }
    // Whatever the tests themselves run under.
    std::signal(SIGHUP, circumstances.ignores_hangup ? SIG_IGN : SIG_DFL);
}

// Starts the tool with the given descriptors as stdout and stderr, and closes them here.
pid_t spawn(const std::vector<std::string>& arguments, int out, int err,
            const Circumstances& circumstances = {}) {
    std::vector<char*> argv = {const_cast<char*>(GRAZE_TOOL)};
    for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        prepare_process(circumstances);
        execv(GRAZE_TOOL, argv.data());
        _exit(127);
    }
    close(out);
    close(err);
    return child;
}

int create_file(const std::string& path) {
    return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

ToolOutcome run_under(const Circumstances& circumstances,
                      const std::vector<std::string>& arguments) {
    const TempFolder folder;
    ToolOutcome outcome = wait_for_tool(
        spawn(arguments, create_file(folder / "out"), create_file(folder / "err"), circumstances));
    outcome.out = read_file(folder / "out");
    outcome.err = read_file(folder / "err");
    return outcome;
}

std::string csv_rows(const Query64& query, const std::string& tail) {
    std::ostringstream text;
    for (const auto& corners : {query.start, query.end}) {
        for (const Corner64& c : corners) {
            text << c[0] << ",64," << c[1] << ",64," << c[2] << ",64" << tail << "\n";
        }
    }
    return text.str();
}

}  // namespace

TempFolder::TempFolder() {
    std::string pattern = (fs::temp_directory_path() / "graze-tool-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string TempFolder::write(const std::string& name, const std::string& text) const {
    const fs::path path = path_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
}

std::vector<std::string> TempFolder::files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
        if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), path_).string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

ToolOutcome wait_for_tool(pid_t tool) {
    int status = 0;
    waitpid(tool, &status, 0);
    ToolOutcome outcome;
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    return outcome;
}

pid_t start_tool(const std::vector<std::string>& arguments, const std::string& out) {
    return spawn(arguments, create_file(out), create_file("/dev/null"));
}

pid_t start_tool_under_nohup(const std::vector<std::string>& arguments) {
    return spawn(arguments, create_file("/dev/null"), create_file("/dev/null"),
                 {.ignores_hangup = true});
}

ToolOutcome run_tool(const std::vector<std::string>& arguments) {
    return run_under({}, arguments);
}

ToolOutcome run_tool_with_closed_stream(int stream, const std::vector<std::string>& arguments) {
    return run_under({.closed_stream = stream}, arguments);
}

ToolOutcome run_tool_with_file_limit(std::uint64_t bytes,
                                     const std::vector<std::string>& arguments) {
    return run_under({.most_bytes_of_a_file = bytes}, arguments);
}

ToolOutcome run_tool_with_full_errors(const std::vector<std::string>& arguments) {
    const TempFolder folder;
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    ToolOutcome outcome = wait_for_tool(spawn(arguments, create_file(folder / "out"), full));
    outcome.out = read_file(folder / "out");
    return outcome;
}

ToolOutcome run_tool_appending_to(const fs::path& out, const std::vector<std::string>& arguments) {
    const TempFolder folder;
    const int end = open(out.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    ToolOutcome outcome = wait_for_tool(spawn(arguments, end, create_file(folder / "err")));
    outcome.err = read_file(folder / "err");
    return outcome;
}

ToolOutcome run_tool_into_closed_pipe(const std::vector<std::string>& arguments) {
    const TempFolder folder;
    int ends[2] = {-1, -1};
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    ToolOutcome outcome = wait_for_tool(spawn(arguments, ends[1], create_file(folder / "err")));
    outcome.err = read_file(folder / "err");
    return outcome;
}

nlohmann::json run_tool_for_json(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const ToolOutcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    nlohmann::json json = nlohmann::json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << outcome.out;
    return json.is_object() ? json : nlohmann::json::object();
}

std::string csv_of(const Query64& query) {
    return csv_rows(query, "");
}
std::string csv_of(const Query64& query, bool truth) {
    return csv_rows(query, truth ? ",1" : ",0");
}

Query64 falling_vertex() {
    const std::vector<Corner64> face = {{0, 0, 0}, {64, 0, 0}, {0, 64, 0}};
    return {{{16, 16, 64}, face[0], face[1], face[2]}, {{16, 16, -64}, face[0], face[1], face[2]}};
}

Query64 stopping_vertex() {
    Query64 query = falling_vertex();
    query.end[0] = {16, 16, 32};
    return query;
}

std::string random_csv(unsigned seed, int count) {
    std::mt19937 rng(seed);
    const auto corner = [&rng] {
        const auto coordinate = [&rng] { return static_cast<int>(rng() % 257) - 128; };
        return Corner64{coordinate(), coordinate(), coordinate()};
    };
    std::string text;
    for (int i = 0; i < count; ++i) {
        Query64 query;
        for (int c = 0; c < 4; ++c)
            query.start.push_back(corner());
        for (int c = 0; c < 4; ++c)
            query.end.push_back(corner());
        text += csv_of(query);
    }
    return text;
}

}  // namespace graze::test
