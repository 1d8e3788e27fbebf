// The corners of the image in floating point, and those answers to what boundary_image.hpp asks
// that they prove.
#pragma once

#include <algorithm>

#include "baselines/root_parity/boundary_image.hpp"
#include "graze/core/error_calculus.hpp"
#include "graze/narrow/ccd.hpp"

namespace graze::parity {

// The expressions below, once for numbers and once for their error.
template <class T>
[[nodiscard]] constexpr T det(const std::array<T, 3>& a, const std::array<T, 3>& b,
                              const std::array<T, 3>& c) {
    return ((a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1]) +
           (a[0] * b[1] - a[1] * b[0]) * c[2];
}
[[nodiscard]] inline double det(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
    return det<double>({a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z});
}

// A corner is a difference of two doubles, rounded once; coordinate k of the exact one is at most
// B_k. A direction within the same bounds has no error at all, so det_error holds for it, too.
[[nodiscard]] constexpr ErrorForm rounded_corner(std::size_t axis) {
    const ErrorForm x = ErrorForm::variable(axis);
    return sum_within(x, x, x.magnitude());
}
inline constexpr std::array<ErrorForm, 3> kCorner = {rounded_corner(0), rounded_corner(1),
                                                     rounded_corner(2)};
inline constexpr ErrorForm kDet = det(kCorner, kCorner, kCorner);
inline constexpr ErrorForm kPhi = kDet * kDet - kDet * kDet;
static_assert(kDet.roundings() == 8 && kDet.magnitude().coefficient == Dyadic(6));
static_assert(error_ceiling(kDet, Roundoff::Unit) == 49, "48 roundoffs and higher orders");

// The sign that a computed value proves. One that is not finite, or whose bound is not, proves
// none: a finite value shows that nothing overflowed on the way.
[[nodiscard]] inline int certain_sign(double value, double error) noexcept {
    if (!(detail::magnitude(value) <= detail::kLargest)) return kUnknownSign;
    return value > error ? 1 : value < -error ? -1 : kUnknownSign;
}

// Corners in floating point, and what their rounding can do.
template <class Motion>
class RoundedImage {
public:
    static constexpr std::size_t kCorners = BoundaryImage<Motion>::kCorners;

    explicit RoundedImage(const Motion& motion) noexcept {
        const auto all = graze::vertices(motion);
        std::array<Vec3, 8> positions;
        for (std::size_t c = 0; c < 4; ++c) {
            positions[c] = all[c].start;
            positions[c + 4] = all[c].end;
        }
        corners_ = corner_differences(positions, motion);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const Vec3& corner : corners_)
                size_[axis] = std::max(size_[axis], detail::magnitude(corner[axis]));
        }
    }

    // All corners are strictly on one side of a plane through the origin: no root. As the authors
    // do, with the directions of 0 and 1, then with the normals of triangles of the image.
    [[nodiscard]] bool is_on_one_side() const noexcept;

    // To be called before what follows.
    void bound_errors() noexcept {
        // |RN(x)| and the next double above are on both sides of |x|, or RN(x) is x.
        const VariableBounds bounds = {next_up(size_.x), next_up(size_.y), next_up(size_.z), 0.0};
        det_error_ = error_upper(kDet, bounds);
        phi_error_ = error_upper(kPhi, bounds);
    }
    [[nodiscard]] int side(const Triangle& t) const noexcept {
        return certain_sign(det(corners_[t[0]], corners_[t[1]], corners_[t[2]]), det_error_);
    }
    [[nodiscard]] PatchSigns patch_signs(const Quad& q) const noexcept {
        const auto w_of = [&](std::size_t i, std::size_t j, std::size_t k) {
            return det(corners_[q[i]], corners_[q[j]], corners_[q[k]]);
        };
        const std::array<double, 4> w = {w_of(1, 2, 3), -w_of(0, 2, 3), w_of(0, 1, 3),
                                         -w_of(0, 1, 2)};
        PatchSigns signs;
        for (std::size_t i = 0; i < 4; ++i)
            signs.w[i] = certain_sign(w[i], det_error_);
        if (signs.may_hold()) signs.phi = certain_sign(w[0] * w[3] - w[1] * w[2], phi_error_);
        return signs;
    }
    // Asked where signs are 0, which is never certain here.
    [[nodiscard]] static bool holds_origin(const Triangle&) noexcept { return false; }
    [[nodiscard]] static bool holds_origin(const Quad&) noexcept { return false; }

    // A direction whose coordinates are at most those of the image, from three numbers in [-1, 1].
    struct Ray {
        const RoundedImage& image;
        Vec3 direction;
        [[nodiscard]] int sign(std::size_t i, std::size_t j) const noexcept {
            return certain_sign(det(direction, image.corners_[i], image.corners_[j]),
                                image.det_error_);
        }
    };
    [[nodiscard]] Ray ray(const Vec3& part) const noexcept {
        return {*this, {part.x * size_.x, part.y * size_.y, part.z * size_.z}};
    }

    [[nodiscard]] const std::array<Vec3, kCorners>& corners() const noexcept { return corners_; }
    [[nodiscard]] double det_error_upper() const noexcept { return det_error_; }

