// What a minimum separation costs `certified` on the broad-phase pairs of simulation scenes, against
// the same pairs without one (docs/performance.md).
//   separation_pairs [--limit N] [--repeat N] [--norm max] [--ready] FOLDER...
//   0 success; 1 a scene cannot be read; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "graze/io/mesh_file.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/distance.hpp"
#include "list_timing.hpp"
#include "mesh_steps.hpp"

namespace graze::bench {
namespace {

struct Request {
    std::vector<std::string> folders;
    std::string norm = "euclidean";
    std::size_t limit = 100'000;
    unsigned repeat = 5;
    std::size_t only = 0;   // 1: the first setting alone, ...; for profilers
    bool is_ready = false;  // are motions in memory, not gathered from the frames?
};

// The separation of a pair: a fraction of the mean edge, or of the pair's own distance at the start.
struct Setting {
    std::string name;
    double of_edge = 0.0;
    double of_start = 0.0;
};
const std::array<Setting, 6>& settings() {
    static const std::array<Setting, 6> all = {{{"d = 0"},
                                                {"1e-4 edge", 1e-4},
                                                {"1e-2 edge", 1e-2},
                                                {"0.1 of start", 0.0, 0.1},
                                                {"0.9 of start", 0.0, 0.9},
                                                {"0.999 of start", 0.0, 0.999}}};
    return all;
}

double mean_edge(const io::MeshPair& frames) {
    double total = 0.0;
    for (const auto& edge : frames.edges)
        total += std::sqrt(norm_sq(frames.start[edge[1]] - frames.start[edge[0]]));
    return total / static_cast<double>(std::max<std::size_t>(frames.edges.size(), 1));
}

template <class Motion>
struct TimedQueries {
    std::vector<IndexPair> pairs;
    std::vector<double> separations;
    std::vector<Motion> motions;  // of all pairs, or empty: gathered block by block
    [[nodiscard]] std::size_t size() const noexcept { return pairs.size(); }
};

// What one setting costs: those answered Separated, and all others.
template <class Motion>
struct Outcome {
    std::array<TimedQueries<Motion>, 2> queries;
    std::array<std::vector<std::uint64_t>, 2> ticks;
    std::array<double, 2> streamed{kInfinity, kInfinity};  // ns for each query
    std::array<double, 2> singly{kInfinity, kInfinity};    // the same without several at a time
    std::array<std::uint64_t, kAllCertifiedTiers.size()> tiers{};
    std::uint64_t unresolved = 0;
    std::uint64_t within_tolerance = 0;
};

template <class Motion>
Outcome<Motion> sorted_by_verdict(const PairList<Motion>& list, const Setting& setting, Norm norm,
                                  double edge, bool is_ready) {
    Outcome<Motion> outcome;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Motion motion = list.motion(i);
        CcdOptions options{.min_separation = setting.of_edge * edge, .norm = norm};
        if (setting.of_start > 0.0)
            options.min_separation = setting.of_start * distance_lower(motion, norm);
        const CertifiedAnswer answer = certify_with_tier(motion, options);
        ++outcome.tiers[static_cast<std::size_t>(answer.tier)];
        outcome.unresolved += answer.result.verdict == Verdict::Unresolved ? 1 : 0;
        const bool is_contact = answer.result.verdict == Verdict::Contact;
        outcome.within_tolerance += is_contact && answer.result.tolerance > 0.0 ? 1 : 0;
        TimedQueries<Motion>& queries =
            outcome.queries[answer.result.verdict == Verdict::Separated ? 0 : 1];
        queries.pairs.push_back(list.pairs[i]);
        if (is_ready) queries.motions.push_back(motion);
        queries.separations.push_back(options.min_separation);
    }
    for (std::size_t i = 0; i < 2; ++i)
        outcome.ticks[i].assign(outcome.queries[i].size(),
                                std::numeric_limits<std::uint64_t>::max());
    return outcome;
}

// Up to kBlockSize motions from the two frames.
template <class Motion>
void gather(const PairList<Motion>& list, std::size_t first,
            std::array<Motion, kBlockSize>& block) noexcept {
    const std::size_t count = std::min(kBlockSize, list.size() - first);
    for (std::size_t i = 0; i < count; ++i)
        block[i] = list.motion(first + i);
}

// Blocks of neighbours, gathered from the two frames, through run_batch(), as a mesh step would ask.
template <class Motion>
double streamed_ns(const io::MeshPair& frames, const TimedQueries<Motion>& queries, Norm norm,
                   const Method& method) {
    std::array<Motion, kBlockSize> block;
    std::array<CcdResult, kBlockSize> results;
    const PairList<Motion> list{frames, queries.pairs};
    const double start = thread_cpu_seconds();
    for (std::size_t first = 0; first < queries.size(); first += kBlockSize) {
        const std::size_t count = std::min(kBlockSize, queries.size() - first);
        if (queries.motions.empty()) gather(list, first, block);
        const auto motions = queries.motions.empty()
                                 ? std::span<const Motion>(block).first(count)
                                 : std::span<const Motion>(queries.motions).subspan(first, count);
        const auto separations = std::span<const double>(queries.separations).subspan(first, count);
        if (separations[0] > 0.0) {
            run_batch<Motion>(method, motions, separations, {.norm = norm}, results);
        } else {
            run_batch<Motion>(method, motions, {.norm = norm}, results);
        }
        keep(&results);
    }
    return 1e9 * (thread_cpu_seconds() - start) / static_cast<double>(queries.size());
}

template <class Motion>
void time_once(const io::MeshPair& frames, Outcome<Motion>& outcome, Norm norm) {
    const auto query = functions_of<Motion>(make_certified()).query;
    for (std::size_t i = 0; i < 2; ++i) {
        const TimedQueries<Motion>& queries = outcome.queries[i];
        if (queries.size() == 0) continue;
        Method method = make_certified();
        outcome.streamed[i] =
            std::min(outcome.streamed[i], streamed_ns(frames, queries, norm, method));
        method.vertex_face.separated = nullptr;
        method.edge_edge.separated = nullptr;
        outcome.singly[i] = std::min(outcome.singly[i], streamed_ns(frames, queries, norm, method));
        const PairList<Motion> list{frames, queries.pairs};
        std::array<Motion, kBlockSize> block;
        for (std::size_t k = 0; k < queries.size(); ++k) {
            if (k % kBlockSize == 0) gather(list, k, block);
            const CcdOptions options{.min_separation = queries.separations[k], .norm = norm};
            const std::uint64_t begin = ticks_before();
            const CcdResult result = query(nullptr, block[k % kBlockSize], options);
            keep(&result);
            const std::uint64_t end = ticks_after();
            outcome.ticks[i][k] = std::min(outcome.ticks[i][k], end > begin ? end - begin : 0);
        }
    }
}

double quantile_ns(std::vector<std::uint64_t> ticks, double q) {
    if (ticks.empty()) return 0.0;
    const auto at = static_cast<std::ptrdiff_t>(q * static_cast<double>(ticks.size() - 1));
    std::nth_element(ticks.begin(), ticks.begin() + at, ticks.end());
    const double own = tick_cost().overhead_ns;
    const double ns = static_cast<double>(ticks[static_cast<std::size_t>(at)]) * ns_per_tick();
    return std::max(ns - own, 1.0);
}

template <class Motion>
void print_outcome(const Setting& setting, const Outcome<Motion>& outcome,
                   const Outcome<Motion>& plain) {
    fmt::print("  {:15}", setting.name);
    constexpr std::array<std::string_view, 2> kNames = {"misses", "hits"};
    for (std::size_t i = 0; i < 2; ++i) {
        const double median = quantile_ns(outcome.ticks[i], 0.5);
        const double p99 = quantile_ns(outcome.ticks[i], 0.99);
        fmt::print(
            " | {} {:7} {:6.1f} ns ({:4.2f}x, singly {:4.2f}x) median {:5.0f} ({:5.2f}x) p99 "
            "{:6.0f} ({:5.2f}x)",
            kNames[i], outcome.queries[i].size(), outcome.streamed[i],
            outcome.streamed[i] / plain.streamed[i], outcome.singly[i] / plain.singly[i], median,
            median / quantile_ns(plain.ticks[i], 0.5), p99,
            p99 / quantile_ns(plain.ticks[i], 0.99));
    }
    fmt::print("\n                 by");
    for (std::size_t i = 0; i < kAllCertifiedTiers.size(); ++i) {
        if (outcome.tiers[i] > 0)
            fmt::print(" {} {}", name(kAllCertifiedTiers[i]), outcome.tiers[i]);
    }
    fmt::print("; {} unresolved, {} within the tolerance only\n", outcome.unresolved,
               outcome.within_tolerance);
}

// Runs of 64 neighbours, evenly spread.
std::vector<IndexPair> spread_sample(const std::vector<IndexPair>& pairs, std::size_t limit) {
    if (pairs.size() <= limit) return pairs;
    std::vector<IndexPair> kept;
    const std::size_t runs = std::max<std::size_t>(limit / 64, 1);
    for (std::size_t run = 0; run < runs; ++run) {
        const std::size_t first = pairs.size() * run / runs;
        for (std::size_t i = first; i < first + 64; ++i)
            kept.push_back(pairs[i]);
    }
    return kept;
}

template <class Motion>
void report_pairs(const Request& request, const io::MeshPair& frames,
                  const std::vector<IndexPair>& all) {
    const std::vector<IndexPair> pairs = spread_sample(all, request.limit);
    const PairList<Motion> list{frames, pairs};
    const Norm norm = request.norm == "max" ? Norm::Max : Norm::Euclidean;
    const double edge = mean_edge(frames);
    std::vector<Outcome<Motion>> outcomes;
    for (std::size_t i = 0; i < settings().size(); ++i) {
        if (request.only == 0 || request.only == i + 1)
            outcomes.push_back(
                sorted_by_verdict(list, settings()[i], norm, edge, request.is_ready));
    }
    // Settings in turn, so that what disturbs the machine disturbs them all.
    for (unsigned pass = 0; pass < request.repeat; ++pass) {
        for (Outcome<Motion>& outcome : outcomes)
            time_once(frames, outcome, norm);
    }
    fmt::print("{}: {} of {} pairs, mean edge {:.3g}\n", long_name(Motion::kKind), pairs.size(),
               all.size(), edge);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const std::size_t k = request.only == 0 ? i : request.only - 1;
        print_outcome(settings()[k], outcomes[i], outcomes[0]);
    }
    std::fflush(stdout);
}

