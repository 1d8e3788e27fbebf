// A rigid body's surface: polygons with any number of corners, and what is adjacent to what.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"

namespace graze::rigid {

inline constexpr std::uint32_t kNoFace = 0xffff'ffffU;

// From vertex `from` to vertex `to`, from < to. Seen from outside the body, `left` is the face that
// runs through the edge in this direction, `right` the one that runs against it; kNoFace where the
// surface is open. Edges are sorted by (from, to).
// An edge of more than two faces, or of two that run the same way, appears once for each pair of
// faces that can be paired (or with one face), and counts in SurfaceReport::non_manifold_edges.
struct PolyhedronEdge {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t left;
    std::uint32_t right;
};

// What directions the normal of a contact on a face, on its edges or on its vertices can have, as
// angles from the normal of the face, either way. For searches that drop improper collisions
// (docs/derivations/rigid_raster.md, RR-8).
struct FaceCone {
    float faces;  // [radians] of all faces at its vertices; pi: nothing is known
    float tilt;   // [radians] of the axes of its vertices, the mean normals of their faces
    float slope;  // largest |e . axis| of unit vectors e along edges at its vertices
    float gain;   // the part of a direction across the axis is at most gain (slope - min e . n)
};

struct SurfaceReport {
    std::size_t open_edges = 0;          // one face
    std::size_t non_manifold_edges = 0;  // three faces or more, or two that run the same way
    std::size_t bent_faces = 0;  // corners off the face's plane by more than 1e-6 of its size
    std::size_t flat_faces = 0;  // no area within rounding: their normal is 0
    std::size_t repeated_vertices = 0;  // at the same position as an earlier one
    std::size_t unused_vertices = 0;
    // Whose faces run clockwise as seen from outside, or the other way in the wall of a cavity
    // (graze/surface/orientation.hpp): closed components that do so as a whole, and all such faces.
    // The raster search does not find contacts of these faces, and properness is that of their
    // wrong normals.
    std::size_t inside_out_parts = 0;
    std::size_t wrong_faces = 0;
    std::size_t undecided_parts = 0;  // closed without volume, non-manifold, of one side
    // Within 1e-6 of its size every face lies in a plane.
    [[nodiscard]] bool is_flat() const noexcept { return bent_faces == 0; }
    // Every edge has two faces that run through it in opposite directions.
    [[nodiscard]] bool is_closed() const noexcept {
        return open_edges == 0 && non_manifold_edges == 0;
    }
    [[nodiscard]] bool is_oriented() const noexcept {
        return wrong_faces == 0 && undecided_parts == 0;
    }
    // One line for people; empty where nothing is odd.
    [[nodiscard]] std::string text() const;
};

class Polyhedron {
public:
    // Faces by the number of corners of each and all corners end to end. A face's corners run
    // counterclockwise as seen from outside.
    // Errors: a coordinate that is not finite, fewer than three corners, an index without vertex, a
    // corner named twice in a row, no face, faces of thousands of corners that would take minutes
    // to cut; each names the face or the vertex.
    // Cost: a sort of the sides of all faces; for faces that are not convex also the number of
    // their corners times that of their reflex ones.
    [[nodiscard]] static Expected<Polyhedron> build(std::vector<Vec3> positions,
                                                    std::span<const std::uint32_t> corner_counts,
                                                    std::span<const std::uint32_t> corners);

    // The same body with every face reversed that is wound the wrong way round; faces, vertices and
    // edges keep their numbers.
    [[nodiscard]] Polyhedron oriented() const;
    // The faces that oriented() reverses, ascending.
    [[nodiscard]] std::span<const std::uint32_t> wrong_faces() const noexcept {
        return wrong_faces_;
    }

    // The faces that SurfaceReport::bent_faces counts, ascending.
    [[nodiscard]] std::span<const std::uint32_t> bent_faces() const noexcept { return bent_faces_; }

    [[nodiscard]] std::span<const Vec3> positions() const noexcept { return positions_; }
    [[nodiscard]] std::size_t face_count() const noexcept { return ends_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> face(std::size_t f) const noexcept {
        const std::size_t first = f == 0 ? 0 : ends_[f - 1];
        return std::span(corners_).subspan(first, ends_[f] - first);
    }
    // The edge from corner i to corner i + 1 of the face, as an index of edges().
    [[nodiscard]] std::span<const std::uint32_t> face_edges(std::size_t f) const noexcept {
        const std::size_t first = f == 0 ? 0 : ends_[f - 1];
        return std::span(face_edges_).subspan(first, ends_[f] - first);
    }
    // Outward, unit length (Newell's, so that it is defined for any polygon); 0 for a flat face.
    [[nodiscard]] const Vec3& normal(std::size_t f) const noexcept { return normals_[f]; }
    [[nodiscard]] std::span<const PolyhedronEdge> edges() const noexcept { return edges_; }
    // Edges and faces at a vertex, as indices.
    [[nodiscard]] std::span<const std::uint32_t> vertex_edges(std::size_t v) const noexcept;
    [[nodiscard]] std::span<const std::uint32_t> vertex_faces(std::size_t v) const noexcept;
    // The faces cut into triangles (EarOrder::Alternating of graze/surface/triangulation.hpp),
    // wound as the faces are.
    [[nodiscard]] std::span<const std::array<std::uint32_t, 3>> triangles() const noexcept {
        return triangles_;
    }
    // The face that a triangle was cut from.
    [[nodiscard]] std::uint32_t face_of_triangle(std::size_t i) const noexcept {
        return triangle_faces_[i];
    }
    [[nodiscard]] const FaceCone& cone(std::size_t f) const noexcept { return cones_[f]; }
    // All faces, in an order in which neighbours are mostly near each other (a Morton curve).
    [[nodiscard]] std::span<const std::uint32_t> spatial_order() const noexcept {
        return spatial_order_;
    }
    [[nodiscard]] const SurfaceReport& report() const noexcept { return report_; }
    // A ball around all positions; the radius is rounded up.
    [[nodiscard]] const Vec3& centre() const noexcept { return centre_; }
    [[nodiscard]] double radius() const noexcept { return radius_; }

private:
    void find_edges();
    void find_neighbours();
    std::optional<Error> find_faces();
    void find_wrong_faces();
    void find_ball();
    void find_order();

    std::vector<Vec3> positions_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> corners_;
    std::vector<std::uint32_t> face_edges_;
    std::vector<Vec3> normals_;
    std::vector<PolyhedronEdge> edges_;
    std::vector<std::size_t> vertex_edge_ends_;
    std::vector<std::uint32_t> vertex_edges_;
    std::vector<std::size_t> vertex_face_ends_;
    std::vector<std::uint32_t> vertex_faces_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
    std::vector<std::uint32_t> triangle_faces_;
    std::vector<FaceCone> cones_;
    std::vector<std::uint32_t> spatial_order_;
    std::vector<std::uint32_t> wrong_faces_;
    std::vector<std::uint32_t> bent_faces_;
    SurfaceReport report_;
    Vec3 centre_;
    double radius_ = 0.0;
};

}  // namespace graze::rigid
