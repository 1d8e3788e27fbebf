// Progress is told of every item, shows itself by the clock, and takes nothing away from the work.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/progress.hpp"
#include "cli/query_input.hpp"
#include "cli/workers.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::app {
using namespace verify;
namespace {

namespace fs = std::filesystem;

TEST(ProgressLine, ShowsShareRateAndTimeLeft) {
    EXPECT_EQ(progress_line(1000, ProgressTotal{4000}, 4.0),
              "[#####---------------]  25%  1000/4000  250/s  12 s left");
    EXPECT_EQ(progress_line(4, ProgressTotal{4}, 1.0),
              "[####################] 100%  4/4  4/s  0 s left");
}

TEST(ProgressLine, SaysWhatIsAnEstimateAndDropsOneThatIsPassed) {
    EXPECT_EQ(progress_line(1000, ProgressTotal{4000, true}, 4.0),
              "[#####---------------]  25%  1000/~4000  250/s  12 s left");
    EXPECT_EQ(progress_line(1000, std::nullopt, 4.0), "1000  250/s");
    EXPECT_EQ(progress_line(5, ProgressTotal{4, true}, 1.0), "5  5/s");
    EXPECT_EQ(progress_line(0, ProgressTotal{0}, 1.0), "0  0/s");
}

ProgressScreen recorder(std::vector<std::string>& lines) {
    using std::chrono::milliseconds;
    return {.put = [&lines](const std::string& line) { lines.push_back(line); },
            .first_after = milliseconds(0),
            .step = milliseconds(0)};
}

TEST(Progress, IsShownAfterItemsAndNotAfterBlocksOfThem) {
    std::vector<std::string> lines;
    Progress progress(ProgressTotal{4}, recorder(lines));
    for_each_index(workers(1, &progress), 4, [](std::size_t) {});
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_NE(lines[0].find("1/4"), std::string::npos) << lines[0];
    EXPECT_NE(lines[3].find("4/4"), std::string::npos) << lines[3];
}

TEST(Progress, NamesWhatIsUnderWay) {
    std::vector<std::string> lines;
    ProgressScreen screen = recorder(lines);
    screen.what = "asking methods ";
    Progress progress(ProgressTotal{1}, screen);
    progress.advance(1);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("asking methods [####"), std::string::npos) << lines[0];
}

TEST(Progress, CountsEveryItemOfEveryThread) {
    for (const unsigned threads : {0U, 1U, 2U, 5U}) {
        std::vector<std::string> lines;
        Progress progress(ProgressTotal{5000}, recorder(lines));
        for_each_index(workers(threads, &progress), 5000, [](std::size_t) {});
        EXPECT_EQ(progress.done(), 5000U) << threads;
        EXPECT_FALSE(lines.empty());
    }
}

TEST(Progress, WaitsForItsFirstSecondAndClearsOnlyWhatItHasShown) {
    std::vector<std::string> lines;
    {
        ProgressScreen screen = recorder(lines);
        screen.first_after = std::chrono::hours(1);
        Progress progress(ProgressTotal{4}, screen);
        progress.advance(3);
    }
    EXPECT_TRUE(lines.empty());
    {
        Progress progress(ProgressTotal{4}, recorder(lines));
        progress.advance(3);
    }
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[1], "\r\x1b[K");
}

class Estimates : public testing::Test {
protected:
    Estimates() {
        std::string pattern = (fs::temp_directory_path() / "graze-parts-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~Estimates() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    [[nodiscard]] static std::optional<ProgressTotal> estimate(const fs::path& file) {
        io::QuerySource source;
        source.queries = file;
        return input_from(source).estimate();
    }
    [[nodiscard]] fs::path csv_of(int queries) const {
        const fs::path path = folder_ / "q.csv";
        std::ofstream file(path);
        for (int i = 0; i < 8 * queries; ++i)
            file << (i % 1000) << ",1,2,1,3,1\n";
        return path;
    }

    fs::path folder_;
};

TEST_F(Estimates, AreExactForAFileThatIsReadToItsEnd) {
    EXPECT_EQ(estimate(csv_of(100)), (ProgressTotal{100, false}));
}

TEST_F(Estimates, ComeFromTheHeadOfALargeFile) {
    const std::optional<ProgressTotal> total = estimate(csv_of(20'000));
    ASSERT_TRUE(total.has_value());
    EXPECT_TRUE(total->is_estimate);
    EXPECT_NEAR(static_cast<double>(total->count), 20'000.0, 1'000.0);
}

TEST_F(Estimates, TakeNothingOutOfAPipe) {
    const fs::path pipe = folder_ / "pipe.csv";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int end = open(pipe.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(end, 0);
    // More than any reader asks for at once, so that one who reads the pipe does not wait for more.
    const std::string text(60'000, '\n');
    ASSERT_EQ(write(end, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    EXPECT_FALSE(estimate(pipe).has_value());
    int waiting = 0;
    ASSERT_EQ(ioctl(end, FIONREAD, &waiting), 0);
    EXPECT_EQ(waiting, static_cast<int>(text.size()));
    close(end);
}

}  // namespace
}  // namespace graze::app
