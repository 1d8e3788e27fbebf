#include "reproduce/wang2021_floating_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "graze/baselines/bernstein_sign.hpp"
#include "graze/io/embedded.hpp"
#include "graze/io/query_sets.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/methods.hpp"
#include "pictures/svg_file.hpp"

namespace graze::app {
namespace {

// --- The queries

enum class QueryOrigin : std::uint8_t { Handcrafted, Simulation, Own };

struct TouchingGroup {
    QueryOrigin origin = QueryOrigin::Own;
    QueryKind kind = QueryKind::VertexFace;
    std::vector<io::QueryRecord> records;  // with their truth

    [[nodiscard]] std::string name() const {
        constexpr std::array<std::string_view, 3> kNames = {"handcrafted", "simulation",
                                                            "own data"};
        return fmt::format("{}, {}", kNames[static_cast<std::size_t>(origin)], long_name(kind));
    }
};
using TouchingGroups = std::vector<TouchingGroup>;

TouchingGroup& group_for(TouchingGroups& groups, QueryOrigin origin, QueryKind kind) {
    for (TouchingGroup& group : groups) {
        if (group.origin == origin && group.kind == kind) return group;
    }
    groups.push_back({origin, kind, {}});
    return groups.back();
}

void add_with_truth(TouchingGroup& group, const std::vector<io::QueryRecord>& records) {
    std::copy_if(records.begin(), records.end(), std::back_inserter(group.records),
                 [](const io::QueryRecord& record) { return record.truth.has_value(); });
}

bool has_coplanarity(QueryKind kind) {
    return kind == QueryKind::VertexFace || kind == QueryKind::EdgeEdge;
}

Expected<void> add_published(TouchingGroups& groups, const std::string& folder) {
    const auto sets = io::find_query_sets(folder);
    if (!sets) return sets.error();
    for (const io::QuerySet& set : *sets) {
        if (!has_coplanarity(set.source.kind)) continue;
        const auto records = io::read_all(set.source);
        if (!records) return records.error();
        const QueryOrigin origin =
            set.group == "simulation" ? QueryOrigin::Simulation : QueryOrigin::Handcrafted;
        add_with_truth(group_for(groups, origin, set.source.kind), *records);
    }
    return {};
}

Expected<void> add_own(TouchingGroups& groups) {
    for (const io::EmbeddedSet& set : io::embedded_sets()) {
        if (!has_coplanarity(set.kind)) continue;
        auto stream = io::open_embedded(set);
        if (!stream) return stream.error();
        std::vector<io::QueryRecord> records;
        for (;;) {
            auto next = (*stream)->next();
            if (!next) return next.error();
            if (!next->has_value()) break;
            records.push_back(**next);
        }
        add_with_truth(group_for(groups, QueryOrigin::Own, set.kind), records);
    }
    return {};
}

Expected<TouchingGroups> touching_groups(const ReproduceOptions& options) {
    TouchingGroups groups;
    const auto added = options.data.empty() ? add_own(groups) : add_published(groups, options.data);
    if (!added) return added.error();
    std::sort(groups.begin(), groups.end(), [](const TouchingGroup& a, const TouchingGroup& b) {
        return a.origin != b.origin ? a.origin < b.origin : a.kind < b.kind;
    });
    return groups;
}

// Every so many, so that at most `most` are left.
std::vector<io::QueryRecord> even_sample(const std::vector<io::QueryRecord>& all,
                                         std::size_t most) {
    const std::size_t stride = (all.size() + most - 1) / most;
    std::vector<io::QueryRecord> sample;
    for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(stride, 1))
        sample.push_back(all[i]);
    return sample;
}

// --- Counts

struct TouchCounts {
    std::uint64_t queries = 0;
    std::uint64_t hits = 0;
    std::uint64_t false_positives = 0;
    std::uint64_t false_negatives = 0;
    double mean_us = 0.0;

