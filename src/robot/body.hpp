// A geometry of a link or of the environment, as the search sees it: a tree of boxes over pieces of a
// surface, or one box around a convex shape, in coordinates relative to its centre.
#pragma once

#include <span>
#include <vector>

#include "graze/robot/robot.hpp"
#include "rigid/impact/tree.hpp"
#include "robot/box_index.hpp"
#include "robot/kinematics.hpp"

namespace graze::robot::detail {

using TreeNode = rigid::detail::Node;

// Triangles that are joined by shared vertices, relative to the centre of the body.
struct Component {
    Vec3 sample;  // one of its points
    AxisBox box;  // around all
};

struct Body {
    explicit Body(const Geometry& geometry);

    [[nodiscard]] const TreeNode& node(std::uint32_t i) const noexcept {
        return tree != nullptr ? tree->nodes[i] : box;
    }
    [[nodiscard]] const rigid::detail::Piece& piece(std::uint32_t leaf) const noexcept {
        return tree->pieces[tree->nodes[leaf].child];
    }
    [[nodiscard]] std::uint32_t component_of(std::uint32_t piece) const noexcept {
        return piece_components.empty() ? 0 : piece_components[piece];
    }
    // No arithmetic was sound when it was built, or numbers have overflowed: nothing can be proved.
    [[nodiscard]] bool is_usable() const noexcept { return usable; }

    const rigid::detail::BodyTree* tree = nullptr;  // of a surface
    const rigid::ConvexShape* convex = nullptr;
    TreeNode box;         // of a convex shape
    Vec3 centre;          // in the frame of the geometry
    double radius = 0.0;  // no point is farther from the centre
    PoseEnclosure to_owner;
    PoseEnclosure from_owner;
    Vec3 centre_in_owner;  // within centre_error
    double centre_error = 0.0;
    bool is_closed = false;  // has an inside that its surface bounds
    std::vector<Component> components;
    BoxIndex component_index;  // over their boxes
    std::vector<std::uint32_t>
        piece_components;  // of each piece; none where there is one component
    bool usable = false;
};

}  // namespace graze::robot::detail
