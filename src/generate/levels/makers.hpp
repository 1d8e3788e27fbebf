// The makers of single levels; levels.cpp chooses.
#pragma once

#include <vector>

#include "generate/scenes/bodies.hpp"
#include "graze/generate/levels.hpp"

namespace graze::generate {

// Puts a list of moves together.
class MoveList {
public:
    void add(const Vec3& wish, MovePurpose purpose, int times) {
        moves_.insert(moves_.end(), static_cast<std::size_t>(times), LevelMove{wish, purpose});
    }
    void settle(const Vec3& wish, int times) { add(wish, MovePurpose::Settle, times); }
    void travel(const Vec3& wish, int times) { add(wish, MovePurpose::Travel, times); }
    void press(const Vec3& wish, int times) { add(wish, MovePurpose::Press, times); }
    [[nodiscard]] std::vector<LevelMove> take() { return std::move(moves_); }

private:
    std::vector<LevelMove> moves_;
};

[[nodiscard]] inline LevelPart part_of(const Body& body) {
    return {body.points, body.faces};
}

// A unit vector in the plane of the ground, from the tangent of half its angle: no trigonometry.
[[nodiscard]] inline Vec3 heading(double half_tangent) noexcept {
    const double square = half_tangent * half_tangent;
    return {(1.0 - square) / (1.0 + square), 0.0, 2.0 * half_tangent / (1.0 + square)};
}

// Few planes.
[[nodiscard]] LevelScene obtuse_corner();
[[nodiscard]] LevelScene acute_wedge();
[[nodiscard]] LevelScene three_planes();
[[nodiscard]] LevelScene saw_tooth();
[[nodiscard]] LevelScene stairs();
[[nodiscard]] LevelScene thin_wall(std::uint64_t seed);
// Ground.
[[nodiscard]] LevelScene flat_ground(LevelId id, std::uint64_t seed);
[[nodiscard]] LevelScene terrain_level(std::uint64_t seed, std::uint32_t faces,
                                       const StopToken& stop);
// Out and back in many directions, 16 each, with and without weight, in short and long moves.
[[nodiscard]] std::vector<LevelMove> crossings();
// Of the terrain: hills some fifty wide and a few high, with bumps of twelve on them.
[[nodiscard]] double hill_height(std::uint64_t seed, double x, double z);
// To walk on.
[[nodiscard]] LevelScene voxels(std::uint64_t seed);
[[nodiscard]] LevelScene box_seams(std::uint64_t seed);
[[nodiscard]] LevelScene scanned(std::uint64_t seed);
[[nodiscard]] LevelScene town(std::uint64_t seed);
// All around.
[[nodiscard]] LevelScene soup(std::uint64_t seed);
[[nodiscard]] LevelScene cave(std::uint64_t seed);

}  // namespace graze::generate
