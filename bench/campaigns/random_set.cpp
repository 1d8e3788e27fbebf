// The random set of the paper behind `safe-cubic`: positions and velocities in a unit cube.
//   --check N   holds `safe-cubic` to `certified`, query by query: no false negative, and no
//               contact whose distance is beyond the proved bound
//   --time      what `safe-cubic` costs beside `cubic`, the same code without protection
//   --families  what each of the two misses of the contacts on which the basic test fails
//   0 success; 1 a promise is broken; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "graze/core/power_of_two.hpp"
#include "graze/narrow/box_separation.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/verify/safe_cubic_families.hpp"
#include "micro/tick_clock.hpp"

namespace graze::bench {
namespace {

using testing::ScaleAndOffset;

struct Request {
    std::uint64_t check = 0;
    std::uint64_t first = 0;
    std::uint64_t seed = 1;
    unsigned threads = 1;
    bool time = false;
    bool families = false;
    std::uint64_t count = 100'000;
    unsigned repeat = 21;
    int scale = 0;
    double offset = 0.0;

    [[nodiscard]] ScaleAndOffset transformation() const { return {power_of_two(scale), offset}; }
};

// --- --check -------------------------------------------------------------------------------------

struct Tally {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
    std::uint64_t false_negatives = 0;
    std::uint64_t false_positives = 0;
    std::uint64_t too_far = 0;     // false positives beyond the proved bound: must be none
    double farthest = 0.0;         // largest distance of one that is proved, as a part of the bound
    std::uint64_t unresolved = 0;  // by `certified`, at such a distance

