#include "mesh/step_check.hpp"

#include <string>

#include "graze/core/rounding.hpp"

namespace graze::mesh_detail {
namespace {

template <class T>
Expected<void> check_size(std::span<const T> values, std::size_t vertex_count, const char* what) {
    if (values.empty() || values.size() == vertex_count) return {};
    return Error{std::string(what) + ": " + std::to_string(values.size()) + " values for " +
                     std::to_string(vertex_count) + " vertices",
                 ErrorCode::WrongSize};
}

}  // namespace

Expected<void> check_positions(std::span<const Vec3> positions, std::size_t vertex_count,
                               const char* which) {
    if (positions.size() != vertex_count) {
        return Error{std::string(which) + " has " + std::to_string(positions.size()) +
                         " positions for " + std::to_string(vertex_count) + " vertices",
                     ErrorCode::WrongSize};
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (!is_finite(positions[i])) {
            return Error{std::string(which) + ": the position of vertex " + std::to_string(i) +
                             " is not finite",
                         ErrorCode::NotFinite, i};
        }
    }
    return {};
}

namespace {

// Two such radii and the separation have a sum, too.
Expected<void> check_radii(std::span<const double> radius, double min_separation) {
    for (std::size_t i = 0; i < radius.size(); ++i) {
        if (!(radius[i] >= 0.0) || !is_finite(radius[i])) {
            return Error{"the radius of vertex " + std::to_string(i) + " must be finite and >= 0",
                         ErrorCode::InvalidOption, i};
        }
        if (!is_finite(add_up(min_separation, add_up(radius[i], radius[i])))) {
            return Error{"the radius of vertex " + std::to_string(i) +
                             ", twice, and min_separation add up to more than the largest double",
                         ErrorCode::InvalidOption, i};
        }
    }
    return {};
}

template <class Motion>
bool lacks(const Method& method) {
    return functions_of<Motion>(method).query == nullptr;
}

Expected<void> check_method(const StepOptions& options, bool has_points) {
    const Method& method = options.method;
    if (lacks<VertexFaceMotion>(method) || lacks<EdgeEdgeMotion>(method) ||
        (has_points && (lacks<VertexVertexMotion>(method) || lacks<VertexEdgeMotion>(method)))) {
        return Error{"the method " + std::string(method.name) +
                         " does not answer every kind of query that the mesh has",
                     ErrorCode::Unsupported};
    }
    if (const auto good = check(options.query); !good) return good;
    CcdOptions query = options.query;
    if (!options.radius.empty() && query.min_separation == 0.0) query.min_separation = 1.0;
    if (!supports(method, query)) {
        return Error{
            "the method " + std::string(method.name) + " has no minimum separation in that norm",
            ErrorCode::Unsupported};
    }
    return {};
}

}  // namespace

Expected<void> check_options(const MeshTopology& mesh, const StepOptions& options) {
    const std::size_t count = mesh.vertex_count;
    const PairFilter& filter = options.filter;
    if (const auto good = check_size(options.radius, count, "radius"); !good) return good;
    if (const auto good = check_size(options.rest, count, "rest"); !good) return good;
    if (const auto good = check_size(filter.body, count, "filter.body"); !good) return good;
    if (const auto good = check_size(filter.fixed, count, "filter.fixed"); !good) return good;
    if (const auto good = check_size(filter.layers, count, "filter.layers"); !good) return good;
    if (filter.layers.size() != filter.mask.size())
        return Error{"filter.layers and filter.mask must both be given, or neither",
                     ErrorCode::InvalidOption};
    if (options.threads < 0)
        return Error{"threads = " + std::to_string(options.threads) + " is not >= 0",
                     ErrorCode::InvalidOption};
    if (const auto good = check_method(options, !mesh.points.empty()); !good) return good;
    return check_radii(options.radius, options.query.min_separation);
}

Expected<void> check_step(const MeshTopology& mesh, std::span<const Vec3> start,
                          std::span<const Vec3> end, const StepOptions& options) {
    if (const auto good = check_positions(start, mesh.vertex_count, "start"); !good) return good;
    if (const auto good = check_positions(end, mesh.vertex_count, "end"); !good) return good;
    return check_options(mesh, options);
}

}  // namespace graze::mesh_detail
