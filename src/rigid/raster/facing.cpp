#include "rigid/raster/facing.hpp"

#include <algorithm>

namespace graze::rigid::raster {
namespace {

// The part of the way from `from` to `to` where a linear function with these values is facing.
Part facing_part(const FacingFunction& value, double from, double to) noexcept {
    const bool first = value.faces(from);
    const bool second = value.faces(to);
    if (first && second) return {0.0F, 1.0F};
    if (!first && !second) return {};
    // |from - to| > 0, for one is below -tolerance and the other is not.
    const auto cut = static_cast<float>(std::clamp(from / (from - to), 0.0, 1.0));
    return first ? Part{0.0F, cut} : Part{cut, 1.0F};
}

Part reversed(const Part& p) noexcept {
    return p.empty() ? p : Part{1.0F - p.upper, 1.0F - p.lower};
}

void add_part(Body& body, std::uint32_t face, std::uint32_t edge, std::uint32_t from, Part part) {
    const PolyhedronEdge& e = body.edge(edge);
    if (e.from != from) part = reversed(part);
    (e.left == face ? body.edges[edge].left : body.edges[edge].right) = part;
}

Facing facing_of(const Polyhedron& shape, std::uint32_t face, const FacingFunction& value) {
    bool some = false;
    bool all = true;
    for (const std::uint32_t v : shape.face(face)) {
        const bool here = value.faces(value(shape.positions()[v]));
        some |= here;
        all &= here;
    }
    return all ? Facing::All : some ? Facing::Part : Facing::None;
}

void add_whole_face(Body& body, std::uint32_t face) {
    for (const std::uint32_t v : body.shape->face(face)) {
        body.projected[v] = 1;
        body.candidate[v] = 1;
    }
    for (const std::uint32_t e : body.shape->face_edges(face)) {
        const bool left = body.edge(e).left == face;
        (left ? body.edges[e].left : body.edges[e].right) = {0.0F, 1.0F};
    }
}

void add_clipped_face(Body& body, std::uint32_t face, const FacingFunction& value) {
    const auto corners = body.shape->face(face);
    const auto edges = body.shape->face_edges(face);
    const auto at = body.shape->positions();
    double before = value(at[corners.back()]);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const std::size_t previous = (i == 0 ? corners.size() : i) - 1;
        const double here = value(at[corners[i]]);
        body.projected[corners[i]] = 1;
        if (value.faces(here)) body.candidate[corners[i]] = 1;
        add_part(body, face, edges[previous], corners[previous], facing_part(value, before, here));
        before = here;
    }
}

}  // namespace

LocalTwist local_twist(const Body& body, const Flow& flow) noexcept {
    LocalTwist t;
    t.sign = body.sign;
    t.angular = body.map.direction_back(flow.angular);
    t.linear = body.map.direction_back(flow.linear + cross(flow.angular, body.map.shift));
    const double size = norm_max(body.shape->centre()) + body.shape->radius();
    // Far above the roundings of a triple product of such numbers (some 20 u = 2e-15), far below
    // what moves a face by a pixel.
    t.tolerance = 1e-12 * (norm_one(t.linear) + norm_one(t.angular) * size);
    return t;
}

FacingFunction facing_function(const LocalTwist& twist, const Vec3& normal) noexcept {
    // n . (w x x) = (n x w) . x
    return {twist.sign * cross(normal, twist.angular), twist.sign * dot(normal, twist.linear),
            twist.tolerance};
}

void find_facing(Body& body, const LocalTwist& twist) {
    const Polyhedron& shape = *body.shape;
    const std::size_t vertices = shape.positions().size();
    body.faces.resize(shape.face_count());
    body.edges.assign(shape.edges().size(), {});
    body.projected.assign(vertices, 0);
    body.candidate.assign(vertices, 0);
    body.facing_faces.clear();
    for (std::uint32_t f = 0; f < shape.face_count(); ++f) {
        const Vec3& normal = shape.normal(f);
        body.faces[f] = Facing::None;
        if (normal == Vec3{}) continue;
        const FacingFunction value = facing_function(twist, normal);
        body.faces[f] = facing_of(shape, f, value);
        if (body.faces[f] == Facing::None) continue;
        body.facing_faces.push_back(f);
        if (body.faces[f] == Facing::All) {
            add_whole_face(body, f);
        } else {
            add_clipped_face(body, f, value);
        }
    }
}

std::optional<Segment> fold(const Polyhedron& shape, std::uint32_t face,
                            const FacingFunction& value) {
    const auto corners = shape.face(face);
    const auto at = shape.positions();
    std::optional<Segment> found;
    Vec3 along;
    const auto include = [&](const Vec3& x) {
        if (!found) {
            found = Segment{x, x};
            // The line runs along n x gradient.
            along = cross(shape.normal(face), value.gradient);
            return;
        }
        if (dot(along, x) < dot(along, found->from)) found->from = x;
        if (dot(along, x) > dot(along, found->to)) found->to = x;
    };
    Vec3 previous = at[corners.back()];
    double before = value(previous);
    for (const std::uint32_t v : corners) {
        const Vec3& here = at[v];
        const double now = value(here);
        if (value.faces(before) != value.faces(now)) {
            const double u = std::clamp(before / (before - now), 0.0, 1.0);
            include(previous + u * (here - previous));
        }
        previous = here;
        before = now;
    }
    return found;
}

}  // namespace graze::rigid::raster
