// A method comparison as a table for people, as CSV and as JSON.
#pragma once

#include <string>
#include <vector>

#include "bench_run.hpp"
#include "build_info.hpp"

namespace graze::tools {

// One section per group and kind, at most 100 columns wide.
[[nodiscard]] std::string table_text(const std::vector<BenchRow>& rows);
// One hash a method: what must not change when only the speed does.
[[nodiscard]] std::string hash_text(const std::vector<MethodHash>& hashes);
// Every row says which program on which machine made it.
[[nodiscard]] std::string table_csv(const std::vector<BenchRow>& rows, const BuildInfo& build);
[[nodiscard]] Json rows_json(const std::vector<BenchRow>& rows);
[[nodiscard]] Json hashes_json(const std::vector<MethodHash>& hashes);

}  // namespace graze::tools
