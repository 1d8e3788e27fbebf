// `graze sim`: elastic bodies, cloth and strands, with the detection that keeps them separated.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/strict_json.hpp"
#include "commands/commands.hpp"
#include "graze/io/byte_reader.hpp"
#include "graze/sim/runner.hpp"
#include "graze/sim/scene.hpp"
#include "graze/verify/methods.hpp"
#include "graze/verify/parallel.hpp"
#include "nlohmann/json.hpp"
#include "sim_recording.hpp"

namespace graze::app {
namespace {

constexpr std::string_view kSimExamples =
    "SCENE is a JSON file (docs/sim.md) or the name of a built-in scene; --list prints these.\n"
    "A frame is written when it is whole; --resume continues after the last one before which\n"
    "all are there, to the same bits as a run that was never ended.\n"
    "\n"
    "Examples:\n"
    "  graze sim torus-on-cone --out frames --check\n"
    "  graze sim scene.json --frames 100 --out frames --resume\n"
    "  graze sim figure-on-plane --method tight-inclusion --tolerance 1e-3 --json -\n"
    "  graze sim stack --queries queries --frames 12\n"
    "  graze sim ball-in-cloth --record run.gzr --html run.html\n";

struct SimRequest {
    std::string scene;
    bool list = false;
    std::string out;
    std::string format = "obj";
    std::string queries;
    std::string record;
    std::string html;
    std::string method;
    std::string response;
    std::string line_search;
    std::optional<double> tolerance;
    std::optional<double> resolution;
    int frames = -1;  // as the scene says
    bool check = false;
    bool resume = false;
    bool pictures = false;
    bool no_fail_safe = false;
    CommonOptions common{.json = "", .threads = 0};
};

Expected<std::string> text_of_file(const std::string& path) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 26;
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    std::string text;
    for (int byte = reader->get(); byte != io::ByteReader::kEnd; byte = reader->get()) {
        text.push_back(static_cast<char>(byte));
        if (text.size() > kMostBytes) return reader->error("is too long for a scene");
    }
    if (reader->failure()) return *reader->failure();
    return text;
}

bool is_built_in(const std::string& name) {
    for (const sim::NamedScene& scene : sim::all_scenes())
        if (scene.name == name) return true;
    return false;
}

// The scene as JSON, with what the command line changes: one path for files and built-in scenes.
Expected<nlohmann::json> scene_json(const SimRequest& request) {
    nlohmann::json json = nlohmann::json::object();
    if (is_built_in(request.scene)) {
        json["scene"] = request.scene;
    } else {
        if (request.scene.find_first_of("./") == std::string::npos) {
            // Neither a name that there is nor anything like a file.
            if (auto found = sim::make_scene(request.scene); !found) return found.error();
        }
        const auto text = text_of_file(request.scene);
        if (!text) return text.error();
        auto parsed = parse_strictly(*text);
        if (!parsed) return Error{request.scene + ": " + parsed.error().message};
        json = std::move(*parsed);
    }
    if (!json.is_object()) return Error{request.scene + ": the file is not an object"};
    const auto set = [&](const char* member, const nlohmann::json& value) {
        if (!json.contains("contact")) json["contact"] = nlohmann::json::object();
        if (json["contact"].is_object()) json["contact"][member] = value;
    };
    if (!request.method.empty()) set("method", request.method);
    if (request.tolerance) set("tolerance", *request.tolerance);
    if (!request.response.empty()) set("response", request.response);
    if (!request.line_search.empty()) set("line_search", request.line_search);
    if (request.no_fail_safe) set("fail_safe", false);
    if (request.resolution) json["resolution"] = *request.resolution;
    return json;
}

Expected<sim::Model> model_of(const SimRequest& request) {
    const auto json = scene_json(request);
    if (!json) return json.error();
    const auto folder = std::filesystem::path(request.scene).parent_path();
    auto model = sim::scene_from_json(json->dump(), folder);
    if (!model) return Error{request.scene + ": " + model.error().message, model.error().code};
    return model;
}

Json stats_json(const sim::FrameStats& s, bool is_checked) {
    return {{"frame", s.frame},
            {"steps", s.steps},
            {"iterations", s.iterations},
            {"tested", s.tested},
            {"positive", s.positive},
            {"contacts", s.contacts},
            {"fail_safes", s.fail_safes},
            {"stuck", s.stuck > 0},
            {"unfinished", s.unfinished},
            {"inverted", s.inverted},
            {"intersections", is_checked ? Json(s.intersections) : Json(nullptr)},
            {"crossings", is_checked ? Json(s.crossings) : Json(nullptr)},
            {"least_distance", json_number(s.least_distance)},
            {"kinetic_energy", json_number(s.kinetic_energy)},
            {"seconds", s.seconds},
            {"seconds_detection", s.seconds_detection}};
}

// Also what an earlier run left, which this one continues.
bool is_all_checked(const sim::Model& model, const sim::RunReport& report) {
    return report.total.checked ==
           report.end.frame * static_cast<std::uint64_t>(model.solver.steps_per_frame);
}

Json report_json(const SimRequest& request, const sim::Model& model, const sim::RunReport& report,
                 std::uint64_t intersections) {
    const sim::FrameStats& total = report.total;
    const bool has_crossings = is_all_checked(model, report) || total.crossings > 0;
    Json frames = Json::array();
    for (const sim::FrameStats& frame : report.frames)
        frames.push_back(stats_json(frame, frame.checked == frame.steps));
    Json json = {{"scene", request.scene},
                 {"name", model.name},
                 {"method", model.contact.method},
                 {"frames", report.end.frame},
                 {"intersections", intersections},
                 {"crossings", has_crossings ? Json(total.crossings) : Json(nullptr)},
                 {"stuck", total.stuck > 0},
                 {"stuck_steps", total.stuck},
                 {"unfinished", total.unfinished},
                 {"inverted", total.inverted},
                 {"contacts", total.contacts},
                 {"iterations", total.iterations},
                 {"seconds", total.seconds},
                 {"seconds_detection", total.seconds_detection},
                 {"tested", total.tested},
                 {"positive", total.positive},
                 {"fail_safes", total.fail_safes},
                 {"checked", is_all_checked(model, report)},
                 {"resumed_at", report.resumed_at},
                 {"vertices", model.rest.size()},
                 {"tetrahedra", model.tetrahedra.size()},
                 {"faces", model.surface.faces.size()},
                 {"dt", model.solver.dt},
                 {"tolerance", model.contact.tolerance},
                 {"threads", verify::threads_used(request.common.threads)}};
    json["per_frame"] = std::move(frames);
    json["build"] = to_json(build_info());
    return json;
}

std::string report_text(const sim::Model& model, const sim::RunReport& report,
                        std::uint64_t intersections) {
    const sim::FrameStats& total = report.total;
    // Some step, by this run or by the one that it continues.
    const bool is_checked = total.checked > 0;
    std::string text = fmt::format("{}: {} frames, {} vertices, {} tetrahedra, {} faces\n",
                                   model.name, report.end.frame, model.rest.size(),
                                   model.tetrahedra.size(), model.surface.faces.size());
    if (report.resumed_at > 0) text += fmt::format("resumed after frame {}\n", report.resumed_at);
    text += fmt::format("{} iterations, {} pairs tested, {} positive, up to {} in contact\n",
                        total.iterations, total.tested, total.positive, total.contacts);
    std::string tested = "last frame, exact";
    if (is_checked) tested = "every accepted motion, exact";
    if (is_checked && !is_all_checked(model, report))
        tested = fmt::format(
            "exact, of {} steps and the last frame: the others were made without --check",
            total.checked);
    text += fmt::format(
        "intersections: {}{} ({})\n", intersections,
        is_checked ? fmt::format(", crossings: {}", total.crossings) : std::string(), tested);
    if (total.stuck > 0) text += fmt::format("stuck in {} steps\n", total.stuck);
    if (total.unfinished > 0) {
        text += fmt::format("{} steps ended before they converged\n", total.unfinished);
    }
    if (total.inverted > 0)
        text += fmt::format("up to {} tetrahedra are inside out\n", total.inverted);
    const double fraction = total.seconds > 0.0 ? total.seconds_detection / total.seconds : 0.0;
    text += fmt::format("{:.2f} s, {:.0f} % of it detection\n", total.seconds, 100.0 * fraction);
    return text;
}

std::string scene_list() {
    std::string text;
    for (const sim::NamedScene& scene : sim::all_scenes())
        text += fmt::format("{:<24}{}\n", scene.name, scene.summary);
    return text;
}

Expected<ExitCode> run_sim(const SimRequest& request) {
    if (request.list) return succeeded(print_report(scene_list()));
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const auto model = model_of(request);
    if (!model) return model.error();
    sim::RunOptions options;
    options.frames =
        static_cast<std::uint64_t>(request.frames >= 0 ? request.frames : model->frames);
    options.out = request.out;
    options.format = request.format == "ply" ? sim::FrameFormat::Ply : sim::FrameFormat::Obj;
    options.check = request.check;
    options.resume = request.resume;
    options.pictures = request.pictures;
    options.queries = request.queries;
    options.threads = request.common.threads;
    options.stop = stop_token();
    Progress progress(ProgressTotal{options.frames}, terminal_screen("simulating"));
    options.on_frame = [&](const sim::FrameStats&) { progress.advance(1); };
    auto page = create_page_file(request.html);
    if (!page) return page.error();
    auto recording = SimRecording::create(*model, request.record, page->has_value());
    if (!recording) return recording.error();
    (*recording)->listen(options);
    const auto report = sim::run(*model, options);
    progress.hide();
    if (stop_requested()) return stopped();
    if (!report) return Error{request.scene + ": " + report.error().message, report.error().code};
    const auto last = sim::intersections_at(*model, report->end.x, request.common.threads);
    if (!last) return last.error();
    // Not all steps may have been checked; the last state always is.
    const std::uint64_t intersections = std::max(report->total.intersections, *last);
    if (auto finished = (*recording)->finish(); !finished) return finished.error();
    OutputBatch batch;
    if (auto added = add_page(batch, *page, "graze sim", (*recording)->views()); !added)
        return added.error();
    if (auto written = json->write(report_json(request, *model, *report, intersections), batch);
        !written) {
        return written.error();
    }
    if (auto finished = batch.finish(); !finished) return finished.error();
    if (json->owns_stdout() || owns_stdout(*page)) return ExitCode::Success;
    return succeeded(print_report(report_text(*model, *report, intersections)));
}

void check_sim_request(const SimRequest& request) {
    if (request.scene.empty() && !request.list) fail_usage("SCENE is required");
    if (request.format != "obj" && request.format != "ply") {
        fail_usage("--format must be obj or ply");
    }
    if (request.out.empty() && (request.resume || request.pictures)) {
        fail_usage(std::string(request.resume ? "--resume" : "--pictures") + " needs --out");
    }
    if (!request.method.empty() && verify::all_methods().find(request.method) == nullptr) {
        fail_usage("--method: there is no method '" + request.method + "', but " +
                   verify::all_methods().names());
    }
    if (request.tolerance && !(*request.tolerance > 0.0 && is_finite(*request.tolerance))) {
        fail_usage("--tolerance must be finite and > 0");
    }
    check_places(
        {{"--record", request.record}, {"--html", request.html}, {"--json", request.common.json}},
        {request.scene});
    if (request.resolution && !(*request.resolution > 0.0 && is_finite(*request.resolution))) {
        fail_usage("--scale must be finite and > 0");
    }
}

}  // namespace

