// A character that slides over a level, in float and double.
#include "graze/slide.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "arrays.hpp"
#include "calls.hpp"
#include "errors.hpp"
#include "modules.hpp"
#include "options.hpp"
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

// Many threads may ask; changes wait for them.
template <class Real>
struct SharedLevel {
    slide::Level<Real> level;
    std::vector<PartSource<Real>> sources;  // by part
    mutable std::shared_mutex mutex;
};

// Radii and half axis; or half extents, rounding and rotation of a box.
template <class Real>
slide::Shape<Real> shape_of(const py::tuple& shape) {
    if (shape.size() == 3) {
        const auto [w, x, y, z] = py::cast<std::array<double, 4>>(shape[2]);
        return slide::rounded_box(vec_of<Real>(shape[0], "shape"),
                                  static_cast<Real>(py::cast<double>(shape[1])),
                                  Quaternion{w, x, y, z});
    }
    return {vec_of<Real>(shape[0], "shape"), vec_of<Real>(shape[1], "shape")};
}

py::tuple capsule_tuple(double radius, double half_height, py::handle axis) {
    const slide::Shape<double> shape = slide::capsule(radius, half_height, vec3_of(axis, "axis"));
    return py::make_tuple(tuple_of(shape.radii), tuple_of(shape.half_axis));
}

template <class Real>
py::tuple moved_tuple(const slide::MoveResult<Real>& r) {
    py::list contacts;
    for (const auto& contact : r.touched())
        contacts.append(touch_tuple(contact));
    return py::make_tuple(tuple_of(r.position), std::string(name(r.stopped)), r.skin, r.gap_proved,
                          r.iterations, py::tuple(contacts));
}

template <class Real>
slide::MoveOptions<Real> move_options(Options& options) {
    slide::MoveOptions<Real> move;
    options.take("skin", move.skin);
    options.take("layers", move.layers);
    return move;
}

template <class Real>
slide::Footing<Real> footing_of(Options& options) {
    slide::Footing<Real> footing;
    const py::object up = options.object("up");
    if (!up.is_none()) footing.up = vec_of<Real>(up, "up");
    options.take("least_upward", footing.least_upward);
    return footing;
}

// ask(level) while nobody changes it.
template <class Real, class Ask>
auto asked(const SharedLevel<Real>& shared, const Ask& ask) {
    const py::gil_scoped_release release;
    const std::shared_lock lock(shared.mutex);
    return ask(shared.level);
}
template <class Real, class Change>
auto changed(SharedLevel<Real>& shared, const Change& change) {
    const py::gil_scoped_release release;
    const std::unique_lock lock(shared.mutex);
    return change(shared.level);
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
    return value_of(changed(shared, [&](auto& level) {
        auto number = level.add_part(source.points, source.faces, source.marks);
        if (number) shared.sources.push_back(std::move(source));
        return number;
    }));
}

