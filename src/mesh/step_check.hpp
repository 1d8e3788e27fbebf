// Is a step as it has to be?
#pragma once

#include <span>

#include "graze/mesh/step.hpp"

namespace graze::mesh_detail {

// The error names what is wrong.
[[nodiscard]] Expected<void> check_positions(std::span<const Vec3> positions,
                                             std::size_t vertex_count, const char* which);
[[nodiscard]] Expected<void> check_options(const MeshTopology& mesh, const StepOptions& options);
// Positions at both ends, and the options.
[[nodiscard]] Expected<void> check_step(const MeshTopology& mesh, std::span<const Vec3> start,
                                        std::span<const Vec3> end, const StepOptions& options);

}  // namespace graze::mesh_detail
