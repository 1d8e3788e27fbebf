// What the narrow phase costs on what a broad phase hands to it (docs/performance.md).
//   0 success; 1 bad input, or proofs that contradict each other; 2 wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <utility>

#include "cli/app.hpp"
#include "cli/build_info.hpp"
#include "cli/options.hpp"
#include "graze/io/query_sets.hpp"
#include "graze/verify/methods.hpp"
#include "list_report.hpp"
#include "mesh_steps.hpp"

namespace graze::bench {
namespace {

using app::Json;

struct Request {
    bool help = false;
    std::vector<std::string> folders;
    std::vector<std::string> queries;
    std::vector<std::string> scenes;
    std::vector<std::string> method_names;
    std::optional<QueryKind> kind;
    std::uint64_t limit = 0;  // 0: none
    unsigned repeat = 3;
    PairOrder order = PairOrder::Spatial;
    bool check = false;
    bool tiers = false;
    std::string json;
    CcdOptions options;
    std::vector<Method> methods;  // filled once the command line is understood
    TickCost clock = tick_cost();
};

constexpr std::string_view kFooter =
    "FOLDER holds scenes, or is one: <scene>/frames/*.ply, two frames or more. Listed are all\n"
    "vertex-face and edge-edge pairs whose swept boxes overlap and that share no vertex.\n"
    "--queries DIR holds stored queries, as `graze bench --data` reads them; a list is then all\n"
    "queries of one group and kind, and the stored truths are compared as well.\n"
    "\n"
    "streamed: CPU time of one pass over the list, a query: corners are gathered from the mesh in\n"
    "blocks of 64 and go through run_batch(). The best pass counts. Shown apart, and part of it: "
    "the\n"
    "gathering alone, and the same with a method that does nothing, which adds what run_batch()\n"
    "checks.\n"
    "one by one: wall time of each call, on corners that are gathered already; each query's\n"
    "smallest over --repeat passes. The clock's own time, which is printed, is part of it.\n"
    "misses: answered separated; hits: contact or unresolved.\n"
    "--tiers: the queries that each tier of `certified` decides, and the times of their whole "
    "calls,\n"
    "what the tiers before took to pass them on included.\n"
    "a / b: how often the two gave the same verdict, and verdict/verdict where they differ.\n"
    "\n"
    "Examples:\n"
    "  broad_phase_pairs --methods certified --scene rod-twist ccd-queries/simulation\n"
    "  broad_phase_pairs --methods certified,tight-inclusion --limit 100000 --json pairs.json "
    "scenes\n"
    "  broad_phase_pairs --queries ccd-queries/handcrafted --methods certified\n"
    "  broad_phase_pairs --check --scene cloth-funnel ccd-queries/simulation\n";

// With a limit: runs of 64 neighbours, evenly spread, so that a part of a list costs about what all
// of it does. The runs do not overlap: they are size / runs >= 64 size / limit > 64 apart.
template <class T>
void keep_some(std::vector<T>& list, std::uint64_t limit) {
    if (limit == 0 || list.size() <= limit) return;
    const std::size_t length = std::min<std::uint64_t>(limit, 64);
    const std::size_t runs = limit / length;
    std::size_t kept = 0;
    for (std::size_t run = 0; run < runs; ++run) {
        // run <= size / 64, so that the product is below 2^64 for lists of up to 2^35.
        const std::size_t first = list.size() * run / runs;
        for (std::size_t i = first; i < first + length; ++i)
            list[kept++] = list[i];
    }
    list.resize(kept);
}

bool is_wanted(const Request& request, const std::string& scene) {
    return request.scenes.empty() ||
           std::find(request.scenes.begin(), request.scenes.end(), scene) != request.scenes.end();
}

bool is_wanted(const Request& request, QueryKind kind) {
    return !request.kind || *request.kind == kind;
}

template <class List>
void measure(const Request& request, const List& list, const std::vector<Verdict>& truths,
             ListReport& report) {
    report.asked = list.size();
    if (report.asked == 0) return;
    report.gathering = gathering_time(list, request.repeat);
    report.asking = asking_time(list, request.repeat);
    for (const Method& method : request.methods) {
        if (!supports(method, List::Motion::kKind)) continue;
        report.methods.push_back(method_timing(list, method, request.options, request.repeat));
    }
    if (request.tiers) report.tiers = tier_times(list, request.options, request.repeat);
    compare_methods(report, truths);
}

// Prints each list as soon as it is measured, and gathers the JSON.
class Output {
public:
    explicit Output(app::JsonOutput json) : json_(std::move(json)) {}

