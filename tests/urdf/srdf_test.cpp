// Pairs of links that an SRDF allows to touch.
#include "urdf/urdf_files.hpp"

namespace graze::test {
namespace {

TEST(SrdfReader, ReadsDisabledPairsInTheirOrder) {
    const auto pairs = urdf::parse_srdf(
        "<robot name=\"r\"><group name=\"g\"/>"
        "<disable_collisions link1=\"b\" link2=\"a\" reason=\"Never\"/>"
        "<disable_collisions link1=\"a\" link2=\"gripper\"/></robot>",
        "in");
    ASSERT_TRUE(pairs) << pairs.error().message;
    ASSERT_EQ(pairs->size(), 2U);
    EXPECT_EQ((*pairs)[0], (urdf::NamePair{"b", "a"}));
}

TEST(SrdfReader, RefusesWhatNamesNoTwoLinks) {
    for (const char* text : {"<robot><disable_collisions link1=\"a\"/></robot>", "<robot", "",
                             "<x/>", "<robot><disable_collisions/></robot>"}) {
        const auto pairs = urdf::parse_srdf(text, "in");
        ASSERT_FALSE(pairs) << text;
        EXPECT_TRUE(pairs.error().message.starts_with("in: ")) << pairs.error().message;
    }
}

TEST(SrdfReader, AllowsNothingByNamesThatTheRobotDoesNotHave) {
    const auto read = urdf::parse_urdf(two_links(kLimits), "in", {});
    ASSERT_TRUE(read) << read.error().message;
    const auto robot = robot::Robot::create(read->description);
    ASSERT_TRUE(robot);
    const auto allowed = urdf::allowed_pairs(*robot, {{"b", "a"}, {"a", "gripper"}, {"a", "a"}});
    EXPECT_EQ(allowed.pairs, (std::vector<robot::LinkPair>{{0, 1}}));
    EXPECT_EQ(allowed.unknown, (std::vector<std::string>{"a", "gripper"}));
}

}  // namespace
}  // namespace graze::test
