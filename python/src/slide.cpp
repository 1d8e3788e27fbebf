// A character that slides over a level, in float and double.
#include "graze/slide.hpp"

#include <algorithm>
#include <string>

#include "arrays.hpp"
#include "calls.hpp"
#include "errors.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "slide_queries.hpp"
#include "slide_values.hpp"

namespace graze::python {
namespace {

// What a part was made of, for copies of the level.
template <class Real>
struct PartSource {
    std::vector<Vec<Real>> points;
    std::vector<typename slide::Level<Real>::Face> faces;
    std::vector<slide::FaceMarks> marks;
};

template <class Real>
struct SharedLevel : SharedObstacles<slide::Level<Real>> {
    std::vector<PartSource<Real>> sources;  // by part
};

py::tuple capsule_tuple(double radius, double half_height, py::handle axis) {
    const slide::Shape<double> shape = slide::capsule(radius, half_height, vec3_of(axis, "axis"));
    return py::make_tuple(tuple_of(shape.radii), tuple_of(shape.half_axis));
}

template <class Real>
Expected<void> check_part(const slide::Level<Real>& level, std::uint32_t part) {
    if (part < level.part_count()) return {};
    return Error{"there is no part " + std::to_string(part), ErrorCode::IndexOutOfRange, part};
}

template <class Real>
PartSource<Real> part_source(py::handle positions, py::handle faces, const py::dict& given) {
    PartSource<Real> source{points_of<Real>(positions, "V"), index_rows<3>(faces, "F"), {}};
    Options options(given);
    source.marks = marks_of(options);
    options.finish();
    return source;
}

template <class Real>
std::uint32_t add_part(SharedLevel<Real>& shared, py::handle positions, py::handle faces,
                       const py::dict& given) {
    auto source = part_source<Real>(positions, faces, given);
    return value_of(shared.changed([&](auto& level) {
        auto number = level.add_part(source.points, source.faces, source.marks);
        if (number) shared.sources.push_back(std::move(source));
        return number;
    }));
}

template <class Real>
void replace_part(SharedLevel<Real>& shared, std::uint32_t part, py::handle positions,
                  py::handle faces, const py::dict& given) {
    auto source = part_source<Real>(positions, faces, given);
    check_value(shared.changed([&](auto& level) {
        const auto known = check_part(level, part);
        if (!known) return known;
        const auto done = level.replace_part(part, source.points, source.faces, source.marks);
        if (done) shared.sources[part] = std::move(source);
        return done;
    }));
}

template <class Real>
void move_part(SharedLevel<Real>& shared, std::uint32_t part, py::handle positions) {
    auto points = points_of<Real>(positions, "V");
    check_value(shared.changed([&](auto& level) {
        const auto known = check_part(level, part);
        if (!known) return known;
        const auto done = level.move_part(part, points);
        if (done) shared.sources[part].points = std::move(points);
        return done;
    }));
}

// By part: V, F, tag, layers, one_sided, as add_part() takes them.
template <class Real>
py::list level_parts(const SharedLevel<Real>& shared) {
    const std::vector<PartSource<Real>> sources =
        shared.asked([&](const auto&) { return shared.sources; });
    py::list parts;
    for (const PartSource<Real>& source : sources) {
        std::vector<Vec3> points;
        for (const Vec<Real>& p : source.points)
            points.push_back(slide::widened(p));
        std::vector<std::uint32_t> tags;
        std::vector<std::uint32_t> layers;
        std::vector<std::uint32_t> sides;
        for (const slide::FaceMarks& mark : source.marks) {
            tags.push_back(mark.tag);
            layers.push_back(mark.layers);
            sides.push_back(mark.one_sided ? 1 : 0);
        }
        parts.append(py::make_tuple(array_of(std::move(points)), array_of_indices<3>(source.faces),
                                    array_of_indices(tags), array_of_indices(layers),
                                    array_of_indices(sides)));
    }
    return parts;
}

template <class Real>
void add_level(py::module_& m, const char* class_name) {
    using Shared = SharedLevel<Real>;
    py::class_<Shared> level_class(m, class_name);
    level_class.def(py::init<>())
        .def("add_part", &add_part<Real>)
        .def("replace_part", &replace_part<Real>)
        .def("move_part", &move_part<Real>)
        .def("parts", &level_parts<Real>)
        .def("part_count",
             [](const Shared& s) {
                 return s.asked([](const auto& level) { return level.part_count(); });
             })
        .def("face_count", [](const Shared& s) {
            return s.asked([](const auto& level) { return level.face_count(); });
        });
    add_slide_queries<Real>(level_class);
}

}  // namespace

void add_slide(py::module_& m) {
    add_level<float>(m, "LevelFloat32");
    add_level<double>(m, "LevelFloat64");
    m.def("capsule", &capsule_tuple);
}

}  // namespace graze::python
