// Tables I and II over all levels, partitioning, the eight steps, parameters, and the tolerance.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "graze/slide/sweep.hpp"
#include "graze/verify/safe_cubic_families.hpp"
#include "pictures/plot_svg.hpp"
#include "reproduce/linahan.hpp"

namespace graze::app::linahan {
namespace {

using generate::LevelId;
using slide::MoverKind;
using testing::Dice;
using verify::Precision;
using verify::SlideMeasures;

// --- A mover over all levels ---------------------------------------------------------------------

// [radii] Thin enough to show penetration, and still a thousand ulps of the coordinates.
constexpr double kThinTolerance = 0x1p-12;

// What the runs of one mover come to.
struct LevelSums {
    std::uint64_t moves = 0;
    std::uint64_t inside = 0;
    double depth = 0.0;
    std::string deepest;  // level
    double jitter = 0.0;
    std::string jitters;  // levels, joined by commas
    std::uint64_t rests = 0;
    int iterations = 0;
    double least_gap = 1.0;
    double total_ns = 0.0;

    void add(LevelId level, const SlideMeasures& m) {
        moves += m.moves;
        inside += m.inside;
        if (m.depth > depth) {
            depth = m.depth;
            deepest = generate::name(level);
        }
        jitter = std::max(jitter, m.jitter);
        const std::string level_name(generate::name(level));
        if (m.jitter > 0.0 && jitters.find(level_name) == std::string::npos)
            jitters += (jitters.empty() ? "" : ", ") + level_name;
        rests += m.rests;
        iterations = std::max(iterations, m.iterations);
        least_gap = std::min(least_gap, m.least_gap_skins);
        if (const auto times = m.times.summary())
            total_ns += times->mean * static_cast<double>(m.moves);
    }
    [[nodiscard]] double mean_ns() const { return total_ns / static_cast<double>(moves); }
};

DataTable level_table(std::string name, std::string caption) {
    return {std::move(name),
            std::move(caption),
            {"level", "mover", "moves", "penetrating", "penetration / r", "gap / skin",
             "jitter / r", "lost", "iterations"},
            {}};
}

void add_level_row(DataTable& table, LevelId level, MoverKind mover, const SlideMeasures& m) {
    table.rows.push_back({std::string(generate::name(level)), std::string(slide::name(mover)),
                          fmt::format("{}", m.moves), fmt::format("{}", m.inside),
                          short_number(m.depth), fmt::format("{:.3g}", m.least_gap_skins),
                          m.rests == 0 ? "-" : short_number(m.jitter),
                          m.travel.frames == 0 ? "-" : percent_text(m.travel.lost()),
                          fmt::format("{}", m.iterations)});
}

Expected<LevelSums> over_all_levels(MoverKind mover, double part_from, double part_to,
                                    DataTable& table, const ReproduceOptions& options) {
    LevelSums sums;
    std::size_t done = 0;
    for (const LevelId level : generate::kComparedLevels) {
        const auto m = measured_run({level, mover, Precision::Float, 0.0, 0.0}, options);
        if (!m) return m.error();
        sums.add(level, *m);
        add_level_row(table, level, mover, *m);
        const double fraction =
            static_cast<double>(++done) / static_cast<double>(generate::kComparedLevels.size());
        options.progress.tell(part_from + (part_to - part_from) * fraction);
    }
    return sums;
}

std::string jitter_text(const LevelSums& sums) {
    return sums.jitter == 0.0
               ? fmt::format("none in {} presses", sums.rests)
               : fmt::format("steps of up to {} r ({})", short_number(sums.jitter), sums.jitters);
}

std::string penetration_text(const LevelSums& sums) {
    std::string text = count_of_total(sums.inside, sums.moves) + " moves";
    if (sums.inside > 0)
        text += fmt::format(", by up to {} r ({})", short_number(sums.depth), sums.deepest);
    return text;
}

// --- Section II.A --------------------------------------------------------------------------------

double median_move_ns(std::uint32_t faces, const ReproduceOptions& options) {
    generate::LevelOptions level;
    level.seed = options.seed;
    level.terrain_faces = faces;
    level.max_moves = 600;
    level.stop = options.stop;
    const generate::LevelScene scene = generate::make_level(LevelId::Terrain, level);
    const auto walker = verify::make_walker(scene.parts, scene.start,
                                            {MoverKind::Linahan, Precision::Float, {1, 1, 1}, 0.0});
    if (!walker) return 0.0;
    // Of three passes the fastest: other programs take time, too.
    double best = HUGE_VAL;
    for (int pass = 0; pass < 3 && !options.stop.stop_requested(); ++pass) {
        (*walker)->put(scene.start);
        verify::TimeSample times;
        for (const generate::LevelMove& move : scene.moves)
            times.add((*walker)->move(move.displacement).ns);
        if (const auto summary = times.summary()) best = std::min(best, summary->median);
    }
    return best;
}

// --- Section II.B --------------------------------------------------------------------------------

constexpr Vec3 kTallRadii{0.4, 0.9, 0.4};

Vec3 in_radii(const Vec3& v) {
    return {v.x / kTallRadii.x, v.y / kTallRadii.y, v.z / kTallRadii.z};
}

// The largest difference, in radii, between the ellipsoid and the unit ball in the level whose axes
// are divided by the radii, each move from the same start.
Expected<double> ellipsoid_difference(const ReproduceOptions& options, std::uint64_t& moves) {
    generate::LevelScene scene =
        scene_of({LevelId::Stairs, MoverKind::Linahan, Precision::Double, 0.0, 0.0}, options);
    const verify::SlideSettings tall{MoverKind::Linahan, Precision::Double, kTallRadii, 0.0};
    const auto as_ellipsoid = verify::make_walker(scene.parts, scene.start, tall);
    if (!as_ellipsoid) return as_ellipsoid.error();
    for (generate::LevelPart& part : scene.parts)
        for (Vec3& p : part.positions)
            p = in_radii(p);
    const verify::SlideSettings ball{MoverKind::Linahan, Precision::Double, {1, 1, 1}, 0.0};
    const auto as_ball = verify::make_walker(scene.parts, in_radii(scene.start), ball);
    if (!as_ball) return as_ball.error();
    double most = 0.0;
    for (const generate::LevelMove& move : scene.moves) {
        if (options.stop.stop_requested()) return stopped_item();
        const Vec3 start = (*as_ellipsoid)->position();
        (*as_ball)->put(in_radii(start));
        const Vec3 a = (*as_ellipsoid)->move(move.displacement).position;
        const Vec3 b = (*as_ball)->move(in_radii(move.displacement)).position;
        most = std::max(most, norm(in_radii(a) - b));
        ++moves;
    }
    return most;
}

struct FirstContacts {
    std::uint64_t contacts = 0;
    double earliest = 0.0;  // [radii] largest gap at a reported contact
    double deepest = 0.0;   // [radii] largest penetration there
};

// Random sweeps through the soup, the gap at the reported time measured exactly.
Expected<FirstContacts> first_contacts(const ReproduceOptions& options) {
    const generate::LevelScene scene =
        scene_of({LevelId::Soup, MoverKind::Graze, Precision::Double, 0.0, 0.0}, options);
    slide::Level<double> level;
    for (const generate::LevelPart& part : scene.parts) {
        const auto added = level.add_part(part.positions, part.faces);
        if (!added) return added.error();
    }
    const auto walker = verify::make_walker(scene.parts, scene.start,
                                            {MoverKind::Graze, Precision::Double, {1, 1, 1}, 0.0});
    if (!walker) return walker.error();
    const verify::GapMeasure gaps((*walker)->triangles(), {1, 1, 1});
    FirstContacts found;
    for (std::uint64_t i = 0; i < (options.quick ? 300U : 5'000U); ++i) {
        if (options.stop.stop_requested()) return stopped_item();
        const Vec3 start = (*walker)->position();
        const Vec3 displacement = generate::random_wish(options.seed, i);
        const auto sweep = slide::first_contact<double>(level, {}, {start, displacement, 0.0});
        (void)(*walker)->move(displacement);
        if (sweep.verdict != Verdict::Contact) continue;
        const auto gap = gaps.ask(start + sweep.toi_lower * displacement, 0.0, 0.25);
        ++found.contacts;
        found.earliest = std::max(found.earliest, gap.least_gap);
        found.deepest = std::max(found.deepest, gap.depth);
    }
    return found;
}

// --- Section III.A -------------------------------------------------------------------------------

struct NormalErrors {
    double moved = 0.0;    // [rad] of the normal from the moved points, against the exact one
    double direct = 0.0;   // of that from the touch point
    double between = 0.0;  // between the two
};

// A ball that touches at a random point, `distance` radii from the origin: the sliding plane of
// Table I (both points moved back along the velocity) and of section III.A, in floats.
NormalErrors normal_errors(double distance, std::uint64_t count, std::uint64_t seed) {
    using Vf = Vec<float>;
    const auto unit = [](const Vf& v) {
        const float size = norm(v);
        return Vf{v.x / size, v.y / size, v.z / size};
    };
    const auto angle = [](const Vec3& a, const Vec3& b) {
        return std::atan2(norm(cross(a, b)), dot(a, b));
    };
    Dice dice(seed);
    const auto direction = [&] {
        for (;;) {
            const Vec3 v = 2.0 * dice.point_in_cube() - Vec3{1, 1, 1};
            if (norm(v) > 0.1 && norm(v) <= 1.0) return (1.0 / norm(v)) * v;
        }
    };
    NormalErrors errors;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Vec3 normal = direction();
        const Vf point = slide::narrowed<float>(distance * direction());
        const Vf touch = slide::narrowed<float>(slide::widened(point) + normal);
        const Vf velocity = unit(slide::narrowed<float>(direction()));
        const float very_close = 0.005F;
        const Vf near = touch - very_close * velocity;
        const Vf moved_point = point - very_close * velocity;
        const Vec3 by_moved = slide::widened(unit(near - moved_point));
        const Vec3 by_touch = slide::widened(unit(touch - point));
        errors.moved = std::max(errors.moved, angle(by_moved, normal));
        errors.direct = std::max(errors.direct, angle(by_touch, normal));
        errors.between = std::max(errors.between, angle(by_moved, by_touch));
    }
    return errors;
}

// --- Section III.H -------------------------------------------------------------------------------

struct ParameterRun {
    std::uint64_t frames = 0;
    std::uint64_t differ = 0;               // from the same start
    double difference = 0.0;                // [radii] the largest
    std::array<std::uint64_t, 2> inside{};  // three parameters, two; each on its own path
    std::array<double, 2> depth{};
};

Expected<ParameterRun> compare_parameters(const LevelRun& run, const ReproduceOptions& options) {
    ParameterRun result;
    const generate::LevelScene scene = scene_of(run, options);
    const auto walker_for = [&](MoverKind mover) {
        return verify::make_walker(scene.parts, scene.start,
                                   {mover, run.precision, {1, 1, 1}, run.skin});
    };
    auto three = walker_for(MoverKind::Linahan);
    auto two = walker_for(MoverKind::LinahanTwoParameters);
    if (!three) return three.error();
    if (!two) return two.error();
    for (const generate::LevelMove& move : scene.moves) {
        if (options.stop.stop_requested()) return stopped_item();
        (*two)->put((*three)->position());
        const Vec3 a = (*three)->move(move.displacement).position;
        const Vec3 b = (*two)->move(move.displacement).position;
        ++result.frames;
        result.differ += a != b ? 1 : 0;
        result.difference = std::max(result.difference, norm(a - b));
    }
    for (std::size_t i = 0; i < 2; ++i) {
        LevelRun own = run;
        own.mover = i == 0 ? MoverKind::Linahan : MoverKind::LinahanTwoParameters;
        const auto measures = measured_run(own, options);
        if (!measures) return measures.error();
        result.inside[i] = measures->inside;
        result.depth[i] = measures->depth;
    }
    return result;
}

// --- Section IV, the tolerance -------------------------------------------------------------------

constexpr std::array kToleranceMovers = {MoverKind::Linahan, MoverKind::Fauerby, MoverKind::Graze};
constexpr std::array kToleranceLevels = {LevelId::ObtuseCorner, LevelId::Terrain, LevelId::Stairs,
                                         LevelId::Soup};
constexpr std::array kToleranceExponents = {-20, -16, -12, -8, -6, -4, -2};

struct ToleranceRow {
    double skin = 0.0;
    MoverKind mover = MoverKind::Linahan;
    LevelSums sums;
    double requested = 0.0;
    double progress = 0.0;
    verify::SnagTally snags;

