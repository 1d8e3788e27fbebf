#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/mesh_reader.hpp"
#include "io/text_lines.hpp"

namespace graze::io {
namespace {

constexpr std::size_t kMaxCorners = std::numeric_limits<std::uint32_t>::max() - 1;

std::uint32_t little_endian(std::span<const unsigned char> bytes) {
    return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
           std::uint32_t{bytes[3]} << 24;
}

bool equal_in_any_case(std::string_view word, std::string_view lower) {
    if (word.size() != lower.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool is_upper = word[i] >= 'A' && word[i] <= 'Z';
        if ((is_upper ? static_cast<char>(word[i] + ('a' - 'A')) : word[i]) != lower[i])
            return false;
    }
    return true;
}

// A vertex of its own for each corner; the third one completes its triangle.
void add_corner(PolygonMesh& mesh, const Vec3& position) {
    mesh.polygons.add_corner(static_cast<std::uint32_t>(mesh.positions.size()));
    mesh.positions.push_back(position);
    if (mesh.positions.size() % 3 == 0) mesh.polygons.close();
}

// solid NAME { facet normal x y z outer loop (vertex x y z)*3 endloop endfacet }* endsolid NAME,
// once or several times. Names go to the end of their line; elsewhere lines mean nothing.
class StlAsciiReader {
public:
    explicit StlAsciiReader(ByteReader reader) : reader_(std::move(reader)), text_(reader_, {}) {}

    Expected<PolygonMesh> read() {
        while (text_.next_line()) {
            if (const auto done = solid(); !done) return done.error();
        }
        if (reader_.failure()) return *reader_.failure();
        if (mesh_.positions.empty())
            return reader_.error("holds no triangle", ErrorCode::WrongSize);
        return std::move(mesh_);
    }

private:
    Expected<void> solid() {
        const auto first = text_.word();
        if (!first) return first.error();
        if (!equal_in_any_case(*first, "solid")) return unexpected(*first, "solid");
        if (!text_.next_line()) return cut_short();
        while (true) {
            const auto word = next_word();
            if (!word) return word.error();
            if (equal_in_any_case(*word, "endsolid")) return {};
            if (!equal_in_any_case(*word, "facet")) return unexpected(*word, "facet or endsolid");
            if (const auto done = facet(); !done) return done;
        }
    }

    Expected<void> facet() {
        if (const auto done = expect("normal"); !done) return done;
        // Normals follow from the corners; files have NaN there.
        for (int axis = 0; axis < 3; ++axis) {
            if (const auto ignored = next_word(); !ignored) return ignored.error();
        }
        if (const auto done = expect("outer"); !done) return done;
        if (const auto done = expect("loop"); !done) return done;
        if (mesh_.positions.size() > kMaxCorners - 3) {
            return text_.error("more corners than 32-bit indices can name", ErrorCode::WrongSize);
        }
        for (int corner = 0; corner < 3; ++corner) {
            if (const auto done = vertex(); !done) return done;
        }
        if (const auto done = expect("endloop"); !done) return done;
        return expect("endfacet");
    }

    Expected<void> vertex() {
        if (const auto done = expect("vertex"); !done) return done;
        Vec3 position;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto value = text_.number(std::string_view("xyz").substr(axis, 1));
            if (!value) return value.error();
            position[axis] = *value;
        }
        add_corner(mesh_, position);
        return {};
    }

    Expected<std::string_view> next_word() {
        auto word = text_.word();
        if (!word || !word->empty()) return word;
        if (!text_.next_line()) return cut_short();
        return text_.word();
    }

    Expected<void> expect(std::string_view keyword) {
        const auto word = next_word();
        if (!word) return word.error();
        return equal_in_any_case(*word, keyword) ? Expected<void>() : unexpected(*word, keyword);
    }

    [[nodiscard]] Error unexpected(std::string_view word, std::string_view wanted) const {
        return text_.error(quoted(word) + " where " + std::string(wanted) + " is expected");
    }
    [[nodiscard]] Error cut_short() const { return text_.error("file is cut short"); }

    ByteReader reader_;
    TextLines text_;
    PolygonMesh mesh_;
};

constexpr std::size_t kHeaderBytes = 80;
constexpr std::size_t kTriangleBytes = 50;  // normal, three corners (floats), 16 bits of attributes
constexpr std::size_t kNormalBytes = 12;

// The corner of a triangle, if it is finite.
std::optional<Vec3> corner_of(std::span<const unsigned char> triangle, std::size_t corner) {
    Vec3 position;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t at = kNormalBytes + 12 * corner + 4 * axis;
        position[axis] = std::bit_cast<float>(little_endian(triangle.subspan(at, 4)));
    }
    return is_finite(position) ? std::optional(position) : std::nullopt;
}

}  // namespace

Expected<PolygonMesh> read_stl_ascii(ByteReader reader) {
    return StlAsciiReader(std::move(reader)).read();
}

Expected<PolygonMesh> read_stl_binary(ByteReader reader) {
    // 80 bytes of anything, the number of triangles, then 50 bytes each: every cut is detected.
    std::array<unsigned char, kHeaderBytes + 4> header{};
    if (reader.read(header) != header.size()) return reader.error("header is cut short");
    const std::uint32_t count = little_endian(std::span(header).subspan(kHeaderBytes));
    if (count == 0) return reader.error("holds no triangle", ErrorCode::WrongSize);
    if (count > kMaxCorners / 3)
        return reader.error("more corners than 32-bit indices can name", ErrorCode::WrongSize);
    PolygonMesh mesh;
    std::array<unsigned char, kTriangleBytes> bytes{};
    for (std::uint32_t i = 0; i < count; ++i) {
        if (reader.read(bytes) != bytes.size()) {
            return reader.error(
                "triangle", i,
                {"file is cut short, its header states " + std::to_string(count) + " triangles",
                 ErrorCode::Malformed});
        }
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const std::optional<Vec3> position = corner_of(bytes, corner);
            if (!position) {
                return reader.error("triangle", i,
                                    {"a coordinate is not finite", ErrorCode::NotFinite});
            }
            add_corner(mesh, *position);
        }
    }
    if (reader.peek() != ByteReader::kEnd) return reader.error("data after the last triangle");
    if (reader.failure()) return *reader.failure();
    return mesh;
}

}  // namespace graze::io
