// The makers of scenes, by what they have in common.
#pragma once

#include "graze/generate/scenes.hpp"

namespace graze::generate {

// Requires: an id of the group "contact", or "motion".
[[nodiscard]] Scene make_contact_scene(SceneId id, const SceneOptions& options);
[[nodiscard]] Scene make_motion_scene(SceneId id, const SceneOptions& options);

}  // namespace graze::generate
