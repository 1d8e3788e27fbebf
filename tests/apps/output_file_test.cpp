// Files and lines that the tool writes, from within; output_test.cpp runs the tool.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/output.hpp"

namespace graze::app {
namespace {

TEST(Printable, LeavesNothingThatATerminalObeys) {
    EXPECT_EQ(printable("a\r\x1b[31mb\n\tc\x7f"), "a??[31mb??c?");
    EXPECT_EQ(printable("csi \xc2\x9b, nel \xc2\x85"), "csi ?, nel ?");
    EXPECT_EQ(printable("\xc3\xa4\xc2\xb5 \xe2\x82\xac \xc2"),
              "\xc3\xa4\xc2\xb5 \xe2\x82\xac \xc2");
    EXPECT_EQ(printable(std::string("\0", 1)), "?");
}

TEST(OutputFile, IsNotInTheWayOfAnotherForTheSamePlace) {
    std::string pattern = (std::filesystem::temp_directory_path() / "graze-parts-XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(pattern.data());
    const std::string path = (folder / "out").string();
    {
        auto first = OutputFile::create(path);
        auto second = OutputFile::create(path);
        ASSERT_TRUE(first && second);
        EXPECT_TRUE(first->write("first") && first->finish());
        EXPECT_TRUE(second->write("second") && second->finish());
        EXPECT_FALSE(first->owns_stdout());
    }
    std::string text;
    std::ifstream(path) >> text;
    EXPECT_EQ(text, "second");
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace graze::app
