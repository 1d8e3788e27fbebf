#include "query_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/workers.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/methods.hpp"
#include "mesh_view.hpp"

namespace graze::app {
namespace {

using Records = std::vector<io::QueryRecord>;

Expected<Records> viewed_records(const QueryInput& input) {
    auto reader = BlockReader::open(input);
    if (!reader) return reader.error();
    Records records;
    bool is_more = false;
    // To the end, though what is shown comes before: damage is often known only there.
    while (!stop_requested()) {
        const auto block = reader->next();
        if (!block) return block.error();
        if (block->empty()) break;
        const std::size_t count = std::min(block->size(), kMostViewedQueries - records.size());
        records.insert(records.end(), block->begin(),
                       block->begin() + static_cast<std::ptrdiff_t>(count));
        is_more = is_more || count < block->size();
    }
    if (stop_requested()) return stopped();
    if (is_more)
        warn(fmt::format("{}: the first {} queries are shown", input.name, records.size()));
    return records;
}

// All vertices at the start, then all at the end, of each query.
std::vector<double> positions_of(const Records& records, QueryKind kind) {
    std::vector<double> positions;
    positions.reserve(6 * vertex_count(kind) * records.size());
    for (const io::QueryRecord& record : records) {
        for (const bool is_end : {false, true}) {
            for (std::size_t i = 0; i < vertex_count(kind); ++i) {
                const Vec3& p = is_end ? record.corners[i].end : record.corners[i].start;
                positions.insert(positions.end(), {p.x, p.y, p.z});
            }
        }
    }
    return positions;
}

// One per query, null where it is not known; null for all where none is.
Json truth_json(const Records& records, const TruthUse& use) {
    Json truths = Json::array();
    bool is_any = false;
    for (const io::QueryRecord& record : records) {
        const std::optional<bool> truth = with_applicable_truth(record, use).truth;
        is_any = is_any || truth.has_value();
        truths.push_back(truth ? Json(*truth ? 1 : 0) : Json(nullptr));
    }
    return is_any ? truths : Json(nullptr);
}

Json answers_json(const Records& records, QueryKind kind, const QueryViewOptions& options) {
    const Records first(records.begin(),
                        records.begin() + static_cast<std::ptrdiff_t>(
                                              std::min(records.size(), kMostAnsweredQueries)));
    Json all = Json::array();
    const MethodRegistry registry = verify::all_methods();
    Progress progress(ProgressTotal{registry.all().size() * first.size(), true},
                      terminal_screen("answering queries"));
    for (const Method& method : registry.all()) {
        if (!supports(method, kind) || !supports(method, options.options) || stop_requested())
            continue;
        Json verdicts = Json::array();
        Json lower = Json::array();
        Json upper = Json::array();
        const verify::Run run{method, kind, options.options, workers(options.threads, &progress)};
        for (const verify::Answer& answer : verify::answers_of(run, first)) {
            verdicts.push_back(Json(name(answer.result.verdict)));
            lower.push_back(json_number(answer.result.toi_lower));
            upper.push_back(json_number(answer.result.toi_upper));
        }
        all.push_back({{"method", method.name},
                       {"verdict", verdicts},
                       {"toi_lower", lower},
                       {"toi_upper", upper}});
    }
    return all;
}

}  // namespace

Expected<ViewObject> query_view(const QueryInput& input, const QueryViewOptions& options) {
    const auto records = viewed_records(input);
    if (!records) return records.error();
    ViewObject view("query", input.name);
    view.add("kind", Json(short_name(input.kind)));
    view.add_list("queries", std::span<const double>(positions_of(*records, input.kind)));
    view.add("count", Json(records->size()));
    view.add("labels", Json(nullptr));
    view.add("truth", truth_json(*records, options.truth));
    view.add("options", options_json(options.options));
    view.add("answers", answers_json(*records, input.kind, options));
    if (stop_requested()) return stopped();
    return view;
}

}  // namespace graze::app
