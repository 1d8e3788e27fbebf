// Steps of many bodies (Buss 2005, section 10): each search begins at poses that are known to be
// good, and the poses that a step ends with are the very doubles that were searched. So no contact
// is lost between two steps, whatever the targets are.
#include "graze/rigid/stepper.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "graze/core/fp_environment.hpp"
#include "graze/rigid/start_state.hpp"

namespace graze::rigid {
namespace {

std::string text_of(const BodyPair& pair) {
    return "bodies " + std::to_string(pair.first) + " and " + std::to_string(pair.second);
}

Error cancelled() {
    return Error{"cancelled", ErrorCode::Cancelled};
}

// Written so that NaN is out of range.
Expected<void> check(const StepperOptions& options) {
    if (!(options.min_separation >= 0.0) || !is_finite(options.min_separation)) {
        return Error{"min_separation must be finite and >= 0", ErrorCode::InvalidOption};
    }
    if (!(options.target_separation >= 0.0) || !is_finite(options.target_separation)) {
        return Error{"target_separation must be finite and >= 0", ErrorCode::InvalidOption};
    }
    if (options.search == StepSearch::Robust &&
        (options.min_separation > 0.0 || options.target_separation > 0.0)) {
        return Error{"the raster has no separation; its pixel keeps bodies apart",
                     ErrorCode::InvalidOption};
    }
    if (!(options.taken_fraction > 0.0 && options.taken_fraction < 1.0)) {
        return Error{"taken_fraction must be in (0, 1)", ErrorCode::InvalidOption};
    }
    if (options.max_rounds < 1)
        return Error{"max_rounds must be at least 1", ErrorCode::InvalidOption};
    return {};
}

Expected<void> check(const std::vector<BodyPair>& pairs, std::size_t count) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const BodyPair& pair = pairs[i];
        if (pair.first < pair.second && pair.second < count) continue;
        return Error{text_of(pair) + ": not two of the " + std::to_string(count) +
                         " bodies, the smaller number first",
                     ErrorCode::IndexOutOfRange, i};
    }
    return {};
}

Expected<void> check(std::span<const Pose> poses) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const std::string name = "body " + std::to_string(i);
        if (auto good = check(poses[i], name.c_str()); !good)
            return Error{good.error().message, good.error().code, i};
    }
    return {};
}

// The path of each body in one step, from its good pose to an end that is moved back round by
// round. Invariant: fractions_[i] in [0, 1], ends_[i] is the pose at that fraction of the path to
// the target, as doubles (what was searched is what is kept), and ends_[i] == good_[i] where
// it is 0.
class Paths {
public:
    Paths(std::span<const Pose> good, std::span<const Pose> targets)
        : good_(good),
          targets_(targets),
          fractions_(good.size(), 1.0),
          ends_(targets.begin(), targets.end()),
          is_new_(good.size(), 1) {}

    [[nodiscard]] std::span<const Pose> ends() const noexcept { return ends_; }
    // True iff the path of one of them has changed since the last round, and one of them moves. A
    // pair at rest in good poses is good.
    [[nodiscard]] bool is_open(const BodyPair& pair) const noexcept {
        return (is_new_[pair.first] != 0 || is_new_[pair.second] != 0) &&
               (moves(pair.first) || moves(pair.second));
    }
    [[nodiscard]] bool moves(std::size_t i) const noexcept { return !(ends_[i] == good_[i]); }
    // Requests that both bodies take only this fraction of the paths they have now.
    void shorten(const BodyPair& pair, double fraction) {
        for (const std::uint32_t i : {pair.first, pair.second})
            if (moves(i)) shorter_[i] = std::min(shorter_[i], fraction);
    }
    void begin_round() { shorter_.assign(good_.size(), 1.0); }
    // False where no path was shortened: then all pairs are free.
    [[nodiscard]] bool end_round();
    [[nodiscard]] std::vector<double> fractions() const { return fractions_; }

private:
    std::span<const Pose> good_;
    std::span<const Pose> targets_;
    std::vector<double> fractions_;
    std::vector<Pose> ends_;
    std::vector<char> is_new_;     // the path has changed in the last round
    std::vector<double> shorter_;  // the least fraction that was requested in this round
};

// The new ends, for those whose path was shortened. A fraction so small that the pose is the good
// one is none: the body rests, and its pairs with others at rest are closed.
bool Paths::end_round() {
    bool is_any = false;
    for (std::size_t i = 0; i < good_.size(); ++i) {
        is_new_[i] = shorter_[i] < 1.0 ? 1 : 0;
        if (is_new_[i] == 0) continue;
        is_any = true;
        fractions_[i] *= shorter_[i];
        ends_[i] = pose_at({good_[i], targets_[i]}, fractions_[i]);
        if (!moves(i)) fractions_[i] = 0.0;
    }
    return is_any;
}

}  // namespace

std::vector<BodyPair> all_pairs(std::uint32_t count) {
    std::vector<BodyPair> pairs;
    for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t k = i + 1; k < count; ++k)
            pairs.push_back({i, k});
    return pairs;
}

