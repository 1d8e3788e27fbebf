#include "impact_zones.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "graze/core/elementary.hpp"

namespace graze::sim::detail {

ImpactZones::ImpactZones(std::size_t vertex_count)
    : parent_(vertex_count), is_member_(vertex_count, 0) {
    for (std::size_t i = 0; i < vertex_count; ++i)
        parent_[i] = static_cast<std::uint32_t>(i);
}

std::uint32_t ImpactZones::root(std::uint32_t v) const {
    while (parent_[v] != v)
        v = parent_[v];
    return v;
}

void ImpactZones::join(std::uint32_t a, std::uint32_t b) {
    is_member_[a] = 1;
    is_member_[b] = 1;
    const std::uint32_t ra = root(a);
    const std::uint32_t rb = root(b);
    ++joined_;
    // The smaller one leads: the result does not depend on the order of joins.
    const std::uint32_t lead = std::min(ra, rb);
    parent_[std::max(ra, rb)] = lead;
    parent_[a] = lead;
    parent_[b] = lead;
}

std::vector<std::vector<std::uint32_t>> ImpactZones::zones() const {
    std::vector<std::vector<std::uint32_t>> zones;
    std::vector<std::size_t> zone_of(parent_.size());
    for (std::uint32_t v = 0; v < parent_.size(); ++v) {
        if (is_member_[v] == 0) continue;
        const std::uint32_t lead = root(v);
        if (lead == v) {
            zone_of[v] = zones.size();
            zones.emplace_back();
        }
        zones[zone_of[lead]].push_back(v);
    }
    return zones;
}

namespace {

Eigen::Vector3d eigen_vector(const Vec3& v) {
    return {v.x, v.y, v.z};
}

struct ZoneMomentum {
    double mass = 0.0;
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    Eigen::Vector3d shift = Eigen::Vector3d::Zero();
    Eigen::Vector3d rotation = Eigen::Vector3d::Zero();  // axis times angle, at most 2
};

// I^-1 L over the directions in which the zone has an extent: those of a line or a point have none.
Eigen::Vector3d spin(const Eigen::Matrix3d& inertia, const Eigen::Vector3d& angular) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solved(inertia);
    const Eigen::Vector3d& values = solved.eigenvalues();
    Eigen::Vector3d w = solved.eigenvectors().transpose() * angular;
    for (int i = 0; i < 3; ++i)
        w[i] = values[i] > 1e-9 * values[2] ? w[i] / values[i] : 0.0;
    return solved.eigenvectors() * w;
}

ZoneMomentum momentum_of(std::span<const std::uint32_t> zone, std::span<const Vec3> start,
                         std::span<const Vec3> displacement, std::span<const double> mass) {
    ZoneMomentum m;
    for (const std::uint32_t v : zone) {
        m.mass += mass[v];
        m.centre += mass[v] * eigen_vector(start[v]);
        m.shift += mass[v] * eigen_vector(displacement[v]);
    }
    m.centre /= m.mass;
    m.shift /= m.mass;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();
    for (const std::uint32_t v : zone) {
        const Eigen::Vector3d r = eigen_vector(start[v]) - m.centre;
        angular += mass[v] * r.cross(eigen_vector(displacement[v]) - m.shift);
        inertia += mass[v] * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    }
    m.rotation = spin(inertia, angular);
    const double angle = m.rotation.norm();
    if (angle > 2.0) m.rotation *= 2.0 / angle;
    return m;
}

// Rodrigues. Not Eigen's, which asks the C library for the sine. Requires: a unit axis.
Eigen::Matrix3d rotation_matrix(const Eigen::Vector3d& axis, double angle) {
    Eigen::Matrix3d across;
    across << 0.0, -axis[2], axis[1], axis[2], 0.0, -axis[0], -axis[1], axis[0], 0.0;
    const double c = cosine(angle);
    return c * Eigen::Matrix3d::Identity() + sine(angle) * across +
           (1.0 - c) * axis * axis.transpose();
}

}  // namespace

std::vector<Vec3> rigid_end(std::span<const std::uint32_t> zone, std::span<const Vec3> start,
                            std::span<const Vec3> displacement, std::span<const double> mass) {
    const ZoneMomentum m = momentum_of(zone, start, displacement, mass);
    const double angle = m.rotation.norm();
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    if (angle > 0.0) rotation = rotation_matrix(m.rotation / angle, angle);
    std::vector<Vec3> end;
    end.reserve(zone.size());
    for (const std::uint32_t v : zone) {
        const Eigen::Vector3d x =
            m.centre + m.shift + rotation * (eigen_vector(start[v]) - m.centre);
        end.push_back({x[0], x[1], x[2]});
    }
    return end;
}

}  // namespace graze::sim::detail
