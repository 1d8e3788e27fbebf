// `graze slide --world` and `--character`, run as a user does.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

using Json = nlohmann::json;

// A square of 18 at y = 0, and a box of half size 1.
constexpr const char* kFloor = "v -9 0 -9\nv 9 0 -9\nv 9 0 9\nv -9 0 9\nf 1 3 2\nf 1 4 3\n";
constexpr const char* kBox =
    "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n"
    "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";

class SlideWorld : public testing::Test {
protected:
    void SetUp() override {
        static_cast<void>(folder_.write("floor.obj", kFloor));
        static_cast<void>(folder_.write("box.obj", kBox));
    }
    std::string world(const std::string& text) { return folder_.write("w.json", text); }
    Json run(const std::string& text, std::vector<std::string> more = {}) {
        std::vector<std::string> words = {"slide", "--world", world(text), "--check"};
        words.insert(words.end(), more.begin(), more.end());
        return run_tool_for_json(words);
    }
    std::string error_of(const std::string& text, std::vector<std::string> more = {}) {
        std::vector<std::string> words = {"slide", "--world", world(text)};
        words.insert(words.end(), more.begin(), more.end());
        const ToolOutcome outcome = run_tool(words);
        EXPECT_EQ(outcome.exit_code, 1) << text;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find("w.json"), std::string::npos) << outcome.err;
        return outcome.err;
    }
    static double coordinate(const Json& frame, int axis) {
        return frame["position"][static_cast<std::size_t>(axis)].get<double>();
    }

    TempFolder folder_;
};

std::set<std::string> events_of(const Json& json) {
    std::set<std::string> all;
    for (const Json& frame : json["frames"])
        for (const Json& event : frame["events"])
            all.insert(event.get<std::string>());
    return all;
}

void expect_kept(const Json& json) {
    EXPECT_TRUE(json["gap_proved"].get<bool>());
    EXPECT_EQ(json["max_penetration"].get<double>(), 0.0);
    EXPECT_EQ(json["contradicted"], 0);
    for (const Json& frame : json["frames"])
        EXPECT_TRUE(frame["keeps_skin"].get<bool>());
}

TEST_F(SlideWorld, SlidesEveryShapeAmongPartsWithPosesAndScales) {
    const std::string parts = R"("parts":[{"name":"floor","mesh":"floor.obj"},
        {"name":"wall","mesh":"box.obj","scale":[0.25,2,4],"position":[3,2,0]},
        {"name":"post","mesh":"box.obj","scale":0.25,"position":[3,6,0],
         "rotation":[0.7071067811865476,0,0.7071067811865476,0]}])";
    for (const std::string shape :
         {R"("ball":0.5)", R"("ellipsoid":[0.5,0.75,0.5])", R"("capsule":[0.25,0.5])",
          R"("box":[0.5,0.5,0.5],"rounding":0.125)"}) {
        for (const std::string precision : {"float", "double"}) {
            const Json json = run("{" + parts + R"(,"mover":{)" + shape +
                                      R"(,"start":[0,2,0]},"displacements":[[0,-5,0],[5,-1,0]]})",
                                  {"--precision", precision});
            expect_kept(json);
            ASSERT_EQ(json["frames"].size(), 2U);
            EXPECT_EQ(json["faces"], 26);
            EXPECT_EQ(json["parts"][1]["name"], "wall");
            EXPECT_GT(coordinate(json["frames"][1], 0), 2.0) << shape;
            EXPECT_LT(coordinate(json["frames"][1], 0), 2.75) << shape;
            EXPECT_EQ(json["frames"][1]["contacts"].back()["part"], 1);
        }
    }
}

