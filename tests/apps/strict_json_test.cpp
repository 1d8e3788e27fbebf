// JSON from files and from stored results: what is odd is refused, with its place.
#include "cli/strict_json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/json.hpp"

namespace graze::app {
namespace {

std::string nested(std::size_t depth, const std::string& begin, const std::string& end) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i)
        text += begin;
    text += "1";
    for (std::size_t i = 0; i < depth; ++i)
        text += end;
    return text;
}

TEST(StrictJson, TakesAHundredLevelsAndNoMore) {
    EXPECT_TRUE(parse_strictly(nested(kMaxJsonDepth, "[", "]")));
    EXPECT_TRUE(parse_strictly(nested(kMaxJsonDepth, "{\"a\": ", "}")));
    // A million would take more stack than there is for what follows them by recursion.
    for (const std::size_t depth : {kMaxJsonDepth + 1, std::size_t{1'000'000}}) {
        for (const std::string& text : {nested(depth, "[", "]"), nested(depth, "{\"a\": ", "}")}) {
            const auto refused = parse_strictly(text);
            ASSERT_FALSE(refused);
            EXPECT_TRUE(refused.error().message.starts_with(
                "JSON is nested more than 100 deep, at '" +
                std::string(text[0] == '[' ? "[0][0][0]" : "a.a.a")))
                << refused.error().message;
            EXPECT_LT(refused.error().message.size(), 150U);
            EXPECT_FALSE(Json::parse(text));
        }
    }
    // Levels beside each other are not within each other.
    std::string many = "[";
    for (int i = 0; i < 1000; ++i)
        many += "[],";
    EXPECT_TRUE(parse_strictly(many + "[]]"));
}

TEST(StrictJson, NamesWhatItRefuses) {
    const auto message_for = [](const char* text) {
        const auto refused = check_json(text);
        return refused ? std::string() : refused.error().message;
    };
    EXPECT_EQ(message_for(R"({"a": [1, 2.5, null, true, "b"]})"), "");
    EXPECT_NE(message_for("").find("line 1"), std::string::npos);
    EXPECT_NE(message_for("[1,\n 2").find("line 2"), std::string::npos);
    EXPECT_NE(message_for(R"({"a": [{"b": 1, "b": 2}]})").find("'a[0].b'"), std::string::npos);
    EXPECT_NE(message_for("[1e999]").find("too large for a double: 1e999"), std::string::npos);
}

TEST(StoredJson, ReadsWhatItWroteAndNothingThatIsOdd) {
    const Json written = {{"count", std::uint64_t{18'446'744'073'709'551'615U}},
                          {"time", 0.1},
                          {"none", json_number(std::numeric_limits<double>::infinity())},
                          {"list", Json::array({Json(true), Json("a")})}};
    const auto read = Json::parse(written.dump());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->dump(), written.dump());
    for (const char* odd : {"", "{", "[1e999]", R"({"a": 1, "a": 2})", "1 2"})
        EXPECT_FALSE(Json::parse(odd)) << odd;
}

}  // namespace
}  // namespace graze::app
