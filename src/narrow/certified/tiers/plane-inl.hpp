// Tier Plane (docs/derivations/certified.md, CERT-5): vertices that stay in a coordinate plane.
// That is what symmetric meshes and stacked boxes bring about, where the cubic has nothing but zeros.
//
// Contract: decides (with proof) or passes on; never wrong.
//
// Notation
//   off         the signs of the coordinate across the plane, exact
//   p, q        the coordinates in the plane (plane_motion-inl.hpp)
//   at_start    vertices in the plane at t = 0; at_end: at t = 1; staying: at both
//
// Required: all D_i at both ends are on one side of the plane through the origin, or in it.
// Proved: a vertex that is off the plane at one end is off it, on that side, for all 0 < t < 1. The
// origin is in the plane, so for such t it can be in the hull only as a combination of the staying
// vertices, and at t = 0 (t = 1) of those that are in the plane then. Hence, if these more do not
// hold it at that end (is_disjoint_at), the query is that of the staying vertices alone:
//   none, or all strictly on one side of an axis   Separated
//   one     Separated if it certainly passes the origin
//   two     by the roots of a quadratic (by_segment)
//   more    the polygon stays. Origin inside at the start: Contact there. Outside: the hull moves
//           continuously, so it first meets the origin with a side: the earliest answer of the
//           sides, all of which must be decided.
//
// Error bounds: those of plane_motion-inl.hpp, and of inside-inl.hpp with w = 0.
#if defined(GRAZE_TIERS_PLANE_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_PLANE_INL_HPP
#undef GRAZE_TIERS_PLANE_INL_HPP
#else
#define GRAZE_TIERS_PLANE_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/inside-inl.hpp"
#include "narrow/certified/tiers/plane_motion-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// The earlier of two contacts, bracketed by the earlier of their bounds: each bracket holds its
// time, so the minimum of the times is between the minima of the ends.
GRAZE_FAST FastAnswer earlier_of(const FastAnswer& a, const FastAnswer& b) noexcept {
    if (a.state != FastAnswer::State::Contact) return b;
    if (b.state != FastAnswer::State::Contact) return a;
    return {FastAnswer::State::Contact, a.tier, a.lower < b.lower ? a.lower : b.lower,
            a.upper < b.upper ? a.upper : b.upper};
}

// The whole polygon stays.
GRAZE_FAST FastAnswer by_sides(const Hull& hull, const PlaneMotion& c, Quad p, Quad q,
                               const FastOptions& options) noexcept {
    const Location start = locate(p, q, c.p.m, c.q.m, 0.0, hull.shape.sides);
    if (start == Location::Inside) return {FastAnswer::State::Contact, Tier::Plane, 0.0, 0.0};
    if (start == Location::Unknown) return {};
    FastAnswer first{FastAnswer::State::Separated, Tier::Plane, 0.0, 0.0};
    for (int i = 0; i < 4; ++i) {
        if ((hull.shape.sides & (1U << i)) == 0U) continue;
        const FastAnswer side = by_segment(c, i, (i + 1) & 3, options);
        if (side.state == FastAnswer::State::Open) return {};
        first = earlier_of(first, side);
    }
    return first;
}

// The vertices of the mask stay in the plane, and they alone are in it for 0 < t < 1. p, q: the
// coordinates in the plane at the start, by vertex.
GRAZE_FAST FastAnswer by_staying(const Hull& hull, const PlaneMotion& c, Quad p, Quad q,
                                 unsigned mask, const FastOptions& options) noexcept {
    const FastAnswer separated{FastAnswer::State::Separated, Tier::Plane, 0.0, 0.0};
    if (mask == 0U || c.sign_p.separates(mask) || c.sign_q.separates(mask)) return separated;
    if (!(c.p.m * c.q.m > 0.0)) return {};
    int vertices[4] = {0, 0, 0, 0};
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        if ((mask & (1U << i)) != 0U) vertices[count++] = i;
    }
    if (count > 2) return by_sides(hull, c, p, q, options);
    if (count == 2) return by_segment(c, vertices[0], vertices[1], options);
    return passes_origin(c, vertices[0]) ? separated : FastAnswer{};
}

GRAZE_FAST FastAnswer by_plane(const Hull& hull, const Signs& off, const PlaneMotion& c, Quad p,
                               Quad q, const FastOptions& options) noexcept {
    const unsigned at_start = off.zeros(0) & hull.shape.vertices;
    const unsigned at_end = off.zeros(1) & hull.shape.vertices;
    const unsigned staying = at_start & at_end;
    if (at_start != staying && !is_disjoint_at(c, 0, at_start)) return {};
    if (at_end != staying && !is_disjoint_at(c, 1, at_end)) return {};
    return by_staying(hull, c, p, q, staying, options);
}

// Each coordinate plane, one after the other. raw: D not scaled, since scaling may lose signs.
GRAZE_FAST FastAnswer by_planes(const Ends& raw, const Hull& hull,
                                const FastOptions& options) noexcept {
    Quad start[3];
    Quad end[3];
    transpose(raw.start, start[0], start[1], start[2]);
    transpose(raw.end, end[0], end[1], end[2]);
    const Signs signs[3] = {signs_of(start[0], end[0]), signs_of(start[1], end[1]),
                            signs_of(start[2], end[2])};
    for (int k = 0; k < 3; ++k) {
        if (!signs[k].are_weakly_one_sided()) continue;
        const Coordinate x = coordinate(hull.x, lane<0>(hull.m));
        const Coordinate y = coordinate(hull.y, lane<1>(hull.m));
        const Coordinate z = coordinate(hull.z, lane<2>(hull.m));
        const FastAnswer answer = k == 0   ? by_plane(hull, signs[0], {y, z, signs[1], signs[2]},
                                                      hull.y[0], hull.z[0], options)
                                  : k == 1 ? by_plane(hull, signs[1], {z, x, signs[2], signs[0]},
                                                      hull.z[0], hull.x[0], options)
                                           : by_plane(hull, signs[2], {x, y, signs[0], signs[1]},
                                                      hull.x[0], hull.y[0], options);
        if (answer.state != FastAnswer::State::Open) return answer;
    }
    return {};
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_PLANE_INL_HPP
