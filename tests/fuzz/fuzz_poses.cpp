// The input is a JSON file of poses, as `graze screw --poses` reads it.
#include "fuzz_input.hpp"
#include "poses_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto step = tools::parse_poses(text, "in");
    if (!step) {
        dataset::fuzz::require_clear(step.error());
        return 0;
    }
    dataset::fuzz::require(check(*step).has_value(), "what is read is a step");
    return 0;
}
