// Whatever the arguments are, a call of graze_cuda.h returns a status, and claims nothing beside an error: on a device that
// is the host.
// Defends G-CAPI-1 (docs/GUARANTEES.md).
#include "capi/cuda_random_calls.hpp"

#include <graze_cuda.h>
#include <gtest/gtest.h>

namespace {

TEST(CudaInterfaceRandomCalls, AreAllAnswered) {
    const auto counts = graze::capi_test::call_cuda_at_random(20'000, 1);
    EXPECT_EQ(counts.violations, 0U) << counts.first_violation;
    EXPECT_EQ(graze_cuda_abi_version(), GRAZE_CUDA_ABI_VERSION);
    for (const graze_cuda_status status :
         {GRAZE_CUDA_OK, GRAZE_CUDA_INVALID_INPUT, GRAZE_CUDA_UNSUPPORTED})
        EXPECT_GT(counts.by_status[static_cast<std::size_t>(status)], 0U) << status;
    EXPECT_GT(counts.contacts, 0U);
    EXPECT_GT(counts.host_impacts, 0U);
}

}  // namespace
