// `graze bench`: all methods side by side, on the embedded queries or on data folders.
#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/device.hpp"
#include "cli/interrupt.hpp"
#include "cluster/journal_options.hpp"
#include "commands/commands.hpp"
#include "compare/bench_html.hpp"
#include "compare/bench_report.hpp"
#include "compare/bench_request.hpp"
#include "compare/bench_verdict.hpp"
#include "compare/study_report.hpp"
#include "graze/verify/methods.hpp"

namespace graze::app {
using namespace verify;
namespace {

// What was measured: the table and the experiments, as far as they were asked for.
struct Measured {
    BenchRun table;
    Study study;

    [[nodiscard]] bool is_complete() const { return table.is_complete() && study.complete; }
};

Json report_json(const BenchRequest& request, const Measured& measured) {
    const CcdOptions& query = request.options.query;
    Json json = {{"rows", rows_json(measured.table.rows())},
                 {"methods", hashes_json(measured.table.hashes())},
                 {"quick", request.options.quick},
                 {"complete", measured.is_complete()},
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
                 {"command", command_of(request)}};
    if (rank_count() > 1) json["ranks"] = rank_count();
    json["study"] = study_json(measured.study);
    json["build"] = to_json(build_info());
    if (request.options.bound.is_given()) json["bound"] = text_of(request.options.bound);
    return json;
}

// The answers of --raw are CSV; this says beside them who made them.
Expected<void> write_raw_build(const BenchRequest& request, const Json& report,
                               OutputBatch& files) {
    if (request.options.raw.empty()) return {};
    Expected<JsonOutput> file = JsonOutput::open(request.options.raw + "/build.json");
    if (!file) return file.error();
    return file->write(report, files);
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

Expected<void> run_table(const BenchRequest& request, const std::vector<QueryInput>& inputs,
                         BenchRun& run, OutputBatch& files, std::optional<BlockJournal>& journal) {
    if (!request.has(Experiment::Table)) return {};
    Progress progress(total_answers(request, inputs, run), terminal_screen("asking methods"));
    const std::vector<QueryGroup> groups = groups_of(inputs);
    if (request.journal.wants_blocks()) {
        if (auto added = run.add_in_blocks(groups, progress, files, journal); !added) return added;
    } else {
        for (const QueryGroup& group : groups)
            if (Expected<void> added = run.add_group(group, progress, files); !added) return added;
    }
    if (run.queries() > 0) return {};
    if (stop_requested()) return stopped();
    return Error{"no query was asked: there is none of a kind that these methods have"};
}

Expected<Measured> measure(const BenchRequest& request, const std::vector<QueryInput>& inputs,
                           OutputBatch& files, std::optional<BlockJournal>& journal) {
    Measured measured{.table = BenchRun(request.choice.methods, request.options), .study = {}};
    if (auto unique = measured.table.check_raw_names(inputs); !unique) return unique.error();
    if (auto done = run_table(request, inputs, measured.table, files, journal); !done)
        return done.error();
    // The experiments are ratios and curves of times: one machine measures them.
    if (is_worker()) return left_to_rank_0();
    Expected<Study> study = run_study(request.experiments, request.choice.methods,
                                      study_groups(inputs), request.study_options());
    if (!study) return study.error();
    measured.study = std::move(*study);
    return measured;
}

// The tables keep to 120 columns; the verdict does, in two lines.
std::string in_text_width(std::string verdict) {
    constexpr std::size_t kWidth = 120;
    const std::size_t end = verdict.find("; ");
    if (verdict.size() > kWidth && end != std::string::npos) verdict[end + 1] = '\n';
    return verdict;
}

std::string text_of(const BenchRequest& request, const Measured& measured) {
    std::string text = opening_text(request);
    if (rank_count() > 1)
        text +=
            fmt::format("{} ranks: each time is that of the one that measured it\n", rank_count());
    if (request.has(Experiment::Table)) {
        const std::vector<BenchRow>& rows = measured.table.rows();
        text += table_text(rows) + worst_text(rows) + times_text(rows) +
                hash_text(measured.table.hashes());
    }
    text += study_text(measured.study);
    if (!measured.is_complete()) text += "\nINTERRUPTED: what is missing was not measured\n";
    const std::string verdict = verdict_line(measured.table.rows(), default_method_name());
    return verdict.empty() ? text : text + "\n" + in_text_width(verdict) + "\n";
}

Expected<void> run_bench(BenchRequest& request) {
    const auto inputs = inputs_of(request);
    if (!inputs) return inputs.error();
    if (auto good = put_on_device(request.device, request.choice.methods); !good) return good;
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    auto csv = create_if_named(request.csv, "");
    if (!csv) return csv.error();
    auto html = create_if_named(request.html, "");
    if (!html) return html.error();
    OutputBatch files;
    auto journal = open_journal(request.journal, request.results());
    if (!journal) return journal.error();
    const Expected<Measured> measured = measure(request, *inputs, files, *journal);
    if (!measured) return measured.error();
    if (auto good = check_device(request.device); !good) return good;
    const std::string table = request.has(Experiment::Table)
                                  ? table_csv(measured->table.rows(), build_info())
                                  : study_csv(measured->study, build_info());
    if (auto added = files.add(*csv, table); !added) return added;
    const std::string page = page_html(request, measured->table, measured->study, build_info());
    if (auto added = files.add(*html, page); !added) return added;
    const Json report = report_json(request, *measured);
    if (auto written = write_raw_build(request, report, files); !written) return written;
    if (auto written = json->write(report, files); !written) return written;
    if (auto finished = files.finish(); !finished) return finished;
    if (*journal) (*journal)->remove();
    if (json->owns_stdout() || owns_stdout(*csv) || owns_stdout(*html)) return {};
    return print_report(text_of(request, *measured));
}

}  // namespace

Command add_bench_command(App& app) {
    App* sub = app.add_command("bench", "Compare methods: time, errors, work, result hash");
    const auto request = std::make_shared<BenchRequest>();
    add_bench_options(*sub, *request);
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return succeeded(run_bench(*request)); }, true};
}

}  // namespace graze::app
