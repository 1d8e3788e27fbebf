// `graze slide` and `graze level`, run as a user does.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/tool_runner.hpp"
#include "graze/io/mesh_file.hpp"

namespace graze::test {
namespace {

using Json = nlohmann::json;

// A square floor at y = 0 and a wall at x = 3.
constexpr const char* kRoom =
    "v -9 0 -9\nv 9 0 -9\nv 9 0 9\nv -9 0 9\nv 3 -1 -9\nv 3 9 -9\nv 3 9 9\nv 3 -1 9\n"
    "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\n";
// Free, onto the floor, along it against the wall, and pressed into the corner.
constexpr const char* kMoves =
    R"({"start":[0,2,0],"moves":[[0.5,0,0],[0,-5,0],[5,-1,0],[5,-1,0.25],[1,-1,0]]})";

double number(const Json& json) {
    return json.get<double>();
}

TEST(SlideCommand, SaysWhatTheContractAsksFor) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    for (const std::string precision : {"float", "double"}) {
        const Json json =
            run_tool_for_json({"slide", level, "--moves", moves, "--precision", precision});
        const double skin = number(json["skin"]);
        EXPECT_EQ(skin, 1.0 / 256);
        EXPECT_EQ(number(json["max_penetration"]), 0.0);
        ASSERT_EQ(json["frames"].size(), 5U);
        for (const Json& frame : json["frames"]) {
            EXPECT_EQ(frame["position"].size(), 3U);
            EXPECT_TRUE(frame["contacts"].is_array());
            EXPECT_TRUE(frame["keeps_skin"].get<bool>());
            EXPECT_TRUE(frame["gap_proved"].get<bool>());
        }
        EXPECT_TRUE(json["gap_proved"].get<bool>());
        EXPECT_EQ(json["frames"][0]["position"], (Json{0.5, 2.0, 0.0}));
        EXPECT_EQ(json["frames"][0]["stopped"], "free");
        EXPECT_TRUE(json["frames"][0]["contacts"].empty());
        const double height = number(json["frames"][1]["position"][1]);
        EXPECT_GE(height, 1.0 + skin);
        EXPECT_LT(height, 1.0 + 4.0 * skin);
        EXPECT_EQ(json["frames"][4]["stopped"], "blocked");
        EXPECT_LE(number(json["frames"][4]["position"][0]), 2.0 - skin);
        EXPECT_GT(number(json["frames"][4]["position"][0]), 2.0 - 4.0 * skin);
    }
}

TEST(SlideCommand, NamesTheFacesThatWereTouched) {
    const TempFolder folder;
    const Json json = run_tool_for_json(
        {"slide", folder.write("l.obj", kRoom), "--moves", folder.write("m.json", kMoves)});
    const Json& fall = json["frames"][1]["contacts"];
    ASSERT_GE(fall.size(), 1U);
    EXPECT_LE(fall[0]["face"].get<int>(), 1);
    EXPECT_NEAR(number(fall[0]["normal"][1]), 1.0, 1e-12);
    EXPECT_NEAR(number(fall[0]["point"][1]), 0.0, 1e-12);
    EXPECT_GE(number(fall[0]["time"]), 0.0);
    EXPECT_LE(number(fall[0]["time"]), 1.0);
}

TEST(SlideCommand, TakesRadiiSkinAndMover) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    const Json tall = run_tool_for_json(
        {"slide", level, "--moves", moves, "--radii", "0.4,0.9,0.4", "--skin", "0.0625"});
    EXPECT_EQ(number(tall["skin"]), 0.0625);
    EXPECT_GE(number(tall["frames"][1]["position"][1]), 0.9 + 0.0625);
    for (const std::string mover : {"linahan", "fauerby"}) {
        const Json json = run_tool_for_json({"slide", level, "--moves", moves, "--mover", mover});
        EXPECT_EQ(json["mover"], mover);
        EXPECT_EQ(json["frames"].size(), 5U);
    }
}

