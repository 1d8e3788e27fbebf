// The manifest of a generated set as JSON (docs/FORMATS.md).
#pragma once

#include <filesystem>
#include <optional>

#include "cli/output.hpp"
#include "graze/io/manifest.hpp"

namespace graze::app {

inline constexpr std::string_view kManifestName = "manifest.json";

[[nodiscard]] Json to_json(const io::Manifest& manifest);
// Strict: another shape, a path that leads out of the folder, a kind that is none are errors.
[[nodiscard]] Expected<io::Manifest> manifest_from_json(const Json& json);

// One entry of it as text, and back.
[[nodiscard]] std::string entry_text(const io::ManifestSet& set);
[[nodiscard]] Expected<io::ManifestSet> entry_from(std::string_view text);

// Nothing if the folder has none; an error that names the file if it is damaged.
[[nodiscard]] Expected<std::optional<io::Manifest>> read_manifest(
    const std::filesystem::path& folder);
// Appears whole or not at all.
[[nodiscard]] Expected<void> write_manifest(const std::filesystem::path& folder,
                                            const io::Manifest& manifest);

// Compares every file with its stamp: an error that names the first that is missing or changed.
[[nodiscard]] Expected<void> check_files(const std::filesystem::path& folder,
                                         const io::ManifestSet& set);
// The whole folder: a manifest that is complete, every file as it says, and no query file beside.
[[nodiscard]] Expected<io::Manifest> check_folder(const std::filesystem::path& folder);

}  // namespace graze::app
