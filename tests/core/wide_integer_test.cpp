// Two limbs against the compiler's own integers of 128 bits, where it has them, and by their own laws.
#include "graze/core/wide_integer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace graze {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

static_assert(TwoLimbInteger{kAll} * kAll + kAll + kAll == TwoLimbInteger(kAll, kAll));
static_assert(TwoLimbInteger{0} - TwoLimbInteger{1} == TwoLimbInteger(kAll, kAll));
static_assert(TwoLimbInteger(1, 0) / 3U == TwoLimbInteger(0x5555555555555555U));
static_assert(TwoLimbInteger(1, 0) % 3U == 1U);

std::vector<std::uint64_t> limbs() {
    std::mt19937_64 rng(1);
    std::vector<std::uint64_t> result = {
        0, 1, 2, kAll, kAll - 1, std::uint64_t{1} << 63, 0xffff'ffffU, 0x1'0000'0000U};
    for (int i = 0; i < 20; ++i)
        result.push_back(rng() >> (rng() % 64));
    return result;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 Native;
__extension__ typedef __int128 SignedNative;

bool same(const TwoLimbInteger& own, Native native) {
    return own == TwoLimbInteger(static_cast<std::uint64_t>(native >> 64),
                                 static_cast<std::uint64_t>(native));
}

TEST(WideIntegerTest, TwoLimbsCalculateAsTheCompilersIntegersDo) {
    std::mt19937_64 rng(2);
    for (const std::uint64_t high : limbs()) {
        for (const std::uint64_t low : limbs()) {
            const TwoLimbInteger a(high, low);
            const Native native = (Native{high} << 64) | low;
            const std::uint64_t b = rng() >> (rng() % 63);
            EXPECT_TRUE(same(a + b, native + b));
            EXPECT_TRUE(same(a - b, native - b));
            EXPECT_TRUE(same(a * b, native * b));
            EXPECT_TRUE(same(a | b, native | b));
            EXPECT_TRUE(same(a / (b | 1U), native / (b | 1U)));
            EXPECT_EQ(a % (b | 1U), static_cast<std::uint64_t>(native % (b | 1U)));
            for (const unsigned bits : {0U, 1U, 63U, 64U, 65U, 127U}) {
                EXPECT_TRUE(same(a << bits, native << bits)) << bits;
                EXPECT_TRUE(same(a >> bits, native >> bits)) << bits;
            }
            EXPECT_EQ(nearest_signed(high, low),
                      static_cast<double>(static_cast<SignedNative>(native)))
                << high << " " << low;
            const auto x = static_cast<std::int64_t>(high);
            const auto y = static_cast<std::int64_t>(low);
            EXPECT_TRUE(same(two_limb_product(x, y), static_cast<Native>(SignedNative{x} * y)));
        }
    }
}

// Where 53 bits end, and ties.
TEST(WideIntegerTest, TheNearestDoubleIsThatOfTheCompiler) {
    for (unsigned shift = 0; shift < 74; ++shift) {
        for (const std::uint64_t top : {0x10000000000000U, 0x10000000000001U, 0x1fffffffffffffU}) {
            for (const int off : {-1, 0, 1}) {
                const Native half = shift == 0 ? Native{0} : Native{1} << (shift - 1);
                const Native value = (Native{top} << shift) + half + static_cast<Native>(off);
                const SignedNative minus = -static_cast<SignedNative>(value);
                EXPECT_EQ(nearest_signed(static_cast<std::uint64_t>(value >> 64),
                                         static_cast<std::uint64_t>(value)),
                          static_cast<double>(static_cast<SignedNative>(value)));
                EXPECT_EQ(
                    nearest_signed(static_cast<std::uint64_t>(static_cast<Native>(minus) >> 64),
                                   static_cast<std::uint64_t>(static_cast<Native>(minus))),
                    static_cast<double>(minus));
            }
        }
    }
}
#endif

TEST(WideIntegerTest, SignedProductsOfTheLeastIntegerAreRight) {
    const std::int64_t least = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(two_limb_product(least, least), TwoLimbInteger(std::uint64_t{1} << 62, 0));
    EXPECT_EQ(two_limb_product(least, 1), TwoLimbInteger(kAll, std::uint64_t{1} << 63));
    EXPECT_EQ(two_limb_product(-1, -1), TwoLimbInteger(1));
    EXPECT_EQ(nearest_signed(kAll, kAll), -1.0);
    EXPECT_EQ(nearest_signed(0, kAll), 0x1p64);
}

}  // namespace
}  // namespace graze
