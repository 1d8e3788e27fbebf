#include "graze/io/ply.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/ply_header.hpp"
#include "io/ply_reader.hpp"
#include "io/ply_scalars.hpp"

namespace graze::io {
namespace {

// No more than this is set aside on a header's word alone.
constexpr std::uint64_t kMaxReserve = std::uint64_t{1} << 16;

// Walks the body element by element; every property of the header is read or skipped once.
class PlyBody {
public:
    PlyBody(ByteReader& reader, const PlyHeader& header)
        : reader_(reader), header_(header), scalars_(reader, header.encoding) {}

    Expected<PlyMesh> read() {
        if (const auto known = check_header(); !known) return known.error();
        for (const PlyElement& element : header_.elements) {
            if (const auto done = read_element(element); !done) return done.error();
        }
        const auto end = scalars_.end_body();
        if (!end) return reader_.error(end.error().message);
        if (reader_.failure()) return *reader_.failure();
        return std::move(mesh_);
    }

private:
    [[nodiscard]] Expected<void> check_header() const {
        const PlyElement* vertex = header_.find("vertex");
        if (vertex == nullptr) return reader_.error("header has no element 'vertex'");
        if (vertex->count > std::numeric_limits<std::uint32_t>::max()) {
            return reader_.error("header states more vertices than 32-bit indices can name");
        }
        if (header_.find("tristrips") != nullptr) {
            return reader_.error("triangle strips are not supported");
        }
        return {};
    }

    Expected<void> read_element(const PlyElement& element) {
        if (element.name == "vertex") return read_vertices(element);
        if (element.name == "face") return read_faces(element);
        if (element.name == "edge") return read_edges(element);
        if (element.properties.empty()) return {};
        return for_each(element, [&](const PlyProperty& p) { return skip(p); });
    }

    // Runs `read_property` on every property of every item; adds the place to its errors.
    template <class ReadProperty>
    Expected<void> for_each(const PlyElement& element, ReadProperty read_property) {
        for (std::uint64_t i = 0; i < element.count; ++i) {
            scalars_.begin_line();
            Expected<void> done;
            for (const PlyProperty& property : element.properties) {
                done = read_property(property);
                if (!done) break;
            }
            if (done) done = scalars_.end_line();
            if (!done) {
                return reader_.error(element.name + " " + std::to_string(i) + ": " +
                                     done.error().message);
            }
        }
        return {};
    }

    Expected<void> skip(const PlyProperty& property) {
        if (!property.length_type) return scalars_.skip(property.type, 1);
        const auto length = scalars_.next_length(*property.length_type);
        if (!length) return length.error();
        return scalars_.skip(property.type, *length);
    }

    // The one property of that name, which must be a number, not a list.
    Expected<const PlyProperty*> scalar_property(const PlyElement& element,
                                                 std::string_view name) const {
        for (const PlyProperty& property : element.properties) {
            if (property.name == name && !property.length_type) return &property;
        }
        return reader_.error("element '" + element.name + "' has no number '" + std::string(name) +
                             "'");
    }

    Expected<void> read_vertices(const PlyElement& element) {
        std::array<const PlyProperty*, 3> axes{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto found = scalar_property(element, std::string_view("xyz").substr(axis, 1));
            if (!found) return found.error();
            axes[axis] = *found;
        }
        mesh_.vertices.reserve(std::min(element.count, kMaxReserve));
        Vec3 position;
        return for_each(element, [&](const PlyProperty& property) -> Expected<void> {
            const auto axis = static_cast<std::size_t>(
                std::find(axes.begin(), axes.end(), &property) - axes.begin());
            Expected<void> done;
            if (axis < 3) {
                const Expected<double> value = coordinate(property);
                if (!value) return value.error();
                position[axis] = *value;
            } else {
                done = skip(property);
            }
            if (done && &property == &element.properties.back()) mesh_.vertices.push_back(position);
            return done;
        });
    }

    Expected<double> coordinate(const PlyProperty& property) {
        Expected<double> value = scalars_.next(property.type);
        if (value && !std::isfinite(*value)) return Error{property.name + " is not finite"};
        return value;
    }

    Expected<void> read_faces(const PlyElement& element) {
        const PlyProperty* corners = nullptr;
        for (const PlyProperty& property : element.properties) {
            if (property.name != "vertex_indices" && property.name != "vertex_index") continue;
            if (corners != nullptr) return reader_.error("element 'face' has two lists of corners");
            corners = &property;
        }
        if (corners == nullptr && element.count == 0) return {};
        if (corners == nullptr || !corners->length_type || !is_integer(corners->type)) {
            return reader_.error("element 'face' has no list of integers 'vertex_indices'");
        }
        return for_each(element, [&](const PlyProperty& property) {
            return &property == corners ? polygon(property) : skip(property);
        });
    }

    Expected<void> polygon(const PlyProperty& property) {
        const auto length = scalars_.next_length(*property.length_type);
        if (!length) return length.error();
        for (std::size_t i = 0; i < *length; ++i) {
            const Expected<std::uint32_t> corner = index(property.type);
            if (!corner) return corner.error();
            mesh_.polygons.add_corner(*corner);
        }
        mesh_.polygons.close();
        return {};
    }

    Expected<std::uint32_t> index(PlyType type) {
        const Expected<double> value = scalars_.next(type);
        if (!value) return value.error();
        const auto vertices = static_cast<double>(header_.find("vertex")->count);
        if (*value < 0.0 || *value >= vertices) return Error{"vertex index is out of range"};
        return static_cast<std::uint32_t>(*value);
    }

    Expected<void> read_edges(const PlyElement& element) {
        if (element.count == 0) return {};
        const auto first = scalar_property(element, "vertex1");
        if (!first) return first.error();
        const auto second = scalar_property(element, "vertex2");
        if (!second) return second.error();
        if (!is_integer((*first)->type) || !is_integer((*second)->type)) {
            return reader_.error("element 'edge' has vertices that are not integers");
        }
        std::array<std::uint32_t, 2> edge{};
        return for_each(element, [&](const PlyProperty& property) -> Expected<void> {
            Expected<void> done;
            if (&property == *first || &property == *second) {
                const Expected<std::uint32_t> end = index(property.type);
                if (!end) return end.error();
                edge[&property == *first ? 0 : 1] = *end;
            } else {
                done = skip(property);
            }
            if (done && &property == &element.properties.back()) mesh_.edges.push_back(edge);
            return done;
        });
    }

    ByteReader& reader_;
    const PlyHeader& header_;
    PlyScalars scalars_;
    PlyMesh mesh_;
};

}  // namespace

Expected<PlyMesh> read_ply(ByteReader reader) {
    const Expected<PlyHeader> header = read_ply_header(reader);
    if (!header) return header.error();
    return PlyBody(reader, *header).read();
}

Expected<PlyMesh> read_ply(const std::filesystem::path& path) {
    auto reader = ByteReader::open(path);
    if (!reader) return reader.error();
    return read_ply(std::move(*reader));
}

}  // namespace graze::io
