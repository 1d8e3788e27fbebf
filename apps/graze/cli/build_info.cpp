#include "build_info.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <thread>

namespace graze::app {
namespace {

// The text after `separator` in the first line that starts with `key`; empty if there is none.
std::string value_in_file(const char* path, const std::string& key, char separator) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const std::size_t start = line.find(separator);
        if (start == std::string::npos) continue;
        const std::size_t first = line.find_first_not_of(" \"", start + 1);
        const std::size_t last = line.find_last_not_of(" \"");
        return first == std::string::npos ? "" : line.substr(first, last - first + 1);
    }
    return "";
}

std::string cpu_model() {
    const std::string model = value_in_file("/proc/cpuinfo", "model name", ':');
    return model.empty() ? "unknown" : model;
}

std::string operating_system() {
    utsname names = {};
    if (uname(&names) != 0) return "unknown";
    const std::string kernel = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
    const std::string pretty = value_in_file("/etc/os-release", "PRETTY_NAME", '=');
    return pretty.empty() ? kernel : fmt::format("{} ({})", pretty, kernel);
}

}  // namespace

BuildInfo build_info() {
    return {.version = GRAZE_VERSION,
            .compiler = GRAZE_COMPILER,
            .flags = GRAZE_FLAGS,
            .build_type = GRAZE_BUILD_TYPE,
            .cpu = cpu_model(),
            .cores = std::thread::hardware_concurrency(),
            .os = operating_system()};
}

Json to_json(const BuildInfo& info) {
    return {{"version", info.version},
            {"compiler", info.compiler},
            {"flags", info.flags},
            {"build_type", info.build_type},
            {"cpu", info.cpu},
            {"cores", info.cores},
            {"os", info.os}};
}

std::string to_text(const BuildInfo& info) {
    return fmt::format(
        "graze {}\ncompiler    {}\nflags       {}\nbuild type  {}\ncpu         {} ({} cores)\n"
        "system      {}\n",
        info.version, info.compiler, info.flags, info.build_type, info.cpu, info.cores, info.os);
}

}  // namespace graze::app
