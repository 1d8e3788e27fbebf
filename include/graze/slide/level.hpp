// The level that a mover walks on: triangle soup in parts, each with a tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "graze/core/expected.hpp"
#include "graze/slide/precision.hpp"

namespace graze::slide {

// Attributes of a face.
struct FaceMarks {
    std::uint32_t tag = 0;     // returned with each contact
    std::uint32_t layers = 1;  // bits; a query sees the faces that share a bit with its own
    bool one_sided = false;    // solid only from the side on which its winding is counterclockwise
};

// Faces may overlap, cross, have no area, and meet in any manner or not at all.
// Changing a level is not safe while others query it; queries are safe from any number of threads.
template <class Real>
class Level {
public:
    using Point = Vec<Real>;
    using Face = std::array<std::uint32_t, 3>;

    Level();
    ~Level();
    Level(Level&&) noexcept;
    Level& operator=(Level&&) noexcept;

    // Adds a part; its number is its index in the order of adding. `marks`: none, one for all
    // faces, or one for each.
    // Errors name the vertex or face: a coordinate that is not finite, an index without vertex, a
    // wrong number of marks, more than 2^31 faces.
    [[nodiscard]] Expected<std::uint32_t> add_part(std::span<const Point> positions,
                                                   std::span<const Face> faces,
                                                   std::span<const FaceMarks> marks = {});
    // Replaces the triangles of a part (none: the part is gone, its number stays).
    [[nodiscard]] Expected<void> replace_part(std::uint32_t part, std::span<const Point> positions,
                                              std::span<const Face> faces,
                                              std::span<const FaceMarks> marks = {});
    // The same faces at other positions (lifts, doors, platforms): the tree keeps its order, which is
    // fast for small moves.
    [[nodiscard]] Expected<void> move_part(std::uint32_t part, std::span<const Point> positions);

    [[nodiscard]] std::size_t part_count() const noexcept;
    [[nodiscard]] std::size_t face_count() const noexcept;
    [[nodiscard]] std::size_t face_count(std::uint32_t part) const noexcept;
    // The largest magnitude of a coordinate: what the spacing of numbers is measured at.
    [[nodiscard]] Real largest_coordinate() const noexcept;
    // Requires: there is such a part, and such a face in it.
    [[nodiscard]] std::array<Point, 3> triangle(std::uint32_t part,
                                                std::uint32_t face) const noexcept;
    [[nodiscard]] FaceMarks marks(std::uint32_t part, std::uint32_t face) const noexcept;

    struct State;
    [[nodiscard]] const State& state() const noexcept { return *state_; }

private:
    std::unique_ptr<State> state_;
};

extern template class Level<float>;
extern template class Level<double>;

}  // namespace graze::slide