int measure_scenes(const Request& request) {
    for (const std::string& folder : request.folders) {
        const Expected<std::vector<MeshStep>> steps = find_mesh_steps(folder);
        if (!steps) {
            fmt::print(stderr, "separation_pairs: error: {}\n", steps.error().message);
            return 1;
        }
        for (const MeshStep& step : *steps) {
            Expected<io::MeshPair> frames = io::read_mesh_pair(step.start, step.end);
            if (!frames) {
                fmt::print(stderr, "separation_pairs: error: {}\n", frames.error().message);
                return 1;
            }
            frames->edges = unique_edges(frames->faces, frames->edges);
            fmt::print("{}, ", step.scene);
            report_pairs<VertexFaceMotion>(request, *frames,
                                           vertex_face_pairs(*frames, PairOrder::Spatial));
            fmt::print("{}, ", step.scene);
            report_pairs<EdgeEdgeMotion>(request, *frames,
                                         edge_edge_pairs(*frames, PairOrder::Spatial));
        }
    }
    return 0;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::Request request;
    CLI::App app("What a minimum separation costs on broad-phase pairs, against none");
    app.add_option("folders", request.folders, "Folders with scenes: <scene>/frames/*.ply")
        ->required();
    app.add_option("--norm", request.norm, "euclidean or max")
        ->check(CLI::IsMember({"euclidean", "max"}));
    app.add_option("--limit", request.limit, "At most so many pairs of each list, evenly spread")
        ->check(CLI::PositiveNumber);
    app.add_option("--repeat", request.repeat, "The smallest of so many times")
        ->check(CLI::PositiveNumber);
    app.add_option("--only", request.only, "One setting alone, from 1 on; 0: all");
    app.add_flag("--ready", request.is_ready,
                 "Motions lie ready in memory, and are not gathered from the frames");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return graze::bench::measure_scenes(request);
}
