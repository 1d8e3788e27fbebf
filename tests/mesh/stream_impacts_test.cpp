// Impacts to a sink: the same ones, each once, and a clean end whatever the sink does.
// Defends G-MESH-3, G-MESH-9 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <future>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#if defined(GRAZE_THREADS_TBB)
#include <tbb/task_group.h>
#endif

#include "graze/core/fork_join.hpp"
#include "graze/mesh.hpp"
#include "graze/narrow/box_separation.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

std::vector<Impact> sorted(std::vector<Impact> impacts) {
    std::sort(impacts.begin(), impacts.end(), [](const Impact& x, const Impact& y) {
        return std::tuple(x.kind, x.a, x.b) < std::tuple(y.kind, y.a, y.b);
    });
    return impacts;
}

TEST(StreamedImpactsThreads, AreThoseOfAllImpactsEachOnce) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Scene scene =
            SceneMaker({.faces = 90, .points = 5, .integers = seed % 2 == 1}, seed).make();
        MeshStepper stepper(scene.mesh);
        const auto all = stepper.all_impacts(scene.start, scene.end);
        ASSERT_TRUE(all);
        for (const int threads : {1, 2, 3, 8}) {
            std::vector<Impact> taken;
            std::atomic<int> inside = 0;
            const auto streamed =
                stepper.stream_impacts(scene.start, scene.end,
                                       [&](std::span<const Impact> batch) {
                                           EXPECT_EQ(++inside, 1);  // one at a time
                                           EXPECT_FALSE(batch.empty());
                                           taken.insert(taken.end(), batch.begin(), batch.end());
                                           --inside;
                                           return true;
                                       },
                                       {.threads = threads});
            ASSERT_TRUE(streamed) << streamed.error().message;
            EXPECT_EQ(sorted(taken), all->impacts);
            EXPECT_EQ(streamed->count, all->impacts.size());
            EXPECT_EQ(streamed->verdict, all->verdict);
            EXPECT_LE(streamed->toi_lower, all->toi_lower);
            EXPECT_EQ(streamed->toi_upper, all->toi_upper);
            EXPECT_EQ(streamed->work.candidates, all->work.candidates);
        }
    }
}

TEST(StreamedImpacts, ComeFromCandidatesToo) {
    const Scene scene = SceneMaker({.faces = 40}, 9).make();
    MeshStepper stepper(scene.mesh);
    const auto candidates = stepper.candidates(scene.start, scene.end);
    ASSERT_TRUE(candidates);
    StepOptions options;
    options.candidates = &*candidates;
    std::vector<Impact> taken;
    ASSERT_TRUE(stepper.stream_impacts(
        scene.start, scene.end,
        [&](std::span<const Impact> batch) {
            taken.insert(taken.end(), batch.begin(), batch.end());
            return true;
        },
        options));
    EXPECT_EQ(sorted(taken), stepper.all_impacts(scene.start, scene.end)->impacts);
}

TEST(StreamedImpacts, OfAFreeStepAreNoneAndTheStepIsSeparated) {
    const Scene scene = SceneMaker({.faces = 1}, 0).make();
    MeshStepper stepper(scene.mesh);
    const auto never = [](std::span<const Impact>) {
        ADD_FAILURE();
        return true;
    };
    const auto streamed = stepper.stream_impacts(scene.start, scene.end, never);
    ASSERT_TRUE(streamed);
    EXPECT_EQ(streamed->verdict, Verdict::Separated);
    EXPECT_EQ(streamed->toi_lower, kInfinity);
    EXPECT_EQ(streamed->count, 0U);
}

// With one thread, with those of the library, and with those of the caller.
std::vector<StepOptions> ways_to_run() {
    StepOptions own;
    own.threads = 3;
    own.executor = run_on_new_threads;
    return {{.threads = 1}, {.threads = 4}, own};
}

