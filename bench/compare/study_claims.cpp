// Ratios of times that the study states, measured here: the slow way and the fast way answer the
// same queries, in turn, and the smallest of three times counts for each.
#include <algorithm>

#include "cli/interrupt.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "graze/verify/methods.hpp"
#include "graze/verify/oracle_method.hpp"
#include "study.hpp"

namespace graze::app {
using namespace verify;
namespace {

using io::QueryRecord;

constexpr unsigned kRepeat = 3;
// Our choice, since the study states no p: a line search keeps this fraction of the distance at the
// start.
constexpr double kKeptFraction = 0.8;

// tight-inclusion with the published filter, as plain C++ and with the widest vectors there are.
template <class Motion, bool kVectors>
CcdResult paper_inclusion(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    TightInclusionOptions all;
    all.query = options;
    all.filter = InclusionFilter::Paper;
    all.proves_start = false;
    if (!kVectors) all.instructions = InstructionSet::Portable;
    return tight_inclusion(motion, all);
}

template <bool kVectors>
Method inclusion_method(std::string_view label) {
    Method method = make_tight_inclusion_paper();
    method.name = label;
    method.vertex_face = {paper_inclusion<VertexFaceMotion, kVectors>};
    method.edge_edge = {paper_inclusion<EdgeEdgeMotion, kVectors>};
    return method;
}

struct Pair {
    std::string_view claim;
    Method slow;
    Method fast;
    std::optional<double> published;
};

std::vector<Pair> pairs() {
    const MethodRegistry registry = all_methods();
    std::vector<Pair> list = {{"vector instructions", inclusion_method<false>("portable"),
                               inclusion_method<true>("vectors"), 4.0}};
    const auto add = [&](std::string_view claim, std::string_view slow, std::string_view fast,
                         std::optional<double> published) {
        const Method* a = registry.find(slow);
        const Method* b = registry.find(fast);
        if (a != nullptr && b != nullptr) list.push_back({claim, *a, *b, published});
    };
    add("inclusion over intervals", "interval", "tight-inclusion-paper", 250.0);
    add("our filter over the published", "tight-inclusion-paper", "tight-inclusion", std::nullopt);
    add("certified over inclusion", "tight-inclusion", "certified", std::nullopt);
    return list;
}

// Times of the answers at multiples of a stride.
TimeSample times_at(const Asked& asked, std::uint64_t stride) {
    TimeSample sample;
    for (std::size_t i = 0; i < asked.places.size(); ++i) {
        if (asked.places[i] % stride == 0) sample.add(asked.answers[i].ns);
    }
    return sample;
}

// Both get the same time; the coarser sample is part of the finer one.
ClaimRow measure(const Pair& pair, const QueryGroup& group, const Portion& portion,
                 const StudyOptions& options) {
    AskOptions timed = options.ask;
    timed.repeat = kRepeat;
    const Asked slow = ask({pair.slow, group.kind, options.query, {}}, portion.records, timed);
    const Asked fast = ask({pair.fast, group.kind, options.query, {}}, portion.records, timed);
    const std::uint64_t stride = std::max(slow.stride, fast.stride);
    const auto slow_times = times_at(slow, stride).summary().value_or(TimeSummary{});
    const auto fast_times = times_at(fast, stride).summary().value_or(TimeSummary{});
    return {.claim = pair.claim,
            .slow = pair.slow.name,
            .fast = pair.fast.name,
            .published = pair.published,
            .group = group.name,
            .kind = group.kind,
            .queries = slow.complete && fast.complete ? times_at(fast, stride).size() : 0,
            .slow_ns = slow_times.mean,
            .fast_ns = fast_times.mean,
            .slow_median_ns = slow_times.median,
            .fast_median_ns = fast_times.median};
}

// The max-norm distance at the start, from the exact one.
double start_distance(QueryRecord record, QueryKind kind) {
    for (MovingPoint& corner : record.corners)
        corner.end = corner.start;
    return oracle::minimum_distance(oracle_query(record, kind), oracle::Norm::Max).lower;
}

// A query of a line search, and how near its primitives may come.
struct Stretch {
    QueryRecord record;
    double separation = 0.0;
};

// Evenly spread, whatever number of them is asked: in the order of levels. Without a distance at
// the start there is no step to be searched.
std::vector<Stretch> stretches_of(const QueryGroup& group, const Portion& portion) {
    std::vector<Stretch> stretches;
    StrideLevels levels(portion.records.size(), 1.0);
    for (auto places = levels.first(); !places.empty(); places = levels.finer(0.0)) {
        for (const std::uint64_t place : places) {
            const QueryRecord& record = portion.records[place];
            const double distance = start_distance(record, group.kind);
            if (distance > 0.0 && distance < kInfinity)
                stretches.push_back({record, kKeptFraction * distance});
        }
    }
    return stretches;
}

// A step of a line search asks all queries for the earliest time at which one comes nearer than
// its share. Written plainly each is asked for the whole step with its own separation; the study
// caps the separation at the tolerance, and asks only up to the earliest time so far.
struct LineSearch {
    Method method;
    QueryKind kind = QueryKind::VertexFace;
    CcdOptions options;
    bool is_capped = false;

