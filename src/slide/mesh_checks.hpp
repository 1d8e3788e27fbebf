// What is asked of triangles before they become a part.
#pragma once

#include <memory>
#include <span>

#include "graze/core/expected.hpp"
#include "slide/obstacles_state.hpp"

namespace graze::slide {

// Error: a coordinate that is not finite, more than 2^32 vertices.
template <class Real>
[[nodiscard]] Expected<void> check_positions(std::span<const Vec<Real>> positions);

// A mesh, or what Level::add_part() refuses.
template <class Real>
[[nodiscard]] Expected<std::shared_ptr<PartMesh<Real>>> make_mesh(
    std::span<const Vec<Real>> positions, std::span<const std::array<std::uint32_t, 3>> faces,
    std::span<const FaceMarks> marks);

[[nodiscard]] Error no_such_part(std::uint32_t part);

}  // namespace graze::slide