    void operator+=(const TouchCounts& other) {
        queries += other.queries;
        hits += other.hits;
        false_positives += other.false_positives;
        false_negatives += other.false_negatives;
    }
};

void count_verdict(TouchCounts& counts, bool touches, Verdict verdict) {
    const bool reported = verdict != Verdict::Separated;
    ++counts.queries;
    counts.hits += touches ? 1U : 0U;
    counts.false_positives += reported && !touches ? 1U : 0U;
    counts.false_negatives += touches && !reported ? 1U : 0U;
}

TouchCounts touch_counts_of(const Method& method, QueryKind kind,
                            const std::vector<io::QueryRecord>& records, const CcdOptions& query,
                            const ReproduceOptions& options) {
    const verify::Run run{method, kind, query, {.threads = options.threads}};
    const std::vector<verify::Answer> answers = verify::answers_of(run, records);
    TouchCounts counts;
    double ns = 0.0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        count_verdict(counts, *records[i].truth, answers[i].result.verdict);
        ns += static_cast<double>(answers[i].ns);
    }
    counts.mean_us = records.empty() ? 0.0 : 1e-3 * ns / static_cast<double>(records.size());
    return counts;
}

std::string touch_errors_text(const TouchCounts& counts) {
    return fmt::format("FP {}, FN {} of {} hits, {} queries", counts.false_positives,
                       counts.false_negatives, counts.hits, counts.queries);
}

