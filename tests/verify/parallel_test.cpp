#include "graze/verify/parallel.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace graze::verify {
namespace {

TEST(Parallel, CallsEveryIndexOnce) {
    for (const unsigned threads : {0U, 1U, 2U, 5U}) {
        std::vector<int> calls(1000, 0);
        for_each_index({.threads = threads}, calls.size(), [&](std::size_t i) { ++calls[i]; });
        EXPECT_EQ(calls, std::vector<int>(1000, 1)) << threads;
    }
}

TEST(Parallel, AllCoresAreANumberOfThreads) {
    EXPECT_GE(threads_used(0), 1U);
    EXPECT_EQ(threads_used(7), 7U);
}

}  // namespace
}  // namespace graze::verify