template <class Real>
void replace_part(SharedLevel<Real>& shared, std::uint32_t part, py::handle positions,
                  py::handle faces, const py::dict& given) {
    auto source = part_source<Real>(positions, faces, given);
    check_value(changed(shared, [&](auto& level) {
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
    check_value(changed(shared, [&](auto& level) {
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
        asked(shared, [&](const auto&) { return shared.sources; });
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
py::tuple slide_move(const SharedLevel<Real>& shared, const py::tuple& given_shape,
                     py::handle start, py::handle displacement, const py::dict& given) {
    Options options(given);
    const auto move = move_options<Real>(options);
    std::string mover = "graze";
    options.take("mover", mover);
    options.finish();
    const auto kind = slide::mover_from_name(mover);
    if (!kind) throw py::value_error("mover: there is no '" + mover + "'");
    const auto shape = shape_of<Real>(given_shape);
    const auto from = vec_of<Real>(start, "start");
    const auto by = vec_of<Real>(displacement, "displacement");
    return moved_tuple(asked(shared, [&](const auto& level) {
        return slide::move_and_slide_by(*kind, level, shape, from, by, move);
    }));
}

template <class Real>
py::tuple slide_climb(const SharedLevel<Real>& shared, const py::tuple& given_shape,
                      py::handle start, py::handle displacement, const py::dict& given) {
    Options options(given);
    slide::StairOptions<Real> stairs;
    stairs.move = move_options<Real>(options);
    stairs.footing = footing_of<Real>(options);
    options.take("step_height", stairs.height);
    options.finish();
    const auto shape = shape_of<Real>(given_shape);
    const auto from = vec_of<Real>(start, "start");
    const auto by = vec_of<Real>(displacement, "displacement");
    const auto r = asked(shared, [&](const auto& level) {
        return slide::move_and_climb(level, shape, from, by, stairs);
    });
    return py::make_tuple(std::string(name(r.action)), r.climbed, r.steep_count,
                          moved_tuple(r.moved));
}

template <class Real>
py::tuple slide_snap(const SharedLevel<Real>& shared, const py::tuple& given_shape,
                     py::handle start, Real distance, const py::dict& given) {
    Options options(given);
    slide::SnapOptions<Real> snap;
    snap.distance = distance;
    snap.move = move_options<Real>(options);
    snap.footing = footing_of<Real>(options);
    options.take("step_height", snap.step_height);
    options.finish();
    const auto shape = shape_of<Real>(given_shape);
    const auto from = vec_of<Real>(start, "start");
    const auto r = asked(
        shared, [&](const auto& level) { return slide::snap_to_ground(level, shape, from, snap); });
    return py::make_tuple(
        std::string(name(r.action)), tuple_of(r.position), r.gap_proved, r.dropped,
        r.action == slide::SnapAction::NoGround ? py::object(py::none()) : touch_tuple(r.ground));
}

template <class Real>
py::tuple slide_first_contact(const SharedLevel<Real>& shared, const py::tuple& given_shape,
                              py::handle start, py::handle displacement, const py::dict& given) {
    Options options(given);
    slide::SweepQuery<Real> query;
    options.take("margin", query.margin);
    options.take("layers", query.layers);
    options.finish();
    const auto shape = shape_of<Real>(given_shape);
    query.start = vec_of<Real>(start, "start");
    query.displacement = vec_of<Real>(displacement, "displacement");
    const auto r =
        asked(shared, [&](const auto& level) { return slide::first_contact(level, shape, query); });
    return py::make_tuple(
        static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, r.met_at_start,
        r.verdict == Verdict::Contact ? py::object(touch_tuple(r.contact)) : py::none());
}

template <class Real>
py::tuple slide_gap(const SharedLevel<Real>& shared, const py::tuple& given_shape,
                    py::handle centre, Real reach, std::uint32_t layers) {
    const auto shape = shape_of<Real>(given_shape);
    const auto at = vec_of<Real>(centre, "centre");
    const auto r = asked(shared, [&](const auto& level) {
        return slide::smallest_gap(level, shape, at, reach, layers);
    });
    return py::make_tuple(r.found, r.gap_lower,
                          r.found ? py::object(touch_tuple(r.contact)) : py::none());
}

template <class Real>
void add_level(py::module_& m, const char* class_name) {
    using Shared = SharedLevel<Real>;
    py::class_<Shared>(m, class_name)
        .def(py::init<>())
        .def("add_part", &add_part<Real>)
        .def("replace_part", &replace_part<Real>)
        .def("move_part", &move_part<Real>)
        .def("parts", &level_parts<Real>)
        .def("part_count",
             [](const Shared& s) {
                 return asked(s, [](const auto& level) { return level.part_count(); });
             })
        .def("face_count",
             [](const Shared& s) {
                 return asked(s, [](const auto& level) { return level.face_count(); });
             })
        .def("move_and_slide", &slide_move<Real>)
        .def("move_and_climb", &slide_climb<Real>)
        .def("snap_to_ground", &slide_snap<Real>)
        .def("first_contact", &slide_first_contact<Real>)
        .def("smallest_gap", &slide_gap<Real>);
}

}  // namespace

void add_slide(py::module_& m) {
    add_level<float>(m, "LevelFloat32");
    add_level<double>(m, "LevelFloat64");
    m.def("capsule", &capsule_tuple);
}

}  // namespace graze::python
