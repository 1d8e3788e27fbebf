// Worlds of parts that move, and characters that walk in them.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>

#include "errors.hpp"
#include "modules.hpp"
#include "rigid_rows.hpp"
#include "slide_queries.hpp"
#include "slide_values.hpp"

namespace graze::python {
namespace {

template <class Real>
using SharedWorld = SharedObstacles<slide::World<Real>>;

template <class Real>
std::uint32_t add_mesh(SharedWorld<Real>& shared, py::handle positions, py::handle faces,
                       const py::dict& given) {
    const auto points = points_of<Real>(positions, "V");
    const auto triangles = index_rows<3>(faces, "F");
    Options options(given);
    const auto marks = marks_of(options);
    options.finish();
    return value_of(
        shared.changed([&](auto& world) { return world.add_mesh(points, triangles, marks); }));
}

// One mark, for all faces.
slide::FaceMarks one_mark(const py::dict& given) {
    Options options(given);
    slide::FaceMarks marks;
    options.take("tag", marks.tag);
    options.take("layers", marks.layers);
    options.finish();
    return marks;
}

template <class Real>
std::uint32_t add_height_field(SharedWorld<Real>& shared, py::handle given_heights,
                               const std::array<double, 2>& spacing, const py::dict& given) {
    // The type of the world, row by row.
    const auto array = py::array_t<Real, py::array::c_style | py::array::forcecast>::ensure(
        py::reinterpret_borrow<py::object>(given_heights));
    if (!array || array.ndim() != 2)
        throw py::value_error("heights: not an array of rows and columns");
    const auto side = [&](py::ssize_t axis) {
        return static_cast<std::uint32_t>(std::min<py::ssize_t>(array.shape(axis), 0xffff'ffff));
    };
    Options options(given);
    const auto marks = marks_of(options);
    options.finish();
    const slide::HeightField<Real> field{
        side(1), side(0), static_cast<Real>(spacing[0]), static_cast<Real>(spacing[1]),
        std::span<const Real>(array.data(), static_cast<std::size_t>(array.size()))};
    return value_of(
        shared.changed([&](auto& world) { return world.add_height_field(field, marks); }));
}

template <class Real>
slide::CharacterOptions<Real> character_options(const py::dict& given) {
    Options options(given);
    slide::CharacterOptions<Real> result;
    const py::object up = options.object("up");
    if (!up.is_none()) result.up = vec_of<Real>(up, "up");
    options.take("least_upward", result.least_upward);
    options.take("step_height", result.step_height);
    options.take("snap_distance", result.snap_distance);
    options.take("stops_at_ledges", result.stops_at_ledges);
    options.take("skin", result.skin);
    options.take("layers", result.layers);
    options.finish();
    return result;
}

template <class Real>
slide::Capsule<Real> capsule_of(double radius, double height) {
    return {static_cast<Real>(radius), static_cast<Real>(height)};
}

// One call at a time.
template <class Real>
class SharedCharacter {
public:
    SharedCharacter(const slide::Capsule<Real>& body, const Vec<Real>& feet,
                    const slide::CharacterOptions<Real>& options)
        : character_(body, feet, options) {}

    template <class Act>
    auto use(const Act& act) {
        const std::scoped_lock lock(mutex_);
        return act(character_);
    }

private:
    slide::Character<Real> character_;
    std::mutex mutex_;
};

template <class Real>
py::tuple frame_tuple(const slide::CharacterFrame<Real>& f) {
    return py::make_tuple(tuple_of(f.feet), f.gap_proved, f.skin, f.on_ground, f.landed,
                          f.left_ground, f.climbed, f.hit_ceiling, f.held_at_ledge,
                          f.on_ground ? py::object(touch_tuple(f.ground)) : py::none(),
                          std::string(name(f.ride.outcome)), f.ride.time, f.ride.overlap);
}

template <class Real>
void add_world(py::module_& m, const char* world_name, const char* character_name) {
    using Shared = SharedWorld<Real>;
    using Hero = SharedCharacter<Real>;
    py::class_<Shared> world_class(m, world_name);
    add_slide_queries<Real>(world_class);
    world_class.def(py::init<>())
        .def("add_mesh", &add_mesh<Real>)
        .def("add_sphere",
             [](Shared& s, double radius, const py::dict& given) {
                 const slide::FaceMarks marks = one_mark(given);
                 return value_of(s.changed([&](auto& world) {
                     return world.add_sphere(static_cast<Real>(radius), marks);
                 }));
             })
        .def("add_capsule",
             [](Shared& s, double radius, double half_height, const py::dict& given) {
                 const slide::FaceMarks marks = one_mark(given);
                 return value_of(s.changed([&](auto& world) {
                     return world.add_capsule(static_cast<Real>(radius),
                                              static_cast<Real>(half_height), marks);
                 }));
             })
        .def(
            "add_box",
            [](Shared& s, py::handle half_extents, const py::dict& given) {
                const auto half = vec_of<Real>(half_extents, "half_extents");
                const slide::FaceMarks marks = one_mark(given);
                return value_of(s.changed([&](auto& world) { return world.add_box(half, marks); }));
            })
        .def("add_height_field", &add_height_field<Real>)
        .def("part_count",
             [](const Shared& s) {
                 return s.asked([](const auto& world) { return world.part_count(); });
             })
        .def("face_count",
             [](const Shared& s) {
                 return s.asked([](const auto& world) { return world.face_count(); });
             })
        .def("add_part",
             [](Shared& s, std::uint32_t mesh, const PoseRow& pose, std::uint32_t layers) {
                 return value_of(s.changed(
                     [&](auto& world) { return world.add_part(mesh, pose_of(pose), layers); }));
             })
        .def("remove_part",
             [](Shared& s, std::uint32_t part) {
                 check_value(s.changed([&](auto& world) { return world.remove_part(part); }));
             })
        .def(
            "set_layers",
            [](Shared& s, std::uint32_t part, std::uint32_t layers) {
                check_value(s.changed([&](auto& world) { return world.set_layers(part, layers); }));
            })
        .def("move_part",
             [](Shared& s, std::uint32_t part, const PoseRow& pose, py::handle pivot) {
                 const Vec3 about = vec3_of(pivot, "pivot");
                 check_value(s.changed(
                     [&](auto& world) { return world.move_part(part, pose_of(pose), about); }));
             })
        .def("place_part",
             [](Shared& s, std::uint32_t part, const PoseRow& pose) {
                 check_value(
                     s.changed([&](auto& world) { return world.place_part(part, pose_of(pose)); }));
             })
        .def("update",
             [](Shared& s) {
                 s.changed([](auto& world) {
                     world.update();
                     return true;
                 });
             })
        .def("frame", [](const Shared& s) {
            return s.asked([](const auto& world) { return world.frame(); });
        });
    py::class_<Hero>(m, character_name)
        .def(py::init([](double radius, double height, py::handle feet, const py::dict& given) {
            return std::make_unique<Hero>(capsule_of<Real>(radius, height),
                                          vec_of<Real>(feet, "feet"),
                                          character_options<Real>(given));
        }))
        .def("move",
             [](Hero& hero, const Shared& s, py::handle displacement) {
                 const auto by = vec_of<Real>(displacement, "displacement");
                 return frame_tuple(s.asked([&](const auto& world) {
                     return hero.use([&](auto& character) { return character.move(world, by); });
                 }));
             })
        .def("change_body",
             [](Hero& hero, const Shared& s, double radius, double height) {
                 const auto body = capsule_of<Real>(radius, height);
                 return s.asked([&](const auto& world) {
                     return hero.use(
                         [&](auto& character) { return character.change_body(world, body); });
                 });
             })
        .def("teleport",
             [](Hero& hero, py::handle feet) {
                 const auto to = vec_of<Real>(feet, "feet");
                 hero.use([&](auto& character) {
                     character.teleport(to);
                     return true;
                 });
             })
        .def("feet",
             [](Hero& hero) {
                 return tuple_of(hero.use([](auto& character) { return character.feet(); }));
             })
        .def("on_ground", [](Hero& hero) {
            return hero.use([](auto& character) { return character.on_ground(); });
        });
}

}  // namespace

void add_slide_world(py::module_& m) {
    add_world<float>(m, "WorldFloat32", "CharacterFloat32");
    add_world<double>(m, "WorldFloat64", "CharacterFloat64");
}

}  // namespace graze::python
