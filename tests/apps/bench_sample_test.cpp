// Which queries are asked within a time budget, on a clock that the test turns.
#include "compare/bench_sample.hpp"

#include <gtest/gtest.h>

#include "compare/bench_run.hpp"
#include "graze/narrow/box_separation.hpp"

namespace graze::app {
namespace {

using Places = std::vector<std::uint64_t>;

TEST(StrideLevels, WithoutABudgetThereIsOneLevelOfAllQueries) {
    StrideLevels levels(5, 0.0);
    EXPECT_EQ(levels.first(), (Places{0, 1, 2, 3, 4}));
    EXPECT_EQ(levels.stride(), 1U);
    EXPECT_TRUE(levels.finer(0.0).empty());
    EXPECT_FALSE(levels.is_overdrawn(1e9));
}

TEST(StrideLevels, EachLevelFillsTheGapsOfTheOnesBefore) {
    StrideLevels levels(11, 1.0);
    EXPECT_EQ(levels.first(), (Places{0}));
    EXPECT_EQ(levels.stride(), 16U);
    EXPECT_EQ(levels.finer(0.0), (Places{8}));
    EXPECT_EQ(levels.finer(0.0), (Places{4}));
    EXPECT_EQ(levels.stride(), 4U);
    EXPECT_EQ(levels.finer(0.0), (Places{2, 6, 10}));
    EXPECT_EQ(levels.finer(0.0), (Places{1, 3, 5, 7, 9}));
    EXPECT_EQ(levels.stride(), 1U);
    EXPECT_TRUE(levels.finer(0.0).empty());
}

// For every count the levels ask each query exactly once.
TEST(StrideLevels, AskEveryQueryOnceWhenThereIsTime) {
    for (std::uint64_t count = 1; count < 200; ++count) {
        StrideLevels levels(count, 1.0);
        std::vector<int> asked(count, 0);
        for (Places places = levels.first(); !places.empty(); places = levels.finer(0.0)) {
            for (const std::uint64_t place : places)
                ++asked[place];
        }
        EXPECT_EQ(asked, std::vector<int>(count, 1)) << count;
        EXPECT_EQ(levels.stride(), 1U);
    }
}

TEST(StrideLevels, StopsWhereAsMuchAgainWouldNotFit) {
    StrideLevels levels(64, 1.0);
    EXPECT_FALSE(levels.finer(0.5).empty());
    EXPECT_EQ(levels.stride(), 32U);
    EXPECT_TRUE(levels.finer(0.51).empty());
    EXPECT_EQ(levels.stride(), 32U);
}

TEST(StrideLevels, ALevelThatIsGivenUpLeavesTheStrideBeforeIt) {
    StrideLevels levels(64, 1.0);
    EXPECT_FALSE(levels.is_overdrawn(99.0));  // even the slowest method answers one query
    ASSERT_FALSE(levels.finer(0.1).empty());
    EXPECT_FALSE(levels.is_overdrawn(1.0));
    EXPECT_TRUE(levels.is_overdrawn(1.1));
    levels.give_up();
    EXPECT_EQ(levels.stride(), 64U);
}

std::vector<io::QueryRecord> records(std::size_t count) {
    return std::vector<io::QueryRecord>(count);
}

// Each look at the clock finds it `step` further: one before the first level, and one or two a
// level of at most 64 queries.
AskOptions with_clock(double budget_s, double step) {
    AskOptions options;
    options.budget_s = budget_s;
    options.now = [time = 0.0, step]() mutable { return time += step; };
    return options;
}

TEST(Ask, AnswersEverythingOnAClockThatStandsStill) {
    const auto queries = records(300);
    const Method method = make_box_separation();
    const verify::Run run{method, QueryKind::VertexFace, {}, {}};
    const Asked asked = ask(run, queries, with_clock(1.0, 0.0));
    EXPECT_EQ(asked.places.size(), 300U);
    EXPECT_TRUE(std::is_sorted(asked.places.begin(), asked.places.end()));
    EXPECT_EQ(asked.stride, 1U);
    EXPECT_TRUE(asked.complete);
}

TEST(Ask, StopsByTheClockWithAnEvenSample) {
    const auto queries = records(300);
    const Method method = make_box_separation();
    const verify::Run run{method, QueryKind::VertexFace, {}, {}};
    for (const double budget : {2.0, 4.0, 6.0, 8.0, 14.0}) {
        const Asked asked = ask(run, queries, with_clock(budget, 1.0));
        EXPECT_GT(asked.stride, 1U);
        EXPECT_TRUE(asked.complete);
        ASSERT_EQ(asked.places.size(), (300 + asked.stride - 1) / asked.stride) << budget;
        for (std::size_t i = 0; i < asked.places.size(); ++i)
            EXPECT_EQ(asked.places[i], i * asked.stride);
        EXPECT_EQ(asked.answers.size(), asked.places.size());
    }
}

// Nothing is asked twice but in the repetitions, which must agree.
TEST(Ask, RepeatsEachQuery) {
    static int calls = 0;
    Method method = make_box_separation();
    method.vertex_face.query = [](const void*, const VertexFaceMotion&,
                                  const CcdOptions&) noexcept {
        ++calls;
        return calls % 2 == 0 ? CcdResult{} : separated();
    };
    AskOptions options;
    options.repeat = 3;
    const auto queries = records(11);
    const Asked asked = ask({method, QueryKind::VertexFace, {}, {}}, queries, options);
    EXPECT_EQ(calls, 33);
    EXPECT_EQ(asked.unsteady, 11U);
}

class CountedStream : public io::QueryStream {
public:
    explicit CountedStream(int count) : left_(count) {}
    [[nodiscard]] QueryKind kind() const noexcept override { return QueryKind::VertexFace; }
    [[nodiscard]] Expected<std::optional<io::QueryRecord>> next() override {
        if (left_-- > 0) return std::optional<io::QueryRecord>(io::QueryRecord{});
        return std::optional<io::QueryRecord>();
    }

private:
    int left_;
};

QueryInput input_of(const std::string& name, const std::string& group, int count) {
    return {.name = name,
            .group = group,
            .kind = QueryKind::VertexFace,
            .open = [count]() -> Expected<std::unique_ptr<io::QueryStream>> {
                return std::unique_ptr<io::QueryStream>(new CountedStream(count));
            },
            .estimate = [] { return std::optional<ProgressTotal>(); }};
}

TEST(Groups, CollectTheSetsOfAGroupWhereverTheyLie) {
    const auto groups =
        groups_of({input_of("a", "one", 1), input_of("b", "two", 1), input_of("c", "one", 1)});
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].name, "one");
    EXPECT_EQ(groups[0].inputs.size(), 2U);
}

