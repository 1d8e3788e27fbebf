// Descriptions that are accepted and refused, and poses of links.
#include "graze/robot/robot.hpp"

#include <gtest/gtest.h>

#include "graze/verify/robot_reference.hpp"

namespace graze::robot::test {
using namespace reference;  // NOLINT(google-build-using-namespace)
namespace {

RobotDescription two_links() {
    RobotDescription description;
    description.name = "two";
    description.links = {{"base", {}}, {"arm", {}}};
    description.joints = {{"hinge", JointKind::Revolute, 0, 1, {}, {0.0, 0.0, 2.0}, -1, 1, {}}};
    return description;
}
std::string error_of(const RobotDescription& description) {
    const auto robot = Robot::create(description);
    return robot ? "" : robot.error().message;
}

TEST(Robot, NamesWhatIsWrongWithADescription) {
    EXPECT_EQ(error_of(two_links()), "");
    EXPECT_NE(error_of({}), "");
    auto d = two_links();
    d.links[1].name = "base";
    EXPECT_NE(error_of(d).find("'base'"), std::string::npos);
    d = two_links();
    d.joints[0].axis = {};
    EXPECT_NE(error_of(d).find("'hinge'"), std::string::npos);
    d = two_links();
    d.joints[0].child = 2;
    EXPECT_NE(error_of(d).find("'hinge'"), std::string::npos);
    d = two_links();
    d.joints[0].lower = 2.0;
    EXPECT_NE(error_of(d).find("'hinge'"), std::string::npos);
    d = two_links();
    d.joints[0].mimic = Mimic{0, 1.0, 0.0};
    EXPECT_NE(error_of(d).find("mimics itself"), std::string::npos);
    d = two_links();
    d.joints[0].mimic = Mimic{7, 1.0, 0.0};
    EXPECT_NE(error_of(d).find("not there"), std::string::npos);
    d = two_links();
    d.joints.push_back(d.joints[0]);
    d.joints[1].name = "second";
    EXPECT_NE(error_of(d).find("two parents"), std::string::npos);
    d = two_links();
    d.links.push_back({"loose", {}});
    EXPECT_NE(error_of(d).find("no parent"), std::string::npos);
    d.links.push_back({"loose too", {}});
    d.joints.push_back({"a", JointKind::Fixed, 2, 3, {}, {1, 0, 0}, 0, 0, {}});
    d.joints.push_back({"b", JointKind::Fixed, 3, 2, {}, {1, 0, 0}, 0, 0, {}});
    EXPECT_NE(error_of(d).find("cycle"), std::string::npos);
    d = two_links();
    d.joints[0].origin.rotation = {2.0, 0.0, 0.0, 0.0};
    EXPECT_NE(error_of(d).find("'hinge'"), std::string::npos);
    d = two_links();
    d.links[0].geometry.push_back({std::shared_ptr<const rigid::RigidBody>(), {}});
    EXPECT_NE(error_of(d).find("'base'"), std::string::npos);
}

TEST(Robot, RefusesMimicsInACycleAndOfFixedJoints) {
    auto d = two_links();
    d.links.push_back({"hand", {}});
    d.links.push_back({"finger", {}});
    d.joints.push_back({"wrist", JointKind::Revolute, 1, 2, {}, {1, 0, 0}, -1, 1, Mimic{2, 1, 0}});
    d.joints.push_back(
        {"knuckle", JointKind::Revolute, 2, 3, {}, {1, 0, 0}, -1, 1, Mimic{1, 1, 0}});
    EXPECT_NE(error_of(d).find("mimics itself"), std::string::npos);
    d.joints[2].mimic = Mimic{0, 1.0, 0.0};
    EXPECT_EQ(error_of(d), "");
    d.joints[0].kind = JointKind::Fixed;
    EXPECT_NE(error_of(d).find("fixed"), std::string::npos);
}

TEST(Robot, GivesPosesOfLinksThatLongDoubleGives) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random rng(seed);
        const auto robot = Robot::create(random_tree(rng, 1 + rng() % 8));
        ASSERT_TRUE(robot);
        const Segment segment = random_segment(rng, *robot, 1.0);
        const auto poses = robot->link_poses(segment.start);
        ASSERT_TRUE(poses);
        const auto truth = exact_links(*robot, segment, 0.0L);
        for (std::size_t i = 0; i < poses->size(); ++i) {
            const Vec3 p = random_vector(rng);
            EXPECT_LT(length(wide(apply((*poses)[i], p)) - truth[i](wide(p))), 1e-12L);
        }
    }
}

TEST(Robot, ChecksTheNumberAndTheLimitsOfValues) {
    const auto robot = Robot::create(two_links());
    ASSERT_TRUE(robot);
    EXPECT_TRUE(robot->check({0.5}));
    EXPECT_FALSE(robot->check({1.5}));
    EXPECT_FALSE(robot->check({}));
    EXPECT_FALSE(robot->link_poses({std::numeric_limits<double>::quiet_NaN()}));
    EXPECT_EQ(robot->find_link("arm"), LinkId{1});
    EXPECT_FALSE(robot->find_link("leg"));
    EXPECT_EQ(robot->find_variable("hinge"), std::size_t{0});
}

}  // namespace
}  // namespace graze::robot::test
