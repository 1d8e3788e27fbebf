// `certified` with a separation against a second implementation of the same question, the search of
// separation.hpp alone, which shares no code with the fast tiers: generated queries of all families
// and kinds, both norms, separations of every size and next to the distance at the start.
//   separation_set [--seed N] [--count N] [--threads N]
//   0 success; 1 two proofs contradict each other; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
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
    std::string first;

    void add(const SetCounts& other) {
        queries += other.queries;
        separated += other.separated;
        contacts += other.contacts;
        near += other.near;
        unresolved += other.unresolved;
        contradictions += other.contradictions;
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
        if (!contradict(found, second) && !contradict(second, found)) return;
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
        "only, {} contradictions\n",
        request.seed, request.seed + request.count - 1, counts.separated, counts.contacts,
        counts.unresolved, counts.near, counts.contradictions);
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
