// `graze robot`, and the robots of `graze generate`, run as a user does.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

using Json = nlohmann::json;

class RobotCommand : public testing::Test {
protected:
    RobotCommand() {
        const ToolOutcome made = run_tool(
            {"generate", "--robot", "arm", "--environment", "passage", "--out", folder_ / "arm"});
        EXPECT_EQ(made.exit_code, 0) << made.err;
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_ / ("arm/" + name);
    }
    [[nodiscard]] ToolOutcome ask(const std::string& path,
                                  std::vector<std::string> options = {}) const {
        options.insert(options.begin(), {"robot", file("arm.urdf"), "--path", path});
        return run_tool(options);
    }
    [[nodiscard]] std::string error(const std::string& csv,
                                    const std::vector<std::string>& options = {}) const {
        const ToolOutcome outcome = ask(folder_.write("q.csv", csv), options);
        EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        return outcome.err;
    }

    TempFolder folder_;
    const std::string header_ = "joint_1,joint_2,joint_3,joint_4,joint_5,joint_6,joint_7\n";
};

TEST_F(RobotCommand, ProvesThePathThatIsGeneratedWithTheRobot) {
    const ToolOutcome outcome = ask(
        file("path.csv"), {"--environment", file("passage.obj"), "--threads", "2", "--json", "-"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << outcome.out;
    ASSERT_EQ(json["segments"].size(), 3U);
    for (const Json& segment : json["segments"]) {
        EXPECT_EQ(segment["verdict"], "separated");
        EXPECT_TRUE(segment["toi_lower"].is_null());
        EXPECT_TRUE(segment["a"].is_null());
    }
    EXPECT_TRUE(json["free"]);
}

TEST_F(RobotCommand, NamesWhatMeetsFirstAndDrawsIt) {
    const ToolOutcome outcome =
        ask(file("blocked.csv"), {"--environment", "wall=" + file("passage.obj"), "--picture",
                                  folder_ / "pictures", "--json", "-"});
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    const Json json = Json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << outcome.out;
    const Json& segment = json["segments"][0];
    EXPECT_EQ(segment["verdict"], "contact");
    EXPECT_EQ(segment["b"], "wall");
    EXPECT_TRUE(segment["a"].get<std::string>().starts_with("link_"));
    const double lower = segment["toi_lower"];
    const double upper = segment["toi_upper"];
    EXPECT_GT(lower, 0.1);
    EXPECT_LE(lower, upper);
    EXPECT_LT(upper, 0.5);
    EXPECT_LT(upper - lower, 1e-5);
    // The wall is in the plane y = 0.
    EXPECT_NEAR(segment["point"][1].get<double>(), 0.0, 0.01);
    EXPECT_NEAR(std::abs(segment["normal"][1].get<double>()), 1.0, 1e-6);
    EXPECT_FALSE(json["free"]);
    const std::string picture = read_file(folder_ / "pictures/segment_0000.svg");
    EXPECT_NE(picture.find("<svg"), std::string::npos);
    EXPECT_NE(picture.find("wall"), std::string::npos);
}

TEST_F(RobotCommand, IsFreeWithoutTheWallAndNotWithAMarginThatFillsTheRoom) {
    EXPECT_EQ(ask(file("blocked.csv")).exit_code, 0);
    EXPECT_EQ(
        ask(file("path.csv"), {"--environment", file("passage.obj"), "--margin", "0.5"}).exit_code,
        3);
}

TEST_F(RobotCommand, TakesColumnsInAnyOrder) {
    const ToolOutcome mixed =
        ask(folder_.write("q.csv",
                          "joint_2, joint_1,joint_7,joint_6,joint_5,joint_4,joint_3\r\n"
                          "1.1,0.9,0,0.3,0,0.4,0\r\n\n"
                          "1.1,-0.9,0,0.3,0,0.4,0\r\n"),
            {"--environment", file("passage.obj"), "--json", "-"});
    const ToolOutcome plain =
        ask(file("blocked.csv"), {"--environment", file("passage.obj"), "--json", "-"});
    EXPECT_EQ(mixed.exit_code, 3) << mixed.err;
    EXPECT_EQ(Json::parse(mixed.out)["segments"], Json::parse(plain.out)["segments"]);
}

TEST_F(RobotCommand, NamesTheJointAndTheLineThatAreWrong) {
    EXPECT_NE(error("joint_1,elbow\n0,0\n").find("line 1: the robot has no joint 'elbow'"),
              std::string::npos);
    EXPECT_NE(error("joint_1,hand_joint\n0,0\n").find("is fixed"), std::string::npos);
    EXPECT_NE(error("joint_1,joint_1\n0,0\n").find("twice"), std::string::npos);
    EXPECT_NE(error("joint_1\n0\n0\n").find("'joint_2' of the robot has no column"),
              std::string::npos);
    EXPECT_NE(error(header_ + "0,0,0,0,0,0,0\n0,0,0\n").find("line 3: 3 values for 7 joints"),
              std::string::npos);
    EXPECT_NE(error(header_ + "0,0,0,0,0,0,nan\n").find("line 2: 'nan'"), std::string::npos);
    EXPECT_NE(error(header_ + "0,0,0,0,0,0,1e999\n").find("line 2"), std::string::npos);
    EXPECT_NE(error(header_ + "0,0,0,0,0,0,0\n").find("at least 2"), std::string::npos);
    EXPECT_NE(error("").find("empty"), std::string::npos);
}

TEST_F(RobotCommand, WarnsOfValuesBeyondTheLimits) {
    const ToolOutcome outcome =
        ask(folder_.write("q.csv", header_ + "0,0,0,0,0,0,0\n0,0,0,0,0,0,3.5\n"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("line 3"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("joint_7"), std::string::npos) << outcome.err;
}

TEST_F(RobotCommand, ChecksAllPairsThatAnSrdfDoesNotName) {
    const std::string all = folder_.write(
        "few.srdf",
        "<robot name=\"arm\"><disable_collisions link1=\"base\" link2=\"none\"/></robot>");
    const ToolOutcome outcome = ask(file("path.csv"), {"--srdf", all});
    // Neighbours overlap, and nothing allows them to.
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("'none'"), std::string::npos) << outcome.err;
}

TEST_F(RobotCommand, RefusesWrongUse) {
    EXPECT_EQ(run_tool({"robot", file("arm.urdf")}).exit_code, 2);
    EXPECT_EQ(ask(file("path.csv"), {"--margin", "-1"}).exit_code, 2);
    EXPECT_EQ(ask(file("path.csv"), {"--package", "x"}).exit_code, 2);
    EXPECT_EQ(ask(file("path.csv"),
                  {"--environment", file("passage.obj"), "--environment", file("passage.obj")})
                  .exit_code,
              2);
    EXPECT_EQ(ask(file("path.csv"), {"--environment", file("none.obj")}).exit_code, 1);
    EXPECT_EQ(ask(file("path.csv"), {"--on-environment", "none"}).exit_code, 1);
    EXPECT_EQ(run_tool({"generate", "--robot", "cat", "--out", folder_ / "x"}).exit_code, 2);
    EXPECT_EQ(run_tool({"generate", "--robot", "arm", "--list"}).exit_code, 2);
}

TEST_F(RobotCommand, ProvesTheTorsoInEveryEnvironment) {
    for (const std::string environment : {"shelf", "table"}) {
        const std::string out = folder_ / environment;
        ASSERT_EQ(run_tool({"generate", "--robot", "torso", "--environment", environment, "--out",
                            out, "--triangles", "3000"})
                      .exit_code,
                  0);
        const ToolOutcome outcome =
            run_tool({"robot", out + "/torso.urdf", "--path", out + "/path.csv", "--environment",
                      out + "/" + environment + ".obj", "--clearance", "0.5"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find("proved free"), std::string::npos) << outcome.out;
    }
}

}  // namespace
}  // namespace graze::test
