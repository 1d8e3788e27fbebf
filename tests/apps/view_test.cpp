// Pages of the viewer: what the tool writes into them, and that no name gets out of its block.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "apps/tool_runner.hpp"
#include "commands/view/mesh_view.hpp"
#include "pictures/page_template.hpp"
#include "pictures/view_document.hpp"

namespace graze::test {
namespace {

using NlohmannJson = nlohmann::json;

constexpr std::string_view kOpening = "<script type=\"application/json\" id=\"graze-document\">";

// What stands between the block's tags; the rest must be the template, byte for byte.
NlohmannJson document_in(std::string_view page, std::string_view around) {
    const std::size_t begin = page.find(kOpening);
    EXPECT_NE(begin, std::string_view::npos);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = page.find("</script>", begin);
    const std::string_view inside =
        page.substr(begin + kOpening.size(), end - begin - kOpening.size());
    for (const char c : {'<', '>', '&'})
        EXPECT_EQ(inside.find(c), std::string_view::npos) << c;
    EXPECT_EQ(inside.find("\xe2\x80\xa8"), std::string_view::npos);
    EXPECT_EQ(inside.find("\xe2\x80\xa9"), std::string_view::npos);
    const std::string rest = std::string(page.substr(0, begin)) + "<!--GRAZE-DOCUMENT-->" +
                             std::string(page.substr(end + 9));
    EXPECT_EQ(rest, around);
    const NlohmannJson json = NlohmannJson::parse(inside, nullptr, false);
    EXPECT_FALSE(json.is_discarded());
    return json;
}

std::vector<unsigned char> bytes_of_base64(const std::string& text) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<unsigned char> bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) break;
        bits = (bits << 6) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<unsigned char>(bits >> count));
    }
    return bytes;
}

// The values of a list of the document.
template <class T>
std::vector<T> values_of(const NlohmannJson& list, const std::string& type) {
    EXPECT_EQ(list.value("dtype", ""), type);
    const std::vector<unsigned char> bytes = bytes_of_base64(list.value("base64", ""));
    EXPECT_EQ(bytes.size(), sizeof(T) * list.value("count", std::size_t{0}));
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), sizeof(T) * values.size());
    return values;
}

constexpr std::string_view kPage = "<html><script>1</script>\n<!--GRAZE-DOCUMENT-->\n</html>\n";

TEST(ViewDocument, NoNameGetsOutOfItsBlock) {
    for (const std::string name :
         {"</script><script>alert(1)</script>", "<!--", "]]>", "\"};alert(1)//",
          "a\xe2\x80\xa8"
          "b",
          "a\xe2\x80\xa9"
          "b",
          "\\u003c\\", "&lt;", "tab\tnew\nline\x01", "plain"}) {
        app::ViewObject part;
        part.add(name, app::Json(name));
        app::ViewObject view("query", name);
        view.add("part", part);
        view.add("labels", app::Json(std::vector<std::string>{name, "b"}));
        const std::string page =
            app::page_with_document(kPage, app::document_text(name, {view, view}));
        const NlohmannJson json = document_in(page, kPage);
        EXPECT_EQ(json["title"], name);
        EXPECT_EQ(json["views"][1]["name"], name);
        EXPECT_EQ(json["views"][0]["labels"][0], name);
        EXPECT_EQ(json["views"][0]["part"][name], name);
    }
}

TEST(ViewDocument, BytesThatAreNoUtf8AreReplaced) {
    const std::string page = app::page_with_document(
        kPage, app::document_text("a\xff\xc0<b", {app::ViewObject("mesh", "\xe2\x80")}));
    const NlohmannJson json = document_in(page, kPage);
    EXPECT_EQ(json["title"].get<std::string>().back(), 'b');
    EXPECT_EQ(json["views"][0]["type"], "mesh");
}

TEST(ViewDocument, ListsKeepEveryBit) {
    std::mt19937_64 random(3);
    for (std::size_t count : {0u, 1u, 2u, 3u, 100u}) {
        std::vector<double> doubles;
        std::vector<std::uint8_t> bytes;
        std::vector<std::uint32_t> words;
        for (std::size_t i = 0; i < count; ++i) {
            doubles.push_back(std::bit_cast<double>(random()));
            bytes.push_back(static_cast<std::uint8_t>(random()));
            words.push_back(static_cast<std::uint32_t>(random()));
        }
        app::ViewObject view("x", "y");
        view.add_list("d", std::span<const double>(doubles));
        view.add_list("b", std::span<const std::uint8_t>(bytes));
        view.add_list("w", std::span<const std::uint32_t>(words));
        const NlohmannJson json = NlohmannJson::parse(view.text());
        const std::vector<double> back = values_of<double>(json["d"], "f64");
        ASSERT_EQ(back.size(), count);
        EXPECT_TRUE(count == 0 ||
                    std::memcmp(back.data(), doubles.data(), 8 * doubles.size()) == 0);
        EXPECT_EQ(values_of<std::uint8_t>(json["b"], "u8"), bytes);
        EXPECT_EQ(values_of<std::uint32_t>(json["w"], "u32"), words);
    }
}

