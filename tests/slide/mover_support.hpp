// Small levels for the movers, and how near a place is to them, in arithmetic of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "graze/slide/level.hpp"
#include "graze/slide/mover.hpp"

namespace graze::slide::test {

struct Soup {
    std::vector<Vec3> positions;
    std::vector<std::array<std::uint32_t, 3>> faces;

    void triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
        const auto first = static_cast<std::uint32_t>(positions.size());
        positions.insert(positions.end(), {a, b, c});
        faces.push_back({first, first + 1, first + 2});
    }
    void quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        triangle(a, b, c);
        triangle(a, c, d);
    }
    // All points p become rotation about z by `angle`, times scale, plus offset.
    void transform(double angle, double scale, const Vec3& offset) {
        for (Vec3& p : positions) {
            const Vec3 q{std::cos(angle) * p.x - std::sin(angle) * p.y,
                         std::sin(angle) * p.x + std::cos(angle) * p.y, p.z};
            p = scale * q + offset;
        }
    }
    template <class Real>
    [[nodiscard]] Level<Real> level() const {
        std::vector<Vec<Real>> points;
        for (const Vec3& p : positions)
            points.push_back(narrowed<Real>(p));
        Level<Real> result;
        if (!result.add_part(points, faces)) std::abort();
        return result;
    }
};

// Ground in the plane y = 0: squares of side `step` from -half to half.
inline Soup flat_grid(double half, double step) {
    Soup soup;
    const int count = static_cast<int>(std::lround(2.0 * half / step));
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
            const double x = -half + i * step;
            const double z = -half + j * step;
            soup.quad({x, 0, z}, {x, 0, z + step}, {x + step, 0, z + step}, {x + step, 0, z});
        }
    return soup;
}

// A plane through `point`, of four triangles' size `half`, facing `normal`.
inline void add_plane(Soup& soup, const Vec3& point, const Vec3& normal, double half) {
    const Vec3 helper = std::fabs(normal.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{1, 0, 0};
    Vec3 u = cross(helper, normal);
    u = (half / norm(u)) * u;
    Vec3 v = cross(normal, u);
    v = (half / norm(v)) * v;
    soup.quad(point - u - v, point + u - v, point + u + v, point - u + v);
}

using Wide = std::array<long double, 3>;

inline Wide minus(const Wide& a, const Wide& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline long double times(const Wide& a, const Wide& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline long double distance_to_segment(const Wide& p, const Wide& a, const Wide& b) {
    const Wide ab = minus(b, a);
    const Wide ap = minus(p, a);
    const long double length = times(ab, ab);
    const long double t = length > 0 ? std::clamp(times(ap, ab) / length, 0.0L, 1.0L) : 0.0L;
    const Wide rest{ap[0] - t * ab[0], ap[1] - t * ab[1], ap[2] - t * ab[2]};
    return std::sqrt(times(rest, rest));
}

inline long double distance_to_triangle(const Wide& p, const std::array<Wide, 3>& c) {
    const Wide e0 = minus(c[1], c[0]);
    const Wide e1 = minus(c[2], c[0]);
    const Wide n{e0[1] * e1[2] - e0[2] * e1[1], e0[2] * e1[0] - e0[0] * e1[2],
                 e0[0] * e1[1] - e0[1] * e1[0]};
    const long double area = times(n, n);
    long double best =
        std::min({distance_to_segment(p, c[0], c[1]), distance_to_segment(p, c[1], c[2]),
                  distance_to_segment(p, c[2], c[0])});
    if (!(area > 0)) return best;
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
        const Wide edge = minus(c[(k + 1) % 3], c[k]);
        const Wide way = minus(p, c[k]);
        const Wide side{edge[1] * way[2] - edge[2] * way[1], edge[2] * way[0] - edge[0] * way[2],
                        edge[0] * way[1] - edge[1] * way[0]};
        inside = inside && times(side, n) >= 0;
    }
    if (inside) best = std::min(best, std::fabs(times(minus(p, c[0]), n)) / std::sqrt(area));
    return best;
}

// In skins of 1 and radii: the smallest distance of the shape's centre from the level in the space
// where the shape is a ball of its smallest radius, less that radius. Long double: 11 bits more.
template <class Real>
long double reference_gap(const Level<Real>& level, const Shape<Real>& shape,
                          const Vec<Real>& centre) {
    const long double smallest = std::min({shape.radii.x, shape.radii.y, shape.radii.z});
    const auto scaled = [&](const Vec<Real>& p) {
        return Wide{(static_cast<long double>(p.x) - centre.x) * smallest / shape.radii.x,
                    (static_cast<long double>(p.y) - centre.y) * smallest / shape.radii.y,
                    (static_cast<long double>(p.z) - centre.z) * smallest / shape.radii.z};
    };
    long double best = HUGE_VALL;
    for (std::uint32_t part = 0; part < level.part_count(); ++part)
        for (std::uint32_t face = 0; face < level.face_count(part); ++face) {
            const auto t = level.triangle(part, face);
            best = std::min(
                best, distance_to_triangle({0, 0, 0}, {scaled(t[0]), scaled(t[1]), scaled(t[2])}));
        }
    return best - smallest;
}

class Random {
public:
    explicit Random(std::uint64_t seed) : bits_(seed) {}
    double between(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(bits_);
    }
    Vec3 direction() {
        for (;;) {
            const Vec3 v{between(-1, 1), between(-1, 1), between(-1, 1)};
            const double size = norm(v);
            if (size > 0.1 && size < 1.0) return (1.0 / size) * v;
        }
    }

private:
    std::mt19937_64 bits_;
};

// Small triangles of any direction in a box.
inline Soup random_soup(Random& random, int count, double half, double size) {
    Soup soup;
    for (int i = 0; i < count; ++i) {
        const Vec3 middle{random.between(-half, half), random.between(-half, half),
                          random.between(-half, half)};
        soup.triangle(middle + size * random.direction(), middle + size * random.direction(),
                      middle + size * random.direction());
    }
    return soup;
}

}  // namespace graze::slide::test
