// The four functions of libuipc and of ppf-contact-solver, on the host: positions, then displacements.
//
//   float toc = 1;      // in: the end of the search; out: the time until which the motion is free
//   if (point_triangle_ccd(p, t0, t1, t2, dp, dt0, dt1, dt2, eta, thickness, max_iter, toc)) ...
//
// A point moves as p + t dp, for the numbers as given, floats or doubles: where p + dp is no double, the difference
// counts as thickness.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "graze/adapters/conservative.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze::adapters {

namespace detail {

// a + b = sum + error, exactly (Knuth). Each step goes through memory, so that no flag of a compiler can
// simplify it.
struct ExactSum {
    double sum;
    double error;
};
[[nodiscard]] inline ExactSum exact_sum(double a, double b) noexcept {
    const volatile double va = a;
    const volatile double vb = b;
    const volatile double sum = va + vb;
    const volatile double b_part = sum - va;
    const volatile double a_part = sum - b_part;
    const volatile double a_error = va - a_part;
    const volatile double b_error = vb - b_part;
    const volatile double error = a_error + b_error;
    return {sum, error};
}

// Moving points from positions and displacements, and how far their ends are off.
class DisplacedPoints {
public:
    template <class V>
    [[nodiscard]] MovingPoint operator()(const V& position, const V& displacement) {
        const Vec3 p = to_vec3(position);
        const Vec3 d = to_vec3(displacement);
        MovingPoint point{p, {}};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const ExactSum s = exact_sum(p[axis], d[axis]);
            // Beyond the largest double: not finite, which is a hit at 0.
            const bool is_known = is_finite(s.sum) && is_finite(s.error);
            point.end[axis] = is_known ? s.sum : std::numeric_limits<double>::infinity();
            if (is_known) off_ += std::fabs(s.error);
        }
        return point;
    }
    // At least the thickness and all that ends are off: the distance of two primitives differs by no more than
    // their points do. A dozen numbers that are not negative are added with errors of less than 2^-48 of the sum.
    template <class T>
    [[nodiscard]] double with(T thickness) const noexcept {
        const double given = static_cast<double>(thickness);
        if (off_ == 0.0) return given;
        const double sum = given + off_ * (1.0 + 0x1p-40);
        return std::nextafter(sum, std::numeric_limits<double>::infinity());
    }

private:
    double off_ = 0.0;
};

// Not above x.
template <class T>
[[nodiscard]] T rounded_down(double x) noexcept {
    if constexpr (std::is_same_v<T, float>) {
        const volatile float nearest = static_cast<float>(x);
        return static_cast<double>(nearest) > x ? std::nextafter(nearest, 0.0F) : float{nearest};
    } else {
        return x;
    }
}

template <class T, QueryMotion Motion>
[[nodiscard]] bool displaced_answer(const Motion& motion, const DisplacedPoints& points, T eta,
                                    T thickness, int max_iter, T& toc) {
    ConservativeOptions options;
    options.min_distance = points.with(thickness);
    options.rescaling = 1.0 - static_cast<double>(eta);
    options.t_max = static_cast<double>(toc);
    // An iteration of theirs bounds the distance once; a check of ours is one direction at one time.
    if (max_iter > 0) options.max_checks = 32 * static_cast<std::uint64_t>(max_iter);
    const ConservativeResult result = conservative_ccd(motion, options);
    if (result.hit) toc = std::min(rounded_down<T>(result.toi), toc);
    return result.hit;
}

}  // namespace detail

// Each: true where the distance comes down to `thickness` and, of the distance beyond that at the start, less than
// the fraction `eta` in [0, 1) would be left at toc; then toc becomes the time until which that much is left. False
// leaves toc as it is: all of [0, toc] is farther than `thickness`, proved. toc is in [0, 1].
// Throws std::invalid_argument: a thickness that is negative or not finite, an eta not in [0, 1).
template <class T, class V>
[[nodiscard]] bool point_triangle_ccd(const V& p, const V& t0, const V& t1, const V& t2,
                                      const V& dp, const V& dt0, const V& dt1, const V& dt2,
                                      std::type_identity_t<T> eta,
                                      std::type_identity_t<T> thickness, int max_iter, T& toc) {
    const ScopedSoundFpEnvironment sound;
    detail::DisplacedPoints at;
    const VertexFaceMotion motion{at(p, dp), {at(t0, dt0), at(t1, dt1), at(t2, dt2)}};
    return detail::displaced_answer<T>(motion, at, eta, thickness, max_iter, toc);
}

template <class T, class V>
[[nodiscard]] bool edge_edge_ccd(const V& ea0, const V& ea1, const V& eb0, const V& eb1,
                                 const V& dea0, const V& dea1, const V& deb0, const V& deb1,
                                 std::type_identity_t<T> eta, std::type_identity_t<T> thickness,
                                 int max_iter, T& toc) {
    const ScopedSoundFpEnvironment sound;
    detail::DisplacedPoints at;
    const EdgeEdgeMotion motion{{at(ea0, dea0), at(ea1, dea1)}, {at(eb0, deb0), at(eb1, deb1)}};
    return detail::displaced_answer<T>(motion, at, eta, thickness, max_iter, toc);
}

template <class T, class V>
[[nodiscard]] bool point_edge_ccd(const V& p, const V& e0, const V& e1, const V& dp, const V& de0,
                                  const V& de1, std::type_identity_t<T> eta,
                                  std::type_identity_t<T> thickness, int max_iter, T& toc) {
    const ScopedSoundFpEnvironment sound;
    detail::DisplacedPoints at;
    const VertexEdgeMotion motion{at(p, dp), {at(e0, de0), at(e1, de1)}};
    return detail::displaced_answer<T>(motion, at, eta, thickness, max_iter, toc);
}

template <class T, class V>
[[nodiscard]] bool point_point_ccd(const V& p0, const V& p1, const V& dp0, const V& dp1,
                                   std::type_identity_t<T> eta, std::type_identity_t<T> thickness,
                                   int max_iter, T& toc) {
    const ScopedSoundFpEnvironment sound;
    detail::DisplacedPoints at;
    const VertexVertexMotion motion{at(p0, dp0), at(p1, dp1)};
    return detail::displaced_answer<T>(motion, at, eta, thickness, max_iter, toc);
}

}  // namespace graze::adapters