TEST(SlideCommand, TakesACapsuleInAnyDirection) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"slide",   level,      "--moves", moves,    "--shape",
                                          "capsule", "--radius", "0.25",    "--skin", "0.0078125"};
        words.insert(words.end(), more.begin(), more.end());
        return run_tool_for_json(words);
    };
    for (const std::string precision : {"float", "double"}) {
        const Json upright =
            run({"--half-height", "0.5", "--axis", "0,1,0", "--precision", precision});
        EXPECT_EQ(upright["half_axis"], (Json{0.0, 0.5, 0.0}));
        EXPECT_EQ(number(upright["max_penetration"]), 0.0);
        EXPECT_TRUE(upright["gap_proved"].get<bool>());
        EXPECT_NEAR(number(upright["frames"][1]["position"][1]), 0.75, 0.04);
        EXPECT_NEAR(number(upright["frames"][4]["position"][0]), 2.75, 0.04);
        for (const Json& frame : upright["frames"])
            EXPECT_TRUE(frame["keeps_skin"].get<bool>());
        const Json lying =
            run({"--half-height", "0.5", "--axis", "2,0,0", "--precision", precision});
        EXPECT_EQ(lying["half_axis"], (Json{0.5, 0.0, 0.0}));
        EXPECT_NEAR(number(lying["frames"][1]["position"][1]), 0.25, 0.04);
        EXPECT_NEAR(number(lying["frames"][4]["position"][0]), 2.25, 0.04);
    }
    EXPECT_EQ(run({"--half-height", "0.5"})["half_axis"], (Json{0.0, 0.0, 0.5}));
    const Json ball =
        run_tool_for_json({"slide", level, "--moves", moves, "--shape", "ball", "--radius", "0.5"});
    EXPECT_EQ(ball["radii"], (Json{0.5, 0.5, 0.5}));
    EXPECT_FALSE(ball.contains("half_axis"));
}

TEST(SlideCommand, TakesARoundedBoxAndTheNumbersOfOtherShapes) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    const auto run = [&](const std::string& shape, const std::string& precision) {
        return run_tool_for_json({"slide", level, "--moves", moves, "--shape", shape, "--skin",
                                  "0.0078125", "--precision", precision});
    };
    for (const std::string precision : {"float", "double"}) {
        const Json box = run("box:0.5,0.75,0.375,0.125", precision);
        EXPECT_EQ(box["half_axis"], (Json{0.0, 0.625, 0.0}));
        EXPECT_EQ(box["side_axes"], (Json{{0.375, 0.0, 0.0}, {0.0, 0.0, 0.25}}));
        EXPECT_EQ(number(box["max_penetration"]), 0.0);
        EXPECT_TRUE(box["gap_proved"].get<bool>());
        EXPECT_NEAR(number(box["frames"][1]["position"][1]), 0.75, 0.04);
        EXPECT_NEAR(number(box["frames"][4]["position"][0]), 2.5, 0.04);
        for (const Json& frame : box["frames"])
            EXPECT_TRUE(frame["keeps_skin"].get<bool>());
    }
    EXPECT_EQ(run("ball:0.5", "double")["radii"], (Json{0.5, 0.5, 0.5}));
    EXPECT_EQ(run("ellipsoid:0.25,0.5,0.25", "double")["radii"], (Json{0.25, 0.5, 0.25}));
    EXPECT_EQ(run("capsule:0.25,0.5", "double")["half_axis"], (Json{0.0, 0.0, 0.5}));
}

// Its ends are on both sides of the floor: it is inside by its radius, as deep as is measured.
TEST(SlideCommand, MeasuresThePenetrationOfACapsuleAfresh) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", R"({"start":[0,0.75,0],"moves":[[0,0,0]]})");
    const Json json =
        run_tool_for_json({"slide", level, "--moves", moves, "--shape", "capsule", "--radius",
                           "0.25", "--half-height", "2", "--axis", "0,1,0"});
    EXPECT_EQ(number(json["start_penetration"]), 0.25);
    EXPECT_EQ(number(json["max_penetration"]), 0.0);
    EXPECT_EQ(json["frames"][0]["stopped"], "pushed-out");
}

TEST(SlideCommand, RefusesShapesThatAreNone) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    const std::vector<std::vector<std::string>> bad = {
        {"--shape", "cone"},
        {"--radius", "2"},
        {"--shape", "ball", "--half-height", "2"},
        {"--shape", "ball", "--radius", "0"},
        {"--shape", "ball", "--radii", "1,1,1"},
        {"--shape", "capsule", "--half-height", "-1"},
        {"--shape", "capsule", "--axis", "0,0,0"},
        {"--shape", "capsule", "--axis", "0,1"},
        {"--shape", "box"},
        {"--shape", "box:1,1,1"},
        {"--shape", "box:1,1,1,0"},
        {"--shape", "box:1,1,1,2"},
        {"--shape", "box:a,1,1,1"},
        {"--shape", "box:1,1,1,0.5", "--mover", "linahan"},
        {"--shape", "ball:1,2"},
        {"--shape", "ball:1", "--radius", "1"},
        {"--shape", "capsule:1"},
        {"--shape", "cone:1"}};
    for (const std::vector<std::string>& options : bad) {
        std::vector<std::string> words = {"slide", level, "--moves", moves};
        words.insert(words.end(), options.begin(), options.end());
        const ToolOutcome outcome = run_tool(words);
        EXPECT_EQ(outcome.exit_code, 2) << options.back();
        EXPECT_NE(outcome.err.find("--"), std::string::npos);
    }
}

