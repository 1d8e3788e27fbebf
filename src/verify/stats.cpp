#include "graze/verify/stats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace graze::verify {
namespace {

// The smallest value that at least this many in a thousand do not exceed; reorders the values.
double quantile(std::vector<std::uint32_t>& values, std::size_t permille) {
    const std::size_t rank = (values.size() * permille + 999) / 1000;
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(values.begin(), nth, values.end());
    return static_cast<double>(*nth);
}

std::size_t bin_of(std::uint64_t ns) {
    constexpr auto kBounds = time_bin_bounds();
    const auto above = std::upper_bound(kBounds.begin(), kBounds.end(), ns);
    return static_cast<std::size_t>(above - kBounds.begin()) - 1;
}

}  // namespace

void TimeSample::add(std::uint64_t ns) {
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max();
    ns_.push_back(static_cast<std::uint32_t>(std::min(ns, kLargest)));
    sum_ += ns;
    max_ = std::max(max_, ns);
    ++histogram_[bin_of(ns)];
}

std::optional<TimeSummary> TimeSample::summary() const {
    if (ns_.empty()) return std::nullopt;
    std::vector<std::uint32_t> values = ns_;
    const double least = *std::min_element(values.begin(), values.end());
    return TimeSummary{.mean = static_cast<double>(sum_) / static_cast<double>(ns_.size()),
                       .median = quantile(values, 500),
                       .p99 = quantile(values, 990),
                       .p999 = quantile(values, 999),
                       .max = static_cast<double>(max_),
                       .min = least};
}

void ErrorSample::add(double error) {
    errors_.push_back(error == error ? error : std::numeric_limits<double>::infinity());
}

std::optional<double> ErrorSample::median() const {
    if (errors_.empty()) return std::nullopt;
    std::vector<double> sorted = errors_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

std::optional<double> ErrorSample::max() const {
    if (errors_.empty()) return std::nullopt;
    return *std::max_element(errors_.begin(), errors_.end());
}

double clock_overhead_ns() {
    TimeSample sample;
    for (int i = 0; i < 1001; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const auto end = std::chrono::steady_clock::now();
        sample.add(static_cast<std::uint64_t>(std::chrono::nanoseconds(end - start).count()));
    }
    return sample.summary()->median;
}

std::string format_ns(double ns) {
    if (ns < 999.95) return fmt::format("{:.1f} ns", ns);
    if (ns < 999.95e3) return fmt::format("{:.1f} us", ns * 1e-3);
    if (ns < 999.95e6) return fmt::format("{:.1f} ms", ns * 1e-6);
    return fmt::format("{:.1f} s", ns * 1e-9);
}

std::string format_bytes(std::uint64_t bytes) {
    const auto size = static_cast<double>(bytes);
    if (bytes < 1000) return fmt::format("{} B", bytes);
    if (size < 999.95e3) return fmt::format("{:.1f} kB", size * 1e-3);
    if (size < 999.95e6) return fmt::format("{:.1f} MB", size * 1e-6);
    return fmt::format("{:.1f} GB", size * 1e-9);
}

}  // namespace graze::verify
