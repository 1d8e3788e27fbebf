#include "slide_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "graze/core/elementary.hpp"
#include "svg_file.hpp"

namespace graze::app {
namespace {

constexpr double kColumn = 420.0;   // width of a panel
constexpr double kTallest = 420.0;  // height of a view
constexpr double kMargin = 12.0;
constexpr double kGutter = 58.0;  // left of the first column, for the numbers of axes
constexpr double kTitle = 42.0;
constexpr double kViewTitle = 18.0;
constexpr double kViewFoot = 22.0;  // below a view, for the numbers
constexpr double kChart = 70.0;     // height of a curve
constexpr double kChartTitle = 26.0;
constexpr std::size_t kMostEdges = 3500;
constexpr std::size_t kMostPoints = 700;

struct Box2 {
    double left = HUGE_VAL;
    double right = -HUGE_VAL;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;

    void add(double x, double y) {
        left = std::min(left, x);
        right = std::max(right, x);
        low = std::min(low, y);
        high = std::max(high, y);
    }
    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return high - low; }
};

// Which coordinate goes to the right and which one up, with its sign.
struct View2 {
    std::size_t across = 0;
    std::size_t up = 1;
    double up_sign = 1.0;

    [[nodiscard]] double x(const Vec3& p) const { return p[across]; }
    [[nodiscard]] double y(const Vec3& p) const { return up_sign * p[up]; }
};

// From world to picture: x right, y down.
class Canvas {
public:
    Canvas(const View2& view, const Box2& box, double scale)
        : view_(view), box_(box), scale_(scale) {}
    [[nodiscard]] double x(const Vec3& p) const { return (view_.x(p) - box_.left) * scale_; }
    [[nodiscard]] double y(const Vec3& p) const { return (box_.high - view_.y(p)) * scale_; }
    [[nodiscard]] double width() const { return box_.width() * scale_; }
    [[nodiscard]] double height() const { return box_.height() * scale_; }
    [[nodiscard]] double length(double world) const { return world * scale_; }
    [[nodiscard]] const View2& view() const { return view_; }
    [[nodiscard]] const Box2& box() const { return box_; }
    [[nodiscard]] double scale() const { return scale_; }

private:
    View2 view_;
    Box2 box_;
    double scale_;
};

using Segment = std::array<long, 4>;

// Squares of the picture, some pixels wide, that the paths come through, and their neighbours.
class NearSquares {
public:
    NearSquares(const std::vector<PathPanel>& panels, const Canvas& canvas) {
        for (const PathPanel& panel : panels) {
            for (const Vec3& p : panel.path)
                mark(square(canvas.x(p)), square(canvas.y(p)));
        }
    }
    [[nodiscard]] bool hold(const Segment& s) const {
        return squares_.contains(
            {square(static_cast<double>(s[0]) / 10.0), square(static_cast<double>(s[1]) / 10.0)});
    }

private:
    static long square(double x) { return std::lround(x / 8.0); }
    void mark(long x, long y) {
        for (long dx = -1; dx <= 1; ++dx) {
            for (long dy = -1; dy <= 1; ++dy)
                squares_.insert({x + dx, y + dy});
        }
    }
    std::set<std::pair<long, long>> squares_;
};

// Edges that come into the picture, each projected segment once. Coordinates in tenths of a pixel,
// so that what coincides on paper is one.
std::set<Segment> level_edges(std::span<const Corners> level, const Canvas& canvas) {
    std::set<Segment> seen;
    const auto tenth = [](double x) { return std::lround(10.0 * std::clamp(x, -1e6, 1e6)); };
    const auto apart = [](long a, long b, double high) {
        return std::max(a, b) < 0 || static_cast<double>(std::min(a, b)) > 10.0 * high;
    };
    for (const Corners& t : level) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3& p = t[i];
            const Vec3& q = t[(i + 1) % 3];
            Segment s = {tenth(canvas.x(p)), tenth(canvas.y(p)), tenth(canvas.x(q)),
                         tenth(canvas.y(q))};
            if (std::pair(s[0], s[1]) > std::pair(s[2], s[3])) s = {s[2], s[3], s[0], s[1]};
            const bool is_seen =
                !apart(s[0], s[2], canvas.width()) && !apart(s[1], s[3], canvas.height());
            if ((s[0] != s[2] || s[1] != s[3]) && is_seen) seen.insert(s);
        }
    }
    return seen;
}

