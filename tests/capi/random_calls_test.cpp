// Whatever the arguments are, a call of the C interface returns a status, and claims nothing beside an error.
// Defends G-CAPI-1, G-CAPI-3 (docs/GUARANTEES.md).
#include <graze.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "capi/random_calls.hpp"

namespace {

using graze::capi_test::call_at_random;
using graze::capi_test::CallCounts;
using graze::capi_test::kFunctions;

void expect_contract(const CallCounts& counts) {
    EXPECT_EQ(counts.violations, 0U) << counts.first_violation;
    for (std::size_t f = 0; f < kFunctions; ++f) {
        EXPECT_GT(counts.succeeded[f], 0U) << "function " << f << " never succeeded";
        EXPECT_GT(counts.refused[f], 0U) << "function " << f << " was never refused anything";
    }
    for (const graze_status status :
         {GRAZE_OK, GRAZE_NULL_POINTER, GRAZE_INVALID_INPUT, GRAZE_NOT_FINITE, GRAZE_OUT_OF_RANGE,
          GRAZE_WRONG_SIZE, GRAZE_INVALID_OPTION, GRAZE_BAD_HANDLE, GRAZE_BUFFER_TOO_SMALL,
          GRAZE_CANCELLED})
        EXPECT_GT(counts.by_status[static_cast<std::size_t>(status)], 0U)
            << graze_status_text(status);
}

TEST(CInterfaceRandomCalls, AreAllAnswered) {
    expect_contract(call_at_random(20'000, 1));
}

TEST(CInterfaceRandomCalls, AreMadeByBytesOfAFuzzer) {
    std::mt19937 random(3);
    CallCounts all;
    for (int input = 0; input < 30; ++input) {
        std::vector<std::uint8_t> bytes(3000);
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        const CallCounts counts = graze::capi_test::call_by_bytes(bytes);
        EXPECT_EQ(counts.violations, 0U) << counts.first_violation;
        for (std::size_t f = 0; f < kFunctions; ++f)
            all.succeeded[f] += counts.succeeded[f];
    }
    EXPECT_GT(all.succeeded[10], 0U);  // first_impact
    EXPECT_GT(all.succeeded[35], 0U);  // slide
    EXPECT_EQ(graze::capi_test::call_by_bytes({}).violations, 0U);
}

TEST(CInterfaceRandomCallsAttack, AMillionAreAllAnswered) {
    expect_contract(call_at_random(1'000'000, 2));
}

}  // namespace
