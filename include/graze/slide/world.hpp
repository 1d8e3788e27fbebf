// A world of parts that have a pose each: many instances of few meshes, thousands of which may move
// in every frame.
//
// The obstacle is the triangle whose vertices are q v q^-1 + t of the part's pose, computed in
// doubles and rounded to Reals by one fixed sequence of operations: all that is guaranteed of
// triangles is guaranteed of these. Two faces that share a vertex in the mesh share it in the world.
#pragma once

#include <memory>
#include <span>

#include "graze/core/expected.hpp"
#include "graze/core/pose.hpp"
#include "graze/slide/obstacles.hpp"

namespace graze::slide {

// The same from 0 to 1: the pivot goes straight from where the first pose has it to where the last
// one has it, and the part rotates about it at a constant rate, by at most half a rotation.
struct PartMotion {
    Pose from;
    Pose to;
    Vec3 pivot;  // of the mesh: for a door a point of its hinge
};
[[nodiscard]] Pose pose_at(const PartMotion& motion, double time) noexcept;

// Samples of a height over the x-z plane: that of column c and row r is at c spacing_x, r spacing_z,
// the products rounded to Reals. Two triangles for each cell, counterclockwise from above: those of
// (c, r), (c, r + 1), (c + 1, r) and of (c + 1, r), (c, r + 1), (c + 1, r + 1). In the order of cells,
// row by row, they are the faces 2 k and 2 k + 1.
template <class Real>
struct HeightField {
    std::uint32_t columns = 0;  // samples along x
    std::uint32_t rows = 0;     // and along z
    Real spacing_x = Real{1};   // [length]
    Real spacing_z = Real{1};
    std::span<const Real> heights;  // heights[r columns + c]; NaN: a hole, without its triangles
};

// Changing a world is not safe while others query it; queries are safe from any number of threads.
template <class Real>
class World : public Obstacles<Real> {
public:
    using Point = Vec<Real>;
    using Face = std::array<std::uint32_t, 3>;

    World();
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // --- What there is: at once, though queries are slow until the next update()

    // Errors: those of Level::add_part().
    [[nodiscard]] Expected<std::uint32_t> add_mesh(std::span<const Point> positions,
                                                   std::span<const Face> faces,
                                                   std::span<const FaceMarks> marks = {});
    // What is no mesh, but has a number among them. Solid, unlike a mesh, which is a surface: a shape
    // inside is pushed out of it, or is not called free. They have two sides whatever their marks say.
    // Errors: a length that is not positive and finite.
    //
    // All within the radius of the origin, and of the points of the y axis up to half_height from it.
    // One face: what is met has the normal of the surface there, and is reported as a face.
    // The ends of its segment are placed as vertices are, and the radius stays as it is (SS-10).
    [[nodiscard]] Expected<std::uint32_t> add_sphere(Real radius, const FaceMarks& marks = {});
    [[nodiscard]] Expected<std::uint32_t> add_capsule(Real radius, Real half_height,
                                                      const FaceMarks& marks = {});
    // Around the origin: twelve faces, and all between them. A shape whose centre is inside meets it
    // at the start, wherever it moves.
    [[nodiscard]] Expected<std::uint32_t> add_box(const Vec<Real>& half_extents,
                                                  const FaceMarks& marks = {});
    // A surface, of those triangles that a mesh of the same samples has; stored are the heights and
    // some 5 % more. `marks`: none, one for all faces, or one for each.
    // Errors: fewer than two samples on a side or more than 2^20 + 1, more than 2^31 faces, a wrong
    // number of heights or marks, an infinite height, a spacing that is not positive and finite,
    // nothing but holes.
    [[nodiscard]] Expected<std::uint32_t> add_height_field(const HeightField<Real>& field,
                                                           std::span<const FaceMarks> marks = {});

    // An instance of a mesh; its number is its index in the order of adding. Its faces are in
    // their own layers as far as those are in `layers`.
    // Errors: no such mesh, a pose that check() refuses.
    [[nodiscard]] Expected<std::uint32_t> add_part(std::uint32_t mesh, const Pose& pose = {},
                                                   std::uint32_t layers = 0xffff'ffffU);
    // Its number stays, and is not used again.
    [[nodiscard]] Expected<void> remove_part(std::uint32_t part);
    [[nodiscard]] Expected<void> set_layers(std::uint32_t part, std::uint32_t layers);

    // --- Where it is: from the next update() on

    // It moves there in the next frame; see PartMotion. What moves carries and pushes characters.
    [[nodiscard]] Expected<void> move_part(std::uint32_t part, const Pose& pose,
                                           const Vec3& pivot = {});
    // It is there in the next frame, without having moved.
    [[nodiscard]] Expected<void> place_part(std::uint32_t part, const Pose& pose);
    // The next frame. Cost: linear in the parts; 4096 of them that all move take 0.7 ms.
    // Out of memory: std::bad_alloc, and nothing has changed; or, where only the tree over the parts
    // finds none, queries are slower until the next frame.
    void update();
    // How many times update() was called.
    [[nodiscard]] std::uint64_t frame() const noexcept;

    [[nodiscard]] Pose pose(std::uint32_t part) const noexcept;
    // In this frame; from and to are equal where it does not move. Requires: there is such a part.
    [[nodiscard]] PartMotion motion(std::uint32_t part) const noexcept;

    // The world as it was in the course of the frame, time in [0, 1], or some of its parts.
    [[nodiscard]] Obstacles<Real> at(double time,
                                     PartFilter filter = PartFilter::All) const noexcept;

private:
    using State = typename Obstacles<Real>::State;
    explicit World(std::unique_ptr<State> state) noexcept;
    [[nodiscard]] Expected<std::uint32_t> add_round(Real radius, Real half_height,
                                                    const FaceMarks& marks);
    std::unique_ptr<State> owned_;
};

extern template class World<float>;
extern template class World<double>;

}  // namespace graze::slide
