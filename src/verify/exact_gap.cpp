#include "graze/verify/exact_gap.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "graze/core/big_integer.hpp"

namespace graze::verify {
namespace {

using Integer = boost::multiprecision::cpp_int;
using IntegerVector = std::array<Integer, 3>;

// --- Exact ---------------------------------------------------------------------------------------

// x 2^k.
Integer scaled_integer(double x, int k) {
    const DyadicParts parts = dyadic_parts(x);
    Integer value = parts.significand;
    value <<= static_cast<unsigned>(parts.exponent + k);
    return parts.negative ? Integer(-value) : value;
}

// The least exponent of the last bit of any of the numbers.
int last_bit(std::initializer_list<double> numbers) {
    int least = 1100;
    for (const double x : numbers) {
        if (x != 0.0) least = std::min(least, dyadic_parts(x).exponent);
    }
    return least == 1100 ? 0 : least;
}

IntegerVector minus(const IntegerVector& a, const IntegerVector& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vec3 minus(const Vec3& a, const Vec3& b) {
    return a - b;
}
Vec3 plus(const Vec3& a, const Vec3& b) {
    return a + b;
}
Integer inner(const IntegerVector& a, const IntegerVector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
IntegerVector outer(const IntegerVector& a, const IntegerVector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// A squared distance as numerator / denominator > 0.
struct Fraction {
    Integer numerator;
    Integer denominator = 1;
};
bool is_smaller(const Fraction& a, const Fraction& b) {
    return a.numerator * b.denominator < b.numerator * a.denominator;
}

// Of the origin to the segment from p to q.
Fraction to_segment(const IntegerVector& p, const IntegerVector& q) {
    const IntegerVector edge = minus(q, p);
    const Integer along = -inner(p, edge);
    const Integer square = inner(edge, edge);
    if (along <= 0) return {inner(p, p)};
    if (along >= square) return {inner(q, q)};
    const IntegerVector moment = outer(p, edge);
    return {inner(moment, moment), square};
}

// Of the origin to the triangle: to its plane if its foot is inside, else to the nearest side.
Fraction to_triangle(const std::array<IntegerVector, 3>& t) {
    const IntegerVector normal = outer(minus(t[1], t[0]), minus(t[2], t[0]));
    const Integer square = inner(normal, normal);
    bool is_inside = square != 0;
    for (std::size_t i = 0; i < 3 && is_inside; ++i) {
        const IntegerVector& p = t[i];
        const IntegerVector& q = t[(i + 1) % 3];
        is_inside = inner(outer(minus(q, p), normal), p) >= 0;
    }
    if (is_inside) {
        const Integer height = inner(normal, t[0]);
        return {height * height, square};
    }
    Fraction least = to_segment(t[0], t[1]);
    for (std::size_t i = 1; i < 3; ++i) {
        Fraction other = to_segment(t[i], t[(i + 1) % 3]);
        if (is_smaller(other, least)) least = std::move(other);
    }
    return least;
}

IntegerVector plus(const IntegerVector& a, const IntegerVector& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

// Of the lines through the origin by d and from p by e, where their nearest points are strictly
// between -1 and 1 on the first and between 0 and 1 on the second; none otherwise: then an end of
// one of the segments is nearest, or they are parallel.
std::optional<Fraction> between_insides(const IntegerVector& d, const IntegerVector& p,
                                        const IntegerVector& e) {
    const IntegerVector across = outer(d, e);
    const Integer square = inner(across, across);
    if (square == 0) return std::nullopt;
    // s d = p + t e + multiple of across.
    const Integer s = inner(outer(p, e), across);
    const Integer t = inner(outer(p, d), across);
    if (s <= -square || s >= square || t <= 0 || t >= square) return std::nullopt;
    const Integer height = inner(p, across);
    return Fraction{height * height, square};
}

// The segment from -d to d meets the triangle in one point that is inside of both, strictly.
bool goes_through(const std::array<IntegerVector, 3>& t, const IntegerVector& d) {
    const IntegerVector normal = outer(minus(t[1], t[0]), minus(t[2], t[0]));
    const Integer height = inner(normal, t[0]);
    const Integer slope = inner(normal, d);
    if (slope == 0 || abs(height) >= abs(slope)) return false;
    int sides = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Integer volume = inner(d, outer(t[i], t[(i + 1) % 3]));
        sides += volume > 0 ? 1 : volume < 0 ? -1 : 0;
    }
    return sides == 3 || sides == -3;
}

// Of the segment from -d to d to the triangle. Where they do not meet inside, the nearest points
// are an end of the segment, a vertex of the triangle, or inside of the segment and an edge.
Fraction to_triangle(const std::array<IntegerVector, 3>& t, const IntegerVector& d) {
    if (goes_through(t, d)) return {0};
    Fraction least = to_triangle({minus(t[0], d), minus(t[1], d), minus(t[2], d)});
    const auto take = [&](Fraction other) {
        if (is_smaller(other, least)) least = std::move(other);
    };
    take(to_triangle({plus(t[0], d), plus(t[1], d), plus(t[2], d)}));
    for (std::size_t i = 0; i < 3; ++i) {
        take(to_segment(minus(t[i], d), plus(t[i], d)));
        if (auto inside = between_insides(d, t[i], minus(t[(i + 1) % 3], t[i]))) take(*inside);
    }
    return least;
}

// --- Boxes ---------------------------------------------------------------------------------------

// Calls use(face) for triangles that cover the boundary of the sum of a triangle and a box with
// these half axes, and are within it: vertices and faces, faces and corners, edges and edges. All
// signs, without asking which are outside.
template <class Vector, class Use>
void for_each_box_sum_face(const std::array<Vector, 3>& t, const std::array<Vector, 3>& axes,
                           Use use) {
    const auto corner = [&](const Vector& at, unsigned signs) {
        Vector sum = at;
        for (std::size_t i = 0; i < 3; ++i)
            sum = (signs >> i & 1U) != 0 ? plus(sum, axes[i]) : minus(sum, axes[i]);
        return sum;
    };
    const auto quad = [&](const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
        use(std::array<Vector, 3>{a, b, c});
        use(std::array<Vector, 3>{a, c, d});
    };
    for (unsigned signs = 0; signs < 8; ++signs)
        use(std::array<Vector, 3>{corner(t[0], signs), corner(t[1], signs), corner(t[2], signs)});
    for (std::size_t k = 0; k < 3; ++k) {
        const Vector& p = t[k];
        const Vector& q = t[(k + 1) % 3];
        for (unsigned axis = 0; axis < 3; ++axis) {
            const unsigned one = 1U << axis;
            const unsigned two = 1U << (axis + 1) % 3;
            const unsigned three = 1U << (axis + 2) % 3;
            for (const unsigned side : {0U, one})
                quad(corner(p, side), corner(p, side | two), corner(p, side | two | three),
                     corner(p, side | three));
            for (const unsigned rest : {0U, two, three, two | three})
                quad(corner(p, rest), corner(q, rest), corner(q, rest | one),
                     corner(p, rest | one));
        }
    }
}

// All directions that a face of such a sum can be across.
template <class Vector, class Outer>
std::array<Vector, 13> box_sum_normals(const std::array<Vector, 3>& t,
                                       const std::array<Vector, 3>& axes, Outer product) {
    std::array<Vector, 13> normals;
    std::size_t count = 0;
    normals[count++] = product(minus(t[1], t[0]), minus(t[2], t[0]));
    for (std::size_t i = 0; i < 3; ++i) {
        normals[count++] = product(axes[i], axes[(i + 1) % 3]);
        for (std::size_t k = 0; k < 3; ++k)
            normals[count++] = product(minus(t[(k + 1) % 3], t[k]), axes[i]);
    }
    return normals;
}

// The origin is inside of the sum, strictly: in front of no face, and in none.
bool is_inside_sum(const std::array<IntegerVector, 3>& t,
                   const std::array<IntegerVector, 3>& axes) {
    bool is_solid = false;
    for (const IntegerVector& normal : box_sum_normals(t, axes, outer)) {
        if (inner(normal, normal) == 0) continue;
        is_solid = true;
        Integer extent = 0;
        for (const IntegerVector& axis : axes)
            extent += abs(inner(normal, axis));
        const std::array<Integer, 3> height = {inner(normal, t[0]), inner(normal, t[1]),
                                               inner(normal, t[2])};
        const Integer& top = std::max({height[0], height[1], height[2]});
        const Integer& bottom = std::min({height[0], height[1], height[2]});
        if (top + extent <= 0 || bottom - extent >= 0) return false;
    }
    return is_solid;
}

// Of the box with these half axes around the origin to the triangle.
Fraction to_triangle(const std::array<IntegerVector, 3>& t,
                     const std::array<IntegerVector, 3>& axes) {
    if (is_inside_sum(t, axes)) return {0};
    std::optional<Fraction> least;
    for_each_box_sum_face(t, axes, [&](const std::array<IntegerVector, 3>& face) {
        Fraction other = to_triangle(face);
        if (!least || is_smaller(other, *least)) least = std::move(other);
    });
    return *least;
}

// a / b rounded, about to 60 bits; b > 0.
double quotient(const Integer& a, const Integer& b) {
    if (a == 0) return 0.0;
    const Integer magnitude = abs(a);
    const int shift = static_cast<int>(msb(b)) - static_cast<int>(msb(magnitude)) + 62;
    Integer top = magnitude;
    Integer bottom = b;
    if (shift > 0) top <<= static_cast<unsigned>(shift);
    if (shift < 0) bottom <<= static_cast<unsigned>(-shift);
    const Integer whole = top / bottom;
    const double value = std::ldexp(whole.convert_to<double>(), -shift);
    return a < 0 ? -value : value;
}

// --- Estimates -----------------------------------------------------------------------------------

Vec3 divided(const Vec3& a, const Vec3& b) {
    return {a.x / b.x, a.y / b.y, a.z / b.z};
}

Vec3 nearest_on_segment(const Vec3& p, const Vec3& q) {
    const Vec3 edge = q - p;
    const double square = norm_sq(edge);
    if (!(square > 0.0)) return p;
    return p + std::clamp(-dot(p, edge) / square, 0.0, 1.0) * edge;
}

// The point of the triangle that is nearest to the origin.
Vec3 nearest_on_triangle(const Corners& t) {
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    const double square = norm_sq(normal);
    bool is_inside = square > 0.0;
    for (std::size_t i = 0; i < 3 && is_inside; ++i)
        is_inside = dot(cross(t[(i + 1) % 3] - t[i], normal), t[i]) >= 0.0;
    if (is_inside) return (dot(normal, t[0]) / square) * normal;
    Vec3 best = nearest_on_segment(t[0], t[1]);
    for (std::size_t i = 1; i < 3; ++i) {
        const Vec3 other = nearest_on_segment(t[i], t[(i + 1) % 3]);
        if (norm_sq(other) < norm_sq(best)) best = other;
    }
    return best;
}

// The vertices relative to the centre, in the coordinates x / radii.
Corners seen_from(const Corners& t, const Vec3& centre, const Vec3& radii) {
    return {divided(t[0] - centre, radii), divided(t[1] - centre, radii),
            divided(t[2] - centre, radii)};
}

// A lower bound of the distance from the origin to the triangle, whatever `point` is: along the
// direction u = point / |point| all vertices, and so the triangle, lie at least that far.
//   Each relative vertex has error <= 2.01 u |v| by the subtraction and the division (relative, as the
//   difference of two doubles is rounded once), so does each product; three products, two sums and
//   the division by |point|, itself good to 3 u: in all at most 16 u times the norm_one of v.
// With a core, the segment from -core to core around the origin, what it reaches along u is taken
// off: its coordinates and product have the same errors; of a box
// what each of its axes does.
double distance_lower(const Corners& seen, const Vec3& point, const Vec3& core,
                      const SideAxes& sides) {
    const double length = std::sqrt(norm_sq(point));
    // Far from where squares overflow or lose bits; and NaN stays NaN, which proves nothing.
    if (!(length > 0x1p-400) || !(length < 0x1p400)) return 0.0;
    constexpr double kError = 16.0 * 0x1p-53;
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& v : seen) {
        const double lower = dot(v, point) / length - kError * norm_one(v);
        if (!(lower >= least)) least = lower;
    }
    double along = 0.0;
    for (const Vec3& axis : {core, sides[0], sides[1]})
        along += std::fabs(dot(axis, point)) / length + kError * norm_one(axis);
    return least - along - 0x1p-50 * (std::fabs(least) + along);
}

// Distance of two segments from p by d and from q by e: the least over a few rounds of alternating
// projection is not exact; here it is enough to solve for both and to clamp.
double segments_distance(const Vec3& p, const Vec3& d, const Vec3& q, const Vec3& e) {
    const auto at = [&](double s, double t) { return norm((p + s * d) - (q + t * e)); };
    const auto nearest = [](const Vec3& from, const Vec3& along, const Vec3& to) {
        const double square = norm_sq(along);
        return square > 0.0 ? std::clamp(dot(to - from, along) / square, 0.0, 1.0) : 0.0;
    };
    double best = std::min({at(0, nearest(q, e, p)), at(1, nearest(q, e, p + d)),
                            at(nearest(p, d, q), 0), at(nearest(p, d, q + e), 1)});
    const double a = norm_sq(d);
    const double b = dot(d, e);
    const double c = norm_sq(e);
    const double determinant = a * c - b * b;
    if (determinant > 0.0) {
        const Vec3 r = q - p;
        const double s = (dot(r, d) * c - dot(r, e) * b) / determinant;
        const double t = (dot(r, d) * b - dot(r, e) * a) / determinant;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) best = std::min(best, at(s, t));
    }
    return best;
}

// The segment from the origin by d crosses the triangle.
bool does_cross(const Corners& t, const Vec3& d) {
    const auto volume = [&](const Vec3& a, const Vec3& b) { return dot(d, cross(a, b)); };
    const double u = volume(t[0], t[1]);
    const double v = volume(t[1], t[2]);
    const double w = volume(t[2], t[0]);
    const bool is_through = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
    if (!is_through || (u == 0 && v == 0 && w == 0)) return false;
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    const double height = dot(normal, t[0]);
    const double slope = dot(normal, d);
    return slope > 0 ? height >= 0 && height <= slope : height <= 0 && height >= slope;
}

// From the segment between -core and core to the triangle: nearest points of an end and the
// triangle, or of the segment and an edge, found by a few rounds of alternating projection. Zero
// where it goes through.
Vec3 offset_from_core(const Corners& t, const Vec3& core) {
    if (does_cross({t[0] + core, t[1] + core, t[2] + core}, 2.0 * core)) return {};
    Vec3 best = nearest_on_triangle({t[0] - core, t[1] - core, t[2] - core});
    const auto take = [&](const Vec3& other) {
        if (norm_sq(other) < norm_sq(best)) best = other;
    };
    take(nearest_on_triangle({t[0] + core, t[1] + core, t[2] + core}));
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3& p = t[i];
        const Vec3& q = t[(i + 1) % 3];
        take(nearest_on_segment(p - core, p + core));
        const Vec3 edge = q - p;
        const Vec3 across = cross(core, edge);
        const double square = norm_sq(across);
        if (!(square > 0.0)) continue;
        const double s = dot(cross(p, edge), across) / square;
        const double along = dot(cross(p, core), across) / square;
        if (std::fabs(s) < 1.0 && along > 0.0 && along < 1.0)
            take((dot(p, across) / square) * across);
    }
    return best;
}

// The faces of the sum of a triangle and the segment: what a path of the centre meets.
std::array<Corners, 8> sum_faces(const Corners& t, const Vec3& core) {
    const Corners low = {t[0] - core, t[1] - core, t[2] - core};
    const Corners high = {t[0] + core, t[1] + core, t[2] + core};
    return {{low,
             high,
             {low[0], low[1], high[1]},
             {low[0], high[1], high[0]},
             {low[1], low[2], high[2]},
             {low[1], high[2], high[1]},
             {low[2], low[0], high[0]},
             {low[2], high[0], high[2]}}};
}

// From the box to the triangle; zero where they overlap.
Vec3 offset_from_box(const Corners& t, const std::array<Vec3, 3>& axes) {
    bool is_separated = false;
    const auto product = [](const Vec3& a, const Vec3& b) { return cross(a, b); };
    for (const Vec3& normal : box_sum_normals(t, axes, product)) {
        double extent = 0.0;
        for (const Vec3& axis : axes)
            extent += std::fabs(dot(normal, axis));
        const std::array<double, 3> height = {dot(normal, t[0]), dot(normal, t[1]),
                                              dot(normal, t[2])};
        is_separated = is_separated || std::max({height[0], height[1], height[2]}) < -extent ||
                       std::min({height[0], height[1], height[2]}) > extent;
    }
    if (!is_separated) return {};
    std::optional<Vec3> best;
    for_each_box_sum_face(t, axes, [&](const Corners& face) {
        const Vec3 nearest = nearest_on_triangle(face);
        if (!best || norm_sq(nearest) < norm_sq(*best)) best = nearest;
    });
    return *best;
}

// How near the path from the origin by `path` comes to the triangle.
double distance_on_path(const Corners& seen, const Vec3& path) {
    if (does_cross(seen, path)) return 0.0;
    const Corners at_end = {seen[0] - path, seen[1] - path, seen[2] - path};
    double least = std::min(norm(nearest_on_triangle(seen)), norm(nearest_on_triangle(at_end)));
    for (std::size_t i = 0; i < 3; ++i)
        least = std::min(least, segments_distance({}, path, seen[i], seen[(i + 1) % 3] - seen[i]));
    return least;
}

Vec3 least_of(const Corners& t) {
    return {std::min({t[0].x, t[1].x, t[2].x}), std::min({t[0].y, t[1].y, t[2].y}),
            std::min({t[0].z, t[1].z, t[2].z})};
}
Vec3 most_of(const Corners& t) {
    return {std::max({t[0].x, t[1].x, t[2].x}), std::max({t[0].y, t[1].y, t[2].y}),
            std::max({t[0].z, t[1].z, t[2].z})};
}

}  // namespace

ScaledDistance compare_exactly(const Corners& t, const Vec3& r, const Vec3& c, double gap,
                               const Vec3& half_axis, const SideAxes& sides) {
    // Lengths times 2^-k are integers. X = x r_y r_z 2^-3k and so on: all three coordinates are
    // then x / radii times r_x r_y r_z 2^-3k.
    const double least = std::min({r.x, r.y, r.z});
    const int k = last_bit({t[0].x,     t[0].y,      t[0].z,      t[1].x,      t[1].y,
                            t[1].z,     t[2].x,      t[2].y,      t[2].z,      r.x,
                            r.y,        r.z,         c.x,         c.y,         c.z,
                            gap,        half_axis.x, half_axis.y, half_axis.z, sides[0].x,
                            sides[0].y, sides[0].z,  sides[1].x,  sides[1].y,  sides[1].z});
    const auto length = [k](double x) { return scaled_integer(x, -k); };
    const IntegerVector radius = {length(r.x), length(r.y), length(r.z)};
    const IntegerVector weight = {radius[1] * radius[2], radius[2] * radius[0],
                                  radius[0] * radius[1]};
    std::array<IntegerVector, 3> seen;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            seen[i][axis] = (length(t[i][axis]) - length(c[axis])) * weight[axis];
    }
    const auto weighted = [&](const Vec3& v) {
        return IntegerVector{length(v.x) * weight[0], length(v.y) * weight[1],
                             length(v.z) * weight[2]};
    };
    const bool is_box = sides != SideAxes{};
    const Fraction square =
        is_box                ? to_triangle(seen,
                                            std::array<IntegerVector, 3>{weighted(half_axis), weighted(sides[0]),
                                                                         weighted(sides[1])})
        : half_axis == Vec3{} ? to_triangle(seen)
                              : to_triangle(seen, weighted(half_axis));
    // distance^2 = square / unit^2 against ((least + gap) / least)^2.
    const Integer unit = radius[0] * radius[1] * radius[2];
    const Integer small = length(least);
    const Integer bound = length(least) + length(gap);
    const Integer left = square.numerator * small * small;
    const Integer right = square.denominator * unit * unit * bound * bound;
    const Integer scale = square.denominator * unit * unit * small * small;
    ScaledDistance result;
    result.is_less = left < right;
    result.distance = std::sqrt(quotient(left, scale));
    if (result.is_less) {
        const double limit = quotient(bound, small);
        result.short_of = quotient(right - left, scale) / (limit + result.distance);
    }
    return result;
}