TEST_F(SlideWorld, SpheresCapsulesBoxesAndHeightFieldsAreParts) {
    const std::string parts = R"("parts":[
        {"shape":"height_field","heights":[[0,0,0,0],[0,0,0.25,0],[0,null,0,0]],"spacing":[4,4],
         "position":[-6,0,-4]},
        {"shape":"sphere","radius":1,"position":[3,0.5,0]},
        {"shape":"capsule","radius":0.25,"half_height":1,"position":[0,0.5,2]},
        {"name":"crate","shape":"box","half_extents":[0.5,0.5,0.5],"position":[-2.5,0.5,0]}])";
    for (const std::string shape :
         {R"("ball":0.5)", R"("ellipsoid":[0.5,0.75,0.5])", R"("capsule":[0.25,0.5])",
          R"("box":[0.5,0.5,0.5],"rounding":0.125)"}) {
        for (const std::string precision : {"float", "double"}) {
            const Json json = run("{" + parts + R"(,"mover":{)" + shape + R"(,"start":[0,2,-1]},
                "displacements":[[0,-3,0],[5,-1,1],[-8,-1,0],[2,0,6],[0,0,0]]})",
                                  {"--precision", precision});
            expect_kept(json);
            EXPECT_EQ(json["faces"], 12 + 1 + 1 + 12);
            EXPECT_EQ(json["parts"][1]["faces"], 1);
            EXPECT_EQ(json["faces_not_checked"], shape.starts_with("\"ell") ? 2 : 0);
        }
    }
}

TEST_F(SlideWorld, ASolidPartThatMovesPushesWhatIsInItsPath) {
    for (const std::string part :
         {R"("shape":"sphere","radius":1)", R"("shape":"capsule","radius":1,"half_height":2)",
          R"("shape":"box","half_extents":[1,1,1])"}) {
        const Json json = run(R"({"time_step":0.125,"parts":[{"mesh":"floor.obj"},{)" + part +
                              R"(,"position":[-3,0.75,0],"motion":{"velocity":[2,0,0]}}],
            "mover":{"ball":0.5,"start":[0,0.75,0]},
            "velocities":[[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],
                          [0,0,0],[0,0,0],[0,0,0],[0,0,0]]})");
        expect_kept(json);
        EXPECT_EQ(json["frames"].back()["ride"], "pushed") << part;
        EXPECT_GT(coordinate(json["frames"].back(), 0), 1.5) << part;
    }
}

// Twice as large as what the mover could be pushed out of.
TEST_F(SlideWorld, TheCheckFindsWhatIsDeepInsideOfASolidPart) {
    for (const std::string part :
         {R"("shape":"sphere","radius":9)", R"("shape":"box","half_extents":[9,9,9])"}) {
        const Json json = run(R"({"parts":[{)" + part + R"(}],"mover":{"ball":0.5,"start":[0,0,0]},
            "displacements":[[0,0,0]]})");
        EXPECT_FALSE(json["frames"][0]["gap_proved"].get<bool>());
        EXPECT_GE(json["max_penetration"].get<double>(), 9.0);
        EXPECT_EQ(json["contradicted"], 0);
    }
}

TEST_F(SlideWorld, PartsThatMovePushWhatIsInTheirPath) {
    const Json json = run(R"({"time_step":0.125,"parts":[{"mesh":"floor.obj"},
        {"mesh":"box.obj","position":[-3,1.125,0],"motion":{"velocity":[2,0,0]}}],
        "mover":{"ball":0.5,"start":[0,0.75,0]},
        "velocities":[[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],
                      [0,0,0],[0,0,0],[0,0,0],[0,0,0]]})");
    expect_kept(json);
    EXPECT_EQ(json["frames"].back()["ride"], "pushed");
    // The face of the box is at -3 + 1 + 12 * 0.25 = 1.
    EXPECT_GT(coordinate(json["frames"].back(), 0), 1.5);
}

