#include "mesh_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/places.hpp"
#include "cli/progress.hpp"
#include "cluster/block_run.hpp"
#include "frame_list.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/hash.hpp"
#include "graze/verify/parallel.hpp"
#include "step_journal.hpp"

namespace graze::app {
namespace {

// --- One step, as JSON ---------------------------------------------------------------------------

// What lines and sums need of a step, read back from its JSON: a step that comes from a journal is
// reported in the same way as one that was just searched.
struct StepFigures {
    std::uint64_t contacts = 0;  // 0 with --first, which counts none
    std::uint64_t unresolved = 0;
    Verdict verdict = Verdict::Separated;
    std::string toi;  // as text; empty where nothing touches
    double seconds = 0.0;
};

bool is_null(const Json& step, std::string_view key) {
    const Json* value = step.find(key);
    return value == nullptr || value->dump() == "null";
}

StepFigures figures_of(const Json& step) {
    StepFigures figures;
    for (const QueryKind kind : kAllQueryKinds) {
        const Json* count = step.find(fmt::format("contacts_{}", short_name(kind)));
        if (count != nullptr) figures.contacts += count->as_natural().value_or(0);
    }
    if (const Json* count = step.find("unresolved"))
        figures.unresolved = count->as_natural().value_or(0);
    if (!is_null(step, "toi_upper")) {
        figures.verdict = Verdict::Contact;
    } else if (!is_null(step, "first") || !is_null(step, "toi_lower")) {
        figures.verdict = Verdict::Unresolved;
    }
    if (figures.verdict != Verdict::Separated && !is_null(step, "toi_lower"))
        figures.toi = step.find("toi_lower")->dump();
    if (const Json* seconds = step.find("seconds_total"))
        figures.seconds = seconds->as_number().value_or(0.0);
    return figures;
}

std::string step_line(std::size_t number, const Json& step, bool only_first) {
    const StepFigures figures = figures_of(step);
    const auto file = [&](std::string_view key) {
        const Json* name = step.find(key);
        const std::string* text = name == nullptr ? nullptr : name->as_text();
        return text == nullptr ? std::string()
                               : printable(std::filesystem::path(*text).filename().string());
    };
    std::string found = std::string(name(figures.verdict));
    if (!only_first) {
        found = fmt::format("{} contacts", figures.contacts);
        if (figures.unresolved > 0) found += fmt::format(", {} unresolved", figures.unresolved);
    }
    if (!figures.toi.empty()) found += ", first at t = " + figures.toi;
    return fmt::format("step {:<5} {} -> {}: {}, {:.4f} s\n", number, file("start"), file("end"),
                       found, figures.seconds);
}

// Searches one step. `request` names its two ends.
Expected<Json> searched_step(const MeshRequest& request, std::size_t number,
                             const std::function<void(double)>& show) {
    StepWatch watch;
    auto step = search_step(request, show, watch);
    if (!step) return step.error();
    step->outcome.seconds_total = watch.total();
    Json json = {{"step", number}, {"start", request.start}, {"end", request.end}};
    json.update(outcome_json(step->run->mesh(), step->outcome));
    if (step->outcome.bounds)
        json["bound"] = bounds_json(text_of(request.bound), *step->outcome.bounds);
    return json;
}

// --- What makes a journal that of this sequence --------------------------------------------------

// All that changes results but the contents of the files. Not the threads.
Json journal_settings(const MeshRequest& request, const std::vector<std::string>& frames) {
    const CcdOptions& options = request.choice.options;
    return {{"journal", "graze mesh"},
            {"version", build_info().version},
            {"method", request.method.name},
            {"bound", text_of(request.bound)},
            {"first", request.only_first},
            {"weld", request.welds},
            {"min_separation", options.min_separation},
            {"norm", name(options.norm)},
            {"distance_tolerance", options.distance_tolerance},
            {"time_width", options.time_width},
            {"t_max", options.t_max},
            {"max_checks", options.max_checks},
            {"frames", frames}};
}

// Of all bytes of a file.
Expected<std::string> content_hash(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return Error{path + ": --resume needs regular files", ErrorCode::CannotRead};
    std::ifstream file(path, std::ios::binary);
    verify::Fnv1a hash;
    std::array<char, 1 << 16> block{};
    while (file.read(block.data(), block.size()) || file.gcount() > 0) {
        for (std::streamsize i = 0; i < file.gcount(); ++i)
            hash.add(static_cast<unsigned char>(block[static_cast<std::size_t>(i)]), 1);
    }
    if (!file.eof()) return Error{path + ": cannot be read", ErrorCode::CannotRead};
    return fmt::format("{:016x}", hash.value());
}

// --- The sequence --------------------------------------------------------------------------------

class FrameSequence {
public:
    FrameSequence(const MeshRequest& request, std::vector<std::string> frames, bool prints)
        : request_(request),
          frames_(std::move(frames)),
          prints_(prints),
          progress_(std::make_shared<ShareProgress>(terminal_screen("stepping frames"))) {}

