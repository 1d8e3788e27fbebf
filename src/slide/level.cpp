#include "graze/slide/level.hpp"

#include <string>

#include "graze/core/fp_environment.hpp"
#include "slide/mesh_checks.hpp"
#include "slide/obstacles_state.hpp"

namespace graze::slide {

template <class Real>
Level<Real>::Level(std::unique_ptr<State> state) noexcept
    : Obstacles<Real>(state.get(), 1.0, PartFilter::All), owned_(std::move(state)) {}
template <class Real>
Level<Real>::Level() : Level(std::make_unique<State>()) {}
template <class Real>
Level<Real>::~Level() = default;
template <class Real>
Level<Real>::Level(Level&&) noexcept = default;
template <class Real>
Level<Real>& Level<Real>::operator=(Level&&) noexcept = default;

template <class Real>
Expected<std::uint32_t> Level<Real>::add_part(std::span<const Point> positions,
                                              std::span<const Face> faces,
                                              std::span<const FaceMarks> marks) {
    auto mesh = make_mesh<Real>(positions, faces, marks);
    if (!mesh) return mesh.error();
    owned_->parts.emplace_back().mesh = *std::move(mesh);
    return static_cast<std::uint32_t>(owned_->parts.size() - 1);
}

// Built beside the old one, so that a failure leaves that as it was; the number of the part stays.
template <class Real>
Expected<void> Level<Real>::replace_part(std::uint32_t part, std::span<const Point> positions,
                                         std::span<const Face> faces,
                                         std::span<const FaceMarks> marks) {
    if (part >= owned_->parts.size()) return no_such_part(part);
    auto mesh = make_mesh<Real>(positions, faces, marks);
    if (!mesh) return mesh.error();
    owned_->parts[part].mesh = *std::move(mesh);
    return {};
}

template <class Real>
Expected<void> Level<Real>::move_part(std::uint32_t part, std::span<const Point> positions) {
    if (part >= owned_->parts.size()) return no_such_part(part);
    PartTree<Real>& tree = owned_->parts[part].mesh->tree;
    const std::size_t vertices = tree.vertex_count();
    if (positions.size() != vertices)
        return Error{std::to_string(positions.size()) + " positions for " +
                         std::to_string(vertices) + " vertices",
                     ErrorCode::WrongSize};
    const Expected<void> checked = check_positions(positions);
    if (!checked) return checked;
    return with_sound_arithmetic([&]() -> Expected<void> {
        tree.move(positions);
        return {};
    });
}

template class Level<float>;
template class Level<double>;

}  // namespace graze::slide