TEST(Portions, AreReadOneAfterTheOtherAndKeepTheirPlaces) {
    const QueryGroup group{
        "g", QueryKind::VertexFace, {input_of("a", "g", 1500), input_of("b", "g", 900)}};
    PortionReader reader(group, {.limit = 1024, .stride = 1, .is_wanted = {}});
    std::vector<Portion::Place> places;
    for (int portions = 0;; ++portions) {
        const Expected<Portion> portion = reader.next();
        ASSERT_TRUE(portion);
        if (portion->records.empty()) {
            EXPECT_EQ(portions, 2);
            break;
        }
        places.insert(places.end(), portion->places.begin(), portion->places.end());
    }
    ASSERT_EQ(places.size(), 2400U);
    EXPECT_EQ(places[1499].index, 1499U);
    EXPECT_EQ(places[1500].input, 1U);
    EXPECT_EQ(places[1500].index, 0U);
}

TEST(Portions, AGroupThatIsTooLargeIsThinnedOutEvenly) {
    const QueryGroup group{
        "g", QueryKind::VertexFace, {input_of("a", "g", 1500), input_of("b", "g", 900)}};
    PortionReader reader(group, {.limit = 100, .thin_out = true, .stride = 1, .is_wanted = {}});
    const Expected<Portion> portion = reader.next();
    ASSERT_TRUE(portion);
    EXPECT_EQ(portion->read, 2400U);
    EXPECT_EQ(portion->stride, 32U);
    ASSERT_EQ(portion->places.size(), 75U);
    for (std::size_t i = 0; i < portion->places.size(); ++i) {
        const auto& place = portion->places[i];
        EXPECT_EQ((place.input == 0 ? 0 : 1500) + place.index, 32 * i);
    }
    EXPECT_TRUE(reader.next()->records.empty());
}

TEST(Portions, AStrideRunsThroughSetsAndPortions) {
    const QueryGroup group{
        "g", QueryKind::VertexFace, {input_of("a", "g", 1500), input_of("b", "g", 900)}};
    PortionReader reader(group, {.limit = 64, .stride = 7, .is_wanted = {}});
    std::uint64_t count = 0;
    for (Expected<Portion> portion = reader.next(); !portion->records.empty();
         portion = reader.next()) {
        for (const auto& place : portion->places)
            EXPECT_EQ((place.input == 0 ? 0 : 1500) + place.index, 7 * count++);
    }
    EXPECT_EQ(count, (2400 + 6) / 7);
}

TEST(QuickSample, TakesTheHeadOfASetAndThenAFixedFraction) {
    EXPECT_TRUE(is_sampled(kQuickHead - 1, true));
    EXPECT_TRUE(is_sampled(2 * kQuickHead, true));
    EXPECT_FALSE(is_sampled(kQuickHead + 1, true));
    EXPECT_TRUE(is_sampled(kQuickHead + 1, false));
}

}  // namespace
}  // namespace graze::app
