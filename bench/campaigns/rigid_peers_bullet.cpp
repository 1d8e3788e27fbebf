#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <cmath>

#include "graze/verify/rigid_reference_motion.hpp"
#include "rigid_peers.hpp"

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

btTransform transform_of(const Pose& pose) {
    const Quaternion& q = pose.rotation;
    return btTransform(
        btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                     static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
        {static_cast<btScalar>(pose.translation.x), static_cast<btScalar>(pose.translation.y),
         static_cast<btScalar>(pose.translation.z)});
}

std::optional<double> ask(const Hulls& a, const Hulls& b, const rigid::PairStep& step) {
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

// The point of B (local coordinates) that starts on the axis of the screw and so stays on it. Where
// the axis is farther than 1e3 the motion is straight to Bullet's floats: the origin.
Vec3 point_on_axis(const rigid::PairStep& step) {
    using rigid::reference::cross;
    const auto motion = rigid::reference::relative_motion<double>(step);
    if (!(motion.half_angle > 0.0)) return {};
    const double cot = std::cos(motion.half_angle) / std::sin(motion.half_angle);
    const auto in_a = 0.5 * (motion.across + cot * cross(motion.axis, motion.across));
    if (!(length(in_a) < 1e3)) return {};
    const auto in_b = turned(opposite(motion.start_turn), in_a - motion.start_shift);
    return {in_b.x, in_b.y, in_b.z};
}

// B with its origin moved to a point of the axis: the parts, and both poses of the step.
struct OnAxis {
    ConvexParts parts;
    Hulls hulls;
    rigid::PairStep step;

    void set(const rigid::PairStep& wanted) {
        const Vec3 origin = point_on_axis(wanted);
        ConvexParts moved = parts;
        for (auto& part : moved)
            for (Vec3& p : part)
                p = p - origin;
        hulls = hulls_of(moved);
        step = wanted;
        step.b.start.translation = apply(wanted.b.start, origin);
        step.b.end.translation = apply(wanted.b.end, origin);
    }
};

}  // namespace

std::vector<Peer> bullet_peers(const ConvexParts& a, const ConvexParts& b) {
    const auto hulls_a = std::make_shared<const Hulls>(hulls_of(a));
    const auto hulls_b = std::make_shared<const Hulls>(hulls_of(b));
    const std::string parts = a.size() == 1 ? "" : ", " + std::to_string(a.size()) + " parts";
    Peer straight;
    straight.name = "Bullet continuous convex, not a screw" + parts;
    straight.first_impact = [=](const rigid::PairStep& step) {
        return ask(*hulls_a, *hulls_b, step);
    };
    const auto moved = std::make_shared<OnAxis>();
    moved->parts = b;
    Peer on_axis;
    on_axis.name = "Bullet continuous convex, origin on the axis" + parts;
    on_axis.prepare = [=](const rigid::PairStep& step) { moved->set(step); };
    on_axis.first_impact = [=](const rigid::PairStep&) {
        return ask(*hulls_a, moved->hulls, moved->step);
    };
    return {straight, on_axis};
}

}  // namespace graze::bench
