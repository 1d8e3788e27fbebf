// Times of many queries and what is said of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace graze::tools {

// All in nanoseconds.
struct TimeSummary {
    double mean = 0.0;
    double median = 0.0;
    double p99 = 0.0;
    double max = 0.0;
};

// Keeps four bytes a query: mean and maximum are exact, the percentiles take a time above 4.29 s
// (2^32 ns) for that.
class TimeSample {
public:
    void add(std::uint64_t ns);
    // Nothing for an empty sample. Percentiles are by nearest rank: the smallest time that at least
    // that share of the sample does not exceed.
    [[nodiscard]] std::optional<TimeSummary> summary() const;

private:
    std::vector<std::uint32_t> ns_;
    std::uint64_t sum_ = 0;
    std::uint64_t max_ = 0;
};

// What two readings of the clock in a row differ by (median of many): the part of every measured
// time that is not the query's.
[[nodiscard]] double clock_overhead_ns();

// "12.3 ns", "4.5 us", "6.7 ms", "8.9 s".
[[nodiscard]] std::string format_ns(double ns);

}  // namespace graze::tools
