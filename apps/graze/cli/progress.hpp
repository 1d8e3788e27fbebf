// A progress bar on standard error, for people.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "graze/core/stop.hpp"

namespace graze::app {

struct ProgressTotal {
    std::uint64_t count = 0;
    bool is_estimate = false;

    friend bool operator==(const ProgressTotal&, const ProgressTotal&) = default;
};

// "[#####---------------]  25%  1000/4000  250/s  12 s left", an estimate as "1000/~4000"; without
// a total, or with one that is already passed, "1000  250/s".
[[nodiscard]] std::string progress_line(std::uint64_t done, std::optional<ProgressTotal> total,
                                        double seconds);

// Where and how often a bar is shown.
struct ProgressScreen {
    std::function<void(const std::string&)> put;  // empty: nothing is ever shown
    std::string what = {};                        // is under way; shown before the bar
    std::chrono::milliseconds first_after{1000};
    std::chrono::milliseconds step{100};
};
// Standard error where that is a terminal and --quiet was not asked for, else nothing.
[[nodiscard]] ProgressScreen terminal_screen(std::string what = {});

class Progress {
public:
    explicit Progress(std::optional<ProgressTotal> total,
                      ProgressScreen screen = terminal_screen());
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { hide(); }

    // True iff a bar could ever show on the terminal: whether a total is worth finding out.
    [[nodiscard]] static bool possible();
    // May be called from any thread, after every item: what is shown is stepped by time.
    void advance(std::uint64_t count);
    // Clears the line, for output that follows on the same terminal.
    void hide();
    [[nodiscard]] std::uint64_t done() const noexcept { return done_; }

private:
    using Clock = std::chrono::steady_clock;
    const std::optional<ProgressTotal> total_;
    const ProgressScreen screen_;
    const Clock::time_point start_ = Clock::now();
    std::atomic<std::uint64_t> done_ = 0;
    std::atomic<Clock::time_point> next_shown_;
    std::mutex screen_mutex_;  // guards screen_.put and is_shown_
    bool is_shown_ = false;
};

// A bar for work that tells its share in [0, 1], in percent. It never goes back, whatever it is
// told. From one thread at a time.
class ShareProgress {
public:
    explicit ShareProgress(ProgressScreen screen = terminal_screen())
        : progress_(ProgressTotal{kWhole}, std::move(screen)) {}

    void show(double share);
    // From here on what is told is a share of the part from `from` to `to` of the whole.
    void set_part(double from, double to) noexcept;
    // For searches of the library; outlives them.
    [[nodiscard]] ProgressSink sink() noexcept;

private:
    static constexpr std::uint64_t kWhole = 100;
    double from_ = 0.0;
    double to_ = 1.0;
    Progress progress_;
};

}  // namespace graze::app
