// FNV-1a, 64 bits: a hash whose value depends on neither machine nor library.
#pragma once

#include <cstdint>

namespace graze::verify {

class Fnv1a {
public:
    // The low `bytes` bytes of the value, least significant first.
    constexpr void add(std::uint64_t value, int bytes) noexcept {
        for (int i = 0; i < bytes; ++i)
            state_ = (state_ ^ ((value >> (8 * i)) & 0xff)) * kPrime;
    }
    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return state_; }

private:
    static constexpr std::uint64_t kPrime = 0x100000001b3;
    std::uint64_t state_ = 0xcbf29ce484222325;  // the offset basis
};

}  // namespace graze::verify
