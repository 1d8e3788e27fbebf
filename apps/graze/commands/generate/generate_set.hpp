// A whole benchmark set in a folder, as `graze bench --data` and `graze truth --data` read it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "cli/progress.hpp"
#include "generate_plan.hpp"
#include "graze/io/manifest.hpp"

namespace graze::app {

// "gzq", "csv" or "csv.gz".
[[nodiscard]] bool is_set_format(std::string_view format);

struct SetRequest {
    std::string set;            // a name of set_names()
    std::filesystem::path out;  // created if it is not there
    std::string format = "gzq";
    std::uint64_t seed = 0;
    unsigned threads = 0;                  // 0: all cores
    std::vector<std::size_t> shards = {};  // which parts of the plan, ascending; empty: all
};

struct SetOutcome {
    io::Manifest manifest;
    std::size_t kept = 0;  // parts whose files were there and unchanged
};

// Where the queries of a part are, below the folder.
[[nodiscard]] std::string path_of(const SetPart& part, const std::string& format);

// Makes what is missing, on all ranks. The manifest is written anew after each part, so that a run that was
// stopped is taken up by the next; no file is ever seen half written. It is complete when all parts are
// there.
// Guarantee: the same bytes in every file for every number of threads and ranks and every history of stops
// (but a compressed file depends on zlib).
// Errors: a folder that holds something else, or a set of another name, seed, format or version.
[[nodiscard]] Expected<SetOutcome> make_set(const SetRequest& request);

}  // namespace graze::app