Command add_sim_command(App& app) {
    App* sub = app.add_command("sim", "Simulate elastic bodies, cloth and strands in contact");
    const auto request = std::make_shared<SimRequest>();
    sub->add_option("SCENE", request->scene, "A scene: JSON, or the name of a built-in one")
        ->type_name("");
    sub->add_flag("--list", request->list, "List the built-in scenes");
    sub->add_option("--out", request->out, "Folder of the frames: frame_000000.obj and so on")
        ->type_name("DIR");
    add_integer_option(*sub, "--frames", request->frames,
                       "Frames after the start; -1: as many as the scene is meant for", -1,
                       1'000'000'000);
    sub->add_option("--format", request->format, "Of the frames: obj or ply")->type_name("F");
    sub->add_option("--method", request->method, "Method of the continuous detection")
        ->type_name("M");
    add_optional_number_option(*sub, "--tolerance", request->tolerance,
                               "Distance tolerance of methods that have one");
    sub->add_option("--response", request->response, "barrier, sqp or impulses; as the scene says")
        ->type_name("R");
    sub->add_option("--line-search", request->line_search,
                    "Of the barrier: graze, algorithm-4, plain or zero; as the scene says")
        ->type_name("L");
    sub->add_flag("--no-fail-safe", request->no_fail_safe,
                  "Take steps of the sqp response as they are, as published");
    add_optional_number_option(*sub, "--scale", request->resolution,
                               "Factor of the number of elements along each edge");
    sub->add_flag("--check", request->check,
                  "Test every accepted motion and state exactly, and count");
    sub->add_flag("--resume", request->resume,
                  "Continue after the last frame in --out before which all are whole");
    sub->add_flag("--pictures", request->pictures, "Also write PNG pictures and a page to --out");
    sub->add_option("--queries", request->queries,
                    "Folder of query files: each step's candidate pairs with exact ground truth")
        ->type_name("DIR");
    sub->add_option("--record", request->record,
                    "Record every accepted motion with the exact answer to it, and every frame")
        ->type_name("FILE.gzr");
    add_html_option(*sub, request->html);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kSimExamples));
    sub->callback([request] { check_sim_request(*request); });
    return {sub, [request] { return run_sim(*request); }};
}

}  // namespace graze::app
