#include "robot/model.hpp"

#include <algorithm>

#include "graze/core/norm_bounds.hpp"
#include "robot/leaf_pair.hpp"

namespace graze::robot::detail {

namespace {

// Small enough that what is near a link is not much more than what has to be tested.
constexpr std::size_t kMostLeavesOfPart = 8;

// The number of leaves below a node; those with few of them below a node with many are listed.
[[nodiscard]] std::size_t list_parts(const Body& body, std::uint32_t obstacle, std::uint32_t node,
                                     std::vector<ObstacleIndex::Part>& parts) {
    if (body.node(node).is_leaf) return 1;
    const std::uint32_t child = body.node(node).child;
    const std::size_t one = list_parts(body, obstacle, child, parts);
    const std::size_t two = list_parts(body, obstacle, child + 1, parts);
    if (one + two <= kMostLeavesOfPart) return one + two;
    if (one <= kMostLeavesOfPart) parts.push_back({obstacle, child});
    if (two <= kMostLeavesOfPart) parts.push_back({obstacle, child + 1});
    return one + two;
}

}  // namespace

// What is not usable is nowhere: whoever finds such a body proves nothing.
ObstacleIndex::ObstacleIndex(std::span<const Body> obstacles) {
    std::vector<AxisBox> boxes;
    std::vector<AxisBox> sample_boxes;
    for (std::uint32_t i = 0; i < obstacles.size(); ++i) {
        const Body& body = obstacles[i];
        if (!body.is_usable()) {
            boxes.emplace_back();
            continue;
        }
        const TreeNode& root = body.node(0);
        const AxisBox& box =
            boxes.emplace_back(box_around(body, body.to_owner, root.centre, root.half));
        reach = std::max({reach, norm_one_upper(box.low), norm_one_upper(box.high)});
        if (list_parts(body, i, 0, parts) <= kMostLeavesOfPart) parts.push_back({i, 0});
        for (const Component& component : body.components) {
            sample_boxes.push_back(box_around(body, body.to_owner, component.sample, {}));
            sample_owners.push_back(i);
        }
    }
    std::vector<AxisBox> part_boxes;
    for (const Part& part : parts) {
        const Body& body = obstacles[part.obstacle];
        const TreeNode& node = body.node(part.node);
        part_boxes.push_back(box_around(body, body.to_owner, node.centre, node.half));
    }
    whole = BoxIndex(boxes);
    fine = BoxIndex(part_boxes);
    samples = BoxIndex(sample_boxes);
}

}  // namespace graze::robot::detail
