#include "graze/io/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graze/surface/defects.hpp"
#include "graze/surface/triangulation.hpp"
#include "io/mesh_reader.hpp"
#include "io/ply_reader.hpp"

namespace graze::io {
namespace {

using Bytes = std::vector<unsigned char>;

// Enough bytes to distinguish an ascii STL from a binary one.
constexpr std::size_t kLookAhead = 1024;

// Bytes that were read ahead, and then those of the stream they came from.
class ReplayStream final : public ByteStream {
public:
    ReplayStream(Bytes seen, std::unique_ptr<ByteStream> rest)
        : seen_(std::move(seen)), rest_(std::move(rest)) {}

    Expected<std::size_t> read(std::span<unsigned char> buffer) override {
        if (used_ == seen_.size()) return rest_->read(buffer);
        const std::size_t count = std::min(buffer.size(), seen_.size() - used_);
        std::copy_n(seen_.begin() + static_cast<std::ptrdiff_t>(used_), count, buffer.begin());
        used_ += count;
        return count;
    }

private:
    Bytes seen_;
    std::size_t used_ = 0;
    std::unique_ptr<ByteStream> rest_;
};

// Up to kLookAhead bytes; fewer only at the end.
Expected<Bytes> look_ahead(ByteStream& stream) {
    Bytes bytes(kLookAhead);
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto got = stream.read(std::span(bytes).subspan(done));
        if (!got) return got.error();
        if (*got == 0) break;
        done += *got;
    }
    bytes.resize(done);
    return bytes;
}

bool begins_with(const Bytes& bytes, std::string_view text) {
    const auto is_same = [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; };
    return bytes.size() >= text.size() &&
           std::equal(text.begin(), text.end(), bytes.begin(), is_same);
}

// A text begins with "solid" and holds no NUL. Binary headers may begin so, too, but 16 bits of
// every triangle are attributes, which nearly all programs leave 0; one that is taken for a text is
// refused.
bool is_ascii_stl(const Bytes& bytes) {
    const std::string_view solid = "solid";
    const bool has_word =
        bytes.size() >= solid.size() &&
        std::equal(solid.begin(), solid.end(), bytes.begin(),
                   [](char a, unsigned char b) { return a == static_cast<char>(b | 0x20); });
    return has_word && std::find(bytes.begin(), bytes.end(), 0) == bytes.end();
}

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    return text;
}

std::optional<MeshFormat> format_of_name(const std::filesystem::path& path) {
    std::string name = lower_case(path.filename().string());
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    if (name.ends_with(".obj")) return MeshFormat::Obj;
    if (name.ends_with(".ply")) return MeshFormat::Ply;
    if (name.ends_with(".stl")) return MeshFormat::Stl;
    return std::nullopt;
}

std::optional<MeshFormat> format_of_content(const Bytes& bytes) {
    if (begins_with(bytes, "ply\n") || begins_with(bytes, "ply\r")) return MeshFormat::Ply;
    if (is_ascii_stl(bytes)) return MeshFormat::Stl;
    return std::nullopt;
}

// The bytes without the mark that some editors put before a text in UTF-8.
Bytes without_mark(const Bytes& bytes) {
    const bool is_marked = begins_with(bytes, "\xEF\xBB\xBF");
    return {bytes.begin() + (is_marked ? 3 : 0), bytes.end()};
}

// A mark is dropped before a text; a binary file may begin with any bytes.
Bytes readable_bytes(const Bytes& bytes, MeshFormat format) {
    Bytes rest = without_mark(bytes);
    const bool is_text = format == MeshFormat::Obj || format_of_content(rest) == format;
    return is_text ? rest : bytes;
}

Expected<PolygonMesh> polygons_of_ply(ByteReader reader) {
    const std::string name = reader.name();
    auto ply = read_ply(std::move(reader));
    if (ply && ply->positions.empty())
        return Error{name + ": holds no vertex", ErrorCode::WrongSize};
    return ply;
}

Expected<PolygonMesh> read_polygons(Bytes seen, std::unique_ptr<ByteStream> rest,
                                    const std::string& name, MeshFormat format) {
    seen = readable_bytes(seen, format);
    const bool is_ascii = is_ascii_stl(seen);
    ByteReader reader(std::make_unique<ReplayStream>(std::move(seen), std::move(rest)), name);
    switch (format) {
        case MeshFormat::Obj:
            return read_obj(std::move(reader));
        case MeshFormat::Ply:
            return polygons_of_ply(std::move(reader));
        case MeshFormat::Stl:
            break;
    }
    return is_ascii ? read_stl_ascii(std::move(reader)) : read_stl_binary(std::move(reader));
}

// A mesh before vertices are welded.
struct FileMesh {
    PolygonMesh mesh;
    bool is_soup;  // each triangle has three vertices of its own
};

Expected<FileMesh> read_file(const std::filesystem::path& path) {
    const std::string name = path.string();
    auto stream = open_bytes(path);
    if (!stream) return located(name, stream.error());
    auto seen = look_ahead(**stream);
    if (!seen) return located(name, seen.error());
    if (seen->empty()) return Error{name + ": is empty", ErrorCode::Malformed};
    std::optional<MeshFormat> format = format_of_name(path);
    if (!format) format = format_of_content(without_mark(*seen));
    if (!format) {
        return Error{name + ": is no mesh that is known: the name ends in none of .obj, .ply, .stl",
                     ErrorCode::Unsupported};
    }
    auto mesh = read_polygons(std::move(*seen), std::move(*stream), name, *format);
    if (!mesh) return mesh.error();
    return FileMesh{std::move(*mesh), *format == MeshFormat::Stl};
}

