// What queries and moves search: the triangles, and the round obstacles, of a Level or of a World.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graze/slide/precision.hpp"

namespace graze::slide {

// Attributes of a face.
struct FaceMarks {
    std::uint32_t tag = 0;     // returned with each contact
    std::uint32_t layers = 1;  // bits; a query sees the faces that share a bit with its own
    bool one_sided = false;    // solid only from the side on which its winding is counterclockwise
};

// Which parts of a world.
enum class PartFilter : std::uint8_t { All, Moving, Still };

// A view of triangles, cheap to copy; valid as long as the level or world that it is of. Every
// function that takes one takes a Level or a World.
template <class Real>
class Obstacles {
public:
    using Point = Vec<Real>;
    using Face = std::array<std::uint32_t, 3>;

    [[nodiscard]] std::size_t part_count() const noexcept;
    [[nodiscard]] std::size_t face_count() const noexcept;
    [[nodiscard]] std::size_t face_count(std::uint32_t part) const noexcept;
    // The largest magnitude of a coordinate, at least: what the spacing of numbers is measured at.
    [[nodiscard]] Real largest_coordinate() const noexcept;
    // Requires: there is such a part, and such a face in it. In a hole of a height field: NaN.
    [[nodiscard]] std::array<Point, 3> triangle(std::uint32_t part,
                                                std::uint32_t face) const noexcept;
    // [length] 0 unless the part is a sphere or a capsule: then all within this of its one triangle,
    // which is a point or a segment.
    [[nodiscard]] Real rounding(std::uint32_t part) const noexcept;
    [[nodiscard]] FaceMarks marks(std::uint32_t part, std::uint32_t face) const noexcept;

    struct State;
    [[nodiscard]] const State& state() const noexcept { return *state_; }
    // [of the last frame's motion] 1: where the parts are now.
    [[nodiscard]] double time() const noexcept { return time_; }
    [[nodiscard]] PartFilter filter() const noexcept { return filter_; }

protected:
    Obstacles(const State* state, double time, PartFilter filter) noexcept
        : state_(state), time_(time), filter_(filter) {}

private:
    const State* state_;
    double time_;
    PartFilter filter_;
};

extern template class Obstacles<float>;
extern template class Obstacles<double>;

}  // namespace graze::slide
