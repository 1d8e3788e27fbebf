// The input chooses functions of graze_cuda.h and their arguments, of which each may be wrong, on a device that is the host.
// Defends G-CAPI-1 (docs/GUARANTEES.md).
#include <cstdint>
#include <span>

#include "capi/cuda_random_calls.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto counts = graze::capi_test::call_cuda_by_bytes(std::span(data, size));
    graze::io::fuzz::require(counts.violations == 0, counts.first_violation);
    return 0;
}
