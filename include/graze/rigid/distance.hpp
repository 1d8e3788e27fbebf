// The distance of two rigid bodies at given poses, with a proved bracket.
#pragma once

#include <cstdint>

#include "graze/core/pose.hpp"
#include "graze/rigid/impact.hpp"

namespace graze::rigid {

struct DistanceOptions {
    // > 0: target width of the bracket as a fraction of the distance. It is wider where rounding
    // errors of the poses are larger than that, and where the budget is spent.
    double relative_width = 1e-9;
    // Work budget of each of at most 128 static queries (ImpactOptions::max_checks).
    std::uint64_t max_checks = 100'000'000;
    BodyModel model = BodyModel::Solid;
    StopToken stop{};
};

// The default is the safe one: nothing is known.
struct DistanceResult {
    double lower = 0.0;        // the distance is proved to be >= lower
    double upper = kInfinity;  // and <= upper
    StartState state = StartState::Unresolved;
    // The nearest faces and the nearest points on them, in the world: estimates, kNoFace where
    // nothing is known. Not set in contact.
    std::uint32_t face_a = kNoFace;
    std::uint32_t face_b = kNoFace;
    Vec3 on_a;
    Vec3 on_b;
};

// Guarantee: the Euclidean distance of the bodies with the poses as given, of exact numbers, is in
// [lower, upper]. It is 0, exactly, where the surfaces share a point or, for Solid bodies, one is
// inside the other. [0, infinity] for poses or options that are not valid, after a stop, and where
// the budget allows no proof.
// Cost: some ten to fifty static queries of first_impact().
[[nodiscard]] DistanceResult distance(const RigidBody& a, const Pose& pose_a, const RigidBody& b,
                                      const Pose& pose_b, const DistanceOptions& options = {});

}  // namespace graze::rigid
