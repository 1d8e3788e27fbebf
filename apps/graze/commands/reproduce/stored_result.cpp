#include "stored_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "cli/build_info.hpp"
#include "cli/output.hpp"
#include "graze/io/manifest.hpp"
#include "pictures/html_text.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kResultFile = "result.json";
// Grows when the members of result.json change: older files are made again.
constexpr std::uint64_t kResultForm = 1;

// --- Text of the files ---------------------------------------------------------------------------

// RFC 4180: quoted where it has to be.
std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string cell = "\"";
    for (const char c : text)
        cell += c == '"' ? std::string("\"\"") : std::string(1, c);
    return cell + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells)
        line += (line.empty() ? "" : ",") + csv_cell(cell);
    return line + "\n";
}

std::string csv_text(const DataTable& table) {
    std::string text = csv_line(table.headings);
    for (const auto& row : table.rows)
        text += csv_line(row);
    return text;
}

std::string page_style_element() {
    return "<style>" + std::string(page_style()) + "</style>";
}

// As a file: with the name space that a browser asks for, and the style of the page where it has
// none of its own.
std::string svg_text_of(const Drawing& drawing) {
    std::string svg = drawing.svg;
    const std::size_t tag = svg.find("<svg");
    if (tag == std::string::npos) return svg;
    const std::size_t end = svg.find('>', tag);
    if (!has_own_style(drawing) && end != std::string::npos)
        svg.insert(end + 1, page_style_element());
    if (svg.substr(tag, end - tag).find("xmlns=") == std::string::npos)
        svg.insert(tag + 4, " xmlns=\"http://www.w3.org/2000/svg\"");
    return svg;
}

// The other direction: what a page with that style shows of the file.
std::string svg_without_page_style(std::string svg) {
    const std::string style = page_style_element();
    if (const std::size_t at = svg.find(style); at != std::string::npos)
        svg.erase(at, style.size());
    return svg;
}

bool is_file_stem(std::string_view name) {
    return !name.empty() && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                      c == '.';
           });
}

Expected<void> check_names(const Reproduction& made) {
    std::set<std::string> names;
    const auto add = [&](const std::string& name, const char* ending) -> Expected<void> {
        if (!is_file_stem(name)) return Error{fmt::format("'{}' is no name of a file", name)};
        if (!names.insert(name + ending).second)
            return Error{fmt::format("'{}{}' is made twice", name, ending)};
        return {};
    };
    for (const DataTable& table : made.tables)
        if (auto added = add(table.name, ".csv"); !added) return added;
    for (const Drawing& drawing : made.drawings)
        if (auto added = add(drawing.name, ".svg"); !added) return added;
    return {};
}

// --- JSON ----------------------------------------------------------------------------------------

Json rows_json(const std::vector<std::vector<std::string>>& rows) {
    Json json = Json::array();
    for (const auto& row : rows)
        json.push_back(Json(row));
    return json;
}

Json result_json(const StoredResult& result) {
    Json rows = Json::array();
    for (const ComparedRow& row : result.rows)
        rows.push_back(Json{{"what", row.what},
                            {"published", row.published},
                            {"ours", row.ours},
                            {"verdict", row.verdict}});
    Json drawings = Json::array();
    for (const Drawing& drawing : result.drawings)
        drawings.push_back(Json{{"name", drawing.name}, {"caption", drawing.caption}});
    Json tables = Json::array();
    for (const StoredTable& table : result.tables)
        tables.push_back(Json{{"name", table.name},
                              {"caption", table.caption},
                              {"headings", Json(table.headings)},
                              {"row_count", table.row_count},
                              {"rows", rows_json(table.rows)}});
    return Json{{"rows", std::move(rows)},
                {"conclusion", result.conclusion},
                {"drawings", std::move(drawings)},
                {"tables", std::move(tables)},
                {"milliseconds", result.milliseconds}};
}

// Reads members one after the other; once something is missing or of another type it is of no use.
class Reading {
public:
    [[nodiscard]] bool is_good() const noexcept { return is_good_; }

