#include "rigid/raster/project.hpp"

#include <algorithm>

namespace graze::rigid::raster {
namespace {

constexpr Range kEverywhere{-kFar, kFar};

// The corners' box on the screen, and the extent of the face in space.
struct Corners {
    ScreenBox box;
    double size_sq = 0.0;
    bool across_cut = false;  // a step in phi that is no step in space
};

Corners corners_of(const Body& body, std::uint32_t face) {
    Corners c;
    Vec3 low = {kFar, kFar, kFar};
    Vec3 high = {-kFar, -kFar, -kFar};
    Range phi;
    for (const std::uint32_t v : body.shape->face(face)) {
        const Vec3& x = body.position[v];
        const ScreenPoint& p = body.point[v];
        low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
        high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        c.box.r = {std::min(c.box.r.lower, p.r), std::max(c.box.r.upper, p.r)};
        c.box.h = {std::min(c.box.h.lower, p.h), std::max(c.box.h.upper, p.h)};
        c.box.t = {std::min(c.box.t.lower, p.t), std::max(c.box.t.upper, p.t)};
        phi = {std::min(phi.lower, p.phi), std::max(phi.upper, p.phi)};
    }
    c.size_sq = norm_sq(high - low);
    c.across_cut = phi.upper - phi.lower > kPi;
    return c;
}

// A point of the face is within size/1 of each corner; the difference from the corners' hull on the
// screen is at most size^2/2 times the second derivative.
ScreenBox face_box(const Body& body, const Flow& flow, const Settings& s, std::uint32_t face,
                   double q) {
    Corners c = corners_of(body, face);
    if (!flow.turns) return c.box;
    double bend = body.bend;
    double bend_t = body.bend_t;
    if (!(0.5 * c.size_sq * bend <= s.pixel) || !(0.5 * c.size_sq * bend_t <= s.time_resolution)) {
        const double r = c.box.r.lower - std::sqrt(c.size_sq);
        if (r < s.near_axis || c.across_cut) {
            c.box.r.lower = std::max(0.0, r);
            c.box.h = kEverywhere;
            c.box.t = kEverywhere;
            return c.box;
        }
        const Bending b = bending(flow, r, q);
        bend = b.bend;
        bend_t = b.bend_t;
    }
    if (c.across_cut) {
        c.box.h = kEverywhere;
        c.box.t = kEverywhere;
    }
    const double by = 0.5 * c.size_sq * bend;
    c.box.r = c.box.r.widened(by);
    c.box.h = c.box.h.widened(by);
    c.box.t = c.box.t.widened(0.5 * c.size_sq * bend_t);
    return c.box;
}

}  // namespace

void project_vertices(Body& body, const Flow& flow, const Settings& settings, double q) {
    const auto at = body.shape->positions();
    body.position.resize(at.size());
    body.point.resize(at.size());
    for (std::size_t v = 0; v < at.size(); ++v) {
        if (body.projected[v] == 0) continue;
        body.position[v] = body.map(at[v]);
        body.point[v] = project(flow, body.position[v], body.phi_near);
    }
    body.normals.resize(body.faces.size());
    for (std::size_t f = 0; f < body.faces.size(); ++f)
        body.normals[f] = body.map.direction(body.shape->normal(f));
    body.face_box.resize(body.faces.size());
    body.box = {};
    for (const std::uint32_t f : body.facing_faces) {
        body.face_box[f] = face_box(body, flow, settings, f, q);
        body.box.include(body.face_box[f]);
    }
}

void keep_near(Body& body, const ScreenBox& other, const Range& shift) {
    body.wanted_face.assign(body.faces.size(), 0);
    body.wanted_edge.assign(body.edges.size(), 0);
    body.partner = other;
    body.partner.t = {other.t.lower + shift.lower, other.t.upper + shift.upper};
    body.box = {};
    for (const std::uint32_t f : body.facing_faces) {
        const ScreenBox& box = body.face_box[f];
        if (!box.meets(body.partner)) continue;
        body.wanted_face[f] = 1;
        body.box.include(box);
        for (const std::uint32_t e : body.shape->face_edges(f))
            body.wanted_edge[e] = 1;
    }
}

}  // namespace graze::rigid::raster
