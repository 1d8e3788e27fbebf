// Wang 2014, figures 1 and 7 and the measurements on these four animations (section 5). Scenes are our
// own, of the same kind.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <tuple>

#include "graze/narrow/safe_cubic.hpp"
#include "graze/sim/barrier.hpp"
#include "graze/verify/methods.hpp"
#include "pictures/plot_sheet.hpp"
#include "pictures/plot_svg.hpp"
#include "reproduce/mean_time.hpp"
#include "simulations/simulated_items.hpp"
#include "simulations/simulated_runs.hpp"

namespace graze::app::simulations {
namespace {

struct Animation {
    const char* scene;
    const char* title;
    std::uint64_t frames;
    std::uint64_t quick_frames;
};
constexpr Animation kBowKnot = {"bow-knot", "bow knot", 120, 6};
constexpr Animation kLifted = {"lifted-tablecloth", "lifted tablecloth", 16, 4};
constexpr Animation kColliding = {"colliding-tablecloths", "colliding tablecloths", 30, 8};
constexpr Animation kClothing = {"garment", "virtual clothing", 40, 6};
constexpr std::array<Animation, 4> kAnimations = {kBowKnot, kLifted, kColliding, kClothing};

// --- Queries of an animation ---------------------------------------------------------------------

// At most so many of each kind, evenly spread over all that are offered.
template <class Motion>
class EvenSample {
public:
    void offer(const Motion& motion) {
        if (offered_++ % stride_ != 0) return;
        motions_.push_back(motion);
        if (motions_.size() < kMost) return;
        for (std::size_t i = 0; 2 * i < motions_.size(); ++i)
            motions_[i] = motions_[2 * i];
        motions_.resize((motions_.size() + 1) / 2);
        stride_ *= 2;
    }
    [[nodiscard]] const std::vector<Motion>& motions() const noexcept { return motions_; }

private:
    static constexpr std::size_t kMost = 40'000;
    std::vector<Motion> motions_;
    std::uint64_t offered_ = 0;
    std::uint64_t stride_ = 1;
};

template <class Motion>
Motion motion_of(const sim::ContactPair& pair, std::span<const Vec3> start,
                 std::span<const Vec3> end) {
    std::array<MovingPoint, 4> points{};
    for (std::size_t i = 0; i < 4; ++i)
        points[i] = {start[pair.v[i]], end[pair.v[i]]};
    return motion_from_vertices<Motion>(points);
}

// What the motions that a simulation requests consist of.
struct Recording {
    EvenSample<VertexFaceMotion> faces;
    EvenSample<EdgeEdgeMotion> edges;
    // The motion with the most contacts.
    std::size_t most_contacts = 0;
    std::vector<Vec3> peak_start;
    std::vector<Vec3> peak_end;
};

class Recorder {
public:
    Recorder(const sim::Model& model, unsigned threads)
        : model_(model), stepper_(model.surface), options_(sim::collision_options(model)) {
        options_.threads = static_cast<int>(threads);
    }
    [[nodiscard]] Expected<void> motion(std::span<const Vec3> start, std::span<const Vec3> end) {
        const auto candidates = stepper_.candidates(start, end, 0.0, options_);
        if (!candidates) return candidates.error();
        for (const sim::ContactPair& pair : sim::contact_pairs(model_, *candidates)) {
            if (pair.kind == QueryKind::VertexFace)
                recording_.faces.offer(motion_of<VertexFaceMotion>(pair, start, end));
            else if (pair.kind == QueryKind::EdgeEdge)
                recording_.edges.offer(motion_of<EdgeEdgeMotion>(pair, start, end));
        }
        const auto impacts = stepper_.all_impacts(start, end, options_);
        if (!impacts) return impacts.error();
        if (impacts->impacts.size() <= recording_.most_contacts) return {};
        recording_.most_contacts = impacts->impacts.size();
        recording_.peak_start.assign(start.begin(), start.end());
        recording_.peak_end.assign(end.begin(), end.end());
        return {};
    }
    [[nodiscard]] Recording take() { return std::move(recording_); }

private:
    const sim::Model& model_;
    MeshStepper stepper_;
    StepOptions options_;
    Recording recording_;
};

// --- Runs, which several items need --------------------------------------------------------------

struct AnimationRun {
    sim::Model model;
    SimulatedRun run;
    Recording recording;  // with `certified` alone
};

Expected<AnimationRun> simulate(const Animation& animation, const std::string& method,
                                const ReproduceOptions& options, double from, double to) {
    AnimationRun made;
    made.model = built_in_scene(animation.scene);
    made.model.contact.method = method;
    // As the systems do that the paper refers to.
    made.model.contact.response = sim::ContactResponse::Impulses;
    Recorder recorder(made.model, options.threads);
    sim::RunOptions run;
    run.frames = options.quick ? animation.quick_frames : animation.frames;
    run.check = true;
    run.threads = options.threads;
    run.stop = options.stop;
    if (method == "certified") {
        run.proposals = [&](std::span<const Vec3> start, std::span<const Vec3> end) {
            return recorder.motion(start, end);
        };
    }
    run.on_frame = [&](const sim::FrameStats& frame) {
        options.progress.tell(from + (to - from) * static_cast<double>(frame.frame) /
                                         static_cast<double>(run.frames));
    };
    auto report = sim::run(made.model, run);
    if (!report) return report.error();
    made.run = {method, std::move(*report)};
    made.recording = recorder.take();
    return made;
}

// Each is simulated once in a process: the items show other sides of the same runs.
Expected<const AnimationRun*> animation_run(const Animation& animation, const std::string& method,
                                            const ReproduceOptions& options, double from,
                                            double to) {
    static std::map<std::tuple<std::string, std::string, bool>, AnimationRun> runs;
    const auto key = std::make_tuple(std::string(animation.scene), method, options.quick);
    auto found = runs.find(key);
    if (found == runs.end()) {
        auto made = simulate(animation, method, options, from, to);
        if (!made) return made.error();
        found = runs.emplace(key, std::move(*made)).first;
    }
    options.progress.tell(to);
    return &found->second;
}

// --- Figures 1 and 7 -----------------------------------------------------------------------------

constexpr std::array<const char*, 3> kFigureMethods = {"cubic", "safe-cubic", "certified"};

Expected<std::vector<const AnimationRun*>> figure_runs(const Animation& animation,
                                                       const ReproduceOptions& options) {
    std::vector<const AnimationRun*> runs;
    constexpr auto kCount = static_cast<double>(kFigureMethods.size());
    for (const char* method : kFigureMethods) {
        const auto done = static_cast<double>(runs.size());
        const auto run =
            animation_run(animation, method, options, done / kCount, (done + 1.0) / kCount);
        if (!run) return run.error();
        runs.push_back(*run);
    }
    return runs;
}

ComparedRow protected_row(const SimulatedRun& run, std::string_view published) {
    return {run.label, std::string(published), run.outcome(),
            run.total().crossings + run.total().intersections == 0 ? "agrees: no contact is missed"
                                                                   : "a proved method missed"};
}

Expected<Reproduction> animation_figure(const Animation& animation,
                                        const ReproduceOptions& options) {
    const auto runs = figure_runs(animation, options);
    if (!runs) return runs.error();
    Reproduction result;
    const SimulatedRun& basic = (*runs)[0]->run;
    result.rows.push_back({basic.label, "fails in one animation only, Figure 7b", basic.outcome(),
                           basic.total().crossings == 0
                               ? "agrees: none missed here, and none proved"
                               : "differs: contacts are missed here, too"});
    result.rows.push_back(protected_row((*runs)[1]->run, "failure-proof"));
    result.rows.push_back(protected_row((*runs)[2]->run, "-"));
    std::vector<SimulatedRun> all;
    for (const AnimationRun* run : *runs)
        all.push_back(run->run);
    result.tables.push_back(
        run_table(animation.scene, fmt::format("The {} by method", animation.title), all));
    auto drawing =
        state_drawing(animation.scene, fmt::format("The {}, last frame", animation.title),
                      (*runs)[1]->model, (*runs)[1]->run.report.end);
    if (!drawing) return drawing.error();
    result.drawings.push_back(std::move(*drawing));
    result.conclusion = fmt::format(
        "A scene of our own of {} triangles, handled by repulsions, impulses and impact zones. "
        "Every accepted motion is tested again by `certified`, every state exactly.",
        (*runs)[0]->model.surface.faces.size());
    return result;
}

Series frame_series(const char* label, std::size_t colour, const SimulatedRun& run) {
    Series series{.label = label, .colour = colour, .y = {}};
    for (const sim::FrameStats& frame : run.report.frames)
        series.y.push_back(frame.positive > 0 ? std::optional(static_cast<double>(frame.positive))
                                              : std::nullopt);
    return series;
}

Drawing positives_by_frame(const std::vector<const AnimationRun*>& runs) {
    LineChart chart{.title = "contacts reported in each frame",
                    .places = {},
                    .series = {},
                    .scale = LineChart::Scale::LogNumber,
                    .name_lines = true,
                    .remark = ""};
    for (std::size_t i = 0; i < runs[0]->run.report.frames.size(); ++i)
        chart.places.push_back(i % 2 == 0 ? fmt::format("{}", i + 1) : "");
    for (std::size_t i = 0; i < runs.size(); ++i)
        chart.series.push_back(frame_series(kFigureMethods[i], i, runs[i]->run));
    return {"positives", "Contacts that the detection reports, frame by frame",
            plot_sheet({.title = "Colliding tablecloths: contacts by frame",
                        .plots = {line_chart(chart)},
                        .notes = {"A frame without a contact is a gap."}})};
}

DataTable frame_table(const std::vector<const AnimationRun*>& runs) {
    DataTable table{.name = "frames",
                    .caption = "Frame by frame: contacts reported, contacts passed, steps stuck",
                    .headings = {"frame"},
                    .rows = {}};
    for (const char* method : kFigureMethods)
        for (const char* what : {"reported", "passed", "stuck"})
            table.headings.push_back(fmt::format("{}: {}", method, what));
    for (std::size_t i = 0; i < runs[0]->run.report.frames.size(); ++i) {
        std::vector<std::string> row = {fmt::format("{}", i + 1)};
        for (const AnimationRun* run : runs) {
            const sim::FrameStats& frame = run->run.report.frames[i];
            for (const std::uint64_t count : {frame.positive, frame.crossings, frame.stuck})
                row.push_back(fmt::format("{}", count));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

// In the first two frames, in which contacts are missed.
std::uint64_t first_positives(const SimulatedRun& run) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, run.report.frames.size()); ++i)
        sum += run.report.frames[i].positive;
    return sum;
}

// --- Section 5: time per test --------------------------------------------------------------------

// Nanoseconds per test: without and with protection, with and without planes; and which tests planes
// end, and which go on to vertices and edges.
struct TestCosts {
    double basic = kInfinity;
    double safe = kInfinity;
    double basic_no_planes = kInfinity;
    double safe_no_planes = kInfinity;
    double culled = 0.0;       // fraction of the tests
    double vertex_edge = 0.0;  // fraction of the tests
    std::size_t tests = 0;
};

// All four in turn in each round, the least of the rounds: a busy moment hits all or none.
template <class Motion>
TestCosts test_costs(const std::vector<Motion>& motions, int rounds) {
    SafeCubicOptions without;
    without.plane_culling = false;
    TestCosts costs;
    costs.tests = motions.size();
    if (motions.empty()) return {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0};
    for (const Motion& motion : motions) {
        const SafeCubicCounters counters = safe_cubic_report(motion).counters;
        const double part = 1.0 / static_cast<double>(motions.size());
        costs.culled += counters.plane_culled > 0 ? part : 0.0;
        costs.vertex_edge += counters.vertex_edge_tests > 0 ? part : 0.0;
    }
    for (int i = 0; i < rounds; ++i) {
        const auto lower = [&](double& least, const auto& ask) {
            least = std::min(least, mean_ns(motions, 1, ask));
        };
        lower(costs.basic, [](const Motion& m) { return cubic_ccd(m); });
        lower(costs.safe, [](const Motion& m) { return safe_cubic_ccd(m); });
        lower(costs.basic_no_planes, [&](const Motion& m) { return cubic_ccd(m, without); });
        lower(costs.safe_no_planes, [&](const Motion& m) { return safe_cubic_ccd(m, without); });
    }
    return costs;
}

// The mean over both kinds, by their numbers.
TestCosts together(const TestCosts& a, const TestCosts& b) {
    const auto na = static_cast<double>(a.tests);
    const auto nb = static_cast<double>(b.tests);
    const auto mean = [&](double x, double y) {
        return (na * x + nb * y) / std::max(1.0, na + nb);
    };
    return {mean(a.basic, b.basic),
            mean(a.safe, b.safe),
            mean(a.basic_no_planes, b.basic_no_planes),
            mean(a.safe_no_planes, b.safe_no_planes),
            mean(a.culled, b.culled),
            mean(a.vertex_edge, b.vertex_edge),
            a.tests + b.tests};
}

std::string signed_percent(double ratio) {
    return fmt::format("{:+.1f} %", 100.0 * (ratio - 1.0));
}

// --- Section 5: at the peak ----------------------------------------------------------------------

constexpr std::array<const char*, 4> kPeakMethods = {"safe-cubic", "certified", "root-parity",
                                                     "root-parity-exact"};

// Milliseconds of the whole detection, the least of the rounds; methods in turn.
Expected<std::array<double, kPeakMethods.size()>> peak_times(const AnimationRun& run, int rounds) {
    const MethodRegistry methods = verify::all_methods();
    MeshStepper stepper(run.model.surface);
    std::array<double, kPeakMethods.size()> least;
    least.fill(kInfinity);
    for (int i = 0; i < rounds; ++i) {
        for (std::size_t m = 0; m < kPeakMethods.size(); ++m) {
            StepOptions step = sim::collision_options(run.model);
            step.method = *methods.find(kPeakMethods[m]);
            const std::clock_t begin = std::clock();
            const auto found =
                stepper.all_impacts(run.recording.peak_start, run.recording.peak_end, step);
            const double ms = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
            if (!found) return found.error();
            least[m] = std::min(least[m], ms);
        }
    }
    return least;
}

}  // namespace

Expected<Reproduction> bow_knot(const ReproduceOptions& options) {
    return animation_figure(kBowKnot, options);
}
Expected<Reproduction> lifted_tablecloth(const ReproduceOptions& options) {
    return animation_figure(kLifted, options);
}
Expected<Reproduction> virtual_clothing(const ReproduceOptions& options) {
    return animation_figure(kClothing, options);
}

Expected<Reproduction> colliding_tablecloths(const ReproduceOptions& options) {
    const auto runs = figure_runs(kColliding, options);
    if (!runs) return runs.error();
    const SimulatedRun& basic = (*runs)[0]->run;
    const SimulatedRun& proved = (*runs)[2]->run;
    Reproduction result;
    result.rows = {
        {"cubic: contacts missed", "multiple collisions at first",
         fmt::format("{} contacts passed", basic.total().crossings),
         basic.total().crossings > 0 ? "agrees" : "differs: none on this machine"},
        {"cubic: a burst of collisions after that", "yes",
         fmt::format("{} reported in the first two frames, {} with `certified`; {} pairs tested in "
                     "all, {} with `certified`",
                     first_positives(basic), first_positives(proved), basic.total().tested,
                     proved.total().tested),
         first_positives(basic) > 2 * first_positives(proved) ? "agrees" : "differs: no burst"},
        {"cubic: handling", "fails to converge", basic.outcome(),
         basic.total().stuck > 0 ? "agrees" : "differs: it converges"},
        protected_row((*runs)[1]->run, "failure-proof"),
        protected_row(proved, "-")};
    std::vector<SimulatedRun> all;
    for (const AnimationRun* run : *runs)
        all.push_back(run->run);
    result.tables = {run_table("colliding-tablecloths", "The colliding tablecloths by method", all),
                     frame_table(*runs)};
    result.drawings.push_back(positives_by_frame(*runs));
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        auto drawing = state_drawing(fmt::format("last-{}", kFigureMethods[i]),
                                     fmt::format("The last frame with {}", kFigureMethods[i]),
                                     (*runs)[i]->model, (*runs)[i]->run.report.end);
        if (!drawing) return drawing.error();
        result.drawings.push_back(std::move(*drawing));
    }
    result.conclusion =
        "Two sheets in one plane fly at each other edge on: the cubic of coplanarity is zero but "
        "for rounding errors, and a test without tolerances takes its noise for roots. It misses "
        "contacts in the first steps; then elements that already intersect are reported as "
        "contacts without end, impulses do not converge, and the fail-safe stops everything. With "
        "proved tolerances, and exactly, the same scene runs through.";
    return result;
}

