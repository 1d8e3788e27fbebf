// Distances of points, segments and triangles in double, by clamping and by enumeration.
#include "graze/verify/rigid_reference_pairs.hpp"

namespace graze::rigid::reference {
namespace {

double clamp01(double x) {
    return x > 0.0 ? std::min(x, 1.0) : 0.0;
}

Vector64 to_segment(const Vector64& point, const Vector64& q0, const Vector64& q1) {
    const Vector64 e = q1 - q0;
    const double size_sq = dot(e, e);
    const double s = size_sq > 0.0 ? clamp01(dot(point - q0, e) / size_sq) : 0.0;
    return q0 + s * e - point;
}

void keep_shorter(Vector64& best, const Vector64& other) {
    if (dot(other, other) < dot(best, best)) best = other;
}

}  // namespace

Vector64 between(const Vector64& point, const Triangle64& triangle) {
    Vector64 best = to_segment(point, triangle[0], triangle[1]);
    keep_shorter(best, to_segment(point, triangle[1], triangle[2]));
    keep_shorter(best, to_segment(point, triangle[2], triangle[0]));
    const Vector64 n = cross(edge(triangle, 0), edge(triangle, 1));
    const double size_sq = dot(n, n);
    if (!(size_sq > 0.0)) return best;
    for (std::size_t i = 0; i < 3; ++i)
        if (dot(cross(edge(triangle, i), point - triangle[i]), n) < 0.0) return best;
    keep_shorter(best, dot(triangle[0] - point, n) / size_sq * n);
    return best;
}

Vector64 between_segments(const Vector64& p0, const Vector64& p1, const Vector64& q0,
                          const Vector64& q1) {
    Vector64 best = to_segment(p0, q0, q1);
    keep_shorter(best, to_segment(p1, q0, q1));
    keep_shorter(best, Vector64{} - to_segment(q0, p0, p1));
    keep_shorter(best, Vector64{} - to_segment(q1, p0, p1));
    // Inside both: the common perpendicular.
    const Vector64 e = p1 - p0;
    const Vector64 f = q1 - q0;
    const Vector64 n = cross(e, f);
    const double size_sq = dot(n, n);
    if (!(size_sq > 0.0)) return best;
    const Vector64 r = q0 - p0;
    const double s = dot(cross(r, f), n) / size_sq;
    const double u = dot(cross(r, e), n) / size_sq;
    if (s >= 0.0 && s <= 1.0 && u >= 0.0 && u <= 1.0) keep_shorter(best, dot(r, n) / size_sq * n);
    return best;
}

Vector64 between(const Triangle64& a, const Triangle64& b) {
    if (cross_each_other(a, b, 0.0)) return {};
    Vector64 best = between(a[0], b);
    for (std::size_t i = 0; i < 3; ++i) {
        keep_shorter(best, between(a[i], b));
        keep_shorter(best, Vector64{} - between(b[i], a));
        for (std::size_t j = 0; j < 3; ++j)
            keep_shorter(best, between_segments(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    }
    return best;
}

}  // namespace graze::rigid::reference
