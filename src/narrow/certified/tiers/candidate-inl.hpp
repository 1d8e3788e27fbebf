// Where the hull comes nearest to the origin at one time (docs/derivations/certified_separation.md,
// CS-9): a candidate for a separating direction, and one for a witness.
//
// Contract: none. Nothing here is proved, and no rounding error needs a bound: a bad candidate fails
// the tests of advance-inl.hpp, and costs the query some time.
//
// Notation
//   D_i, x, y, z   the differences at that time, by vertex
//   e_i            the side from D_i to D_(i+1)
//   n              a direction with n.D_i > 0, or zero
//   g_i            n.(D_i x D_(i+1)), or with another direction s in the place of n: the ray from the
//                  origin along s meets the polygon iff all g_i have one sign, and where it does
//                  follows from their ratios
#if defined(GRAZE_TIERS_CANDIDATE_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_CANDIDATE_INL_HPP
#undef GRAZE_TIERS_CANDIDATE_INL_HPP
#else
#define GRAZE_TIERS_CANDIDATE_INL_HPP
#endif

#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// By axis.
struct Direction {
    double x;
    double y;
    double z;
};

// D at one time, by vertex.
struct Vertices {
    Quad x;
    Quad y;
    Quad z;
};
GRAZE_PIECE Vertices vertices_at(const Hull& hull, double t) noexcept {
    const Quad s = all(1.0 - t);
    const Quad e = all(t);
    return {hull.x[0] * s + hull.x[1] * e, hull.y[0] * s + hull.y[1] * e,
            hull.z[0] * s + hull.z[1] * e};
}

struct Candidate {
    Direction n;
    Quad weights;          // of the nearest point, by vertex; not negative, of any sum
    double length = 0.0;   // of n in the dual norm, as computed
    double along = 0.0;    // n.x for that point x
    bool is_face = false;  // is that point inside of the polygon, n its normal?
    int side = 0;          // else it is on this one: always in the Euclidean norm,
    int axis = -1;         // in the max-norm where n is perpendicular to this axis and the side
};

// Of four; the last where none is set. By a table of two bits each: which one is as good as random,
// and a branch would be mispredicted.
GRAZE_FAST int first_bit(unsigned mask) noexcept {
    return static_cast<int>((0x12131213U >> (2U * mask)) & 3U);
}

// Of the point at `fraction` of the way from vertex `side` to the next one.
GRAZE_FAST Quad weights_on_side(int side, double fraction) noexcept {
    const Quad at = all(static_cast<double>(side) + fraction);
    const Quad one = all(1.0);
    const Quad near = one - magnitude(quad(0.0, 1.0, 2.0, 3.0) - at);
    const Quad around = one - magnitude(quad(4.0, 5.0, 6.0, 7.0) - at);
    return larger(larger(near, around), all(0.0));
}

// --- The polygon --------------------------------------------------------------------------------

GRAZE_PIECE Vertices sides_of(const Vertices& d) noexcept {
    return {rotate(d.x) - d.x, rotate(d.y) - d.y, rotate(d.z) - d.z};
}
// Lane 3 of e_i x e_(i+1): e_3 x e_0 is the normal of the triangle and of the parallelogram.
GRAZE_PIECE Direction normal_of(const Vertices& e) noexcept {
    return {lane<3>(e.y * rotate(e.z) - e.z * rotate(e.y)),
            lane<3>(e.z * rotate(e.x) - e.x * rotate(e.z)),
            lane<3>(e.x * rotate(e.y) - e.y * rotate(e.x))};
}
// g for the direction s.
GRAZE_PIECE Quad windings(const Vertices& d, const Vertices& e, const Direction& s) noexcept {
    return (all(s.x) * (d.y * e.z - d.z * e.y) + all(s.y) * (d.z * e.x - d.x * e.z)) +
           all(s.z) * (d.x * e.y - d.y * e.x);
}
// Of the point where the ray meets the polygon. Triangle: opposite each vertex is the side of its
// barycentric coordinate. Parallelogram: g_0 : g_2 and g_3 : g_1 are the ratios in which the point
// divides it.
GRAZE_PIECE Quad weights_by_windings(Quad g, Shape shape) noexcept {
    const double g0 = lane<0>(g);
    const double g1 = lane<1>(g);
    const double g2 = lane<2>(g);
    const double g3 = lane<3>(g);
    if (shape.vertices == kTriangle.vertices) return quad(g1, g3, g0, 0.0);
    return quad(g1 * g2, g3 * g2, g3 * g0, g1 * g0);
}
GRAZE_PIECE double along_first(const Direction& n, const Vertices& d) noexcept {
    return (n.x * lane<0>(d.x) + n.y * lane<0>(d.y)) + n.z * lane<0>(d.z);
}

