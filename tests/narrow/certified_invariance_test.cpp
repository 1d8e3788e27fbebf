// What must not matter to `certified`: the order of corners and edges, the hand of the axes, the
// direction of time, the unit of length, the number of threads. On every family of queries, the
// degenerate ones above all, in which different tiers decide different images of one query.
// Defends G-CERTIFIED-7 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "graze/generate/families.hpp"
#include "graze/narrow/certified.hpp"
#include "narrow/certified_exact_check.hpp"
#include "narrow/certified_tiers.hpp"

namespace graze {
namespace {

using generate::Family;

CcdResult ask(QueryKind kind, const QueryRecord& record, const CcdOptions& options = {}) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return certify(io::motion_of<Motion>(record), options);
    });
}

// Calls use(kind, record, seed) for some queries of every family and kind.
template <class Use>
void for_each_query(std::uint64_t first, std::uint64_t count, const Use& use) {
    for (const Family family : generate::kAllFamilies) {
        const std::uint64_t share = family == Family::Wild ? (count + 4) / 5 : count;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = first; seed < first + share; ++seed) {
                SCOPED_TRACE(std::string(generate::name(family)) + " #" + std::to_string(seed));
                use(kind, generate::query(family, kind, seed), seed);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

// Exactly what the oracle says of the query: verdict, and a bracket around the exact time.
void expect_truth(QueryKind kind, const QueryRecord& record, const oracle::Truth& truth) {
    SCOPED_TRACE(std::string(short_name(kind)) + "\n" + io::to_hex(record, kind));
    const CcdOptions options;
    const CcdResult found = ask(kind, record, options);
    ASSERT_NE(found.verdict, Verdict::Unresolved);
    expect_guarantee({found.verdict == Verdict::Contact, found.toi_lower, found.toi_upper}, truth,
                     options.t_max, options.time_width);
}

using Order = std::array<std::size_t, 4>;

// The orders of corners that leave the two primitives what they are.
std::vector<Order> orders(QueryKind kind) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3},
                    {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}};
        case QueryKind::EdgeEdge:
            return {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2},
                    {2, 3, 0, 1}, {3, 2, 0, 1}, {2, 3, 1, 0}, {3, 2, 1, 0}};
        case QueryKind::VertexVertex:
            return {{0, 1, 2, 3}, {1, 0, 2, 3}};
        case QueryKind::VertexEdge:
            break;
    }
    return {{0, 1, 2, 3}, {0, 2, 1, 3}};
}
QueryRecord reordered(const QueryRecord& record, const Order& order) {
    QueryRecord image;
    for (std::size_t i = 0; i < 4; ++i)
        image.corners[i] = record.corners[order[i]];
    return image;
}

template <class Change>
QueryRecord changed(QueryRecord record, const Change& change) {
    for (MovingPoint& corner : record.corners) {
        change(corner.start);
        change(corner.end);
    }
    return record;
}

