// Which side of a surface is outside: bodies that are inside out, and how to turn them.
//
// The faces of a body run counterclockwise as seen from outside it. Methods that look at normals
// lose what a body meets that is wound the other way round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/surface/faces.hpp"

namespace graze {

// Faces that are connected by shared edges.
struct SurfaceComponent {
    std::uint32_t first_face = 0;
    std::size_t faces = 0;
    bool is_closed = false;      // every edge has two faces
    bool is_consistent = false;  // no edge has two faces that run through it the same way
    bool is_orientable =
        false;  // or none would after some are reversed; every edge has at most two
    // Of the closed and orientable, exactly; with inconsistent faces reversed to agree with the
    // first: the sign of the volume, positive where they are seen counterclockwise from outside.
    int volume_sign = 0;
    // How many other closed and orientable components it is wholly inside. Where that is odd it is
    // the wall of a cavity, and its faces have to run the other way round.
    std::uint32_t depth = 0;
    bool is_decided = false;  // it is known which of its faces are wrong
};

struct Orientation {
    std::vector<SurfaceComponent> components;  // by first_face
    std::vector<std::uint32_t> component;      // by face
    // Those that have to be reversed, ascending: all of a closed component that is inside out;
    // where faces of a component disagree, those that are wrong (closed) or fewer (open).
    std::vector<std::uint32_t> wrong_faces;
    std::size_t inside_out = 0;  // closed and consistent components of which all faces are wrong
    std::size_t undecided = 0;   // components in which faces may be wrong that nobody can name
};

// Guarantee: volumes and depths are exact, and the same on every machine. A component is inside
// another one where that winds around it and no edge of either goes through the inside of a triangle
// of the other; where they touch, a vertex that does not decides, and without any it is not inside.
// Undecided: what is closed without volume, what has edges of three faces or more or cannot be
// oriented (if faces disagree), and all that may be nested once kMaxNestingTests are spent.
// `triangles` are the faces cut into triangles that turn as they do, and `face_of_triangle` says
// whose they are; none: the faces are triangles.
// Requires: finite positions, valid indices, fewer than 2^32 corners.
// Cost: a sort, and arithmetic linear in the surface; with several closed components trees over
// their triangles.
[[nodiscard]] Orientation orientation_of(std::span<const Vec3> positions, const FaceView& faces,
                                         std::span<const std::array<std::uint32_t, 3>> triangles,
                                         std::span<const std::uint32_t> face_of_triangle = {});
[[nodiscard]] Orientation orientation_of(std::span<const Vec3> positions,
                                         std::span<const std::array<std::uint32_t, 3>> triangles);

// Rays and pairs of triangles that are looked at (some 100 ns each) before it gives up.
inline constexpr std::uint64_t kMaxNestingTests = 20'000'000;

// The corners of a face the other way round; the first stays the first.
void reverse_face(std::span<std::uint32_t> corners) noexcept;

}  // namespace graze
