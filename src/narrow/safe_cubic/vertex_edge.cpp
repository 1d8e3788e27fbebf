#include "narrow/safe_cubic/vertex_edge.hpp"

#include <array>

#include "narrow/safe_cubic/polynomial_roots.hpp"

namespace graze::safe_cubic {
namespace {

// Below this times B^2 the squared speed may have lost digits to underflow, and the speed is below
// 2^-400 B: the distance hardly changes in the step, and any time will do (SC-4).
constexpr double kStandsStill = 0x1p-800;

// NaN and what is outside are no times; 0 and 1 are candidates of their own.
bool is_time(double t) noexcept {
    return t >= 0.0 && t <= 1.0;
}

double without_small(double component, double rho) noexcept {
    return std::fabs(component) <= rho ? 0.0 : component;
}
Vector without_small(const Vector& a, double rho) noexcept {
    return {without_small(a.x, rho), without_small(a.y, rho), without_small(a.z, rho)};
}

// One test: tries candidates until one shows the vertex at the edge.
class Search {
public:
    Search(const Moving& vertex, const Moving& edge, double radius, const Tolerances& tolerances)
        : vertex_(vertex),
          edge_(edge),
          tolerances_(tolerances),
          line_distance_(tolerances.line_distance(radius)),
          crossing_(cross_quadratics(vertex, edge)) {
        crossing_.a = without_small(crossing_.a, tolerances.rho());
        crossing_.b = without_small(crossing_.b, tolerances.rho());
    }

    // Cases 1 to 4 of section 3.2.
    [[nodiscard]] bool run() noexcept {
        return is_at_edge(0.0) || is_at_edge(1.0) || components_of_equal_size() ||
               components_that_vanish() || minima_of_smooth_pieces();
    }
    [[nodiscard]] std::uint32_t candidates() const noexcept { return candidates_; }

private:
    // Is the edge long enough to tell, the vertex beside it, and F0ij(t) <= psi?
    bool is_at_edge(double t) noexcept {
        ++candidates_;
        const Vector p = vertex_.at(t);
        const Vector q = edge_.at(t);
        const double length_sq = dot(q, q);
        const double along = dot(p, q);
        if (!(length_sq >= tolerances_.lambda_sq() && along >= 0.0 && along <= length_sq))
            return false;
        const double off = sum_of_magnitudes(cross(p, q)) - line_distance_ * largest_magnitude(q);
        return off <= tolerances_.psi();
    }
    bool try_time(double t) noexcept { return is_time(t) && is_at_edge(t); }

    // Case 3: x = y and x = -y, for each two axes. A difference of velocities that vanishes has no
    // such time, or all: the quotient is then no time, and others take its place.
    bool equal_size(double x, double u, double y, double v) noexcept {
        return try_time(-(x - y) / (u - v)) || try_time(-(x + y) / (u + v));
    }
    bool components_of_equal_size() noexcept {
        const Vector& x = edge_.x;
        const Vector& v = edge_.v;
        return equal_size(x.x, v.x, x.y, v.y) || equal_size(x.x, v.x, x.z, v.z) ||
               equal_size(x.z, v.z, x.y, v.y);
    }

    // Case 4: a component of the cross product vanishes.
    bool vanishes(double a, double b, double c) noexcept {
        const RootList roots = quadratic_roots(a, b, c);
        for (int i = 0; i < roots.count; ++i) {
            if (is_at_edge(roots.values[static_cast<std::size_t>(i)])) return true;
        }
        return false;
    }
    bool components_that_vanish() noexcept {
        const auto& [a, b, c] = crossing_;
        return vanishes(a.x, b.x, c.x) || vanishes(a.y, b.y, c.y) || vanishes(a.z, b.z, c.z);
    }

    // Case 2: the vertices of +-X +- Y +- Z -+ S |component|, where X, Y, Z are the components of
    // the cross product. A pair of opposite signs has one vertex: 4 signs of (1, Y, Z) times 6
    // components with sign make the 24.
    bool minima_of_smooth_pieces() noexcept {
        for (const double sign_y : {1.0, -1.0}) {
            for (const double sign_z : {1.0, -1.0}) {
                const double a = crossing_.a.x + sign_y * crossing_.a.y + sign_z * crossing_.a.z;
                const double b = crossing_.b.x + sign_y * crossing_.b.y + sign_z * crossing_.b.z;
                if (minima_for(2.0 * a, b)) return true;
            }
        }
        return false;
    }
    bool minima_for(double twice_a, double b) noexcept {
        for (const double speed : {edge_.v.x, edge_.v.y, edge_.v.z}) {
            const double change = line_distance_ * speed;
            if (try_time(-(b - change) / twice_a) || try_time(-(b + change) / twice_a)) return true;
        }
        return false;
    }

    const Moving& vertex_;
    const Moving& edge_;
    const Tolerances& tolerances_;
    double line_distance_;
    CrossQuadratics<double> crossing_;
    std::uint32_t candidates_ = 0;
};

}  // namespace

bool vertices_meet(const Moving& between, double distance_sq,
                   const Tolerances& tolerances) noexcept {
    const double speed_sq = dot(between.v, between.v);
    const double nearest = -dot(between.x, between.v) / speed_sq;
    const double t =
        speed_sq >= kStandsStill * tolerances.b2 ? smaller(larger(nearest, 0.0), 1.0) : 0.0;
    const Vector gap = between.at(t);
    return !(dot(gap, gap) > distance_sq + tolerances.vertex_vertex());
}

VertexEdgeAnswer vertex_meets_edge(const Moving& vertex, const Moving& edge,
                                   const Moving& other_end, double radius,
                                   const Tolerances& tolerances) noexcept {
    Search search(vertex, edge, radius, tolerances);
    const double reach_sq = tolerances.reach_sq(radius);
    const bool meet = search.run() || vertices_meet(vertex, reach_sq, tolerances) ||
                      vertices_meet(other_end, reach_sq, tolerances);
    return {meet, search.candidates()};
}

}  // namespace graze::safe_cubic
