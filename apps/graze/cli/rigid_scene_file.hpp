// Scenes of many rigid bodies, from JSON (docs/FORMATS.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/rigid/dynamics.hpp"

namespace graze::app {

// A shape, with its centre of mass at the origin of its frame.
struct RigidSceneShape {
    // One of the two.
    std::optional<rigid::ConvexShape> convex;
    std::optional<rigid::Polyhedron> surface;
    Vec3 moved_by;  // what was added to the positions of the file
};

struct RigidScene {
    std::string name;
    rigid::DynamicsOptions options;
    std::uint64_t steps = 600;
    std::vector<RigidSceneShape> shapes;
    std::vector<rigid::DynamicBody> bodies;  // their shapes are indices of `shapes`
};

inline constexpr std::size_t kMaxSceneBytes = std::size_t{1} << 26;
inline constexpr std::size_t kMaxSceneBodies = 100'000;
// Of a hull: finding its faces takes time by the square.
inline constexpr std::size_t kMaxHullPoints = 4096;
inline constexpr std::uint64_t kMaxSceneSteps = 100'000'000;

// The shape with its centre of mass at the origin. Errors: no volume.
[[nodiscard]] Expected<RigidSceneShape> centred_shape(const rigid::ConvexShape& shape);
[[nodiscard]] Expected<RigidSceneShape> centred_shape(const rigid::Polyhedron& surface);

// Errors begin with `name` and say the place: no JSON (line and column), a member that is missing, is
// there twice, is of another kind or not known, numbers out of range, more than kMaxSceneBodies, files
// of meshes (relative to `folder`) that cannot be read.
[[nodiscard]] Expected<RigidScene> parse_rigid_scene(std::string_view text, const std::string& name,
                                                     const std::filesystem::path& folder);
[[nodiscard]] Expected<RigidScene> read_rigid_scene(const std::filesystem::path& path);

// The bodies of the scene, ready to be stepped.
[[nodiscard]] Expected<rigid::Dynamics> dynamics_of(const RigidScene& scene);

}  // namespace graze::app
