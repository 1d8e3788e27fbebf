#include "impulses.hpp"

#include <algorithm>

namespace graze::sim::detail {

ContactPair contact_pair(const MeshTopology& mesh, const Impact& impact, const ContactPoint& at) {
    switch (impact.kind) {
        case QueryKind::VertexFace: {
            const FaceIndices& f = mesh.faces[impact.b];
            return {
                {impact.a, f[0], f[1], f[2]}, {1.0, at.u + at.v - 1.0, -at.u, -at.v}, at.normal};
        }
        case QueryKind::EdgeEdge: {
            const EdgeIndices& a = mesh.edges[impact.a];
            const EdgeIndices& b = mesh.edges[impact.b];
            return {{a[0], a[1], b[0], b[1]}, {1.0 - at.u, at.u, at.v - 1.0, -at.v}, at.normal};
        }
        case QueryKind::VertexEdge: {
            const EdgeIndices& e = mesh.edges[impact.b];
            return {{impact.a, e[0], e[1], e[1]}, {1.0, at.u - 1.0, -at.u, 0.0}, at.normal};
        }
        case QueryKind::VertexVertex:
            break;
    }
    return {{impact.a, impact.b, impact.b, impact.b}, {1.0, -1.0, 0.0, 0.0}, at.normal};
}

Vec3 relative(const ContactPair& pair, std::span<const Vec3> of_vertices) {
    Vec3 sum{};
    for (std::size_t i = 0; i < 4; ++i)
        sum += pair.weight[i] * of_vertices[pair.v[i]];
    return sum;
}

double separate(const ContactPair& pair, double speed, double friction,
                std::span<const double> inverse_mass, std::span<Vec3> velocity) {
    const Vec3 before = relative(pair, velocity);
    const double normal_speed = dot(pair.normal, before);
    double mobility = 0.0;  // change of the relative velocity by a unit of impulse
    for (std::size_t i = 0; i < 4; ++i)
        mobility += pair.weight[i] * pair.weight[i] * inverse_mass[pair.v[i]];
    if (!(normal_speed < speed) || !(mobility > 0.0)) return 0.0;
    const double change = speed - normal_speed;
    Vec3 wanted = change * pair.normal;
    const Vec3 tangential = before - normal_speed * pair.normal;
    const double slip = norm(tangential);
    if (friction > 0.0 && slip > 0.0)
        wanted -= (std::min(friction * change, slip) / slip) * tangential;
    for (std::size_t i = 0; i < 4; ++i)
        velocity[pair.v[i]] += (pair.weight[i] * inverse_mass[pair.v[i]] / mobility) * wanted;
    return change;
}

}  // namespace graze::sim::detail
