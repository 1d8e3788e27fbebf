#include <algorithm>
#include <string_view>

#include "graze/verify/rigid_motion_judges.hpp"

namespace graze::rigid {

EventsJudgement judge_events(const RigidBody& a, const RigidBody& b, const KnownMotion& motion) {
    // The reference bisects in double: places are good to some 1e-14, times of slow crossings less.
    constexpr double kTimeDoubt = 1e-8;
    const std::vector<reference::Event> events = reference::events(motion.pair());
    const AllImpacts all = all_impacts(a, b, motion.step(), {}, -2.0);
    std::vector<bool> used(all.collisions.size(), false);
    EventsJudgement result{events.size(), 0, 0, all.complete};
    for (const reference::Event& event : events) {
        const auto same = [&](const Contact& c) {
            return short_name(c.type) == std::string_view(event.type) && c.a == event.a &&
                   c.b == event.b && c.time_lower - kTimeDoubt <= event.time &&
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

}  // namespace graze::rigid
