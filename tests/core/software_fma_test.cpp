// The fma of this machine, which rounds once, against the one by integers.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "graze/core/rounding.hpp"

namespace graze {
namespace {

bool same_bits(double x, double y) {
    return (std::isnan(x) && std::isnan(y)) ||
           std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

// Any bits, ordinary numbers, few bits at any exponent, 64 bits rounded.
double operand(std::mt19937_64& rng, std::uint64_t kind) {
    const std::uint64_t bits = rng();
    switch (kind % 4) {
        case 0:
            return std::bit_cast<double>(bits);
        case 1:
            return 1.0 + static_cast<double>(bits >> 12) * 0x1p-52;
        case 2:
            return std::ldexp(static_cast<double>(bits % 17) - 8.0,
                              static_cast<int>(rng() % 2100) - 1104);
        default:
            return std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits)),
                              static_cast<int>(rng() % 140) - 134);
    }
}

TEST(SoftwareFmaTest, RoundsOnceWhereverTheProcessorDoes) {
    std::mt19937_64 rng(1);
    for (std::uint64_t i = 0; i < 400'000; ++i) {
        const double a = operand(rng, i);
        const double b = operand(rng, i / 4);
        double c = operand(rng, i / 16);
        if (i % 3 == 0) c = -a * b;  // the error of a product
        if (i % 3 == 1) c = -a * b * (1.0 + std::ldexp(1.0, -static_cast<int>(rng() % 110)));
        ASSERT_TRUE(same_bits(detail::software_fma(a, b, c), std::fma(a, b, c)))
            << std::hexfloat << a << " " << b << " " << c;
    }
}

TEST(SoftwareFmaTest, EveryTripleOfSpecialNumbersIsRight) {
    constexpr double kHuge = std::numeric_limits<double>::max();
    constexpr double kFmaInfinity = std::numeric_limits<double>::infinity();
    const double all[] = {0.0,        -0.0,         1.0,           -1.0,         0x1p-1074,
                          -0x1p-1074, 0x1p-1022,    0x1p52,        -0x1p-537,    kHuge,
                          -kHuge,     kFmaInfinity, -kFmaInfinity, 1.0 + 0x1p-52};
    for (const double a : all)
        for (const double b : all)
            for (const double c : all)
                EXPECT_TRUE(same_bits(detail::software_fma(a, b, c), std::fma(a, b, c)))
                    << std::hexfloat << a << " " << b << " " << c;
}

}  // namespace
}  // namespace graze
