#include "io/ply_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace graze::io {
namespace {

constexpr std::size_t kMaxHeaderLine = 4096;

struct TypeName {
    std::string_view name;
    PlyType type;
};
constexpr std::array<TypeName, 16> kTypeNames = {{{"char", PlyType::Int8},
                                                  {"int8", PlyType::Int8},
                                                  {"uchar", PlyType::UInt8},
                                                  {"uint8", PlyType::UInt8},
                                                  {"short", PlyType::Int16},
                                                  {"int16", PlyType::Int16},
                                                  {"ushort", PlyType::UInt16},
                                                  {"uint16", PlyType::UInt16},
                                                  {"int", PlyType::Int32},
                                                  {"int32", PlyType::Int32},
                                                  {"uint", PlyType::UInt32},
                                                  {"uint32", PlyType::UInt32},
                                                  {"float", PlyType::Float32},
                                                  {"float32", PlyType::Float32},
                                                  {"double", PlyType::Float64},
                                                  {"float64", PlyType::Float64}}};

std::optional<PlyType> type_named(std::string_view name) {
    const auto* found = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                     [&](const TypeName& t) { return t.name == name; });
    if (found == kTypeNames.end()) return std::nullopt;
    return found->type;
}

// The words of a line, up to one more than any statement has.
constexpr std::size_t kMaxWords = 6;

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (words.size() < kMaxWords) {
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos) break;
        line.remove_prefix(first);
        const std::size_t length = std::min(line.find_first_of(" \t"), line.size());
        words.push_back(line.substr(0, length));
        line.remove_prefix(length);
    }
    return words;
}

using Words = std::vector<std::string_view>;

// Names stand in error messages, so they must be short and printable.
constexpr std::size_t kMaxNameLength = 64;

bool is_printable_name(std::string_view name) {
    return name.size() <= kMaxNameLength &&
           std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

// Each statement adds to the header.
Expected<void> add_format(PlyHeader& header, const Words& words) {
    if (words.size() != 3) return malformed("expected 'format <encoding> 1.0'");
    if (words[2] != "1.0") return malformed("format version is not 1.0");
    if (words[1] == "ascii") {
        header.encoding = PlyEncoding::Ascii;
    } else if (words[1] == "binary_little_endian") {
        header.encoding = PlyEncoding::LittleEndian;
    } else if (words[1] == "binary_big_endian") {
        header.encoding = PlyEncoding::BigEndian;
    } else {
        return malformed("unknown encoding");
    }
    return {};
}

Expected<void> add_element(PlyHeader& header, const Words& words) {
    if (words.size() != 3) return malformed("expected 'element <name> <count>'");
    if (header.elements.size() == kMaxPlyElements) return malformed("too many elements");
    if (header.find(words[1]) != nullptr) return malformed("element is declared twice");
    if (!is_printable_name(words[1])) return malformed("element name is too long or not printable");
    PlyElement element;
    element.name = words[1];
    const auto [end, failed] =
        std::from_chars(words[2].data(), words[2].data() + words[2].size(), element.count);
    if (failed != std::errc() || end != words[2].data() + words[2].size()) {
        return malformed("element count is not a natural number");
    }
    header.elements.push_back(std::move(element));
    return {};
}

Expected<void> add_property(PlyHeader& header, const Words& words) {
    const bool is_list = words.size() > 1 && words[1] == "list";
    if (words.size() != (is_list ? 5u : 3u)) {
        return malformed(
            "expected 'property <type> <name>' or 'property list <type> <type> <name>'");
    }
    if (header.elements.empty()) return malformed("property before the first element");
    std::vector<PlyProperty>& properties = header.elements.back().properties;
    if (properties.size() == kMaxPlyProperties) return malformed("too many properties");
    const std::optional<PlyType> type = type_named(words[words.size() - 2]);
    const std::optional<PlyType> length_type = is_list ? type_named(words[2]) : std::nullopt;
    if (!type || (is_list && !length_type)) return malformed("unknown type");
    if (is_list && !is_integer(*length_type))
        return malformed("list length is not an integer type");
    if (!is_printable_name(words.back()))
        return malformed("property name is too long or not printable");
    const bool is_known = std::any_of(properties.begin(), properties.end(),
                                      [&](const auto& p) { return p.name == words.back(); });
    if (is_known) return malformed("property is declared twice");
    properties.push_back({std::string(words.back()), *type, length_type});
    return {};
}

Expected<void> add_statement(PlyHeader& header, const Words& words) {
    if (words.empty() || words[0] == "comment" || words[0] == "obj_info") return {};
    if (words[0] == "element") return add_element(header, words);
    if (words[0] == "property") return add_property(header, words);
    return malformed("unknown statement");
}

// The words of the next line; an error at the end of the file.
Expected<Words> next_words(ByteReader& reader) {
    const auto line = reader.line(kMaxHeaderLine);
    if (!line) return line.error();
    if (!*line) return malformed("header is cut short");
    return words_of(**line);
}

}  // namespace

const PlyElement* PlyHeader::find(std::string_view name) const noexcept {
    for (const PlyElement& element : elements) {
        if (element.name == name) return &element;
    }
    return nullptr;
}

Expected<PlyHeader> read_ply_header(ByteReader& reader) {
    PlyHeader header;
    bool has_format = false;
    for (std::size_t number = 1;; ++number) {
        const Expected<Words> words = next_words(reader);
        if (!words) return reader.error("header line", number, words.error());
        const std::string_view first = words->empty() ? "" : words->front();
        Expected<void> added;
        if (number == 1) {
            if (first != "ply") added = malformed("not a PLY file: it does not begin with 'ply'");
        } else if (first == "format") {
            added = has_format ? malformed("format is given twice") : add_format(header, *words);
            has_format = true;
        } else if (first == "end_header") {
            if (has_format) return header;
            added = malformed("header without format");
        } else {
            added = add_statement(header, *words);
        }
        if (!added) return reader.error("header line", number, added.error());
    }
}

}  // namespace graze::io