GRAZE_FAST double sign_of(double x) noexcept {
    return x < 0.0 ? -1.0 : 1.0;
}
GRAZE_FAST Direction oriented(const Direction& n, const Vertices& d) noexcept {
    const double sign = sign_of(along_first(n, d));
    return {sign * n.x, sign * n.y, sign * n.z};
}
GRAZE_FAST Quad along(const Direction& n, const Vertices& d) noexcept {
    return (all(n.x) * d.x + all(n.y) * d.y) + all(n.z) * d.z;
}
GRAZE_FAST double one_norm(const Direction& n) noexcept {
    return (magnitude_of(n.x) + magnitude_of(n.y)) + magnitude_of(n.z);
}

// Where the ray along the normal, or in the max-norm along the diagonal of the cube that is next to it,
// meets the polygon, the distance is that of the plane.
GRAZE_FAST bool is_inside(Quad g, Shape shape) noexcept {
    return (above(g, all(0.0)) & shape.sides) == shape.sides;
}
GRAZE_FAST Direction diagonal_of(const Direction& n) noexcept {
    return {sign_of(n.x), sign_of(n.y), sign_of(n.z)};
}
GRAZE_PIECE Candidate on_face(const Vertices& d, const Direction& n, Quad g, Shape shape,
                              double length) noexcept {
    const double along = along_first(n, d);
    const double sign = sign_of(along);
    return {{sign * n.x, sign * n.y, sign * n.z},
            weights_by_windings(g, shape),
            length,
            sign * along,
            true};
}

// --- The Euclidean norm -------------------------------------------------------------------------

// On one of the sides; those without length have their beginning (0 / 0 is not above 0).
GRAZE_FAST Candidate nearest_on_sides(const Vertices& d, const Vertices& e) noexcept {
    const Quad ahead = all(0.0) - ((d.x * e.x + d.y * e.y) + d.z * e.z);
    const Quad length = (e.x * e.x + e.y * e.y) + e.z * e.z;
    const Quad fraction = smaller(larger(ahead / length, all(0.0)), all(1.0));
    const Quad x = d.x + fraction * e.x;
    const Quad y = d.y + fraction * e.y;
    const Quad z = d.z + fraction * e.z;
    const Quad square = (x * x + y * y) + z * z;
    const double least = least_lane(square);
    const int i = first_bit(equal(square, all(least)));
    double xs[4];
    double ys[4];
    double zs[4];
    double fractions[4];
    store(x, xs);
    store(y, ys);
    store(z, zs);
    store(fraction, fractions);
    return {{xs[i], ys[i], zs[i]},
            weights_on_side(i, fractions[i]),
            square_root(least),
            least,
            false,
            i};
}

GRAZE_FAST Candidate nearest_in_space(const Vertices& d, Shape shape) noexcept {
    const Vertices e = sides_of(d);
    if (is_polygon(shape)) {
        const Direction n = normal_of(e);
        const Quad g = windings(d, e, n);
        if (is_inside(g, shape))
            return on_face(d, n, g, shape, square_root((n.x * n.x + n.y * n.y) + n.z * n.z));
    }
    return nearest_on_sides(d, e);
}

// --- The max-norm -------------------------------------------------------------------------------

// How far four directions separate, by lane; 0 where they do not. a, b, c, d: n.D_i by vertex;
// lengths: |n|_1.
GRAZE_PIECE Quad distances_along(Quad a, Quad b, Quad c, Quad d, Quad lengths) noexcept {
    const Quad zero = all(0.0);
    const Quad least = least_of_each(a, b, c, d);
    const Quad beyond = where_above(least, zero, least, zero - largest_of_each(a, b, c, d));
    return where_above(beyond, zero, beyond / lengths, zero);
}
// Of the three directions perpendicular to side I and to an axis.
template <int I>
GRAZE_PIECE Quad distances_across(const Vertices& d, const Vertices& e) noexcept {
    const Quad x = broadcast<I>(e.x);
    const Quad y = broadcast<I>(e.y);
    const Quad z = broadcast<I>(e.z);
    const Quad first = z * d.y - y * d.z;
    const double ax = magnitude_of(lane<0>(x));
    const double ay = magnitude_of(lane<0>(y));
    const double az = magnitude_of(lane<0>(z));
    return distances_along(first, x * d.z - z * d.x, y * d.x - x * d.y, first,
                           quad(ay + az, az + ax, ax + ay, ay + az));
}

