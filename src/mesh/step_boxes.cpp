// Boxes by MESH-1 and MESH-2 (docs/derivations/mesh.md): the box of an element is the hull of those
// of its vertices, which holds every convex combination of them at every t in [0, t_end]. With a
// margin r on one element and s on another, elements within r + s of each other have boxes that meet.
#include "mesh/step_boxes.hpp"

#include <algorithm>

#include "graze/core/rounding.hpp"
#include "mesh/threads.hpp"

namespace graze::mesh_detail {
namespace {

// Boxes for a task: far more work than starting one costs.
constexpr std::size_t kGrain = 4096;

template <class Body>
void for_each_index(std::size_t count, const Body& body) {
    for_each_range(count, kGrain, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] {
            for (std::size_t i = begin; i < end; ++i)
                body(i);
        });
    });
}

template <class Elements>
void set_element_boxes(const Elements& elements, const std::vector<GridBox>& vertices,
                       std::vector<GridBox>& boxes) {
    boxes.resize(elements.size());
    for_each_index(elements.size(), [&](std::size_t i) {
        GridBox box;
        for (const std::uint32_t vertex : elements[i])
            box.add(vertices[vertex]);
        boxes[i] = box;
    });
}

// With the largest radius of its vertices an element is as thick everywhere as queries take it to
// be. The hull of boxes with different margins guarantees the smallest of them only, so each vertex
// gets the largest here.
template <class Elements, class BoxOf>
void set_thick_boxes(const Elements& elements, std::span<const double> radius, const BoxOf& box_of,
                     std::vector<GridBox>& boxes) {
    boxes.resize(elements.size());
    for_each_index(elements.size(), [&](std::size_t i) {
        double largest = 0.0;
        for (const std::uint32_t vertex : elements[i])
            largest = std::max(largest, radius[vertex]);
        GridBox box;
        for (const std::uint32_t vertex : elements[i])
            box.add(box_of(vertex, largest));
        boxes[i] = box;
    });
}

Box box_of_all(std::span<const MovingPoint> moving) noexcept {
    Box box;
    for (const MovingPoint& vertex : moving) {
        box.add(vertex.start);
        box.add(vertex.end);
    }
    return box;
}

}  // namespace

Grid grid_of(std::span<const MovingPoint> moving) noexcept {
    return Grid(box_of_all(moving));
}

void StepBoxes::set_boxes(const MeshTopology& mesh, std::span<const MovingPoint> moving,
                          double t_end, std::span<const double> radius, double margin) {
    // Rounded up: two margins add up to at least separation + both radii (MESH-2).
    const auto box_of = [&](std::size_t vertex, double thickness) {
        return grid_.around(moving[vertex].start, moving[vertex].end, t_end,
                            add_up(margin, thickness));
    };
    vertex_boxes_.resize(mesh.vertex_count);
    for_each_index(mesh.vertex_count, [&](std::size_t i) {
        vertex_boxes_[i] = box_of(i, radius.empty() ? 0.0 : radius[i]);
    });
    if (radius.empty()) {
        set_element_boxes(mesh.edges, vertex_boxes_, edge_boxes_);
        set_element_boxes(mesh.faces, vertex_boxes_, face_boxes_);
    } else {
        set_thick_boxes(mesh.edges, radius, box_of, edge_boxes_);
        set_thick_boxes(mesh.faces, radius, box_of, face_boxes_);
    }
    set_points(mesh);
}

void StepBoxes::set_points(const MeshTopology& mesh) {
    point_boxes_.resize(mesh.points.size());
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        point_boxes_[i] = vertex_boxes_[mesh.points[i]];
}

void StepBoxes::set(Trees trees, const MeshTopology& mesh, std::span<const MovingPoint> moving,
                    double t_end, std::span<const double> radius, double margin) {
    // Always that of this motion: the grid keeps sums of its coordinates from overflowing.
    grid_ = grid_of(moving);
    if (trees == Trees::Refit && has_trees_) return refit(mesh, moving, t_end, radius, margin);
    set_boxes(mesh, moving, t_end, radius, margin);
    build_trees();
}

void StepBoxes::set(Trees trees, const MeshTopology& mesh, std::span<const GridBox> vertices) {
    vertex_boxes_.assign(vertices.begin(), vertices.end());
    set_element_boxes(mesh.edges, vertex_boxes_, edge_boxes_);
    set_element_boxes(mesh.faces, vertex_boxes_, face_boxes_);
    set_points(mesh);
    if (trees == Trees::Refit && has_trees_) return refit_trees();
    build_trees();
}

void StepBoxes::build_trees() {
    const auto build_one = [](BoxTree& tree, const std::vector<GridBox>& boxes) {
        as_sound_task([&] { tree.build(boxes); });
    };
    run_all([&] { build_one(edges_, edge_boxes_); }, [&] { build_one(faces_, face_boxes_); },
            [&] { build_one(vertices_, vertex_boxes_); },
            [&] { build_one(points_, point_boxes_); });
    has_trees_ = true;
}

void StepBoxes::refit(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
                      std::span<const double> radius, double margin) {
    // In the old order of leaves: a worse tree, not a wrong one (MESH-3).
    set_boxes(mesh, moving, t_end, radius, margin);
    refit_trees();
}

void StepBoxes::refit_trees() {
    const auto refit_one = [](BoxTree& tree, const std::vector<GridBox>& boxes) {
        as_sound_task([&] { tree.refit(boxes); });
    };
    run_all([&] { refit_one(edges_, edge_boxes_); }, [&] { refit_one(faces_, face_boxes_); },
            [&] { refit_one(vertices_, vertex_boxes_); },
            [&] { refit_one(points_, point_boxes_); });
}

}  // namespace graze::mesh_detail
