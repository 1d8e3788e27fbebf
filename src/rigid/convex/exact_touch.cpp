#include "rigid/convex/exact_touch.hpp"

#include <algorithm>

#include "graze/core/rounding.hpp"
#include "graze/rigid/start_state.hpp"

namespace graze::rigid::detail {

namespace {

// Up to four vertices, and as many triangles as cover their hull's faces.
struct Vertices {
    std::array<Vec3, 4> points;
    std::size_t size = 0;

    void add(const Vec3& p) noexcept {
        const auto end = points.begin() + static_cast<std::ptrdiff_t>(size);
        if (std::find(points.begin(), end, p) == end) points[size++] = p;
    }
    [[nodiscard]] std::size_t triangles() const noexcept { return size == 4 ? 4 : 1; }
    // All but vertex i; fewer than three vertices are repeated.
    [[nodiscard]] std::array<Vec3, 3> triangle(std::size_t i) const noexcept {
        if (size < 4) return {points[0], points[size > 1 ? 1 : 0], points[size - 1]};
        return {points[(i + 1) % 4], points[(i + 2) % 4], points[(i + 3) % 4]};
    }
};

[[nodiscard]] bool is_exact_sum(double centre, double half) noexcept {
    return two_sum(centre, half).error == 0.0 && two_sum(centre, -half).error == 0.0;
}

// Are the points that core_support() returns points of the core, in exact numbers?
[[nodiscard]] bool has_exact_vertices(const ConvexShape& shape) noexcept {
    const Vec3& c = shape.centre();
    const Vec3& h = shape.size();
    switch (shape.core()) {
        case ConvexShape::Core::Cylinder:
            return false;
        case ConvexShape::Core::Box:
            return is_exact_sum(c.x, h.x) && is_exact_sum(c.y, h.y) && is_exact_sum(c.z, h.z);
        default:
            return true;
    }
}

}  // namespace

bool have_common_point_exactly(const ConvexShape& a, const Pose& pose_a, const ConvexShape& b,
                               const Pose& pose_b, const Simplex& simplex) noexcept {
    if (simplex.size == 0 || !has_exact_vertices(a) || !has_exact_vertices(b)) return false;
    Vertices of_a;
    Vertices of_b;
    for (std::size_t i = 0; i < simplex.size; ++i) {
        of_a.add(simplex.points[i].on_a);
        of_b.add(simplex.points[i].on_b);
    }
    for (std::size_t i = 0; i < of_a.triangles(); ++i) {
        for (std::size_t j = 0; j < of_b.triangles(); ++j) {
            if (triangles_share_a_point(of_a.triangle(i), pose_a, of_b.triangle(j), pose_b)
                    .value_or(false))
                return true;
        }
    }
    return false;
}

}  // namespace graze::rigid::detail
