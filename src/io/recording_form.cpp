#include "io/recording_form.hpp"

#include <utility>

namespace graze::io {
namespace recording_form {
namespace {

template <std::size_t N>
std::vector<std::uint32_t> flat(std::span<const std::array<std::uint32_t, N>> rows) {
    std::vector<std::uint32_t> list;
    list.reserve(N * rows.size());
    for (const auto& row : rows)
        list.insert(list.end(), row.begin(), row.end());
    return list;
}

// Nothing where an index is not below `vertex_count`.
template <std::size_t N>
std::optional<std::vector<std::array<std::uint32_t, N>>> rows_of(
    std::span<const std::uint32_t> list, std::size_t vertex_count) {
    std::vector<std::array<std::uint32_t, N>> rows(list.size() / N);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] >= vertex_count) return std::nullopt;
        rows[i / N][i % N] = list[i];
    }
    return rows;
}

// Vertices that neither a face nor an edge names, ascending.
std::vector<std::uint32_t> points_of(const RecordedMesh& mesh) {
    std::vector<bool> is_named(mesh.vertex_count, false);
    for (const FaceIndices& face : mesh.faces)
        for (const std::uint32_t vertex : face)
            is_named[vertex] = true;
    for (const EdgeIndices& edge : mesh.edges)
        for (const std::uint32_t vertex : edge)
            is_named[vertex] = true;
    std::vector<std::uint32_t> points;
    for (std::size_t i = 0; i < is_named.size(); ++i)
        if (!is_named[i]) points.push_back(static_cast<std::uint32_t>(i));
    return points;
}

template <class Value>
void append_list(Content& bytes, std::span<const Value> list) {
    append(bytes, std::uint64_t{list.size()});
    append_planes<Value>(bytes, list);
}

void append_bounds(Content& bytes, const QueryBounds& bounds) {
    append(bytes, static_cast<unsigned char>(bounds.box ? 1 : 0));
    const SceneBounds box = bounds.box.value_or(SceneBounds{});
    for (const double value :
         {box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z,
          bounds.longest_edge, bounds.relative_displacement, bounds.declared_length}) {
        append(bytes, value);
    }
    append(bytes, static_cast<unsigned char>(bounds.per_pair ? 1 : 0));
}

Vec3 take_vector(ContentReader& from) {
    const double x = from.real();
    const double y = from.real();
    return {x, y, from.real()};
}

// 0 or 1; anything else was never written.
bool take_flag(ContentReader& from) {
    const auto value = from.number<unsigned char>();
    if (value > 1) from.fail();
    return value == 1;
}

QueryBounds take_bounds(ContentReader& from) {
    QueryBounds bounds;
    const bool has_box = take_flag(from);
    const Vec3 lower = take_vector(from);
    const Vec3 upper = take_vector(from);
    if (has_box) bounds.box = SceneBounds{lower, upper};
    bounds.longest_edge = from.real();
    bounds.relative_displacement = from.real();
    bounds.declared_length = from.real();
    bounds.per_pair = take_flag(from);
    return bounds;
}

template <class Enum>
Enum take_enum(ContentReader& from, Enum last) {
    const auto value = from.number<unsigned char>();
    if (value > static_cast<unsigned char>(last)) from.fail();
    return from.is_whole() ? static_cast<Enum>(value) : Enum{};
}

// Empty, or one value for each vertex.
template <class Value>
std::vector<Value> take_list(ContentReader& from, std::size_t vertex_count) {
    const std::size_t count = from.count(sizeof(Value));
    if (count != 0 && count != vertex_count) from.fail();
    return from.planes<Value>(count);
}

CcdOptions take_query_options(ContentReader& from) {
    CcdOptions query;
    query.min_separation = from.real();
    query.norm = take_enum(from, Norm::Max);
    query.distance_tolerance = from.real();
    query.time_width = from.real();
    query.t_max = from.real();
    query.max_checks = from.number<std::uint64_t>();
    return query;
}

}  // namespace

Content bytes_of(const RecordedMesh& mesh) {
    Content bytes;
    const std::vector<std::uint32_t> points = points_of(mesh);
    append(bytes, std::uint64_t{mesh.vertex_count});
    append(bytes, std::uint64_t{mesh.faces.size()});
    append(bytes, std::uint64_t{mesh.edges.size()});
    append(bytes, std::uint64_t{points.size()});
    append_indices(bytes, flat<3>(mesh.faces));
    append_indices(bytes, flat<2>(mesh.edges));
    append_indices(bytes, points);
    return bytes;
}

