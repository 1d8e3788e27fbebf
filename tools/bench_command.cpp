// `graze bench`: all methods side by side, on the embedded queries or on data folders.
#include <fmt/format.h>

#include <filesystem>

#include "bench_html.hpp"
#include "bench_report.hpp"
#include "commands.hpp"
#include "graze/dataset/hex_float.hpp"
#include "interrupt.hpp"
#include "methods.hpp"

namespace graze::tools {
namespace {

struct BenchRequest {
    std::vector<std::string> method_names;
    std::vector<std::string> data;
    BenchOptions options;
    std::string csv;
    std::string html;
    // Seconds a method, group and kind as typed; the default depends on the data.
    std::optional<double> budget_s;
    CommonOptions common;
    MethodChoice choice;  // filled once the command line is understood
};

// So that the embedded sets with every method stay well below two minutes: some 200 combinations
// of method, group and kind, of which a quarter are slow enough to spend it.
constexpr double kEmbeddedBudget = 1.0;
constexpr double kDataBudget = 10.0;

constexpr std::string_view kExamples =
    "Without --methods: every method, `oracle` included on the embedded sets but not with --data,\n"
    "where it takes long. Unresolved counts as contact in FP and FN and has its own column.\n"
    "hits: contacts by the stored truth; toi!: times on the wrong side of the exact first time,\n"
    "where that is stored; checks: mean work a query, in the method's own unit; -: not known;\n"
    "over: share of the queries that spent --max-checks and are not separated; max tol: the\n"
    "largest tolerance that an answer ended with. Times of positive answers (contact, unresolved)\n"
    "and of negative ones (separated) are also given apart; the JSON has their histograms.\n"
    "heap: the most that operator new gave to one query; lag, lead: how far toi_lower is behind\n"
    "and toi_upper ahead of the exact first time, late: how far toi_lower is past it.\n"
    "every: a method that would not get through a group within --budget is asked every 2nd, 4th,\n"
    "8th, ... of its queries, as many as fit; 64*: an interrupt (Ctrl-C) came before. What was\n"
    "measured until then is written, marked as incomplete.\n"
    "With --min-separation the stored truths, which are about touching, are not compared, and a\n"
    "method that does not honour it in that norm is left out, and may not be named.\n"
    "\n"
    "Examples:\n"
    "  graze bench\n"
    "  graze bench --quick --methods box-separation,oracle --json bench.json\n"
    "  graze bench --data ccd-queries --repeat 3 --csv bench.csv --raw answers\n"
    "  graze bench --min-separation 1e-3 --norm max --html separation.html\n";

// One name a folder, by whatever path it was named.
std::vector<std::string> resolved(const std::vector<std::string>& folders) {
    std::vector<std::string> paths;
    for (const std::string& folder : folders) {
        std::error_code error;
        const std::filesystem::path path = std::filesystem::canonical(folder, error);
        paths.push_back(error ? folder : path.string());
    }
    return paths;
}

MethodChoice methods_of(const BenchRequest& request) {
    return choose_methods(tool_methods(), request.method_names, request.options.query,
                          request.data.empty() ? OracleUse::Always : OracleUse::WhereNamed);
}

Expected<std::vector<QueryInput>> inputs_of(const std::vector<std::string>& folders) {
    std::vector<QueryInput> inputs;
    for (const dataset::EmbeddedSet& set : dataset::embedded_sets()) {
        if (folders.empty()) inputs.push_back(input_from(set));
    }
    for (const std::string& folder : folders) {
        const auto found = inputs_in_folder(folder, std::nullopt);
        if (!found) return found.error();
        inputs.insert(inputs.end(), found->begin(), found->end());
    }
    if (inputs.empty()) return Error{"this program holds no embedded queries: name a --data DIR"};
    return inputs;
}

std::string sampling_text(const BenchOptions& options) {
    if (options.stride > 0) return fmt::format("every {}th query of each group\n", options.stride);
    if (options.ask.budget_s == 0.0) return "";
    return fmt::format("at most about {:g} s a method, group and kind: 'every' says which share\n",
                       options.ask.budget_s);
}

std::string opening_text(const BenchRequest& request) {
    std::string text =
        fmt::format("clock overhead {} (included in every time)\n", format_ns(clock_overhead_ns()));
    if (request.options.ask.repeat > 1) {
        text += fmt::format("each query asked {} times, its smallest time counts\n",
                            request.options.ask.repeat);
    }
    text += sampling_text(request.options);
    if (request.options.query.min_separation > 0.0) {
        text +=
            fmt::format("contact is distance <= {} in the {} norm: stored truths do not apply\n",
                        request.options.query.min_separation, name(request.options.query.norm));
    }
    text += left_out_text(request.choice, request.options.query);
    if (request.options.quick) {
        text += fmt::format("quick: the first {} queries of each set, then every {}th\n",
                            kQuickHead, kQuickStride);
    }
    return text;
}

Json report_json(const BenchRequest& request, const BenchRun& run) {
    const CcdOptions& query = request.options.query;
    return {{"rows", rows_json(run.rows())},
            {"methods", hashes_json(run.hashes())},
            {"quick", request.options.quick},
            {"complete", run.is_complete()},
            {"budget_s", json_number(request.options.ask.budget_s)},
            {"stride", request.options.stride},
            {"repeat", request.options.ask.repeat},
            {"threads", threads_used(request.options.threads)},
            {"clock_ns", json_number(clock_overhead_ns())},
            {"min_separation", json_number(query.min_separation)},
            {"norm", name(query.norm)},
            {"tolerance", json_number(query.distance_tolerance)},
            {"max_checks", query.max_checks},
            {"left_out", request.choice.left_out},
            {"histogram_bounds_ns", time_bin_bounds()},
            {"build", to_json(build_info())}};
}

Expected<void> write_and_finish(std::optional<OutputFile>& file, const std::string& text) {
    if (!file) return {};
    if (Expected<void> written = file->write(text); !written) return written;
    return file->finish();
}

// The answers of --raw are CSV; this says beside them who made them.
Expected<void> write_raw_build(const BenchRequest& request, const BenchRun& run) {
    if (request.options.raw.empty()) return {};
    Expected<JsonOutput> file = JsonOutput::open(request.options.raw + "/build.json");
    if (!file) return file.error();
    return file->write(report_json(request, run));
}

// How many answers there will be; nobody has counted what a quick sample or a stride leaves. With
// a budget nobody can tell, and progress counts pairs of a method and a group.
std::optional<ProgressTotal> total_answers(const BenchRequest& request,
                                           const std::vector<QueryInput>& inputs,
                                           const BenchRun& run) {
    if (request.options.ask.budget_s > 0.0) {
        ProgressTotal total;
        for (const QueryGroup& group : groups_of(inputs))
            total.count += run.methods_for(group.kind);
        return total;
    }
    if (request.options.quick || request.options.stride > 1) return std::nullopt;
    return total_for_progress(
        inputs, [&run](const QueryInput& input) { return run.answers_a_query(input.kind); });
}

Expected<void> run_sets(const BenchRequest& request, const std::vector<QueryInput>& inputs,
                        BenchRun& run) {
    Progress progress(total_answers(request, inputs, run));
    for (const QueryGroup& group : groups_of(inputs)) {
        if (Expected<void> added = run.add_group(group, progress); !added) return added;
    }
    if (run.queries() > 0) return {};
    if (stop_requested()) return stopped();
    return Error{"no query was asked: there is none of a kind that these methods have"};
}

// What differs from the defaults, as it is typed.
std::string options_of(const CcdOptions& options) {
    const CcdOptions defaults;
    std::string text;
    const auto add = [&text](std::string_view option, double value, double default_value) {
        if (value != default_value)
            text += fmt::format(" {} {}", option, dataset::to_shortest(value));
    };
    add("--min-separation", options.min_separation, defaults.min_separation);
    if (options.norm != defaults.norm) text += fmt::format(" --norm {}", name(options.norm));
    add("--tolerance", options.distance_tolerance, defaults.distance_tolerance);
    add("--time-width", options.time_width, defaults.time_width);
    if (options.max_checks != defaults.max_checks)
        text += fmt::format(" --max-checks {}", options.max_checks);
    return text;
}

// What a reader types to get the same table.
std::string command_of(const BenchRequest& request) {
    std::string command = "graze bench --methods ";
    for (const Method& method : request.choice.methods) {
        command += method.name;
        command += &method == &request.choice.methods.back() ? "" : ",";
    }
    for (const std::string& folder : request.data)
        command += " --data " + folder;
    if (request.options.quick) command += " --quick";
    command += options_of(request.options.query);
    if (request.options.ask.repeat > 1)
        command += fmt::format(" --repeat {}", request.options.ask.repeat);
    if (request.options.stride > 0) command += fmt::format(" --stride {}", request.options.stride);
    if (request.budget_s) command += fmt::format(" --budget {:g}", *request.budget_s);
    return command;
}

Expected<void> run_bench(const BenchRequest& request) {
    const auto inputs = inputs_of(request.data);
    if (!inputs) return inputs.error();
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    auto csv = create_if_named(request.csv, "");
    if (!csv) return csv.error();
    auto html = create_if_named(request.html, "");
    if (!html) return html.error();
    BenchRun run(request.choice.methods, request.options);
    if (Expected<void> unique = run.check_raw_names(*inputs); !unique) return unique;
    if (Expected<void> done = run_sets(request, *inputs, run); !done) return done;
    const std::string table = table_csv(run.rows(), build_info());
    if (auto written = write_and_finish(*csv, table); !written) return written;
    const std::string page = page_html(run, command_of(request), build_info());
    if (auto written = write_and_finish(*html, page); !written) return written;
    if (Expected<void> written = write_raw_build(request, run); !written) return written;
    if (auto written = json->write(report_json(request, run)); !written) return written;
    if (json->owns_stdout() || owns_stdout(*csv) || owns_stdout(*html)) return {};
    return print(opening_text(request) + table_text(run.rows()) + worst_text(run.rows()) +
                 times_text(run.rows()) + hash_text(run.hashes()) +
                 (run.is_complete() ? "" : "\nINTERRUPTED: what is missing was not measured\n"));
}

void check_request(BenchRequest& request) {
    check_options(request.options.query);
    request.options.threads = request.common.threads;
    if (request.budget_s && !(*request.budget_s >= 0.0)) fail_usage("--budget: must be >= 0");
    if (request.budget_s && request.options.stride > 0)
        fail_usage("--budget and --stride: only one of them can choose the sample");
    if (request.options.stride == 0) {
        request.options.ask.budget_s =
            request.budget_s.value_or(request.data.empty() ? kEmbeddedBudget : kDataBudget);
    }
    request.choice = methods_of(request);
    check_unique("--data", resolved(request.data));
    check_places(
        {{"--csv", request.csv}, {"--html", request.html}, {"--json", request.common.json}}, {});
}

void add_budget_option(CLI::App& app, std::optional<double>& budget_s) {
    app.add_option("--budget", budget_s,
                   "Wall seconds a method, group and kind; 0: no limit (default 1, with --data 10)")
        ->type_name("SECONDS");
}

}  // namespace

Command add_bench_command(CLI::App& app) {
    CLI::App* sub = app.add_subcommand("bench", "Compare methods: time, errors, work, result hash");
    const auto request = std::make_shared<BenchRequest>();
    add_methods_option(*sub, request->method_names, tool_methods());
    sub->add_option("--data", request->data,
                    "Folder with query sets, may be repeated; without it the embedded sets")
        ->allow_extra_args(false)
        ->type_name("DIR");
    sub->add_option("--csv", request->csv, "Write the table as CSV, to stdout for -")
        ->type_name("FILE|-");
    sub->add_option("--html", request->html, "Write the table as one page for a browser")
        ->type_name("FILE");
    sub->add_option("--raw", request->options.raw,
                    "Keep every answer: DIR/<method>/<set>.csv, DIR/build.json")
        ->type_name("DIR");
    sub->add_flag("--quick", request->options.quick, "Only a fixed sample of each set");
    add_budget_option(*sub, request->budget_s);
    add_natural_option(*sub, "--stride", request->options.stride,
                       "Ask every Nth query of each group, whatever it takes",
                       {1, std::uint64_t{1} << 40})
        ->default_str("by --budget");
    add_natural_option(*sub, "--repeat", request->options.ask.repeat,
                       "Ask each query N times and take its smallest time", {1, 1000});
    add_separation_options(*sub, request->options.query);
    add_effort_options(*sub, request->options.query);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_bench(*request); }};
}

}  // namespace graze::tools
