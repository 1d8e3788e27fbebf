// Roots of the determinant of two features, isolated by bounds on its second derivative (RI-7).
//
// With M >= |f''| and K = M dt^2 / 2, f is within K s (1 - s) of its chord over a slab, so that
// signs at the ends decide about all of it; what they do not decide is halved. A root counts where
// the features meet there: seen along one fixed direction the point stays inside the piece, or the
// edges cross, for all positions that are possible in the bracket.
#include "rigid/impact/crossing.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/norm_bounds.hpp"
#include "rigid/impact/underflow.hpp"

namespace graze::rigid::detail {

namespace {

// Evaluations for a window before it is left undecided.
constexpr std::uint64_t kMaxEvaluations = 400;

// A value and how far it may be off.
struct Value {
    double t = 0.0;
    double f = 0.0;
    double doubt = 0.0;
    [[nodiscard]] int sign() const noexcept { return f > doubt ? 1 : f < -doubt ? -1 : 0; }
};

// det(p, q, r), each vector a difference of two positions within `error`: as certain_det() of
// proof.cpp, but where an edge is shorter than the error allows the doubt is infinite.
[[nodiscard]] Value determinant(double t, const Vec3& p, const Vec3& q, const Vec3& r,
                                double error) noexcept {
    const double a = length_with_underflow(p);
    const double b = length_with_underflow(q);
    const double c = length_with_underflow(r);
    const double e = 2.0 * error;
    if (!(4.0 * e <= std::min(b, c))) return {t, 0.0, kInfinity};
    // a may be as small as it likes (a vertex near the plane): terms with e^2 and e^3 are counted
    // separately. So one of the two times e (ab + bc + ca) is to spare, and pays for a piece of
    // four corners whose last one is off the plane of the others: 12 u of its size, where e is at
    // least 24 u of it (RI-7).
    const double doubt = 2.0 * (e * (a * b + b * c + c * a) + e * e * (a + b + c) + e * e * e) +
                         0x1p-49 * (a * b * c) + underflow_of_det(a);
    return {t, dot(p, cross(q, r)), doubt};
}

// Twice the area of p q r as seen along n; 0 where its sign is not certain while each corner is
// within e / 2 of where it is given: the same bound as for stays_inside() of proof.cpp.
[[nodiscard]] double certain_area(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& n,
                                  double e) noexcept {
    const Vec3 b = q - p;
    const Vec3 c = r - p;
    const double size_b = length_with_underflow(b);
    const double size_c = length_with_underflow(c);
    const double bound =
        e * (size_b + size_c + e) + 0x1p-49 * (size_b * size_c) + underflow_of_det(1.0);
    const double area = dot(n, cross(b, c));
    return std::fabs(area) > bound * (1.0 + 0x1p-40) ? area : 0.0;
}

enum class Inside : std::uint8_t { Yes, No, Unknown };

// Seen along n: on the inner side of every side, each certainly; or certainly outside of one.
[[nodiscard]] Inside point_in_piece(const Vec3& x, const std::array<Vec3, 4>& piece, const Vec3& n,
                                    double e) noexcept {
    Inside result = Inside::Yes;
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3& p = piece[i];
        const Vec3& q = piece[(i + 1) % 4];
        if (p == q) continue;
        const double area = certain_area(p, q, x, n, e);
        if (area < 0.0) return Inside::No;
        if (area == 0.0) result = Inside::Unknown;
    }
    return result;
}

// Seen along n: the ends of each edge are on both sides of the other, certainly.
[[nodiscard]] Inside edges_cross(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b,
                                 const Vec3& n, double e) noexcept {
    const double b0 = certain_area(a[0], a[1], b[0], n, e);
    const double b1 = certain_area(a[0], a[1], b[1], n, e);
    const double a0 = certain_area(b[0], b[1], a[0], n, e);
    const double a1 = certain_area(b[0], b[1], a[1], n, e);
    const auto same_side = [](double x, double y) {
        return (x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0);
    };
    if (same_side(b0, b1) || same_side(a0, a1)) return Inside::No;
    return b0 != 0.0 && b1 != 0.0 && a0 != 0.0 && a1 != 0.0 ? Inside::Yes : Inside::Unknown;
}

class RootSearch {
public:
    RootSearch(const RelativeMotion& motion, const Crossing& features, double width)
        : motion_(motion), features_(features), width_(std::max(width, 0x1p-50)) {
        for (const Vec3& p : features.a)
            reach_a_ = std::max(reach_a_, norm_upper(p));
        for (const Vec3& p : features.b)
            reach_b_ = std::max(reach_b_, norm_upper(p));
        bend_ = bend();
    }

