#include "graze/io/polygon_mesh.hpp"

#include <array>
#include <charconv>
#include <span>

#include "graze/core/assert.hpp"
#include "graze/io/atomic_file.hpp"
#include "graze/io/text_pieces.hpp"
#include "io/mesh_reader.hpp"

namespace graze::io {
namespace {

// The shortest text of a double has at most 24 characters ("-2.2250738585072014e-308").
template <class Number>
void append(std::string& text, Number number) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    text += ' ';
    text.append(buffer.data(), end);
}

}  // namespace

std::vector<std::uint32_t> PolygonMesh::corner_counts() const {
    std::vector<std::uint32_t> counts(polygons.size());
    for (std::size_t i = 0; i < polygons.size(); ++i)
        counts[i] = static_cast<std::uint32_t>(polygons[i].size());
    return counts;
}

std::vector<std::uint32_t> PolygonMesh::corners() const {
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; i < polygons.size(); ++i)
        all.insert(all.end(), polygons[i].begin(), polygons[i].end());
    return all;
}

Expected<PolygonMesh> read_polygon_mesh(const std::filesystem::path& path) {
    return read_polygons(path);
}

std::string to_obj(const PolygonMesh& mesh, const std::string& comment) {
    std::string text;
    const Expected<void> taken = to_obj(mesh, comment, [&](std::string_view piece, double) {
        text += piece;
        return Expected<void>();
    });
    // Only who takes the pieces can refuse them.
    GRAZE_ASSERT(taken.has_value());
    return taken ? text : std::string();
}

Expected<void> to_obj(const PolygonMesh& mesh, const std::string& comment, const TextTaker& take) {
    const std::size_t lines = comment.empty() ? 0 : 1;
    TextPieces pieces(take,
                      lines + mesh.positions.size() + mesh.polygons.size() + mesh.edges.size());
    if (!comment.empty()) {
        pieces.text = "# " + comment;
        if (auto taken = pieces.end_line(); !taken) return taken;
    }
    for (const Vec3& position : mesh.positions) {
        pieces.text += 'v';
        for (std::size_t axis = 0; axis < 3; ++axis)
            append(pieces.text, position[axis]);
        if (auto taken = pieces.end_line(); !taken) return taken;
    }
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
        pieces.text += 'f';
        for (const std::uint32_t corner : mesh.polygons[i])
            append(pieces.text, std::uint64_t{corner} + 1);
        if (auto taken = pieces.end_line(); !taken) return taken;
    }
    for (const EdgeIndices& edge : mesh.edges) {
        pieces.text += 'l';
        for (const std::uint32_t end : edge)
            append(pieces.text, std::uint64_t{end} + 1);
        if (auto taken = pieces.end_line(); !taken) return taken;
    }
    return pieces.finish();
}

Expected<void> write_obj(const std::filesystem::path& path, const PolygonMesh& mesh,
                         const std::string& comment) {
    const bool is_packed = path.string().ends_with(".gz");
    auto file = AtomicFile::create(path, is_packed ? Packing::Gzip : Packing::Plain);
    if (!file) return file.error();
    const auto written = to_obj(mesh, comment, [&](std::string_view piece, double) {
        return (*file)->write(
            std::span(reinterpret_cast<const unsigned char*>(piece.data()), piece.size()));
    });
    if (!written) return written;
    return (*file)->commit();
}

}  // namespace graze::io