double percent_of(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// A published count of false positives and negatives, of all queries of a group.
struct PublishedErrors {
    double false_positives = 0.0;
    double false_negatives = 0.0;
};

std::string published_count_text(double count) {
    if (count >= 1e6) return fmt::format("{:.1f} M", count / 1e6);
    return count >= 1000 ? fmt::format("{:.1f} K", count / 1000) : fmt::format("{:.0f}", count);
}

double published_queries(QueryOrigin origin, QueryKind kind) {
    if (origin == QueryOrigin::Simulation) return kind == QueryKind::VertexFace ? 18e6 : 41e6;
    return kind == QueryKind::VertexFace ? 12e3 : 15e3;
}

std::string published_errors_text(const PublishedErrors& published, QueryOrigin origin,
                                  QueryKind kind) {
    return fmt::format(
        "FP {}, FN {} of {:.0f} {} queries", published_count_text(published.false_positives),
        published_count_text(published.false_negatives),
        published_queries(origin, kind) / (origin == QueryOrigin::Simulation ? 1e6 : 1e3),
        origin == QueryOrigin::Simulation ? "M" : "K");
}

// A count is of the published kind: within a factor of three of the rate per query, and one.
bool is_alike(double published, double published_of, std::uint64_t ours, std::uint64_t of) {
    const double expected = published * static_cast<double>(of) / published_of;
    const auto count = static_cast<double>(ours);
    return count <= 3.0 * expected + 1.0 && count >= expected / 3.0 - 1.0;
}

bool has_same_kinds_of_errors(const PublishedErrors& published, const TouchCounts& ours) {
    return (published.false_positives > 0.0) == (ours.false_positives > 0) &&
           (published.false_negatives > 0.0) == (ours.false_negatives > 0);
}

std::string compared_verdict(const PublishedErrors& published, const TouchingGroup& group,
                             const TouchCounts& ours) {
    const double of = published_queries(group.origin, group.kind);
    switch (group.origin) {
        case QueryOrigin::Own:
            return "differs: other data, chosen to be hard";
        case QueryOrigin::Simulation:
            return fmt::format(
                "{}: nearly all of these queries are hits, of the published hardly "
                "any",
                has_same_kinds_of_errors(published, ours) ? "agrees in kind, rates "
                                                            "differ"
                                                          : "differs");
        case QueryOrigin::Handcrafted:
            break;
    }
    const bool alike =
        is_alike(published.false_positives, of, ours.false_positives, ours.queries) &&
        is_alike(published.false_negatives, of, ours.false_negatives, ours.queries);
    return alike ? "agrees" : "differs: these queries are a part of the published ones";
}

Error cancelled_item() {
    return Error{"interrupted", ErrorCode::Cancelled};
}

// --- Table 3

constexpr std::array<double, 5> kThicknesses = {1e-2, 1e-8, 1e-16, 1e-30, 1e-100};

// By group (handcrafted vf, ee, simulation vf, ee), then by thickness.
constexpr std::array<std::array<PublishedErrors, 5>, 4> kPublishedFprf = {{
    {{{1800, 4}, {83, 3}, {29, 69}, {9, 70}, {9, 70}}},
    {{{3300, 19}, {160, 28}, {45, 145}, {5, 147}, {5, 147}}},
    {{{869100, 1}, {4, 2}, {0, 5200}, {0, 5200}, {0, 5200}}},
    {{{1.1e6, 0}, {16, 0}, {0, 2300}, {0, 2300}, {0, 2300}}},
}};
constexpr std::array<std::array<PublishedErrors, 5>, 4> kPublishedInclusion = {{
    {{{2600, 0}, {159, 0}, {108, 0}, {108, 0}, {108, 0}}},
    {{{4800, 0}, {309, 0}, {214, 0}, {214, 0}, {214, 0}}},
    {{{8.1e6, 0}, {8, 0}, {2, 0}, {2, 0}, {2, 0}}},
    {{{8.3e6, 0}, {40, 0}, {17, 0}, {17, 0}, {17, 0}}},
}};

std::size_t published_row(QueryOrigin origin, QueryKind kind) {
    return (origin == QueryOrigin::Simulation ? 2U : 0U) + (kind == QueryKind::EdgeEdge ? 1U : 0U);
}

// One method over all thicknesses.
struct ThicknessSeries {
    std::string method;
    std::string label;  // in the legend
    Norm norm = Norm::Euclidean;
    std::array<TouchCounts, kThicknesses.size()> pooled{};  // over all groups
};

std::vector<ThicknessSeries> series_of_table_3() {
    return {{"floating-point-roots", "floating-point-roots (FPRF)", Norm::Euclidean, {}},
            {"min-separation-cubic", "min-separation-cubic (MSRF)", Norm::Euclidean, {}},
            {"tight-inclusion", "tight-inclusion (the paper's own)", Norm::Max, {}},
            {"certified", "certified", Norm::Euclidean, {}}};
}

void add_compared_row(Reproduction& result, const ThicknessSeries& series,
                      const TouchingGroup& group, std::size_t at, const TouchCounts& counts) {
    const bool is_fprf = series.method == "floating-point-roots";
    if (!is_fprf && series.method != "tight-inclusion") return;
    const auto& table = is_fprf ? kPublishedFprf : kPublishedInclusion;
    const PublishedErrors& published = table[published_row(group.origin, group.kind)][at];
    std::string verdict = compared_verdict(published, group, counts);
    if (!is_fprf && counts.false_negatives == 0 && verdict != "agrees")
        verdict = "agrees: no false negatives; false positives depend on the queries";
    result.rows.push_back({fmt::format("{}, {} = {:g}: {}", series.method, is_fprf ? "eta" : "d",
                                       kThicknesses[at], group.name()),
                           published_errors_text(published, group.origin, group.kind),
                           touch_errors_text(counts), verdict});
}

std::string conclusion_of_table_3(const ThicknessSeries& fprf) {
    const TouchCounts& thick = fprf.pooled[1];
    const TouchCounts& thin = fprf.pooled[4];
    return fmt::format(
        "As published, no thickness makes floating-point roots safe: without one {:.1f} % of all "
        "contacts are missed, at eta = 1e-8 still {:.2f} %, and at 1e-2 false contacts are {:.0f} "
        "% of all misses. The published simulation set holds hardly any contact, so that rates "
        "per query differ; the course over eta does not.",
        percent_of(thin.false_negatives, thin.hits), percent_of(thick.false_negatives, thick.hits),
        percent_of(fprf.pooled[0].false_positives, fprf.pooled[0].queries - fprf.pooled[0].hits));
}

// --- The chart: two panels over the thicknesses

struct ThicknessPanel {
    std::string title;
    double left = 0.0;
    bool shows_missed = false;
};

constexpr double kThicknessPanelWidth = 300.0;
constexpr double kThicknessPanelHeight = 200.0;
constexpr double kThicknessPanelTop = 66.0;
constexpr std::array<char, 4> kThicknessColours = {'a', 'b', 'c', 'd'};

double thickness_value(const ThicknessPanel& panel, const TouchCounts& counts) {
    return panel.shows_missed ? percent_of(counts.false_negatives, counts.hits)
                              : percent_of(counts.false_positives, counts.queries - counts.hits);
}

std::string thickness_panel_svg(const ThicknessPanel& panel,
                                const std::vector<ThicknessSeries>& all) {
    double largest = 1.0;
    for (const ThicknessSeries& series : all) {
        for (const TouchCounts& counts : series.pooled)
            largest = std::max(largest, thickness_value(panel, counts));
    }
    const auto x_of = [&](std::size_t i) {
        return panel.left + 20.0 + (kThicknessPanelWidth - 40.0) * static_cast<double>(i) / 4.0;
    };
    const auto y_of = [&](double value) {
        return kThicknessPanelTop + kThicknessPanelHeight * (1.0 - value / (1.08 * largest));
    };
    std::string svg = svg_text(panel.left, kThicknessPanelTop - 14.0, "strong", panel.title);
    const RoundTicks ticks = round_ticks(0.0, 1.08 * largest, 6);
    for (const double tick : ticks.values) {
        svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", panel.left,
                           y_of(tick), panel.left + kThicknessPanelWidth);
        svg += svg_text(panel.left - 6.0, y_of(tick) + 4.0, "soft end",
                        tick_text(tick, ticks.step) + " %");
    }
    for (std::size_t i = 0; i < kThicknesses.size(); ++i) {
        svg += svg_text(x_of(i), kThicknessPanelTop + kThicknessPanelHeight + 18.0, "soft middle",
                        fmt::format("{:g}", kThicknesses[i]));
    }
    svg += svg_text(panel.left + 0.5 * kThicknessPanelWidth,
                    kThicknessPanelTop + kThicknessPanelHeight + 36.0, "soft middle",
                    "thickness eta, separation d [length]");
    for (std::size_t s = 0; s < all.size(); ++s) {
        std::string path;
        std::string dots;
        for (std::size_t i = 0; i < kThicknesses.size(); ++i) {
            const double y = y_of(thickness_value(panel, all[s].pooled[i]));
            path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x_of(i), y);
            dots += fmt::format("<circle class=\"dot{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>",
                                kThicknessColours[s], x_of(i), y, 5.5 - static_cast<double>(s));
        }
        svg += fmt::format("<path class=\"line{}\" d=\"{}\"/>{}", kThicknessColours[s], path, dots);
    }
    return svg;
}

