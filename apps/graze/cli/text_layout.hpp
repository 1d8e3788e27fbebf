// Text for terminals: wrapped help, and numbers with their nouns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graze::app {

// The text in lines of at most `width` characters where words allow it. Every line but the first
// starts with `indent` spaces, of which the first line's share is taken to be there already.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// "1 face", "2 faces".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);
// The same with a plural of its own: "1 vertex", "2 vertices".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun,
                                  std::string_view plural);

// One line of a list in help: what is typed, and what it does.
struct HelpEntry {
    std::string name;
    std::string text;
};

// A help page that grows from top to bottom.
class HelpText {
public:
    HelpText(std::size_t width, bool colour) : width_(width), colour_(colour) {}

    // Words after what is indented on its first line.
    void paragraph(std::string_view text);
    void heading(std::string_view title);
    // Nothing where there are no entries.
    void entries(std::string_view title, const std::vector<HelpEntry>& entries);
    // Paragraphs, wrapped. Indented lines stay as they are; a short line that ends in a colon is a heading.
    void footer(std::string_view text);
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    [[nodiscard]] std::string emphasised(std::string_view text, std::string_view code) const;

    std::size_t width_;
    bool colour_;
    std::string text_;
};

}  // namespace graze::app