Expected<Reproduction> animation_costs(const ReproduceOptions& options) {
    Reproduction result;
    DataTable table{.name = "costs",
                    .caption = "Nanoseconds per test after boxes: without and with protection",
                    .headings = {"animation", "tests timed", "cubic", "safe-cubic", "overhead",
                                 "cubic, no planes", "safe-cubic, no planes", "overhead",
                                 "gained by planes", "ended by planes", "to vertex-edge tests"},
                    .rows = {}};
    TestCosts all{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0};
    const int rounds = options.quick ? 3 : 15;
    double done = 0.0;
    for (const Animation& animation : kAnimations) {
        const auto run = animation_run(animation, "certified", options, done, done + 0.2);
        if (!run) return run.error();
        done += 0.25;
        const Recording& recording = (*run)->recording;
        const TestCosts costs = together(test_costs(recording.faces.motions(), rounds),
                                         test_costs(recording.edges.motions(), rounds));
        options.progress.tell(done);
        if (options.stop.stop_requested()) return Error{"cancelled", ErrorCode::Cancelled};
        all = together(all, costs);
        table.rows.push_back({animation.title, fmt::format("{}", costs.tests),
                              fmt::format("{:.0f}", costs.basic), fmt::format("{:.0f}", costs.safe),
                              signed_percent(costs.safe / costs.basic),
                              fmt::format("{:.0f}", costs.basic_no_planes),
                              fmt::format("{:.0f}", costs.safe_no_planes),
                              signed_percent(costs.safe_no_planes / costs.basic_no_planes),
                              signed_percent(costs.safe / costs.safe_no_planes),
                              fmt::format("{:.1f} %", 100.0 * costs.culled),
                              fmt::format("{:.1f} %", 100.0 * costs.vertex_edge)});
    }
    const auto overhead_row = [](std::string what, std::string published, double basic,
                                 double safe) -> ComparedRow {
        return {std::move(what), std::move(published),
                fmt::format("{:.0f} and {:.0f} ns: {}", basic, safe, signed_percent(safe / basic)),
                safe <= 1.1 * basic ? "agrees: protection costs next to nothing"
                                    : "differs: the basic test is cheaper here than there"};
    };
    result.rows = {
        overhead_row("with planes", "350 and 355 ns: +1.4 %", all.basic, all.safe),
        overhead_row("without planes", "409 and 416 ns: +1.7 %", all.basic_no_planes,
                     all.safe_no_planes),
        {"what planes gain, protected", "355 of 416 ns: -14.7 %",
         signed_percent(all.safe / all.safe_no_planes),
         all.safe < all.safe_no_planes ? "agrees: culling pays"
                                       : "differs: what planes end costs no more without them"}};
    result.tables.push_back(std::move(table));
    result.conclusion =
        "Pairs that the broad phase leaves in our four animations, evenly spread over all motions "
        "that the response asked about; the four variants are timed in turn, and each has the "
        "least of its rounds. Both tests are several times faster than in 2014, and the basic one "
        "more so: it ends with the first reason to, where the protected one computes its bound B "
        "and its tolerances first, sends near pairs on to vertex-edge tests, and gives the free "
        "time before each contact, which the paper's tests do not. What the culling by planes "
        "ends, "
        "the cubic ends as soon.";
    return result;
}

