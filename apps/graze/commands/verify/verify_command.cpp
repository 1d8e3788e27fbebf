// `graze verify`: methods held to what they declare, against the oracle, at any length.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/device.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/workers.hpp"
#include "cluster/input_blocks.hpp"
#include "cluster/journal_options.hpp"
#include "commands/commands.hpp"
#include "verify_report.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;

struct VerifyRequest {
    std::vector<std::string> method_names;
    std::vector<std::string> data;
    std::vector<generate::Family> families;  // empty: all
    std::optional<QueryKind> kind;           // nothing: all
    std::uint64_t seed = 0;
    std::uint64_t count = 0;   // 0: not given
    std::uint64_t sample = 0;  // 0: not given
    generate::Placement placement;
    CcdOptions options;
    bool at_least_distance = false;
    std::string device = "cpu";
    std::string repro;
    JournalOptions journal;
    CommonOptions common{.json = "", .threads = 0};
    MethodChoice choice;  // filled once the command line is understood
};

constexpr std::uint64_t kDefaultCount = 1000;  // of generated queries
constexpr std::size_t kQueryBlock = 440;       // queries in memory at a time
// Beyond this every nonzero coordinate becomes infinite or zero.
constexpr int kMostScale = 2100;
constexpr NaturalRange kSampleSizes{1, 1'000'000'000};

constexpr std::string_view kVerifyExamples =
    "Without --data, generated queries: they run through families and kinds in turn, as those of\n"
    "self-check do. With --data, the queries of the sets one after the other. Either way they are\n"
    "numbered from 0: queries --seed to --seed + --count - 1 are verified, and after an interrupt "
    "a\n"
    "run is taken up by the --seed that it prints. Truth comes from the oracle, never from a "
    "file.\n"
    "Without --methods: all but `oracle`, which is what they are held against, and those whose\n"
    "names end in -published; a method that does not honour --min-separation in that norm is left\n"
    "out, and may not be named.\n"
    "\n"
    "FP        contact or unresolved where there is none; broken only if `no FP` is declared, and\n"
    "          then by contact alone\n"
    "FN        separated where there is contact\n"
    "late      toi_lower after the exact first time, FN included\n"
    "early     toi_upper before it, or finite where there is no contact\n"
    "still     toi_lower = 0, though the start is separated\n"
    "tol!      the primitives do not come within separation + tolerance of each other\n"
    "over      --max-checks spent, and not separated\n"
    "max tol   the largest finite tolerance of an answer\n"
    "Exit code 1 if a guarantee that a method declares (graze methods) is broken.\n"
    "\n"
    "Examples:\n"
    "  graze verify --count 100000\n"
    "  graze verify --seed 100000 --count 100000 --json run2.json\n"
    "  graze verify --methods box-separation --family near,flat --kind vf --repro "
    "tests/regression\n"
    "  graze verify --data ccd-queries --sample 500 --scale -20 --shift 1000\n"
    "  graze verify --min-separation 1e-3 --norm max --t-max 0.5\n"
    "  mpirun -n 64 graze verify --count 1000000000 --json run.json   (after an end: --resume)\n"
    "  graze verify --methods certified --min-separation 1e-3 --at-least-distance --count 200000\n";

std::optional<std::uint64_t> if_given(std::uint64_t value) {
    return value == 0 ? std::nullopt : std::optional(value);
}

std::vector<QueryKind> kinds_of(const VerifyRequest& request) {
    if (request.kind) return {*request.kind};
    return {kAllQueryKinds.begin(), kAllQueryKinds.end()};
}

Expected<std::vector<QueryInput>> inputs_of(const VerifyRequest& request) {
    std::vector<QueryInput> inputs;
    for (const std::string& folder : request.data) {
        const auto found = inputs_in_folder(folder, request.kind);
        if (!found) return found.error();
        inputs.insert(inputs.end(), found->begin(), found->end());
    }
    return inputs;
}

std::unique_ptr<QueryList> list_of(const VerifyRequest& request,
                                   const std::vector<QueryInput>& inputs) {
    ListRange range{request.seed, if_given(request.count)};
    if (!inputs.empty()) return stored_list(inputs, if_given(request.sample), range);
    range.count = range.count.value_or(kDefaultCount);
    return generated_list(request.families, kinds_of(request), range);
}

Expected<ListBlocks> blocks_of(const VerifyRequest& request,
                               const std::vector<QueryInput>& inputs) {
    ListRange range{request.seed, if_given(request.count)};
    if (!inputs.empty()) return ListBlocks::stored(inputs, if_given(request.sample), range);
    range.count = range.count.value_or(kDefaultCount);
    return ListBlocks::generated(request.families, kinds_of(request), range);
}

// How many queries there will be, at most.
std::optional<ProgressTotal> total_of(const VerifyRequest& request,
                                      const std::vector<QueryInput>& inputs) {
    const std::optional<std::uint64_t> count = if_given(request.count);
    if (inputs.empty()) return ProgressTotal{count.value_or(kDefaultCount)};
    std::optional<ProgressTotal> total = total_for_progress(inputs);
    if (request.sample > 0) total = ProgressTotal{request.sample * inputs.size(), true};
    if (!total) return count ? std::optional(ProgressTotal{*count}) : std::nullopt;
    total->count -= std::min(total->count, request.seed);
    total->count = std::min(total->count, count.value_or(total->count));
    return total;
}

// Writes the query as a test into --repro. What there is to say of it: the place, or why not.
Expected<std::string> write_repro(const VerifyRequest& request, const BrokenAnswer& broken) {
    if (request.repro.empty()) return std::string();
    if (!is_finite(broken.question)) {
        return std::string("no regression test: the query is not finite\n");
    }
    const Regression regression = regression_of(broken, request.placement);
    const fs::path place = fs::path(request.repro) / regression_file_name(regression);
    Expected<OutputFile> file = OutputFile::create(place.string());
    if (!file) return file.error();
    if (auto written = file->write(regression_source(regression)); !written) {
        return written.error();
    }
    if (auto finished = file->finish(); !finished) return finished.error();
    return fmt::format("regression test: {}\n", printable(place.string()));
}

// What a run has come to, whole or interrupted.
struct VerifyOutcome {
    VerifyReport report;
    bool is_complete = false;
    std::string repro_note;
};

// Of queries from this number on.
VerifyRun run_from(const VerifyRequest& request, std::uint64_t first) {
    return {request.choice.methods, request.options, request.placement, first,
            request.at_least_distance ? SeparationChoice::LeastDistance : SeparationChoice::Given};
}

// Block by block, on all ranks, with a journal. The first broken answer is found again in its block.
Expected<VerifyOutcome> verify_in_blocks(const VerifyRequest& request,
                                         const std::vector<QueryInput>& inputs,
                                         std::optional<BlockJournal>& journal, Progress& progress) {
    auto blocks = blocks_of(request, inputs);
    if (!blocks) return blocks.error();
    const auto verified = [&](std::size_t i) -> Expected<VerifyReport> {
        const auto queries = blocks->read(i);
        if (!queries) return queries.error();
        VerifyRun run = run_from(request, blocks->number(i));
        run.add(*queries, workers(request.common.threads));
        if (stop_requested()) return stopped();
        return run.report();
    };
    VerifyOutcome outcome;
    outcome.report = run_from(request, request.seed).report();
    std::optional<std::size_t> first_broken;
    BlockJob job;
    job.count = blocks->count();
    job.name = [&](std::size_t i) { return blocks->name(i); };
    job.key = [&](std::size_t i) { return blocks->key(i); };
    job.run = [&](std::size_t i) -> Expected<Payload> {
        const Expected<VerifyReport> report = verified(i);
        if (!report) return report.error();
        if (auto good = check_device(request.device); !good) return good.error();
        return counts_payload(*report);
    };
    job.reduce = [&](std::size_t i, const Payload& payload) -> Expected<void> {
        const std::uint64_t before = outcome.report.queries;
        if (auto added = add_counts(outcome.report, payload); !added) return added;
        progress.advance(outcome.report.queries - before);
        if (outcome.report.broken > 0 && !first_broken) first_broken = i;
        return {};
    };
    if (auto done = run_journaled(job, journal); !done) return done.error();
    outcome.is_complete = true;
    if (!first_broken) return outcome;
    const Expected<VerifyReport> again = verified(*first_broken);
    if (!again) return again.error();
    outcome.report.first_broken = again->first_broken;
    const auto note = write_repro(request, *again->first_broken);
    if (!note) return note.error();
    outcome.repro_note = *note;
    return outcome;
}

// The first query that breaks a guarantee is written as soon as it is known: the run may be long.
Expected<VerifyOutcome> judge_all(const VerifyRequest& request, QueryList& list,
                                  Progress& progress) {
    VerifyRun run = run_from(request, request.seed);
    VerifyOutcome outcome;
    while (!stop_requested()) {
        const auto block = list.next(kQueryBlock);
        if (!block) return block.error();
        outcome.is_complete = block->empty() && !stop_requested();
        if (block->empty()) break;
        const bool was_whole = !run.report().first_broken;
        run.add(*block, workers(request.common.threads, &progress));
        if (!was_whole || !run.report().first_broken) continue;
        const auto note = write_repro(request, *run.report().first_broken);
        if (!note) return note.error();
        outcome.repro_note = *note;
    }
    outcome.report = run.report();
    return outcome;
}

Json options_json(const VerifyRequest& request) {
    const CcdOptions& options = request.options;
    Json json = {{"min_separation", json_number(options.min_separation)},
                 {"norm", name(options.norm)},
                 {"tolerance", json_number(options.distance_tolerance)},
                 {"time_width", json_number(options.time_width)},
                 {"t_max", json_number(options.t_max)},
                 {"max_checks", options.max_checks}};
    if (request.at_least_distance) json["at_least_distance"] = true;
    return json;
}

Json outcome_json(const VerifyRequest& request, const VerifyOutcome& outcome) {
    Json json = {{"seed", request.seed}, {"complete", outcome.is_complete}};
    json.update(report_json(outcome.report));
    json["options"] = options_json(request);
    json["scale"] = request.placement.scale;
    json["shift"] = json_number(request.placement.shift);
    json["sample"] = json_optional(if_given(request.sample));
    json["left_out"] = request.choice.left_out;
    if (request.device != "cpu") json["device"] = request.device;
    json["build"] = to_json(build_info());
    return json;
}

// How to go on after an interrupt: from the first query that was not judged.
std::string resume_text(const VerifyRequest& request, const VerifyReport& report) {
    const bool has_end = request.count > 0 || request.data.empty();
    const std::uint64_t count = request.count > 0 ? request.count : kDefaultCount;
    return fmt::format("interrupted after {} queries; to go on: --seed {}{}\n", report.queries,
                       report.next,
                       has_end ? fmt::format(" --count {}", count - report.queries) : "");
}

std::string outcome_text(const VerifyRequest& request, const VerifyOutcome& outcome) {
    const std::string moved = text_of(request.placement);
    return left_out_text(request.choice, request.options) +
           (moved.empty() ? "" : "queries " + moved + "\n") + report_text(outcome.report) +
           outcome.repro_note + (outcome.is_complete ? "" : resume_text(request, outcome.report));
}

Expected<void> run_verify(VerifyRequest& request) {
    std::error_code error;
    if (!request.repro.empty() && !fs::is_directory(request.repro, error)) {
        return Error{request.repro + ": no such folder"};
    }
    const auto inputs = inputs_of(request);
    if (!inputs) return inputs.error();
    if (auto good = put_on_device(request.device, request.choice.methods); !good) return good;
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    Progress progress(total_of(request, *inputs), terminal_screen("verifying queries"));
    auto journal = open_journal(request.journal, {request.common.json});
    if (!journal) return journal.error();
    const Expected<VerifyOutcome> outcome =
        request.journal.wants_blocks() ? verify_in_blocks(request, *inputs, *journal, progress)
                                       : judge_all(request, *list_of(request, *inputs), progress);
    if (!outcome) return outcome.error();
    if (auto good = check_device(request.device); !good) return good;
    progress.hide();
    if (auto written = json->write(outcome_json(request, *outcome)); !written) return written;
    if (*journal) (*journal)->remove();
    if (!json->owns_stdout()) {
        if (auto said = print_report(outcome_text(request, *outcome)); !said) return said;
    }
    return stop_requested() ? stopped() : outcome_of(outcome->report);
}

void check_request(VerifyRequest& request, const MethodRegistry& registry) {
    check_options(request.options);
    if (!request.data.empty() && !request.families.empty()) {
        fail_usage("verify takes either --data or --family");
    }
    if (request.data.empty() && request.sample > 0) fail_usage("--sample goes with --data");
    if (request.at_least_distance && !(request.options.min_separation > 0.0))
        fail_usage("--at-least-distance goes with --min-separation");
    if (!(std::abs(request.placement.shift) < kInfinity)) fail_usage("--shift must be finite");
    check_unique("--data", request.data);
    std::vector<std::string> families;
    for (const generate::Family family : request.families)
        families.emplace_back(generate::name(family));
    check_unique("--family", families);
    if (families.empty()) {
        request.families.assign(generate::kAllFamilies.begin(), generate::kAllFamilies.end());
    }
    check_numbers(request.seed, request.count > 0 ? request.count : kDefaultCount);
    request.choice =
        choose_methods(registry, request.method_names, request.options, OracleUse::WhereNamed);
    check_journal(request.journal, {request.common.json});
    check_places({{"--json", request.common.json}, {"--journal", request.journal.path}}, {});
}

void add_list_options(App& sub, VerifyRequest& request) {
    sub.add_option("--data", request.data,
                   "Folder with query sets, may be repeated; without it generated queries")
        ->one_value_each()
        ->type_name("DIR");
    add_family_option(sub, request.families)->default_str("all");
    add_kind_or_all_option(sub, request.kind);
    add_natural_option(sub, "--seed", request.seed, "Number of the first query");
    add_natural_option(sub, "--count", request.count, "How many queries", kQueryCounts)
        ->default_str(fmt::format("{}, with --data all", kDefaultCount));
    add_natural_option(sub, "--sample", request.sample,
                       "Only N queries of each set of --data, evenly spread", kSampleSizes)
        ->default_str("all");
    add_integer_option(sub, "--scale", request.placement.scale,
                       "Multiply every coordinate by 2^K, rounded", -kMostScale, kMostScale);
    add_number_option(sub, "--shift", request.placement.shift,
                      "Then add this length to every coordinate, rounded");
}

}  // namespace

Command add_verify_command(App& app, const MethodRegistry& registry) {
    App* sub = app.add_command("verify", "Hold methods to what they declare");
    const auto request = std::make_shared<VerifyRequest>();
    add_methods_option(*sub, request->method_names, registry);
    add_list_options(*sub, *request);
    add_separation_options(*sub, request->options);
    sub->add_flag("--at-least-distance", request->at_least_distance,
                  "Ask about each query's own least distance or a few ulps beside it; about\n"
                  "--min-separation where it touches");
    add_t_max_option(*sub, request->options);
    add_effort_options(*sub, request->options);
    add_device_option(*sub, request->device);
    sub->add_option("--repro", request->repro,
                    "Write the first query that breaks a guarantee as a test into this folder")
        ->type_name("DIR");
    add_journal_options(*sub, request->journal);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kVerifyExamples));
    sub->callback([request, registry] { check_request(*request, registry); });
    return {sub, [request] { return succeeded(run_verify(*request)); }, true};
}

}  // namespace graze::app
