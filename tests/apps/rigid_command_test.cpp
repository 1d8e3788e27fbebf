// `graze rigid` and `graze model`, run as a user does.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <sstream>
#include <thread>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

using Json = nlohmann::json;

// The cube of side 1 about the origin. Vertex 0 is (-, -, -), face 1 is x = 1/2.
constexpr const char* kCube =
    "v -.5 -.5 -.5\nv .5 -.5 -.5\nv -.5 .5 -.5\nv .5 .5 -.5\n"
    "v -.5 -.5 .5\nv .5 -.5 .5\nv -.5 .5 .5\nv .5 .5 .5\n"
    "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";

std::string pose(const std::string& rotation, const std::string& translation) {
    return R"({"rotation":[)" + rotation + R"(],"translation":[)" + translation + "]}";
}

std::string poses(const std::string& a_start, const std::string& a_end, const std::string& b_start,
                  const std::string& b_end) {
    return R"({"a":{"start":)" + a_start + R"(,"end":)" + a_end + R"(},"b":{"start":)" + b_start +
           R"(,"end":)" + b_end + "}}";
}

// Corner first, B comes from x = 4 to x = 0: turned about y and z so that one vertex leads.
const std::string kRest = pose("1,0,0,0", "0,0,0");
const std::string kTurned = "0.8,0.0,0.36,0.48";

// The JSON of a call that warns on stderr as well.
Json with_warnings(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const ToolOutcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    Json json = Json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << outcome.out;
    EXPECT_EQ(lines_of(outcome.err).size(), json["warnings"].size()) << outcome.err;
    return json;
}

class RigidCommand : public testing::Test {
protected:
    [[nodiscard]] std::vector<std::string> call(const std::string& step,
                                                std::vector<std::string> options = {}) const {
        options.insert(options.begin(),
                       {"rigid", cube_, cube_, "--poses", folder_.write("poses.json", step)});
        return options;
    }
    [[nodiscard]] Json ask(const std::string& step, std::vector<std::string> options = {}) const {
        return run_tool_for_json(call(step, std::move(options)));
    }
    // The error of a call that must fail.
    [[nodiscard]] std::string error(const std::string& step,
                                    std::vector<std::string> options = {}) const {
        const ToolOutcome outcome = run_tool(call(step, std::move(options)));
        EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        EXPECT_TRUE(outcome.out.empty());
        return outcome.err;
    }

    TempFolder folder_;
    std::string cube_ = folder_.write("cube.obj", kCube);
    // A vertex of B runs into the face x = 1/2 of A.
    std::string hit_ =
        poses(kRest, kRest, pose(kTurned, "4,0.03125,0.0625"), pose(kTurned, "0,0.03125,0.0625"));
    std::string miss_ = poses(kRest, kRest, pose(kTurned, "4,0,0"), pose(kTurned, "3,0,0"));
};

TEST_F(RigidCommand, SaysWhatTheContractAsksForInEveryMode) {
    for (const std::string mode : {"chords", "pixels", "robust", "certified"}) {
        SCOPED_TRACE(mode);
        const Json json = ask(hit_, {"--mode", mode});
        EXPECT_EQ(json["mode"], mode);
        EXPECT_EQ(json["screw"]["angle"], 0.0);
        EXPECT_EQ(json["overlap_at_start"], false);
        EXPECT_EQ(json["start"], "apart");
        EXPECT_EQ(json["first"]["verdict"], "contact");
        const double lower = json["first"]["toi_lower"];
        const double upper = json["first"]["toi_upper"];
        EXPECT_LE(lower, upper);
        EXPECT_LT(upper - lower, 1e-6);
        ASSERT_FALSE(json["collisions"].empty());
        const Json& first = json["collisions"][0];
        EXPECT_EQ(first["type"], "fv");
        EXPECT_EQ(first["a"], 1);
        // The raster is as good as its pixels: 1/12 of an edge on a way of 4.
        EXPECT_NEAR(first["time"].get<double>(), lower, mode == "certified" ? 1e-6 : 0.03);
        EXPECT_NEAR(first["normal"][0].get<double>(), 1.0, 1e-6);
        EXPECT_NEAR(first["position"][0].get<double>(), 0.5, mode == "certified" ? 1e-6 : 0.1);
        EXPECT_GT(first["properness"].get<double>(), 0.0);
        EXPECT_TRUE(json.contains("build"));
        EXPECT_TRUE(json["warnings"].empty());
    }
}

