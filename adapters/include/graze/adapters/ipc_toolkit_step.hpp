// The whole-step functions of ipc-toolkit, by one search of a mesh instead of one query per candidate.
// Link graze::mesh. A mesh is an ipc::CollisionMesh, or anything with edges(), faces() and perhaps can_collide.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graze/mesh.hpp"
#include "graze/mesh/eigen.hpp"

namespace graze::adapters {

// Keeps trees and buffers for the steps of one mesh; which elements it has must not change.
template <class Mesh>
class IpcStep {
public:
    // In (0, 1]: which fraction of the free time compute_collision_free_stepsize() returns.
    double conservative_rescaling = 0.8;
    StepOptions options;  // threads, radii, bodies, ...; min_separation is that of each call

    // Throws std::invalid_argument where an edge or a face names a vertex that is not there.
    IpcStep(const Mesh& mesh, Eigen::Index vertex_count)
        : mesh_(mesh), stepper_(topology_of(mesh, vertex_count)) {
        if constexpr (requires { mesh.can_collide(std::size_t{0}, std::size_t{0}); })
            options.filter.accepts = [this](QueryKind kind, std::uint32_t a, std::uint32_t b) {
                return can_collide(kind, a, b);
            };
    }
    IpcStep(const IpcStep&) = delete;
    IpcStep& operator=(const IpcStep&) = delete;

    // True: proved that nothing comes within min_distance when all vertices (rows of two or three numbers) move
    // on straight lines. False: something does, or that could not be decided.
    // These throw std::invalid_argument: matrices that do not fit the mesh, coordinates that are not finite, a
    // negative min_distance.
    [[nodiscard]] bool is_step_collision_free(const Eigen::Ref<const Eigen::MatrixXd>& vertices_t0,
                                              const Eigen::Ref<const Eigen::MatrixXd>& vertices_t1,
                                              double min_distance = 0.0) {
        read(vertices_t0, start_);
        read(vertices_t1, end_);
        return search(end_, min_distance).verdict == Verdict::Separated;
    }

    // The fraction of the step that may be gone: 1 where all of it is free; otherwise
    // conservative_rescaling of the free time, or less, such that the motion to V0 + fraction (V1 - V0), rounded,
    // is proved to be free; > 0 where the start is.
    [[nodiscard]] double compute_collision_free_stepsize(
        const Eigen::Ref<const Eigen::MatrixXd>& vertices_t0,
        const Eigen::Ref<const Eigen::MatrixXd>& vertices_t1, double min_distance = 0.0) {
        if (!is_finite(conservative_rescaling) || !(conservative_rescaling > 0.0) ||
            conservative_rescaling > 1.0)
            throw std::invalid_argument("conservative_rescaling is not in (0, 1]");
        read(vertices_t0, start_);
        read(vertices_t1, end_);
        const FirstImpact whole = search(end_, min_distance);
        if (whole.verdict == Verdict::Separated) return 1.0;
        double fraction = conservative_rescaling * whole.toi_lower;
        // Positions are rounded, which is another motion: that one is searched, and a shorter one if it has to be.
        for (int i = 0; i < kMostProofs && fraction > 0.0; ++i, fraction *= 0.5)
            if (search(positions_between(start_, end_, fraction), min_distance).verdict ==
                Verdict::Separated)
                return fraction;
        return 0.0;
    }

private:
    static constexpr int kMostProofs = 40;

    [[nodiscard]] static MeshTopology topology_of(const Mesh& mesh, Eigen::Index vertex_count) {
        auto topology =
            topology_from(static_cast<std::size_t>(vertex_count), mesh.faces(), mesh.edges());
        if (!topology) throw std::invalid_argument(topology.error().message);
        return std::move(*topology);
    }
    static void read(const Eigen::Ref<const Eigen::MatrixXd>& v, std::vector<Vec3>& points) {
        if (v.cols() != 2 && v.cols() != 3)
            throw std::invalid_argument("vertices have " + std::to_string(v.cols()) +
                                        " coordinates, not 2 or 3");
        points.resize(static_cast<std::size_t>(v.rows()));
        for (Eigen::Index i = 0; i < v.rows(); ++i)
            points[static_cast<std::size_t>(i)] = {v(i, 0), v(i, 1), v.cols() == 3 ? v(i, 2) : 0.0};
    }
    [[nodiscard]] FirstImpact search(const std::vector<Vec3>& end, double min_distance) {
        options.query.min_separation = min_distance;
        options.query.t_max = 1.0;
        auto found = stepper_.first_impact(start_, end, options);
        if (!found) throw std::invalid_argument(found.error().message);
        return std::move(*found);
    }

    // A pair may collide where any vertex of one may with any vertex of the other.
    [[nodiscard]] bool can_collide(QueryKind kind, std::uint32_t a, std::uint32_t b) const {
        const MeshTopology& topology = stepper_.topology();
        const auto vertices_of = [&](std::uint32_t element, std::size_t corners) {
            std::array<std::uint32_t, 3> v{element, element, element};
            if (corners == 2) std::copy_n(topology.edges[element].begin(), 2, v.begin());
            if (corners == 3) v = topology.faces[element];
            return v;
        };
        const std::size_t corners_a = kind == QueryKind::EdgeEdge ? 2 : 1;
        const std::size_t corners_b = kind == QueryKind::VertexFace     ? 3
                                      : kind == QueryKind::VertexVertex ? 1
                                                                        : 2;
        const std::array<std::uint32_t, 3> of_a = vertices_of(a, corners_a);
        const std::array<std::uint32_t, 3> of_b = vertices_of(b, corners_b);
        for (std::size_t i = 0; i < corners_a; ++i)
            for (std::size_t j = 0; j < corners_b; ++j)
                if (mesh_.can_collide(std::size_t{of_a[i]}, std::size_t{of_b[j]})) return true;
        return false;
    }

    const Mesh& mesh_;
    MeshStepper stepper_;
    std::vector<Vec3> start_;
    std::vector<Vec3> end_;
};

// The same for one step.
template <class Mesh>
[[nodiscard]] bool is_step_collision_free(const Mesh& mesh,
                                          const Eigen::Ref<const Eigen::MatrixXd>& vertices_t0,
                                          const Eigen::Ref<const Eigen::MatrixXd>& vertices_t1,
                                          double min_distance = 0.0) {
    return IpcStep<Mesh>(mesh, vertices_t0.rows())
        .is_step_collision_free(vertices_t0, vertices_t1, min_distance);
}
template <class Mesh>
[[nodiscard]] double compute_collision_free_stepsize(
    const Mesh& mesh, const Eigen::Ref<const Eigen::MatrixXd>& vertices_t0,
    const Eigen::Ref<const Eigen::MatrixXd>& vertices_t1, double min_distance = 0.0) {
    return IpcStep<Mesh>(mesh, vertices_t0.rows())
        .compute_collision_free_stepsize(vertices_t0, vertices_t1, min_distance);
}

}  // namespace graze::adapters
