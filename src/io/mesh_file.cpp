#include "graze/io/mesh_file.hpp"

#include <algorithm>
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

// As many bytes tell an ascii STL from a binary one.
constexpr std::size_t kLookAhead = 1024;

// Bytes that were looked at, and then those of the stream they came from.
class ReplayStream final : public ByteStream {
public:
    ReplayStream(Bytes seen, std::unique_ptr<ByteStream> rest)
        : seen_(std::move(seen)), rest_(std::move(rest)) {}

    Expected<std::size_t> read(std::span<unsigned char> room) override {
        if (used_ == seen_.size()) return rest_->read(room);
        const std::size_t count = std::min(room.size(), seen_.size() - used_);
        std::copy_n(seen_.begin() + static_cast<std::ptrdiff_t>(used_), count, room.begin());
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

Expected<RawMesh> polygons_of_ply(ByteReader reader) {
    const std::string name = reader.name();
    auto ply = read_ply(std::move(reader));
    if (!ply) return ply.error();
    if (ply->vertices.empty()) return Error{name + ": holds no vertex"};
    return RawMesh{std::move(ply->vertices), std::move(ply->polygons), std::move(ply->edges)};
}

Expected<RawMesh> read_polygons(Bytes seen, std::unique_ptr<ByteStream> rest,
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

Expected<RawMesh> read_raw(const std::filesystem::path& path) {
    const std::string name = path.string();
    auto stream = open_bytes(path);
    if (!stream) return Error{name + ": " + stream.error().message};
    auto seen = look_ahead(**stream);
    if (!seen) return Error{name + ": " + seen.error().message};
    if (seen->empty()) return Error{name + ": is empty"};
    std::optional<MeshFormat> format = format_of_name(path);
    if (!format) format = format_of_content(without_mark(*seen));
    if (!format) {
        return Error{name +
                     ": is no mesh that is known: the name ends in none of .obj, .ply, .stl"};
    }
    return read_polygons(std::move(*seen), std::move(*stream), name, *format);
}

// --- Corners to vertices -------------------------------------------------------------------------

// Makes an indexed mesh of loose corners: those at one place are one vertex.
void join(RawMesh& mesh, const Weld& places) {
    for (std::size_t i = 0; i < places.to_new.size(); ++i) {
        mesh.polygons.add_corner(places.to_new[i]);
        if (i % 3 == 2) mesh.polygons.close();
    }
    mesh.positions = places.positions(mesh.positions);
    mesh.is_soup = false;
}

void join_alone(RawMesh& mesh) {
    if (mesh.is_soup) join(mesh, weld(mesh.positions));
}

// --- Two frames ----------------------------------------------------------------------------------

std::string listed(std::span<const std::uint32_t> indices) {
    constexpr std::size_t kMostListed = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(indices.size(), kMostListed); ++i)
        text += (i == 0 ? "" : " ") + std::to_string(indices[i]);
    return indices.size() > kMostListed ? text + " ..." : text;
}

std::string counted(std::size_t count, std::string_view what) {
    return "has " + std::to_string(count) + " " + std::string(what);
}

// What is the first difference of two lists of index lists? Nothing: there is none.
template <class Lists>
std::optional<std::string> difference(const Lists& start, const Lists& end, std::string_view one,
                                      std::string_view many) {
    for (std::size_t i = 0; i < std::min(start.size(), end.size()); ++i) {
        const std::span<const std::uint32_t> a = start[i];
        const std::span<const std::uint32_t> b = end[i];
        if (std::equal(a.begin(), a.end(), b.begin(), b.end())) continue;
        return std::string(one) + " " + std::to_string(i) + " has the vertices " + listed(b) +
               ", at the start " + listed(a);
    }
    if (start.size() == end.size()) return std::nullopt;
    return counted(end.size(), many) + ", the start " + std::to_string(start.size());
}

std::optional<std::string> difference(const RawMesh& start, const RawMesh& end) {
    if (start.positions.size() != end.positions.size()) {
        return counted(end.positions.size(), "vertices") + ", the start " +
               std::to_string(start.positions.size());
    }
    if (const auto faces = difference(start.polygons, end.polygons, "face", "faces")) return faces;
    return difference(start.edges, end.edges, "edge", "edges");
}

Error does_not_match(const std::filesystem::path& start, const std::filesystem::path& end,
                     const std::string& difference) {
    return Error{end.string() + ": does not match " + start.string() + ": " + difference};
}

// Corners of two soups are matched by their place in the file.
Expected<void> join_frames(RawMesh& start, RawMesh& end) {
    if (!start.is_soup || !end.is_soup) {
        join_alone(start);
        join_alone(end);
        return {};
    }
    if (start.positions.size() != end.positions.size()) {
        return Error{counted(end.positions.size() / 3, "triangles") + ", the start " +
                     std::to_string(start.positions.size() / 3)};
    }
    const Weld places = weld(start.positions, end.positions);
    join(start, places);
    join(end, places);
    return {};
}

}  // namespace

Expected<RawMesh> read_polygons(std::unique_ptr<ByteStream> bytes, const std::string& name,
                                MeshFormat format) {
    auto seen = look_ahead(*bytes);
    if (!seen) return Error{name + ": " + seen.error().message};
    return read_polygons(std::move(*seen), std::move(bytes), name, format);
}

Expected<RawMesh> read_polygons(const std::filesystem::path& path) {
    auto mesh = read_raw(path);
    if (mesh) join_alone(*mesh);
    return mesh;
}

Expected<MeshFile> read_mesh(const std::filesystem::path& path) {
    auto mesh = read_polygons(path);
    if (!mesh) return mesh.error();
    auto faces = triangulate(mesh->polygons.faces(), mesh->positions);
    if (!faces) return Error{path.string() + ": " + faces.error().message};
    return MeshFile{std::move(mesh->positions), std::move(*faces), std::move(mesh->edges)};
}

Expected<MeshPair> read_mesh_pair(const std::filesystem::path& start,
                                  const std::filesystem::path& end) {
    auto mesh_t0 = read_raw(start);
    if (!mesh_t0) return mesh_t0.error();
    auto mesh_t1 = read_raw(end);
    if (!mesh_t1) return mesh_t1.error();
    if (const auto joined = join_frames(*mesh_t0, *mesh_t1); !joined) {
        return does_not_match(start, end, joined.error().message);
    }
    if (const auto differs = difference(*mesh_t0, *mesh_t1)) {
        return does_not_match(start, end, *differs);
    }
    auto faces = triangulate(mesh_t0->polygons.faces(), mesh_t0->positions);
    if (!faces) return Error{start.string() + ": " + faces.error().message};
    return MeshPair{std::move(mesh_t0->positions), std::move(mesh_t1->positions), std::move(*faces),
                    std::move(mesh_t0->edges)};
}

}  // namespace graze::io
