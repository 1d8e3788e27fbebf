// Plots of plot_svg.hpp in one picture that needs no style sheet of a page.
#pragma once

#include <string>
#include <vector>

namespace graze::app {

struct PlotSheet {
    std::string title;
    // As plot_svg.hpp makes them: in rows, from left to right. An empty one begins a row.
    std::vector<std::string> plots;
    std::vector<std::string> notes;  // below them
    double width = 960.0;            // of a row, at most (a wider plot has a row of its own)
};
[[nodiscard]] std::string plot_sheet(const PlotSheet& sheet);

}  // namespace graze::app
