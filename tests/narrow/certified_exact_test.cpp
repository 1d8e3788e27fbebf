// The last tier of `certified` against the oracle, with which it shares no code: same verdict, same
// bits of the first time, on every family, for every kind, for every end of the step.
// Defends G-CERTIFIED-1, G-CERTIFIED-2, G-CERTIFIED-3, G-CERTIFIED-9 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graze/generate/families.hpp"
#include "graze/io/embedded.hpp"
#include "graze/io/query_sets.hpp"
#include "narrow/certified_exact_check.hpp"
#include "support/outside_data.hpp"

namespace graze {
namespace {

using generate::Family;

constexpr std::uint64_t kQueriesPerFamily = 1000;
constexpr std::uint64_t kWildQueries = 40;  // exact truth is slow there

class CertifiedExactFamilies : public ::testing::TestWithParam<Family> {};

TEST_P(CertifiedExactFamilies, AgreeWithTheOracleForEveryKindAndEveryEndOfTheStep) {
    std::mt19937_64 rng(20250101);
    const std::uint64_t count = GetParam() == Family::Wild ? kWildQueries : kQueriesPerFamily;
    for (const QueryKind kind : kAllQueryKinds) {
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            expect_exact(generate::query(GetParam(), kind, seed), kind, rng);
            if (HasFailure()) return;
        }
    }
}

std::string family_name(const ::testing::TestParamInfo<Family>& info) {
    std::string name(generate::name(info.param));
    std::erase(name, '-');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Generated, CertifiedExactFamilies,
                         ::testing::ValuesIn(generate::kAllFamilies), family_name);

// Orders of the corners that leave the primitives what they are.
std::vector<std::array<std::size_t, 4>> symmetries(QueryKind kind) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {{0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}};
        case QueryKind::EdgeEdge:
            return {{1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 0, 1}};
        case QueryKind::VertexVertex:
            return {{1, 0, 2, 3}};
        case QueryKind::VertexEdge:
            break;
    }
    return {{0, 2, 1, 3}};
}

TEST_P(CertifiedExactFamilies, GiveTheSameBitsForEveryOrderOfTheCornersAndAnyUnitOfAnAxis) {
    for (const QueryKind kind : kAllQueryKinds) {
        for (std::uint64_t seed = 0; seed < (GetParam() == Family::Wild ? 20 : 200); ++seed) {
            const QueryRecord record = generate::query(GetParam(), kind, seed);
            const ExactContact found = exact_contact(record, kind, 1.0, 0.0);
            for (const auto& order : symmetries(kind)) {
                QueryRecord other = record;
                for (std::size_t i = 0; i < order.size(); ++i)
                    other.corners[i] = record.corners[order[i]];
                EXPECT_EQ(exact_contact(other, kind, 1.0, 0.0), found);
            }
            QueryRecord mixed = record;
            QueryRecord reversed = record;
            for (std::size_t i = 0; i < vertex_count(kind); ++i) {
                std::swap(mixed.corners[i].start.x, mixed.corners[i].start.z);
                std::swap(mixed.corners[i].end.x, mixed.corners[i].end.z);
                std::swap(reversed.corners[i].start, reversed.corners[i].end);
                if (GetParam() == Family::Wild) continue;  // 2^40 might overflow there
                mixed.corners[i].start.y *= -0x1p40;
                mixed.corners[i].end.y *= -0x1p40;
            }
            EXPECT_EQ(exact_contact(mixed, kind, 1.0, 0.0), found);
            EXPECT_EQ(exact_contact(reversed, kind, 1.0, 0.0).contact, found.contact);
        }
    }
}

TEST(CertifiedExact, AgreesWithTheEmbeddedTruthBitByBit) {
    std::size_t queries = 0;
    for (const io::EmbeddedSet& set : io::embedded_sets()) {
        auto stream = io::open_embedded(set);
        ASSERT_TRUE(stream) << stream.error().message;
        for (;;) {
            const auto record = (*stream)->next();
            ASSERT_TRUE(record) << record.error().message;
            if (!record->has_value()) break;
            const ExactContact found = exact_contact(**record, set.kind, 1.0, 0.0);
            EXPECT_EQ(found.contact, *(*record)->truth);
            EXPECT_EQ(found.lower, (*record)->first_time->lower);
            EXPECT_EQ(found.upper, (*record)->first_time->upper);
            ++queries;
        }
    }
    EXPECT_GT(queries, 300U);
}

TEST(CertifiedExact, AgreesWithTheBenchmarkSamples) {
    const std::filesystem::path folder = testing::outside_data("ccd-queries");
    if (!std::filesystem::is_directory(folder)) {
        GTEST_SKIP() << "no benchmark samples at " << folder;
    }
    const auto sets = io::find_query_sets(folder);
    ASSERT_TRUE(sets) << sets.error().message;
    std::size_t judged = 0;
    for (const io::QuerySet& set : *sets) {
        const auto records = io::read_all(set.source);
        ASSERT_TRUE(records) << records.error().message;
        const std::size_t stride = set.group == "handcrafted" ? 1 : 10;
        for (std::size_t i = 0; i < records->size(); i += stride) {
            const ExactContact found = exact_contact((*records)[i], set.source.kind, 1.0, 1e-9);
            EXPECT_EQ(found.contact, *(*records)[i].truth) << set.scene << " #" << i;
            ++judged;
        }
    }
    EXPECT_GT(judged, 5000U);
}

}  // namespace
}  // namespace graze
