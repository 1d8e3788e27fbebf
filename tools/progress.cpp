#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace graze::tools {

std::string progress_line(std::uint64_t done, std::optional<std::uint64_t> total, double seconds) {
    constexpr std::size_t kWidth = 20;
    const double rate = seconds > 0.0 ? static_cast<double>(done) / seconds : 0.0;
    if (!total || *total == 0) return fmt::format("{}  {:.0f}/s", done, rate);
    const std::uint64_t shown = std::min(done, *total);
    const double fraction = static_cast<double>(shown) / static_cast<double>(*total);
    const std::size_t filled = static_cast<std::size_t>(fraction * static_cast<double>(kWidth));
    std::string line = fmt::format("[{:-<{}}] {:3.0f}%  {}/{}  {:.0f}/s", std::string(filled, '#'),
                                   kWidth, 100.0 * fraction, shown, *total, rate);
    if (rate > 0.0) {
        line += fmt::format("  {:.0f} s left", static_cast<double>(*total - shown) / rate);
    }
    return line;
}

bool Progress::possible() {
    return isatty(STDERR_FILENO) == 1;
}

Progress::Progress(std::optional<std::uint64_t> total) : total_(total) {}

void Progress::advance(std::uint64_t count) {
    using Seconds = std::chrono::duration<double>;
    done_ += count;
    const Clock::time_point now = Clock::now();
    if (Seconds(now - start_).count() <= 1.0 || Seconds(now - last_shown_).count() < 0.1) return;
    if (!possible()) return;
    const std::string line = progress_line(done_, total_, Seconds(now - start_).count());
    std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
    std::fflush(stderr);
    last_shown_ = now;
    shown_ = true;
}

void Progress::hide() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
    shown_ = false;
}

}  // namespace graze::tools
