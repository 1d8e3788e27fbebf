#include <gtest/gtest.h>

#include "graze/io/manifest.hpp"
#include "io/files.hpp"

namespace graze::io {
namespace {

using namespace test;

std::string sha256_of(std::string_view text, std::size_t piece = 1U << 20) {
    Sha256 sha;
    const Bytes bytes = bytes_of(text);
    for (std::size_t i = 0; i < bytes.size(); i += piece)
        sha.add(bytes.data() + i, std::min(piece, bytes.size() - i));
    return sha.finish();
}

// FIPS 180-4 and its examples.
TEST(Sha256, GivesThePublishedDigests) {
    EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePiecesThatItIsGiven) {
    const std::string text(1000, 'q');
    for (const std::size_t length : {0U, 1U, 55U, 56U, 63U, 64U, 65U, 119U, 120U, 128U, 1000U}) {
        const std::string part = text.substr(0, length);
        for (const std::size_t piece : {1U, 7U, 64U, 65U})
            EXPECT_EQ(sha256_of(part, piece), sha256_of(part)) << length << " by " << piece;
    }
}

TEST(FileStamp, TellsAFileFromOneWithAnotherByte) {
    const TempFolder folder;
    Bytes bytes(100'000, 'x');
    const auto path = write_file(folder / "a", bytes);
    const auto before = stamp_of_file(path);
    ASSERT_TRUE(before.has_value());
    EXPECT_EQ(before->bytes, bytes.size());
    bytes[70'000] = 'y';
    write_file(path, bytes);
    const auto after = stamp_of_file(path);
    ASSERT_TRUE(after.has_value());
    EXPECT_NE(*before, *after);
}

TEST(FileStamp, IsAnErrorThatNamesTheFileWhereThereIsNone) {
    const TempFolder folder;
    const auto stamp = stamp_of_file(folder / "missing");
    ASSERT_FALSE(stamp.has_value());
    EXPECT_NE(stamp.error().message.find("missing"), std::string::npos);
    EXPECT_FALSE(stamp_of_file(folder.path()).has_value()) << "a folder is no file";
}

}  // namespace
}  // namespace graze::io
