// `graze replay`: answers the steps of a recording again, and finds the first that differs.
#include "replay_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "graze/verify/methods.hpp"
#include "graze/verify/parallel.hpp"
#include "step_regression.hpp"

namespace graze::app {
namespace {

constexpr std::string_view kReplayExamples =
    "FILE.gzr is what --record of `graze mesh` and `graze sim` writes, or a program with a "
    "Recorder.\n"
    "Every step is answered again with the options that it was recorded with; answers are "
    "compared\n"
    "to the bit: verdict, times and every impact. The first step that differs is reported, and "
    "with\n"
    "--regression written as files that show it again: the step as a recording of its own, and "
    "the\n"
    "pair that differs as a query file and as a test.\n"
    "A recording that was cut is replayed up to its last whole step.\n"
    "Exit code 0: all the same; 3: an answer differs.\n"
    "\n"
    "Examples:\n"
    "  graze mesh frames --record run.gzr\n"
    "  graze replay run.gzr\n"
    "  graze replay run.gzr --threads 4 --json - --regression found\n";

struct ReplayRequest {
    std::string file;
    std::string regression;
    CommonOptions common{.json = "", .threads = 0};
};

struct ReplayOutcome {
    std::string version;
    std::uint64_t steps = 0;  // answered again
    std::uint64_t impacts = 0;
    bool is_cut = false;
    std::optional<Error> damage;
    std::optional<std::uint64_t> differs_at;
    verify::AnswerDifference difference;
    std::vector<std::string> regression;  // files
};

class Replay {
public:
    explicit Replay(const ReplayRequest& request) : request_(request) {
        std::error_code failed;
        size_ = std::filesystem::file_size(request.file, failed);
        if (failed) size_ = 0;
    }

    Expected<ReplayOutcome> run();

private:
    // False: this step differs.
    Expected<bool> same(MeshStepper& stepper, const io::RecordedStep& step);
    void show(double fraction_of_step) {
        if (size_ == 0) return;
        const double done = static_cast<double>(before_) +
                            fraction_of_step * static_cast<double>(behind_ - before_);
        progress_->show(done / static_cast<double>(size_));
    }