std::string thickness_svg(const std::vector<ThicknessSeries>& all) {
    const std::array<ThicknessPanel, 2> panels = {{{"contacts missed, % of the hits", 62.0, true},
                                                   {"misses reported as contact, % of the misses",
                                                    62.0 + kThicknessPanelWidth + 70.0, false}}};
    SvgFile file;
    file.width = 62.0 + 2.0 * kThicknessPanelWidth + 70.0 + 16.0;
    file.title = "Errors over the thickness";
    file.style =
        ".linea,.lineb,.linec,.lined{fill:none;stroke-width:2}"
        ".linea{stroke:#c23b22}.lineb{stroke:#b8860b}.linec{stroke:#2f6db3}.lined{stroke:#2e8b57}"
        ".dota{fill:#c23b22}.dotb{fill:#b8860b}.dotc{fill:#2f6db3}.dotd{fill:#2e8b57}";
    file.content = svg_text(12.0, 24.0, "head", "Errors over the thickness eta = d");
    for (const ThicknessPanel& panel : panels)
        file.content += thickness_panel_svg(panel, all);
    std::vector<LegendItem> legend;
    for (std::size_t s = 0; s < all.size(); ++s) {
        legend.push_back(
            {fmt::format("<path class=\"line{0}\" d=\"M0 7H24\"/><circle class=\"dot{0}\" "
                         "cx=\"12\" cy=\"7\" r=\"4\"/>",
                         kThicknessColours[s]),
             all[s].label});
    }
    const PlacedSvg placed = legend_svg(legend, file.width - 24.0);
    const double top = kThicknessPanelTop + kThicknessPanelHeight + 52.0;
    file.content += fmt::format("<g transform=\"translate(12 {:.1f})\">{}</g>", top, placed.svg);
    file.height = top + placed.height + 12.0;
    return svg_file(file);
}

