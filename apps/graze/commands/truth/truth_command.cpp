// `graze truth`: the exact answer to every query, held against what the files say.
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <utility>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/workers.hpp"
#include "commands/commands.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/ground_truth.hpp"
#include "graze/verify/oracle_method.hpp"
#include "truth_report.hpp"

namespace graze::app {
using namespace verify;
namespace {

// How many differences are listed; all are counted.
constexpr std::size_t kMostListed = 10;
constexpr std::string_view kDistanceColumns = ",min_distance_lower,min_distance_upper";

struct TruthRequest {
    std::optional<QueryKind> kind;
    FileOptions files;
    std::string data;
    CcdOptions options;  // of which the separation and its norm are used
    bool distance = false;
    bool check_ways = false;
    std::string out;
    bool exit_code = false;
    CommonOptions common{.json = "", .threads = 0};
};

constexpr std::string_view kTruthExamples =
    "Examples:\n"
    "  graze truth --kind vf queries.csv --out truth.csv\n"
    "  graze truth --kind ee --min-separation 1e-3 --norm max --distance queries.csv --out d.csv\n"
    "  graze truth --kind vf --truth 326vf_mma_bool.json 326vf.csv\n"
    "  graze truth --data ccd-queries --check-ways\n";

// Judges set after set in order, into the totals and into the file if there is one.
class TruthRun {
public:
    TruthRun(const TruthRequest& request, std::optional<OutputFile>& out, Progress& progress)
        : request_(request), out_(out), progress_(progress) {
        report_.check_ways = request.check_ways;
    }

    [[nodiscard]] Expected<TruthCounts> judge_set(const QueryInput& input);
    // What has been found so far.
    [[nodiscard]] const TruthReport& report() const noexcept { return report_; }

private:
    [[nodiscard]] TruthCounts fold(const std::string& set,
                                   const std::vector<io::QueryRecord>& block,
                                   const std::vector<GroundTruth>& truths,
                                   std::uint64_t first_index);
    [[nodiscard]] Expected<void> write(const std::vector<GroundTruth>& truths);
    void list(const std::string& set, std::uint64_t index, const std::string& text);

