// Methods on the samples of the CCD benchmark, where they lie beside the checkout.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "graze/io/hex_float.hpp"
#include "graze/io/query_sets.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "graze/verify/oracle_method.hpp"
#include "support/outside_data.hpp"

namespace graze {
namespace {

using io::QueryRecord;

CcdResult run_record(const Method& method, QueryKind kind, const QueryRecord& record) {
    return kind == QueryKind::VertexFace ? run(method, io::motion_of<VertexFaceMotion>(record))
                                         : run(method, io::motion_of<EdgeEdgeMotion>(record));
}

struct Counts {
    std::size_t queries = 0;
    std::size_t false_positives = 0;
    std::size_t false_negatives = 0;
    std::size_t unresolved = 0;
    std::size_t late = 0;
};
using Groups = std::map<std::pair<std::string, QueryKind>, Counts>;

// Every query is answered; every `judged`-th one that touches has its time judged by the oracle.
void count(const Method& method, const io::QuerySet& set, std::size_t stride, std::size_t judged,
           Groups& groups) {
    const auto records = io::read_all(set.source);
    ASSERT_TRUE(records) << records.error().message;
    const QueryKind kind = set.source.kind;
    Counts& counts = groups[{set.group, kind}];
    for (std::size_t i = 0; i < records->size(); i += stride) {
        const QueryRecord& record = (*records)[i];
        const bool touches = record.truth.value();
        const CcdResult found = run_record(method, kind, record);
        const bool separated = found.verdict == Verdict::Separated;
        ++counts.queries;
        counts.false_positives += !touches && !separated ? 1 : 0;
        counts.false_negatives += touches && separated ? 1 : 0;
        counts.unresolved += found.verdict == Verdict::Unresolved ? 1 : 0;
        if (!touches || i % judged != 0) continue;
        const auto truth = oracle::first_contact(verify::oracle_query(record, kind));
        const bool late = !(found.toi_lower <= truth.toi_lower);
        EXPECT_FALSE(late) << set.scene << " #" << i << '\n' << io::to_hex(record, kind);
        counts.late += late ? 1 : 0;
    }
}

// The samples, or nothing where they are not at hand.
std::vector<io::QuerySet> samples() {
    const std::filesystem::path folder = testing::outside_data("ccd-queries");
    if (!std::filesystem::is_directory(folder)) return {};
    auto sets = io::find_query_sets(folder);
    // Samples that are there and cannot be read are a failure, not a reason to skip.
    EXPECT_TRUE(sets && !sets->empty()) << folder;
    return sets ? *sets : std::vector<io::QuerySet>{};
}

void expect_sound(const Groups& groups) {
    for (const auto& [group, counts] : groups) {
        SCOPED_TRACE(group.first + ' ' + std::string(short_name(group.second)));
        EXPECT_EQ(counts.false_negatives, 0U);
        EXPECT_EQ(counts.unresolved, 0U);
        EXPECT_EQ(counts.late, 0U);
    }
}

// The counts are what the published code has on the same files.
TEST(PublishedData, TightInclusionMissesNothingAndHasFewerFalsePositivesThanThePublishedCode) {
    const auto sets = samples();
    if (sets.empty()) GTEST_SKIP() << "no benchmark samples";
    Groups groups;
    for (const io::QuerySet& set : sets) {
        const std::size_t judged = set.group == "handcrafted" ? 1 : 16;
        count(make_tight_inclusion(), set, 1, judged, groups);
    }
    expect_sound(groups);
    const auto positives = [&](const char* group, QueryKind kind) {
        return groups[{group, kind}].false_positives;
    };
    EXPECT_LE(positives("handcrafted", QueryKind::VertexFace), 56U);
    EXPECT_LE(positives("handcrafted", QueryKind::EdgeEdge), 67U);
    EXPECT_LE(positives("simulation", QueryKind::VertexFace), 103U);
    EXPECT_LE(positives("simulation", QueryKind::EdgeEdge), 352U);
}

// The simulation samples list only pairs that the published code could not exclude: as published,
// neither can ours.
TEST(PublishedData, AsPublishedTheListedMissesAreNotExcluded) {
    const auto sets = samples();
    if (sets.empty()) GTEST_SKIP() << "no benchmark samples";
    const Method published = make_tight_inclusion_paper();
    std::size_t misses = 0;
    std::size_t kept = 0;
    for (const io::QuerySet& set : sets) {
        if (set.group != "simulation") continue;
        const auto records = io::read_all(set.source);
        ASSERT_TRUE(records) << records.error().message;
        for (const QueryRecord& record : *records) {
            if (record.truth.value()) continue;
            ++misses;
            const CcdResult found = run_record(published, set.source.kind, record);
            kept += found.verdict == Verdict::Contact ? 1 : 0;
        }
    }
    EXPECT_GT(misses, 100U);
    EXPECT_EQ(kept, misses);
}

TEST(PublishedData, TightInclusionWithThePublishedFilterMissesNothing) {
    const auto sets = samples();
    if (sets.empty()) GTEST_SKIP() << "no benchmark samples";
    Groups groups;
    for (const io::QuerySet& set : sets) {
        const std::size_t stride = set.group == "handcrafted" ? 2 : 32;
        count(make_tight_inclusion_paper(), set, stride, 2 * stride, groups);
    }
    expect_sound(groups);
}

}  // namespace
}  // namespace graze
