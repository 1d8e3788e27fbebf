// What people see of a run on the terminal: how much of it, how wide, in colour or not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"

namespace graze::app {

// --quiet: errors alone; --verbose: also what is under way, and what it took.
enum class Verbosity : unsigned char { Quiet, Normal, Verbose };

// Set once, when the command line has been understood.
void set_verbosity(Verbosity verbosity) noexcept;
[[nodiscard]] Verbosity verbosity() noexcept;

enum class Stream : unsigned char { Output, Error };
// True iff the stream is a terminal that understands colours and nobody objects: NO_COLOR is unset
// or empty (no-color.org), TERM is not "dumb".
[[nodiscard]] bool uses_colour(Stream stream);
// Columns of a line: COLUMNS where it is set, else the terminal's, else 80; from 40 to 120.
[[nodiscard]] std::size_t line_width();

// The report of a command on standard output; nothing where quiet.
Expected<void> print_report(std::string_view text);
// On standard error as it is. Where that cannot be written there is nobody to tell: never an error
// itself.
void print_to_errors(const std::string& text) noexcept;
// One line each on standard error.
void show_error(const std::string& message);
void warn(const std::string& message);  // nothing where quiet
void warn(const std::vector<std::string>& messages);
void tell(const std::string& message);  // nothing unless verbose

}  // namespace graze::app
