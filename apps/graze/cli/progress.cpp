#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <new>
#include "console.hpp"

namespace graze::app {
namespace {

constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

std::string progress_line(std::uint64_t done, std::optional<ProgressTotal> total, double seconds) {
    constexpr std::size_t kWidth = 20;
    const double rate = seconds > 0.0 ? static_cast<double>(done) / seconds : 0.0;
    if (!total || total->count == 0 || done > total->count)
        return fmt::format("{}  {:.0f}/s", done, rate);
    const double fraction = static_cast<double>(done) / static_cast<double>(total->count);
    const std::size_t filled = static_cast<std::size_t>(fraction * static_cast<double>(kWidth));
    std::string line =
        fmt::format("[{:-<{}}] {:3.0f}%  {}/{}{}  {:.0f}/s", std::string(filled, '#'), kWidth,
                    100.0 * fraction, done, total->is_estimate ? "~" : "", total->count, rate);
    if (rate > 0.0) {
        line += fmt::format("  {:.0f} s left", static_cast<double>(total->count - done) / rate);
    }
    return line;
}

ProgressScreen terminal_screen(std::string what) {
    ProgressScreen screen;
    if (!what.empty()) screen.what = std::move(what) + " ";
    if (Progress::possible()) {
        screen.put = [](const std::string& text) {
            std::fputs(text.c_str(), stderr);
            std::fflush(stderr);
        };
    }
    return screen;
}

bool Progress::possible() {
    return verbosity() != Verbosity::Quiet && isatty(STDERR_FILENO) == 1;
}

Progress::Progress(std::optional<ProgressTotal> total, ProgressScreen screen)
    : total_(total), screen_(std::move(screen)), next_shown_(start_ + screen_.first_after) {}

void Progress::advance(std::uint64_t count) {
    done_ += count;
    if (!screen_.put) return;
    const Clock::time_point now = Clock::now();
    if (now < next_shown_.load()) return;
    // Who finds another thread at it need not wait: that one shows this item too, or the next does.
    const std::unique_lock lock(screen_mutex_, std::try_to_lock);
    if (!lock || now < next_shown_.load()) return;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    screen_.put(kClearLine + screen_.what + progress_line(done_, total_, seconds));
    next_shown_ = now + screen_.step;
    is_shown_ = true;
}

void Progress::hide() {
    const std::lock_guard lock(screen_mutex_);
    if (is_shown_) screen_.put(kClearLine);
    is_shown_ = false;
}

void ShareProgress::set_part(double from, double to) noexcept {
    from_ = from;
    to_ = to;
}

void ShareProgress::show(double share) {
    const double whole = from_ + (to_ - from_) * std::clamp(share, 0.0, 1.0);
    const auto percent = static_cast<std::uint64_t>(whole * static_cast<double>(kWhole));
    progress_.advance(percent > progress_.done() ? percent - progress_.done() : 0);
}

// A bar that cannot be drawn for want of memory is not drawn.
ProgressSink ShareProgress::sink() noexcept {
    return ProgressSink(
        [](void* context, double share) noexcept {
            try {
                static_cast<ShareProgress*>(context)->show(share);
            } catch (const std::bad_alloc&) {
            }
        },
        this);
}

}  // namespace graze::app
