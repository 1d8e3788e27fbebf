// Steps that are free as rounded (MESH-6 in docs/derivations/mesh.md).
//
// A time of impact belongs to the exact motion. The positions start + f (end - start) are rounded,
// and the straight motion to them is another one, which may touch where the exact one did not. So
// a fraction counts only when the motion to its very doubles was asked about:
//   f_0 = 1,  f_{k+1} = max(f_k tau_k s_k, eta),  tau_k = min(toi_lower of start -> x_k, 1).
// Progress: let g > 0 be the least max-norm distance at the start and Y the largest |coordinate| at
// the end. For f <= 2^-54 a coordinate moves by at most 2 (Y f (1 + u) + eta / 2), and if that is
// below g / 2 no pair can meet: f <= g / (16 Y) is free for g >= 4 eta. The last round has f = eta.
#include "graze/mesh/safe_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mesh/step_check.hpp"
#include "mesh/stepper_access.hpp"
#include "mesh/stepper_state.hpp"
#include "mesh/with_positions.hpp"

namespace graze {
using namespace mesh_detail;
namespace {

// x s + y t rounds three times; clamped it is between its ends all the same, so that the box of a
// vertex over the step holds it, and a coordinate at rest (x = y) stays to the bit.
double between(double x, double y, double t) noexcept {
    if (t == 0.0) return x;
    if (t == 1.0) return y;
    return std::clamp(x * (1.0 - t) + y * t, std::min(x, y), std::max(x, y));
}
Vec3 between(const Vec3& a, const Vec3& b, double t) noexcept {
    return {between(a.x, b.x, t), between(a.y, b.y, t), between(a.z, b.z, t)};
}

template <class FractionOf>
std::vector<Vec3> all_between(std::span<const Vec3> start, std::span<const Vec3> end,
                              const FractionOf& fraction_of) {
    const auto copy_of_start = [&] { return std::vector<Vec3>(start.begin(), start.end()); };
    return with_sound_arithmetic(
        [&] {
            std::vector<Vec3> positions(start.size());
            for (std::size_t i = 0; i < start.size(); ++i)
                positions[i] = between(start[i], end[i], fraction_of(i));
            return positions;
        },
        copy_of_start);
}

// The least fraction there is.
constexpr double kLeastFraction = std::numeric_limits<double>::denorm_min();

// What is taken of the path to an impact, from round to round: 1 - 2^-20, 1 - 2^-18, ..., 1 - 2^-2,
// then 2^-1, 2^-2, 2^-4, ... From 1 to the least fraction it takes 22 rounds.
double next_factor(double factor) noexcept {
    return factor > 0.5 ? std::max(0.5, 1.0 - 4.0 * (1.0 - factor)) : factor * factor;
}

// One step, shortened until it is proved to be free.
class SafeStepSearch {
public:
    SafeStepSearch(MeshStepper& stepper, std::span<const Vec3> start, std::span<const Vec3> end,
                   const StepOptions& options)
        : stepper_(stepper), start_(start), end_(end), whole_(options) {
        whole_.query.t_max = 1.0;
        step_.positions.assign(start.begin(), start.end());
    }

    [[nodiscard]] Expected<SafeStep> run() {
        // Before a position between the two is looked up.
        if (const auto good = check_step(stepper_.topology(), start_, end_, whole_); !good)
            return good.error();
        for (auto phase : {&SafeStepSearch::shorten, &SafeStepSearch::lengthen}) {
            if (const Expected<void> good = (this->*phase)(); !good) return good.error();
        }
        return std::move(step_);
    }

private:
    // Is the motion to these very positions free? All that is returned has passed this test.
    [[nodiscard]] Expected<FirstImpact> test(std::span<const Vec3> positions) {
        const Trees trees = step_.proofs == 0 ? Trees::Build : Trees::Refit;
        ++step_.proofs;
        return StepperAccess::state(stepper_).first_impact(start_, positions, whole_, trees);
    }
    // Keeps the fraction where its motion is free.
    [[nodiscard]] Expected<FirstImpact> try_fraction(double fraction) {
        std::vector<Vec3> positions = positions_between(start_, end_, fraction);
        Expected<FirstImpact> first = test(positions);
        if (first && !first->impact) {
            step_.fraction = fraction;
            step_.positions = std::move(positions);
        }
        return first;
    }

    [[nodiscard]] Expected<void> shorten();
    [[nodiscard]] Expected<void> lengthen();

    MeshStepper& stepper_;
    std::span<const Vec3> start_;
    std::span<const Vec3> end_;
    StepOptions whole_;
    SafeStep step_;
    // Nothing is sought from here on: a motion that goes beyond it was not free.
    double blocked_ = 1.0;
};

// From the whole step down, at first to the time of impact, then ever faster. Ends with a fraction
// that is free, or with 0: the start is not, or not even the least fraction is.
Expected<void> SafeStepSearch::shorten() {
    double factor = 1.0 - 0x1p-20;
    bool is_separated = false;  // at the start
    for (double fraction = 1.0;; factor = next_factor(factor)) {
        const Expected<FirstImpact> first = try_fraction(fraction);
        if (!first) return first.error();
        if (!first->impact || fraction == kLeastFraction) return {};
        if (!step_.impact) {
            step_.impact = first->impact;
            step_.contact = first->contact;
        }
        if (first->toi_lower > 0.0) {
            is_separated = true;
        } else if (!is_separated) {
            // toi_lower = 0 is also what a method returns that proves nothing about times: the
            // start at rest decides whether shortening can help at all.
            const Expected<FirstImpact> at_rest = test(start_);
            if (!at_rest) return at_rest.error();
            if (at_rest->impact) return {};
            is_separated = true;
        }
        // tau_k of MESH-6. Without a time of impact the factor alone shortens.
        const double until = first->toi_lower > 0.0 ? std::min(first->toi_lower, 1.0) : 1.0;
        blocked_ = fraction * until;
        fraction = std::max(blocked_ * factor, kLeastFraction);
    }
}

// Factors that shrink fast may have shrunk too much: from the fraction that is free up again, to a
// quarter of what is not. The quotient of the two becomes its root in each round.
Expected<void> SafeStepSearch::lengthen() {
    if (!(step_.fraction > 0.0)) return {};
    while (step_.fraction < 0.25 * blocked_) {
        const double between = std::sqrt(step_.fraction) * std::sqrt(blocked_);
        const double before = step_.fraction;
        const Expected<FirstImpact> first = try_fraction(between);
        if (!first) return first.error();
        if (step_.fraction == before) blocked_ = between;
    }
    return {};
}

}  // namespace

std::vector<Vec3> positions_between(std::span<const Vec3> start, std::span<const Vec3> end,
                                    double fraction) {
    return all_between(start, end, [fraction](std::size_t) { return fraction; });
}

std::vector<Vec3> positions_between(std::span<const Vec3> start, std::span<const Vec3> end,
                                    std::span<const double> fraction) {
    return all_between(start, end, [fraction](std::size_t i) { return fraction[i]; });
}

Expected<SafeStep> largest_safe_step(MeshStepper& stepper, const Positions& start,
                                     const Positions& end, const StepOptions& options) {
    const auto search = [&](std::span<const Vec3> from, std::span<const Vec3> to) {
        return SafeStepSearch(stepper, from, to, options).run();
    };
    return with_positions(search, start, end);
}

}  // namespace graze