// Points are listed so that every vertex has bytes in the file: a count alone could state any number.
std::optional<RecordedMesh> take_mesh(ContentReader& from) {
    RecordedMesh mesh;
    const auto vertex_count = from.number<std::uint64_t>();
    const auto face_count = from.count(3 * sizeof(std::uint32_t));
    const auto edge_count = from.count(2 * sizeof(std::uint32_t));
    const auto point_count = from.count(sizeof(std::uint32_t));
    const auto faces = take_indices(from, 3 * face_count);
    const auto edges = take_indices(from, 2 * edge_count);
    const auto points = take_indices(from, point_count);
    if (!from.is_whole()) return std::nullopt;
    if (vertex_count > faces.size() + edges.size() + points.size()) return std::nullopt;
    mesh.vertex_count = static_cast<std::size_t>(vertex_count);
    auto face_rows = rows_of<3>(faces, mesh.vertex_count);
    auto edge_rows = rows_of<2>(edges, mesh.vertex_count);
    if (!face_rows || !edge_rows) return std::nullopt;
    mesh.faces = *std::move(face_rows);
    mesh.edges = *std::move(edge_rows);
    if (points_of(mesh) != points) return std::nullopt;
    return mesh;
}

Content bytes_of(const RecordedSettings& settings) {
    Content bytes;
    append_text(bytes, settings.method);
    append(bytes, settings.query.min_separation);
    append(bytes, static_cast<unsigned char>(settings.query.norm));
    append(bytes, settings.query.distance_tolerance);
    append(bytes, settings.query.time_width);
    append(bytes, settings.query.t_max);
    append(bytes, settings.query.max_checks);
    append(bytes, static_cast<unsigned char>(settings.bounds));
    append(bytes, static_cast<unsigned char>(settings.declared ? 1 : 0));
    if (settings.declared) append_bounds(bytes, *settings.declared);
    append_list<std::uint64_t>(bytes, bits_of(settings.radius));
    append(bytes, std::uint64_t{settings.rest.size()});
    append_positions(bytes, settings.rest, {});
    append_list<std::uint32_t>(bytes, settings.body);
    append(bytes, static_cast<unsigned char>(settings.within_bodies ? 1 : 0));
    append_list<std::uint8_t>(bytes, settings.fixed);
    append_list<std::uint32_t>(bytes, settings.layers);
    append_list<std::uint32_t>(bytes, settings.mask);
    return bytes;
}

std::optional<RecordedSettings> take_settings(ContentReader& from, std::size_t vertex_count) {
    RecordedSettings settings;
    settings.method = from.text();
    settings.query = take_query_options(from);
    settings.bounds = take_enum(from, BoundSource::Scene);
    if (take_flag(from)) settings.declared = take_bounds(from);
    settings.radius = doubles_of(take_list<std::uint64_t>(from, vertex_count));
    const std::size_t rest_count = from.count(sizeof(Vec3));
    if (rest_count != 0 && rest_count != vertex_count) from.fail();
    settings.rest = take_positions(from, rest_count, {});
    settings.body = take_list<std::uint32_t>(from, vertex_count);
    settings.within_bodies = take_flag(from);
    settings.fixed = take_list<std::uint8_t>(from, vertex_count);
    settings.layers = take_list<std::uint32_t>(from, vertex_count);
    settings.mask = take_list<std::uint32_t>(from, vertex_count);
    if (!from.is_whole()) return std::nullopt;
    return settings;
}

const char* list_of_wrong_size(const RecordedSettings& settings,
                               std::size_t vertex_count) noexcept {
    const std::array<std::pair<const char*, std::size_t>, 6> lists = {
        {{"radius", settings.radius.size()},
         {"rest", settings.rest.size()},
         {"body", settings.body.size()},
         {"fixed", settings.fixed.size()},
         {"layers", settings.layers.size()},
         {"mask", settings.mask.size()}}};
    for (const auto& list : lists)
        if (list.second != 0 && list.second != vertex_count) return list.first;
    return nullptr;
}

