// A step on threads of the caller's: the same bits, whatever the executor does.
// Defends G-MESH-3 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cfenv>
#include <stdexcept>
#include <thread>

#include "graze/core/fork_join.hpp"
#include "graze/mesh.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

using Task = std::function<void(std::size_t)>;

// What a step of a scene gives in all calls that search in parallel.
struct Answers {
    std::vector<Impact> all;
    std::optional<Impact> first;
    double toi_lower = 0.0;
    std::vector<double> clearance;
    std::vector<Intersection> intersections;
    std::vector<Vec3> safe;
    std::uint64_t candidates = 0;
    bool operator==(const Answers&) const = default;
};

Answers answers_of(const Scene& scene, const StepOptions& options) {
    MeshStepper stepper(scene.mesh);
    const auto all = stepper.all_impacts(scene.start, scene.end, options);
    const auto first = stepper.first_impact(scene.start, scene.end, options);
    const auto clearance = stepper.clearance(scene.start, 0.5, options);
    const auto intersections = stepper.intersections(scene.start, options);
    const auto safe = largest_safe_step(stepper, scene.start, scene.end, options);
    const auto candidates = stepper.candidates(scene.start, scene.end, 0.1, options);
    EXPECT_TRUE(all && first && clearance && intersections && safe && candidates);
    return {all->impacts,   first->impact,   first->toi_lower,  clearance->by_vertex,
            *intersections, safe->positions, candidates->size()};
}

TEST(ExecutorThreads, GiveTheSameBitsAsTheLibrarysOwn) {
    const Executor backwards = [](std::size_t count, const Task& task) {
        for (std::size_t i = count; i-- > 0;)
            task(i);
    };
    const Executor runs_none = [](std::size_t, const Task&) {};
    const Executor one_after_the_other = [](std::size_t count, const Task& task) {
        for (std::size_t i = 0; i < count; ++i)
            std::thread([&] { task(i); }).join();
    };
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
        const Scene scene =
            SceneMaker({.faces = 70, .points = 9, .integers = seed == 1}, seed).make();
        const Answers expected = answers_of(scene, {.threads = 1});
        for (const int threads : {2, 8}) {
            for (const Executor& executor :
                 {Executor(run_on_new_threads), backwards, runs_none, one_after_the_other}) {
                StepOptions options;
                options.threads = threads;
                options.executor = executor;
                EXPECT_EQ(answers_of(scene, options), expected) << seed << " " << threads;
            }
        }
    }
}

TEST(ExecutorThreads, AreThoseThatTheWorkIsDoneOn) {
    const Scene scene = SceneMaker({.faces = 400}, 3).make();
    std::atomic<int> calls = 0;
    std::atomic<std::size_t> most = 0;
    StepOptions options;
    options.threads = 3;
    options.executor = [&](std::size_t count, const Task& task) {
        ++calls;
        most = std::max(most.load(), count);
        run_on_new_threads(count, task);
    };
    ASSERT_TRUE(MeshStepper(scene.mesh).all_impacts(scene.start, scene.end, options));
    EXPECT_GT(calls.load(), 0);
    EXPECT_GE(most.load(), 2U);
    EXPECT_LE(most.load(), 3U);
}

TEST(ExecutorThreads, MayHaveAnyFloatingPointSettings) {
    const Scene scene = SceneMaker({.faces = 100}, 4).make();
    StepOptions options;
    options.threads = 3;
    options.executor = [](std::size_t count, const Task& task) {
        run_on_new_threads(count, [&](std::size_t i) {
            std::fesetround(FE_UPWARD);
            task(i);
            std::fesetround(FE_TONEAREST);
        });
    };
    EXPECT_EQ(answers_of(scene, options), answers_of(scene, {.threads = 1}));
}

TEST(ExecutorThreads, ThatThrowLeaveAStepperThatCanBeUsedAgain) {
    const Scene scene = SceneMaker({.faces = 100}, 5).make();
    MeshStepper stepper(scene.mesh);
    StepOptions options;
    options.threads = 4;
    options.executor = [](std::size_t, const Task&) { throw std::runtime_error("no threads"); };
    EXPECT_THROW((void)stepper.all_impacts(scene.start, scene.end, options), std::runtime_error);
    options.executor = nullptr;
    const auto again = stepper.all_impacts(scene.start, scene.end, options);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->impacts, MeshStepper(scene.mesh).all_impacts(scene.start, scene.end)->impacts);
}

}  // namespace
}  // namespace graze
