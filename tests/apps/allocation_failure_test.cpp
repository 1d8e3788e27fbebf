// The oracle as a method when memory runs out. A program of its own, since it replaces operator new
// for all of it.
#include <gtest/gtest.h>

#include <array>

#include "apps/allocation_limit.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::app {
using namespace verify;
namespace {

// Corners along a curve, in motion: any query with an answer will do.
template <class Motion>
Motion crossing_motion() {
    std::array<MovingPoint, Motion::kVertices> corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const double place = static_cast<double>(i);
        corners[i] = {{place, place * place, 1.0 - place}, {-place, place, place - 2.0}};
    }
    return motion_from_vertices<Motion>(corners);
}

template <class Motion>
void expect_unresolved_without_memory(const CcdOptions& options) {
    const Method oracle = make_oracle();
    const Motion motion = crossing_motion<Motion>();
    ASSERT_NE(run(oracle, motion, options).verdict, Verdict::Unresolved);
    const CcdResult result = [&] {
        const test::AllocationLimit limit(0);
        return run(oracle, motion, options);
    }();
    EXPECT_EQ(result, CcdResult{});
}

TEST(OracleMethod, IsUnresolvedWhereThereIsNoMemory) {
    for (const double separation : {0.0, 0.125}) {
        for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
            const CcdOptions options{.min_separation = separation, .norm = norm};
            expect_unresolved_without_memory<VertexFaceMotion>(options);
            expect_unresolved_without_memory<EdgeEdgeMotion>(options);
            expect_unresolved_without_memory<VertexVertexMotion>(options);
            expect_unresolved_without_memory<VertexEdgeMotion>(options);
        }
    }
}

}  // namespace
}  // namespace graze::app