TEST_F(RigidCommand, PixelsNeverClaimToBeCompleteAndDrawTheirRecords) {
    const std::string screen = folder_ / "pixels.svg";
    const Json json = ask(hit_, {"--mode", "pixels", "--pixel", "0.05", "--screen", screen});
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["raster"]["pixel"], 0.05);
    EXPECT_GT(json["raster"]["pixels_a"].get<int>(), 20);
    EXPECT_GT(json["raster"]["rows"].get<int>(), 10);
    EXPECT_EQ(json["raster"]["not_converged"], 0);
    EXPECT_NE(read_file(screen).find("<svg"), std::string::npos);
    EXPECT_NE(error(hit_, {"--mode", "pixels", "--pixel", "1e-9"}).find("option pixel"),
              std::string::npos);
    EXPECT_EQ(ask(hit_, {"--mode", "raster"})["mode"], "chords");
}

TEST_F(RigidCommand, ProvesThatBodiesDoNotMeet) {
    const Json json = ask(miss_, {"--mode", "certified"});
    EXPECT_EQ(json["first"]["verdict"], "separated");
    EXPECT_TRUE(json["first"]["toi_lower"].is_null());
    EXPECT_TRUE(json["first"]["toi_upper"].is_null());
    EXPECT_TRUE(json["collisions"].empty());
    EXPECT_EQ(json["complete"], true);
}

TEST_F(RigidCommand, CollisionsAreSortedAndCertifiedOnesHaveBrackets) {
    const Json json = ask(hit_, {"--mode", "certified", "--min-properness", "-1"});
    double last = 0.0;
    for (const Json& collision : json["collisions"]) {
        EXPECT_LE(last, collision["time_lower"].get<double>());
        last = collision["time_lower"].get<double>();
        EXPECT_LE(last, collision["time_upper"].get<double>());
    }
}

// Both bodies move along y with A; seen from A nothing has changed.
TEST_F(RigidCommand, WorldCoordinatesFollowTheBodiesAndLocalOnesAreThoseOfA) {
    const std::string moved =
        poses(pose("1,0,0,0", "0,10,0"), pose("1,0,0,0", "0,20,0"),
              pose(kTurned, "4,10.03125,0.0625"), pose(kTurned, "0,20.03125,0.0625"));
    const Json here = ask(hit_);
    const Json world = ask(moved);
    const Json local = ask(moved, {"--local"});
    ASSERT_FALSE(here["collisions"].empty());
    ASSERT_EQ(here["collisions"].size(), world["collisions"].size());
    const Json& h = here["collisions"][0];
    const Json& w = world["collisions"][0];
    const Json& l = local["collisions"][0];
    EXPECT_EQ(world["coordinates"], "world");
    EXPECT_EQ(local["coordinates"], "local");
    const double time = w["time"];
    EXPECT_NEAR(l["position"][1].get<double>(), h["position"][1].get<double>(), 1e-9);
    EXPECT_NEAR(w["position"][1].get<double>(), h["position"][1].get<double>() + 10.0 + 10.0 * time,
                1e-9);
}