TEST_F(SlideWorld, ACharacterWalksRidesJumpsAndCrouches) {
    const Json json = run(R"({"parts":[{"name":"floor","mesh":"floor.obj"},
        {"name":"step","mesh":"box.obj","scale":[1,0.125,1],"position":[3,0.125,0]},
        {"name":"lift","mesh":"box.obj","scale":[1,0.125,1],"position":[5,0.125,0],
         "motion":{"keyframes":[{"time":3},{"time":4,"position":[5,2.125,0]}]}}],
        "mover":{"capsule":[0.4,0.5],"start":[0,0.5,0]},
        "script":[{"frames":150,"velocity":[2,0,0]},{"frames":100},{"frames":40,"jump":4},
                  {"frames":30,"height":1.2},{"frames":30,"height":1.8}]})",
                          {"--character", "--csv", folder_ / "f.csv"});
    expect_kept(json);
    const std::set<std::string> events = events_of(json);
    for (const char* event : {"landed", "climbed", "jumped", "left-ground", "changed-body"})
        EXPECT_TRUE(events.count(event)) << event;
    const Json& last = json["frames"].back();
    EXPECT_EQ(last["ground_part"], 2);
    EXPECT_NEAR(last["feet"][1].get<double>(), 2.25, 0.02);
    EXPECT_EQ(json["frames"][220]["ride"], "carried");
    const std::vector<std::string> rows = lines_of(read_file(folder_.path() / "f.csv"));
    ASSERT_EQ(rows.size(), 351U);
    EXPECT_EQ(rows[0].substr(0, 17), "frame,time,x,y,z,");
    EXPECT_NE(rows.back().find(",lift,"), std::string::npos) << rows.back();
}

TEST_F(SlideWorld, ACharacterNeedsNoMoreThanAMeshAndVelocities) {
    const std::string moves = folder_.write("m.json", R"({"start":[0,0.25,0],"moves":[[60,0,0],
        [60,0,0],[60,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],
        [0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]})");
    const Json json = run_tool_for_json(
        {"slide", folder_ / "floor.obj", "--moves", moves, "--character", "--check"});
    expect_kept(json);
    EXPECT_NEAR(coordinate(json["frames"].back(), 0), 3.0, 1e-9);
    EXPECT_TRUE(json["frames"].back()["on_ground"].get<bool>());
    const std::string rows = folder_.write("m.csv", "x,y,z\n60, 0, 0\n\n0,0,0\n");
    const Json two = run(R"({"parts":[{"mesh":"floor.obj"}],"mover":{"start":[0,1,0]}})",
                         {"--character", "--moves", rows});
    EXPECT_NEAR(coordinate(two["frames"].back(), 0), 1.0, 1e-9);
}

TEST_F(SlideWorld, SlopesStepsAndLedgesAreOptions) {
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), "--character");
        return run(R"({"parts":[{"name":"floor","mesh":"floor.obj"},
            {"mesh":"box.obj","scale":[1,0.25,1],"position":[3,0.25,0]}],
            "mover":{"capsule":[0.4,0.5],"start":[0,0.1,0]},
            "script":[{"frames":20},{"frames":240,"velocity":[2,0,0]}]})",
                   more);
    };
    EXPECT_LT(coordinate(with({}).at("frames").back(), 0), 2.0);  // 0.5 is more than a fifth of 1.8
    EXPECT_GT(coordinate(with({"--step-height", "0.6"}).at("frames").back(), 0), 4.0);
    const Json held = with({"--step-height", "0.6", "--snap", "0.1", "--ledges"});
    EXPECT_TRUE(events_of(held).count("held-at-ledge"));
}

TEST_F(SlideWorld, LayersAndOneSidedFacesArePassedByWhatDoesNotSeeThem) {
    const auto with = [&](const std::string& part) {
        return run(R"({"parts":[{"mesh":"box.obj","position":[4,0,0],)" + part +
                   R"(}],"mover":{"ball":0.5,"start":[0,0,0],"layers":1},
                   "displacements":[[4,0,0]]})");
    };
    EXPECT_LT(coordinate(with(R"("layers":3)")["frames"][0], 0), 2.5);
    EXPECT_EQ(coordinate(with(R"("layers":2)")["frames"][0], 0), 4.0);
    EXPECT_EQ(with(R"("one_sided":true)")["faces_not_checked"], 12);
}

