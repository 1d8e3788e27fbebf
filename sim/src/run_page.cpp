// The page of a run: plots by frame as SVG, pictures, a table. Nothing is loaded from elsewhere, and
// nothing is a script.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "graze/core/elementary.hpp"
#include "graze/sim/picture.hpp"

namespace graze::sim {
namespace {

constexpr std::string_view kPageStyle = R"(
:root { color-scheme: light dark; --ink: #1c2127; --soft: #6a737d; --line: #d8dde3; --paper: #ffffff;
  --c0: #2b6cb0; --c1: #c05621; --c2: #2f855a; --c3: #805ad5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa4ae; --line: #3a424b;
  --paper: #14181c; --c0: #63a4e8; --c1: #f0955a; --c2: #5fc08d; --c3: #b197f4; } }
body { margin: 2em auto; max-width: 62em; padding: 0 1em; font: 15px/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); }
h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin: 1.6em 0 0.4em; }
.plots { display: flex; flex-wrap: wrap; gap: 1.2em; }
figure { margin: 0; } figcaption, .soft { color: var(--soft); font-size: 0.9em; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 11px; }
.grid { stroke: var(--line); } .curve { fill: none; stroke-width: 1.6; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(17em, 1fr)); gap: 0.8em; }
.pictures img { width: 100%; border-radius: 4px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
td, th { padding: 0.15em 0.45em; text-align: right; border-bottom: 1px solid var(--line);
  font-weight: normal; } th { color: var(--soft); }
.bad { color: var(--c1); font-weight: bold; }
)";

std::string html_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '"') {
            out += "&quot;";
        } else {
            out += c;
        }
    }
    return out;
}

std::string number_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

std::string fixed_text(double value) {  // a coordinate of a picture
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

struct Curve {
    std::string label;
    std::vector<double> values;  // one per frame; not finite: a gap
};

struct PlotArea {
    double width = 430.0;
    double height = 200.0;
    double left = 58.0;
    double right = 12.0;
    double top = 10.0;
    double bottom = 24.0;
    double high = 1.0;  // value at the top; the bottom is 0
    std::size_t positions = 1;

    [[nodiscard]] double x(std::size_t i) const {
        const double span = width - left - right;
        return left + (positions > 1
                           ? span * static_cast<double>(i) / static_cast<double>(positions - 1)
                           : 0.5 * span);
    }
    [[nodiscard]] double y(double value) const {
        return height - bottom - (height - top - bottom) * std::clamp(value / high, 0.0, 1.0);
    }
};

// 1, 2 or 5 times a power of ten, at least the value.
double round_up(double value) {
    if (!(value > 0.0)) return 1.0;
    const double decade = power_of_ten(decade_of(value));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= value) return factor * decade;
    return 10.0 * decade;
}

std::string svg_text_at(double x, double y, std::string_view anchor, const std::string& text) {
    return "<text x=\"" + fixed_text(x) + "\" y=\"" + fixed_text(y) + "\" text-anchor=\"" +
           std::string(anchor) + "\">" + html_text(text) + "</text>";
}

std::string plot_axes(const PlotArea& area, std::span<const FrameStats> frames) {
    std::string svg;
    for (int i = 0; i <= 4; ++i) {
        const double value = area.high * i / 4.0;
        const std::string y = fixed_text(area.y(value));
        svg += "<line class=\"grid\" x1=\"" + fixed_text(area.left) + "\" x2=\"" +
               fixed_text(area.width - area.right) + "\" y1=\"" + y + "\" y2=\"" + y + "\"/>";
        svg += svg_text_at(area.left - 6.0, area.y(value) + 4.0, "end", number_text(value));
    }
    const double below = area.height - 6.0;
    svg += svg_text_at(area.x(0), below, "start", "frame " + std::to_string(frames.front().frame));
    svg += svg_text_at(area.width - area.right, below, "end", std::to_string(frames.back().frame));
    return svg;
}