    const Json& member(const Json& json, std::string_view key) {
        static const Json kNothing;
        const Json* found = json.find(key);
        is_good_ = is_good_ && found != nullptr;
        return found != nullptr ? *found : kNothing;
    }
    std::string text(const Json& json) {
        const std::string* found = json.as_text();
        is_good_ = is_good_ && found != nullptr;
        return found != nullptr ? *found : "";
    }
    std::uint64_t natural(const Json& json) {
        const auto found = json.as_natural();
        is_good_ = is_good_ && found.has_value();
        return found.value_or(0);
    }
    std::span<const Json> elements(const Json& json) {
        is_good_ = is_good_ && json.is_array();
        return json.elements();
    }
    std::vector<std::string> texts(const Json& json) {
        std::vector<std::string> list;
        for (const Json& element : elements(json))
            list.push_back(text(element));
        return list;
    }
    void require(bool holds) noexcept { is_good_ = is_good_ && holds; }

private:
    bool is_good_ = true;
};

MadeWith made_from(Reading& read, const Json& json) {
    MadeWith made;
    made.version = read.text(read.member(json, "version"));
    made.program = read.text(read.member(json, "program"));
    const auto quick = read.member(json, "quick").as_boolean();
    read.require(quick.has_value());
    made.quick = quick.value_or(false);
    made.seed = read.natural(read.member(json, "seed"));
    made.data = read.text(read.member(json, "data"));
    return made;
}

StoredTable table_from(Reading& read, const Json& json) {
    StoredTable table;
    table.name = read.text(read.member(json, "name"));
    read.require(is_file_stem(table.name));
    table.caption = read.text(read.member(json, "caption"));
    table.headings = read.texts(read.member(json, "headings"));
    table.row_count = read.natural(read.member(json, "row_count"));
    for (const Json& row : read.elements(read.member(json, "rows"))) {
        table.rows.push_back(read.texts(row));
        read.require(table.rows.back().size() == table.headings.size());
    }
    read.require(table.rows.size() ==
                 (table.row_count <= kMostInlineRows ? table.row_count : std::uint64_t{0}));
    return table;
}

StoredResult result_from(Reading& read, const Json& json) {
    StoredResult result;
    for (const Json& row : read.elements(read.member(json, "rows")))
        result.rows.push_back(
            {read.text(read.member(row, "what")), read.text(read.member(row, "published")),
             read.text(read.member(row, "ours")), read.text(read.member(row, "verdict"))});
    result.conclusion = read.text(read.member(json, "conclusion"));
    for (const Json& drawing : read.elements(read.member(json, "drawings")))
        result.drawings.push_back({read.text(read.member(drawing, "name")),
                                   read.text(read.member(drawing, "caption")),
                                   {}});
    for (const Json& table : read.elements(read.member(json, "tables")))
        result.tables.push_back(table_from(read, table));
    result.milliseconds = read.natural(read.member(json, "milliseconds"));
    return result;
}

std::optional<std::string> whole_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file.bad()) return std::nullopt;
    return text;
}

// Is every file of the list there, as it was written?
void check_stamps(Reading& read, const fs::path& folder, const Json& files) {
    for (const Json& file : read.elements(files)) {
        const std::string name = read.text(read.member(file, "name"));
        const io::FileStamp expected{read.natural(read.member(file, "bytes")),
                                     read.text(read.member(file, "sha256"))};
        read.require(name.find('/') == std::string::npos);
        if (!read.is_good()) return;
        const auto found = io::stamp_of_file(folder / name);
        read.require(found && *found == expected);
    }
}

io::FileStamp stamp_of_text(const std::string& text) {
    io::Sha256 sum;
    sum.add(reinterpret_cast<const unsigned char*>(text.data()), text.size());
    return {text.size(), sum.finish()};
}

// The files that a result is written to, in their order.
class ResultFiles {
public:
    explicit ResultFiles(fs::path folder) : folder_(std::move(folder)) {}

    Expected<void> add(const std::string& name, const std::string& text) {
        auto file = OutputFile::create((folder_ / name).string());
        if (!file) return file.error();
        if (auto written = file->write(text); !written) return written;
        const io::FileStamp stamp = stamp_of_text(text);
        stamps_.push_back(Json{{"name", name}, {"bytes", stamp.bytes}, {"sha256", stamp.sha256}});
        return batch_.add(std::move(*file));
    }
    [[nodiscard]] const Json& stamps() const noexcept { return stamps_; }
    Expected<void> finish() { return batch_.finish(); }

private:
    fs::path folder_;
    OutputBatch batch_;
    Json stamps_ = Json::array();
};

