#include "slide_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "html_text.hpp"

namespace graze::tools {
namespace {

constexpr double kColumn = 420.0;   // width of a panel
constexpr double kTallest = 420.0;  // height of a view
constexpr double kMargin = 12.0;
constexpr double kTitle = 42.0;
constexpr double kChart = 70.0;  // height of a curve
constexpr double kChartTitle = 20.0;
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

// All of them; where they are too many only those near the paths, or some of these.
std::string level_path(std::span<const Corners> level, const Canvas& canvas,
                       const std::vector<PathPanel>& panels) {
    std::set<Segment> edges = level_edges(level, canvas);
    if (edges.size() > kMostEdges) {
        const NearSquares near(panels, canvas);
        std::erase_if(edges, [&](const Segment& s) { return !near.hold(s); });
    }
    const std::size_t step = edges.size() / kMostEdges + 1;
    std::string path;
    std::size_t index = 0;
    for (const Segment& s : edges) {
        if (index++ % step != 0) continue;
        const auto at = [&](std::size_t i) { return static_cast<double>(s[i]) / 10.0; };
        path += fmt::format("M{:g} {:g}L{:g} {:g}", at(0), at(1), at(2), at(3));
    }
    return path;
}

// A value of every move on a logarithmic axis from 10^low to 10^high; what is below lies on the
// ground line. Of many moves that share a place the largest and the smallest are drawn.
struct Curve {
    std::string_view title;
    int low = -4;
    int high = 1;
    const std::vector<double>& values;
};

std::string curve_chart(const Curve& curve) {
    const auto height = [&](double value) {
        const double place = value > 0.0 ? std::log10(value) : -HUGE_VAL;
        const double share = (place - curve.low) / (curve.high - curve.low);
        return kChart * (1.0 - std::clamp(share, 0.0, 1.0));
    };
    std::string svg = fmt::format("<text class=\"note\" x=\"4\" y=\"-4\">{}</text>\n", curve.title);
    for (int decade = curve.low; decade <= curve.high; ++decade) {
        svg += fmt::format("<path class=\"grid{0}\" d=\"M0 {1:.1f}H{2}\"/>\n",
                           decade == 0 ? " one" : "", height(std::pow(10.0, decade)), kColumn);
    }
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
        points += fmt::format("{:.1f},{:.1f} ", x, height(*most));
        if (*least != *most) points += fmt::format("{:.1f},{:.1f} ", x, height(*least));
    }
    return svg + fmt::format("<polyline class=\"curve\" points=\"{}\"/>\n", points);
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

std::string panel_view(const Vec3& radii, const PathPanel& panel, const Canvas& canvas,
                       std::size_t view) {
    std::string svg =
        fmt::format("<g clip-path=\"url(#clip{0})\">\n<use href=\"#level{0}\"/>\n", view);
    constexpr std::size_t kShapes = 6;
    for (std::size_t i = 1; i < kShapes; ++i)
        svg += ellipse(panel.path[i * (panel.path.size() - 1) / kShapes], radii, canvas, "between");
    svg += ellipse(panel.path.front(), radii, canvas, "start");
    svg += ellipse(panel.path.back(), radii, canvas, "end");
    svg += fmt::format("<polyline class=\"way\" points=\"{}\"/>\n", way_points(panel.path, canvas));
    constexpr std::size_t kMostMarks = 200;
    const std::size_t step = panel.inside.size() / kMostMarks + 1;
    for (std::size_t i = 0; i < panel.inside.size(); i += step) {
        const Vec3& at = panel.path[panel.inside[i]];
        svg += fmt::format("<circle class=\"inside\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.5\"/>\n",
                           canvas.x(at), canvas.y(at));
    }
    return svg + "</g>\n";
}

Box2 box_of(const std::vector<PathPanel>& panels, const Vec3& radii, const View2& view) {
    Box2 box;
    for (const PathPanel& panel : panels) {
        for (const Vec3& p : panel.path) {
            box.add(view.x(p) - 1.5 * radii[view.across], view.y(p) - 1.5 * radii[view.up]);
            box.add(view.x(p) + 1.5 * radii[view.across], view.y(p) + 1.5 * radii[view.up]);
        }
    }
    return box;
}

// Along the way, as seen from the side: the horizontal axis on which the paths reach farther.
std::size_t longer_axis(const std::vector<PathPanel>& panels) {
    const Box2 box = box_of(panels, {}, {0, 2, 1.0});
    return box.width() >= box.height() ? 0 : 2;
}

constexpr std::string_view kStyle =
    "<style>text{font:13px sans-serif;fill:#222}.note{font-size:11px;fill:#555}"
    ".back{fill:#fff}.frame{fill:none;stroke:#bbb}.level{fill:none;stroke:#98a2ad;stroke-width:.6}"
    ".way{fill:none;stroke:#0b6bcb;stroke-width:1.4;stroke-linejoin:round}"
    ".between{fill:#0b6bcb;fill-opacity:.06;stroke:#0b6bcb;stroke-opacity:.35;stroke-width:.7}"
    ".start{fill:none;stroke:#2a8a3a;stroke-width:1.4}.end{fill:none;stroke:#c2410c;stroke-width:1."
    "4}"
    ".inside{fill:#d11}.grid{stroke:#e3e3e3}.one{stroke:#2a8a3a}"
    ".curve{fill:none;stroke:#7a3ea1;stroke-width:.9;stroke-linejoin:round}</style>\n";

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

// The level is drawn once, and used in every panel.
std::string definitions(std::span<const Corners> level, const std::vector<PathPanel>& panels,
                        const Canvases& canvases) {
    std::string svg = "<defs>\n";
    for (std::size_t v = 0; v < canvases.size(); ++v) {
        svg += fmt::format(
            "<clipPath id=\"clip{0}\"><rect width=\"{1:.1f}\" height=\"{2:.1f}\"/></clipPath>\n"
            "<path id=\"level{0}\" class=\"level\" d=\"{3}\"/>\n",
            v, canvases[v].width(), canvases[v].height(), level_path(level, canvases[v], panels));
    }
    return svg + "</defs>\n";
}

std::string placed_group(double top, const std::string& content) {
    return fmt::format("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", top, content);
}

std::string panel_column(const PathPanel& panel, const Vec3& radii, const Canvases& canvases) {
    std::string svg =
        fmt::format("<text y=\"18\">{}</text>\n<text class=\"note\" y=\"34\">{}</text>\n",
                    escaped(panel.title), escaped(panel.note));
    double top = kTitle;
    for (std::size_t v = 0; v < canvases.size(); ++v) {
        const std::string frame =
            fmt::format("<rect class=\"frame\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                        canvases[v].width(), canvases[v].height());
        svg += placed_group(top, panel_view(radii, panel, canvases[v], v) + frame);
        top += canvases[v].height() + kMargin;
    }
    for (const Curve& curve :
         {Curve{"gap / skin of each move, 10^-4 to 10 (line: 1)", -4, 1, panel.gaps},
          Curve{"moved / wished, 10^-6 to 1", -6, 0, panel.steps}}) {
        top += kChartTitle;
        svg += placed_group(top, curve_chart(curve));
        top += kChart;
    }
    return svg;
}

}  // namespace

std::string paths_svg(std::span<const Corners> level, const Vec3& radii,
                      const std::vector<PathPanel>& panels, std::string_view side) {
    const Canvases canvases = canvases_for(panels, radii, side);
    const double width = kMargin + static_cast<double>(panels.size()) * (kColumn + kMargin);
    const double height = kTitle + canvases[0].height() + canvases[1].height() + 3.0 * kMargin +
                          2.0 * (kChart + kChartTitle);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\">\n{2}"
        "<rect class=\"back\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n{3}",
        width, height, kStyle, definitions(level, panels, canvases));
    for (std::size_t i = 0; i < panels.size(); ++i) {
        svg += fmt::format("<g transform=\"translate({:.1f} 0)\">\n{}</g>\n",
                           kMargin + static_cast<double>(i) * (kColumn + kMargin),
                           panel_column(panels[i], radii, canvases));
    }
    return svg + "</svg>\n";
}

}  // namespace graze::tools