TEST_F(SlideWorld, EveryOddFileIsOneClearLine) {
    struct Odd {
        const char* text;
        const char* part;
    };
    for (const Odd& odd :
         {Odd{"", "line 1"},
          Odd{"[]", "is not an object"},
          Odd{"{}", "has no list 'parts'"},
          Odd{R"({"parts":[],"partz":1})", "'partz'"},
          Odd{R"({"parts":[],"parts":[]})", "parts"},
          Odd{R"({"parts":[],"time_step":0})", "'time_step'"},
          Odd{R"({"parts":[],"up":[0,0,0]})", "'up' has no direction"},
          Odd{R"({"parts":[7]})", "'parts[0]' is not an object"},
          Odd{R"({"parts":[{}]})", "'parts[0]' has no 'mesh'"},
          Odd{R"({"parts":[{"shape":"cone"}]})", "'parts[0].shape' is none of mesh"},
          Odd{R"({"parts":[{"shape":"sphere"}]})", "'parts[0]' has no 'radius'"},
          Odd{R"({"parts":[{"shape":"sphere","radius":0}]})", "'parts[0].radius' is not > 0"},
          Odd{R"({"parts":[{"shape":"sphere","radius":1,"scale":2}]})",
              "'parts[0].scale' is not for this shape"},
          Odd{R"({"parts":[{"shape":"capsule","radius":1}]})", "'parts[0]' has no 'half_height'"},
          Odd{R"({"parts":[{"shape":"box","half_extents":[1,0,1]}]})",
              "'parts[0].half_extents' are not > 0"},
          Odd{R"({"parts":[{"shape":"height_field","heights":[[0,0],[0]]}]})",
              "'parts[0].heights' is not a list"},
          Odd{R"({"parts":[{"shape":"height_field","heights":[[null,null],[null,null]]}]})",
              "'parts[0].heights' is not a list"},
          Odd{R"({"parts":[{"shape":"height_field","heights":[[0,0],[0,0]],"spacing":[1,0]}]})",
              "'parts[0].spacing' is not > 0"},
          Odd{R"({"parts":[{"mesh":"no.obj"}]})", "no.obj"},
          Odd{R"({"parts":[{"mesh":"no\nname"}]})", "'parts[0].mesh' is not the name of a file"},
          Odd{R"({"parts":[{"mesh":"level:moon"}]})", "there is no level 'moon'"},
          Odd{R"({"parts":[{"mesh":"box.obj","seed":1}]})", "'seed'"},
          Odd{R"({"parts":[{"mesh":"box.obj","scale":[1,0,1]}]})", "'parts[0].scale'"},
          Odd{R"({"parts":[{"mesh":"box.obj","rotation":[1,1,0,0]}]})", "'parts[0].rotation'"},
          Odd{R"({"parts":[{"mesh":"box.obj","layers":-1}]})", "'parts[0].layers'"},
          Odd{R"({"parts":[{"mesh":"box.obj","motion":{"speed":1}}]})", "'speed'"},
          Odd{R"({"parts":[{"mesh":"box.obj","motion":{"angular_velocity":[0,999,0]}}]})",
              "half a rotation"},
          Odd{R"({"parts":[{"mesh":"box.obj","motion":{"keyframes":[]}}]})", "keyframes"},
          Odd{R"({"parts":[{"mesh":"box.obj","motion":{"keyframes":[{"time":1},{"time":1}]}}]})",
              "'parts[0].motion.keyframes[1].time'"},
          Odd{R"({"parts":[{"mesh":"box.obj","motion":{"repeat":true,"keyframes":[{"time":0},
               {"time":1,"position":[1,0,0]}]}}]})",
              "begin with"},
          Odd{R"({"parts":[],"mover":{"ball":0}})", "'mover'"},
          Odd{R"({"parts":[],"mover":{"ball":1,"capsule":[1,1]}})", "more than one"},
          Odd{R"({"parts":[],"mover":{"box":[1,1,1]}})", "rounding"},
          Odd{R"({"parts":[],"character":{"slope":90}})", "'character.slope'"},
          Odd{R"({"parts":[],"displacements":[[1,2]]})", "'displacements[0]'"},
          Odd{R"({"parts":[],"displacements":[],"velocities":[]})", "more than one"},
          Odd{R"({"parts":[],"script":[{}]})", "'script[0]' has no 'frames'"},
          Odd{R"({"parts":[],"script":[{"frames":1000000},{"frames":1}]})", "1000000 frames"},
          Odd{R"({"parts":[],"script":[]})", "'mover' has no 'start'"},
          Odd{R"({"parts":[],"mover":{"start":[0,0,0]}})", "give --moves"}}) {
        EXPECT_NE(error_of(odd.text).find(odd.part), std::string::npos) << odd.text << '\n'
                                                                        << error_of(odd.text);
    }
    EXPECT_NE(error_of(R"({"parts":[],"mover":{"start":[0,0,0],"ellipsoid":[1,2,1]},"script":[]})",
                       {"--character"})
                  .find("a ball or a capsule"),
              std::string::npos);
    const std::string rows = folder_.write("rows.csv", "x,y,z\n1,2\n");
    const ToolOutcome outcome =
        run_tool({"slide", "--world", world(R"({"parts":[]})"), "--moves", rows});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("rows.csv: line 2"), std::string::npos) << outcome.err;
}

