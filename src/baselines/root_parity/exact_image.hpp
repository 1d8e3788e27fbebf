// The corners of the image as integers, and exact answers to what boundary_image.hpp asks.
#pragma once

#include <algorithm>
#include <limits>

#include "baselines/root_parity/boundary_image.hpp"
#include "baselines/root_parity/origin_in_plane.hpp"

namespace graze::parity {

// The unit of one coordinate: 2^exponent divides that coordinate of every corner, at both ends.
// Units may differ from axis to axis: that is a positive factor on every det and changes neither
// which points are on which line nor on which side of the origin.
template <class Corners>
[[nodiscard]] int axis_exponent(const Corners& all, std::size_t axis) noexcept {
    int lowest = std::numeric_limits<int>::max();
    for (const MovingPoint& corner : all) {
        for (const double x : {corner.start[axis], corner.end[axis]}) {
            const DyadicParts parts = dyadic_parts(x);
            if (parts.significand != 0) lowest = std::min(lowest, parts.exponent);
        }
    }
    return lowest == std::numeric_limits<int>::max() ? 0 : lowest;
}

// Positions at t = 0 and at t_max = numerator / 2^bits, all times 2^bits.
class TimeScale {
public:
    explicit TimeScale(double t_max) noexcept {
        const DyadicParts parts = dyadic_parts(t_max);
        bits_ = parts.significand == 0 ? 0 : -parts.exponent;  // t_max <= 1, significand odd
        numerator_ = Coordinate::from_scaled(t_max, bits_);
        rest_ = Coordinate(1).shifted_left(bits_) - numerator_;
    }
    [[nodiscard]] Coordinate at_start(const Coordinate& start) const noexcept {
        return start.shifted_left(bits_);
    }
    [[nodiscard]] Coordinate at_end(const Coordinate& start, const Coordinate& end) const noexcept {
        return bits_ == 0 && numerator_.sign() > 0 ? end : start * rest_ + end * numerator_;
    }

private:
    int bits_ = 0;
    Coordinate numerator_;
    Coordinate rest_;
};

// Corners as integers; answers what boundary_image.hpp asks.
template <class Motion>
class ExactImage {
public:
    ExactImage(const Motion& motion, double t_max) noexcept {
        const auto all = graze::vertices(motion);
        const TimeScale time(t_max);
        std::array<Point, 8> positions;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int scale = -axis_exponent(all, axis);
            scales_[axis] = scale;
            for (std::size_t c = 0; c < 4; ++c) {
                const auto start = Coordinate::from_scaled(all[c].start[axis], scale);
                const auto end = Coordinate::from_scaled(all[c].end[axis], scale);
                positions[c].x[axis] = time.at_start(start);
                positions[c + 4].x[axis] = time.at_end(start, end);
            }
        }
        corners_ = corner_differences(positions, motion);
    }

    [[nodiscard]] int side(const Triangle& t) const noexcept {
        return dot(cross(corners_[t[0]], corners_[t[1]]), corners_[t[2]]).sign();
    }
    [[nodiscard]] PatchSigns patch_signs(const Quad& q) const noexcept {
        const auto [w0, w1, w2, w3] = weights(q);
        PatchSigns signs{{w0.sign(), w1.sign(), w2.sign(), w3.sign()}, 0};
        if (signs.may_hold()) {
            signs.phi = compare(product<kPhiBits>(w0, w3), product<kPhiBits>(w1, w2));
        }
        return signs;
    }
    [[nodiscard]] bool holds_origin(const Triangle& t) const noexcept {
        return triangle_holds_origin(corners_[t[0]], corners_[t[1]], corners_[t[2]]);
    }
    [[nodiscard]] bool holds_origin(const Quad& q) const noexcept {
        return flat_patch_holds_origin({corners_[q[0]], corners_[q[1]], corners_[q[2]],  //
                                        corners_[q[3]]});
    }
    // Are the four corners in one plane?
    [[nodiscard]] bool is_flat(const Quad& q) const noexcept {
        const std::array<Volume, 4> w = weights(q);
        // Each is below 2^(kVolumeBits - 2): three products of 2 kCoordinateBits + 1 and
        // kCoordinateBits bits.
        return ((w[0] + w[1]) + (w[2] + w[3])).sign() == 0;
    }

    // A direction that is given, in the units of each axis.
    struct Ray {
        const ExactImage& image;
        Point direction;
        [[nodiscard]] int sign(std::size_t i, std::size_t j) const noexcept {
            return dot(cross(image.corners_[i], image.corners_[j]), direction).sign();
        }
    };
    // Requires: every coordinate of `direction` is 0 or within 2^-200 .. 1. (With the units, of
    // 2^-971 .. 2^1074, and 53 bits: less than kCoordinateBits.)
    [[nodiscard]] Ray ray(const Vec3& direction) const noexcept {
        int lowest = std::numeric_limits<int>::max();
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const DyadicParts parts = dyadic_parts(direction[axis]);
            if (parts.significand != 0) lowest = std::min(lowest, parts.exponent + scales_[axis]);
        }
        Ray result{*this, {}};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            result.direction.x[axis] =
                Coordinate::from_scaled(direction[axis], scales_[axis] - lowest);
        }
        return result;
    }

    // det(r, c_i, c_j) for r = (1, e, e^2) with e > 0 as small as is needed: the first coordinate
    // of the cross product that is not 0. Only corners in line with the origin have sign 0, so that
    // this ray meets no edge of a triangle whose plane does not hold the origin; and it meets no
    // other triangle at all.
    [[nodiscard]] int sign(std::size_t i, std::size_t j) const noexcept {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int found = cross_sign(corners_[i], corners_[j], axis);
            if (found != 0) return found;
        }
        return 0;
    }

private:
    std::array<Point, BoundaryImage<Motion>::kCorners> corners_;
    std::array<int, 3> scales_{};  // coordinates are multiplied by 2^scale

    [[nodiscard]] std::array<Volume, 4> weights(const Quad& q) const noexcept {
        const auto at = [&](std::size_t i) -> const Point& { return corners_[q[i]]; };
        const AreaVector c01 = cross(at(0), at(1));
        return {-dot(cross(at(1), at(3)), at(2)), -dot(cross(at(0), at(2)), at(3)), dot(c01, at(3)),
                -dot(c01, at(2))};
    }
};

}  // namespace graze::parity
