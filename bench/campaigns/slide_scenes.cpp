// Movers over the levels of the project: whether they keep what they promise, and what they cost.
//   slide_scenes                     each level with our mover: measured afresh, exactly
//   slide_scenes --mover all         the two published movers beside it
//   slide_scenes --everything        all levels, scales and places, four shapes, both precisions
//   slide_scenes --random 1000000    random moves in the closed levels
//   slide_scenes --cost              time alone, the three movers in turn
//   slide_scenes --sizes             time against the size of the level, 10^3 to 10^7 triangles
// Prints Markdown tables. 0 success; 1 our mover broke a promise; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "graze/generate/levels.hpp"
#include "graze/verify/slide_measure.hpp"
#include "graze/verify/slide_run.hpp"

namespace graze::bench {
namespace {

using generate::LevelId;
using generate::LevelScene;
using slide::MoverKind;
using verify::Precision;

constexpr std::array kMovers = {MoverKind::Graze, MoverKind::Linahan, MoverKind::Fauerby};

struct Request {
    std::vector<std::string> scenes;
    std::string mover = "graze";
    std::string precision = "both";
    std::string shape = "sphere";
    std::vector<double> scales = {1.0};
    std::vector<double> shifts = {0.0};
    std::uint32_t moves = 0xffff'ffffU;
    std::uint64_t seed = 0;
    std::uint64_t random = 0;
    unsigned repeat = 3;
    bool everything = false;
    bool brief = false;
    bool cost = false;
    bool sizes = false;
    std::uint32_t most_faces = 10'000'000;
};

// All fit into the ball of radius 1 that the levels are made for.
constexpr std::array<std::string_view, 4> kShapes = {"sphere", "ellipsoid", "capsule", "box"};

// One way to run a level.
struct Setting {
    LevelId level = LevelId::FlatGrid;
    std::string_view shape = kShapes[0];
    Precision precision = Precision::Double;
    double scale = 1.0;
    double shift = 0.0;  // [radii], along each axis
};

slide::Shape<double> widened(const slide::Shape<float>& s) {
    return {slide::widened(s.radii),
            slide::widened(s.half_axis),
            {slide::widened(s.side_axes[0]), slide::widened(s.side_axes[1])}};
}

// The axes of a box have to be perpendicular in the numbers that it moves in.
slide::Shape<double> shape_of(const Setting& setting) {
    const double scale = setting.scale;
    if (setting.shape == "ellipsoid") return {scale * Vec3{0.4, 0.9, 0.4}};
    if (setting.shape == "capsule") return slide::capsule(0.5 * scale, 0.5 * scale);
    if (setting.shape != "box") return {scale * Vec3{1, 1, 1}};
    const Vec3 half = scale * Vec3{0.5, 0.7, 0.4};
    const Quaternion rotation = rotation_about({1, 2, 3}, 0.75);
    if (setting.precision == Precision::Double)
        return slide::rounded_box(half, 0.15 * scale, rotation);
    return widened(slide::rounded_box(slide::narrowed<float>(half),
                                      static_cast<float>(0.15 * scale), rotation));
}

LevelScene scene_of(const Setting& setting, const Request& request) {
    const double shift = setting.shift * setting.scale;
    return generate::placed(
        generate::make_level(setting.level, {.seed = request.seed, .max_moves = request.moves}),
        setting.scale, {shift, shift, shift});
}

std::unique_ptr<verify::Walker> walker_of(const LevelScene& scene, const Setting& setting,
                                          MoverKind mover) {
    const slide::Shape<double> shape = shape_of(setting);
    auto walker = verify::make_walker(
        scene.parts, scene.start,
        {mover, setting.precision, shape.radii, 0.0, shape.half_axis, shape.side_axes});
    if (!walker) {
        fmt::print(stderr, "slide_scenes: error: {}\n", walker.error().message);
        std::exit(1);
    }
    return std::move(*walker);
}

std::vector<LevelId> levels_of(const Request& request) {
    if (request.everything && request.scenes.empty())
        return {generate::kAllLevels.begin(), generate::kAllLevels.end()};
    if (request.scenes.empty())
        return {generate::kComparedLevels.begin(), generate::kComparedLevels.end()};
    std::vector<LevelId> levels;
    for (const std::string& name : request.scenes)
        levels.push_back(*generate::level_from_name(name));
    return levels;
}

std::vector<MoverKind> movers_of(const Request& request) {
    if (request.mover == "all") return {kMovers.begin(), kMovers.end()};
    return {*slide::mover_from_name(request.mover)};
}

// "both": those that the published movers are compared in.
bool is_asked(std::string_view asked, std::string_view shape) {
    return asked == "all" || asked == shape ||
           (asked == "both" && (shape == "sphere" || shape == "ellipsoid"));
}

std::vector<Setting> settings_of(const Request& request) {
    std::vector<Setting> settings;
    for (const LevelId level : levels_of(request)) {
        for (const std::string_view shape : kShapes) {
            if (!is_asked(request.shape, shape)) continue;
            for (const Precision precision : {Precision::Double, Precision::Float}) {
                if (request.precision != "both" && request.precision != name(precision)) continue;
                for (const double scale : request.scales) {
                    for (const double shift : request.shifts)
                        settings.push_back({level, shape, precision, scale, shift});
                }
            }
        }
    }
    return settings;
}

// --- Times ---------------------------------------------------------------------------------------

std::vector<Vec3> wishes_of(const LevelScene& scene, const Setting& setting,
                            const Request& request) {
    std::vector<Vec3> wishes;
    for (std::uint64_t i = 0; i < request.random; ++i)
        wishes.push_back(setting.scale * generate::random_wish(request.seed, i));
    if (request.random > 0) return wishes;
    for (const generate::LevelMove& move : scene.moves)
        wishes.push_back(move.displacement);
    return wishes;
}

// The same moves several times; of each the shortest time counts, so that what other programs take
// of the machine does not. With `starts`, each move begins there; else where the last one ended.
struct Timing {
    verify::TimeSummary times;
    std::vector<Vec3> starts;  // of each move
};
Timing time_moves(verify::Walker& walker, const Vec3& start, const std::vector<Vec3>& wishes,
                  unsigned repeat, const std::vector<Vec3>* starts = nullptr) {
    std::vector<std::uint64_t> least(wishes.size(), ~std::uint64_t{0});
    Timing timing;
    timing.starts.resize(wishes.size());
    for (unsigned pass = 0; pass < repeat; ++pass) {
        walker.put(start);
        for (std::size_t i = 0; i < wishes.size(); ++i) {
            if (starts != nullptr) walker.put((*starts)[i]);
            timing.starts[i] = walker.position();
            least[i] = std::min(least[i], walker.move(wishes[i]).ns);
        }
    }
    verify::TimeSample sample;
    for (const std::uint64_t ns : least)
        sample.add(ns);
    timing.times = sample.summary().value_or(verify::TimeSummary{});
    return timing;
}

// --- Promises ------------------------------------------------------------------------------------

std::string percent(const verify::PathTally& tally) {
    return tally.frames == 0 ? "-" : fmt::format("{:.2g} %", 100.0 * tally.lost());
}

// The columns that tell runs of one level apart are left out of brief tables.
void print_heading(const Request& request) {
    fmt::print(
        "| level |{} mover | penetration / r | gap / skin | jitter / r | lost | lost, straight "
        "| iterations | median | p99 | p99.9 | longest |\n",
        request.brief ? "" : " shape | precision | scale | shift | moves |");
    fmt::print("|---|{}---|---|---|---|---|---|---|---|---|---|---|\n",
               request.brief ? "" : "---|---|---|---|---|");
}

void print_row(const Setting& setting, MoverKind mover, const verify::SlideMeasures& m,
               const verify::TimeSummary& times, const Request& request) {
    const Vec3 radii = shape_of(setting).radii;
    const double least = std::min({radii.x, radii.y, radii.z});
    fmt::print("| {} |", generate::name(setting.level));
    if (!request.brief) {
        fmt::print(" {} | {} | {:g} | {:g} | {} |", setting.shape, name(setting.precision),
                   setting.scale, setting.shift, m.moves);
    }
    fmt::print(" {} | {:.2g} | {:.4g} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
               slide::name(mover), m.depth / least, m.least_gap_skins,
               m.rests == 0 ? "-" : fmt::format("{:.2g}", m.jitter / least), percent(m.travel),
               percent(m.straight), m.iterations, verify::format_ns(times.median),
               verify::format_ns(times.p99), verify::format_ns(times.p999),
               verify::format_ns(times.max));
    std::fflush(stdout);
}

// True if nothing was broken.
bool run_setting(const Setting& setting, const Request& request) {
    const LevelScene scene = scene_of(setting, request);
    bool is_good = true;
    for (const MoverKind mover : movers_of(request)) {
        const auto walker = walker_of(scene, setting, mover);
        const verify::GapMeasure judge(walker->triangles(), walker->radii(), walker->half_axis(),
                                       walker->side_axes());
        const verify::SlideMeasures measures = measure_slide(
            *walker, judge, scene,
            {.random_moves = request.random, .seed = request.seed, .scale = setting.scale});
        const auto timed = walker_of(scene, setting, mover);
        const Timing timing =
            time_moves(*timed, scene.start, wishes_of(scene, setting, request), request.repeat);
        print_row(setting, mover, measures, timing.times, request);
        if (mover != MoverKind::Graze) continue;
        for (const std::string& promise : broken_claims(setting.level, measures)) {
            fmt::print(stderr, "BROKEN {} {} {} scale {:g} shift {:g}: {}\n",
                       generate::name(setting.level), setting.shape, name(setting.precision),
                       setting.scale, setting.shift, promise);
            is_good = false;
        }
    }
    return is_good;
}

int run_promises(const Request& request) {
    print_heading(request);
    int broken = 0;
    for (const Setting& setting : settings_of(request))
        broken += run_setting(setting, request) ? 0 : 1;
    fmt::print(
        stderr, "{}\n",
        broken == 0 ? "all promises kept" : fmt::format("{} runs with a broken promise", broken));
    return broken == 0 ? 0 : 1;
}

// --- Cost ----------------------------------------------------------------------------------------

void run_cost(const Request& request) {
    fmt::print(
        "| level | shape | precision | mover | mean | median | p99 | p99.9 | longest | against "
        "linahan | from the same starts |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Setting& setting : settings_of(request)) {
        const LevelScene scene = scene_of(setting, request);
        const std::vector<Vec3> wishes = wishes_of(scene, setting, request);
        std::array<Timing, kMovers.size()> own;
        std::array<Timing, kMovers.size()> same;
        for (std::size_t i = 0; i < kMovers.size(); ++i) {
            const auto walker = walker_of(scene, setting, kMovers[i]);
            own[i] = time_moves(*walker, scene.start, wishes, request.repeat);
            same[i] = time_moves(*walker, scene.start, wishes, request.repeat, &own[0].starts);
        }
        for (std::size_t i = 0; i < kMovers.size(); ++i) {
            const verify::TimeSummary& t = own[i].times;
            fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} | {:.2f} |\n",
                       generate::name(setting.level), setting.shape, name(setting.precision),
                       slide::name(kMovers[i]), verify::format_ns(t.mean),
                       verify::format_ns(t.median), verify::format_ns(t.p99),
                       verify::format_ns(t.p999), verify::format_ns(t.max),
                       t.mean / own[1].times.mean, same[i].times.mean / same[1].times.mean);
        }
        std::fflush(stdout);
    }
}

