// The data that ships with the library: what it holds, and that its truths are exact.
#include <gtest/gtest.h>

#include "graze/generate/families.hpp"
#include "graze/io/embedded.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze {
namespace {

using generate::Family;

// As scripts/make_embedded_data.sh makes them: families, and how many queries of each.
struct Recipe {
    std::string_view group;
    std::vector<Family> families;
    std::uint64_t faces_and_edges;
    std::uint64_t lower_kinds;
};

std::vector<Recipe> recipes() {
    return {{"ordinary", {Family::Ordinary}, 40, 10},
            {"near", {Family::Boundary, Family::Near}, 20, 5},
            {"degenerate",
             {Family::SmallIntegers, Family::Flat, Family::MultipleRoots, Family::ZeroArea,
              Family::Parallel, Family::Static, Family::Coincident},
             10,
             3},
            {"wild", {Family::Wild}, 12, 6}};
}

std::vector<io::QueryRecord> embedded_records(std::string_view group, QueryKind kind) {
    std::vector<io::QueryRecord> records;
    for (const io::EmbeddedSet& set : io::embedded_sets()) {
        if (set.group != group || set.kind != kind) continue;
        auto stream = io::open_embedded(set);
        EXPECT_TRUE(stream) << stream.error().message;
        while (stream) {
            const auto record = (*stream)->next();
            EXPECT_TRUE(record) << record.error().message;
            if (!record || !record->has_value()) break;
            records.push_back(**record);
        }
    }
    return records;
}

std::vector<io::QueryRecord> generated_records(const Recipe& recipe, QueryKind kind) {
    const bool lower = kind == QueryKind::VertexVertex || kind == QueryKind::VertexEdge;
    std::vector<io::QueryRecord> records;
    for (const Family family : recipe.families) {
        for (std::uint64_t i = 0; i < (lower ? recipe.lower_kinds : recipe.faces_and_edges); ++i) {
            io::QueryRecord record = generate::query(family, kind, i);
            const oracle::Truth truth = oracle::first_contact(verify::oracle_query(record, kind));
            record.truth = truth.state == oracle::State::Contact;
            record.first_time = io::TimeBracket{truth.toi_lower, truth.toi_upper};
            records.push_back(record);
        }
    }
    return records;
}

TEST(EmbeddedData, HoldsTheGeneratedQueriesWithTheirExactTruthAndTimes) {
    std::size_t queries = 0;
    for (const Recipe& recipe : recipes()) {
        for (const QueryKind kind : kAllQueryKinds) {
            const auto records = embedded_records(recipe.group, kind);
            EXPECT_EQ(records, generated_records(recipe, kind))
                << recipe.group << ' ' << short_name(kind);
            queries += records.size();
        }
    }
    EXPECT_EQ(io::embedded_sets().size(), recipes().size() * kAllQueryKinds.size());
    EXPECT_GT(queries, 300U);
}

}  // namespace
}  // namespace graze
