// Our own robots and environments: valid, of the size that is asked for, and free on their paths.
#include "graze/generate/robots.hpp"

#include <gtest/gtest.h>

namespace graze::generate {
namespace {

std::size_t triangles_of(const robot::RobotDescription& description) {
    std::size_t count = 0;
    for (const robot::Link& link : description.links)
        for (const robot::Geometry& geometry : link.geometry)
            if (const auto* body =
                    std::get_if<std::shared_ptr<const rigid::RigidBody>>(&geometry.shape))
                count += (*body)->surface().triangles().size();
    return count;
}

TEST(GeneratedRobots, AreClosedAndOfAboutTheSizeThatIsAsked) {
    for (const RobotId id : kAllRobots) {
        for (const std::uint32_t asked : {1000U, 10'000U}) {
            const robot::RobotDescription description = make_robot(id, asked);
            const std::size_t count = triangles_of(description);
            EXPECT_GT(count, asked / 2) << name(id);
            EXPECT_LT(count, asked * 3 / 2) << name(id);
            for (const robot::Link& link : description.links) {
                for (const robot::Geometry& geometry : link.geometry) {
                    const auto* body =
                        std::get_if<std::shared_ptr<const rigid::RigidBody>>(&geometry.shape);
                    if (body == nullptr) continue;
                    EXPECT_EQ((*body)->surface().report().text(), "") << link.name;
                }
            }
            EXPECT_TRUE(robot::Robot::create(description));
        }
    }
}

void check_environments(std::initializer_list<std::uint32_t> sizes) {
    for (const EnvironmentId id : kAllEnvironments) {
        for (const std::uint32_t asked : sizes) {
            const robot::Obstacle obstacle = make_obstacle(id, asked);
            const auto& body = std::get<0>(obstacle.geometry.shape);
            EXPECT_EQ(body->surface().report().text(), "") << name(id);
            if (asked == 0) continue;
            EXPECT_GT(body->surface().triangles().size(), asked / 2) << name(id);
            EXPECT_LT(body->surface().triangles().size(), asked * 2) << name(id);
        }
    }
}

TEST(GeneratedEnvironments, AreClosedAndOfAboutTheSizeThatIsAsked) {
    check_environments({0, 2000, 10'000});
}

TEST(GeneratedEnvironmentsAttack, AreClosedAndOfAboutTheSizeThatIsAsked) {
    check_environments({100'000, 1'000'000});
}

TEST(GeneratedRobots, AreFreeOnTheirPathsInEveryEnvironment) {
    for (const RobotId id : kAllRobots) {
        const auto robot = robot::Robot::create(make_robot(id));
        ASSERT_TRUE(robot) << robot.error().message;
        std::vector<robot::Obstacle> obstacles;
        for (const EnvironmentId environment : kAllEnvironments)
            obstacles.push_back(make_obstacle(environment));
        const auto scene = robot::Scene::create(*robot, obstacles);
        ASSERT_TRUE(scene) << scene.error().message;
        const auto waypoints = free_path(id);
        for (const robot::Configuration& q : waypoints)
            EXPECT_TRUE(robot->check(q)) << name(id);
        const auto result = scene->certify_path(waypoints);
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_TRUE(result->is_free()) << name(id);
    }
}

TEST(GeneratedRobots, MeetTheWallOfThePassageOnTheStraightPath) {
    const auto robot = robot::Robot::create(make_robot(RobotId::Arm));
    ASSERT_TRUE(robot);
    const auto scene = robot::Scene::create(*robot, {make_obstacle(EnvironmentId::Passage)});
    ASSERT_TRUE(scene);
    const auto ends = passage_ends();
    for (const robot::Configuration& q : ends) {
        const auto state = scene->check_state(q);
        ASSERT_TRUE(state);
        EXPECT_EQ(state->verdict, Verdict::Separated);
    }
    const auto result = scene->check_motion(ends[0], ends[1]);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->verdict, Verdict::Contact);
}

TEST(GeneratedRobots, HaveNames) {
    for (const RobotId id : kAllRobots)
        EXPECT_EQ(robot_from_name(name(id)), id);
    for (const EnvironmentId id : kAllEnvironments)
        EXPECT_EQ(environment_from_name(name(id)), id);
    EXPECT_FALSE(robot_from_name("cat"));
}

TEST(GeneratedRobots, AreNoUrdfWhereTheirShapesAreNone) {
    auto description = make_robot(RobotId::Torso);
    description.links[0].geometry[0].shape = *rigid::ConvexShape::capsule({}, {0, 0, 1}, 0.1);
    const auto files = urdf_files(description);
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace graze::generate
