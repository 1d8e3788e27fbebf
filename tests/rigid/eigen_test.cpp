#include "graze/rigid/eigen.hpp"

#include <gtest/gtest.h>

namespace graze::rigid {
namespace {

TEST(RigidEigen, TakesAnIsometryThereAndBack) {
    Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
    transform.rotate(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -1).normalized()));
    transform.pretranslate(Eigen::Vector3d(3, -4, 5));
    const auto pose = pose_from(transform);
    ASSERT_TRUE(pose) << pose.error().message;
    EXPECT_EQ(pose->translation, (Vec3{3, -4, 5}));
    EXPECT_LE((isometry_from(*pose).matrix() - transform.matrix()).cwiseAbs().maxCoeff(), 1e-15);
    const Vec3 moved = apply(*pose, {1, 2, 3});
    const Eigen::Vector3d expected = transform * Eigen::Vector3d(1, 2, 3);
    EXPECT_LE(norm(moved - Vec3{expected.x(), expected.y(), expected.z()}), 1e-14);
}

TEST(RigidEigen, RefusesWhatIsNoRotation) {
    Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
    transform.matrix()(1, 1) = 2.0;
    const auto pose = pose_from(transform);
    ASSERT_FALSE(pose);
    EXPECT_NE(pose.error().message.find("row 1"), std::string::npos);
}

}  // namespace
}  // namespace graze::rigid
