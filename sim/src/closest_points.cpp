#include "graze/sim/closest_points.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace graze::sim {
namespace {

using Weights = std::array<double, 4>;

Eigen::Vector3d eigen_of(const Vec3& p) {
    return {p.x, p.y, p.z};
}

Vec3 weighted(const Weights& weight, const std::array<Vec3, 4>& x) {
    return weight[0] * x[0] + weight[1] * x[1] + weight[2] * x[2] + weight[3] * x[3];
}

void finish(ClosestPoints& points, const std::array<Vec3, 4>& x) {
    points.difference = weighted(points.weight, x);
    points.squared = norm_sq(points.difference);
}

// Nearest to the origin on `from + s direction`, s in [0, 1]; weights likewise.
ClosestPoints on_segment(const Weights& from, const Weights& direction,
                         const std::array<Vec3, 4>& x) {
    const Vec3 e = weighted(direction, x);
    const double length_sq = norm_sq(e);
    const double s = length_sq > 0.0 ? -dot(weighted(from, x), e) / length_sq : 0.0;
    ClosestPoints points;
    if (s > 0.0 && s < 1.0) {
        points.parameters = 1;
        points.derivative[0] = direction;
    }
    const double t = std::clamp(s, 0.0, 1.0);
    for (std::size_t i = 0; i < 4; ++i)
        points.weight[i] = from[i] + t * direction[i];
    finish(points, x);
    return points;
}

void keep_nearer(ClosestPoints& best, const ClosestPoints& other) {
    if (other.squared < best.squared) best = other;
}

// The point of the plane `from + u first + v second` nearest to the origin, if it is one and
// `is_inside` accepts its parameters. Independent of scale: the determinant is compared with the
// product of the squared lengths; 2^-40 is well above its rounding errors.
template <class Inside>
bool on_plane(const Weights& from, const Weights& first, const Weights& second,
              const std::array<Vec3, 4>& x, const Inside& is_inside, ClosestPoints& out) {
    constexpr double kParallel = 0x1p-40;
    const Vec3 a = weighted(first, x);
    const Vec3 b = weighted(second, x);
    const Vec3 w = weighted(from, x);
    const double aa = norm_sq(a);
    const double bb = norm_sq(b);
    const double determinant = norm_sq(cross(a, b));
    if (!(determinant > kParallel * aa * bb)) return false;
    const double ab = dot(a, b);
    const double u = (ab * dot(w, b) - bb * dot(w, a)) / determinant;
    const double v = (ab * dot(w, a) - aa * dot(w, b)) / determinant;
    if (!is_inside(u, v)) return false;
    out.parameters = 2;
    out.derivative = {first, second};
    for (std::size_t i = 0; i < 4; ++i)
        out.weight[i] = from[i] + u * first[i] + v * second[i];
    finish(out, x);
    return true;
}

ClosestPoints vertex_face(const std::array<Vec3, 4>& x) {
    ClosestPoints points;
    const auto inside = [](double u, double v) { return u > 0.0 && v > 0.0 && u + v < 1.0; };
    if (on_plane({1, -1, 0, 0}, {0, 1, -1, 0}, {0, 1, 0, -1}, x, inside, points)) return points;
    points = on_segment({1, -1, 0, 0}, {0, 1, -1, 0}, x);
    keep_nearer(points, on_segment({1, 0, -1, 0}, {0, 0, 1, -1}, x));
    keep_nearer(points, on_segment({1, 0, 0, -1}, {0, -1, 0, 1}, x));
    return points;
}

ClosestPoints edge_edge(const std::array<Vec3, 4>& x) {
    ClosestPoints points;
    const auto inside = [](double s, double t) { return s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0; };
    if (on_plane({1, 0, -1, 0}, {-1, 1, 0, 0}, {0, 0, 1, -1}, x, inside, points)) return points;
    points = on_segment({1, 0, -1, 0}, {0, 0, 1, -1}, x);
    keep_nearer(points, on_segment({0, 1, -1, 0}, {0, 0, 1, -1}, x));
    keep_nearer(points, on_segment({1, 0, -1, 0}, {-1, 1, 0, 0}, x));
    keep_nearer(points, on_segment({1, 0, 0, -1}, {-1, 1, 0, 0}, x));
    return points;
}

}  // namespace

ClosestPoints closest_points(QueryKind kind, const std::array<Vec3, 4>& x) {
    if (kind == QueryKind::VertexFace) return vertex_face(x);
    if (kind == QueryKind::EdgeEdge) return edge_edge(x);
    if (kind == QueryKind::VertexEdge) return on_segment({1, -1, 0, 0}, {0, 1, -1, 0}, x);
    ClosestPoints points;
    points.weight = {1, -1, 0, 0};
    finish(points, x);
    return points;
}

void squared_distance_derivatives(const ClosestPoints& points, const std::array<Vec3, 4>& x,
                                  Vector12& gradient, Matrix12& hessian) {
    const Eigen::Vector3d w = eigen_of(points.difference);
    const int count = points.parameters;
    Eigen::Matrix<double, 12, 2> f_xu = Eigen::Matrix<double, 12, 2>::Zero();
    Eigen::Matrix2d f_uu = Eigen::Matrix2d::Identity();
    std::array<Eigen::Vector3d, 2> along;
    for (int k = 0; k < count; ++k)
        along[static_cast<std::size_t>(k)] =
            eigen_of(weighted(points.derivative[static_cast<std::size_t>(k)], x));
    for (std::size_t i = 0; i < 4; ++i) {
        const int row = static_cast<int>(3 * i);
        gradient.segment<3>(row) = 2.0 * points.weight[i] * w;
        for (std::size_t j = 0; j < 4; ++j) {
            hessian.block<3, 3>(row, static_cast<int>(3 * j)) =
                (2.0 * points.weight[i] * points.weight[j]) * Eigen::Matrix3d::Identity();
        }
        for (int k = 0; k < count; ++k) {
            const auto parameter = static_cast<std::size_t>(k);
            f_xu.block<3, 1>(row, k) =
                2.0 * (points.weight[i] * along[parameter] + points.derivative[parameter][i] * w);
        }
    }
    if (count == 0) return;
    for (int k = 0; k < count; ++k)
        for (int l = 0; l < count; ++l)
            f_uu(k, l) =
                2.0 * along[static_cast<std::size_t>(k)].dot(along[static_cast<std::size_t>(l)]);
    hessian -= f_xu * f_uu.inverse() * f_xu.transpose();
}

}  // namespace graze::sim
