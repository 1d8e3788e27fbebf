#include "graze/baselines/min_separation_cubic.hpp"

#include <algorithm>
#include <optional>

#include "baselines/polynomial_solver.hpp"
#include "baselines/time_polynomials.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/core/vec3.hpp"

namespace graze {
namespace {

using baselines::along_normal;
using baselines::between;
using baselines::point_line;
using baselines::point_point;
using baselines::roots_in_unit_interval;

Vec3 at(const MovingPoint& point, double t) noexcept {
    return point.start + t * (point.end - point.start);
}

double distance_sq(const Vec3& p, const Vec3& a, const Vec3& b) noexcept {
    const Vec3 ab = b - a;
    const double length_sq = norm_sq(ab);
    const double u = length_sq > 0.0 ? std::clamp(dot(p - a, ab) / length_sq, 0.0, 1.0) : 0.0;
    return norm_sq(p - (a + u * ab));
}

// Where the foot of the perpendicular lies in the triangle, its distance; otherwise that of the
// nearest edge. A triangle without area has edges only.
double distance_sq(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
    const Vec3 n = cross(b - a, c - a);
    const double area_sq = norm_sq(n);
    const double along_a = dot(cross(c - b, p - b), n);
    const double along_b = dot(cross(a - c, p - c), n);
    const double along_c = dot(cross(b - a, p - a), n);
    if (area_sq > 0.0 && along_a >= 0.0 && along_b >= 0.0 && along_c >= 0.0) {
        const double height = dot(p - a, n);
        return height * height / area_sq;
    }
    return std::min({distance_sq(p, a, b), distance_sq(p, b, c), distance_sq(p, c, a)});
}

// Two segments: the perpendicular where its feet lie in both, otherwise the nearest corner. (The
// published code takes edges shorter than 1e-4 for points.)
double distance_sq_of_segments(const Vec3& a, const Vec3& b, const Vec3& c,
                               const Vec3& d) noexcept {
    const Vec3 e = b - a;
    const Vec3 g = d - c;
    const Vec3 r = c - a;
    const Vec3 n = cross(e, g);
    const double n_sq = norm_sq(n);
    const double u = dot(cross(r, g), n);
    const double v = dot(cross(r, e), n);
    if (n_sq > 0.0 && u >= 0.0 && u <= n_sq && v >= 0.0 && v <= n_sq) {
        const double height = dot(r, n);
        return height * height / n_sq;
    }
    return std::min(
        {distance_sq(a, c, d), distance_sq(b, c, d), distance_sq(c, a, b), distance_sq(d, a, b)});
}

double distance_sq_at(const VertexFaceMotion& m, double t) noexcept {
    return distance_sq(at(m.vertex, t), at(m.face[0], t), at(m.face[1], t), at(m.face[2], t));
}
double distance_sq_at(const EdgeEdgeMotion& m, double t) noexcept {
    return distance_sq_of_segments(at(m.edge_a[0], t), at(m.edge_a[1], t), at(m.edge_b[0], t),
                                   at(m.edge_b[1], t));
}
double distance_sq_at(const VertexVertexMotion& m, double t) noexcept {
    return norm_sq(at(m.a, t) - at(m.b, t));
}
double distance_sq_at(const VertexEdgeMotion& m, double t) noexcept {
    return distance_sq(at(m.vertex, t), at(m.edge[0], t), at(m.edge[1], t));
}

// The first candidate that counts so far, for one motion.
template <class Motion>
class Search {
public:
    Search(const Motion& motion, const MinSeparationCubicOptions& options) noexcept
        : motion_(motion),
          d_sq_(options.min_separation * options.min_separation),
          largest_sq_(options.slack == SeparationSlack::Published
                          ? d_sq_ + 0.1 * options.min_separation
                          : d_sq_ + 0.1 * d_sq_),
          t_max_(options.t_max) {}

    [[nodiscard]] double d_sq() const noexcept { return d_sq_; }

    // The roots come in ascending order: the first that counts is the polynomial's own answer, and
    // one that is later than what is known already cannot matter.
    template <std::size_t n>
    void roots_of(const std::array<double, n>& polynomial) noexcept {
        for (const double c : polynomial)
            finite_ = finite_ && is_finite(c);
        for (const double t : roots_in_unit_interval(polynomial)) {
            if (!(t <= t_max_) || !(t < first_) || consider(t)) return;
        }
    }
    void corner(const MovingPoint& p, const MovingPoint& x) noexcept {
        roots_of(point_point(between(x, p), d_sq_));
    }
    void edge(const MovingPoint& p, const MovingPoint& x, const MovingPoint& y) noexcept {
        roots_of(point_line(between(x, p), between(x, y), d_sq_));
    }

