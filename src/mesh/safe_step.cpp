#include "graze/mesh/safe_step.hpp"

#include <algorithm>

namespace graze {
namespace {

// x s + y t rounds three times; clamped it is between its ends all the same.
double between(double x, double y, double t) noexcept {
    if (t == 0.0) return x;
    if (t == 1.0) return y;
    return std::clamp(x * (1.0 - t) + y * t, std::min(x, y), std::max(x, y));
}
Vec3 between(const Vec3& a, const Vec3& b, double t) noexcept {
    return {between(a.x, b.x, t), between(a.y, b.y, t), between(a.z, b.z, t)};
}

constexpr int kMostProofs = 64;

}  // namespace

std::vector<Vec3> positions_between(std::span<const Vec3> start, std::span<const Vec3> end,
                                    double fraction) {
    std::vector<Vec3> positions(start.size());
    for (std::size_t i = 0; i < start.size(); ++i)
        positions[i] = between(start[i], end[i], fraction);
    return positions;
}

std::vector<Vec3> positions_between(std::span<const Vec3> start, std::span<const Vec3> end,
                                    std::span<const double> fraction) {
    std::vector<Vec3> positions(start.size());
    for (std::size_t i = 0; i < start.size(); ++i)
        positions[i] = between(start[i], end[i], fraction[i]);
    return positions;
}

Expected<SafeStep> largest_safe_step(MeshStepper& stepper, std::span<const Vec3> start,
                                     std::span<const Vec3> end, const StepOptions& options) {
    StepOptions whole = options;
    whole.query.t_max = 1.0;
    SafeStep step;
    step.fraction = 1.0;
    step.positions.assign(end.begin(), end.end());
    double shrink = 1.0 - 0x1p-20;
    // Each round asks about the very motion that would be returned, and shortens it if it is not
    // free: at first to the time of impact, then ever faster.
    while (step.proofs < kMostProofs) {
        ++step.proofs;
        const Expected<FirstImpact> first = stepper.first_impact(start, step.positions, whole);
        if (!first) return first.error();
        if (!first->impact) return step;
        if (!step.impact) step.impact = first->impact;
        step.fraction *= std::min(first->toi_lower, 1.0) * shrink;
        shrink = std::max(0.5, 1.0 - 4.0 * (1.0 - shrink));
        if (!(step.fraction > 0.0)) break;
        step.positions = positions_between(start, end, step.fraction);
    }
    step.fraction = 0.0;
    step.positions.assign(start.begin(), start.end());
    return step;
}

}  // namespace graze
