// Figures 2, 3 and 4: the corners that the older response cannot cope with.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "pictures/plot_svg.hpp"
#include "pictures/slide_pictures.hpp"
#include "reproduce/linahan.hpp"

namespace graze::app::linahan {
namespace {

using slide::MoverKind;
using verify::Precision;

constexpr std::array kShownMovers = {MoverKind::Fauerby, MoverKind::Linahan, MoverKind::Graze};

// --- Figures 2 and 3: the obtuse corner ----------------------------------------------------------

// Of the floor and the ramp at 120 degrees, as make_level() has them.
const Vec3 kRampNormal{-std::sqrt(0.75), 0.5, 0.0};

struct CornerWalk {
    PathPanel panel;
    double off_ramp = 0.0;    // largest sine between a step on the ramp alone and the ramp
    double last_steps = 0.0;  // [radii] the largest step of the last 50 frames
    double reach = 0.0;       // [radii] between the farthest positions of these frames
};

constexpr Vec3 kStraightDown{0.0, -0.25, 0.0};
// Along the floor into the ramp, and down.
constexpr Vec3 kTowardsCorner{0.1875, -0.25, 0.0};
constexpr std::size_t kApproachFrames = 60;

// Straight down until it has arrived, then as requested.
Expected<CornerWalk> corner_walk(MoverKind mover, std::size_t frames, const Vec3& pressed) {
    const LevelRun run{generate::LevelId::ObtuseCorner, mover, Precision::Float, 0.0, 0.0};
    const generate::LevelScene scene = scene_of(run, {});
    auto walker =
        verify::make_walker(scene.parts, scene.start, {mover, run.precision, {1, 1, 1}, 0.0});
    if (!walker) return walker.error();
    const verify::GapMeasure gaps((*walker)->triangles(), (*walker)->radii());
    constexpr std::size_t kLast = 50;
    CornerWalk walk;
    walk.panel.title = std::string(slide::name(mover)) + ", float";
    walk.panel.path = {scene.start};
    std::vector<Vec3> last;
    for (std::size_t i = 0; i < frames; ++i) {
        const Vec3 before = (*walker)->position();
        const Vec3 request = i < kApproachFrames ? kStraightDown : pressed;
        const verify::SlideFrame frame = (*walker)->move(request);
        const Vec3 step = frame.position - before;
        const auto touched = (*walker)->touched();
        const bool on_ramp =
            !touched.empty() &&
            std::all_of(touched.begin(), touched.end(),
                        [](const verify::Touch& t) { return dot(t.normal, kRampNormal) > 0.999; });
        // The first frame on the ramp comes from above it; those after it slide.
        if (on_ramp && dot(before, kRampNormal) < 1.0 + 4.0 * frame.skin && norm(step) > 0.0)
            walk.off_ramp = std::max(walk.off_ramp, std::fabs(dot(step, kRampNormal)) / norm(step));
        const auto answer = gaps.ask(frame.position, 0.0, 4.0 * frame.skin);
        if (answer.depth > 0.0) walk.panel.inside.push_back(i + 1);
        walk.panel.path.push_back(frame.position);
        walk.panel.gaps.push_back(answer.least_gap / frame.skin);
        walk.panel.steps.push_back(norm(step) / norm(request));
        if (i + kLast < frames) continue;
        walk.last_steps = std::max(walk.last_steps, norm(step));
        for (const Vec3& other : last)
            walk.reach = std::max(walk.reach, norm(other - frame.position));
        last.push_back(frame.position);
    }
    walk.panel.note = fmt::format("{} moves; largest step of the last {}: {} r", frames, kLast,
                                  short_number(walk.last_steps));
    return walk;
}

Expected<std::vector<CornerWalk>> corner_walks(std::size_t frames, const Vec3& pressed,
                                               const ReproduceOptions& options) {
    std::vector<CornerWalk> walks;
    for (const MoverKind mover : kShownMovers) {
        if (options.stop.stop_requested()) return stopped_item();
        auto walk = corner_walk(mover, frames, pressed);
        if (!walk) return walk.error();
        walks.push_back(std::move(*walk));
        options.progress.tell(static_cast<double>(walks.size()) / kShownMovers.size());
    }
    return walks;
}

Drawing corner_drawing(const std::vector<CornerWalk>& walks, std::string name,
                       std::string caption) {
    const generate::LevelScene scene =
        scene_of({generate::LevelId::ObtuseCorner, MoverKind::Graze, {}, 0.0, 0.0}, {});
    std::vector<verify::Corners> triangles;
    for (const generate::LevelPart& part : scene.parts)
        for (const auto& face : part.faces)
            triangles.push_back(
                {part.positions[face[0]], part.positions[face[1]], part.positions[face[2]]});
    std::vector<PathPanel> panels;
    for (const CornerWalk& walk : walks)
        panels.push_back(walk.panel);
    return {std::move(name), std::move(caption), paths_svg(triangles, {1, 1, 1}, panels, "x")};
}

// --- Figure 4: wedges ----------------------------------------------------------------------------

constexpr std::array kWedgeDegrees = {45.0, 30.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5};
constexpr std::array kWedgeMovers = {MoverKind::FauerbyUncapped, MoverKind::Fauerby,
                                     MoverKind::Linahan, MoverKind::Graze};

// Floor and ceiling that meet in the z-axis at an angle; the ball rests on the floor a little
// before where it fits no farther: there its centre is (1 + cos a) / sin a from the axis.
generate::LevelScene wedge(double angle) {
    const double end = (1.0 + std::cos(angle)) / std::sin(angle);
    const double far = end + 8.0;
    generate::LevelPart part;
    for (const double z : {-20.0, 20.0}) {
        part.positions.push_back({0.0, 0.0, z});
        part.positions.push_back({far, 0.0, z});
        part.positions.push_back({far, far * std::tan(angle), z});
    }
    part.faces = {{0, 3, 1}, {1, 3, 4}, {0, 2, 3}, {2, 5, 3}};
    generate::LevelScene scene;
    scene.parts = {part};
    scene.start = {end + 0.5, 1.0 + 0x1p-6, 0.0};
    return scene;
}

struct WedgeResult {
    int most_iterations = 0;
    bool hit_bound = false;
    double ns = 0.0;  // of the longest move
};

// Pushed in ten times by one radius.
Expected<WedgeResult> pushed_in(double degrees, MoverKind mover) {
    const generate::LevelScene scene = wedge(degrees * std::numbers::pi / 180.0);
    auto walker =
        verify::make_walker(scene.parts, scene.start, {mover, Precision::Float, {1, 1, 1}, 0.0});
    if (!walker) return walker.error();
    WedgeResult result;
    for (int i = 0; i < 10; ++i) {
        const verify::SlideFrame frame = (*walker)->move({-1.0, 0.0, 0.0});
        result.most_iterations = std::max(result.most_iterations, frame.iterations);
        result.hit_bound = result.hit_bound || (mover == MoverKind::FauerbyUncapped &&
                                                frame.stopped == slide::StopReason::Limit);
        result.ns = std::max(result.ns, static_cast<double>(frame.ns));
    }
    return result;
}

// From one radius down to the skin of 1/256, by the factor cos a each time.
double predicted_iterations(double degrees) {
    return std::log(256.0) / -std::log(std::cos(degrees * std::numbers::pi / 180.0));
}

struct WedgeTable {
    DataTable table;
    std::array<std::array<WedgeResult, kWedgeMovers.size()>, kWedgeDegrees.size()> results{};
};

Expected<WedgeTable> wedge_table(const ReproduceOptions& options) {
    WedgeTable made;
    made.table = {"iterations",
                  "Most iterations of a move by one radius into a wedge, and the time of the "
                  "longest move. Skin 1/256, float. Estimate: ln 256 / -ln cos a.",
                  {"angle [degrees]", "estimate", "fauerby-uncapped", "its longest move [us]",
                   "fauerby", "linahan", "graze"},
                  {}};
    for (std::size_t i = 0; i < kWedgeDegrees.size(); ++i) {
        for (std::size_t m = 0; m < kWedgeMovers.size(); ++m) {
            if (options.stop.stop_requested()) return stopped_item();
            const auto result = pushed_in(kWedgeDegrees[i], kWedgeMovers[m]);
            if (!result) return result.error();
            made.results[i][m] = *result;
        }
        const auto& row = made.results[i];
        made.table.rows.push_back(
            {fmt::format("{:g}", kWedgeDegrees[i]),
             fmt::format("{:.0f}", predicted_iterations(kWedgeDegrees[i])),
             fmt::format("{}{}", row[0].most_iterations, row[0].hit_bound ? " (bound)" : ""),
             fmt::format("{:.0f}", row[0].ns / 1e3), fmt::format("{}", row[1].most_iterations),
             fmt::format("{}", row[2].most_iterations), fmt::format("{}", row[3].most_iterations)});
        options.progress.tell(static_cast<double>(i + 1) / kWedgeDegrees.size());
    }
    return made;
}

Drawing wedge_drawing(const WedgeTable& made) {
    LineChart chart{.title = "iterations of a move against the angle of the corner",
                    .places = {},
                    .series = {},
                    .scale = LineChart::Scale::LogNumber,
                    .name_lines = true,
                    .remark = ""};
    for (const double degrees : kWedgeDegrees)
        chart.places.push_back(fmt::format("{:g}°", degrees));
    for (std::size_t m = 0; m < kWedgeMovers.size(); ++m) {
        Series series{std::string(slide::name(kWedgeMovers[m])), m, {}};
        for (const auto& row : made.results)
            series.y.emplace_back(row[m].most_iterations);
        chart.series.push_back(std::move(series));
    }
    return {"iterations", "Most iterations of one move into corners of these angles.",
            line_chart(chart)};
}

}  // namespace

Expected<Reproduction> figure_2(const ReproduceOptions& options) {
    auto walks = corner_walks(kApproachFrames, kStraightDown, options);
    if (!walks) return walks.error();
    Reproduction made;
    for (const CornerWalk& walk : *walks)
        made.rows.push_back(
            {"slide after the first contact, " + walk.panel.title,
             "parallel to the oblique triangle, into the corner",
             fmt::format("parallel but for an angle with sine {}", short_number(walk.off_ramp)),
             walk.off_ramp < 0.01 ? "agrees" : "differs: not parallel"});
    made.conclusion =
        "A ball that comes straight down on the ramp is led along it into the corner by all "
        "movers.";
    made.drawings.push_back(corner_drawing(*walks, "approach",
                                           "Sixty moves straight down, onto the ramp and into the "
                                           "corner of 120 degrees."));
    return made;
}

Expected<Reproduction> figure_3(const ReproduceOptions& options) {
    auto walks = corner_walks(300, kTowardsCorner, options);
    if (!walks) return walks.error();
    const auto down = corner_walk(MoverKind::Fauerby, 300, kStraightDown);
    if (!down) return down.error();
    const CornerWalk& fauerby = (*walks)[0];
    const CornerWalk& linahan = (*walks)[1];
    const CornerWalk& graze = (*walks)[2];
    const auto steps = [](const CornerWalk& walk) {
        return fmt::format("steps of up to {} r, within {} r", short_number(walk.last_steps),
                           short_number(walk.reach));
    };
    Reproduction made;
    made.rows = {
        {"Table I, pressed towards the corner", "moves away from it, and never becomes motionless",
         steps(fauerby), fauerby.last_steps > 1e-3 ? "agrees" : "differs: it comes to rest"},
        {"Table I, pressed straight down instead", "the same", steps(*down),
         down->last_steps > 1e-3
             ? "agrees"
             : "differs: rests, as the floor is met first and leaves no velocity"},
        {"Table II, the same", "motionless in corners", steps(linahan),
         linahan.last_steps < 1e-6 ? "agrees" : "differs: it still moves"},
        {"our mover, the same", "-", steps(graze),
         graze.last_steps == 0.0 ? "better: the same bits in every frame"
                                 : "differs: it still moves"}};
    made.conclusion = fmt::format(
        "Pressed towards the corner, Fauerby's response never rests: the last 50 of 300 moves "
        "still "
        "step by up to {} radii. Linahan's and ours rest. Pressed straight down, all of them rest.",
        short_number(fauerby.last_steps));
    made.drawings.push_back(corner_drawing(
        *walks, "jitter",
        "60 moves straight down, 240 into the corner; the lower curves show how long each is."));
    return made;
}

Expected<Reproduction> figure_4(const ReproduceOptions& options) {
    const auto made_table = wedge_table(options);
    if (!made_table) return made_table.error();
    const auto& results = made_table->results;
    int uncapped = 0;
    double bounded_from = 0.0;  // [degrees]
    std::array<int, kWedgeMovers.size()> most{};
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (std::size_t m = 0; m < most.size(); ++m)
            most[m] = std::max(most[m], results[i][m].most_iterations);
        if (results[i][0].hit_bound) bounded_from = std::max(bounded_from, kWedgeDegrees[i]);
        if (kWedgeDegrees[i] >= 5.0) uncapped = std::max(uncapped, results[i][0].most_iterations);
    }
    Reproduction made;
    made.rows = {
        {"Table I without its cap, angles of 5 degrees and more", "hundreds of iterations",
         fmt::format("up to {}", uncapped), uncapped >= 100 ? "agrees" : "differs: fewer"},
        {"Table I without its cap, a very small angle", "the program freezes",
         fmt::format("up to {} iterations, {:.0f} ms for one move (bounded by {})", most[0],
                     results.back()[0].ns / 1e6, slide::kMaxUncappedIterations),
         most[0] >= 10'000 ? "agrees" : "differs: it ends sooner"},
        {"Table I with its cap", "worst case of five iterations", fmt::format("{}", most[1]),
         most[1] == 5 ? "agrees" : "differs: line 3 passes depths 0 to 5, which are six searches"},
        {"Table II", "stops after three iterations", fmt::format("{}", most[2]),
         most[2] <= 3 ? "agrees" : "differs"},
        {"our mover", "-", fmt::format("{}", most[3]),
         most[3] <= slide::kMaxMoveIterations ? "better: bounded by 8, with a proved gap"
                                              : "differs"}};
    made.conclusion = fmt::format(
        "Without its cap the older response goes to and fro between the planes, {} times at 5 "
        "degrees. The count follows ln(v/e) / -ln cos a, since each projection shortens the "
        "velocity "
        "by the cosine of the angle. At {:g} degrees and below it does not end within the bound: "
        "the shortening is less than an ulp of the coordinates in float.",
        results[4][0].most_iterations, bounded_from);
    made.drawings.push_back(wedge_drawing(*made_table));
    made.tables.push_back(made_table->table);
    return made;
}

}  // namespace graze::app::linahan