    const TruthRequest& request_;
    std::optional<OutputFile>& out_;
    Progress& progress_;
    std::uint64_t written_ = 0;
    TruthReport report_;
};

Expected<TruthCounts> TruthRun::judge_set(const QueryInput& input) {
    const auto start = std::chrono::steady_clock::now();
    const GroundTruthOptions options{request_.options.min_separation, request_.options.norm,
                                     request_.distance, request_.check_ways,
                                     workers(request_.common.threads, &progress_)};
    Expected<BlockReader> reader = BlockReader::open(input);
    if (!reader) return reader.error();
    TruthCounts counts;
    while (true) {
        const auto block = reader->next();
        if (!block) return block.error();
        if (block->empty()) break;
        const std::vector<GroundTruth> truths = ground_truths(*block, input.kind, options);
        if (stop_requested()) return stopped();
        counts += fold(input.name, *block, truths, counts.queries);
        if (const Expected<void> written = write(truths); !written) return written.error();
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    counts.seconds = taken.count();
    report_.total += counts;
    return counts;
}

TruthCounts TruthRun::fold(const std::string& set, const std::vector<io::QueryRecord>& block,
                           const std::vector<GroundTruth>& truths, std::uint64_t first_index) {
    const TruthUse use = truth_use(request_.options, request_.files);
    TruthCounts counts;
    for (std::size_t i = 0; i < block.size(); ++i) {
        const io::QueryRecord record = with_applicable_truth(block[i], use);
        const GroundTruth& truth = truths[i];
        const std::string differs = disagreement(record, truth.truth);
        ++counts.queries;
        counts.contacts += truth.truth.state == oracle::State::Contact ? 1 : 0;
        counts.invalid += truth.truth.state == oracle::State::Invalid ? 1 : 0;
        counts.compared += record.truth ? 1 : 0;
        counts.disagreements += differs.empty() ? 0 : 1;
        counts.way_differences += truth.ways_differ.empty() ? 0 : 1;
        list(set, first_index + i, differs);
        list(set, first_index + i, truth.ways_differ);
    }
    return counts;
}

void TruthRun::list(const std::string& set, std::uint64_t index, const std::string& text) {
    std::vector<Difference>& listed = report_.differences;
    if (!text.empty() && listed.size() < kMostListed) listed.push_back({set, index, text});
}

Expected<void> TruthRun::write(const std::vector<GroundTruth>& truths) {
    if (!out_) return {};
    std::string lines;
    for (const GroundTruth& truth : truths) {
        lines += result_columns(written_++, result_up_to(truth.truth, 1.0));
        if (const auto& distance = truth.distance) {
            lines += fmt::format(",{},{}", io::to_shortest(distance->lower),
                                 io::to_shortest(distance->upper));
        }
        lines += "\n";
    }
    if (out_->owns_stdout()) progress_.hide();
    return out_->write(lines);
}

Json report_json(const TruthRequest& request, const TruthReport& report, const Json& sets) {
    Json json = {{"method", "oracle"},
                 {"kind", request.kind ? Json(short_name(*request.kind)) : Json(nullptr)}};
    json.update(counts_json(report, report.total));
    json["differences"] = differences_json(report);
    json["sets"] = sets;
    json["build"] = to_json(build_info());
    return json;
}

Expected<std::vector<QueryInput>> inputs_of(const TruthRequest& request) {
    if (!request.data.empty()) return inputs_in_folder(request.data, request.kind);
    return inputs_of(request.files, *request.kind);
}

// Judges every set; one line a set as soon as it is done, the heading with the first of them.
Expected<Json> judge_sets(const std::vector<QueryInput>& inputs, TruthRun& run,
                          const std::function<Expected<void>(const std::string&)>& say) {
    const TruthTable table(inputs);
    std::string heading = table.header();
    Json sets = Json::array();
    for (const QueryInput& input : inputs) {
        const Expected<TruthCounts> counts = run.judge_set(input);
        if (!counts) return counts.error();
        Json set = {{"set", input.name}, {"kind", short_name(input.kind)}};
        set.update(counts_json(run.report(), *counts));
        sets.push_back(std::move(set));
        const std::string row = table.row(input.name, short_name(input.kind), *counts);
        if (const auto said = say(std::exchange(heading, "") + row); !said) return said.error();
    }
    return sets;
}

Expected<ExitCode> run_sets(const TruthRequest& request, const std::vector<QueryInput>& inputs,
                            JsonOutput& json, std::optional<OutputFile>& out) {
    const bool quiet = json.owns_stdout() || owns_stdout(out);
    Progress progress(total_for_progress(inputs), terminal_screen("judging queries"));
    TruthRun run(request, out, progress);
    const auto say = [&](const std::string& text) {
        progress.hide();
        return quiet ? Expected<void>() : print_report(text);
    };
    const Expected<Json> sets = judge_sets(inputs, run, say);
    if (!sets) return sets.error();
    const TruthReport& report = run.report();
    if (report.total.queries == 0) return succeeded(outcome_of(report));
    OutputBatch files;
    if (auto added = files.add(out, ""); !added) return added.error();
    const Json summary = report_json(request, report, *sets);
    if (auto written = json.write(summary, files); !written) return written.error();
    if (auto finished = files.finish(); !finished) return finished.error();
    const std::string total = TruthTable(inputs).row("total", "", report.total);
    if (Expected<void> said = say(total + closing_text(report)); !said) return said.error();
    const Verdict verdict = verdict_of(report.total.contacts > 0, false);
    return succeeded(outcome_of(report), exit_code_of(verdict, request.exit_code));
}

Expected<ExitCode> run_truth(const TruthRequest& request) {
    const auto inputs = inputs_of(request);
    if (!inputs) return inputs.error();
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const std::string header =
        fmt::format("{}{}\n", kResultColumns, request.distance ? kDistanceColumns : "");
    auto out = create_if_named(request.out, header);
    if (!out) return out.error();
    return run_sets(request, *inputs, *json, *out);
}

void check_request(const TruthRequest& request) {
    check_options(request.options);
    if (request.data.empty() == request.files.files.empty()) {
        fail_usage("truth needs either FILE... or --data DIR");
    }
    if (request.data.empty() && !request.kind) fail_usage("--kind is required");
    if (!request.data.empty() && !request.files.truths.empty()) {
        fail_usage("--truth goes with FILE..., not with --data");
    }
    if (request.distance && request.out.empty()) fail_usage("--distance goes with --out");
    if (request.data.empty()) static_cast<void>(inputs_of(request.files, *request.kind));
    check_places({{"--out", request.out}, {"--json", request.common.json}},
                 all_paths(request.files));
}

}  // namespace

Command add_truth_command(App& app) {
    App* sub = app.add_command(
        "truth", "Exact verdict and first time of every query; checks published truths");
    const auto request = std::make_shared<TruthRequest>();
    add_kind_option(*sub, request->kind);
    add_separation_options(*sub, request->options);
    add_file_options(*sub, request->files);
    sub->add_option("--data", request->data,
                    "Answer every query set in this folder (of --kind, if given)")
        ->type_name("DIR");
    sub->add_option("--out", request->out,
                    "Write every answer as CSV, to stdout for -: " + std::string(kResultColumns))
        ->type_name("FILE.csv|-");
    sub->add_flag("--distance", request->distance,
                  "Add the smallest distance over the step (in --norm) to --out: " +
                      std::string(kDistanceColumns.substr(1)));
    sub->add_flag("--check-ways", request->check_ways,
                  "Ask in every independent way the oracle has, and report any difference");
    add_exit_code_option(*sub, request->exit_code);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kTruthExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_truth(*request); }};
}

}  // namespace graze::app
