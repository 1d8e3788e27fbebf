// What `graze reproduce` does with items, shown with small ones of our own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <sstream>

#include "apps/html_checks.hpp"
#include "commands/reproduce/reproduce_page.hpp"
#include "commands/reproduce/reproduce_run.hpp"
#include "pictures/plot_svg.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;

// A folder of the test's own.
class ReproduceFolder {
public:
    ReproduceFolder()
        : path_(fs::temp_directory_path() /
                ("graze-reproduce-" + std::to_string(getpid()) + "-" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
        fs::remove_all(path_);
    }
    ReproduceFolder(const ReproduceFolder&) = delete;
    ReproduceFolder& operator=(const ReproduceFolder&) = delete;
    ~ReproduceFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] std::string text(const std::string& name) const {
        std::ifstream file(path_ / name, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
    }

private:
    fs::path path_;
};

int ran = 0;  // how often counted_item() was run
std::atomic<bool> stop_flag = false;

Expected<Reproduction> counted_item(const ReproduceOptions& options) {
    ++ran;
    Reproduction made;
    made.rows = {{"a < b & \"c\"", "1", std::to_string(options.seed), "agrees"},
                 {"<script>alert(1)</script>", "-", "2", "better: <b>bold</b>"},
                 {"third", "3", "4", "differs: by one"}};
    made.conclusion = "One & <two>.";
    made.drawings = {
        {"curve", "A <curve>.",
         line_chart({.title = "t < u",
                     .places = {"1", "2"},
                     .series = {{"one", 0, {1.0, 2.0}}},
                     .scale = LineChart::Scale::LogNumber,
                     .name_lines = true,
                     .remark = ""})},
        {"own", "Own style.",
         "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>p{color:red}</style></svg>"}};
    made.tables = {{"short", "A short one.", {"x", "y, z"}, {{"1", "say \"2\""}, {"<3>", "4"}}},
                   {"long", "A long one.", {"i"}, {}}};
    for (int i = 0; i < 100; ++i)
        made.tables[1].rows.push_back({std::to_string(i)});
    return made;
}
Expected<Reproduction> failing_item(const ReproduceOptions&) {
    return Error{"no <luck>"};
}
Expected<Reproduction> throwing_item(const ReproduceOptions&) {
    throw std::runtime_error("thrown");
}
Expected<Reproduction> stopping_item(const ReproduceOptions&) {
    stop_flag = true;
    return Reproduction{};
}
Expected<Reproduction> badly_named_item(const ReproduceOptions&) {
    Reproduction made;
    made.tables = {{"../escape", "", {"x"}, {}}};
    return made;
}

ReproduceItem item(std::string_view id, Expected<Reproduction> (*run)(const ReproduceOptions&)) {
    return {Paper::Linahan, id, "title of <it>", ItemStatus::Reproduced, "", run};
}

Expected<ReproduceReport> run_all(const std::vector<ReproduceItem>& items,
                                  const ReproduceFolder& folder, bool fresh = false,
                                  ReproduceOptions options = {}) {
    return reproduce(items, [](const ReproduceItem&) { return true; },
                     {folder.path(), options, fresh, "typed"});
}

TEST(Reproduce, WritesPageTablesDrawingsAndResult) {
    const ReproduceFolder folder;
    const auto report = run_all({item("one", counted_item)}, folder);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->count(ItemState::Made), 1U);
    EXPECT_TRUE(report->is_complete);
    EXPECT_EQ(folder.text("linahan/one/short.csv"), "x,\"y, z\"\n1,\"say \"\"2\"\"\"\n<3>,4\n");
    const std::string svg = folder.text("linahan/one/curve.svg");
    EXPECT_NE(svg.find("xmlns=\"http://www.w3.org/2000/svg\""), std::string::npos);
    EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
    EXPECT_TRUE(Json::parse(folder.text("linahan/one/result.json")));
    for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
        EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

TEST(Reproduce, ThePageIsWellFormedAndNothingInItIsMarkupThatWasText) {
    const ReproduceFolder folder;
    ASSERT_TRUE(run_all({item("one", counted_item),
                         item("bad", failing_item),
                         {Paper::Buss2005, "figure-1", "waits", ItemStatus::WaitsForSimulator,
                          "needs <cloth>", nullptr}},
                        folder));
    const std::string page = folder.text("index.html");
    EXPECT_EQ(test::nesting_error(page), "");
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    EXPECT_EQ(page.find("<luck>"), std::string::npos);
    EXPECT_EQ(page.find("<cloth>"), std::string::npos);
    for (const char* part :
         {"a &lt; b &amp; &quot;c&quot;", "no &lt;luck&gt;", "needs &lt;cloth&gt;",
          "title of &lt;it&gt;", "linahan/one/long.csv", "CSV, 100 rows", "linahan/one/own.svg",
          "1 agrees, 1 better, 1 differs", "waits for a simulator", "say &quot;2&quot;"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    // The style of a drawing stays out of the page; a long table does, too.
    EXPECT_EQ(page.find("p{color:red}"), std::string::npos);
    EXPECT_EQ(page.find("<td>99</td>"), std::string::npos);
}

TEST(Reproduce, KeepsWhatIsThereAndTheSamePage) {
    const ReproduceFolder folder;
    const std::vector<ReproduceItem> items = {item("one", counted_item)};
    ran = 0;
    ASSERT_TRUE(run_all(items, folder));
    const std::string page = folder.text("index.html");
    const auto again = run_all(items, folder);
    ASSERT_TRUE(again);
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(again->count(ItemState::Kept), 1U);
    EXPECT_EQ(folder.text("index.html"), page);
    ASSERT_TRUE(run_all(items, folder, true));
    EXPECT_EQ(ran, 2);
}

TEST(Reproduce, RunsAgainWhatWasMadeOtherwise) {
    const ReproduceFolder folder;
    const std::vector<ReproduceItem> items = {item("one", counted_item)};
    ran = 0;
    ReproduceOptions options;
    ASSERT_TRUE(run_all(items, folder, false, options));
    options.seed = 2;
    ASSERT_TRUE(run_all(items, folder, false, options));
    EXPECT_EQ(ran, 2);
    options.quick = true;
    ASSERT_TRUE(run_all(items, folder, false, options));
    EXPECT_EQ(ran, 3);
    options.data = folder.path().string();
    ASSERT_TRUE(run_all(items, folder, false, options));
    EXPECT_EQ(ran, 4);
    // Another number of threads gives the same results.
    options.threads = 2;
    ASSERT_TRUE(run_all(items, folder, false, options));
    EXPECT_EQ(ran, 4);
}

TEST(Reproduce, RunsAgainWhatAnotherProgramMade) {
    const ReproduceFolder folder;
    const std::vector<ReproduceItem> items = {item("one", counted_item)};
    ran = 0;
    ASSERT_TRUE(run_all(items, folder));
    std::string result = folder.text("linahan/one/result.json");
    const std::string key = "\"program\": \"";
    const std::size_t at = result.find(key);
    ASSERT_NE(at, std::string::npos);
    result[at + key.size()] = result[at + key.size()] == '0' ? '1' : '0';
    folder.write("linahan/one/result.json", result);
    ASSERT_TRUE(run_all(items, folder));
    EXPECT_EQ(ran, 2);
}

TEST(Reproduce, RunsAgainWhateverIsBrokenMissingOrChanged) {
    const ReproduceFolder folder;
    const std::vector<ReproduceItem> items = {item("one", counted_item)};
    ASSERT_TRUE(run_all(items, folder));
    const std::string result = folder.text("linahan/one/result.json");
    ran = 0;
    int expected = 0;
    for (const std::string& broken :
         {std::string(), std::string("{"), std::string("[]"), std::string("{\"form\":1}"),
          result.substr(0, result.size() / 2)}) {
        folder.write("linahan/one/result.json", broken);
        ASSERT_TRUE(run_all(items, folder));
        EXPECT_EQ(ran, ++expected) << broken;
    }
    folder.write("linahan/one/short.csv", "x\n");
    ASSERT_TRUE(run_all(items, folder));
    EXPECT_EQ(ran, ++expected);
    fs::remove(folder.path() / "linahan/one/curve.svg");
    ASSERT_TRUE(run_all(items, folder));
    EXPECT_EQ(ran, ++expected);
    ASSERT_TRUE(run_all(items, folder));
    EXPECT_EQ(ran, expected);
}

TEST(Reproduce, SurvivesAnyDamageToAResult) {
    const ReproduceFolder folder;
    const std::vector<ReproduceItem> items = {item("one", counted_item)};
    ASSERT_TRUE(run_all(items, folder));
    const std::string result = folder.text("linahan/one/result.json");
    const MadeWith made = made_with({});
    for (std::size_t i = 0; i < result.size(); i += 7) {
        std::string damaged = result;
        damaged[i] = '}';
        folder.write("linahan/one/result.json", damaged);
        const auto read = read_result(folder.path() / "linahan/one", made);
        EXPECT_TRUE(!read || read->rows.size() == 3U);
    }
}

TEST(Reproduce, GoesOnAfterAnItemThatFails) {
    const ReproduceFolder folder;
    ran = 0;
    const auto report = run_all({item("bad", failing_item), item("thrown", throwing_item),
                                 item("named", badly_named_item), item("one", counted_item)},
                                folder);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->count(ItemState::Failed), 3U);
    EXPECT_EQ(report->count(ItemState::Made), 1U);
    EXPECT_EQ(report->items[0].message, "no <luck>");
    EXPECT_EQ(report->items[1].message, "thrown");
    EXPECT_FALSE(fs::exists(folder.path() / "linahan" / "escape.csv"));
    // What failed has no result: it is tried again.
    const auto again = run_all({item("bad", counted_item), item("one", counted_item)}, folder);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->count(ItemState::Failed), 0U);
    EXPECT_EQ(ran, 2);
}

TEST(Reproduce, KeepsFinishedItemsWhenItIsStopped) {
    const ReproduceFolder folder;
    ran = 0;
    stop_flag = false;
    ReproduceOptions options;
    options.stop = StopToken(stop_flag);
    const std::vector<ReproduceItem> items = {item("one", counted_item), item("two", stopping_item),
                                              item("three", counted_item)};
    const auto stopped = run_all(items, folder, false, options);
    ASSERT_TRUE(stopped);
    EXPECT_FALSE(stopped->is_complete);
    EXPECT_EQ(stopped->items[0].state, ItemState::Made);
    EXPECT_EQ(stopped->items[1].state, ItemState::NotRun);
    EXPECT_EQ(stopped->items[2].state, ItemState::NotRun);
    EXPECT_NE(folder.text("index.html").find("Interrupted"), std::string::npos);
    stop_flag = false;
    const auto resumed = run_all({items[0], items[2]}, folder);
    ASSERT_TRUE(resumed);
    EXPECT_EQ(resumed->items[0].state, ItemState::Kept);
    EXPECT_EQ(resumed->items[1].state, ItemState::Made);
}

TEST(Reproduce, ShowsResultsOfItemsThatWereNotChosenThisTime) {
    const ReproduceFolder folder;
    const std::vector<ReproduceItem> items = {item("one", counted_item), item("two", counted_item)};
    const auto choose = [&](std::string_view id) {
        return reproduce(items, [id](const ReproduceItem& i) { return i.id == id; },
                         {folder.path(), {}, false, ""});
    };
    ASSERT_TRUE(choose("one"));
    const auto second = choose("two");
    ASSERT_TRUE(second);
    EXPECT_EQ(second->items[0].state, ItemState::Kept);
    EXPECT_EQ(second->items[1].state, ItemState::Made);
    EXPECT_NE(folder.text("index.html").find("linahan-one"), std::string::npos);
}

TEST(Reproduce, SaysAtOnceThatAFolderCannotBeWritten) {
    const ReproduceFolder folder;
    fs::create_directories(folder.path());
    folder.write("file", "x");
    ran = 0;
    const auto report =
        reproduce({item("one", counted_item)}, [](const ReproduceItem&) { return true; },
                  {folder.path() / "file" / "below", {}, false, ""});
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("below"), std::string::npos);
    EXPECT_EQ(ran, 0);
}