struct LevelPath {
    std::string path;
    bool is_part = false;  // not all edges that come into the picture
};

// All of them; where they are too many only those near the paths, or some of these.
LevelPath level_path(std::span<const Corners> level, const Canvas& canvas,
                     const std::vector<PathPanel>& panels) {
    std::set<Segment> edges = level_edges(level, canvas);
    LevelPath drawn;
    drawn.is_part = edges.size() > kMostEdges;
    if (drawn.is_part) {
        const NearSquares near(panels, canvas);
        std::erase_if(edges, [&](const Segment& s) { return !near.hold(s); });
    }
    const std::size_t step = edges.size() / kMostEdges + 1;
    std::size_t index = 0;
    for (const Segment& s : edges) {
        if (index++ % step != 0) continue;
        const auto at = [&](std::size_t i) { return static_cast<double>(s[i]) / 10.0; };
        drawn.path += fmt::format("M{:g} {:g}L{:g} {:g}", at(0), at(1), at(2), at(3));
    }
    return drawn;
}

// A value of every move on a logarithmic axis from 10^low to 10^high; what is below lies on the
// ground line. Of many moves that share a place the largest and the smallest are drawn.
struct Curve {
    std::string_view title;
    bool is_one_marked = false;  // the line at 1
    int low = -4;
    int high = 1;
    const std::vector<double>& values;
};

double curve_height(const Curve& curve, double value) {
    if (!(value > power_of_ten(curve.low))) return kChart;
    if (value >= power_of_ten(curve.high)) return 0.0;
    const double place = logarithm(value) / std::numbers::ln10;
    const double fraction = (place - curve.low) / (curve.high - curve.low);
    return kChart * (1.0 - std::clamp(fraction, 0.0, 1.0));
}

// "0.01", "1", "1e-6".
std::string decade_number(int decade) {
    return decade >= -2 ? fmt::format("{:g}", power_of_ten(decade)) : fmt::format("1e{}", decade);
}

std::string curve_grid(const Curve& curve, bool has_numbers) {
    std::string svg = svg_text(4.0, -6.0, "soft tiny", curve.title) + "\n";
    for (int decade = curve.low; decade <= curve.high; ++decade) {
        const double y = curve_height(curve, power_of_ten(decade));
        svg += fmt::format("<path class=\"grid{0}\" d=\"M0 {1:.1f}H{2}\"/>\n",
                           decade == 0 && curve.is_one_marked ? " one" : "", y, kColumn);
        // Every other one has room for its number.
        if (has_numbers && (decade - curve.high) % 2 == 0)
            svg += svg_text(-6.0, y + 3.5, "soft tiny end", decade_number(decade));
    }
    return svg;
}

std::string curve_chart(const Curve& curve, bool has_numbers) {
    constexpr std::size_t kBins = 400;
    const std::size_t count = curve.values.size();
    const std::size_t bins = std::min(kBins, count);
    std::string points;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const auto begin = curve.values.begin() + static_cast<std::ptrdiff_t>(bin * count / bins);
        const auto end =
            curve.values.begin() + static_cast<std::ptrdiff_t>((bin + 1) * count / bins);
        const auto [least, most] = std::minmax_element(begin, end);
        const double x = kColumn * (static_cast<double>(bin) + 0.5) / static_cast<double>(bins);
        points += fmt::format("{:.1f},{:.1f} ", x, curve_height(curve, *most));
        if (*least != *most)
            points += fmt::format("{:.1f},{:.1f} ", x, curve_height(curve, *least));
    }
    return curve_grid(curve, has_numbers) +
           fmt::format("<polyline class=\"curve\" points=\"{}\"/>\n", points);
}

