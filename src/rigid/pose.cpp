#include "graze/rigid/pose.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "rigid/quaternion.hpp"

namespace graze::rigid {
namespace {

// Allowed difference of the squared length from 1: what files with six digits have, and far more
// than rounding makes. A larger one is a mistake (angles for a quaternion, say).
constexpr double kLengthTolerance = 1e-6;

bool is_finite(const Quaternion& q) noexcept {
    return graze::is_finite(q.w) && graze::is_finite(vector_part(q));
}

// Six digits, at any size.
std::string short_text(double x) {
    std::array<char, 32> room;
    const auto end =
        std::to_chars(room.data(), room.data() + room.size(), x, std::chars_format::general, 6).ptr;
    return std::string(room.data(), end);
}

Expected<void> first_error(Expected<void> first, Expected<void> second) {
    return first ? std::move(second) : std::move(first);
}

}  // namespace

Quaternion rotation_about(const Vec3& axis, double angle) noexcept {
    const double largest = norm_max(axis);
    if (!(largest > 0.0)) return {};
    const Vec3 scaled_axis = {axis.x / largest, axis.y / largest, axis.z / largest};
    const double sine = std::sin(0.5 * angle) / norm(scaled_axis);
    const Vec3 vector = sine * scaled_axis;
    return {std::cos(0.5 * angle), vector.x, vector.y, vector.z};
}

Vec3 rotate(const Quaternion& rotation, const Vec3& v) noexcept {
    return v + rotation_change(rotation, v);
}

Vec3 apply(const Pose& pose, const Vec3& point) noexcept {
    return rotate(pose.rotation, point) + pose.translation;
}

Quaternion normalised(const Quaternion& q) noexcept {
    const Quaternion near = near_one(q);
    const double length = std::sqrt(norm_sq(near));
    return {near.w / length, near.x / length, near.y / length, near.z / length};
}

Pose inverse(const Pose& pose) noexcept {
    const Quaternion back = conjugate(pose.rotation);
    return {back, -rotate(back, pose.translation)};
}

Pose compose(const Pose& first, const Pose& second) noexcept {
    return {product(near_one(first.rotation), near_one(second.rotation)),
            apply(first, second.translation)};
}

Expected<void> check(const Pose& pose, const char* name) {
    if (!is_finite(pose.rotation) || !graze::is_finite(pose.translation)) {
        return Error{std::string("pose of ") + name + ": a number is not finite"};
    }
    if (!(norm_max(pose.translation) <= kMaxTranslation)) {
        return Error{std::string("pose of ") + name + ": a translation of " +
                     short_text(norm_max(pose.translation)) +
                     " is beyond what can be worked with, " + short_text(kMaxTranslation)};
    }
    const double length_sq = norm_sq(pose.rotation);
    if (!(std::fabs(length_sq - 1.0) <= kLengthTolerance)) {
        return Error{std::string("pose of ") + name +
                     ": the quaternion's squared length is not 1 but " + short_text(length_sq)};
    }
    return {};
}

Expected<void> check(const PairStep& step) {
    return first_error(
        first_error(check(step.a.start, "A at the start"), check(step.a.end, "A at the end")),
        first_error(check(step.b.start, "B at the start"), check(step.b.end, "B at the end")));
}

}  // namespace graze::rigid
