// Plans through the narrow passage with RRTConnect of OMPL, twice: with motions that are sampled and with
// motions that are proved, and checks exactly what each returns.   usage: 14_robot_plan [runs]
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/goals/GoalState.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "graze/adapters/ompl.hpp"
#include "graze/generate/robots.hpp"

namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;
using graze::robot::Configuration;
using graze::robot::Scene;

constexpr double kSecondsToPlan = 60.0;

struct Plan {
    std::vector<Configuration> waypoints;  // empty: none was found
    double seconds = 0.0;
};

std::shared_ptr<ob::RealVectorStateSpace> space_of(const graze::robot::Robot& robot) {
    const auto variables = robot.variables();
    auto space =
        std::make_shared<ob::RealVectorStateSpace>(static_cast<unsigned>(variables.size()));
    ob::RealVectorBounds bounds(static_cast<unsigned>(variables.size()));
    for (unsigned i = 0; i < variables.size(); ++i) {
        bounds.setLow(i, robot.joints()[variables[i]].lower);
        bounds.setHigh(i, robot.joints()[variables[i]].upper);
    }
    space->setBounds(bounds);
    return space;
}

// A resolution of 0 proves the motions.
Plan plan(const Scene& scene, double resolution) {
    const auto space = space_of(scene.robot());
    og::SimpleSetup setup(space);
    const ob::SpaceInformationPtr info = setup.getSpaceInformation();
    info->setStateValidityChecker(std::make_shared<graze::ompl::StateChecker>(info, scene));
    if (resolution > 0.0) {
        info->setStateValidityCheckingResolution(resolution);
    } else {
        info->setMotionValidator(std::make_shared<graze::ompl::MotionValidator>(info, scene));
    }
    const auto ends = graze::generate::passage_ends();
    ob::ScopedState<ob::RealVectorStateSpace> start(space);
    ob::ScopedState<ob::RealVectorStateSpace> goal(space);
    for (unsigned i = 0; i < ends[0].size(); ++i) {
        start[i] = ends[0][i];
        goal[i] = ends[1][i];
    }
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(std::make_shared<og::RRTConnect>(info));
    const auto begin = std::chrono::steady_clock::now();
    const bool is_solved = setup.solve(kSecondsToPlan) == ob::PlannerStatus::EXACT_SOLUTION;
    Plan made;
    made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!is_solved) return made;
    for (const ob::State* state : setup.getSolutionPath().getStates())
        made.waypoints.push_back(graze::ompl::configuration_of(state, ends[0].size()));
    return made;
}

struct Tally {
    int solved = 0;
    int free = 0;
    int colliding = 0;
    double seconds = 0.0;
};

Tally run_plans(const Scene& scene, double resolution, int runs) {
    Tally tally;
    for (int i = 0; i < runs; ++i) {
        const Plan made = plan(scene, resolution);
        tally.seconds += made.seconds;
        if (made.waypoints.empty()) continue;
        ++tally.solved;
        const auto result = scene.certify_path(made.waypoints);
        if (!result) continue;
        if (result->is_free()) ++tally.free;
        for (const auto& segment : result->segments) {
            if (segment.verdict != graze::Verdict::Contact) continue;
            ++tally.colliding;
            break;
        }
    }
    return tally;
}

}  // namespace

int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::atoi(argv[1]) : 20;
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    ompl::RNG::setSeed(1);
    const auto robot =
        graze::robot::Robot::create(graze::generate::make_robot(graze::generate::RobotId::Arm));
    if (!robot) return EXIT_FAILURE;
    const auto scene = Scene::create(
        *robot, {graze::generate::make_obstacle(graze::generate::EnvironmentId::Passage)});
    if (!scene) return EXIT_FAILURE;
    std::printf("%-28s %7s %12s %12s %14s\n", "motions", "solved", "proved free", "collide",
                "mean planning");
    bool all_proved = true;
    for (const double resolution : {0.01, 0.001, 0.0}) {
        const Tally tally = run_plans(*scene, resolution, runs);
        const std::string name =
            resolution > 0.0 ? "sampled, resolution " + std::to_string(resolution).substr(0, 5)
                             : std::string("proved");
        std::printf("%-28s %3d/%-3d %12d %12d %12.2f s\n", name.c_str(), tally.solved, runs,
                    tally.free, tally.colliding, tally.seconds / runs);
        if (resolution == 0.0) all_proved = tally.free == tally.solved;
    }
    return all_proved ? EXIT_SUCCESS : EXIT_FAILURE;
}
