// `certified` with a separation against two other implementations of the same question: the search of
// separation.hpp alone, which shares no code with the fast tiers, and the least distance among many
// times in plain doubles, which shares none with the library (graze/oracle/distance_estimate.hpp). Generated
// queries of all families and kinds, both norms, separations of every size and next to the distance at
// the start; and several queries at a time against one. Query n is always the same: a campaign is taken up by --seed.
//   separation_set [--seed N] [--count N] [--threads N]
//   0 success; 1 two answers contradict each other; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/io/query_file.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/distance.hpp"
#include "graze/oracle/distance_estimate.hpp"
#include "narrow/certified/separation.hpp"

namespace graze::certified {
namespace {

struct SetRequest {
    std::uint64_t seed = 0;
    std::uint64_t count = 100'000;
    unsigned threads = 1;
};

struct SetCounts {
    std::uint64_t queries = 0;
    std::uint64_t separated = 0;
    std::uint64_t contacts = 0;
    std::uint64_t near = 0;            // contact within the tolerance only, by either
    std::uint64_t unresolved = 0;      // by `certified`
    std::uint64_t contradictions = 0;  // two proofs of which one is wrong
    std::uint64_t sampled = 0;         // compared with distances of many times
    std::uint64_t arbitrated = 0;      // by the oracle, since they seemed to differ
    std::uint64_t unconfirmed = 0;     // contacts that no time of those is near to
    std::string first;

    void add(const SetCounts& other) {
        queries += other.queries;
        separated += other.separated;
        contacts += other.contacts;
        near += other.near;
        unresolved += other.unresolved;
        contradictions += other.contradictions;
        sampled += other.sampled;
        arbitrated += other.arbitrated;
        unconfirmed += other.unconfirmed;
        if (first.empty()) first = other.first;
    }
};

bool is_proved_within(const CcdResult& r) {
    return r.verdict == Verdict::Contact && r.tolerance == 0.0;
}

// One says free where the other has proved a distance <= d.
bool contradict(const CcdResult& a, const CcdResult& b) {
    return is_proved_within(b) && !(a.toi_lower <= b.toi_upper);
}

oracle::Query sampled_query(QueryKind kind, const io::QueryRecord& record) {
    oracle::Query query;
    query.kind = kind == QueryKind::VertexFace     ? oracle::Kind::VertexFace
                 : kind == QueryKind::EdgeEdge     ? oracle::Kind::EdgeEdge
                 : kind == QueryKind::VertexVertex ? oracle::Kind::VertexVertex
                                                   : oracle::Kind::VertexEdge;
    for (std::size_t c = 0; c < record.corners.size(); ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            query.start[c][k] = record.corners[c].start[k];
            query.end[c][k] = record.corners[c].end[k];
        }
    }
    return query;
}
// The largest |coordinate|: differences err by its rounding.
double size_of(const oracle::Query& query) {
    double size = 0.0;
    for (std::size_t c = 0; c < query.start.size(); ++c)
        for (std::size_t k = 0; k < 3; ++k)
            size = std::max({size, std::abs(query.start[c][k]), std::abs(query.end[c][k])});
    return size;
}

// False: some time that is called free is within d by more than rounding errors.
bool agrees_with_samples(const oracle::Query& query, const CcdOptions& options,
                         const CcdResult& found, SetCounts& counts) {
    const oracle::Norm norm =
        options.norm == Norm::Max ? oracle::Norm::Max : oracle::Norm::Euclidean;
    const double free_until = found.verdict == Verdict::Separated ? 1.0 : found.toi_lower;
    const double size = size_of(query);
    const double error = 1e-12 * size;
    if (!(size > 1e-90 && size < 1e+90)) return true;  // products of three would not be doubles
    const double nearest = oracle::estimated_minimum_distance(query, norm, free_until);
    ++counts.sampled;
    if (found.verdict == Verdict::Contact && found.toi_upper <= 1.0) {
        const double reached = oracle::estimated_minimum_distance(query, norm, found.toi_upper);
        const double allowed = options.min_separation + found.tolerance;
        counts.unconfirmed += reached <= allowed * (1.0 + 1e-12) + error ? 0 : 1;
    }
    // [0, toi_lower) ends as near as d, or nearer by what the distance changes in a rounding of time.
    if (free_until == 0.0 || nearest >= options.min_separation * (1.0 - 1e-12) - error) return true;
    // In the max-norm the estimate may be too small where normals are noise: who is right is exact.
    ++counts.arbitrated;
    const oracle::Truth truth = oracle::first_within(query, options.min_separation, norm);
    if (truth.state != oracle::State::Contact) return true;
    return found.verdict != Verdict::Separated && free_until <= truth.toi_upper;
}

// Several at a time: the same bits.
template <class Motion>
bool is_same_in_batch(const Motion& motion, const CcdOptions& options, const CcdResult& found) {
    std::array<Motion, 4> motions;
    motions.fill(motion);
    std::array<CcdResult, 4> results;
    run_batch<Motion>(make_certified(), motions, options, results);
    return std::count(results.begin(), results.end(), found) == 4;
}

double separation_for(std::uint64_t number, double at_start) {
    constexpr std::array<double, 12> kSeparations = {1e-12, 1e-6, 1e-3, 0.03,   0.3,        2.0,
                                                     -0.1,  -0.5, -0.9, -0.999, -0.9999999, -1.0};
    const double d = kSeparations[number % kSeparations.size()];
    return d > 0.0 ? d : std::max(-d * at_start, 1e-9);
}

// Query n: families, kinds and norms in turn.
void compare_one(std::uint64_t number, SetCounts& counts) {
    const std::uint64_t families = generate::kAllFamilies.size();
    const auto family = generate::kAllFamilies[number % families];
    const QueryKind kind = kAllQueryKinds[number / families % kAllQueryKinds.size()];
    const std::uint64_t rest = number / families / kAllQueryKinds.size();
    const io::QueryRecord record = generate::query(family, kind, rest / 2);
    visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        const Motion motion = io::motion_of<Motion>(record);
        CcdOptions options;
        options.norm = rest % 2 == 0 ? Norm::Euclidean : Norm::Max;
        options.max_checks = 10'000;
        options.min_separation = separation_for(rest / 2, distance_lower(motion, options.norm));
        const CcdResult found = certify(motion, options);
        const CcdResult second = within_separation(motion, options);
        ++counts.queries;
        counts.separated += found.verdict == Verdict::Separated ? 1 : 0;
        counts.contacts += found.verdict == Verdict::Contact ? 1 : 0;
        counts.unresolved += found.verdict == Verdict::Unresolved ? 1 : 0;
        const auto is_near = [](const CcdResult& r) {
            return r.verdict == Verdict::Contact && r.tolerance > 0.0;
        };
        counts.near += is_near(found) || is_near(second) ? 1 : 0;
        const bool is_sampled =
            agrees_with_samples(sampled_query(kind, record), options, found, counts);
        const bool is_right =
            is_sampled && !contradict(found, second) && !contradict(second, found);
        if (is_right && is_same_in_batch(motion, options, found)) return;
        ++counts.contradictions;
        if (counts.first.empty()) {
            counts.first =
                fmt::format("query {}, {}, d = {}\n{}", number, long_name(kind),
                            io::to_hex(options.min_separation), io::to_hex(record, kind));
        }
    });
}

