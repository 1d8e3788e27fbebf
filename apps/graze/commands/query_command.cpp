// `graze query`: one method's answers to the queries of some files.
#include <fmt/format.h>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/device.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/workers.hpp"
#include "commands.hpp"
#include "graze/verify/tally.hpp"
#include "view/query_view.hpp"

namespace graze::app {
using namespace verify;
namespace {

struct QueryRequest {
    std::optional<QueryKind> kind;
    FileOptions files;
    MethodOptions choice;
    BoundChoice bound;
    std::string device = "cpu";
    bool exit_code = false;
    CommonOptions common;
    std::string out;
    std::string html;
    // Filled once the command line is understood.
    Method method;
    std::vector<QueryInput> inputs;
};

constexpr std::string_view kQueryExamples =
    "Times are of the queries alone, each measured by itself; one thread unless --threads says\n"
    "otherwise, since threads that share a core blur them. The time of reading the clock is\n"
    "included and stated (clock_ns).\n"
    "Truths stored in the files are about touching in the whole step: with --min-separation or\n"
    "--t-max only a truth named with --truth is compared.\n"
    "\n"
    "Examples:\n"
    "  graze query --kind vf spikes.csv\n"
    "  graze query --kind ee --method oracle --out answers.csv --json summary.json a.csv b.csv.gz\n"
    "  graze query --kind vf --truth 326vf_mma_bool.json 326vf.csv\n"
    "  graze query --kind vf --min-separation 1e-3 --norm max --json - spikes.csv\n"
    "  graze query --kind vf --method safe-cubic --bound scene spikes.csv\n";

Json summary_json(const QueryRequest& request, const Tally& tally) {
    const Tally::Counts& counts = tally.counts();
    const std::optional<TimeSummary> times = tally.times();
    const auto time = [&](double TimeSummary::*field) {
        return times ? json_number((*times).*field) : Json(nullptr);
    };
    Json json = {{"method", request.method.name},
                 {"kind", short_name(*request.kind)},
                 {"queries", counts.queries},
                 {"contacts", counts.contacts},
                 {"separated", counts.separated},
                 {"unresolved", counts.unresolved},
                 {"false_positives", json_optional(tally.false_positives())},
                 {"false_negatives", json_optional(tally.false_negatives())},
                 {"ns_per_query", time(&TimeSummary::mean)},
                 {"ns_median", time(&TimeSummary::median)},
                 {"ns_p99", time(&TimeSummary::p99)},
                 {"ns_max", time(&TimeSummary::max)},
                 {"clock_ns", json_number(clock_overhead_ns())},
                 {"threads", threads_used(request.common.threads)},
                 {"build", to_json(build_info())}};
    if (request.bound.is_given()) json["bound"] = text_of(request.bound);
    if (request.device != "cpu") json["device"] = request.device;
    return json;
}

std::string truth_line(const Tally& tally) {
    const Tally::Counts& counts = tally.counts();
    if (counts.with_truth == 0) return "truth       none that answers this question\n";
    const std::string scope = counts.with_truth == counts.queries
                                  ? ""
                                  : fmt::format(" of {} with a truth", counts.with_truth);
    return fmt::format("truth       {} false positives, {} false negatives{}\n",
                       counts.false_positives, counts.false_negatives, scope);
}

std::string summary_text(const QueryRequest& request, const Tally& tally) {
    const Tally::Counts& counts = tally.counts();
    std::string text = fmt::format(
        "method      {}\nqueries     {} {}\nverdicts    {} contact, {} separated, {} unresolved\n",
        request.method.name, counts.queries, long_name(*request.kind), counts.contacts,
        counts.separated, counts.unresolved);
    text += truth_line(tally);
    if (const std::optional<TimeSummary> times = tally.times()) {
        text += fmt::format("time        mean {}, median {}, p99 {}, max {} (clock {})\n",
                            format_ns(times->mean), format_ns(times->median), format_ns(times->p99),
                            format_ns(times->max), format_ns(clock_overhead_ns()));
    }
    return text;
}

// Answers the queries of all files in order: into the tally, and into the file if there is one.
class QueryRun {
public:
    QueryRun(const QueryRequest& request, std::optional<OutputFile>& out)
        : request_(request),
          out_(out),
          progress_(total_for_progress(request.inputs), terminal_screen("answering queries")) {}

    [[nodiscard]] Expected<void> answer(const QueryInput& input);
    [[nodiscard]] const Tally& tally() const noexcept { return tally_; }

private:
    [[nodiscard]] Expected<void> keep(const std::vector<io::QueryRecord>& block,
                                      const std::vector<Answer>& answers);