TEST(ViewDocument, RunsThatAreTooLongForAPageAreThinnedOut) {
    app::RunFrames frames("run", {{0, 1, 2}}, 56 * 1200);
    const std::vector<Vec3> positions(100);  // 1200 bytes as floats
    for (std::uint64_t i = 0; i < 130; ++i) {
        app::FrameFigures figures;
        figures.frame = i;
        figures.energy = 0.5;
        frames.add(positions, app::figures_json(figures));
    }
    const NlohmannJson json = NlohmannJson::parse(frames.view().text());
    ASSERT_EQ(json["frames"].size(), json["statistics"].size());
    EXPECT_LT(json["frames"].size(), 60u);
    EXPECT_GT(json["frames"].size(), 20u);
    const auto step = json["statistics"][1]["frame"].get<int>();
    for (std::size_t i = 0; i < json["statistics"].size(); ++i)
        EXPECT_EQ(json["statistics"][i]["frame"], step * static_cast<int>(i));
    EXPECT_TRUE(json["statistics"][0]["contacts"].is_null());
}

// --- The commands ----------------------------------------------------------------------------------

std::string triangle_and_point(double height) {
    return "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 " + std::to_string(height) + "\nf 1 2 3\n";
}

// The document of a page that a command wrote; null where this tool has no page, which it must say.
NlohmannJson document_of(std::vector<std::string> arguments, const std::string& option,
                         const std::string& out) {
    arguments.insert(arguments.end(), {option, out});
    const ToolOutcome outcome = run_tool(arguments);
    if (app::page_template().empty()) {
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_NE(outcome.err.find("emscripten"), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(out));
        return nullptr;
    }
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return document_in(read_file(out), app::page_template());
}

void expect_mesh_view(const NlohmannJson& view) {
    EXPECT_EQ(view["type"], "mesh");
    EXPECT_EQ(values_of<std::uint32_t>(view["faces"], "u32"),
              (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(values_of<double>(view["start"], "f64").size(), 12u);
    EXPECT_EQ(values_of<double>(view["end"], "f64").size(), 12u);
    EXPECT_EQ(values_of<std::uint8_t>(view["impacts"]["kind"], "u8"),
              (std::vector<std::uint8_t>{0}));
    EXPECT_EQ(values_of<std::uint32_t>(view["impacts"]["a"], "u32"),
              (std::vector<std::uint32_t>{3}));
    EXPECT_EQ(values_of<double>(view["impacts"]["toi_lower"], "f64").size(), 1u);
    EXPECT_EQ(view["first"], 0);
    EXPECT_LE(view["toi_lower"], 0.5);
    EXPECT_GT(view["toi_lower"], 0.499);
}

TEST(ViewCommand, ShowsAStepOfAMeshWhateverTheNamesOfItsFiles) {
    const TempFolder folder;
    for (const std::string name :
         {"<script>alert(1)<", "quote\"'&", "line\xe2\x80\xa8separator", "bad\xff\xc3utf8"}) {
        const std::string start = folder.write(name + "0.obj", triangle_and_point(1.0));
        const std::string end = folder.write(name + "1.obj", triangle_and_point(-1.0));
        const NlohmannJson json = document_of({"view", start, end}, "--out", folder / "page.html");
        if (json.is_null()) return;
        ASSERT_EQ(json["views"].size(), 1u);
        expect_mesh_view(json["views"][0]);
        const auto fractions = values_of<double>(json["views"][0]["bounds"]["fraction"], "f64");
        EXPECT_EQ(fractions.size(), 4u);
    }
    const NlohmannJson json =
        document_of({"mesh", folder / "quote\"'&0.obj", folder / "quote\"'&1.obj"}, "--html",
                    folder / "mesh.html");
    expect_mesh_view(json["views"][0]);
}

TEST(ViewCommand, CallsNothingFreeThatIsNotProved) {
    const TempFolder folder;
    const std::string start = folder.write("0.obj", triangle_and_point(2.0));
    const std::string end = folder.write("1.obj", triangle_and_point(1.0));
    for (const bool proves : {true, false}) {
        const NlohmannJson json = document_of(
            {"mesh", start, end, "--method", proves ? "certified" : "floating-point-roots"},
            "--html", folder / "page.html");
        if (json.is_null()) return;
        const NlohmannJson& lower = json["views"][0]["toi_lower"];
        EXPECT_EQ(lower, proves ? NlohmannJson(nullptr) : NlohmannJson(0.0));
    }
}

TEST(ViewCommand, ShowsQueriesWithTheAnswersOfAllMethods) {
    const TempFolder folder;
    const std::string file = folder.write(
        "falling_vf.csv", csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), false));
    for (const bool is_query : {false, true}) {
        const NlohmannJson json =
            is_query ? document_of({"query", "--kind", "vf", file}, "--html", folder / "q.html")
                     : document_of({"view", file}, "--out", folder / "q.html");
        if (json.is_null()) return;
        const NlohmannJson& view = json["views"][0];
        EXPECT_EQ(view["type"], "query");
        EXPECT_EQ(view["kind"], "vf");
        EXPECT_EQ(view["count"], 2);
        EXPECT_EQ(view["truth"], (NlohmannJson{1, 0}));
        EXPECT_EQ(values_of<double>(view["queries"], "f64").size(), 48u);
        EXPECT_GT(view["answers"].size(), 8u);
        for (const NlohmannJson& answer : view["answers"]) {
            EXPECT_EQ(answer["verdict"].size(), 2u);
            if (answer["method"] == "certified") {
                EXPECT_EQ(answer["verdict"][0], "contact");
            }
        }
    }
}

