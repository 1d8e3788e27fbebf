// A program of its own, since it replaces operator new.
// Defends G-PARITY-2 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "graze/baselines/bernstein_sign.hpp"
#include "graze/baselines/root_parity.hpp"
#include "graze/baselines/root_parity_exact.hpp"
#include "graze/generate/families.hpp"
#include "narrow/counting_new.hpp"

namespace graze {
namespace {

EdgeEdgeMotion wild(std::uint64_t seed) {
    return io::motion_of<EdgeEdgeMotion>(
        generate::query(generate::Family::Wild, QueryKind::EdgeEdge, seed));
}

TEST(ExactSignsMemory, RootParityNeverTakesFromTheHeap) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const EdgeEdgeMotion motion = wild(seed);
        test::watch_memory();
        const CcdResult filtered = root_parity(motion);
        const CcdResult exact = root_parity_exact(motion, {.t_max = 0.3});
        EXPECT_EQ(test::memory().allocations, 0U) << seed;
        EXPECT_NE(filtered.verdict, Verdict::Unresolved);
        EXPECT_NE(exact.verdict, Verdict::Unresolved);
    }
}

// Cut off at every allocation in turn: the answer is that of plenty, or Unresolved.
TEST(ExactSignsMemory, BernsteinSignIsUnresolvedWhereMemoryRunsOut) {
    int unresolved = 0;
    int resolved = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const EdgeEdgeMotion motion = wild(seed);
        const BernsteinSignOptions own{AtInflection::Cut};
        test::watch_memory();
        const CcdResult expected = bernstein_sign(motion, {}, own);
        const std::size_t needed = test::memory().allocations;
        for (std::size_t limit = 0; limit < needed; limit += 1 + needed / 25) {
            const test::AllocationFailure after(limit);
            const CcdResult found = bernstein_sign(motion, {}, own);
            if (found == CcdResult{}) {
                ++unresolved;
            } else {
                EXPECT_EQ(found, expected) << seed << ' ' << limit;
            }
        }
        resolved += bernstein_sign(motion, {}, own) == expected ? 1 : 0;
    }
    EXPECT_GT(unresolved, 30);
    EXPECT_EQ(resolved, 8);
}

}  // namespace
}  // namespace graze
