// What all pictures in files of their own share: the frame, light and dark, legends, round numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace graze::app {

// A picture that needs nothing else. It is shown as wide as there is room, and never wider than it
// is; it follows the reader's choice of light or dark. Classes for its content: soft, strong, end,
// middle, tiny (text); grid, axis (lines); frame (around a panel).
struct SvgFile {
    double width = 0.0;
    double height = 0.0;
    std::string title;  // of the whole picture, for those who do not see it
    std::string style;  // CSS beside that of all pictures
    std::string content;
};
[[nodiscard]] std::string svg_file(const SvgFile& file);

[[nodiscard]] std::string svg_text(double x, double y, std::string_view css_class,
                                   std::string_view text);
// [pixels] About as wide as a text is, and rather more.
[[nodiscard]] double text_width(std::string_view text);

// One entry of a legend: SVG in a box 24 wide and 14 high whose corner is the origin, and words.
struct LegendItem {
    std::string mark;
    std::string text;
};
struct PlacedSvg {
    std::string svg;
    double height = 0.0;
};
// In lines of at most this width.
[[nodiscard]] PlacedSvg legend_svg(const std::vector<LegendItem>& items, double width);
// Words in lines of at most this width.
[[nodiscard]] PlacedSvg notes_svg(const std::vector<std::string>& notes, double width);

// Multiples of 1, 2 or 5 times a power of ten within [low, high]: at most so many. None where
// low < high does not hold or numbers cannot tell them apart.
struct RoundTicks {
    double step = 0.0;
    std::vector<double> values;
};
[[nodiscard]] RoundTicks round_ticks(double low, double high, std::size_t most);
// With as many digits as neighbours need to differ.
[[nodiscard]] std::string tick_text(double value, double step);

}  // namespace graze::app
