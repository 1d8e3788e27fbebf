#include "moves_file.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "graze/io/hex_float.hpp"
#include "strict_json.hpp"
#include "text_file.hpp"

namespace graze::app {
namespace {

using ParsedJson = nlohmann::json;

constexpr const char* kTooManyMoves = "more than 256 MiB of moves";

Expected<Vec3> vector_of(const ParsedJson& list, const std::string& place) {
    const Error wrong{"'" + place + "' is not a list of 3 numbers"};
    if (!list.is_array() || list.size() != 3) return wrong;
    Vec3 vector;
    for (std::size_t i = 0; i < 3; ++i) {
        if (!list[i].is_number()) return wrong;
        vector[i] = list[i].get<double>();
    }
    if (!is_finite(vector)) return Error{"'" + place + "' is not finite"};
    return vector;
}

Expected<MovesFile> moves_of(std::string_view text) {
    const auto json = parse_strictly(text);
    if (!json) return json.error();
    if (!json->is_object()) return Error{"the file is not an object"};
    for (const char* key : {"start", "moves"}) {
        if (!json->contains(key)) return Error{"there is no '" + std::string(key) + "'"};
    }
    const auto start = vector_of((*json)["start"], "start");
    if (!start) return start.error();
    const ParsedJson& list = (*json)["moves"];
    if (!list.is_array()) return Error{"'moves' is not a list"};
    MovesFile file{*start, {}};
    file.moves.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto move = vector_of(list[i], "moves[" + std::to_string(i) + "]");
        if (!move) return move.error();
        file.moves.push_back(*move);
    }
    return file;
}

// Three numbers joined by commas, blanks around them skipped.
std::optional<Vec3> row_of(std::string_view line) {
    Vec3 row;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t comma = line.find(',');
        if ((comma == std::string_view::npos) != (i == 2)) return std::nullopt;
        const auto number = io::parse_double(trimmed(line.substr(0, comma)));
        if (!number || !is_finite(*number)) return std::nullopt;
        row[i] = *number;
        line = i < 2 ? line.substr(comma + 1) : line;
    }
    return row;
}

std::string list_text(const Vec3& v) {
    return "[" + io::to_shortest(v.x) + "," + io::to_shortest(v.y) + "," + io::to_shortest(v.z) +
           "]";
}

}  // namespace

Expected<MovesFile> parse_moves(std::string_view text, const std::string& name) {
    auto file = moves_of(text);
    if (!file) return Error{name + ": " + file.error().message};
    return file;
}

Expected<MovesFile> read_moves(const std::filesystem::path& path) {
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    const auto text = read_whole(*reader, kMaxMovesBytes, kTooManyMoves);
    if (!text) return text.error();
    return parse_moves(*text, reader->name());
}

Expected<std::vector<Vec3>> parse_move_rows(std::string_view text, const std::string& name) {
    std::vector<Vec3> rows;
    std::size_t number = 0;
    bool has_header = false;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        ++number;
        if (line.empty()) continue;
        const std::string place = name + ": line " + std::to_string(number) + ": ";
        if (!has_header) {
            if (line != "x,y,z") return Error{place + "the first line is not x,y,z"};
            has_header = true;
            continue;
        }
        const auto row = row_of(line);
        if (!row) return Error{place + "is not three finite numbers joined by commas"};
        rows.push_back(*row);
    }
    if (!has_header) return Error{name + ": there is no first line x,y,z"};
    return rows;
}

Expected<std::vector<Vec3>> read_move_rows(const std::filesystem::path& path) {
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    const auto text = read_whole(*reader, kMaxMovesBytes, kTooManyMoves);
    if (!text) return text.error();
    return parse_move_rows(*text, reader->name());
}

std::string to_text(const MovesFile& file) {
    std::string text = "{\"start\":" + list_text(file.start) + ",\"moves\":[";
    for (std::size_t i = 0; i < file.moves.size(); ++i)
        text += (i == 0 ? "\n" : ",\n") + list_text(file.moves[i]);
    return text + "\n]}\n";
}

}  // namespace graze::app