    [[nodiscard]] double lost() const { return 1.0 - progress / requested; }
};

Expected<ToleranceRow> tolerance_row(double skin, MoverKind mover,
                                     const ReproduceOptions& options) {
    ToleranceRow row;
    row.skin = skin;
    row.mover = mover;
    ReproduceOptions small = options;
    small.quick = true;  // many runs: small ones do
    for (const LevelId level : kToleranceLevels) {
        const auto m = measured_run({level, mover, Precision::Float, skin, 0.0}, small);
        if (!m) return m.error();
        row.sums.add(level, *m);
        row.requested += m->travel.requested;
        row.progress += m->travel.progress;
    }
    for (std::uint64_t i = 0; i < (options.quick ? 4U : 30U); ++i) {
        if (options.stop.stop_requested()) return stopped_item();
        const auto trial = verify::random_snag_trial(verify::SnagGroundKind::Facetted, i);
        const auto tally = verify::measure_snags(trial, mover, Precision::Float, skin);
        if (!tally) return tally.error();
        row.snags += *tally;
    }
    return row;
}

DataTable tolerance_table(const std::vector<ToleranceRow>& rows) {
    DataTable table{"tolerance",
                    "The tolerance e over the radius, on the levels obtuse-corner, terrain, stairs "
                    "and soup together; caught frames on facetted ground. Float.",
                    {"e / r", "mover", "penetrating", "penetration / r", "gap / e", "jitter / r",
                     "lost", "iterations", "caught"},
                    {}};
    for (const ToleranceRow& row : rows)
        table.rows.push_back(
            {short_number(row.skin), std::string(slide::name(row.mover)),
             count_of_total(row.sums.inside, row.sums.moves), short_number(row.sums.depth),
             fmt::format("{:.3g}", row.sums.least_gap), short_number(row.sums.jitter),
             percent_text(row.lost()), fmt::format("{}", row.sums.iterations),
             count_of_total(row.snags.caught, row.snags.frames)});
    return table;
}

Drawing tolerance_drawing(const std::vector<ToleranceRow>& rows) {
    LineChart chart{.title = "frames that are caught",
                    .places = {},
                    .series = {},
                    .scale = LineChart::Scale::Share,
                    .name_lines = true,
                    .remark = ""};
    for (const int exponent : kToleranceExponents)
        chart.places.push_back(fmt::format("2^{}", exponent));
    for (std::size_t m = 0; m < kToleranceMovers.size(); ++m) {
        Series series{std::string(slide::name(kToleranceMovers[m])), m, {}};
        for (const ToleranceRow& row : rows)
            if (row.mover == kToleranceMovers[m])
                series.y.emplace_back(row.snags.caught_fraction());
        chart.series.push_back(std::move(series));
    }
    return {"caught", "Fraction of frames on facetted ground that are caught, against e / r.",
            line_chart(chart)};
}

}  // namespace

Expected<Reproduction> partitioning(const ReproduceOptions& options) {
    std::vector<std::uint32_t> sizes = {1'000, 10'000, 100'000};
    if (!options.quick) sizes.push_back(1'000'000);
    Reproduction made;
    DataTable table{"sizes",
                    "Median time of a move over hills of so many triangles.",
                    {"triangles", "median [ns]", "over the smallest"},
                    {}};
    std::vector<double> times;
    for (const std::uint32_t size : sizes) {
        times.push_back(median_move_ns(size, options));
        if (options.stop.stop_requested()) return stopped_item();
        table.rows.push_back({fmt::format("{}", size), fmt::format("{:.0f}", times.back()),
                              fmt::format("{:.2f}", times.back() / times.front())});
        options.progress.tell(static_cast<double>(times.size()) /
                              static_cast<double>(sizes.size()));
    }
    const double growth = times.back() / times.front();
    const double logs =
        std::log(static_cast<double>(sizes.back())) / std::log(static_cast<double>(sizes.front()));
    made.rows = {
        {fmt::format("cost of a move, {} times as many triangles", sizes.back() / sizes.front()),
         fmt::format("O(log n) or better: {:.2g} times", logs), fmt::format("{:.2f} times", growth),
         growth <= 1.5 * logs ? "agrees" : "differs: caches, on this machine"}};
    made.conclusion =
        "A tree over the triangles makes the cost of a move nearly independent of the size of the "
        "level.";
    made.tables = {std::move(table)};
    return made;
}

Expected<Reproduction> response_steps(const ReproduceOptions& options) {
    std::uint64_t moves = 0;
    const auto difference = ellipsoid_difference(options, moves);
    if (!difference) return difference.error();
    options.progress.tell(0.5);
    const auto contacts = first_contacts(options);
    if (!contacts) return contacts.error();
    Reproduction made;
    made.rows = {
        {"steps 2 and 8: an ellipsoid is a unit ball in scaled space", "the same motion",
         fmt::format("the same but for {} radii in {} moves", short_number(*difference), moves),
         *difference < 1e-9 ? "agrees" : "differs: by more than rounding"},
        {"step 3: the first contact is not late", "-",
         fmt::format("penetration at the contact: at most {} r in {} contacts",
                     short_number(contacts->deepest), contacts->contacts),
         contacts->deepest < 1e-14 ? "better: proved, never late but for rounding the position"
                                   : "differs: late"},
        {"step 3: nor early", "room for improving the robustness of the quadratic roots",
         fmt::format("gap at the contact: at most {} r", short_number(contacts->earliest)),
         contacts->earliest < 1e-10 ? "better: no quadratic is solved" : "differs: early"}};
    made.conclusion =
        "All movers here share one detection step, a sweep that is proved never to be late; so the "
        "published responses do no worse than in print.";
    return made;
}

Expected<Reproduction> table_1(const ReproduceOptions& options) {
    DataTable table = level_table("levels", "Table I on every level. Ball, float, skin 1/256.");
    const auto sums = over_all_levels(MoverKind::Fauerby, 0.0, 0.8, table, options);
    if (!sums) return sums.error();
    LevelSums thin;
    for (const LevelId level : {LevelId::Terrain, LevelId::Soup, LevelId::Stairs}) {
        const auto m = measured_run(
            {level, MoverKind::Fauerby, Precision::Float, kThinTolerance, 0.0}, options);
        if (!m) return m.error();
        thin.add(level, *m);
    }
    options.progress.tell(1.0);
    Reproduction made;
    made.rows = {
        {"iterations, worst case", "5", fmt::format("{}", sums->iterations),
         sums->iterations == 5 ? "agrees"
                               : "differs: line 3 passes depths 0 to 5, which are six searches"},
        {"penetrates triangles", "sometimes", penetration_text(*sums),
         sums->inside > 0 ? "agrees" : "differs: not with proved detection on these moves"},
        {"the same, tolerance of 1/4096 of the radius", "sometimes", penetration_text(thin),
         thin.inside > 0 ? "agrees" : "differs: not on these moves"},
        {"jitters", "with certain geometry", jitter_text(*sums),
         sums->jitter > 1e-3 ? "agrees" : "differs: not in these presses"},
        {"smallest gap", "very close, not touching",
         fmt::format("{} of the tolerance", short_number(sums->least_gap)),
         sums->least_gap < 0.5 ? "differs: the gap is kept along the velocity, and lost at "
                                 "grazing angles"
                               : "agrees"}};
    made.conclusion =
        "As published the older response jitters, and it is left with hardly a gap. It spends up "
        "to "
        "six iterations.";
    made.tables = {std::move(table)};
    return made;
}

Expected<Reproduction> sliding_plane(const ReproduceOptions& options) {
    const std::uint64_t count = options.quick ? 10'000 : 200'000;
    DataTable table{"normals",
                    "Largest angle [rad] in floats between the normal of the sliding plane and the "
                    "exact one: from points moved back along the velocity (Table I), and from the "
                    "touch point.",
                    {"distance from the origin / r", "Table I", "touch point", "between them"},
                    {}};
    std::vector<NormalErrors> all;
    for (const double distance : {1.0, 30.0, 1'000.0, 30'000.0}) {
        if (options.stop.stop_requested()) return stopped_item();
        const NormalErrors errors = normal_errors(distance, count, options.seed);
        all.push_back(errors);
        table.rows.push_back({fmt::format("{:g}", distance), short_number(errors.moved),
                              short_number(errors.direct), short_number(errors.between)});
        options.progress.tell(static_cast<double>(all.size()) / 4.0);
    }
    const bool is_better = std::all_of(all.begin(), all.end(),
                                       [](const NormalErrors& e) { return e.direct <= e.moved; });
    Reproduction made;
    made.rows = {{"moving both points back", "does not affect the normal at all",
                  fmt::format("changes it by up to {} rad, near the origin, in floats",
                              short_number(all.front().between)),
                  all.front().between < 1e-6 ? "agrees: but for rounding" : "differs: by rounding"},
                 {"the touch point", "more numerically robust",
                  fmt::format("error {} against {} rad at 1000 radii", short_number(all[2].direct),
                              short_number(all[2].moved)),
                  is_better ? "agrees" : "differs: not at every distance"}};
    made.conclusion =
        "In exact arithmetic both planes have one normal; in floats moving the points back rounds "
        "them twice more, and the touch point is the better choice.";
    made.tables = {std::move(table)};
    return made;
}

Expected<Reproduction> table_2(const ReproduceOptions& options) {
    DataTable table =
        level_table("levels", "Table II on every level, and ours. Ball, float, skin 1/256.");
    const auto linahan = over_all_levels(MoverKind::Linahan, 0.0, 0.34, table, options);
    if (!linahan) return linahan.error();
    const auto graze = over_all_levels(MoverKind::Graze, 0.34, 0.67, table, options);
    if (!graze) return graze.error();
    DataTable ignored = level_table("", "");
    const auto fauerby = over_all_levels(MoverKind::Fauerby, 0.67, 1.0, ignored, options);
    if (!fauerby) return fauerby.error();
    Reproduction made;
    made.rows = {
        {"iterations, worst case", "3", fmt::format("{}", linahan->iterations),
         linahan->iterations <= 3 ? "agrees" : "differs"},
        {"written as", "a loop without \"new\" and \"old\" values", "the same loop", "agrees"},
        {"time against Table I", "better performance",
         fmt::format("{:.2f} times, mean of all moves", linahan->mean_ns() / fauerby->mean_ns()),
         linahan->mean_ns() < 0.95 * fauerby->mean_ns()
             ? "agrees"
             : "differs: few moves meet more than two planes, and the rest costs the same"},
        {"jitters", "no", jitter_text(*linahan),
         linahan->jitter == 0.0 ? "agrees" : "differs: by rounding alone"},
        {"penetrates triangles", "no", penetration_text(*linahan),
         linahan->inside == 0 ? "agrees" : "differs: the end of the move is not tested"},
        {"smallest gap", "the tolerance",
         fmt::format("{} of the tolerance", short_number(linahan->least_gap)),
         linahan->least_gap < 0.5
             ? "differs: the gap is kept along the velocity, and lost at grazing angles"
             : "agrees"},
        {"our mover: smallest gap, jitter, penetration", "-",
         fmt::format("{:.3g} skins, {}, {}", graze->least_gap, short_number(graze->jitter),
                     graze->inside),
         graze->inside == 0 && graze->jitter == 0.0 ? "better: proved" : "differs: a defect"}};
    made.conclusion =
        "Table II ends after three iterations, and rests. It keeps no gap: what is left of the "
        "tolerance at grazing contact is a small fraction of it, where ours keeps a proved skin.";
    made.tables = {std::move(table)};
    return made;
}

Expected<Reproduction> parameters(const ReproduceOptions& options) {
    DataTable table{
        "parameters",
        "Three parameters against two, in float: moves that end elsewhere from the "
        "same start, and moves that end inside, each on its own path.",
        {"level", "shift / r", "tolerance / r", "moves", "end elsewhere", "largest difference / r",
         "three: inside", "two: inside", "three: deepest / r", "two: deepest / r"},
        {}};
    std::uint64_t frames = 0;
    std::uint64_t differ = 0;
    std::array<std::uint64_t, 2> inside{};
    double largest = 0.0;
    std::size_t done = 0;
    constexpr std::array kLevels = {LevelId::Terrain, LevelId::Soup, LevelId::FlatRandom,
                                    LevelId::Stairs};
    for (const LevelId level : kLevels) {
        for (const double shift : {0.0, 400.0, 4'000.0}) {
            for (const double skin : {0.0, 0x1p-20}) {
                const LevelRun run{level, MoverKind::Linahan, Precision::Float, skin, shift};
                const auto r = compare_parameters(run, options);
                if (!r) return r.error();
                frames += r->frames;
                differ += r->differ;
                largest = std::max(largest, r->difference);
                inside[0] += r->inside[0];
                inside[1] += r->inside[1];
                table.rows.push_back({std::string(generate::name(level)),
                                      fmt::format("{:g}", shift), skin == 0.0 ? "1/256" : "least",
                                      fmt::format("{}", r->frames), fmt::format("{}", r->differ),
                                      short_number(r->difference), fmt::format("{}", r->inside[0]),
                                      fmt::format("{}", r->inside[1]), short_number(r->depth[0]),
                                      short_number(r->depth[1])});
                options.progress.tell(static_cast<double>(++done) / (6.0 * kLevels.size()));
            }
        }
    }
    Reproduction made;
    made.rows = {{"the destination that is derived again", "information may be lost",
                  count_of_total(differ, frames) +
                      fmt::format(" moves end elsewhere, by up to {} r", short_number(largest)),
                  differ > 0 ? "agrees" : "differs: no digit is lost"},
                 {"moves that end inside, with two parameters", "the ball intersects the mesh",
                  count_of_total(inside[1], frames) + fmt::format("; with three {}", inside[0]),
                  inside[1] > inside[0]    ? "agrees"
                  : inside[1] == inside[0] ? "differs: as many as with three"
                                           : "differs: fewer than with three"}};
    made.conclusion = fmt::format(
        "Two parameters lose the last digits in {} of the moves. Where balls end inside, the "
        "tolerance is some ulps of the coordinates, and three parameters do no better on the "
        "whole: "
        "the position that is returned is tested by neither.",
        percent_text(static_cast<double>(differ) / static_cast<double>(frames)));
    made.tables = {std::move(table)};
    return made;
}

Expected<Reproduction> robustness(const ReproduceOptions& options) {
    DataTable table{"robustness",
                    "Table II on every level, near the origin and 4000 radii off.",
                    {"level", "precision", "shift / r", "moves", "penetrating", "penetration / r",
                     "jitter / r"},
                    {}};
    std::array<LevelSums, 2> sums;  // near, far
    std::size_t done = 0;
    for (const LevelId level : generate::kComparedLevels) {
        for (const Precision precision : {Precision::Float, Precision::Double}) {
            for (std::size_t far = 0; far < 2; ++far) {
                const double shift = far == 0 ? 0.0 : 4'000.0;
                const auto m =
                    measured_run({level, MoverKind::Linahan, precision, 0.0, shift}, options);
                if (!m) return m.error();
                sums[far].add(level, *m);
                table.rows.push_back({std::string(generate::name(level)),
                                      std::string(name(precision)), fmt::format("{:g}", shift),
                                      fmt::format("{}", m->moves), fmt::format("{}", m->inside),
                                      short_number(m->depth),
                                      m->rests == 0 ? "-" : short_number(m->jitter)});
                options.progress.tell(
                    static_cast<double>(++done) /
                    (4.0 * static_cast<double>(generate::kComparedLevels.size())));
            }
        }
    }
    Reproduction made;
    for (std::size_t far = 0; far < 2; ++far) {
        const std::string where = far == 0 ? "near the origin" : "4000 radii off";
        made.rows.push_back({"jitter, " + where, "not a single instance", jitter_text(sums[far]),
                             sums[far].jitter == 0.0   ? "agrees"
                             : sums[far].jitter < 1e-3 ? "differs: by rounding"
                                                       : "differs: it jitters"});
        made.rows.push_back({"penetration, " + where, "not a single instance",
                             penetration_text(sums[far]),
                             sums[far].inside == 0 ? "agrees" : "differs: it penetrates"});
    }
    const bool holds = sums[0].jitter == 0.0 && sums[0].inside == 0;
    made.conclusion = fmt::format(
        "Near the origin the observation {}; 4000 radii off, in float, {} moves end inside. It is "
        "an "
        "observation, not a proof: our mover proves its gap after every move.",
        holds ? "holds" : "holds but for steps of the size of rounding errors", sums[1].inside);
    made.tables = {std::move(table)};
    return made;
}

Expected<Reproduction> tolerance(const ReproduceOptions& options) {
    std::vector<ToleranceRow> rows;
    for (const int exponent : kToleranceExponents) {
        for (const MoverKind mover : kToleranceMovers) {
            auto row = tolerance_row(std::exp2(exponent), mover, options);
            if (!row) return row.error();
            rows.push_back(std::move(*row));
            options.progress.tell(
                static_cast<double>(rows.size()) /
                static_cast<double>(kToleranceExponents.size() * kToleranceMovers.size()));
        }
    }
    const auto caught = [&](MoverKind mover, bool most) {
        const ToleranceRow* best = nullptr;
        for (const ToleranceRow& row : rows) {
            if (row.mover != mover) continue;
            if (best == nullptr || (most ? row.snags.caught > best->snags.caught
                                         : row.snags.caught < best->snags.caught))
                best = &row;
        }
        return best;
    };
    const ToleranceRow* worst = caught(MoverKind::Linahan, true);
    const ToleranceRow* least = caught(MoverKind::Linahan, false);
    const ToleranceRow* graze = caught(MoverKind::Graze, true);
    double most_lost = 0.0;
    for (const ToleranceRow& row : rows)
        if (row.mover == MoverKind::Graze) most_lost = std::max(most_lost, row.lost());
    Reproduction made;
    made.rows = {
        {"Table II, caught frames against the tolerance", "tweaking it can mitigate the problem",
         fmt::format(
             "from {} at e = {} r to {} at {} r",
             count_of_total(worst->snags.caught, worst->snags.frames), short_number(worst->skin),
             count_of_total(least->snags.caught, least->snags.frames), short_number(least->skin)),
         2 * least->snags.caught < worst->snags.caught ? "agrees"
                                                       : "differs: hardly on this ground"},
        {"our mover, the same", "-",
         fmt::format("at most {}, at e = {} r",
                     count_of_total(graze->snags.caught, graze->snags.frames),
                     short_number(graze->skin)),
         graze->snags.caught < least->snags.caught || graze->snags.caught == 0
             ? "better: at every tolerance"
             : "differs: caught too"}};
    made.conclusion = fmt::format(
        "On facetted ground Table II is caught least at e = {} r, so that the tolerance does "
        "matter: "
        "there it loses {} of the distance on the levels, ours {} at most at any tolerance.",
        short_number(least->skin), percent_text(least->lost()), percent_text(most_lost));
    made.drawings = {tolerance_drawing(rows)};
    made.tables = {tolerance_table(rows)};
    return made;
}

}  // namespace graze::app::linahan
