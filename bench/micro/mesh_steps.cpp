#include "mesh_steps.hpp"

#include <algorithm>
#include <utility>

namespace graze::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;

Expected<std::vector<fs::path>> entries_of(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> entries;
    fs::directory_iterator next(folder, error);
    for (; !error && next != fs::directory_iterator(); next.increment(error))
        entries.push_back(next->path());
    if (error) return Error{folder.string() + ": " + error.message()};
    std::sort(entries.begin(), entries.end());
    return entries;
}

bool is_frame(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.ends_with(".ply") || name.ends_with(".ply.gz");
}

bool precedes(const fs::path& a, const fs::path& b) {
    const std::string name_a = a.filename().string();
    const std::string name_b = b.filename().string();
    return std::pair(name_a.size(), name_a) < std::pair(name_b.size(), name_b);
}

Expected<void> add_scene(const fs::path& scene, std::vector<MeshStep>& steps) {
    auto frames = entries_of(scene / "frames");
    if (!frames) return frames.error();
    std::erase_if(*frames, [](const fs::path& file) { return !is_frame(file); });
    std::sort(frames->begin(), frames->end(), precedes);
    for (std::size_t i = 1; i < frames->size(); ++i)
        steps.push_back({scene.filename().string(), (*frames)[i - 1], (*frames)[i]});
    return {};
}

Expected<void> walk(const fs::path& folder, int depth, std::vector<MeshStep>& steps) {
    std::error_code ignored;
    if (fs::is_directory(folder / "frames", ignored)) return add_scene(folder, steps);
    const auto entries = entries_of(folder);
    if (!entries) return entries.error();
    for (const fs::path& entry : *entries) {
        if (!fs::is_directory(entry, ignored) || depth == kDeepest) continue;
        if (Expected<void> walked = walk(entry, depth + 1, steps); !walked) return walked;
    }
    return {};
}

}  // namespace

Expected<std::vector<MeshStep>> find_mesh_steps(const fs::path& folder) {
    std::error_code error;
    const fs::path named = fs::canonical(folder, error);
    if (error) return Error{folder.string() + ": " + error.message()};
    std::vector<MeshStep> steps;
    if (Expected<void> walked = walk(named, 0, steps); !walked) return walked.error();
    if (steps.empty()) return Error{folder.string() + ": no folder 'frames' with two PLY files"};
    return steps;
}

}  // namespace graze::bench