    [[nodiscard]] CrossingRoots run(double from, double to) {
        isolate(value(from), value(to));
        return std::move(found_);
    }

private:
    [[nodiscard]] Value value(double t) noexcept;
    [[nodiscard]] double bend() const noexcept;
    [[nodiscard]] Inside inside(double t0, double t1) const noexcept;
    void isolate(const Value& first, const Value& last);
    void narrow(Value first, Value last);
    [[nodiscard]] std::optional<Value> between(const Value& first, const Value& last);

    const RelativeMotion& motion_;
    const Crossing& features_;
    double width_;
    double reach_a_ = 0.0;
    double reach_b_ = 0.0;
    double bend_ = 0.0;  // |f''| at most
    CrossingRoots found_;
};

Value RootSearch::value(double t) noexcept {
    ++found_.checks;
    const std::array<Vec3, 4> b = transformed(motion_.at(t), features_);
    const std::array<Vec3, 4>& a = features_.a;
    const double error = motion_.error();
    switch (features_.type) {
        case ContactType::VertexFace:
            return determinant(t, a[0] - b[0], b[1] - b[0], b[2] - b[0], error);
        case ContactType::FaceVertex:
            return determinant(t, b[0] - a[0], a[1] - a[0], a[2] - a[0], error);
        default:
            return determinant(t, b[0] - a[0], a[1] - a[0], b[1] - b[0], error);
    }
}

// RI-7, |f''| <= M. Vertex and piece: in the frame of the piece f is its area's double times the
// height of the point, which has the acceleration of a point as far from the axis as the vertex is.
// Edges: f = det(r, e, g(t)), |f''| <= |e| (|r''| |g| + 2 |r'| |g'| + |r| |g''|), r'' and g''
// bounded by accelerations, r' and g' by speeds (RI-4).
double RootSearch::bend() const noexcept {
    const auto& a = features_.a;
    const auto& b = features_.b;
    const double of_b = motion_.centre_acceleration() + motion_.angle_sq() * reach_b_;
    constexpr double kUp = 1.0 + 0x1p-40;
    if (features_.type == ContactType::FaceVertex)
        return norm_upper(a[1] - a[0]) * norm_upper(a[2] - a[0]) * of_b * kUp;
    if (features_.type == ContactType::VertexFace) {
        const double of_a =
            motion_.centre_acceleration() + motion_.angle_sq() * (motion_.reach() + reach_a_);
        return norm_upper(b[1] - b[0]) * norm_upper(b[2] - b[0]) * of_a * kUp;
    }
    const double distance = motion_.reach() + reach_a_ + reach_b_;
    const double speed = motion_.centre_speed() + motion_.angle() * reach_b_;
    return norm_upper(a[1] - a[0]) * norm_upper(b[1] - b[0]) *
           (motion_.angle_sq() * distance + 2.0 * motion_.angle() * speed + of_b) * kUp;
}

// Of the features as seen along the plane's normal at t0, for all times in [t0, t1]: points of B
// move by at most speed (t1 - t0) in between, which is counted as an error of their positions
// (RI-7).
Inside RootSearch::inside(double t0, double t1) const noexcept {
    const std::array<Vec3, 4> b = transformed(motion_.at(t0), features_);
    const std::array<Vec3, 4>& a = features_.a;
    const double speed = motion_.centre_speed() + motion_.angle() * reach_b_;
    const double e = 2.0 * (speed * sub_up(t1, t0) + motion_.error()) * (1.0 + 0x1p-40);
    switch (features_.type) {
        case ContactType::VertexFace:
            return point_in_piece(a[0], b, unit(cross(b[1] - b[0], b[2] - b[0])), e);
        case ContactType::FaceVertex:
            return point_in_piece(b[0], a, unit(cross(a[1] - a[0], a[2] - a[0])), e);
        default:
            return edges_cross(a, b, unit(cross(a[1] - a[0], b[1] - b[0])), e);
    }
}

// A value between the two whose sign is certain; nothing if there is none at the times tried.
std::optional<Value> RootSearch::between(const Value& first, const Value& last) {
    const double length = last.t - first.t;
    for (const double fraction : {0.5, 0.375, 0.625, 0.25, 0.75}) {
        const Value v = value(first.t + fraction * length);
        if (v.sign() != 0) return v;
    }
    return std::nullopt;
}

// RI-7. f is within K s (1 - s) of its chord, and f' within K of f1 - f0. So: no root where the
// chord less K s (1 - s) keeps its sign; one root or none where |f1 - f0| > K and the doubts, as f
// is monotone there; no crossing where the features miss each other all the time. Else halves, down
// to `width_`: what is left there makes the list incomplete.
void RootSearch::isolate(const Value& first, const Value& last) {
    const double length = sub_up(last.t, first.t);
    const double bulge = 0.5 * bend_ * length * length * (1.0 + 0x1p-40);
    const double doubt = first.doubt + last.doubt + 0x1p-40 * bulge;
    const int signs = first.sign() * last.sign();
    if (signs > 0) {
        const double left = std::fabs(first.f) - first.doubt;
        const double right = std::fabs(last.f) - last.doubt;
        if (free_fraction(left, right, bulge).proved == kAllFree) return;
    }
    if (std::fabs(last.f - first.f) > bulge + doubt) {  // monotone
        if (signs > 0) return;
        if (signs < 0) return narrow(first, last);
    }
    if (inside(first.t, last.t) == Inside::No) return;
    if (length <= width_ || found_.checks > kMaxEvaluations) {
        found_.complete = false;
        return;
    }
    const std::optional<Value> middle = between(first, last);
    if (!middle) {
        // Nearly in one plane all along: what is left is decided by inside() alone.
        const Value v = value(first.t + 0.5 * (last.t - first.t));
        isolate(first, v);
        isolate(v, last);
        return;
    }
    isolate(first, *middle);
    isolate(*middle, last);
}

// One root, with a change of sign: secants, guarded by halving. The bracket shrinks only to times
// whose sign is certain, so that the root stays in it; where no sign is certain it stays as wide as
// it is.
void RootSearch::narrow(Value first, Value last) {
    for (int i = 0; i < 60 && last.t - first.t > width_; ++i) {
        const double length = last.t - first.t;
        const double fraction = first.f / (first.f - last.f);
        // A little to either side of the secant's root, so that both ends close in.
        const double beside = (i % 3 == 0 ? -1e-3 : 1e-3) * std::min(fraction, 1.0 - fraction);
        const double aim = i % 3 == 2 ? 0.5 : fraction + beside;
        Value v = value(first.t + std::clamp(aim, 1e-6, 1.0 - 1e-6) * length);
        if (v.sign() == 0) v = value(first.t + 0.5 * length);
        if (v.sign() == 0 || !(v.t > first.t && v.t < last.t)) break;
        (v.sign() == first.sign() ? first : last) = v;
    }
    switch (inside(first.t, last.t)) {
        case Inside::Yes:
            found_.roots.push_back({first.t, last.t});
            return;
        case Inside::No:
            return;
        default:
            found_.complete = false;
    }
}

}  // namespace

std::array<Vec3, 4> transformed(const Frame& frame, const Crossing& features) noexcept {
    std::array<Vec3, 4> b;
    for (std::size_t i = 0; i < 4; ++i)
        b[i] = frame.transform(features.b[i]);
    return b;
}

CrossingRoots crossings(const RelativeMotion& motion, const Crossing& features, double from,
                        double to, double width) {
    return RootSearch(motion, features, width).run(from, to);
}

}  // namespace graze::rigid::detail
