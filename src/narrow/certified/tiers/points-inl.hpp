// What one direction towards a point of the hull of all vertices, at both ends of the step, proves with a
// minimum separation, for several queries at a time, one in each lane
// (docs/derivations/certified_separation.md, CS-12).
//
// Contract: a query that is called separated is so, for any direction.
//
// Notation: near-inl.hpp, with a Pack in the place of each number. Of four vertices those that repeat
// another are left out: kVertices are left.
//
// Proved: n.D_i > d |n| at both ends (CS-2).
//
// Error bounds: |computed n.D - exact| < 4.1u S, S = sum |n_k| m_k, where 10u S is taken; 1 + 16u pays for
// |n| (3u, its square above 2^-900), the products and the sum; 2^-1000 for products that underflow. In lanes
// that decide all numbers are finite: |D| < 2 once scaled.
#if defined(GRAZE_TIERS_POINTS_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_POINTS_INL_HPP
#undef GRAZE_TIERS_POINTS_INL_HPP
#else
#define GRAZE_TIERS_POINTS_INL_HPP
#endif

#include <cstddef>
#include <cstdint>

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/constants.hpp"
#include "narrow/certified/tiers/error_forms.hpp"
#include "narrow/certified/tiers/pack-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

struct PackVector {
    Pack x;
    Pack y;
    Pack z;
};
GRAZE_PIECE PackVector operator-(const PackVector& a, const PackVector& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
GRAZE_PIECE PackVector operator*(const PackVector& a, Pack b) noexcept {
    return {a.x * b, a.y * b, a.z * b};
}
GRAZE_PIECE Pack dot(const PackVector& a, const PackVector& b) noexcept {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
GRAZE_PIECE PackVector cross(const PackVector& a, const PackVector& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
GRAZE_PIECE PackVector where(Mask mask, const PackVector& a, const PackVector& b) noexcept {
    return {where(mask, a.x, b.x), where(mask, a.y, b.y), where(mask, a.z, b.z)};
}
GRAZE_PIECE PackVector smaller(const PackVector& a, const PackVector& b) noexcept {
    return {smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z)};
}
GRAZE_PIECE PackVector larger(const PackVector& a, const PackVector& b) noexcept {
    return {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)};
}
GRAZE_PIECE Pack one_norm(const PackVector& n) noexcept {
    return (magnitude(n.x) + magnitude(n.y)) + magnitude(n.z);
}
GRAZE_PIECE Pack sign_of(Pack x) noexcept {
    return where(above(same(0.0), x), same(-1.0), same(1.0));
}

// --- The queries --------------------------------------------------------------------------------

template <class Motion>
constexpr int kVertices = Motion::kKind == QueryKind::VertexFace ? 3 : 4;

// D at one time, by vertex.
template <int kCount>
struct PackVertices {
    PackVector d[kCount];
    GRAZE_PIECE const PackVector& at(int i) const noexcept {
        return d[i < kCount ? i : kCount - 1];
    }
};
template <int kCount>
struct PackEnds {
    PackVertices<kCount> start;
    PackVertices<kCount> end;
};

// From vertices in the order of the motion: start and end, x, y and z of each.
GRAZE_PIECE PackVector point(const Pack (&numbers)[24], int vertex, int end) noexcept {
    const int first = 6 * vertex + 3 * end;
    return {numbers[first], numbers[first + 1], numbers[first + 2]};
}
GRAZE_PIECE PackVertices<3> differences(const Pack (&numbers)[24], int end,
                                        const VertexFaceMotion*) noexcept {
    const PackVector v = point(numbers, 0, end);
    return {{point(numbers, 1, end) - v, point(numbers, 2, end) - v, point(numbers, 3, end) - v}};
}
GRAZE_PIECE PackVertices<4> differences(const Pack (&numbers)[24], int end,
                                        const EdgeEdgeMotion*) noexcept {
    const PackVector a0 = point(numbers, 0, end);
    const PackVector a1 = point(numbers, 1, end);
    const PackVector b0 = point(numbers, 2, end);
    const PackVector b1 = point(numbers, 3, end);
    return {{a0 - b0, a1 - b0, a1 - b1, a0 - b1}};
}
template <class Motion>
GRAZE_PIECE PackEnds<kVertices<Motion>> raw_ends(const Motion* const (&motions)[kLanes]) noexcept {
    static_assert(sizeof(Motion) == 24 * sizeof(double));
    const double* rows[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i)
        rows[i] = reinterpret_cast<const double*>(motions[i]);
    Pack numbers[24];
    load_rows(rows, numbers);
    return {differences(numbers, 0, motions[0]), differences(numbers, 1, motions[0])};
}

struct PackExtent {
    PackVector least;
    PackVector most;
};
template <int kCount>
GRAZE_PIECE PackExtent extent_of(const PackEnds<kCount>& ends) noexcept {
    PackVector least = smaller(ends.start.d[0], ends.end.d[0]);
    PackVector most = larger(ends.start.d[0], ends.end.d[0]);
    for (int i = 1; i < kCount; ++i) {
        least = smaller(least, smaller(ends.start.d[i], ends.end.d[i]));
        most = larger(most, larger(ends.start.d[i], ends.end.d[i]));
    }
    return {least, most};
}
GRAZE_PIECE Mask axis_separates(const PackExtent& extent, Pack d) noexcept {
    const Pack margin = d + same(constants::kAxisError) * d;
    const Pack opposite = same(0.0) - margin;
    return ((above(extent.least.x, margin) | above(opposite, extent.most.x)) |
            (above(extent.least.y, margin) | above(opposite, extent.most.y))) |
           (above(extent.least.z, margin) | above(opposite, extent.most.z));
}

GRAZE_PIECE PackVector largest_of(const PackExtent& extent) noexcept {
    const Pack zero = same(0.0);
    return {larger(extent.most.x, zero - extent.least.x),
            larger(extent.most.y, zero - extent.least.y),
            larger(extent.most.z, zero - extent.least.z)};
}

// Scaled, as NearQuery.
template <int kCount>
struct PackQuery {
    PackEnds<kCount> d;
    PackVector m;
    Pack reach;     // the separation
    Mask in_range;  // else the lane decides nothing
};
template <int kCount>
GRAZE_PIECE PackQuery<kCount> scaled_query(const PackEnds<kCount>& raw, const PackExtent& extent,
                                           Pack d) noexcept {
    const PackVector largest = largest_of(extent);
    const Pack size = larger(larger(largest.x, largest.y), largest.z);
    // Normal numbers below 2^1023 alone have a power of two to be scaled by.
    Mask in_range = above(size, same(0x0.fffffffffffffp-1022)) & above(same(0x1p+1023), size);
    const Pack scale = inverse_power(size);
    PackQuery<kCount> q;
    for (int i = 0; i < kCount; ++i) {
        q.d.start.d[i] = raw.start.d[i] * scale;
        q.d.end.d[i] = raw.end.d[i] * scale;
    }
    q.m = largest * scale;
    q.reach = d * scale;
    q.in_range = in_range & (above(q.reach, same(constants::kLeastReach)) &
                             above(same(constants::kLargestReach), q.reach));
    return q;
}

// --- Directions ---------------------------------------------------------------------------------

// n.D at an end of the step has 4 rounding errors, |n| as computed 3.
static_assert(error_forms::kAlong.roundings() == 4 &&
              4.2 * constants::kU < constants::kAlongDirectionError * (1.0 - 6.0 * constants::kU));
static_assert(constants::kReachFactor > 1.0 + 8.0 * constants::kU);

// The vertex, at an end of the step, that is least far along a direction.
struct PackSupport {
    Pack height;
    PackVector at;
};
template <int kCount>
GRAZE_PIECE const PackVector& vertex_at_ends(const PackEnds<kCount>& d, int i) noexcept {
    return i < kCount ? d.start.d[i] : d.end.d[i - kCount];
}
template <int kCount>
GRAZE_PIECE PackSupport support_of(const PackEnds<kCount>& d, const PackVector& n) noexcept {
    PackSupport lowest = {dot(n, d.start.d[0]), d.start.d[0]};
    for (int i = 1; i < 2 * kCount; ++i) {
        const PackVector& vertex = vertex_at_ends(d, i);
        const Pack height = dot(n, vertex);
        lowest.at = where(above(lowest.height, height), vertex, lowest.at);
        lowest.height = smaller(height, lowest.height);
    }
    return lowest;
}
template <int kCount>
GRAZE_PIECE PackVector nearest_vertex(const PackVertices<kCount>& d) noexcept {
    PackVector nearest = d.d[0];
    Pack least = dot(nearest, nearest);
    for (int i = 1; i < kCount; ++i) {
        const Pack square = dot(d.d[i], d.d[i]);
        nearest = where(above(least, square), d.d[i], nearest);
        least = smaller(square, least);
    }
    return nearest;
}

// Euclidean norm: are all of them farther than `reach` along n, any numbers? m: what they do not exceed.
template <int kCount>
GRAZE_PIECE Mask is_beyond(const PackEnds<kCount>& d, const PackVector& m, Pack reach,
                           const PackVector& n) noexcept {
    Pack lowest = dot(n, d.start.d[0]);
    for (int i = 1; i < 2 * kCount; ++i)
        lowest = smaller(dot(n, vertex_at_ends(d, i)), lowest);
    const Pack square = dot(n, n);
    const PackVector sizes = {magnitude(n.x), magnitude(n.y), magnitude(n.z)};
    const Pack error =
        same(constants::kAlongDirectionError) * dot(sizes, m) + same(constants::kUnderflow);
    const Pack bound = (reach * square_root(square)) * same(constants::kReachFactor) + error;
    return above(square, same(constants::kLeastSquare)) & above(lowest, bound);
}

// The direction: from the vertex that is nearest at the start to the one that is least far along it, of all
// at both ends, the nearest point between the two: a step of Gilbert's iteration for the point of the hull of
// all that is nearest to the origin.
template <int kCount>
GRAZE_PIECE Mask separated_by_points(const PackQuery<kCount>& q) noexcept {
    const Pack zero = same(0.0);
    const PackVector vertex = nearest_vertex(q.d.start);
    const PackVector e = support_of(q.d, vertex).at - vertex;
    const Pack fraction = smaller(larger((zero - dot(vertex, e)) / dot(e, e), zero), same(1.0));
    const PackVector n = {vertex.x + fraction * e.x, vertex.y + fraction * e.y,
                          vertex.z + fraction * e.z};
    return q.in_range & is_beyond(q.d, q.m, q.reach, n);
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_POINTS_INL_HPP
