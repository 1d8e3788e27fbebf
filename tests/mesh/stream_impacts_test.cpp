// Impacts to a sink: the same ones, each once, and a clean end whatever the sink does.
// Defends G-MESH-3, G-MESH-9 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>

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

}  // namespace
}  // namespace graze
