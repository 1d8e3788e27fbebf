// Calls of every function of graze_cuda.h with arguments of which each may be wrong, on a device that is the host.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace graze::capi_test {

struct CudaCallCounts {
    std::array<std::uint64_t, 5> by_status{};
    std::uint64_t contacts = 0;      // verdicts
    std::uint64_t host_impacts = 0;  // that were copied
    std::uint64_t violations = 0;    // of the contract of the header
    std::string first_violation;
};

[[nodiscard]] CudaCallCounts call_cuda_at_random(std::uint64_t calls, std::uint64_t seed);
[[nodiscard]] CudaCallCounts call_cuda_by_bytes(std::span<const std::uint8_t> bytes);

}  // namespace graze::capi_test
