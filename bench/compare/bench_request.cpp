#include "bench_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/device.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/methods.hpp"

namespace graze::app {
using namespace verify;
namespace {

// So that the embedded sets with every method stay well below two minutes: some 200 combinations
// of method, group and kind, of which a quarter are slow enough to spend it.
constexpr double kEmbeddedBudget = 1.0;
constexpr double kDataBudget = 10.0;
// A sweep asks for every value what the table asks once.
constexpr double kStudyShare = 0.1;

constexpr std::string_view kExamples =
    "Without --methods: every method, `oracle` included on the embedded sets but not with --data,\n"
    "where it takes long; those whose names end in -published only where named. Unresolved\n"
    "counts as contact in FP and FN and has its own column.\n"
    "hits: contacts by the stored truth; toi!: times on the wrong side of the exact first time,\n"
    "where that is stored; checks: mean work a query, in the method's own unit; -: not known;\n"
    "over: share of the queries that spent --max-checks and are not separated; max tol: the\n"
    "largest tolerance that an answer ended with. Times of positive answers (contact, unresolved)\n"
    "and of negative ones (separated) are also given separately; the JSON has their histograms.\n"
    "heap: the most that operator new gave to one query; lag, lead: how far toi_lower is behind\n"
    "and toi_upper ahead of the exact first time, late: how far toi_lower is past it.\n"
    "every: a method that would not get through a group within --budget is asked every 2nd, 4th,\n"
    "8th, ... of its queries, as many as fit; 64*: an interrupt (Ctrl-C) came before. What was\n"
    "measured until then is written, marked as incomplete.\n"
    "--experiment names what is measured: table (the default), separation, tolerance, checks "
    "(work\n"
    "budget of a query), claims (ratios of times), or all; docs/benchmark.md explains each. They "
    "ask\n"
    "vertex-face and edge-edge queries, --sample of each group, a tenth of --budget a value.\n"
    "With --min-separation the stored truths, which are about touching, are not compared, and a\n"
    "method that does not honour it in that norm is left out, and may not be named.\n"
    "\n"
    "Examples:\n"
    "  graze bench\n"
    "  graze bench --quick --methods box-separation,oracle --json bench.json\n"
    "  graze bench --data ccd-queries --repeat 3 --csv bench.csv --raw answers\n"
    "  graze bench --experiment all --html bench.html\n"
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
    return choose_methods(all_methods(), request.method_names, request.options.query,
                          request.data.empty() ? OracleUse::Always : OracleUse::WhereNamed);
}

// In the order of the page, each once. Wrong use: a name that is none.
std::vector<Experiment> experiments_of(const std::vector<std::string>& names) {
    if (names.empty()) return {Experiment::Table};
    std::vector<Experiment> chosen;
    for (const std::string& text : names) {
        const std::optional<Experiment> experiment = experiment_from_name(text);
        if (text == "all") return {kAllExperiments.begin(), kAllExperiments.end()};
        if (!experiment)
            fail_usage(
                fmt::format("--experiment: '{}' is none of table, separation, tolerance, "
                            "checks, claims, all",
                            text));
        chosen.push_back(*experiment);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

std::string sampling_text(const BenchOptions& options) {
    if (options.stride > 0) return fmt::format("every {}th query of each group\n", options.stride);
    if (options.ask.budget_s == 0.0) return "";
    return fmt::format("at most about {:g} s a method, group and kind: 'every' says which share\n",
                       options.ask.budget_s);
}

// What differs from the defaults, as it is typed.
std::string options_of(const CcdOptions& options) {
    const CcdOptions defaults;
    std::string text;
    const auto add = [&text](std::string_view option, double value, double default_value) {
        if (value != default_value) text += fmt::format(" {} {}", option, io::to_shortest(value));
    };
    add("--min-separation", options.min_separation, defaults.min_separation);
    if (options.norm != defaults.norm) text += fmt::format(" --norm {}", name(options.norm));
    add("--tolerance", options.distance_tolerance, defaults.distance_tolerance);
    add("--time-width", options.time_width, defaults.time_width);
    if (options.max_checks != defaults.max_checks)
        text += fmt::format(" --max-checks {}", options.max_checks);
    return text;
}

std::string command_with(const BenchRequest& request, const std::string& experiments) {
    std::string command = "graze bench";
    if (experiments != "table") command += " --experiment " + experiments;
    if (!request.method_names.empty())
        command += fmt::format(" --methods {}", fmt::join(request.method_names, ","));
    for (const std::string& folder : request.data)
        command += " --data " + folder;
    if (request.options.quick) command += " --quick";
    command += options_of(request.options.query);
    if (request.options.bound.is_given()) command += " --bound " + text_of(request.options.bound);
    if (request.options.ask.repeat > 1)
        command += fmt::format(" --repeat {}", request.options.ask.repeat);
    if (request.options.stride > 0) command += fmt::format(" --stride {}", request.options.stride);
    if (request.budget_s) command += fmt::format(" --budget {:g}", *request.budget_s);
    if (request.sample != StudyOptions{}.sample)
        command += fmt::format(" --sample {}", request.sample);
    if (request.common.threads != 1)
        command += fmt::format(" --threads {}", request.common.threads);
    return command;
}

void check_budget(BenchRequest& request) {
    if (request.budget_s && !(*request.budget_s >= 0.0)) fail_usage("--budget: must be >= 0");
    if (request.budget_s && request.options.stride > 0)
        fail_usage("--budget and --stride: only one of them can choose the sample");
    if (request.options.stride > 0) return;
    request.options.ask.budget_s =
        request.budget_s.value_or(request.data.empty() ? kEmbeddedBudget : kDataBudget);
}

// Methods without tolerances take part as they are, unless all that are named are such.
void check_bench_bound(const BenchRequest& request) {
    const BoundChoice& bound = request.options.bound;
    if (!bound.is_given()) return;
    if (request.experiments != std::vector{Experiment::Table})
        fail_usage("--bound: of the table alone");
    const std::vector<Method>& methods = request.choice.methods;
    const bool any = std::any_of(methods.begin(), methods.end(),
                                 [](const Method& m) { return m.bounded != nullptr; });
    if (!any) check_bound(bound, methods.front());
}

void add_data_options(App& app, BenchRequest& request) {
    app.add_option("--data", request.data,
                   "Folder with query sets, may be repeated; without it the embedded sets")
        ->one_value_each()
        ->type_name("DIR");
    app.add_option("--experiment", request.experiment_names,
                   "table, separation, tolerance, checks, claims, or all")
        ->delimiter(',')
        ->one_value_each()
        ->type_name("A,B,...");
}

void add_result_options(App& app, BenchRequest& request) {
    app.add_option("--csv", request.csv,
                   "Write the table, or without it the sweeps, as CSV, to stdout for -")
        ->type_name("FILE|-");
    app.add_option("--html", request.html, "Write all of it as one page for a browser")
        ->type_name("FILE");
    app.add_option("--raw", request.options.raw,
                   "Keep every answer of the table: DIR/<method>/<set>.csv, DIR/build.json")
        ->type_name("DIR");
}

void add_sample_options(App& app, BenchRequest& request) {
    app.add_flag("--quick", request.options.quick, "Only a fixed sample of each set");
    add_optional_number_option(
        app, "--budget", request.budget_s,
        "Wall seconds a method, group and kind; 0: no limit (default 1, with --data 10)")
        ->type_name("SECONDS");
    add_natural_option(app, "--stride", request.options.stride,
                       "Ask every Nth query of each group, whatever it takes",
                       {1, std::uint64_t{1} << 40})
        ->default_str("by --budget");
    add_natural_option(app, "--sample", request.sample,
                       "Queries of a group and kind in the experiments", {1, 1'000'000});
    add_natural_option(app, "--repeat", request.options.ask.repeat,
                       "Ask each query N times and take its smallest time", {1, 1000});
}

}  // namespace

bool BenchRequest::has(Experiment experiment) const {
    return std::find(experiments.begin(), experiments.end(), experiment) != experiments.end();
}

StudyOptions BenchRequest::study_options() const {
    StudyOptions study{.query = options.query, .ask = options.ask};
    study.ask.budget_s *= kStudyShare;
    study.threads = options.threads;
    study.sample = sample;
    study.methods_are_named = !method_names.empty();
    return study;
}

void add_bench_options(App& app, BenchRequest& request) {
    add_methods_option(app, request.method_names, all_methods());
    add_data_options(app, request);
    add_result_options(app, request);
    add_sample_options(app, request);
    add_separation_options(app, request.options.query);
    add_effort_options(app, request.options.query);
    add_bound_option(app, request.options.bound);
    add_device_option(app, request.device);
    add_journal_options(app, request.journal);
    add_common_options(app, request.common);
    app.footer(std::string(kExamples));
}

void check_request(BenchRequest& request) {
    check_options(request.options.query);
    request.options.threads = request.common.threads;
    request.experiments = experiments_of(request.experiment_names);
    check_budget(request);
    request.choice = methods_of(request);
    check_bench_bound(request);
    check_unique("--data", resolved(request.data));
    check_places({{"--csv", request.csv},
                  {"--html", request.html},
                  {"--json", request.common.json},
                  {"--journal", request.journal.path}},
                 {});
    check_journal(request.journal, request.results());
    if (request.has(Experiment::Table)) return;
    const bool has_sweep =
        std::any_of(request.experiments.begin(), request.experiments.end(),
                    [](Experiment experiment) { return !sweep_values(experiment).empty(); });
    if (!request.csv.empty() && !has_sweep)
        fail_usage("--csv: it holds the table or the sweeps, which are not asked for");
    if (!request.options.raw.empty())
        fail_usage("--raw: it holds the answers of the table, which is not asked for");
}

Expected<std::vector<QueryInput>> inputs_of(const BenchRequest& request) {
    const std::vector<std::string>& folders = request.data;
    std::vector<QueryInput> inputs;
    for (const io::EmbeddedSet& set : io::embedded_sets()) {
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

std::string command_of(const BenchRequest& request, Experiment experiment) {
    return command_with(request, std::string(name(experiment)));
}

std::string command_of(const BenchRequest& request) {
    if (request.experiments.size() == kAllExperiments.size()) return command_with(request, "all");
    std::vector<std::string_view> names;
    for (const Experiment experiment : request.experiments)
        names.push_back(name(experiment));
    return command_with(request, fmt::format("{}", fmt::join(names, ",")));
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
    if (request.options.bound.is_given()) {
        text += fmt::format("tolerances of methods that have such: --bound {}, by group\n",
                            text_of(request.options.bound));
    }
    text += left_out_text(request.choice, request.options.query);
    if (request.options.quick) {
        text += fmt::format("quick: the first {} queries of each set, then every {}th\n",
                            kQuickHead, kQuickStride);
    }
    return text;
}

}  // namespace graze::app
