#include "screw/motion_judges.hpp"

#include <algorithm>
#include <string_view>

#include "screw/reference_bodies.hpp"

namespace graze::screw {

using reference::Answer;

RasterJudgement judge(RasterSearch& search, const Shapes& bodies, const reference::Pair& pair,
                      const RandomMotion& motion, const RasterOptions& options) {
    RasterJudgement result;
    const auto answer = search.collisions(bodies.a, bodies.b, motion.step, options);
    if (!answer) {
        result.refused = true;
        return result;
    }
    result.pixel = answer->statistics.pixel;
    const bool found = !answer->collisions.empty();
    if (motion.truth.answer == Answer::Contact && !found) {
        result.missed = true;
        result.depth_est = reference::depth_est(pair, motion.truth.lower, 1.0, 32);
    } else if (motion.truth.answer == Answer::Separated && found) {
        result.false_alarm = true;
        result.distance = reference::least_distance(pair).lower;
    } else if (motion.truth.answer == Answer::Contact) {
        const double error = answer->collisions.front().time - motion.truth.upper;
        result.time_error = error;
        result.path_error = error * pair.bodies().speed;
    }
    return result;
}

CertifiedJudgement judge(const RigidBody& a, const RigidBody& b, const RandomMotion& motion,
                         const ImpactOptions& options) {
    const ImpactResult r = first_impact(a, b, motion.step, options);
    const reference::FirstContact& truth = motion.truth;
    CertifiedJudgement result;
    result.checks = r.checks;
    result.unresolved = r.verdict == Verdict::Unresolved;
    // The bodies of a campaign start apart, though "unknown" is allowed to say.
    result.wrong_start = r.start != StartState::Apart && r.start != StartState::Unknown;
    if (truth.answer == Answer::Contact) {
        result.missed = r.verdict == Verdict::Separated;
        result.late = !(r.toi_lower <= truth.upper);
        result.unfounded = !(r.toi_upper >= truth.lower);
    } else if (truth.answer == Answer::Separated) {
        result.false_alarm = r.verdict == Verdict::Contact;
        result.unfounded = r.toi_upper <= 1.0;
    }
    if (r.verdict == Verdict::Contact) result.width = r.toi_upper - r.toi_lower;
    return result;
}

EventsJudgement judge_events(const RigidBody& a, const RigidBody& b, const reference::Pair& pair,
                             const RandomMotion& motion) {
    // The reference bisects in double: places are good to some 1e-14, times of slow crossings less.
    constexpr double kTimeDoubt = 1e-8;
    const std::vector<reference::Event> events = reference::events(pair);
    const AllImpacts all = all_impacts(a, b, motion.step, {}, -2.0);
    std::vector<bool> used(all.collisions.size(), false);
    EventsJudgement result{events.size(), 0, 0, all.complete};
    for (const reference::Event& event : events) {
        const auto same = [&](const ProvedCollision& c) {
            return short_name(c.collision.type) == std::string_view(event.type) &&
                   c.collision.a == event.a && c.collision.b == event.b &&
                   c.time_lower - kTimeDoubt <= event.time &&
                   event.time <= c.time_upper + kTimeDoubt;
        };
        std::size_t i = 0;
        while (i < used.size() && (used[i] || !same(all.collisions[i])))
            ++i;
        if (i < used.size())
            used[i] = true;
        else
            ++result.missing;
    }
    result.unfounded = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
    return result;
}

double pixel_for(const Shapes& bodies, const PairStep& step, double pixels_an_edge) {
    RasterSearch search;
    const auto twelfth = search.collisions(bodies.a, bodies.b, step);
    return twelfth ? twelfth->statistics.pixel * 12.0 / pixels_an_edge : 0.0;
}

}  // namespace graze::screw
