// Finds the query sets in a data folder, or in the data that is built into the library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io {

// One file's worth of queries, and where it stands in the tables.
struct QuerySet {
    std::string group;  // e.g. "handcrafted", "simulation"
    std::string scene;  // e.g. "erleben-spikes"
    QuerySource source;
};

// Walks `folder` in sorted order and lists every query set it knows how to read:
// clang-format off
//   <scene>/<long kind name>/*.csv, *.gzq       CSV or binary form, with truths of their own
//   <scene>/<name>.<kind>.csv, .gzq             the same: what `graze sim --queries` writes
//   <scene>/queries/<frame><kind>.csv, .gzq     with <scene>/mma_bool/<frame><kind>_mma_bool.json
//   <scene>/boxes/<frame><kind>.json            where there is no query file of that name: rebuilt
//                                               from <scene>/frames/<frame>.ply and the next frame
// clang-format on
// Each of them also with ".gz"; <kind> is vf, ee, vv or ve. The group is the name of the folder
// that holds the scenes.
// Guarantee: no query file in these folders is left out silently. An error that names the
// path: a folder or an entry that cannot be read, such as a link that leads nowhere; a .csv, .gzq
// or box list in these folders whose name is not as above; a query file in a folder below them;
// folders more than 8 deep, as loops of links are; no query set at all. Files elsewhere are not
// looked at.
[[nodiscard]] Expected<std::vector<QuerySet>> find_query_sets(const std::filesystem::path& folder);

}  // namespace graze::io
