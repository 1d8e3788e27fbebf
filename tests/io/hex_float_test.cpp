#include "graze/io/hex_float.hpp"

#include <gtest/gtest.h>

#include <clocale>

#include "io/files.hpp"

namespace graze::io {
namespace {

std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

TEST(HexFloat, WritesCppLiterals) {
    EXPECT_EQ(to_hex(3.0), "0x1.8p+1");
    EXPECT_EQ(to_hex(-0.0), "-0x0p+0");
    EXPECT_EQ(to_hex(-0.1), "-0x1.999999999999ap-4");
    EXPECT_EQ(to_hex(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(to_hex(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(HexFloat, WritesTheShortestDecimal) {
    EXPECT_EQ(to_shortest(0.1), "0.1");
    EXPECT_EQ(to_shortest(5e-324), "5e-324");
    EXPECT_EQ(to_shortest(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
    EXPECT_EQ(to_shortest(-std::numeric_limits<double>::infinity()), "-inf");
    EXPECT_EQ(to_shortest(-0.0), "-0");
}

TEST(HexFloat, ReadsBothFormsBackToTheSameBits) {
    std::mt19937_64 rng(20250330);
    for (int i = 0; i < 100'000; ++i) {
        const double value = i == 0 ? -0.0 : test::any_finite(rng);
        const auto from_hex = parse_double(to_hex(value));
        const auto from_decimal = parse_double(to_shortest(value));
        ASSERT_TRUE(from_hex && from_decimal) << to_hex(value);
        EXPECT_EQ(bits(*from_hex), bits(value)) << to_hex(value);
        EXPECT_EQ(bits(*from_decimal), bits(value)) << to_hex(value);
    }
    EXPECT_EQ(parse_double("-inf"), -std::numeric_limits<double>::infinity());
}

TEST(ParseDouble, TakesTheWholeTextOrNothing) {
    for (const char* text :
         {"",      "-",     "+1",     " 1",     "1 ",        "1x",  "0x",  "-0x",
          "0x-1",  "0xinf", "0x1p",   "1e",     "--1",       "-+1", "nan", "-nan",
          "0xnan", "1e400", "-1e400", "1e-400", "0x1p+1024", "1,5", "."}) {
        EXPECT_EQ(parse_double(text), std::nullopt) << text;
    }
    EXPECT_EQ(parse_double("1e3"), 1000.0);
    EXPECT_EQ(parse_double("-.5"), -0.5);
    EXPECT_EQ(parse_double("0X1.8P+1"), 3.0);
    EXPECT_EQ(parse_double("0x.8p+1"), 1.0);
}

TEST(HexFloat, PrintsTheCornersThatCountOneALine) {
    QueryRecord record;
    record.corners[1] = {{1.0, 0.5, 0.0}, {2.0, -1.0, 0.0}};
    EXPECT_EQ(to_hex(record, QueryKind::VertexVertex),
              "{{0x0p+0, 0x0p+0, 0x0p+0}, {0x0p+0, 0x0p+0, 0x0p+0}},\n"
              "{{0x1p+0, 0x1p-1, 0x0p+0}, {0x1p+1, -0x1p+0, 0x0p+0}},\n");
}

}  // namespace
}  // namespace graze::io
