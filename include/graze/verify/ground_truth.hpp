// The ground truth of stored queries by the oracle, and where that differs from what they carry.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graze/io/query_file.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/oracle/oracle.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::verify {

struct GroundTruthOptions {
    double min_separation = 0.0;
    Norm norm = Norm::Euclidean;
    bool distance = false;
    bool check_ways = false;
    Workers workers{.threads = 0};
};

struct GroundTruth {
    oracle::Truth truth;
    std::optional<oracle::DistanceBracket> distance;
    // Which independent methods of answering "do they touch, and when first" disagree: one line, empty if
    // none does or none was asked.
    std::string ways_differ;
};

// One per record, in their order; the same for every number of threads.
[[nodiscard]] std::vector<GroundTruth> ground_truths(std::span<const io::QueryRecord> records,
                                                     QueryKind kind,
                                                     const GroundTruthOptions& options);

// The smallest double s such that the max-norm distance comes down to s in [0, t_max]; infinite
// where the largest double is too small. So a double is that near iff it is >= s.
// Requires: finite. Cost: one answer of the oracle for t_max = 1, else up to 66.
[[nodiscard]] double nearest_approach(const io::QueryRecord& record, QueryKind kind, double t_max);

// Nothing for an invalid query.
[[nodiscard]] std::optional<bool> touches(const oracle::Truth& truth) noexcept;

// The record with the exact truth and first time instead of what it carried.
[[nodiscard]] io::QueryRecord with_exact_truth(io::QueryRecord record, const oracle::Truth& exact);

// "contact in [0x1p-1, 0x1p-1]", "separated", "invalid".
[[nodiscard]] std::string describe(const oracle::Truth& truth);

// How the record's own truth and time differ from the exact ones; empty where they do not.
[[nodiscard]] std::string disagreement(const io::QueryRecord& record, const oracle::Truth& exact);

}  // namespace graze::verify
