// The parts of a level or a world, and the search through them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graze/slide/obstacles.hpp"
#include "graze/slide/world.hpp"
#include "slide/placement.hpp"
#include "slide/tree.hpp"

namespace graze::slide {

// The triangles of a part, as they were given.
template <class Real>
struct PartMesh {
    PartTree<Real> tree;
    std::vector<FaceMarks> marks;  // none, one for all faces, or one for each

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
        std::array<Vec<Real>, 3> t = mesh->tree.triangle_at(position);
        if (placement != nullptr) [[unlikely]]
            place(t);
        return t;
    }
    [[gnu::noinline]] void place(std::array<Vec<Real>, 3>& t) const noexcept {
        for (Vec<Real>& vertex : t)
            vertex = placement->placed(vertex);
    }
    // Calls visit(position) for every triangle whose box meets the box, and may call it for others;
    // ends where it returns false.
    template <class Visit>
    void search(const Box& box, Visit&& visit) const noexcept {
        mesh->tree.search(placement == nullptr ? box : placement->to_mesh(box), visit);
    }
};

// [length] The sum of the largest magnitudes of a coordinate, along each axis.
template <class Real>
[[nodiscard]] double size_of(const PartMesh<Real>& mesh) noexcept {
    if (mesh.tree.face_count() == 0) return 0.0;
    const Box& box = mesh.tree.bounds();
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
