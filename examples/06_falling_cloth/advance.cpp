#include "advance.hpp"

#include <algorithm>

#include "graze/mesh/line_search.hpp"
#include "graze/mesh/vertex_bounds.hpp"

namespace falling_cloth {
namespace {

using graze::Expected;
using graze::Vec3;

constexpr double kReach = 0.1;  // [m] distances beyond it do not matter
constexpr double kKept = 0.5;   // of a distance, by the radii of one advance

// Did no vertex move, although some had a displacement?
bool is_standstill(std::span<const Vec3> start, std::span<const Vec3> end,
                   std::span<const Vec3> positions) {
    return std::ranges::equal(start, positions) && !std::ranges::equal(start, end);
}

// The same share for everybody.
Expected<Advance> by_line_search(graze::MeshStepper& stepper, std::span<const Vec3> start,
                                 std::span<const Vec3> end, const Energy& energy,
                                 const graze::StepOptions& options) {
    auto found = graze::line_search(stepper, start, end, energy, {.step = options});
    if (!found) return found.error();
    return Advance{std::move(found->positions), found->alpha_free, !(found->alpha_free > 0.0)};
}

// To each vertex its own share of its way, with most of the least distance kept: fractions may lead
// up to the very contact, and there would be no room for the next ones.
Expected<Advance> by_fractions(graze::MeshStepper& stepper, std::span<const Vec3> start,
                               std::span<const Vec3> end, graze::StepOptions options) {
    const auto clearance = stepper.clearance(start, kReach, options);
    if (!clearance) return clearance.error();
    options.query.min_separation = 0.9 * clearance->least;
    options.query.distance_tolerance =
        std::min(options.query.distance_tolerance, 0.025 * clearance->least);
    auto found = graze::free_fractions(stepper, start, end, options);
    if (!found) return found.error();
    double least = 1.0;
    for (std::size_t i = 0; i < start.size(); ++i)
        if (start[i] != end[i]) least = std::min(least, found->fraction[i]);
    const bool is_stuck = !(least > 0.0) || is_standstill(start, end, found->positions);
    return Advance{std::move(found->positions), least, is_stuck};
}

// From `a` towards `b` by no more than `radius`: as rounded, whence the loop.
Vec3 within(const Vec3& a, const Vec3& b, double radius) {
    const double most = radius * (1.0 - 0x1p-48);  // pays for the rounding of what is measured
    if (graze::norm(b - a) <= most) return b;
    double share = most / graze::norm(b - a);
    Vec3 p = a + share * (b - a);
    while (!(graze::norm(p - a) <= most)) {
        share *= 0.875;
        p = a + share * (b - a);
    }
    return p;
}

// Each vertex stays within a part of its radius: whatever the others do within theirs.
Expected<Advance> by_radii(graze::MeshStepper& stepper, std::span<const Vec3> start,
                           std::span<const Vec3> end, const graze::StepOptions& options) {
    const auto radii = graze::free_radii(stepper, start, kReach, options);
    if (!radii) return radii.error();
    Advance result;
    for (std::size_t i = 0; i < start.size(); ++i) {
        const double radius = (1.0 - kKept) * (*radii)[i];
        result.positions.push_back(within(start[i], end[i], radius));
        const double way = graze::norm(end[i] - start[i]);
        if (way > 0.0) result.least_share = std::min(result.least_share, radius / way);
    }
    result.is_stuck = !(result.least_share > 0.0) || is_standstill(start, end, result.positions);
    return result;
}

}  // namespace

std::optional<Mode> mode_named(std::string_view name) {
    if (name == "line-search") return Mode::LineSearch;
    if (name == "fractions") return Mode::Fractions;
    if (name == "radii") return Mode::Radii;
    return std::nullopt;
}

Expected<Advance> advance(Mode mode, graze::MeshStepper& stepper, std::span<const Vec3> start,
                          std::span<const Vec3> end, const Energy& energy,
                          const graze::StepOptions& options) {
    switch (mode) {
        case Mode::LineSearch:
            return by_line_search(stepper, start, end, energy, options);
        case Mode::Fractions:
            return by_fractions(stepper, start, end, options);
        case Mode::Radii:
            break;
    }
    return by_radii(stepper, start, end, options);
}

}  // namespace falling_cloth
