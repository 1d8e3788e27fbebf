// The query as all fast tiers see it: the differences D of its vertices, and their scaled hull
// (docs/derivations/certified.md, CERT-0).
//
// Notation
//   u          2^-53
//   D_i(t)     the differences of the vertices of the two primitives, linear in t:
//              vertex-face f_i - v (a triangle), edge-edge a_i - b_j (a parallelogram, in the order
//              00, 10, 11, 01), vertex-edge e_i - v (a segment), vertex-vertex a - b (a point)
//   X, Y, Z    the coordinates of D after scaling
//   m          by axis, the largest |D| at both ends of the step, after scaling
//
// The primitives touch at time t iff the origin is in the hull of the D_i(t): a point of a face
// less the vertex is a convex combination of the D_i, and so is a point of one edge less a point of
// the other.
//
// Errors. A computed difference is the exact one times (1 + delta), |delta| <= u, also where it is
// subnormal, and has its sign. Powers of two on an axis do not change whether the hull holds the
// origin, and are exact but where a number becomes subnormal (2^-1075 is lost).
#if defined(GRAZE_TIERS_HULL_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_HULL_INL_HPP
#undef GRAZE_TIERS_HULL_INL_HPP
#else
#define GRAZE_TIERS_HULL_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/constants.hpp"
#include "narrow/certified/tiers/error_forms.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

constexpr double kU = constants::kU;
constexpr double kUnderflow = constants::kUnderflow;

// The four vertices of the difference polygon; those that have fewer repeat their last.
struct Shape {
    unsigned vertices;  // bits: the first copy of each
    unsigned sides;     // bits: which (vertex i, vertex i + 1) are sides of the hull
};
constexpr Shape kTriangle = {7U, 11U};
constexpr Shape kParallelogram = {15U, 15U};
constexpr Shape kSegment = {3U, 1U};
constexpr Shape kPoint = {1U, 0U};
GRAZE_FAST bool is_polygon(Shape shape) noexcept {
    return (shape.vertices & 4U) != 0U;
}
template <class Motion>
GRAZE_FAST constexpr Shape shape_of() noexcept {
    return Motion::kKind == QueryKind::VertexFace   ? kTriangle
           : Motion::kKind == QueryKind::EdgeEdge   ? kParallelogram
           : Motion::kKind == QueryKind::VertexEdge ? kSegment
                                                    : kPoint;
}

// --- Differences --------------------------------------------------------------------------------

// D at two times, by axis.
struct Ends {
    Quad start[4];
    Quad end[4];
};

// D at both ends of the step, in the order of the polygon: one rounding each.
GRAZE_FAST Ends vertices_of(const VertexFaceMotion& m) noexcept {
    const Quad v0 = load(m.vertex.start);
    const Quad v1 = load(m.vertex.end);
    return {{load(m.face[0].start) - v0, load(m.face[1].start) - v0, load(m.face[2].start) - v0,
             load(m.face[2].start) - v0},
            {load(m.face[0].end) - v1, load(m.face[1].end) - v1, load(m.face[2].end) - v1,
             load(m.face[2].end) - v1}};
}
GRAZE_FAST Ends vertices_of(const EdgeEdgeMotion& m) noexcept {
    const Quad a00 = load(m.edge_a[0].start);
    const Quad a10 = load(m.edge_a[1].start);
    const Quad b00 = load(m.edge_b[0].start);
    const Quad b10 = load(m.edge_b[1].start);
    const Quad a01 = load(m.edge_a[0].end);
    const Quad a11 = load(m.edge_a[1].end);
    const Quad b01 = load(m.edge_b[0].end);
    const Quad b11 = load(m.edge_b[1].end);
    return {{a00 - b00, a10 - b00, a10 - b10, a00 - b10},
            {a01 - b01, a11 - b01, a11 - b11, a01 - b11}};
}
GRAZE_FAST Ends vertices_of(const VertexEdgeMotion& m) noexcept {
    const Quad v0 = load(m.vertex.start);
    const Quad v1 = load(m.vertex.end);
    const Quad s0 = load(m.edge[0].start) - v0;
    const Quad s1 = load(m.edge[1].start) - v0;
    const Quad e0 = load(m.edge[0].end) - v1;
    const Quad e1 = load(m.edge[1].end) - v1;
    return {{s0, s1, s1, s1}, {e0, e1, e1, e1}};
}
GRAZE_FAST Ends vertices_of(const VertexVertexMotion& m) noexcept {
    const Quad s = load(m.a.start) - load(m.b.start);
    const Quad e = load(m.a.end) - load(m.b.end);
    return {{s, s, s, s}, {e, e, e, e}};
}

