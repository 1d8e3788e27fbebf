#include "urdf/mesh_files.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "graze/core/shown_text.hpp"
#include "urdf/xml_text.hpp"

namespace graze::urdf {
namespace {

constexpr std::string_view kPackage = "package://";
constexpr std::string_view kFile = "file://";

bool goes_up(const std::filesystem::path& path) {
    return std::find(path.begin(), path.end(), "..") != path.end();
}

Expected<std::filesystem::path> package_path(std::string_view uri, const UrdfOptions& options) {
    const std::string_view rest = uri.substr(kPackage.size());
    const std::size_t slash = rest.find('/');
    const std::string_view package = rest.substr(0, slash);
    const std::filesystem::path inside(
        slash == std::string_view::npos ? "" : std::string(rest.substr(slash + 1)));
    if (package.empty() || inside.empty() || inside.is_absolute() || goes_up(inside))
        return Error{"that is no path within a package", ErrorCode::InvalidInput};
    for (const Package& known : options.packages)
        if (known.name == package) return known.folder / inside;
    return Error{"the folder of package '" + one_line(package) + "' is not known (--package " +
                     one_line(package) + "=DIR)",
                 ErrorCode::CannotRead};
}

Expected<std::filesystem::path> path_of(const std::string& uri, const std::filesystem::path& folder,
                                        const UrdfOptions& options) {
    if (uri.empty()) return Error{"it has no name", ErrorCode::InvalidInput};
    if (uri.starts_with(kPackage)) return package_path(uri, options);
    if (uri.starts_with(kFile)) return std::filesystem::path(uri.substr(kFile.size()));
    if (uri.find("://") != std::string::npos)
        return Error{"names are package://, file:// or a path", ErrorCode::Unsupported};
    return folder / uri;
}

std::string lower_extension(const std::filesystem::path& path) {
    std::string extension =
        path.extension() == ".gz" ? path.stem().extension().string() : path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

Expected<void> check_file(const std::filesystem::path& path) {
    const std::string extension = lower_extension(path);
    if (extension == ".dae")
        return Error{"COLLADA (.dae) is not read: convert it to OBJ, STL or PLY",
                     ErrorCode::Unsupported};
    if (extension != ".obj" && extension != ".stl" && extension != ".ply")
        return Error{"meshes are OBJ, STL or PLY", ErrorCode::Unsupported};
    std::error_code failed;
    const auto status = std::filesystem::status(path, failed);
    if (!std::filesystem::exists(status))
        return Error{"there is no file " + one_line(path.string()), ErrorCode::CannotRead};
    if (!std::filesystem::is_regular_file(status))
        return Error{one_line(path.string()) + " is not a file", ErrorCode::CannotRead};
    const auto size = std::filesystem::file_size(path, failed);
    if (!failed && size > kMaxMeshBytes)
        return Error{one_line(path.string()) + " is larger than 1 GiB", ErrorCode::WrongSize};
    return {};
}

}  // namespace

Expected<io::BodyFromFile> read_mesh_file(const std::string& uri,
                                          const std::filesystem::path& folder,
                                          const UrdfOptions& options, const io::BodyOptions& body) {
    const std::string name = "mesh '" + one_line(uri) + "'";
    if (!is_file_name(uri))
        return located(name, Error{"that is not the name of a file", ErrorCode::InvalidInput});
    const auto path = path_of(uri, folder, options);
    if (!path) return located(name, path.error());
    if (auto passed = check_file(*path); !passed) return located(name, passed.error());
    return io::read_body(*path, body);
}

}  // namespace graze::urdf
