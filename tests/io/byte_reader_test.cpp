// Defends G-FILES-2 (docs/GUARANTEES.md).
#include "graze/io/byte_reader.hpp"

#include <gtest/gtest.h>

#include "io/files.hpp"

namespace graze::io {
namespace {

using namespace test;

// All that a reader gives; its failure, if any, ends the text with "!message".
std::string contents(ByteReader reader) {
    std::string text;
    for (int c = reader.get(); c != ByteReader::kEnd; c = reader.get()) {
        text.push_back(static_cast<char>(c));
    }
    if (reader.failure()) text += "!" + reader.failure()->message;
    return text;
}

std::string long_text(std::size_t size) {
    std::mt19937_64 rng(20250310);
    std::string text;
    while (text.size() < size)
        text += "line " + std::to_string(rng() % 1000000) + "\n";
    return text;
}

TEST(ByteReader, UnpacksGzipAtEveryPieceSize) {
    const std::string text = long_text(3000);
    const Bytes packed = gzip(bytes_of(text));
    for (std::size_t piece = 1; piece < 40; ++piece) {
        EXPECT_EQ(contents(reader_of(packed, piece)), text);
        EXPECT_EQ(contents(reader_of(bytes_of(text), piece)), text);
    }
}

TEST(ByteReader, ReadsGzipMembersOneAfterTheOther) {
    Bytes packed = gzip(bytes_of("first,"));
    const Bytes second = gzip(bytes_of("second"));
    packed.insert(packed.end(), second.begin(), second.end());
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, packed.size()}) {
        EXPECT_EQ(contents(reader_of(packed, piece)), "first,second");
    }
}

TEST(ByteReader, NeverTakesACutGzipFileForAShortOne) {
    const Bytes packed = gzip(bytes_of(long_text(500)));
    for (std::size_t size = 2; size < packed.size(); ++size) {
        const Bytes cut = first_bytes(packed, size);
        const std::string text = contents(reader_of(cut));
        const std::string message = "!in: gzip data is cut short at byte " + std::to_string(size);
        EXPECT_TRUE(text.ends_with(message)) << size << ": " << text;
    }
}

// The few bits that pad the packed data to whole bytes mean nothing; all others must be noticed.
TEST(ByteReader, NeverGivesAnotherTextForAFlippedBitInAGzipFile) {
    const std::string text = long_text(300);
    const Bytes packed = gzip(bytes_of(text));
    constexpr std::size_t kGzipHeader = 10;
    int unnoticed = 0;
    for (std::size_t bit = 8 * kGzipHeader; bit < 8 * packed.size(); ++bit) {
        Bytes damaged = packed;
        damaged[bit / 8] = static_cast<unsigned char>(damaged[bit / 8] ^ (1u << (bit % 8)));
        const std::string read = contents(reader_of(damaged));
        const bool is_reported = read.find("!in: gzip data is ") != std::string::npos;
        EXPECT_TRUE(is_reported || read == text) << "bit " << bit;
        unnoticed += is_reported ? 0 : 1;
    }
    EXPECT_LT(unnoticed, 8);
}

TEST(ByteReader, RefusesWhatFollowsAGzipMemberUnlessItIsAnother) {
    Bytes packed = gzip(bytes_of("text"));
    packed.push_back('x');
    packed.push_back('y');
    EXPECT_EQ(contents(reader_of(packed)).substr(0, 31), "text!in: gzip data is damaged b");
}

TEST(ByteReader, SplitsLinesAtLfAndCrlfAndTakesALastLineWithoutEither) {
    for (std::size_t piece = 1; piece < 8; ++piece) {
        ByteReader reader = reader_of(bytes_of("one\r\n\ntwo\nthree\r\nlast"), piece);
        for (const char* expected : {"one", "", "two", "three", "last"}) {
            const auto line = reader.line(10);
            ASSERT_TRUE(line && *line);
            EXPECT_EQ(**line, expected);
        }
        const auto end = reader.line(10);
        ASSERT_TRUE(end.has_value());
        EXPECT_FALSE(end->has_value());
    }
}

TEST(ByteReader, RefusesALineThatIsTooLongAndTakesOneThatJustFits) {
    for (const std::string end : {"", "\n", "\r\n"}) {
        EXPECT_TRUE(reader_of("12345" + end).line(5).has_value());
        const auto long_line = reader_of("123456" + end).line(5);
        ASSERT_FALSE(long_line.has_value());
        EXPECT_EQ(long_line.error().message, "line is longer than 5 characters");
    }
    const std::string endless(5 * ByteReader::kBufferSize, 'x');
    EXPECT_FALSE(reader_of(endless).line(ByteReader::kBufferSize - 2).has_value());
}

TEST(ByteReader, ReadsBlocksAcrossItsBuffer) {
    const std::string text = long_text(3 * ByteReader::kBufferSize);
    ByteReader reader = reader_of(bytes_of(text), 1000);
    Bytes block(text.size() - 5);
    EXPECT_EQ(reader.skip(5), 5u);
    EXPECT_EQ(reader.read(block), block.size());
    EXPECT_EQ(std::string(block.begin(), block.end()), text.substr(5));
    EXPECT_EQ(reader.read(block), 0u);
    EXPECT_EQ(reader.skip(1), 0u);
}

TEST(ByteReader, NamesAFileThatCannotBeOpenedOrRead) {
    const TempFolder folder;
    const auto missing = ByteReader::open(folder / "missing.csv");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().message,
              (folder / "missing.csv").string() + ": cannot be opened: No such file or directory");
    auto is_folder = ByteReader::open(folder.path());
    ASSERT_TRUE(is_folder.has_value());
    EXPECT_EQ(contents(std::move(*is_folder)),
              "!" + folder.path().string() + ": cannot be read: Is a directory");
}

}  // namespace
}  // namespace graze::io
