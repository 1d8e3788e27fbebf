// Which program on which machine made a result: part of every JSON file.
#pragma once

#include <string>

#include "output.hpp"

namespace graze::app {

struct BuildInfo {
    std::string version;
    std::string compiler;
    std::string flags;
    std::string build_type;
    std::string cpu;
    unsigned cores = 0;
    std::string os;
};

[[nodiscard]] BuildInfo build_info();
[[nodiscard]] Json to_json(const BuildInfo& info);
// One fact a line, the version first: what --version prints.
[[nodiscard]] std::string to_text(const BuildInfo& info);

}  // namespace graze::app
