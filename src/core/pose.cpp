#include "graze/core/pose.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "graze/core/elementary.hpp"
#include "graze/core/quaternion.hpp"

namespace graze {
namespace {

// Allowed difference of the squared length from 1: what files with six digits have, and far more
// than rounding makes. A larger one is a mistake (angles for a quaternion, say).
constexpr double kLengthTolerance = 1e-6;

bool has_finite_parts(const Quaternion& q) noexcept {
    return is_finite(q.w) && is_finite(vector_part(q));
}

// Six digits, at any size.
std::string short_text(double x) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x,
                                   std::chars_format::general, 6)
                         .ptr;
    return std::string(buffer.data(), end);
}

}  // namespace

Quaternion rotation_about(const Vec3& axis, double angle) noexcept {
    const double largest = norm_max(axis);
    if (!(largest > 0.0)) return {};
    const Vec3 scaled_axis = {axis.x / largest, axis.y / largest, axis.z / largest};
    const Vec3 vector = (sine(0.5 * angle) / norm(scaled_axis)) * scaled_axis;
    return {cosine(0.5 * angle), vector.x, vector.y, vector.z};
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
    if (!has_finite_parts(pose.rotation) || !is_finite(pose.translation)) {
        return Error{std::string("pose of ") + name + ": a number is not finite",
                     ErrorCode::NotFinite};
    }
    if (!(norm_max(pose.translation) <= kMaxTranslation)) {
        return Error{std::string("pose of ") + name + ": a translation of " +
                         short_text(norm_max(pose.translation)) +
                         " is beyond what can be worked with, " + short_text(kMaxTranslation),
                     ErrorCode::InvalidInput};
    }
    const double length_sq = norm_sq(pose.rotation);
    if (!(std::fabs(length_sq - 1.0) <= kLengthTolerance)) {
        return Error{std::string("pose of ") + name +
                         ": the quaternion's squared length is not 1 but " + short_text(length_sq),
                     ErrorCode::InvalidInput};
    }
    return {};
}

namespace {

using MatrixRow = std::array<double, 4>;

Error matrix_error(std::size_t row, const std::string& what,
                   ErrorCode code = ErrorCode::InvalidInput) {
    return Error{"matrix of a pose: row " + std::to_string(row) + " " + what, code, row};
}

Expected<void> check_finite(std::span<const double> row_major) {
    for (std::size_t i = 0; i < row_major.size(); ++i)
        if (!is_finite(row_major[i]))
            return matrix_error(i / 4, "has a number that is not finite", ErrorCode::NotFinite);
    return {};
}

// Rows that are an orthonormal frame within the tolerance. Written so that NaN is an error.
Expected<void> check_rotation(const std::array<Vec3, 3>& rows) {
    for (std::size_t i = 0; i < 3; ++i) {
        const double length_sq = norm_sq(rows[i]);
        if (!(std::fabs(length_sq - 1.0) <= kMatrixTolerance))
            return matrix_error(
                i, "is no row of a rotation: its squared length is " + short_text(length_sq));
        for (std::size_t k = 0; k < i; ++k) {
            const double product = dot(rows[i], rows[k]);
            if (!(std::fabs(product) <= kMatrixTolerance))
                return matrix_error(i, "is no row of a rotation: its scalar product with row " +
                                           std::to_string(k) + " is " + short_text(product));
        }
    }
    if (!(dot(cross(rows[0], rows[1]), rows[2]) > 0.0))
        return matrix_error(2, "makes the matrix a reflection, which is no rotation");
    return {};
}

Expected<void> check_last_row(const MatrixRow& row) {
    for (std::size_t k = 0; k < 4; ++k)
        if (!(std::fabs(row[k] - (k == 3 ? 1.0 : 0.0)) <= kMatrixTolerance))
            return matrix_error(3, "is not 0 0 0 1");
    return {};
}

// Shepperd 1978: the largest of 4w^2, 4x^2, 4y^2, 4z^2 is at least 1, so that the division by it
// loses no digits. Up to its length.
Quaternion rotation_of(const std::array<Vec3, 3>& m) noexcept {
    const double trace = m[0].x + m[1].y + m[2].z;
    const double largest = std::fmax(std::fmax(m[0].x, m[1].y), m[2].z);
    if (trace >= largest) return {1.0 + trace, m[2].y - m[1].z, m[0].z - m[2].x, m[1].x - m[0].y};
    if (largest == m[0].x)
        return {m[2].y - m[1].z, 1.0 + m[0].x - m[1].y - m[2].z, m[0].y + m[1].x, m[0].z + m[2].x};
    if (largest == m[1].y)
        return {m[0].z - m[2].x, m[0].y + m[1].x, 1.0 + m[1].y - m[0].x - m[2].z, m[1].z + m[2].y};
    return {m[1].x - m[0].y, m[0].z + m[2].x, m[1].z + m[2].y, 1.0 + m[2].z - m[0].x - m[1].y};
}

}  // namespace

Expected<Pose> pose_from_matrix(std::span<const double> row_major) {
    if (row_major.size() != 12 && row_major.size() != 16)
        return Error{"matrix of a pose: 12 or 16 numbers are needed, not " +
                         std::to_string(row_major.size()),
                     ErrorCode::WrongSize};
    if (auto good = check_finite(row_major); !good) return good.error();
    std::array<Vec3, 3> rotation;
    Vec3 translation;
    for (std::size_t i = 0; i < 3; ++i) {
        rotation[i] = {row_major[4 * i], row_major[4 * i + 1], row_major[4 * i + 2]};
        translation[i] = row_major[4 * i + 3];
    }
    if (auto good = check_rotation(rotation); !good) return good.error();
    if (row_major.size() == 16) {
        const MatrixRow last{row_major[12], row_major[13], row_major[14], row_major[15]};
        if (auto good = check_last_row(last); !good) return good.error();
    }
    const Pose pose{normalised(rotation_of(rotation)), translation};
    if (auto good = check(pose, "the matrix"); !good) return good.error();
    return pose;
}

std::array<double, 16> matrix_from_pose(const Pose& pose) noexcept {
    const Vec3 x = rotate(pose.rotation, {1.0, 0.0, 0.0});
    const Vec3 y = rotate(pose.rotation, {0.0, 1.0, 0.0});
    const Vec3 z = rotate(pose.rotation, {0.0, 0.0, 1.0});
    const Vec3& t = pose.translation;
    return {x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z, 0.0, 0.0, 0.0, 1.0};
}

}  // namespace graze
