#include "places.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "graze/io/atomic_file.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;

// As many links as Linux itself follows.
constexpr int kMaxLinks = 40;

std::optional<int> number_from(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole ? std::optional(value) : std::nullopt;
}

bool is_under_proc(const fs::path& path) {
    auto part = path.begin();
    return part != path.end() && ++part != path.end() && *part == "proc";
}

// The way from a path to what it names, link by link, ends in /proc where the name is one of an
// open descriptor: such a link can be opened, but what it leads to may not be replaced.
std::optional<Place> place_in_proc(fs::path path) {
    std::error_code error;
    const fs::path own_descriptors = fs::canonical("/proc/self/fd", error);
    for (int i = 0; i < kMaxLinks; ++i) {
        const fs::path folder = fs::canonical(fs::absolute(path, error).parent_path(), error);
        if (error) return std::nullopt;
        path = folder / path.filename();
        if (folder == own_descriptors) {
            if (const std::optional<int> number = number_from(path.filename().native())) {
                return Place{PlaceKind::Descriptor, *number, {}};
            }
        }
        if (is_under_proc(folder)) return Place{PlaceKind::Direct, -1, path};
        if (!fs::is_symlink(path, error)) return std::nullopt;
        path = folder / fs::read_symlink(path, error);
    }
    return std::nullopt;
}

// Standard output or standard error, where the file is one of them.
std::optional<int> standard_descriptor_of(const fs::path& file) {
    struct stat named = {};
    if (::stat(file.c_str(), &named) != 0) return std::nullopt;
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat open = {};
        if (::fstat(descriptor, &open) != 0) continue;
        if (open.st_dev == named.st_dev && open.st_ino == named.st_ino) return descriptor;
    }
    return std::nullopt;
}

}  // namespace

Place place_of(const fs::path& path) {
    if (const std::optional<Place> place = place_in_proc(path)) return *place;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return {PlaceKind::Direct, -1, path};
    }
    if (const std::optional<int> descriptor = standard_descriptor_of(path)) {
        return {PlaceKind::Descriptor, *descriptor, {}};
    }
    const fs::path followed = fs::weakly_canonical(io::final_target(path), error);
    return {PlaceKind::File, -1, error ? path : followed};
}

Place output_place_of(const std::string& path) {
    if (path == "-") return {PlaceKind::Descriptor, STDOUT_FILENO, {}};
    return place_of(path);
}

bool do_clash(const Place& a, const Place& b) {
    return a.kind != PlaceKind::Direct && a == b;
}

}  // namespace graze::app
