#include "rigid/convex/box_axes.hpp"

#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

namespace {

constexpr unsigned kNext[3] = {1, 2, 0};
constexpr unsigned kLast[3] = {2, 0, 1};

}  // namespace

BoxAxes::BoxAxes(const MovingShape& a, const MovingShape& b, const PairFrame& f) noexcept
    : half_a_(a.shape.size()), half_b_(b.shape.size()) {
    const Vec3 between = f.offset + (linear_times(f.b.linear, b.shape.centre()) -
                                     linear_times(f.a.linear, a.shape.centre()));
    d_ = transposed_linear_times(f.a.linear, between);
    const Matrix3& m = f.a.linear;
    const Matrix3& n = f.b.linear;
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j) {
            c_[i][j] = m[0][i] * n[0][j] + m[1][i] * n[1][j] + m[2][i] * n[2][j];
            size_[i][j] = std::fabs(c_[i][j]);
        }
}

// The two axes other than i and j count.
double BoxAxes::edge_gap(unsigned i, unsigned j) const noexcept {
    const unsigned i1 = kNext[i];
    const unsigned i2 = kLast[i];
    const unsigned j1 = kNext[j];
    const unsigned j2 = kLast[j];
    const double along = d_[i2] * c_[i1][j] - d_[i1] * c_[i2][j];
    return std::fabs(along) - ((half_a_[i1] * size_[i2][j] + half_a_[i2] * size_[i1][j]) +
                               (half_b_[j1] * size_[i][j2] + half_b_[j2] * size_[i][j1]));
}
double BoxAxes::edge_length_sq(unsigned i, unsigned j) const noexcept {
    const double x = c_[kNext[i]][j];
    const double y = c_[kLast[i]][j];
    return x * x + y * y;
}

// Along a normal of A the boxes reach half_a and |c| half_b; along one of B the other way round.
double BoxAxes::face_gap_of_a(unsigned i) const noexcept {
    const double* size = size_[i];
    return std::fabs(d_[i]) -
           (((size[0] * half_b_.x + size[1] * half_b_.y) + size[2] * half_b_.z) + half_a_[i]);
}
double BoxAxes::face_gap_of_b(unsigned j) const noexcept {
    const double along = d_.x * c_[0][j] + d_.y * c_[1][j] + d_.z * c_[2][j];
    return std::fabs(along) -
           (((size_[0][j] * half_a_.x + size_[1][j] * half_a_.y) + size_[2][j] * half_a_.z) +
            half_b_[j]);
}

[[gnu::flatten]] double BoxAxes::gap(unsigned id) const noexcept {
    if (id < 3) return face_gap_of_a(id);
    if (id < 6) return face_gap_of_b(id - 3);
    const unsigned i = (id - 6) / 3;
    const unsigned j = (id - 6) % 3;
    const double length_sq = edge_length_sq(i, j);
    return length_sq > 0.0 ? edge_gap(i, j) / std::sqrt(length_sq) : -graze::detail::kInfinite;
}

[[gnu::flatten]] BoxAxis BoxAxes::best() const noexcept {
    BoxAxis best{0, -graze::detail::kInfinite};
    for (unsigned i = 0; i < 3; ++i)
        if (const double along = face_gap_of_a(i); along > best.gap) best = {i, along};
    for (unsigned j = 0; j < 3; ++j)
        if (const double along = face_gap_of_b(j); along > best.gap) best = {3 + j, along};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j) {
            const double along = edge_gap(i, j);
            // A root only where it may matter.
            if (along <= 0.0 && best.gap >= 0.0) continue;
            const double length_sq = edge_length_sq(i, j);
            if (length_sq < 0x1p-20) continue;
            const double length = std::sqrt(length_sq);
            if (along > best.gap * length) best = {6 + 3 * i + j, along / length};
        }
    return best;
}

Vec3 BoxAxes::direction(unsigned id, const PairFrame& f) const noexcept {
    Vec3 local;  // in the frame of A
    if (id < 3) {
        local[id] = std::copysign(1.0, d_[id]);
    } else if (id < 6) {
        local = {c_[0][id - 3], c_[1][id - 3], c_[2][id - 3]};
        if (dot(d_, local) < 0.0) local = -local;
    } else {
        // e_i x column j = -c[i2][j] e_i1 + c[i1][j] e_i2.
        const unsigned i = (id - 6) / 3;
        const unsigned j = (id - 6) % 3;
        local[kNext[i]] = -c_[kLast[i]][j];
        local[kLast[i]] = c_[kNext[i]][j];
        if (dot(d_, local) < 0.0) local = -local;
    }
    return unit(linear_times(f.a.linear, local));
}

}  // namespace graze::rigid::detail
