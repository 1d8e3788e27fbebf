#include "reproduce/wang2021_support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "compare/study_report.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/verify/methods.hpp"
#include "pictures/plot_svg.hpp"

namespace graze::app {
using namespace verify;
namespace {

// Queries that are in memory, as a source like any other.
class MemoryStream final : public io::QueryStream {
public:
    MemoryStream(QueryKind kind, std::shared_ptr<const std::vector<io::QueryRecord>> records)
        : kind_(kind), records_(std::move(records)) {}
    [[nodiscard]] QueryKind kind() const noexcept override { return kind_; }
    [[nodiscard]] Expected<std::optional<io::QueryRecord>> next() override {
        if (index_ >= records_->size()) return std::optional<io::QueryRecord>();
        return std::optional((*records_)[index_++]);
    }

private:
    QueryKind kind_;
    std::shared_ptr<const std::vector<io::QueryRecord>> records_;
    std::size_t index_ = 0;
};

QueryInput memory_input_of(QueryKind kind, std::vector<io::QueryRecord> records) {
    const auto shared = std::make_shared<const std::vector<io::QueryRecord>>(std::move(records));
    return {
        .name = "scenes",
        .group = "scenes",
        .kind = kind,
        .open = [kind, shared]() -> Expected<std::unique_ptr<io::QueryStream>> {
            return std::unique_ptr<io::QueryStream>(std::make_unique<MemoryStream>(kind, shared));
        },
        .estimate = [] { return std::optional<ProgressTotal>(); }};
}

constexpr std::array<generate::SceneId, 4> kPaperScenes = {
    generate::SceneId::FoldingSheet, generate::SceneId::CollidingSheets,
    generate::SceneId::TwistingMat, generate::SceneId::FastBall};
constexpr std::size_t kPairsOfAScene = 2000;
// The smallest of so many times counts, so that other work of the machine is no range of ours.
constexpr unsigned kPaperRepeat = 3;

QueryGroup scene_group(QueryKind kind) {
    QueryGroup group{"scenes", kind, {}};
    for (const PaperScene& scene : paper_scenes())
        group.inputs.push_back(memory_input_of(kind, scene_queries(scene.scene, kind)));
    return group;
}

std::vector<QueryGroup> embedded_groups() {
    std::vector<QueryGroup> groups = {{"embedded", QueryKind::VertexFace, {}},
                                      {"embedded", QueryKind::EdgeEdge, {}}};
    for (const io::EmbeddedSet& set : io::embedded_sets()) {
        for (QueryGroup& group : groups) {
            if (group.kind == set.kind) group.inputs.push_back(input_from(set));
        }
    }
    return groups;
}

std::optional<double> curve_value(const SweepRow& row, SweepCurve curve) {
    const Tally::Counts& counts = row.tally.counts();
    const auto fraction = [](std::uint64_t count, std::uint64_t total) -> std::optional<double> {
        if (total == 0) return std::nullopt;
        return static_cast<double>(count) / static_cast<double>(total);
    };
    switch (curve) {
        case SweepCurve::FalsePositives:
            return fraction(row.tally.false_positives().value_or(0), counts.with_truth);
        case SweepCurve::OverBudget:
            return fraction(counts.over_budget, counts.queries);
        case SweepCurve::Tolerance:
            return counts.max_tolerance;
        case SweepCurve::MeanWithRange:
        case SweepCurve::Mean:
            break;
    }
    const auto times = row.tally.times();
    return times ? std::optional(times->mean) : std::nullopt;
}

LineChart::Scale scale_of(SweepCurve curve) {
    switch (curve) {
        case SweepCurve::FalsePositives:
        case SweepCurve::OverBudget:
            return LineChart::Scale::Share;
        case SweepCurve::Tolerance:
            return LineChart::Scale::LogNumber;
        case SweepCurve::MeanWithRange:
        case SweepCurve::Mean:
            break;
    }
    return LineChart::Scale::LogTime;
}

std::string_view title_of(SweepCurve curve) {
    switch (curve) {
        case SweepCurve::FalsePositives:
            return "false positives";
        case SweepCurve::OverBudget:
            return "ended early";
        case SweepCurve::Tolerance:
            return "largest tolerance reached";
        case SweepCurve::MeanWithRange:
            return "mean, least and greatest time";
        case SweepCurve::Mean:
            break;
    }
    return "mean time";
}

std::vector<std::string> methods_in(const Sweep& sweep) {
    std::vector<std::string> methods;
    for (const SweepRow& row : sweep.rows) {
        if (std::find(methods.begin(), methods.end(), row.method.name) == methods.end())
            methods.emplace_back(row.method.name);
    }
    return methods;
}

std::string count_text_of(const std::optional<std::uint64_t>& count) {
    return count ? fmt::format("{}", *count) : "-";
}

}  // namespace

std::vector<PaperScene> paper_scenes() {
    std::vector<PaperScene> scenes;
    for (const generate::SceneId id : kPaperScenes)
        scenes.push_back({std::string(generate::name(id)),
                          generate::make_scene(id, {.seed = 0, .queries = 1000})});
    return scenes;
}

std::vector<io::QueryRecord> scene_queries(const generate::QueryScene& scene, QueryKind kind) {
    std::vector<generate::ScenePair> pairs;
    for (std::uint32_t step = 0; step < scene.steps.size(); ++step) {
        const auto more = generate::pairs_in_reach(scene, kind, step);
        pairs.insert(pairs.end(), more.begin(), more.end());
    }
    const Method certified = make_certified();
    std::vector<io::QueryRecord> records;
    for (const std::size_t i : generate::evenly_spread(kPairsOfAScene, pairs.size())) {
        io::QueryRecord record = generate::query_of(scene, kind, pairs[i]);
        record.truth = answer_of(certified, kind, record, {}).verdict == Verdict::Contact;
        records.push_back(record);
    }
    return records;
}

bool is_like_simulation(const QueryGroup& group) {
    return group.name == "simulation" || group.name == "scenes";
}

std::vector<QueryGroup> PaperQueries::handcrafted() const {
    std::vector<QueryGroup> chosen = groups;
    std::erase_if(chosen, is_like_simulation);
    return chosen;
}

std::vector<QueryGroup> PaperQueries::simulated() const {
    std::vector<QueryGroup> chosen = groups;
    std::erase_if(chosen, [](const QueryGroup& group) { return !is_like_simulation(group); });
    return chosen;
}

Expected<PaperQueries> paper_queries(const ReproduceOptions& options) {
    PaperQueries queries;
    queries.are_published = !options.data.empty();
    if (queries.are_published) {
        const auto inputs = inputs_in_folder(options.data, std::nullopt);
        if (!inputs) return inputs.error();
        queries.groups = study_groups(*inputs);
    } else {
        queries.groups = embedded_groups();
    }
    for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
        if (auto going = reached(options, 0.0); !going) return going.error();
        queries.groups.push_back(scene_group(kind));
    }
    return queries;
}