private:
    std::array<Vec3, kCorners> corners_;
    Vec3 size_;
    double det_error_ = kInfinity;
    double phi_error_ = kInfinity;

    [[nodiscard]] bool is_on_one_side_of(const Vec3& normal) const noexcept;
};

// Is n . c of one certain sign for all corners c?
//   Each product is rounded twice (as a product, and the corner before), each sum once: together
//   less than (1 + u)^4 - 1 < 5 u of sum |n_k| B_k, which is itself computed with less than 5 u of
//   relative error; 8 u is more than 5 u (1 + 5 u) / (1 - 5 u). Three products may underflow, and
//   three in the bound, by at most 2^-1075 each: less than 2^-1072.
template <class Motion>
bool RoundedImage<Motion>::is_on_one_side_of(const Vec3& normal) const noexcept {
    const double size = detail::magnitude(normal.x) * size_.x +
                        detail::magnitude(normal.y) * size_.y +
                        detail::magnitude(normal.z) * size_.z;
    const double error = 8 * 0x1p-53 * size + 0x1p-1070;
    if (!(size <= detail::kLargest)) return false;
    const int first = certain_sign(dot(normal, corners_[0]), error);
    if (first == kUnknownSign) return false;
    for (std::size_t i = 1; i < kCorners; ++i) {
        if (certain_sign(dot(normal, corners_[i]), error) != first) return false;
    }
    return true;
}

template <class Motion>
bool RoundedImage<Motion>::is_on_one_side() const noexcept {
    // The sign of a difference is exact.
    for (std::size_t axis = 0; axis < 3; ++axis) {
        bool positive = true;
        bool negative = true;
        for (const Vec3& corner : corners_) {
            positive &= corner[axis] > 0.0;
            negative &= corner[axis] < 0.0;
        }
        if (positive || negative) return true;
    }
    constexpr std::array<Vec3, 4> kDiagonals = {{{1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}};
    for (const Vec3& normal : kDiagonals) {
        if (is_on_one_side_of(normal)) return true;
    }
    const auto is_normal_of_separation = [&](std::size_t i, std::size_t j, std::size_t k) {
        return is_on_one_side_of(cross(corners_[j] - corners_[i], corners_[k] - corners_[i]));
    };
    for (const Triangle& t : BoundaryImage<Motion>::kCaps) {
        if (is_normal_of_separation(t[0], t[1], t[2])) return true;
    }
    for (const Quad& q : BoundaryImage<Motion>::kPatches) {
        if (is_normal_of_separation(q[0], q[1], q[3])) return true;
        if (is_normal_of_separation(q[0], q[3], q[2])) return true;
    }
    return false;
}

}  // namespace graze::parity
