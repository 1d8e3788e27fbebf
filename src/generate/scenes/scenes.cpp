#include "graze/generate/scenes.hpp"

#include "generate/scenes/makers.hpp"

namespace graze::generate {
namespace {

// In the order of kAllScenes.
constexpr std::array<std::string_view, kAllScenes.size()> kNames = {
    "cliff-edges",   "internal-edges",  "spikes",        "wedges",
    "spike-wedge",   "sliding-spike",   "sliding-wedge", "spike-crack",
    "wedge-crack",   "spike-hole",      "folding-sheet", "colliding-sheets",
    "sheet-on-ball", "tumbling-bodies", "twisting-mat",  "fast-ball"};

bool is_contact_scene(SceneId id) noexcept {
    return id <= SceneId::SpikeHole;
}

}  // namespace

std::string_view name(SceneId id) noexcept {
    return kNames[static_cast<std::size_t>(id)];
}

std::optional<SceneId> scene_from_name(std::string_view text) noexcept {
    for (const SceneId id : kAllScenes) {
        if (name(id) == text) return id;
    }
    return std::nullopt;
}

std::string_view group_of(SceneId id) noexcept {
    return is_contact_scene(id) ? "contact" : "motion";
}

QueryScene make_scene(SceneId id, const QuerySceneOptions& options) {
    return is_contact_scene(id) ? make_contact_scene(id, options) : make_motion_scene(id, options);
}

}  // namespace graze::generate