// --- Size ----------------------------------------------------------------------------------------

// Short walks that begin all over the terrain.
LevelScene walks_over(std::uint32_t faces, std::uint64_t seed) {
    constexpr std::uint64_t kWalks = 400;
    constexpr int kSteps = 20;
    LevelScene scene =
        generate::make_level(LevelId::Terrain, {.seed = seed, .terrain_faces = faces});
    const double half = 0.45 * std::sqrt(0.5 * faces);
    scene.moves.clear();
    for (std::uint64_t i = 0; i < kWalks; ++i) {
        const Vec3 wish = generate::random_wish(seed, i);
        const Vec3 way = (0.125 / std::hypot(wish.x, wish.z)) * Vec3{wish.x, 0, wish.z};
        const Vec3 place = generate::random_wish(seed + 1, i);
        // A start high above the ground, as a settling move that is not timed; see run_sizes().
        const double size = norm(place);
        scene.moves.push_back(
            {{half * place.x / size, 8.0, half * place.z / size}, generate::MovePurpose::Settle});
        for (int k = 0; k < kSteps; ++k)
            scene.moves.push_back({way + Vec3{0, -0.0625, 0}, generate::MovePurpose::Travel});
    }
    return scene;
}

// The starts are put onto the ground first; only the walks are timed.
verify::TimeSummary time_walks(verify::Walker& walker, const LevelScene& scene, unsigned repeat) {
    std::vector<Vec3> starts;
    std::vector<Vec3> wishes;
    for (const generate::LevelMove& move : scene.moves) {
        if (move.purpose == generate::MovePurpose::Settle) {
            walker.put(move.displacement);
            (void)walker.move({0, -16, 0});
            continue;
        }
        starts.push_back(walker.position());
        wishes.push_back(move.displacement);
        (void)walker.move(move.displacement);
    }
    return time_moves(walker, scene.start, wishes, repeat, &starts).times;
}

