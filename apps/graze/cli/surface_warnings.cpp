#include "surface_warnings.hpp"

#include <fmt/format.h>

namespace graze::app {

std::vector<std::string> defect_warnings(const std::string& file, const SurfaceDefects& defects,
                                         const SurfaceConcerns& concerns,
                                         const std::string& advice) {
    std::vector<std::string> found;
    if (concerns.repeated_vertices && defects.repeated_vertices > 0) {
        found.push_back(counted(defects.repeated_vertices, "repeated vertex", "repeated vertices") +
                        advice);
    }
    if (concerns.degenerate_faces && defects.degenerate_faces > 0)
        found.push_back(
            counted(defects.degenerate_faces, "face without area", "faces without area"));
    if (concerns.duplicate_faces && defects.duplicate_faces > 0)
        found.push_back(counted(defects.duplicate_faces, "duplicate face", "duplicate faces"));
    if (found.empty()) return {};
    return {fmt::format("{}: {}", file, fmt::join(found, ", "))};
}

}  // namespace graze::app