// An axis: the cube meets the vertices that are least far along it.
GRAZE_FAST Candidate beyond_face(const Vertices& d, int axis, double distance) noexcept {
    const Direction n =
        oriented({axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0}, d);
    const Quad heights = along(n, d);
    return {n, where_above(heights, all(least_lane(heights)), all(0.0), all(1.0)), 1.0, distance};
}
// The normal: a vertex of the cube meets the polygon, on the ray through it.
GRAZE_FAST Candidate beyond_vertex(const Vertices& d, const Vertices& e, const Direction& normal,
                                   Shape shape, double distance) noexcept {
    const Direction n = oriented(normal, d);
    const Direction ray = {sign_of(n.x), sign_of(n.y), sign_of(n.z)};
    const double length = one_norm(n);
    return {n, weights_by_windings(magnitude(windings(d, e, ray)), shape), length,
            distance * length, true};
}
// Perpendicular to a side and to an axis: an edge of the cube meets the side, where the two other
// coordinates are as large as each other. Of a parallelogram the nearer of two such sides.
GRAZE_FAST Candidate beyond_edge(const Vertices& d, const Vertices& e, int side, int axis,
                                 Shape shape, double distance) noexcept {
    double px[4];
    double py[4];
    double pz[4];
    double ex[4];
    double ey[4];
    double ez[4];
    store(d.x, px);
    store(d.y, py);
    store(d.z, pz);
    store(e.x, ex);
    store(e.y, ey);
    store(e.z, ez);
    const double x = ex[side];
    const double y = ey[side];
    const double z = ez[side];
    const Direction n = oriented(axis == 0   ? Direction{0.0, z, -y}
                                 : axis == 1 ? Direction{-z, 0.0, x}
                                             : Direction{y, -x, 0.0},
                                 d);
    double heights[4];
    store(along(n, d), heights);
    if (shape.vertices == kParallelogram.vertices && heights[(side + 2) & 3] < heights[side])
        side = (side + 2) & 3;
    const double* p = axis == 0 ? py : axis == 1 ? pz : px;
    const double* q = axis == 0 ? pz : axis == 1 ? px : py;
    const double* along_p = axis == 0 ? ey : axis == 1 ? ez : ex;
    const double* along_q = axis == 0 ? ez : axis == 1 ? ex : ey;
    const double sp = sign_of(axis == 0 ? n.y : axis == 1 ? n.z : n.x);
    const double sq = sign_of(axis == 0 ? n.z : axis == 1 ? n.x : n.y);
    const double apart = sq * q[side] - sp * p[side];
    const double fraction =
        smaller(larger(apart / (sp * along_p[side] - sq * along_q[side]), 0.0), 1.0);
    const double length = one_norm(n);
    return {n, weights_on_side(side, fraction), length, distance * length, false, side, axis};
}

// One of the directions of docs/derivations/start_separation.md, ST-2, is the best.
GRAZE_FAST Candidate nearest_in_cubes(const Vertices& d, Shape shape) noexcept {
    const Vertices e = sides_of(d);
    const Quad none = all(0.0);
    const bool has_plane = is_polygon(shape);
    const bool is_triangle = shape.vertices == kTriangle.vertices;
    const Direction normal = has_plane ? normal_of(e) : Direction{0.0, 0.0, 0.0};
    const Quad by_axis =
        distances_along(d.x, d.y, d.z, along(normal, d), quad(1.0, 1.0, 1.0, one_norm(normal)));
    const Quad by_first = (shape.sides & 1U) != 0U ? distances_across<0>(d, e) : none;
    const Quad by_second = has_plane ? distances_across<1>(d, e) : none;
    const Quad by_last = has_plane && is_triangle ? distances_across<3>(d, e) : none;
    const double best = largest_lane(larger(larger(by_axis, by_first), larger(by_second, by_last)));
    if (!(best > 0.0)) return {{0.0, 0.0, 0.0}, none};
    const Quad found = all(best);
    const unsigned axis = equal(by_axis, found);
    if ((axis & 7U) != 0U) return beyond_face(d, first_bit(axis), best);
    if (axis != 0U) return beyond_vertex(d, e, normal, shape, best);
    const unsigned first = equal(by_first, found) & 7U;
    if (first != 0U) return beyond_edge(d, e, 0, first_bit(first), shape, best);
    const unsigned second = equal(by_second, found) & 7U;
    if (second != 0U) return beyond_edge(d, e, 1, first_bit(second), shape, best);
    return beyond_edge(d, e, 3, first_bit(equal(by_last, found)), shape, best);
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_CANDIDATE_INL_HPP
