#include "rigid/raster/draw.hpp"

namespace graze::rigid::raster {
namespace {

constexpr int kMaxDepth = 30;

Vec3 point_at(const Drawing& s, double u) noexcept {
    return s.from + u * (s.to - s.from);
}

// The least distance to the axis of the part of the segment between u0 and u1.
double least_r(const Drawing& s, double u0, double u1) noexcept {
    const Vec3 p = point_at(s, u0);
    const Vec3 d = point_at(s, u1) - p;
    const double dd = d.x * d.x + d.z * d.z;
    const double u = dd > 0.0 ? std::clamp(-(p.x * d.x + p.z * d.z) / dd, 0.0, 1.0) : 0.0;
    const double x = p.x + u * d.x;
    const double z = p.z + u * d.z;
    return std::sqrt(x * x + z * z);
}

// A linear interpolation over a length l is off by at most l^2/8 times the second derivative.
bool flat(const Settings& s, double length_sq, double bend, double bend_t) noexcept {
    return length_sq * bend <= 8.0 * s.flatness && length_sq * bend_t <= 8.0 * s.time_resolution;
}

bool close_to_middle(const Settings& s, const ScreenPoint& a, const ScreenPoint& b,
                     const ScreenPoint& m) noexcept {
    const double r = m.r - 0.5 * (a.r + b.r);
    const double h = m.h - 0.5 * (a.h + b.h);
    const double t = m.t - 0.5 * (a.t + b.t);
    return r * r + h * h <= s.flatness * s.flatness && std::fabs(t) <= s.time_resolution;
}

// How a part of a segment is bent at most.
struct Bound {
    double r = 0.0;  // it is as far from the axis at least
    double bend = 0.0;
    double bend_t = 0.0;
};

Bound bound_of(const Brush& brush, const Drawing& segment, float u_from, float u_to) noexcept {
    const double r = least_r(segment, u_from, u_to);
    const Bending b = bending(brush.flow, r, brush.q);
    return {r, b.bend, b.bend_t};
}

// `known` is a bound of more than this part, if any, away from the axis.
void divide(const Brush& brush, const Drawing& segment, const ScreenPoint& from, float u_from,
            const ScreenPoint& to, float u_to, int depth, const Bound* known) {
    const Settings& s = brush.settings;
    const double length = segment.length * (u_to - u_from);
    const auto emit = [&](bool near_axis) {
        brush.chords.push_back({from, to, u_from, u_to, segment.edge, near_axis});
    };
    if (flat(s, length * length, brush.bend, brush.bend_t)) return emit(false);
    // Far from the axis parts are bent like the whole, and edges like the body.
    const bool useful =
        known != nullptr && flat(s, length * length / 8.0, known->bend, known->bend_t);
    const Bound own = useful ? *known : bound_of(brush, segment, u_from, u_to);
    const bool near = own.r < s.near_axis;
    const float u_mid = 0.5F * (u_from + u_to);
    if (length <= 0.5 * s.pixel || depth == 0 || !(u_mid > u_from) || !(u_mid < u_to)) {
        return emit(near);
    }
    if (!near && flat(s, length * length, own.bend, own.bend_t)) return emit(false);
    const ScreenPoint mid = project(brush.flow, point_at(segment, u_mid), from.phi);
    // The bound counts all directions at once and is often several times too large: where it is off
    // by less than 8 and the middle is near, so is the rest.
    const bool nearly = !near && flat(s, length * length / 8.0, own.bend, own.bend_t);
    if (nearly && close_to_middle(s, from, to, mid)) return emit(false);
    const Bound* for_parts = !near && own.r > 2.0 * length ? &own : nullptr;
    divide(brush, segment, from, u_from, mid, u_mid, depth - 1, for_parts);
    ScreenPoint end = to;
    if (brush.flow.turns && std::fabs(to.phi - mid.phi) > kPi) {
        end = at_angle(brush.flow, to.r, point_at(segment, u_to).y, unwrapped(to.phi, mid.phi));
    }
    divide(brush, segment, mid, u_mid, end, u_to, depth - 1, for_parts);
}

// Left and right face may bound different stretches of the edge.
void draw_part(const Brush& brush, const Body& body, const Drawing& segment, const Part& part) {
    if (part.empty()) return;
    const PolyhedronEdge& e = body.edge(segment.edge);
    const ScreenPoint& first = body.point[e.from];
    const ScreenPoint from =
        part.lower == 0.0F ? first : project(brush.flow, point_at(segment, part.lower), first.phi);
    ScreenPoint to = body.point[e.to];
    if (part.upper != 1.0F) {
        to = project(brush.flow, point_at(segment, part.upper), from.phi);
    } else if (std::fabs(to.phi - from.phi) > kPi) {
        to = at_angle(brush.flow, to.r, segment.to.y, unwrapped(to.phi, from.phi));
    }
    draw(brush, segment, from, part.lower, to, part.upper);
}

EdgeBox box_of(const Body& body, std::uint32_t e, bool turns) noexcept {
    const PolyhedronEdge& edge = body.edge(e);
    const ChordRange& range = body.edge_chords[e];
    EdgeBox b;
    b.loose = turns && !(std::fabs(body.point[edge.to].phi - body.point[edge.from].phi) <= kPi);
    // Neighbouring chords share their ends.
    const ScreenPoint* last = nullptr;
    for (std::uint32_t c = range.first; c < range.last; ++c) {
        const Chord& chord = body.chords[c];
        b.loose |= chord.near_axis;
        if (last == nullptr || last->r != chord.from.r || last->h != chord.from.h) {
            b.box.include(chord.from);
        }
        b.box.include(chord.to);
        last = &chord.to;
    }
    return b;
}

// Around an edge by its ends: by what it may be bent between them. Everywhere near the axis, or
// where the angles of the ends do not say how it runs.
ScreenBox box_by_ends(const Brush& brush, const Body& body, const PolyhedronEdge& edge,
                      double length) noexcept {
    const ScreenPoint& from = body.point[edge.from];
    const ScreenPoint& to = body.point[edge.to];
    const Range all{-kFar, kFar};
    const bool turns = brush.flow.turns;
    if (turns &&
        (brush.r_least < brush.settings.near_axis || !(std::fabs(to.phi - from.phi) <= kPi))) {
        return {all, all, all};
    }
    ScreenBox box;
    box.include(from);
    box.include(to);
    if (!turns) return box;
    const double by = 0.125 * length * length * brush.bend;
    return {box.r.widened(by), box.h.widened(by),
            box.t.widened(0.125 * length * length * brush.bend_t)};
}

}  // namespace

void draw(const Brush& brush, const Drawing& segment, const ScreenPoint& from, float u_from,
          const ScreenPoint& to, float u_to) {
    if (!brush.flow.turns) {
        brush.chords.push_back({from, to, u_from, u_to, segment.edge, false});
        return;
    }
    const Bound body{brush.r_least, brush.bend, brush.bend_t};
    const bool far = brush.r_least >= brush.settings.near_axis;
    divide(brush, segment, from, u_from, to, u_to, kMaxDepth, far ? &body : nullptr);
}

bool draw_edges(Body& body, const Flow& flow, const Settings& settings, double q, double most,
                StopPoll& stop) {
    const Brush brush{flow, settings, q, body.r_least, body.bend, body.bend_t, body.chords};
    const double inverse = 1.0 / settings.pixel;
    body.chords.clear();
    body.pixels = 0.0;
    body.edge_chords.resize(body.edges.size());
    body.edge_box.resize(body.edges.size());
    for (std::uint32_t e = 0; e < body.edges.size(); ++e) {
        if (stop()) return true;
        ChordRange& range = body.edge_chords[e];
        range.first = static_cast<std::uint32_t>(body.chords.size());
        if (body.wanted_edge[e] != 0) {
            const PolyhedronEdge& edge = body.edge(e);
            const Vec3& from = body.position[edge.from];
            const Vec3& to = body.position[edge.to];
            const Vec3 d = to - from;
            const Drawing segment{from, to, std::sqrt(dot(d, d)), e};
            // Pieces are half a pixel long at least, so that this bounds the chords as well.
            body.pixels += 1.0 + segment.length * inverse;
            if (!(body.pixels <= most)) return false;
            // Outlines want all edges of a face, which only the robust mode looks at.
            if (!settings.robust) {
                const ScreenBox box = box_by_ends(brush, body, edge, segment.length);
                if (!box.meets(body.partner)) {
                    body.edge_box[e] = {box, false};
                    range.last = range.first;
                    continue;
                }
            }
            Part left = body.edges[e].left;
            const Part& right = body.edges[e].right;
            const bool apart = left.empty() || right.empty() || left.upper < right.lower ||
                               right.upper < left.lower;
            if (apart) {
                draw_part(brush, body, segment, left);
                draw_part(brush, body, segment, right);
            } else {
                left.lower = std::min(left.lower, right.lower);
                left.upper = std::max(left.upper, right.upper);
                draw_part(brush, body, segment, left);
            }
        }
        range.last = static_cast<std::uint32_t>(body.chords.size());
        if (range.first < range.last) body.edge_box[e] = box_of(body, e, flow.turns);
    }
    return true;
}

Stretch any_angle(const Flow& flow, const Chord& chord, double reach, double phi_max) noexcept {
    const double g = std::fabs(flow.g);
    const auto squared_speed = [&](double r) { return g * g + r * r * flow.theta * flow.theta; };
    const double r_low = std::max(0.0, std::min(chord.from.r, chord.to.r) - reach);
    const double r_high = std::max(chord.from.r, chord.to.r) + reach;
    // y theta = h s / r + phi g at the ends; where r is 0 the height is any within the reach.
    Stretch all;
    if (g == 0.0) {
        all.h = {std::min(chord.from.h, chord.to.h), std::max(chord.from.h, chord.to.h)};
        all.t = {-phi_max / flow.theta, phi_max / flow.theta};
        return all;
    }
    const double s_high = std::sqrt(squared_speed(r_high));
    const double turn_h = r_high * g / s_high * phi_max;
    const double turn_t = r_high * r_high * flow.theta / squared_speed(r_high) * phi_max;
    for (const ScreenPoint* p : {&chord.from, &chord.to}) {
        // t s^2 = y g + r^2 phi theta.
        const double y = (p->t * squared_speed(p->r) - p->r * p->r * p->phi * flow.theta) / flow.g;
        for (const double yy : {y - reach, y + reach}) {
            for (const double r : {r_low, r_high}) {
                const double s_sq = squared_speed(r);
                all.h.include(yy * r * flow.theta / std::sqrt(s_sq));
                all.t.include(yy * flow.g / s_sq);
            }
        }
    }
    all.h = all.h.widened(turn_h);
    all.t = all.t.widened(turn_t);
    return all;
}

}  // namespace graze::rigid::raster
