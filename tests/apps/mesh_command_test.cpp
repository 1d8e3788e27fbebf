// `graze mesh`, run as a user does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <random>
#include <set>
#include <thread>
#include <tuple>

#include "apps/tool_runner.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/mesh/safe_step.hpp"
#include "support/outside_data.hpp"

namespace graze::test {
namespace {

using Json = nlohmann::json;

// A point falls through a triangle at t = 1/2; another triangle stands far off.
constexpr const char* kStart =
    "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 90 0 0\nv 91 0 0\nv 90 1 0\nf 1 2 3\nf 5 6 7\n";
constexpr const char* kEnd =
    "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 90 0 0\nv 91 0 0\nv 90 1 0\nf 1 2 3\nf 5 6 7\n";

// Crossing edges, a point that meets an edge, and two points that meet; at rest but for z.
// Edges by (i, j): 0 = (0, 1), 1 = (2, 3), 2 = (4, 5).
constexpr const char* kLoose =
    "v 0 0 {}\nv 2 2 {}\nv 0 2 0\nv 2 0 0\nv 10 0 0\nv 12 0 0\nv 11 0 {}\nv 20 0 0\nv 20 0 {}\n"
    "l 1 2\nl 4 3\nl 5 6\np 7 8 9\n";

std::string with_height(std::string text, const std::string& height) {
    for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}"))
        text.replace(at, 2, height);
    return text;
}

TEST(MeshCommand, DrawsTheStep) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::string end = folder.write("e.obj", kEnd);
    const ToolOutcome to_file = run_tool({"mesh", start, end, "--svg", folder / "step.svg"});
    ASSERT_EQ(to_file.exit_code, 0) << to_file.err;
    EXPECT_NE(to_file.out.find("first       contact: vertex 3, face 0"), std::string::npos);
    const std::string svg = read_file(folder / "step.svg");
    for (const char* part : {"<svg ", "from s.obj to e.obj", "vertex 3, face 0", "first contact",
                             ">start<", ">end<", "</svg>\n"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    const ToolOutcome to_stdout = run_tool({"mesh", start, end, "--svg", "-"});
    EXPECT_EQ(to_stdout.out, svg);
    EXPECT_EQ(run_tool({"mesh", start, end, "--svg", start}).exit_code, 2);
}

TEST(MeshCommand, TakesTolerancesFromBoundsOfTheStep) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::string end = folder.write("e.obj", kEnd);
    for (const char* method : {"safe-cubic", "tight-inclusion"}) {
        for (const char* bound : {"pair", "scene", "100"}) {
            const Json json =
                run_tool_for_json({"mesh", "--method", method, "--bound", bound, start, end});
            EXPECT_EQ(json["contacts_vf"], 1) << method << bound;
            EXPECT_EQ(json["bound"]["choice"], bound);
            EXPECT_GT(json["toi_lower"].get<double>(), 0.0);
            EXPECT_LE(json["toi_lower"].get<double>(), 0.5);
        }
        const Json scene =
            run_tool_for_json({"mesh", "--method", method, "--bound", "scene", start, end});
        EXPECT_EQ(scene["bound"]["longest_edge"], 4.0);
        EXPECT_EQ(scene["bound"]["relative_displacement"], 2.0);
        EXPECT_EQ(scene["bound"]["grew"], false);
    }
    EXPECT_FALSE(run_tool_for_json({"mesh", start, end}).contains("bound"));
}

TEST(MeshCommand, SaysThatAStepLeavesTheBoundThatIsDeclared) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::string end = folder.write("e.obj", kEnd);
    const ToolOutcome outcome = run_tool({"mesh", "--method", "safe-cubic", "--bound", "0.01",
                                          "--json", folder / "o.json", start, end});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("--bound 0.01: the step is larger"), std::string::npos);
    const Json json = Json::parse(read_file(folder / "o.json"));
    EXPECT_EQ(json["bound"]["grew"], true);
    EXPECT_EQ(json["contacts_vf"], 1);
}

TEST(MeshCommand, RefusesABoundForAMethodWithoutTolerances) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::string end = folder.write("e.obj", kEnd);
    EXPECT_EQ(run_tool({"mesh", "--bound", "scene", start, end}).exit_code, 2);
    for (const char* bad : {"-1", "0", "inf", "world"}) {
        EXPECT_EQ(
            run_tool({"mesh", "--method", "safe-cubic", "--bound", bad, start, end}).exit_code, 2)
            << bad;
    }
}

