#include "graze/mesh/active_set.hpp"

#include <algorithm>
#include <array>

#include "mesh/impact_vertices.hpp"

namespace graze {
namespace {

using Corners = std::array<MovingPoint, 4>;

Corners corners_of(const MeshTopology& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                   const Impact& impact) {
    Corners corners{};
    std::size_t count = 0;
    for_each_vertex(mesh, impact, [&](std::uint32_t v) { corners[count++] = {start[v], end[v]}; });
    return corners;
}

ContactPoint contact_of(QueryKind kind, const Corners& c, double time) {
    switch (kind) {
        case QueryKind::VertexFace:
            return contact_point(VertexFaceMotion{c[0], {c[1], c[2], c[3]}}, time);
        case QueryKind::EdgeEdge:
            return contact_point(EdgeEdgeMotion{{c[0], c[1]}, {c[2], c[3]}}, time);
        case QueryKind::VertexVertex:
            return contact_point(VertexVertexMotion{c[0], c[1]}, time);
        case QueryKind::VertexEdge:
            break;
    }
    return contact_point(VertexEdgeMotion{c[0], {c[1], c[2]}}, time);
}

Vec3 on_edge(const Vec3& a, const Vec3& b, double u) noexcept {
    return (1.0 - u) * a + u * b;
}

// The points with these parameters at the end of the step.
void set_ends(QueryKind kind, const Corners& c, ActiveConstraint& constraint) {
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

// What the pair keeps apart: the separation, and the thickness of both sides.
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

// Points that are apart tell the direction themselves, from b to a: also for a pair that recedes,
// and for a vertex beside a face. Where they coincide, all but, the normal of the primitives stays.
void set_normal(const Corners& corners, const Impact& impact, ContactPoint& contact) {
    const Vec3 apart = contact.on_a - contact.on_b;
    double size = 0.0;
    for (std::size_t i = 0; i < vertex_count(impact.kind); ++i)
        size = std::max(size, norm_max(corners[i].start - corners[0].start));
    const double distance = norm(apart);
    if (distance > 0x1p-20 * size) contact.normal = (1.0 / distance) * apart;
}

Expected<ActiveSet> sound_active_set(MeshStepper& stepper, std::span<const Vec3> start,
                                     std::span<const Vec3> end, const StepOptions& options) {
    Expected<AllImpacts> all = stepper.all_impacts(start, end, options);
    if (!all) return all.error();
    ActiveSet set;
    set.work = all->work;
    for (const Impact& impact : all->impacts) {
        const Corners corners = corners_of(stepper.topology(), start, end, impact);
        ActiveConstraint constraint{
            .impact = impact, .contact = {}, .a_at_end = {}, .b_at_end = {}};
        constraint.contact = contact_of(impact.kind, corners, impact.result.toi_lower);
        set_ends(impact.kind, corners, constraint);
        set_normal(corners, impact, constraint.contact);
        constraint.value =
            dot(constraint.contact.normal, constraint.a_at_end - constraint.b_at_end) -
            offset_of(stepper.topology(), options, impact);
        set.constraints.push_back(constraint);
    }
    return set;
}

}  // namespace

ContactPoint contact_of(const MeshTopology& mesh, std::span<const Vec3> start,
                        std::span<const Vec3> end, const Impact& impact, double time) {
    return contact_of(impact.kind, corners_of(mesh, start, end, impact), time);
}

Expected<ActiveSet> active_set(MeshStepper& stepper, std::span<const Vec3> start,
                               std::span<const Vec3> end, const StepOptions& options) {
    return with_sound_arithmetic([&] { return sound_active_set(stepper, start, end, options); });
}

}  // namespace graze
