// CRC-64/XZ: the checksum of the binary form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace graze::io {

// Reflected, polynomial 0x42F0E1EBA9EA3693 (ECMA-182), all ones in and out.
inline constexpr std::array<std::uint64_t, 256> kCrc64Table = [] {
    constexpr std::uint64_t kReversedPolynomial = 0xC96C5795D7870F42u;
    std::array<std::uint64_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        std::uint64_t entry = i;
        for (int bit = 0; bit < 8; ++bit) {
            entry = (entry >> 1) ^ ((entry & 1) != 0 ? kReversedPolynomial : 0);
        }
        table[i] = entry;
    }
    return table;
}();

class Crc64 {
public:
    constexpr void add(std::span<const unsigned char> bytes) noexcept {
        for (const unsigned char byte : bytes) {
            state_ = kCrc64Table[(state_ ^ byte) & 0xff] ^ (state_ >> 8);
        }
    }
    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return ~state_; }

private:
    std::uint64_t state_ = ~std::uint64_t{0};
};

}  // namespace graze::io
