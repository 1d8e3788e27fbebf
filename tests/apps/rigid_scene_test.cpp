// `graze rigid --scene` and `--shape-a`, run as a user does.
#include <gtest/gtest.h>

#include <sstream>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kScene = R"({
  "name": "two", "steps": 30, "time_step": 0.01, "friction": 0.4,
  "shapes": {"floor": {"box": [5, 5, 0.5]}, "ball": {"sphere": 0.5},
             "rod": {"capsule": [0.2, 0.5]}, "can": {"cylinder": [0.3, 0.4]},
             "rock": {"hull": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "rounding": 0.05}},
  "bodies": [{"shape": "floor", "position": [0, 0, -0.5], "kind": "static"},
             {"shape": "ball", "position": [0, 0, 0.7], "restitution": 0.5},
             {"shape": "rod", "position": [2, 0, 1], "velocity": [0, 0, -1]},
             {"shape": "can", "position": [-2, 0, 1], "angular_velocity": [0, 3, 0]},
             {"shape": "rock", "position": [0, 2, 1], "rotation": [0.8, 0.6, 0, 0], "density": 2}]})";

class RigidScene : public testing::Test {
protected:
    [[nodiscard]] std::string error_of(const std::string& text) const {
        const ToolOutcome outcome =
            run_tool({"rigid", "--scene", folder_.write("scene.json", text)});
        EXPECT_EQ(outcome.exit_code, 1) << text;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        return outcome.err;
    }
    TempFolder folder_;
};

TEST_F(RigidScene, EveryBuiltInSceneStaysFree) {
    for (const char* name : {"pile", "rolling", "gears", "chain", "screw-nut"}) {
        const bool is_slow = std::string(name) == "chain" || std::string(name) == "screw-nut";
        const Json json = run_tool_for_json({"rigid", "--scene", name, "--steps",
                                             is_slow ? "2" : "12", "--bodies", "4", "--check"});
        EXPECT_EQ(json["states_proved"], json["steps"]) << name;
        EXPECT_EQ(json["states_not_proved"], 0) << name;
        EXPECT_EQ(json["states_overlapping"], 0) << name;
    }
}

TEST_F(RigidScene, AFileOfAllConvexShapesIsSteppedAndItsStatesAreWritten) {
    const std::string scene = folder_.write("scene.json", kScene);
    const std::string out = folder_ / "out";
    const Json json =
        run_tool_for_json({"rigid", "--scene", scene, "--check", "--out", out, "--every", "10"});
    EXPECT_EQ(json["scene"], "two");
    EXPECT_EQ(json["bodies"], 5);
    EXPECT_EQ(json["dynamic_bodies"], 4);
    EXPECT_EQ(json["steps"], 30);
    EXPECT_EQ(json["states_proved"], 30);
    const auto lines = lines_of(read_file(out + "/states.csv"));
    ASSERT_EQ(lines.size(), 1U + 3U * 5U);
    EXPECT_EQ(lines[0], "step,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,asleep");
    EXPECT_EQ(lines[1].substr(0, 5), "10,0,");
}

TEST_F(RigidScene, MeshesAreReadBesideTheScene) {
    static_cast<void>(
        folder_.write("cube.obj",
                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                      "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n"));
    const std::string scene = folder_.write("meshes.json", R"({"steps": 40,
        "shapes": {"cube": {"mesh": "cube.obj"}},
        "bodies": [{"shape": "cube", "position": [0, 0, 0], "kind": "static"},
                   {"shape": "cube", "position": [0.1, 0, 1.05]}]})");
    const Json json = run_tool_for_json({"rigid", "--scene", scene, "--check"});
    EXPECT_EQ(json["states_proved"], 40);
    EXPECT_EQ(json["in_contact"], 1);
}

