#include "rigid/convex/box_axes.hpp"

#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

// In the frame of A: c the matrix of B's axes (columns), d the difference of the centres. Along a
// face's normal of A the boxes reach half_a and |c| half_b; along one of B the other way round; along
// the cross of edges i and j the two axes other than i and j count.
BestAxis best_box_axis(const MovingShape& a, const MovingShape& b, const PairFrame& f) noexcept {
    const Vec3& half_a = a.shape.size();
    const Vec3& half_b = b.shape.size();
    const Vec3 between = f.offset + (linear_times(f.b.linear, b.shape.centre()) -
                                     linear_times(f.a.linear, a.shape.centre()));
    const Vec3 d = transposed_linear_times(f.a.linear, between);
    Matrix3 columns_b;
    for (std::size_t j = 0; j < 3; ++j)
        columns_b[j] = {f.b.linear[0][j], f.b.linear[1][j], f.b.linear[2][j]};
    double c[3][3];
    double size[3][3];
    for (std::size_t j = 0; j < 3; ++j) {
        const Vec3 column = transposed_linear_times(f.a.linear, columns_b[j]);
        for (std::size_t i = 0; i < 3; ++i) {
            c[i][j] = column[i];
            size[i][j] = std::fabs(column[i]);
        }
    }
    double best = -graze::detail::kInfinite;
    Vec3 local;  // in the frame of A
    for (std::size_t i = 0; i < 3; ++i) {
        const double reach =
            size[i][0] * half_b.x + size[i][1] * half_b.y + size[i][2] * half_b.z + half_a[i];
        const double gap = std::fabs(d[i]) - reach;
        if (gap > best) {
            best = gap;
            local = {};
            local[i] = std::copysign(1.0, d[i]);
        }
    }
    for (std::size_t j = 0; j < 3; ++j) {
        const double along = d.x * c[0][j] + d.y * c[1][j] + d.z * c[2][j];
        const double reach =
            size[0][j] * half_a.x + size[1][j] * half_a.y + size[2][j] * half_a.z + half_b[j];
        const double gap = std::fabs(along) - reach;
        if (gap > best) {
            best = gap;
            const double sense = std::copysign(1.0, along);
            local = {sense * c[0][j], sense * c[1][j], sense * c[2][j]};
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t i1 = (i + 1) % 3;
        const std::size_t i2 = (i + 2) % 3;
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t j1 = (j + 1) % 3;
            const std::size_t j2 = (j + 2) % 3;
            // e_i x column j = -c[i2][j] e_i1 + c[i1][j] e_i2.
            const double length_sq = c[i1][j] * c[i1][j] + c[i2][j] * c[i2][j];
            const double along = d[i2] * c[i1][j] - d[i1] * c[i2][j];
            const double reach = half_a[i1] * size[i2][j] + half_a[i2] * size[i1][j] +
                                 half_b[j1] * size[i][j2] + half_b[j2] * size[i][j1];
            const double gap = std::fabs(along) - reach;
            // Nearly parallel edges have no direction of their own; a root only where it may matter.
            if (length_sq < 0x1p-20 || (gap <= 0.0 && best >= 0.0)) continue;
            const double length = std::sqrt(length_sq);
            if (gap > best * length) {
                best = gap / length;
                const double scale = std::copysign(1.0, along) / length;
                local = {};
                local[i1] = -scale * c[i2][j];
                local[i2] = scale * c[i1][j];
            }
        }
    }
    return {unit(linear_times(f.a.linear, local)), best};
}

}  // namespace graze::rigid::detail
