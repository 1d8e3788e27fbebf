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
#include "cluster/input_blocks.hpp"
#include "cluster/journal_options.hpp"
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
    JournalOptions journal;
    CommonOptions common{.json = "", .threads = 0};

    [[nodiscard]] std::vector<std::string> results() const { return {out, common.json}; }
};

constexpr std::string_view kTruthExamples =
    "Examples:\n"
    "  graze truth --kind vf queries.csv --out truth.csv\n"
    "  graze truth --kind ee --min-separation 1e-3 --norm max --distance queries.csv --out d.csv\n"
    "  graze truth --kind vf --truth 326vf_mma_bool.json 326vf.csv\n"
    "  graze truth --data ccd-queries --check-ways\n";

// What some queries of a set come to.
struct TruthPart {
    TruthCounts counts;
    std::vector<Difference> differences;  // the first kMostListed
    std::string lines;                    // for --out
};

Payload payload_of(const TruthPart& part) {
    PayloadWriter bytes;
    const TruthCounts& counts = part.counts;
    for (const std::uint64_t count :
         {counts.queries, counts.contacts, counts.invalid, counts.compared, counts.disagreements,
          counts.way_differences})
        bytes.natural(count);
    bytes.number(counts.seconds);
    bytes.natural(part.differences.size());
    for (const Difference& difference : part.differences) {
        bytes.text(difference.set);
        bytes.natural(difference.index);
        bytes.text(difference.text);
    }
    bytes.text(part.lines);
    return bytes.take();
}

Expected<TruthPart> part_from(const Payload& payload) {
    PayloadReader bytes(payload);
    TruthPart part;
    TruthCounts& counts = part.counts;
    for (std::uint64_t* count : {&counts.queries, &counts.contacts, &counts.invalid,
                                 &counts.compared, &counts.disagreements, &counts.way_differences})
        *count = bytes.natural();
    counts.seconds = bytes.number();
    for (std::uint64_t left = bytes.natural(); left > 0 && bytes.is_whole(); --left) {
        Difference difference;
        difference.set = bytes.text();
        difference.index = bytes.natural();
        difference.text = bytes.text();
        part.differences.push_back(std::move(difference));
    }
    part.lines = bytes.text();
    if (!bytes.is_finished()) return Error{"the counts of a block are not whole"};
    return part;
}

void append_listed(std::vector<Difference>& listed, const std::vector<Difference>& more) {
    for (const Difference& difference : more)
        if (listed.size() < kMostListed) listed.push_back(difference);
}

// Judges queries, in any order and on any rank.
class TruthBlocks {
public:
    explicit TruthBlocks(const TruthRequest& request, Progress* progress = nullptr)
        : request_(request), progress_(progress) {}

    // `first_index`: of the first query in its set; `first_line`: in --out.
    [[nodiscard]] Expected<TruthPart> part_of(const QueryInput& input,
                                              const std::vector<io::QueryRecord>& block,
                                              std::uint64_t first_index,
                                              std::uint64_t first_line) const {
        const std::vector<GroundTruth> truths = ground_truths(
            block, input.kind,
            {request_.options.min_separation, request_.options.norm, request_.distance,
             request_.check_ways, workers(request_.common.threads, progress_)});
        if (stop_requested()) return stopped();
        TruthPart part = counted(input.name, block, truths, first_index);
        if (!request_.out.empty()) part.lines = lines_of(truths, first_line);
        return part;
    }

private:
    [[nodiscard]] TruthPart counted(const std::string& set,
                                    const std::vector<io::QueryRecord>& block,
                                    const std::vector<GroundTruth>& truths,
                                    std::uint64_t first_index) const;
    [[nodiscard]] static std::string lines_of(const std::vector<GroundTruth>& truths,
                                              std::uint64_t first_line);

    const TruthRequest& request_;
    Progress* progress_;
};

TruthPart TruthBlocks::counted(const std::string& set, const std::vector<io::QueryRecord>& block,
                               const std::vector<GroundTruth>& truths,
                               std::uint64_t first_index) const {
    const TruthUse use = truth_use(request_.options, request_.files);
    TruthPart part;
    TruthCounts& counts = part.counts;
    const auto list = [&](std::size_t i, const std::string& text) {
        if (!text.empty()) append_listed(part.differences, {{set, first_index + i, text}});
    };
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
        list(i, differs);
        list(i, truth.ways_differ);
    }
    return part;
}

std::string TruthBlocks::lines_of(const std::vector<GroundTruth>& truths,
                                  std::uint64_t first_line) {
    std::string lines;
    for (const GroundTruth& truth : truths) {
        lines += result_columns(first_line++, result_up_to(truth.truth, 1.0));
        if (const auto& distance = truth.distance) {
            lines += fmt::format(",{},{}", io::to_shortest(distance->lower),
                                 io::to_shortest(distance->upper));
        }
        lines += "\n";
    }
    return lines;
}

// Takes parts in the order of the queries, into the totals and into the file if there is one; reports
// each set when it is done.
class TruthRun {
public:
    using Say = std::function<Expected<void>(const std::string&)>;

    TruthRun(const TruthRequest& request, const std::vector<QueryInput>& inputs,
             std::optional<OutputFile>& out, Progress& progress, Say say)
        : inputs_(inputs), out_(out), progress_(progress), say_(std::move(say)), table_(inputs) {
        report_.check_ways = request.check_ways;
    }