using ObstructionSearch = Expected<std::optional<Obstruction>>;

struct SafeStepper::State {
    std::vector<const RigidBody*> bodies_;
    std::vector<Pose> good_;
    std::vector<BodyPair> pairs_;
    StepperOptions options_;
    RasterSearch raster_;

    // The public functions, once the arithmetic is that of the proofs.
    [[nodiscard]] Expected<StepReport> sound_step(std::span<const Pose> targets);
    [[nodiscard]] Expected<std::vector<Obstruction>> sound_search(std::span<const Pose> targets);
    [[nodiscard]] Expected<void> check_targets(std::span<const Pose> targets) const;
    [[nodiscard]] Expected<void> check_start();
    // Nothing where the pair is free on its path to `ends`.
    [[nodiscard]] ObstructionSearch find(const BodyPair& pair, std::span<const Pose> ends);
    [[nodiscard]] ObstructionSearch find_certified(const BodyPair& pair, const PairStep& step);
    [[nodiscard]] ObstructionSearch find_rastered(const BodyPair& pair, const PairStep& step);
    [[nodiscard]] ImpactResult first_of(const BodyPair& pair, const PairStep& step) const;
    // Every collision of the step, in the world.
    [[nodiscard]] Expected<RasterResult> collisions(const BodyPair& pair, const PairStep& step);
};

SafeStepper::SafeStepper(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
SafeStepper::~SafeStepper() = default;
SafeStepper::SafeStepper(SafeStepper&&) noexcept = default;
SafeStepper& SafeStepper::operator=(SafeStepper&&) noexcept = default;

std::span<const Pose> SafeStepper::poses() const noexcept {
    return state_->good_;
}

Expected<SafeStepper> SafeStepper::create(std::vector<const RigidBody*> bodies,
                                          std::vector<Pose> start, std::vector<BodyPair> pairs,
                                          const StepperOptions& options) {
    if (bodies.size() != start.size())
        return Error{"there must be one pose for each body", ErrorCode::WrongSize};
    if (auto good = check(pairs, bodies.size()); !good) return good.error();
    auto state = std::make_unique<State>();
    state->bodies_ = std::move(bodies);
    state->good_ = std::move(start);
    state->pairs_ = std::move(pairs);
    state->options_ = options;
    const Expected<void> good = with_sound_arithmetic([&]() -> Expected<void> {
        if (auto valid = check(state->options_); !valid) return valid;
        if (auto valid = check(state->good_); !valid) return valid;
        return state->check_start();
    });
    if (!good) return good.error();
    return SafeStepper(std::move(state));
}

// The surfaces disjoint, no solid body inside another, and at rest nothing within the separation.
Expected<void> SafeStepper::State::check_start() {
    const bool may_be_inside = options_.model == BodyModel::SurfaceOnly;
    for (const BodyPair& pair : pairs_) {
        const StartState state =
            start_state(bodies_[pair.first]->surface(), good_[pair.first],
                        bodies_[pair.second]->surface(), good_[pair.second], options_.stop);
        if (options_.stop.stop_requested()) return cancelled();
        const bool is_inside = state == StartState::AInsideB || state == StartState::BInsideA;
        if (state != StartState::Separated && !(may_be_inside && is_inside)) {
            return Error{text_of(pair) + " are not apart at the start: " + std::string(name(state)),
                         ErrorCode::InvalidInput};
        }
        const auto found = find(pair, good_);
        if (!found) return found.error();
        if (*found) {
            return Error{text_of(pair) + " are too close to each other at the start",
                         ErrorCode::InvalidInput};
        }
    }
    return {};
}

Expected<void> SafeStepper::State::check_targets(std::span<const Pose> targets) const {
    if (targets.size() != good_.size())
        return Error{"there must be one target for each body", ErrorCode::WrongSize};
    return check(targets);
}

ObstructionSearch SafeStepper::State::find(const BodyPair& pair, std::span<const Pose> ends) {
    const PairStep step{{good_[pair.first], ends[pair.first]},
                        {good_[pair.second], ends[pair.second]}};
    return options_.search == StepSearch::Certified ? find_certified(pair, step)
                                                    : find_rastered(pair, step);
}

// Searches with the target separation and, where that leaves next to no path (the bodies are nearer
// already, perhaps separating), with ever smaller ones. Each answer is a proof for a separation
// >= min_separation.
ImpactResult SafeStepper::State::first_of(const BodyPair& pair, const PairStep& step) const {
    constexpr double kNoPath = 0x1p-10;
    constexpr int kLevels = 12;
    ImpactOptions options;
    options.max_checks = options_.max_checks;
    options.model = options_.model;
    options.stop = options_.stop;
    ImpactResult result;
    double separation = options_.target_separation;
    for (int level = 0; level <= kLevels; ++level, separation *= 0.25) {
        const bool is_last = level == kLevels || !(separation > options_.min_separation);
        options.min_separation = is_last ? options_.min_separation : separation;
        result = first_impact(*bodies_[pair.first], *bodies_[pair.second], step, options);
        if (is_last || result.verdict == Verdict::Separated || result.toi_lower > kNoPath ||
            options_.stop.stop_requested()) {
            break;
        }
    }
    return result;
}

// Proved: [0, toi_lower) of the relative screw is free, whatever the verdict.
ObstructionSearch SafeStepper::State::find_certified(const BodyPair& pair, const PairStep& step) {
    Obstruction found;
    found.pair = pair;
    found.step = step;
    found.first = first_of(pair, step);
    if (found.first.verdict == Verdict::Separated) return std::optional<Obstruction>();
    if (options_.stop.stop_requested()) return cancelled();
    // An Unresolved search has proved its toi_lower all the same.
    found.free = std::clamp(found.first.toi_lower, 0.0, 1.0);
    found.contact = found.first.contact;
    if (options_.list_collisions) {
        // The result stands without the list: a raster that would be too large leaves it empty.
        if (auto all = collisions(pair, step)) found.collisions = std::move(all->collisions);
    }
    return std::optional(std::move(found));
}

// Not proved: poses are good where the raster in robust mode finds no approach within a pixel.
ObstructionSearch SafeStepper::State::find_rastered(const BodyPair& pair, const PairStep& step) {
    auto all = collisions(pair, step);
    if (!all) return all.error();
    if (all->collisions.empty()) return std::optional<Obstruction>();
    Obstruction found;
    found.pair = pair;
    found.step = step;
    found.collisions = std::move(all->collisions);
    // Times are as good as the resolution.
    const double first = found.collisions.front().time - all->statistics.time_resolution;
    found.free = first > 0.0 ? std::min(first, 1.0) : 0.0;
    found.contact = found.collisions.front();
    return std::optional(std::move(found));
}

Expected<RasterResult> SafeStepper::State::collisions(const BodyPair& pair, const PairStep& step) {
    RasterOptions options = options_.raster;
    options.robust = true;
    options.min_properness = -1.0;  // an approach is an approach, however the bodies face
    options.stop = options_.stop;
    auto result = raster_.collisions(bodies_[pair.first]->surface(),
                                     bodies_[pair.second]->surface(), step, options);
    if (options_.stop.stop_requested()) return cancelled();
    if (!result) return located(text_of(pair), result.error());
    for (Contact& collision : result->collisions)
        collision = to_world(collision, step);
    return result;
}

// Invariant: a pair that is not open is free on its paths as they are: it was searched with these
// very ends, or rests in good poses. A round searches the open pairs, and shortens the paths of
// those that are not free, which opens every pair of the two bodies. So when none is open all pairs
// are free, and the ends are the next good poses.
// The loop ends: after max_rounds paths are shortened to nothing, so that each round stops at least
// one body for good, and pairs at rest are never open.
Expected<StepReport> SafeStepper::State::sound_step(std::span<const Pose> targets) {
    if (auto good = check_targets(targets); !good) return good.error();
    StepReport report;
    Paths paths(good_, targets);
    std::vector<char> is_listed(pairs_.size(), 0);
    bool is_open = true;
    for (int round = 0; is_open; ++round) {
        paths.begin_round();
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (!paths.is_open(pairs_[i])) continue;
            auto found = find(pairs_[i], paths.ends());
            ++report.searches;
            if (!found) return found.error();
            if (!*found) continue;
            const bool is_last = round >= options_.max_rounds;
            paths.shorten(pairs_[i], is_last ? 0.0 : options_.taken_fraction * (*found)->free);
            if (std::exchange(is_listed[i], 1) == 0)
                report.obstructions.push_back(std::move(**found));
        }
        is_open = paths.end_round();
    }
    good_.assign(paths.ends().begin(), paths.ends().end());
    report.fractions = paths.fractions();
    return report;
}

