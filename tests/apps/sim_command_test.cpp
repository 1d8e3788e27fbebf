// `graze sim`, run as a user does.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "apps/tool_runner.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/io/recording.hpp"

namespace graze::test {
namespace {

using Json = nlohmann::json;

// Ten times as fast as a built-in scene.
constexpr const char* kSmallScene = R"({"frames": 6,
    "solver": {"dt": 0.02},
    "bodies": [{"type": "obstacle", "shape": "plane", "cells": 2},
               {"shape": "block", "half_size": [0.2, 0.2, 0.1], "cells": 1,
                "position": [0.05, 0, 0.25], "axis": [1, 2, 0], "angle": 0.3,
                "velocity": [0, 0, -3], "material": {"young": 1e4}}]})";

TEST(SimCommand, SaysWhatTheContractAsksFor) {
    const TempFolder folder;
    const std::string scene = folder.write("scene.json", kSmallScene);
    for (const std::string response : {"barrier", "sqp"}) {
        const Json json = run_tool_for_json({"sim", scene, "--out", folder / response, "--check",
                                             "--response", response, "--threads", "1"});
        EXPECT_EQ(json["frames"], 6);
        EXPECT_EQ(json["intersections"], 0);
        EXPECT_EQ(json["crossings"], 0);
        EXPECT_EQ(json["stuck"], false);
        EXPECT_GT(json["contacts"].get<int>(), 0);
        EXPECT_GT(json["iterations"].get<int>(), 0);
        EXPECT_GE(json["seconds"].get<double>(), json["seconds_detection"].get<double>());
        EXPECT_EQ(json["per_frame"].size(), 6u);
        EXPECT_TRUE(json.contains("schema_version") || json.contains("schema"));
        EXPECT_TRUE(io::read_mesh(folder.path() / response / "frame_000006.obj"));
    }
}

TEST(SimCommand, ComesWithTheItemsOfReproduceThatSimulate) {
    const ToolOutcome outcome = run_tool({"reproduce", "--list"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("figure-13"), std::string::npos);
    EXPECT_EQ(outcome.out.find("waits for a simulator"), std::string::npos);
}

TEST(SimCommand, RecordsMotionsThatAreSeparatedWhenTheyAreReplayed) {
    const TempFolder folder;
    const std::string scene = folder.write("scene.json", kSmallScene);
    const std::string file = folder / "run.gzr";
    ASSERT_EQ(run_tool({"sim", scene, "--record", file, "--threads", "1"}).exit_code, 0);
    const Json json = run_tool_for_json({"replay", file, "--threads", "2"});
    EXPECT_EQ(json["same"], true);
    EXPECT_EQ(json["cut"], false);
    EXPECT_GE(json["steps"].get<int>(), 6);
    EXPECT_EQ(json["impacts"], 0);
    // The record changes nothing of the run, and ends with whatever ends the run.
    auto recording = io::Recording::open(file);
    ASSERT_TRUE(recording);
    int frames = 0;
    while (true) {
        const auto event = recording->next();
        ASSERT_TRUE(event);
        if (!*event) break;
        const auto* mark = std::get_if<io::RecordedMark>(&**event);
        if (mark == nullptr) continue;
        EXPECT_EQ(mark->name, "frame");
        EXPECT_EQ(mark->numbers[0].second, ++frames);
    }
    EXPECT_EQ(frames, 6);
    // The viewer shows the start and the marked frames, not every motion between them.
    if (run_tool({"view", file, "--out", folder / "page.html"}).exit_code != 0) return;
    const std::string page = read_file(folder / "page.html");
    const std::size_t begin = page.find("\"statistics\":[");
    ASSERT_NE(begin, std::string::npos);
    const std::string statistics = page.substr(begin, page.find(']', begin) - begin);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = statistics.find("\"frame\":", at)) != std::string::npos; ++at)
        ++count;
    EXPECT_EQ(count, 7u);
}

TEST(SimCommand, LeavesARecordingThatCanBeReplayedWhenItIsKilled) {
    const TempFolder folder;
    const std::string scene = folder.write("scene.json", kSmallScene);
    const std::string file = folder / "run.gzr";
    const pid_t tool =
        start_tool({"sim", scene, "--record", file, "--frames", "100000", "--threads", "1"});
    std::error_code ignored;
    while (!fs::exists(file) || fs::file_size(file, ignored) < 4000)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(tool, SIGKILL);
    (void)wait_for_tool(tool);
    const Json json = run_tool_for_json({"replay", file});
    EXPECT_EQ(json["cut"], true);
    EXPECT_EQ(json["same"], true);
    EXPECT_GE(json["steps"].get<int>(), 1);
}

