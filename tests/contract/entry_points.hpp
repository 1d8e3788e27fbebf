// One small question to every public function that promises something.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "graze/mesh/active_set.hpp"
#include "graze/mesh/line_search.hpp"
#include "graze/mesh/safe_step.hpp"
#include "graze/mesh/vertex_bounds.hpp"
#include "graze/narrow/box_separation.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/contact_point.hpp"
#include "graze/narrow/distance.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/narrow/start_separation.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "graze/rigid/stepper.hpp"
#include "graze/slide/controller.hpp"

namespace graze::testing {

// --- Queries -------------------------------------------------------------------------------------

// A vertex that passes a face, or meets it: all numbers times 2^exponent.
inline VertexFaceMotion vertex_face(double height, double end_height, int exponent) {
    const auto p = [exponent](double x, double y, double z) {
        const Vec3 at{std::ldexp(x, exponent), std::ldexp(y, exponent), std::ldexp(z, exponent)};
        return at;
    };
    return {{p(0.3, 0.2, height), p(0.25, 0.3, end_height)},
            {MovingPoint{p(0, 0, 0), p(0, 0, 0.1)}, MovingPoint{p(1, 0, 0), p(1, 0.1, 0)},
             MovingPoint{p(0, 1, 0), p(0.1, 1, 0)}}};
}
inline EdgeEdgeMotion edge_edge(const VertexFaceMotion& m) {
    return {{m.vertex, m.face[0]}, {m.face[1], m.face[2]}};
}
inline VertexVertexMotion vertex_vertex(const VertexFaceMotion& m) {
    return {m.vertex, m.face[0]};
}
inline VertexEdgeMotion vertex_edge(const VertexFaceMotion& m) {
    return {m.vertex, {m.face[0], m.face[1]}};
}

// Two vertices a subnormal number apart, that stay so: never a contact.
inline VertexVertexMotion vertices_near_each_other() {
    return {{{0, 0, 0}, {1, 0, 0}}, {{0, 0x1p-1060, 0}, {1, 0x1p-1060, 0}}};
}

// Calls see(motion) for motions of every kind: in contact, near it and apart; of ordinary size,
// subnormal, and in between.
template <class See>
void for_each_motion(const See& see) {
    for (const int exponent : {0, -1040, 300}) {
        for (const double end_height : {-0.4, 0.05, 0.7}) {
            const VertexFaceMotion motion = vertex_face(0.5, end_height, exponent);
            see(motion);
            see(edge_edge(motion));
            see(vertex_vertex(motion));
            see(vertex_edge(motion));
        }
    }
    see(vertices_near_each_other());
}

// --- Meshes --------------------------------------------------------------------------------------

struct TwoFaces {
    MeshTopology mesh;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
};

// A face that falls through another; a loose edge and a point beside them.
inline TwoFaces two_faces(int exponent) {
    const std::vector<FaceIndices> faces = {{0, 1, 2}, {3, 4, 5}};
    const std::vector<EdgeIndices> edges = {{6, 7}};
    TwoFaces scene{*make_topology(9, faces, edges), {}, {}};
    scene.start = {{0, 0, 0},       {1, 0, 0}, {0, 1, 0},   {0.1, 0.1, 0.3}, {0.9, 0.2, 0.4},
                   {0.2, 0.8, 0.5}, {2, 2, 2}, {2.3, 2, 2}, {0.1, 0.3, 0.1}};
    scene.end = scene.start;
    for (std::size_t i = 3; i < 6; ++i)
        scene.end[i].z -= 0.7;
    scene.end[8].x += 0.3;
    for (std::vector<Vec3>* positions : {&scene.start, &scene.end}) {
        for (Vec3& p : *positions)
            p = {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
    }
    return scene;
}

// --- Bodies --------------------------------------------------------------------------------------

inline std::vector<Vec3> tetrahedron_corners() {
    return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.1, 0.1, 1}};
}
inline Expected<rigid::Polyhedron> tetrahedron() {
    const std::array<std::uint32_t, 4> counts = {3, 3, 3, 3};
    const std::array<std::uint32_t, 12> corners = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    return rigid::Polyhedron::build(tetrahedron_corners(), counts, corners);
}
inline rigid::PairStep body_step() {
    rigid::PairStep step;
    step.b.start.translation = {2.5, 0.1, 0.2};
    step.b.end.translation = {-2.0, 0.2, 0.1};
    step.b.end.rotation = {0.8, 0.0, 0.6, 0.0};
    return step;
}

template <class Real>
slide::Level<Real> floor_and_wall() {
    slide::Level<Real> level;
    const std::vector<Vec<Real>> positions = {{-9, 0, -9}, {9, 0, -9}, {0, 0, 9},
                                              {3, -9, -9}, {3, 9, -9}, {3, 0, 9}};
    const std::vector<std::array<std::uint32_t, 3>> faces = {{0, 2, 1}, {3, 4, 5}};
    const auto added = level.add_part(positions, faces);
    EXPECT_TRUE(added);
    return level;
}

}  // namespace graze::testing
