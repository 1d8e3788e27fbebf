// `graze reproduce`: tables and figures of the papers, made again and put beside the published
// ones.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cluster/block_run.hpp"
#include "commands/commands.hpp"
#include "reproduce_run.hpp"

namespace graze::app {
namespace {

struct ReproduceRequest {
    bool list = false;
    std::string paper;
    std::vector<std::string> figures;
    bool quick = false;
    std::string data;
    std::uint64_t seed = 1;
    bool resume = false;
    bool fresh = false;
    std::string out;
    CommonOptions common;
    // Filled once the command line is understood.
    std::optional<Paper> only;
};

constexpr std::string_view kReproduceExamples =
    "DIR/index.html shows published and own numbers side by side; DIR/<paper>/<item> has the CSV\n"
    "tables, the drawings and result.json. An item whose result is there, from this program with\n"
    "the same --quick, --seed and --data, is not run again unless --fresh is given; a run that "
    "was\n"
    "stopped goes on where it was. An item that fails is shown on the page; the others are run.\n"
    "\n"
    "Examples:\n"
    "  graze reproduce --list\n"
    "  graze reproduce --quick --out reproduced\n"
    "  graze reproduce --paper linahan --out reproduced\n"
    "  graze reproduce --paper linahan --figure figure-4 --fresh --out reproduced\n"
    "  graze reproduce --paper wang2021 --data ccd-queries --threads 0 --out reproduced\n";

bool is_chosen(const ReproduceRequest& request, const ReproduceItem& item) {
    if (request.only && item.paper != *request.only) return false;
    return request.figures.empty() || std::find(request.figures.begin(), request.figures.end(),
                                                item.id) != request.figures.end();
}

Paper paper_from(const std::string& text) {
    std::vector<std::string> names;
    for (const Paper paper : kAllPapers) {
        if (name(paper) == text) return paper;
        names.emplace_back(name(paper));
    }
    const std::string near = nearest_name(text, names);
    fail_usage(fmt::format("--paper: there is no '{}'; {}", text,
                           near.empty() ? "there are wang2014, buss2005, linahan and wang2021"
                                        : fmt::format("did you mean '{}'?", near)));
}

// Wrong use: an item that no chosen paper has.
void check_figures(const ReproduceRequest& request) {
    std::vector<std::string> ids;
    for (const ReproduceItem& item : all_items())
        if (!request.only || item.paper == *request.only) ids.emplace_back(item.id);
    for (const std::string& figure : request.figures) {
        if (std::find(ids.begin(), ids.end(), figure) != ids.end()) continue;
        const std::string near = nearest_name(figure, ids);
        fail_usage(fmt::format(
            "--figure: {} no item '{}'{}",
            request.only ? fmt::format("{} has", name(*request.only)) : std::string("there is"),
            figure, near.empty() ? "; see --list" : fmt::format("; did you mean '{}'?", near)));
    }
}

void check_request(ReproduceRequest& request) {
    if (!request.paper.empty()) request.only = paper_from(request.paper);
    check_figures(request);
    if (request.resume && request.fresh) fail_usage("--resume and --fresh exclude each other");
    if (request.list) {
        if (!request.out.empty()) fail_usage("--out does not go with --list");
        return;
    }
    if (request.out.empty()) fail_usage("--out is required, unless --list is given");
    check_places({{"--out", request.out + "/index.html"}, {"--json", request.common.json}}, {});
}

// --- --list --------------------------------------------------------------------------------------

Json item_json(const ReproduceItem& item) {
    return Json{{"paper", name(item.paper)},
                {"item", item.id},
                {"title", item.title},
                {"status", status_text(item.status)},
                {"reason", item.reason}};
}

std::string list_line(const ReproduceItem& item) {
    std::string line = fmt::format("{:<9} {:<24} {:<22} {}", name(item.paper), item.id,
                                   status_text(item.status), item.title);
    if (!item.reason.empty()) line += fmt::format(" ({})", item.reason);
    return line + "\n";
}

Expected<ExitCode> run_list(const ReproduceRequest& request, JsonOutput& json) {
    Json items = Json::array();
    std::string text;
    for (const ReproduceItem& item : all_items()) {
        if (!is_chosen(request, item)) continue;
        items.push_back(item_json(item));
        text += list_line(item);
    }
    const Json report = {{"items", std::move(items)}, {"build", to_json(build_info())}};
    if (auto written = json.write(report); !written) return written.error();
    return succeeded(json.owns_stdout() ? Expected<void>() : print_report(text));
}

// --- Running -------------------------------------------------------------------------------------

Json outcome_json(const ItemOutcome& outcome) {
    Json json = item_json(outcome.item);
    json["status"] = status_text(outcome);
    json["kept"] = outcome.state == ItemState::Kept;
    if (outcome.state == ItemState::Failed) json["error"] = outcome.message;
    if (!outcome.has_result()) return json;
    const VerdictCounts counts = count_verdicts(outcome.result);
    json["agree"] = counts.agree;
    json["better"] = counts.better;
    json["differ"] = counts.differ;
    json["conclusion"] = outcome.result.conclusion;
    json["seconds"] = json_number(static_cast<double>(outcome.result.milliseconds) / 1e3);
    return json;
}

Json report_json(const ReproduceReport& report, const ReproduceSettings& settings) {
    Json items = Json::array();
    for (const ItemOutcome& outcome : report.items)
        items.push_back(outcome_json(outcome));
    return Json{{"out", settings.out.string()},
                {"complete", report.is_complete},
                {"made", report.count(ItemState::Made)},
                {"kept", report.count(ItemState::Kept)},
                {"failed", report.count(ItemState::Failed)},
                {"made_with", to_json(report.made)},
                {"items", std::move(items)},
                {"build", to_json(build_info())}};
}

std::string report_text(const ReproduceReport& report, const ReproduceSettings& settings) {
    std::string text;
    for (const ItemOutcome& outcome : report.items) {
        if (!outcome.has_result()) continue;
        text += fmt::format("{:<9} {:<24} {}{}\n", name(outcome.item.paper), outcome.item.id,
                            verdict_text(count_verdicts(outcome.result)),
                            outcome.state == ItemState::Kept ? " (was there)" : "");
    }
    return text + fmt::format("{}: {} made, {} were there, {} failed\n",
                              printable((settings.out / "index.html").string()),
                              report.count(ItemState::Made), report.count(ItemState::Kept),
                              report.count(ItemState::Failed));
}

Error failure_of(const ReproduceReport& report) {
    std::string text;
    for (const ItemOutcome& outcome : report.items) {
        if (outcome.state != ItemState::Failed) continue;
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", name(outcome.item.paper),
                            outcome.item.id, outcome.message);
    }
    return Error{fmt::format("{} of the items failed: {}", report.count(ItemState::Failed), text)};
}

Expected<void> check_data(const ReproduceRequest& request) {
    std::error_code ignored;
    if (!request.data.empty() && !std::filesystem::is_directory(request.data, ignored))
        return Error{request.data + ": there is no such folder"};
    return {};
}

Expected<ExitCode> run_items(const ReproduceRequest& request, JsonOutput& json) {
    if (auto checked = check_data(request); !checked) return checked.error();
    ReproduceSettings settings;
    settings.out = request.out;
    settings.fresh = request.fresh;
    settings.command = command_line();
    settings.options.quick = request.quick;
    settings.options.data = request.data;
    settings.options.threads = request.common.threads;
    settings.options.seed = request.seed;
    settings.options.stop = stop_token();
    const auto report = reproduce(
        all_items(), [&](const ReproduceItem& item) { return is_chosen(request, item); }, settings);
    if (!report) return report.error();
    if (auto written = json.write(report_json(*report, settings)); !written) return written.error();
    if (!report->is_complete)
        warn(
            fmt::format("stopped: {} items are finished and shown by {}; to go on, give the same "
                        "command again, without --fresh",
                        report->count(ItemState::Made) + report->count(ItemState::Kept),
                        printable((settings.out / "index.html").string())));
    if (stop_requested()) return stopped();
    if (!json.owns_stdout())
        if (auto printed = print_report(report_text(*report, settings)); !printed)
            return printed.error();
    if (report->count(ItemState::Failed) > 0) return failure_of(*report);
    return ExitCode::Success;
}

Expected<ExitCode> run_reproduce(const ReproduceRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    if (request.list && is_worker()) return left_to_rank_0();
    return request.list ? run_list(request, *json) : run_items(request, *json);
}

}  // namespace

Command add_reproduce_command(App& app) {
    App* sub = app.add_command("reproduce", "Make tables and figures of the papers again");
    const auto request = std::make_shared<ReproduceRequest>();
    sub->add_flag("--list", request->list, "List the items: paper, item, status, title");
    sub->add_option("--paper", request->paper, "Items of this paper alone")
        ->type_name("wang2014|buss2005|linahan|wang2021");
    sub->add_option("--figure", request->figures, "These items alone, as --list names them")
        ->type_name("ITEM")
        ->delimiter(',')
        ->one_value_each();
    sub->add_flag("--quick", request->quick, "Small samples: seconds for each item");
    sub->add_option("--data", request->data, "Folder of published query sets; the project's own")
        ->type_name("DIR");
    add_natural_option(*sub, "--seed", request->seed, "Of random inputs");
    sub->add_flag("--resume", request->resume, "Keep results that are there; the default");
    sub->add_flag("--fresh", request->fresh, "Run the chosen items again");
    sub->add_option("--out", request->out, "Where to")->type_name("DIR");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kReproduceExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return run_reproduce(*request); }, true};
}

}  // namespace graze::app