// --- Soups to indexed meshes ---------------------------------------------------------------------

// Vertex i is the i-th corner of the triangles: equal ones become one vertex.
PolygonMesh welded(const PolygonMesh& soup, const Weld& weld) {
    PolygonMesh mesh;
    mesh.positions = weld.positions(soup.positions);
    for (std::size_t i = 0; i < weld.to_new.size(); ++i) {
        mesh.polygons.add_corner(weld.to_new[i]);
        if (i % 3 == 2) mesh.polygons.close();
    }
    return mesh;
}

PolygonMesh indexed(FileMesh file) {
    return file.is_soup ? welded(file.mesh, weld(file.mesh.positions)) : std::move(file.mesh);
}

// --- Two frames ----------------------------------------------------------------------------------

std::string listed(std::span<const std::uint32_t> indices) {
    constexpr std::size_t kMostListed = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(indices.size(), kMostListed); ++i)
        text += (i == 0 ? "" : " ") + std::to_string(indices[i]);
    return indices.size() > kMostListed ? text + " ..." : text;
}

Expected<void> same_number(std::size_t start, std::size_t end, std::string_view what) {
    if (start == end) return {};
    return Error{"has " + std::to_string(end) + " " + std::string(what) + ", the start " +
                     std::to_string(start),
                 ErrorCode::WrongSize};
}

// The first difference of two lists of index lists is an error.
template <class Lists>
Expected<void> same_elements(const Lists& start, const Lists& end, const std::string& one) {
    for (std::size_t i = 0; i < std::min(start.size(), end.size()); ++i) {
        const std::span<const std::uint32_t> a = start[i];
        const std::span<const std::uint32_t> b = end[i];
        if (std::equal(a.begin(), a.end(), b.begin(), b.end())) continue;
        return Error{one + " " + std::to_string(i) + " has the vertices " + listed(b) +
                         ", at the start " + listed(a),
                     ErrorCode::InvalidInput, i};
    }
    return same_number(start.size(), end.size(), one + "s");
}

Expected<void> same_mesh(const PolygonMesh& start, const PolygonMesh& end) {
    const std::size_t vertices = start.positions.size();
    if (auto same = same_number(vertices, end.positions.size(), "vertices"); !same) return same;
    if (auto same = same_elements(start.polygons, end.polygons, "face"); !same) return same;
    return same_elements(start.edges, end.edges, "edge");
}

// Vertices of two soups correspond by their index. Welded by both ends together: vertices that are
// equal at the start alone move separately, and one vertex for them would tear the mesh.
Expected<std::array<PolygonMesh, 2>> indexed_pair(FileMesh start, FileMesh end) {
    if (!start.is_soup || !end.is_soup)
        return std::array{indexed(std::move(start)), indexed(std::move(end))};
    const std::size_t triangles = start.mesh.polygons.size();
    if (auto same = same_number(triangles, end.mesh.polygons.size(), "triangles"); !same)
        return same.error();
    const Weld both = weld(start.mesh.positions, end.mesh.positions);
    return std::array{welded(start.mesh, both), welded(end.mesh, both)};
}

}  // namespace

Expected<PolygonMesh> read_polygons(std::unique_ptr<ByteStream> bytes, const std::string& name,
                                    MeshFormat format) {
    auto seen = look_ahead(*bytes);
    if (!seen) return located(name, seen.error());
    return read_polygons(std::move(*seen), std::move(bytes), name, format);
}

Expected<PolygonMesh> read_polygons(const std::filesystem::path& path) {
    auto file = read_file(path);
    if (!file) return file.error();
    return indexed(std::move(*file));
}

Expected<std::array<PolygonMesh, 2>> read_polygon_pair(const std::filesystem::path& start,
                                                       const std::filesystem::path& end) {
    auto file_t0 = read_file(start);
    if (!file_t0) return file_t0.error();
    auto file_t1 = read_file(end);
    if (!file_t1) return file_t1.error();
    auto pair = indexed_pair(std::move(*file_t0), std::move(*file_t1));
    const Expected<void> same = pair ? same_mesh((*pair)[0], (*pair)[1]) : pair.error();
    if (!same) return located(end.string() + ": does not match " + start.string(), same.error());
    return pair;
}

Expected<TriangleMesh> read_mesh(const std::filesystem::path& path) {
    auto mesh = read_polygons(path);
    if (!mesh) return mesh.error();
    auto faces = triangulate(mesh->polygons.faces(), mesh->positions);
    if (!faces) return located(path.string(), faces.error());
    return TriangleMesh{std::move(mesh->positions), std::move(*faces), std::move(mesh->edges)};
}

Expected<MeshPair> read_mesh_pair(const std::filesystem::path& start,
                                  const std::filesystem::path& end) {
    auto pair = read_polygon_pair(start, end);
    if (!pair) return pair.error();
    auto& [mesh_t0, mesh_t1] = *pair;
    auto faces = triangulate(mesh_t0.polygons.faces(), mesh_t0.positions);
    if (!faces) return located(start.string(), faces.error());
    return MeshPair{std::move(mesh_t0.positions), std::move(mesh_t1.positions), std::move(*faces),
                    std::move(mesh_t0.edges)};
}

std::vector<EdgeIndices> box_edges(std::span<const FaceIndices> faces,
                                   std::span<const EdgeIndices> loose_edges) {
    std::vector<EdgeIndices> edges = unique_edges(faces, loose_edges);
    std::sort(edges.begin(), edges.end(), [](const EdgeIndices& a, const EdgeIndices& b) {
        return std::pair(a[1], a[0]) < std::pair(b[1], b[0]);
    });
    return edges;
}

}  // namespace graze::io
