// `graze mesh`: what touches in one step of a whole mesh, or in each step of a sequence, and when first.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/places.hpp"
#include "cli/progress.hpp"
#include "cluster/block_run.hpp"
#include "commands/commands.hpp"
#include "graze/verify/methods.hpp"
#include "graze/verify/parallel.hpp"
#include "mesh_pictures.hpp"
#include "mesh_report.hpp"
#include "mesh_run.hpp"
#include "mesh_sequence.hpp"

namespace graze::app {
using namespace verify;
namespace {

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
    "Of more than two frames, of a folder and of a pattern each frame is stepped to the next, in "
    "the\n"
    "order given or that of their names (numbers in them by value): one line for each step, then "
    "a\n"
    "summary. --json has the steps as a list. With --resume a sequence that was interrupted goes "
    "on\n"
    "where it was: frames that have changed since, and those after them, are stepped again.\n"
    "\n"
    "Examples:\n"
    "  graze mesh start.obj end.obj\n"
    "  graze mesh --first --json - 326.ply 327.ply\n"
    "  graze mesh --min-separation 1e-3 --pairs pairs.csv start.ply end.ply\n"
    "  graze mesh start.obj end.obj --svg step.svg\n"
    "  graze mesh --method safe-cubic --bound scene start.obj end.obj\n"
    "  graze mesh frames --json steps.json --resume\n"
    "  graze mesh 'out/cloth_*.obj.gz' --record cloth.gzr\n"
    "  graze mesh --contacts where.ply --per-vertex bounds.csv start.stl end.stl\n";

// The tables and the picture that were asked for, each created before the work starts.
struct MeshFiles {
    std::optional<OutputFile> pairs;
    std::optional<OutputFile> bounds;
    std::optional<OutputFile> contacts;
    std::optional<OutputFile> svg;
    std::optional<OutputFile> html;

    [[nodiscard]] bool own_stdout() const noexcept {
        return owns_stdout(pairs) || owns_stdout(bounds) || owns_stdout(contacts) ||
               owns_stdout(svg) || owns_stdout(html);
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
    auto page = create_page_file(request.html);
    if (!page) return page.error();
    if (*page) files.html.emplace(std::move(**page));
    return create(request.contacts, "", files.contacts);
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
    if (files.html) {
        if (auto added = add_page(batch, files.html, "graze mesh", {*run.view()}); !added)
            return added;
    }
    return batch.add(files.contacts, picture);
}

Expected<ExitCode> run_mesh_step(const MeshRequest& request) {
    StepWatch watch;
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    MeshFiles files;
    if (auto created = create_files(request, files); !created) return created.error();
    const auto progress = std::make_shared<ShareProgress>(terminal_screen("searching pairs"));
    auto step = search_step(
        request, [progress](double fraction) { progress->show(fraction); }, watch);
    if (!step) return step.error();
    MeshRun& run = *step->run;
    MeshOutcome& outcome = step->outcome;
    const double t_max = request.choice.options.t_max;
    OutputBatch batch;
    if (auto written = write_files(run, step->pair, outcome, files, batch, t_max); !written) {
        return written.error();
    }
    if (request.recording) {
        if (auto finished = request.recording->finish(); !finished) return finished.error();
    }
    outcome.seconds_output = watch.lap();
    outcome.seconds_total = watch.total();
    if (auto written = json->write(summary_json(request, run.mesh(), outcome), batch); !written) {
        return written.error();
    }
    if (auto finished = batch.finish(); !finished) return finished.error();
    warn(outcome.warnings);
    const ExitCode code = exit_code_of(verdict_of(outcome), request.exit_code);
    if (json->owns_stdout() || files.own_stdout()) return code;
    return succeeded(print_report(outcome_text(run.mesh(), outcome)), code);
}

Expected<ExitCode> run_mesh(const MeshRequest& request) {
    // One step is one block, and a recording is written step by step.
    if (session() != nullptr && !request.record.empty())
        return Error{"--record is written by one process: run it without mpirun"};
    if (is_worker() && !is_sequence(request)) return left_to_rank_0();
    return is_sequence(request) ? run_mesh_sequence(request) : run_mesh_step(request);
}

// Wrong use: what is of one step, asked of several; and the other way round.
void check_sequence(const MeshRequest& request) {
    if (!is_sequence(request)) {
        if (request.end.empty())
            fail_usage("END is required, unless START is a folder or a pattern of frames");
        if (request.resumes) fail_usage("--resume is for more than two frames");
        return;
    }
    const std::array<NamedOutput, 5> of_one_step = {{{"--pairs", request.pairs},
                                                     {"--per-vertex", request.bounds},
                                                     {"--contacts", request.contacts},
                                                     {"--svg", request.svg},
                                                     {"--html", request.html}}};
    for (const NamedOutput& output : of_one_step) {
        if (!output.path.empty()) fail_usage(output.option + " is of one step: name two meshes");
    }
    if (request.resumes && !request.record.empty())
        fail_usage("--resume takes steps from its journal, which --record needs anew: name one");
    const std::string& json = request.common.json;
    if (request.resumes && (json.empty() || output_place_of(json).kind != PlaceKind::File))
        fail_usage("--resume keeps its journal beside the file of --json: name one");
}

void check_request(MeshRequest& request) {
    check_sequence(request);
    for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge})
        request.method = chosen_method(request.choice, kind);
    check_bound(request.bound, request.method);
    if (!request.record.empty()) {
        if (request.welds)
            fail_usage("--weld may change the mesh from step to step: not with --record");
        request.recording = std::make_shared<MeshRecording>(request.record);
    }
    check_places({{"--pairs", request.pairs},
                  {"--per-vertex", request.bounds},
                  {"--contacts", request.contacts},
                  {"--svg", request.svg},
                  {"--record", request.record},
                  {"--html", request.html},
                  {"--json", request.common.json},
                  {"--resume", request.resumes ? journal_of(request) : ""}},
                 frames_named(request));
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
    add_html_option(app, request.html);
    app.add_option("--record", request.record,
                   "Record every step with its answer, for `graze replay` and `graze view`")
        ->type_name("FILE.gzr");
}

}  // namespace

Command add_mesh_command(App& app) {
    App* sub = app.add_command("mesh", "Find what touches in one step of a whole mesh, and when");
    const auto request = std::make_shared<MeshRequest>();
    sub->add_option(
           "START", request->start,
           "Mesh at the start of the step: OBJ, PLY or STL; or, alone, a folder or a quoted "
           "pattern ('frames/*.ply') of frames")
        ->required()
        ->type_name("");
    sub->add_option("END", request->end, "The same mesh at its end")->type_name("");
    sub->add_option("FRAME", request->more, "Further frames: one step from each to the next")
        ->type_name("");
    sub->add_flag("--first", request->only_first,
                  "Look only for the first impact, which is faster");
    sub->add_flag("--weld", request->welds,
                  "Take vertices that are equal at both ends for one, as exporters double them");
    add_method_options(*sub, request->choice);
    add_bound_option(*sub, request->bound);
    add_device_option(*sub, request->device);
    add_output_options(*sub, *request);
    sub->add_flag(
        "--resume", request->resumes,
        "Of a sequence: keep finished steps in FILE.journal beside the file of --json, and "
        "go on after those that it has");
    add_exit_code_option(*sub, request->exit_code);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kMeshExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_mesh(*request); }, true};
}

}  // namespace graze::app
