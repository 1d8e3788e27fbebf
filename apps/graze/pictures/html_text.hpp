// Pieces of an HTML page: escaped text, tables, and the frame with its style.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace graze::app {

// The text with what HTML would take for its own (&, <, >, ") written out.
[[nodiscard]] std::string escaped(std::string_view text);

// <name class="..."> content </name>; content is HTML already. No class where it is empty.
[[nodiscard]] std::string element(std::string_view name, std::string_view css_class,
                                  std::string_view content);

// A figure: its heading, its pictures and tables, and the command that makes it again.
struct Figure {
    std::string id;  // for links to it; empty: none
    std::string heading;
    std::string content;  // HTML
    std::string note;     // HTML; how to read it
    std::string command;
};
[[nodiscard]] std::string figure_html(const Figure& figure);

// Cells are HTML. The first column is left-aligned, the others are numbers.
class HtmlTable {
public:
    explicit HtmlTable(const std::vector<std::string>& headings);
    void add_row(const std::vector<std::string>& cells);
    [[nodiscard]] std::string html() const;

private:
    std::string rows_;
};

// The style sheet of every page, for plots that are also files of their own.
[[nodiscard]] std::string_view page_style() noexcept;

// The whole page: nothing is loaded from elsewhere and nothing is a script.
[[nodiscard]] std::string page_frame(std::string_view title, std::string_view body);

}  // namespace graze::app