GapMeasure::GapMeasure(std::vector<Corners> triangles, const Vec3& radii, const Vec3& half_axis,
                       const SideAxes& side_axes)
    : triangles_(std::move(triangles)),
      radii_(radii),
      half_axis_(half_axis),
      side_axes_(side_axes),
      core_(divided(half_axis, radii)),
      sides_{divided(side_axes[0], radii), divided(side_axes[1], radii)},
      is_box_(side_axes != SideAxes{}),
      least_radius_(std::min({radii.x, radii.y, radii.z})),
      order_(triangles_.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    if (!order_.empty()) build(0, static_cast<std::uint32_t>(order_.size()));
}

std::uint32_t GapMeasure::build(std::uint32_t first, std::uint32_t count) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    Node node{least_of(triangles_[order_[first]]), most_of(triangles_[order_[first]]), first, count,
              0};
    for (std::uint32_t i = first; i < first + count; ++i) {
        const Vec3 low = least_of(triangles_[order_[i]]);
        const Vec3 high = most_of(triangles_[order_[i]]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            node.low[axis] = std::min(node.low[axis], low[axis]);
            node.high[axis] = std::max(node.high[axis], high[axis]);
        }
    }
    nodes_.push_back(node);
    constexpr std::uint32_t kLeaf = 4;
    if (count <= kLeaf) return index;
    const Vec3 size = node.high - node.low;
    const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::uint32_t half = count / 2;
    const auto at = order_.begin() + first;
    std::nth_element(at, at + half, at + count, [&](std::uint32_t a, std::uint32_t b) {
        const auto middle = [&](std::uint32_t i) {
            const Corners& t = triangles_[i];
            return least_of(t)[axis] * 0.5 + most_of(t)[axis] * 0.5;
        };
        return middle(a) < middle(b);
    });
    build(first, half);
    const std::uint32_t right = build(first + half, count - half);
    nodes_[index].right = right;
    return index;
}

