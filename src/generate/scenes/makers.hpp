// The makers of scenes, by what they have in common.
#pragma once

#include "graze/generate/scenes.hpp"

namespace graze::generate {

// Requires: an id of the group "contact", or "motion".
[[nodiscard]] QueryScene make_contact_scene(SceneId id, const QuerySceneOptions& options);
[[nodiscard]] QueryScene make_motion_scene(SceneId id, const QuerySceneOptions& options);

}  // namespace graze::generate
