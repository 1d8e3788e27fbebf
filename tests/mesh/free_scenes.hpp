// Scenes that start free of contact, and exact answers about the motions that a result allows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "random_scene.hpp"

namespace graze {

inline bool is_free(const Scene& scene, const std::vector<Vec3>& end,
                    const CcdOptions& options = {}) {
    return exact_contacts({scene.mesh, scene.start, end}, options).empty();
}

// Scenes whose start is free of contact.
inline std::vector<Scene> free_scenes(const Recipe& recipe, std::size_t count) {
    std::vector<Scene> scenes;
    for (std::uint64_t seed = 0; scenes.size() < count && seed < 50 * count; ++seed) {
        Scene scene = SceneMaker(recipe, seed).make();
        MeshStepper stepper(scene.mesh);
        if (stepper.intersections(scene.start)->empty()) scenes.push_back(std::move(scene));
    }
    EXPECT_EQ(scenes.size(), count);
    return scenes;
}

inline const Recipe kSparse = {.faces = 5, .loose_edges = 1, .points = 2};

}  // namespace graze