TEST_F(RigidScene, EveryOddFileIsOneClearLine) {
    struct Odd {
        const char* text;
        const char* part;
    };
    const std::string ball = R"("shapes":{"ball":{"sphere":0.5}})";
    const auto with_body = [&](const std::string& body) {
        return "{" + ball + R"(,"bodies":[)" + body + "]}";
    };
    for (const Odd& odd :
         {Odd{"", "scene.json"}, Odd{"[]", "is not an object"}, Odd{"{\"shapes\":{},", "line 1"},
          Odd{"{}", "has no object 'shapes'"}, Odd{R"({"shapes":{}})", "has no list 'bodies'"},
          Odd{R"({"shapes":{},"bodies":[],"gravitiy":[0,0,1]})", "'gravitiy'"},
          Odd{R"({"shapes":{},"bodies":[],"time_step":0})", "'time_step'"},
          Odd{R"({"shapes":{},"bodies":[],"steps":-1})", "'steps'"},
          Odd{R"({"shapes":{},"bodies":[],"gravity":[0,0]})", "'gravity'"},
          Odd{R"({"shapes":{},"shapes":{},"bodies":[]})", "shapes"},
          Odd{R"({"shapes":{"a":{"box":[1,1]}},"bodies":[]})", "'shapes.a.box'"},
          Odd{R"({"shapes":{"a":{"box":[1,1,-1]}},"bodies":[]})", "'shapes.a'"},
          Odd{R"({"shapes":{"a":{"cone":1}},"bodies":[]})", "none of sphere"},
          Odd{R"({"shapes":{"a":{"mesh":"no.obj"}},"bodies":[]})", "no.obj"},
          Odd{R"({"shapes":{"a":{"mesh":"no\nname"}},"bodies":[]})",
              "'shapes.a.mesh' is not the name of a file"},
          Odd{R"({"shapes":{"a":{"hull":[[0,0,0],[1,0,0],[0,1,0]]}},"bodies":[]})", "no volume"},
          Odd{R"({"shapes":{"a":{"sphere":1e999}},"bodies":[]})", "1"}}) {
        EXPECT_NE(error_of(odd.text).find(odd.part), std::string::npos) << odd.text;
    }
    std::string many = "[0,0,0]";
    for (int i = 0; i < 4096; ++i)
        many += ",[0,0,0]";
    EXPECT_NE(error_of(R"({"shapes":{"a":{"hull":[)" + many + R"(]}},"bodies":[]})")
                  .find("more than 4096 points"),
              std::string::npos);
    for (const Odd& odd :
         {Odd{"7", "'bodies[0]' is not an object"}, Odd{"{}", "has no 'shape'"},
          Odd{R"({"shape":"cube","position":[0,0,0]})", "names no shape"},
          Odd{R"({"shape":"ball"})", "has no 'position'"},
          Odd{R"({"shape":"ball","position":[0,0,"x"]})", "'bodies[0].position'"},
          Odd{R"({"shape":"ball","position":[0,0,0],"rotation":[1,1,0,0]})", "bodies[0]"},
          Odd{R"({"shape":"ball","position":[0,0,0],"kind":"heavy"})", "dynamic, static, driven"},
          Odd{R"({"shape":"ball","position":[0,0,0],"restitution":2})", "restitution"},
          Odd{R"({"shape":"ball","position":[0,0,0],"group":-1})", "group"},
          Odd{R"({"shape":"ball","position":[0,0,0],"colour":"red"})", "'colour'"},
          Odd{R"({"shape":"ball","position":[0,0,0]},{"shape":"ball","position":[0.5,0,0]})",
              "bodies 0 and 1 touch at the start"}}) {
        EXPECT_NE(error_of(with_body(odd.text)).find(odd.part), std::string::npos)
            << odd.text << '\n'
            << error_of(with_body(odd.text));
    }
}

TEST_F(RigidScene, WrongUseIsNamed) {
    const auto usage = [](const std::vector<std::string>& arguments) {
        const ToolOutcome outcome = run_tool(arguments);
        EXPECT_EQ(outcome.exit_code, 2);
        return outcome.err;
    };
    EXPECT_NE(usage({"rigid"}).find("A is required"), std::string::npos);
    EXPECT_NE(usage({"rigid", "a.obj", "--scene", "pile"}).find("--scene"), std::string::npos);
    EXPECT_NE(
        usage({"rigid", "a.obj", "b.obj", "--poses", "p", "--motion", "slerp"}).find("--motion"),
        std::string::npos);
    EXPECT_NE(usage({"rigid", "--shape-a", "sphere:1", "--poses", "p"}).find("go together"),
              std::string::npos);
    const ToolOutcome outcome = run_tool({"rigid", "--scene", "heap"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("pile, rolling, gears, chain, screw-nut"), std::string::npos);
}

// B goes from x = `from` to x = `to`.
std::string shifted_poses(double from, double to) {
    std::ostringstream text;
    text << R"({"a":{"start":{"rotation":[1,0,0,0],"translation":[0,0,0]},)"
         << R"("end":{"rotation":[1,0,0,0],"translation":[0,0,0]}},)"
         << R"("b":{"start":{"rotation":[1,0,0,0],"translation":[)" << from << R"(,0,0]},)"
         << R"("end":{"rotation":[1,0,0,0],"translation":[)" << to << ",0,0]}}}";
    return text.str();
}

TEST_F(RigidScene, ConvexBodiesMeetUnderEveryMotion) {
    const std::string poses = folder_.write("poses.json", shifted_poses(4.0, 0.0));
    const auto ask = [&](const std::string& a, const std::string& b, const std::string& motion) {
        return run_tool_for_json(
            {"rigid", "--shape-a", a, "--shape-b", b, "--poses", poses, "--motion", motion});
    };
    for (const char* motion : {"screw", "slerp", "nlerp", "spin", "rotation-vector", "affine"}) {
        const Json json = ask("box:1,1,1", "sphere:0.5", motion);
        EXPECT_EQ(json["first"]["verdict"], "contact") << motion;
        EXPECT_EQ(json["start"], "apart");
        EXPECT_NEAR(json["first"]["toi_lower"].get<double>(), 0.625, 1e-6) << motion;
        EXPECT_NEAR(json["first"]["normal"][0].get<double>(), 1.0, 1e-6) << motion;
    }
    EXPECT_NEAR(ask("capsule:0.5,2", "cylinder:1,1", "slerp")["first"]["toi_lower"].get<double>(),
                0.625, 1e-6);
    const ToolOutcome bad =
        run_tool({"rigid", "--shape-a", "cone:1", "--shape-b", "box:1,1", "--poses", poses});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_NE(bad.err.find("'cone:1' is no shape"), std::string::npos) << bad.err;
}

TEST_F(RigidScene, ConvexBodiesThatTouchAtTheStartSaySo) {
    const auto ask = [&](double from) {
        const std::string poses = folder_.write("poses.json", shifted_poses(from, 5.0));
        return run_tool(
            {"rigid", "--shape-a", "box:1,1,1", "--shape-b", "box:1,1,1", "--poses", poses});
    };
    const std::string overlap = ask(1.5).out;
    EXPECT_NE(overlap.find("start       touching"), std::string::npos) << overlap;
    const std::string touch = ask(2.0).out;
    EXPECT_TRUE(touch.find("touching at the start") != std::string::npos ||
                touch.find("start       touching") != std::string::npos)
        << touch;
}

}  // namespace
}  // namespace graze::test