Expected<std::vector<Obstruction>> SafeStepper::State::sound_search(std::span<const Pose> targets) {
    if (auto good = check_targets(targets); !good) return good.error();
    std::vector<Obstruction> found;
    for (const BodyPair& pair : pairs_) {
        auto obstruction = find(pair, targets);
        if (!obstruction) return obstruction.error();
        if (*obstruction) found.push_back(std::move(**obstruction));
    }
    return found;
}

Expected<StepReport> SafeStepper::step(std::span<const Pose> targets) {
    return with_sound_arithmetic([&] { return state_->sound_step(targets); });
}

Expected<std::vector<Obstruction>> SafeStepper::search(std::span<const Pose> targets) {
    return with_sound_arithmetic([&] { return state_->sound_search(targets); });
}

Expected<SafePairStep> step_pair(const RigidBody& a, const RigidBody& b, const PairStep& step,
                                 const StepperOptions& options) {
    auto stepper = SafeStepper::create({&a, &b}, {step.a.start, step.b.start}, {{0, 1}}, options);
    if (!stepper) return stepper.error();
    const std::vector<Pose> targets = {step.a.end, step.b.end};
    auto report = stepper->step(targets);
    if (!report) return report.error();
    return SafePairStep{stepper->poses()[0], stepper->poses()[1], std::move(*report)};
}

}  // namespace graze::rigid
