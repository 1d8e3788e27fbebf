#include "graze/core/shown_text.hpp"

#include <gtest/gtest.h>

namespace graze {
namespace {

TEST(ShownText, IsTheTextWhereThatIsShortAndPrintable) {
    EXPECT_EQ(shown_text("gravity"), "gravity");
    EXPECT_EQ(shown_text(""), "");
    EXPECT_EQ(shown_text(std::string(32, 'a')), std::string(32, 'a'));
}
TEST(ShownText, IsOneShortLineWhateverTheTextHolds) {
    EXPECT_EQ(shown_text("a\nb\t\x7f\x1b[0m"), "a?b???[0m");
    EXPECT_EQ(shown_text(std::string_view("\0x", 2)), "?x");
    EXPECT_EQ(shown_text(std::string(33, 'a')), std::string(32, 'a') + "...");
    EXPECT_EQ(shown_text("abc", 0), "...");
}
TEST(ShownText, CutsNoLetterOfUtf8InHalves) {
    EXPECT_EQ(shown_text("a\u00e9b", 2), "a...");
    EXPECT_EQ(shown_text("a\u00e9b", 3), "a\u00e9...");
    EXPECT_EQ(shown_text("\x80\x80\x80", 1), "...");
}
TEST(IsFileName, IsWhatASystemTakesAndAnErrorCanShowWhole) {
    EXPECT_TRUE(is_file_name("shapes/my cube.obj"));
    EXPECT_TRUE(is_file_name(std::string(4095, 'a')));
    EXPECT_FALSE(is_file_name(std::string(4096, 'a')));
    EXPECT_FALSE(is_file_name("no\nname"));
    EXPECT_FALSE(is_file_name(std::string_view("cube.obj\0", 9)));
}

}  // namespace
}  // namespace graze
