// Poses as Eigen transforms. The only header of this module that needs Eigen.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>

#include "graze/core/expected.hpp"
#include "graze/core/pose.hpp"

namespace graze::rigid {

// Errors: those of pose_from_matrix(), which name the row.
[[nodiscard]] inline Expected<Pose> pose_from(const Eigen::Isometry3d& transform) {
    std::array<double, 16> row_major{};
    for (std::size_t i = 0; i < 16; ++i) {
        row_major[i] =
            transform.matrix()(static_cast<Eigen::Index>(i / 4), static_cast<Eigen::Index>(i % 4));
    }
    return pose_from_matrix(row_major);
}

// To the nearest few ulps.
[[nodiscard]] inline Eigen::Isometry3d isometry_from(const Pose& pose) {
    const std::array<double, 16> row_major = matrix_from_pose(pose);
    Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
    for (std::size_t i = 0; i < 12; ++i) {
        transform.matrix()(static_cast<Eigen::Index>(i / 4), static_cast<Eigen::Index>(i % 4)) =
            row_major[i];
    }
    return transform;
}

}  // namespace graze::rigid
