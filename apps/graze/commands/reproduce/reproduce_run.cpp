#include "reproduce_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cluster/block_run.hpp"
#include "reproduce_page.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

fs::path folder_of(const fs::path& out, const ReproduceItem& item) {
    return out / std::string(name(item.paper)) / std::string(item.id);
}

// A bar over all items, with the name of the one under way before it.
class ItemProgress {
public:
    explicit ItemProgress(std::size_t count) : count_(count), bar_(screen()) {}

    void begin(const ReproduceItem& item) {
        under_way_ = fmt::format("{} {} ", name(item.paper), item.id);
        const auto whole = static_cast<double>(std::max<std::size_t>(count_, 1));
        bar_.set_part(static_cast<double>(begun_) / whole, static_cast<double>(begun_ + 1) / whole);
        bar_.show(0.0);
        ++begun_;
    }
    [[nodiscard]] ProgressSink sink() noexcept { return bar_.sink(); }

private:
    // What is put begins with the code that clears the line; the name goes behind it.
    ProgressScreen screen() {
        ProgressScreen screen = terminal_screen();
        if (!screen.put) return screen;
        screen.put = [this, put = screen.put](const std::string& text) {
            const std::size_t bar = text.find('[', text.find('K'));
            put(bar == std::string::npos ? text
                                         : text.substr(0, bar) + under_way_ + text.substr(bar));
        };
        return screen;
    }

    std::size_t count_;
    std::size_t begun_ = 0;
    std::string under_way_;
    ShareProgress bar_;
};

ItemOutcome failed(ItemOutcome outcome, std::string message) {
    outcome.state = ItemState::Failed;
    outcome.message = std::move(message);
    return outcome;
}

// What an item throws is its own failure, not that of the others.
Expected<Reproduction> guarded_run(const ReproduceItem& item, const ReproduceOptions& options) {
    try {
        return item.run(options);
    } catch (const std::bad_alloc&) {
        return Error{"out of memory"};
    } catch (const std::exception& error) {
        return Error{error.what()};
    }
}

ItemOutcome run_item(ItemOutcome outcome, const ReproduceSettings& settings, const MadeWith& made,
                     const ReproduceOptions& options) {
    const Clock::time_point begin = Clock::now();
    auto result = guarded_run(outcome.item, options);
    // Whatever a stopped item returns, it is not the whole of it.
    if (options.stop.stop_requested()) return outcome;
    if (!result) return failed(std::move(outcome), result.error().message);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    auto stored = write_result(folder_of(settings.out, outcome.item), outcome.item, made,
                               std::move(*result), static_cast<std::uint64_t>(took.count()));
    if (!stored) return failed(std::move(outcome), stored.error().message);
    outcome.state = ItemState::Made;
    outcome.result = std::move(*stored);
    return outcome;
}

// What can be said of an item before anything is run.
ItemOutcome known_outcome(const ReproduceItem& item, bool may_keep,
                          const ReproduceSettings& settings, const MadeWith& made) {
    ItemOutcome outcome{item, ItemState::NotRun, "", {}};
    if (item.status != ItemStatus::Reproduced || item.run == nullptr) {
        outcome.state = ItemState::NotReproducible;
        return outcome;
    }
    if (!may_keep) return outcome;
    if (auto kept = read_result(folder_of(settings.out, item), made)) {
        outcome.state = ItemState::Kept;
        outcome.result = std::move(*kept);
    }
    return outcome;
}

// Makes the folder, and tries whether a file can appear in it before hours of work go by.
Expected<void> prepare_folder(const fs::path& out) {
    std::error_code error;
    fs::create_directories(out, error);
    if (error) return Error{out.string() + ": " + error.message()};
    auto file = OutputFile::create((out / "index.html").string());
    if (!file) return file.error();
    return {};
}

