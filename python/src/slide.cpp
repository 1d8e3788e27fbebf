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

namespace graze::python {
namespace {

// Many threads may ask; changes wait for them.
template <class Real>
struct SharedLevel {
    slide::Level<Real> level;
    mutable std::shared_mutex mutex;
};

// Numbers of Python that the level's type cannot hold exactly are rounded, as NumPy does.
template <class Real>
Vec<Real> vec_of(py::handle object, const char* argument) {
    return slide::narrowed<Real>(vec3_of(object, argument));
}

template <class Real>
std::vector<Vec<Real>> points_of(py::handle object, const char* argument) {
    const Positions positions(object, argument);
    std::vector<Vec<Real>> points;
    points.reserve(positions.size());
    for (const Vec3& p : positions.span())
        points.push_back(slide::narrowed<Real>(p));
    return points;
}

template <class Real>
slide::Shape<Real> shape_of(py::handle radii) {
    return {vec_of<Real>(radii, "radii")};
}

// One value for all faces, or one for each.
std::vector<slide::FaceMarks> marks_of(Options& options) {
    const auto tags = optional_indices(options.object("tag"), "tag");
    const auto layers = optional_indices(options.object("layers"), "layers");
    const auto sides = optional_flags(options.object("one_sided"), "one_sided");
    const std::size_t count = std::max({tags.size(), layers.size(), sides.size()});
    const auto at = [](const auto& list, std::size_t i, auto usual) {
        return list.empty() ? usual : list.size() == 1 ? list[0] : list.at(i);
    };
    for (const std::size_t size : {tags.size(), layers.size(), sides.size()})
        if (size > 1 && size != count)
            throw py::value_error("tag, layers, one_sided: not equally many");
    std::vector<slide::FaceMarks> marks(count);
    for (std::size_t i = 0; i < count; ++i)
        marks[i] = {at(tags, i, std::uint32_t{0}), at(layers, i, std::uint32_t{1}),
                    at(sides, i, std::uint8_t{0}) != 0};
    return marks;
}

const char* feature_name(slide::FeatureKind kind) noexcept {
    return kind == slide::FeatureKind::Face   ? "face"
           : kind == slide::FeatureKind::Edge ? "edge"
                                              : "vertex";
}

template <class Real>
py::tuple touch_tuple(const slide::SweepContact<Real>& c) {
    return py::make_tuple(c.part, c.face, c.tag, feature_name(c.feature), c.time, tuple_of(c.point),
                          tuple_of(c.normal));
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
using FaceList = std::vector<typename slide::Level<Real>::Face>;

template <class Real>
std::uint32_t add_part(SharedLevel<Real>& shared, py::handle positions, py::handle faces,
                       const py::dict& given) {
    const auto points = points_of<Real>(positions, "V");
    const FaceList<Real> triangles = index_rows<3>(faces, "F");
    Options options(given);
    const auto marks = marks_of(options);
    options.finish();
    return value_of(
        changed(shared, [&](auto& level) { return level.add_part(points, triangles, marks); }));
}

template <class Real>
void replace_part(SharedLevel<Real>& shared, std::uint32_t part, py::handle positions,
                  py::handle faces, const py::dict& given) {
    const auto points = points_of<Real>(positions, "V");
    const FaceList<Real> triangles = index_rows<3>(faces, "F");
    Options options(given);
    const auto marks = marks_of(options);
    options.finish();
    if (part >= shared.level.part_count())
        throw py::index_error("part: there is no part " + std::to_string(part));
    check_value(changed(
        shared, [&](auto& level) { return level.replace_part(part, points, triangles, marks); }));
}

template <class Real>
void move_part(SharedLevel<Real>& shared, std::uint32_t part, py::handle positions) {
    const auto points = points_of<Real>(positions, "V");
    check_value(changed(shared, [&](auto& level) {
        const auto known = check_part(level, part);
        return known ? level.move_part(part, points) : known;
    }));
}

template <class Real>
py::tuple slide_move(const SharedLevel<Real>& shared, py::handle radii, py::handle start,
                     py::handle displacement, const py::dict& given) {
    Options options(given);
    const auto move = move_options<Real>(options);
    std::string mover = "graze";
    options.take("mover", mover);
    options.finish();
    const auto kind = slide::mover_from_name(mover);
    if (!kind) throw py::value_error("mover: there is no '" + mover + "'");
    const auto shape = shape_of<Real>(radii);
    const auto from = vec_of<Real>(start, "start");
    const auto by = vec_of<Real>(displacement, "displacement");
    return moved_tuple(asked(shared, [&](const auto& level) {
        return slide::move_and_slide_by(*kind, level, shape, from, by, move);
    }));
}

template <class Real>
py::tuple slide_climb(const SharedLevel<Real>& shared, py::handle radii, py::handle start,
                      py::handle displacement, const py::dict& given) {
    Options options(given);
    slide::StairOptions<Real> stairs;
    stairs.move = move_options<Real>(options);
    stairs.footing = footing_of<Real>(options);
    options.take("step_height", stairs.height);
    options.finish();
    const auto shape = shape_of<Real>(radii);
    const auto from = vec_of<Real>(start, "start");
    const auto by = vec_of<Real>(displacement, "displacement");
    const auto r = asked(shared, [&](const auto& level) {
        return slide::move_and_climb(level, shape, from, by, stairs);
    });
    return py::make_tuple(std::string(name(r.action)), r.climbed, r.steep_count,
                          moved_tuple(r.moved));
}

template <class Real>
py::tuple slide_snap(const SharedLevel<Real>& shared, py::handle radii, py::handle start,
                     Real distance, const py::dict& given) {
    Options options(given);
    slide::SnapOptions<Real> snap;
    snap.distance = distance;
    snap.move = move_options<Real>(options);
    snap.footing = footing_of<Real>(options);
    options.take("step_height", snap.step_height);
    options.finish();
    const auto shape = shape_of<Real>(radii);
    const auto from = vec_of<Real>(start, "start");
    const auto r = asked(
        shared, [&](const auto& level) { return slide::snap_to_ground(level, shape, from, snap); });
    return py::make_tuple(
        std::string(name(r.action)), tuple_of(r.position), r.gap_proved, r.dropped,
        r.action == slide::SnapAction::NoGround ? py::object(py::none()) : touch_tuple(r.ground));
}

template <class Real>
py::tuple slide_first_contact(const SharedLevel<Real>& shared, py::handle radii, py::handle start,
                              py::handle displacement, const py::dict& given) {
    Options options(given);
    slide::SweepQuery<Real> query;
    options.take("margin", query.margin);
    options.take("layers", query.layers);
    options.finish();
    const auto shape = shape_of<Real>(radii);
    query.start = vec_of<Real>(start, "start");
    query.displacement = vec_of<Real>(displacement, "displacement");
    const auto r =
        asked(shared, [&](const auto& level) { return slide::first_contact(level, shape, query); });
    return py::make_tuple(
        static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, r.met_at_start,
        r.verdict == Verdict::Contact ? py::object(touch_tuple(r.contact)) : py::none());
}

template <class Real>
py::tuple slide_gap(const SharedLevel<Real>& shared, py::handle radii, py::handle centre,
                    Real reach, std::uint32_t layers) {
    const auto shape = shape_of<Real>(radii);
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
}

}  // namespace graze::python