Expected<Reproduction> collision_peak(const ReproduceOptions& options) {
    Reproduction result;
    DataTable table{.name = "peak",
                    .caption = "Milliseconds of the detection for the motion with most contacts",
                    .headings = {"animation", "contacts"},
                    .rows = {}};
    for (const char* method : kPeakMethods)
        table.headings.emplace_back(method);
    double best = 0.0;
    double against_certified = 0.0;
    double done = 0.0;
    for (const Animation& animation : kAnimations) {
        const auto run = animation_run(animation, "certified", options, done, done + 0.2);
        if (!run) return run.error();
        done += 0.25;
        if ((*run)->recording.most_contacts == 0) continue;
        const auto times = peak_times(**run, options.quick ? 3 : 9);
        if (!times) return times.error();
        options.progress.tell(done);
        if (options.stop.stop_requested()) return Error{"cancelled", ErrorCode::Cancelled};
        std::vector<std::string> row = {animation.title,
                                        fmt::format("{}", (*run)->recording.most_contacts)};
        for (const double ms : *times)
            row.push_back(fmt::format("{:.2f}", ms));
        table.rows.push_back(std::move(row));
        best = std::max(best, (*times)[2] / (*times)[0]);
        against_certified = std::max(against_certified, (*times)[0] / (*times)[1]);
    }
    result.rows = {
        {"detection at the peak: root parity over safe-cubic", "up to 1.2",
         fmt::format("up to {:.2f}", best),
         best > 1.0 ? "agrees: the protected test is faster" : "differs: root parity is as fast"},
        {"safe-cubic over certified, which is exact", "-",
         fmt::format("up to {:.2f}", against_certified),
         "exact answers cost about as much as protected ones now"}};
    result.tables.push_back(std::move(table));
    result.conclusion =
        "Boxes, trees and tests of the one motion with the most contacts of each animation, on one "
        "thread; methods are timed in turn. Root parity is the exact approach that the paper "
        "compares with, here with filters; without them it is named exact.";
    return result;
}

