// Defends G-FILES-2 (docs/GUARANTEES.md).
#include "graze/io/query_file.hpp"

#include <gtest/gtest.h>

#include "io/files.hpp"
#include "io/query_streams.hpp"

namespace graze::io {
namespace {

using namespace test;

const std::string kQuery = "0,1,0,1,0,1\n1,1,1,1,1,1\n0,1,0,1,0,1\n2,1,2,1,2,1\n";

QuerySource source_of(const std::filesystem::path& queries,
                      std::optional<std::filesystem::path> truth = {}) {
    return {.kind = QueryKind::VertexVertex,
            .queries = queries,
            .truth = std::move(truth),
            .frames = {},
            .boxes = {}};
}

class TruthBesideQueries : public ::testing::Test {
protected:
    // Reads two queries with a truth file that holds `json`.
    Expected<std::vector<QueryRecord>> with_truth(std::string_view json) {
        write_file(queries, kQuery + kQuery);
        write_file(truth, json);
        return read_all(source_of(queries, truth));
    }
    std::string error_with(std::string_view json) {
        const auto records = with_truth(json);
        return records ? "no error" : records.error().message;
    }

    TempFolder folder;
    std::filesystem::path queries = folder / "q.csv";
    std::filesystem::path truth = folder / "t.json";
};

TEST_F(TruthBesideQueries, IsReadInStep) {
    const auto records = with_truth("[false, true]");
    ASSERT_TRUE(records.has_value()) << records.error().message;
    ASSERT_EQ(records->size(), 2u);
    EXPECT_EQ((*records)[0].truth, false);
    EXPECT_EQ((*records)[1].truth, true);
}

TEST_F(TruthBesideQueries, MayNotEndBeforeOrAfterTheQueries) {
    const std::string name = truth.string();
    EXPECT_EQ(error_with("[true]"), name + ": element 1: missing, there are more queries");
    EXPECT_EQ(error_with("[]"), name + ": element 0: missing, there are more queries");
    EXPECT_EQ(error_with("[true, true, false]"), name + ": element 2: there is no such query");
    EXPECT_EQ(error_with("[true, true] x"), name + ": text after the JSON array");
    EXPECT_EQ(error_with("[true, 7]"), name + ": element 1: expected true, false, 1 or 0");
}

TEST_F(TruthBesideQueries, WinsOverTheTruthColumn) {
    write_file(queries, "0,1,0,1,0,1,1\n1,1,1,1,1,1,1\n0,1,0,1,0,1,1\n2,1,2,1,2,1,1\n");
    for (const bool said : {true, false}) {
        write_file(truth, said ? "[true]" : "[false]");
        const auto records = read_all(source_of(queries, truth));
        ASSERT_TRUE(records.has_value()) << records.error().message;
        EXPECT_EQ(records->front().truth, said);
    }
}

TEST_F(TruthBesideQueries, DropsTheTimesThatItContradictsAndKeepsTheOthers) {
    const TimeBracket touching{0.25, 0.25};
    const TimeBracket apart{std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::infinity()};
    const auto writer = create_query_file(queries, QueryKind::VertexVertex, QueryFormat::Binary);
    ASSERT_TRUE(writer.has_value());
    for (const TimeBracket& time : {touching, touching, apart, apart}) {
        QueryRecord record;
        record.first_time = time;
        ASSERT_TRUE((*writer)->add(record).has_value());
    }
    ASSERT_TRUE((*writer)->finish().has_value());
    write_file(truth, "[true, false, true, false]");
    const auto records = read_all(source_of(queries, truth));
    ASSERT_TRUE(records.has_value()) << records.error().message;
    EXPECT_EQ((*records)[0].first_time, touching);
    EXPECT_EQ((*records)[1].first_time, std::nullopt);
    EXPECT_EQ((*records)[2].first_time, std::nullopt);
    EXPECT_EQ((*records)[3].first_time, apart);
    EXPECT_EQ((*records)[1].truth, false);
    EXPECT_EQ((*records)[2].truth, true);
}

TEST_F(TruthBesideQueries, MayNotContradictTheTruthColumnWhereBothMustAgree) {
    write_file(queries, "0,1,0,1,0,1,1\n1,1,1,1,1,1,1\n0,1,0,1,0,1,1\n2,1,2,1,2,1,1\n");
    QuerySource source = source_of(queries, truth);
    source.truth_conflict = TruthConflict::IsError;
    write_file(truth, "[true]");
    EXPECT_TRUE(read_all(source).has_value());
    write_file(truth, "[false]");
    EXPECT_EQ(read_all(source).error().message,
              truth.string() + ": element 0: contradicts the truth in the query file");
}

TEST_F(TruthBesideQueries, IsReportedWhenItCannotBeOpened) {
    write_file(queries, kQuery);
    EXPECT_EQ(read_all(source_of(queries, folder / "none.json")).error().message,
              (folder / "none.json").string() + ": cannot be opened: No such file or directory");
}

TEST(OpenQueries, TellsTheFormatByContentNotByName) {
    const TempFolder folder;
    const auto writer =
        create_query_file(folder / "binary", QueryKind::VertexVertex, QueryFormat::Binary);
    ASSERT_TRUE(writer && (*writer)->add({}) && (*writer)->finish());
    write_file(folder / "looks.csv", gzip(read_file(folder / "binary")));
    write_file(folder / "looks.gzq", gzip(bytes_of(kQuery)));
    for (const char* name : {"binary", "looks.csv", "looks.gzq"}) {
        const auto records = read_all(source_of(folder / name));
        ASSERT_TRUE(records.has_value()) << records.error().message;
        EXPECT_EQ(records->size(), 1u);
    }
}

TEST(OpenQueries, RefusesABinaryFileOfAnotherKindWhenOpened) {
    const TempFolder folder;
    const auto writer =
        create_query_file(folder / "a.gzq", QueryKind::EdgeEdge, QueryFormat::Binary);
    ASSERT_TRUE(writer && (*writer)->add({}) && (*writer)->finish());
    const auto opened = open_queries(source_of(folder / "a.gzq"));
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().message,
              (folder / "a.gzq").string() + ": holds edge-edge queries, expected vertex-vertex");
}

TEST(OpenQueries, NeedsAQueryFileOrFramesAndBoxes) {
    EXPECT_EQ(open_queries(QuerySource{}).error().message,
              "a query source needs a query file, or two frames and a list of boxes");
}

// Rows count from 1, records and list elements from 0: as in the messages.
TEST_F(TruthBesideQueries, ErrorsHaveACodeAndTheRowOrElementAtFault) {
    using Code = std::pair<ErrorCode, std::optional<std::size_t>>;
    const auto code_of = [](const QuerySource& source) {
        const auto records = read_all(source);
        EXPECT_FALSE(records);
        return records ? Code() : Code(records.error().code, records.error().index);
    };
    write_file(queries, "1,1,0,1,0,1\n0,1,x,1,0,1\n");
    EXPECT_EQ(code_of(source_of(queries)), Code(ErrorCode::Malformed, 2));
    EXPECT_EQ(code_of(source_of(folder / "none.csv")), Code(ErrorCode::CannotRead, std::nullopt));
    write_file(queries, kQuery);
    const auto with = [&](std::string_view text) {
        return source_of(queries, write_file(truth, text));
    };
    EXPECT_EQ(code_of(with("[]")), Code(ErrorCode::WrongSize, 0));
    EXPECT_EQ(code_of(with("[1, 0]")), Code(ErrorCode::WrongSize, 1));
    EXPECT_EQ(code_of(with("[2]")), Code(ErrorCode::Malformed, 0));
    EXPECT_EQ(open_queries(QuerySource{}).error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace graze::io
