#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "graze/io/query_file.hpp"
#include "io/files.hpp"

namespace graze::io {
namespace {

using namespace test;

struct Case {
    QueryFormat format;
    const char* name;
};
constexpr Case kCases[] = {{QueryFormat::Csv, "out.csv"},
                           {QueryFormat::Csv, "out.csv.gz"},
                           {QueryFormat::Binary, "out.gzq"},
                           {QueryFormat::Binary, "out.gzq.gz"}};

std::unique_ptr<QueryWriter> writer_for(const std::filesystem::path& path, QueryKind kind,
                                        QueryFormat format) {
    auto writer = create_query_file(path, kind, format);
    if (!writer) {
        ADD_FAILURE() << writer.error().message;
        std::abort();
    }
    return std::move(*writer);
}

TEST(QueryWriter, WritesWhatTheReadersReadBack) {
    std::mt19937_64 rng(20250340);
    const TempFolder folder;
    for (const Case& c : kCases) {
        for (const QueryKind kind : kAllQueryKinds) {
            for (const bool has_truth : {false, true}) {
                std::vector<QueryRecord> records;
                const auto path = folder / c.name;
                const auto writer = writer_for(path, kind, c.format);
                for (int i = 0; i < 300; ++i) {
                    records.push_back(any_corners(kind, rng));
                    if (has_truth) records.back().truth = rng() % 2 == 0;
                    ASSERT_TRUE(writer->add(records.back()).has_value());
                }
                ASSERT_TRUE(writer->finish().has_value());
                const auto read = read_all(
                    {.kind = kind, .queries = path, .truth = {}, .frames = {}, .boxes = {}});
                ASSERT_TRUE(read.has_value()) << read.error().message;
                EXPECT_EQ(*read, records);
            }
        }
    }
    EXPECT_EQ(folder.entries(), std::size(kCases)) << "a part file was left behind";
}

TEST(QueryWriter, KeepsTruthAndTimesPerRecordInTheBinaryForm) {
    std::mt19937_64 rng(20250341);
    const TempFolder folder;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::vector<QueryRecord> records(5, any_corners(QueryKind::VertexEdge, rng));
    records[1].truth = true;
    records[2].truth = false;
    records[2].first_time = TimeBracket{kInfinity, kInfinity};
    records[3].truth = true;
    records[3].first_time = TimeBracket{0.5, std::nextafter(0.5, 1.0)};
    records[4].first_time = TimeBracket{1.0, 1.0};
    const auto writer = writer_for(folder / "a.gzq", QueryKind::VertexEdge, QueryFormat::Binary);
    for (const QueryRecord& record : records)
        ASSERT_TRUE(writer->add(record).has_value());
    ASSERT_TRUE(writer->finish().has_value());
    const auto read = read_all({.kind = QueryKind::VertexEdge,
                                .queries = folder / "a.gzq",
                                .truth = {},
                                .frames = {},
                                .boxes = {}});
    ASSERT_TRUE(read.has_value()) << read.error().message;
    records[4].truth = true;  // follows from the times
    EXPECT_EQ(*read, records);
}

TEST(QueryWriter, WritesTheTruthThatFollowsFromTheTimes) {
    const TempFolder folder;
    QueryRecord apart;
    apart.first_time = TimeBracket{std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::infinity()};
    for (const Case& c : kCases) {
        const auto writer = writer_for(folder / c.name, QueryKind::VertexVertex, c.format);
        ASSERT_TRUE(writer->add(apart).has_value());
        ASSERT_TRUE(writer->finish().has_value());
        const auto read = read_all({.kind = QueryKind::VertexVertex,
                                    .queries = folder / c.name,
                                    .truth = {},
                                    .frames = {},
                                    .boxes = {}});
        ASSERT_TRUE(read.has_value()) << read.error().message;
        EXPECT_EQ(read->front().truth, false) << c.name;
    }
}

TEST(QueryWriter, RefusesTimesThatAreNoBracketOrContradictTheTruth) {
    const TempFolder folder;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::string no_bracket =
        "times are neither equal or neighbouring doubles in [0, 1] nor both infinite";
    const auto refusal = [&](const Case& c, TimeBracket time, std::optional<bool> truth) {
        QueryRecord record;
        record.first_time = time;
        record.truth = truth;
        const auto added =
            writer_for(folder / c.name, QueryKind::VertexVertex, c.format)->add(record);
        return added ? "no error" : added.error().message;
    };
    for (const Case& c : kCases) {
        const std::string start = (folder / c.name).string() + ": query 0: ";
        EXPECT_EQ(refusal(c, {0.25, 0.75}, true), start + no_bracket);
        EXPECT_EQ(refusal(c, {0.25, 0.75}, std::nullopt), start + no_bracket);
        EXPECT_EQ(refusal(c, {std::nan(""), std::nan("")}, false), start + no_bracket);
        EXPECT_EQ(refusal(c, {0.25, 0.25}, false), start + "times contradict the truth");
        EXPECT_EQ(refusal(c, {kInfinity, kInfinity}, true), start + "times contradict the truth");
    }
}

TEST(QueryWriter, WritesReducedFractionsAndTheTruth) {
    const TempFolder folder;
    QueryRecord record;
    record.corners[1] = {{-0.0, 0.75, -3.0}, {0x1p-64, 0x1p+64, 0.1}};
    record.truth = true;
    const auto writer = writer_for(folder / "a.csv", QueryKind::VertexVertex, QueryFormat::Csv);
    ASSERT_TRUE(writer->add(record).has_value());
    ASSERT_TRUE(writer->finish().has_value());
    const Bytes bytes = read_file(folder / "a.csv");
    EXPECT_EQ(std::string(bytes.begin(), bytes.end()),
              "0,1,0,1,0,1,1\n"
              "0,1,3,4,-3,1,1\n"
              "0,1,0,1,0,1,1\n"
              "1,18446744073709551616,18446744073709551616,1,"
              "3602879701896397,36028797018963968,1\n");
}

TEST(QueryWriter, ShowsNothingUntilFinishedAndLeavesNothingWhenAbandoned) {
    const TempFolder folder;
    const auto path = write_file(folder / "out.csv", "what was there before");
    {
        const auto writer = writer_for(path, QueryKind::VertexVertex, QueryFormat::Csv);
        ASSERT_TRUE(writer->add({}).has_value());
        EXPECT_EQ(read_file(path), bytes_of("what was there before"));
        EXPECT_EQ(folder.entries(), 2u);
    }
    EXPECT_EQ(read_file(path), bytes_of("what was there before"));
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(QueryWriter, LetsTwoWritersOfOneNameLiveSideBySide) {
    const TempFolder folder;
    const auto first = writer_for(folder / "a.csv", QueryKind::VertexVertex, QueryFormat::Csv);
    const auto second = writer_for(folder / "a.csv", QueryKind::VertexVertex, QueryFormat::Csv);
    QueryRecord record;
    ASSERT_TRUE(first->add(record).has_value());
    record.truth = true;
    ASSERT_TRUE(second->add(record).has_value());
    ASSERT_TRUE(second->finish().has_value());
    ASSERT_TRUE(first->finish().has_value());
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(QueryWriter, RefusesRecordsThatItsFormatCannotHold) {
    const TempFolder folder;
    for (const Case& c : kCases) {
        const std::string start = (folder / c.name).string() + ": query 1: ";
        QueryRecord bad;
        bad.corners[0].end.y = std::nan("");
        const auto writer = writer_for(folder / c.name, QueryKind::VertexVertex, c.format);
        ASSERT_TRUE(writer->add({}).has_value());
        const auto added = writer->add(bad);
        ASSERT_FALSE(added.has_value());
        EXPECT_EQ(added.error().message, start + "corner 0 has a coordinate that is not finite");
        EXPECT_EQ(writer->add({}).error().message, added.error().message);
        EXPECT_EQ(writer->finish().error().message, added.error().message);
    }
    EXPECT_EQ(folder.entries(), 0u);
}

TEST(QueryWriter, WantsATruthOfAllCsvQueriesOrOfNone) {
    const TempFolder folder;
    QueryRecord with_truth;
    with_truth.truth = true;
    const auto path = folder / "a.csv";
    const auto all = writer_for(path, QueryKind::VertexVertex, QueryFormat::Csv);
    ASSERT_TRUE(all->add(with_truth).has_value());
    EXPECT_EQ(all->add({}).error().message,
              path.string() + ": query 1: has no truth, the first query has");
    const auto none = writer_for(path, QueryKind::VertexVertex, QueryFormat::Csv);
    ASSERT_TRUE(none->add({}).has_value());
    EXPECT_EQ(none->add(with_truth).error().message,
              path.string() + ": query 1: has a truth, the first query has none");
}

TEST(QueryWriter, WritesNoFileWithoutAQueryAndNoneTwice) {
    const TempFolder folder;
    for (const Case& c : kCases) {
        const std::string name = (folder / c.name).string();
        const auto empty = writer_for(name, QueryKind::VertexVertex, c.format);
        EXPECT_EQ(empty->finish().error().message, name + ": there is no query to write");
        EXPECT_EQ(folder.entries(), 0u);
    }
    const auto writer = writer_for(folder / "a.csv", QueryKind::VertexVertex, QueryFormat::Csv);
    ASSERT_TRUE(writer->add({}).has_value());
    ASSERT_TRUE(writer->finish().has_value());
    EXPECT_EQ(writer->finish().error().message,
              (folder / "a.csv").string() + ": is finished already");
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(QueryWriter, RefusesPathsThatCannotBeAFile) {
    const TempFolder folder;
    const auto missing =
        create_query_file(folder / "no/a.csv", QueryKind::VertexFace, QueryFormat::Csv);
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().message,
              (folder / "no/a.csv").string() + ": cannot be written: No such file or directory");
    for (const std::filesystem::path& path : {folder.path(), std::filesystem::path("/dev/null")}) {
        const auto special = create_query_file(path, QueryKind::VertexFace, QueryFormat::Csv);
        ASSERT_FALSE(special.has_value());
        EXPECT_EQ(special.error().message,
                  path.string() + ": is not a regular file, and is not replaced");
    }
}

// A limit on the size of files stands in for a full disk: writes fail the same way.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limited{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limited);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    void (*handler_)(int);
    rlimit before_{};
};

TEST(QueryWriter, ReportsADiskThatIsFullAndLeavesNoFile) {
    std::mt19937_64 rng(20250342);
    const TempFolder folder;
    for (const Case& c : kCases) {
        for (const int records : {5, 2000}) {
            const FileSizeLimit limit(512);
            const auto writer = writer_for(folder / c.name, QueryKind::VertexFace, c.format);
            for (int i = 0; i < records; ++i) {
                if (!writer->add(any_corners(QueryKind::VertexFace, rng))) break;
            }
            const auto finished = writer->finish();
            ASSERT_FALSE(finished.has_value());
            EXPECT_EQ(finished.error().message,
                      (folder / c.name).string() + ": cannot be written: File too large");
            EXPECT_EQ(folder.entries(), 0u);
        }
    }
}

}  // namespace
}  // namespace graze::io
