// `graze truth`: the exact answer to every query, held against what the files say.
#include <fmt/format.h>

#include <chrono>

#include "answers.hpp"
#include "build_info.hpp"
#include "commands.hpp"
#include "graze/dataset/hex_float.hpp"
#include "interrupt.hpp"
#include "judgement.hpp"
#include "oracle_method.hpp"
#include "progress.hpp"

namespace graze::tools {
namespace {

// How many differences are listed; all are counted.
constexpr std::size_t kListed = 10;
constexpr std::string_view kDistanceColumns = ",min_distance_lower,min_distance_upper";

struct TruthRequest {
    std::optional<QueryKind> kind;
    FileOptions files;
    std::string data;
    CcdOptions options;  // of which the separation and its norm are used
    bool distance = false;
    bool check_ways = false;
    std::string out;
    CommonOptions common{.json = "", .threads = 0};
};

constexpr std::string_view kExamples =
    "Examples:\n"
    "  graze truth --kind vf queries.csv --out truth.csv\n"
    "  graze truth --kind ee --min-separation 1e-3 --norm max --distance queries.csv --out d.csv\n"
    "  graze truth --kind vf --truth 326vf_mma_bool.json 326vf.csv\n"
    "  graze truth --data ccd-queries --check-ways\n";

struct TruthCounts {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
    std::uint64_t invalid = 0;
    std::uint64_t compared = 0;
    std::uint64_t disagreements = 0;
    std::uint64_t way_differences = 0;
    double seconds = 0.0;

    TruthCounts& operator+=(const TruthCounts& other) {
        queries += other.queries;
        contacts += other.contacts;
        invalid += other.invalid;
        compared += other.compared;
        disagreements += other.disagreements;
        way_differences += other.way_differences;
        seconds += other.seconds;
        return *this;
    }
};

struct Difference {
    std::string set;
    std::uint64_t index = 0;  // within the set
    std::string text;
};

Json counts_json(const TruthRequest& request, const TruthCounts& counts) {
    const Json way_differences = request.check_ways ? Json(counts.way_differences) : Json(nullptr);
    const Json disagreements = counts.compared > 0 ? Json(counts.disagreements) : Json(nullptr);
    return {{"queries", counts.queries},
            {"contacts", counts.contacts},
            {"separated", counts.queries - counts.contacts - counts.invalid},
            {"unresolved", counts.invalid},
            {"compared", counts.compared},
            {"disagreements", disagreements},
            {"way_differences", way_differences},
            {"seconds", json_number(counts.seconds)}};
}

// Judges set after set in order, into the totals and into the file if there is one.
class TruthRun {
public:
    TruthRun(const TruthRequest& request, std::optional<OutputFile>& out, Progress& progress)
        : request_(request), out_(out), progress_(progress) {}

    [[nodiscard]] Expected<TruthCounts> judge_set(const QueryInput& input);
    [[nodiscard]] const std::vector<Difference>& differences() const { return differences_; }

private:
    [[nodiscard]] TruthCounts fold(const std::string& set,
                                   const std::vector<dataset::QueryRecord>& block,
                                   const std::vector<Judgement>& judgements,
                                   std::uint64_t first_index);
    [[nodiscard]] Expected<void> write(const std::vector<Judgement>& judgements);
    void list(const std::string& set, std::uint64_t index, const std::string& text);