// Below the lowest chart: the number of moves.
std::string move_numbers(std::size_t moves) {
    const RoundTicks ticks = round_ticks(0.0, static_cast<double>(moves), 5);
    std::string svg;
    for (const double tick : ticks.values) {
        const double x = kColumn * tick / static_cast<double>(moves);
        svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} 0v4\"/>", x) +
               svg_text(x, 15.0, "soft tiny middle", tick_text(tick, ticks.step));
    }
    return svg + svg_text(kColumn, 28.0, "soft tiny end", "move") + "\n";
}

std::string way_points(const std::vector<Vec3>& path, const Canvas& canvas) {
    std::string points;
    const std::size_t step = path.size() / kMostPoints + 1;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i % step != 0 && i + 1 != path.size()) continue;
        points += fmt::format("{:.2f},{:.2f} ", canvas.x(path[i]), canvas.y(path[i]));
    }
    return points;
}

std::string ellipse(const Vec3& at, const Vec3& radii, const Canvas& canvas,
                    std::string_view css_class) {
    return fmt::format(
        "<ellipse class=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" rx=\"{:.2f}\" ry=\"{:.2f}\"/>\n",
        css_class, canvas.x(at), canvas.y(at), canvas.length(radii[canvas.view().across]),
        canvas.length(radii[canvas.view().up]));
}

// How far the core of the shape extends along an axis.
double core_extent(const PathPanel& panel, std::size_t axis) {
    return std::fabs(panel.half_axis[axis]) + std::fabs(panel.side_axes[0][axis]) +
           std::fabs(panel.side_axes[1][axis]);
}

// A capsule as the balls at its ends.
std::string shape_at(const Vec3& at, const Vec3& radii, const PathPanel& panel,
                     const Canvas& canvas, std::string_view css_class) {
    if (panel.half_axis == Vec3{} && panel.side_axes == std::array<Vec3, 2>{})
        return ellipse(at, radii, canvas, css_class);
    std::string drawn;
    for (const double p : {-1.0, 1.0}) {
        for (const double q : {-1.0, 1.0}) {
            for (const double r : {-1.0, 1.0}) {
                // Of an axis without length one sign stands for both.
                if ((q > 0.0 && panel.side_axes[0] == Vec3{}) ||
                    (r > 0.0 && panel.side_axes[1] == Vec3{}))
                    continue;
                drawn += ellipse(
                    at + p * panel.half_axis + q * panel.side_axes[0] + r * panel.side_axes[1],
                    radii, canvas, css_class);
            }
        }
    }
    return drawn;
}

std::string panel_view(const Vec3& radii, const PathPanel& panel, const Canvas& canvas,
                       std::size_t view) {
    std::string svg =
        fmt::format("<svg width=\"{:.1f}\" height=\"{:.1f}\">\n<use href=\"#level{}\"/>\n",
                    canvas.width(), canvas.height(), view);
    constexpr std::size_t kShapes = 6;
    for (std::size_t i = 1; i < kShapes; ++i)
        svg += shape_at(panel.path[i * (panel.path.size() - 1) / kShapes], radii, panel, canvas,
                        "between");
    svg += shape_at(panel.path.front(), radii, panel, canvas, "start");
    svg += shape_at(panel.path.back(), radii, panel, canvas, "end");
    svg += fmt::format("<polyline class=\"way\" points=\"{}\"/>\n", way_points(panel.path, canvas));
    constexpr std::size_t kMostMarks = 200;
    const std::size_t step = panel.inside.size() / kMostMarks + 1;
    for (std::size_t i = 0; i < panel.inside.size(); i += step) {
        const Vec3& at = panel.path[panel.inside[i]];
        svg += fmt::format("<circle class=\"inside\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.5\"/>\n",
                           canvas.x(at), canvas.y(at));
    }
    return svg + "</svg>\n";
}