void run_sizes(const Request& request) {
    fmt::print(
        "| triangles | precision | build | mover | mean | median | p99.9 | longest |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (const Precision precision : {Precision::Double, Precision::Float}) {
        if (request.precision != "both" && request.precision != name(precision)) continue;
        for (std::uint32_t faces = 1000; faces <= request.most_faces; faces *= 10) {
            const LevelScene scene = walks_over(faces, request.seed);
            for (const MoverKind mover : movers_of(request)) {
                const auto walker =
                    walker_of(scene, {LevelId::Terrain, kShapes[0], precision}, mover);
                const verify::TimeSummary t = time_walks(*walker, scene, request.repeat);
                fmt::print("| {} | {} | {:.3f} s | {} | {} | {} | {} | {} |\n", scene.face_count(),
                           name(precision), walker->build_seconds(), slide::name(mover),
                           verify::format_ns(t.mean), verify::format_ns(t.median),
                           verify::format_ns(t.p999), verify::format_ns(t.max));
                std::fflush(stdout);
            }
        }
    }
}

// --- Command line --------------------------------------------------------------------------------

int fail(const std::string& message) {
    fmt::print(stderr, "slide_scenes: error: {} (see --help)\n", message);
    return 2;
}

int run(Request request) {
    for (const std::string& name : request.scenes) {
        if (!generate::level_from_name(name)) return fail("there is no level '" + name + "'");
    }
    if (request.everything) {
        request.precision = "both";
        request.shape = "all";
        request.scales = {1e-3, 1.0, 1e3};
        request.shifts = {0.0, 4000.0};
    }
    if (request.random > 0 && request.scenes.empty()) request.scenes = {"soup", "cave"};
    if (request.sizes) return run_sizes(request), 0;
    if (request.cost) return run_cost(request), 0;
    return run_promises(request);
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::Request request;
    CLI::App app("Movers over the levels of the project: promises and costs");
    app.add_option("--scene", request.scenes, "Levels by name; all if none is named")
        ->delimiter(',');
    app.add_option("--mover", request.mover, "graze, linahan, fauerby or all")
        ->check(CLI::IsMember({"graze", "linahan", "fauerby", "all"}));
    app.add_option("--precision", request.precision, "float, double or both")
        ->check(CLI::IsMember({"float", "double", "both"}));
    app.add_option(
           "--shape", request.shape,
           "sphere, ellipsoid (0.4, 0.9, 0.4), capsule, box, both (of the first two) or all")
        ->check(CLI::IsMember({"sphere", "ellipsoid", "capsule", "box", "both", "all"}));
    app.add_option("--scale", request.scales, "All lengths times this")->delimiter(',');
    app.add_option("--shift", request.shifts, "Shifted by so many radii along each axis")
        ->delimiter(',');
    app.add_option("--moves", request.moves, "No more than the first so many of each level");
    app.add_option("--seed", request.seed, "Of what is random");
    app.add_option("--random", request.random, "So many random moves in place of the lists");
    app.add_option("--repeat", request.repeat, "Of each move the shortest of so many times counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--most-faces", request.most_faces, "The largest level of --sizes");
    app.add_flag("--everything", request.everything, "All scales, places, shapes and precisions");
    app.add_flag("--brief", request.brief, "Fewer columns");
    app.add_flag("--cost", request.cost, "Time alone, the three movers");
    app.add_flag("--sizes", request.sizes, "Time against the size of the level");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return graze::bench::run(std::move(request));
}
