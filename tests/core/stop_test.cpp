// A stop is heard, and is final.
// Defends G-RIGID-9 (docs/GUARANTEES.md).
#include "graze/core/stop.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace graze {
namespace {

// Options that hold them are copied within functions that promise not to throw.
static_assert(std::is_nothrow_copy_constructible_v<StopToken>);
static_assert(std::is_nothrow_copy_constructible_v<ProgressSink>);
// What they point to must outlive them.
static_assert(!std::is_constructible_v<StopToken, std::stop_token>);

TEST(StopToken, NeverAsksUnlessItIsToldTo) {
    EXPECT_FALSE(StopToken().stop_requested());
}

TEST(StopToken, HearsAFlagAFunctionAndTheStandardLibrary) {
    std::atomic<bool> flag = false;
    const StopToken of_flag(flag);
    EXPECT_FALSE(of_flag.stop_requested());
    flag = true;
    EXPECT_TRUE(of_flag.stop_requested());

    std::stop_source source;
    const std::stop_token standard = source.get_token();
    const StopToken of_standard(standard);
    EXPECT_FALSE(of_standard.stop_requested());
    source.request_stop();
    EXPECT_TRUE(of_standard.stop_requested());

    const int limit = 3;
    const StopToken of_function(
        [](const void* context) noexcept { return *static_cast<const int*>(context) == 3; },
        &limit);
    EXPECT_TRUE(of_function.stop_requested());
}

TEST(StopPoll, AStopIsFinalThoughTheTokenTakesItBack) {
    std::atomic<bool> flag = true;
    StopPoll poll{StopToken(flag)};
    EXPECT_FALSE(poll.is_stopped());
    EXPECT_TRUE(poll());
    flag = false;
    EXPECT_TRUE(poll());
    EXPECT_TRUE(poll.now());
    EXPECT_TRUE(poll.is_stopped());
}

TEST(StopPoll, HearsOfAStopWithin256Calls) {
    std::atomic<bool> flag = false;
    StopPoll poll{StopToken(flag)};
    EXPECT_FALSE(poll());
    flag = true;
    int calls = 1;
    while (!poll() && calls < 1000)
        ++calls;
    EXPECT_LE(calls, 256);
}

TEST(ProgressSink, HandsOnTheShare) {
    std::vector<double> told;
    ProgressSink().tell(0.25);
    const ProgressSink sink(
        [](void* context, double share) noexcept {
            static_cast<std::vector<double>*>(context)->push_back(share);
        },
        &told);
    sink.tell(0.5);
    EXPECT_EQ(told, std::vector<double>{0.5});
}

}  // namespace
}  // namespace graze
