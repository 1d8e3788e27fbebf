// Natural numbers of any length, with just what exact fractions need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graze::io {

class BigNatural {
public:
    BigNatural() = default;
    explicit BigNatural(std::uint64_t value);
    // Requires: decimal digits only. Cost: quadratic in their number; callers bound it.
    [[nodiscard]] static BigNatural from_decimal(std::string_view digits);
    [[nodiscard]] std::string to_decimal() const;

    [[nodiscard]] bool is_zero() const noexcept { return limbs_.empty(); }
    [[nodiscard]] std::uint64_t low_bits() const noexcept { return is_zero() ? 0 : limbs_[0]; }
    // Number of factors two. Requires: not zero.
    [[nodiscard]] std::size_t trailing_zeros() const noexcept;
    [[nodiscard]] BigNatural shifted_left(std::size_t bits) const;
    [[nodiscard]] BigNatural shifted_right(std::size_t bits) const;
    [[nodiscard]] BigNatural times(std::uint64_t factor) const;

    friend bool operator==(const BigNatural&, const BigNatural&) noexcept = default;

private:
    void multiply_add(std::uint64_t factor, std::uint64_t summand);
    [[nodiscard]] std::uint64_t divide(std::uint64_t divisor);
    void trim() noexcept;

    std::vector<std::uint64_t> limbs_;  // least significant first; the last one is not zero
};

}  // namespace graze::io