TEST(MeshCommand, FindsAllContactsAndSaysWhatTheContractAsksFor) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::string end = folder.write("e.obj", kEnd);
    const Json json = run_tool_for_json({"mesh", start, end});
    EXPECT_EQ(json["vertices"], 7);
    EXPECT_EQ(json["edges"], 6);
    EXPECT_EQ(json["faces"], 2);
    EXPECT_EQ(json["candidates_vf"], 1);
    EXPECT_EQ(json["candidates_ee"], 0);
    EXPECT_EQ(json["contacts_vf"], 1);
    EXPECT_EQ(json["contacts_ee"], 0);
    EXPECT_EQ(json["unresolved"], 0);
    EXPECT_EQ(json["first"]["kind"], "vf");
    EXPECT_EQ(json["first"]["a"], 3);
    EXPECT_EQ(json["first"]["b"], 0);
    EXPECT_LE(json["toi_lower"].get<double>(), 0.5);
    EXPECT_GE(json["toi_upper"].get<double>(), 0.5);
    EXPECT_GE(json["seconds_broad"].get<double>(), 0.0);
    EXPECT_GE(json["seconds_narrow"].get<double>(), 0.0);
    EXPECT_TRUE(json.contains("build"));
}

TEST(MeshCommand, FirstLeavesTheCountsOfContactsOut) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::string end = folder.write("e.obj", kEnd);
    const Json all = run_tool_for_json({"mesh", start, end});
    const Json first = run_tool_for_json({"mesh", "--first", start, end});
    for (const char* kind : {"contacts_vf", "contacts_ee", "contacts_vv", "contacts_ve"})
        EXPECT_TRUE(first[kind].is_null());
    EXPECT_EQ(first["first"], all["first"]);
    EXPECT_EQ(first["toi_lower"], all["toi_lower"]);
}

TEST(MeshCommand, TimesAreNullWhereNothingTouches) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{}, std::vector<std::string>{"--first"}}) {
        std::vector<std::string> arguments = {"mesh", start, start};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Json json = run_tool_for_json(arguments);
        EXPECT_TRUE(json["toi_lower"].is_null());
        EXPECT_TRUE(json["toi_upper"].is_null());
        EXPECT_TRUE(json["first"].is_null());
    }
    const Json json = run_tool_for_json({"mesh", start, start});
    EXPECT_EQ(json["contacts_vf"], 0);
}

TEST(MeshCommand, PairsNameEdgesInTheOrderOfSortedVertexPairsAndKeepEdgesAndPoints) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", with_height(kLoose, "3"));
    const std::string end = folder.write("e.obj", with_height(kLoose, "-1"));
    ASSERT_EQ(run_tool({"mesh", start, end, "--pairs", folder / "p.csv"}).exit_code, 0);
    const auto lines = lines_of(read_file(folder / "p.csv"));
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], "kind,a,b,toi_lower,toi_upper");
    for (const auto& [line, begin] :
         {std::pair(lines[1], "ee,0,1,"), std::pair(lines[2], "vv,7,8,"),
          std::pair(lines[3], "ve,6,2,")}) {
        ASSERT_TRUE(line.starts_with(begin)) << line;
        const std::size_t comma = line.rfind(',');
        const auto lower = io::parse_double(line.substr(7, comma - 7));
        const auto upper = io::parse_double(line.substr(comma + 1));
        ASSERT_TRUE(lower && upper) << line;
        EXPECT_LE(*lower, 0.75);
        EXPECT_GE(*upper, 0.75);
    }
}

TEST(MeshCommand, TheOptionsOfAQueryCount) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::string end = folder.write("e.obj", kEnd);
    const auto contacts = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"mesh", start, end});
        return run_tool_for_json(options)["contacts_vf"].get<int>();
    };
    EXPECT_EQ(contacts({"--t-max", "0.5"}), 1);
    EXPECT_EQ(contacts({"--t-max", "0x1.fffffffffffffp-2"}), 0);
    EXPECT_EQ(contacts({"--t-max", "0.25"}), 0);
    EXPECT_EQ(contacts({"--t-max", "0.25", "--min-separation", "0.75"}), 1);
    EXPECT_EQ(contacts({"--t-max", "0.25", "--min-separation", "0.75", "--norm", "max"}), 1);
    EXPECT_EQ(contacts({"--method", "tight-inclusion"}), 1);
    EXPECT_EQ(contacts({"--method", "oracle"}), 1);
}