// One of the 48 ways to exchange and to mirror axes. Zeros become -0.
QueryRecord mirrored(const QueryRecord& record, std::uint64_t which) {
    constexpr std::array<std::array<std::size_t, 3>, 6> kAxes = {
        {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
    const auto& axes = kAxes[which % 6];
    return changed(record, [&](Vec3& p) {
        const Vec3 from = p;
        for (std::size_t k = 0; k < 3; ++k)
            p[k] = ((which / 6) >> k & 1U) != 0 ? -from[axes[k]] : from[axes[k]];
    });
}

TEST(CertifiedInvariance, OrderAndMirrorsChangeNeitherVerdictNorTime) {
    for_each_query(0, 25, [](QueryKind kind, const QueryRecord& record, std::uint64_t seed) {
        const oracle::Truth truth = truth_of(record, kind);
        for (const Order& order : orders(kind))
            expect_truth(kind, reordered(record, order), truth);
        for (std::uint64_t i = 0; i < 4; ++i)
            expect_truth(kind, mirrored(record, 7 * seed + 13 * i), truth);
    });
}

TEST(CertifiedInvariance, ReversedTimeChangesNoVerdict) {
    for_each_query(100, 25, [](QueryKind kind, const QueryRecord& record, std::uint64_t /*seed*/) {
        QueryRecord reversed = record;
        for (MovingPoint& corner : reversed.corners)
            std::swap(corner.start, corner.end);
        const oracle::Truth truth = truth_of(reversed, kind);
        expect_truth(kind, reversed, truth);
        EXPECT_EQ(ask(kind, record).verdict, ask(kind, reversed).verdict);
        // The last time of one is the first of the other.
        EXPECT_EQ(truth_of(record, kind).state, truth.state);
    });
}

// A point that all share moves nothing, as long as no difference of coordinates is rounded.
TEST(CertifiedInvariance, AnExactOffsetChangesNoBit) {
    int asked = 0;
    for_each_query(200, 25, [&](QueryKind kind, const QueryRecord& record, std::uint64_t seed) {
        const double offset = std::ldexp(seed % 2 == 0 ? 1.0 : -1.0, static_cast<int>(seed % 12));
        bool is_exact = true;
        const QueryRecord moved = changed(record, [&](Vec3& p) {
            const Vec3 from = p;
            p = p + Vec3{offset, -offset, 2.0 * offset};
            const Vec3 back = p - Vec3{offset, -offset, 2.0 * offset};
            is_exact = is_exact && back == from && from - back == Vec3{};
        });
        // Exact both ways for short coordinates alone.
        const auto is_short = [](double x) {
            return std::ldexp(x, 20) == std::rint(std::ldexp(x, 20));
        };
        changed(record, [&](Vec3& p) {
            is_exact = is_exact && is_short(p.x) && is_short(p.y) && is_short(p.z);
        });
        if (!is_exact) return;
        ++asked;
        EXPECT_EQ(ask(kind, moved), ask(kind, record)) << io::to_hex(record, kind);
    });
    EXPECT_GT(asked, 200);
}

// --- Units ---------------------------------------------------------------------------------------

// 2^k on all lengths; nothing where that rounds.
std::optional<QueryRecord> scaled(const QueryRecord& record, int k) {
    bool is_exact = true;
    const QueryRecord image = changed(record, [&](Vec3& p) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double x = p[axis];
            p[axis] = std::ldexp(x, k);
            is_exact = is_exact && std::ldexp(p[axis], -k) == x && std::isfinite(p[axis]);
        }
    });
    return is_exact ? std::optional(image) : std::nullopt;
}

// Do the fast tiers scale its axes? The others go to the last tier, whose brackets are narrower.
bool is_in_range(QueryKind kind, const QueryRecord& record) {
    return certified::prepared(kind, record).is_in_range;
}

int expect_same_bits(QueryKind kind, const QueryRecord& record, int k, CcdOptions options) {
    const std::optional<QueryRecord> image = scaled(record, k);
    const double d = std::ldexp(options.min_separation, k);
    const double tolerance = std::ldexp(options.distance_tolerance, k);
    const bool is_exact = std::ldexp(d, -k) == options.min_separation &&
                          std::ldexp(tolerance, -k) == options.distance_tolerance;
    if (!image || !is_exact) return 0;
    const CcdResult expected = ask(kind, record, options);
    options.min_separation = d;
    options.distance_tolerance = tolerance;
    CcdResult found = ask(kind, *image, options);
    if (std::isfinite(found.tolerance)) found.tolerance = std::ldexp(found.tolerance, -k);
    EXPECT_EQ(found, expected) << "2^" << k << "\n"
                               << short_name(kind) << "\n"
                               << io::to_hex(record, kind);
    return 1;
}

TEST(CertifiedInvariance, APowerOfTwoOnAllLengthsChangesNoBit) {
    int asked = 0;
    for_each_query(300, 25, [&](QueryKind kind, const QueryRecord& record, std::uint64_t seed) {
        for (const int k : {-1, 17, -300 - static_cast<int>(seed % 50), 830, -880}) {
            const std::optional<QueryRecord> image = scaled(record, k);
            if (image && is_in_range(kind, record) == is_in_range(kind, *image))
                asked += expect_same_bits(kind, record, k, {});
        }
    });
    EXPECT_GT(asked, 3000);
}