// The start is inside the floor: what the mover thinks of it is its own affair.
TEST(SlideCommand, MeasuresThePenetrationAfresh) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", R"({"start":[0,0.75,0],"moves":[[0,0,0]]})");
    const Json json = run_tool_for_json({"slide", level, "--moves", moves});
    EXPECT_EQ(number(json["start_penetration"]), 0.25);
    EXPECT_EQ(number(json["max_penetration"]), 0.0);
    EXPECT_EQ(json["frames"][0]["stopped"], "pushed-out");
}

TEST(SlideCommand, DrawsPathsOfAllMovers) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    const ToolOutcome outcome =
        run_tool({"slide", level, "--moves", moves, "--compare", "--svg", folder / "p.svg"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string svg = read_file(folder.path() / "p.svg");
    for (const char* part : {"<svg", "from the side: ", "from above: ", "a gap of one skin",
                             "graze, double", "linahan, double", "fauerby, double", "</svg>"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SlideCommand, RefusesBadMovesWithTheirPlace) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::vector<std::pair<const char*, const char*>> cases = {
        {R"({"start":[0,2,0])", "line 1, column 16: not JSON: unexpected end of input"},
        {R"([1,2])", "the file is not an object"},
        {R"({"moves":[]})", "there is no 'start'"},
        {R"({"start":[0,2,0]})", "there is no 'moves'"},
        {R"({"start":[0,2],"moves":[]})", "'start' is not a list of 3 numbers"},
        {R"({"start":[0,2,0],"moves":{}})", "'moves' is not a list"},
        {R"({"start":[0,2,0],"moves":[[1,2,3],[1,"2",3]]})", "'moves[1]' is not a list of 3"},
        {R"({"start":[0,2,0],"start":[0,3,0],"moves":[]})",
         "an object names a member twice: 'start'"},
        {R"({"start":[0,1e999,0],"moves":[]})",
         "line 1, column 17: a number is too large for a double: 1e999"}};
    for (const auto& [text, message] : cases) {
        const std::string moves = folder.write("m.json", text);
        const ToolOutcome outcome = run_tool({"slide", level, "--moves", moves, "--json", "-"});
        EXPECT_EQ(outcome.exit_code, 1) << text;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("m.json: "), std::string::npos) << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U);
        EXPECT_TRUE(outcome.out.empty());
    }
}

