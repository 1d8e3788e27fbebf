#include "graze/rigid/collision.hpp"

#include "graze/rigid/screw_motion.hpp"

namespace graze::rigid {

std::string_view short_name(CollisionType type) noexcept {
    switch (type) {
        case CollisionType::VertexFace:
            return "vf";
        case CollisionType::FaceVertex:
            return "fv";
        case CollisionType::EdgeEdge:
            return "ee";
    }
    return "?";
}

Collision to_world(const Collision& collision, const PairStep& step) noexcept {
    const Pose pose = world_pose_a(step, collision.time);
    Collision result = collision;
    result.position = apply(pose, collision.position);
    result.normal = rotate(pose.rotation, collision.normal);
    return result;
}

std::vector<std::size_t> simultaneous_groups(std::span<const Collision> sorted, double time_gap) {
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        // Negated, so that a time that is no number begins a group of its own.
        if (first.empty() || !(sorted[i].time - sorted[first.back()].time <= time_gap)) {
            first.push_back(i);
        }
    }
    return first;
}

}  // namespace graze::rigid
