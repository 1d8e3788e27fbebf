// Values of sliding from and to Python: points, marks of faces, contacts.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <vector>

#include "arrays.hpp"
#include "graze/slide.hpp"
#include "options.hpp"

namespace graze::python {

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

// One value for all faces, or one for each.
inline std::vector<slide::FaceMarks> marks_of(Options& options) {
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

inline const char* feature_name(slide::FeatureKind kind) noexcept {
    return kind == slide::FeatureKind::Face   ? "face"
           : kind == slide::FeatureKind::Edge ? "edge"
                                              : "vertex";
}

template <class Real>
py::tuple touch_tuple(const slide::SweepContact<Real>& c) {
    return py::make_tuple(c.part, c.face, c.tag, feature_name(c.feature), c.time, tuple_of(c.point),
                          tuple_of(c.normal));
}

}  // namespace graze::python
