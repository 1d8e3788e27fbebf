#include "graze/verify/answers.hpp"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "graze/narrow/certified.hpp"
#include "graze/verify/hash.hpp"

namespace graze::verify {
namespace {

TEST(Hash, IsFnv1aWithItsPublishedValues) {
    Fnv1a hash;
    EXPECT_EQ(hash.value(), 0xcbf29ce484222325U);
    hash.add('a', 1);
    EXPECT_EQ(hash.value(), 0xaf63dc4c8601ec8cU);
}

TEST(Hash, SeesVerdictTimesAndOrderButNotWork) {
    const CcdResult a = {Verdict::Contact, 0.25, 0.5, 1};
    const CcdResult b = {Verdict::Contact, 0.25, 0.75, 1};
    const auto hash_of = [](std::initializer_list<CcdResult> results) {
        ResultHash hash;
        for (const CcdResult& result : results)
            hash.add(result);
        return hash.hex();
    };
    EXPECT_NE(hash_of({a, b}), hash_of({b, a}));
    EXPECT_NE(hash_of({a}), hash_of({{Verdict::Unresolved, 0.25, 0.5, 1}}));
    EXPECT_NE(hash_of({{Verdict::Contact, 0.0, 0.5, 1}}),
              hash_of({{Verdict::Contact, -0.0, 0.5, 1}}));
    EXPECT_EQ(hash_of({a}), hash_of({{Verdict::Contact, 0.25, 0.5, 99}}));
}

TEST(OverBudget, IsABudgetSpentWithoutAProofOfSeparation) {
    const CcdOptions options{.max_checks = 10};
    EXPECT_TRUE(is_over_budget(options, {Verdict::Contact, 0.0, kInfinity, 10, 1.0}));
    EXPECT_TRUE(is_over_budget(options, {Verdict::Unresolved, 0.0, kInfinity, 11, 1.0}));
    EXPECT_FALSE(is_over_budget(options, {Verdict::Contact, 0.0, kInfinity, 9, 1.0}));
    EXPECT_FALSE(is_over_budget(options, separated(10)));
}

// Counts what it is asked at once; every answer is a contact at the number of queries of the batch.
void answer_together(const void* context, std::span<const VertexFaceMotion> motions,
                     std::span<CcdResult> results, const CcdOptions&) noexcept {
    ++*static_cast<int*>(const_cast<void*>(context));
    for (CcdResult& result : results)
        result = {Verdict::Contact, static_cast<double>(motions.size()), kInfinity, 1, 0.0};
}

TEST(Answers, OfAMethodForBatchesComeFromOneCall) {
    int calls = 0;
    Method method = make_certified();
    method.context = &calls;
    method.vertex_face.batch = &answer_together;
    EXPECT_TRUE(answers_batches(method, QueryKind::VertexFace));
    EXPECT_FALSE(answers_batches(method, QueryKind::EdgeEdge));
    const std::vector<io::QueryRecord> records(7);
    const std::vector<Answer> answers =
        answers_of({method, QueryKind::VertexFace, {}, {}}, records);
    EXPECT_EQ(calls, 1);
    ASSERT_EQ(answers.size(), 7U);
    for (const Answer& answer : answers)
        EXPECT_EQ(answer.result.toi_lower, 7.0);
}

}  // namespace
}  // namespace graze::verify
