#include "io/binary_stream.hpp"

#include <gtest/gtest.h>

#include "graze/io/binary_form.hpp"
#include "graze/io/crc64.hpp"
#include "graze/io/embedded.hpp"
#include "io/files.hpp"

namespace graze::io {
namespace {

using namespace test;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A file put together by hand, byte by byte after docs/FORMATS.md, with a checksum that fits.
Bytes sealed(Bytes body) {
    Crc64 crc;
    crc.add(body);
    binary_form::append(body, crc.value());
    return body;
}
Bytes header(std::uint32_t version = 1, std::uint32_t kind = 2) {
    Bytes bytes = {0x89, 'G', 'Z', 'Q', '\r', '\n', 0x1a, '\n'};
    binary_form::append(bytes, version);
    binary_form::append(bytes, kind);
    return bytes;
}
// A vertex-vertex record whose twelve coordinates are 1, 2, ... 12.
Bytes record(unsigned char tag, std::vector<double> times = {}) {
    Bytes bytes = {tag};
    for (int i = 1; i <= 12; ++i)
        binary_form::append(bytes, static_cast<double>(i));
    for (const double time : times)
        binary_form::append(bytes, time);
    return bytes;
}
Bytes footer(std::uint64_t count) {
    Bytes bytes = {0xff};
    binary_form::append(bytes, count);
    return bytes;
}
Bytes operator+(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Expected<std::vector<QueryRecord>> read(const Bytes& bytes) {
    auto stream = binary_stream(reader_of(bytes), QueryKind::VertexVertex);
    if (!stream) return stream.error();
    return drain(**stream);
}
std::string error_of(const Bytes& bytes) {
    const auto records = read(bytes);
    return records ? "no error" : records.error().message;
}

TEST(Crc64, GivesThePublishedCheckValue) {
    Crc64 crc;
    crc.add(bytes_of("123456789"));
    EXPECT_EQ(crc.value(), 0x995DC9BBDF1939FAu);
    EXPECT_EQ(Crc64().value(), 0u);
}

TEST(BinaryStream, ReadsRecordsTruthsAndTimes) {
    const Bytes file =
        sealed(header() + record(0) + record(1) + record(2) + record(6, {0.25, 0.25}) +
               record(5, {kInfinity, kInfinity}) + footer(5));
    for (const Bytes& bytes : {file, gzip(file)}) {
        const auto records = read(bytes);
        ASSERT_TRUE(records.has_value()) << records.error().message;
        ASSERT_EQ(records->size(), 5u);
        const QueryRecord& first = records->front();
        EXPECT_EQ(first.corners[0].start, (Vec3{1, 2, 3}));
        EXPECT_EQ(first.corners[1].start, (Vec3{4, 5, 6}));
        EXPECT_EQ(first.corners[0].end, (Vec3{7, 8, 9}));
        EXPECT_EQ(first.corners[1].end, (Vec3{10, 11, 12}));
        EXPECT_EQ(first.truth, std::nullopt);
        EXPECT_EQ((*records)[1].truth, false);
        EXPECT_EQ((*records)[2].truth, true);
        EXPECT_EQ((*records)[3].first_time, (TimeBracket{0.25, 0.25}));
        EXPECT_EQ((*records)[4].first_time, (TimeBracket{kInfinity, kInfinity}));
    }
}

TEST(BinaryStream, TakesTheTruthFromTheTimesWhereOnlyThoseAreStored) {
    const auto records = read(
        sealed(header() + record(4, {0.25, 0.25}) + record(4, {kInfinity, kInfinity}) + footer(2)));
    ASSERT_TRUE(records.has_value()) << records.error().message;
    EXPECT_EQ((*records)[0].truth, true);
    EXPECT_EQ((*records)[1].truth, false);
}

TEST(BinaryStream, ReportsEveryFlippedBit) {
    const Bytes whole =
        sealed(header() + record(1) + record(6, {0.25, std::nextafter(0.25, 1.0)}) + footer(2));
    ASSERT_EQ(error_of(whole), "no error");
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
        Bytes damaged = whole;
        damaged[bit / 8] = static_cast<unsigned char>(damaged[bit / 8] ^ (1u << (bit % 8)));
        EXPECT_NE(error_of(damaged), "no error") << "bit " << bit;
    }
}

TEST(BinaryStream, ReportsEveryTruncation) {
    const Bytes whole = sealed(header() + record(1) + record(2) + footer(2));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const Bytes cut = first_bytes(whole, size);
        EXPECT_NE(error_of(cut).find("cut short"), std::string::npos) << size;
    }
    EXPECT_EQ(error_of(header() + record(1) + Bytes{1, 0}), "in: record 1: file is cut short");
}

TEST(BinaryStream, RefusesHeadersItDoesNotKnow) {
    EXPECT_EQ(error_of(sealed(header(2) + record(0) + footer(1))),
              "in: version 2 of the binary form, expected 1");
    EXPECT_EQ(error_of(sealed(header(1, 0) + record(0) + footer(1))),
              "in: holds vertex-face queries, expected vertex-vertex");
    EXPECT_EQ(error_of(sealed(header(1, 4) + record(0) + footer(1))),
              "in: header states an unknown kind");
    EXPECT_EQ(error_of(sealed(header(1, 0x10002) + record(0) + footer(1))),
              "in: header has bits set that version 1 does not know");
    EXPECT_EQ(error_of(bytes_of("0,1,0,1,0,1 and more text\n")),
              "in: neither a CSV nor a query file in the binary form");
}

TEST(BinaryStream, RefusesRecordsThatContradictThemselves) {
    EXPECT_EQ(error_of(sealed(header() + record(0) + record(3) + footer(2))),
              "in: record 1: unknown tag 3");
    EXPECT_EQ(error_of(sealed(header() + record(8) + footer(1))), "in: record 0: unknown tag 8");
    EXPECT_EQ(error_of(sealed(header() + record(5, {0.5, 0.5}) + footer(1))),
              "in: record 0: times contradict the truth");
    EXPECT_EQ(error_of(sealed(header() + record(6, {kInfinity, kInfinity}) + footer(1))),
              "in: record 0: times contradict the truth");
}

// Next after, for the eye.
double up(double value) {
    return std::nextafter(value, kInfinity);
}
double down(double value) {
    return std::nextafter(value, -kInfinity);
}

TEST(BinaryStream, TakesEqualOrNeighbouringTimesOverAllOfTheStep) {
    std::mt19937_64 rng(20250343);
    const double tiny = std::numeric_limits<double>::denorm_min();
    std::vector<double> lowers = {0.0, tiny, std::numeric_limits<double>::min(), 0.5, down(1.0)};
    for (int i = 0; i < 1000; ++i)
        lowers.push_back(std::bit_cast<double>(rng() % std::bit_cast<std::uint64_t>(1.0)));
    Bytes body = header() + record(6, {1.0, 1.0});
    for (const double lower : lowers)
        body = body + record(6, {lower, lower}) + record(6, {lower, up(lower)});
    EXPECT_EQ(error_of(sealed(body + footer(1 + 2 * lowers.size()))), "no error");
}

TEST(BinaryStream, RefusesTimesThatAreNotEqualOrNeighboursInTheStep) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    const double nan = std::nan("");
    for (const std::vector<double>& times : {std::vector{0.25, 0.75},
                                             {0.5, up(up(0.5))},
                                             {down(down(1.0)), 1.0},
                                             {0.0, up(tiny)},
                                             {up(0.5), 0.5},
                                             {0.0, 1.0},
                                             {-0.5, -0.5},
                                             {-tiny, 0.0},
                                             {1.0, up(1.0)},
                                             {2.0, 2.0},
                                             {0.5, kInfinity},
                                             {std::numeric_limits<double>::max(), kInfinity},
                                             {-kInfinity, kInfinity},
                                             {-kInfinity, -kInfinity},
                                             {nan, 0.5},
                                             {0.5, nan},
                                             {nan, nan}}) {
        for (const unsigned char tag : Bytes{4, 5, 6}) {
            EXPECT_EQ(error_of(sealed(header() + record(tag, times) + footer(1))),
                      "in: record 0: times are neither equal or neighbouring doubles in [0, 1] nor "
                      "both infinite");
        }
    }
}