TEST(MeshCommand, EveryFormatGivesTheSameAnswer) {
    const TempFolder folder;
    const auto stl = [](const std::string& top) {
        return "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 4 0 0\nvertex 0 4 0\n"
               "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 1 " +
               top + "\nvertex 1 2 9\nvertex 2 1 9\nendloop\nendfacet\nendsolid\n";
    };
    const auto obj = [](const std::string& top) {
        return "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 " + top + "\nv 1 2 9\nv 2 1 9\nf 1 2 3\nf 4 5 6\n";
    };
    const Json from_stl = run_tool_for_json(
        {"mesh", folder.write("s.stl", stl("1")), folder.write("e.stl", stl("-1"))});
    const Json from_obj = run_tool_for_json(
        {"mesh", folder.write("s.obj", obj("1")), folder.write("e.obj", obj("-1"))});
    EXPECT_EQ(from_obj["contacts_vf"], 1);
    for (const char* field : {"vertices", "edges", "faces", "contacts_vf", "contacts_ee",
                              "toi_lower", "toi_upper", "first"})
        EXPECT_EQ(from_stl[field], from_obj[field]) << field;
}

TEST(MeshCommand, ThePictureIsTheStartColouredByTheTimeOfContact) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::string end = folder.write("e.obj", kEnd);
    ASSERT_EQ(run_tool({"mesh", start, end, "--contacts", folder / "c.ply"}).exit_code, 0);
    const auto picture = io::read_mesh(folder / "c.ply");
    const auto mesh = io::read_mesh(start);
    ASSERT_TRUE(picture && mesh);
    EXPECT_EQ(picture->positions, mesh->positions);
    EXPECT_EQ(picture->faces, mesh->faces);
    const std::string bytes = read_file(folder / "c.ply");
    const std::size_t body = bytes.find("end_header\n") + 11;
    constexpr std::size_t kVertexBytes = 35;
    const auto colour = [&](std::size_t vertex) {
        return bytes.substr(body + kVertexBytes * vertex + 24, 3);
    };
    const std::string grey(3, static_cast<char>(200));
    for (const std::size_t vertex : {0U, 1U, 2U, 3U}) {
        EXPECT_NE(colour(vertex), grey);
        EXPECT_EQ(colour(vertex), colour(0));
    }
    for (const std::size_t vertex : {4U, 5U, 6U})
        EXPECT_EQ(colour(vertex), grey);
}

// --- Bounds --------------------------------------------------------------------------------------

std::string obj_of(const std::vector<Vec3>& positions, std::size_t triangles) {
    std::string text;
    for (const Vec3& p : positions) {
        text += "v " + io::to_hex(p.x) + " " + io::to_hex(p.y) + " " + io::to_hex(p.z) + "\n";
    }
    for (std::size_t i = 0; i < triangles; ++i) {
        text += "f " + std::to_string(3 * i + 1) + " " + std::to_string(3 * i + 2) + " " +
                std::to_string(3 * i + 3) + "\n";
    }
    return text;
}

struct Bounds {
    std::vector<double> radius;
    std::vector<double> fraction;
};

Bounds read_bounds(const std::string& path) {
    Bounds bounds;
    const auto lines = lines_of(read_file(path));
    EXPECT_EQ(lines.at(0), "vertex,radius,fraction");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::size_t first = lines[i].find(',');
        const std::size_t second = lines[i].rfind(',');
        EXPECT_EQ(lines[i].substr(0, first), std::to_string(i - 1));
        bounds.radius.push_back(
            io::parse_double(lines[i].substr(first + 1, second - first - 1)).value());
        bounds.fraction.push_back(io::parse_double(lines[i].substr(second + 1)).value());
    }
    return bounds;
}

// Triangles apart in layers, and where they go: through each other.
std::pair<std::vector<Vec3>, std::vector<Vec3>> layers(std::size_t triangles) {
    std::mt19937_64 rng(20250104);
    const auto unit = [&] { return std::ldexp(static_cast<double>(rng() >> 11), -53); };
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    for (std::size_t i = 0; i < 3 * triangles; ++i) {
        const double height = static_cast<double>(i / 3);
        start.push_back({unit(), unit(), height + 0.25 * unit()});
        end.push_back(start.back() + Vec3{unit() - 0.5, unit() - 0.5, 6.0 * (unit() - 0.5)});
    }
    return {start, end};
}

