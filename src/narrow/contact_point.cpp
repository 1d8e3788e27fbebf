#include "graze/narrow/contact_point.hpp"

#include <algorithm>
#include <limits>

#include "graze/core/fp_environment.hpp"
#include "graze/core/norm_bounds.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/narrow/query_kind.hpp"
#include "narrow/certified/nearest.hpp"

namespace graze {
namespace {

using certified::HullCorners;
using certified::Shape;
using certified::Weights;

Vec3 at(const MovingPoint& p, double t) noexcept {
    return (1.0 - t) * p.start + t * p.end;
}
Vec3 velocity(const MovingPoint& p) noexcept {
    return p.end - p.start;
}

// Of length 1; zero for zero. At any scale.
Vec3 unit(const Vec3& v) noexcept {
    const std::array<double, 3> values = {v.x, v.y, v.z};
    const std::optional<int> exponent = largest_exponent(values);
    if (!exponent) return {};
    const Vec3 near_one = {scaled(v.x, -*exponent), scaled(v.y, -*exponent),
                           scaled(v.z, -*exponent)};
    return near_one * (1.0 / norm(near_one));
}

// Lengths near 1, so that products neither overflow nor vanish.
HullCorners normalised(HullCorners corners) noexcept {
    double largest = 0.0;
    for (const Vec3& c : corners)
        largest = std::max(largest, norm_max(c));
    const int exponent = binary_exponent(largest).value_or(0);
    for (Vec3& c : corners) {
        for (std::size_t k = 0; k < 3; ++k)
            c[k] = scaled(c[k], -exponent);
    }
    return corners;
}

Weights nearest_weights(Shape shape, const HullCorners& differences) noexcept {
    Weights weights = certified::nearest_point(shape, normalised(differences)).weights;
    double sum = 0.0;
    for (const double w : weights)
        sum += w;
    for (double& w : weights)
        w = std::clamp(w / sum, 0.0, 1.0);
    return weights;
}

Feature on_segment(double parameter) noexcept {
    if (parameter <= 0.0) return {Feature::Type::Corner, 0};
    if (parameter >= 1.0) return {Feature::Type::Corner, 1};
    return {Feature::Type::Edge, 0};
}
Feature on_triangle(double u, double v) noexcept {
    const double w = 1.0 - u - v;
    if (u >= 1.0) return {Feature::Type::Corner, 1};
    if (v >= 1.0) return {Feature::Type::Corner, 2};
    if (u <= 0.0 && v <= 0.0) return {Feature::Type::Corner, 0};
    if (v <= 0.0) return {Feature::Type::Edge, 0};
    if (w <= 0.0) return {Feature::Type::Edge, 1};
    if (u <= 0.0) return {Feature::Type::Edge, 2};
    return {Feature::Type::Face, 0};
}

// `normal` or its opposite, against the motion; the gap at the start where there is no normal.
Vec3 oriented(const Vec3& normal, const Vec3& relative_velocity,
              const Vec3& gap_at_start) noexcept {
    const Vec3 n = unit(normal);
    if (n == Vec3{}) return unit(gap_at_start);
    const double approach = dot(n, unit(relative_velocity));
    const double side = approach != 0.0 ? -approach : dot(n, gap_at_start);
    return side < 0.0 ? -n : n;
}

template <class Motion>
bool is_valid(const Motion& motion, double time) noexcept {
    return is_finite_motion(motion) && time >= 0.0 && time <= 1.0;
}
ContactPoint invalid() noexcept {
    ContactPoint point;
    point.distance_upper = std::numeric_limits<double>::infinity();
    return point;
}

ContactPoint sound_contact_point(const VertexFaceMotion& m, double time) noexcept {
    if (!is_valid(m, time)) return invalid();
    const Vec3 p = at(m.vertex, time);
    const std::array<Vec3, 3> f = {at(m.face[0], time), at(m.face[1], time), at(m.face[2], time)};
    const Weights w = nearest_weights(Shape::Triangle, {f[0] - p, f[1] - p, f[2] - p, f[2] - p});
    ContactPoint contact;
    contact.u = w[1];
    contact.v = std::min(w[2] + w[3], 1.0 - w[1]);
    const auto on_face = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        return a + contact.u * (b - a) + contact.v * (c - a);
    };
    contact.on_a = p;
    contact.on_b = on_face(f[0], f[1], f[2]);
    contact.feature_b = on_triangle(contact.u, contact.v);
    const Vec3 relative =
        velocity(m.vertex) - on_face(velocity(m.face[0]), velocity(m.face[1]), velocity(m.face[2]));
    const Vec3 gap = m.vertex.start - on_face(m.face[0].start, m.face[1].start, m.face[2].start);
    contact.normal = oriented(cross(unit(f[1] - f[0]), unit(f[2] - f[0])), relative, gap);
    contact.distance_upper = distance_upper(contact.on_a, contact.on_b);
    return contact;
}

ContactPoint sound_contact_point(const EdgeEdgeMotion& m, double time) noexcept {
    if (!is_valid(m, time)) return invalid();
    const std::array<Vec3, 2> a = {at(m.edge_a[0], time), at(m.edge_a[1], time)};
    const std::array<Vec3, 2> b = {at(m.edge_b[0], time), at(m.edge_b[1], time)};
    const Weights w =
        nearest_weights(Shape::Parallelogram, {a[0] - b[0], a[1] - b[0], a[1] - b[1], a[0] - b[1]});
    ContactPoint contact;
    contact.u = std::min(w[1] + w[2], 1.0);
    contact.v = std::min(w[2] + w[3], 1.0);
    const auto between = [](const Vec3& p, const Vec3& q, double s) { return p + s * (q - p); };
    contact.on_a = between(a[0], a[1], contact.u);
    contact.on_b = between(b[0], b[1], contact.v);
    contact.feature_a = on_segment(contact.u);
    contact.feature_b = on_segment(contact.v);
    const Vec3 relative = between(velocity(m.edge_a[0]), velocity(m.edge_a[1]), contact.u) -
                          between(velocity(m.edge_b[0]), velocity(m.edge_b[1]), contact.v);
    const Vec3 gap = between(m.edge_a[0].start, m.edge_a[1].start, contact.u) -
                     between(m.edge_b[0].start, m.edge_b[1].start, contact.v);
    contact.normal = oriented(cross(unit(a[1] - a[0]), unit(b[1] - b[0])), relative, gap);
    contact.distance_upper = distance_upper(contact.on_a, contact.on_b);
    return contact;
}

ContactPoint sound_contact_point(const VertexVertexMotion& m, double time) noexcept {
    if (!is_valid(m, time)) return invalid();
    ContactPoint contact;
    contact.on_a = at(m.a, time);
    contact.on_b = at(m.b, time);
    contact.normal = unit(m.a.start - m.b.start);
    contact.distance_upper = distance_upper(contact.on_a, contact.on_b);
    return contact;
}

ContactPoint sound_contact_point(const VertexEdgeMotion& m, double time) noexcept {
    if (!is_valid(m, time)) return invalid();
    const Vec3 p = at(m.vertex, time);
    const std::array<Vec3, 2> e = {at(m.edge[0], time), at(m.edge[1], time)};
    const Weights w = nearest_weights(Shape::Segment, {e[0] - p, e[1] - p, e[1] - p, e[1] - p});
    ContactPoint contact;
    contact.u = std::min(w[1] + w[2] + w[3], 1.0);
    contact.on_a = p;
    contact.on_b = e[0] + contact.u * (e[1] - e[0]);
    contact.feature_b = on_segment(contact.u);
    const Vec3 gap =
        m.vertex.start - (m.edge[0].start + contact.u * (m.edge[1].start - m.edge[0].start));
    contact.normal = unit(gap);
    contact.distance_upper = distance_upper(contact.on_a, contact.on_b);
    return contact;
}

template <class Motion>
ContactPoint checked_contact_point(const Motion& motion, double time) noexcept {
    return with_sound_arithmetic([&]() noexcept { return sound_contact_point(motion, time); },
                                 &invalid);
}

}  // namespace

template <QueryMotion Motion>
ContactPoint contact_point(const Motion& motion, double time) noexcept {
    return checked_contact_point(motion, time);
}
template ContactPoint contact_point(const VertexFaceMotion&, double) noexcept;
template ContactPoint contact_point(const EdgeEdgeMotion&, double) noexcept;
template ContactPoint contact_point(const VertexVertexMotion&, double) noexcept;
template ContactPoint contact_point(const VertexEdgeMotion&, double) noexcept;

}  // namespace graze
