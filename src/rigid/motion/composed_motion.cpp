// Products of motions, and sequences of them. Derivation: docs/derivations/rigid_motion.md, RM-8, RM-9.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graze/core/norm_bounds.hpp"
#include "graze/rigid/motion.hpp"
#include "rigid/motion/larger_bound.hpp"
#include "rigid/motion/product.hpp"

namespace graze::rigid {

namespace {

constexpr double kComposeUnit = 0x1p-53;
constexpr double kComposeSlack = 1.0 + 0x1p-40;
constexpr double kComposeTiniest = 0x1p-1000;

[[nodiscard]] Vec3 times(const Matrix3& m, const Vec3& v) noexcept {
    return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
[[nodiscard]] Vec3 column(const Matrix3& m, std::size_t j) noexcept {
    return {m[0][j], m[1][j], m[2][j]};
}

// || L(b) - L(a) || and |T(b) - T(a)| at most, and the same of L and T at all times between.
struct EndBounds {
    double linear_change;
    double translation_change;
    double linear_norm;
    double translation_norm;
};
[[nodiscard]] EndBounds bounds_of(const PoseEnclosure& a, const PoseEnclosure& b,
                                  const ChordDeviation& k) noexcept {
    const Vec3 rows = {distance_upper(a.linear[0], b.linear[0]),
                       distance_upper(a.linear[1], b.linear[1]),
                       distance_upper(a.linear[2], b.linear[2])};
    EndBounds bounds{};
    bounds.linear_change = (norm_upper(rows) + a.linear_error + b.linear_error) * kComposeSlack;
    bounds.translation_change =
        (distance_upper(a.translation, b.translation) + a.translation_error + b.translation_error) *
        kComposeSlack;
    bounds.linear_norm =
        (detail::larger_bound(a.linear_norm, b.linear_norm) + 0.25 * k.linear) * kComposeSlack;
    bounds.translation_norm =
        (detail::larger_bound(norm_upper(a.translation) + a.translation_error,
                              norm_upper(b.translation) + b.translation_error) +
         0.25 * k.translation) *
        kComposeSlack;
    return bounds;
}

// 0 times infinity is no number, and no bound either: one that is not known.
[[nodiscard]] double known_or_infinite(double bound) noexcept {
    return bound >= 0.0 ? bound : std::numeric_limits<double>::infinity();
}

}  // namespace

// RM-8. L1 L2: e1 |L2| + |L1| e2 + 9u |L1| |L2|; L1 T2 + T1: e1 |T2| + |L1| f2 + f1 and 8u |L1| |T2| +
// 2u |T1| of rounding errors, with the norms of what is computed.
PoseEnclosure compose(const PoseEnclosure& outer, const PoseEnclosure& inner) noexcept {
    PoseEnclosure result;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            result.linear[i][j] = dot(outer.linear[i], column(inner.linear, j));
    result.translation = times(outer.linear, inner.translation) + outer.translation;
    const double norm1 = outer.linear_norm + outer.linear_error;
    const double norm2 = inner.linear_norm + inner.linear_error;
    result.linear_error = (outer.linear_error * norm2 + norm1 * inner.linear_error +
                           9.0 * kComposeUnit * norm1 * norm2) *
                              kComposeSlack +
                          kComposeTiniest;
    const double size = norm_one(inner.translation) + inner.translation_error;
    result.translation_error =
        (outer.linear_error * size + norm1 * inner.translation_error + outer.translation_error +
         8.0 * kComposeUnit * norm1 * size + 2.0 * kComposeUnit * norm_one(outer.translation)) *
            kComposeSlack +
        kComposeTiniest;
    result.linear_norm = outer.linear_norm == 1.0 && inner.linear_norm == 1.0
                             ? 1.0
                             : outer.linear_norm * inner.linear_norm * kComposeSlack;
    return result;
}

PoseEnclosure ComposedMotion::at(double t, const Vec3& origin) const noexcept {
    return compose(outer_->at(t, origin), inner_->at(t, {}));
}

// RM-8: the product of two straight lines is off its chord by s (1 - s) |change of one| |change of
// the other|; to that come the deviations of both.
ChordDeviation detail::deviation_of_product(const MotionEnds& outer_ends,
                                            const MotionEnds& inner_ends) noexcept {
    const ChordDeviation& k1 = outer_ends.deviation;
    const ChordDeviation& k2 = inner_ends.deviation;
    const EndBounds outer = bounds_of(outer_ends.first, outer_ends.last, k1);
    const EndBounds inner = bounds_of(inner_ends.first, inner_ends.last, k2);
    ChordDeviation k;
    k.linear = known_or_infinite((outer.linear_change * inner.linear_change +
                                  k1.linear * inner.linear_norm + outer.linear_norm * k2.linear) *
                                 kComposeSlack);
    k.translation = known_or_infinite((outer.linear_change * inner.translation_change +
                                       k1.linear * inner.translation_norm +
                                       outer.linear_norm * k2.translation + k1.translation) *
                                      kComposeSlack);
    return k;
}

ChordDeviation ComposedMotion::deviation(double a, double b) const noexcept {
    const Vec3 origin = outer_->start();
    return detail::deviation_of_product(
        {outer_->at(a, origin), outer_->at(b, origin), outer_->deviation(a, b)},
        {inner_->at(a, {}), inner_->at(b, {}), inner_->deviation(a, b)});
}

double ComposedMotion::next_joint(double t) const noexcept {
    const double of_outer = outer_->next_joint(t);
    const double of_inner = inner_->next_joint(t);
    // What is no number stays: such a motion is not followed.
    return of_outer < of_inner || std::isnan(of_outer) ? of_outer : of_inner;
}

Vec3 ComposedMotion::start() const noexcept {
    return compose(outer_->at(0.0, {}), inner_->at(0.0, {})).translation;
}

Expected<PiecewiseMotion> PiecewiseMotion::create(std::span<const double> times,
                                                  std::span<const Pose> poses,
                                                  Interpolation interpolation) {
    if (poses.size() < 2) return Error{"a motion needs two poses at least"};
    if (times.size() != poses.size()) return Error{"as many times as poses are needed"};
    if (times.front() != 0.0 || times.back() != 1.0) return Error{"times must run from 0 to 1"};
    PiecewiseMotion motion;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        if (i > 0 && !(times[i] > times[i - 1])) return Error{"times must rise"};
        if (const auto good = check(poses[i], "a pose of the sequence"); !good) return good.error();
        if (i == 0) continue;
        const BodyStep step = {poses[i - 1], poses[i]};
        motion.pieces_.push_back(interpolation == Interpolation::Slerp   ? BodyMotion::slerp(step)
                                 : interpolation == Interpolation::Nlerp ? BodyMotion::nlerp(step)
                                                                         : BodyMotion::screw(step));
        if (!motion.pieces_.back().is_valid()) return Error{"a pose cannot be worked with"};
    }
    motion.times_.assign(times.begin(), times.end());
    return motion;
}

std::size_t PiecewiseMotion::piece_at(double t) const noexcept {
    const auto after = std::upper_bound(times_.begin(), times_.end(), t);
    const auto index = static_cast<std::size_t>(after - times_.begin());
    return std::clamp<std::size_t>(index, 1, pieces_.size()) - 1;
}

// RM-9: the time within the piece is off by 3.1u at most, which moves a point by so much of its speed.
PoseEnclosure PiecewiseMotion::at(double t, const Vec3& origin) const noexcept {
    const std::size_t i = piece_at(t);
    const double within = (t - times_[i]) / (times_[i + 1] - times_[i]);
    const BodyMotion& piece = pieces_[i];
    PoseEnclosure pose = piece.at(std::clamp(within, 0.0, 1.0), origin);
    pose.linear_error =
        (pose.linear_error + 4.0 * kComposeUnit * piece.linear_speed()) * kComposeSlack;
    pose.translation_error =
        (pose.translation_error + 4.0 * kComposeUnit * piece.translation_speed()) * kComposeSlack;
    return pose;
}

ChordDeviation PiecewiseMotion::deviation(double a, double b) const noexcept {
    const std::size_t i = piece_at(a);
    if (!(b <= times_[i + 1])) return {};
    return pieces_[i].deviation_of(
        std::min(div_up(sub_up(b, a), sub_down(times_[i + 1], times_[i])), 1.0));
}

double PiecewiseMotion::next_joint(double t) const noexcept {
    return times_[piece_at(t) + 1];
}

}  // namespace graze::rigid