TEST(MeshCommand, MotionsWithinTheBoundsAreFree) {
    constexpr std::size_t kTriangles = 12;
    const TempFolder folder;
    const auto [start, end] = layers(kTriangles);
    const std::string from = folder.write("s.obj", obj_of(start, kTriangles));
    const std::string to = folder.write("e.obj", obj_of(end, kTriangles));
    const auto json = run_tool_for_json({"mesh", from, to, "--per-vertex", folder / "b.csv"});
    ASSERT_GT(json["contacts_ee"].get<int>(), 0);
    const Bounds bounds = read_bounds(folder / "b.csv");
    ASSERT_EQ(bounds.radius.size(), start.size());
    EXPECT_LT(*std::min_element(bounds.fraction.begin(), bounds.fraction.end()), 1.0);
    EXPECT_GT(*std::max_element(bounds.fraction.begin(), bounds.fraction.end()), 0.0);
    const auto contacts_to = [&](const std::vector<Vec3>& target) {
        const auto found =
            run_tool_for_json({"mesh", from, folder.write("t.obj", obj_of(target, kTriangles))});
        return found["contacts_vf"].get<int>() + found["contacts_ee"].get<int>();
    };
    EXPECT_EQ(contacts_to(positions_between(start, end, bounds.fraction)), 0);
    std::mt19937_64 rng(20250105);
    for (int round = 0; round < 4; ++round) {
        std::vector<Vec3> near = start;
        for (std::size_t i = 0; i < near.size(); ++i) {
            EXPECT_GT(bounds.radius[i], 0.0);
            const double reach = rng() % 2 == 0 ? bounds.radius[i] : -bounds.radius[i];
            near[i][rng() % 3] += 0.999999 * reach;
        }
        EXPECT_EQ(contacts_to(near), 0);
    }
}

// --- What goes wrong -----------------------------------------------------------------------------

TEST(MeshCommand, BadInputIsOneLineThatNamesThePlace) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const auto error_of = [&](const std::string& end) {
        const ToolOutcome outcome = run_tool({"mesh", start, end, "--pairs", folder / "p.csv"});
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "p.csv"));
        return outcome.err;
    };
    EXPECT_NE(error_of(folder / "none.obj").find("none.obj: cannot be opened"), std::string::npos);
    EXPECT_NE(error_of(folder.write("nan.obj", "v 0 nan 0\n")).find("nan.obj: line 1: y: 'nan'"),
              std::string::npos);
    EXPECT_NE(error_of(folder.write("few.obj", "v 0 0 0\n"))
                  .find("few.obj: does not match " + start + ": has 1 vertices, the start 7"),
              std::string::npos);
    EXPECT_NE(error_of(folder.write("empty.ply", "")).find("empty.ply: is empty"),
              std::string::npos);
}

