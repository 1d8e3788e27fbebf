// Query files and mesh files.
#include <pybind11/stl.h>

#include <limits>

#include "arrays.hpp"
#include "bodies.hpp"
#include "calls.hpp"
#include "errors.hpp"
#include "graze/io/embedded.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/io/polygon_mesh.hpp"
#include "graze/io/query_file.hpp"
#include "graze/io/query_sets.hpp"
#include "graze/io/rigid_body.hpp"
#include "modules.hpp"
#include "records.hpp"

namespace graze::python {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// All records of a stream; Ctrl-C ends the reading.
Expected<std::vector<io::QueryRecord>> read_stream(io::QueryStream& stream, const StopToken& stop) {
    std::vector<io::QueryRecord> records;
    while (!stop.stop_requested()) {
        auto next = stream.next();
        if (!next) return next.error();
        if (!*next) break;
        records.push_back(**next);
    }
    return records;
}

Expected<std::vector<io::QueryRecord>> read_source(const io::QuerySource& source,
                                                   const StopToken& stop) {
    auto stream = io::open_queries(source);
    if (!stream) return stream.error();
    return read_stream(**stream, stop);
}

py::tuple read_queries(const std::string& path, const std::string& kind_name,
                       const py::object& truth) {
    io::QuerySource source;
    source.kind = kind_of(kind_name);
    source.queries = path;
    if (!truth.is_none()) source.truth = py::cast<std::string>(truth);
    const Interrupt interrupt;
    const auto records =
        value_of(released(interrupt, [&] { return read_source(source, interrupt.token()); }));
    return arrays_of_records(records, source.kind);
}

std::vector<io::QueryRecord> records_of(const QueryArrays& arrays, QueryKind kind, py::handle truth,
                                        py::handle times) {
    std::vector<io::QueryRecord> records(arrays.size());
    for (std::size_t i = 0; i < records.size(); ++i)
        records[i] = visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
            return io::record_of(motion_at<Motion>(arrays, i));
        });
    if (!truth.is_none()) {
        const py::array_t<std::int64_t, py::array::forcecast> flags(
            py::reinterpret_borrow<py::object>(truth));
        if (flags.ndim() != 1 || flags.shape(0) != static_cast<py::ssize_t>(records.size()))
            throw_shape_error("truth", flags, "(" + std::to_string(records.size()) + ",)");
        for (std::size_t i = 0; i < records.size(); ++i) {
            const std::int64_t flag = flags.at(static_cast<py::ssize_t>(i));
            if (flag >= 0) records[i].truth = flag != 0;
        }
    }
    if (!times.is_none()) {
        const py::array brackets = doubles_array(times, "first_time");
        if (brackets.ndim() != 2 || brackets.shape(1) != 2 ||
            brackets.shape(0) != static_cast<py::ssize_t>(records.size()))
            throw_shape_error("first_time", brackets,
                              "(" + std::to_string(records.size()) + ", 2)");
        const auto* t = static_cast<const double*>(brackets.data());
        for (std::size_t i = 0; i < records.size(); ++i)
            if (t[2 * i] == t[2 * i])
                records[i].first_time = io::TimeBracket{t[2 * i], t[2 * i + 1]};
    }
    return records;
}

Expected<void> write_records(const std::string& path, QueryKind kind, io::QueryFormat format,
                             const std::vector<io::QueryRecord>& records, const StopToken& stop) {
    auto writer = io::create_query_file(path, kind, format);
    if (!writer) return writer.error();
    for (const io::QueryRecord& record : records) {
        if (stop.stop_requested()) return Error{"cancelled", ErrorCode::Cancelled};
        const auto added = (*writer)->add(record);
        if (!added) return added;
    }
    return (*writer)->finish();
}

void write_queries(const std::string& path, const std::string& kind_name, py::handle start,
                   py::handle end, py::handle truth, py::handle times,
                   const std::string& format_name) {
    const QueryKind kind = kind_of(kind_name);
    if (format_name != "binary" && format_name != "csv")
        throw py::value_error("format: '" + format_name + "' is neither 'binary' nor 'csv'");
    const auto format = format_name == "csv" ? io::QueryFormat::Csv : io::QueryFormat::Binary;
    const auto records = records_of(query_arrays(start, end, kind), kind, truth, times);
    const Interrupt interrupt;
    check_value(released(
        interrupt, [&] { return write_records(path, kind, format, records, interrupt.token()); }));
}

py::list embedded_list() {
    py::list list;
    for (const io::EmbeddedSet& set : io::embedded_sets())
        list.append(py::make_tuple(std::string(set.group), std::string(short_name(set.kind))));
    return list;
}

py::tuple read_embedded(const std::string& group, const std::string& kind_name) {
    const QueryKind kind = kind_of(kind_name);
    for (const io::EmbeddedSet& set : io::embedded_sets()) {
        if (set.group != group || set.kind != kind) continue;
        const auto stream = value_of(io::open_embedded(set));
        return arrays_of_records(value_of(read_stream(*stream, {})), kind);
    }
    throw py::value_error("group: there is no embedded set '" + group + "' of that kind");
}