template <class Use>
void GapMeasure::for_each_near(const Vec3& low, const Vec3& high, Use use) const {
    if (nodes_.empty()) return;
    std::array<std::uint32_t, 128> stack{};  // halving 2^32 faces is 32 deep
    std::size_t depth = 0;
    stack[depth++] = 0;
    const auto apart = [&](const Vec3& a, const Vec3& b) {
        return a.x > high.x || a.y > high.y || a.z > high.z || b.x < low.x || b.y < low.y ||
               b.z < low.z;
    };
    while (depth > 0) {
        const std::uint32_t index = stack[--depth];
        const Node& node = nodes_[index];
        if (apart(node.low, node.high)) continue;
        if (node.right != 0) {
            stack[depth++] = node.right;
            stack[depth++] = index + 1;
            continue;
        }
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const Corners& t = triangles_[order_[i]];
            if (!apart(least_of(t), most_of(t))) use(order_[i]);
        }
    }
}

Vec3 GapMeasure::box_half(double reach, const Vec3& centre) const {
    const double grown = 1.0 + reach / least_radius_;
    const double spare = 0x1p-48 * norm_max(centre);
    Vec3 axis;
    for (const Vec3& a : {half_axis_, side_axes_[0], side_axes_[1]})
        axis = axis + Vec3{std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)};
    return (1.0 + 0x1p-48) * (grown * radii_ + axis + Vec3{spare, spare, spare});
}

