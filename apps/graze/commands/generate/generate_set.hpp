// A whole benchmark set in a folder, as `graze bench --data` and `graze truth --data` read it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "cli/progress.hpp"
#include "graze/io/manifest.hpp"

namespace graze::app {

// "gzq", "csv" or "csv.gz".
[[nodiscard]] bool is_set_format(std::string_view format);

struct SetRequest {
    std::string set;            // a name of set_names()
    std::filesystem::path out;  // created if it is not there
    std::string format = "gzq";
    std::uint64_t seed = 0;
    unsigned threads = 0;  // 0: all cores
};

struct SetOutcome {
    io::Manifest manifest;
    std::size_t kept = 0;  // parts whose files were there and unchanged
};

// Makes what is missing. The manifest is written anew after each part, so that a run that was
// stopped is taken up by the next; no file is ever seen half written.
// Guarantee: the same bytes in every file for every number of threads and every history of stops
// (but a compressed file depends on zlib).
// Errors: a folder that holds something else, or a set of another name, seed, format or version.
[[nodiscard]] Expected<SetOutcome> make_set(const SetRequest& request);

}  // namespace graze::app
