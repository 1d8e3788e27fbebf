#include "simulations/simulated_runs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "graze/sim/picture.hpp"
#include "graze/sim/scene.hpp"
#include "pictures/svg_file.hpp"

namespace graze::app::simulations {
namespace {

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= count ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

}  // namespace

std::string SimulatedRun::outcome() const {
    std::string text =
        fmt::format("{} intersections, {} crossings", total().intersections, total().crossings);
    text += total().stuck == 0
                ? ", never stuck"
                : fmt::format(", stuck in {} of {} steps", total().stuck, total().steps);
    return text;
}

Expected<SimulatedRun> run_simulated(const SimulatedCase& what, const ReproduceOptions& options,
                                     double from, double to) {
    sim::RunOptions run;
    run.frames = what.frames;
    run.check = true;
    run.threads = options.threads;
    run.method = what.method;
    run.stop = options.stop;
    const auto frames = static_cast<double>(what.frames);
    run.on_frame = [&](const sim::FrameStats& frame) {
        options.progress.tell(from + (to - from) * static_cast<double>(frame.frame) / frames);
    };
    auto report = sim::run(what.model, run);
    if (!report) return report.error();
    return SimulatedRun{what.label, std::move(*report)};
}

Expected<std::vector<SimulatedRun>> run_simulated(const std::vector<SimulatedCase>& cases,
                                                  const ReproduceOptions& options) {
    std::vector<SimulatedRun> runs;
    const auto count = static_cast<double>(cases.size());
    for (const SimulatedCase& what : cases) {
        const auto done = static_cast<double>(runs.size());
        auto run = run_simulated(what, options, done / count, (done + 1.0) / count);
        if (!run) return run.error();
        runs.push_back(std::move(*run));
    }
    return runs;
}

sim::Model built_in_scene(std::string_view name, double resolution) {
    for (const sim::NamedScene& scene : sim::all_scenes())
        if (scene.name == name) return scene.make({resolution});
    return {};
}

DataTable run_table(std::string name, std::string caption, const std::vector<SimulatedRun>& runs) {
    DataTable table{
        .name = std::move(name),
        .caption = std::move(caption),
        .headings = {"run", "intersections", "crossings", "stuck steps", "unfinished steps",
                     "iterations", "pairs tested", "positive", "seconds", "detection"},
        .rows = {}};
    for (const SimulatedRun& run : runs) {
        const sim::FrameStats& t = run.total();
        const double fraction = t.seconds > 0.0 ? t.seconds_detection / t.seconds : 0.0;
        table.rows.push_back(
            {run.label, fmt::format("{}", t.intersections), fmt::format("{}", t.crossings),
             fmt::format("{} of {}", t.stuck, t.steps), fmt::format("{}", t.unfinished),
             fmt::format("{}", t.iterations), fmt::format("{}", t.tested),
             fmt::format("{}", t.positive), fmt::format("{:.2f}", t.seconds),
             fmt::format("{:.1f} %", 100.0 * fraction)});
    }
    return table;
}

Expected<Drawing> state_drawing(std::string name, std::string caption, const sim::Model& model,
                                const sim::State& state) {
    const sim::PictureOptions size{.width = 480, .height = 360};
    const auto png = sim::picture_png(model, state.x, size);
    if (!png) return png.error();
    const std::string image =
        fmt::format("<image width=\"{}\" height=\"{}\" href=\"data:image/png;base64,{}\"/>",
                    size.width, size.height, base64(*png));
    return Drawing{std::move(name), caption,
                   svg_file({.width = static_cast<double>(size.width),
                             .height = static_cast<double>(size.height),
                             .title = caption,
                             .style = "",
                             .content = image})};
}

std::string delta_text(double delta) {
    const double exponent = std::log10(delta);
    const double nearest = std::round(exponent);
    return std::fabs(exponent - nearest) < 1e-9 ? fmt::format("1e{:.0f}", nearest)
                                                : fmt::format("10^{:.1f}", exponent);
}

std::vector<double> published_deltas(bool quick) {
    if (quick) return {1e-1, 1e-3, 1e-6};
    return {1e-1, 1e-3, std::pow(10.0, -4.5), 1e-6};
}

}  // namespace graze::app::simulations