py::list find_sets(const std::string& folder) {
    py::list list;
    for (const io::QuerySet& set : value_of(io::find_query_sets(folder), "folder"))
        list.append(py::make_tuple(set.group, set.scene, std::string(short_name(set.source.kind)),
                                   set.source));
    return list;
}

py::tuple read_set(const io::QuerySource& source) {
    const Interrupt interrupt;
    const auto records =
        value_of(released(interrupt, [&] { return read_source(source, interrupt.token()); }));
    return arrays_of_records(records, source.kind);
}

py::tuple read_mesh_file(const std::string& path) {
    const Interrupt interrupt;
    io::TriangleMesh mesh = value_of(released(interrupt, [&] { return io::read_mesh(path); }));
    return py::make_tuple(array_of(std::move(mesh.positions)), array_of_indices<3>(mesh.faces),
                          array_of_indices<2>(mesh.edges));
}

py::tuple read_pair_of_files(const std::string& start, const std::string& end) {
    const Interrupt interrupt;
    io::MeshPair pair =
        value_of(released(interrupt, [&] { return io::read_mesh_pair(start, end); }));
    return py::make_tuple(array_of(std::move(pair.start)), array_of(std::move(pair.end)),
                          array_of_indices<3>(pair.faces), array_of_indices<2>(pair.edges));
}

void write_mesh_file(const std::string& path, py::handle positions, py::handle counts,
                     py::handle corners, py::handle edges, const std::string& comment) {
    io::PolygonMesh mesh;
    const Positions at(positions, "V");
    mesh.positions.assign(at.span().begin(), at.span().end());
    const auto check_index = [&](std::uint32_t v, const char* argument) {
        if (v >= at.size())
            throw py::index_error(std::string(argument) + ": names vertex " + std::to_string(v) +
                                  " of " + std::to_string(at.size()));
    };
    for (std::size_t i = 0; i < at.size(); ++i)
        if (!is_finite(mesh.positions[i]))
            throw_error({"row " + std::to_string(i) + " is not finite", ErrorCode::NotFinite, i},
                        "V");
    const auto all_corners = index_list(corners, "F");
    std::size_t next = 0;
    for (const std::uint32_t count : index_list(counts, "F")) {
        for (std::uint32_t k = 0; k < count; ++k) {
            check_index(all_corners.at(next), "F");
            mesh.polygons.add_corner(all_corners[next++]);
        }
        mesh.polygons.close();
    }
    mesh.edges = index_rows<2>(edges, "E");
    for (const EdgeIndices& edge : mesh.edges)
        for (const std::uint32_t v : edge)
            check_index(v, "E");
    const Interrupt interrupt;
    check_value(released(interrupt, [&] { return io::write_obj(path, mesh, comment); }));
}

py::tuple read_body_file(const std::string& path, bool orient) {
    const Interrupt interrupt;
    io::BodyFromFile file =
        value_of(released(interrupt, [&] { return io::read_body(path, {.orient = orient}); }));
    return py::make_tuple(std::make_shared<rigid::RigidBody>(std::move(file.body)), file.warnings);
}

}  // namespace

py::tuple arrays_of_records(const std::vector<io::QueryRecord>& records, QueryKind kind) {
    const auto count = static_cast<py::ssize_t>(records.size());
    const std::size_t vertices = vertex_count(kind);
    const std::array<py::ssize_t, 3> shape{count, static_cast<py::ssize_t>(vertices), 3};
    py::array_t<double> start(shape);
    py::array_t<double> end(shape);
    py::array_t<std::int8_t> truth(count);
    py::array_t<double> times({count, py::ssize_t{2}});
    double* s = start.mutable_data();
    double* e = end.mutable_data();
    std::int8_t* t = truth.mutable_data();
    double* first = times.mutable_data();
    for (const io::QueryRecord& record : records) {
        for (std::size_t v = 0; v < vertices; ++v) {
            for (std::size_t k = 0; k < 3; ++k) {
                *s++ = record.corners[v].start[k];
                *e++ = record.corners[v].end[k];
            }
        }
        *t++ = record.truth ? (*record.truth ? std::int8_t{1} : std::int8_t{0}) : std::int8_t{-1};
        *first++ = record.first_time ? record.first_time->lower : kUnknown;
        *first++ = record.first_time ? record.first_time->upper : kUnknown;
    }
    return py::make_tuple(start, end, truth, times);
}

py::tuple arrays_of_polygons(const io::PolygonMesh& mesh) {
    return py::make_tuple(array_of(std::vector<Vec3>(mesh.positions)),
                          array_of_indices(mesh.corner_counts()), array_of_indices(mesh.corners()));
}

void add_io(py::module_& m) {
    py::class_<io::QuerySource>(m, "QuerySource");
    m.def("read_queries", &read_queries);
    m.def("write_queries", &write_queries);
    m.def("embedded_sets", &embedded_list);
    m.def("read_embedded", &read_embedded);
    m.def("find_query_sets", &find_sets);
    m.def("read_query_set", &read_set);
    m.def("read_mesh", &read_mesh_file);
    m.def("read_mesh_pair", &read_pair_of_files);
    m.def("write_mesh", &write_mesh_file);
    m.def("read_body", &read_body_file);
}

}  // namespace graze::python
