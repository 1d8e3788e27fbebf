// Wang et al. 2021: all methods on all queries. Figure 1, Table 1, Figure 7, section 5.3, appendix A.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "compare/study_report.hpp"
#include "graze/io/query_file.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "graze/verify/methods.hpp"
#include "pictures/plot_sheet.hpp"
#include "pictures/plot_svg.hpp"
#include "reproduce/wang2021_support.hpp"

namespace graze::app {
using namespace verify;
namespace {

// --- Table 1 -------------------------------------------------------------------------------------

struct Table1Cell {
    double us;
    std::uint64_t false_positives;
    std::uint64_t false_negatives;
};
struct Table1Column {
    std::string_view acronym;
    // Handcrafted vertex-face (12 K), edge-edge (15 K), simulation vertex-face (18 M), edge-edge (41 M).
    std::array<Table1Cell, 4> sets;
};
constexpr std::array<std::string_view, 4> kTable1Sizes = {"12 K", "15 K", "18 M", "41 M"};
constexpr std::array<Table1Column, 9> kTable1 = {{
    {"IRF", {{{14942.40, 87, 0}, {12452.60, 141, 0}, {115.89, 2, 0}, {215.80, 71, 0}}}},
    {"UIRF", {{{124242.00, 146, 0}, {18755.80, 268, 0}, {6191.98, 18, 0}, {846.57, 16781, 0}}}},
    {"FPRF", {{{2.18, 9, 70}, {0.48, 5, 147}, {7.53, 0, 5184}, {0.23, 0, 2317}}}},
    {"TCCD", {{{0.38, 903, 0}, {0.33, 404, 0}, {0.24, 95638, 0}, {0.23, 82277, 0}}}},
    {"RP", {{{1.41, 3, 5}, {2.33, 3, 8}, {0.25, 0, 0}, {0.37, 0, 7}}}},
    {"RRP", {{{928.08, 0, 5}, {1271.32, 0, 8}, {1085.13, 0, 0}, {1468.70, 0, 7}}}},
    {"BSC", {{{176.17, 11, 13}, {121.80, 28, 47}, {34.21, 23015, 0}, {12.87, 4593, 27}}}},
    {"MSRF", {{{12.90, 16, 386}, {2.72, 14, 335}, {51.07, 75, 0}, {10.39, 228, 1}}}},
    {"Ours", {{{1532.54, 108, 0}, {3029.83, 214, 0}, {0.74, 2, 0}, {0.78, 17, 0}}}},
}};
// Beside them, without a published column.
constexpr std::array<std::string_view, 4> kMoreMethods = {"certified", "tight-inclusion",
                                                          "safe-cubic", "additive"};

std::size_t table_1_set(const QueryGroup& group) {
    return (is_like_simulation(group) ? 2U : 0U) + (group.kind == QueryKind::EdgeEdge ? 1U : 0U);
}

struct NamedMethod {
    std::string label;  // "IRF (interval)", "certified"
    Method method;
    const Table1Column* published = nullptr;
};

std::vector<NamedMethod> table_1_methods() {
    std::vector<NamedMethod> list;
    for (const Table1Column& column : kTable1) {
        if (const auto method = paper_method(column.acronym))
            list.push_back(
                {fmt::format("{} ({})", column.acronym, method->name), *method, &column});
    }
    const MethodRegistry registry = all_methods();
    for (const std::string_view name : kMoreMethods) {
        if (const Method* method = registry.find(name))
            list.push_back({std::string(name), *method, nullptr});
    }
    return list;
}

struct TableRun {
    QueryGroup group;
    NamedMethod method;
    PaperRun run;
};

Expected<std::vector<TableRun>> run_all_methods(const ReproduceOptions& options, double budget_s) {
    const auto queries = paper_queries(options);
    if (!queries) return queries.error();
    std::vector<TableRun> runs;
    for (std::size_t g = 0; g < queries->groups.size(); ++g) {
        const QueryGroup& group = queries->groups[g];
        const auto portion = paper_sample(group, options.quick ? 2048 : 65536);
        if (!portion) return portion.error();
        for (const NamedMethod& method : table_1_methods()) {
            const auto going = reached(
                options, static_cast<double>(g) / static_cast<double>(queries->groups.size()));
            if (!going) return going.error();
            if (!supports(method.method, group.kind)) continue;
            runs.push_back(
                {group, method, paper_run(method.method, group, *portion, {}, budget_s)});
        }
    }
    return runs;
}

std::string cell_text(const Table1Cell& cell, std::string_view size) {
    return fmt::format("{:.2f} us, {} FP, {} FN of {}", cell.us, cell.false_positives,
                       cell.false_negatives, size);
}

std::string table_1_verdict(const TableRun& run) {
    const std::uint64_t missed = run.run.tally.false_negatives().value_or(0);
    if (missed > 0 && run.method.method.guarantee.no_false_negatives)
        return "differs: a proved method missed";
    if (run.method.published == nullptr) return missed == 0 ? "no false negative" : "it misses";
    const Table1Cell& cell = run.method.published->sets[table_1_set(run.group)];
    if (missed == 0 && cell.false_negatives == 0) return "agrees: no false negative";
    if (missed > 0 && cell.false_negatives > 0) return "agrees: it misses";
    if (missed == 0) return "better or too small a sample: no miss here";
    return "differs: misses on these queries";
}

void add_bars(const std::vector<TableRun>& runs, const QueryGroup& group,
              std::vector<std::string>& plots) {
    std::vector<BarRow> bars;
    std::vector<double> values;
    for (const TableRun& run : runs) {
        if (run.group.name != group.name || run.group.kind != group.kind) continue;
        const TimeSummary times = run.run.tally.times().value_or(TimeSummary{});
        values.push_back(std::max(times.median, 10.0));
        values.push_back(times.max);
        const std::uint64_t missed = run.run.tally.false_negatives().value_or(0);
        const std::uint64_t wrong = run.run.tally.false_positives().value_or(0);
        bars.push_back({.label = run.method.published != nullptr
                                     ? std::string(run.method.published->acronym)
                                     : run.method.label,
                        .tooltip = run.method.label,
                        .css_class = missed > 0 ? "miss" : (wrong > 0 ? "near" : "right"),
                        .times = times,
                        .false_positives = run.run.tally.false_positives(),
                        .false_negatives = run.run.tally.false_negatives(),
                        .note = fmt::format("of {}", run.run.tally.counts().queries)});
    }
    plots.push_back(bar_chart(bars, time_axis(values, 0.0, 1.0)));
}

DataTable table_1_data(const std::vector<TableRun>& runs) {
    DataTable table{.name = "table-1",
                    .caption = "Time, false positives and false negatives of all methods",
                    .headings = {"group", "kind", "method", "queries", "of them contacts",
                                 "mean ns", "median ns", "greatest ns", "FP", "FN", "unresolved",
                                 "published us", "published FP", "published FN"},
                    .rows = {}};
    for (const TableRun& run : runs) {
        const TimeSummary times = run.run.tally.times().value_or(TimeSummary{});
        const Tally::Counts& counts = run.run.tally.counts();
        const auto number = [](auto value) { return fmt::format("{}", value); };
        std::vector<std::string> cells = {run.group.name,
                                          std::string(long_name(run.group.kind)),
                                          run.method.label,
                                          number(counts.queries),
                                          number(counts.true_contacts),
                                          fmt::format("{:.0f}", times.mean),
                                          fmt::format("{:.0f}", times.median),
                                          fmt::format("{:.0f}", times.max),
                                          number(counts.false_positives),
                                          number(counts.false_negatives),
                                          number(counts.unresolved)};
        if (run.method.published != nullptr) {
            const Table1Cell& cell = run.method.published->sets[table_1_set(run.group)];
            cells.insert(cells.end(), {fmt::format("{:.2f}", cell.us), number(cell.false_positives),
                                       number(cell.false_negatives)});
        } else {
            cells.insert(cells.end(), {"-", "-", "-"});
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string who_misses(const std::vector<TableRun>& runs) {
    std::string text;
    for (const NamedMethod& method : table_1_methods()) {
        const bool misses = std::any_of(runs.begin(), runs.end(), [&](const TableRun& run) {
            return run.method.label == method.label &&
                   run.run.tally.false_negatives().value_or(0) > 0;
        });
        if (misses) text += (text.empty() ? "" : ", ") + method.label;
    }
    return text.empty() ? "none of the methods" : text;
}

// Each group and kind once, in the order of the runs.
std::vector<QueryGroup> groups_in(const std::vector<TableRun>& runs) {
    std::vector<QueryGroup> groups;
    for (const TableRun& run : runs) {
        const bool is_known =
            std::any_of(groups.begin(), groups.end(), [&](const QueryGroup& group) {
                return group.name == run.group.name && group.kind == run.group.kind;
            });
        if (!is_known) groups.push_back(run.group);
    }
    return groups;
}

constexpr std::string_view kSetsNote =
    "Handcrafted and embedded queries stand beside the paper's handcrafted set, simulation queries "
    "and broad-phase pairs of our scenes beside its simulation set; all are smaller and other "
    "queries, so that counts compare in kind (who misses) and not in number.";

// --- Section 5.3 ---------------------------------------------------------------------------------

// Queries that spent a limit, asked again with a higher one.
struct Unlimited {
    std::uint64_t again = 0;
    double mean_ns = 0.0;
    std::uint64_t still_over = 0;
};

Unlimited without_limit(const Method& method, const QueryGroup& group, const Portion& portion,
                        const CcdOptions& limited, const CcdOptions& wide,
                        const ReproduceOptions& options) {
    Unlimited result;
    double sum = 0.0;
    const Seconds now = steady_seconds();
    for (const io::QueryRecord& record : portion.records) {
        if (options.stop.stop_requested()) break;
        const double begin = now();
        CcdResult answer = answer_of(method, group.kind, record, limited);
        if (is_over_budget(limited, answer)) {
            ++result.again;
            const double restart = now();
            answer = answer_of(method, group.kind, record, wide);
            result.still_over += is_over_budget(wide, answer) ? 1 : 0;
            sum += now() - restart;
        } else {
            sum += now() - begin;
        }
    }
    result.mean_ns =
        1e9 * sum / static_cast<double>(std::max<std::size_t>(portion.records.size(), 1));
    return result;
}

std::string tolerance_verdict(double largest, bool is_simulated) {
    constexpr double kDelta = 1e-6;
    const bool is_above = largest > 1.01 * kDelta;
    if (is_above == is_simulated) return "differs: other queries";
    if (!is_above) return "agrees: delta is kept";
    return largest < 1e-3 ? "agrees: above delta, where checks are spent"
                          : "differs: some of these queries have large coordinates";
}

std::string over_verdict(const Tally::Counts& counts, bool is_simulated) {
    if (is_simulated) return counts.over_budget == 0 ? "agrees" : "differs: other queries";
    if (counts.over_budget == 0) return "too small a sample: none here";
    // Published are 1 in 400 and 1 in 180.
    return 20 * counts.over_budget <= counts.queries ? "agrees: a few"
                                                     : "differs: more of these are degenerate";
}

// --- Appendix A ----------------------------------------------------------------------------------

// A folder that goes away with its files.
class AppendixFolder {
public:
    AppendixFolder()
        : path_(std::filesystem::temp_directory_path() /
                fmt::format("graze-{:016x}", std::random_device{}() +
                                                 (std::uint64_t{std::random_device{}()} << 32U))) {
        std::error_code error;
        std::filesystem::create_directories(path_, error);
    }
    AppendixFolder(const AppendixFolder&) = delete;
    AppendixFolder& operator=(const AppendixFolder&) = delete;
    ~AppendixFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

// What a CSV file of the format cannot hold: the sign of zero, and times.
io::QueryRecord as_csv_holds(io::QueryRecord record) {
    record.first_time.reset();
    for (MovingPoint& corner : record.corners) {
        for (Vec3* point : {&corner.start, &corner.end})
            *point = {point->x + 0.0, point->y + 0.0, point->z + 0.0};
    }
    return record;
}

bool has_same_bits(const io::QueryRecord& a, const io::QueryRecord& b) {
    const auto same = [](double x, double y) {
        return x == y && std::signbit(x) == std::signbit(y);
    };
    const auto same_point = [&](const Vec3& p, const Vec3& q) {
        return same(p.x, q.x) && same(p.y, q.y) && same(p.z, q.z);
    };
    for (std::size_t i = 0; i < a.corners.size(); ++i) {
        if (!same_point(a.corners[i].start, b.corners[i].start) ||
            !same_point(a.corners[i].end, b.corners[i].end)) {
            return false;
        }
    }
    return a.truth == b.truth;
}

struct CsvRoundTrip {
    std::size_t queries = 0;
    std::size_t same = 0;
    std::uintmax_t bytes = 0;
    double write_s = 0.0;
    double read_s = 0.0;
};

Expected<CsvRoundTrip> csv_round_trip(const QueryGroup& group, const Portion& portion) {
    const AppendixFolder folder;
    const std::filesystem::path file = folder.path() / "queries.csv";
    const Seconds now = steady_seconds();
    CsvRoundTrip trip;
    trip.queries = portion.records.size();
    const double begin = now();
    auto writer = io::create_query_file(file, group.kind, io::QueryFormat::Csv);
    if (!writer) return writer.error();
    for (const io::QueryRecord& record : portion.records) {
        if (auto added = (*writer)->add(as_csv_holds(record)); !added) return added.error();
    }
    if (auto finished = (*writer)->finish(); !finished) return finished.error();
    trip.write_s = now() - begin;
    std::error_code error;
    trip.bytes = std::filesystem::file_size(file, error);
    const double reading = now();
    io::QuerySource source;
    source.kind = group.kind;
    source.queries = file;
    const auto back = io::read_all(source);
    if (!back) return back.error();
    trip.read_s = now() - reading;
    for (std::size_t i = 0; i < std::min(back->size(), portion.records.size()); ++i)
        trip.same += has_same_bits((*back)[i], as_csv_holds(portion.records[i])) ? 1 : 0;
    return trip;
}

}  // namespace

Expected<Reproduction> reproduce_table_1(const ReproduceOptions& options) {
    const auto runs = run_all_methods(options, options.quick ? 0.15 : 5.0);
    if (!runs) return runs.error();
    Reproduction result;
    for (const TableRun& run : *runs) {
        const std::size_t set = table_1_set(run.group);
        result.rows.push_back({fmt::format("{}, {}", run.method.label, label_of(run.group)),
                               run.method.published != nullptr
                                   ? cell_text(run.method.published->sets[set], kTable1Sizes[set])
                                   : "-",
                               run_text(run.run), table_1_verdict(run)});
    }
    std::vector<std::string> plots;
    for (const QueryGroup& group : groups_in(*runs))
        add_bars(*runs, group, plots);
    result.conclusion =
        fmt::format(
            "Contacts are missed by: {}. Where a baseline is better than published, it is "
            "our own code and not the reference: RP and RRP handle the degenerate cases, "
            "TCCD has guarded arithmetic. ",
            who_misses(*runs)) +
        std::string(kSetsNote);
    std::string order;
    for (const QueryGroup& group : groups_in(*runs))
        order += fmt::format("{}{}", order.empty() ? "" : "; ", label_of(group));
    result.drawings.push_back(
        {"table-1", "Time, false positives and false negatives by method.",
         plot_sheet({.title = "All methods (Table 1)",
                     .plots = plots,
                     .notes = {"From the top: " + order + ".",
                               "Bar: mean, notch: median, line: to the greatest time. Blue: no "
                               "mistake, yellow: false positives, red: misses contacts."},
                     .width = 700.0})});
    result.tables.push_back(table_1_data(*runs));
    return result;
}

Expected<Reproduction> reproduce_figure_1(const ReproduceOptions& options) {
    const auto runs = run_all_methods(options, options.quick ? 0.06 : 2.0);
    if (!runs) return runs.error();
    Reproduction result;
    LineChart positives{.title = "false positives",
                        .places = {},
                        .series = {{"false positives", 4, {}}},
                        .scale = LineChart::Scale::Share,
                        .name_lines = false,
                        .remark = "",
                        .position_width = 64.0};
    positives.series[0].is_joined = false;
    LineChart negatives = positives;
    negatives.title = "false negatives";
    negatives.series[0].label = "false negatives";
    negatives.series[0].colour = 1;
    LineChart times = positives;
    times.title = "mean time";
    times.series[0].label = "mean time";
    times.series[0].colour = 0;
    times.scale = LineChart::Scale::LogTime;
    for (const NamedMethod& method : table_1_methods()) {
        std::uint64_t asked = 0;
        std::uint64_t contacts = 0;
        std::uint64_t wrong = 0;
        std::uint64_t missed = 0;
        double sum_ns = 0.0;
        double published_missed = 0.0;
        double published_wrong = 0.0;
        for (const TableRun& run : *runs) {
            if (run.method.label != method.label) continue;
            const Tally::Counts& counts = run.run.tally.counts();
            asked += counts.queries;
            contacts += counts.true_contacts;
            wrong += counts.false_positives;
            missed += counts.false_negatives;
            sum_ns += run.run.tally.times().value_or(TimeSummary{}).mean *
                      static_cast<double>(counts.queries);
        }
        if (asked == 0) continue;
        if (method.published != nullptr) {
            for (const Table1Cell& cell : method.published->sets) {
                published_missed += static_cast<double>(cell.false_negatives);
                published_wrong += static_cast<double>(cell.false_positives);
            }
        }
        const double mean_ns = sum_ns / static_cast<double>(asked);
        const std::string short_label =
            method.published != nullptr
                ? std::string(method.published->acronym)
                : std::string(method.label == "tight-inclusion" ? "tight-incl." : method.label);
        for (LineChart* chart : {&positives, &negatives, &times})
            chart->places.push_back(short_label);
        const std::uint64_t misses = asked - contacts;
        const auto fraction = [](std::uint64_t count, std::uint64_t total) {
            return static_cast<double>(count) /
                   static_cast<double>(std::max<std::uint64_t>(total, 1));
        };
        positives.series[0].y.push_back(fraction(wrong, misses));
        negatives.series[0].y.push_back(fraction(missed, contacts));
        times.series[0].y.push_back(mean_ns);
        result.rows.push_back(
            {method.label,
             method.published != nullptr
                 ? fmt::format("{:.0f} FP and {:.0f} FN of 60 M (sums of Table 1)", published_wrong,
                               published_missed)
                 : "-",
             fmt::format("{} FP of {} misses, {} FN of {} contacts, mean {}", wrong, misses, missed,
                         contacts, format_ns(mean_ns)),
             method.published == nullptr ? (missed == 0 ? "no false negative" : "it misses")
             : (missed == 0) == (published_missed == 0.0)
                 ? (missed == 0 ? "agrees: no false negative" : "agrees: it misses")
                 : (missed == 0 ? "better or too small a sample: no miss here"
                                : "differs: misses on these queries")});
    }
    result.conclusion =
        "Each method over all groups together; slow methods answer fewer queries, so the mean over "
        "groups is weighted by what each was asked. " +
        std::string(kSetsNote);
    result.drawings.push_back(
        {"figure-1", "False positives, false negatives and mean time by method.",
         plot_sheet({.title = "Overview of all methods (Figure 1)",
                     .plots = {line_chart(positives), line_chart(negatives), line_chart(times)},
                     .notes = {"False positives as a fraction of the misses, false negatives as a "
                               "fraction of the contacts."},
                     .width = 900.0})});
    return result;
}

Expected<Reproduction> reproduce_figure_7(const ReproduceOptions& options) {
    const auto queries = paper_queries(options);
    if (!queries) return queries.error();
    Reproduction result;
    std::vector<TableRun> runs;
    TimeHistogram all{};
    const std::vector<NamedMethod> methods = {
        {"tight-inclusion-paper", make_tight_inclusion_paper(), nullptr},
        {"certified", make_certified(), nullptr}};
    for (const QueryGroup& group : queries->groups) {
        const auto portion = paper_sample(group, options.quick ? 2048 : 65536);
        if (!portion) return portion.error();
        for (const NamedMethod& method : methods) {
            if (auto going = reached(options, 0.5); !going) return going.error();
            runs.push_back(
                {group, method,
                 paper_run(method.method, group, *portion, {}, options.quick ? 0.7 : 20.0)});
            const TimeHistogram times = times_histogram(runs.back().run.tally);
            for (std::size_t i = 0; i < kTimeBins; ++i)
                all[i] += times[i];
        }
    }
    std::vector<std::string> plots;
    DataTable table{.name = "figure-7",
                    .caption = "Answers by time",
                    .headings = {"group", "kind", "method", "answers"},
                    .rows = {}};
    for (const std::uint64_t bound : time_bin_bounds())
        table.headings.push_back(fmt::format("from {} ns", bound));
    for (const TableRun& run : runs) {
        const TimeSample& positive = run.run.tally.positive_times();
        const TimeSample& negative = run.run.tally.negative_times();
        plots.push_back(histogram_plot(
            {.title = fmt::format("{} {}: {}", run.group.name, short_name(run.group.kind),
                                  run.method.method.name),
             .positive = positive.histogram(),
             .negative = negative.histogram()},
            bins_in_use(all)));
        for (const bool is_positive : {true, false}) {
            const TimeSample& sample = is_positive ? positive : negative;
            std::vector<std::string> cells = {
                run.group.name, std::string(long_name(run.group.kind)),
                std::string(run.method.method.name), is_positive ? "contact" : "separated"};
            for (const std::uint64_t count : sample.histogram())
                cells.push_back(fmt::format("{}", count));
            table.rows.push_back(std::move(cells));
        }
        const TimeSummary hits = positive.summary().value_or(TimeSummary{});
        const TimeSummary misses = negative.summary().value_or(TimeSummary{});
        const bool has_both = positive.size() > 0 && negative.size() > 0;
        result.rows.push_back(
            {fmt::format("{}, {}", run.method.method.name, label_of(run.group)),
             run.method.method.name == "certified"
                 ? "-"
                 : "histograms: positive slower than negative, long tail when handcrafted",
             fmt::format("{} positive: median {}, greatest {}; {} negative: median {}, greatest {}",
                         positive.size(), format_ns(hits.median), format_ns(hits.max),
                         negative.size(), format_ns(misses.median), format_ns(misses.max)),
             !has_both                     ? "one kind of answer alone"
             : hits.median > misses.median ? "agrees: positive ones are slower"
                                           : "differs: positive ones are not slower"});
    }
    result.conclusion =
        "As in the figure, positive queries of the inclusion method take longer than negative "
        "ones, "
        "and the degenerate queries make a tail of four decades; `certified` has no such tail.";
    result.drawings.push_back(
        {"figure-7", "Histograms of run times of positive and negative queries.",
         plot_sheet({.title = "Run times of positive and negative queries (Figure 7)",
                     .plots = plots,
                     .notes = {"Answers contact above, separated below the axis; heights "
                               "logarithmic."},
                     .width = 760.0})});
    result.tables.push_back(std::move(table));
    return result;
}

Expected<Reproduction> reproduce_section_5_3(const ReproduceOptions& options) {
    const auto queries = paper_queries(options);
    if (!queries) return queries.error();
    const Method method = make_tight_inclusion_paper();
    CcdOptions wide;
    wide.max_checks = options.quick ? std::uint64_t{1} << 21U : std::uint64_t{1} << 27U;
    CcdOptions hundred;
    hundred.max_checks = 100;
    Reproduction result;
    DataTable table{
        .name = "section-5-3",
        .caption = "Early termination",
        .headings = {"group", "kind", "queries", "over 1e6 checks", "largest tolerance", "mean ns",
                     "mean ns without limit", "over the wide limit", "over 100 checks"},
        .rows = {}};
    for (const QueryGroup& group : queries->groups) {
        if (auto going = reached(options, 0.3); !going) return going.error();
        const bool is_simulated = is_like_simulation(group);
        const bool is_face = group.kind == QueryKind::VertexFace;
        const auto portion =
            paper_sample(group, (options.quick ? 1U : 16U) * (is_simulated ? 1024U : 96U));
        if (!portion) return portion.error();
        const PaperRun run = paper_run(method, group, *portion, {}, options.quick ? 2.0 : 60.0);
        const PaperRun early = paper_run(method, group, *portion, hundred, 1.0);
        const Unlimited free = without_limit(method, group, *portion, {}, wide, options);
        const Tally::Counts& counts = run.tally.counts();
        const std::string over = percent_text(counts.over_budget, counts.queries);
        const std::string largest =
            counts.max_tolerance ? fmt::format("{:.2e}", *counts.max_tolerance) : "-";
        const double mean = run.tally.times().value_or(TimeSummary{}).mean;
        result.rows.push_back({fmt::format("queries over 1e6 checks, {}", label_of(group)),
                               is_simulated ? "none" : (is_face ? "0.25 %" : "0.55 %"),
                               fmt::format("{} of {}", over, counts.queries),
                               over_verdict(counts, is_simulated)});
        result.rows.push_back(
            {fmt::format("largest tolerance reached (delta = 1e-6), {}", label_of(group)),
             is_simulated ? "1e-6" : (is_face ? "2.14e-5" : "6.41e-5"), largest,
             tolerance_verdict(counts.max_tolerance.value_or(0.0), is_simulated)});
        result.rows.push_back(
            {fmt::format("mean time without m_I, {}", label_of(group)),
             is_simulated ? "no noticeable change" : (is_face ? "15.774 ms" : "42.477 ms"),
             fmt::format("{} (with m_I = 1e6: {}); {} of {} were asked again with 2^{} checks, {} "
                         "spent those too",
                         format_ns(free.mean_ns), format_ns(mean), free.again,
                         portion->records.size(), options.quick ? 21 : 27, free.still_over),
             is_simulated == (free.again == 0)
                 ? (is_simulated ? "agrees" : "agrees in kind: few queries, much of the time")
                 : "differs: other queries"});
        if (is_simulated) {
            result.rows.push_back(
                {fmt::format("ended early with m_I = 100, {}", label_of(group)),
                 "about 0.07 % of 60 M",
                 fmt::format(
                     "{} of {}",
                     percent_text(early.tally.counts().over_budget, early.tally.counts().queries),
                     early.tally.counts().queries),
                 500 * early.tally.counts().over_budget <= early.tally.counts().queries
                     ? "agrees: one in a thousand or so"
                     : "differs: more of these pairs collide or are near"});
        }
        table.rows.push_back(
            {group.name, std::string(long_name(group.kind)), fmt::format("{}", counts.queries),
             fmt::format("{}", counts.over_budget), largest, fmt::format("{:.0f}", mean),
             fmt::format("{:.0f}", free.mean_ns), fmt::format("{}", free.still_over),
             fmt::format("{}", early.tally.counts().over_budget)});
    }
    result.conclusion =
        "A limit of 10^6 checks ends degenerate queries alone early; without it these few rule the "
        "mean. \"Without limit\" is a limit of 2^21 (quick) "
        "or "
        "2^27 checks here, so that a run ends.";
    result.tables.push_back(std::move(table));
    return result;
}

Expected<Reproduction> reproduce_appendix_a(const ReproduceOptions& options) {
    const auto queries = paper_queries(options);
    if (!queries) return queries.error();
    Reproduction result;
    for (const QueryGroup& group : queries->groups) {
        if (auto going = reached(options, 0.5); !going) return going.error();
        const auto portion = paper_sample(group, options.quick ? 2048 : 65536);
        if (!portion) return portion.error();
        const auto trip = csv_round_trip(group, *portion);
        if (!trip) return trip.error();
        result.rows.push_back(
            {fmt::format("8 x 7 rows of numerators, denominators and truth, {}", label_of(group)),
             "no loss of precision",
             fmt::format(
                 "{} of {} queries come back bit for bit; {} kB, written in {:.0f} ms, read "
                 "in {:.0f} ms",
                 trip->same, trip->queries, trip->bytes / 1000, 1e3 * trip->write_s,
                 1e3 * trip->read_s),
             trip->same == trip->queries ? "agrees" : "differs: a query changed"});
    }
    result.conclusion =
        "The format is read and written without GMP. What it cannot hold is the sign of zero (and "
        "exact times, which the binary form of graze carries).";
    return result;
}

}  // namespace graze::app