    Expected<void> text(const std::string& text) {
        if (json_.owns_stdout()) return {};
        return app::print(text);
    }
    Expected<void> add(const ListReport& report) {
        lists_.push_back(report_json(report));
        contradictions_ += contradictions(report);
        return text(report_text(report));
    }
    Expected<void> finish(const Request& request) {
        const Json all = {{"lists", lists_},
                          {"order", request.order == PairOrder::Sweep ? "sweep" : "spatial"},
                          {"repeat", request.repeat},
                          {"limit", request.limit},
                          {"clock_ns", request.clock.overhead_ns},
                          {"clock_step_ns", request.clock.step_ns},
                          {"tolerance", app::json_number(request.options.distance_tolerance)},
                          {"time_width", app::json_number(request.options.time_width)},
                          {"max_checks", request.options.max_checks},
                          {"histogram_bounds_ns", verify::time_bin_bounds()},
                          {"build", app::to_json(app::build_info())}};
        if (Expected<void> written = json_.write(all); !written) return written;
        if (lists_.elements().empty())
            return Error{"nothing to measure: no scene of that name, or no kind"};
        if (contradictions_ == 0) return {};
        return Error{fmt::format("proofs contradict each other in {} answers", contradictions_)};
    }

private:
    app::JsonOutput json_;
    Json lists_ = Json::array();
    std::uint64_t contradictions_ = 0;
};

template <class Motion>
std::vector<IndexPair> pairs_of(const io::MeshPair& frames, PairOrder order) {
    return Motion::kKind == QueryKind::VertexFace ? vertex_face_pairs(frames, order)
                                                  : edge_edge_pairs(frames, order);
}

template <class Motion>
Expected<void> check_pairs(const io::MeshPair& frames, std::vector<IndexPair> pairs) {
    const std::vector<IndexPair> all = Motion::kKind == QueryKind::VertexFace
                                           ? vertex_face_pairs_by_exhaustion(frames)
                                           : edge_edge_pairs_by_exhaustion(frames);
    std::sort(pairs.begin(), pairs.end());
    if (pairs == all) return {};
    return Error{fmt::format("the sweep lists {} {} pairs, and there are {}", pairs.size(),
                             long_name(Motion::kKind), all.size())};
}

template <class Motion>
Expected<void> add_pairs(const Request& request, const std::string& name,
                         const io::MeshPair& frames, Output& output) {
    if (!is_wanted(request, Motion::kKind)) return {};
    const auto start = std::chrono::steady_clock::now();
    std::vector<IndexPair> pairs = pairs_of<Motion>(frames, request.order);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (request.check) {
        if (auto checked = check_pairs<Motion>(frames, pairs); !checked) return checked;
    }
    ListReport report{.name = name,
                      .kind = Motion::kKind,
                      .available = pairs.size(),
                      .build_seconds = seconds.count()};
    keep_some(pairs, request.limit);
    measure(request, PairList<Motion>{frames, pairs}, {}, report);
    return output.add(report);
}

Expected<void> add_step(const Request& request, const MeshStep& step, Output& output) {
    auto frames = io::read_mesh_pair(step.start, step.end);
    if (!frames) return frames.error();
    frames->edges = unique_edges(frames->faces, frames->edges);
    const std::string name = fmt::format("{}/{}", step.scene, step.start.stem().string());
    const auto described =
        output.text(fmt::format("\n{}: {} vertices, {} edges, {} faces\n", app::printable(name),
                                frames->start.size(), frames->edges.size(), frames->faces.size()));
    if (!described) return described;
    if (auto added = add_pairs<VertexFaceMotion>(request, name, *frames, output); !added)
        return added;
    return add_pairs<EdgeEdgeMotion>(request, name, *frames, output);
}

Expected<void> add_scenes(const Request& request, Output& output) {
    for (const std::string& folder : request.folders) {
        const auto steps = find_mesh_steps(folder);
        if (!steps) return steps.error();
        for (const MeshStep& step : *steps) {
            if (!is_wanted(request, step.scene)) continue;
            if (auto added = add_step(request, step, output); !added) return added;
        }
    }
    return {};
}

// The motions of stored queries, with what their files say of them.
template <class Motion>
struct StoredQueries {
    std::vector<Motion> motions;
    std::vector<Verdict> truths;  // one a motion; empty where none has one

