// The triangles near a shape, in its frame, ready for tests: a list of fixed size.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "graze/core/vec3.hpp"

namespace graze::slide {

inline constexpr std::size_t kMaxNear = 1024;

// u = 2^-53. Each sum of products below has an error of at most 16 u times the sum of the products'
// magnitudes, errors of the local coordinates included (docs/derivations/slide_sweep.md, SS-2).
inline constexpr double kSumError = 0x1p-49;

struct NearFace {
    std::uint32_t part = 0;
    std::uint32_t face = 0;
    std::uint32_t tag = 0;
    bool one_sided = false;
    // Of a round obstacle: the half axes, in the frame, of the ellipsoid around each of its points.
    // Only as long as the face is added.
    const Vec3* round = nullptr;
};

// A triangle in the frame. Plain arrays without initial values: a list of them costs nothing.
//
// Its plane is found when it is first asked for: of the triangles that are gathered most are
// rejected by their boxes, or by the plane of another one. A list belongs to one query on one
// thread.
struct NearTriangle {
    double vertex[3][3];
    double bounds[6];  // of the vertices, errors included: the lower ones, and minus the upper ones
    std::uint32_t part;
    std::uint32_t face;
    std::uint32_t tag;
    bool is_round;    // the obstacle is the sum of the triangle and an ellipsoid (SS-10),
    double round[3];  // with these half axes, rounded up; bounds and planes hold the sum

    struct Plane {
        double normal[3];  // at most one unit long; zero where there is no area to speak of
        double lower;      // of normal . vertex, errors and what is round included
        double upper;
        bool thin;
    };
    [[nodiscard]] bool has_plane() const noexcept { return has_plane_; }
    [[nodiscard]] const Plane& plane() const noexcept {
        if (!has_plane_) find_plane();
        return plane_;
    }
    [[nodiscard]] bool thin() const noexcept { return plane().thin; }

    // Is that ellipsoid a ball? Requires: is_round.
    [[nodiscard]] bool has_ball() const noexcept {
        return round[0] == round[1] && round[1] == round[2];
    }
    [[nodiscard]] Vec3 vertex_at(std::size_t k) const noexcept {
        return {vertex[k][0], vertex[k][1], vertex[k][2]};
    }
    [[nodiscard]] Vec3 normal_vector() const noexcept {
        const Plane& p = plane();
        return {p.normal[0], p.normal[1], p.normal[2]};
    }
    [[nodiscard]] double lower(std::size_t axis) const noexcept { return bounds[axis]; }
    [[nodiscard]] double upper(std::size_t axis) const noexcept { return -bounds[3 + axis]; }
    // The largest magnitude of a vertex's coordinate on each axis.
    [[nodiscard]] Vec3 largest() const noexcept {
        return {std::max(-bounds[0], -bounds[3]), std::max(-bounds[1], -bounds[4]),
                std::max(-bounds[2], -bounds[5])};
    }

    // How far the point is behind the plane of the triangle, at least: below all of its vertices along
    // a normal of at most one unit (SS-5). Not positive, or not a number, where that is not proved.
    [[nodiscard]] double depth_of(const Vec3& point) const noexcept;

    // The vertices and their bounds, which are widened by the 3.01 u of a local coordinate (2^-50 =
    // 8 u): the cheap tests of list_sweep.hpp are proofs. The rest is not set.
    [[gnu::always_inline]] void set_vertices(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
        has_plane_ = is_round = false;
        set_axis(0, a.x, b.x, c.x);
        set_axis(1, a.y, b.y, c.y);
        set_axis(2, a.z, b.z, c.z);
    }
    // The other half of set_near(), after set_vertices(). False: it is one-sided, and the centre is
    // provably behind it, by more than `margin`.
    [[nodiscard]] bool set_face(const NearFace& from, const Vec3& centre = {},
                                double margin = 0.0) noexcept {
        part = from.part;
        face = from.face;
        tag = from.tag;
        if (from.one_sided && depth_of(centre) > margin) [[unlikely]]
            return false;
        if (from.round != nullptr) [[unlikely]]
            make_round(*from.round);
        return true;
    }

