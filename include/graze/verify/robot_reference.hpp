// Robots in long double, by closed forms of their own: what the enclosures are tested against.
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "graze/robot/robot.hpp"

namespace graze::robot::reference {

using Long = long double;
using Point = Vec<Long>;
using Random = std::mt19937_64;

inline Point wide(const Vec3& v) {
    return {v.x, v.y, v.z};
}
inline Long length(const Point& p) {
    return std::sqrt(norm_sq(p));
}

struct ExactPose {
    std::array<Point, 3> rows = {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}};
    Point translation;

    [[nodiscard]] Point rotate(const Point& p) const {
        return {dot(rows[0], p), dot(rows[1], p), dot(rows[2], p)};
    }
    [[nodiscard]] Point rotate_back(const Point& p) const {
        return p.x * rows[0] + p.y * rows[1] + p.z * rows[2];
    }
    [[nodiscard]] Point operator()(const Point& p) const { return rotate(p) + translation; }
    [[nodiscard]] Point back(const Point& p) const { return rotate_back(p - translation); }
};
inline ExactPose product(const ExactPose& a, const ExactPose& b) {
    ExactPose c;
    for (std::size_t i = 0; i < 3; ++i)
        c.rows[i] = b.rotate_back(a.rows[i]);
    c.translation = a(b.translation);
    return c;
}
// Rodrigues.
inline ExactPose rotation(const Point& axis, Long angle) {
    const Point u = (1 / length(axis)) * axis;
    const Long c = std::cos(angle);
    const Long s = std::sin(angle);
    ExactPose pose;
    const std::array<Point, 3> unit = {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}};
    std::array<Point, 3> columns;
    for (std::size_t j = 0; j < 3; ++j)
        columns[j] = c * unit[j] + s * cross(u, unit[j]) + ((1 - c) * dot(u, unit[j])) * u;
    for (std::size_t i = 0; i < 3; ++i)
        pose.rows[i] = {columns[0][i], columns[1][i], columns[2][i]};
    return pose;
}
inline ExactPose exact(const Pose& pose) {
    const Quaternion& q = pose.rotation;
    const Point v = {q.x, q.y, q.z};
    const Long w = q.w;
    const Long n = w * w + norm_sq(v);
    ExactPose result;
    const std::array<Point, 3> unit = {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}};
    std::array<Point, 3> columns;
    for (std::size_t j = 0; j < 3; ++j) {
        const Point first = cross(v, unit[j]);
        columns[j] = unit[j] + (2 / n) * (w * first + cross(v, first));
    }
    for (std::size_t i = 0; i < 3; ++i)
        result.rows[i] = {columns[0][i], columns[1][i], columns[2][i]};
    result.translation = wide(pose.translation);
    return result;
}

// Values of all joints of a segment at t.
inline std::vector<Long> exact_values(const Robot& robot, const Segment& segment, Long t) {
    std::vector<Long> values(robot.joints().size(), 0);
    const auto own = [&](std::size_t i) -> Long {
        const Long a = segment.start[i];
        const Long b = segment.end[i];
        if (!segment.velocities) return (1 - t) * a + t * b;
        const Long v = segment.velocities->first[i];
        const Long w = segment.velocities->second[i];
        const Long r = 1 - t;
        return r * r * (1 + 2 * t) * a + t * t * (3 - 2 * t) * b + t * r * r * v - t * t * r * w;
    };
    for (std::size_t i = 0; i < robot.variables().size(); ++i)
        values[robot.variables()[i]] = own(i);
    for (std::size_t pass = 0; pass < robot.joints().size(); ++pass) {
        for (std::size_t j = 0; j < robot.joints().size(); ++j) {
            const auto& mimic = robot.joints()[j].mimic;
            if (mimic)
                values[j] = Long{mimic->multiplier} * values[mimic->joint] + Long{mimic->offset};
        }
    }
    return values;
}

inline std::vector<ExactPose> exact_links(const Robot& robot, const Segment& segment, Long t) {
    const std::vector<Long> values = exact_values(robot, segment, t);
    std::vector<ExactPose> poses(robot.links().size());
    std::vector<bool> is_known(poses.size(), false);
    is_known[robot.root()] = true;
    for (std::size_t pass = 0; pass < poses.size(); ++pass) {
        for (std::size_t j = 0; j < robot.joints().size(); ++j) {
            const Joint& joint = robot.joints()[j];
            if (!is_known[joint.parent] || is_known[joint.child]) continue;
            ExactPose local;
            if (joint.kind == JointKind::Prismatic) {
                local.translation = (values[j] / length(wide(joint.axis))) * wide(joint.axis);
            } else if (joint.kind != JointKind::Fixed) {
                local = rotation(wide(joint.axis), values[j]);
            }
            poses[joint.child] = product(poses[joint.parent], product(exact(joint.origin), local));
            is_known[joint.child] = true;
        }
    }
    return poses;
}

// --- Random robots -------------------------------------------------------------------------------

inline double uniform(Random& rng, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(rng);
}
inline Vec3 random_vector(Random& rng, double size = 1.0) {
    return {uniform(rng, -size, size), uniform(rng, -size, size), uniform(rng, -size, size)};
}
inline Quaternion random_rotation(Random& rng) {
    std::normal_distribution<double> normal;
    return normalised({normal(rng), normal(rng), normal(rng), normal(rng)});
}

// A tree of joints of all kinds, some of which mimic others; links have no geometry yet.
inline RobotDescription random_tree(Random& rng, std::size_t joints) {
    RobotDescription robot;
    robot.name = "tree";
    robot.links.push_back({"link0", {}});
    for (std::uint32_t j = 0; j < joints; ++j) {
        robot.links.push_back({"link" + std::to_string(j + 1), {}});
        Joint joint;
        joint.name = "joint" + std::to_string(j);
        constexpr std::array kKinds = {JointKind::Revolute, JointKind::Revolute,
                                       JointKind::Continuous, JointKind::Prismatic,
                                       JointKind::Fixed};
        joint.kind = kKinds[rng() % kKinds.size()];
        joint.parent = rng() % 4 == 0 ? static_cast<LinkId>(rng() % (j + 1)) : j;
        joint.child = j + 1;
        joint.origin = {random_rotation(rng), random_vector(rng, 0.4)};
        joint.axis = random_vector(rng);
        if (joint.kind != JointKind::Fixed && j > 0 && rng() % 4 == 0) {
            const auto other = static_cast<JointId>(rng() % j);
            if (robot.joints[other].kind != JointKind::Fixed)
                joint.mimic = Mimic{other, uniform(rng, -2.0, 2.0), uniform(rng, -0.5, 0.5)};
        }
        robot.joints.push_back(joint);
    }
    return robot;
}

inline Segment random_segment(Random& rng, const Robot& robot, double step) {
    Segment segment;
    Configuration first;
    Configuration last;
    for (std::size_t i = 0; i < robot.variables().size(); ++i) {
        segment.start.push_back(uniform(rng, -3.0, 3.0));
        segment.end.push_back(segment.start.back() + uniform(rng, -step, step));
        first.push_back(uniform(rng, -2.0 * step, 2.0 * step));
        last.push_back(uniform(rng, -2.0 * step, 2.0 * step));
    }
    if (rng() % 2 == 0) segment.velocities = {first, last};
    return segment;
}

}  // namespace graze::robot::reference
