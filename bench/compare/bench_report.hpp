// A method comparison as a table for people, as CSV and as JSON.
#pragma once

#include <string>
#include <vector>

#include "bench_run.hpp"
#include "cli/build_info.hpp"

namespace graze::app {

// One section per group and kind, at most 120 columns wide, and what the columns mean.
[[nodiscard]] std::string table_text(const std::vector<BenchRow>& rows);
// Times of the answers that say contact or unresolved and of those that say separated, apart.
[[nodiscard]] std::string times_text(const std::vector<BenchRow>& rows);
// Slowest queries, most heap, and how near the times of contacts are to the exact ones.
[[nodiscard]] std::string worst_text(const std::vector<BenchRow>& rows);
// The most heap that a query of the row took; nothing where that was not counted.
[[nodiscard]] std::optional<std::uint64_t> heap_of(const BenchRow& row);
// One hash a method: what must not change when only the speed does.
[[nodiscard]] std::string hash_text(const std::vector<MethodHash>& hashes);
// Every row says which program on which machine made it. New columns come last, so that those that
// were there keep their places.
[[nodiscard]] std::string table_csv(const std::vector<BenchRow>& rows, const BuildInfo& build);
// A text as one CSV field: quoted, quotes doubled.
[[nodiscard]] std::string csv_quoted(const std::string& text);
// version,compiler,flags,build_type,cpu,cores,os
[[nodiscard]] std::string csv_machine_fields(const BuildInfo& build);
[[nodiscard]] Json rows_json(const std::vector<BenchRow>& rows);
[[nodiscard]] Json hashes_json(const std::vector<MethodHash>& hashes);

}  // namespace graze::app