TEST_F(SlideWorld, WrongUseIsNamed) {
    const std::string file = world(R"({"parts":[]})");
    const std::string floor = folder_ / "floor.obj";
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"--world", file, floor},
             {"--world", file, "--mover", "linahan"},
             {"--world", file, "--slope", "30"},
             {"--world", file, "--character", "--slope", "95"},
             {"--world", file, "--character", "--snap", "-1"},
             {"--world", file, "--character", "--shape", "capsule", "--axis", "0,1,0"},
             {floor},
             {floor, "--character"},
             {floor, "--moves", "m.json", "--csv", "-"}}) {
        std::vector<std::string> all = {"slide"};
        all.insert(all.end(), words.begin(), words.end());
        const ToolOutcome outcome = run_tool(all);
        EXPECT_EQ(outcome.exit_code, 2) << words.back();
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
}

// Over the ramp, across the gap by ferry, down the stairs, through the tunnel: to the house.
TEST(SlideTown, IsWalkedFromEndToEndWithEveryFrameVerified) {
    const std::string file = std::string(GRAZE_ROOT) + "/examples/town/town.json";
    for (const std::string precision : {"float", "double"}) {
        const Json json = run_tool_for_json(
            {"slide", "--world", file, "--character", "--check", "--precision", precision});
        expect_kept(json);
        const std::set<std::string> events = events_of(json);
        for (const char* event :
             {"landed", "climbed", "jumped", "left-ground", "changed-body", "no-room"})
            EXPECT_TRUE(events.count(event)) << event;
        std::set<int> grounds;
        double highest = 0.0;
        for (const Json& frame : json["frames"]) {
            if (!frame["ground_part"].is_null()) grounds.insert(frame["ground_part"].get<int>());
            highest = std::max(highest, frame["feet"][1].get<double>());
        }
        EXPECT_TRUE(grounds.count(0) && grounds.count(1)) << "the town and the ferry";
        EXPECT_GT(highest, 2.0);
        EXPECT_TRUE(json["frames"].back()["on_ground"].get<bool>());
        EXPECT_LT(json["frames"].back()["feet"][0].get<double>(), 6.0);
    }
}

TEST(LevelCommand, WritesTheLevelsToWalkOn) {
    const TempFolder folder;
    for (const std::string name : {"voxels", "box-seams", "scanned", "town"}) {
        const ToolOutcome made =
            run_tool({"level", name, "--out", folder / "l.ply", "--moves-out", folder / "m.json"});
        EXPECT_EQ(made.exit_code, 0) << made.err;
        EXPECT_NE(made.out.find(name + ": "), std::string::npos) << made.out;
    }
}

}  // namespace
}  // namespace graze::test
