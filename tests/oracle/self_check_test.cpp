// A sample of every family of generated queries; `graze self-check` runs as many as wished.
// Defends G-ORACLE-1 (docs/GUARANTEES.md).
#include "graze/oracle/self_check.hpp"

#include <gtest/gtest.h>

#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze {
namespace {

using generate::Family;

class SelfCheck : public ::testing::TestWithParam<Family> {};

TEST_P(SelfCheck, HoldsForGeneratedQueriesOfEveryKind) {
    const Family family = GetParam();
    const std::uint64_t count = family == Family::Wild ? 4 : 30;
    for (const QueryKind kind : kAllQueryKinds) {
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            const io::QueryRecord record = generate::query(family, kind, seed);
            const auto failure = oracle::self_check(verify::oracle_query(record, kind));
            EXPECT_FALSE(failure.has_value()) << *failure << "\n#" << seed << '\n'
                                              << io::to_hex(record, kind);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(AllFamilies, SelfCheck, ::testing::ValuesIn(generate::kAllFamilies),
                         [](const auto& test) {
                             std::string name(generate::name(test.param));
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// Each family must hold what it promises: contacts where it says so, and misses too.
TEST(Generate, EveryFamilyHasContactsAndMisses) {
    for (const Family family : generate::kAllFamilies) {
        int contacts = 0;
        constexpr int kCount = 60;
        for (std::uint64_t seed = 0; seed < kCount; ++seed) {
            const auto record = generate::query(family, QueryKind::EdgeEdge, seed);
            const auto query = verify::oracle_query(record, QueryKind::EdgeEdge);
            contacts += oracle::first_contact(query).state == oracle::State::Contact ? 1 : 0;
        }
        EXPECT_GT(contacts, 0) << generate::name(family);
        if (family == Family::Boundary) {
            EXPECT_EQ(contacts, kCount);
        } else {
            EXPECT_LT(contacts, kCount) << generate::name(family);
        }
    }
}

TEST(Generate, TheSameSeedGivesTheSameQueryAndAnotherSeedAnother) {
    for (const Family family : generate::kAllFamilies) {
        EXPECT_EQ(generate::family_from_name(generate::name(family)), family);
        const auto a = generate::query(family, QueryKind::VertexFace, 5);
        EXPECT_EQ(a, generate::query(family, QueryKind::VertexFace, 5));
        EXPECT_NE(a, generate::query(family, QueryKind::VertexFace, 6));
    }
}

}  // namespace
}  // namespace graze
