// Times of many queries and what is said of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace graze::verify {

// All in nanoseconds.
struct TimeSummary {
    double mean = 0.0;
    double median = 0.0;
    double p99 = 0.0;
    double p999 = 0.0;
    double max = 0.0;
    double min = 0.0;
};

// How many times fall between fixed bounds: 0, 10 ns, 20 ns, 50 ns, 100 ns, ... 50 s and beyond. A
// time is in the last bin whose lower bound it reaches. Three bins a decade, of about equal width
// where times are drawn by their logarithm.
inline constexpr std::size_t kTimeBins = 31;
using TimeHistogram = std::array<std::uint64_t, kTimeBins>;
// The lower bounds, in nanoseconds.
[[nodiscard]] constexpr std::array<std::uint64_t, kTimeBins> time_bin_bounds() noexcept {
    std::array<std::uint64_t, kTimeBins> bounds{};
    std::uint64_t decade = 10;
    for (std::size_t i = 1; i < kTimeBins; i += 3) {
        bounds[i] = decade;
        bounds[i + 1] = 2 * decade;
        bounds[i + 2] = 5 * decade;
        decade *= 10;
    }
    return bounds;
}
static_assert(time_bin_bounds().back() == 50'000'000'000);

// Keeps four bytes a query: mean and maximum are exact, the percentiles and the minimum take a time above 4.29 s
// (2^32 ns) for that.
class TimeSample {
public:
    void add(std::uint64_t ns);
    // Nothing for an empty sample. Percentiles are by nearest rank: the smallest time that at least
    // that share of the sample does not exceed.
    [[nodiscard]] std::optional<TimeSummary> summary() const;
    [[nodiscard]] std::size_t size() const noexcept { return ns_.size(); }
    [[nodiscard]] const TimeHistogram& histogram() const noexcept { return histogram_; }
    // The sample that holds the times of both.
    [[nodiscard]] friend TimeSample operator+(TimeSample a, const TimeSample& b) {
        a.ns_.insert(a.ns_.end(), b.ns_.begin(), b.ns_.end());
        a.sum_ += b.sum_;
        a.max_ = a.max_ > b.max_ ? a.max_ : b.max_;
        for (std::size_t i = 0; i < kTimeBins; ++i)
            a.histogram_[i] += b.histogram_[i];
        return a;
    }

private:
    std::vector<std::uint32_t> ns_;
    std::uint64_t sum_ = 0;
    std::uint64_t max_ = 0;
    TimeHistogram histogram_{};
};

// Sizes of errors, of which the middle and the largest are told. NaN counts as infinite.
class ErrorSample {
public:
    void add(double error);
    [[nodiscard]] std::size_t size() const noexcept { return errors_.size(); }
    // By nearest rank; nothing for an empty sample.
    [[nodiscard]] std::optional<double> median() const;
    [[nodiscard]] std::optional<double> max() const;

private:
    std::vector<double> errors_;
};

// What two readings of the clock in a row differ by (median of many): the part of every measured
// time that is not the query's.
[[nodiscard]] double clock_overhead_ns();

// "12.3 ns", "4.5 us", "6.7 ms", "8.9 s".
[[nodiscard]] std::string format_ns(double ns);
// "0 B", "512 B", "1.5 kB", "3.0 MB", "1.2 GB": steps of 1000.
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);

}  // namespace graze::verify