// A polyline for each stretch of values that are finite; a dot where such a stretch is one frame.
std::string curve_svg(const PlotArea& area, const Curve& curve, std::size_t colour) {
    const std::string stroke = "var(--c" + std::to_string(colour % 4) + ")";
    std::string svg;
    std::string points;
    std::size_t count = 0;
    std::string last;
    const auto finish = [&] {
        if (count == 1) svg += "<circle r=\"2\" fill=\"" + stroke + "\" " + last + "/>";
        if (count > 1)
            svg +=
                "<polyline class=\"curve\" stroke=\"" + stroke + "\" points=\"" + points + "\"/>";
        points.clear();
        count = 0;
    };
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
        if (!std::isfinite(curve.values[i])) {
            finish();
            continue;
        }
        const std::string x = fixed_text(area.x(i));
        const std::string y = fixed_text(area.y(curve.values[i]));
        points += x + "," + y + " ";
        last = "cx=\"" + x + "\" cy=\"" + y + "\"";
        ++count;
    }
    finish();
    return svg;
}

// `high`: the value at the top; 0: whatever the largest value needs.
std::string frame_plot(const std::string& title, const std::vector<Curve>& curves,
                       std::span<const FrameStats> frames, double high = 0.0) {
    PlotArea area;
    area.positions = frames.size();
    double largest = high;
    for (const Curve& curve : curves)
        for (const double value : curve.values)
            if (high == 0.0 && std::isfinite(value)) largest = std::max(largest, value);
    area.high = round_up(largest);
    std::string svg = "<svg role=\"img\" aria-label=\"" + html_text(title) + "\" width=\"" +
                      fixed_text(area.width) + "\" height=\"" + fixed_text(area.height) +
                      "\" viewBox=\"0 0 " + fixed_text(area.width) + " " + fixed_text(area.height) +
                      "\">" + plot_axes(area, frames);
    std::string legend;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        svg += curve_svg(area, curves[i], i);
        legend += " <span style=\"color: var(--c" + std::to_string(i % 4) + ")\">\u2014 " +
                  html_text(curves[i].label) + "</span>";
    }
    return "<figure>" + svg + "</svg><figcaption>" + html_text(title) + ":" + legend +
           "</figcaption></figure>\n";
}

template <class Of>
Curve curve_of(std::string label, std::span<const FrameStats> frames, Of&& of) {
    Curve curve{std::move(label), {}};
    for (const FrameStats& frame : frames)
        curve.values.push_back(static_cast<double>(of(frame)));
    return curve;
}

std::string frame_plots(std::span<const FrameStats> frames) {
    const auto detection = [](const FrameStats& f) { return f.seconds_detection; };
    std::string html = "<div class=\"plots\">\n";
    html += frame_plot("Kinetic energy",
                       {curve_of("at the end of the frame", frames,
                                 [](const FrameStats& f) { return f.kinetic_energy; })},
                       frames);
    html += frame_plot(
        "Contacts",
        {curve_of("pairs that are near", frames, [](const FrameStats& f) { return f.contacts; }),
         curve_of("positive tests", frames, [](const FrameStats& f) { return f.positive; })},
        frames);
    html += frame_plot("Seconds",
                       {curve_of("in all", frames, [](const FrameStats& f) { return f.seconds; }),
                        curve_of("detection", frames, detection)},
                       frames);
    html += frame_plot("Fraction of time in detection",
                       {curve_of("of the frame", frames,
                                 [](const FrameStats& f) {
                                     return f.seconds > 0.0 ? f.seconds_detection / f.seconds : 0.0;
                                 })},
                       frames, 1.0);
    html += frame_plot("Iterations",
                       {curve_of("of the solver and of impact passes", frames,
                                 [](const FrameStats& f) { return f.iterations; })},
                       frames);
    html += frame_plot(
        "Least distance",
        {curve_of("estimate", frames, [](const FrameStats& f) { return f.least_distance; })},
        frames);
    return html + "</div>\n";
}

std::string stats_cell(std::string_view name, const std::string& text, bool is_bad = false) {
    const std::string of_class = is_bad ? " class=\"bad\"" : "";
    return "<" + std::string(name) + of_class + ">" + text + "</" + std::string(name) + ">";
}

