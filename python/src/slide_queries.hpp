// Queries and moves among the triangles of a level, and the parts of a world.
#pragma once

#include <pybind11/stl.h>

#include <mutex>
#include <shared_mutex>
#include <string>

#include "slide_values.hpp"

namespace graze::python {

// A level or a world. Many threads may ask; changes wait for them.
template <class Searched>
struct SharedObstacles {
    Searched searched;
    mutable std::shared_mutex mutex;

    // ask(level) while nobody changes it.
    template <class Ask>
    auto asked(const Ask& ask) const {
        const py::gil_scoped_release release;
        const std::shared_lock lock(mutex);
        return ask(searched);
    }
    // change(level) while nobody else has it.
    template <class Change>
    auto changed(const Change& change) {
        const py::gil_scoped_release release;
        const std::unique_lock lock(mutex);
        return change(searched);
    }
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

template <class Real>
py::tuple moved_tuple(const slide::MoveResult<Real>& r) {
    py::list contacts;
    for (const auto& contact : r.touched())
        contacts.append(touch_tuple(contact));
    return py::make_tuple(tuple_of(r.position), std::string(name(r.stopped)), r.skin, r.gap_proved,
                          r.iterations, py::tuple(contacts));
}

template <class Real>
py::tuple swept_tuple(const slide::SweepResult<Real>& r) {
    return py::make_tuple(
        static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, r.met_at_start,
        r.verdict == Verdict::Contact ? py::object(touch_tuple(r.contact)) : py::none());
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

template <class Real, class Shared>
py::tuple slide_move(const Shared& shared, const py::tuple& given_shape, py::handle start,
                     py::handle displacement, const py::dict& given) {
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
    return moved_tuple(shared.asked([&](const auto& level) {
        return slide::move_and_slide_by<Real>(*kind, level, shape, from, by, move);
    }));
}

template <class Real, class Shared>
py::tuple slide_climb(const Shared& shared, const py::tuple& given_shape, py::handle start,
                      py::handle displacement, const py::dict& given) {
    Options options(given);
    slide::StairOptions<Real> stairs;
    stairs.move = move_options<Real>(options);
    stairs.footing = footing_of<Real>(options);
    options.take("step_height", stairs.height);
    options.finish();
    const auto shape = shape_of<Real>(given_shape);
    const auto from = vec_of<Real>(start, "start");
    const auto by = vec_of<Real>(displacement, "displacement");
    const auto r = shared.asked([&](const auto& level) {
        return slide::move_and_climb<Real>(level, shape, from, by, stairs);
    });
    return py::make_tuple(std::string(name(r.action)), r.climbed, r.steep_count,
                          moved_tuple(r.moved));
}

template <class Real, class Shared>
py::tuple slide_snap(const Shared& shared, const py::tuple& given_shape, py::handle start,
                     Real distance, const py::dict& given) {
    Options options(given);
    slide::SnapOptions<Real> snap;
    snap.distance = distance;
    snap.move = move_options<Real>(options);
    snap.footing = footing_of<Real>(options);
    options.take("step_height", snap.step_height);
    options.finish();
    const auto shape = shape_of<Real>(given_shape);
    const auto from = vec_of<Real>(start, "start");
    const auto r = shared.asked(
        [&](const auto& level) { return slide::snap_to_ground<Real>(level, shape, from, snap); });
    return py::make_tuple(
        std::string(name(r.action)), tuple_of(r.position), r.gap_proved, r.dropped,
        r.action == slide::SnapAction::NoGround ? py::object(py::none()) : touch_tuple(r.ground));
}

template <class Real, class Shared>
py::tuple slide_first_contact(const Shared& shared, const py::tuple& given_shape, py::handle start,
                              py::handle displacement, const py::dict& given) {
    Options options(given);
    slide::SweepQuery<Real> query;
    options.take("margin", query.margin);
    options.take("layers", query.layers);
    options.finish();
    const auto shape = shape_of<Real>(given_shape);
    query.start = vec_of<Real>(start, "start");
    query.displacement = vec_of<Real>(displacement, "displacement");
    const auto r = shared.asked(
        [&](const auto& level) { return slide::first_contact<Real>(level, shape, query); });
    return swept_tuple(r);
}

template <class Real, class Shared>
py::tuple slide_gap(const Shared& shared, const py::tuple& given_shape, py::handle centre,
                    Real reach, std::uint32_t layers) {
    const auto shape = shape_of<Real>(given_shape);
    const auto at = vec_of<Real>(centre, "centre");
    const auto r = shared.asked([&](const auto& level) {
        return slide::smallest_gap<Real>(level, shape, at, reach, layers);
    });
    return py::make_tuple(r.found, r.gap_lower,
                          r.found ? py::object(touch_tuple(r.contact)) : py::none());
}

template <class Real, class Shared>
int slide_overlap(const Shared& shared, const py::tuple& given_shape, py::handle centre,
                  Real margin, std::uint32_t layers) {
    const auto shape = shape_of<Real>(given_shape);
    const auto at = vec_of<Real>(centre, "centre");
    return static_cast<int>(shared.asked([&](const auto& level) {
        return slide::overlap_at<Real>(level, shape, at, margin, layers);
    }));
}

template <class Real, class Shared>
py::tuple slide_ray(const Shared& shared, py::handle origin, py::handle displacement,
                    std::uint32_t layers) {
    const auto from = vec_of<Real>(origin, "origin");
    const auto by = vec_of<Real>(displacement, "displacement");
    const auto r = shared.asked(
        [&](const auto& level) { return slide::cast_ray<Real>(level, from, by, layers); });
    return swept_tuple(r);
}

template <class Real, class Shared>
py::tuple slide_nearest(const Shared& shared, py::handle point, Real reach, std::uint32_t layers) {
    const auto at = vec_of<Real>(point, "point");
    const auto r = shared.asked(
        [&](const auto& level) { return slide::nearest_point<Real>(level, at, reach, layers); });
    return py::make_tuple(r.found, r.distance_lower,
                          r.found ? py::object(touch_tuple(r.contact)) : py::none());
}

template <class Real, class Shared>
void add_slide_queries(py::class_<Shared>& made) {
    made.def("move_and_slide", &slide_move<Real, Shared>)
        .def("move_and_climb", &slide_climb<Real, Shared>)
        .def("snap_to_ground", &slide_snap<Real, Shared>)
        .def("first_contact", &slide_first_contact<Real, Shared>)
        .def("smallest_gap", &slide_gap<Real, Shared>)
        .def("overlap_at", &slide_overlap<Real, Shared>)
        .def("cast_ray", &slide_ray<Real, Shared>)
        .def("nearest_point", &slide_nearest<Real, Shared>);
}

}  // namespace graze::python
