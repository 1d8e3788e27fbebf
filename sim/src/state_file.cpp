// The file of a state: magic[8]  version u32  frame u64  model u64  vertices u64  time f64, then x and v
// of each vertex as f64, statistics as u64 and f64, and CRC-64 of every byte before it; little-endian.
#include <array>
#include <cstring>
#include <type_traits>

#include "graze/io/binary_form.hpp"
#include "graze/io/crc64.hpp"
#include "graze/io/polygon_mesh.hpp"
#include "graze/sim/response.hpp"
#include "graze/sim/runner.hpp"

namespace graze::sim {
namespace {

using io::binary_form::append;
using io::binary_form::take;
using io::binary_form::take_double;
using Bytes = std::vector<unsigned char>;

constexpr std::array<unsigned char, 8> kStateMagic = {0x89, 'G', 'Z', 'S', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t kStateVersion = 2;

void append_vector(Bytes& bytes, const Vec3& v) {
    append(bytes, v.x);
    append(bytes, v.y);
    append(bytes, v.z);
}

// All counts and times of the statistics, in the order of the file.
template <class Stats, class Visit>
void visit_statistics(Stats& s, const Visit& visit) {
    visit(s.frame);
    visit(s.steps);
    visit(s.iterations);
    visit(s.tested);
    visit(s.positive);
    visit(s.contacts);
    visit(s.fail_safes);
    visit(s.stuck);
    visit(s.intersections);
    visit(s.crossings);
    visit(s.unfinished);
    visit(s.inverted);
    visit(s.checked);
    visit(s.least_distance);
    visit(s.kinetic_energy);
    visit(s.seconds);
    visit(s.seconds_detection);
}
constexpr std::size_t kStatistics = 17;
constexpr std::size_t kHead = kStateMagic.size() + 4 + 8 + 8 + 8 + 8;

std::size_t state_size(std::size_t vertices) {
    return kHead + vertices * 48 + kStatistics * 8 + 8;
}

// Hashes values, field by field, whatever their padding.
class ModelHash {
public:
    template <class T>
    void add(const T& value) {
        if constexpr (std::is_floating_point_v<T>) {
            append(bytes_, static_cast<double>(value));
        } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
            append(bytes_, static_cast<std::uint64_t>(value));
        } else if constexpr (requires {
                                 value.x;
                                 value.y;
                                 value.z;
                             }) {
            append_vector(bytes_, value);
        } else if constexpr (requires {
                                 value.begin();
                                 value.size();
                             }) {
            add(value.size());
            for (const auto& element : value)
                add(element);
        } else if constexpr (requires {
                                 value.v;
                                 value.material;
                             }) {
            add(value.v);
            add(value.material);
        } else {
            add_fields(value);
        }
    }
    [[nodiscard]] std::uint64_t value() const {
        io::Crc64 crc;
        crc.add(bytes_);
        return crc.value();
    }

private:
    template <class... Fields>
    void all(const Fields&... fields) {
        (add(fields), ...);
    }
    void add_fields(const ElasticMaterial& m) { all(m.model, m.young, m.poisson, m.density); }
    void add_fields(const ClothMaterial& m) {
        all(m.young, m.poisson, m.bending, m.damping, m.area_density);
    }
    void add_fields(const StrandMaterial& m) {
        all(m.stretch, m.bending, m.damping, m.length_density);
    }
    void add_fields(const ScriptKey& k) { all(k.time, k.translation, k.angle); }
    void add_fields(const Script& s) { all(s.vertices, s.pivot, s.axis, s.keys, s.release); }
    void add_fields(const ContactOptions& c) {
        all(c.response, c.line_search, c.method, c.tolerance, c.distance, c.stiffness, c.friction,
            c.friction_speed, c.friction_iterations, c.fail_safe);
    }
    void add_fields(const SolverOptions& s) {
        all(s.dt, s.steps_per_frame, s.max_iterations, s.newton_tolerance);
    }

    Bytes bytes_;
};

}  // namespace

std::uint64_t model_checksum(const Model& model) {
    ModelHash hash;
    hash.add(model.name);
    hash.add(model.rest);
    hash.add(model.start);
    hash.add(model.start_velocity);
    hash.add(model.mass);
    hash.add(model.body);
    hash.add(model.fixed);
    hash.add(model.radius);
    hash.add(model.scripts);
    hash.add(model.elastic_materials);
    hash.add(model.tetrahedra);
    hash.add(model.cloth_materials);
    hash.add(model.cloth_triangles);
    hash.add(model.hinges);
    hash.add(model.strand_materials);
    hash.add(model.strand_edges);
    hash.add(model.strand_bends);
    hash.add(model.surface.faces);
    hash.add(model.surface.edges);
    hash.add(model.gravity);
    hash.add(model.contact);
    hash.add(model.solver);
    return hash.value();
}

std::vector<unsigned char> to_bytes(const StoredState& stored, std::uint64_t model) {
    Bytes bytes(kStateMagic.begin(), kStateMagic.end());
    append(bytes, kStateVersion);
    append(bytes, stored.state.frame);
    append(bytes, model);
    append(bytes, static_cast<std::uint64_t>(stored.state.x.size()));
    append(bytes, stored.state.time);
    for (const Vec3& p : stored.state.x)
        append_vector(bytes, p);
    for (const Vec3& v : stored.state.v)
        append_vector(bytes, v);
    visit_statistics(stored.stats, [&](const auto& value) { append(bytes, value); });
    io::Crc64 crc;
    crc.add(bytes);
    append(bytes, crc.value());
    return bytes;
}

Expected<StoredState> state_from_bytes(std::span<const unsigned char> bytes, std::uint64_t model,
                                       std::size_t vertices) {
    if (bytes.size() < kHead ||
        std::memcmp(bytes.data(), kStateMagic.data(), kStateMagic.size()) != 0) {
        return Error{"not the state of a run", ErrorCode::Malformed};
    }
    io::Crc64 crc;
    crc.add(bytes.first(bytes.size() - 8));
    if (crc.value() != take<std::uint64_t>(bytes.last(8))) {
        return Error{"the checksum is wrong", ErrorCode::Malformed};
    }
    std::size_t at = kStateMagic.size();
    if (take<std::uint32_t>(bytes.subspan(at)) != kStateVersion) {
        return Error{"of another version", ErrorCode::Unsupported};
    }
    at += 4;
    const auto number = [&] {
        const auto value = take<std::uint64_t>(bytes.subspan(at));
        at += 8;
        return value;
    };
    const auto real = [&] {
        const double value = take_double(bytes.subspan(at));
        at += 8;
        return value;
    };
    StoredState stored;
    stored.state.frame = number();
    if (number() != model) return Error{"of another scene", ErrorCode::InvalidInput};
    if (number() != vertices || bytes.size() != state_size(vertices)) {
        return Error{"of another number of vertices", ErrorCode::Malformed};
    }
    stored.state.time = real();
    if (!is_finite(stored.state.time)) {
        return Error{"the time is not finite", ErrorCode::Malformed};
    }
    for (auto* list : {&stored.state.x, &stored.state.v}) {
        list->resize(vertices);
        for (Vec3& p : *list) {
            p.x = real();
            p.y = real();
            p.z = real();
            if (!is_finite(p)) {
                return Error{"a position or velocity is not finite", ErrorCode::Malformed};
            }
        }
    }
    visit_statistics(stored.stats, [&](auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
            value = real();
        else
            value = number();
    });
    return stored;
}

std::string frame_text(const Model& model, std::span<const Vec3> x, FrameFormat format) {
    const std::vector<std::uint8_t> inside = interior_vertices(model);
    std::vector<std::uint32_t> number(x.size());
    io::PolygonMesh mesh;
    for (std::size_t i = 0; i < x.size(); ++i) {
        number[i] = static_cast<std::uint32_t>(mesh.positions.size());
        if (inside[i] == 0) mesh.positions.push_back(x[i]);
    }
    for (const FaceIndices& face : model.surface.faces) {
        for (const std::uint32_t v : face)
            mesh.polygons.add_corner(number[v]);
        mesh.polygons.close();
    }
    for (const StrandEdge& edge : model.strand_edges)
        mesh.edges.push_back({number[edge.v[0]], number[edge.v[1]]});
    return format == FrameFormat::Obj ? io::to_obj(mesh, model.name) : io::to_ply(mesh, model.name);
}

}  // namespace graze::sim
