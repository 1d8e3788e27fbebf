#include "frame_list.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>

namespace graze::app {
namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool ends_as_mesh(const std::string& name) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    if (lower.ends_with(".gz")) lower.resize(lower.size() - 3);
    return lower.ends_with(".obj") || lower.ends_with(".ply") || lower.ends_with(".stl");
}

// The digits from `at` on, without zeros before them; `at` moves behind them.
std::string_view number_at(std::string_view text, std::size_t& at) noexcept {
    while (at < text.size() && text[at] == '0')
        ++at;
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at]))
        ++at;
    return text.substr(begin, at - begin);
}

// < 0, 0, > 0 as of names whose numbers count by value.
int compare_frames(std::string_view a, std::string_view b) noexcept {
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a.size() && k < b.size()) {
        if (is_digit(a[i]) && is_digit(b[k])) {
            const std::string_view x = number_at(a, i);
            const std::string_view y = number_at(b, k);
            // Without zeros before them, the longer number is the larger one.
            if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
            if (const int order = x.compare(y); order != 0) return order;
            continue;
        }
        if (a[i] != b[k])
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[k]) ? -1 : 1;
        ++i;
        ++k;
    }
    return static_cast<int>(i < a.size()) - static_cast<int>(k < b.size());
}

}  // namespace

bool comes_before_frame(std::string_view a, std::string_view b) {
    const int order = compare_frames(a, b);
    return order != 0 ? order < 0 : a < b;
}

bool is_frame_pattern(const std::string& text) {
    std::error_code error;
    return text.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(text, error);
}

Expected<std::vector<std::string>> find_frames(const std::string& folder_or_pattern) {
    const std::filesystem::path path(folder_or_pattern);
    const bool is_pattern = is_frame_pattern(folder_or_pattern);
    const std::filesystem::path folder = is_pattern ? path.parent_path() : path;
    const std::string pattern = path.filename().string();
    std::error_code error;
    std::filesystem::directory_iterator entries(folder.empty() ? "." : folder, error);
    if (error) return Error{folder.string() + ": " + error.message(), ErrorCode::CannotRead};
    std::vector<std::string> names;
    for (; entries != std::filesystem::directory_iterator(); entries.increment(error)) {
        const std::string name = entries->path().filename().string();
        const bool is_frame = is_pattern ? ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0
                                         : name.front() != '.' && ends_as_mesh(name);
        std::error_code unreadable;
        if (is_frame && !entries->is_directory(unreadable)) names.push_back(name);
        if (error) break;
    }
    if (error) return Error{folder.string() + ": " + error.message(), ErrorCode::CannotRead};
    if (names.size() < 2) {
        return Error{folder_or_pattern + ": " + std::to_string(names.size()) +
                         (is_pattern ? " files match" : " meshes (.obj, .ply, .stl)") +
                         ", but a sequence has at least two frames",
                     ErrorCode::WrongSize};
    }
    std::sort(names.begin(), names.end(), comes_before_frame);
    for (std::string& name : names)
        name = (folder / name).string();
    return names;
}

}  // namespace graze::app