    const TruthRequest& request_;
    std::optional<OutputFile>& out_;
    Progress& progress_;
    std::uint64_t written_ = 0;
    std::vector<Difference> differences_;
};

Expected<TruthCounts> TruthRun::judge_set(const QueryInput& input) {
    const auto start = std::chrono::steady_clock::now();
    const JudgeOptions options{request_.options.min_separation, request_.options.norm,
                               request_.distance, request_.check_ways, request_.common.threads};
    Expected<BlockReader> reader = BlockReader::open(input);
    if (!reader) return reader.error();
    TruthCounts counts;
    while (true) {
        const auto block = reader->next();
        if (!block) return block.error();
        if (block->empty()) break;
        const std::vector<Judgement> judgements = judge(*block, input.kind, options);
        if (stop_requested()) return stopped();
        counts += fold(input.name, *block, judgements, counts.queries);
        if (const Expected<void> written = write(judgements); !written) return written.error();
        progress_.advance(block->size());
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    counts.seconds = taken.count();
    return counts;
}

TruthCounts TruthRun::fold(const std::string& set, const std::vector<dataset::QueryRecord>& block,
                           const std::vector<Judgement>& judgements, std::uint64_t first_index) {
    const TruthUse use = truth_use(request_.options, request_.files);
    TruthCounts counts;
    for (std::size_t i = 0; i < block.size(); ++i) {
        const dataset::QueryRecord record = with_applicable_truth(block[i], use);
        const Judgement& judgement = judgements[i];
        const std::string differs = disagreement(record, judgement.truth);
        ++counts.queries;
        counts.contacts += judgement.truth.state == oracle::State::Contact ? 1 : 0;
        counts.invalid += judgement.truth.state == oracle::State::Invalid ? 1 : 0;
        counts.compared += record.truth ? 1 : 0;
        counts.disagreements += differs.empty() ? 0 : 1;
        counts.way_differences += judgement.ways_differ.empty() ? 0 : 1;
        list(set, first_index + i, differs);
        list(set, first_index + i, judgement.ways_differ);
    }
    return counts;
}

void TruthRun::list(const std::string& set, std::uint64_t index, const std::string& text) {
    if (!text.empty() && differences_.size() < kListed) differences_.push_back({set, index, text});
}

Expected<void> TruthRun::write(const std::vector<Judgement>& judgements) {
    if (!out_) return {};
    std::string lines;
    for (const Judgement& judgement : judgements) {
        lines += result_columns(written_++, result_up_to(judgement.truth, 1.0));
        if (const auto& distance = judgement.distance) {
            lines += fmt::format(",{},{}", dataset::to_shortest(distance->lower),
                                 dataset::to_shortest(distance->upper));
        }
        lines += "\n";
    }
    return out_->write(lines);
}

// One line a set; the first column is as wide as the longest name.
class TruthTable {
public:
    explicit TruthTable(const std::vector<QueryInput>& inputs) {
        for (const QueryInput& input : inputs)
            width_ = std::max(width_, input.name.size());
    }

    [[nodiscard]] std::string header() const {
        return line("set", "kind", "queries", "contacts", "compared", "disagree", "time");
    }
    [[nodiscard]] std::string row(std::string_view name, std::string_view kind,
                                  const TruthCounts& counts) const {
        return line(name, kind, counts.queries, counts.contacts, counts.compared,
                    counts.disagreements, fmt::format("{:.2f} s", counts.seconds));
    }

private:
    template <class... Cells>
    [[nodiscard]] std::string line(std::string_view name, const Cells&... cells) const {
        return fmt::format("{:<{}}", name, width_) +
               fmt::format(" {:<4}{:>8} {:>8} {:>8} {:>8} {:>9}\n", cells...);
    }

    std::size_t width_ = 20;
};

std::string closing_text(const TruthRequest& request, const TruthCounts& total,
                         const std::vector<Difference>& differences) {
    std::string text;
    for (const Difference& difference : differences) {
        text +=
            fmt::format("  {}: query {}: {}\n", difference.set, difference.index, difference.text);
    }
    text += total.compared == 0 ? std::string("no published truth to compare with\n")
                                : fmt::format("{} disagreements with {} published truths\n",
                                              total.disagreements, total.compared);
    if (request.check_ways) {
        text +=
            fmt::format("{} queries on which the ways of asking differ\n", total.way_differences);
    }
    return text;
}

Json report_json(const TruthRequest& request, const TruthCounts& total, const Json& sets,
                 const std::vector<Difference>& differences) {
    Json report = {{"method", "oracle"},
                   {"kind", request.kind ? Json(short_name(*request.kind)) : Json(nullptr)}};
    report.update(counts_json(request, total));
    Json listed = Json::array();
    for (const Difference& difference : differences) {
        listed.push_back({{"set", difference.set},
                          {"index", difference.index},
                          {"difference", difference.text}});
    }
    report["differences"] = listed;
    report["sets"] = sets;
    report["build"] = to_json(build_info());
    return report;
}

Expected<std::vector<QueryInput>> inputs_of(const TruthRequest& request) {
    if (!request.data.empty()) return inputs_in_folder(request.data, request.kind);
    return inputs_of(request.files, *request.kind);
}

// Judges every set; one line a set as soon as it is done.
Expected<void> run_sets(const TruthRequest& request, const std::vector<QueryInput>& inputs,
                        JsonOutput& json, std::optional<OutputFile>& out) {
    const bool quiet = json.owns_stdout();
    Progress progress(total_for_progress(inputs));
    TruthRun run(request, out, progress);
    TruthCounts total;
    Json sets = Json::array();
    const auto say = [&](const std::string& text) {
        progress.hide();
        return quiet ? Expected<void>() : print(text);
    };
    const TruthTable table(inputs);
    if (auto said = say(table.header()); !said) return said;
    for (const QueryInput& input : inputs) {
        const Expected<TruthCounts> counts = run.judge_set(input);
        if (!counts) return counts.error();
        total += *counts;
        sets.push_back({{"set", input.name}, {"kind", short_name(input.kind)}});
        sets.back().update(counts_json(request, *counts));
        if (auto said = say(table.row(input.name, short_name(input.kind), *counts)); !said)
            return said;
    }
    if (Expected<void> finished = finish_if_named(out); !finished) return finished;
    const Json report = report_json(request, total, sets, run.differences());
    if (auto written = json.write(report); !written) return written;
    return say(table.row("total", "", total) + closing_text(request, total, run.differences()));
}

Expected<void> run_truth(const TruthRequest& request) {
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
    if (request.data.empty()) static_cast<void>(inputs_of(request.files, *request.kind));
}

}  // namespace

Command add_truth_command(CLI::App& app) {
    CLI::App* sub = app.add_subcommand(
        "truth", "Exact verdict and first time of every query; checks published truths");
    const auto request = std::make_shared<TruthRequest>();
    add_kind_option(*sub, request->kind);
    add_separation_options(*sub, request->options);
    add_file_options(*sub, request->files);
    sub->add_option("--data", request->data,
                    "Judge every query set in this folder (of --kind, if given)")
        ->type_name("DIR");
    sub->add_option("--out", request->out,
                    "Write every answer as CSV: " + std::string(kResultColumns))
        ->type_name("FILE.csv");
    sub->add_flag("--distance", request->distance,
                  "Add the smallest distance over the step (in --norm) to --out: " +
                      std::string(kDistanceColumns.substr(1)));
    sub->add_flag("--check-ways", request->check_ways,
                  "Ask in every independent way the oracle has, and report any difference");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_truth(*request); }};
}

}  // namespace graze::tools