TEST(StreamedImpacts, ThatTheSinkRefusesCancelTheCall) {
    const Scene scene = SceneMaker({.faces = 200}, 0).make();
    MeshStepper stepper(scene.mesh);
    const auto all = stepper.all_impacts(scene.start, scene.end);
    ASSERT_TRUE(all);
    ASSERT_GT(all->impacts.size(), 600U);
    for (const StepOptions& options : ways_to_run()) {
        int calls = 0;
        const auto streamed = stepper.stream_impacts(
            scene.start, scene.end, [&](std::span<const Impact>) { return ++calls < 2; }, options);
        ASSERT_FALSE(streamed);
        EXPECT_EQ(streamed.error().code, ErrorCode::Cancelled);
        EXPECT_EQ(calls, 2);  // no more batches after the one that was refused
    }
    // Also where it is the last.
    const Scene small = SceneMaker({.faces = 12}, 0).make();
    MeshStepper one(small.mesh);
    const auto refused =
        one.stream_impacts(small.start, small.end, [](std::span<const Impact>) { return false; });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Cancelled);
}

TEST(StreamedImpacts, WhatTheSinkThrowsIsThrownByTheCall) {
    const Scene scene = SceneMaker({.faces = 90}, 0).make();
    MeshStepper stepper(scene.mesh);
    for (const StepOptions& options : ways_to_run()) {
        int calls = 0;
        const auto throws = [&](std::span<const Impact>) -> bool {
            ++calls;
            throw std::runtime_error("disk full");
        };
        EXPECT_THROW((void)stepper.stream_impacts(scene.start, scene.end, throws, options),
                     std::runtime_error);
        EXPECT_EQ(calls, 1);
        // The stepper is as good as new.
        EXPECT_EQ(stepper.all_impacts(scene.start, scene.end)->impacts,
                  MeshStepper(scene.mesh).all_impacts(scene.start, scene.end)->impacts);
    }
}

TEST(StreamedImpacts, AreRefusedLikeAllImpacts) {
    const Scene scene = SceneMaker({.faces = 4}, 0).make();
    MeshStepper stepper(scene.mesh);
    const auto sink = [](std::span<const Impact>) { return true; };
    EXPECT_EQ(stepper.stream_impacts(scene.start, std::span<const Vec3>(), sink).error().code,
              ErrorCode::WrongSize);
    EXPECT_EQ(stepper.stream_impacts(scene.start, scene.end, nullptr).error().code,
              ErrorCode::InvalidInput);
    const std::atomic<bool> stop = true;
    StepOptions options;
    options.stop = StopToken(stop);
    EXPECT_EQ(stepper.stream_impacts(scene.start, scene.end, sink, options).error().code,
              ErrorCode::Cancelled);
}

// --- Sinks that wait -----------------------------------------------------------------------------

using Task = std::function<void(std::size_t)>;

// An executor as that of a scheduler: whoever waits takes what others have left, the newest first.
class Scheduler {
public:
    [[nodiscard]] Executor executor() {
        return [this](std::size_t count, const Task& task) {
            std::atomic<std::size_t> left = count;
            {
                const std::lock_guard lock(mutex_);
                for (std::size_t i = 0; i < count; ++i) {
                    waiting_.push_back([&task, &left, i] {
                        task(i);
                        --left;
                    });
                }
            }
            while (left > 0)
                if (!take_one()) std::this_thread::yield();
        };
    }
    bool take_one() {
        std::function<void()> task;
        {
            const std::lock_guard lock(mutex_);
            if (waiting_.empty()) return false;
            task = std::move(waiting_.back());
            waiting_.pop_back();
        }
        task();
        return true;
    }
    // How many it took.
    int take_all() {
        int count = 0;
        while (take_one())
            ++count;
        return count;
    }

private:
    std::mutex mutex_;
    std::deque<std::function<void()>> waiting_;
};