// --- Published forms beside mended ones

// The same queries in a unit of length that is 2^10 times larger: no truth changes, but products of
// coordinates underflow.
std::vector<io::QueryRecord> in_a_larger_unit(std::vector<io::QueryRecord> records) {
    for (io::QueryRecord& record : records) {
        for (MovingPoint& corner : record.corners)
            corner = {0x1p-10 * corner.start, 0x1p-10 * corner.end};
    }
    return records;
}

struct FormOfMethod {
    std::string name;  // of the row
    Method method;
    std::optional<std::array<PublishedErrors, 4>> published;  // Table 1
};

template <class Motion>
CcdResult bernstein_sign_cut(const void*, const Motion& motion,
                             const CcdOptions& options) noexcept {
    return bernstein_sign(motion, options, {.at_inflection = AtInflection::Cut});
}

Method bernstein_sign_with_cut() {
    Method method = make_bernstein_sign();
    method.vertex_face = {&bernstein_sign_cut<VertexFaceMotion>};
    method.edge_edge = {&bernstein_sign_cut<EdgeEdgeMotion>};
    return method;
}

std::vector<FormOfMethod> forms_of_methods() {
    const MethodRegistry registry = verify::all_methods();
    const auto named = [&](std::string_view name) { return *registry.find(name); };
    return {
        {"RP, published", named("root-parity-published"), {{{{3, 5}, {3, 8}, {0, 0}, {0, 7}}}}},
        {"RP, mended", named("root-parity"), {}},
        {"TCCD, published",
         named("tight-bernstein-published"),
         {{{{903, 0}, {404, 0}, {95638, 0}, {82277, 0}}}}},
        {"TCCD, mended", named("tight-bernstein"), {}},
        {"BSC, published (inflection = contact)",
         named("bernstein-sign"),
         {{{{11, 13}, {28, 47}, {23015, 0}, {4593, 27}}}}},
        {"BSC, mended (cut at the inflection)", bernstein_sign_with_cut(), {}},
    };
}

std::string form_verdict(const FormOfMethod& form, const TouchingGroup& group,
                         const TouchCounts& counts, const TouchCounts& before) {
    if (form.published) {
        return compared_verdict((*form.published)[published_row(group.origin, group.kind)], group,
                                counts);
    }
    const std::uint64_t errors = counts.false_negatives + counts.false_positives;
    const std::uint64_t errors_before = before.false_negatives + before.false_positives;
    if (errors < errors_before) return "better";
    return errors == errors_before ? "agrees: same errors on these queries"
                                   : "differs: more errors";
}

// What bounds without a term for underflow do where lengths are small.
void add_small_rows(Reproduction& result, const TouchingGroup& group,
                    const std::vector<io::QueryRecord>& records, const ReproduceOptions& options) {
    const MethodRegistry registry = verify::all_methods();
    const auto small = in_a_larger_unit(records);
    const auto counts = [&](std::string_view name) {
        return touch_counts_of(*registry.find(name), group.kind, small, {}, options);
    };
    const TouchCounts published = counts("tight-bernstein-published");
    const TouchCounts mended = counts("tight-bernstein");
    result.rows.push_back({"TCCD, published, all lengths times 2^-10: " + group.name(),
                           "\"without false negatives\"", touch_errors_text(published),
                           published.false_negatives > 0
                               ? "differs: its error bounds do not cover underflow"
                               : "agrees"});
    result.rows.push_back({"TCCD, mended, all lengths times 2^-10: " + group.name(), "-",
                           touch_errors_text(mended),
                           mended.false_negatives == 0 ? "better" : "differs"});
}

}  // namespace

