#include "graze/verify/rigid_motion_judges.hpp"

#include <algorithm>

#include "graze/verify/rigid_reference_bodies.hpp"

namespace graze::rigid {

double KnownMotion::distance() {
    if (!distance_) distance_ = reference::least_distance(pair_, 0.1).lower;
    return *distance_;
}

double KnownMotion::depth_est() {
    if (!depth_est_) depth_est_ = reference::depth_est(pair_, motion_.truth.lower, 1.0, 32);
    return *depth_est_;
}

RasterJudgement judge(RasterSearch& search, const Shapes& bodies, KnownMotion& motion,
                      const RasterOptions& options) {
    RasterJudgement result;
    const auto answer = search.collisions(bodies.a, bodies.b, motion.step(), options);
    if (!answer) {
        result.refused = true;
        return result;
    }
    result.pixel = answer->statistics.pixel;
    const bool found = !answer->collisions.empty();
    if (found)
        result.distance_then = reference::distance_at(
            motion.pair(), std::clamp(answer->collisions.front().time, 0.0, 1.0));
    if (motion.truth().answer == Verdict::Contact && !found) {
        result.missed = true;
        result.depth_est = motion.depth_est();
    } else if (motion.truth().answer == Verdict::Separated && found) {
        result.false_alarm = true;
        result.distance = motion.distance();
    } else if (motion.truth().answer == Verdict::Contact) {
        const double error = answer->collisions.front().time - motion.truth().upper;
        result.time_error = error;
        result.path_error = error * motion.pair().bodies().speed;
    }
    return result;
}

CertifiedJudgement judge(const RigidBody& a, const RigidBody& b, const KnownMotion& motion,
                         const ImpactOptions& options) {
    const ImpactResult r = first_impact(a, b, motion.step(), options);
    const reference::FirstContact& truth = motion.truth();
    CertifiedJudgement result;
    result.checks = r.checks;
    result.unresolved = r.verdict == Verdict::Unresolved;
    // The bodies of a campaign start apart, though "unknown" is allowed to say.
    result.wrong_start = r.start != StartState::Separated && r.start != StartState::Unresolved;
    if (truth.answer == Verdict::Contact) {
        result.missed = r.verdict == Verdict::Separated;
        result.late = !(r.toi_lower <= truth.upper);
        result.unfounded = !(r.toi_upper >= truth.lower);
    } else if (truth.answer == Verdict::Separated) {
        result.false_alarm = r.verdict == Verdict::Contact;
        result.unfounded = r.toi_upper <= 1.0;
    }
    if (truth.answer == Verdict::Unresolved) {
        // How far the walk of the reference may end before the touch, generously.
        constexpr double kBefore = 1e-9;
        result.suspicious = r.toi_lower > truth.lower + kBefore;
    }
    if (r.verdict == Verdict::Contact) result.width = r.toi_upper - r.toi_lower;
    return result;
}

double pixel_for(const Shapes& bodies, const PairStep& step, double pixels_an_edge) {
    RasterSearch search;
    const auto twelfth = search.collisions(bodies.a, bodies.b, step);
    return twelfth ? twelfth->statistics.pixel * 12.0 / pixels_an_edge : 0.0;
}

}  // namespace graze::rigid