    bool consider(double t) noexcept {
        if (!(distance_sq_at(motion_, t) <= largest_sq_)) return false;
        first_ = t;
        return true;
    }

    [[nodiscard]] MinSeparationCubicAnswer answer() const noexcept {
        if (first_ < kInfinity) return {Verdict::Contact, first_};
        return {finite_ ? Verdict::Separated : Verdict::Unresolved, kInfinity};
    }

private:
    const Motion& motion_;
    double d_sq_;
    double largest_sq_;
    double t_max_;
    double first_ = kInfinity;
    bool finite_ = true;
};

void collect(Search<VertexFaceMotion>& search, const VertexFaceMotion& m,
             const MinSeparationCubicOptions&) noexcept {
    const auto& [a, b, c] = m.face;
    search.roots_of(
        along_normal(between(a, m.vertex), cross(between(a, b), between(a, c)), search.d_sq()));
    search.edge(m.vertex, a, b);
    search.edge(m.vertex, b, c);
    search.edge(m.vertex, c, a);
    for (const MovingPoint& corner : m.face)
        search.corner(m.vertex, corner);
}
void collect(Search<EdgeEdgeMotion>& search, const EdgeEdgeMotion& m,
             const MinSeparationCubicOptions& options) noexcept {
    const auto& [a, b] = m.edge_a;
    const auto& [c, d] = m.edge_b;
    search.roots_of(
        along_normal(between(a, d), cross(between(a, b), between(c, d)), search.d_sq()));
    if (!options.looks_at_edge_corners) return;
    for (const MovingPoint& corner : m.edge_a) {
        search.edge(corner, c, d);
        search.corner(corner, c);
        search.corner(corner, d);
    }
    for (const MovingPoint& corner : m.edge_b)
        search.edge(corner, a, b);
}
void collect(Search<VertexVertexMotion>& search, const VertexVertexMotion& m,
             const MinSeparationCubicOptions&) noexcept {
    search.corner(m.a, m.b);
}
void collect(Search<VertexEdgeMotion>& search, const VertexEdgeMotion& m,
             const MinSeparationCubicOptions&) noexcept {
    search.edge(m.vertex, m.edge[0], m.edge[1]);
    search.corner(m.vertex, m.edge[0]);
    search.corner(m.vertex, m.edge[1]);
}

template <class Motion>
MinSeparationCubicAnswer answer(const Motion& motion,
                                const MinSeparationCubicOptions& options) noexcept {
    const bool valid = options.min_separation > 0.0 && is_finite(options.min_separation) &&
                       options.t_max >= 0.0 && options.t_max <= 1.0;
    if (!valid || !is_finite_motion(motion)) return {};
    Search<Motion> search(motion, options);
    if (!options.looks_at_start || !search.consider(0.0)) collect(search, motion, options);
    return search.answer();
}

template <class Motion>
CcdResult query(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    const double d = options.min_separation > 0.0 ? options.min_separation : kDefaultMinSeparation;
    const Verdict verdict = answer(motion, {.min_separation = d, .t_max = options.t_max}).verdict;
    if (verdict == Verdict::Separated) return separated(1);
    return {.verdict = verdict, .checks = 1};
}

}  // namespace

template <QueryMotion Motion>
MinSeparationCubicAnswer min_separation_cubic(const Motion& motion,
                                              const MinSeparationCubicOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return answer(motion, options); },
                                 []() noexcept { return MinSeparationCubicAnswer{}; });
}
template MinSeparationCubicAnswer min_separation_cubic(const VertexFaceMotion&,
                                                       const MinSeparationCubicOptions&) noexcept;
template MinSeparationCubicAnswer min_separation_cubic(const EdgeEdgeMotion&,
                                                       const MinSeparationCubicOptions&) noexcept;
template MinSeparationCubicAnswer min_separation_cubic(const VertexVertexMotion&,
                                                       const MinSeparationCubicOptions&) noexcept;
template MinSeparationCubicAnswer min_separation_cubic(const VertexEdgeMotion&,
                                                       const MinSeparationCubicOptions&) noexcept;

Method make_min_separation_cubic() noexcept {
    return {.name = "min-separation-cubic",
            .summary = "roots of squared distance = d^2 (1e-8 without a separation); not safe",
            .guarantee = {.min_separation_euclidean = true},
            .vertex_face = {query<VertexFaceMotion>},
            .edge_edge = {query<EdgeEdgeMotion>},
            .vertex_vertex = {query<VertexVertexMotion>},
            .vertex_edge = {query<VertexEdgeMotion>}};
}

}  // namespace graze
