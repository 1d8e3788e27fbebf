#include "rigid/convex/simplex.hpp"

#include "graze/core/norm_bounds.hpp"

namespace graze::rigid::detail {

namespace {

[[nodiscard]] Vec3 difference_of(const PairFrame& f, const Vec3& on_a, const Vec3& on_b) noexcept {
    return f.offset + (linear_times(f.b.linear, on_b) - linear_times(f.a.linear, on_a));
}

// The difference that is extreme in the direction m.
[[nodiscard]] SimplexPoint extreme(const MovingShape& a, const MovingShape& b, const PairFrame& f,
                                   const Vec3& m) noexcept {
    SimplexPoint point;
    point.on_a = a.support(transposed_linear_times(f.a.linear, -m));
    point.on_b = b.support(transposed_linear_times(f.b.linear, m));
    point.difference = difference_of(f, point.on_a, point.on_b);
    return point;
}

// Which points of a simplex are needed for the nearest point to the origin, with their weights.
struct Needed {
    std::array<std::size_t, 4> which{};
    std::array<double, 4> weights{};
    std::size_t size = 0;
};
[[nodiscard]] Needed one(std::size_t i) noexcept {
    return {{i}, {1.0}, 1};
}

// Indices ascend, so that which[i] >= i: no point is overwritten before it is read.
void keep(Simplex& s, const Needed& needed) noexcept {
    for (std::size_t i = 0; i < needed.size; ++i)
        if (needed.which[i] != i) s.points[i] = s.points[needed.which[i]];
    s.weights = needed.weights;
    s.size = needed.size;
}
[[nodiscard]] Vec3 nearest_of(const Simplex& s, const Needed& needed) noexcept {
    Vec3 sum;
    for (std::size_t i = 0; i < needed.size; ++i)
        sum += needed.weights[i] * s.points[needed.which[i]].difference;
    return sum;
}

// Weights of the point nearest to the origin, of the vertices that are needed.
[[nodiscard]] Needed nearest_on_segment(const Simplex& s, std::size_t i, std::size_t j) noexcept {
    const Vec3& p = s.points[i].difference;
    const Vec3& q = s.points[j].difference;
    const Vec3 e = q - p;
    const double along = -dot(p, e);
    const double length_sq = norm_sq(e);
    if (!(along > 0.0)) return one(i);
    if (along >= length_sq) return one(j);
    const double t = along / length_sq;
    return {{i, j}, {1.0 - t, t}, 2};
}

[[nodiscard]] Needed nearest_on_triangle(const Simplex& s, std::size_t i, std::size_t j,
                                         std::size_t k) noexcept {
    const Vec3& a = s.points[i].difference;
    const Vec3& b = s.points[j].difference;
    const Vec3& c = s.points[k].difference;
    const Vec3 ab = b - a;
    const Vec3 ac = c - a;
    const double d1 = -dot(ab, a);
    const double d2 = -dot(ac, a);
    if (d1 <= 0.0 && d2 <= 0.0) return one(i);
    const double d3 = -dot(ab, b);
    const double d4 = -dot(ac, b);
    if (d3 >= 0.0 && d4 <= d3) return one(j);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return nearest_on_segment(s, i, j);
    const double d5 = -dot(ab, c);
    const double d6 = -dot(ac, c);
    if (d6 >= 0.0 && d5 <= d6) return one(k);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return nearest_on_segment(s, i, k);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && (d4 - d3) >= 0.0 && (d5 - d6) >= 0.0) return nearest_on_segment(s, j, k);
    const double sum = va + vb + vc;
    if (!(sum > 0.0)) return nearest_on_segment(s, i, j);
    return {{i, j, k}, {va / sum, vb / sum, vc / sum}, 3};
}

[[nodiscard]] double determinant(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
    return dot(a, cross(b, c));
}

// The best of the faces that the origin is beyond; all four vertices where it is beyond none.
void reduce_tetrahedron(Simplex& s) noexcept {
    const std::array<Vec3, 4> p = {s.points[0].difference, s.points[1].difference,
                                   s.points[2].difference, s.points[3].difference};
    constexpr std::array<std::array<std::size_t, 4>, 4> kFaces = {
        {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
    Needed best;
    double best_sq = graze::detail::kInfinite;
    bool is_inside = true;
    for (const auto& [i, j, k, apex] : kFaces) {
        const Vec3 normal = cross(p[j] - p[i], p[k] - p[i]);
        const double to_origin = -dot(normal, p[i]);
        const double to_apex = dot(normal, p[apex] - p[i]);
        if ((to_origin > 0.0 && to_apex > 0.0) || (to_origin < 0.0 && to_apex < 0.0)) continue;
        is_inside = false;
        const Needed face = nearest_on_triangle(s, i, j, k);
        const double distance_sq = norm_sq(nearest_of(s, face));
        if (distance_sq < best_sq) {
            best_sq = distance_sq;
            best = face;
        }
    }
    if (!is_inside) keep(s, best);  // of size 0 where numbers have overflowed
}

void reduce(Simplex& s) noexcept {
    if (s.size == 1) s.weights[0] = 1.0;
    if (s.size == 2) return keep(s, nearest_on_segment(s, 0, 1));
    if (s.size == 3) return keep(s, nearest_on_triangle(s, 0, 1, 2));
    if (s.size == 4) reduce_tetrahedron(s);
}

[[nodiscard]] bool holds(const Simplex& s, const Vec3& difference) noexcept {
    for (std::size_t i = 0; i < s.size; ++i)
        if (s.points[i].difference == difference) return true;
    return false;
}

// --- Overlap (RC-4) ------------------------------------------------------------------------------

// The sign of the determinant of three differences, each off by `error`: 0 where it is not certain.
struct CertainSign {
    double error;

    [[nodiscard]] int operator()(const Vec3& a, const Vec3& b, const Vec3& c) const noexcept {
        const double value = determinant(a, b, c);
        const double x = norm_one(a) + error;
        const double y = norm_one(b) + error;
        const double z = norm_one(c) + error;
        const double doubt =
            (error * (x * y + y * z + z * x) + 0x1p-49 * (x * y * z)) * (1.0 + 0x1p-40) + 0x1p-1000;
        return value > doubt ? 1 : value < -doubt ? -1 : 0;
    }
};

using Differences = std::array<Vec3, 4>;

// Signs of the barycentric coordinates of the origin, up to a common one: face i is opposite to
// vertex i.
[[nodiscard]] std::array<int, 4> signs_of_faces(const CertainSign& sign,
                                                const Differences& p) noexcept {
    return {sign(p[1], p[2], p[3]), -sign(p[0], p[2], p[3]), sign(p[0], p[1], p[3]),
            -sign(p[0], p[1], p[2])};
}

// Both tetrahedra over the triangle p, q, r, one on each side of it: if the origin is certainly within
// the three other faces of each, it is in one of them, or in the triangle.
[[nodiscard]] bool between(const CertainSign& sign, const Vec3& p, const Vec3& q, const Vec3& r,
                           const Vec3& above, const Vec3& below) noexcept {
    const auto outer = [&](const Vec3& apex) {
        const int s = sign(p, q, apex);
        return s != 0 && sign(q, r, apex) == s && sign(r, p, apex) == s ? s : 0;
    };
    const int s = outer(above);
    return s != 0 && outer(below) == -s;
}

[[nodiscard]] bool holds_origin_about(const MovingShape& a, const MovingShape& b,
                                      const PairFrame& f, const Vec3& p, const Vec3& q,
                                      const Vec3& r) noexcept {
    const Vec3 normal = cross(q - p, r - p);
    if (!(norm_max(normal) > 0.0)) return false;
    const Vec3 above = extreme(a, b, f, normal).difference;
    const Vec3 below = extreme(a, b, f, -normal).difference;
    return between(CertainSign{f.error}, p, q, r, above, below);
}

// A segment through the origin, within rounding: the ring of four extreme differences across it.
[[nodiscard]] bool holds_origin_about(const MovingShape& a, const MovingShape& b,
                                      const PairFrame& f, const Vec3& p, const Vec3& q) noexcept {
    const Vec3 e = q - p;
    const Vec3 m = std::fabs(e.x) <= std::fabs(e.y) ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 first = cross(e, m);
    const Vec3 second = cross(e, first);
    if (!(norm_max(second) > 0.0)) return false;
    for (const Vec3& direction : {first, second, first + second, first - second}) {
        const Vec3 r = extreme(a, b, f, direction).difference;
        if (holds_origin_about(a, b, f, p, q, r)) return true;
    }
    return false;
}

// --- Features of boxes ---------------------------------------------------------------------------

// The two edges, of A or of B, across n: those of a face, or one of each body. Vertices of both boxes that
// are extreme along n differ by these alone.
class BoxFeatures {
public:
    BoxFeatures(const MovingShape& a, const MovingShape& b, const PairFrame& f,
                const Vec3& n) noexcept
        : a_(a.shape), b_(b.shape), f_(f) {
        m_a_ = transposed_linear_times(f.a.linear, n);
        m_b_ = transposed_linear_times(f.b.linear, -n);
        on_a_ = core_support(a_, m_a_);
        on_b_ = core_support(b_, m_b_);
        for (std::size_t i = 0; i < 3; ++i) {
            add_if_across(m_a_, i, true);
            add_if_across(m_b_, i, false);
        }
    }
    [[nodiscard]] bool are_two() const noexcept { return count_ == 2; }
    // With the other ends of these edges.
    [[nodiscard]] SimplexPoint corner(bool flips_first, bool flips_second) const noexcept {
        SimplexPoint point{on_a_, on_b_, {}};
        if (flips_first) flip(point, edges_[0]);
        if (flips_second) flip(point, edges_[1]);
        point.difference = difference_of(f_, point.on_a, point.on_b);
        return point;
    }

private:
    struct Edge {
        std::size_t axis;
        bool is_of_a;
    };
    void add_if_across(const Vec3& m, std::size_t i, bool is_of_a) noexcept {
        constexpr double kAcross =
            0x1p-30;  // of axes that were made to be across, some ulps are left
        if (!(std::fabs(m[i]) <= kAcross)) return;
        if (count_ < 2) edges_[count_] = {i, is_of_a};
        ++count_;
    }
    void flip(SimplexPoint& point, const Edge& edge) const noexcept {
        const ConvexShape& box = edge.is_of_a ? a_ : b_;
        const double m = (edge.is_of_a ? m_a_ : m_b_)[edge.axis];
        Vec3& vertex = edge.is_of_a ? point.on_a : point.on_b;
        vertex[edge.axis] = box.centre()[edge.axis] - std::copysign(box.size()[edge.axis], m);
    }

    const ConvexShape& a_;
    const ConvexShape& b_;
    const PairFrame& f_;
    Vec3 m_a_;
    Vec3 m_b_;
    Vec3 on_a_;
    Vec3 on_b_;
    std::array<Edge, 2> edges_{};
    std::size_t count_ = 0;
};

}  // namespace

Vec3 Simplex::nearest() const noexcept {
    Vec3 sum;
    for (std::size_t i = 0; i < size; ++i)
        sum += weights[i] * points[i].difference;
    return sum;
}

NearestDifference nearest_difference(const MovingShape& a, const MovingShape& b, const PairFrame& f,
                                     Simplex& simplex, double margin) noexcept {
    constexpr std::uint32_t kMostSteps = 32;
    constexpr double kLoose = 0x1p-10;
    const double enough = margin > 0.0 ? margin - 2.0 * f.error : 0.0;
    NearestDifference result;
    if (simplex.size == 0) {
        simplex.points[0] = extreme(a, b, f, -f.offset);
        simplex.size = 1;
    } else {
        for (std::size_t i = 0; i < simplex.size; ++i) {
            SimplexPoint& p = simplex.points[i];
            p.difference = difference_of(f, p.on_a, p.on_b);
        }
    }
    reduce(simplex);
    for (; result.steps < kMostSteps; ++result.steps) {
        if (simplex.size == 4) break;
        result.v = simplex.nearest();
        const double size_sq = norm_sq(result.v);
        if (!(size_sq > f.error * f.error)) break;
        const SimplexPoint next = extreme(a, b, f, -result.v);
        const double size = std::sqrt(size_sq);
        if (size < enough) return result;
        const double left = size - dot(result.v, next.difference) / size;
        if (left <= kLoose * (size - margin) || left <= 2.0 * f.error) return result;
        if (holds(simplex, next.difference)) return result;
        simplex.points[simplex.size++] = next;
        reduce(simplex);
    }
    if (result.steps == kMostSteps) return result;
    result.v = {};
    result.overlaps = true;
    return result;
}

void add_farthest(const MovingShape& a, const MovingShape& b, const PairFrame& f, const Vec3& n,
                  Simplex& simplex) noexcept {
    if (simplex.size == 4) return;
    simplex.weights[simplex.size] = 0.0;
    simplex.points[simplex.size++] = extreme(a, b, f, n);
}

bool certainly_meet(const MovingShape& a, const MovingShape& b, const PairFrame& f,
                    const Simplex& simplex, double within) noexcept {
    if (simplex.size == 0) return false;  // numbers have overflowed
    if (within > 0.0 && simplex.size < 4) {
        double size = 0.0;
        double sum = 0.0;
        double least_weight = 1.0;
        for (std::size_t i = 0; i < simplex.size; ++i) {
            size = std::max(size, norm_one(simplex.points[i].difference));
            sum += simplex.weights[i];
            least_weight = std::min(least_weight, simplex.weights[i]);
        }
        const bool is_convex = least_weight >= 0.0 && std::fabs(sum - 1.0) <= 0x1p-49;
        const double length = norm_upper(simplex.nearest());
        const double bound = (length + f.error + 0x1p-47 * size) * (1.0 + 0x1p-40);
        if (is_convex && bound <= within) return true;
    }
    const auto p = [&simplex](std::size_t i) { return simplex.points[i].difference; };
    if (simplex.size == 2) return holds_origin_about(a, b, f, p(0), p(1));
    if (simplex.size == 3) return holds_origin_about(a, b, f, p(0), p(1), p(2));
    if (simplex.size != 4) return false;
    const std::array<int, 4> signs = signs_of_faces(CertainSign{f.error}, {p(0), p(1), p(2), p(3)});
    const int sum = signs[0] + signs[1] + signs[2] + signs[3];
    if (sum == 4 || sum == -4) return true;
    for (std::size_t i = 0; i < 4; ++i) {
        if (signs[i] != 0) continue;
        if (holds_origin_about(a, b, f, p((i + 1) % 4), p((i + 2) % 4), p((i + 3) % 4)))
            return true;
    }
    return false;
}

// The parallelogram of differences p + s u + t v, and the half of it that is across the origin.
bool boxes_meet_along(const MovingShape& a, const MovingShape& b, const PairFrame& f, const Vec3& n,
                      Simplex& simplex) noexcept {
    const BoxFeatures features(a, b, f, n);
    if (!features.are_two()) return false;
    const SimplexPoint p = features.corner(false, false);
    const SimplexPoint along_u = features.corner(true, false);
    const SimplexPoint along_v = features.corner(false, true);
    const Vec3 u = along_u.difference - p.difference;
    const Vec3 v = along_v.difference - p.difference;
    const Vec3 w = cross(u, v);
    const double area_sq = norm_sq(w);
    const double s = determinant(w, v, p.difference) / area_sq;
    const double t = determinant(w, p.difference, u) / area_sq;
    if (!(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)) return false;
    const bool is_first_half = s + t <= 1.0;
    simplex.points[0] = is_first_half ? p : features.corner(true, true);
    simplex.points[1] = along_u;
    simplex.points[2] = along_v;
    simplex.points[3] = extreme(a, b, f, n);
    simplex.weights = is_first_half ? std::array<double, 4>{1.0 - s - t, s, t, 0.0}
                                    : std::array<double, 4>{s + t - 1.0, 1.0 - t, 1.0 - s, 0.0};
    simplex.size = 4;
    return certainly_meet(a, b, f, simplex, 0.0);
}

}  // namespace graze::rigid::detail
