// The input is a JSON scene of rigid bodies, as `graze rigid --scene` reads it.
#include "cli/rigid_scene_file.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto scene = app::parse_rigid_scene(text, "in", "/nonexistent");
    if (!scene) {
        io::fuzz::require_clear(scene.error(), io::fuzz::kMaxFileName);
        return 0;
    }
    for (const rigid::DynamicBody& body : scene->bodies)
        io::fuzz::require(body.shape < scene->shapes.size(), "every body has a shape");
    if (scene->bodies.size() > 16) return 0;
    auto world = app::dynamics_of(*scene);
    if (!world) {
        // The command puts the name of the file before it.
        io::fuzz::require_clear(Error{"in: " + world.error().message});
        return 0;
    }
    for (int i = 0; i < 2; ++i) {
        if (!world->step()) return 0;
        io::fuzz::require(world->check().overlapping == 0, "a step that is accepted is free");
    }
    return 0;
}
