#include <fmt/format.h>

#include <algorithm>

#include "reproduce/linahan.hpp"

namespace graze::app {
namespace linahan {

generate::LevelScene scene_of(const LevelRun& run, const ReproduceOptions& options) {
    generate::LevelOptions level;
    level.seed = options.seed;
    level.stop = options.stop;
    level.terrain_faces = options.quick ? 5'000 : 100'000;
    level.max_moves = options.quick ? 300 : 4'000;
    return generate::placed(generate::make_level(run.level, level), 1.0,
                            {run.shift, run.shift, run.shift});
}

Expected<verify::SlideMeasures> measured_run(const LevelRun& run, const ReproduceOptions& options) {
    const generate::LevelScene scene = scene_of(run, options);
    if (options.stop.stop_requested()) return stopped_item();
    const auto walker = verify::make_walker(scene.parts, scene.start,
                                            {run.mover, run.precision, {1, 1, 1}, run.skin});
    if (!walker) return walker.error();
    const verify::GapMeasure gaps((*walker)->triangles(), (*walker)->radii());
    verify::MeasureOptions measure;
    measure.stop = options.stop;
    auto measures = measure_slide(**walker, gaps, scene, measure);
    if (options.stop.stop_requested()) return stopped_item();
    return measures;
}

std::string short_number(double value) {
    return value == 0.0 ? "0" : fmt::format("{:.2g}", value);
}

std::string percent_text(double fraction) {
    return short_number(100.0 * fraction) + " %";
}

std::string count_of_total(std::uint64_t count, std::uint64_t total) {
    return fmt::format("{} of {}", count, total);
}

Error stopped_item() {
    return Error{"stopped"};
}

}  // namespace linahan

std::vector<ReproduceItem> linahan_items() {
    using namespace linahan;
    const ItemsOf paper{Paper::Linahan};
    return {
        paper.reproduced("section-2a",
                         "Spatial partitioning: the cost of a move against the size of the level",
                         partitioning),
        paper.reproduced("section-2b",
                         "The eight steps: ellipsoids as balls, and the first contact",
                         response_steps),
        paper.reproduced("table-1", "Fauerby's collision response on all levels", table_1),
        paper.diagram("figure-1", "Sliding plane parallel or not to the triangle"),
        paper.reproduced("section-3a", "The sliding plane from the touch point", sliding_plane),
        paper.reproduced("figure-2", "A ball comes down into an obtuse corner", figure_2),
        paper.reproduced("figure-3", "Pressed into that corner: the jittery problem", figure_3),
        paper.reproduced("figure-4", "An acute corner without a cap: the freezing problem",
                         figure_4),
        paper.reproduced("table-2", "Linahan's collision response on all levels", table_2),
        paper.reproduced("section-3h", "Two parameters are not enough", parameters),
        paper.reproduced("section-4-robustness", "No jitter and no penetration observed",
                         robustness),
        paper.reproduced("section-4-snagging", "The ball is caught on edges", snagging),
        paper.reproduced("section-4-tolerance", "Tweaking the tolerance", tolerance),
    };
}

}  // namespace graze::app
