// How links hang on each other: what follows from a valid description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graze/robot/robot.hpp"

namespace graze::robot::detail {

// Requires: a description that Robot::create() accepts.
struct Topology {
    Topology() = default;
    Topology(std::span<const Link> links, std::span<const Joint> joints);

    LinkId root = 0;
    std::vector<JointId> outward;                         // parents before children
    std::vector<std::optional<JointId>> joint_to_parent;  // of each link
    std::vector<std::uint32_t> depth;                     // of each link: joints up to the root
    std::vector<JointId> variables;
    // Of each joint, the index in `variables`, where it has one.
    std::vector<std::optional<std::size_t>> variable_of;
    std::vector<JointId> valued;  // joints that move, those before that others mimic
};

[[nodiscard]] constexpr bool is_moving(JointKind kind) noexcept {
    return kind != JointKind::Fixed;
}

}  // namespace graze::robot::detail