// Beyond that, another tier may decide: the same verdict, and brackets around the same time.
TEST(CertifiedInvariance, APowerOfTwoThatLeavesTheFastTiersChangesNoVerdict) {
    int asked = 0;
    for_each_query(300, 25, [&](QueryKind kind, const QueryRecord& record, std::uint64_t seed) {
        for (const int k : {-940 - static_cast<int>(seed), -935, 935, 1015}) {
            const std::optional<QueryRecord> image = scaled(record, k);
            if (!image) continue;
            ++asked;
            const CcdResult a = ask(kind, record);
            const CcdResult b = ask(kind, *image);
            EXPECT_EQ(a.verdict, b.verdict) << k << '\n' << io::to_hex(record, kind);
            EXPECT_LE(std::max(a.toi_lower, b.toi_lower), std::min(a.toi_upper, b.toi_upper));
        }
    });
    EXPECT_GT(asked, 300);
}

// What Guarantee::scale_invariant says of every power of two that rounds nothing, to both ends of the
// range in which the fast tiers scale.
TEST(CertifiedInvariance, EveryPowerOfTwoThatRoundsNothingChangesNoBit) {
    for_each_query(300, 25, [](QueryKind kind, const QueryRecord& record, std::uint64_t /*seed*/) {
        for (const int k : {-1000, -930, 930, 1015})
            expect_same_bits(kind, record, k, {});
    });
}

TEST(CertifiedInvariance, APowerOfTwoOnAllLengthsAndTheSeparationChangesNoBit) {
    int asked = 0;
    for_each_query(400, 6, [&](QueryKind kind, const QueryRecord& record, std::uint64_t seed) {
        for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
            CcdOptions options{.min_separation = 0.25, .norm = norm};
            options.max_checks = 300;
            for (const int k : {-1, 40, -200 - static_cast<int>(seed % 50), 700})
                asked += expect_same_bits(kind, record, k, options);
        }
    });
    EXPECT_GT(asked, 500);
}

// The nearest vertex comes a little nearer while it passes by: separated by one direction, from a distance that
// differs from d by less than the fast tiers for one query tell apart.
TEST(CertifiedInvariance, APowerOfTwoChangesNoSeparationThatOnlyOneDirectionProves) {
    const VertexFaceMotion motion = {
        {},
        {{{{0, 0, 1}, {0x1.53f5c13290ce1p-3, 0, 0x1.fffffcf4bd665p-1}},
          {{0x1.9d5a680ac3535p-8, 0x1.6751d5cbb3f1ap-2, 0x1.1b0dc7cfc3302p+1},
           {0x1.60e09472e6e8bp-3, 0x1.6751d5cbb3f1ap-2, 0x1.1b0dc70cf289bp+1}},
          {{0x1.213ae880900f9p-3, -0x1.30d84f91bf14bp-4, 0x1.deae4d8031c13p+0},
           {0x1.3a9854d9906edp-2, -0x1.30d84f91bf14bp-4, 0x1.deae4bfa90746p+0}}}}};
    const CcdOptions options{.min_separation = 0x1.ffffffffffa87p-1};
    const QueryRecord record = io::record_of(motion);
    EXPECT_EQ(ask(QueryKind::VertexFace, record, options).verdict, Verdict::Separated);
    for (const int k : {-900, -470, -450, -1, 500, 515, 700})
        EXPECT_EQ(expect_same_bits(QueryKind::VertexFace, record, k, options), 1);
}

// --- Threads -------------------------------------------------------------------------------------

TEST(CertifiedInvariance, AnyNumberOfThreadsGivesTheSameBits) {
    std::vector<std::pair<QueryKind, QueryRecord>> queries;
    for_each_query(500, 12, [&](QueryKind kind, const QueryRecord& record, std::uint64_t /*seed*/) {
        queries.emplace_back(kind, record);
    });
    const auto answers = [&](std::size_t threads, double d) {
        const CcdOptions options{.min_separation = d, .max_checks = 100};
        std::vector<CcdResult> results(queries.size());
        std::vector<std::jthread> workers;
        for (std::size_t w = 0; w < threads; ++w) {
            workers.emplace_back([&, w] {
                for (std::size_t i = w; i < queries.size(); i += threads)
                    results[i] = ask(queries[i].first, queries[i].second, options);
            });
        }
        workers.clear();  // joins
        return results;
    };
    for (const double d : {0.0, 0.125}) {
        const std::vector<CcdResult> expected = answers(1, d);
        for (const std::size_t threads : {2U, 3U, 8U})
            EXPECT_EQ(answers(threads, d), expected) << threads;
    }
}

}  // namespace
}  // namespace graze
