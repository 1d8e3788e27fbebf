#include "graze/slide/obstacles.hpp"

#include <algorithm>

#include "graze/core/vec3.hpp"
#include "slide/obstacles_state.hpp"

namespace graze::slide {

template <class Real>
std::size_t Obstacles<Real>::part_count() const noexcept {
    return state_->parts.size();
}

template <class Real>
std::size_t Obstacles<Real>::face_count() const noexcept {
    std::size_t count = 0;
    for (const auto& part : state_->parts)
        count += part.mesh == nullptr ? 0 : part.mesh->face_count();
    return count;
}

template <class Real>
std::size_t Obstacles<Real>::face_count(std::uint32_t part) const noexcept {
    if (part >= state_->parts.size() || state_->parts[part].mesh == nullptr) return 0;
    return state_->parts[part].mesh->face_count();
}

// Of parts without faces nothing is met, and their vertices do not count.
template <class Real>
Real Obstacles<Real>::largest_coordinate() const noexcept {
    double largest = 0.0;
    for (const auto& part : state_->parts) {
        if (part.mesh == nullptr || part.mesh->face_count() == 0) continue;
        const Box& mesh_bounds = part.mesh->bounds();
        const Box bounds = part.is_placed ? part.placement.to_world(mesh_bounds) : mesh_bounds;
        largest = std::max({largest, norm_max(bounds.lower), norm_max(bounds.upper)});
    }
    return static_cast<Real>(largest);
}

template <class Real>
std::array<Vec<Real>, 3> Obstacles<Real>::triangle(std::uint32_t part,
                                                   std::uint32_t face) const noexcept {
    return visit_part(*this, part, [&](const PartView<Real>& view) {
        return view.triangle_at(view.mesh->position_of(face));
    });
}

template <class Real>
Real Obstacles<Real>::rounding(std::uint32_t part) const noexcept {
    if (part >= state_->parts.size() || state_->parts[part].mesh == nullptr) return Real{0};
    return static_cast<Real>(state_->parts[part].mesh->round);
}

template <class Real>
FaceMarks Obstacles<Real>::marks(std::uint32_t part, std::uint32_t face) const noexcept {
    FaceMarks marks = state_->parts[part].mesh->marks_of(face);
    marks.layers &= state_->parts[part].layers;
    return marks;
}

template class Obstacles<float>;
template class Obstacles<double>;

}  // namespace graze::slide
