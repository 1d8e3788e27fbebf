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

// Buffers of larger sorts are given back: they are a twentieth of the memory of a step, and to get them
// again takes a hundredth of its time.
constexpr std::size_t kMostKeptKeys = std::size_t{1} << 20U;
// So are boxes of more vertices than this, which trees over them have as well.
constexpr std::size_t kMostKeptBoxes = std::size_t{1} << 18U;

void in_parallel(std::size_t count, std::size_t grain, const RangeBody& body) {
    for_each_range(count, grain, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] { body(begin, end); });
    });
}

template <class Element>
GridBox hull_of(const Element& element, std::span<const GridBox> vertices) noexcept {
    GridBox box = vertices[element[0]];
    for (std::size_t i = 1; i < element.size(); ++i)
        box.add(vertices[element[i]]);
    return box;
}

// On x, y and z alone.
template <class Element>
FloatBox<3> bounds_on_axes(const Element& element, std::span<const GridBox> vertices) noexcept {
    FloatBox<3> box;
    for (const std::uint32_t vertex : element) {
        const GridBox& of_vertex = vertices[vertex];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            box.lower[axis] = std::min(box.lower[axis], of_vertex.lower[axis]);
            box.upper[axis] = std::max(box.upper[axis], of_vertex.upper[axis]);
        }
    }
    return box;
}

// With the largest radius of its vertices an element is as thick everywhere as queries take it to
// be. The hull of boxes with different margins guarantees the smallest of them only, so each vertex
// gets the largest here.
template <class Element, class BoxOf>
GridBox thick_hull_of(const Element& element, std::span<const double> radius, const BoxOf& box_of) {
    double largest = 0.0;
    for (const std::uint32_t vertex : element)
        largest = std::max(largest, radius[vertex]);
    GridBox box;
    for (const std::uint32_t vertex : element)
        box.add(box_of(vertex, largest));
    return box;
}

// Extents on x, y and z of every so many elements: some thousand are enough for an average.
template <class Elements>
std::array<float, 3> mean_extents(const Elements& elements, std::span<const GridBox> vertices) {
    const std::size_t stride = elements.size() / 1024 + 1;
    std::array<float, 3> sum{};
    float count = 0.0F;
    for (std::size_t i = 0; i < elements.size(); i += stride) {
        const FloatBox<3> box = bounds_on_axes(elements[i], vertices);
        for (std::size_t axis = 0; axis < 3; ++axis)
            sum[axis] += box.upper[axis] - box.lower[axis];
        count += 1.0F;
    }
    for (float& extent : sum)
        extent /= count;
    return sum;
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

CurveShape StepBoxes::curve_shape(const MeshTopology& mesh) const noexcept {
    if (mesh.edges.empty()) return {};
    return CurveShape::for_boxes(mean_extents(mesh.edges, vertex_boxes_));
}

void StepBoxes::set_vertex_boxes(std::span<const MovingPoint> moving, double t_end,
                                 std::span<const double> radius, double margin) {
    vertex_boxes_.resize(moving.size());
    in_parallel(moving.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            vertex_boxes_[i] = grid_.around(moving[i].start, moving[i].end, t_end,
                                            add_up(margin, radius.empty() ? 0.0 : radius[i]));
    });
}

// action(tree, count, bounds_at, box_at) for each tree, one after another: loops over the boxes of
// each are parallel.
template <class Action>
void StepBoxes::for_each_tree(const MeshTopology& mesh, std::span<const MovingPoint> moving,
                              double t_end, std::span<const double> radius, double margin,
                              const Action& action) {
    const std::span<const GridBox> of_vertices = vertex_boxes_;
    // Rounded up: two margins add up to at least separation + both radii (MESH-2).
    const auto box_of = [&](std::size_t vertex, double thickness) {
        return grid_.around(moving[vertex].start, moving[vertex].end, t_end,
                            add_up(margin, thickness));
    };
    const auto act_on = [&](BoxTree& tree, const auto& elements) {
        const auto bounds_at = [&](std::size_t i) {
            return bounds_on_axes(elements[i], of_vertices);
        };
        if (radius.empty()) {
            action(tree, elements.size(), bounds_at,
                   [&](std::size_t i) { return hull_of(elements[i], of_vertices); });
        } else {
            action(tree, elements.size(), bounds_at,
                   [&](std::size_t i) { return thick_hull_of(elements[i], radius, box_of); });
        }
    };
    act_on(edges_, mesh.edges);
    act_on(faces_, mesh.faces);
    const auto vertex_at = [&](std::size_t i) -> const GridBox& { return of_vertices[i]; };
    action(vertices_, of_vertices.size(), vertex_at, vertex_at);
    const auto point_at = [&](std::size_t i) -> const GridBox& {
        return of_vertices[mesh.points[i]];
    };
    action(points_, mesh.points.size(), point_at, point_at);
}

void StepBoxes::set(Trees trees, const MeshTopology& mesh, std::span<const MovingPoint> moving,
                    double t_end, std::span<const double> radius, double margin) {
    // Always that of this motion: the grid keeps sums of its coordinates from overflowing.
    grid_ = grid_of(moving);
    if (trees == Trees::Refit && has_trees_) return refit(mesh, moving, t_end, radius, margin);
    set_vertex_boxes(moving, t_end, radius, margin);
    build_trees(mesh, moving, t_end, radius, margin);
}

void StepBoxes::set(Trees trees, const MeshTopology& mesh, std::span<const GridBox> vertices) {
    vertex_boxes_.assign(vertices.begin(), vertices.end());
    if (trees == Trees::Refit && has_trees_) return refit_trees(mesh, {}, 0.0, {}, 0.0);
    build_trees(mesh, {}, 0.0, {}, 0.0);
}

void StepBoxes::build_trees(const MeshTopology& mesh, std::span<const MovingPoint> moving,
                            double t_end, std::span<const double> radius, double margin) {
    const CurveShape shape = curve_shape(mesh);
    // A tree that is left half built has no order to refit.
    has_trees_ = false;
    for_each_tree(mesh, moving, t_end, radius, margin,
                  [&](BoxTree& tree, std::size_t count, const auto& bounds_at, const auto& box_at) {
                      tree.build(count, bounds_at, box_at, buffers_, shape, in_parallel);
                  });
    has_trees_ = true;
    if (buffers_.keys.capacity() > kMostKeptKeys) buffers_ = {};
    give_back_boxes();
}

void StepBoxes::give_back_boxes() noexcept {
    if (vertex_boxes_.capacity() > kMostKeptBoxes) vertex_boxes_ = {};
}

void StepBoxes::refit(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
                      std::span<const double> radius, double margin) {
    // In the old order of leaves: a worse tree, not a wrong one (MESH-3).
    set_vertex_boxes(moving, t_end, radius, margin);
    refit_trees(mesh, moving, t_end, radius, margin);
}

void StepBoxes::refit_trees(const MeshTopology& mesh, std::span<const MovingPoint> moving,
                            double t_end, std::span<const double> radius, double margin) {
    for_each_tree(mesh, moving, t_end, radius, margin,
                  [&](BoxTree& tree, std::size_t, const auto&, const auto& box_at) {
                      tree.refit(box_at, in_parallel);
                  });
    give_back_boxes();
}

}  // namespace graze::mesh_detail