TEST(SlideCommand, RefusesWrongUse) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    for (const std::vector<std::string>& options :
         std::vector<std::vector<std::string>>{{"--mover", "bullet"},
                                               {"--radii", "1,2"},
                                               {"--radii", "1,2,3,4"},
                                               {"--radii", "1,0,1"},
                                               {"--radii", "1,-1,1"},
                                               {"--radii", "1,x,1"},
                                               {"--radii", "1,1,1,"},
                                               {"--skin", "-1"},
                                               {"--skin", "inf"},
                                               {"--precision", "half"},
                                               {"--compare"},
                                               {"--json", moves}}) {
        std::vector<std::string> arguments = {"slide", level, "--moves", moves};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ToolOutcome outcome = run_tool(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << options.back();
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
    EXPECT_EQ(run_tool({"slide", level}).exit_code, 2);
}

TEST(SlideCommand, RefusesLevelsThatItCannotWalkOn) {
    const TempFolder folder;
    const std::string moves = folder.write("m.json", kMoves);
    const std::string points = folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    const ToolOutcome empty = run_tool({"slide", points, "--moves", moves});
    EXPECT_EQ(empty.exit_code, 1);
    EXPECT_NE(empty.err.find("there is no face"), std::string::npos);
    const std::string far = folder.write("far.obj", "v 1e300 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(run_tool({"slide", far, "--moves", moves, "--precision", "float"}).exit_code, 1);
    EXPECT_EQ(run_tool({"slide", folder / "none.obj", "--moves", moves}).exit_code, 1);
}

TEST(SlideCommand, NamesTheFileAndThePlaceOfWhatDoesNotFitInAFloat) {
    const TempFolder folder;
    const std::string room = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    const std::string big = folder.write("big.obj", "v 1 0 0\nv 1e308 0 0\nv 0 1 0\nf 1 2 3\n");
    const std::string start = folder.write("s.json", R"({"start":[0,1e39,0],"moves":[]})");
    const std::string wish = folder.write("w.json", R"({"start":[0,2,0],"moves":[[0,0,-1e39]]})");
    const std::string fit = " does not fit in a float";
    for (const auto& [level, path, message] :
         {std::tuple(big, moves, "big.obj: vertex 1: a coordinate" + fit),
          std::tuple(room, start, "s.json: 'start'" + fit),
          std::tuple(room, wish, "w.json: 'moves[0]'" + fit)}) {
        const ToolOutcome outcome =
            run_tool({"slide", level, "--moves", path, "--precision", "float"});
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U);
        EXPECT_EQ(run_tool({"slide", level, "--moves", path}).exit_code, 0);
    }
}

// Radii beyond all bounds: it stays where it is, and nothing is known of the gap.
TEST(SlideCommand, SaysWhereNothingIsProved) {
    const TempFolder folder;
    const std::string level = folder.write("l.obj", kRoom);
    const std::string moves = folder.write("m.json", kMoves);
    for (const std::string radii : {"1e308,1,1", "1e-308,1,1"}) {
        const std::vector<std::string> arguments = {"slide", level,     "--moves",
                                                    moves,   "--radii", radii};
        const Json json = run_tool_for_json(arguments);
        EXPECT_FALSE(json["gap_proved"].get<bool>());
        for (const Json& frame : json["frames"])
            EXPECT_FALSE(frame["gap_proved"].get<bool>());
        EXPECT_NE(run_tool(arguments).out.find("the gap after 0 of 5 moves"), std::string::npos);
    }
    EXPECT_NE(run_tool({"slide", level, "--moves", moves}).out.find("the gap after 5 of 5 moves"),
              std::string::npos);
}

TEST(LevelCommand, WritesWhatSlideReads) {
    const TempFolder folder;
    const ToolOutcome made = run_tool(
        {"level", "obtuse-corner", "--out", folder / "l.obj", "--moves-out", folder / "m.json"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const Json json = run_tool_for_json(
        {"slide", folder / "l.obj", "--moves", folder / "m.json", "--precision", "float"});
    EXPECT_EQ(json["faces"], 4);
    EXPECT_EQ(number(json["max_penetration"]), 0.0);
    EXPECT_GT(json["frames"].size(), 100U);
}

TEST(SlideCommand, WarnsOfFacesWithoutAreaAndOfDoubledOnes) {
    const TempFolder folder;
    const std::string level =
        folder.write("l.obj", std::string(kRoom) + "f 1 1 2\nf 1 2 3\nf 3 2 1\n");
    const std::string moves = folder.write("m.json", kMoves);
    const ToolOutcome outcome = run_tool({"slide", level, "--moves", moves, "--json", "-"});
    EXPECT_EQ(outcome.exit_code, 0);
    const Json json = Json::parse(outcome.out);
    ASSERT_EQ(json["warnings"].size(), 1U);
    const std::string warning = json["warnings"][0];
    EXPECT_NE(warning.find("l.obj: 1 face without area, "), std::string::npos) << warning;
    EXPECT_NE(warning.find("duplicate face"), std::string::npos) << warning;
    EXPECT_EQ(outcome.err, "graze: warning: " + warning + "\n");
    const std::string clean = folder.write("c.obj", kRoom);
    EXPECT_TRUE(run_tool_for_json({"slide", clean, "--moves", moves})["warnings"].empty());
}

TEST(LevelCommand, WritesPlyAsWell) {
    const TempFolder folder;
    for (const char* name : {"l.obj", "l.ply"}) {
        ASSERT_EQ(
            run_tool({"level", "stairs", "--out", folder / name, "--moves-out", folder / "m.json"})
                .exit_code,
            0);
    }
    const auto obj = io::read_mesh(folder / "l.obj");
    const auto ply = io::read_mesh(folder / "l.ply");
    ASSERT_TRUE(obj && ply);
    EXPECT_EQ(obj->positions, ply->positions);
    EXPECT_EQ(obj->faces, ply->faces);
    const ToolOutcome outcome = run_tool({"level", "stairs", "--out", folder / "l.txt"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find(".obj or .ply"), std::string::npos) << outcome.err;
}

TEST(LevelCommand, RefusesNamesThatItDoesNotKnow) {
    const TempFolder folder;
    const ToolOutcome outcome = run_tool({"level", "moon", "--out", folder / "l.obj"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("flat-grid"), std::string::npos);
    EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace graze::test
