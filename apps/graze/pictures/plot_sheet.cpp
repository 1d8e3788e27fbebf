#include "plot_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "svg_file.hpp"

namespace graze::app {
namespace {

// The classes of plot_svg.cpp with the colours of the page (html_text.cpp), by rule: a file of its
// own may meet a viewer that knows no variables.
constexpr std::string_view kPlotStyle =
    ".right{fill:#0072b2}.near{fill:#e69f00}.miss{fill:#d55e00}text.near{fill:#8a5a00}"
    "text.miss{fill:#d55e00;font-weight:700}"
    ".pos{fill:#009e73}.neg{fill:#cc79a7}.whisker{stroke:#66707a;stroke-width:1.2}"
    ".tick{stroke:#fff;stroke-width:2}.hollow{fill:none;stroke:#66707a;stroke-width:1.6}"
    ".s0{stroke:#0072b2;color:#0072b2}.s1{stroke:#d55e00;color:#d55e00}"
    ".s2{stroke:#009e73;color:#009e73}.s3{stroke:#cc79a7;color:#cc79a7}"
    ".s4{stroke:#e69f00;color:#e69f00}.s5{stroke:#56b4e9;color:#56b4e9}"
    ".s6{stroke:#7a7a7a;color:#7a7a7a}.s7{stroke:#8c6d1f;color:#8c6d1f}"
    ".band{stroke:none;fill:currentColor;opacity:.15}.curve{fill:none;stroke-width:2}"
    ".dot{stroke:none;fill:currentColor}text.name{fill:currentColor;stroke:none;font-weight:600}"
    "@media(prefers-color-scheme:dark){.right{fill:#3aa0dc}.near,text.near{fill:#f0b429}"
    ".miss,text.miss{fill:#f2743c}.pos{fill:#2cc295}.neg{fill:#e39cc3}.tick{stroke:#14181c}"
    ".s0{stroke:#3aa0dc;color:#3aa0dc}.s1{stroke:#f2743c;color:#f2743c}"
    ".s2{stroke:#2cc295;color:#2cc295}.s3{stroke:#e39cc3;color:#e39cc3}"
    ".s4{stroke:#f0b429;color:#f0b429}.s5{stroke:#8fd0f5;color:#8fd0f5}"
    ".s6{stroke:#a8a8a8;color:#a8a8a8}.s7{stroke:#c9a94b;color:#c9a94b}}";

constexpr double kEdge = 16.0;
constexpr double kGap = 20.0;
constexpr double kSheetTitleHeight = 30.0;

// The value of an attribute of the outermost element; 0 where it has none.
double size_of(const std::string& svg, std::string_view attribute) {
    const std::size_t end = svg.find('>');
    const std::size_t at = svg.find(fmt::format(" {}=\"", attribute));
    if (at == std::string::npos || at > end) return 0.0;
    return std::strtod(svg.c_str() + at + attribute.size() + 3, nullptr);
}

}  // namespace

std::string plot_sheet(const PlotSheet& sheet) {
    std::string content = svg_text(kEdge, kEdge + 10.0, "head", sheet.title) + "\n";
    double x = kEdge;
    double y = kEdge + kSheetTitleHeight;
    double row_height = 0.0;
    double widest = text_width(sheet.title) * 14.0 / 12.0 + 2.0 * kEdge;
    for (const std::string& plot : sheet.plots) {
        const double width = size_of(plot, "width");
        if (x > kEdge && (plot.empty() || x + width > sheet.width)) {
            x = kEdge;
            y += row_height + kGap;
            row_height = 0.0;
        }
        if (plot.empty()) continue;
        content += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n", x, y, plot);
        x += width + kGap;
        row_height = std::max(row_height, size_of(plot, "height"));
        widest = std::max(widest, x - kGap + kEdge);
    }
    y += row_height + kGap;
    const PlacedSvg notes = notes_svg(sheet.notes, widest - 2.0 * kEdge);
    content +=
        fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n", kEdge, y, notes.svg);
    return svg_file({.width = widest,
                     .height = y + notes.height + kEdge,
                     .title = sheet.title,
                     .style = std::string(kPlotStyle),
                     .content = content});
}

}  // namespace graze::app
