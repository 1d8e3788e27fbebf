// A progress bar on standard error, for people.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace graze::tools {

// "[#####---------------]  25%  1000/4000  250/s  12 s left"; without a total "1000  250/s".
[[nodiscard]] std::string progress_line(std::uint64_t done, std::optional<std::uint64_t> total,
                                        double seconds);

// Shows itself only on a terminal, and only once the work has lasted more than a second.
class Progress {
public:
    explicit Progress(std::optional<std::uint64_t> total);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { hide(); }

    // True iff a bar could ever show: whether a total is worth finding out.
    [[nodiscard]] static bool possible();
    void advance(std::uint64_t count);
    // Clears the line, for output that follows on the same terminal.
    void hide();

private:
    using Clock = std::chrono::steady_clock;
    std::optional<std::uint64_t> total_;
    std::uint64_t done_ = 0;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_shown_ = start_;
    bool shown_ = false;
};

}  // namespace graze::tools