std::string label_of(const QueryGroup& group) {
    return fmt::format("{}, {}", group.name, long_name(group.kind));
}

Expected<Portion> paper_sample(const QueryGroup& group, std::uint64_t limit) {
    PortionReader reader(group, {.limit = limit, .thin_out = true, .stride = 1, .is_wanted = {}});
    return reader.next();
}

std::optional<Method> paper_method(std::string_view acronym) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames = {
        {{"IRF", "interval"},
         {"UIRF", "interval-univariate"},
         {"TCCD", "tight-bernstein"},
         {"RP", "root-parity"},
         {"RRP", "root-parity-exact"},
         {"BSC", "bernstein-sign"},
         {"MSRF", "min-separation-cubic"},
         {"Ours", "tight-inclusion-paper"}}};
    const MethodRegistry registry = all_methods();
    for (const auto& [known, name] : kNames) {
        if (known != acronym) continue;
        const Method* method = registry.find(name);
        return method != nullptr ? std::optional(*method) : std::nullopt;
    }
    // A method says in its summary which one of the paper it is.
    const std::string mark = fmt::format("({})", acronym);
    for (const Method& method : registry.all()) {
        if (method.summary.find(mark) != std::string_view::npos) return method;
    }
    return std::nullopt;
}

Expected<void> reached(const ReproduceOptions& options, double fraction) {
    options.progress.tell(fraction);
    if (options.stop.stop_requested()) return Error{"stopped", ErrorCode::Cancelled};
    return {};
}

