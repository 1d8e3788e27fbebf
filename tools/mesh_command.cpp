// `graze mesh`: what touches in one step of a whole mesh, and when first.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <tuple>

#include "build_info.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "graze/mesh/vertex_bounds.hpp"
#include "interrupt.hpp"
#include "mesh_pictures.hpp"
#include "mesh_report.hpp"
#include "methods.hpp"
#include "parallel.hpp"
#include "progress.hpp"

namespace graze::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct MeshRequest {
    std::string start;
    std::string end;
    bool only_first = false;
    MethodOptions choice;
    std::string pairs;
    std::string bounds;
    std::string contacts;
    std::string svg;
    double reach = 0.0;  // 0: derived from the motion
    bool exit_code = false;
    CommonOptions common{.json = "", .threads = 0};
    // Filled once the command line is understood.
    Method method;
};

constexpr std::string_view kExamples =
    "START and END are one mesh at both ends of the step: OBJ, PLY or STL, plain or .gz. Vertices\n"
    "move along straight lines. Polygons are cut to triangles by where they are at the start.\n"
    "PAIRS.csv names vertices and faces in the order of the files, and edges in the order of the\n"
    "sorted unique vertex pairs (i < j, by i, then j), all counted from 0; vertices without edge\n"
    "(points) also give the kinds vv and ve. toi_upper is inf where no contact is proved.\n"
    "BOUNDS.csv: within radius of its start every vertex may move freely, whatever the path;\n"
    "and all together may go by fraction of their step.\n"
    "\n"
    "Examples:\n"
    "  graze mesh start.obj end.obj\n"
    "  graze mesh --first --json - 326.ply 327.ply\n"
    "  graze mesh --min-separation 1e-3 --pairs pairs.csv start.ply end.ply\n"
    "  graze mesh start.obj end.obj --svg step.svg\n"
    "  graze mesh --contacts where.ply --per-vertex bounds.csv start.stl end.stl\n";

// The tables and the picture that were asked for, each created before the work starts.
struct MeshFiles {
    std::optional<OutputFile> pairs;
    std::optional<OutputFile> bounds;
    std::optional<OutputFile> contacts;
    std::optional<OutputFile> svg;

    [[nodiscard]] bool own_stdout() const noexcept {
        return owns_stdout(pairs) || owns_stdout(bounds) || owns_stdout(contacts) ||
               owns_stdout(svg);
    }
};

// Creates the file if it is wanted; `file` is filled on success.
Expected<void> create(const std::string& path, std::string_view columns,
                      std::optional<OutputFile>& file) {
    auto created = create_if_named(path, columns.empty() ? "" : std::string(columns) + "\n");
    if (!created) return created.error();
    if (*created) file.emplace(std::move(**created));
    return {};
}

Expected<void> create_files(const MeshRequest& request, MeshFiles& files) {
    if (auto done = create(request.pairs, kPairColumns, files.pairs); !done) return done;
    if (auto done = create(request.bounds, kBoundColumns, files.bounds); !done) return done;
    if (auto done = create(request.svg, "", files.svg); !done) return done;
    return create(request.contacts, "", files.contacts);
}

Expected<void> write_whole(std::optional<OutputFile>& file, const std::string& text) {
    if (!file) return {};
    if (auto written = file->write(text); !written) return written;
    return file->finish();
}

// Shows the share that is done, which never goes back, and asks the step to stop for a signal.
class StepProgress {
public:
    bool operator()(double share) {
        const auto percent = static_cast<std::uint64_t>(share * kWhole);
        if (percent > progress_.done()) progress_.advance(percent - progress_.done());
        return !stop_requested();
    }

private:
    static constexpr double kWhole = 100.0;
    Progress progress_{ProgressTotal{static_cast<std::uint64_t>(kWhole)}};
};

// What a step gave, unless a signal cut it short.
template <class T>
Expected<T> unless_stopped(Expected<T> result) {
    if (stop_requested()) return stopped();
    return result;
}

// One mesh in one step.
class MeshRun {
public:
    MeshRun(const MeshRequest& request, dataset::MeshPair pair, MeshTopology topology)
        : request_(request), pair_(std::move(pair)), stepper_(std::move(topology)) {
        options_.method = request.method;
        options_.query = request.choice.options;
        options_.threads = static_cast<int>(request.common.threads);
        options_.progress = [progress = std::make_shared<StepProgress>()](double share) {
            return (*progress)(share);
        };
        // Slow methods may take minutes between two reports of progress: a signal lets them skip
        // what is left.
        if (request.method.name != default_method_name())
            options_.filter.accepts = [](QueryKind, std::uint32_t, std::uint32_t) {
                return !stop_requested();
            };
    }