Expected<Reproduction> positive_cases(const ReproduceOptions& options) {
    Reproduction result;
    double done = 0.0;
    for (const Animation& animation : kAnimations) {
        std::array<sim::FrameStats, 2> total;
        for (std::size_t i = 0; i < 2; ++i) {
            const auto run = animation_run(animation, i == 0 ? "safe-cubic" : "certified", options,
                                           done, done + 0.125);
            if (!run) return run.error();
            done += 0.125;
            total[i] = (*run)->run.total();
        }
        const auto ratio = [](std::uint64_t a, std::uint64_t b) {
            return static_cast<double>(a) / static_cast<double>(std::max<std::uint64_t>(b, 1));
        };
        const double tested = ratio(total[0].tested, total[1].tested);
        const double positive = ratio(total[0].positive, total[1].positive);
        const bool agrees = tested > 0.8 && tested < 1.25 && positive <= 1.1;
        if (total[0].positive + total[1].positive == 0) {
            result.rows.push_back({fmt::format("{}: protected against exact", animation.title),
                                   "about as many tests, up to 10 % more positive ones",
                                   fmt::format("{} and {} tests, no contact in so few frames",
                                               total[0].tested, total[1].tested),
                                   "-"});
            continue;
        }
        result.rows.push_back(
            {fmt::format("{}: protected against exact", animation.title),
             "about as many tests, up to 10 % more positive ones",
             fmt::format("{} and {} tests ({}), {} and {} positive ({})", total[0].tested,
                         total[1].tested, signed_percent(tested), total[0].positive,
                         total[1].positive, signed_percent(positive)),
             agrees ? "agrees" : "differs: the two runs go their own ways"});
    }
    result.conclusion =
        "Each animation is simulated twice, with safe-cubic and with exact answers, and all pairs "
        "and contacts are counted. Runs go their own ways after the first contact that only one of "
        "them reports, so counts differ by more than the false positives, to either side.";
    return result;
}

}  // namespace graze::app::simulations
