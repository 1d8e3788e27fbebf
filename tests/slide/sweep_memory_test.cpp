// Questions to a level take no heap, however many triangles are near.
// Defends G-SLIDE-6 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "graze/slide/sweep.hpp"
#include "narrow/counting_new.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

template <class Real>
void expect_no_heap() {
    test::Random random{std::mt19937_64(1)};
    test::Triangles<Real> triangles;
    for (int i = 0; i < 2000; ++i) {
        triangles.push_back({narrowed<Real>(random.in_cube(3.0)),
                             narrowed<Real>(random.in_cube(3.0)),
                             narrowed<Real>(random.in_cube(3.0))});
    }
    const Level<Real> level = test::level_of(triangles);
    for (int i = 0; i < 50; ++i) {
        const SweepQuery<Real> query{narrowed<Real>(random.in_cube(9.0)),
                                     narrowed<Real>(random.in_cube(40.0))};
        graze::test::watch_memory();
        static_cast<void>(first_contact<Real>(level, {}, query));
        static_cast<void>(smallest_gap<Real>(level, {}, query.start, Real(1)));
        EXPECT_EQ(graze::test::memory().allocations, 0U);
    }
}

TEST(SweepMemory, SweepsAndGapsTakeNoHeap) {
    expect_no_heap<float>();
    expect_no_heap<double>();
}

}  // namespace
}  // namespace graze::slide
