// The motion validator of OMPL: what it calls valid is proved, and so is the part before the contact.
#include "graze/adapters/ompl.hpp"

#include <gtest/gtest.h>
#include <ompl/base/ScopedState.h>
#include <ompl/util/Console.h>

#include <optional>
#include <thread>

#include "graze/generate/robots.hpp"

namespace graze::test {
namespace {

namespace ob = ::ompl::base;

class OmplMotions : public testing::Test {
protected:
    OmplMotions() {
        ::ompl::msg::setLogLevel(::ompl::msg::LOG_NONE);
        auto robot = robot::Robot::create(generate::make_robot(generate::RobotId::Arm));
        scene_.emplace(*robot::Scene::create(
            *robot, {generate::make_obstacle(generate::EnvironmentId::Passage)}));
        space_ = std::make_shared<ob::RealVectorStateSpace>(7);
        space_->setBounds(-2.9, 2.9);
        info_ = std::make_shared<ob::SpaceInformation>(space_);
        info_->setStateValidityChecker(std::make_shared<graze::ompl::StateChecker>(info_, *scene_));
        info_->setMotionValidator(std::make_shared<graze::ompl::MotionValidator>(info_, *scene_));
        info_->setup();
    }
    [[nodiscard]] ob::ScopedState<ob::RealVectorStateSpace> state(
        const robot::Configuration& q) const {
        ob::ScopedState<ob::RealVectorStateSpace> made(space_);
        for (unsigned i = 0; i < q.size(); ++i)
            made[i] = q[i];
        return made;
    }

    std::optional<robot::Scene> scene_;
    std::shared_ptr<ob::RealVectorStateSpace> space_;
    ob::SpaceInformationPtr info_;
};

TEST_F(OmplMotions, AreValidWhereTheyAreProved) {
    const auto path = generate::free_path(generate::RobotId::Arm);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        EXPECT_TRUE(info_->isValid(state(path[i]).get()));
        EXPECT_TRUE(info_->checkMotion(state(path[i]).get(), state(path[i + 1]).get()));
    }
    EXPECT_EQ(info_->getMotionValidator()->getValidMotionCount(), path.size() - 1);
}

TEST_F(OmplMotions, EndBeforeTheContactWithAStateThatIsProvedToBeReached) {
    const auto ends = generate::passage_ends();
    const auto start = state(ends[0]);
    const auto end = state(ends[1]);
    EXPECT_FALSE(info_->checkMotion(start.get(), end.get()));
    ob::ScopedState<ob::RealVectorStateSpace> last(space_);
    std::pair<ob::State*, double> valid{last.get(), -1.0};
    EXPECT_FALSE(info_->checkMotion(start.get(), end.get(), valid));
    const auto exact = scene_->check_motion(ends[0], ends[1]);
    ASSERT_TRUE(exact);
    EXPECT_GT(valid.second, 0.5 * exact->toi_lower);
    EXPECT_LE(valid.second, exact->toi_upper);
    const auto reached =
        scene_->check_motion(ends[0], graze::ompl::configuration_of(last.get(), ends[0].size()));
    ASSERT_TRUE(reached);
    EXPECT_EQ(reached->verdict, Verdict::Separated);
    // Without a place for the state the fraction is the same.
    std::pair<ob::State*, double> fraction{nullptr, -1.0};
    EXPECT_FALSE(info_->checkMotion(start.get(), end.get(), fraction));
    EXPECT_EQ(fraction.second, valid.second);
}

TEST_F(OmplMotions, HaveNoValidPartFromAContactOn) {
    // In the middle of the straight motion the arm is in the wall.
    robot::Configuration q = generate::passage_ends()[0];
    q[0] = 0.0;
    const auto inside = state(q);
    EXPECT_FALSE(info_->isValid(inside.get()));
    ob::ScopedState<ob::RealVectorStateSpace> last(space_);
    std::pair<ob::State*, double> valid{last.get(), -1.0};
    EXPECT_FALSE(info_->checkMotion(inside.get(), state(generate::passage_ends()[0]).get(), valid));
    EXPECT_EQ(valid.second, 0.0);
    EXPECT_TRUE(space_->equalStates(last.get(), inside.get()));
}

TEST_F(OmplMotions, AreNotValidBeyondTheBounds) {
    const auto path = generate::free_path(generate::RobotId::Arm);
    robot::Configuration q = path[0];
    q[6] = 3.5;
    EXPECT_FALSE(info_->isValid(state(q).get()));
    EXPECT_FALSE(info_->checkMotion(state(path[0]).get(), state(q).get()));
}

TEST_F(OmplMotions, MayBeCheckedFromSeveralThreads) {
    const auto path = generate::free_path(generate::RobotId::Arm);
    constexpr int kThreads = 4;
    constexpr int kRuns = 10;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < kRuns; ++k)
                EXPECT_TRUE(info_->checkMotion(state(path[0]).get(), state(path[1]).get()));
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(info_->getMotionValidator()->getValidMotionCount(),
              static_cast<unsigned>(kThreads * kRuns));
}

}  // namespace
}  // namespace graze::test
