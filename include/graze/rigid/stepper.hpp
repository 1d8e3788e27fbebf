// Many steps of many rigid bodies that never end up in each other.
//
// Searches that begin where the last step was meant to end can lose a contact between two steps: a
// near miss, a step that was cut short for a third body, or bodies that were pushed away from each
// other may leave two bodies overlapping although no search reported it. So the stepper keeps the
// last poses in which every pair is known to be separated, and searches every step from there
// (Buss, Collision detection with relative screw motion, 2005, section 10).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/rigid/contact.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

enum class StepSearch : std::uint8_t {
    Certified,  // first_impact(): that poses are good is proved
    Robust,     // the raster in robust mode: good means that it saw no approach within a pixel
};

struct StepperOptions {
    StepSearch search = StepSearch::Certified;
    // [length] >= 0, Certified: the distance of bodies stays above this (Euclidean).
    double min_separation = 0.0;
    // [length] >= 0, Certified: bodies stop this far from each other where they can. Pressed
    // together for many steps they come nearer, by a quarter at a time, and never to
    // min_separation. Without it gaps shrink until rounding errors decide whether a step can begin.
    double target_separation = 0.0;
    // Certified: as in ImpactOptions, for each search.
    std::uint64_t max_checks = 1'000'000;
    // Robust: pixel and time resolution; the other fields are set by the stepper.
    RasterOptions raster{};
    // Certified: also list the collisions of pairs that obstruct each other, by the raster (Robust
    // always does).
    bool list_collisions = false;
    // In (0, 1): the fraction of a free path that is taken. What is left lets the next step begin.
    double taken_fraction = 0.875;
    // >= 1: how often a step is shortened before bodies that obstruct each other stay at rest.
    int max_rounds = 24;
    // As in ImpactOptions. SurfaceOnly: bodies may start inside each other, and stay there.
    BodyModel model = BodyModel::Solid;
    // Asked by every search; a stop is the error "cancelled", which leaves everything as it was.
    StopToken stop{};
};

// Two bodies by number, first < second.
struct BodyPair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    friend constexpr bool operator==(const BodyPair&, const BodyPair&) noexcept = default;
};

// A pair that obstructed each other, and how.
struct Obstruction {
    BodyPair pair;
    PairStep step;       // the motion that was searched, from good poses on
    double free = 0.0;   // [fraction of that motion] before which nothing was found
    ImpactResult first;  // Certified
    // Certified: first.contact. Robust: the first of `collisions`. Point and normal are estimates,
    // in the world; the normal is 0 where nothing is known.
    Contact contact;
    // Of that motion, sorted by time, in the world at their time; may be incomplete (raster.hpp).
    std::vector<Contact> collisions;
};

struct StepReport {
    // By body: the fraction of its path to the target that was taken; 1 is all, 0 none.
    std::vector<double> fractions;
    // Each pair that was found to obstruct each other, once, by its first finding.
    std::vector<Obstruction> obstructions;
    std::uint64_t searches = 0;
};

class SafeStepper {
public:
    ~SafeStepper();
    SafeStepper(SafeStepper&&) noexcept;
    SafeStepper& operator=(SafeStepper&&) noexcept;

    // Bodies are kept by address and outlive the stepper. `pairs` lists which can meet; others
    // pass through each other.
    // Errors: numbers that do not fit, poses that check() refuses, options out of range, and a pair
    // that is not separated at the start (or where that could not be decided), by its numbers.
    [[nodiscard]] static Expected<SafeStepper> create(std::vector<const RigidBody*> bodies,
                                                      std::vector<Pose> start,
                                                      std::vector<BodyPair> pairs,
                                                      const StepperOptions& options = {});

    // The last good poses, one per body.
    [[nodiscard]] std::span<const Pose> poses() const noexcept;

    // Moves every body towards its target pose, on its own screw, as far as the path is found free.
    // Guarantee: the poses afterwards are doubles that were searched as they are: for each pair,
    // the relative screw from the poses before to the poses after is free (Certified: proved).
    // So every state is good, whatever the targets, and no body passes through another.
    // Not guaranteed: that bodies take the largest free fraction of their paths.
    // Cost: one search per pair where all is free; at most max_rounds + number of bodies each.
    // Errors, which leave everything as it was: numbers that do not fit, poses that check()
    // refuses, a raster that would be too large, "cancelled".
    [[nodiscard]] Expected<StepReport> step(std::span<const Pose> targets);

    // What obstructs the paths from the good poses to the targets; moves nothing.
    [[nodiscard]] Expected<std::vector<Obstruction>> search(std::span<const Pose> targets);

private:
    struct State;
    explicit SafeStepper(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

// Every pair of `count` bodies.
[[nodiscard]] std::vector<BodyPair> all_pairs(std::uint32_t count);

// One pair, one step: how far both can go from the start towards the end, found as by SafeStepper.
struct SafePairStep {
    Pose a;
    Pose b;
    StepReport report;
};
// Requires what SafeStepper::create() checks, with the same errors.
[[nodiscard]] Expected<SafePairStep> step_pair(const RigidBody& a, const RigidBody& b,
                                               const PairStep& step,
                                               const StepperOptions& options = {});

}  // namespace graze::rigid
