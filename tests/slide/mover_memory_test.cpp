// Moves take no heap, however many triangles are near: with 2000 of them around the body the list
// of the near ones overflows, and each question walks through the tree. The gap is kept there too.
// Defends G-SLIDE-6, G-SLIDE-7 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "graze/slide/controller.hpp"
#include "narrow/counting_new.hpp"
#include "slide/mover_support.hpp"

namespace graze::slide {
namespace {

template <class Real>
void expect_no_heap() {
    test::Random random(4);
    const Level<Real> level = test::random_soup(random, 2'000, 4.0, 0.4).level<Real>();
    const Shape<Real> shape{{Real(0.1), Real(0.1), Real(0.1)}};
    const Shape<Real> tall = capsule(Real(0.1), Real(0.2));
    StairOptions<Real> step;
    step.height = Real(0.05);
    SnapOptions<Real> snap;
    snap.distance = Real(0.05);
    int proved = 0;
    for (int i = 0; i < 60; ++i) {
        const Vec<Real> start =
            narrowed<Real>({random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)});
        const Vec<Real> wish = narrowed<Real>(random.between(0.1, 9.0) * random.direction());
        graze::test::watch_memory();
        const MoveResult<Real> moved = move_and_slide(level, shape, start, wish);
        for (const MoverKind kind : {MoverKind::Linahan, MoverKind::Fauerby})
            static_cast<void>(move_and_slide_by(kind, level, shape, start, wish));
        static_cast<void>(move_and_climb(level, shape, start, wish, step));
        static_cast<void>(snap_to_ground(level, shape, start, snap));
        static_cast<void>(move_and_slide(level, tall, start, wish));
        EXPECT_EQ(graze::test::memory().allocations, 0U);
        if (!moved.gap_proved) continue;
        ++proved;
        EXPECT_GE(test::reference_gap(level, shape, moved.position),
                  static_cast<long double>(moved.skin) * (1.0L - 1e-12L));
    }
    EXPECT_GE(proved, 20);
}

TEST(MoverMemory, MovesTakeNoHeap) {
    expect_no_heap<float>();
    expect_no_heap<double>();
}

}  // namespace
}  // namespace graze::slide