    [[nodiscard]] Expected<MeshOutcome> step() {
        return request_.only_first ? first_impact() : all_impacts();
    }
    [[nodiscard]] Expected<std::string> bounds();
    [[nodiscard]] std::string picture(const MeshOutcome& outcome) const {
        return contact_picture(pair_, mesh(), outcome.impacts, options_.query.t_max);
    }
    [[nodiscard]] std::string svg(const MeshOutcome& outcome) const {
        const auto file_name = [](const std::string& path) {
            return std::filesystem::path(path).filename().string();
        };
        return step_svg({pair_, mesh(), outcome, options_.query.t_max, file_name(request_.start),
                         file_name(request_.end)});
    }
    [[nodiscard]] const MeshTopology& mesh() const noexcept { return stepper_.topology(); }

private:
    [[nodiscard]] Expected<MeshOutcome> first_impact();
    [[nodiscard]] Expected<MeshOutcome> all_impacts();
    [[nodiscard]] Expected<std::optional<Impact>> earliest(const std::vector<Impact>& impacts,
                                                           double toi_upper);
    [[nodiscard]] double reach() const;

    const MeshRequest& request_;
    dataset::MeshPair pair_;
    MeshStepper stepper_;
    StepOptions options_;
};

Expected<MeshOutcome> MeshRun::first_impact() {
    const auto first = unless_stopped(stepper_.first_impact(pair_.start, pair_.end, options_));
    if (!first) return first.error();
    MeshOutcome outcome;
    outcome.is_all = false;
    outcome.first = first->impact;
    outcome.toi_lower = first->toi_lower;
    outcome.work = first->work;
    if (first->impact) {
        outcome.impacts = {*first->impact};
        outcome.toi_upper = first->impact->result.toi_upper;
    }
    return outcome;
}

Expected<MeshOutcome> MeshRun::all_impacts() {
    auto all = unless_stopped(stepper_.all_impacts(pair_.start, pair_.end, options_));
    if (!all) return all.error();
    MeshOutcome outcome;
    outcome.work = all->work;
    outcome.impacts = std::move(all->impacts);
    for (const Impact& impact : outcome.impacts) {
        outcome.toi_lower = std::min(outcome.toi_lower, impact.result.toi_lower);
        outcome.toi_upper = std::min(outcome.toi_upper, impact.result.toi_upper);
    }
    const auto first = earliest(outcome.impacts, outcome.toi_upper);
    if (!first) return first.error();
    outcome.first = *first;
    return outcome;
}

// The first of all impacts. Brackets of several may overlap; then the mesh is asked which of these
// it is, so that the answer is that of --first.
Expected<std::optional<Impact>> MeshRun::earliest(const std::vector<Impact>& impacts,
                                                  double toi_upper) {
    const auto name = [](const Impact& i) { return std::tuple(i.kind, i.a, i.b); };
    std::set<std::tuple<QueryKind, std::uint32_t, std::uint32_t>> names;
    std::optional<Impact> last;
    for (const Impact& impact : impacts) {
        if (impact.result.toi_lower > toi_upper) continue;
        names.insert(name(impact));
        last = impact;
    }
    if (names.size() <= 1) return last;
    StepOptions options = options_;
    options.filter.accepts = [&names](QueryKind kind, std::uint32_t a, std::uint32_t b) {
        return names.contains({kind, a, b});
    };
    const auto first = unless_stopped(stepper_.first_impact(pair_.start, pair_.end, options));
    if (!first) return first.error();
    return first->impact;
}

// Wide enough for radii as large as the farthest way of a vertex.
double MeshRun::reach() const {
    if (request_.reach > 0.0) return request_.reach;
    double farthest = 0.0;
    for (std::size_t i = 0; i < pair_.start.size(); ++i)
        farthest = std::max(farthest, norm(pair_.end[i] - pair_.start[i]));
    return 2.0 * (farthest + options_.query.min_separation);
}

Expected<std::string> MeshRun::bounds() {
    const double within = reach();
    if (!(within > 0.0) || !is_finite(within)) {
        return Error{"nothing moves, or too far: --per-vertex needs a --reach"};
    }
    const auto radii = unless_stopped(free_radii(stepper_, pair_.start, within, options_));
    if (!radii) return radii.error();
    const auto free = unless_stopped(free_fractions(stepper_, pair_.start, pair_.end, options_));
    if (!free) return free.error();
    return bound_lines(*radii, free->fraction);
}