PaperRun paper_run(const Method& method, const QueryGroup& group, const Portion& portion,
                   const CcdOptions& query, double budget_s) {
    AskOptions ask_options;
    ask_options.budget_s = budget_s;
    ask_options.repeat = kPaperRepeat;
    const Asked asked = ask({method, group.kind, query, {}}, portion.records, ask_options);
    PaperRun run;
    run.stride = asked.stride * portion.stride;
    for (std::size_t i = 0; i < asked.places.size(); ++i)
        run.tally.add(portion.records[asked.places[i]], asked.answers[i]);
    return run;
}

std::string run_text(const PaperRun& run) {
    const TimeSummary times = run.tally.times().value_or(TimeSummary{});
    return fmt::format("{}, {} FP, {} FN of {}", format_ns(times.mean),
                       count_text_of(run.tally.false_positives()),
                       count_text_of(run.tally.false_negatives()), run.tally.counts().queries);
}

std::string percent_text(std::uint64_t count, std::uint64_t total) {
    if (total == 0) return "-";
    return fmt::format("{:.3g} %", 100.0 * static_cast<double>(count) / static_cast<double>(total));
}

Expected<Sweep> run_paper_sweep(const PaperSweep& what, const ReproduceOptions& options) {
    const MethodRegistry registry = all_methods();
    std::vector<Method> methods;
    for (const std::string_view name : what.methods) {
        if (const Method* method = registry.find(name)) methods.push_back(*method);
    }
    StudyOptions study;
    study.ask.budget_s = what.budget_s;
    study.ask.repeat = kPaperRepeat;
    study.threads = options.threads;
    study.sample = what.sample;
    study.methods_are_named = true;
    Sweep sweep{.experiment = what.experiment, .values = what.values, .rows = {}};
    for (std::size_t i = 0; i < what.values.size(); ++i) {
        if (auto going =
                reached(options, static_cast<double>(i) / static_cast<double>(what.values.size()));
            !going) {
            return going.error();
        }
        study.values = {what.values[i]};
        Expected<Study> part = run_study({what.experiment}, methods, what.groups, study);
        if (!part) return part.error();
        for (Sweep& one : part->sweeps) {
            sweep.complete = sweep.complete && one.complete;
            sweep.rows.insert(sweep.rows.end(), one.rows.begin(), one.rows.end());
        }
    }
    return sweep;
}

const SweepRow* sweep_row(const Sweep& sweep, const QueryGroup& group, std::string_view method,
                          double value) {
    for (const SweepRow& row : sweep.rows) {
        if (row.group == group.name && row.kind == group.kind && row.method.name == method &&
            row.value == value) {
            return &row;
        }
    }
    return nullptr;
}

