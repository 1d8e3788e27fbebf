// Characters that walk, the stairs that they walk up, and the slopes that they must not.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "10_character/character.hpp"
#include "slide/mover_support.hpp"

namespace graze::slide::test {

inline constexpr double kFrame = 1.0 / 60.0;

// What somebody writes who has read the headers and no more.
template <class Real>
class PlainCharacter {
public:
    PlainCharacter(const Level<Real>& level, const Shape<Real>& shape, const Vec<Real>& start,
                   Real step_height)
        : level_(level), shape_(shape) {
        steps_.height = step_height;
        last_.position = start;
    }
    void step(const Vec<Real>& walk, Real dt) {
        fall_ = on_ground_ ? Real{0} : fall_ - static_cast<Real>(9.81) * dt;
        const Vec<Real> wish{walk.x * dt, fall_ * dt, walk.z * dt};
        const Vec<Real> from = last_.position;
        const Vec<Real> allowed = limit_slope(level_, shape_, last_, wish, steps_).displacement;
        last_ = move_and_climb(level_, shape_, from, allowed, steps_).moved;
        SnapOptions<Real> snap;
        snap.distance = on_ground_ ? steps_.height : static_cast<Real>(0.01);
        const SnapResult<Real> ground = snap_to_ground(level_, shape_, last_.position, snap);
        last_.position = ground.position;
        on_ground_ = ground.action == SnapAction::OnGround || ground.action == SnapAction::Snapped;
    }
    [[nodiscard]] const Vec<Real>& position() const { return last_.position; }
    [[nodiscard]] bool on_ground() const { return on_ground_; }

private:
    const Level<Real>& level_;
    Shape<Real> shape_;
    StairOptions<Real> steps_;
    Real fall_{};
    bool on_ground_ = false;
    MoveResult<Real> last_;
};

struct Body {
    double across = 0.4;
    double tall = 0.9;
    bool is_capsule = false;  // else an ellipsoid

    template <class Real>
    [[nodiscard]] Shape<Real> shape() const {
        if (is_capsule) return capsule(static_cast<Real>(across), static_cast<Real>(tall - across));
        return {narrowed<Real>({across, tall, across})};
    }
    [[nodiscard]] double skin() const { return std::min(across, tall) / 256.0; }
    // Of the centre over the ground where it rests: two skins, more where it is longer.
    [[nodiscard]] double rest_height() const {
        if (is_capsule) return tall + 2.0 * skin();
        return tall * (1.0 + 2.0 * skin() / std::min(across, tall));
    }
};
inline constexpr std::array<Body, 4> kBodies = {{{0.3, 0.9}, {0.4, 0.9}, {0.25, 0.9}, {0.5, 0.5}}};

inline constexpr std::array<Body, 3> kCapsules = {
    {{0.3, 0.9, true}, {0.4, 0.9, true}, {0.25, 0.9, true}}};

struct WalkPlan {
    Vec3 start;
    double degrees = 0.0;  // of the heading, from x towards z
    double speed = 3.0;
    double end_x = HUGE_VAL;  // where it has arrived
    double step_height = 0.35;
    int most_frames = 300;
};

struct Walk {
    bool arrived = false;
    int frames = 0;
    int frames_in_air = 0;
    double highest = -HUGE_VAL;   // of the centre
    double least_gap = HUGE_VAL;  // proved, after any frame
    Vec3 end;
};

template <template <class> class Walker, class Real>
Walk walk(const Level<Real>& level, const Body& body, const WalkPlan& plan) {
    const Shape<Real> shape = body.shape<Real>();
    Walker<Real> walker(level, shape, narrowed<Real>(plan.start),
                        static_cast<Real>(plan.step_height));
    const double angle = plan.degrees * std::numbers::pi / 180.0;
    const Vec<Real> speed =
        narrowed<Real>({plan.speed * std::cos(angle), 0.0, plan.speed * std::sin(angle)});
    const Real reach = static_cast<Real>(4.0 * body.skin());
    Walk walk;
    while (walk.frames < plan.most_frames && !walk.arrived) {
        walker.step(speed, static_cast<Real>(kFrame));
        ++walk.frames;
        walk.end = widened(walker.position());
        walk.arrived = walk.end.x >= plan.end_x;
        walk.highest = std::max(walk.highest, walk.end.y);
        walk.frames_in_air += walker.on_ground() ? 0 : 1;
        walk.least_gap = std::min(walk.least_gap,
                                  smallest_gap(level, shape, walker.position(), reach).gap_lower);
    }
    return walk;
}

// What is measured afresh is a lower bound, too, and loses some 2^-50.
inline double least_gap_asked(const Body& body) {
    return body.skin() * (1.0 - 0x1p-20);
}

}  // namespace graze::slide::test
