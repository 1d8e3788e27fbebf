// Thickness of elements, by vertex.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/mesh/topology.hpp"

namespace graze::mesh_detail {

// What each vertex is enlarged by, so that an element, which is as thick everywhere as its thickest
// vertex, is enclosed by what encloses its vertices: the largest radius of all elements that it belongs
// to. Empty where there is no thickness. Requires: a radius for each vertex, or none.
[[nodiscard]] inline std::vector<double> element_thickness(const MeshTopology& mesh,
                                                           std::span<const double> radius) {
    std::vector<double> thickness(radius.begin(), radius.end());
    if (radius.empty()) return thickness;
    const auto spread = [&](const auto& elements) {
        for (const auto& element : elements) {
            double largest = 0.0;
            for (const std::uint32_t vertex : element)
                largest = std::max(largest, radius[vertex]);
            for (const std::uint32_t vertex : element)
                thickness[vertex] = std::max(thickness[vertex], largest);
        }
    };
    spread(mesh.edges);
    spread(mesh.faces);
    return thickness;
}

}  // namespace graze::mesh_detail
