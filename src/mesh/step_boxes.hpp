// Boxes around the elements of a mesh over a window of the step, and trees over them.
#pragma once

#include <span>
#include <vector>

#include "graze/broad/box_tree.hpp"
#include "graze/mesh/topology.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::mesh_detail {

class StepBoxes {
public:
    // Orders the boxes by where they are over [0, t_end]. `radius` by vertex, or empty; `margin` is
    // added to it. Requires: finite positions.
    void build(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
               std::span<const double> radius, double margin);
    // The same for another window of the same step.
    void refit(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
               std::span<const double> radius, double margin);

    [[nodiscard]] const BoxTree& vertices() const noexcept { return vertices_; }
    [[nodiscard]] const BoxTree& edges() const noexcept { return edges_; }
    [[nodiscard]] const BoxTree& faces() const noexcept { return faces_; }
    // Vertices without an edge; the boxes are numbered as in the topology's list of points.
    [[nodiscard]] const BoxTree& points() const noexcept { return points_; }

private:
    void set_boxes(const MeshTopology& mesh, std::span<const MovingPoint> moving, double t_end,
                   std::span<const double> radius, double margin);

    Grid grid_;
    std::vector<GridBox> vertex_boxes_;
    std::vector<GridBox> edge_boxes_;
    std::vector<GridBox> face_boxes_;
    std::vector<GridBox> point_boxes_;
    BoxTree vertices_;
    BoxTree edges_;
    BoxTree faces_;
    BoxTree points_;
};

}  // namespace graze::mesh_detail