// Every method, also those that take long, on the hardest queries there are.
TEST(ViewCommandAttack, ShowsTheDataSetThatIsBuiltIn) {
    const TempFolder folder;
    const NlohmannJson json = document_of({"view"}, "--out", folder / "page.html");
    if (json.is_null()) return;
    EXPECT_GT(json["views"].size(), 3u);
    for (const NlohmannJson& view : json["views"]) {
        EXPECT_EQ(view["type"], "query");
        EXPECT_EQ(view["truth"].size(), view["count"]);
    }
}

TEST(ViewCommand, ShowsRigidBodiesLevelsAndRecordings) {
    const TempFolder folder;
    const std::string cube = folder / "cube.obj";
    ASSERT_EQ(run_tool({"model", "cube", "--out", cube}).exit_code, 0);
    const std::string poses =
        folder.write("poses.json",
                     R"({"a":{"start":{"rotation":[1,0,0,0],"translation":[0,0,0]},
                 "end":{"rotation":[1,0,0,0],"translation":[0,0,0]}},
            "b":{"start":{"rotation":[1,0,0,0],"translation":[9,0,0]},
                 "end":{"rotation":[1,0,0,0],"translation":[-9,0,0]}}})");
    NlohmannJson json =
        document_of({"view", cube, cube, "--poses", poses}, "--out", folder / "r.html");
    if (json.is_null()) return;
    EXPECT_EQ(json["views"][0]["type"], "rigid");
    EXPECT_EQ(json["views"][0]["first"]["verdict"], "contact");
    const NlohmannJson& body = json["views"][0]["bodies"][1];
    EXPECT_EQ(values_of<double>(body["poses"], "f64").size(), 7 * body["times"].size());

    ASSERT_EQ(run_tool({"level", "stairs", "--out", folder / "stairs.obj", "--moves-out",
                        folder / "moves.json"})
                  .exit_code,
              0);
    json = document_of({"view", folder / "stairs.obj", "--moves", folder / "moves.json"}, "--out",
                       folder / "s.html");
    EXPECT_EQ(json["views"][0]["type"], "slide");
    EXPECT_EQ(json["views"][0]["shape"]["type"], "ball");
    EXPECT_GT(json["views"][0]["frames"].size(), 1u);

    std::vector<std::string> mesh = {"mesh"};
    for (int i = 0; i < 3; ++i)
        mesh.push_back(folder.write("f" + std::to_string(i) + ".obj", triangle_and_point(1.5 - i)));
    mesh.insert(mesh.end(), {"--record", folder / "run.gzr"});
    ASSERT_EQ(run_tool(mesh).exit_code, 0);
    json = document_of({"view", folder / "run.gzr"}, "--out", folder / "v.html");
    ASSERT_EQ(json["views"].size(), 2u);
    EXPECT_EQ(json["views"][0]["type"], "sim");
    EXPECT_EQ(json["views"][0]["frames"].size(), 3u);
    EXPECT_EQ(json["views"][0]["statistics"][2]["contacts"], 1);
    EXPECT_EQ(values_of<float>(json["views"][0]["frames"][1], "f32").size(), 12u);
    expect_mesh_view(json["views"][1]);
}

TEST(ViewCommand, SaysWhatItCannotShow) {
    const TempFolder folder;
    const std::string csv = folder.write("queries.csv", csv_of(falling_vertex()));
    const std::string text = folder.write("notes.txt", "hello");
    EXPECT_EQ(run_tool({"view", csv, "--poses", text}).exit_code, 2);
    EXPECT_EQ(run_tool({"view", "--moves", text}).exit_code, 2);
    EXPECT_EQ(run_tool({"view", csv, "--out", csv}).exit_code, 2);
    for (const std::string& file : {csv, text, folder / "none.obj"}) {
        const ToolOutcome outcome = run_tool({"view", file, "--out", folder / "p.html"});
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(lines_of(outcome.err).size(), 1u);
        EXPECT_FALSE(fs::exists(folder / "p.html"));
    }
}

}  // namespace
}  // namespace graze::test