    // The square of how far the bounds, grown by `more` on each side, are from the range of a point:
    // seven rounding errors at most, all of them relative. Where a number is none, an axis counts
    // for nothing, or the result is none.
#if defined(__SSE2__)
    [[nodiscard, gnu::always_inline]] double box_distance_sq(const Vec3& lowest,
                                                             const Vec3& highest,
                                                             const Vec3& more = {}) const noexcept {
        const __m128d below = _mm_sub_pd(_mm_loadu_pd(bounds), _mm_loadu_pd(&highest.x));
        const __m128d above = _mm_add_pd(_mm_loadu_pd(&lowest.x), _mm_loadu_pd(bounds + 3));
        const __m128d xy = _mm_max_pd(_mm_sub_pd(_mm_max_pd(below, above), _mm_loadu_pd(&more.x)),
                                      _mm_setzero_pd());
        const __m128d squares = _mm_mul_pd(xy, xy);
        const double z = outside(2, lowest.z, highest.z, more.z);
        return _mm_cvtsd_f64(_mm_add_sd(squares, _mm_unpackhi_pd(squares, squares))) + z * z;
    }
    // Two axes of set_vertices(), and the third.
    [[gnu::always_inline]] void set_xy(__m128d a, __m128d b, __m128d c) noexcept {
        const __m128d sign = _mm_set1_pd(-0.0);
        const __m128d lowest = _mm_min_pd(c, _mm_min_pd(b, a));
        const __m128d highest = _mm_xor_pd(_mm_max_pd(c, _mm_max_pd(b, a)), sign);  // negated
        const __m128d size = _mm_max_pd(_mm_xor_pd(lowest, sign), _mm_xor_pd(highest, sign));
        const __m128d error = _mm_mul_pd(_mm_set1_pd(0x1p-50), size);
        _mm_storeu_pd(vertex[0], a);
        _mm_storeu_pd(vertex[1], b);
        _mm_storeu_pd(vertex[2], c);
        _mm_storeu_pd(bounds, _mm_sub_pd(lowest, error));
        _mm_storeu_pd(bounds + 3, _mm_sub_pd(highest, error));
    }
    [[gnu::always_inline]] void set_z(double a, double b, double c) noexcept {
        has_plane_ = is_round = false;
        set_axis(2, a, b, c);
    }
#else
    [[nodiscard]] double box_distance_sq(const Vec3& lowest, const Vec3& highest,
                                         const Vec3& more = {}) const noexcept {
        const double x = outside(0, lowest.x, highest.x, more.x);
        const double y = outside(1, lowest.y, highest.y, more.y);
        const double z = outside(2, lowest.z, highest.z, more.z);
        return x * x + y * y + z * z;
    }
#endif

private:
    [[gnu::always_inline]] void set_axis(std::size_t axis, double a, double b, double c) noexcept {
        const double lowest = std::min(std::min(a, b), c);
        const double highest = std::max(std::max(a, b), c);
        const double error = 0x1p-50 * std::max(-lowest, highest);
        vertex[0][axis] = a;
        vertex[1][axis] = b;
        vertex[2][axis] = c;
        bounds[axis] = lowest - error;
        bounds[3 + axis] = -highest - error;
    }
    [[nodiscard, gnu::always_inline]] double outside(std::size_t axis, double lowest,
                                                     double highest, double more) const noexcept {
        return std::max(std::max(bounds[axis] - highest, lowest + bounds[3 + axis]) - more, 0.0);
    }
    [[gnu::noinline]] void find_plane() const noexcept;
    [[gnu::noinline]] void make_round(const Vec3& half_axes) noexcept;

    mutable bool has_plane_;
    mutable Plane plane_;
};

struct NearList {
    std::uint32_t count;
    NearTriangle triangle[kMaxNear];
};

// Some triangles of a list.
struct NearSpan {
    const NearTriangle* triangle = nullptr;
    std::size_t count = 0;
    bool is_kept = true;  // they stay where they are until others are gathered

    NearSpan(const NearTriangle* first, std::size_t number, bool stays) noexcept
        : triangle(first), count(number), is_kept(stays) {}
    NearSpan(const NearList& list) noexcept  // NOLINT(google-explicit-constructor)
        : triangle(list.triangle), count(list.count) {}
};

// Makes a triangle ready for tests. False: it is one-sided, and the origin is provably behind it.
[[nodiscard]] bool set_near(NearTriangle& t, const std::array<Vec3, 3>& vertices,
                            const NearFace& face) noexcept;

// Puts a triangle into the list, unless it is one-sided and the origin is provably behind it.
// Requires: count < kMaxNear.
void add_near(NearList& list, const std::array<Vec3, 3>& vertices, const NearFace& face) noexcept;

}  // namespace graze::slide