TEST(SimCommand, ResumesAfterAKillToTheSameBits) {
    const TempFolder folder;
    const std::string scene = folder.write("scene.json", kSmallScene);
    const std::vector<std::string> whole = {"sim",      scene, "--out",     folder / "whole",
                                            "--format", "ply", "--threads", "1"};
    EXPECT_EQ(run_tool(whole).exit_code, 0);
    std::vector<std::string> parts = {"sim", scene,       "--out", folder / "parts", "--format",
                                      "ply", "--threads", "2",     "--resume"};
    const pid_t tool = start_tool(parts);
    while (!fs::exists(folder.path() / "parts" / "frame_000002.state") &&
           !fs::exists(folder.path() / "parts" / "frame_000006.state")) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::kill(tool, SIGKILL);
    (void)wait_for_tool(tool);
    EXPECT_EQ(run_tool(parts).exit_code, 0);
    for (const char* frame : {"frame_000003.ply", "frame_000006.ply"})
        EXPECT_EQ(read_file(folder.path() / "parts" / frame),
                  read_file(folder.path() / "whole" / frame));
}

TEST(SimCommand, DoesNotCallARunCheckedThatContinuesOneWithoutTheCheck) {
    const TempFolder folder;
    const std::string scene = folder.write("scene.json", kSmallScene);
    const std::string out = folder / "frames";
    EXPECT_EQ(run_tool({"sim", scene, "--out", out, "--frames", "2"}).exit_code, 0);
    const Json mixed = run_tool_for_json({"sim", scene, "--out", out, "--resume", "--check"});
    EXPECT_EQ(mixed["checked"], false);
    EXPECT_EQ(mixed["crossings"], nullptr);
    EXPECT_EQ(mixed["intersections"], 0);
    EXPECT_EQ(mixed["per_frame"][0]["intersections"], nullptr);
    EXPECT_EQ(mixed["per_frame"][5]["intersections"], 0);
    const Json whole = run_tool_for_json({"sim", scene, "--out", out, "--check"});
    EXPECT_EQ(whole["checked"], true);
    EXPECT_EQ(whole["crossings"], 0);
    EXPECT_EQ(whole["unfinished"], 0);
    EXPECT_EQ(whole["inverted"], 0);
    // What the run that is continued has checked stays so.
    const Json same = run_tool_for_json({"sim", scene, "--out", out, "--resume"});
    EXPECT_EQ(same["checked"], true);
    EXPECT_EQ(same["crossings"], 0);
    const ToolOutcome text = run_tool({"sim", scene, "--out", out, "--resume"});
    EXPECT_NE(text.out.find("crossings: 0 (every accepted motion, exact)"), std::string::npos)
        << text.out;
}

TEST(SimCommand, SaysWhichStateIsMissingWhereItCannotResume) {
    const TempFolder folder;
    const std::string scene = folder.write("scene.json", kSmallScene);
    const std::string out = folder / "frames";
    ASSERT_EQ(run_tool({"sim", scene, "--out", out, "--frames", "2"}).exit_code, 0);
    fs::remove(out + "/frame_000001.state");
    EXPECT_EQ(run_tool_for_json({"sim", scene, "--out", out, "--resume"})["resumed_at"], 0);
    fs::remove(out + "/frame_000000.state");
    const ToolOutcome refused = run_tool({"sim", scene, "--out", out, "--resume"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_EQ(lines_of(refused.err).size(), 1u) << refused.err;
    EXPECT_NE(refused.err.find("frame_000000.state: is missing"), std::string::npos) << refused.err;
    EXPECT_TRUE(fs::exists(out + "/frame_000006.state"));
}

TEST(SimCommand, RefusesBadScenesInOneLineAndWritesNothing) {
    const TempFolder folder;
    const std::string out = folder / "out";
    const auto refused = [&](const std::string& text, const std::string& part) {
        const ToolOutcome outcome = run_tool({"sim", folder.write("bad.json", text), "--out", out});
        EXPECT_EQ(outcome.exit_code, 1) << text;
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(out));
    };
    refused("{", "not JSON");
    refused(std::string(101, '['), "nested more than 100 deep");
    refused(R"({"bodies": [{"cells": 1000}]})", "'bodies[0]': a solid has more than 10^8 vertices");
    refused(R"({"scene": "stack", "scene": "stack"})", "twice");
    refused(R"({"scene": "stack", "contact": {"method": "magic"}})", "contact.method");
    refused(R"({"bodies": [{"shape": "teapot"}]})", "bodies[0].shape");
    EXPECT_EQ(run_tool({"sim", "no-such-scene"}).exit_code, 1);
    EXPECT_EQ(run_tool({"sim", folder / "missing.json"}).exit_code, 1);
    EXPECT_EQ(run_tool({"sim"}).exit_code, 2);
    EXPECT_EQ(run_tool({"sim", "stack", "--resume"}).exit_code, 2);
    EXPECT_EQ(run_tool({"sim", "stack", "--method", "magic"}).exit_code, 2);
}

TEST(SimCommand, ListsScenes) {
    const ToolOutcome outcome = run_tool({"sim", "--list"});
    EXPECT_EQ(outcome.exit_code, 0);
    for (const char* name : {"torus-on-cone", "figure-on-plane", "ring-chain", "stack"})
        EXPECT_NE(outcome.out.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace graze::test
