// Runs a method over queries, with the time of each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graze/io/query_file.hpp"
#include "graze/narrow/method.hpp"
#include "graze/verify/hash.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::verify {

// True iff the work budget was spent without a proof of separation.
[[nodiscard]] constexpr bool is_over_budget(const CcdOptions& options,
                                            const CcdResult& result) noexcept {
    return result.checks >= options.max_checks && result.verdict != Verdict::Separated;
}

struct Answer {
    CcdResult result;
    // Wall time of this one query, the reading of the clock included; of a method for batches
    // (QueryFunctions::batch) the mean of its batch.
    std::uint64_t ns = 0;
    bool over_budget = false;  // is_over_budget(), with the options it was asked with
    // Heap that the query took at most, where heap_probe() counts; else 0.
    std::uint64_t heap_bytes = 0;
};

struct Run {
    const Method& method;
    QueryKind kind = QueryKind::VertexFace;
    CcdOptions options;
    Workers workers;
};

// Does the method answer many queries of this kind at once (QueryFunctions::batch)?
[[nodiscard]] bool answers_batches(const Method& method, QueryKind kind) noexcept;

// One answer per record, in their order; the results are the same for every number of threads.
[[nodiscard]] std::vector<Answer> answers_of(const Run& run,
                                             std::span<const io::QueryRecord> records);

// The answer to one query, whose motion is made of the record.
[[nodiscard]] CcdResult answer_of(const Method& method, QueryKind kind,
                                  const io::QueryRecord& record,
                                  const CcdOptions& options) noexcept;

// "index,verdict,toi_lower,toi_upper": the columns that all result files begin with.
inline constexpr std::string_view kResultColumns = "index,verdict,toi_lower,toi_upper";
// Times are printed so that they read back to the same double. No end of line.
[[nodiscard]] std::string result_columns(std::uint64_t index, const CcdResult& result);

// FNV-1a (64 bits) over verdicts and the bits of both times: equal runs have equal hashes.
class ResultHash {
public:
    void add(const CcdResult& result) noexcept;
    [[nodiscard]] std::string hex() const;

private:
    Fnv1a hash_;
};

}  // namespace graze::verify