    Expected<void> run() {
        if (keeps_journal()) {
            if (auto opened = open_journal(); !opened) return opened;
        }
        const std::size_t kept = steps_.size();
        BlockJob job;
        job.count = frames_.size() - 1;
        job.name = [this](std::size_t i) { return frames_[i] + " to " + frames_[i + 1]; };
        job.is_known = [kept](std::size_t i) { return i < kept; };
        job.run = [this](std::size_t i) { return stepped(i); };
        job.reduce = [this](std::size_t, const Payload& payload) { return take_stepped(payload); };
        if (auto done = run_blocks(job); !done) return done;
        return request_.recording ? request_.recording->finish() : Expected<void>();
    }
    // After the results are written.
    void remove_journal() {
        if (journal_) journal_->remove();
    }
    [[nodiscard]] Json json() const;
    [[nodiscard]] std::string summary_text() const;
    [[nodiscard]] Verdict verdict() const {
        return app::verdict_of(steps_with(Verdict::Contact) > 0,
                               steps_with(Verdict::Unresolved) > 0);
    }

private:
    Expected<void> open_journal();
    // On rank 0, with --resume, and on several ranks wherever the results are a file.
    [[nodiscard]] bool keeps_journal() const {
        if (is_worker()) return false;
        const std::string& json = request_.common.json;
        return request_.resumes || (session() != nullptr && !json.empty() &&
                                    output_place_of(json).kind == PlaceKind::File);
    }
    // The step from this frame to the next, as the journal keeps it: on any rank, in any order.
    Expected<Payload> stepped(std::size_t number);
    // What stepped() gave, in the order of the steps.
    Expected<void> take_stepped(const Payload& payload);
    Expected<void> take(Json step);
    // The hashes of both ends of a step; steps that ascend read each file once.
    Expected<std::string> hashes(std::size_t step);

    [[nodiscard]] std::uint64_t steps_with(Verdict verdict) const {
        return static_cast<std::uint64_t>(
            std::count_if(steps_.begin(), steps_.end(),
                          [&](const Json& step) { return figures_of(step).verdict == verdict; }));
    }
    [[nodiscard]] std::optional<std::size_t> first_with_contact() const {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (figures_of(steps_[i]).verdict == Verdict::Contact) return i;
        return std::nullopt;
    }
    [[nodiscard]] StepFigures sums() const {
        StepFigures sums;
        for (const Json& step : steps_) {
            const StepFigures figures = figures_of(step);
            sums.contacts += figures.contacts;
            sums.unresolved += figures.unresolved;
            sums.seconds += figures.seconds;
        }
        return sums;
    }

