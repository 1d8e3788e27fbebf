#include "mesh/bounded_step.hpp"

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

}  // namespace

BoundedStep::BoundedStep(const MeshTopology& mesh, std::span<const MovingPoint> vertices,
                         const StepOptions& options)
    : given_(options) {
    if (options.bounds == BoundSource::Query || options.method.bounded == nullptr) return;
    const QueryBounds own = bounds_of_step(mesh, vertices, options.bounds);
    used_.bounds = own;
    if (options.declared) {
        used_.bounds = hull(own, *options.declared);
        QueryBounds declared = *options.declared;
        declared.per_pair = own.per_pair;
        if (!declared.box) declared.box = used_.bounds.box;
        used_.grew = used_.bounds != declared;
    }
    with_bounds_ = options;
    with_bounds_->method = with_bounds(options.method, used_.bounds);
}

}  // namespace graze::mesh_detail
