#include "graze/mesh/active_set.hpp"

#include <algorithm>
#include <array>

#include "mesh/impact_motion.hpp"
#include "mesh/stepper_access.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

Vec3 on_edge(const Vec3& a, const Vec3& b, double u) noexcept {
    return (1.0 - u) * a + u * b;
}

// The points with these parameters at the end of the step.
void set_ends(QueryKind kind, const ImpactVertices& c, ActiveConstraint& constraint) {
    // Parameters of the contact, as contact_point() orders them: barycentric of vertices 1 and 2 of a
    // face, fractions along edges.
    const double u = constraint.contact.u;
    const double v = constraint.contact.v;
    switch (kind) {
        case QueryKind::VertexFace:
            constraint.a_at_end = c[0].end;
            constraint.b_at_end = (1.0 - u - v) * c[1].end + u * c[2].end + v * c[3].end;
            break;
        case QueryKind::EdgeEdge:
            constraint.a_at_end = on_edge(c[0].end, c[1].end, u);
            constraint.b_at_end = on_edge(c[2].end, c[3].end, v);
            break;
        case QueryKind::VertexVertex:
            constraint.a_at_end = c[0].end;
            constraint.b_at_end = c[1].end;
            break;
        case QueryKind::VertexEdge:
            constraint.a_at_end = c[0].end;
            constraint.b_at_end = on_edge(c[1].end, c[2].end, u);
            break;
    }
}

// What the pair keeps as its distance: the separation, and the thickness of both sides, each that of
// its thickest vertex as in the queries (MESH-2). An estimate: rounded to nearest.
double offset_of(const MeshTopology& mesh, const StepOptions& options, const Impact& impact) {
    if (options.radius.empty()) return options.query.min_separation;
    const std::size_t of_a = impact.kind == QueryKind::EdgeEdge ? 2 : 1;
    std::array<double, 2> largest{};
    std::size_t seen = 0;
    for_each_vertex(mesh, impact, [&](std::uint32_t vertex) {
        double& side = largest[seen++ < of_a ? 0 : 1];
        side = std::max(side, options.radius[vertex]);
    });
    return options.query.min_separation + largest[0] + largest[1];
}

Expected<ActiveSet> sound_active_set(MeshStepper& stepper, std::span<const Vec3> start,
                                     std::span<const Vec3> end, const StepOptions& options) {
    Expected<StepImpacts> all = unordered_impacts(stepper, start, end, options, Trees::Build);
    if (!all) return all.error();
    ActiveSet set;
    set.work = all->work;
    for (const Impact& impact : all->impacts) {
        const ImpactVertices vertices =
            vertices_of(stepper.topology(), impact, [&](std::uint32_t v) {
                return MovingPoint{start[v], end[v]};
            });
        ActiveConstraint constraint{.impact = impact,
                                    .contact = contact_of(vertices, impact),
                                    .a_at_end = {},
                                    .b_at_end = {}};
        set_ends(impact.kind, vertices, constraint);
        // C = n . (a - b) - offset at the end of the step: < 0 is the depth that a response undoes.
        constraint.value =
            dot(constraint.contact.normal, constraint.a_at_end - constraint.b_at_end) -
            offset_of(stepper.topology(), options, impact);
        set.constraints.push_back(constraint);
    }
    return set;
}

}  // namespace

Expected<ActiveSet> active_set(MeshStepper& stepper, const Positions& start, const Positions& end,
                               const StepOptions& options) {
    const auto find = [&](std::span<const Vec3> from, std::span<const Vec3> to) {
        return sound_active_set(stepper, from, to, options);
    };
    return with_positions(find, start, end);
}

}  // namespace graze
