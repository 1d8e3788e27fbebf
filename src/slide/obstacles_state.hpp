// The parts of a level or a world, and the search through them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graze/slide/obstacles.hpp"
#include "graze/slide/world.hpp"
#include "slide/height_grid.hpp"
#include "slide/placement.hpp"
#include "slide/tree.hpp"

namespace graze::slide {

// What a part is made of, as it was given: triangles with a tree, or those of a grid of heights, or
// one triangle without area that a round obstacle is around.
template <class Real>
struct PartMesh {
    PartTree<Real> tree;
    std::unique_ptr<const HeightGrid<Real>> grid;  // in place of the tree
    double round = 0.0;     // [length] the obstacle is all within this of its one triangle
    Box round_bounds;       // of a round one: of all of it
    bool is_solid = false;  // a box: all between its faces, of which 0 to 3 hold the eight vertices
    std::vector<FaceMarks> marks;  // none, one for all faces, or one for each
    bool has_one_sided = false;    // some of them are

    // Triangles with a tree and nothing else: most parts are, and are searched without more questions.
    [[nodiscard]] bool is_tree() const noexcept { return grid == nullptr && !(round > 0.0); }
    [[nodiscard]] std::size_t face_count() const noexcept {
        return grid != nullptr ? grid->face_count() : tree.face_count();
    }
    [[nodiscard]] const Box& bounds() const noexcept {
        if (grid != nullptr) return grid->bounds();
        return round > 0.0 ? round_bounds : tree.bounds();
    }
    // The position of a face is where it stands in the order of a search.
    [[nodiscard]] std::uint32_t position_of(std::uint32_t face) const noexcept {
        return grid != nullptr ? face : tree.position_of(face);
    }
    [[nodiscard]] std::uint32_t face_at(std::uint32_t position) const noexcept {
        if (grid != nullptr) [[unlikely]]
            return position;
        return tree.face_at(position);
    }
    [[nodiscard]] std::array<Vec<Real>, 3> triangle_at(std::uint32_t position) const noexcept {
        if (grid != nullptr) [[unlikely]]
            return grid->triangle(position);
        return tree.triangle_at(position);
    }
    // Calls visit(position) for every triangle whose box (of a round one: grown by its radius) meets
    // the box, and may call it for others; ends where it returns false.
    template <class Visit>
    void search(const Box& box, Visit&& visit) const noexcept {
        if (grid != nullptr) [[unlikely]] {
            grid->search(box, visit);
        } else if (round > 0.0) [[unlikely]] {
            if (is_round_in(box)) (void)visit(std::uint32_t{0});
        } else {
            tree.search(box, visit);
        }
    }
    [[nodiscard]] bool is_round_in(const Box& box) const noexcept {
        bool meets = true;
        for (std::size_t axis = 0; axis < 3; ++axis)
            meets = meets && box.lower[axis] <= round_bounds.upper[axis] &&
                    round_bounds.lower[axis] <= box.upper[axis];
        return meets;
    }
    void set_marks(std::span<const FaceMarks> given) {
        marks.assign(given.begin(), given.end());
        has_one_sided =
            std::any_of(marks.begin(), marks.end(), [](const FaceMarks& m) { return m.one_sided; });
    }
    [[nodiscard]] FaceMarks marks_of(std::uint32_t face) const noexcept {
        if (marks.empty()) return {};
        return marks.size() == 1 ? marks.front() : marks[face];
    }
};

template <class Real>
struct Obstacles<Real>::State {
    struct Part {
        std::shared_ptr<PartMesh<Real>> mesh;  // null: gone
        std::uint32_t layers = 0xffff'ffffU;
        bool is_placed = false;  // of a world: `placement` holds
        bool is_moving = false;  // in this frame: `motion` holds
        Placement placement;     // at the end of the frame
        PartMotion motion;
    };
    std::vector<Part> parts;

