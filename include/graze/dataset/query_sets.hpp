// Finds the query sets in a data folder, or in the data that is built into the library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/dataset/query_file.hpp"

namespace graze::dataset {

// One file's worth of queries, and where it stands in the tables.
struct QuerySet {
    std::string group;  // e.g. "handcrafted", "simulation"
    std::string scene;  // e.g. "erleben-spikes"
    QuerySource source;
};

// Walks `folder` in sorted order and lists every query set it knows how to read:
//   <scene>/<long kind name>/*.csv[.gz]            queries with a truth column
//   <scene>/<long kind name>/*.gzq                  our binary form
//   <scene>/queries/<frame><vf|ee>.csv[.gz]         with
//   <scene>/mma_bool/<frame><kind>_mma_bool.json <scene>/boxes/<frame><vf|ee>.json without a CSV of
//   that name: rebuilt from
//                                                   <scene>/frames/<frame>.ply and the next frame
// The group is the name of the folder that holds the scenes.
// An error if the folder cannot be read or holds no query set at all.
[[nodiscard]] Expected<std::vector<QuerySet>> find_query_sets(const std::filesystem::path& folder);

}  // namespace graze::dataset