Expected<Reproduction> reproduce_table_3(const ReproduceOptions& options) {
    const auto groups = touching_groups(options);
    if (!groups) return groups.error();
    const MethodRegistry registry = verify::all_methods();
    std::vector<ThicknessSeries> all = series_of_table_3();
    Reproduction result;
    DataTable table{"table-3",
                    "Errors against the truth about touching, over the thickness or separation",
                    {"method", "queries of", "d", "queries", "hits", "false positives",
                     "false negatives", "mean us"},
                    {}};
    const auto steps = static_cast<double>(all.size() * groups->size());
    double done = 0.0;
    for (ThicknessSeries& series : all) {
        const Method method = *registry.find(series.method);
        // Boxes at a large separation take milliseconds.
        const bool is_slow = series.norm == Norm::Max;
        const std::size_t most = options.quick ? (is_slow ? 150 : 2000) : (is_slow ? 2000 : 100000);
        for (const TouchingGroup& group : *groups) {
            const auto records = even_sample(group.records, most);
            for (std::size_t at = 0; at < kThicknesses.size(); ++at) {
                if (options.stop.stop_requested()) return cancelled_item();
                const TouchCounts counts = touch_counts_of(
                    method, group.kind, records,
                    {.min_separation = kThicknesses[at], .norm = series.norm}, options);
                series.pooled[at] += counts;
                add_compared_row(result, series, group, at, counts);
                table.rows.push_back(
                    {series.method, group.name(), fmt::format("{:g}", kThicknesses[at]),
                     std::to_string(counts.queries), std::to_string(counts.hits),
                     std::to_string(counts.false_positives), std::to_string(counts.false_negatives),
                     fmt::format("{:.2f}", counts.mean_us)});
            }
            options.progress.tell(++done / steps);
        }
    }
    result.conclusion = conclusion_of_table_3(all.front());
    result.drawings.push_back({"table-3",
                               "Errors of all groups together, over the thickness (floating-point "
                               "roots) or the minimum separation.",
                               thickness_svg(all)});
    result.tables.push_back(std::move(table));
    return result;
}

Expected<Reproduction> reproduce_published_methods(const ReproduceOptions& options) {
    const auto groups = touching_groups(options);
    if (!groups) return groups.error();
    const std::vector<FormOfMethod> forms = forms_of_methods();
    Reproduction result;
    DataTable table{"published-methods",
                    "Published forms of three methods beside the mended ones",
                    {"method", "queries of", "queries", "hits", "false positives",
                     "false negatives", "mean us"},
                    {}};
    std::array<TouchCounts, 2> pooled{};  // published, mended
    double done = 0.0;
    for (const TouchingGroup& group : *groups) {
        const auto records = even_sample(group.records, options.quick ? 2000 : 100000);
        TouchCounts before;
        add_small_rows(result, group, records, options);
        for (const FormOfMethod& form : forms) {
            if (options.stop.stop_requested()) return cancelled_item();
            const TouchCounts counts =
                touch_counts_of(form.method, group.kind, records, {}, options);
            const std::string published =
                form.published ? published_errors_text(
                                     (*form.published)[published_row(group.origin, group.kind)],
                                     group.origin, group.kind)
                               : "-";
            result.rows.push_back({form.name + ": " + group.name(), published,
                                   touch_errors_text(counts),
                                   form_verdict(form, group, counts, before)});
            table.rows.push_back(
                {form.name, group.name(), std::to_string(counts.queries),
                 std::to_string(counts.hits), std::to_string(counts.false_positives),
                 std::to_string(counts.false_negatives), fmt::format("{:.2f}", counts.mean_us)});
            pooled[form.published ? 0 : 1] += counts;
            before = counts;
            options.progress.tell(++done / static_cast<double>(forms.size() * groups->size()));
        }
    }
    result.conclusion = fmt::format(
        "The published forms make {} false positives and {} false negatives on these queries, the "
        "mended ones {} and {}. What root parity misses is an even number of contacts, in either "
        "form; sign classification misses motion within a plane.",
        pooled[0].false_positives, pooled[0].false_negatives, pooled[1].false_positives,
        pooled[1].false_negatives);
    result.tables.push_back(std::move(table));
    return result;
}

}  // namespace graze::app
