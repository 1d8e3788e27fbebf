// The input is a JSON world, as `graze slide --world` reads it.
#include "cli/slide_world_file.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    // Terrains of millions of triangles take their time: that is no defect of the reader.
    if (text.find("terrain") != std::string_view::npos) return 0;
    const auto world = app::parse_slide_world(text, "in", "/nonexistent");
    if (!world) {
        io::fuzz::require_clear(world.error(), io::fuzz::kMaxFileName);
        return 0;
    }
    io::fuzz::require(world->steps.size() <= app::kMaxWorldFrames, "frames are bounded");
    for (const app::SlideWorldPart& part : world->parts) {
        io::fuzz::require(part.mesh < world->meshes.size(), "every part has a mesh");
        for (const double seconds : {0.0, 0.25, 1e3})
            io::fuzz::require(check(app::pose_after(part, seconds), "a part").has_value() ||
                                  part.motion.is_moving(),
                              "a part that stands has a pose");
    }
    return 0;
}
