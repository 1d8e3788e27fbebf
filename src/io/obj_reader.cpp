#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/mesh_reader.hpp"
#include "io/text_lines.hpp"

namespace graze::io {
namespace {

constexpr std::int64_t kMaxVertices = std::numeric_limits<std::uint32_t>::max() - 1;
// x y z, a weight, a colour.
constexpr std::size_t kMaxVertexNumbers = 7;

// Statements without effect on vertices, faces and edges.
constexpr std::array<std::string_view, 20> kSkipped = {
    "vt",     "vn",     "g",      "o",          "s",         "mg",      "mtllib",
    "usemtl", "maplib", "usemap", "shadow_obj", "trace_obj", "lod",     "bevel",
    "ctech",  "stech",  "call",   "csh",        "c_interp",  "d_interp"};

// Geometry of other kinds: to skip it would lose some of the mesh.
constexpr std::array<std::string_view, 19> kRefused = {
    "vp",   "cstype", "deg", "bmat", "step", "curv", "curv2", "surf", "parm", "trim",
    "hole", "scrv",   "sp",  "end",  "con",  "bsp",  "bzp",   "cdc",  "cdp"};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<std::int64_t> integer_from(std::string_view text) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, value);
    if (failed != std::errc() || stop != end) return std::nullopt;
    return value;
}

// The first number of "v", "v/vt", "v//vn" or "v/vt/vn"; the others must be numbers too.
std::optional<std::int64_t> vertex_of_corner(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::optional<std::int64_t> vertex = integer_from(text.substr(0, slash));
    for (int part = 0; slash != std::string_view::npos && part < 2; ++part) {
        text.remove_prefix(text.find('/') + 1);
        const std::string_view field = text.substr(0, text.find('/'));
        if (!field.empty() && !integer_from(field)) return std::nullopt;
        if (field.size() == text.size()) return vertex;
    }
    return slash == std::string_view::npos ? vertex : std::nullopt;
}

class ObjReader {
public:
    explicit ObjReader(ByteReader reader)
        : reader_(std::move(reader)), text_(reader_, {.comment = '#', .continues = true}) {}

    Expected<PolygonMesh> read() {
        while (text_.next_line()) {
            if (const auto done = statement(); !done) return done.error();
        }
        if (reader_.failure()) return *reader_.failure();
        if (mesh_.positions.empty()) return reader_.error("holds no vertex", ErrorCode::WrongSize);
        if (farthest_ && *farthest_ >= mesh_.positions.size()) return *farthest_error_;
        return std::move(mesh_);
    }

private:
    Expected<void> statement() {
        const auto first = text_.word();
        if (!first) return first.error();
        if (*first == "v") return vertex();
        if (*first == "f" || *first == "fo") return face();
        if (*first == "l") return line();
        if (*first == "p") return points();
        if (is_among(kSkipped, *first)) return {};
        if (is_among(kRefused, *first)) {
            return text_.error("'" + std::string(*first) + "': curves and surfaces are not read",
                               ErrorCode::Unsupported);
        }
        return text_.error(quoted(*first) + " is no statement of OBJ that is known");
    }

    Expected<void> vertex() {
        if (std::cmp_greater_equal(mesh_.positions.size(), kMaxVertices)) {
            return text_.error("more vertices than 32-bit indices can name", ErrorCode::WrongSize);
        }
        Vec3 position;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto value = text_.number(std::string_view("xyz").substr(axis, 1));
            if (!value) return value.error();
            position[axis] = *value;
        }
        mesh_.positions.push_back(position);
        return rest_of_vertex();
    }

    // A weight and a colour may follow; anything else is not a vertex.
    Expected<void> rest_of_vertex() {
        for (std::size_t count = 4;; ++count) {
            const auto word = text_.word();
            if (!word) return word.error();
            if (word->empty()) return {};
            std::string_view digits = *word;
            if (digits.starts_with('+')) digits.remove_prefix(1);
            double ignored = 0.0;
            const char* end = digits.data() + digits.size();
            const bool is_number =
                !digits.empty() && std::from_chars(digits.data(), end, ignored).ptr == end;
            if (count > kMaxVertexNumbers || !is_number) {
                return text_.error("vertex goes on with " + quoted(*word));
            }
        }
    }

    Expected<void> face() {
        const auto count =
            corners([this](std::uint32_t corner) { mesh_.polygons.add_corner(corner); });
        if (!count) return count.error();
        if (*count < 3)
            return text_.error("face has fewer than three corners", ErrorCode::WrongSize);
        mesh_.polygons.close();
        return {};
    }

    Expected<void> line() {
        std::optional<std::uint32_t> last;
        const auto count = corners([this, &last](std::uint32_t corner) {
            if (last) mesh_.edges.push_back({*last, corner});
            last = corner;
        });
        if (!count) return count.error();
        if (*count < 2) return text_.error("line has fewer than two ends", ErrorCode::WrongSize);
        return {};
    }

    // Vertices are kept whether an element names them or not.
    Expected<void> points() {
        const auto count = corners([](std::uint32_t) {});
        if (!count) return count.error();
        if (*count == 0) return text_.error("point without vertex", ErrorCode::WrongSize);
        return {};
    }

    // Passes all corners of the line to `use`; returns how many.
    template <class Use>
    Expected<std::size_t> corners(Use use) {
        for (std::size_t count = 0;; ++count) {
            const auto word = text_.word();
            if (!word) return word.error();
            if (word->empty()) return count;
            const std::optional<std::int64_t> number = vertex_of_corner(*word);
            if (!number) return text_.error(quoted(*word) + " is not a corner");
            const Expected<std::uint32_t> corner = index_of(*number);
            if (!corner) return corner.error();
            use(*corner);
        }
    }

    // From 1 upwards, or from -1 downwards behind the last vertex so far.
    Expected<std::uint32_t> index_of(std::int64_t number) {
        const auto count = static_cast<std::int64_t>(mesh_.positions.size());
        if (number == 0) {
            return text_.error("vertex index is 0, and OBJ counts from 1",
                               ErrorCode::IndexOutOfRange);
        }
        if (number > kMaxVertices || number < -count) return out_of_range(number);
        if (number < 0) return static_cast<std::uint32_t>(count + number);
        const auto index = static_cast<std::uint32_t>(number - 1);
        // Vertices may follow the faces that name them: the end of the file shows.
        if (number > count && (!farthest_ || index > *farthest_)) {
            farthest_ = index;
            farthest_error_ = out_of_range(number);
        }
        return index;
    }

    [[nodiscard]] Error out_of_range(std::int64_t number) const {
        return text_.error("vertex index " + std::to_string(number) + " is out of range",
                           ErrorCode::IndexOutOfRange);
    }

    ByteReader reader_;
    TextLines text_;
    PolygonMesh mesh_;
    // The largest index that named no vertex when it was read, and the error if none follows.
    std::optional<std::uint32_t> farthest_;
    std::optional<Error> farthest_error_;
};

}  // namespace

Expected<PolygonMesh> read_obj(ByteReader reader) {
    return ObjReader(std::move(reader)).read();
}

}  // namespace graze::io