// Kinds, elements and verdicts by columns, times after them.
void append_impacts(Content& bytes, std::span<const RecordedImpact> impacts) {
    for (const RecordedImpact& impact : impacts)
        bytes.push_back(static_cast<unsigned char>(impact.kind));
    for (const RecordedImpact& impact : impacts)
        bytes.push_back(static_cast<unsigned char>(impact.result.verdict));
    const auto indices = [&](auto member) {
        std::vector<std::uint32_t> list;
        for (const RecordedImpact& impact : impacts)
            list.push_back(impact.*member);
        append_indices(bytes, list);
    };
    indices(&RecordedImpact::a);
    indices(&RecordedImpact::b);
    const auto numbers = [&](auto member) {
        std::vector<double> list;
        for (const RecordedImpact& impact : impacts)
            list.push_back(impact.result.*member);
        append_planes<std::uint64_t>(bytes, bits_of(list));
    };
    numbers(&CcdResult::toi_lower);
    numbers(&CcdResult::toi_upper);
    numbers(&CcdResult::tolerance);
}

void append_answer(Content& bytes, const RecordedAnswer& answer) {
    append(bytes, static_cast<unsigned char>(answer.verdict));
    append(bytes, answer.toi_lower);
    append(bytes, answer.toi_upper);
    append(bytes, answer.hash);
    append(bytes, answer.count);
    append(bytes, answer.first.value_or(kNone));
    append(bytes, std::uint64_t{answer.impacts.size()});
    append_impacts(bytes, answer.impacts);
}

std::optional<RecordedAnswer> take_answer(ContentReader& from) {
    constexpr std::size_t kImpactBytes = 1 + 1 + 4 + 4 + 3 * 8;
    RecordedAnswer answer;
    answer.verdict = take_enum(from, Verdict::Unresolved);
    answer.toi_lower = from.real();
    answer.toi_upper = from.real();
    answer.hash = from.number<std::uint64_t>();
    answer.count = from.number<std::uint64_t>();
    const auto first = from.number<std::uint64_t>();
    const std::size_t stored = from.count(kImpactBytes);
    answer.impacts.resize(stored);
    for (RecordedImpact& impact : answer.impacts)
        impact.kind = take_enum(from, QueryKind::VertexEdge);
    for (RecordedImpact& impact : answer.impacts)
        impact.result.verdict = take_enum(from, Verdict::Unresolved);
    const auto a = take_indices(from, stored);
    const auto b = take_indices(from, stored);
    const auto lower = doubles_of(from.planes<std::uint64_t>(stored));
    const auto upper = doubles_of(from.planes<std::uint64_t>(stored));
    const auto tolerance = doubles_of(from.planes<std::uint64_t>(stored));
    if (!from.is_whole() || (first != kNone && first >= stored)) return std::nullopt;
    if (first != kNone) answer.first = first;
    for (std::size_t i = 0; i < stored; ++i) {
        answer.impacts[i].a = a[i];
        answer.impacts[i].b = b[i];
        answer.impacts[i].result.toi_lower = lower[i];
        answer.impacts[i].result.toi_upper = upper[i];
        answer.impacts[i].result.tolerance = tolerance[i];
    }
    return answer;
}

}  // namespace recording_form

std::uint64_t hash_of(const RecordedMesh& mesh) {
    Crc64 crc;
    crc.add(recording_form::bytes_of(mesh));
    return crc.value();
}

std::uint64_t hash_of(const RecordedAnswer& answer) {
    recording_form::Content bytes;
    recording_form::append(bytes, static_cast<unsigned char>(answer.verdict));
    recording_form::append(bytes, answer.toi_lower);
    recording_form::append(bytes, answer.toi_upper);
    recording_form::append(bytes, answer.first.value_or(recording_form::kNone));
    recording_form::append_impacts(bytes, answer.impacts);
    Crc64 crc;
    crc.add(bytes);
    return crc.value();
}

RecordedAnswer with_first_alone(const RecordedAnswer& answer) {
    RecordedAnswer result = answer;
    result.impacts.clear();
    if (!answer.first) return result;
    result.impacts.push_back(answer.impacts[static_cast<std::size_t>(*answer.first)]);
    result.first = 0;
    return result;
}

}  // namespace graze::io
