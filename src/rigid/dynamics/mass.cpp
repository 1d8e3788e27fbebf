#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "graze/rigid/dynamics.hpp"

namespace graze::rigid {
namespace {

constexpr double kPi = std::numbers::pi;

[[nodiscard]] Matrix3 diagonal(double x, double y, double z) noexcept {
    return {Vec3{x, 0.0, 0.0}, Vec3{0.0, y, 0.0}, Vec3{0.0, 0.0, z}};
}

[[nodiscard]] MassProperties sphere_mass(double r, const Vec3& centre) noexcept {
    const double mass = 4.0 / 3.0 * kPi * r * r * r;
    const double i = 0.4 * mass * r * r;
    return {mass, centre, diagonal(i, i, i)};
}

[[nodiscard]] MassProperties box_mass(const Vec3& h, const Vec3& centre) noexcept {
    const double mass = 8.0 * h.x * h.y * h.z;
    return {mass, centre,
            diagonal(mass / 3.0 * (h.y * h.y + h.z * h.z), mass / 3.0 * (h.x * h.x + h.z * h.z),
                     mass / 3.0 * (h.x * h.x + h.y * h.y))};
}

// A body of revolution about `axis`, a unit vector: I = across (1 - a a^T) + along a a^T.
[[nodiscard]] Matrix3 about_axis(double along, double across, const Vec3& a) noexcept {
    Matrix3 inertia = diagonal(across, across, across);
    for (std::size_t i = 0; i < 3; ++i)
        inertia[i] = inertia[i] + ((along - across) * a[i]) * a;
    return inertia;
}

[[nodiscard]] MassProperties cylinder_mass(double r, double h, const Vec3& centre) noexcept {
    const double mass = 2.0 * kPi * r * r * h;
    const double across = mass * (0.25 * r * r + h * h / 3.0);
    return {mass, centre, diagonal(across, across, 0.5 * mass * r * r)};
}

// A cylinder of half height h and two half balls. A half ball about its own centre of mass, 3r/8 off the
// flat side: 83/320 m r^2 across.
[[nodiscard]] MassProperties capsule_mass(const Vec3& p, const Vec3& q, double r) noexcept {
    const Vec3 centre = 0.5 * (p + q);
    const Vec3 between = q - p;
    const double length = norm(between);
    if (!(length > 0.0)) return sphere_mass(r, centre);
    const double h = 0.5 * length;
    const double tube = 2.0 * kPi * r * r * h;
    const double balls = 4.0 / 3.0 * kPi * r * r * r;
    const double off = h + 0.375 * r;
    const double along = 0.5 * tube * r * r + 0.4 * balls * r * r;
    const double across =
        tube * (0.25 * r * r + h * h / 3.0) + balls * (83.0 / 320.0 * r * r + off * off);
    return {tube + balls, centre, about_axis(along, across, (1.0 / length) * between)};
}

// Sums over the tetrahedra of `reference` and each triangle: volume, first and second moments.
template <class Triangle>
[[nodiscard]] MassProperties solid_mass(std::span<const Vec3> points,
                                        std::span<const Triangle> triangles,
                                        const Vec3& reference) noexcept {
    double volume = 0.0;
    Vec3 first;
    Matrix3 second{};  // of x_i x_j
    for (const Triangle& t : triangles) {
        const std::array<Vec3, 3> v = {points[t[0]] - reference, points[t[1]] - reference,
                                       points[t[2]] - reference};
        const double six = dot(v[0], cross(v[1], v[2]));
        const Vec3 sum = v[0] + v[1] + v[2];
        volume += six / 6.0;
        first = first + (six / 24.0) * sum;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                const double own = v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j];
                second[i][j] += six / 120.0 * (own + sum[i] * sum[j]);
            }
    }
    MassProperties result;
    result.mass = volume;
    if (!(volume > 0.0)) return result;
    const Vec3 offset = (1.0 / volume) * first;
    result.centre = reference + offset;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            second[i][j] -= volume * offset[i] * offset[j];
    const double trace = second[0].x + second[1].y + second[2].z;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            result.inertia[i][j] = (i == j ? trace : 0.0) - second[i][j];
    return result;
}

[[nodiscard]] MassProperties scaled_mass(MassProperties unit, double density) noexcept {
    unit.mass *= density;
    for (Vec3& row : unit.inertia)
        row = density * row;
    return unit;
}

[[nodiscard]] MassProperties hull_mass(const ConvexShape& shape) {
    std::vector<Vec3> points(shape.points().begin(), shape.points().end());
    const auto triangles = hull_triangles(points);
    if (triangles.empty()) return {};
    Vec3 middle;
    for (const Vec3& p : points)
        middle = middle + (1.0 / static_cast<double>(points.size())) * p;
    if (shape.rounding() > 0.0) {
        for (Vec3& p : points) {
            const double length = norm(p - middle);
            if (length > 0.0) p = p + (shape.rounding() / length) * (p - middle);
        }
    }
    return solid_mass(std::span<const Vec3>(points), std::span(triangles), middle);
}

