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

// How far each body goes in one step, shortened round by round.
class Ways {
public:
    Ways(std::span<const Pose> good, std::span<const Pose> wishes)
        : good_(good),
          wishes_(wishes),
          fractions_(good.size(), 1.0),
          ends_(wishes.begin(), wishes.end()),
          is_new_(good.size(), 1) {}

    [[nodiscard]] std::span<const Pose> ends() const noexcept { return ends_; }
    // True iff the way of one of them has changed since the last round, and one of them moves. A
    // pair at rest in good poses is good.
    [[nodiscard]] bool is_open(const BodyPair& pair) const noexcept {
        return (is_new_[pair.first] != 0 || is_new_[pair.second] != 0) &&
               (moves(pair.first) || moves(pair.second));
    }
    [[nodiscard]] bool moves(std::size_t i) const noexcept { return !(ends_[i] == good_[i]); }
    // Asks both bodies to go only this share of the ways they have now.
    void shorten(const BodyPair& pair, double share) {
        for (const std::uint32_t i : {pair.first, pair.second})
            if (moves(i)) shorter_[i] = std::min(shorter_[i], share);
    }
    void begin_round() { shorter_.assign(good_.size(), 1.0); }
    // False where nobody was asked: then all is free.
    [[nodiscard]] bool end_round();
    [[nodiscard]] std::vector<double> fractions() const { return fractions_; }

private:
    std::span<const Pose> good_;
    std::span<const Pose> wishes_;
    std::vector<double> fractions_;
    std::vector<Pose> ends_;
    std::vector<char> is_new_;
    std::vector<double> shorter_;
};

bool Ways::end_round() {
    bool is_any = false;
    for (std::size_t i = 0; i < good_.size(); ++i) {
        is_new_[i] = shorter_[i] < 1.0 ? 1 : 0;
        if (is_new_[i] == 0) continue;
        is_any = true;
        fractions_[i] *= shorter_[i];
        ends_[i] = pose_at({good_[i], wishes_[i]}, fractions_[i]);
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
    [[nodiscard]] Expected<StepReport> sound_step(std::span<const Pose> wishes);
    [[nodiscard]] Expected<std::vector<Obstruction>> sound_search(std::span<const Pose> wishes);
    [[nodiscard]] Expected<void> check_wishes(std::span<const Pose> wishes) const;
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

// The surfaces apart, no solid body inside another, and at rest nothing within the separation.
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

Expected<void> SafeStepper::State::check_wishes(std::span<const Pose> wishes) const {
    if (wishes.size() != good_.size())
        return Error{"there must be one wish for each body", ErrorCode::WrongSize};
    return check(wishes);
}

ObstructionSearch SafeStepper::State::find(const BodyPair& pair, std::span<const Pose> ends) {
    const PairStep step{{good_[pair.first], ends[pair.first]},
                        {good_[pair.second], ends[pair.second]}};
    return options_.search == StepSearch::Certified ? find_certified(pair, step)
                                                    : find_rastered(pair, step);
}

// Asks for the wished separation and, where that leaves next to no way (the bodies are nearer
// already, perhaps on their way apart), for ever smaller ones. Each answer is a proof for a
// separation >= min_separation.
ImpactResult SafeStepper::State::first_of(const BodyPair& pair, const PairStep& step) const {
    constexpr double kNoWay = 0x1p-10;
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
        if (is_last || result.verdict == Verdict::Separated || result.toi_lower > kNoWay ||
            options_.stop.stop_requested()) {
            break;
        }
    }
    return result;
}

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
        // The answer stands without the list: a raster that would be too large leaves it empty.
        if (auto all = collisions(pair, step)) found.collisions = std::move(all->collisions);
    }
    return std::optional(std::move(found));
}

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
    found.contact.time = found.collisions.front().time;
    found.contact.point = found.collisions.front().position;
    found.contact.normal = found.collisions.front().normal;
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
    for (Collision& collision : result->collisions)
        collision = to_world(collision, step);
    return result;
}

// Invariant: ends of pairs that are not open are good, given the ways as they are. A round looks at
// the others, and shortens the ways of those that are not good; so it ends when none is open.
// After max_rounds, ways are shortened to nothing: each round then stops at least one body for
// good, and pairs at rest are never open.
Expected<StepReport> SafeStepper::State::sound_step(std::span<const Pose> wishes) {
    if (auto good = check_wishes(wishes); !good) return good.error();
    StepReport report;
    Ways ways(good_, wishes);
    std::vector<char> is_listed(pairs_.size(), 0);
    bool is_open = true;
    for (int round = 0; is_open; ++round) {
        ways.begin_round();
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (!ways.is_open(pairs_[i])) continue;
            auto found = find(pairs_[i], ways.ends());
            ++report.searches;
            if (!found) return found.error();
            if (!*found) continue;
            const bool is_last = round >= options_.max_rounds;
            ways.shorten(pairs_[i], is_last ? 0.0 : options_.taken_fraction * (*found)->free);
            if (std::exchange(is_listed[i], 1) == 0)
                report.obstructions.push_back(std::move(**found));
        }
        is_open = ways.end_round();
    }
    good_.assign(ways.ends().begin(), ways.ends().end());
    report.fractions = ways.fractions();
    return report;
}

Expected<std::vector<Obstruction>> SafeStepper::State::sound_search(std::span<const Pose> wishes) {
    if (auto good = check_wishes(wishes); !good) return good.error();
    std::vector<Obstruction> found;
    for (const BodyPair& pair : pairs_) {
        auto obstruction = find(pair, wishes);
        if (!obstruction) return obstruction.error();
        if (*obstruction) found.push_back(std::move(**obstruction));
    }
    return found;
}

Expected<StepReport> SafeStepper::step(std::span<const Pose> wishes) {
    return with_sound_arithmetic([&] { return state_->sound_step(wishes); });
}

Expected<std::vector<Obstruction>> SafeStepper::search(std::span<const Pose> wishes) {
    return with_sound_arithmetic([&] { return state_->sound_search(wishes); });
}

Expected<SafePairStep> step_pair(const RigidBody& a, const RigidBody& b, const PairStep& step,
                                 const StepperOptions& options) {
    auto stepper = SafeStepper::create({&a, &b}, {step.a.start, step.b.start}, {{0, 1}}, options);
    if (!stepper) return stepper.error();
    const std::vector<Pose> wishes = {step.a.end, step.b.end};
    auto report = stepper->step(wishes);
    if (!report) return report.error();
    return SafePairStep{stepper->poses()[0], stepper->poses()[1], std::move(*report)};
}

}  // namespace graze::rigid
