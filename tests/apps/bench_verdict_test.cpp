// What a comparison comes to.
#include "compare/bench_verdict.hpp"

#include <gtest/gtest.h>

namespace graze::app {
namespace {

struct VerdictRow {
    std::string_view method;
    QueryKind kind = QueryKind::VertexFace;
    int right = 0;            // contacts that are found
    int misses = 0;           // contacts that are called separated
    int false_positives = 0;  // unresolved, of what never touches
    std::uint64_t ns = 100;   // of each query
    std::uint64_t group_queries = 0;
};

BenchRow bench_row(const VerdictRow& from) {
    BenchRow row;
    row.method.name = from.method;
    row.group = "group";
    row.kind = from.kind;
    io::QueryRecord touches;
    touches.truth = true;
    io::QueryRecord apart;
    apart.truth = false;
    for (int i = 0; i < from.right; ++i)
        row.tally.add(touches, {.result = {Verdict::Contact, 0.0, 1.0, 0}, .ns = from.ns});
    for (int i = 0; i < from.misses; ++i)
        row.tally.add(touches, {.result = separated(), .ns = from.ns});
    for (int i = 0; i < from.false_positives; ++i)
        row.tally.add(apart, {.result = {}, .ns = from.ns});
    row.group_queries = from.group_queries > 0 ? from.group_queries : row.tally.counts().queries;
    return row;
}

TEST(BenchVerdict, SaysHowManyAreWrongAndHowTheOthersFail) {
    const std::vector<BenchRow> rows = {
        bench_row({.method = "certified", .right = 10}),
        bench_row({.method = "cubic", .right = 8, .misses = 2}),
        bench_row({.method = "both", .right = 7, .misses = 2, .false_positives = 1}),
        bench_row({.method = "boxes", .right = 9, .false_positives = 1}),
        bench_row({.method = "oracle", .right = 10})};
    EXPECT_EQ(verdict_line(rows, "certified"),
              "certified: 0 wrong of 10 queries; 4 other methods: 2 miss contacts, 1 reports false "
              "contacts, 1 makes no mistake");
    EXPECT_EQ(verdict_line({rows[0]}, "certified"), "certified: 0 wrong of 10 queries");
    EXPECT_EQ(verdict_line({rows[1]}, "certified"), "1 method: 1 misses contacts");
    EXPECT_EQ(verdict_line({}, "certified"), "");
}

// A mistake of the method itself is never left unsaid.
TEST(BenchVerdict, NamesTheMistakesOfItsOwnMethod) {
    const std::vector<BenchRow> rows = {
        bench_row({.method = "certified", .right = 3, .misses = 1, .false_positives = 2}),
        bench_row({.method = "certified", .kind = QueryKind::EdgeEdge, .right = 4})};
    EXPECT_EQ(verdict_line(rows, "certified"),
              "certified: 3 wrong of 10 queries (2 false positives, 1 missed contact)");
}

TEST(BenchVerdict, ClaimsNothingWithoutATruth) {
    BenchRow row = bench_row({.method = "certified"});
    row.tally.add({}, {.result = separated(), .ns = 1});
    BenchRow other = bench_row({.method = "cubic"});
    other.tally.add({}, {.result = separated(), .ns = 1});
    EXPECT_EQ(verdict_line({row, other}, "certified"),
              "certified: no truth is known of 1 query; 1 other method");
}

TEST(BenchVerdict, SumsUpWhatEveryMethodAnswered) {
    const BenchSummary summary = comparable_summary(
        {bench_row({.method = "certified", .right = 10}),
         bench_row({.method = "cubic", .right = 9, .misses = 1}),
         bench_row({.method = "certified", .kind = QueryKind::VertexVertex, .right = 5})});
    EXPECT_EQ(summary.sections, 1U);
    EXPECT_EQ(summary.sections_left, 1U);
    ASSERT_EQ(summary.methods.size(), 2U);
    EXPECT_EQ(summary.methods[0].asked, 10U);
    EXPECT_EQ(summary.methods[1].false_negatives, 1U);
}

// A sample of a slow group must not make a method look fast: its groups weigh as they would whole.
TEST(BenchVerdict, ASampledGroupWeighsByItsQueries) {
    const BenchSummary summary = comparable_summary(
        {bench_row({.method = "slow", .right = 1, .ns = 1000, .group_queries = 30}),
         bench_row({.method = "slow", .kind = QueryKind::EdgeEdge, .right = 10, .ns = 200})});
    ASSERT_EQ(summary.methods.size(), 1U);
    EXPECT_EQ(summary.methods[0].queries, 40U);
    EXPECT_EQ(summary.methods[0].asked, 11U);
    EXPECT_NEAR(summary.methods[0].mean_ns, 800.0, 1e-9);
}

}  // namespace
}  // namespace graze::app