[[nodiscard]] MassProperties unit_mass(const ConvexShape& shape) {
    const Vec3& h = shape.size();
    const double r = shape.rounding();
    switch (shape.core()) {
        case ConvexShape::Core::Point:
            return sphere_mass(r, shape.centre());
        case ConvexShape::Core::Segment:
            return capsule_mass(shape.centre(), h, r);
        case ConvexShape::Core::Box:
            return box_mass(h + Vec3{r, r, r}, shape.centre());
        case ConvexShape::Core::Cylinder:
            return cylinder_mass(h.x + r, h.z + r, shape.centre());
        case ConvexShape::Core::Hull:
            break;
    }
    return hull_mass(shape);
}

[[nodiscard]] Expected<MassProperties> checked_mass(const MassProperties& unit, double density) {
    if (!(density > 0.0) || !is_finite(density)) return Error{"the density must be positive"};
    const MassProperties result = scaled_mass(unit, density);
    if (!(result.mass > 0.0) || !is_finite(result.mass)) return Error{"the body has no volume"};
    return result;
}

using HullTriangle = std::array<std::uint32_t, 3>;

// One point after the other: what it sees of the hull so far goes, and is replaced by the triangles of
// the point and the border of that.
class HullBuilder {
public:
    explicit HullBuilder(std::span<const Vec3> points) : points_(points) {
        for (const Vec3& p : points)
            size_ = std::max(size_, norm(p - points[0]));
    }

    [[nodiscard]] std::vector<HullTriangle> build() {
        if (!begin()) return {};
        for (std::uint32_t i = 0; i < points_.size(); ++i)
            add(i);
        return triangles_;
    }

private:
    // Relative to a cube of the size: below it a point lies in the plane.
    static constexpr double kFlat = 1e-10;

    // Six times the volume below the triangle as seen from p: positive where p is outside.
    [[nodiscard]] double above(const HullTriangle& t, const Vec3& p) const noexcept {
        const Vec3& a = points_[t[0]];
        return dot(cross(points_[t[1]] - a, points_[t[2]] - a), p - a);
    }
    [[nodiscard]] bool sees(std::uint32_t i, const HullTriangle& t) const noexcept {
        return above(t, points_[i]) > kFlat * size_ * size_ * size_;
    }
    template <class Measure>
    [[nodiscard]] std::uint32_t largest(const Measure& measure) const {
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < points_.size(); ++i)
            if (measure(points_[i]) > measure(points_[best])) best = i;
        return best;
    }
    [[nodiscard]] bool begin() {
        if (points_.size() < 4 || !(size_ > 0.0)) return false;
        const Vec3& p0 = points_[0];
        const std::uint32_t b = largest([&](const Vec3& p) { return norm(p - p0); });
        const Vec3 edge = points_[b] - p0;
        const std::uint32_t c = largest([&](const Vec3& p) { return norm(cross(edge, p - p0)); });
        const Vec3 normal = cross(edge, points_[c] - p0);
        const std::uint32_t d =
            largest([&](const Vec3& p) { return std::fabs(dot(normal, p - p0)); });
        HullTriangle base = {0, b, c};
        const double height = above(base, points_[d]);
        if (!(std::fabs(height) > kFlat * size_ * size_ * size_)) return false;
        if (height > 0.0) std::swap(base[1], base[2]);
        triangles_ = {base, {base[1], base[0], d}, {base[2], base[1], d}, {base[0], base[2], d}};
        return true;
    }
    void add(std::uint32_t i) {
        std::vector<HullTriangle> kept;
        std::vector<std::array<std::uint32_t, 2>> edges;  // of what is seen
        for (const HullTriangle& t : triangles_) {
            if (!sees(i, t)) {
                kept.push_back(t);
                continue;
            }
            for (std::size_t k = 0; k < 3; ++k)
                edges.push_back({t[k], t[(k + 1) % 3]});
        }
        if (edges.empty()) return;
        for (const auto& e : edges) {
            const std::array<std::uint32_t, 2> opposite = {e[1], e[0]};
            if (std::find(edges.begin(), edges.end(), opposite) == edges.end())
                kept.push_back({e[0], e[1], i});
        }
        triangles_ = std::move(kept);
    }

    std::span<const Vec3> points_;
    double size_ = 0.0;
    std::vector<HullTriangle> triangles_;
};

}  // namespace

std::vector<std::array<std::uint32_t, 3>> hull_triangles(std::span<const Vec3> points) {
    return points.empty() ? std::vector<HullTriangle>{} : HullBuilder(points).build();
}

Expected<MassProperties> mass_properties(const ConvexShape& shape, double density) {
    return checked_mass(unit_mass(shape), density);
}

Expected<MassProperties> mass_properties(const Polyhedron& surface, double density) {
    return checked_mass(solid_mass(surface.positions(), surface.triangles(), surface.centre()),
                        density);
}

}  // namespace graze::rigid
