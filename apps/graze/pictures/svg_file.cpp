#include "svg_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "html_text.hpp"

namespace graze::app {
namespace {

// Colours by rule and not by variable: some viewers know neither variables nor media queries, and
// then show the light picture.
constexpr std::string_view kFileStyle =
    ":root{color-scheme:light dark}text{font:12px system-ui,'DejaVu "
    "Sans',sans-serif;fill:#1d2329}.page{fill:#fff}"
    "text.soft{fill:#5a646e}text.strong{font-weight:700}text.end{text-anchor:end}"
    "text.middle{text-anchor:middle}text.tiny{font-size:10px}text.head{font-size:14px;"
    "font-weight:700}.grid{fill:none;stroke:#d9dee3}.axis{fill:none;stroke:#8a949e}"
    ".frame{fill:none;stroke:#c4cbd2}"
    "@media(prefers-color-scheme:dark){text{fill:#e4e8ec}.page{fill:#14181c}"
    "text.soft{fill:#9aa4ae}.grid{stroke:#2e363e}.axis{stroke:#76808a}.frame{stroke:#414b55}}";

constexpr double kLineHeight = 19.0;
constexpr double kMarkWidth = 24.0;

// Words of a text, joined to lines that are no wider than that.
std::vector<std::string> wrapped_words(std::string_view text, double width) {
    std::vector<std::string> lines = {""};
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string word(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        std::string& line = lines.back();
        if (!line.empty() && text_width(line + " " + word) > width) {
            lines.push_back(word);
        } else {
            line += (line.empty() ? "" : " ") + word;
        }
    }
    return lines;
}

}  // namespace

std::string svg_file(const SvgFile& file) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" style=\"max-width:100%;height:auto\" role=\"img\" aria-label=\"{2}\">"
        "<style>{3}{4}</style>"
        "<rect class=\"page\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n{5}</svg>\n",
        file.width, file.height, escaped(file.title), kFileStyle, file.style, file.content);
}

std::string svg_text(double x, double y, std::string_view css_class, std::string_view text) {
    const std::string with_class = css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class);
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>", x, y, with_class,
                       escaped(text));
}

double text_width(std::string_view text) {
    // 12 px: a letter takes 6.4 on average in the widest of the usual fonts. Bytes that go on a
    // character of UTF-8 take no room.
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
    return 6.9 * static_cast<double>(std::count_if(text.begin(), text.end(), begins));
}

PlacedSvg legend_svg(const std::vector<LegendItem>& items, double width) {
    PlacedSvg placed;
    double x = 0.0;
    double y = 0.0;
    for (const LegendItem& item : items) {
        const double own = kMarkWidth + 6.0 + text_width(item.text) + 18.0;
        if (x > 0.0 && x + own > width) {
            x = 0.0;
            y += kLineHeight;
        }
        placed.svg += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}{}</g>\n", x, y,
                                  item.mark, svg_text(kMarkWidth + 6.0, 11.5, "", item.text));
        x += own;
    }
    placed.height = items.empty() ? 0.0 : y + kLineHeight;
    return placed;
}

PlacedSvg notes_svg(const std::vector<std::string>& notes, double width) {
    PlacedSvg placed;
    for (const std::string& note : notes) {
        for (const std::string& line : wrapped_words(note, width)) {
            placed.height += kLineHeight - 2.0;
            placed.svg += svg_text(0.0, placed.height - 5.0, "soft", line) + "\n";
        }
    }
    return placed;
}

RoundTicks round_ticks(double low, double high, std::size_t most) {
    RoundTicks ticks;
    const double room = high - low;
    // Below some thousand roundings of the ends ticks would be all alike.
    if (!(room > 1e-12 * std::max(std::abs(low), std::abs(high))) || !(room < 1e300) || most == 0)
        return ticks;
    const double least = room / static_cast<double>(most);
    const double decade = power_of_ten(decade_of(least));
    if (!(decade > 0.0)) return ticks;
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
        ticks.step = factor * decade;
        ticks.values.clear();
        const double first = std::ceil(low / ticks.step - 1e-9);
        for (double i = first; i * ticks.step <= high + 1e-9 * ticks.step; i += 1.0) {
            ticks.values.push_back(i == 0.0 ? 0.0 : i * ticks.step);
            if (ticks.values.size() > most) break;
        }
        if (ticks.values.size() <= most) break;
    }
    return ticks;
}

std::string tick_text(double value, double step) {
    if (value == 0.0) return "0";
    constexpr double kRoundingErrors = 1.0 + 1e-9;  // of a step or value that is a power of ten
    const int decimals = -decade_of(kRoundingErrors * step);
    if (std::abs(value) < 1e5 && decimals <= 4)
        return fmt::format("{:.{}f}", value, std::max(decimals, 0));
    const int digits = decade_of(kRoundingErrors * std::abs(value)) + decimals + 1;
    return fmt::format("{:.{}g}", value, std::clamp(digits, 1, 15));
}

}  // namespace graze::app
