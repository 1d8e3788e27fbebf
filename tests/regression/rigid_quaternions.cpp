// Quaternions of any length mean the same rotation: a head-on contact with both rotations at 2^51 was
// Unresolved.
#include <gtest/gtest.h>

#include "graze/generate/models.hpp"
#include "graze/rigid.hpp"

namespace graze::rigid {
namespace {

TEST(RigidRegression, TheLengthOfBothQuaternionsDoesNotMatterHeadOn) {
    const io::PolygonMesh mesh = generate::cube();
    const auto surface = Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    ASSERT_TRUE(surface);
    const RigidBody body(*surface);
    const Quaternion longer = {0x1p+51, 0.0, 0.0, 0.0};
    const Pose here{.rotation = longer, .translation = {}};
    const Pose ahead{.rotation = longer, .translation = {3.0, 0.0, 0.0}};
    const ImpactResult found =
        first_impact(body, body, {BodyStep::rest(here), BodyStep::between(ahead, here)});
    EXPECT_EQ(found.verdict, Verdict::Contact);
    EXPECT_LE(found.toi_lower, 2.0 / 3.0);
    EXPECT_GE(found.toi_upper, 2.0 / 3.0);
    EXPECT_LT(found.toi_upper - found.toi_lower, 1e-6);
}

}  // namespace
}  // namespace graze::rigid
