// Runs the built tool as a user does, in a folder that vanishes afterwards.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace graze::test {

namespace fs = std::filesystem;

struct ToolOutcome {
    int exit_code = -1;  // -1 when a signal ended the tool
    int signal = 0;
    std::string out;
    std::string err;
};

// A folder of its own for each test, removed with all it holds.
class TempFolder {
public:
    TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    ~TempFolder();

    [[nodiscard]] fs::path path() const { return path_; }
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return (path_ / name).string();
    }
    // Writes a file and returns its path.
    std::string write(const std::string& name, const std::string& text) const;
    // Names of all files below, sorted.
    [[nodiscard]] std::vector<std::string> files() const;

private:
    fs::path path_;
};

[[nodiscard]] std::string read_file(const fs::path& path);
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

[[nodiscard]] ToolOutcome run_tool(const std::vector<std::string>& arguments);
// Runs it as `graze ... >> out`; what it prints is in the file alone.
[[nodiscard]] ToolOutcome run_tool_appending_to(const fs::path& out,
                                                const std::vector<std::string>& arguments);
// Runs it with an output that nobody reads.
[[nodiscard]] ToolOutcome run_tool_into_closed_pipe(const std::vector<std::string>& arguments);
// Runs it as a shell does with <&-, >&- or 2>&-.
[[nodiscard]] ToolOutcome run_tool_with_closed_stream(int stream,
                                                      const std::vector<std::string>& arguments);
// Runs it with a standard error that cannot be written.
[[nodiscard]] ToolOutcome run_tool_with_full_errors(const std::vector<std::string>& arguments);
// Runs it where no file may be larger.
[[nodiscard]] ToolOutcome run_tool_with_file_limit(std::uint64_t bytes,
                                                   const std::vector<std::string>& arguments);
// The JSON that it prints; fails the test if it prints anything else or does not succeed.
[[nodiscard]] nlohmann::json run_tool_for_json(std::vector<std::string> arguments);

// A tool that runs beside the test.
[[nodiscard]] pid_t start_tool(const std::vector<std::string>& arguments,
                               const std::string& out = "/dev/null");
[[nodiscard]] pid_t start_tool_under_nohup(const std::vector<std::string>& arguments);
[[nodiscard]] ToolOutcome wait_for_tool(pid_t tool);

// Corners at t = 0, then at t = 1, in 64ths of a unit: exact in the rational CSV.
using Corner64 = std::array<int, 3>;
struct Query64 {
    std::vector<Corner64> start;
    std::vector<Corner64> end;
};
[[nodiscard]] std::string csv_of(const Query64& query);
[[nodiscard]] std::string csv_of(const Query64& query, bool truth);

// A vertex that falls through the triangle at t = 1/2.
[[nodiscard]] Query64 falling_vertex();
// The same vertex, that stops above it.
[[nodiscard]] Query64 stopping_vertex();
// Random vertex-face queries, about a third of them contacts.
[[nodiscard]] std::string random_csv(unsigned seed, int count);

}  // namespace graze::test
