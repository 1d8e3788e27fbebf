#include "rigid/raster/doppel.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "rigid/raster/draw.hpp"

namespace graze::rigid::raster {

int turns_of(const Body& body, const PolyhedronEdge& edge) noexcept {
    const double from = body.point[edge.from].phi;
    const double to = body.point[edge.to].phi;
    if (std::fabs(to - from) <= kPi) return 0;
    return static_cast<int>(std::lround((unwrapped(to, from) - to) / kTurn));
}

// h and t of a copy are shifted by amounts that are monotone in r.
ScreenBox doppeled(const Flow& flow, const ScreenBox& box, int k) noexcept {
    if (k == 0) return box;
    const ScreenPoint low = doppeled(flow, ScreenPoint{box.r.lower, 0.0, 0.0, 0.0}, k);
    const ScreenPoint high = doppeled(flow, ScreenPoint{box.r.upper, 0.0, 0.0, 0.0}, k);
    ScreenBox b = box;
    b.h = {box.h.lower + std::min(low.h, high.h), box.h.upper + std::max(low.h, high.h)};
    b.t = {box.t.lower + std::min(low.t, high.t), box.t.upper + std::max(low.t, high.t)};
    return b;
}

int append_outline(std::vector<Chord>& outline, const Body& body, const Flow& flow,
                   std::uint32_t face, int k) {
    const auto corners = body.shape->face(face);
    const auto edges = body.shape->face_edges(face);
    int turns = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const PolyhedronEdge& edge = body.edge(edges[i]);
        const int own = flow.turns ? turns_of(body, edge) : 0;
        const bool forward = edge.from == corners[i];
        const int shift = k + (forward ? turns : turns - own);
        turns += forward ? own : -own;
        const ChordRange& range = body.edge_chords[edges[i]];
        for (std::uint32_t c = range.first; c < range.last; ++c) {
            outline.push_back(body.chords[c]);
            if (shift == 0) continue;
            outline.back().from = doppeled(flow, outline.back().from, shift);
            outline.back().to = doppeled(flow, outline.back().to, shift);
        }
    }
    return turns;
}

Range drawn_angles(const Body& body, const Flow& flow) {
    Range phi;
    for (const Chord& c : body.chords) {
        phi.include(c.from.phi);
        phi.include(c.to.phi);
    }
    std::vector<Chord> outline;
    for (const std::uint32_t f : body.facing_faces) {
        const auto edges = body.shape->face_edges(f);
        const bool crosses = std::any_of(edges.begin(), edges.end(), [&](std::uint32_t e) {
            return turns_of(body, body.edge(e)) != 0;
        });
        if (!crosses) continue;
        outline.clear();
        append_outline(outline, body, flow, f, 0);
        for (const Chord& c : outline) {
            phi.include(c.from.phi);
            phi.include(c.to.phi);
        }
    }
    return phi;
}

std::vector<Chord> axis_edges(const Body& body, const Flow& flow, const Settings& settings,
                              double q, const PiercedFace& pierced) {
    std::vector<Chord> edges;
    const Vec3 n = body.normal(pierced.face);
    if (n.y == 0.0) return edges;
    const Vec3& corner = body.position[body.shape->face(pierced.face)[0]];
    const Vec3 on_axis = {0.0, dot(n, corner) / n.y, 0.0};
    const Brush brush{flow, settings, q, 0.0, kFar, kFar, edges};
    for (const double phi : {pierced.phi.lower, pierced.phi.upper}) {
        const double x = pierced.r * sine(phi);
        const double z = pierced.r * cosine(phi);
        const Vec3 end = {x, on_axis.y - (n.x * x + n.z * z) / n.y, z};
        if (!is_finite(end)) return {};
        const Drawing segment{on_axis, end, norm(end - on_axis), kNoFace};
        draw(brush, segment, at_angle(flow, 0.0, on_axis.y, phi), 0.0F,
             at_angle(flow, pierced.r, end.y, phi), 1.0F);
    }
    return edges;
}

}  // namespace graze::rigid::raster