StoredResult stored(Reproduction made, std::uint64_t milliseconds) {
    StoredResult result{std::move(made.rows),
                        std::move(made.conclusion),
                        std::move(made.drawings),
                        {},
                        milliseconds};
    for (Drawing& drawing : result.drawings)
        drawing.svg = svg_without_page_style(svg_text_of(drawing));
    for (DataTable& table : made.tables) {
        StoredTable kept{table.name, table.caption, table.headings, table.rows.size(), {}};
        if (table.rows.size() <= kMostInlineRows) kept.rows = std::move(table.rows);
        result.tables.push_back(std::move(kept));
    }
    return result;
}

Expected<void> check_tables(const Reproduction& made) {
    for (const DataTable& table : made.tables) {
        for (const auto& row : table.rows)
            if (row.size() != table.headings.size())
                return Error{fmt::format("table '{}' has a row of {} cells under {} headings",
                                         table.name, row.size(), table.headings.size())};
    }
    return {};
}

Expected<void> add_files(const Reproduction& made, ResultFiles& files) {
    for (const DataTable& table : made.tables)
        if (auto added = files.add(table.name + ".csv", csv_text(table)); !added) return added;
    for (const Drawing& drawing : made.drawings)
        if (auto added = files.add(drawing.name + ".svg", svg_text_of(drawing)); !added)
            return added;
    return {};
}

}  // namespace

namespace {

// Where the system has no such link, the version alone tells programs apart.
const std::string& program_sum() {
    static const std::string kSum = [] {
        const auto stamp = io::stamp_of_file("/proc/self/exe");
        return stamp ? stamp->sha256 : std::string();
    }();
    return kSum;
}

}  // namespace

MadeWith made_with(const ReproduceOptions& options) {
    MadeWith made{build_info().version, "", options.quick, options.seed, ""};
    made.program = program_sum();
    if (!options.data.empty()) {
        std::error_code failed;
        made.data = fs::weakly_canonical(options.data, failed).string();
        if (failed) made.data = options.data;
    }
    return made;
}

Json to_json(const MadeWith& made) {
    return Json{{"version", made.version},
                {"program", made.program},
                {"quick", made.quick},
                {"seed", made.seed},
                {"data", made.data}};
}

Expected<StoredResult> write_result(const fs::path& folder, const ReproduceItem& item,
                                    const MadeWith& made, Reproduction reproduction,
                                    std::uint64_t milliseconds) {
    if (auto checked = check_names(reproduction); !checked) return checked.error();
    if (auto checked = check_tables(reproduction); !checked) return checked.error();
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) return Error{folder.string() + ": " + failed.message()};
    ResultFiles files(folder);
    if (auto added = add_files(reproduction, files); !added) return added.error();
    StoredResult result = stored(std::move(reproduction), milliseconds);
    Json json = {{"form", kResultForm}, {"paper", name(item.paper)},  {"item", item.id},
                 {"title", item.title}, {"made_with", to_json(made)}, {"files", files.stamps()}};
    json.update(result_json(result));
    // Last: while it is missing, or does not fit the files, the item counts as not run.
    if (auto added = files.add(std::string(kResultFile), json.dump(1) + "\n"); !added)
        return added.error();
    if (auto finished = files.finish(); !finished) return finished.error();
    return result;
}

std::optional<StoredResult> read_result(const fs::path& folder, const MadeWith& made) {
    const auto text = whole_file(folder / kResultFile);
    if (!text) return std::nullopt;
    const auto json = Json::parse(*text);
    if (!json) return std::nullopt;
    Reading read;
    read.require(read.natural(read.member(*json, "form")) == kResultForm);
    read.require(made_from(read, read.member(*json, "made_with")) == made);
    if (!read.is_good()) return std::nullopt;
    StoredResult result = result_from(read, *json);
    check_stamps(read, folder, read.member(*json, "files"));
    for (Drawing& drawing : result.drawings) {
        read.require(is_file_stem(drawing.name));
        if (!read.is_good()) return std::nullopt;
        const auto svg = whole_file(folder / (drawing.name + ".svg"));
        read.require(svg.has_value());
        drawing.svg = svg_without_page_style(svg.value_or(""));
    }
    return read.is_good() ? std::optional(std::move(result)) : std::nullopt;
}

bool has_own_style(const Drawing& drawing) {
    return drawing.svg.find("<style") != std::string::npos;
}

}  // namespace graze::app
