// `--record` and `graze replay`.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/tool_runner.hpp"
#include "graze/io/recording.hpp"

namespace graze::test {
namespace {

using NlohmannJson = nlohmann::json;

// A triangle and a point that falls through it between the second and the third frame.
std::vector<std::string> falling_frames(const TempFolder& folder, int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) {
        names.push_back(folder.write(
            "f" + std::to_string(i) + ".obj",
            "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 " + std::to_string(1.5 - i) + "\nf 1 2 3\n"));
    }
    return names;
}

std::string recorded_run(const TempFolder& folder, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"mesh"};
    for (const std::string& frame : falling_frames(folder, 4))
        arguments.push_back(frame);
    arguments.insert(arguments.end(), {"--record", folder / "run.gzr"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ToolOutcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return folder / "run.gzr";
}

// The recording with the answer to one step changed.
std::string forged(const TempFolder& folder, const std::string& path, std::uint64_t at,
                   void (*change)(io::RecordedAnswer&)) {
    auto recording = io::Recording::open(path);
    EXPECT_TRUE(recording);
    auto recorder = io::Recorder::create(folder / "forged.gzr", recording->mesh(), "0.0");
    EXPECT_TRUE(recorder);
    while (true) {
        auto event = recording->next();
        if (!event || !*event) break;
        auto step = std::get<io::RecordedStep>(**event);
        if (step.index == at) {
            change(step.answer);
            step.answer.count = step.answer.impacts.size();
            step.answer.hash = io::hash_of(step.answer);
        }
        EXPECT_TRUE(recorder->add(step.start, step.end, *step.settings, step.search, step.answer));
    }
    EXPECT_TRUE(recorder->finish());
    return folder / "forged.gzr";
}

TEST(Replay, AnswersAreTheSameForAnyNumberOfThreads) {
    const TempFolder folder;
    for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                                 {"--first"},
                                                 {"--min-separation", "0.25"},
                                                 {"--method", "safe-cubic", "--bound", "scene"}}) {
        const std::string recording = recorded_run(folder, more);
        for (const char* threads : {"1", "3"}) {
            const NlohmannJson json =
                run_tool_for_json({"replay", recording, "--threads", threads});
            EXPECT_EQ(json["same"], true);
            EXPECT_EQ(json["steps"], 3);
            EXPECT_GT(json["impacts"], 0);
            EXPECT_EQ(json["cut"], false);
            EXPECT_TRUE(json["difference"].is_null());
            EXPECT_TRUE(json["damage"].is_null());
        }
    }
}

TEST(Replay, ReportsTheFirstStepThatDiffersAndShowsItAgain) {
    const TempFolder folder;
    const std::string changed =
        forged(folder, recorded_run(folder), 1, [](io::RecordedAnswer& answer) {
            ASSERT_FALSE(answer.impacts.empty());
            double& lower = answer.impacts[0].result.toi_lower;
            lower = std::nextafter(lower, 2.0);
        });
    const ToolOutcome outcome = run_tool({"replay", changed, "--regression", folder / "found"});
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_NE(outcome.out.find("step 1"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("vf 3 0"), std::string::npos) << outcome.out;
    // The step alone differs again; the query and the test are there.
    const ToolOutcome again = run_tool({"replay", folder / "found/step_000001.gzr", "--json", "-"});
    EXPECT_EQ(again.exit_code, 3);
    const NlohmannJson json = NlohmannJson::parse(again.out);
    EXPECT_EQ(json["difference"]["kind"], "vf");
    EXPECT_EQ(json["difference"]["a"], 3);
    EXPECT_EQ(json["difference"]["b"], 0);
    EXPECT_EQ(json["difference"]["computed"]["verdict"], "contact");
    const NlohmannJson query =
        run_tool_for_json({"query", "--kind", "vf", folder / "found/step_000001.vf.gzq"});
    EXPECT_EQ(query["contacts"], 1);
    std::size_t tests = 0;
    for (const auto& entry : fs::directory_iterator(folder / "found"))
        if (entry.path().extension() == ".cpp") ++tests;
    EXPECT_EQ(tests, 1u);
}

TEST(Replay, ReportsAnImpactThatIsMissingOrNew) {
    const TempFolder folder;
    const std::string recording = recorded_run(folder);
    const std::string missing = forged(folder, recording, 1, [](io::RecordedAnswer& answer) {
        answer.impacts.clear();
        answer.first.reset();
    });
    ToolOutcome outcome = run_tool({"replay", missing});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_NE(outcome.out.find("was no impact"), std::string::npos) << outcome.out;
    const std::string extra = forged(folder, recording, 0, [](io::RecordedAnswer& answer) {
        answer.impacts.push_back({QueryKind::VertexFace, 3, 0, {}});
    });
    outcome = run_tool({"replay", extra});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_NE(outcome.out.find("is no impact"), std::string::npos) << outcome.out;
}

TEST(Replay, ReplaysWhatIsWholeOfARecordingThatIsCutOrDamaged) {
    const TempFolder folder;
    const std::string bytes = read_file(recorded_run(folder));
    const std::string cut = folder.write("cut.gzr", bytes.substr(0, bytes.size() - 100));
    const NlohmannJson json = run_tool_for_json({"replay", cut});
    EXPECT_EQ(json["cut"], true);
    EXPECT_EQ(json["same"], true);
    EXPECT_GE(json["steps"], 1);
    EXPECT_NE(run_tool({"replay", cut}).out.find("cut"), std::string::npos);

    std::string wrong = bytes;
    wrong[wrong.size() - 100] = static_cast<char>(wrong[wrong.size() - 100] ^ 1);
    const ToolOutcome damaged = run_tool({"replay", folder.write("wrong.gzr", wrong)});
    EXPECT_EQ(damaged.exit_code, 1);
    EXPECT_NE(damaged.err.find("whole"), std::string::npos) << damaged.err;
    EXPECT_NE(damaged.out.find("same"), std::string::npos) << damaged.out;

    EXPECT_EQ(run_tool({"replay", folder.write("a.obj", "v 0 0 0\n")}).exit_code, 1);
    EXPECT_EQ(run_tool({"replay", folder / "none.gzr"}).exit_code, 1);
}

TEST(Replay, RecordingsAreOfStepsThatAreSearched) {
    const TempFolder folder;
    const std::vector<std::string> frames = falling_frames(folder, 3);
    EXPECT_EQ(run_tool({"mesh", frames[0], frames[1], frames[2], "--record", folder / "a.gzr",
                        "--resume", "--json", folder / "a.json"})
                  .exit_code,
              2);
    EXPECT_EQ(
        run_tool({"mesh", frames[0], frames[1], "--weld", "--record", folder / "a.gzr"}).exit_code,
        2);
    EXPECT_EQ(run_tool({"mesh", frames[0], frames[1], "--record", frames[0]}).exit_code, 2);
    EXPECT_EQ(run_tool({"mesh", frames[0], frames[1], "--record", folder / "none/a.gzr"}).exit_code,
              1);
    EXPECT_EQ(run_tool({"mesh", frames[0], frames[1], "--record", folder / "one.gzr"}).exit_code,
              0);
    EXPECT_EQ(run_tool_for_json({"replay", folder / "one.gzr"})["steps"], 1);
}

}  // namespace
}  // namespace graze::test