std::string stats_row(const FrameStats& f, const std::string& first) {
    std::string html = "<tr>" + stats_cell("td", first);
    for (const std::uint64_t count : {f.steps, f.iterations, f.tested, f.positive, f.contacts})
        html += stats_cell("td", std::to_string(count));
    for (const std::uint64_t count : {f.fail_safes, f.stuck, f.unfinished, f.inverted})
        html += stats_cell("td", std::to_string(count), count > 0);
    // None, where a step was not looked at, is nothing that is known.
    const bool is_checked = f.checked == f.steps;
    for (const std::uint64_t count : {f.intersections, f.crossings})
        html += stats_cell("td", is_checked || count > 0 ? std::to_string(count) : "-", count > 0);
    html += stats_cell("td", number_text(f.seconds)) +
            stats_cell("td", number_text(f.seconds_detection));
    return html + "</tr>\n";
}

std::string stats_table(std::span<const FrameStats> frames, bool totals_only) {
    FrameStats total;
    std::string rows;
    for (const FrameStats& f : frames) {
        total.add(f);
        if (!totals_only) rows += stats_row(f, std::to_string(f.frame));
    }
    std::string html = "<table><tr>";
    for (const char* heading :
         {"frame", "steps", "iterations", "tested", "positive", "near", "fail-safes", "stuck",
          "unfinished", "inverted", "intersections", "crossings", "seconds", "detection"})
        html += stats_cell("th", heading);
    html += "</tr>\n" + rows;
    if (totals_only) html += stats_row(total, "all");
    return html + "</table>\n";
}

std::string model_summary(const Model& model) {
    std::string text = std::to_string(model.rest.size()) + " vertices, " +
                       std::to_string(model.surface.faces.size()) + " triangles";
    if (!model.tetrahedra.empty())
        text += ", " + std::to_string(model.tetrahedra.size()) + " tetrahedra";
    if (!model.strand_edges.empty())
        text += ", " + std::to_string(model.strand_edges.size()) + " edges of strands";
    text += "; steps of " + number_text(1e3 * model.solver.dt) + " ms, " +
            std::to_string(model.solver.steps_per_frame) + " per frame; detection by " +
            model.contact.method;
    return "<p>" + html_text(text) + ".</p>\n";
}

// What detection took, boxes, trees and repulsions included.
std::string detection_summary(std::span<const FrameStats> frames) {
    FrameStats total;
    for (const FrameStats& f : frames)
        total.add(f);
    if (!(total.seconds > 0.0) || total.tested == 0) return {};
    const double percent = 100.0 * total.seconds_detection / total.seconds;
    const double micros = 1e6 * total.seconds_detection / static_cast<double>(total.tested);
    const double positive =
        100.0 * static_cast<double>(total.positive) / static_cast<double>(total.tested);
    return "<p>Detection: " + number_text(percent) + " % of the time, " + number_text(micros) +
           " \u00b5s per tested pair, " + number_text(positive) + " % of them positive.</p>\n";
}

// All of them, or some that are spread evenly.
std::string pictures_html(std::span<const std::string> pictures) {
    constexpr std::size_t kMost = 24;
    if (pictures.empty()) return {};
    std::string html = "<h2>Pictures</h2>\n<div class=\"pictures\">\n";
    const std::size_t shown = std::min(pictures.size(), kMost);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t at = shown > 1 ? i * (pictures.size() - 1) / (shown - 1) : 0;
        const std::string name = html_text(pictures[at]);
        html += "<figure><a href=\"" + name + "\"><img loading=\"lazy\" src=\"" + name +
                "\" alt=\"" + name + "\"></a><figcaption>" + name + "</figcaption></figure>\n";
    }
    return html + "</div>\n";
}

}  // namespace

std::string run_page(const Model& model, std::span<const FrameStats> frames,
                     std::span<const std::string> pictures) {
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
        html_text(model.name) + "</title>\n<style>" + std::string(kPageStyle) +
        "</style></head>\n<body>\n<h1>" + html_text(model.name) + "</h1>\n" + model_summary(model);
    if (!frames.empty())
        html += stats_table(frames, true) + detection_summary(frames) + frame_plots(frames);
    html += pictures_html(pictures);
    if (!frames.empty())
        html += "<h2>By frame</h2>\n<details><summary>" + std::to_string(frames.size()) +
                " frames</summary>\n" + stats_table(frames, false) + "</details>\n";
    return html + "</body></html>\n";
}

}  // namespace graze::sim