TEST(MeshCommand, WrongUseIsExitCodeTwo) {
    const TempFolder folder;
    const std::string start = folder.write("s.obj", kStart);
    const std::vector<std::vector<std::string>> wrong = {
        {"mesh", start},
        {"mesh", start, start, "--method", "none"},
        {"mesh", start, start, "--t-max", "2"},
        {"mesh", start, start, "--min-separation", "-1"},
        {"mesh", start, start, "--method", "safe-cubic", "--min-separation", "1"},
        {"mesh", start, start, "--pairs", start},
        {"mesh", start, start, "--pairs", "-", "--json", "-"},
        {"mesh", start, start, "--reach", "-1"},
        {"mesh", start, start, "--per-vertex", folder / "b", "--min-separation", "1", "--norm",
         "max"}};
    for (const auto& arguments : wrong) {
        const ToolOutcome outcome = run_tool(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments.back();
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
    EXPECT_EQ(read_file(start), kStart);
}

// --- Meshes as exporters write them --------------------------------------------------------------

// A cube of loose triangles: each of its 12 faces has three vertices of its own.
std::string loose_cube(double z) {
    const std::vector<std::array<int, 3>> faces = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                                   {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                   {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    std::string text;
    int count = 0;
    for (const auto& face : faces) {
        for (const int v : face)
            text += "v " + std::to_string(v & 1) + " " + std::to_string(v >> 1 & 1) + " " +
                    std::to_string((v >> 2 & 1) + z) + "\n";
        text += "f " + std::to_string(count + 1) + " " + std::to_string(count + 2) + " " +
                std::to_string(count + 3) + "\n";
        count += 3;
    }
    return text;
}

// The JSON of a call that warns on stderr as well.
Json json_with_warnings(std::vector<std::string> arguments, int exit_code = 0) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const ToolOutcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    Json json = Json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << outcome.out;
    EXPECT_EQ(lines_of(outcome.err).size(), json["warnings"].size()) << outcome.err;
    return json;
}

TEST(MeshCommand, WarnsOfRepeatedVerticesAndOfAStartThatIsNotFree) {
    const TempFolder folder;
    const std::string cube = folder.write("c.obj", loose_cube(0.0));
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{}, std::vector<std::string>{"--first"}}) {
        std::vector<std::string> call = {"mesh", cube, cube};
        call.insert(call.end(), options.begin(), options.end());
        const Json json = json_with_warnings(call);
        EXPECT_EQ(json["repeated_vertices"], 28);
        EXPECT_EQ(json["toi_lower"], 0.0);
        ASSERT_EQ(json["warnings"].size(), 2U);
        const std::string repeated = json["warnings"][0];
        EXPECT_NE(repeated.find("c.obj: 28 repeated vertices"), std::string::npos) << repeated;
        EXPECT_NE(repeated.find("--weld"), std::string::npos) << repeated;
        const std::string start = json["warnings"][1];
        EXPECT_NE(start.find("touching or intersecting at the start"), std::string::npos) << start;
    }
}

TEST(MeshCommand, WarnsOfFacesWithoutAreaAndOfDoubledOnes) {
    const TempFolder folder;
    const std::string two = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 2 3 1\n";
    const std::string mesh = folder.write("m.obj", two + "f 1 1 2\n");
    const Json json = json_with_warnings({"mesh", mesh, mesh});
    EXPECT_EQ(json["degenerate_faces"], 1);
    EXPECT_EQ(json["duplicate_faces"], 1);
    ASSERT_EQ(json["warnings"].size(), 1U);
    EXPECT_NE(json["warnings"][0].get<std::string>().find("1 face without area, 1 duplicate face"),
              std::string::npos);
    // A sliver has a vertex on its own long side, and so touches the faces that share it.
    const std::string sliver = folder.write("s.obj", two + "v 2 0 0\nf 1 2 4\n");
    EXPECT_EQ(json_with_warnings({"mesh", sliver, sliver})["warnings"].size(), 2U);
}

TEST(MeshCommand, WeldsVerticesThatAreEqualAtBothEnds) {
    const TempFolder folder;
    const std::string cube = folder.write("c.obj", loose_cube(0.0));
    const std::string up = folder.write("u.obj", loose_cube(1.5));
    const Json json = run_tool_for_json({"mesh", cube, up, "--weld"});
    EXPECT_EQ(json["vertices"], 8);
    EXPECT_EQ(json["edges"], 18);
    EXPECT_EQ(json["welded_vertices"], 28);
    EXPECT_EQ(json["contacts_ee"], 0);
    EXPECT_EQ(json["contacts_vf"], 0);
    EXPECT_TRUE(json["warnings"].empty());
}

// Two loose quads; the second falls onto the first. Vertices of the outputs are those of the files.
TEST(MeshCommand, WeldedOutputsNameTheVerticesOfTheFiles) {
    const TempFolder folder;
    const auto quads = [](const std::string& z) {
        return "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 0 0\nv 4 4 0\nv 0 4 0\n"  // 3, 4 repeat 0, 2
               "v 1 1 " +
               z + "\nv 2 1 " + z + "\nv 2 2 " + z + "\n" +               //
               "v 1 1 " + z + "\nv 2 2 " + z + "\nv 1 2.5 " + z + "\n" +  // 9, 10 repeat 6, 8
               "f 1 2 3\nf 4 5 6\nf 7 8 9\nf 10 11 12\n";
    };
    const std::string start = folder.write("s.obj", quads("1"));
    const std::string end = folder.write("e.obj", quads("-1"));
    ASSERT_EQ(run_tool({"mesh", start, end, "--weld", "--pairs", folder / "p.csv", "--per-vertex",
                        folder / "b.csv", "--contacts", folder / "c.ply"})
                  .exit_code,
              0);
    std::set<int> vertices;
    std::set<int> faces;
    for (const std::string& line : lines_of(read_file(folder / "p.csv"))) {
        int a = 0;
        int b = 0;
        if (std::sscanf(line.c_str(), "vf,%d,%d", &a, &b) != 2) continue;
        vertices.insert(a);
        faces.insert(b);
    }
    EXPECT_EQ(vertices, (std::set<int>{6, 7, 8, 11}));
    EXPECT_EQ(faces, (std::set<int>{0, 1}));
    const auto bounds = lines_of(read_file(folder / "b.csv"));
    ASSERT_EQ(bounds.size(), 13U);
    EXPECT_TRUE(bounds[10].starts_with("9,"));
    EXPECT_EQ(bounds[10].substr(2), bounds[7].substr(2));  // 9 is 6
    EXPECT_EQ(bounds[11].substr(3), bounds[9].substr(2));  // 10 is 8
    EXPECT_NE(bounds[7].substr(2), "0,0");
    const auto picture = io::read_mesh(folder / "c.ply");
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->positions.size(), 12U);
    const Json json = run_tool_for_json({"mesh", start, end, "--weld"});
    const Json first = run_tool_for_json({"mesh", start, end, "--weld", "--first"});
    EXPECT_EQ(json["first"], first["first"]);
}

