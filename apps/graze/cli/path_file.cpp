#include "path_file.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "graze/io/hex_float.hpp"
#include "output.hpp"
#include "text_file.hpp"

namespace graze::app {
namespace {

// A cell as a message shows it.
std::string shown_cell(std::string_view cell) {
    constexpr std::size_t kLongest = 60;
    return "'" + printable(cell.substr(0, kLongest)) + (cell.size() > kLongest ? "...'" : "'");
}

class PathParser {
public:
    PathParser(std::string_view text, const robot::Robot& robot) : text_(text), robot_(robot) {}

    Expected<PathFile> parse(std::size_t least) {
        if (!next_line()) return Error{"the file is empty", ErrorCode::Malformed};
        if (auto read = header(); !read) return read.error();
        while (next_line())
            if (auto read = row(); !read) return read.error();
        if (file_.waypoints.size() < least) {
            return Error{"there are " + std::to_string(file_.waypoints.size()) +
                             " waypoints, and it takes at least " + std::to_string(least),
                         ErrorCode::WrongSize};
        }
        return std::move(file_);
    }

private:
    // The next line that is not empty, as cells.
    bool next_line() {
        while (!text_.empty()) {
            ++line_;
            const std::size_t end = text_.find('\n');
            const std::string_view line = trimmed(text_.substr(0, end));
            text_ = end == std::string_view::npos ? std::string_view() : text_.substr(end + 1);
            if (line.empty()) continue;
            split(line);
            return true;
        }
        return false;
    }

    void split(std::string_view line) {
        cells_.clear();
        for (std::size_t from = 0;;) {
            const std::size_t comma = line.find(',', from);
            cells_.push_back(trimmed(line.substr(from, comma - from)));
            if (comma == std::string_view::npos) return;
            from = comma + 1;
        }
    }

    [[nodiscard]] Error error(const std::string& message, ErrorCode code) const {
        return {"line " + std::to_string(line_) + ": " + message, code, line_};
    }

    // Why the robot has no variable of this name.
    [[nodiscard]] Error unknown_joint(std::string_view cell) const {
        for (const robot::Joint& joint : robot_.joints()) {
            if (joint.name != cell) continue;
            if (joint.mimic) {
                return error("joint " + shown_cell(cell) + " follows joint " +
                                 shown_cell(robot_.joints()[joint.mimic->joint].name),
                             ErrorCode::InvalidInput);
            }
            return error("joint " + shown_cell(cell) + " is fixed", ErrorCode::InvalidInput);
        }
        return error("the robot has no joint " + shown_cell(cell), ErrorCode::InvalidInput);
    }

    Expected<void> header() {
        std::vector<bool> is_there(robot_.variables().size(), false);
        for (const std::string_view cell : cells_) {
            const auto variable = robot_.find_variable(cell);
            if (!variable) return unknown_joint(cell);
            if (is_there[*variable])
                return error("joint " + shown_cell(cell) + " is there twice",
                             ErrorCode::InvalidInput);
            is_there[*variable] = true;
            columns_.push_back(*variable);
        }
        const auto missing = std::find(is_there.begin(), is_there.end(), false);
        if (missing == is_there.end()) return {};
        const auto variable = static_cast<std::size_t>(missing - is_there.begin());
        return error("joint " + shown_cell(robot_.joints()[robot_.variables()[variable]].name) +
                         " of the robot has no column",
                     ErrorCode::InvalidInput);
    }

    Expected<void> row() {
        if (cells_.size() != columns_.size()) {
            return error(std::to_string(cells_.size()) + " values for " +
                             std::to_string(columns_.size()) + " joints",
                         ErrorCode::WrongSize);
        }
        robot::Configuration q(columns_.size());
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const auto value = io::parse_double(cells_[i]);
            if (!value || !std::isfinite(*value))
                return error(shown_cell(cells_[i]) + " is no finite number", ErrorCode::NotFinite);
            q[columns_[i]] = *value;
        }
        if (file_.warnings.empty()) {
            if (const auto checked = robot_.check(q); !checked)
                file_.warnings.push_back(
                    error(checked.error().message, ErrorCode::InvalidInput).message);
        }
        file_.waypoints.push_back(std::move(q));
        return {};
    }

    std::string_view text_;
    const robot::Robot& robot_;
    std::size_t line_ = 0;
    std::vector<std::string_view> cells_;
    std::vector<std::size_t> columns_;  // the variable of each
    PathFile file_;
};

}  // namespace

Expected<PathFile> parse_path(std::string_view text, const std::string& name,
                              const robot::Robot& robot, std::size_t least) {
    auto file = PathParser(text, robot).parse(least);
    if (!file) return located(name, file.error());
    for (std::string& warning : file->warnings)
        warning.insert(0, name + ": ");
    return file;
}

Expected<PathFile> read_path(const std::filesystem::path& path, const robot::Robot& robot,
                             std::size_t least) {
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    const auto text = read_whole(*reader, kMaxPathBytes, "more than 256 MiB of waypoints");
    if (!text) return text.error();
    return parse_path(*text, reader->name(), robot, least);
}

}  // namespace graze::app
