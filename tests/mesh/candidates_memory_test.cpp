// Candidates whose refit or assignment runs out of memory are those of before: no pair is left out.
// Defends G-MESH-10 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <vector>

#include "graze/mesh.hpp"
#include "narrow/counting_new.hpp"

namespace graze {
namespace {

// A large triangle at rest, and a row of small ones that fall through it.
struct Fall {
    std::vector<Vec3> start{{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}};
    std::vector<Vec3> end = start;
    std::vector<FaceIndices> faces{{0, 1, 2}};

    Fall() {
        for (int i = 0; i < 40; ++i) {
            const double x = -3.0 + 0.15 * i;
            const auto first = static_cast<std::uint32_t>(start.size());
            for (const Vec3& p : {Vec3{x, 0, 1}, Vec3{x + 0.05, 0, 1.2}, Vec3{x, 0.05, 1.1}}) {
                start.push_back(p);
                end.push_back(p - Vec3{0, 0, 2});
            }
            faces.push_back({first, first + 1, first + 2});
        }
    }
};

// Of all kinds, in their order.
std::vector<std::vector<IndexPair>> pairs_of(const Candidates& candidates) {
    std::vector<std::vector<IndexPair>> pairs;
    for (const QueryKind kind : kAllQueryKinds)
        pairs.emplace_back(candidates.pairs(kind).begin(), candidates.pairs(kind).end());
    return pairs;
}

TEST(CandidatesMemory, ARefitThatRunsOutOfMemoryLeavesTheCandidatesOfBefore) {
    const Fall fall;
    MeshStepper stepper(make_topology(fall.start.size(), fall.faces).value());
    StepOptions options;
    options.threads = 1;
    const auto first = stepper.candidates(fall.start, fall.end, 0.0, options);
    ASSERT_TRUE(first);
    const auto before = pairs_of(*first);
    const auto expected = stepper.first_impact(fall.start, fall.end, options);
    ASSERT_TRUE(expected);
    ASSERT_EQ(expected->verdict, Verdict::Contact);

    std::size_t failures = 0;
    for (bool is_enough = false; !is_enough; ++failures) {
        // Of the size that it needs, as a copy is: room that was reserved would hide what this is about.
        Candidates candidates = *first;
        {
            const test::AllocationFailure failure(failures);
            try {
                is_enough =
                    stepper.refit(candidates, fall.start, fall.end, 0.5, options).has_value();
            } catch (const std::bad_alloc&) {
            }
        }
        if (!is_enough) {
            EXPECT_EQ(pairs_of(candidates), before) << failures;
        }
        StepOptions with = options;
        with.candidates = &candidates;
        const auto found = stepper.first_impact(fall.start, fall.end, with);
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ(found->toi_lower, expected->toi_lower) << failures;
        EXPECT_EQ(found->impact, expected->impact) << failures;
    }
    EXPECT_GT(failures, 10U);
}

TEST(CandidatesMemory, AnAssignmentThatRunsOutOfMemoryLeavesTheCandidatesOfBefore) {
    const Fall fall;
    MeshStepper stepper(make_topology(fall.start.size(), fall.faces).value());
    StepOptions options;
    options.threads = 1;
    // Of the start at rest: far fewer, of every kind.
    const auto few = stepper.candidates(fall.start, fall.start, 0.0, options);
    const auto many = stepper.candidates(fall.start, fall.end, 0.5, options);
    ASSERT_TRUE(few && many);
    const auto before = pairs_of(*few);
    for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge})
        ASSERT_LT(few->pairs(kind).size(), many->pairs(kind).size());

    std::size_t failures = 0;
    for (bool is_enough = false; !is_enough; ++failures) {
        Candidates candidates = *few;
        {
            const test::AllocationFailure failure(failures);
            try {
                candidates = *many;
                is_enough = true;
            } catch (const std::bad_alloc&) {
            }
        }
        EXPECT_EQ(pairs_of(candidates), is_enough ? pairs_of(*many) : before) << failures;
        StepOptions with = options;
        with.candidates = &candidates;
        const auto found = stepper.first_impact(fall.start, fall.end, with);
        ASSERT_EQ(found.has_value(), is_enough) << failures;
        if (is_enough) {
            EXPECT_EQ(found->verdict, Verdict::Contact);
        }
    }
    EXPECT_GT(failures, 3U);
}

}  // namespace
}  // namespace graze
