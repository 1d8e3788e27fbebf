// The input is a JSON file of poses, as `graze rigid --poses` reads it.
#include "cli/poses_file.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto step = app::parse_poses(text, "in");
    if (!step) {
        io::fuzz::require_clear(step.error());
        return 0;
    }
    io::fuzz::require(check(*step).has_value(), "what is read is a step");
    return 0;
}
