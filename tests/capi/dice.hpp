// What calls of a C interface with arguments of which each may be wrong are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>

namespace graze::capi_test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Random numbers, or those that bytes make: small ones of one or two bytes each.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}
    explicit Dice(std::span<const std::uint8_t> bytes) : bytes_(bytes), has_bytes_(true) {}
    bool is_used_up() const { return has_bytes_ && bytes_.empty(); }
    std::uint64_t bits() { return has_bytes_ ? taken(8) : random_(); }
    // 0 .. n - 1; the last of them once the bytes are used up, which makes nothing wrong.
    std::uint64_t below(std::uint64_t n) {
        if (!has_bytes_) return random_() % n;
        if (bytes_.empty()) return n - 1;
        return taken(n <= 0x100 ? 1 : n <= 0x10000 ? 2 : 8) % n;
    }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    // An argument is wrong now and then, so that most calls get through several of them.
    bool wrong() { return one_in(24); }
    // A length or a count that is not `right`, and that no check lets pass.
    std::uint64_t wrong_count(std::uint64_t right) {
        switch (below(4)) {
            case 0:
                return right + 1;
            case 1:
                return right == 0 ? 7 : right - 1;
            case 2:
                return ~std::uint64_t{0} - below(3);
            default:
                return (std::uint64_t{1} << 41) + below(9);
        }
    }
    std::int32_t wrong_enum() {
        constexpr std::int32_t kWrong[] = {-1, 77, std::numeric_limits<std::int32_t>::max(),
                                           std::numeric_limits<std::int32_t>::min()};
        return kWrong[below(4)];
    }
    // Coordinates on a grid: contacts, degenerate triangles and ties are common.
    double coordinate() { return 0.25 * static_cast<double>(static_cast<int>(below(17)) - 8); }
    double odd_number() {
        const double numbers[] = {kNan,    kInfinity, -kInfinity, 0x1p-1074, -0.0, 1e300,
                                  -1e-300, 0.1,       1e39,       -1.0,      0.0,  3.0};
        return numbers[below(12)];
    }
    double number(double right) { return wrong() ? odd_number() : right; }

private:
    std::uint64_t taken(std::size_t count) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < count && !bytes_.empty(); ++i) {
            value = (value << 8U) | bytes_.front();
            bytes_ = bytes_.subspan(1);
        }
        return value;
    }

    std::mt19937_64 random_;
    std::span<const std::uint8_t> bytes_;
    bool has_bytes_ = false;
};

}  // namespace graze::capi_test
