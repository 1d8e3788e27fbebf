#include "robot/body.hpp"

#include <cmath>
#include <numeric>

#include "graze/core/norm_bounds.hpp"
#include "rigid/convex/support.hpp"

namespace graze::robot::detail {

namespace {

// All vertices that triangles use are joined by triangles (union-find); components are numbered in the
// order of their first pieces.
struct Connectivity {
    std::vector<Component> components;
    std::vector<std::uint32_t> piece_components;
};
[[nodiscard]] AxisBox box_of(const rigid::detail::Piece& piece) noexcept {
    AxisBox box{piece.corner(0), piece.corner(0)};
    for (std::size_t i = 1; i < 4; ++i)
        box = hull(box, {piece.corner(i), piece.corner(i)});
    return box;
}
[[nodiscard]] Connectivity connectivity_of(const rigid::detail::BodyTree& tree) {
    const rigid::Polyhedron& surface = tree.surface;
    std::vector<std::uint32_t> parent(surface.positions().size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t v) {
        while (parent[v] != v)
            v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const auto& t : surface.triangles()) {
        parent[root(t[1])] = root(t[0]);
        parent[root(t[2])] = root(t[0]);
    }
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> number(parent.size(), kNone);
    Connectivity result;
    for (const rigid::detail::Piece& piece : tree.pieces) {
        std::uint32_t& component = number[root(piece.vertices[0])];
        if (component == kNone) {
            component = static_cast<std::uint32_t>(result.components.size());
            result.components.push_back({piece.corner(0), box_of(piece)});
        }
        AxisBox& box = result.components[component].box;
        box = hull(box, box_of(piece));
        result.piece_components.push_back(component);
    }
    if (result.components.size() == 1) result.piece_components.clear();
    return result;
}

// RB-5: the extents along the axes, 6u of the radius off, and what is rounded about the core.
[[nodiscard]] TreeNode box_around(const rigid::ConvexShape& shape) noexcept {
    TreeNode node;
    node.is_leaf = true;
    node.reach = (shape.core_radius() + shape.rounding()) * (1.0 + 0x1p-40);
    const double more = shape.rounding() + 0x1p-48 * shape.core_radius();
    for (std::size_t k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1.0;
        const double high = rigid::detail::core_extent(shape, axis);
        const double low = -rigid::detail::core_extent(shape, -axis);
        node.centre[k] = 0.5 * low + 0.5 * high;
        node.half[k] = (0.5 * high - 0.5 * low + more) * (1.0 + 0x1p-40);
    }
    node.size = norm(node.half);
    return node;
}

}  // namespace

Body::Body(const Geometry& geometry) {
    if (const auto* surface =
            std::get_if<std::shared_ptr<const rigid::RigidBody>>(&geometry.shape)) {
        tree = &rigid::detail::tree_of(**surface);
        centre = tree->extent.centre;
        radius = tree->extent.radius;
        is_closed = tree->surface.report().is_closed();
        usable = !tree->nodes.empty();
        Connectivity connectivity = connectivity_of(*tree);
        components = std::move(connectivity.components);
        piece_components = std::move(connectivity.piece_components);
    } else {
        convex = &std::get<rigid::ConvexShape>(geometry.shape);
        box = box_around(*convex);
        radius = box.reach;
        usable = true;
        const Vec3 sample = rigid::detail::core_support(*convex, {1.0, 0.0, 0.0});
        components = {{sample, {sample, sample}}};
    }
    std::vector<AxisBox> boxes;
    for (const Component& component : components)
        boxes.push_back(component.box);
    component_index = BoxIndex(boxes);
    usable = usable && radius <= kMaxTranslation;
    PoseEnclosure to_geometry;
    to_geometry.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
    to_geometry.linear_error = to_geometry.translation_error = 0.0;
    to_geometry.translation = centre;
    to_owner = compose(enclosure_of(geometry.pose), to_geometry);
    from_owner = inverse_of(to_owner);
    centre_in_owner = to_owner.translation;
    centre_error = to_owner.translation_error;
}

}  // namespace graze::robot::detail