    const ReplayRequest& request_;
    std::shared_ptr<ShareProgress> progress_ =
        std::make_shared<ShareProgress>(terminal_screen("replaying steps"));
    std::uint64_t size_ = 0;
    // Bytes of the file before the step and up to its end.
    std::uint64_t before_ = 0;
    std::uint64_t behind_ = 0;
    ReplayOutcome outcome_;
};

Expected<bool> Replay::same(MeshStepper& stepper, const io::RecordedStep& step) {
    const auto at_step = [&](const Error& error) {
        return located(fmt::format("{}: step {}", request_.file, step.index), error);
    };
    auto options = verify::options_of(*step.settings, verify::all_methods());
    if (!options) return at_step(options.error());
    options->threads = static_cast<int>(request_.common.threads);
    options->stop = stop_token();
    options->progress = [this](double fraction) {
        show(fraction);
        return true;
    };
    const auto again = verify::answered_again(stepper, step, *options);
    if (stop_requested()) return stopped();
    if (!again) return at_step(again.error());
    outcome_.impacts += again->count;
    const auto difference = verify::difference_of(step.answer, *again);
    if (!difference) return true;
    outcome_.differs_at = step.index;
    outcome_.difference = *difference;
    if (request_.regression.empty()) return false;
    auto files = write_step_regression(
        request_.regression, {step, stepper.topology(), *options, *difference, outcome_.version,
                              std::filesystem::path(request_.file).filename().string()});
    if (!files) return files.error();
    outcome_.regression = *std::move(files);
    return false;
}

Expected<ReplayOutcome> Replay::run() {
    auto recording = io::Recording::open(request_.file);
    if (!recording) return recording.error();
    outcome_.version = recording->version();
    auto topology = verify::topology_of(recording->mesh());
    if (!topology) return located(request_.file, topology.error());
    MeshStepper stepper(*std::move(topology));
    while (true) {
        before_ = recording->bytes();
        const auto event = recording->next();
        if (!event) {
            outcome_.damage = event.error();
            break;
        }
        if (!*event) break;
        behind_ = recording->bytes();
        const auto* step = std::get_if<io::RecordedStep>(&**event);
        if (step == nullptr) continue;
        const auto is_same = same(stepper, *step);
        if (!is_same) return is_same.error();
        ++outcome_.steps;
        if (!*is_same) break;
    }
    outcome_.is_cut = recording->is_cut();
    return std::move(outcome_);
}

Json impact_json(const std::optional<io::RecordedImpact>& impact) {
    if (!impact) return nullptr;
    return {{"verdict", name(impact->result.verdict)},
            {"toi_lower", json_number(impact->result.toi_lower)},
            {"toi_upper", json_number(impact->result.toi_upper)}};
}

Json difference_json(const ReplayOutcome& outcome) {
    if (!outcome.differs_at) return nullptr;
    const verify::AnswerDifference& difference = outcome.difference;
    Json json = {{"step", *outcome.differs_at}, {"what", difference.what}};
    if (difference.was || difference.is) {
        const io::RecordedImpact& pair = difference.was ? *difference.was : *difference.is;
        json["kind"] = short_name(pair.kind);
        json["a"] = pair.a;
        json["b"] = pair.b;
        json["recorded"] = impact_json(difference.was);
        json["computed"] = impact_json(difference.is);
    }
    return json;
}

Json replay_json(const ReplayRequest& request, const ReplayOutcome& outcome) {
    return {{"recording", request.file},
            {"recorded_by", outcome.version},
            {"steps", outcome.steps},
            {"impacts", outcome.impacts},
            {"same", !outcome.differs_at},
            {"difference", difference_json(outcome)},
            {"cut", outcome.is_cut},
            {"damage", outcome.damage ? Json(outcome.damage->message) : Json(nullptr)},
            {"regression", outcome.regression},
            {"threads", verify::threads_used(request.common.threads)},
            {"build", to_json(build_info())}};
}

std::string replay_text(const ReplayRequest& request, const ReplayOutcome& outcome) {
    std::string text = fmt::format("recording   {}, by graze {}\n", printable(request.file),
                                   printable(outcome.version));
    if (outcome.differs_at) {
        text += fmt::format("differs     step {}, the first of {}\n            {}\n",
                            *outcome.differs_at, counted(outcome.steps, "step", "steps"),
                            outcome.difference.what);
        for (const std::string& file : outcome.regression)
            text += fmt::format("written     {}\n", printable(file));
    } else {
        text += fmt::format("same        {}, {}\n", counted(outcome.steps, "step", "steps"),
                            counted(outcome.impacts, "impact", "impacts"));
    }
    if (outcome.is_cut)
        text += "cut         the recording has no end: what is whole was replayed\n";
    return text;
}

Expected<ExitCode> run_replay(const ReplayRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const auto outcome = Replay(request).run();
    if (!outcome) return outcome.error();
    if (auto written = json->write(replay_json(request, *outcome)); !written)
        return written.error();
    if (!json->owns_stdout()) {
        if (auto printed = print_report(replay_text(request, *outcome)); !printed)
            return printed.error();
    }
    // 3, as of every command that found what must not be.
    if (outcome->differs_at) return ExitCode::Contact;
    if (outcome->damage) return *outcome->damage;
    return ExitCode::Success;
}

void check_replay_request(const ReplayRequest& request) {
    check_places({{"--regression", request.regression}, {"--json", request.common.json}},
                 {request.file});
}

}  // namespace

Command add_replay_command(App& app) {
    App* sub = app.add_command("replay", "Answer the steps of a recording again, and compare");
    const auto request = std::make_shared<ReplayRequest>();
    sub->add_option("FILE.gzr", request->file, "Recording")->required()->type_name("");
    sub->add_option("--regression", request->regression,
                    "Folder for files that show the first difference again")
        ->type_name("DIR");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kReplayExamples));
    sub->callback([request] { check_replay_request(*request); });
    return {sub, [request] { return run_replay(*request); }};
}

}  // namespace graze::app