Vec3 GapMeasure::nearest_offset(const Corners& seen) const {
    if (is_box_) return offset_from_box(seen, {core_, sides_[0], sides_[1]});
    return core_ == Vec3{} ? nearest_on_triangle(seen) : offset_from_core(seen, core_);
}

GapAnswer GapMeasure::ask(const Vec3& centre, double skin, double reach) const {
    GapAnswer answer;
    answer.least_gap = reach;
    const Vec3 half = box_half(reach, centre);
    const double limit = 1.0 + skin / least_radius_;
    const auto take = [&](std::uint32_t face, double gap, const Vec3& nearest) {
        if (!(gap < answer.least_gap)) return;
        answer.least_gap = gap;
        answer.face = face;
        const Vec3 outward = divided(-nearest, radii_);
        answer.normal = (1.0 / norm(outward)) * outward;
    };
    for_each_near(centre - half, centre + half, [&](std::uint32_t face) {
        const Corners seen = seen_from(triangles_[face], centre, radii_);
        const Vec3 nearest = nearest_offset(seen);
        // limit carries two rounding errors.
        if (distance_lower(seen, nearest, core_, sides_) >= limit * (1.0 + 0x1p-50)) {
            take(face, (norm(nearest) - 1.0) * least_radius_, nearest);
            return;
        }
        const ScaledDistance exact =
            compare_exactly(triangles_[face], radii_, centre, skin, half_axis_, side_axes_);
        take(face, (exact.distance - 1.0) * least_radius_, nearest);
        if (!exact.is_less) return;
        answer.keeps_skin = false;
        const ScaledDistance touching =
            compare_exactly(triangles_[face], radii_, centre, 0.0, half_axis_, side_axes_);
        answer.depth = std::max(answer.depth, touching.short_of * least_radius_);
    });
    return answer;
}

