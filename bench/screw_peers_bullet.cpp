#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include "screw_peers.hpp"

namespace graze::bench {
namespace {

using Hulls = std::vector<std::unique_ptr<btConvexHullShape>>;

Hulls hulls_of(const ConvexParts& parts) {
    Hulls hulls;
    for (const auto& part : parts) {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const Vec3& p : part)
            hull->addPoint({static_cast<btScalar>(p.x), static_cast<btScalar>(p.y),
                            static_cast<btScalar>(p.z)},
                           false);
        // The margin is within the hull, or contacts would be early by it.
        hull->setMargin(0);
        hull->recalcLocalAabb();
        hulls.push_back(std::move(hull));
    }
    return hulls;
}

btTransform transform_of(const screw::Pose& pose) {
    const screw::Quaternion& q = pose.rotation;
    return btTransform(
        btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                     static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
        {static_cast<btScalar>(pose.translation.x), static_cast<btScalar>(pose.translation.y),
         static_cast<btScalar>(pose.translation.z)});
}

std::optional<double> ask(const Hulls& a, const Hulls& b, const screw::PairStep& step) {
    const btTransform from_a = transform_of(step.a.start);
    const btTransform to_a = transform_of(step.a.end);
    const btTransform from_b = transform_of(step.b.start);
    const btTransform to_b = transform_of(step.b.end);
    std::optional<double> first;
    for (const auto& hull_a : a)
        for (const auto& hull_b : b) {
            btVoronoiSimplexSolver simplex;
            btGjkEpaPenetrationDepthSolver depth;
            btContinuousConvexCollision cast(hull_a.get(), hull_b.get(), &simplex, &depth);
            btConvexCast::CastResult result;
            result.m_fraction = 1;
            if (!cast.calcTimeOfImpact(from_a, to_a, from_b, to_b, result)) continue;
            const auto t = static_cast<double>(result.m_fraction);
            if (!first || t < *first) first = t;
        }
    return first;
}

}  // namespace

std::vector<Peer> bullet_peers(const ConvexParts& a, const ConvexParts& b) {
    const auto hulls_a = std::make_shared<const Hulls>(hulls_of(a));
    const auto hulls_b = std::make_shared<const Hulls>(hulls_of(b));
    std::string name = "Bullet continuous convex (not a screw), parts: " + std::to_string(a.size());
    return {{std::move(name),
             [=](const screw::PairStep& step) { return ask(*hulls_a, *hulls_b, step); }}};
}

}  // namespace graze::bench
