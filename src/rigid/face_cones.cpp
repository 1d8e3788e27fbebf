#include "rigid/face_cones.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "graze/core/elementary.hpp"

namespace graze::rigid {
namespace {

// Of one vertex. Without a cone faces is kAnyNormal.
struct VertexCone {
    Vec3 axis;
    double faces = kAnyNormal;
    double slope = 1.0;
    double gain = HUGE_VAL;
};

Vec3 unit_or_none(const Vec3& v) noexcept {
    const double length = norm(v);
    return length > 0.0 && is_finite(length) ? (1.0 / length) * v : Vec3{};
}

double angle_between(const Vec3& a, const Vec3& b) noexcept {
    return arc_tangent(norm(cross(a, b)), dot(a, b));
}

// Beyond this many edges at a vertex it has no cone: the apex of a fan.
constexpr std::size_t kMostEdges = 32;

// Unit vectors along the edges at a vertex.
struct EdgeFan {
    std::array<Vec3, kMostEdges> along;
    std::size_t count = 0;
};

// False: an edge lacks a face, a face lacks a normal, or one is not perpendicular to the edge.
bool collect_edges(const Polyhedron& body, std::size_t v, EdgeFan& fan) {
    const auto edges = body.vertex_edges(v);
    if (edges.size() > kMostEdges) return false;
    for (const std::uint32_t i : edges) {
        const PolyhedronEdge& e = body.edges()[i];
        if (e.left == kNoFace || e.right == kNoFace) return false;
        const std::uint32_t other = e.from == v ? e.to : e.from;
        const Vec3 along = unit_or_none(body.positions()[other] - body.positions()[v]);
        if (along == Vec3{}) return false;
        for (const std::uint32_t f : {e.left, e.right}) {
            if (body.normal(f) == Vec3{}) return false;
            if (!(std::fabs(dot(body.normal(f), along)) <= kLargestSkew)) return false;
        }
        fan.along[fan.count++] = along;
    }
    return fan.count >= 3;
}

// cos of half the largest angle between neighbouring edges, as seen along the axis; not positive
// where that is half a rotation or more.
double cosine_of_half_gap(const EdgeFan& fan, const Vec3& axis) {
    const Vec3 helper = std::fabs(axis.x) < 0.6 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 x = unit_or_none(cross(axis, helper));
    const Vec3 y = cross(axis, x);
    std::array<double, kMostEdges> angles{};
    for (std::size_t i = 0; i < fan.count; ++i)
        angles[i] = arc_tangent(dot(fan.along[i], y), dot(fan.along[i], x));
    std::sort(angles.begin(), angles.begin() + static_cast<std::ptrdiff_t>(fan.count));
    double gap = angles[0] + 2.0 * std::numbers::pi - angles[fan.count - 1];
    for (std::size_t i = 1; i < fan.count; ++i)
        gap = std::max(gap, angles[i] - angles[i - 1]);
    return gap < std::numbers::pi ? cosine(0.5 * gap) : 0.0;
}

VertexCone vertex_cone(const Polyhedron& body, std::size_t v) {
    VertexCone cone;
    EdgeFan fan;
    if (!collect_edges(body, v, fan)) return cone;
    Vec3 sum;
    for (const std::uint32_t f : body.vertex_faces(v))
        sum = sum + body.normal(f);
    cone.axis = unit_or_none(sum);
    if (cone.axis == Vec3{}) return cone;
    double widest = 0.0;
    for (const std::uint32_t f : body.vertex_faces(v)) {
        if (body.normal(f) == Vec3{}) return cone;
        widest = std::max(widest, angle_between(cone.axis, body.normal(f)));
    }
    // The arc between two normals stays in the cone only where that is narrower than a half-space.
    if (!(widest < 0.5 * std::numbers::pi - 0.01)) return cone;
    cone.faces = widest + 2.0 * kLargestSkew;
    cone.slope = 0.0;
    for (std::size_t i = 0; i < fan.count; ++i)
        cone.slope = std::max(cone.slope, std::fabs(dot(fan.along[i], cone.axis)));
    const double across = std::sqrt(std::max(0.0, 1.0 - cone.slope * cone.slope));
    const double cosine = cosine_of_half_gap(fan, cone.axis);
    if (across * cosine > 0.0) cone.gain = 1.0 / (across * cosine);
    return cone;
}

// Floats round to the nearest: a little more is at least as much.
float rounded_up(double x) noexcept {
    return static_cast<float>(std::min(x * (1.0 + 1e-6) + 1e-9, 1e30));
}

}  // namespace

std::vector<FaceCone> face_cones(const Polyhedron& body) {
    std::vector<VertexCone> vertices;
    vertices.reserve(body.positions().size());
    for (std::size_t v = 0; v < body.positions().size(); ++v)
        vertices.push_back(vertex_cone(body, v));
    std::vector<FaceCone> cones;
    cones.reserve(body.face_count());
    for (std::size_t f = 0; f < body.face_count(); ++f) {
        double faces = 0.0;
        double tilt = 0.0;
        double slope = 0.0;
        double gain = 0.0;
        for (const std::uint32_t v : body.face(f)) {
            const VertexCone& at = vertices[v];
            const bool known = at.faces < kAnyNormal;
            const double off = known ? angle_between(body.normal(f), at.axis) : 0.0;
            faces = std::max(faces, known ? off + at.faces : double{kAnyNormal});
            tilt = std::max(tilt, off);
            slope = std::max(slope, at.slope);
            gain = std::max(gain, at.gain);
        }
        cones.push_back({std::min(rounded_up(faces), kAnyNormal), rounded_up(tilt),
                         rounded_up(slope), rounded_up(gain)});
    }
    return cones;
}

}  // namespace graze::rigid
