#include "console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "output.hpp"

namespace graze::app {
namespace {

std::atomic<Verbosity> chosen_verbosity = Verbosity::Normal;

std::size_t columns_wanted() {
    if (const char* text = std::getenv("COLUMNS"); text != nullptr) {
        const std::string_view digits(text);
        std::size_t columns = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), columns);
        if (error == std::errc() && end == digits.data() + digits.size() && columns > 0)
            return columns;
    }
    winsize size{};
    const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? size.ws_col : 80;
}

void put_line(std::string_view kind, std::string_view colour, const std::string& message) {
    const bool is_coloured = uses_colour(Stream::Error);
    print_to_errors(fmt::format("graze: {}{}{} {}\n", is_coloured ? colour : "", kind,
                                is_coloured ? "\033[0m" : "", printable(message)));
}

}  // namespace

void set_verbosity(Verbosity verbosity) noexcept {
    chosen_verbosity = verbosity;
}

Verbosity verbosity() noexcept {
    return chosen_verbosity;
}

bool uses_colour(Stream stream) {
    const char* refusal = std::getenv("NO_COLOR");
    if (refusal != nullptr && *refusal != '\0') return false;
    const char* terminal = std::getenv("TERM");
    if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
    return isatty(stream == Stream::Output ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

std::size_t line_width() {
    return std::clamp<std::size_t>(columns_wanted(), 40, 120);
}

Expected<void> print_report(std::string_view text) {
    return verbosity() == Verbosity::Quiet ? Expected<void>() : print(text);
}

void print_to_errors(const std::string& text) noexcept {
    std::fputs(text.c_str(), stderr);
}

void show_error(const std::string& message) {
    put_line("error:", "\033[1;31m", message);
}

void warn(const std::string& message) {
    if (verbosity() != Verbosity::Quiet) put_line("warning:", "\033[1;33m", message);
}

void warn(const std::vector<std::string>& messages) {
    for (const std::string& message : messages)
        warn(message);
}

void tell(const std::string& message) {
    if (verbosity() == Verbosity::Verbose) put_line("note:", "\033[1;36m", message);
}

}  // namespace graze::app
