// `graze self-check`: the oracle against itself, on as many generated queries as wished.
#include <fmt/format.h>

#include <chrono>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/query_list.hpp"
#include "cli/workers.hpp"
#include "commands.hpp"
#include "graze/generate/families.hpp"
#include "graze/oracle/self_check.hpp"
#include "graze/verify/oracle_method.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::app {
using namespace verify;
namespace {

struct SelfCheckRequest {
    std::uint64_t count = 1000;
    std::uint64_t seed = 0;
    CommonOptions common{.json = "", .threads = 0};
};

constexpr std::uint64_t kOutcomeBlock = 440;  // outcomes in memory at a time
constexpr std::size_t kMostFailures = 10;     // failures that are printed; all are counted

constexpr std::string_view kSelfCheckExamples =
    "Queries run through all families and kinds in turn. Each is answered in four independent "
    "ways, "
    "and\n"
    "again with corners exchanged, mirrored, scaled, reversed in time, and cut at the exact time.\n"
    "A long run is resumed by --seed: queries --seed to --seed + --count - 1 are checked.\n"
    "Exit code 1 if any check fails.\n"
    "\n"
    "Examples:\n"
    "  graze self-check --count 100000\n"
    "  graze self-check --seed 100000 --count 100000 --json run2.json\n";

generate::NumberedQuery query_number(std::uint64_t n) {
    return generate::numbered_query(n, generate::kAllFamilies, kAllQueryKinds);
}

struct Outcome {
    bool contact = false;
    std::optional<std::string> failure;
    double seconds = 0.0;
};

Outcome check(const generate::NumberedQuery& n) {
    const auto start = std::chrono::steady_clock::now();
    const oracle::Query query = oracle_query(generate::query(n.family, n.kind, n.seed), n.kind);
    Outcome outcome;
    try {
        outcome.contact = oracle::first_contact(query).state == oracle::State::Contact;
        outcome.failure = oracle::self_check(query);
    } catch (const std::logic_error& broken) {
        outcome.failure = broken.what();
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    outcome.seconds = taken.count();
    return outcome;
}

struct FamilyCounts {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
    std::uint64_t failures = 0;
    double seconds = 0.0;
    double slowest = 0.0;

    void add(const Outcome& outcome) {
        ++queries;
        contacts += outcome.contact ? 1 : 0;
        failures += outcome.failure ? 1 : 0;
        seconds += outcome.seconds;
        slowest = std::max(slowest, outcome.seconds);
    }
};

struct SelfCheckReport {
    std::array<FamilyCounts, generate::kAllFamilies.size()> families{};
    FamilyCounts total;
    std::vector<std::string> failures;
    bool is_complete = true;
};

// After an interrupt, the blocks that were finished.
SelfCheckReport check_all(const SelfCheckRequest& request) {
    Progress progress(ProgressTotal{request.count}, terminal_screen("checking queries"));
    SelfCheckReport report;
    for (std::uint64_t done = 0; done < request.count;) {
        const std::uint64_t size = std::min(kOutcomeBlock, request.count - done);
        std::vector<Outcome> outcomes(size);
        for_each_index(workers(request.common.threads, &progress), size, [&](std::size_t i) {
            outcomes[i] = check(query_number(request.seed + done + i));
        });
        report.is_complete = !stop_requested();
        if (!report.is_complete) break;
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint64_t number = request.seed + done + i;
            report.families[static_cast<std::size_t>(query_number(number).family)].add(outcomes[i]);
            report.total.add(outcomes[i]);
            if (outcomes[i].failure && report.failures.size() < kMostFailures) {
                report.failures.push_back(
                    fmt::format("query {}: {}", number, *outcomes[i].failure));
            }
        }
        done += size;
    }
    return report;
}

Json counts_json(std::string_view name, const FamilyCounts& counts) {
    return {{"family", name},
            {"queries", counts.queries},
            {"contacts", counts.contacts},
            {"failures", counts.failures},
            {"seconds", json_number(counts.seconds)},
            {"slowest_seconds", json_number(counts.slowest)}};
}

Json report_json(const SelfCheckRequest& request, const SelfCheckReport& report) {
    Json json = counts_json("all", report.total);
    json["seed"] = request.seed;
    json["families"] = Json::array();
    for (const generate::Family family : generate::kAllFamilies) {
        json["families"].push_back(
            counts_json(generate::name(family), report.families[static_cast<std::size_t>(family)]));
    }
    json["complete"] = report.is_complete;
    json["listed"] = report.failures;
    json["build"] = to_json(build_info());
    return json;
}

std::string row(std::string_view name, const FamilyCounts& counts) {
    const double mean =
        counts.queries == 0 ? 0.0 : counts.seconds / static_cast<double>(counts.queries);
    return fmt::format("{:<16}{:>10}{:>10}{:>10}{:>12.2f} ms{:>12.1f} ms\n", name, counts.queries,
                       counts.contacts, counts.failures, 1e3 * mean, 1e3 * counts.slowest);
}

std::string table(const SelfCheckReport& report) {
    std::string text = fmt::format("{:<16}{:>10}{:>10}{:>10}{:>15}{:>15}\n", "family", "queries",
                                   "contacts", "failures", "mean", "slowest");
    for (const generate::Family family : generate::kAllFamilies) {
        text += row(generate::name(family), report.families[static_cast<std::size_t>(family)]);
    }
    text += row("all", report.total);
    for (const std::string& failure : report.failures)
        text += "  " + failure + "\n";
    return text;
}

// How to go on after an interrupt: from the first query that was not checked.
std::string resume_text(const SelfCheckRequest& request, const SelfCheckReport& report) {
    if (report.is_complete) return "";
    const std::uint64_t done = report.total.queries;
    return fmt::format("interrupted after {} queries; to go on: --seed {} --count {}\n", done,
                       request.seed + done, request.count - done);
}

Expected<void> run_self_check(const SelfCheckRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const SelfCheckReport report = check_all(request);
    if (auto written = json->write(report_json(request, report)); !written) return written;
    if (!json->owns_stdout()) {
        const std::string text = table(report) + resume_text(request, report);
        if (auto printed = print_report(text); !printed) return printed;
    }
    if (!report.is_complete) return stopped();
    if (report.total.failures == 0) return {};
    return Error{fmt::format("{} of {} queries failed the self-check", report.total.failures,
                             report.total.queries)};
}

}  // namespace

Command add_self_check_command(App& app) {
    App* sub = app.add_command("self-check", "Check the oracle against itself");
    const auto request = std::make_shared<SelfCheckRequest>();
    add_natural_option(*sub, "--count", request->count, "How many queries", kQueryCounts);
    add_natural_option(*sub, "--seed", request->seed, "Number of the first query");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kSelfCheckExamples));
    sub->callback([request] { check_numbers(request->seed, request->count); });
    return {sub, [request] { return succeeded(run_self_check(*request)); }};
}

}  // namespace graze::app
