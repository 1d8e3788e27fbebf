// The potential whose minimum is the next state: inertia, springs and a barrier around contacts.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "graze/mesh/active_set.hpp"
#include "scene.hpp"

namespace falling_cloth {

inline constexpr double kTimeStep = 0.01;  // [s]
inline constexpr double kMass = 1.0;       // [kg] of a vertex
inline constexpr double kNear = 0.02;      // [m] the barrier acts on pairs that are nearer

// gap = sum of weight * position: from the point of b to the point of a that are nearest.
struct NearPair {
    std::array<std::uint32_t, 4> vertex;
    std::array<double, 4> weight;
};

// Pairs nearer than kNear at these positions.
// Guarantee: active_set() leaves none out. The points are estimates, which costs accuracy of the
// forces, and nothing else.
[[nodiscard]] graze::Expected<std::vector<NearPair>> near_pairs(
    graze::MeshStepper& stepper, std::span<const graze::Vec3> positions,
    graze::StepOptions options);

// E(x) = sum m/2 |x - goal|^2 + h^2 (springs(x) + barriers(x)), where `goal` is where inertia and
// gravity lead. Of contacts the points on both sides are held while it is minimised.
class Potential {
public:
    Potential(const Scene& scene, std::vector<graze::Vec3> goal)
        : scene_(scene), goal_(std::move(goal)) {}

    void set_pairs(std::vector<NearPair> pairs) { pairs_ = std::move(pairs); }
    [[nodiscard]] const std::vector<graze::Vec3>& goal() const { return goal_; }

    [[nodiscard]] double operator()(std::span<const graze::Vec3> x) const;
    // -gradient / an upper bound of the curvature, by vertex: zero for those that are fixed.
    [[nodiscard]] std::vector<graze::Vec3> descent(std::span<const graze::Vec3> x) const;

private:
    const Scene& scene_;
    std::vector<graze::Vec3> goal_;
    std::vector<NearPair> pairs_;
};

}  // namespace falling_cloth
