// Levels to slide over, of our own making, each with a start and a list of moves.
//
// y is up; what moves fits into a ball of radius 1 about its centre. Positions come from + - * /
// sqrt of IEEE 754 and from integers, so that they are the same bits on every machine (the targets
// of graze never fuse operations). docs/slide.md describes each level.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/core/vec3.hpp"
#include "graze/io/polygon_mesh.hpp"

namespace graze::generate {

enum class LevelId : std::uint8_t {
    ObtuseCorner,    // a floor and a ramp at 120 degrees
    AcuteWedge,      // a floor and a ceiling at 5 degrees
    ThreePlanes,     // the corner of a box that stands askew
    FlatGrid,        // flat ground in squares, crossed at many angles
    FlatRandom,      // the same, cut into triangles at random
    FlatTJunctions,  // the same, in strips whose vertices do not meet
    FlatTwoMeshes,   // the same as two meshes that nearly meet
    Terrain,         // hills
    Stairs,          // up and down
    ThinWall,        // a box with one wall across, and moves of many times its size
    Soup,            // random triangles in a closed box
    SawTooth,        // a groove whose sides are teeth
    Cave,            // a closed and bumpy hollow
    Voxels,          // columns of cubes with all of their walls
    BoxSeams,        // boxes that do not quite meet, with tops that differ a little
    Scanned,         // hills with noise at each vertex, as ground that was scanned
    Town,            // for a character of 1.8: ramps, stairs, a tunnel, a house
};

inline constexpr std::array<LevelId, 17> kAllLevels = {
    LevelId::ObtuseCorner, LevelId::AcuteWedge,     LevelId::ThreePlanes,   LevelId::FlatGrid,
    LevelId::FlatRandom,   LevelId::FlatTJunctions, LevelId::FlatTwoMeshes, LevelId::Terrain,
    LevelId::Stairs,       LevelId::ThinWall,       LevelId::Soup,          LevelId::SawTooth,
    LevelId::Cave,         LevelId::Voxels,         LevelId::BoxSeams,      LevelId::Scanned,
    LevelId::Town};
// Those that movers are compared on: of the tables in docs/slide.md and of `graze reproduce`.
inline constexpr std::span<const LevelId> kComparedLevels(kAllLevels.data(), 13);

// "obtuse-corner", "flat-grid", ...
[[nodiscard]] std::string_view name(LevelId id) noexcept;
[[nodiscard]] std::optional<LevelId> level_from_name(std::string_view name) noexcept;
// True for the four of flat ground.
[[nodiscard]] bool is_flat(LevelId id) noexcept;

// What a move is there to show.
enum class MovePurpose : std::uint8_t {
    Settle,  // gets somewhere
    Travel,  // along the ground: how much of the displacement is lost
    Press,   // into what holds it, the same displacement many times: whether it comes to rest
};

struct LevelMove {
    Vec3 displacement;
    MovePurpose purpose = MovePurpose::Settle;
};

struct LevelPart {
    std::vector<Vec3> positions;
    std::vector<std::array<std::uint32_t, 3>> faces;
};

struct LevelScene {
    LevelId id = LevelId::FlatGrid;
    std::vector<LevelPart> parts;
    Vec3 start;  // a ball of radius 1 touches nothing there
    std::vector<LevelMove> moves;
    // The first so many parts are closed, and seen whole from the start: nothing gets out.
    std::uint32_t shell_parts = 0;

    [[nodiscard]] std::size_t face_count() const noexcept;
};

struct LevelOptions {
    std::uint64_t seed = 0;
    // About how many triangles the terrain has; others have the size that they have.
    std::uint32_t terrain_faces = 100'000;
    // No more than the first so many moves.
    std::uint32_t max_moves = 0xffff'ffffU;
    // After a stop the level is unfinished, and of no use.
    StopToken stop{};
};

// Guarantee: finite; the same bits for the same options on every machine.
[[nodiscard]] LevelScene make_level(LevelId id, const LevelOptions& options = {});

// The same at another size and position: positions, start and moves times `scale`, then the shift.
[[nodiscard]] LevelScene placed(LevelScene scene, double scale, const Vec3& shift);

// Number `index` of an endless list of moves in all directions, with lengths from 1/64 to 8: what
// stays in closed levels. One in four presses down.
[[nodiscard]] Vec3 random_wish(std::uint64_t seed, std::uint64_t index) noexcept;

// All parts as one OBJ file, coordinates as they read back to the same doubles.
[[nodiscard]] std::string to_obj(const LevelScene& scene);
// The same text in pieces, as that of a io::PolygonMesh.
[[nodiscard]] Expected<void> to_obj(const LevelScene& scene, const io::TextTaker& take);
// All parts as one mesh, with vertices and faces in the order of that file.
[[nodiscard]] io::PolygonMesh polygon_mesh_of(const LevelScene& scene);

}  // namespace graze::generate
