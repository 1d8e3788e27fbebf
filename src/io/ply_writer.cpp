#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "graze/core/assert.hpp"
#include "graze/io/atomic_file.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/io/polygon_mesh.hpp"

namespace graze::io {
namespace {

// The lowest `bytes` bytes, the lowest first.
void put(std::string& out, std::uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; ++i)
        out.push_back(static_cast<char>(static_cast<unsigned char>(bits >> 8 * i)));
}

void put(std::string& out, double value) {
    put(out, std::bit_cast<std::uint64_t>(value), 8);
}

std::string begin_header(std::size_t vertices, const std::string& comment) {
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    if (!comment.empty()) header += "comment " + comment + "\n";
    header += "element vertex " + std::to_string(vertices) + "\n";
    for (const char* axis : {"x", "y", "z"})
        header += std::string("property double ") + axis + "\n";
    return header;
}

constexpr const char* kEdgeProperties = "property uint vertex1\nproperty uint vertex2\n";

void put_edges(std::string& out, std::span<const EdgeIndices> edges) {
    for (const EdgeIndices& edge : edges) {
        for (const std::uint32_t end : edge)
            put(out, end, 4);
    }
}

std::string header_of(const PaintedMesh& mesh, const std::string& comment) {
    std::string header = begin_header(mesh.positions.size(), comment);
    for (const char* colour : {"red", "green", "blue"})
        header += std::string("property uchar ") + colour + "\n";
    header += "property double toi\n";
    header += "element face " + std::to_string(mesh.faces.size()) + "\n";
    header += "property list uchar uint vertex_indices\n";
    header += "element edge " + std::to_string(mesh.edges.size()) + "\n";
    return header + kEdgeProperties + "end_header\n";
}

}  // namespace

std::string to_ply(const PaintedMesh& mesh, const std::string& comment) {
    GRAZE_ASSERT(mesh.colours.size() == mesh.positions.size());
    GRAZE_ASSERT(mesh.times.size() == mesh.positions.size());
    std::string out = header_of(mesh, comment);
    out.reserve(out.size() + 35 * mesh.positions.size() + 13 * mesh.faces.size() +
                8 * mesh.edges.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            put(out, mesh.positions[i][axis]);
        for (const std::uint8_t part : mesh.colours[i])
            put(out, part, 1);
        put(out, mesh.times[i]);
    }
    for (const auto& face : mesh.faces) {
        put(out, 3, 1);
        for (const std::uint32_t corner : face)
            put(out, corner, 4);
    }
    put_edges(out, mesh.edges);
    return out;
}

std::string to_ply(const PolygonMesh& mesh, const std::string& comment) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i)
        most = std::max(most, mesh.polygons[i].size());
    const bool is_short = most <= 255;  // a byte counts the corners
    std::string out = begin_header(mesh.positions.size(), comment);
    out += "element face " + std::to_string(mesh.polygons.size()) + "\n";
    out += is_short ? "property list uchar uint vertex_indices\n"
                    : "property list uint uint vertex_indices\n";
    if (!mesh.edges.empty())
        out += "element edge " + std::to_string(mesh.edges.size()) + "\n" + kEdgeProperties;
    out += "end_header\n";
    for (const Vec3& position : mesh.positions)
        for (std::size_t axis = 0; axis < 3; ++axis)
            put(out, position[axis]);
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
        put(out, mesh.polygons[i].size(), is_short ? 1 : 4);
        for (const std::uint32_t corner : mesh.polygons[i])
            put(out, corner, 4);
    }
    put_edges(out, mesh.edges);
    return out;
}

Expected<void> write_ply(const std::filesystem::path& path, const PaintedMesh& mesh,
                         const std::string& comment) {
    const bool is_packed = path.string().ends_with(".gz");
    auto file = AtomicFile::create(path, is_packed ? Packing::Gzip : Packing::Plain);
    if (!file) return file.error();
    const std::string bytes = to_ply(mesh, comment);
    const auto written = (*file)->write(
        std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
    if (!written) return written;
    return (*file)->commit();
}

}  // namespace graze::io
