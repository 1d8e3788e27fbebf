#include "moves_file.hpp"

#include <nlohmann/json.hpp>

#include "graze/io/byte_reader.hpp"
#include "graze/io/hex_float.hpp"
#include "strict_json.hpp"

namespace graze::app {
namespace {

using ParsedJson = nlohmann::json;

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
    std::string text;
    std::vector<unsigned char> block(std::size_t{1} << 16);
    while (const std::size_t size = reader->read(block)) {
        text.append(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
        if (text.size() > kMaxMovesBytes) return reader->error("more than 256 MiB of moves");
    }
    if (reader->failure()) return reader->error("");
    return parse_moves(text, reader->name());
}

std::string to_text(const MovesFile& file) {
    std::string text = "{\"start\":" + list_text(file.start) + ",\"moves\":[";
    for (std::size_t i = 0; i < file.moves.size(); ++i)
        text += (i == 0 ? "\n" : ",\n") + list_text(file.moves[i]);
    return text + "\n]}\n";
}

}  // namespace graze::app