// What a sink takes.
struct Taken {
    std::vector<Impact> impacts;
    int calls = 0;
    int inside = 0;
    // `wait` comes before the batch is read: what the thread finds meanwhile must not change it.
    template <class Wait>
    bool take(std::span<const Impact> batch, const Wait& wait) {
        EXPECT_EQ(++inside, 1);
        ++calls;
        wait();
        impacts.insert(impacts.end(), batch.begin(), batch.end());
        --inside;
        return true;
    }
};

// Two threads that wait for each other cannot be ended: the program is.
void in_two_minutes(const std::function<void()>& body) {
    std::future<void> done = std::async(std::launch::async, body);
    if (done.wait_for(std::chrono::minutes(2)) == std::future_status::ready) return done.get();
    std::fputs("a thread waits for ever\n", stderr);
    std::abort();
}

// With so many impacts that each task of a search fills batches.
Scene crowd(std::uint64_t seed) {
    return SceneMaker({.faces = 400}, seed).make();
}
std::vector<Impact> impacts_of(const Scene& scene) {
    return MeshStepper(scene.mesh).all_impacts(scene.start, scene.end)->impacts;
}
StepOptions on(Scheduler& scheduler) {
    StepOptions options;
    options.threads = 4;
    options.executor = scheduler.executor();
    return options;
}
void expect_all_of(const Scene& scene, const Expected<StreamedImpacts>& streamed,
                   const Taken& taken) {
    ASSERT_TRUE(streamed) << streamed.error().message;
    const std::vector<Impact> all = impacts_of(scene);
    EXPECT_EQ(streamed->count, all.size());
    EXPECT_EQ(sorted(taken.impacts), all);
}

TEST(StreamedImpacts, ReachASinkWhoseThreadTakesTasksOfTheSearchWhileItWaits) {
    in_two_minutes([] {
        const Scene scene = crowd(0);
        MeshStepper stepper(scene.mesh);
        Scheduler scheduler;
        Taken taken;
        int tasks = 0;
        const auto streamed = stepper.stream_impacts(
            scene.start, scene.end,
            [&](std::span<const Impact> batch) {
                return taken.take(batch, [&] { tasks += scheduler.take_all(); });
            },
            on(scheduler));
        expect_all_of(scene, streamed, taken);
        EXPECT_GT(tasks, 0);
        EXPECT_GT(taken.calls, 1);
    });
}

TEST(StreamedImpacts, OfAnotherStepperMayBeSoughtByTheSink) {
    in_two_minutes([] {
        const Scene outer = crowd(1);
        const Scene inner = crowd(2);
        MeshStepper outer_stepper(outer.mesh);
        MeshStepper inner_stepper(inner.mesh);
        Scheduler scheduler;
        Taken of_outer;
        Taken of_inner;
        int tasks = 0;
        // Tasks of both searches, in the sinks of both.
        const auto seek_others = [&] {
            if (of_outer.calls > 1) return;
            const auto streamed = inner_stepper.stream_impacts(
                inner.start, inner.end,
                [&](std::span<const Impact> batch) {
                    return of_inner.take(batch, [&] { tasks += scheduler.take_all(); });
                },
                on(scheduler));
            expect_all_of(inner, streamed, of_inner);
        };
        const auto streamed = outer_stepper.stream_impacts(
            outer.start, outer.end,
            [&](std::span<const Impact> batch) { return of_outer.take(batch, seek_others); },
            on(scheduler));
        expect_all_of(outer, streamed, of_outer);
        EXPECT_GT(tasks, 3);  // more than those of the inner search that are left
    });
}

TEST(StreamedImpactsThreads, ReachTwoSinksThatTakeTasksOfEachOthersSearch) {
    in_two_minutes([] {
        const std::array<Scene, 2> scenes = {crowd(3), crowd(4)};
        std::array<Scheduler, 2> schedulers;
        std::array<Taken, 2> taken;
        std::latch both_wait(2);
        std::latch both_have_taken(2);
        const auto stream = [&](std::size_t own) {
            MeshStepper stepper(scenes[own].mesh);
            const auto streamed = stepper.stream_impacts(
                scenes[own].start, scenes[own].end,
                [&](std::span<const Impact> batch) {
                    return taken[own].take(batch, [&] {
                        if (taken[own].calls > 1) return;
                        both_wait.arrive_and_wait();
                        EXPECT_GT(schedulers[1 - own].take_all(), 0);
                        both_have_taken.arrive_and_wait();
                    });
                },
                on(schedulers[own]));
            expect_all_of(scenes[own], streamed, taken[own]);
        };
        std::jthread other([&] { stream(1); });
        stream(0);
    });
}

