// `graze mesh`: what touches in one step of a whole mesh, and when first.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/step_progress.hpp"
#include "cli/surface_warnings.hpp"
#include "commands/commands.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/mesh/vertex_bounds.hpp"
#include "graze/verify/methods.hpp"
#include "graze/verify/parallel.hpp"
#include "mesh_pictures.hpp"
#include "mesh_report.hpp"

namespace graze::app {
using namespace verify;
namespace {

using Clock = std::chrono::steady_clock;

struct MeshRequest {
    std::string start;
    std::string end;
    bool only_first = false;
    MethodOptions choice;
    BoundChoice bound;
    std::string pairs;
    std::string bounds;
    std::string contacts;
    std::string svg;
    double reach = 0.0;  // 0: derived from the motion
    bool exit_code = false;
    bool welds = false;
    CommonOptions common{.json = "", .threads = 0};
    // Filled once the command line is understood.
    Method method;
};

constexpr std::string_view kMeshExamples =
    "START and END are one mesh at both ends of the step: OBJ, PLY or STL, plain or .gz. Vertices\n"
    "move along straight lines. Polygons are cut to triangles by where they are at the start.\n"
    "PAIRS.csv names vertices and faces in the order of the files, and edges in the order of the\n"
    "sorted unique vertex pairs (i < j, by i, then j), all counted from 0; vertices without edge\n"
    "(points) also give the kinds vv and ve. toi_upper is inf where no contact is proved.\n"
    "BOUNDS.csv: within radius of its start every vertex may move freely, whatever the path;\n"
    "and all together may go by fraction of their step.\n"
    "With --weld, vertices that are equal at both ends are one, named as the first of them. Faces\n"
    "keep their numbers; edges are those of the welded mesh, by the names of their vertices.\n"
    "\n"
    "Examples:\n"
    "  graze mesh start.obj end.obj\n"
    "  graze mesh --first --json - 326.ply 327.ply\n"
    "  graze mesh --min-separation 1e-3 --pairs pairs.csv start.ply end.ply\n"
    "  graze mesh start.obj end.obj --svg step.svg\n"
    "  graze mesh --method safe-cubic --bound scene start.obj end.obj\n"
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

// The mesh as it is searched, and who its vertices were in the files.
struct WeldedMesh {
    io::MeshPair pair;
    std::optional<Weld> weld;  // none: as in the files

    [[nodiscard]] std::uint32_t in_file(std::uint32_t vertex) const {
        return weld ? weld->kept[vertex] : vertex;
    }
    // Faces and edges keep their numbers: vertices keep their order.
    [[nodiscard]] Impact in_file(Impact impact) const {
        if (impact.kind != QueryKind::EdgeEdge) impact.a = in_file(impact.a);
        if (impact.kind == QueryKind::VertexVertex) impact.b = in_file(impact.b);
        return impact;
    }
    // Values by vertex of the files.
    [[nodiscard]] std::vector<double> in_file(std::vector<double> values) const {
        if (!weld) return values;
        std::vector<double> all(weld->to_new.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = values[weld->to_new[i]];
        return all;
    }
};

WeldedMesh welded(const io::MeshPair& pair, bool is_wanted) {
    if (!is_wanted) return {pair, std::nullopt};
    const Weld places = weld(pair.start, pair.end);
    return {{places.positions(pair.start), places.positions(pair.end), places.renamed(pair.faces),
             places.renamed(pair.edges)},
            places};
}

// What a step gave, unless a signal cut it short.
template <class T>
Expected<T> unless_stopped(Expected<T> result) {
    if (stop_requested()) return stopped();
    return result;
}

// One mesh in one step.
class MeshRun {
public:
    MeshRun(const MeshRequest& request, WeldedMesh mesh, MeshTopology topology)
        : request_(request), mesh_(std::move(mesh)), stepper_(std::move(topology)) {
        options_.method = request.method;
        options_.query = request.choice.options;
        options_.bounds = request.bound.source;
        options_.declared = request.bound.declared();
        options_.threads = static_cast<int>(request.common.threads);
        options_.progress = [progress = std::make_shared<ShareProgress>(
                                 terminal_screen("searching pairs"))](double fraction) {
            progress->show(fraction);
            return true;
        };
        options_.stop = stop_token();
    }

    // With numbers of the files.
    [[nodiscard]] Expected<MeshOutcome> step();
    [[nodiscard]] Expected<std::string> bounds();
    // By vertex of the files: when the first of the impacts of the step may begin.
    [[nodiscard]] const std::vector<double>& times() const noexcept { return times_; }
    // Of --svg, with the numbers of the mesh as it is searched.
    [[nodiscard]] const std::string& svg() const noexcept { return svg_; }
    [[nodiscard]] const MeshTopology& mesh() const noexcept { return stepper_.topology(); }

private:
    [[nodiscard]] Expected<MeshOutcome> first_impact();
    [[nodiscard]] Expected<MeshOutcome> all_impacts();
    [[nodiscard]] double reach() const;
    [[nodiscard]] std::string drawn(const MeshOutcome& outcome) const;

