// No heap but in the last tier of certified, and there an end without memory is no answer.
// Defends G-CERTIFIED-8 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "graze/generate/families.hpp"
#include "graze/narrow/certified.hpp"
#include "narrow/certified/fast_tiers.hpp"
#include "narrow/counting_new.hpp"

namespace graze {
namespace {

using certified::FastAnswer;
using generate::Family;

// Calls check(motion, is_open) for some queries of every family.
template <class Motion, class Check>
void for_each_motion(const Check& check) {
    for (const Family family : generate::kAllFamilies) {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Motion motion =
                io::motion_of<Motion>(generate::query(family, Motion::kKind, seed));
            const FastAnswer fast =
                certified::fast_tiers<Motion>(best_instruction_set())(motion, {});
            check(motion, fast.state == FastAnswer::State::Open);
        }
    }
}

template <class Motion>
void expect_no_heap_for_fast_answers() {
    int fast = 0;
    for_each_motion<Motion>([&](const Motion& motion, bool is_open) {
        if (is_open) return;
        ++fast;
        test::watch_memory();
        static_cast<void>(certify(motion));
        EXPECT_EQ(test::memory().allocations, 0U);
    });
    EXPECT_GT(fast, 100);
}

TEST(CertifiedMemory, AnswersOfTheFastTiersTakeNoHeap) {
    expect_no_heap_for_fast_answers<VertexFaceMotion>();
    expect_no_heap_for_fast_answers<EdgeEdgeMotion>();
    expect_no_heap_for_fast_answers<VertexVertexMotion>();
    expect_no_heap_for_fast_answers<VertexEdgeMotion>();
}

TEST(CertifiedMemory, SeparationsTakeNoHeap) {
    for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
        const CcdOptions options{.min_separation = 0.125, .norm = norm, .max_checks = 1000};
        for_each_motion<EdgeEdgeMotion>([&](const EdgeEdgeMotion& motion, bool) {
            test::watch_memory();
            static_cast<void>(certify(motion, options));
            EXPECT_EQ(test::memory().allocations, 0U);
        });
    }
}

TEST(CertifiedMemory, WithoutMemoryTheLastTierAnswersRightlyOrNotAtAll) {
    int unresolved = 0;
    for_each_motion<EdgeEdgeMotion>([&](const EdgeEdgeMotion& motion, bool is_open) {
        if (!is_open) return;
        const CcdResult expected = certify(motion);
        for (const std::size_t allowed : {0U, 1U, 5U}) {
            const CcdResult found = [&] {
                const test::AllocationFailure failure(allowed);
                return certify(motion);
            }();
            unresolved += found.verdict == Verdict::Unresolved ? 1 : 0;
            EXPECT_TRUE(found == expected || found == CcdResult{});
        }
        EXPECT_EQ(certify(motion), expected);
    });
    EXPECT_GT(unresolved, 0);
}

}  // namespace
}  // namespace graze
