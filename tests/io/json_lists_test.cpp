#include "io/json_lists.hpp"

#include <gtest/gtest.h>

#include "io/files.hpp"

namespace graze::io {
namespace {

using namespace test;

// The list in short, "10" for [true, false]; an error ends it with "!message".
std::string truths(ByteReader in) {
    TruthReader reader(std::move(in));
    std::string text;
    while (true) {
        const auto truth = reader.next();
        if (!truth) return text + "!" + truth.error().message;
        if (!*truth) return text;
        text += **truth ? '1' : '0';
    }
}

std::string pairs(std::string_view json) {
    BoxPairReader reader(reader_of(json));
    std::string text;
    while (true) {
        const auto pair = reader.next();
        if (!pair) return text + "!" + pair.error().message;
        if (!*pair) return text;
        text += std::to_string((**pair)[0]) + "-" + std::to_string((**pair)[1]) + " ";
    }
}

TEST(TruthReader, ReadsBooleansAndNumbersWithAnyWhiteSpace) {
    EXPECT_EQ(truths(reader_of("[true,false,true]")), "101");
    EXPECT_EQ(truths(reader_of(" [\n true ,\tfalse\r\n, 1,0 ] \n")), "1010");
    EXPECT_EQ(truths(reader_of("[]")), "");
    EXPECT_EQ(truths(reader_of("[ ]\n")), "");
}

TEST(TruthReader, ReadsAcrossEveryBoundaryAndFromGzip) {
    std::string json = "[";
    std::string expected;
    std::mt19937_64 rng(20250320);
    for (int i = 0; i < 200; ++i) {
        const bool truth = rng() % 2 == 0;
        json += (i == 0 ? "" : ", ") + std::string(truth ? "true" : "false");
        expected += truth ? '1' : '0';
    }
    json += "]";
    for (std::size_t piece = 1; piece < 12; ++piece) {
        EXPECT_EQ(truths(reader_of(bytes_of(json), piece)), expected);
        EXPECT_EQ(truths(reader_of(gzip(bytes_of(json)), piece)), expected);
    }
}

TEST(TruthReader, NamesTheElementThatIsNotATruth) {
    const std::string expected = ": expected true, false, 1 or 0";
    EXPECT_EQ(truths(reader_of("[true,null]")), "1!in: element 1" + expected);
    EXPECT_EQ(truths(reader_of("[2]")), "!in: element 0" + expected);
    EXPECT_EQ(truths(reader_of("[tru]")), "!in: element 0" + expected);
    EXPECT_EQ(truths(reader_of("[\"true\"]")), "!in: element 0" + expected);
    EXPECT_EQ(truths(reader_of("[true,]")), "1!in: element 1" + expected);
    EXPECT_EQ(truths(reader_of("[[true]]")), "!in: element 0" + expected);
    EXPECT_EQ(truths(reader_of("[,true]")), "!in: element 0" + expected);
}

TEST(TruthReader, RefusesWhatIsNotOneWholeArray) {
    EXPECT_EQ(truths(reader_of("")), "!in: expected a JSON array");
    EXPECT_EQ(truths(reader_of("{}")), "!in: expected a JSON array");
    EXPECT_EQ(truths(reader_of("[true")), "1!in: element 0: expected ',' or ']' after it");
    EXPECT_EQ(truths(reader_of("[true false]")), "1!in: element 0: expected ',' or ']' after it");
    EXPECT_EQ(truths(reader_of("[1,01]")), "10!in: element 1: expected ',' or ']' after it");
    EXPECT_EQ(truths(reader_of("[true]]")), "1!in: text after the JSON array");
    EXPECT_EQ(truths(reader_of(std::string_view("[true]\0", 7))),
              "1!in: text after the JSON array");
}

TEST(TruthReader, ReportsACutGzipFileAsSuch) {
    Bytes packed = gzip(bytes_of("[true,false]"));
    packed = first_bytes(packed, packed.size() - 1);
    EXPECT_TRUE(
        truths(reader_of(packed))
            .ends_with("!in: gzip data is cut short at byte " + std::to_string(packed.size())));
}

TEST(BoxPairReader, ReadsPairsOfNaturalNumbers) {
    EXPECT_EQ(pairs("[[1,2],[3,4]]"), "1-2 3-4 ");
    EXPECT_EQ(pairs(" [ [ 0 , 18446744073709551615 ] ] "), "0-18446744073709551615 ");
    EXPECT_EQ(pairs("[]"), "");
}

TEST(BoxPairReader, NamesTheElementThatIsNotAPair) {
    const std::string expected = ": expected a pair of box numbers [i, j]";
    for (const char* bad : {"[1]", "[1,2,3]", "[]", "1", "[-1,2]", "[1,2.5]", "[01,2]", "[1;2]",
                            "[1,18446744073709551616]", "[1,99999999999999999999999]", "[1,\"2\"]",
                            "[1,2", "[1", "["}) {
        EXPECT_EQ(pairs("[[5,6]," + std::string(bad)), "5-6 !in: element 1" + expected) << bad;
    }
    EXPECT_EQ(pairs("[[5,6]7"), "5-6 !in: element 0: expected ',' or ']' after it");
    EXPECT_EQ(pairs("[[5,6]] 7"), "5-6 !in: text after the JSON array");
}

}  // namespace
}  // namespace graze::io
