#include "reproduce/wang2014_items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pictures/svg_file.hpp"

namespace graze::app {
namespace wang2014 {
namespace {

constexpr double kBarRow = 24.0;
constexpr double kBarLeft = 190.0;
constexpr double kBarWidth = 300.0;

// From 0 to 1.
double bar_length(double value, double least, double largest, BarAxis axis) {
    if (!(largest > 0.0) || !(value > 0.0)) return 0.0;
    if (axis == BarAxis::Linear) return value / largest;
    const double low = std::floor(std::log10(least));
    const double high = std::max(std::ceil(std::log10(largest)), low + 1.0);
    return (std::log10(value) - low) / (high - low);
}

}  // namespace

std::string labelled_bars(const std::string& title, const std::vector<LabelledBar>& bars,
                          BarAxis axis) {
    double least = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (const LabelledBar& bar : bars) {
        if (bar.value > 0.0) least = std::min(least, bar.value);
        largest = std::max(largest, bar.value);
    }
    std::string content = svg_text(8.0, 18.0, "strong", title);
    double y = 34.0;
    for (const LabelledBar& bar : bars) {
        const double width = kBarWidth * bar_length(bar.value, least, largest, axis);
        content += svg_text(kBarLeft - 8.0, y + 13.0, "end", bar.label);
        content +=
            fmt::format("<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"16\"/>",
                        kBarLeft, y, std::max(width, 1.0));
        content += svg_text(kBarLeft + width + 6.0, y + 13.0, "soft", bar.text);
        y += kBarRow;
    }
    return svg_file({.width = kBarLeft + kBarWidth + 190.0,
                     .height = y + 8.0,
                     .title = title,
                     .style = ".bar{fill:#4a7fb5}",
                     .content = content});
}

}  // namespace wang2014

std::vector<ReproduceItem> wang2014_items() {
    const ItemsOf paper{Paper::Wang2014};
    return {
        paper.simulated("figure-1", "Bow knot, tied from a ribbon"),
        paper.reproduced("figure-2", "Tests and their error tolerances", &wang2014::tolerances),
        paper.diagram("figure-3", "Cases of vertex-edge and vertex-triangle tests"),
        paper.reproduced("section-4.1", "Error constants by the calculus of theorem 4.1",
                         &wang2014::error_constants),
        paper.diagram("figure-4", "Inner circle and heights of a triangle"),
        paper.reproduced("section-4.4.1", "Distance of false positives, at most 41 B eps^(1/4)",
                         &wang2014::false_positive_distance),
        paper.diagram("figure-5", "False positives of vertex-triangle tests"),
        paper.diagram("figure-6", "False positives of edge-edge tests"),
        paper.simulated("figure-7a", "Lifted tablecloth"),
        paper.simulated("figure-7b", "Colliding tablecloth, in which the basic test fails"),
        paper.simulated("figure-7c", "Virtual clothing"),
        paper.simulated(
            "section-5-animations",
            "Cost on four cloth animations: 350 and 355 ns, 409 and 416 ns without planes"),
        paper.reproduced("section-5-cube", "Cost and culling on random motions in a unit cube",
                         &wang2014::unit_cube),
        paper.reproduced("section-5-exact", "Against the exact approach",
                         &wang2014::exact_approach),
        paper.simulated("section-5-peak",
                        "Up to 20 % faster than exact tests at the collision peak"),
        paper.simulated("section-5-positives", "Up to 10 % more positive cases in animations"),
        paper.reproduced("section-5-bound", "B of each query, of pairs and of the scene",
                         &wang2014::bounds),
        paper.reproduced("section-5-safety", "Contacts that the basic test misses",
                         &wang2014::safety),
        paper.reproduced("section-6-precision",
                         "Tolerances for float, double and extended precision",
                         &wang2014::precisions),
        paper.reproduced("appendix", "Quadratic and cubic solver, error of the vertex-edge test",
                         &wang2014::solvers),
        paper.diagram("figure-8", "Appendix: roots between two extrema"),
        paper.diagram("figure-9", "Appendix: pieces of F0ij"),
        paper.diagram("figure-10", "Appendix: minima of F0ij near each other"),
    };
}

}  // namespace graze::app