TEST(MeshCommand, ThePhasesAddUpToTheWholeTime) {
    const TempFolder folder;
    // A grid that is folded flat: all of it meets at once.
    std::string start;
    std::string end;
    constexpr int kSide = 24;
    for (int i = 0; i < kSide * kSide; ++i) {
        const int x = i % kSide;
        const int y = i / kSide;
        const std::string place = "v " + std::to_string(x) + " " + std::to_string(y) + " ";
        start += place + std::to_string((x * x + y * 3) % 7) + "\n";
        end += place + std::to_string(-((x * x + y * 3) % 7)) + "\n";
    }
    std::string faces;
    for (int i = 0; i < kSide * (kSide - 1); ++i) {
        if (i % kSide == kSide - 1) continue;
        faces += "f " + std::to_string(i + 1) + " " + std::to_string(i + 2) + " " +
                 std::to_string(i + 1 + kSide) + "\n";
    }
    const std::string s = folder.write("s.obj", start + faces);
    const std::string e = folder.write("e.obj", end + faces);
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{}, std::vector<std::string>{"--first"}}) {
        std::vector<std::string> call = {"mesh", s, e, "--pairs", folder / "p.csv"};
        call.insert(call.end(), options.begin(), options.end());
        // A phase that is left out is so each time; an interruption between two phases is not.
        bool adds_up = false;
        for (int attempt = 0; attempt < 10 && !adds_up; ++attempt) {
            const Json json = run_tool_for_json(call);
            double sum = 0.0;
            for (const char* phase : {"seconds_read", "seconds_check", "seconds_broad",
                                      "seconds_narrow", "seconds_output"})
                sum += json[phase].get<double>();
            const double total = json["seconds_total"];
            EXPECT_LE(sum, total * 1.001);
            adds_up = sum >= 0.95 * total - 0.01;
        }
        EXPECT_TRUE(adds_up) << options.size();
    }
}

// --- graze check ---------------------------------------------------------------------------------

TEST(CheckCommand, SaysWhetherASimulationCanStart) {
    const TempFolder folder;
    const std::string apart = folder.write(
        "apart.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nv 1 0 2\nv 0 1 2\nf 1 2 3\nf 4 5 6\n");
    const Json free = run_tool_for_json({"check", apart});
    EXPECT_EQ(free["can_start"], true);
    EXPECT_EQ(free["intersections"], 0);
    EXPECT_EQ(free["touching"], 0);
    EXPECT_EQ(free["components"], 2);
    EXPECT_EQ(free["degenerate_faces"], 0);
    EXPECT_EQ(free["duplicate_faces"], 0);
    EXPECT_EQ(free["non_manifold_edges"], 0);
    EXPECT_LE(free["least_distance_lower"].get<double>(), 2.0);
    EXPECT_GT(free["least_distance_lower"].get<double>(), 1.99);
    EXPECT_TRUE(free["first"].is_null());
    EXPECT_TRUE(free.contains("build"));

    // An edge of the second goes through the first.
    const std::string crossed = folder.write(
        "x.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 9 9 1\nf 1 2 3\nf 4 5 6\n");
    const Json stuck = json_with_warnings({"check", crossed}, 3);
    EXPECT_EQ(stuck["can_start"], false);
    EXPECT_EQ(stuck["intersections"], 2);  // two edges of the second meet the first
    EXPECT_EQ(stuck["least_distance_lower"], 0.0);
    // A vertex of the second rests on the first.
    const std::string resting = folder.write(
        "t.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 0\nv 1 1 1\nv 2 1 1\nf 1 2 3\nf 4 5 6\n");
    const Json touching = json_with_warnings({"check", resting}, 3);
    EXPECT_EQ(touching["intersections"], 0);
    EXPECT_GT(touching["touching"], 0);
}

