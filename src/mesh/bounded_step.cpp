#include "mesh/bounded_step.hpp"

#include "graze/core/rounding.hpp"

namespace graze::mesh_detail {
namespace {

QueryBounds bounds_of_step(const MeshTopology& mesh, std::span<const MovingPoint> vertices,
                           BoundSource source) {
    BoundsOfQueries all;
    for (const MovingPoint& vertex : vertices)
        all.add(vertex);
    for (const EdgeIndices& edge : mesh.edges)
        all.add_edge(vertices[edge[0]], vertices[edge[1]]);
    return all.bounds(source);
}

// A length that is declared for B stands for all others. The box counts where it is declared.
bool outgrows(const QueryBounds& own, QueryBounds declared, const QueryBounds& both) {
    if (declared.declared_length > 0.0) {
        return !(add_up(own.longest_edge, own.relative_displacement) <= declared.declared_length);
    }
    declared.per_pair = both.per_pair;
    if (!declared.box) declared.box = both.box;
    return both != declared;
}

}  // namespace

BoundedStep::BoundedStep(const MeshTopology& mesh, std::span<const MovingPoint> vertices,
                         const StepOptions& options)
    : given_(options) {
    if (options.bounds == BoundSource::Query || options.method.bounded == nullptr) return;
    const QueryBounds own = bounds_of_step(mesh, vertices, options.bounds);
    used_.bounds = own;
    if (options.declared) {
        used_.bounds = hull(own, *options.declared);
        used_.grew = outgrows(own, *options.declared, used_.bounds);
    }
    with_bounds_ = options;
    with_bounds_->method = with_bounds(options.method, used_.bounds);
}

}  // namespace graze::mesh_detail