    struct Outcome {
        std::size_t asked = 0;
        double seconds = 0.0;
    };
    // Stops after `limit_s`, if that is not 0.
    [[nodiscard]] Outcome run(std::span<const Stretch> stretches, double limit_s,
                              const Seconds& now) const {
        const double start = now();
        Outcome outcome;
        double earliest = 1.0;
        for (const Stretch& stretch : stretches) {
            CcdOptions asked = options;
            asked.norm = Norm::Max;
            asked.min_separation = stretch.separation;
            if (is_capped) {
                asked.min_separation = std::min(asked.min_separation, options.distance_tolerance);
                asked.t_max = earliest;
            }
            const CcdResult result = answer_of(method, kind, stretch.record, asked);
            earliest = std::min(earliest, result.toi_lower);
            ++outcome.asked;
            outcome.seconds = now() - start;
            if (stop_requested() || (limit_s > 0.0 && outcome.seconds > limit_s)) break;
        }
        return outcome;
    }
};

ClaimRow measure_line_search(const QueryGroup& group, const Portion& portion,
                             const StudyOptions& options) {
    const std::vector<Stretch> stretches = stretches_of(group, portion);
    LineSearch search{make_tight_inclusion_paper(), group.kind, options.query};
    const auto plain = search.run(stretches, options.ask.budget_s, options.ask.now);
    search.is_capped = true;
    const std::span same(stretches.data(), plain.asked);
    const auto capped = search.run(same, 0.0, options.ask.now);
    const auto mean_ns = [&](const LineSearch::Outcome& outcome) {
        return 1e9 * outcome.seconds / static_cast<double>(std::max<std::size_t>(plain.asked, 1));
    };
    return {.claim = "capped separation, short interval",
            .slow = "plain line search",
            .fast = "capped and short",
            .published = 8.0,
            .group = group.name,
            .kind = group.kind,
            .queries = stop_requested() ? 0 : plain.asked,
            .slow_ns = mean_ns(plain),
            .fast_ns = mean_ns(capped),
            .slow_median_ns = {},
            .fast_median_ns = {}};
}

// The fastest of the methods that may miss a contact, in the mean, against the study's method.
ClaimRow measure_fastest_unproved(const QueryGroup& group, const Portion& portion,
                                  const StudyOptions& options) {
    const MethodRegistry registry = all_methods();
    const Method* fastest = nullptr;
    double least = kInfinity;
    for (const Method& method : registry.all()) {
        if (method.guarantee.no_false_negatives || !supports(method, group.kind)) continue;
        const Asked asked =
            ask({method, group.kind, options.query, {}}, portion.records, options.ask);
        const auto times = times_at(asked, 1).summary();
        if (!times || times->mean >= least) continue;
        least = times->mean;
        fastest = &method;
    }
    if (fastest == nullptr) return {};
    return measure({"inclusion, fastest unproved", make_tight_inclusion_paper(), *fastest, 3.0},
                   group, portion, options);
}

}  // namespace

std::vector<ClaimRow> claims_on(const QueryGroup& group, const Portion& portion,
                                const StudyOptions& options) {
    std::vector<ClaimRow> rows;
    for (const Pair& pair : pairs()) {
        if (stop_requested()) return rows;
        rows.push_back(measure(pair, group, portion, options));
    }
    if (!stop_requested()) rows.push_back(measure_line_search(group, portion, options));
    if (!stop_requested()) rows.push_back(measure_fastest_unproved(group, portion, options));
    std::erase_if(rows, [](const ClaimRow& row) { return row.queries == 0; });
    return rows;
}

}  // namespace graze::app
