#include "graze/io/rigid_body.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "io/files.hpp"

namespace graze::io {
namespace {

constexpr const char* kTetrahedron =
    "v 1 1 1\nv -1 -1 1\nv -1 1 -1\nv 1 -1 -1\n"
    "f 1 3 2\nf 1 1 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::filesystem::path written(const test::TempFolder& folder, const std::string& text) {
    const std::filesystem::path path = folder.path() / "body.obj";
    std::ofstream(path) << text;
    return path;
}

TEST(RigidBodyFile, KeepsTheFilesFaceNumbersAndWarnsOfDroppedFaces) {
    const test::TempFolder folder;
    const auto read = read_body(written(folder, kTetrahedron));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->body.surface().face_count(), 4U);
    EXPECT_EQ(read->faces.in_file, (std::vector<std::uint32_t>{0, 2, 3, 4}));
    EXPECT_EQ(read->faces.dropped, 1U);
    ASSERT_FALSE(read->warnings.empty());
    EXPECT_NE(read->warnings[0].find("body.obj"), std::string::npos);
}

TEST(RigidBodyFile, ReversesFacesOnRequest) {
    const test::TempFolder folder;
    const std::string one_reversed =
        "v 1 1 1\nv -1 -1 1\nv -1 1 -1\nv 1 -1 -1\nf 1 2 3\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const auto path = written(folder, one_reversed);
    const auto as_is = read_body(path);
    ASSERT_TRUE(as_is) << as_is.error().message;
    EXPECT_FALSE(as_is->body.surface().report().is_oriented());
    const auto oriented = read_body(path, {.orient = true});
    ASSERT_TRUE(oriented) << oriented.error().message;
    EXPECT_TRUE(oriented->body.surface().report().is_oriented());
    EXPECT_GT(oriented->faces.reversed, 0U);
}

TEST(RigidBodyFile, NamesTheFileInItsErrors) {
    const test::TempFolder folder;
    const auto read = read_body(folder.path() / "none.obj");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("none.obj"), std::string::npos);
}

}  // namespace
}  // namespace graze::io
