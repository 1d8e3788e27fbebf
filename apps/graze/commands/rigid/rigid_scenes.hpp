// Scenes of rigid bodies that the tool knows by name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cli/rigid_scene_file.hpp"

namespace graze::app {

struct BuiltInScene {
    std::string_view name;
    std::string_view summary;
};
[[nodiscard]] std::span<const BuiltInScene> built_in_scenes() noexcept;

// `bodies`: of those scenes that have a number of them; 0: as many as usual.
// Error: no such scene (the message lists them).
[[nodiscard]] Expected<RigidScene> built_in_scene(std::string_view name, std::uint64_t bodies,
                                                  std::uint64_t seed);

}  // namespace graze::app