    // Of worlds alone.
    struct Request {
        std::uint32_t part = 0;
        PartMotion motion;
        bool is_motion = false;
    };
    std::vector<std::shared_ptr<PartMesh<Real>>> meshes;
    std::vector<Request> requests;      // for the next frame
    std::vector<std::uint32_t> moving;  // in this frame
    std::uint64_t frame = 0;
    bool has_solids = false;   // some part is or was solid
    bool has_tree = false;     // the tree is of the parts as they are
    bool keeps_order = false;  // and their order is that of as many parts
    std::vector<std::uint32_t> order;
    WideTree<3> tree;
    FloatMap<3> map;
};

// One part as a query sees it.
template <class Real>
struct PartView {
    std::uint32_t index = 0;
    const PartMesh<Real>* mesh = nullptr;
    std::uint32_t layers = 0xffff'ffffU;
    const Placement* placement = nullptr;  // null: where its mesh is

    [[nodiscard]] FaceMarks marks_of(std::uint32_t face) const noexcept {
        FaceMarks marks = mesh->marks_of(face);
        marks.layers &= layers;
        return marks;
    }
    [[nodiscard]] std::array<Vec<Real>, 3> triangle_at(std::uint32_t position) const noexcept {
        std::array<Vec<Real>, 3> t = mesh->triangle_at(position);
        if (placement != nullptr) [[unlikely]]
            place(t);
        return t;
    }
    [[gnu::noinline]] void place(std::array<Vec<Real>, 3>& t) const noexcept {
        for (Vec<Real>& vertex : t)
            vertex = placement->placed(vertex);
    }
    // As PartMesh::search(), with a box where the part is placed.
    template <class Visit>
    void search(const Box& box, Visit&& visit) const noexcept {
        mesh->search(mesh_box(box), visit);
    }
    [[nodiscard]] Box mesh_box(const Box& box) const noexcept {
        return placement == nullptr ? box : placement->to_mesh(box);
    }
};

// [length] The sum of the largest magnitudes of a coordinate, along each axis.
template <class Real>
[[nodiscard]] double size_of(const PartMesh<Real>& mesh) noexcept {
    if (mesh.face_count() == 0) return 0.0;
    const Box& box = mesh.bounds();
    double sum = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        sum += std::max(std::fabs(box.lower[axis]), std::fabs(box.upper[axis]));
    return sum;
}

// Calls visit(PartView) with a part of the view; the placement lives as long as the call.
template <class Real, class Visit>
auto visit_part(const Obstacles<Real>& obstacles, std::uint32_t index, Visit&& visit) noexcept {
    const auto& part = obstacles.state().parts[index];
    PartView<Real> view{index, part.mesh.get(), part.layers, nullptr};
    if (!part.is_placed) return visit(view);
    if (!part.is_moving || !(obstacles.time() < 1.0)) {
        view.placement = &part.placement;
        return visit(view);
    }
    const Placement then =
        placement_of<Real>(pose_at(part.motion, obstacles.time()), size_of(*part.mesh));
    view.placement = &then;
    return visit(view);
}

// Calls visit(PartView) for each part that may have triangles in the box, until it returns false.
// Of a level in the order of parts; of a world in the order of its tree.
template <class Real, class Visit>
void search_parts(const Obstacles<Real>& obstacles, const Box& box, Visit&& visit) noexcept {
    const auto& state = obstacles.state();
    const auto ask = [&](std::uint32_t index) {
        const auto& part = state.parts[index];
        const bool is_asked = obstacles.filter() == PartFilter::All ||
                              (obstacles.filter() == PartFilter::Moving) == part.is_moving;
        if (part.mesh == nullptr || !is_asked) return true;
        return visit_part(obstacles, index, visit);
    };
    if (state.has_tree) {
        state.tree.search(state.map.map(box),
                          [&](std::uint32_t at) { return ask(state.order[at]); });
        return;
    }
    for (std::uint32_t index = 0; index < state.parts.size(); ++index)
        if (!ask(index)) return;
}

}  // namespace graze::slide
