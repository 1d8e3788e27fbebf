// Joint values over a segment, and every link at one time, as enclosures. Derivation:
// docs/derivations/robot.md, RB-1 to RB-3.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "graze/rigid/motion.hpp"
#include "graze/robot/robot.hpp"
#include "robot/topology.hpp"

namespace graze::robot::detail {

using rigid::PoseEnclosure;

// The larger of two bounds; NaN where either is: std::max() leaves out a second one.
[[nodiscard]] inline double larger_bound(double a, double b) noexcept {
    return a < b || b != b ? b : a;
}

// A number, and how far the exact one is from it at most.
struct Value {
    double value = 0.0;
    double error = 0.0;
};

// The value of a joint for t in [0, 1]: a straight line, or a cubic by its Bezier coefficients.
class ValueTrack {
public:
    // Does not move, at 0.
    ValueTrack() = default;
    ValueTrack(const Value& start, const Value& end) noexcept;
    // With these derivatives at the ends.
    ValueTrack(const Value& start, const Value& end, const Value& start_speed,
               const Value& end_speed) noexcept;

    [[nodiscard]] Value at(double t) const noexcept;
    // |value'| and |value''| at most, for t in [a, b].
    [[nodiscard]] double speed(double a, double b) const noexcept;
    [[nodiscard]] double acceleration() const noexcept { return acceleration_; }
    // |value| at most.
    [[nodiscard]] double size() const noexcept { return size_; }

private:
    bool is_cubic_ = false;
    std::array<double, 4> coefficients_{};
    double error_ = 0.0;  // of each coefficient
    double speed_ = 0.0;
    double acceleration_ = 0.0;
    double size_ = 0.0;
};

// x -> L^-1 (x - T), of a rotation L (RB-3).
[[nodiscard]] PoseEnclosure inverse_of(const PoseEnclosure& pose) noexcept;
[[nodiscard]] PoseEnclosure enclosure_of(const Pose& pose) noexcept;

// What of a robot does not depend on the segment.
class Mechanism {
public:
    Mechanism() = default;
    explicit Mechanism(const Robot& robot);

    [[nodiscard]] const Topology& topology() const noexcept { return topology_; }
    // One track per joint.
    [[nodiscard]] std::vector<ValueTrack> tracks(std::span<const Joint> joints,
                                                 const Segment& segment) const;
    // Every link in the frame of the root; `links` has their number.
    void links_at(std::span<const Joint> joints, std::span<const ValueTrack> tracks, double t,
                  std::span<PoseEnclosure> links) const noexcept;

private:
    Topology topology_;
    std::vector<PoseEnclosure> origins_;  // of each joint
    std::vector<Vec3> axes_;              // unit length within 5u
};

}  // namespace graze::robot::detail
