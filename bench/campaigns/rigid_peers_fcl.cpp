#include <fcl/fcl.h>

#include "rigid_peers.hpp"

namespace graze::bench {
namespace {

using Mesh = fcl::BVHModel<fcl::OBBRSSd>;
using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry mesh_of(const rigid::Polyhedron& body) {
    std::vector<fcl::Vector3d> vertices;
    for (const Vec3& p : body.positions())
        vertices.emplace_back(p.x, p.y, p.z);
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : body.triangles())
        triangles.emplace_back(t[0], t[1], t[2]);
    auto mesh = std::make_shared<Mesh>();
    mesh->beginModel();
    mesh->addSubModel(vertices, triangles);
    mesh->endModel();
    return mesh;
}

fcl::Transform3d transform_of(const Pose& pose) {
    fcl::Transform3d result = fcl::Transform3d::Identity();
    const Quaternion& q = pose.rotation;
    result.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
    result.translation() =
        fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
    return result;
}

std::optional<double> ask(const Geometry& a, const Geometry& b, const rigid::PairStep& step,
                          const fcl::ContinuousCollisionRequestd& request) {
    const fcl::ScrewMotion<double> rest(transform_of(step.a.start), transform_of(step.a.end));
    const fcl::ScrewMotion<double> motion(transform_of(step.b.start), transform_of(step.b.end));
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide<double>(a.get(), &rest, b.get(), &motion, request, result);
    if (!result.is_collide) return std::nullopt;
    return result.time_of_contact;
}

Peer peer(std::string name, const Geometry& a, const Geometry& b,
          const fcl::ContinuousCollisionRequestd& request) {
    Peer result;
    result.name = std::move(name);
    result.first_impact = [=](const rigid::PairStep& step) { return ask(a, b, step, request); };
    return result;
}

fcl::ContinuousCollisionRequestd conservative(double time_error) {
    return {1000, time_error, fcl::CCDM_SCREW, fcl::GST_LIBCCD, fcl::CCDC_CONSERVATIVE_ADVANCEMENT};
}
fcl::ContinuousCollisionRequestd samples(std::size_t count) {
    return {count, 1.0 / static_cast<double>(count), fcl::CCDM_SCREW, fcl::GST_LIBCCD,
            fcl::CCDC_NAIVE};
}

}  // namespace

std::vector<Peer> fcl_peers(const rigid::Polyhedron& a, const rigid::Polyhedron& b,
                            bool are_cubes) {
    const Geometry mesh_a = mesh_of(a);
    const Geometry mesh_b = mesh_of(b);
    std::vector<Peer> peers;
    peers.push_back(peer("FCL mesh conservative advancement", mesh_a, mesh_b, conservative(1e-4)));
    peers.push_back(peer("FCL mesh, 100 samples", mesh_a, mesh_b, samples(100)));
    peers.push_back(peer("FCL mesh, 1000 samples", mesh_a, mesh_b, samples(1000)));
    if (are_cubes) {
        const Geometry box = std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0);
        peers.push_back(peer("FCL box conservative advancement", box, box, conservative(1e-4)));
    }
    return peers;
}

}  // namespace graze::bench
