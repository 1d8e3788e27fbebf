// Triangles of a level brought into the frame: most of what gathering costs.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>

#include "graze/slide/precision.hpp"
#include "slide/frame.hpp"
#include "slide/near_list.hpp"

namespace graze::slide {

#if defined(__SSE2__)

namespace detail {

static_assert(sizeof(Vec<double>) == 3 * sizeof(double) && sizeof(Vec<float>) == 3 * sizeof(float));

[[nodiscard]] inline __m128d load_xy(const Vec<double>& v) noexcept {
    return _mm_loadu_pd(&v.x);
}
[[nodiscard]] inline __m128d load_xy(const Vec<float>& v) noexcept {
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&v.x))));
}

}  // namespace detail

// The same bits as Frame::local() and NearTriangle::set_vertices(), x and y at a time.
template <class Real>
[[gnu::always_inline]] inline void set_local(NearTriangle& t, const Frame& frame,
                                             const std::array<Vec<Real>, 3>& triangle) noexcept {
    const __m128d origin = detail::load_xy(frame.origin);
    const __m128d scale = detail::load_xy(frame.scale);
    const auto local_xy = [&](const Vec<Real>& v) {
        return _mm_mul_pd(_mm_sub_pd(detail::load_xy(v), origin), scale);
    };
    const auto local_z = [&](const Vec<Real>& v) {
        return (double{v.z} - frame.origin.z) * frame.scale.z;
    };
    t.set_xy(local_xy(triangle[0]), local_xy(triangle[1]), local_xy(triangle[2]));
    t.set_z(local_z(triangle[0]), local_z(triangle[1]), local_z(triangle[2]));
}

#else

template <class Real>
inline void set_local(NearTriangle& t, const Frame& frame,
                      const std::array<Vec<Real>, 3>& triangle) noexcept {
    t.set_vertices(frame.local(widened(triangle[0])), frame.local(widened(triangle[1])),
                   frame.local(widened(triangle[2])));
}

#endif

}  // namespace graze::slide