    const QueryRequest& request_;
    std::optional<OutputFile>& out_;
    Progress progress_;
    Tally tally_;
};

Expected<void> QueryRun::answer(const QueryInput& input) {
    Expected<BlockReader> reader = BlockReader::open(input);
    if (!reader) return reader.error();
    const Run run{request_.method, *request_.kind, request_.choice.options,
                  workers(request_.common.threads, &progress_)};
    while (true) {
        const auto block = reader->next();
        if (!block) return block.error();
        if (block->empty()) return {};
        const std::vector<Answer> answers = answers_of(run, *block);
        if (stop_requested()) return stopped();
        if (Expected<void> kept = keep(*block, answers); !kept) return kept;
    }
}

Expected<void> QueryRun::keep(const std::vector<io::QueryRecord>& block,
                              const std::vector<Answer>& answers) {
    const TruthUse use = truth_use(request_.choice.options, request_.files);
    std::string lines;
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (out_) lines += result_columns(tally_.counts().queries, answers[i].result) + "\n";
        tally_.add(with_applicable_truth(block[i], use), answers[i]);
    }
    if (!out_) return {};
    if (out_->owns_stdout()) progress_.hide();
    return out_->write(lines);
}

ExitCode exit_code(const QueryRequest& request, const Tally::Counts& counts) {
    return exit_code_of(verdict_of(counts.contacts > 0, counts.unresolved > 0), request.exit_code);
}

// As declared, or those of all files together.
Expected<QueryBounds> bounds_of(const QueryRequest& request) {
    if (request.bound.length) return *request.bound.declared();
    BoundsOfQueries all;
    for (const QueryInput& input : request.inputs) {
        if (!request.bound.is_given()) break;
        if (Expected<void> added = add_bounds(input, all); !added) return added.error();
    }
    return all.bounds(request.bound.source);
}

Expected<std::vector<ViewObject>> query_views_of(const QueryRequest& request) {
    std::vector<ViewObject> views;
    for (const QueryInput& input : request.inputs) {
        auto view = query_view(input, {request.choice.options, request.common.threads,
                                       truth_use(request.choice.options, request.files)});
        if (!view) return view.error();
        views.push_back(*std::move(view));
    }
    return views;
}

Expected<ExitCode> run_query(const QueryRequest& asked) {
    const Expected<QueryBounds> bounds = bounds_of(asked);
    if (!bounds) return bounds.error();
    QueryRequest request = asked;
    if (request.bound.is_given()) request.method = with_bounds(asked.method, *bounds);
    if (auto good = put_on_device(request.device, {&request.method, 1}); !good) return good.error();
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    auto out = create_if_named(request.out, fmt::format("{}\n", kResultColumns));
    if (!out) return out.error();
    auto page = create_page_file(request.html);
    if (!page) return page.error();
    QueryRun run(request, *out);
    for (const QueryInput& input : request.inputs) {
        if (Expected<void> answered = run.answer(input); !answered) return answered.error();
    }
    if (auto good = check_device(request.device); !good) return good.error();
    OutputBatch files;
    if (auto added = files.add(*out, ""); !added) return added.error();
    if (*page) {
        const auto views = query_views_of(request);
        if (!views) return views.error();
        if (auto added = add_page(files, *page, "graze query", *views); !added)
            return added.error();
    }
    if (auto written = json->write(summary_json(request, run.tally()), files); !written) {
        return written.error();
    }
    if (auto finished = files.finish(); !finished) return finished.error();
    const ExitCode code = exit_code(request, run.tally().counts());
    if (json->owns_stdout() || owns_stdout(*out) || owns_stdout(*page)) return code;
    return succeeded(print_report(summary_text(request, run.tally())), code);
}

void check_request(QueryRequest& request) {
    request.method = chosen_method(request.choice, *request.kind);
    check_bound(request.bound, request.method);
    request.inputs = inputs_of(request.files, *request.kind);
    check_places(
        {{"--out", request.out}, {"--html", request.html}, {"--json", request.common.json}},
        all_paths(request.files));
}

}  // namespace

Command add_query_command(App& app) {
    App* sub = app.add_command("query", "Answer the queries of files with one method");
    const auto request = std::make_shared<QueryRequest>();
    add_kind_option(*sub, request->kind)->required();
    add_method_options(*sub, request->choice);
    add_bound_option(*sub, request->bound);
    add_device_option(*sub, request->device);
    add_file_options(*sub, request->files)->required();
    sub->add_option("--out", request->out,
                    "Write every answer as CSV, to stdout for -: " + std::string(kResultColumns))
        ->type_name("FILE.csv|-");
    add_html_option(*sub, request->html);
    add_exit_code_option(*sub, request->exit_code);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kQueryExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_query(*request); }};
}

}  // namespace graze::app
