// Defends G-FILES-2 (docs/GUARANTEES.md).
#include "io/csv_stream.hpp"

#include <gtest/gtest.h>

#include "io/files.hpp"
#include "io/rational.hpp"

namespace graze::io {
namespace {

using namespace test;

Expected<std::vector<QueryRecord>> read(ByteReader reader,
                                        QueryKind kind = QueryKind::VertexVertex) {
    return drain(*csv_stream(std::move(reader), kind));
}
std::string error_of(std::string_view text, QueryKind kind = QueryKind::VertexVertex) {
    const auto records = read(reader_of(text), kind);
    return records ? "no error" : records.error().message;
}

// Four rows: one vertex-vertex query, b moving from 1/2 to 2.
const std::string kRows =
    "0,1,0,1,0,1\n"
    "1,2,1,2,1,2\n"
    "0,1,0,1,0,1\n"
    "2,1,2,1,2,1\n";

std::string with_truth(const std::string& rows, const std::string& truth) {
    std::string result;
    for (const char c : rows)
        result += c == '\n' ? "," + truth + "\n" : std::string(1, c);
    return result;
}

TEST(CsvStream, ReadsCornersAtTheStartThenAtTheEnd) {
    const auto records = read(reader_of(kRows));
    ASSERT_TRUE(records.has_value()) << records.error().message;
    ASSERT_EQ(records->size(), 1u);
    QueryRecord expected;
    expected.corners[1] = {{0.5, 0.5, 0.5}, {2.0, 2.0, 2.0}};
    EXPECT_EQ(records->front(), expected);
}

TEST(CsvStream, TakesTwiceAsManyRowsAsTheKindHasCorners) {
    for (const QueryKind kind : kAllQueryKinds) {
        std::string rows;
        for (std::size_t i = 0; i < 2 * vertex_count(kind); ++i) {
            rows += std::to_string(i) + ",1,0,1,0,1\n";
        }
        const auto records = read(reader_of(rows + rows), kind);
        ASSERT_TRUE(records.has_value()) << records.error().message;
        ASSERT_EQ(records->size(), 2u);
        for (std::size_t i = 0; i < vertex_count(kind); ++i) {
            EXPECT_EQ((*records)[1].corners[i].start.x, static_cast<double>(i));
            EXPECT_EQ((*records)[1].corners[i].end.x, static_cast<double>(i + vertex_count(kind)));
        }
    }
}

TEST(CsvStream, ReadsTheTruthColumn) {
    const auto records =
        read(reader_of(with_truth(kRows, "1") + with_truth(kRows, "0") + with_truth(kRows, "1")));
    ASSERT_TRUE(records.has_value()) << records.error().message;
    ASSERT_EQ(records->size(), 3u);
    EXPECT_EQ((*records)[0].truth, true);
    EXPECT_EQ((*records)[1].truth, false);
    EXPECT_EQ((*records)[2].truth, true);
    EXPECT_EQ(read(reader_of(kRows))->front().truth, std::nullopt);
}

TEST(CsvStream, AcceptsCrlfMissingLastNewlineAndBlankLinesAtTheEnd) {
    const auto expected = read(reader_of(kRows));
    std::string crlf;
    for (const char c : kRows)
        crlf += c == '\n' ? "\r\n" : std::string(1, c);
    const std::string unfinished = kRows.substr(0, kRows.size() - 1);
    for (const std::string& text :
         {crlf, unfinished, unfinished + "\r", kRows + "\n\r\n\n", crlf + "\r\n"}) {
        const auto records = read(reader_of(text));
        ASSERT_TRUE(records.has_value()) << records.error().message;
        EXPECT_EQ(*records, *expected);
    }
}

TEST(CsvStream, ReadsTheSameFromGzip) {
    std::string many;
    for (int i = 0; i < 5000; ++i)
        many += kRows;
    const auto records = read(reader_of(gzip(bytes_of(many)), 777));
    ASSERT_TRUE(records.has_value()) << records.error().message;
    EXPECT_EQ(records->size(), 5000u);
}

TEST(CsvStream, ReportsACutGzipFileAfterTheQueriesThatPrecedeTheCut) {
    std::string many;
    for (int i = 0; i < 50000; ++i)
        many += with_truth(kRows, i % 3 == 0 ? "1" : "0");
    Bytes packed = gzip(bytes_of(many));
    packed = first_bytes(packed, packed.size() - 5);
    const std::string place = "in: gzip data is cut short at byte " + std::to_string(packed.size());
    const auto stream = csv_stream(reader_of(packed), QueryKind::VertexVertex);
    EXPECT_TRUE(stream->next().has_value());
    const auto records = drain(*stream);
    ASSERT_FALSE(records.has_value());
    EXPECT_TRUE(records.error().message.ends_with(place)) << records.error().message;
}

TEST(CsvStream, NamesRowAndColumnOfABadField) {
    EXPECT_EQ(error_of("0,1,0,1,0,1\n0,1,,1,0,1\n"), "in: row 2, column 3: field is empty");
    EXPECT_EQ(error_of("0,1,0,1,0,x\n"), "in: row 1, column 6: not an integer");
    EXPECT_EQ(error_of("+1,1,0,1,0,1\n"), "in: row 1, column 1: not an integer");
    EXPECT_EQ(error_of("0,1, 0,1,0,1\n"), "in: row 1, column 3: not an integer");
    EXPECT_EQ(error_of(std::string_view("0,1,0\0,1,0,1\n", 13)),
              "in: row 1, column 3: not an integer");
    EXPECT_EQ(error_of("0,1,5,0,0,1\n"), "in: row 1, column 4: denominator is zero");
    EXPECT_EQ(error_of("0,1,0,1,1,3\n"), "in: row 1, column 5: fraction is not exactly a double");
    EXPECT_EQ(error_of("0," + std::string(kMaxDigits + 1, '1') + ",0,1,0,1\n"),
              "in: row 1, column 2: integer has more than 4096 digits");
}

TEST(CsvStream, RefusesRaggedRowsAndStrayBlankLines) {
    EXPECT_EQ(error_of("0,1,0,1,0\n"), "in: row 1: 5 columns, expected 6 or 7");
    EXPECT_EQ(error_of("0,1,0,1,0,1,0,1\n"), "in: row 1: 8 columns, expected 6 or 7");
    EXPECT_EQ(error_of("0,1,0,1,0,1\n0,1,0,1,0,1,1\n"),
              "in: row 2: 7 columns where the first row has 6");
    EXPECT_EQ(error_of("0,1,0,1,0,1,1\n0,1,0,1,0,1\n"),
              "in: row 2: 6 columns where the first row has 7");
    EXPECT_EQ(error_of("0,1,0,1,0,1\n\n0,1,0,1,0,1\n"), "in: row 2: blank line between rows");
    EXPECT_EQ(error_of("\n" + kRows), "in: row 1: blank line between rows");
    EXPECT_EQ(error_of("x,y,z\n"), "in: row 1: 3 columns, expected 6 or 7");
}

TEST(CsvStream, RefusesTruthsThatAreNotZeroOrOneOrChangeWithinAQuery) {
    EXPECT_EQ(error_of(with_truth(kRows, "2")), "in: row 1, column 7: truth is neither 0 nor 1");
    EXPECT_EQ(error_of(with_truth(kRows, "")), "in: row 1, column 7: truth is neither 0 nor 1");
    EXPECT_EQ(error_of("0,1,0,1,0,1,1\n0,1,0,1,0,1,0\n"),
              "in: row 2, column 7: truth differs from the query's first row");
}

TEST(CsvStream, RefusesFilesThatEndWithinAQueryOrHoldNone) {
    const std::string cut = kRows.substr(0, kRows.rfind("2,1,2,1,2,1"));
    EXPECT_EQ(error_of(cut), "in: row 3: file ends within query 0 (4 rows make one)");
    EXPECT_EQ(error_of(kRows + cut + "\n\n"),
              "in: row 7: file ends within query 1 (4 rows make one)");
    EXPECT_EQ(error_of(kRows, QueryKind::EdgeEdge),
              "in: row 4: file ends within query 0 (8 rows make one)");
    EXPECT_EQ(error_of(""), "in: holds no query");
    EXPECT_EQ(error_of("\n\r\n"), "in: holds no query");
}

// docs/FORMATS.md, "Files that are cut short": what is noticed in a plain CSV and what cannot be.
// A cut is unnoticed if what is left is a whole file of fewer queries, or other numbers.
std::vector<std::size_t> unnoticed_cuts(const std::string& text) {
    const auto whole = read(reader_of(text));
    std::vector<std::size_t> cuts;
    for (std::size_t size = 0; size < text.size(); ++size) {
        const auto left = read(reader_of(text.substr(0, size)));
        if (left && *left != *whole) cuts.push_back(size);
    }
    return cuts;
}

TEST(CsvStream, NoticesEveryCutWithinAQueryWhereThereIsATruthColumn) {
    const std::string query =
        with_truth("0,1,0,1,0,1\n1,2,1,2,1,2\n0,1,0,1,0,1\n1,1,1,1,3,16\n", "1");
    const std::vector<std::size_t> between = {query.size() - 1, query.size()};
    EXPECT_EQ(unnoticed_cuts(query + query), between);
}

TEST(CsvStream, NoticesEveryCutWithinAQueryWithoutTruthsSaveInItsLastNumber) {
    const std::string query = "0,1,0,1,0,1\n1,2,1,2,1,2\n0,1,0,1,0,1\n1,1,1,1,3,16\n";
    const std::size_t size = query.size();
    // 3/1 for 3/16 at the end of either query, and the two places between the queries.
    const std::vector<std::size_t> expected = {size - 2, size - 1, size, 2 * size - 2};
    EXPECT_EQ(unnoticed_cuts(query + query), expected);
    // 5/32 cut to 5/3 is no double.
    const std::string other = "0,1,0,1,0,1\n1,2,1,2,1,2\n0,1,0,1,0,1\n1,1,1,1,5,32\n";
    EXPECT_EQ(unnoticed_cuts(other), std::vector<std::size_t>());
    EXPECT_EQ(error_of(other.substr(0, size - 2)),
              "in: row 4, column 5: fraction is not exactly a double");
}

TEST(CsvStream, RefusesAnOverlongLineWithoutReadingItAll) {
    EXPECT_EQ(error_of(kRows + std::string(1 << 20, '1')),
              "in: row 5: line is longer than 24589 characters");
}

TEST(CsvStream, TakesRowsOfTheLongestIntegers) {
    const std::string one = "-" + std::string(kMaxDigits, '7');
    const std::string row =
        one + "," + one + "," + one + "," + one + "," + one + "," + one + ",1\n";
    const auto records = read(reader_of(row + row + row + row));
    ASSERT_TRUE(records.has_value()) << records.error().message;
    EXPECT_EQ(records->front().corners[1].end, (Vec3{1.0, 1.0, 1.0}));
}

TEST(CsvStream, GivesTheSameErrorAndTheSameEndAgain) {
    const auto broken = csv_stream(reader_of(kRows + "x"), QueryKind::VertexVertex);
    EXPECT_TRUE(broken->next().has_value());
    const std::string message = broken->next().error().message;
    EXPECT_EQ(message, "in: row 5: 1 columns where the first row has 6");
    EXPECT_EQ(broken->next().error().message, message);
    const auto whole = csv_stream(reader_of(kRows), QueryKind::VertexVertex);
    EXPECT_TRUE(whole->next()->has_value());
    EXPECT_FALSE(whole->next()->has_value());
    EXPECT_FALSE(whole->next()->has_value());
}

}  // namespace
}  // namespace graze::io