// D(t) = D(0) s + D(1) t, s = 1 - t: four rounding errors (D, s, product, sum) on terms of together
// at most m, since the weights add up to 1.
static_assert(error_forms::kDifferenceAt.roundings() == 4);
GRAZE_PIECE Quad difference_at(const Ends& whole, int i, double t) noexcept {
    return whole.start[i] * all(1.0 - t) + whole.end[i] * all(t);
}

// By axis, the least and the largest D.
struct Extent {
    Quad least;
    Quad most;
};
GRAZE_FAST Extent extent_of(const Ends& d) noexcept {
    const Quad(&a)[4] = d.start;
    const Quad(&b)[4] = d.end;
    return {smaller(smaller(smaller(a[0], b[0]), smaller(a[1], b[1])),
                    smaller(smaller(a[2], b[2]), smaller(a[3], b[3]))),
            larger(larger(larger(a[0], b[0]), larger(a[1], b[1])),
                   larger(larger(a[2], b[2]), larger(a[3], b[3])))};
}
GRAZE_PIECE Quad largest_of(const Extent& extent) noexcept {
    return larger(extent.most, all(0.0) - extent.least);
}

// --- The scaled hull ----------------------------------------------------------------------------

// D at both ends of the step, by vertex, each axis scaled by a power of two such that m is in
// [1, 2); or m = 0.
struct Hull {
    Quad x[2];
    Quad y[2];
    Quad z[2];
    Quad m;  // by axis
    // By axis, twice the middle of the step: vertices 0, 1 and 3.
    Quad middle0;
    Quad middle1;
    Quad middle3;
    Shape shape;
};
GRAZE_PIECE void set_vertices(Hull& hull, const Ends& d) noexcept {
    hull.middle0 = d.start[0] + d.end[0];
    hull.middle1 = d.start[1] + d.end[1];
    hull.middle3 = d.start[3] + d.end[3];
    transpose(d.start, hull.x[0], hull.y[0], hull.z[0]);
    transpose(d.end, hull.x[1], hull.y[1], hull.z[1]);
}

// Into its place: a copy of D would not stay in registers.
GRAZE_PIECE void scale_by(Quad scale, const Ends& raw, Ends& d) noexcept {
    for (int i = 0; i < 4; ++i) {
        d.start[i] = raw.start[i] * scale;
        d.end[i] = raw.end[i] * scale;
    }
}

// The power of two that brings m into [1, 2); 1 for m = 0; 0 where it is no normal number: for
// subnormal m, from 2^1023 on, and for infinity. (2^(1023 - e) has the biased exponent 2046 - b.)
GRAZE_FAST double normalising_scale(double m) noexcept {
    const std::uint64_t biased = bits_of(m) >> 52;
    if (biased == 0) return m == 0.0 ? 1.0 : 0.0;
    if (biased > 2045) return 0.0;
    return from_bits((2046 - biased) << 52);
}

// D with each axis scaled by its own power of two. False where there is none.
GRAZE_PIECE bool normalise(const Ends& raw, const Extent& extent, Ends& d, Hull& hull) noexcept {
    const Quad largest = largest_of(extent);
    const double sx = normalising_scale(lane<0>(largest));
    const double sy = normalising_scale(lane<1>(largest));
    const double sz = normalising_scale(lane<2>(largest));
    if (sx == 0.0 || sy == 0.0 || sz == 0.0) return false;
    const Quad scale = quad(sx, sy, sz, 0.0);
    scale_by(scale, raw, d);
    hull.m = largest * scale;
    set_vertices(hull, d);
    return true;
}

// A power of two that brings m, subnormal or from 2^1023 on, to where normalise() can scale it.
GRAZE_FAST double first_scale(double m) noexcept {
    const std::uint64_t biased = bits_of(m) >> 52;
    return biased == 0 ? 0x1p128 : biased > 2045 ? 0x1p-4 : 1.0;
}
GRAZE_FAST Ends brought_into_range(const Ends& raw, const Extent& extent) noexcept {
    const Quad largest = largest_of(extent);
    const Quad scale = quad(first_scale(lane<0>(largest)), first_scale(lane<1>(largest)),
                            first_scale(lane<2>(largest)), 0.0);
    Ends d;
    scale_by(scale, raw, d);
    return d;
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_HULL_INL_HPP