TEST(BinaryStream, RefusesCoordinatesThatAreNotFinite) {
    for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
        Bytes bytes = header() + record(0);
        bytes = first_bytes(bytes, bytes.size() - 8);
        binary_form::append(bytes, bad);
        EXPECT_EQ(error_of(sealed(bytes + footer(1))),
                  "in: record 0: corner 1 has a coordinate that is not finite");
    }
}

TEST(BinaryStream, ChecksCountChecksumAndEnd) {
    EXPECT_EQ(error_of(sealed(header() + record(0) + footer(2))), "in: holds 1 records, states 2");
    EXPECT_EQ(error_of(sealed(header() + footer(0))), "in: holds no query");
    Bytes wrong = sealed(header() + record(0) + footer(1));
    wrong.back() ^= 1;
    EXPECT_EQ(error_of(wrong), "in: checksum does not match");
    EXPECT_EQ(error_of(sealed(header() + record(0) + footer(1)) + Bytes{0}),
              "in: bytes after the checksum");
}

TEST(OpenEmbedded, ReadsFromMemoryAndNamesTheSetInErrors) {
    const Bytes file = sealed(header() + record(2) + footer(1));
    const auto stream = open_embedded({"near", QueryKind::VertexVertex, file});
    ASSERT_TRUE(stream.has_value()) << stream.error().message;
    EXPECT_EQ(drain(**stream)->size(), 1u);
    const auto other = open_embedded({"near", QueryKind::EdgeEdge, file});
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().message,
              "embedded near.ee: holds vertex-vertex queries, expected edge-edge");
}

}  // namespace
}  // namespace graze::io