    const MeshRequest& request_;
    std::vector<std::string> frames_;
    bool prints_;
    std::shared_ptr<ShareProgress> progress_;
    std::optional<StepJournal> journal_;
    std::map<std::size_t, std::string> hashes_;  // of the frames of the last step
    std::vector<Json> steps_;
};

Expected<std::string> FrameSequence::hashes(std::size_t step) {
    std::map<std::size_t, std::string> both;
    for (const std::size_t frame : {step, step + 1}) {
        if (const auto known = hashes_.find(frame); known != hashes_.end()) {
            both.insert(*known);
            continue;
        }
        auto hash = content_hash(frames_[frame]);
        if (!hash) return hash.error();
        both.emplace(frame, *std::move(hash));
    }
    hashes_ = std::move(both);
    return hashes_[step] + " " + hashes_[step + 1];
}

// Takes the steps of the journal up to the first whose files have changed.
Expected<void> FrameSequence::open_journal() {
    std::error_code ignored;
    if (!request_.resumes) std::filesystem::remove(journal_of(request_), ignored);
    auto journal = StepJournal::open(journal_of(request_), journal_settings(request_, frames_));
    if (!journal) return journal.error();
    journal_.emplace(*std::move(journal));
    const std::vector<Json> kept = journal_->kept();
    for (const Json& record : kept) {
        if (steps_.size() + 1 >= frames_.size()) break;
        const auto now = hashes(steps_.size());
        if (!now) return now.error();
        const Json* files = record.find("files");
        const Json* step = record.find("result");
        const bool is_same = files != nullptr && files->as_text() != nullptr &&
                             *files->as_text() == *now && step != nullptr && step->is_object();
        if (!is_same) break;
        if (auto taken = take(*step); !taken) return taken;
    }
    if (!steps_.empty())
        tell(fmt::format("{}: {} steps taken from it", journal_of(request_), steps_.size()));
    return journal_->keep(steps_.size());
}

Expected<void> FrameSequence::take(Json step) {
    if (prints_) {
        if (auto printed = print(step_line(steps_.size(), step, request_.only_first)); !printed)
            return printed;
    }
    steps_.push_back(std::move(step));
    return {};
}

Expected<Payload> FrameSequence::stepped(std::size_t number) {
    MeshRequest own = request_;
    own.start = frames_[number];
    own.end = frames_[number + 1];
    const auto count = static_cast<double>(frames_.size() - 1);
    const auto show = [this, number, count](double fraction) {
        if (session() == nullptr) progress_->show((static_cast<double>(number) + fraction) / count);
    };
    // Before the search: files that change meanwhile are not taken for what was searched.
    const bool is_kept = journal_ || session() != nullptr;
    const Expected<std::string> files = is_kept ? hashes(number) : std::string();
    if (!files) return files.error();
    auto step = searched_step(own, number, show);
    if (!step) return step.error();
    const std::string text = Json{{"files", *files}, {"result", *step}}.dump();
    return Payload(text.begin(), text.end());
}

Expected<void> FrameSequence::take_stepped(const Payload& payload) {
    const auto record = Json::parse(std::string(payload.begin(), payload.end()));
    const Json* step = record ? record->find("result") : nullptr;
    if (step == nullptr) return Error{"the result of a step is not whole"};
    if (journal_) {
        if (auto added = journal_->add(*record); !added) return added;
    }
    if (const Json* warnings = step->find("warnings")) {
        for (const Json& warning : warnings->elements())
            if (warning.as_text() != nullptr) warn(*warning.as_text());
    }
    if (session() != nullptr)
        progress_->show(static_cast<double>(steps_.size() + 1) /
                        static_cast<double>(frames_.size() - 1));
    return take(*step);
}

Json FrameSequence::json() const {
    const StepFigures all = sums();
    const CcdOptions& options = request_.choice.options;
    const bool counts = !request_.only_first;
    return {{"method", request_.method.name},
            {"frames", frames_},
            {"steps", steps_},
            {"summary",
             {{"steps", steps_.size()},
              {"steps_with_contact", steps_with(Verdict::Contact)},
              {"steps_unresolved", steps_with(Verdict::Unresolved)},
              {"first_step_with_contact", json_optional(first_with_contact())},
              {"contacts", counts ? Json(all.contacts) : Json(nullptr)},
              {"unresolved", counts ? Json(all.unresolved) : Json(nullptr)},
              {"seconds_total", json_number(all.seconds)}}},
            {"min_separation", options.min_separation},
            {"norm", name(options.norm)},
            {"t_max", options.t_max},
            {"time_width", options.time_width},
            {"threads", verify::threads_used(request_.common.threads)},
            {"build", to_json(build_info())}};
}

std::string FrameSequence::summary_text() const {
    const StepFigures all = sums();
    const auto first = first_with_contact();
    std::string text = fmt::format("summary     {} steps, {} with contact", steps_.size(),
                                   steps_with(Verdict::Contact));
    if (first) text += fmt::format(" (the first is step {})", *first);
    if (!request_.only_first)
        text += fmt::format(", {} contacts, {} unresolved", all.contacts, all.unresolved);
    return text + fmt::format(", {:.4f} s\n", all.seconds);
}

}  // namespace

bool is_sequence(const MeshRequest& request) {
    if (!request.more.empty()) return true;
    if (!request.end.empty()) return false;
    std::error_code error;
    return std::filesystem::is_directory(request.start, error) || is_frame_pattern(request.start);
}

std::vector<std::string> frames_named(const MeshRequest& request) {
    std::vector<std::string> frames = {request.start};
    if (!request.end.empty()) frames.push_back(request.end);
    frames.insert(frames.end(), request.more.begin(), request.more.end());
    return frames;
}

std::string journal_of(const MeshRequest& request) {
    return request.common.json + ".journal";
}

Expected<ExitCode> run_mesh_sequence(const MeshRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    auto frames = request.end.empty() ? find_frames(request.start) : frames_named(request);
    if (!frames) return frames.error();
    const bool prints = !json->owns_stdout();
    FrameSequence sequence(request, *std::move(frames), prints);
    if (auto done = sequence.run(); !done) return done.error();
    if (auto written = json->write(sequence.json()); !written) return written.error();
    sequence.remove_journal();
    const ExitCode code = exit_code_of(sequence.verdict(), request.exit_code);
    if (!prints) return code;
    return succeeded(print_report(sequence.summary_text()), code);
}

}  // namespace graze::app
