// Motions of OMPL that are proved free of collision: a motion validator and a checker of states over a
// graze::robot::Scene.
//
//   auto space = std::make_shared<ompl::base::RealVectorStateSpace>(variables);
//   auto info = std::make_shared<ompl::base::SpaceInformation>(space);
//   info->setStateValidityChecker(std::make_shared<graze::ompl::StateChecker>(info, scene));
//   info->setMotionValidator(std::make_shared<graze::ompl::MotionValidator>(info, scene));
//
// States are those of a RealVectorStateSpace with the variables of the robot in their order: it is between
// such states that OMPL goes in straight lines, as the scene does. Whoever includes this links OMPL.
#pragma once

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "graze/robot/check.hpp"

namespace graze::ompl {

[[nodiscard]] inline robot::Configuration configuration_of(const ::ompl::base::State* state,
                                                           std::size_t variables) {
    const double* values = state->as<::ompl::base::RealVectorStateSpace::StateType>()->values;
    return {values, values + variables};
}

// Valid is within the bounds of the space and proved free. May be called from several threads at once.
class StateChecker : public ::ompl::base::StateValidityChecker {
public:
    StateChecker(const ::ompl::base::SpaceInformationPtr& info, robot::Scene scene,
                 robot::CheckOptions options = {})
        : ::ompl::base::StateValidityChecker(info), scene_(std::move(scene)), options_(options) {}

    [[nodiscard]] bool isValid(const ::ompl::base::State* state) const override {
        if (!si_->satisfiesBounds(state)) return false;
        const auto q = configuration_of(state, scene_.robot().variables().size());
        const auto result = scene_.check_state(q, options_);
        return result && result->verdict == Verdict::Separated;
    }

private:
    robot::Scene scene_;
    robot::CheckOptions options_;
};

// Valid is proved free over the whole motion; everything else is not valid. May be called from several
// threads at once.
class MotionValidator : public ::ompl::base::MotionValidator {
public:
    MotionValidator(const ::ompl::base::SpaceInformationPtr& info, robot::Scene scene,
                    robot::CheckOptions options = {})
        : ::ompl::base::MotionValidator(info), scene_(std::move(scene)), options_(options) {}

    [[nodiscard]] bool checkMotion(const ::ompl::base::State* s1,
                                   const ::ompl::base::State* s2) const override {
        return count(is_free(s1, s2));
    }

    // Guarantee: where the motion is not valid, the motion from s1 to the state that is returned is proved
    // free, as is [0, lastValid.second] of this one up to the rounding errors of that state; the fraction
    // is 0 where nothing is.
    bool checkMotion(const ::ompl::base::State* s1, const ::ompl::base::State* s2,
                     std::pair<::ompl::base::State*, double>& lastValid) const override {
        const double free = free_part(s1, s2);
        if (count(free > 1.0)) return true;
        ::ompl::base::State* last = si_->allocState();
        lastValid.second = proved_fraction(s1, s2, free, last);
        if (lastValid.first != nullptr) si_->copyState(lastValid.first, last);
        si_->freeState(last);
        return false;
    }

private:
    // Where only yes or no is asked: states are far cheaper than motions, so that most motions with a
    // contact need no bracket of its time.
    [[nodiscard]] bool is_free(const ::ompl::base::State* s1, const ::ompl::base::State* s2) const {
        if (!si_->satisfiesBounds(s2)) return false;
        const std::size_t variables = scene_.robot().variables().size();
        const robot::Configuration start = configuration_of(s1, variables);
        const robot::Configuration end = configuration_of(s2, variables);
        constexpr std::array kTried = {1.0, 0.5, 0.25, 0.75};
        robot::Configuration q(variables);
        for (const double t : kTried) {
            for (std::size_t i = 0; i < variables; ++i)
                q[i] = start[i] + t * (end[i] - start[i]);
            const auto state = scene_.check_state(q, options_);
            if (!state || state->verdict == Verdict::Contact) return false;
        }
        const auto result = scene_.check_motion(start, end, options_);
        return result && result->verdict == Verdict::Separated;
    }

    // [0, t) is proved free; infinity for all of the motion.
    [[nodiscard]] double free_part(const ::ompl::base::State* s1,
                                   const ::ompl::base::State* s2) const {
        if (!si_->satisfiesBounds(s2)) return 0.0;
        const std::size_t variables = scene_.robot().variables().size();
        const auto result = scene_.check_motion(configuration_of(s1, variables),
                                                configuration_of(s2, variables), options_);
        return result ? result->toi_lower : 0.0;
    }

    // The state at the fraction is rounded, so the motion to it is another one: it is proved anew, and
    // again a little earlier where that fails.
    [[nodiscard]] double proved_fraction(const ::ompl::base::State* s1,
                                         const ::ompl::base::State* s2, double free,
                                         ::ompl::base::State* last) const {
        constexpr int kTries = 4;
        constexpr double kEarlier = 0.9;
        double fraction = std::min(free, 1.0);
        for (int i = 0; i < kTries && fraction > 0.0; ++i, fraction *= kEarlier) {
            si_->getStateSpace()->interpolate(s1, s2, fraction, last);
            if (free_part(s1, last) > 1.0) return fraction;
        }
        si_->copyState(last, s1);
        return 0.0;
    }

    // The counters of the base class are plain numbers.
    bool count(bool is_valid) const {
        std::atomic_ref<unsigned>(is_valid ? valid_ : invalid_)
            .fetch_add(1, std::memory_order_relaxed);
        return is_valid;
    }

    robot::Scene scene_;
    robot::CheckOptions options_;
};

}  // namespace graze::ompl