// Each item is a block: the rank that runs it writes its folder, and rank 0 reads it. A late rank may
// find results that others have just made, so rank 0 alone decides what is run.
Expected<void> run_on_ranks(ReproduceReport& report, const std::vector<std::size_t>& to_run,
                            const ReproduceSettings& settings) {
    Progress progress(ProgressTotal{to_run.size()}, terminal_screen("items"));
    BlockJob job;
    job.count = report.items.size();
    job.name = [&](std::size_t i) {
        return fmt::format("{} {}", name(report.items[i].item.paper), report.items[i].item.id);
    };
    job.is_known = [&](std::size_t i) {
        return !std::binary_search(to_run.begin(), to_run.end(), i);
    };
    job.run = [&](std::size_t i) -> Expected<Payload> {
        const ItemOutcome fresh{report.items[i].item, ItemState::NotRun, "", {}};
        const ItemOutcome made = run_item(fresh, settings, report.made, settings.options);
        PayloadWriter bytes;
        bytes.flag(made.state == ItemState::Made);
        bytes.text(made.message);
        return bytes.take();
    };
    job.reduce = [&](std::size_t i, const Payload& payload) -> Expected<void> {
        PayloadReader bytes(payload);
        const bool is_made = bytes.flag();
        std::string message = bytes.text();
        ItemOutcome& outcome = report.items[i];
        progress.advance(1);
        auto stored = is_made ? read_result(folder_of(settings.out, outcome.item), report.made)
                              : std::nullopt;
        if (is_made && !stored) message = "the result that another rank wrote cannot be read here";
        if (!stored) {
            outcome = failed(std::move(outcome), std::move(message));
            return {};
        }
        outcome.state = ItemState::Made;
        outcome.result = *std::move(stored);
        return {};
    };
    return run_blocks(job);
}

Expected<void> write_page(const ReproduceReport& report, const ReproduceSettings& settings) {
    auto file = OutputFile::create((settings.out / "index.html").string());
    if (!file) return file.error();
    if (auto written = file->write(reproduce_page(report, settings)); !written) return written;
    return file->finish();
}

}  // namespace

VerdictCounts count_verdicts(const StoredResult& result) {
    VerdictCounts counts;
    for (const ComparedRow& row : result.rows) {
        if (row.verdict.starts_with("agree"))
            ++counts.agree;
        else if (row.verdict.starts_with("better"))
            ++counts.better;
        else if (row.verdict.starts_with("differ"))
            ++counts.differ;
        else
            ++counts.other;
    }
    return counts;
}

std::string verdict_text(const VerdictCounts& counts) {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* one, const char* many) {
        if (count > 0)
            text +=
                fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
    };
    add(counts.agree, "agrees", "agree");
    add(counts.better, "better", "better");
    add(counts.differ, "differs", "differ");
    add(counts.other, "without published value", "without published value");
    return text.empty() ? "-" : text;
}

std::string_view status_text(ItemStatus status) noexcept {
    switch (status) {
        case ItemStatus::Reproduced:
            return "reproduced";
        case ItemStatus::WaitsForSimulator:
            return "waits for a simulator";
        case ItemStatus::NotReproducible:
            return "not reproducible";
    }
    return "";
}

std::string_view status_text(const ItemOutcome& outcome) noexcept {
    if (outcome.state == ItemState::Failed) return "failed";
    if (outcome.state == ItemState::NotRun) return "not run yet";
    return status_text(outcome.item.status);
}

std::size_t ReproduceReport::count(ItemState state) const noexcept {
    return static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(),
                      [state](const ItemOutcome& outcome) { return outcome.state == state; }));
}

Expected<ReproduceReport> reproduce(const std::vector<ReproduceItem>& items,
                                    const ItemChoice& is_chosen,
                                    const ReproduceSettings& settings) {
    if (auto prepared = prepare_folder(settings.out); !prepared) return prepared.error();
    ReproduceReport report;
    report.made = made_with(settings.options);
    std::vector<std::size_t> to_run;
    for (const ReproduceItem& item : items) {
        const bool chosen = is_chosen(item);
        report.items.push_back(
            known_outcome(item, !(chosen && settings.fresh), settings, report.made));
        if (chosen && report.items.back().state == ItemState::NotRun)
            to_run.push_back(report.items.size() - 1);
    }
    if (session() != nullptr) {
        if (auto done = run_on_ranks(report, to_run, settings); !done) return done.error();
    } else {
        ItemProgress progress(to_run.size());
        ReproduceOptions options = settings.options;
        options.progress = progress.sink();
        for (const std::size_t i : to_run) {
            if (options.stop.stop_requested()) break;
            progress.begin(report.items[i].item);
            report.items[i] = run_item(std::move(report.items[i]), settings, report.made, options);
        }
    }
    report.is_complete = std::none_of(to_run.begin(), to_run.end(), [&](std::size_t i) {
        return report.items[i].state == ItemState::NotRun;
    });
    if (auto written = write_page(report, settings); !written) return written.error();
    return report;
}

}  // namespace graze::app