    void add(const Tally& other) {
        queries += other.queries;
        contacts += other.contacts;
        false_negatives += other.false_negatives;
        false_positives += other.false_positives;
        too_far += other.too_far;
        farthest = std::max(farthest, other.farthest);
        unresolved += other.unresolved;
    }
};

// Is the distance of the motion proved to be above this part of the bound?
template <class Motion>
Verdict at_distance(const Motion& motion, double distance) {
    CcdOptions options;
    options.min_separation = distance;
    options.distance_tolerance = 1e-3 * distance;
    return certify(motion, options).verdict;
}

// How near the bound a false positive comes: by halving, to a hundredth. Only asked where it may
// raise the largest seen, so that it is seldom asked.
template <class Motion>
void add_false_positive(const Motion& motion, double bound, Tally& tally) {
    ++tally.false_positives;
    const Verdict at_bound = at_distance(motion, bound);
    tally.too_far += at_bound == Verdict::Separated ? 1 : 0;
    tally.unresolved += at_bound == Verdict::Unresolved ? 1 : 0;
    if (at_distance(motion, (tally.farthest + 0.01) * bound) != Verdict::Separated) return;
    double lower = tally.farthest;
    double upper = 2.0;
    while (upper - lower > 0.005) {
        const double middle = 0.5 * (lower + upper);
        (at_distance(motion, middle * bound) == Verdict::Separated ? lower : upper) = middle;
    }
    tally.farthest = lower;
}

template <class Motion>
void check_query(const Motion& motion, Tally& tally) {
    ++tally.queries;
    const CcdResult safe = safe_cubic_ccd(motion);
    const bool touches = certify(motion).verdict != Verdict::Separated;
    tally.contacts += touches ? 1 : 0;
    const bool found = safe.verdict != Verdict::Separated;
    tally.false_negatives += touches && !found ? 1 : 0;
    if (found && !touches) add_false_positive(motion, safe.tolerance, tally);
}

// Odd numbers are edge-edge.
void check_number(const Request& request, std::uint64_t index, Tally& tally) {
    if (index % 2 == 0) {
        check_query(testing::random_set_query<VertexFaceMotion>(request.seed, index,
                                                                request.transformation()),
                    tally);
    } else {
        check_query(testing::random_set_query<EdgeEdgeMotion>(request.seed, index,
                                                              request.transformation()),
                    tally);
    }
}

std::string line_of(const Tally& t) {
    return fmt::format(
        "{} queries, {} contacts, {} false negatives, {} false positives ({} beyond the bound, {} "
        "unresolved there, farthest {:.2f} of it)",
        t.queries, t.contacts, t.false_negatives, t.false_positives, t.too_far, t.unresolved,
        t.farthest);
}

// Blocks of numbers, taken in turn by the threads. Progress is a line after each hundredth; a run
// that was cut short goes on with --first.
Tally check_all(const Request& request) {
    constexpr std::uint64_t kBlock = 100'000;
    const std::uint64_t blocks = (request.check + kBlock - 1) / kBlock;
    std::vector<Tally> of_block(blocks);
    std::vector<std::atomic<bool>> done(blocks);
    std::atomic<std::uint64_t> next{0};
    const auto work = [&] {
        for (std::uint64_t b = next++; b < blocks; b = next++) {
            const std::uint64_t last = std::min(request.check, (b + 1) * kBlock);
            for (std::uint64_t i = b * kBlock; i < last; ++i)
                check_number(request, request.first + i, of_block[b]);
            done[b] = true;
        }
    };
    std::vector<std::jthread> workers;
    for (unsigned k = 0; k < std::max(1U, request.threads); ++k)
        workers.emplace_back(work);
    Tally total;
    const std::uint64_t step = std::max<std::uint64_t>(1, blocks / 100);
    for (std::uint64_t b = 0; b < blocks; ++b) {
        while (!done[b])
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        total.add(of_block[b]);
        if ((b + 1) % step != 0) continue;
        fmt::print(stderr, "--first {}: {}\n", request.first + total.queries, line_of(total));
    }
    return total;
}

int run_check(const Request& request) {
    const auto start = std::chrono::steady_clock::now();
    const Tally total = check_all(request);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("seed {}, scale {}, offset {}: {}; {:.0f} s\n", request.seed, request.scale,
               request.offset, line_of(total), seconds.count());
    return total.false_negatives == 0 && total.too_far == 0 ? 0 : 1;
}

// --- --time --------------------------------------------------------------------------------------

struct Contender {
    std::string_view name;
    bool is_safe;
    SafeCubicOptions options;
    std::vector<double> ns;
    std::uint64_t contacts = 0;
};

std::vector<Contender> contenders() {
    const SafeCubicOptions with;
    SafeCubicOptions without;
    without.plane_culling = false;
    SafeCubicOptions all_vertex_edge;
    all_vertex_edge.vertex_edge_culling = false;
    return {{"cubic", false, with, {}, 0},
            {"safe-cubic", true, with, {}, 0},
            {"cubic, no planes", false, without, {}, 0},
            {"safe-cubic, no planes", true, without, {}, 0},
            {"safe-cubic, all vertex-edge", true, all_vertex_edge, {}, 0}};
}

template <class Motion>
void time_once(const std::vector<Motion>& motions, Contender& c) {
    std::uint64_t contacts = 0;
    const double start = thread_cpu_seconds();
    for (const Motion& motion : motions) {
        const CcdResult result =
            c.is_safe ? safe_cubic_ccd(motion, c.options) : cubic_ccd(motion, c.options);
        contacts += result.verdict == Verdict::Contact ? 1 : 0;
    }
    c.ns.push_back(1e9 * (thread_cpu_seconds() - start) / static_cast<double>(motions.size()));
    c.contacts = contacts;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

template <class Motion>
void print_counters(const std::vector<Motion>& motions, const SafeCubicOptions& options) {
    SafeCubicCounters sum;
    std::uint64_t with_roots = 0;
    std::uint64_t with_tests = 0;
    for (const Motion& motion : motions) {
        const SafeCubicCounters c = safe_cubic_report(motion, options).counters;
        sum.plane_culled += c.plane_culled;
        sum.roots += c.roots;
        sum.vertex_edge_spared += c.vertex_edge_spared;
        sum.vertex_edge_tests += c.vertex_edge_tests;
        sum.candidates += c.candidates;
        with_roots += c.roots > 0 ? 1 : 0;
        with_tests += c.vertex_edge_tests > 0 ? 1 : 0;
    }
    const auto n = static_cast<double>(motions.size());
    const double asked = static_cast<double>(sum.vertex_edge_spared + with_tests);
    fmt::print(
        "  planes cull {:.1f} %, {:.1f} % have candidates, {:.3f} a query; of {:.0f} that fail "
        "the\n"
        "  test of area and weights, {:.3f} % are spared vertex-edge tests; {:.6f} such tests a "
        "query, {:.2f} times a test\n",
        100.0 * sum.plane_culled / n, 100.0 * static_cast<double>(with_roots) / n, sum.roots / n,
        asked, 100.0 * sum.vertex_edge_spared / std::max(asked, 1.0), sum.vertex_edge_tests / n,
        sum.candidates / std::max(1.0, static_cast<double>(sum.vertex_edge_tests)));
}

template <class Motion>
void time_kind(const Request& request, std::string_view kind) {
    std::vector<Motion> motions;
    std::uint64_t asked = 0;
    for (; motions.size() < request.count; ++asked) {
        const Motion motion =
            testing::random_set_query<Motion>(request.seed, asked, request.transformation());
        if (box_separation(motion).verdict != Verdict::Separated) motions.push_back(motion);
    }
    std::vector<Contender> all = contenders();
    for (unsigned pass = 0; pass < request.repeat; ++pass) {
        for (Contender& c : all)
            time_once(motions, c);
    }
    fmt::print("{}: boxes cull {:.1f} % of {}\n", kind,
               100.0 - 100.0 * static_cast<double>(motions.size()) / static_cast<double>(asked),
               asked);
    for (const Contender& c : all) {
        fmt::print("  {:<28} {:7.1f} ns, {:.2f} % contact\n", c.name, median(c.ns),
                   100.0 * static_cast<double>(c.contacts) / static_cast<double>(motions.size()));
    }
    const auto overhead = [&all](std::size_t basic, std::size_t safe) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < all[basic].ns.size(); ++i)
            ratios.push_back(all[safe].ns[i] / all[basic].ns[i]);
        return 100.0 * (median(ratios) - 1.0);
    };
    fmt::print("  protection costs {:+.1f} % with planes, {:+.1f} % without\n", overhead(0, 1),
               overhead(2, 3));
    print_counters(motions, all[1].options);
}

int run_time(const Request& request) {
    fmt::print("ns a query whose boxes overlap, median of {} interleaved passes over {}\n",
               request.repeat, request.count);
    time_kind<VertexFaceMotion>(request, "vertex-face");
    time_kind<EdgeEdgeMotion>(request, "edge-edge");
    return 0;
}

// --- --families ----------------------------------------------------------------------------------

// Every query of these is a contact, by construction. Returns what `safe-cubic` missed.
template <class Motion>
std::uint64_t print_missed(const Request& request, std::string_view name,
                           Motion (*make)(std::uint64_t) noexcept) {
    std::uint64_t by_basic = 0;
    std::uint64_t by_safe = 0;
    for (std::uint64_t i = 0; i < request.count; ++i) {
        const Motion motion = make(request.seed + i);
        by_basic += cubic_ccd(motion).verdict == Verdict::Separated ? 1 : 0;
        by_safe += safe_cubic_ccd(motion).verdict == Verdict::Separated ? 1 : 0;
    }
    fmt::print("{:<20} {} contacts, missed by cubic {}, by safe-cubic {}\n", name, request.count,
               by_basic, by_safe);
    return by_safe;
}

int run_families(const Request& request) {
    const std::uint64_t missed =
        print_missed(request, "shrinking face", &testing::shrinking_face) +
        print_missed(request, "shrinking edges", &testing::shrinking_edges) +
        print_missed(request, "parallel to face", &testing::parallel_to_face) +
        print_missed(request, "parallel to edges", &testing::parallel_to_edges) +
        print_missed(request, "degenerate face", &testing::degenerate_face) +
        print_missed(request, "degenerate edges", &testing::degenerate_edges);
    return missed == 0 ? 0 : 1;
}

int run_command_line(int argc, char** argv) {
    CLI::App app("safe-cubic on random queries in a unit cube", "random_set");
    Request request;
    app.add_option("--check", request.check, "Hold N queries to `certified`");
    app.add_option("--first", request.first, "Number of the first of them");
    app.add_option("--seed", request.seed, "Which random set");
    app.add_option("--threads", request.threads, "For --check");
    app.add_flag("--time", request.time, "Time queries whose boxes overlap");
    app.add_flag("--families", request.families, "Count missed contacts where `cubic` fails");
    app.add_option("--count", request.count, "How many queries to time, or of each family")
        ->check(CLI::PositiveNumber);
    app.add_option("--repeat", request.repeat, "How often")->check(CLI::PositiveNumber);
    app.add_option("--scale", request.scale, "Multiply coordinates by 2^K")
        ->check(CLI::Range(-900, 900));
    app.add_option("--offset", request.offset, "Then add this to each");
    CLI11_PARSE(app, argc, argv);
    int outcome = 0;
    if (request.check > 0) outcome = run_check(request);
    if (request.time) outcome = std::max(outcome, run_time(request));
    if (request.families) outcome = std::max(outcome, run_families(request));
    if (request.check == 0 && !request.time && !request.families) {
        fmt::print(stderr, "random_set: error: nothing to do: --check, --time or --families\n");
        return 2;
    }
    return outcome;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    try {
        return graze::bench::run_command_line(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "random_set: error: {}\n", error.what());
        return 1;
    }
}
