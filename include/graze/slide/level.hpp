// The level that a mover walks on: triangle soup in parts, each with a tree.
#pragma once

#include <memory>
#include <span>

#include "graze/core/expected.hpp"
#include "graze/slide/obstacles.hpp"

namespace graze::slide {

// Faces may overlap, cross, have no area, and meet in any manner or not at all.
// Changing a level is not safe while others query it; queries are safe from any number of threads.
template <class Real>
class Level : public Obstacles<Real> {
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

private:
    using State = typename Obstacles<Real>::State;
    explicit Level(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> owned_;
};

extern template class Level<float>;
extern template class Level<double>;

}  // namespace graze::slide
