// Start states against the independent reference, on bodies of many shapes at random places.
// Defends G-RIGID-1 (docs/GUARANTEES.md).
#include <cmath>
#include <string>

#include "graze/rigid/start_state.hpp"
#include "graze/verify/rigid_reference.hpp"
#include "rigid/bodies.hpp"

namespace graze::rigid {
namespace {

using test::body_of;
using test::moved;
using test::RandomPoses;

#if defined(GRAZE_SANITIZE_ADDRESS)
constexpr int kCount = 5;
#else
constexpr int kCount = 40;
#endif

TEST(StartStateReference, AgreesOnBodiesAtRandomPlaces) {
    RandomPoses random(50);
    int counts[5] = {};
    for (const std::string_view name_a : {"cube", "car", "comb", "tetrahedron", "torus"}) {
        for (const std::string_view name_b : {"cube", "tetrahedron", "torus"}) {
            const Polyhedron a = body_of(*generate::model(name_a));
            // Small ones are inside now and then.
            const Polyhedron b = body_of(moved(*generate::model(name_b), 0.2));
            reference::Pair pair(a, b);
            for (int i = 0; i < kCount; ++i) {
                const Pose pose_a = random.pose();
                const double reach = random.uniform(0.0, 1.2) * a.radius();
                const Vec3 way = random.vector();
                const Pose pose_b =
                    compose(pose_a, {random.rotation(), a.centre() + (reach / norm(way)) * way});
                pair.set({{pose_a, pose_a}, {pose_b, pose_b}});
                const StartState state = start_state(a, pose_a, b, pose_b);
                ++counts[static_cast<int>(state)];
                const bool touches = reference::distance_at(pair, 0.0) == 0.0;
                ASSERT_EQ(state == StartState::Contact, touches) << name_a << " " << name_b;
                if (touches) continue;
                const bool inside = state == StartState::AInsideB || state == StartState::BInsideA;
                ASSERT_EQ(inside, reference::one_inside_other_at_start(pair))
                    << name_a << " " << name_b;
            }
        }
    }
    EXPECT_GT(counts[static_cast<int>(StartState::Separated)], kCount);
    EXPECT_GT(counts[static_cast<int>(StartState::Contact)], kCount);
    EXPECT_GT(counts[static_cast<int>(StartState::BInsideA)], kCount / 2);
    EXPECT_EQ(counts[static_cast<int>(StartState::Unresolved)], 0);
}

}  // namespace
}  // namespace graze::rigid