Json summary_json(const MeshRequest& request, const MeshTopology& mesh,
                  const MeshOutcome& outcome) {
    Json json = {{"method", request.method.name}, {"start", request.start}, {"end", request.end}};
    json.update(outcome_json(mesh, outcome));
    const CcdOptions& options = request.choice.options;
    json["min_separation"] = options.min_separation;
    json["norm"] = name(options.norm);
    json["t_max"] = options.t_max;
    json["time_width"] = options.time_width;
    json["threads"] = threads_used(request.common.threads);
    json["build"] = to_json(build_info());
    return json;
}

// Everything is worked out before the first file appears.
Expected<void> write_files(MeshRun& run, const MeshOutcome& outcome, MeshFiles& files) {
    Expected<std::string> bounds = files.bounds ? run.bounds() : std::string();
    if (!bounds) return bounds.error();
    const std::string picture = files.contacts ? run.picture(outcome) : "";
    const std::string svg = files.svg ? run.svg(outcome) : "";
    const std::string pairs = files.pairs ? pair_lines(outcome.impacts) : "";
    if (auto written = write_whole(files.pairs, pairs); !written) return written;
    if (auto written = write_whole(files.bounds, *bounds); !written) return written;
    if (auto written = write_whole(files.svg, svg); !written) return written;
    return write_whole(files.contacts, picture);
}

Expected<ExitCode> run_mesh(const MeshRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    MeshFiles files;
    if (auto created = create_files(request, files); !created) return created.error();
    const Clock::time_point begin = Clock::now();
    auto pair = dataset::read_mesh_pair(request.start, request.end);
    if (!pair) return pair.error();
    auto topology = make_topology(pair->start.size(), pair->faces, pair->edges);
    if (!topology) return Error{request.start + ": " + topology.error().message};
    if (stop_requested()) return stopped();
    const std::chrono::duration<double> taken = Clock::now() - begin;

    MeshRun run(request, std::move(*pair), std::move(*topology));
    Expected<MeshOutcome> outcome = run.step();
    if (!outcome) return outcome.error();
    outcome->seconds_read = taken.count();
    if (auto written = write_files(run, *outcome, files); !written) return written.error();
    if (auto written = json->write(summary_json(request, run.mesh(), *outcome)); !written) {
        return written.error();
    }
    const ExitCode code = exit_code_of(verdict_of(*outcome), request.exit_code);
    if (json->owns_stdout() || files.own_stdout()) return code;
    return succeeded(print_report(outcome_text(run.mesh(), *outcome)), code);
}

void check_request(MeshRequest& request) {
    for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge})
        request.method = chosen_method(request.choice, kind);
    check_places({{"--pairs", request.pairs},
                  {"--per-vertex", request.bounds},
                  {"--contacts", request.contacts},
                  {"--svg", request.svg},
                  {"--json", request.common.json}},
                 {request.start, request.end});
    if (!(request.reach >= 0.0) || !is_finite(request.reach)) {
        fail_usage("--reach must be finite and > 0");
    }
    const CcdOptions& options = request.choice.options;
    if (!request.bounds.empty() && options.min_separation > 0.0 && options.norm == Norm::Max) {
        fail_usage("--per-vertex measures in the euclidean norm alone");
    }
}

void add_output_options(App& app, MeshRequest& request) {
    app.add_option("--pairs", request.pairs,
                   "Write every pair that touches as CSV: " + std::string(kPairColumns))
        ->type_name("PAIRS.csv|-");
    app.add_option("--per-vertex", request.bounds,
                   "Write how far each vertex may go as CSV: " + std::string(kBoundColumns))
        ->type_name("BOUNDS.csv|-");
    add_number_option(app, "--reach", request.reach,
                      "Radii of --per-vertex go up to half this length; 0: the farthest way of a "
                      "vertex in the step");
    app.add_option("--contacts", request.contacts,
                   "Write the mesh at the start as PLY, coloured by when its vertices touch")
        ->type_name("FILE.ply|-");
    app.add_option("--svg", request.svg,
                   "Draw the start, the first contact (also from near) and the end")
        ->type_name("FILE.svg|-");
}

}  // namespace

Command add_mesh_command(App& app) {
    App* sub = app.add_command("mesh", "Find what touches in one step of a whole mesh, and when");
    const auto request = std::make_shared<MeshRequest>();
    sub->add_option("START", request->start, "Mesh at the start of the step: OBJ, PLY or STL")
        ->required()
        ->type_name("");
    sub->add_option("END", request->end, "The same mesh at its end")->required()->type_name("");
    sub->add_flag("--first", request->only_first,
                  "Look only for the first impact, which is faster");
    add_method_options(*sub, request->choice);
    add_output_options(*sub, *request);
    add_exit_code_option(*sub, request->exit_code);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_mesh(*request); }};
}

}  // namespace graze::tools