TEST_F(RigidCommand, OverlapAtTheStartIsToldApart) {
    const auto state = [&](const std::string& place, const std::string& scale) {
        const std::string b = folder_.write("b.obj", scale);
        const std::string p = folder_.write(
            "p.json", poses(kRest, kRest, pose("1,0,0,0", place), pose("1,0,0,0", "9,0,0")));
        return with_warnings({"rigid", cube_, b, "--poses", p});
    };
    const std::string tiny =
        "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\n"
        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const Json touching = state("1,0,0", kCube);
    EXPECT_EQ(touching["overlap_at_start"], true);
    EXPECT_EQ(touching["start"], "touching");
    EXPECT_EQ(touching["first"]["toi_upper"], 0.0);
    const Json inside = state("0,0,0", tiny);
    EXPECT_EQ(inside["overlap_at_start"], true);
    EXPECT_EQ(inside["start"], "b-inside-a");
    const Json apart = state("2,0,0", tiny);
    EXPECT_EQ(apart["overlap_at_start"], false);
    EXPECT_FALSE(touching["warnings"].empty());
}

TEST_F(RigidCommand, LargeTurnsAreWarnedAboutOnStderrAndInTheJson) {
    const std::string half_sine = "0.8,0.6,0,0";  // 73.7 degrees
    const std::string step =
        poses(kRest, kRest, pose("1,0,0,0", "4,0,0"), pose(half_sine, "3,0,0"));
    const ToolOutcome outcome = run_tool(call(step, {"--json", folder_ / "out.json"}));
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.err.find("73.7 degrees"), std::string::npos) << outcome.err;
    const Json json = Json::parse(read_file(folder_ / "out.json"));
    ASSERT_EQ(json["warnings"].size(), 1U);
    EXPECT_NEAR(json["screw"]["angle_degrees"].get<double>(), 73.7398, 1e-3);
    // 36.9 degrees are no reason.
    const std::string small = poses(kRest, kRest, pose("1,0,0,0", "4,0,0"),
                                    pose("0.94868329805051377,0.31622776601683794,0,0", "3,0,0"));
    EXPECT_TRUE(run_tool(call(small)).err.empty());
}

TEST_F(RigidCommand, TheOptionsCount) {
    const double toi = ask(hit_)["first"]["toi_lower"];
    EXPECT_EQ(ask(hit_, {"--t-max", "0.25"})["first"]["verdict"], "separated");
    EXPECT_TRUE(ask(hit_, {"--t-max", "0.25"})["collisions"].empty());
    EXPECT_LT(ask(hit_, {"--min-separation", "0.5"})["first"]["toi_upper"].get<double>(),
              toi - 0.1);
    const Json certified = ask(hit_, {"--mode", "certified", "--min-separation", "0.5"});
    EXPECT_LT(certified["first"]["toi_upper"].get<double>(), toi - 0.1);
    ASSERT_FALSE(certified["collisions"].empty()) << "at distance 0, whatever the separation";
    EXPECT_NEAR(certified["collisions"][0]["time"].get<double>(), toi, 1e-6);
    const Json coarse = ask(hit_, {"--pixel", "0.25"});
    EXPECT_EQ(coarse["raster"]["pixel"], 0.25);
    const Json all = ask(hit_, {"--min-properness", "-1"});
    const Json proper = ask(hit_, {"--min-properness", "0"});
    EXPECT_LE(proper["collisions"].size(), all["collisions"].size());
    const Json grouped = ask(hit_, {"--min-properness", "-1", "--groups", "1"});
    EXPECT_EQ(grouped["groups"], Json::array({0}));
}

