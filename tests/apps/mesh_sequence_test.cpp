// `graze mesh` over a sequence of frames: its steps, its order, and how it goes on after an interrupt.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include "apps/tool_runner.hpp"
#include "commands/mesh/frame_list.hpp"
#include "commands/mesh/step_journal.hpp"

namespace graze::test {
namespace {

using NlohmannJson = nlohmann::json;

// A triangle at rest, and a point at this height above it.
std::string frame_at(double height) {
    return "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 " + std::to_string(height) + "\nf 1 2 3\n";
}

// Frames 0, 1, ...: the point falls through the triangle between the second and the third.
std::vector<std::string> write_frames(const TempFolder& folder, int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i)
        names.push_back(folder.write("f" + std::to_string(i) + ".obj", frame_at(1.5 - i)));
    return names;
}

NlohmannJson without_times(NlohmannJson json) {
    if (json.is_array()) {
        for (NlohmannJson& element : json)
            element = without_times(element);
    } else if (json.is_object()) {
        for (auto it = json.begin(); it != json.end();) {
            if (it.key().rfind("seconds", 0) == 0) {
                it = json.erase(it);
            } else {
                it.value() = without_times(it.value());
                ++it;
            }
        }
    }
    return json;
}

// The text of a result with digits of times left out: what is to be the same to the byte.
std::string bytes_without_times(const std::string& path) {
    std::string text;
    for (const std::string& line : lines_of(read_file(path)))
        text += (line.find("\"seconds") == std::string::npos ? line : "") + "\n";
    return text;
}

TEST(MeshSequence, OrdersFramesByTheNumbersInTheirNames) {
    std::vector<std::string> names = {"f10.obj", "f9.obj",  "f1.obj", "f01.obj", "g0.obj",
                                      "f.obj",   "f1b.obj", "f100",   "f1.5",    "f1.05"};
    std::sort(names.begin(), names.end(), app::comes_before_frame);
    EXPECT_EQ(names, (std::vector<std::string>{"f.obj", "f1.05", "f1.5", "f01.obj", "f1.obj",
                                               "f1b.obj", "f9.obj", "f10.obj", "f100", "g0.obj"}));
    // A strict weak order, of long numbers too.
    std::mt19937 random(1);
    std::vector<std::string> odd;
    for (int i = 0; i < 60; ++i) {
        std::string text;
        for (auto k = random() % 6; k > 0; --k)
            text += "0a19\xff"[random() % 5];
        odd.push_back(text + (i % 9 == 0 ? std::string(40, '7') : ""));
    }
    for (const std::string& a : odd) {
        for (const std::string& b : odd) {
            EXPECT_EQ(app::comes_before_frame(a, b) || app::comes_before_frame(b, a), a != b);
            for (const std::string& c : odd) {
                if (app::comes_before_frame(a, b) && app::comes_before_frame(b, c)) {
                    EXPECT_TRUE(app::comes_before_frame(a, c));
                }
            }
        }
    }
}

TEST(MeshSequence, EachStepIsThatOfItsTwoFramesAlone) {
    const TempFolder folder;
    const std::vector<std::string> frames = write_frames(folder, 4);
    const NlohmannJson all =
        run_tool_for_json({"mesh", frames[0], frames[1], frames[2], frames[3]});
    ASSERT_EQ(all["steps"].size(), 3U);
    EXPECT_EQ(all["frames"].size(), 4U);
    for (std::size_t i = 0; i < 3; ++i) {
        NlohmannJson step = without_times(all["steps"][i]);
        const NlohmannJson alone =
            without_times(run_tool_for_json({"mesh", frames[i], frames[i + 1]}));
        EXPECT_EQ(step["step"], i);
        step.erase("step");
        for (const auto& [key, value] : step.items())
            EXPECT_EQ(value, alone[key]) << key;
    }
    EXPECT_EQ(all["summary"]["steps"], 3);
    EXPECT_EQ(all["summary"]["contacts"], 1);
    EXPECT_EQ(all["summary"]["steps_with_contact"], 1);
    EXPECT_EQ(all["summary"]["first_step_with_contact"], 1);
    EXPECT_EQ(all["summary"]["unresolved"], 0);
}

TEST(MeshSequence, PrintsOneLineForEachStepAndASummary) {
    const TempFolder folder;
    const std::vector<std::string> frames = write_frames(folder, 4);
    const ToolOutcome outcome = run_tool({"mesh", folder.path().string(), "--exit-code"});
    EXPECT_EQ(outcome.exit_code, run_tool({"mesh", frames[1], frames[2], "--exit-code"}).exit_code);
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_GE(lines.size(), 4U) << outcome.out << outcome.err;
    EXPECT_EQ(lines[0].rfind("step 0     f0.obj -> f1.obj: 0 contacts, ", 0), 0U) << lines[0];
    EXPECT_EQ(lines[1].rfind("step 1     f1.obj -> f2.obj: 1 contacts, first at t = 0.4999", 0), 0U)
        << lines[1];
    EXPECT_EQ(
        lines[3].rfind("summary     3 steps, 1 with contact (the first is step 1), 1 contacts,", 0),
        0U)
        << lines[3];
    const ToolOutcome first = run_tool({"mesh", "--first", folder.path().string()});
    EXPECT_NE(first.out.find("f1.obj -> f2.obj: contact, first at t = 0.4999"), std::string::npos);
    const ToolOutcome free = run_tool({"mesh", folder / "f[01].obj", "--exit-code"});
    EXPECT_EQ(free.exit_code, run_tool({"mesh", frames[0], frames[1], "--exit-code"}).exit_code);
}

TEST(MeshSequence, TakesFoldersAndPatternsInTheOrderOfNumbers) {
    const TempFolder folder;
    for (const int i : {2, 10, 1, 9})
        folder.write("cloth_" + std::to_string(i) + ".obj", frame_at(0.1 * i));
    folder.write("notes.txt", "no mesh");
    folder.write(".hidden.obj", "no frame");
    const std::vector<std::string> expected = {folder / "cloth_1.obj", folder / "cloth_2.obj",
                                               folder / "cloth_9.obj", folder / "cloth_10.obj"};
    for (const std::string& where :
         {folder.path().string(), folder / "cloth_*.obj", folder / "*.obj"}) {
        EXPECT_EQ(run_tool_for_json({"mesh", where})["frames"], NlohmannJson(expected)) << where;
    }
    EXPECT_EQ(run_tool_for_json({"mesh", folder / "cloth_?.obj"})["frames"].size(), 3U);
}

TEST(MeshSequence, RefusesWhatIsOfOneStepAndWhatIsNoSequence) {
    const TempFolder folder;
    const std::vector<std::string> frames = write_frames(folder, 3);
    const std::string here = folder.path().string();
    for (const char* option : {"--pairs", "--per-vertex", "--contacts", "--svg"}) {
        const ToolOutcome outcome = run_tool({"mesh", here, option, folder / "out"});
        EXPECT_EQ(outcome.exit_code, 2) << option;
        EXPECT_NE(outcome.err.find("is of one step"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(run_tool({"mesh", frames[0]}).exit_code, 2);
    EXPECT_EQ(
        run_tool({"mesh", frames[0], frames[1], "--resume", "--json", folder / "j"}).exit_code, 2);
    EXPECT_EQ(run_tool({"mesh", here, "--resume"}).exit_code, 2);
    EXPECT_EQ(run_tool({"mesh", here, "--resume", "--json", "-"}).exit_code, 2);
    EXPECT_EQ(run_tool({"mesh", frames[0], frames[1], frames[2], "--json", frames[1]}).exit_code,
              2);
    const ToolOutcome one = run_tool({"mesh", folder / "f0*.obj"});
    EXPECT_EQ(one.exit_code, 1);
    EXPECT_NE(one.err.find("1 files match, but a sequence has at least two frames"),
              std::string::npos)
        << one.err;
}

TEST(MeshSequence, AFrameOfAnotherTopologyIsNamedAndNothingIsWritten) {
    const TempFolder folder;
    std::vector<std::string> frames = write_frames(folder, 3);
    folder.write("f2.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nf 1 2 4\n");
    const ToolOutcome outcome =
        run_tool({"mesh", folder.path().string(), "--json", folder / "o.json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find(frames[2] + ": does not match " + frames[1]), std::string::npos)
        << outcome.err;
    EXPECT_FALSE(fs::exists(folder / "o.json"));
}

// --- Interrupted, and on -------------------------------------------------------------------------

// A folder with frames, and what a sequence over them gives that is not interrupted.
struct Interrupted {
    TempFolder folder;
    TempFolder results;
    std::vector<std::string> frames;
    std::string json = results / "steps.json";
    std::string journal = json + ".journal";
    std::string expected;

    explicit Interrupted(int count) : frames(write_frames(folder, count)) {
        EXPECT_EQ(run().exit_code, 0);
        expected = bytes_without_times(json);
        fs::remove(json);
        EXPECT_FALSE(fs::exists(journal));
    }
    [[nodiscard]] ToolOutcome run() const {
        return run_tool({"mesh", folder.path().string(), "--json", json, "--resume"});
    }
    // Stops at the last frame, which is broken meanwhile.
    [[nodiscard]] std::string journal_of_all_but_the_last() const {
        const std::string whole = read_file(frames.back());
        std::ofstream(frames.back()) << "no mesh";
        EXPECT_EQ(run().exit_code, 1);
        EXPECT_FALSE(fs::exists(json));
        std::ofstream(frames.back()) << whole;
        return read_file(journal);
    }
    void expect_completes() const {
        const ToolOutcome outcome = run();
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(bytes_without_times(json), expected);
        EXPECT_FALSE(fs::exists(journal));
    }
};

TEST(MeshSequenceResume, GivesTheSameBytesApartFromTimes) {
    const Interrupted run(5);
    const std::string journal = run.journal_of_all_but_the_last();
    EXPECT_EQ(lines_of(journal).size(), 4U);  // settings and three steps
    // The steps are taken from it, not searched again: their times are those of before.
    run.expect_completes();
    const NlohmannJson json = NlohmannJson::parse(read_file(run.json));
    const NlohmannJson kept = NlohmannJson::parse(lines_of(journal)[2].substr(17))["result"];
    EXPECT_EQ(json["steps"][1], kept);
}

TEST(MeshSequenceResume, SurvivesAJournalThatIsCutOrChangedAnywhere) {
    const Interrupted run(4);
    const std::string journal = run.journal_of_all_but_the_last();
    std::mt19937 random(7);
    for (int i = 0; i < 12; ++i) {
        std::string damaged = journal;
        if (i % 2 == 0) {
            damaged.resize(random() % (journal.size() + 1));
        } else {
            damaged[random() % damaged.size()] ^= static_cast<char>(1U << random() % 8);
        }
        std::ofstream(run.journal, std::ios::binary) << damaged;
        run.expect_completes();
    }
}

TEST(MeshSequenceResume, SearchesAgainWhatHasChangedSince) {
    const Interrupted run(5);
    const std::string journal = run.journal_of_all_but_the_last();
    std::ofstream(run.frames[1]) << frame_at(-0.25);  // through the triangle one step earlier
    ASSERT_EQ(run.run().exit_code, 0);
    const NlohmannJson changed = NlohmannJson::parse(read_file(run.json));
    EXPECT_EQ(changed["summary"]["first_step_with_contact"], 0);
    EXPECT_EQ(without_times(changed["steps"]),
              without_times(run_tool_for_json({"mesh", run.folder.path().string()})["steps"]));
    // A journal of other options is none of this sequence.
    std::ofstream(run.frames[1]) << frame_at(0.5);
    std::ofstream(run.journal, std::ios::binary) << journal;
    ASSERT_EQ(run_tool({"mesh", "--min-separation", "0.75", run.folder.path().string(), "--json",
                        run.json, "--resume"})
                  .exit_code,
              0);
    EXPECT_EQ(NlohmannJson::parse(read_file(run.json))["summary"]["first_step_with_contact"], 0);
}

TEST(MeshSequenceResume, GoesOnAfterCtrlC) {
    const Interrupted run(100);
    const pid_t tool =
        start_tool({"mesh", run.folder.path().string(), "--json", run.json, "--resume"});
    const auto has_steps = [&] {
        std::error_code error;
        return fs::exists(run.journal, error) && fs::file_size(run.journal, error) > 12000;
    };
    for (int i = 0; i < 2000 && !has_steps(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(tool, SIGINT);
    const ToolOutcome stopped = wait_for_tool(tool);
    if (stopped.exit_code == 0) GTEST_SKIP() << "it was done before the signal";
    EXPECT_EQ(stopped.signal, SIGINT);
    EXPECT_FALSE(fs::exists(run.json));
    EXPECT_GT(lines_of(read_file(run.journal)).size(), 1U);
    EXPECT_EQ(run.results.files().size(), 1U);  // the journal alone
    run.expect_completes();
}

// --- The journal itself --------------------------------------------------------------------------

TEST(StepJournal, ReadsABeginningOfWhatWasWrittenHoweverItIsDamaged) {
    const TempFolder folder;
    const std::string path = folder / "j";
    const app::Json settings = {{"a", 1}, {"b", "x"}};
    std::vector<std::string> written;
    {
        auto journal = app::StepJournal::open(path, settings);
        ASSERT_TRUE(journal) << journal.error().message;
        for (int i = 0; i < 5; ++i) {
            const app::Json value = {{"i", i}, {"t", 0.1 * i}, {"text", "line\nof text \xff"}};
            ASSERT_TRUE(journal->add(value));
            written.push_back(app::Json::parse(value.dump())->dump());
        }
    }
    const std::string whole = read_file(path);
    const auto kept_of = [&](const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
        const auto journal = app::StepJournal::open(path, settings);
        EXPECT_TRUE(journal);
        std::vector<std::string> kept;
        for (const app::Json& value : journal->kept())
            kept.push_back(value.dump());
        // What is left in the file is what was read.
        EXPECT_TRUE(read_file(path).size() <= whole.size());
        return kept;
    };
    EXPECT_EQ(kept_of(whole), written);
    std::size_t most = 0;
    for (std::size_t length = 0; length < whole.size(); length += 19) {
        const auto kept = kept_of(whole.substr(0, length));
        ASSERT_LE(kept.size(), written.size());
        EXPECT_TRUE(std::equal(kept.begin(), kept.end(), written.begin())) << length;
        EXPECT_GE(kept.size(), most);  // never fewer of a longer file
        most = kept.size();
    }
    std::mt19937 random(3);
    for (int i = 0; i < 60; ++i) {
        std::string damaged = whole;
        damaged[random() % damaged.size()] = static_cast<char>(random());
        const auto kept = kept_of(damaged);
        ASSERT_LE(kept.size(), written.size());
        EXPECT_TRUE(std::equal(kept.begin(), kept.end(), written.begin())) << i;
    }
    std::ofstream(path, std::ios::binary) << whole;
    EXPECT_TRUE(app::StepJournal::open(path, {{"a", 2}})->kept().empty());
}

TEST(StepJournal, ReportsAPlaceThatCannotBeWritten) {
    EXPECT_FALSE(app::StepJournal::open("/nowhere/at/all/j", {{"a", 1}}));
}

}  // namespace
}  // namespace graze::test