TEST(CheckCommand, FindsWhatExportersDoubleAndWeldsIt) {
    const TempFolder folder;
    const std::string cube = folder.write("c.obj", loose_cube(0.0));
    const Json loose = json_with_warnings({"check", cube}, 3);
    EXPECT_EQ(loose["repeated_vertices"], 28);
    EXPECT_EQ(loose["components"], 12);
    const Json welded = run_tool_for_json({"check", cube, "--weld"});
    EXPECT_EQ(welded["can_start"], true);
    EXPECT_EQ(welded["components"], 1);
    EXPECT_EQ(welded["open_edges"], 0);
    EXPECT_EQ(welded["inside_out_components"], 0);
    const ToolOutcome text = run_tool({"check", cube, "--weld"});
    EXPECT_NE(text.out.find("can start   yes"), std::string::npos) << text.out;
    EXPECT_EQ(run_tool({"check", folder / "none.obj"}).exit_code, 1);
    EXPECT_EQ(run_tool({"check"}).exit_code, 2);
    EXPECT_EQ(run_tool({"check", cube, "--json", cube}).exit_code, 2);
}

TEST(MeshCommand, HelpHasExamples) {
    const ToolOutcome outcome = run_tool({"mesh", "--help"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("Examples:\n  graze mesh"), std::string::npos);
}

TEST(MeshCommand, ResultsAreTheSameForEveryNumberOfThreads) {
    const TempFolder folder;
    const auto [start, end] = layers(60);
    const std::string from = folder.write("s.obj", obj_of(start, 60));
    const std::string to = folder.write("e.obj", obj_of(end, 60));
    std::set<std::string> results;
    for (const char* threads : {"1", "2", "5"}) {
        ASSERT_EQ(run_tool({"mesh", from, to, "--threads", threads, "--pairs", folder / "p.csv"})
                      .exit_code,
                  0);
        results.insert(read_file(folder / "p.csv"));
    }
    EXPECT_EQ(results.size(), 1U);
    EXPECT_GT(lines_of(*results.begin()).size(), 10U);
}

TEST(MeshCommand, ASignalStopsASlowMethodAndLeavesNothingBehind) {
    const TempFolder folder;
    std::mt19937_64 rng(20250106);
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    for (int i = 0; i < 3 * 700; ++i) {
        const auto unit = [&] { return std::ldexp(static_cast<double>(rng() >> 11), -53); };
        start.push_back({unit(), unit(), unit()});
        end.push_back({unit(), unit(), unit()});
    }
    const std::string from = folder.write("s.obj", obj_of(start, 700));
    const std::string to = folder.write("e.obj", obj_of(end, 700));
    const pid_t tool =
        start_tool({"mesh", from, to, "--method", "oracle", "--pairs", folder / "p.csv"});
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (folder.files().size() < 3 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const auto sent = std::chrono::steady_clock::now();
    kill(tool, SIGINT);
    EXPECT_EQ(wait_for_tool(tool).signal, SIGINT);
    // All pairs would take the oracle many minutes.
    EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(20));
    EXPECT_EQ(folder.files(), (std::vector<std::string>{"e.obj", "s.obj"}));
}

// --- Published scenes ----------------------------------------------------------------------------

using Pair = std::tuple<std::string, std::uint64_t, std::uint64_t>;

struct Scene {
    const char* name;
    const char* start;
    const char* end;
    const char* kind;   // of the first impact
    double first_time;  // truncated, not rounded
};

Json read_json(const fs::path& path) {
    return Json::parse(read_file(path));
}

// By the published number of an edge: its number in the order of unique_edges().
std::vector<std::uint64_t> our_edges(const std::vector<EdgeIndices>& published) {
    std::vector<EdgeIndices> ours = published;
    std::sort(ours.begin(), ours.end());
    std::vector<std::uint64_t> numbers;
    for (const EdgeIndices& edge : published) {
        const auto found = std::lower_bound(ours.begin(), ours.end(), edge);
        numbers.push_back(static_cast<std::uint64_t>(found - ours.begin()));
    }
    return numbers;
}

// Every pair that is listed and true.
std::set<Pair> published_pairs(const fs::path& folder, const Scene& scene) {
    const std::string frame = scene.start;
    const auto frames = io::read_mesh_pair(folder / "frames" / (frame + ".ply"),
                                           folder / "frames" / (scene.end + std::string(".ply")));
    EXPECT_TRUE(frames);
    const std::uint64_t first_edge = frames->start.size();
    const std::vector<std::uint64_t> edges = our_edges(io::box_edges(frames->faces, frames->edges));
    const std::uint64_t first_face = first_edge + edges.size();
    std::set<Pair> pairs;
    for (const std::string kind : {"vf", "ee"}) {
        const Json boxes = read_json(folder / "boxes" / (frame + kind + ".json"));
        const Json truth = read_json(folder / "mma_bool" / (frame + kind + "_mma_bool.json"));
        EXPECT_EQ(boxes.size(), truth.size());
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            if (!truth[i].get<bool>()) continue;
            std::uint64_t a = boxes[i][0];
            std::uint64_t b = boxes[i][1];
            if (kind == "vf") {
                pairs.insert({kind, a, b - first_face});
            } else {
                a = edges.at(a - first_edge);
                b = edges.at(b - first_edge);
                pairs.insert({kind, std::min(a, b), std::max(a, b)});
            }
        }
    }
    return pairs;
}

