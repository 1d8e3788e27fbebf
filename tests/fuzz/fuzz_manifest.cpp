// The input is the manifest of a data folder. What is read stays below the folder, and reads back as it was written.
#include <filesystem>

#include "commands/generate/generate_manifest.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze;
    using io::fuzz::require;
    const auto json = app::Json::parse(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!json) return 0;
    const auto manifest = app::manifest_from_json(*json);
    if (!manifest) {
        require(manifest.error().message.find('\n') == std::string::npos, "an error is one line");
        return 0;
    }
    for (const io::ManifestSet& set : manifest->sets) {
        for (const io::ManifestFile& file : set.files) {
            const auto inside = (std::filesystem::path("folder") / file.path).lexically_normal();
            require(*inside.begin() == "folder", "a file is below the folder");
        }
    }
    const auto again = app::manifest_from_json(app::to_json(*manifest));
    require(again && *again == *manifest, "what is written reads back the same");
    return 0;
}
