// A character on a lift, a ferry and in the path of a wall that moves.
//
// The loop in main() is all that a game has to do: it places the parts, and moves the character.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "graze/slide.hpp"

namespace {

using graze::Vec3f;
using namespace graze::slide;

// A box around the origin.
std::uint32_t add_box(World<float>& world, const Vec3f& half) {
    std::vector<Vec3f> points;
    for (int i = 0; i < 8; ++i)
        points.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                          (i & 4) != 0 ? half.z : -half.z});
    const std::vector<std::array<std::uint32_t, 3>> faces = {
        {0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
        {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return world.add_mesh(points, faces).value();
}

}  // namespace

int main() {
    World<float> world;
    const std::uint32_t slab = add_box(world, {4, 0.5F, 4});
    const std::uint32_t plate = add_box(world, {1.5F, 0.1F, 1.5F});
    const std::uint32_t board = add_box(world, {0.1F, 2, 3});
    const bool is_built = world.add_part(slab, {{}, {0, -0.5, 0}}).has_value();
    const auto ferry = world.add_part(plate, {{}, {0, 0.1, 0}});
    const auto wall = world.add_part(board, {{}, {9, 3, 0}});
    if (!is_built || !ferry || !wall) return EXIT_FAILURE;
    world.update();

    Character hero{Capsule{0.4F, 1.8F}, Vec3f{0, 0.5F, 0}};
    constexpr float kDt = 1.0F / 60.0F;
    float fall = 0.0F;
    bool was_pushed = false;
    for (int frame = 0; frame < 400; ++frame) {
        // Up and away; then the wall comes, and sweeps the ferry clean.
        const double along = frame < 60 ? 0.0 : 0.02 * std::min(frame - 60, 120);
        const double up = 0.1 + 0.02 * std::min(frame, 60);
        if (!world.move_part(*ferry, {{}, {along, up, 0}})) return EXIT_FAILURE;
        const double reach = 9.0 - 0.05 * std::max(frame - 180, 0);
        if (!world.move_part(*wall, {{}, {reach, 3, 0}})) return EXIT_FAILURE;
        world.update();

        fall -= 9.81F * kDt;
        const auto moved = hero.move(world, {0, fall * kDt, 0});
        if (moved.on_ground) fall = 0.0F;
        if (!moved.gap_proved || moved.is_crushed()) return EXIT_FAILURE;
        was_pushed = was_pushed || moved.ride.outcome == RideOutcome::Pushed;
        if (frame % 60 == 59)
            std::printf("%5.2f %5.2f  %s%s\n", double{hero.feet().x}, double{hero.feet().y},
                        moved.on_ground ? "on the ground, " : "in the air, ",
                        name(moved.ride.outcome).data());
    }
    const bool is_down = hero.on_ground() && hero.feet().x < -1.0F && hero.feet().y < 0.1F;
    return was_pushed && is_down ? EXIT_SUCCESS : EXIT_FAILURE;
}
