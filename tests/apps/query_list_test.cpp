#include "cli/query_list.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace graze::app {
namespace {

using generate::Family;
using io::QueryRecord;

// A set of `count` queries that are told apart by their first coordinate.
class CountingStream final : public io::QueryStream {
public:
    explicit CountingStream(int count) : count_(count) {}
    [[nodiscard]] QueryKind kind() const noexcept override { return QueryKind::VertexFace; }
    Expected<std::optional<QueryRecord>> next() override {
        if (given_ == count_) return std::optional<QueryRecord>();
        QueryRecord record;
        record.corners[0].start.x = given_++;
        return std::optional(record);
    }

private:
    int count_;
    int given_ = 0;
};

QueryInput set_of(const std::string& name, int count) {
    using Opened = Expected<std::unique_ptr<io::QueryStream>>;
    return {.name = name,
            .group = "",
            .kind = QueryKind::VertexFace,
            .open = [count] { return Opened(std::make_unique<CountingStream>(count)); },
            .estimate = [] { return std::optional<ProgressTotal>(); }};
}

std::vector<std::string> places_of(QueryList& list, std::size_t block) {
    std::vector<std::string> places;
    while (true) {
        const auto queries = list.next(block);
        EXPECT_TRUE(queries.has_value());
        if (!queries || queries->empty()) return places;
        EXPECT_LE(queries->size(), block);
        for (const ListedQuery& query : *queries)
            places.push_back(query.place);
    }
}

TEST(QueryList, GoesThroughFamiliesAndKindsInTurn) {
    const std::vector<Family> families = {Family::Near, Family::Flat};
    const std::vector<QueryKind> kinds = {QueryKind::VertexFace, QueryKind::EdgeEdge};
    const auto list = generated_list(families, kinds, {2, 4});
    EXPECT_EQ(places_of(*list, 3),
              (std::vector<std::string>{"near ee, seed 0", "flat ee, seed 0", "near vf, seed 1",
                                        "flat vf, seed 1"}));
}

TEST(QueryList, AGeneratedQueryIsTheOneThatItsPlaceNames) {
    const auto list = generated_list({Family::Boundary}, {QueryKind::VertexEdge}, {7, 1});
    const auto queries = list->next(10);
    ASSERT_TRUE(queries && queries->size() == 1);
    EXPECT_EQ(queries->front().place, "boundary ve, seed 7");
    EXPECT_EQ(queries->front().record, generate::query(Family::Boundary, QueryKind::VertexEdge, 7));
}

TEST(QueryList, StoredQueriesAreNumberedThroughAllSets) {
    const std::vector<QueryInput> inputs = {set_of("a", 3), set_of("none", 0), set_of("b", 2)};
    const std::vector<std::string> all = {"a, query 0", "a, query 1", "a, query 2", "b, query 0",
                                          "b, query 1"};
    for (const std::size_t block : {1U, 2U, 100U}) {
        EXPECT_EQ(places_of(*stored_list(inputs, std::nullopt, {}), block), all);
        EXPECT_EQ(places_of(*stored_list(inputs, std::nullopt, {2, 2}), block),
                  (std::vector<std::string>{"a, query 2", "b, query 0"}));
        EXPECT_EQ(places_of(*stored_list(inputs, std::nullopt, {4, std::nullopt}), block),
                  std::vector<std::string>{"b, query 1"});
        EXPECT_TRUE(places_of(*stored_list(inputs, std::nullopt, {5, 9}), block).empty());
    }
}

TEST(QueryList, ASampleIsTakenOfEachSetAndItsNumbersAreResumedFrom) {
    const std::vector<QueryInput> inputs = {set_of("a", 10), set_of("b", 1)};
    const auto whole = places_of(*stored_list(inputs, 2, {}), 100);
    EXPECT_EQ(whole, (std::vector<std::string>{"a, query 0", "a, query 5", "b, query 0"}));
    EXPECT_EQ(places_of(*stored_list(inputs, 2, {1, std::nullopt}), 100),
              (std::vector<std::string>{"a, query 5", "b, query 0"}));
}

TEST(QueryList, AnUnreadableSetIsAnError) {
    QueryInput broken = set_of("a", 1);
    using Opened = Expected<std::unique_ptr<io::QueryStream>>;
    broken.open = [] { return Opened(Error{"a: unreadable"}); };
    EXPECT_FALSE(stored_list({broken}, std::nullopt, {})->next(1).has_value());
    EXPECT_FALSE(stored_list({broken}, 5, {})->next(1).has_value());
}

TEST(EvenSample, PicksExactlyAsManyAsWishedAndSpreadsThem) {
    for (std::uint64_t total = 1; total < 60; ++total) {
        for (std::uint64_t wanted = 1; wanted < 70; ++wanted) {
            EvenSample sample(wanted, total);
            std::vector<std::uint64_t> picked;
            for (std::uint64_t i = 0; i < total; ++i) {
                if (sample.picks_next()) picked.push_back(i);
            }
            const std::uint64_t expected = std::min(wanted, total);
            ASSERT_EQ(picked.size(), expected) << wanted << " of " << total;
            EXPECT_EQ(picked.front(), 0U);
            picked.push_back(total);
            for (std::size_t k = 1; k < picked.size(); ++k) {
                const std::uint64_t gap = picked[k] - picked[k - 1];
                EXPECT_TRUE(gap == total / expected || gap == (total + expected - 1) / expected);
            }
        }
    }
}

TEST(Placement, IsScaledThenShiftedAndForgetsTheTruth) {
    QueryRecord record;
    record.corners[0].start = {1.0, -3.0, 0x1p-1074};
    record.corners[3].end = {0.0, 0.5, 0x1p-60};
    record.truth = true;
    record.first_time = io::TimeBracket{0.5, 0.5};
    const QueryRecord moved =
        generate::placed(record, QueryKind::VertexFace, {.scale = 2, .shift = 1.0});
    EXPECT_EQ(moved.corners[0].start, (Vec3{5.0, -11.0, 1.0}));
    EXPECT_EQ(moved.corners[3].end, (Vec3{1.0, 3.0, 1.0}));
    EXPECT_FALSE(moved.truth || moved.first_time);
}

TEST(Placement, NoneChangesNoBitAndCornersThatDoNotCountStayZero) {
    QueryRecord record;
    record.corners[0].start = {-0.0, 0x1p-1074, 1.0};
    const QueryRecord same = generate::placed(record, QueryKind::VertexVertex, {});
    EXPECT_EQ(same, record);
    EXPECT_TRUE(std::signbit(same.corners[0].start.x));
    const QueryRecord moved = generate::placed(record, QueryKind::VertexVertex, {.shift = 2.0});
    EXPECT_EQ(moved.corners[1].end, (Vec3{2.0, 2.0, 2.0}));
    EXPECT_EQ(moved.corners[2], MovingPoint{});
    EXPECT_EQ(moved.corners[3], MovingPoint{});
}

}  // namespace
}  // namespace graze::app