std::optional<Vec3> GapMeasure::support_normal(const Vec3& centre, double reach) const {
    std::optional<Vec3> best;
    const Vec3 half = box_half(reach, centre);
    for_each_near(centre - half, centre + half, [&](std::uint32_t face) {
        const Vec3 nearest = nearest_offset(seen_from(triangles_[face], centre, radii_));
        const double distance = norm(nearest);
        if (!(distance > 0.0) || !((distance - 1.0) * least_radius_ <= reach)) return;
        const Vec3 outward = divided(-nearest, radii_);
        const Vec3 normal = (1.0 / norm(outward)) * outward;
        if (!best || normal.y > best->y) best = normal;
    });
    return best;
}

bool GapMeasure::is_path_clear(const Vec3& from, const Vec3& to, double gap) const {
    const double limit = 1.0 + gap / least_radius_ - 1e-9;
    const Vec3 half = box_half(gap, from);
    const Vec3 path = divided(to - from, radii_);
    bool is_clear = true;
    const Vec3 low{std::min(from.x, to.x), std::min(from.y, to.y), std::min(from.z, to.z)};
    const Vec3 high{std::max(from.x, to.x), std::max(from.y, to.y), std::max(from.z, to.z)};
    for_each_near(low - half, high + half, [&](std::uint32_t face) {
        if (!is_clear) return;
        const Corners seen = seen_from(triangles_[face], from, radii_);
        if (is_box_) {
            for_each_box_sum_face(seen, {core_, sides_[0], sides_[1]}, [&](const Corners& side) {
                is_clear = is_clear && distance_on_path(side, path) >= limit;
            });
            return;
        }
        if (core_ == Vec3{}) {
            is_clear = distance_on_path(seen, path) >= limit;
            return;
        }
        for (const Corners& side : sum_faces(seen, core_))
            is_clear = is_clear && distance_on_path(side, path) >= limit;
    });
    return is_clear;
}

bool GapMeasure::is_between(const Vec3& from, const Vec3& to, std::size_t count) const {
    return std::any_of(triangles_.begin(), triangles_.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](const Corners& t) {
                           return does_cross({t[0] - from, t[1] - from, t[2] - from}, to - from);
                       });
}

}  // namespace graze::verify