    void add(const io::QueryRecord& record, bool truth_applies) {
        motions.push_back(io::motion_of<Motion>(record));
        truths.push_back(!record.truth || !truth_applies ? Verdict::Unresolved
                         : *record.truth                 ? Verdict::Contact
                                                         : Verdict::Separated);
    }
};

template <class Motion>
Expected<void> read_set(const io::QuerySet& set, bool truth_applies,
                        StoredQueries<Motion>& stored) {
    const auto stream = io::open_queries(set.source);
    if (!stream) return stream.error();
    for (;;) {
        const auto record = (*stream)->next();
        if (!record) return record.error();
        if (!*record) return {};
        stored.add(**record, truth_applies);
    }
}

// All sets of the group that have this kind of query, as one list.
template <class Motion>
Expected<void> add_group(const Request& request, const std::string& group,
                         const std::vector<io::QuerySet>& sets, Output& output) {
    StoredQueries<Motion> stored;
    for (const io::QuerySet& set : sets) {
        if (set.group != group || set.source.kind != Motion::kKind) continue;
        if (!is_wanted(request, set.scene) || !is_wanted(request, Motion::kKind)) continue;
        // Files say whether the primitives touch.
        const bool applies = request.options.min_separation == 0.0;
        if (auto read = read_set(set, applies, stored); !read) return read;
    }
    if (stored.motions.empty()) return {};
    ListReport report{.name = group, .kind = Motion::kKind, .available = stored.motions.size()};
    keep_some(stored.motions, request.limit);
    keep_some(stored.truths, request.limit);
    if (counts_of(stored.truths).unresolved == stored.truths.size()) stored.truths.clear();
    measure(request, StoredList<Motion>{stored.motions}, stored.truths, report);
    return output.add(report);
}

Expected<void> add_query_folder(const Request& request, const std::string& folder, Output& output) {
    const auto sets = io::find_query_sets(folder);
    if (!sets) return sets.error();
    std::vector<std::string> groups;
    for (const io::QuerySet& set : *sets) {
        if (std::find(groups.begin(), groups.end(), set.group) == groups.end())
            groups.push_back(set.group);
    }
    for (const std::string& group : groups) {
        for (const auto add : {add_group<VertexFaceMotion>, add_group<EdgeEdgeMotion>,
                               add_group<VertexVertexMotion>, add_group<VertexEdgeMotion>}) {
            if (auto added = add(request, group, *sets, output); !added) return added;
        }
    }
    return {};
}

Expected<void> run(const Request& request) {
    Expected<app::JsonOutput> json = app::JsonOutput::open(request.json);
    if (!json) return json.error();
    Output output(std::move(*json));
    const app::BuildInfo build = app::build_info();
    const auto opened = output.text(fmt::format(
        "{}, {}; the clock of a query takes {} itself and goes by steps of {}\n",
        app::printable(build.cpu), build.compiler, verify::format_ns(request.clock.overhead_ns),
        verify::format_ns(request.clock.step_ns)));
    if (!opened) return opened;
    if (Expected<void> added = add_scenes(request, output); !added) return added;
    for (const std::string& folder : request.queries) {
        if (auto added = add_query_folder(request, folder, output); !added) return added;
    }
    return output.finish(request);
}

PairOrder parse_order(const std::string& text) {
    if (text == "spatial") return PairOrder::Spatial;
    if (text != "sweep") {
        app::fail_usage(fmt::format("--order: '{}' is neither spatial nor sweep", text));
    }
    return PairOrder::Sweep;
}

void add_inputs(app::App& app, Request& request) {
    app.add_option("FOLDER", request.folders, "Scenes with mesh frames")->type_name("");
    app.add_option("--queries", request.queries, "Folder with stored queries, may be repeated")
        ->one_value_each()
        ->type_name("DIR");
    app.add_option("--scene", request.scenes, "Only the scene of this name, may be repeated")
        ->one_value_each()
        ->type_name("NAME");
    app::add_kind_option(app, request.kind);
    app::add_natural_option(app, "--limit", request.limit,
                            "At most N queries of each list, evenly spread; 0: all");
    app.add_option_function(
           "--order", [&request](const std::string& text) { request.order = parse_order(text); },
           "Pairs by their place in space, or as a sweep along an axis finds them")
        ->type_name("spatial|sweep")
        ->default_str("spatial");
}

void add_options(app::App& app, Request& request) {
    add_inputs(app, request);
    app::add_methods_option(app, request.method_names, verify::all_methods());
    app::add_natural_option(app, "--repeat", request.repeat, "Passes of each sort", {1, 1000});
    app::add_effort_options(app, request.options);
    app::add_separation_options(app, request.options);
    app.add_flag("--check", request.check,
                 "Compare the pairs with those of a search through all, which is slow");
    app.add_flag("--tiers", request.tiers,
                 "How many queries each tier of certified decides, in what time");
    app.add_option("--json", request.json, "Write the results as JSON, to stdout for -")
        ->type_name("FILE|-");
    app.add_flag("-h,--help", request.help, "Print help with examples");
    app.footer(std::string(kFooter));
    app.callback([&request] {
        if (request.help) return;
        if (request.folders.empty() && request.queries.empty())
            app::fail_usage("name a FOLDER or --queries DIR");
        app::check_options(request.options);
        request.methods = app::choose_methods(verify::all_methods(), request.method_names,
                                              request.options, app::OracleUse::WhereNamed)
                              .methods;
    });
}

int report_error(const std::string& message, int exit_code) {
    fmt::print(stderr, "broad_phase_pairs: error: {}\n", app::printable(message));
    return exit_code;
}

int run_command_line(int argc, char** argv) {
    app::App app("Times narrow-phase methods on broad-phase pairs.", "broad_phase_pairs");
    Request request;
    add_options(app, request);
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    try {
        app.parse(words);
    } catch (const app::UsageError& error) {
        return report_error(error.what(), 2);
    }
    if (request.help) return app::print(app.help({})) ? 0 : 1;
    const Expected<void> outcome = run(request);
    return outcome ? 0 : report_error(outcome.error().message, 1);
}

// The edge of the process: nothing that standard library or parser throws gets past it.
int guarded_main(int argc, char** argv) {
    try {
        return run_command_line(argc, argv);
    } catch (const std::bad_alloc&) {
        return report_error("out of memory", 1);
    } catch (const std::exception& error) {
        return report_error(error.what(), 1);
    }
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    return graze::bench::guarded_main(argc, argv);
}