std::set<Pair> found_pairs(const std::string& path) {
    std::set<Pair> pairs;
    const auto lines = lines_of(read_file(path));
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::size_t first = lines[i].find(',');
        const std::size_t second = lines[i].find(',', first + 1);
        pairs.insert({lines[i].substr(0, first), std::stoull(lines[i].substr(first + 1)),
                      std::stoull(lines[i].substr(second + 1))});
    }
    EXPECT_EQ(pairs.size(), lines.size() - 1);
    return pairs;
}

class PublishedScene : public ::testing::TestWithParam<Scene> {};

TEST_P(PublishedScene, HasTheListedContactsAndNoOther) {
    const Scene& scene = GetParam();
    const fs::path folder = graze::testing::outside_data("ccd-queries") / "simulation" / scene.name;
    if (!fs::exists(folder)) GTEST_SKIP() << "no published scenes beside the project";
    const TempFolder out;
    const std::string start = (folder / "frames" / (std::string(scene.start) + ".ply")).string();
    const std::string end = (folder / "frames" / (std::string(scene.end) + ".ply")).string();
    const Json all = run_tool_for_json({"mesh", start, end, "--pairs", out / "p.csv"});
    const std::set<Pair> expected = published_pairs(folder, scene);
    const std::set<Pair> found = found_pairs(out / "p.csv");
    EXPECT_GT(expected.size(), 100U);
    EXPECT_TRUE(expected == found) << expected.size() << " listed, " << found.size() << " found";
    EXPECT_EQ(all["contacts_vf"].get<std::size_t>() + all["contacts_ee"].get<std::size_t>(),
              expected.size());
    const Json first = run_tool_for_json({"mesh", "--first", start, end});
    EXPECT_EQ(first["first"], all["first"]);
    EXPECT_EQ(first["first"]["kind"], scene.kind);
    for (const Json& json : {all, first}) {
        EXPECT_LE(json["toi_lower"].get<double>(), std::nextafter(scene.first_time, 1.0));
        EXPECT_GE(json["toi_upper"].get<double>(), scene.first_time);
        EXPECT_LE(json["toi_upper"].get<double>() - json["toi_lower"].get<double>(), 1.1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, PublishedScene,
    ::testing::Values(Scene{"cloth-funnel", "227", "228", "vf", 0.04523222037614761},
                      Scene{"armadillo-rollers", "326", "327", "ee", 3.9858192989688544e-05},
                      Scene{"rod-twist", "3036", "3037", "ee", 5.8884576317483591e-05}),
    [](const auto& scene) {
        std::string name = scene.param.name;
        std::erase(name, '-');
        return name;
    });

}  // namespace
}  // namespace graze::test