DataTable sweep_table(const Sweep& sweep, std::string table_name, std::string caption) {
    DataTable table{.name = std::move(table_name),
                    .caption = std::move(caption),
                    .headings = {"group", "kind", "method", "value", "queries", "least ns",
                                 "mean ns", "median ns", "greatest ns", "FP", "FN", "FP for d",
                                 "FN for d", "judged for d", "ended early", "largest tolerance"},
                    .rows = {}};
    for (const SweepRow& row : sweep.rows) {
        const Tally::Counts& counts = row.tally.counts();
        const TimeSummary times = row.tally.times().value_or(TimeSummary{});
        const auto exact = [&](std::uint64_t SeparationErrors::*field) {
            return row.exact ? fmt::format("{}", (*row.exact).*field) : "-";
        };
        table.rows.push_back(
            {row.group, std::string(long_name(row.kind)), std::string(row.method.name),
             value_text(row.value), fmt::format("{}", counts.queries),
             fmt::format("{:.0f}", times.min), fmt::format("{:.0f}", times.mean),
             fmt::format("{:.0f}", times.median), fmt::format("{:.0f}", times.max),
             count_text_of(row.tally.false_positives()), count_text_of(row.tally.false_negatives()),
             exact(&SeparationErrors::false_positives), exact(&SeparationErrors::false_negatives),
             exact(&SeparationErrors::judged), fmt::format("{}", counts.over_budget),
             counts.max_tolerance ? fmt::format("{:.3g}", *counts.max_tolerance) : "-"});
    }
    return table;
}

DataTable distribution_table(const Sweep& sweep, std::string table_name, std::string caption) {
    DataTable table{.name = std::move(table_name),
                    .caption = std::move(caption),
                    .headings = {"group", "kind", "method", "value"},
                    .rows = {}};
    for (const std::uint64_t bound : time_bin_bounds())
        table.headings.push_back(fmt::format("from {} ns", bound));
    for (const SweepRow& row : sweep.rows) {
        std::vector<std::string> cells = {row.group, std::string(long_name(row.kind)),
                                          std::string(row.method.name), value_text(row.value)};
        for (const std::uint64_t count : times_histogram(row.tally))
            cells.push_back(fmt::format("{}", count));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string sweep_chart(const Sweep& sweep, const QueryGroup& group, SweepCurve curve) {
    LineChart chart{.title = fmt::format("{}: {}", label_of(group), title_of(curve)),
                    .places = {},
                    .series = {},
                    .scale = scale_of(curve),
                    .name_lines = true,
                    .remark = ""};
    for (const double value : sweep.values)
        chart.places.push_back(value_text(value));
    const std::vector<std::string> methods = methods_in(sweep);
    for (std::size_t m = 0; m < methods.size(); ++m) {
        Series series{.label = methods[m], .colour = m, .y = {}};
        bool is_known = false;
        for (const double value : sweep.values) {
            const SweepRow* row = sweep_row(sweep, group, methods[m], value);
            series.y.push_back(row != nullptr ? curve_value(*row, curve) : std::nullopt);
            is_known = is_known || series.y.back().has_value();
            if (curve != SweepCurve::MeanWithRange) continue;
            const auto times = row != nullptr ? row->tally.times() : std::nullopt;
            series.low.push_back(times ? std::optional(times->min) : std::nullopt);
            series.high.push_back(times ? std::optional(times->max) : std::nullopt);
        }
        if (is_known) chart.series.push_back(std::move(series));
    }
    if (chart.series.empty()) chart.remark = "nothing measured";
    return line_chart(chart);
}

std::vector<std::string> distribution_plots(const Sweep& sweep, const QueryGroup& group,
                                            std::string_view method) {
    std::vector<const SweepRow*> rows;
    TimeHistogram all{};
    for (const double value : distribution_values(sweep.experiment)) {
        const SweepRow* row = sweep_row(sweep, group, method, value);
        if (row == nullptr) continue;
        rows.push_back(row);
        const TimeHistogram times = times_histogram(row->tally);
        for (std::size_t i = 0; i < kTimeBins; ++i)
            all[i] += times[i];
    }
    std::vector<std::string> plots;
    for (const SweepRow* row : rows) {
        plots.push_back(histogram_plot(
            {.title = fmt::format("{} {}, {} = {}", group.name, short_name(group.kind),
                                  subject_of(sweep.experiment).symbol, value_text(row->value)),
             .positive = row->tally.positive_times().histogram(),
             .negative = row->tally.negative_times().histogram()},
            bins_in_use(all)));
    }
    return plots;
}

}  // namespace graze::app