TEST(Reproduce, AnItemOfTheProgramTakesThePlaceOfTheOneWithItsName) {
    const std::size_t count = all_items().size();
    add_item_of_program(
        {Paper::Wang2021, "figure-12", "ours", ItemStatus::Reproduced, "", counted_item});
    add_item_of_program(
        {Paper::Buss2005, "of-the-program", "more", ItemStatus::Reproduced, "", counted_item});
    const std::vector<ReproduceItem> items = all_items();
    EXPECT_EQ(items.size(), count + 1);
    std::size_t replaced = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].id == "figure-12" && items[i].paper == Paper::Wang2021)
            replaced += items[i].run == counted_item ? 1 : 0;
        if (items[i].id == "of-the-program") {
            ASSERT_LT(i + 1, items.size());
            EXPECT_EQ(items[i + 1].paper, Paper::Linahan);
        }
    }
    EXPECT_EQ(replaced, 1U);
}

TEST(Reproduce, EveryItemOfThePapersHasANameOfItsOwnAndAReasonWhereItIsNotMade) {
    std::vector<std::string> seen;
    for (const ReproduceItem& i : all_items()) {
        const std::string key = std::string(name(i.paper)) + "/" + std::string(i.id);
        EXPECT_EQ(std::count(seen.begin(), seen.end(), key), 0) << key;
        seen.push_back(key);
        EXPECT_FALSE(i.title.empty()) << key;
        EXPECT_EQ(i.status == ItemStatus::Reproduced, i.run != nullptr) << key;
        EXPECT_EQ(i.status == ItemStatus::Reproduced, i.reason.empty()) << key;
        EXPECT_EQ(key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-./"),
                  std::string::npos)
            << key;
    }
    EXPECT_GE(linahan_items().size(), 13U);
}

}  // namespace
}  // namespace graze::app
