// Boxes around the elements of a mesh over a window of the step, and trees over them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graze/broad/box_tree.hpp"
#include "graze/mesh/topology.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::mesh_detail {

// Whether trees are built for a search, or those of the search before are fitted to its boxes. Both
// give the same answers. Built ones are in the order of where their boxes are now; sorting takes most
// of the time that building does.
enum class Trees : std::uint8_t { Build, Refit };

// Of the positions at both ends.
[[nodiscard]] Grid grid_of(std::span<const MovingPoint> moving) noexcept;

class StepBoxes {
public:
    // Boxes over [0, t_end] and trees over them. `radius` by vertex, or empty; `margin` is added to
    // it. Requires: finite positions. Trees::Refit: where trees of this mesh were built before, for
    // whatever motion. How far vertices have gone since costs time, nothing else.
    void set(Trees trees, const MeshTopology& mesh, std::span<const MovingPoint> moving,
             double t_end, std::span<const double> radius, double margin);
    // Trees over vertices in these k-DOPs, and over the elements that they enclose.
    void set(Trees trees, const MeshTopology& mesh, std::span<const GridBox> vertices);
    // The same for another window of the motion that was set last.
    void refit(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
               std::span<const double> radius, double margin);

    // The next search builds trees: those that are there are of another mesh.
    void forget_trees() noexcept { has_trees_ = false; }

    [[nodiscard]] const BoxTree& vertices() const noexcept { return vertices_; }
    [[nodiscard]] const BoxTree& edges() const noexcept { return edges_; }
    [[nodiscard]] const BoxTree& faces() const noexcept { return faces_; }
    // Vertices without an edge; the boxes are numbered as in the topology's list of points.
    [[nodiscard]] const BoxTree& points() const noexcept { return points_; }

private:
    // Boxes of elements are made from those of their vertices whenever a tree is fitted, and stored
    // nowhere else: they would take half of the memory of a step.
    template <class Action>
    void for_each_tree(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
                       std::span<const double> radius, double margin, const Action& action);
    void set_vertex_boxes(std::span<const MovingPoint> moving, double t_end,
                          std::span<const double> radius, double margin);
    void build_trees(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
                     std::span<const double> radius, double margin);
    void refit_trees(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
                     std::span<const double> radius, double margin);
    // Those of many vertices, once trees have them.
    void give_back_boxes() noexcept;
    [[nodiscard]] CurveShape curve_shape(const MeshTopology& mesh) const noexcept;

    bool has_trees_ = false;
    Grid grid_;
    UninitializedVector<GridBox> vertex_boxes_;
    SortBuffers buffers_;
    BoxTree vertices_;
    BoxTree edges_;
    BoxTree faces_;
    BoxTree points_;
};

}  // namespace graze::mesh_detail
