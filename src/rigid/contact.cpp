#include "graze/rigid/contact.hpp"

#include "graze/rigid/screw_motion.hpp"

namespace graze::rigid {

std::string_view short_name(ContactType type) noexcept {
    switch (type) {
        case ContactType::VertexFace:
            return "vf";
        case ContactType::FaceVertex:
            return "fv";
        case ContactType::EdgeEdge:
            return "ee";
        case ContactType::FaceFace:
            return "ff";
    }
    return "?";
}

Contact to_world(const Contact& local, const PairStep& step) noexcept {
    const Pose pose = world_pose_a(step, local.time);
    Contact result = local;
    result.point = apply(pose, local.point);
    result.normal = rotate(pose.rotation, local.normal);
    return result;
}

std::vector<std::size_t> simultaneous_groups(std::span<const Contact> sorted, double time_gap) {
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