// Numbers along the frame of a view: below it, and on its left in the first column.
std::string view_numbers(const Canvas& canvas, bool is_first) {
    const View2& view = canvas.view();
    const Box2& box = canvas.box();
    const auto most = [](double room) {
        return static_cast<std::size_t>(std::clamp(room / 45.0, 3.0, 8.0));
    };
    std::string svg;
    const RoundTicks across = round_ticks(box.left, box.right, most(canvas.width()));
    for (const double tick : across.values) {
        const double x = (tick - box.left) * canvas.scale();
        svg +=
            fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}v4\"/>", x, canvas.height()) +
            svg_text(x, canvas.height() + 15.0, "soft tiny middle", tick_text(tick, across.step));
    }
    if (!is_first) return svg + "\n";
    const RoundTicks up = round_ticks(box.low, box.high, most(canvas.height()));
    for (const double tick : up.values) {
        const double y = (box.high - tick) * canvas.scale();
        svg += fmt::format("<path class=\"axis\" d=\"M0 {:.1f}h-4\"/>", y) +
               svg_text(-7.0, y + 3.5, "soft tiny end", tick_text(view.up_sign * tick, up.step));
    }
    return svg + "\n";
}

// "from the side: x to the right, y up".
std::string view_title(const Canvas& canvas, std::size_t index) {
    constexpr std::array kNames = {"x", "y", "z"};
    const View2& view = canvas.view();
    return fmt::format("{}: {} to the right, {} {}", index == 0 ? "from the side" : "from above",
                       kNames[view.across], kNames[view.up], view.up_sign > 0.0 ? "up" : "down");
}

Box2 box_of(const std::vector<PathPanel>& panels, const Vec3& radii, const View2& view) {
    Box2 box;
    for (const PathPanel& panel : panels) {
        const double across = 1.5 * radii[view.across] + core_extent(panel, view.across);
        const double up = 1.5 * radii[view.up] + core_extent(panel, view.up);
        for (const Vec3& p : panel.path) {
            box.add(view.x(p) - across, view.y(p) - up);
            box.add(view.x(p) + across, view.y(p) + up);
        }
    }
    return box;
}

// Along the way, as seen from the side: the horizontal axis on which the paths reach farther.
std::size_t longer_axis(const std::vector<PathPanel>& panels) {
    const Box2 box = box_of(panels, {}, {0, 2, 1.0});
    return box.width() >= box.height() ? 0 : 2;
}

constexpr std::string_view kPathStyle =
    ".level{fill:none;stroke:#98a2ad;stroke-width:.6}"
    ".way{fill:none;stroke:#0b6bcb;stroke-width:1.4;stroke-linejoin:round}"
    ".between{fill:#0b6bcb;fill-opacity:.06;stroke:#0b6bcb;stroke-opacity:.35;stroke-width:.7}"
    ".start{fill:none;stroke:#2a8a3a;stroke-width:1.6}.end{fill:none;stroke:#c2410c}"
    "ellipse.end{stroke-width:1.6}text.end{stroke:none}.inside{fill:#d11}.one{stroke:#2a8a3a}"
    ".curve{fill:none;stroke:#7a3ea1;stroke-width:.9;stroke-linejoin:round}"
    "@media(prefers-color-scheme:dark){.level{stroke:#5d6873}.way{stroke:#58a9f5}"
    ".between{fill:#58a9f5;stroke:#58a9f5}.start,.one{stroke:#5fce74}ellipse.end{stroke:#ff8f5a}"
    ".inside{fill:#ff5a5a}.curve{stroke:#c990ee}}";

std::vector<LegendItem> path_legend(bool is_part) {
    const auto ball = [](const char* css_class) {
        return fmt::format("<ellipse class=\"{}\" cx=\"12\" cy=\"7\" rx=\"6\" ry=\"6\"/>",
                           css_class);
    };
    return {{ball("start"), "start"},
            {ball("end"), "end"},
            {ball("between"), "in between"},
            {"<path class=\"way\" d=\"M1 10L9 4 23 8\"/>", "way of the centre"},
            {"<circle class=\"inside\" cx=\"12\" cy=\"7\" r=\"3\"/>", "penetrates the level there"},
            {"<path class=\"level\" d=\"M1 12L9 3 23 10M9 3L14 13\"/>",
             is_part ? "edges of the level, near the way" : "edges of the level"},
            {"<path class=\"grid one\" d=\"M1 7H23\"/>", "a gap of one skin, as promised"}};
}

