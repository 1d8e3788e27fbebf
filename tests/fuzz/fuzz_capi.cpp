// The input chooses functions of the C interface and their arguments, of which each may be wrong: calls in
// turn, with handles that live from call to call. Whatever they are, the contract of the header holds.
// Defends G-CAPI-1, G-CAPI-3 (docs/GUARANTEES.md).
#include <cstdint>
#include <span>

#include "capi/random_calls.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto counts = graze::capi_test::call_by_bytes(std::span(data, size));
    graze::io::fuzz::require(counts.violations == 0, counts.first_violation);
    return 0;
}
