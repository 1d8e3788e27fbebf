// Calls of every function of the C interface with arguments of which each may be wrong.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace graze::capi_test {

inline constexpr int kFunctions = 66;

struct CallCounts {
    std::array<std::uint64_t, 14> by_status{};
    std::array<std::uint64_t, kFunctions> succeeded{};
    std::array<std::uint64_t, kFunctions> refused{};
    // Answers that break the contract: an unknown status, GRAZE_INTERNAL, an error without a text, a
    // claim beside an error.
    std::uint64_t violations = 0;
    std::string first_violation;
};

// So many calls. What memory they must not touch lies right behind what they are given.
[[nodiscard]] CallCounts call_at_random(std::uint64_t calls, std::uint64_t seed);
// As many as the bytes make, which choose functions and arguments: for fuzzers.
[[nodiscard]] CallCounts call_by_bytes(std::span<const std::uint8_t> bytes);

}  // namespace graze::capi_test
