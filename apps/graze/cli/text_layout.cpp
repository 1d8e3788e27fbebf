#include "text_layout.hpp"

#include <algorithm>

namespace graze::app {
namespace {

// Where the text of an entry starts; longer names have a line of their own.
constexpr std::size_t kEntryColumn = 26;
// Of a footer; what is longer is a sentence that goes on.
constexpr std::size_t kLongestHeading = 16;
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kCyan = "\033[36m";
constexpr std::string_view kPlain = "\033[0m";

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
    std::string lines;
    std::size_t column = indent;
    bool is_first = true;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty()) continue;
        if (!is_first && column + 1 + word.size() > width) {
            lines += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (!is_first) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += word.size();
        is_first = false;
    }
    return lines;
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return counted(count, noun, std::string(noun) + "s");
}

std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural) {
    return std::to_string(count) + " " + std::string(count == 1 ? noun : plural);
}

std::string HelpText::emphasised(std::string_view text, std::string_view code) const {
    if (!colour_) return std::string(text);
    return std::string(code) + std::string(text) + std::string(kPlain);
}

void HelpText::paragraph(std::string_view text) {
    const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    text_ += std::string(indent, ' ') + wrapped(text, width_, indent) + "\n";
}

void HelpText::heading(std::string_view title) {
    text_ += "\n" + emphasised(title, kBold) + emphasised(":", kBold) + "\n";
}

void HelpText::entries(std::string_view title, const std::vector<HelpEntry>& entries) {
    if (entries.empty()) return;
    heading(title);
    for (const HelpEntry& entry : entries) {
        const std::size_t used = 2 + entry.name.size();
        text_ += "  " + emphasised(entry.name, kCyan);
        if (used + 2 <= kEntryColumn) {
            text_ += std::string(kEntryColumn - used, ' ');
        } else {
            text_ += "\n" + std::string(kEntryColumn, ' ');
        }
        text_ += wrapped(entry.text, width_, kEntryColumn) + "\n";
    }
}

void HelpText::footer(std::string_view text) {
    if (text.empty()) return;
    text_ += '\n';
    std::string words;  // of a paragraph that goes on
    const auto end_paragraph = [&] {
        if (!words.empty()) paragraph(words);
        words.clear();
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool is_heading = line.ends_with(':') && line.size() <= kLongestHeading;
        if (!line.empty() && line.front() != ' ' && !is_heading) {
            words += (words.empty() ? "" : " ") + std::string(line);
            continue;
        }
        end_paragraph();
        text_ += (is_heading ? emphasised(line, kBold) : std::string(line)) + "\n";
    }
    end_paragraph();
}

}  // namespace graze::app
