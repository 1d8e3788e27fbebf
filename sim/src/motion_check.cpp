#include "graze/sim/motion_check.hpp"

#include <string>
#include <utility>

#include "graze/sim/response.hpp"

namespace graze::sim {

MotionCheck::MotionCheck(const Model& model, unsigned threads, const StopToken& stop)
    : stepper_(model.surface), options_(collision_options(model)) {
    options_.threads = static_cast<int>(threads);
    options_.stop = stop;
}

Expected<void> MotionCheck::start(std::span<const Vec3> x) {
    const auto found = stepper_.intersections(x, options_);
    if (!found) return found.error();
    if (found->empty()) return {};
    return Error{"the scene cannot start: " + std::to_string(found->size()) +
                     " pairs of elements intersect or touch",
                 ErrorCode::InvalidInput};
}

Expected<void> MotionCheck::motion(std::span<const Vec3> start, std::span<const Vec3> end) {
    const auto found = stepper_.all_impacts(start, end, options_);
    if (!found) return found.error();
    crossings_ += found->impacts.size();
    return {};
}

Expected<void> MotionCheck::end_of_step(std::span<const Vec3> x, FrameStats& stats) {
    const auto found = stepper_.intersections(x, options_);
    if (!found) return found.error();
    ++stats.checked;
    stats.intersections += found->size();
    stats.crossings += std::exchange(crossings_, 0);
    return {};
}

}  // namespace graze::sim