SetCounts compare_all(const SetRequest& request) {
    SetCounts total;
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < request.threads; ++k) {
        threads.emplace_back([&, k] {
            SetCounts counts;
            for (std::uint64_t i = k; i < request.count; i += request.threads)
                compare_one(request.seed + i, counts);
            const std::lock_guard lock(mutex);
            total.add(counts);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    return total;
}

int run_set(const SetRequest& request) {
    const SetCounts counts = compare_all(request);
    fmt::print(
        "queries {} to {}: {} separated, {} contacts, {} unresolved, {} within the tolerance "
        "only, {} compared with samples ({} contacts not confirmed, {} left to the oracle), {} "
        "contradictions\n",
        request.seed, request.seed + request.count - 1, counts.separated, counts.contacts,
        counts.unresolved, counts.near, counts.sampled, counts.unconfirmed, counts.arbitrated,
        counts.contradictions);
    if (counts.contradictions > 0) fmt::print("{}\n", counts.first);
    return counts.contradictions == 0 ? 0 : 1;
}

}  // namespace
}  // namespace graze::certified

int main(int argc, char** argv) {
    graze::certified::SetRequest request;
    CLI::App app("Separations by the fast tiers against the search alone");
    app.add_option("--seed", request.seed, "Number of the first query");
    app.add_option("--count", request.count, "How many queries")->check(CLI::PositiveNumber);
    app.add_option("--threads", request.threads, "How many threads")->check(CLI::Range(1, 256));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return graze::certified::run_set(request);
}