// The sink waits for a task that another thread has taken. That one waits for tasks of its own, takes
// a task of the search meanwhile, and comes to the sink.
TEST(StreamedImpactsThreads, ReachASinkThatWaitsForAThreadThatComesToIt) {
    in_two_minutes([] {
        const Scene scene = crowd(6);
        MeshStepper stepper(scene.mesh);
        Scheduler scheduler;
        std::atomic<bool> is_done = false;
        std::jthread helper([&] {
            while (!is_done)
                if (!scheduler.take_one()) std::this_thread::yield();
        });
        const Executor executor = scheduler.executor();
        const auto for_some_time = [] {
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        };
        Taken taken;
        const auto streamed = stepper.stream_impacts(
            scene.start, scene.end,
            [&](std::span<const Impact> batch) {
                return taken.take(batch, [&] {
                    executor(3, [&](std::size_t) {
                        executor(3, [&](std::size_t) { for_some_time(); });
                    });
                });
            },
            on(scheduler));
        is_done = true;
        expect_all_of(scene, streamed, taken);
    });
}

#if defined(GRAZE_THREADS_TBB)
// Two buffers: one is worked on while the next one is filled.
TEST(StreamedImpacts, ReachASinkThatWaitsForTheTaskOfAnEarlierBatch) {
    in_two_minutes([] {
        const Scene scene = crowd(7);
        MeshStepper stepper(scene.mesh);
        for (const int threads : {1, 2, 4}) {
            for (const bool has_candidates : {false, true}) {
                tbb::task_group group;
                std::atomic<std::size_t> worked_on = 0;
                std::size_t begun = 0;
                Taken taken;
                StepOptions options;
                options.threads = threads;
                const auto candidates = stepper.candidates(scene.start, scene.end, 0.0, options);
                ASSERT_TRUE(candidates);
                if (has_candidates) options.candidates = &*candidates;
                const auto streamed = stepper.stream_impacts(
                    scene.start, scene.end,
                    [&](std::span<const Impact> batch) {
                        return taken.take(batch, [&] {
                            group.wait();
                            if (taken.calls > 30) return;
                            begun += batch.size();
                            group.run([&worked_on, own = std::vector(batch.begin(), batch.end())] {
                                worked_on += own.size();
                            });
                        });
                    },
                    options);
                group.wait();
                expect_all_of(scene, streamed, taken);
                EXPECT_EQ(worked_on, begun);
                EXPECT_GT(taken.calls, 1);
            }
        }
    });
}
#endif

TEST(StreamedImpacts, AreRefusedByASinkWhoseThreadHasFoundMore) {
    in_two_minutes([] {
        const Scene scene = crowd(5);
        MeshStepper stepper(scene.mesh);
        for (const bool throws : {false, true}) {
            Scheduler scheduler;
            int calls = 0;
            const auto refuses = [&](std::span<const Impact>) {
                ++calls;
                EXPECT_GT(scheduler.take_all(), 0);
                if (throws) throw std::runtime_error("disk full");
                return false;
            };
            const auto stream = [&] {
                return stepper.stream_impacts(scene.start, scene.end, refuses, on(scheduler));
            };
            if (throws) {
                EXPECT_THROW((void)stream(), std::runtime_error);
            } else {
                EXPECT_EQ(stream().error().code, ErrorCode::Cancelled);
            }
            EXPECT_EQ(calls, 1);
        }
    });
}

}  // namespace
}  // namespace graze