    const MeshRequest& request_;
    WeldedMesh mesh_;
    MeshStepper stepper_;
    StepOptions options_;
    std::vector<double> times_;
    std::string svg_;
};

std::string MeshRun::drawn(const MeshOutcome& outcome) const {
    const auto title = [&](const std::string& path) {
        return std::filesystem::path(path).filename().string() + (mesh_.weld ? ", welded" : "");
    };
    return step_svg({mesh_.pair, mesh(), outcome, options_.query.t_max, title(request_.start),
                     title(request_.end)});
}

Expected<MeshOutcome> MeshRun::step() {
    auto outcome = request_.only_first ? first_impact() : all_impacts();
    if (!outcome) return outcome;
    if (!request_.contacts.empty()) times_ = mesh_.in_file(first_times(mesh(), outcome->impacts));
    if (!request_.svg.empty()) svg_ = drawn(*outcome);
    for (Impact& impact : outcome->impacts)
        impact = mesh_.in_file(impact);
    if (outcome->first) outcome->first = mesh_.in_file(*outcome->first);
    return outcome;
}

Expected<MeshOutcome> MeshRun::first_impact() {
    const io::MeshPair& pair = mesh_.pair;
    const auto first = unless_stopped(stepper_.first_impact(pair.start, pair.end, options_));
    if (!first) return first.error();
    MeshOutcome outcome;
    outcome.is_all = false;
    outcome.first = first->impact;
    outcome.toi_lower = first->toi_lower;
    outcome.work = first->work;
    outcome.bounds = first->bounds;
    if (first->impact) {
        outcome.impacts = {*first->impact};
        outcome.toi_upper = first->impact->result.toi_upper;
    }
    return outcome;
}

Expected<MeshOutcome> MeshRun::all_impacts() {
    const io::MeshPair& pair = mesh_.pair;
    auto all = unless_stopped(stepper_.all_impacts(pair.start, pair.end, options_));
    if (!all) return all.error();
    MeshOutcome outcome;
    outcome.work = all->work;
    outcome.bounds = all->bounds;
    outcome.impacts = std::move(all->impacts);
    if (all->first) outcome.first = outcome.impacts[*all->first];
    outcome.toi_lower = all->toi_lower;
    for (const Impact& impact : outcome.impacts)
        outcome.toi_upper = std::min(outcome.toi_upper, impact.result.toi_upper);
    return outcome;
}

// Wide enough for radii as large as the farthest way of a vertex.
double MeshRun::reach() const {
    if (request_.reach > 0.0) return request_.reach;
    double farthest = 0.0;
    const io::MeshPair& pair = mesh_.pair;
    for (std::size_t i = 0; i < pair.start.size(); ++i)
        farthest = std::max(farthest, norm(pair.end[i] - pair.start[i]));
    return 2.0 * (farthest + options_.query.min_separation);
}

Expected<std::string> MeshRun::bounds() {
    const double within = reach();
    if (!(within > 0.0) || !is_finite(within)) {
        return Error{"nothing moves, or too far: --per-vertex needs a --reach"};
    }
    const io::MeshPair& pair = mesh_.pair;
    const auto radii = unless_stopped(free_radii(stepper_, pair.start, within, options_));
    if (!radii) return radii.error();
    const auto free = unless_stopped(free_fractions(stepper_, pair.start, pair.end, options_));
    if (!free) return free.error();
    return bound_lines(mesh_.in_file(*radii), mesh_.in_file(free->fraction));
}

// What tolerances were made of. `grew`: the step did not keep to what was declared.
Json bounds_json(const std::string& choice, const StepBounds& used) {
    return {{"choice", choice},
            {"longest_edge", json_number(used.bounds.longest_edge)},
            {"relative_displacement", json_number(used.bounds.relative_displacement)},
            {"grew", used.grew}};
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
    if (outcome.bounds) json["bound"] = bounds_json(text_of(request.bound), *outcome.bounds);
    return json;
}

// How the start of the step is, as far as the impacts tell.
std::vector<std::string> start_warnings(const MeshRequest& request, const MeshOutcome& outcome) {
    if (outcome.toi_lower > 0.0) return {};
    const bool is_proved = outcome.toi_upper == 0.0;
    const bool has_separation = request.choice.options.min_separation > 0.0;
    return {fmt::format("{}: {} {} at the start: nothing of the step is free", request.start,
                        is_proved ? "parts are" : "parts may be",
                        has_separation ? "within the separation" : "touching or intersecting")};
}

std::vector<std::string> warnings_of(const MeshRequest& request, const MeshOutcome& outcome) {
    constexpr const char* kAdvice =
        " (equal at both ends: they touch unless --weld makes them one)";
    std::vector<std::string> warnings = defect_warnings(
        request.start, outcome.defects,
        {.repeated_vertices = !request.welds, .degenerate_faces = true, .duplicate_faces = true},
        kAdvice);
    if (outcome.bounds && outcome.bounds->grew) {
        warnings.push_back(fmt::format(
            "--bound {}: the step is larger, and was answered by its own bounds: {} and {}",
            text_of(request.bound), io::to_shortest(outcome.bounds->bounds.longest_edge),
            io::to_shortest(outcome.bounds->bounds.relative_displacement)));
    }
    for (std::string& warning : start_warnings(request, outcome))
        warnings.push_back(std::move(warning));
    return warnings;
}

// Everything is worked out before the first file appears.
Expected<void> write_files(MeshRun& run, const io::MeshPair& pair, const MeshOutcome& outcome,
                           MeshFiles& files, OutputBatch& batch, double t_max) {
    Expected<std::string> bounds = files.bounds ? run.bounds() : std::string();
    if (!bounds) return bounds.error();
    const std::string picture = files.contacts ? contact_picture(pair, run.times(), t_max) : "";
    const std::string pairs = files.pairs ? pair_lines(outcome.impacts) : "";
    if (auto added = batch.add(files.pairs, pairs); !added) return added;
    if (auto added = batch.add(files.bounds, *bounds); !added) return added;
    if (auto added = batch.add(files.svg, run.svg()); !added) return added;
    return batch.add(files.contacts, picture);
}

// Seconds since the last call, and since the first.
class Stopwatch {
public:
    double lap() {
        const Clock::time_point now = Clock::now();
        const std::chrono::duration<double> taken = now - std::exchange(last_, now);
        return taken.count();
    }
    [[nodiscard]] double total() const {
        return std::chrono::duration<double>(last_ - begin_).count();
    }

private:
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = begin_;
};

Expected<ExitCode> run_mesh(const MeshRequest& request) {
    Stopwatch watch;
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    MeshFiles files;
    if (auto created = create_files(request, files); !created) return created.error();
    auto pair = io::read_mesh_pair(request.start, request.end);
    if (!pair) return pair.error();
    const double seconds_read = watch.lap();
    const SurfaceDefects defects = find_defects(pair->start, pair->end, pair->faces);
    WeldedMesh mesh = welded(*pair, request.welds);
    auto topology = make_topology(mesh.pair.start.size(), mesh.pair.faces, mesh.pair.edges);
    if (!topology) return Error{request.start + ": " + topology.error().message};
    if (stop_requested()) return stopped();
    const double seconds_check = watch.lap();

    MeshRun run(request, std::move(mesh), std::move(*topology));
    Expected<MeshOutcome> outcome = run.step();
    if (!outcome) return outcome.error();
    outcome->defects = defects;
    outcome->welded = pair->start.size() - run.mesh().vertex_count;
    outcome->warnings = warnings_of(request, *outcome);
    outcome->seconds_read = seconds_read;
    outcome->seconds_check = seconds_check;
    watch.lap();
    const double t_max = request.choice.options.t_max;
    OutputBatch batch;
    if (auto written = write_files(run, *pair, *outcome, files, batch, t_max); !written) {
        return written.error();
    }
    outcome->seconds_output = watch.lap();
    outcome->seconds_total = watch.total();
    if (auto written = json->write(summary_json(request, run.mesh(), *outcome), batch); !written) {
        return written.error();
    }
    if (auto finished = batch.finish(); !finished) return finished.error();
    warn(outcome->warnings);
    const ExitCode code = exit_code_of(verdict_of(*outcome), request.exit_code);
    if (json->owns_stdout() || files.own_stdout()) return code;
    return succeeded(print_report(outcome_text(run.mesh(), *outcome)), code);
}

void check_request(MeshRequest& request) {
    for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge})
        request.method = chosen_method(request.choice, kind);
    check_bound(request.bound, request.method);
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
    sub->add_flag("--weld", request->welds,
                  "Take vertices that are equal at both ends for one, as exporters double them");
    add_method_options(*sub, request->choice);
    add_bound_option(*sub, request->bound);
    add_output_options(*sub, *request);
    add_exit_code_option(*sub, request->exit_code);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kMeshExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_mesh(*request); }};
}

}  // namespace graze::app