using Canvases = std::array<Canvas, 2>;  // from the side, from above

// One scale for both views, so that all of it fits.
Canvases canvases_for(const std::vector<PathPanel>& panels, const Vec3& radii,
                      std::string_view side) {
    const std::size_t along = side == "x" ? 0 : side == "z" ? 2 : longer_axis(panels);
    const View2 from_side{along, 1, 1.0};
    // From above z grows downwards, as on a map.
    const View2 from_above{along, along == 0 ? 2U : 0U, -1.0};
    const Box2 front = box_of(panels, radii, from_side);
    const Box2 map = box_of(panels, radii, from_above);
    const double scale =
        std::min({kColumn / front.width(), kTallest / front.height(), kTallest / map.height()});
    return {Canvas(from_side, front, scale), Canvas(from_above, map, scale)};
}

using LevelPaths = std::array<LevelPath, 2>;  // one a view

// The level is drawn once, and used in every panel.
std::string definitions(const LevelPaths& paths) {
    std::string svg = "<defs>\n";
    for (std::size_t v = 0; v < paths.size(); ++v)
        svg += fmt::format("<path id=\"level{}\" class=\"level\" d=\"{}\"/>\n", v, paths[v].path);
    return svg + "</defs>\n";
}

std::string placed_group(double top, const std::string& content) {
    return fmt::format("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", top, content);
}

std::string panel_column(const PathPanel& panel, const Vec3& radii, const Canvases& canvases,
                         bool is_first) {
    std::string svg =
        svg_text(0.0, 18.0, "strong", panel.title) + svg_text(0.0, 34.0, "soft", panel.note) + "\n";
    double top = kTitle;
    for (std::size_t v = 0; v < canvases.size(); ++v) {
        svg += svg_text(0.0, top + 12.0, "soft tiny", view_title(canvases[v], v));
        top += kViewTitle;
        const std::string frame =
            fmt::format("<rect class=\"frame\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                        canvases[v].width(), canvases[v].height());
        svg += placed_group(top, panel_view(radii, panel, canvases[v], v) + frame +
                                     view_numbers(canvases[v], is_first));
        top += canvases[v].height() + kViewFoot;
    }
    for (const Curve& curve :
         {Curve{"gap to the level after each move, in skins", true, -4, 1, panel.gaps},
          Curve{"length moved / length wished, of each move", false, -6, 0, panel.steps}}) {
        top += kChartTitle;
        svg += placed_group(top, curve_chart(curve, is_first));
        top += kChart;
    }
    return svg + placed_group(top, move_numbers(panel.steps.size()));
}

double column_height(const Canvases& canvases) {
    double height = kTitle + 2.0 * (kChart + kChartTitle) + 34.0;
    for (const Canvas& canvas : canvases)
        height += kViewTitle + canvas.height() + kViewFoot;
    return height;
}

}  // namespace

std::string paths_svg(std::span<const Corners> level, const Vec3& radii,
                      const std::vector<PathPanel>& panels, std::string_view side) {
    const Canvases canvases = canvases_for(panels, radii, side);
    const double width = kGutter + static_cast<double>(panels.size()) * (kColumn + kMargin);
    const LevelPaths paths = {level_path(level, canvases[0], panels),
                              level_path(level, canvases[1], panels)};
    const PlacedSvg legend =
        legend_svg(path_legend(paths[0].is_part || paths[1].is_part), width - 2.0 * kMargin);
    const double top = kMargin + legend.height;
    std::string content =
        definitions(paths) +
        fmt::format("<g transform=\"translate({0} {0})\">{1}</g>\n", kMargin, legend.svg);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        content += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n",
                               kGutter + static_cast<double>(i) * (kColumn + kMargin), top,
                               panel_column(panels[i], radii, canvases, i == 0));
    }
    return svg_file({.width = width,
                     .height = top + column_height(canvases),
                     .title = "Paths over a level",
                     .style = std::string(kPathStyle),
                     .content = content});
}

}  // namespace graze::app