TEST_F(RigidCommand, DrawsTheScreenAndTheBodiesAndWritesFrames) {
    const std::string svg = folder_ / "bodies.svg";
    const std::string screen = folder_ / "screen.svg";
    const std::string frames = folder_ / "frames";
    const ToolOutcome outcome =
        run_tool(call(hit_, {"--svg", svg, "--screen", screen, "--frames", frames}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const std::string& file : {svg, screen}) {
        const std::string text = read_file(file);
        EXPECT_TRUE(text.starts_with("<svg ")) << file;
        EXPECT_TRUE(text.ends_with("</svg>\n")) << file;
        EXPECT_NE(text.find("<circle"), std::string::npos) << file << " marks the collision";
        EXPECT_EQ(text.find("nan"), std::string::npos) << file;
    }
    EXPECT_NE(read_file(svg).find(">start<"), std::string::npos);
    EXPECT_NE(read_file(svg).find(">end<"), std::string::npos);
    for (const char* part : {"A: cube.obj, 6 faces", "first contact, proved: t = "})
        EXPECT_NE(read_file(svg).find(part), std::string::npos) << part;
    EXPECT_NE(read_file(screen).find("edges of A"), std::string::npos);
    // Start and end of B as files that can be read again.
    const std::string start = frames + "/000.obj";
    ASSERT_TRUE(fs::exists(start));
    EXPECT_NE(read_file(start).find("\no B\n"), std::string::npos);
    EXPECT_EQ(run_tool({"mesh", start, start}).exit_code, 0);
}

TEST_F(RigidCommand, ErrorsNameTheFileAndThePlace) {
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_TRUE(has(error("{"), "poses.json: line 1, column"));
    EXPECT_TRUE(has(error("[]"), "poses.json: the file is not an object"));
    EXPECT_TRUE(has(error("{}"), "poses.json: the file has no 'a'"));
    EXPECT_TRUE(has(error(R"({"a":{}})"), "poses.json: 'a' has no 'start'"));
    EXPECT_TRUE(has(error(R"({"a":{"start":{"rotation":[1,0,0]}}})"),
                    "'a.start.rotation' is not a list of 4 numbers"));
    EXPECT_TRUE(has(error(poses(kRest, kRest, kRest, pose("1,0,0,\"0\"", "0,0,0"))),
                    "'b.end.rotation' is not a list of 4 numbers"));
    EXPECT_TRUE(has(error(poses(kRest, pose("1,1,0,0", "0,0,0"), kRest, kRest)), "a.end"));
    EXPECT_TRUE(has(error(poses(kRest, kRest, kRest, pose("1,0,0,0", "0,0,1e999"))),
                    ": a number is too large for a double: 1e999"));
    EXPECT_TRUE(has(error("{\n\"a\": 1e999}"), "poses.json: line 2, column 10: a number is too"));
    EXPECT_TRUE(has(error(R"({"a":1,"a":2})"), "an object names a member twice: 'a'"));
    EXPECT_TRUE(has(error(R"({"c":[0,{"x":{"y":1,"y":2}}],"a":1})"), "twice: 'c[1].x.y'"));
    EXPECT_TRUE(has(error(R"({"a":1,})"), "column 8: not JSON: unexpected '}'; expected string"));
    EXPECT_TRUE(has(error(R"({"a":1)"), "not JSON: unexpected end of input; expected"));
    EXPECT_TRUE(has(error(R"({"a":tru})"), "not JSON: invalid literal; last read: "));
    // Squared lengths off by less than 1e-6 are roundings of those who wrote the file.
    EXPECT_EQ(
        run_tool(call(poses(kRest, kRest, pose("1.0000004,0,0,0", "9,0,0"), kRest))).exit_code, 0);

    const std::string step = folder_.write("good.json", hit_);
    const auto outcome =
        run_tool({"rigid", folder_.write("bad.obj", "v 0 0 0\nf 1 2 3\n"), cube_, "--poses", step});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(has(outcome.err, "bad.obj")) << outcome.err;
    EXPECT_EQ(run_tool({"rigid", cube_, folder_ / "none.obj", "--poses", step}).exit_code, 1);
    EXPECT_EQ(run_tool({"rigid", cube_, cube_, "--poses", folder_ / "none.json"}).exit_code, 1);
}

TEST_F(RigidCommand, AnswersToItsNamesOfVersion01) {
    const std::string step = folder_.write("good.json", hit_);
    const Json old =
        run_tool_for_json({"screw", cube_, cube_, "--poses", step, "--mode", "raster"});
    const Json now =
        run_tool_for_json({"rigid", cube_, cube_, "--poses", step, "--mode", "chords"});
    EXPECT_EQ(old["first"], now["first"]);
    EXPECT_EQ(old["collisions"], now["collisions"]);
}

TEST_F(RigidCommand, WrongUseIsRefused) {
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--mode", "guess"},
                                                    {"--pixel", "-1"},
                                                    {"--pixel", "inf"},
                                                    {"--time-resolution", "-0.5"},
                                                    {"--min-properness", "2"},
                                                    {"--min-separation", "-1"},
                                                    {"--time-width", "0"},
                                                    {"--t-max", "1.5"},
                                                    {"--groups", "-0.5"},
                                                    {"--json", "x.svg", "--svg", "x.svg"},
                                                    {"--svg", cube_}}) {
        EXPECT_EQ(run_tool(call(hit_, options)).exit_code, 2) << options[0] << " " << options[1];
    }
    EXPECT_EQ(run_tool({"rigid", cube_, cube_}).exit_code, 2) << "without --poses";
    EXPECT_EQ(run_tool({"rigid", cube_, "--poses", "x.json"}).exit_code, 2) << "one body";
}

