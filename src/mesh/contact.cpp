#include "graze/mesh/contact.hpp"

#include <algorithm>

#include "graze/core/fp_environment.hpp"
#include "mesh/impact_motion.hpp"

namespace graze {
namespace mesh_detail {
namespace {

ContactPoint contact_at_time(const ImpactVertices& v, QueryKind kind, double time) {
    switch (kind) {
        case QueryKind::VertexFace:
            return contact_point(VertexFaceMotion{v[0], {v[1], v[2], v[3]}}, time);
        case QueryKind::EdgeEdge:
            return contact_point(EdgeEdgeMotion{{v[0], v[1]}, {v[2], v[3]}}, time);
        case QueryKind::VertexVertex:
            return contact_point(VertexVertexMotion{v[0], v[1]}, time);
        case QueryKind::VertexEdge:
            break;
    }
    return contact_point(VertexEdgeMotion{v[0], {v[1], v[2]}}, time);
}

// The direction of a difference of two rounded points is off by some ulps of the coordinates over
// their distance: 2^-20 of the size of the pair, the least distance, keeps that below 2^-30 where
// coordinates are of that size.
// Points that are separated give the direction themselves, from b to a: also for a pair that recedes,
// and for a vertex beside a face. Where they coincide, all but, the normal of the primitives stays.
void set_normal(const ImpactVertices& vertices, QueryKind kind, ContactPoint& contact) {
    const Vec3 difference = contact.on_a - contact.on_b;
    double size = 0.0;
    for (std::size_t i = 0; i < vertex_count(kind); ++i)
        size = std::max(size, norm_max(vertices[i].start - vertices[0].start));
    const double distance = norm(difference);
    if (distance > 0x1p-20 * size) contact.normal = (1.0 / distance) * difference;
}

ImpactVertices vertices_in(const MeshTopology& mesh, std::span<const Vec3> start,
                           std::span<const Vec3> end, const Impact& impact) {
    return vertices_of(mesh, impact, [&](std::uint32_t v) {
        return MovingPoint{start[v], end[v]};
    });
}

// Of a method that gives impossible numbers the time may be none: then it is the start.
double time_of(const Impact& impact) noexcept {
    const double time = impact.result.toi_lower;
    return time >= 0.0 && time <= 1.0 ? time : 0.0;
}

}  // namespace

ContactPoint contact_of(const ImpactVertices& vertices, const Impact& impact) {
    ContactPoint contact = contact_at_time(vertices, impact.kind, time_of(impact));
    set_normal(vertices, impact.kind, contact);
    return contact;
}

}  // namespace mesh_detail

ContactPoint contact_of(const MeshTopology& mesh, std::span<const Vec3> start,
                        std::span<const Vec3> end, const Impact& impact) {
    return mesh_detail::contact_of(mesh_detail::vertices_in(mesh, start, end, impact), impact);
}

std::vector<ContactPoint> contacts_of(const MeshTopology& mesh, std::span<const Vec3> start,
                                      std::span<const Vec3> end, std::span<const Impact> impacts) {
    std::vector<ContactPoint> contacts;
    contacts.reserve(impacts.size());
    for (const Impact& impact : impacts)
        contacts.push_back(contact_of(mesh, start, end, impact));
    return contacts;
}

ContactPoint contact_at(const MeshTopology& mesh, std::span<const Vec3> start,
                        std::span<const Vec3> end, const Impact& impact, double time) {
    return mesh_detail::contact_at_time(mesh_detail::vertices_in(mesh, start, end, impact),
                                        impact.kind, time);
}

}  // namespace graze