    // Of the set that is under way.
    [[nodiscard]] Expected<void> add(const TruthPart& part) {
        counts_ += part.counts;
        append_listed(report_.differences, part.differences);
        if (!out_) return {};
        if (out_->owns_stdout()) progress_.hide();
        return out_->write(part.lines);
    }
    // Sets up to this one, exclusively, are done.
    [[nodiscard]] Expected<void> finish_sets(std::size_t end) {
        for (; set_ < end; ++set_) {
            const QueryInput& input = inputs_[set_];
            Json set = {{"set", input.name}, {"kind", short_name(input.kind)}};
            set.update(counts_json(report_, counts_));
            sets_.push_back(std::move(set));
            report_.total += counts_;
            const std::string heading = set_ == 0 ? table_.header() : "";
            const std::string row = table_.row(input.name, short_name(input.kind), counts_);
            counts_ = {};
            if (auto said = say_(heading + row); !said) return said;
        }
        return {};
    }
    // Of the set that is under way, and of all before it.
    [[nodiscard]] std::uint64_t queries_of_set() const noexcept { return counts_.queries; }
    [[nodiscard]] std::uint64_t queries() const noexcept {
        return report_.total.queries + counts_.queries;
    }
    [[nodiscard]] const TruthReport& report() const noexcept { return report_; }
    [[nodiscard]] const Json& sets() const noexcept { return sets_; }

private:
    const std::vector<QueryInput>& inputs_;
    std::optional<OutputFile>& out_;
    Progress& progress_;
    Say say_;
    TruthTable table_;
    std::size_t set_ = 0;  // that is under way
    TruthCounts counts_;   // of it
    Json sets_ = Json::array();
    TruthReport report_;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Set after set as they are read.
Expected<void> judge_sets(const std::vector<QueryInput>& inputs, const TruthBlocks& blocks,
                          TruthRun& run) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Expected<BlockReader> reader = BlockReader::open(inputs[i]);
        if (!reader) return reader.error();
        while (true) {
            const auto start = std::chrono::steady_clock::now();
            const auto block = reader->next();
            if (!block) return block.error();
            if (block->empty()) break;
            auto part = blocks.part_of(inputs[i], *block, run.queries_of_set(), run.queries());
            if (!part) return part.error();
            part->counts.seconds = seconds_since(start);
            if (auto added = run.add(*part); !added) return added;
        }
        if (auto done = run.finish_sets(i + 1); !done) return done;
    }
    return {};
}

// Block by block, on all ranks, with a journal.
Expected<void> judge_in_blocks(const TruthRequest& request, const std::vector<QueryInput>& inputs,
                               TruthRun& run, std::optional<BlockJournal>& journal,
                               Progress& progress) {
    const auto sizes = sizes_of(inputs);
    if (!sizes) return sizes.error();
    const std::vector<InputRange> ranges = ranges_of(*sizes, kBlockSize);
    std::vector<std::uint64_t> first_lines = {0};  // by input
    for (const InputSize& size : *sizes)
        first_lines.push_back(first_lines.back() + size.queries);
    RangeReader reader(inputs);
    const TruthBlocks blocks(request);
    BlockJob job;
    job.count = ranges.size();
    job.name = [&](std::size_t i) { return text_of(inputs[ranges[i].input], ranges[i]); };
    job.key = [&](std::size_t i) {
        return key_of(inputs[ranges[i].input], (*sizes)[ranges[i].input], ranges[i]) +
               fmt::format(", line {}", first_lines[ranges[i].input]);
    };
    job.run = [&](std::size_t i) -> Expected<Payload> {
        const auto start = std::chrono::steady_clock::now();
        const InputRange& range = ranges[i];
        const auto records = reader.read(range);
        if (!records) return records.error();
        auto part = blocks.part_of(inputs[range.input], *records, range.first,
                                   first_lines[range.input] + range.first);
        if (!part) return part.error();
        part->counts.seconds = seconds_since(start);
        return payload_of(*part);
    };
    job.reduce = [&](std::size_t i, const Payload& payload) -> Expected<void> {
        if (auto done = run.finish_sets(ranges[i].input); !done) return done;
        const auto part = part_from(payload);
        if (!part) return part.error();
        progress.advance(part->counts.queries);
        return run.add(*part);
    };
    if (auto done = run_journaled(job, journal); !done) return done;
    return run.finish_sets(inputs.size());
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

Expected<ExitCode> run_sets(const TruthRequest& request, const std::vector<QueryInput>& inputs,
                            JsonOutput& json, std::optional<OutputFile>& out) {
    const bool quiet = json.owns_stdout() || owns_stdout(out);
    Progress progress(total_for_progress(inputs), terminal_screen("judging queries"));
    const auto say = [&](const std::string& text) {
        progress.hide();
        return quiet ? Expected<void>() : print_report(text);
    };
    TruthRun run(request, inputs, out, progress, say);
    auto journal = open_journal(request.journal, request.results());
    if (!journal) return journal.error();
    const Expected<void> done = request.journal.wants_blocks()
                                    ? judge_in_blocks(request, inputs, run, *journal, progress)
                                    : judge_sets(inputs, TruthBlocks(request, &progress), run);
    if (!done) return done.error();
    const TruthReport& report = run.report();
    if (report.total.queries == 0) return succeeded(outcome_of(report));
    OutputBatch files;
    if (auto added = files.add(out, ""); !added) return added.error();
    const Json summary = report_json(request, report, run.sets());
    if (auto written = json.write(summary, files); !written) return written.error();
    if (auto finished = files.finish(); !finished) return finished.error();
    if (*journal) (*journal)->remove();
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
    check_journal(request.journal, request.results());
    check_places({{"--out", request.out},
                  {"--json", request.common.json},
                  {"--journal", request.journal.path}},
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
    add_journal_options(*sub, request->journal);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kTruthExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_truth(*request); }, true};
}

}  // namespace graze::app