TEST_F(RigidCommand, AFailureLeavesNoFileBehind) {
    const auto before = folder_.files();
    const std::string step = folder_.write("poses.json", "{}");
    const ToolOutcome outcome = run_tool({"rigid", cube_, cube_, "--poses", step, "--svg",
                                          folder_ / "b.svg", "--json", folder_ / "r.json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_FALSE(fs::exists(folder_ / "b.svg"));
    EXPECT_FALSE(fs::exists(folder_ / "r.json"));
    EXPECT_EQ(folder_.files().size(), before.size() + 1);
}

// The OBJ text with every face the other way round.
std::string inside_out(const std::string& obj) {
    std::string text;
    for (const std::string& line : lines_of(obj)) {
        if (!line.starts_with("f ")) {
            text += line + "\n";
            continue;
        }
        std::istringstream words(line.substr(2));
        std::string reversed;
        for (std::string word; words >> word;)
            reversed = " " + word + reversed;
        text += "f" + reversed + "\n";
    }
    return text;
}

TEST_F(RigidCommand, BodiesThatAreInsideOutAreWarnedAboutAndOriented) {
    const std::string wrong = folder_.write("wrong.obj", inside_out(kCube));
    const std::string step = folder_.write(
        "p.json",
        poses(kRest, kRest, pose("1,0,0,0", "0.5,0.5,5"), pose("1,0,0,0", "0.25,0.25,0.5")));
    const Json right = run_tool_for_json({"rigid", cube_, cube_, "--poses", step});
    EXPECT_EQ(right["collisions"].size(), 4U);
    EXPECT_TRUE(right["warnings"].empty());
    EXPECT_EQ(right["a"]["inside_out_parts"], 0);
    for (const char* mode : {"chords", "pixels", "robust", "certified"}) {
        SCOPED_TRACE(mode);
        const Json lost = with_warnings({"rigid", wrong, cube_, "--poses", step, "--mode", mode});
        EXPECT_EQ(lost["a"]["inside_out_parts"], 1);
        EXPECT_EQ(lost["a"]["wrong_faces"], 6);
        ASSERT_EQ(lost["warnings"].size(), 2U);
        EXPECT_NE(lost["warnings"][0].get<std::string>().find("wrong.obj: 1 part inside out"),
                  std::string::npos);
        EXPECT_NE(lost["warnings"][1].get<std::string>().find("--orient"), std::string::npos);
        EXPECT_EQ(lost["first"]["toi_lower"], right["first"]["toi_lower"]);
        if (std::string(mode) == "certified") {
            EXPECT_EQ(lost["complete"], false);
        }
    }
    const Json turned = run_tool_for_json({"rigid", wrong, cube_, "--poses", step, "--orient"});
    EXPECT_EQ(turned["a"]["reversed_faces"], 6);
    EXPECT_EQ(turned["b"]["reversed_faces"], 0);
    EXPECT_TRUE(turned["warnings"].empty());
    EXPECT_EQ(turned["collisions"], right["collisions"]);
    EXPECT_NE(run_tool({"rigid", wrong, cube_, "--poses", step, "--orient"})
                  .out.find("6 of them reversed"),
              std::string::npos);
}

TEST_F(RigidCommand, OrientedToriMeetWhereTheRightOnesDo) {
    const std::string torus = folder_ / "torus.obj";
    ASSERT_EQ(run_tool({"model", "torus", "--out", torus}).exit_code, 0);
    const std::string wrong = folder_.write("wrong.obj", inside_out(read_file(torus)));
    const std::string step = std::string(GRAZE_ROOT) + "/examples/poses/two_tori.json";
    const Json right = run_tool_for_json({"rigid", torus, torus, "--poses", step});
    EXPECT_EQ(right["collisions"].size(), 12U);
    EXPECT_LT(with_warnings({"rigid", wrong, torus, "--poses", step})["collisions"].size(), 12U);
    const Json turned = run_tool_for_json({"rigid", wrong, torus, "--poses", step, "--orient"});
    ASSERT_EQ(turned["collisions"].size(), 12U);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_NEAR(turned["collisions"][i]["time"].get<double>(),
                    right["collisions"][i]["time"].get<double>(), 1e-9);
}

// Faces are counted as in the file, whatever was left out.
TEST_F(RigidCommand, FacesWithDoubledCornersAreLeftOutAndWarnedAbout) {
    std::string text = kCube;
    text.insert(text.find("f 1 5 7 3"), "f 1 1 2\nf 3 4 3\n");
    text.replace(text.find("f 2 4 8 6"), 9, "f 2 4 8 8 6");
    const std::string doubled = folder_.write("doubled.obj", text);
    const std::string step = folder_.write("p.json", hit_);
    const Json right = ask(hit_);
    const Json json = with_warnings({"rigid", doubled, cube_, "--poses", step});
    EXPECT_EQ(json["a"]["dropped_faces"], 2);
    EXPECT_EQ(json["a"]["faces"], 6);
    EXPECT_EQ(json["a"]["closed"], true);
    ASSERT_EQ(json["warnings"].size(), 1U);
    EXPECT_NE(json["warnings"][0].get<std::string>().find("doubled.obj: 2 faces of fewer than"),
              std::string::npos);
    EXPECT_EQ(json["first"]["face_a"], right["first"]["face_a"].get<int>() + 2);
    EXPECT_EQ(json["collisions"][0]["type"], "fv");
    EXPECT_EQ(json["collisions"][0]["a"], right["collisions"][0]["a"].get<int>() + 2);
    EXPECT_EQ(json["collisions"][0]["time"], right["collisions"][0]["time"]);
}

// A cube of half the size, at the middle of the other.
std::string small_cube() {
    std::string text = kCube;
    for (std::size_t at = text.find(".5"); at != std::string::npos; at = text.find(".5", at + 3))
        text.replace(at, 2, ".25");
    return text;
}

TEST_F(RigidCommand, ABodyInsideTheOtherIsInContact) {
    const std::string small = folder_.write("small.obj", small_cube());
    const std::string step = poses(kRest, kRest, kRest, pose("1,0,0,0", "0.1,0,0"));
    const std::string file = folder_.write("poses.json", step);
    const std::vector<std::string> arguments = {"rigid", cube_, small, "--poses", file};
    const Json solid = with_warnings(arguments);
    EXPECT_EQ(solid["first"]["verdict"], "contact");
    EXPECT_EQ(solid["first"]["toi_upper"], 0.0);
    EXPECT_EQ(solid["start"], "b-inside-a");
    EXPECT_EQ(solid["surfaces_only"], false);
    const ToolOutcome text = run_tool(arguments);
    EXPECT_NE(text.out.find("contact, t in [0, 0], B is inside A\n"), std::string::npos)
        << text.out;
    std::vector<std::string> surfaces = arguments;
    surfaces.push_back("--surfaces-only");
    const Json sheet = with_warnings(surfaces);
    EXPECT_EQ(sheet["first"]["verdict"], "separated");
    EXPECT_EQ(sheet["surfaces_only"], true);
}

TEST_F(RigidCommand, TranslationsOutOfRangeAreRefused) {
    for (const std::string far : {"1e308", "1e300", "1e100"}) {
        const std::string step =
            poses(kRest, kRest, pose("1,0,0,0", far + ",0,0"), pose("1,0,0,0", "-" + far + ",0,0"));
        EXPECT_NE(error(step).find("beyond"), std::string::npos) << far;
        EXPECT_NE(error(step, {"--mode", "certified"}).find("beyond"), std::string::npos) << far;
    }
    // In range, but with nothing left for a pixel, nor for a proof of anything.
    const std::string step =
        poses(kRest, kRest, pose("1,0,0,0", "1e20,0,0"), pose("1,0,0,0", "-1e20,0,0"));
    EXPECT_NE(error(step).find("roundings"), std::string::npos);
    EXPECT_EQ(ask(step, {"--mode", "certified"})["first"]["verdict"], "unresolved");
}

TEST_F(RigidCommand, AWideBracketIsExplained) {
    // A corner grazes the side of B from 0.7 on; B's face hits at 0.9.
    const std::string sheets = folder_.write(
        "sheets.obj",
        "v .5 0 2\nv 1.5 1 2\nv 1.5 -1 2\nv -1 -1 1\nv 1 -1 1\nv 0 1.5 1\nf 1 2 3\nf 4 5 6\n");
    const std::string file = folder_.write(
        "poses.json", poses(kRest, kRest, pose("1,0,0,0", "0,0,6"), pose("1,0,0,0", "0,0,1")));
    const ToolOutcome wide = run_tool({"rigid", sheets, cube_, "--poses", file});
    EXPECT_EQ(wide.exit_code, 0) << wide.err;
    EXPECT_NE(wide.out.find("a wide bracket"), std::string::npos) << wide.out;
    const Json json = with_warnings({"rigid", sheets, cube_, "--poses", file});
    EXPECT_NEAR(json["first"]["toi_upper"].get<double>(), 0.9, 1e-6);
    const ToolOutcome narrow = run_tool(call(hit_));
    EXPECT_EQ(narrow.out.find("a wide bracket"), std::string::npos) << narrow.out;
}

TEST_F(RigidCommand, FramesDoNotStayWhereALaterOutputFails) {
    const ToolOutcome outcome =
        run_tool(call(hit_, {"--frames", folder_ / "frames", "--json", "/dev/full"}));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(folder_.files(), (std::vector<std::string>{"cube.obj", "poses.json"}));
}

// Seconds until a tool that was asked to stop has ended by the signal.
double seconds_to_end(pid_t tool) {
    const auto begin = std::chrono::steady_clock::now();
    kill(tool, SIGINT);
    EXPECT_EQ(wait_for_tool(tool).signal, SIGINT);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(RigidCommand, AnInterruptEndsACertifiedSearchAtOnce) {
    const std::string torus = folder_ / "torus.obj";
    ASSERT_EQ(run_tool({"model", "torus", "--faces", "100000", "--out", torus}).exit_code, 0);
    const std::string file =
        folder_.write("poses.json", poses(kRest, kRest, pose("0.8,0.6,0,0", "0.1,2.5,0.2"),
                                          pose("0.8,0.36,0.48,0", "0.1,-2.5,0.2")));
    const pid_t tool = start_tool({"rigid", torus, torus, "--poses", file, "--mode", "certified",
                                   "--json", folder_ / "out.json", "--svg", folder_ / "out.svg"});
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    // A second on an idle machine; tests share theirs.
    EXPECT_LT(seconds_to_end(tool), 5.0);
    EXPECT_EQ(folder_.files(), (std::vector<std::string>{"cube.obj", "poses.json", "torus.obj"}));
}

TEST_F(RigidCommand, OpenSurfacesAreReported) {
    const std::string open = folder_.write("open.obj", "v 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\n");
    const std::string step = folder_.write("p.json", poses(kRest, kRest, kRest, kRest));
    const Json json = with_warnings({"rigid", cube_, open, "--poses", step});
    EXPECT_EQ(json["a"]["closed"], true);
    EXPECT_EQ(json["b"]["closed"], false);
    EXPECT_EQ(json["b"]["open_edges"], 3);
    EXPECT_EQ(json["first"]["verdict"], "separated");
    EXPECT_FALSE(json["warnings"].empty());
}

TEST(ModelCommand, WritesModelsThatScrewReads) {
    const TempFolder folder;
    const std::string step = folder.write(
        "p.json", poses(kRest, kRest, pose("1,0,0,0", "90,0,0"), pose("1,0,0,0", "80,0,0")));
    for (const std::string name :
         {"cube", "tetrahedron", "car", "comb", "torus", "sphere", "screw", "nut"}) {
        const std::string file = folder / (name + ".obj");
        ASSERT_EQ(run_tool({"model", name, "--out", file}).exit_code, 0) << name;
        const Json json = run_tool_for_json({"rigid", file, file, "--poses", step});
        EXPECT_EQ(json["a"]["closed"], true) << name;
        EXPECT_EQ(json["first"]["verdict"], "separated") << name;
    }
    const Json large =
        run_tool_for_json({"model", "torus", "--faces", "5000", "--out", folder / "t.obj"});
    EXPECT_NEAR(large["faces"].get<double>(), 5000.0, 500.0);
}

TEST(ModelCommand, TheNameOfTheFileSaysWhichFormIsWritten) {
    const TempFolder folder;
    ASSERT_EQ(run_tool({"model", "torus", "--out", folder / "t.obj"}).exit_code, 0);
    ASSERT_EQ(run_tool({"model", "torus", "--out", folder / "t.PLY"}).exit_code, 0);
    EXPECT_TRUE(read_file(folder / "t.PLY").starts_with("ply\nformat binary_little_endian 1.0\n"));
    const std::string step =
        folder.write("p.json", poses(kRest, kRest, pose("1,0,0,0", "90,0,0"), kRest));
    Json obj = run_tool_for_json({"rigid", folder / "t.obj", folder / "t.obj", "--poses", step});
    Json ply = run_tool_for_json({"rigid", folder / "t.PLY", folder / "t.PLY", "--poses", step});
    EXPECT_EQ(ply["collisions"], obj["collisions"]);
    EXPECT_EQ(ply["first"], obj["first"]);
    for (const char* name : {"t.stl", "t.txt", "t", "t.obj.gz", "ply"}) {
        const ToolOutcome outcome = run_tool({"model", "torus", "--out", folder / name});
        EXPECT_EQ(outcome.exit_code, 2) << name;
        EXPECT_NE(outcome.err.find("--out must end in .obj or .ply"), std::string::npos)
            << outcome.err;
    }
    EXPECT_EQ(folder.files().size(), 3U);
}

// Waits until the tool has begun to write.
void wait_for_files(const TempFolder& folder, std::size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (folder.files().size() < count && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

TEST(ModelCommand, AnInterruptEndsItAtOnceAndLeavesNoFile) {
    for (const std::vector<std::string>& what :
         {std::vector<std::string>{"model", "torus", "--faces", "20000000"},
          {"level", "terrain", "--faces", "10000000"}}) {
        const TempFolder folder;
        std::vector<std::string> arguments = what;
        arguments.insert(arguments.end(), {"--out", folder / "out.obj"});
        const pid_t tool = start_tool(arguments);
        wait_for_files(folder, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        EXPECT_LT(seconds_to_end(tool), 5.0) << what[1];
        EXPECT_EQ(folder.files(), std::vector<std::string>());
    }
}

TEST(ModelCommand, WrongUseIsRefused) {
    const TempFolder folder;
    EXPECT_EQ(run_tool({"model", "teapot", "--out", folder / "t.obj"}).exit_code, 2);
    EXPECT_EQ(run_tool({"model", "cube"}).exit_code, 2);
    EXPECT_TRUE(folder.files().empty());
    const ToolOutcome outcome = run_tool({"model", "cube", "--out", "-"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("\nf "), std::string::npos);
}

}  // namespace
}  // namespace graze::test
